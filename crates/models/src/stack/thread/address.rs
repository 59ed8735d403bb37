//! Addresses of a Thread network: identity of a board, and addresses of datagrams.

use smoltcp::wire::{Ieee802154Address, Ipv6Address};

/// Mesh-local prefix, which every board has as context 0 of its header compression (RFC 6282,
/// 3.1.2). A new network draws one at random; its bits have no effect.
pub const MESH_LOCAL: [u8; 8] = [0xFD, 0xDE, 0xAD, 0x00, 0xBE, 0xEF, 0x00, 0x00];

/// Identity of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Unique address of the radio, EUI-64.
    pub eui: u64,
    /// Address assigned by position in the network, RLOC16: a router's number in the upper six
    /// bits, a child's below.
    pub rloc: u16,
}

/// Type of the addresses in a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Link-local addresses, for neighbours only. They are derived from the EUI-64s in the frame,
    /// so the header need not repeat them.
    Link,
    /// Routing locators, derived from the RLOC16s in the frame. They are as short as link-local
    /// addresses, and identify a position in the network, not a board.
    Locator,
    /// Mesh-local endpoint identifiers: 64 bits for each end, with the prefix omitted. Programs use
    /// these, because they are stable when the network changes.
    Endpoint,
}

/// Ends of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Sender.
    pub from: Place,
    /// Receiver.
    pub to: Place,
    /// Type of their addresses.
    pub scope: Scope,
}

impl Ends {
    /// Two neighbours with these EUI-64s and link-local addresses.
    #[must_use]
    pub const fn link(from: u64, to: u64) -> Self {
        let (from, to) = (Place { eui: from, rloc: 0 }, Place { eui: to, rloc: 0 });
        Self { from, to, scope: Scope::Link }
    }

    /// Addresses of sender and receiver in the frames, or in their mesh headers.
    pub(super) fn hardware(&self) -> [Ieee802154Address; 2] {
        [self.from, self.to].map(|place| match self.scope {
            Scope::Link => Ieee802154Address::Extended(place.eui.to_be_bytes()),
            Scope::Locator | Scope::Endpoint => Ieee802154Address::Short(place.rloc.to_be_bytes()),
        })
    }

    /// Their IPv6 addresses.
    pub(super) fn addresses(&self) -> [Ipv6Address; 2] {
        [self.from, self.to].map(|place| {
            let (prefix, identifier) = match self.scope {
                Scope::Link => ([0xFE, 0x80, 0, 0, 0, 0, 0, 0], identifier(place.eui)),
                Scope::Locator => (MESH_LOCAL, 0x0000_00FF_FE00_0000 | u64::from(place.rloc)),
                // In practice it is random; the EUI-64 is used here instead.
                Scope::Endpoint => (MESH_LOCAL, identifier(place.eui)),
            };
            let mut octets = [0; 16];
            octets[..8].copy_from_slice(&prefix);
            octets[8..].copy_from_slice(&identifier.to_be_bytes());
            Ipv6Address::from_octets(octets)
        })
    }
}

/// Interface identifier for an EUI-64 (RFC 4291, appendix A).
const fn identifier(eui: u64) -> u64 {
    eui ^ 0x0200_0000_0000_0000
}
