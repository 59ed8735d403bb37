//! The link a board sees: one way, or one of the ways an answer comes back.

use airlag_drivers::nrf24::{Nrf24 as Driver, Replier, Requester, Resting, Turning};
use airlag_link::{Capability, Delivery, Link};
use airlag_models::chip::nrf24::Nrf24 as Chip;
use airlag_models::mcu::{Delay, Input, Output, Spi};

/// The driver on a station.
pub type StationDriver = Driver<Spi<Chip>, Output, Input>;

/// Its link.
pub enum StationLink {
    /// A transmitter or a receiver.
    OneWay(StationDriver),
    /// A transmitter that powers down between messages.
    Resting(Resting<Spi<Chip>, Output, Input, Delay>),
    /// Either, in turns.
    Turning(Turning<Spi<Chip>, Output, Input, Delay>),
    /// A transmitter that polls.
    Requester(Requester<Spi<Chip>, Output, Input, Delay>),
    /// A receiver whose chunks leave with acknowledgements.
    Replier(Replier<Spi<Chip>, Output, Input>),
}

/// Hands a call to whichever link it is.
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
