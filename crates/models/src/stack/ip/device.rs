//! A port as smoltcp sees it: packets that have come up, and room for those that go down.

use std::collections::VecDeque;

use smoltcp::phy::{self, DeviceCapabilities};
use smoltcp::time::Instant;

/// Packets of one poll.
pub(super) struct Device {
    pub(super) medium: phy::Medium,
    pub(super) mtu: usize,
    /// Packets that are through the host's lower half.
    pub(super) up: VecDeque<Vec<u8>>,
    /// Packets to be sent.
    pub(super) down: Vec<Vec<u8>>,
    /// How many there may be.
    pub(super) room: usize,
}

pub(super) struct Up(Vec<u8>);

pub(super) struct Down<'a>(&'a mut Vec<Vec<u8>>);

impl phy::RxToken for Up {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, read: F) -> R {
        read(&self.0)
    }
}

impl phy::TxToken for Down<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, write: F) -> R {
        let mut packet = vec![0; len];
        let result = write(&mut packet);
        self.0.push(packet);
        result
    }
}

impl phy::Device for Device {
    type RxToken<'a> = Up;
    type TxToken<'a> = Down<'a>;

    /// smoltcp wants to be able to answer whatever it reads, so a full port holds up what comes.
    fn receive(&mut self, _: Instant) -> Option<(Up, Down<'_>)> {
        if self.down.len() >= self.room {
            return None;
        }
        Some((Up(self.up.pop_front()?), Down(&mut self.down)))
    }

    fn transmit(&mut self, _: Instant) -> Option<Down<'_>> {
        (self.down.len() < self.room).then_some(Down(&mut self.down))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = self.medium;
        capabilities.max_transmission_unit = self.mtu;
        capabilities
    }
}
