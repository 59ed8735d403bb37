//! Carriers of packets between two hosts.

use std::rc::Weak;

use smoltcp::phy;

/// One end of a carrier of packets.
pub trait Port {
    /// Packet format: plain IP by default.
    fn medium(&self) -> phy::Medium {
        phy::Medium::Ip
    }

    /// Largest packet, bytes.
    fn mtu(&self) -> usize;

    /// Returns the number of packets that the port accepts now.
    fn room(&self) -> usize;

    /// Accepts a packet. The packet is lost if there is no room.
    fn send(&self, packet: Vec<u8>);

    /// Sets the user that is notified of events. The user is not notified while the port accepts a
    /// packet.
    fn attach(&self, user: Weak<dyn PortUser>);

    /// Switches its radio off unless it is busy. Packets are then lost. Returns true if the radio
    /// is off; a port without such a radio always returns false.
    fn off(&self) -> bool {
        false
    }

    /// Switches the radio on.
    fn on(&self) {}
}

/// User of a port.
pub trait PortUser {
    /// Called when a packet has arrived.
    fn arrived(&self, packet: &[u8]);

    /// Called when there is room again.
    fn has_room(&self);
}
