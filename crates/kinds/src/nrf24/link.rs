//! The link at one board: one-way, or with one of the reply methods.

use airlag_drivers::nrf24::{Nrf24 as Driver, Replier, Requester, Resting, Turning};
use airlag_link::{Capability, Delivery, Link};
use airlag_models::chip::nrf24::Nrf24 as Chip;
use airlag_models::mcu::{Delay, Input, Output, Spi};

/// The driver of a station.
pub type StationDriver = Driver<Spi<Chip>, Output, Input>;

/// The link of a station.
pub enum StationLink {
    /// A transmitter or a receiver only.
    OneWay(StationDriver),
    /// A transmitter that powers down between messages.
    Resting(Resting<Spi<Chip>, Output, Input, Delay>),
    /// A link in both directions by role reversal.
    Turning(Turning<Spi<Chip>, Output, Input, Delay>),
    /// A transmitter that polls for replies.
    Requester(Requester<Spi<Chip>, Output, Input, Delay>),
    /// A receiver whose replies are acknowledgement payloads.
    Replier(Replier<Spi<Chip>, Output, Input>),
}

/// Delegates a call to the variant's link.
macro_rules! each {
    ($link:expr, $one:ident => $call:expr) => {
        match $link {
            StationLink::OneWay($one) => $call,
            StationLink::Resting($one) => $call,
            StationLink::Turning($one) => $call,
            StationLink::Requester($one) => $call,
            StationLink::Replier($one) => $call,
        }
    };
}

impl Link for StationLink {
    type Error = <StationDriver as Link>::Error;

    fn capability(&self) -> Capability {
        each!(self, link => link.capability())
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        each!(self, link => link.send(chunk).await)
    }

    async fn flush(&mut self) -> Result<Delivery, Self::Error> {
        each!(self, link => link.flush().await)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        each!(self, link => link.receive(buffer).await)
    }
}
