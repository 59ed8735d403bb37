//! The driver of an nRF24L01+ as the radio of a tunnel.

use airlag_tunnel::radio::{Outcome, Radio};
use airlag_tunnel::wire::Frame;

use crate::nrf24::StationDriver;

/// A driver that is set up for bursts.
pub(super) struct Nrf24(pub(super) StationDriver);

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Radio for Nrf24 {
    type Error = String;

    async fn burst(
        &mut self,
        frames: &[Frame],
        answer: &mut [u8],
        _: &mut impl FnMut(&[u8]) -> Option<Frame>,
    ) -> Result<Outcome, String> {
        let got = self.0.burst(frames.iter().map(Frame::bytes), answer).await.map_err(told)?;
        Ok(got.map_or(Outcome::Unanswered, Outcome::Answered))
    }

    async fn lay_ready(&mut self, answer: &Frame) -> Result<(), String> {
        self.0.lay_ready(answer.bytes()).await.map_err(told)
    }

    async fn arrived(&mut self) -> Result<(), String> {
        self.0.arrived().await.map_err(told)
    }

    async fn take(&mut self, frame: &mut [u8]) -> Result<Option<usize>, String> {
        self.0.take(frame).await.map_err(told)
    }
}
