//! Addresses of a Thread network: who a board is, and what a datagram calls it.

use smoltcp::wire::{Ieee802154Address, Ipv6Address};

/// The mesh-local prefix, which every board has as context 0 of its header compression
/// (RFC 6282, 3.1.2). A network that is formed draws one; its bits change nothing.
pub const MESH_LOCAL: [u8; 8] = [0xFD, 0xDE, 0xAD, 0x00, 0xBE, 0xEF, 0x00, 0x00];

/// Who a board is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The radio's own address, EUI-64.
    pub eui: u64,
    /// What it was given for its place in the network, RLOC16: a router's number in the upper six bits,
    /// a child's below.
    pub rloc: u16,
}

/// By which of their addresses a datagram names its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Link-local, made from the EUI-64s in the frame, which it needs not repeat. Of neighbours only.
    Link,
    /// Routing locators, made from the RLOC16s in the frame: as short, and of a place, not of a board.
    Locator,
    /// Mesh-local endpoint identifiers: 64 bits of each end behind a prefix that is left out. What a
    /// program uses, for they stay when the network changes.
    Endpoint,
}

/// The two ends of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Sender.
    pub from: Place,
    /// Receiver.
    pub to: Place,
    /// What they are called.
    pub scope: Scope,
}

impl Ends {
    /// Two neighbours of these EUI-64s that call each other by them.
    #[must_use]
    pub const fn link(from: u64, to: u64) -> Self {
        let (from, to) = (Place { eui: from, rloc: 0 }, Place { eui: to, rloc: 0 });
        Self { from, to, scope: Scope::Link }
    }

    /// What the frames that carry it, or their mesh headers, call sender and receiver.
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
                // It is random; that of the EUI-64 will do.
                Scope::Endpoint => (MESH_LOCAL, identifier(place.eui)),
            };
            let mut octets = [0; 16];
            octets[..8].copy_from_slice(&prefix);
            octets[8..].copy_from_slice(&identifier.to_be_bytes());
            Ipv6Address::from_octets(octets)
        })
    }
}

/// The interface identifier of an EUI-64 (RFC 4291, appendix A).
const fn identifier(eui: u64) -> u64 {
    eui ^ 0x0200_0000_0000_0000
}
