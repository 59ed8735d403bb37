//! Both ends as links: a program on the device, and one at the application server.

use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::Duration;

use super::config::Config;
use super::device::Device;
use super::network::Network;
use super::plan::Direction;
use super::slices;
use crate::mcu::Board;
use crate::stack::frames::Program;

/// Costs of the program and the MAC on a device, on its board's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// Time from the program's call to the start of the radio: encryption, and the transfer to the
    /// radio.
    pub send: Duration,
    /// Time from the end of a downlink to its data in the program.
    pub receive: Duration,
}

/// A chunk is too long for a frame at the data rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{len} B do not fit a frame of at most {most} B")]
pub struct TooLong {
    /// Length of the chunk, bytes.
    pub len: usize,
    /// Longest data of a frame, bytes.
    pub most: usize,
}

/// Most bytes in a frame of a direction.
fn most(config: &Config, direction: Direction) -> usize {
    let uplink = config.uplink();
    let rates = match direction {
        Direction::Up => [uplink, uplink],
        // A downlink goes into either window.
        Direction::Down => match config.class {
            super::config::Class::A => [config.first_window(), config.second_window()],
            super::config::Class::C => [config.second_window(), config.second_window()],
        },
    };
    rates.iter().map(|rate| rate.map_or(0, |rate| rate.most)).min().unwrap_or(0)
}

fn fits(len: usize, most: usize) -> Result<(), TooLong> {
    if len > most { Err(TooLong { len, most }) } else { Ok(()) }
}

/// The end at the device.
pub struct EndDevice {
    device: Rc<Device>,
    program: Program,
    host: Host,
}

impl EndDevice {
    /// Creates the end on the board of `device`.
    #[must_use]
    pub fn new(device: &Rc<Device>, board: &Board, host: Host) -> Self {
        Self { device: Rc::clone(device), program: Program::new(board, &slices::HOST), host }
    }

    fn delivery(&self) -> Delivery {
        if self.device.take_results().lost > 0 { Delivery::Lost } else { Delivery::Sent }
    }
}

impl Link for EndDevice {
    type Error = TooLong;

    fn capability(&self) -> Capability {
        let config = self.device.config();
        Capability::datagram(most(config, Direction::Up)).acknowledged(config.confirmed)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, TooLong> {
        fits(chunk.len(), most(self.device.config(), Direction::Up))?;
        self.program.spend(self.host.send).await;
        self.device.queue(chunk).await;
        Ok(self.delivery())
    }

    async fn flush(&mut self) -> Result<Delivery, TooLong> {
        self.device.drain().await;
        let confirmed = self.device.config().confirmed;
        Ok(match self.delivery() {
            Delivery::Sent if confirmed => Delivery::Confirmed,
            delivery => delivery,
        })
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, TooLong> {
        let device = &self.device;
        let next = async |buffer: &mut [u8]| device.next_data(buffer).await;
        Ok(self.program.receive(buffer, self.host.receive, next).await)
    }
}

/// The end at the application server.
pub struct Application {
    network: Rc<Network>,
}

impl Application {
    /// Creates the end behind `network`.
    #[must_use]
    pub fn new(network: &Rc<Network>) -> Self {
        Self { network: Rc::clone(network) }
    }
}

impl Link for Application {
    type Error = TooLong;

    fn capability(&self) -> Capability {
        Capability::datagram(most(self.network.device(), Direction::Down))
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, TooLong> {
        fits(chunk.len(), most(self.network.device(), Direction::Down))?;
        self.network.queue(chunk).await;
        Ok(Delivery::Sent)
    }

    async fn flush(&mut self) -> Result<Delivery, TooLong> {
        self.network.drain().await;
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, TooLong> {
        Ok(self.network.next_data(buffer).await)
    }
}
