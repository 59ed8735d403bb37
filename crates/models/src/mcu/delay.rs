//! Delays on the board's own clock.

use airlag_sim::Duration;
use embedded_hal_async::delay::DelayNs;

use super::board::Board;
use crate::slices;

/// A delay with the accuracy of the board's crystal.
#[derive(Clone)]
pub struct Delay(Board);

impl Delay {
    /// The delay of a board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        Self(board.clone())
    }
}

impl DelayNs for Delay {
    async fn delay_ns(&mut self, ns: u32) {
        self.0.spend(&slices::DELAY, Duration::from_ns(ns.into())).await;
    }
}
