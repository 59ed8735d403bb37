//! What carries packets between two hosts.

use std::rc::Weak;

use smoltcp::phy;

/// One end of what carries packets.
pub trait Port {
    /// How packets look: IP itself unless a port says otherwise.
    fn medium(&self) -> phy::Medium {
        phy::Medium::Ip
    }

    /// Largest packet, bytes.
    fn mtu(&self) -> usize;

    /// How many packets it takes now.
    fn room(&self) -> usize;

    /// Takes a packet. One that it has no room for is lost.
    fn send(&self, packet: Vec<u8>);

    /// Says whom to tell of what comes. Nobody is told while a packet is being taken.
    fn attach(&self, user: Weak<dyn PortUser>);

    /// Switches its radio off, unless that has something to do: packets are lost then. True if it is off,
    /// which a port without such a radio never is.
    fn off(&self) -> bool {
        false
    }

    /// Switches it on.
    fn on(&self) {}
}

/// Whom a port tells.
pub trait PortUser {
    /// A packet came.
    fn arrived(&self, packet: &[u8]);

    /// There is room again.
    fn has_room(&self);
}
