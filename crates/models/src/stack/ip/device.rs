//! A link as a smoltcp device: received packets, and room for packets to send. It is used by hosts
//! on the bench, and by hosts at its edge that run in wall-clock time.

use std::collections::VecDeque;

use smoltcp::phy::{self, DeviceCapabilities};
use smoltcp::time::Instant;

/// Packets of a host in both directions.
pub struct Device {
    medium: phy::Medium,
    mtu: usize,
    /// Received packets, after the host's lower half.
    pub up: VecDeque<Vec<u8>>,
    /// Packets to send.
    pub down: VecDeque<Vec<u8>>,
    /// Capacity of the send queue.
    pub room: usize,
}

impl Device {
    /// Creates a device with packets of up to `mtu` bytes, of which `room` may be queued for
    /// sending.
    #[must_use]
    pub const fn new(medium: phy::Medium, mtu: usize, room: usize) -> Self {
        Self { medium, mtu, up: VecDeque::new(), down: VecDeque::new(), room }
    }

    /// Whether another packet may be queued for sending.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.down.len() < self.room
    }
}

/// A received packet.
pub struct Up(Vec<u8>);

/// Room for a packet to send.
pub struct Down<'a>(&'a mut VecDeque<Vec<u8>>);

impl phy::RxToken for Up {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, read: F) -> R {
        read(&self.0)
    }
}

impl phy::TxToken for Down<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, write: F) -> R {
        let mut packet = vec![0; len];
        let result = write(&mut packet);
        self.0.push_back(packet);
        result
    }
}

impl phy::Device for Device {
    type RxToken<'a> = Up;
    type TxToken<'a> = Down<'a>;

    /// smoltcp requires room for a response to every packet that it reads. A full port therefore
    /// delays reception.
    fn receive(&mut self, _: Instant) -> Option<(Up, Down<'_>)> {
        if !self.has_room() {
            return None;
        }
        Some((Up(self.up.pop_front()?), Down(&mut self.down)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Down<'_>> {
        self.has_room().then_some(Down(&mut self.down))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = self.medium;
        capabilities.max_transmission_unit = self.mtu;
        capabilities
    }
}
