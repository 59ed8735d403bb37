//! The nRF24L01+ as the radio of a tunnel, on any bus and pins.

use core::time::Duration;

use airlag_drivers::nrf24::{Error, Nrf24};
use airlag_link::airtime::nrf24::Frame as Airtime;
use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

use crate::endpoint::Pace;
use crate::radio::{Outcome, Radio};
use crate::wire::Frame;

/// Longest frame, bytes: the largest payload (nRF24L01+ v1.0, section 7.3.4).
pub const FRAME: usize = 32;

/// Timing of the radio.
///
/// `settle` is the settling time from standby, Tstby2a (nRF24L01+ v1.0, section 6.1.7). `irq` is the time
/// from the end of a packet to the interrupt for this packet (section 7.7). `software` is the assumed
/// processing time of the other end between the end of a response and the next frame of the other end.
#[must_use]
pub fn pace(frame: Airtime, settle: Duration, irq: Duration, software: Duration) -> Pace {
    let full = Duration::from_nanos(frame.duration_ns(FRAME));
    Pace {
        frame: full,
        answer: settle + full + irq,
        turn: settle + full + software,
        burst: frame.burst(FRAME) as usize,
    }
}

/// Implemented for a driver that is configured with `Config::for_bursts`.
impl<S: SpiDevice, C: OutputPin, I: Wait> Radio for Nrf24<S, C, I> {
    type Error = Error<S::Error, C::Error, I::Error>;

    async fn burst(
        &mut self,
        frames: &[Frame],
        answer: &mut [u8],
        _: &mut impl FnMut(&[u8]) -> Option<Frame>,
    ) -> Result<Outcome, Self::Error> {
        let got = Nrf24::burst(self, frames.iter().map(Frame::bytes), answer).await?;
        Ok(got.map_or(Outcome::Unanswered, Outcome::Answered))
    }

    async fn lay_ready(&mut self, answer: &Frame) -> Result<(), Self::Error> {
        Nrf24::lay_ready(self, answer.bytes()).await
    }

    async fn arrived(&mut self) -> Result<(), Self::Error> {
        Nrf24::arrived(self).await
    }

    async fn take(&mut self, frame: &mut [u8]) -> Result<Option<usize>, Self::Error> {
        Nrf24::take(self, frame).await
    }
}
