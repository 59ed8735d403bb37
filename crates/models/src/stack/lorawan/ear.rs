//! An open receiver, and the frames of which it detects the preamble.

use airlag_air::{Band, Modulation};
use airlag_sim::{Duration, Instant};

use super::plan::{DataRate, Direction};

/// Settings of the open receiver.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ear {
    pub(super) from: Instant,
    pub(super) rate: DataRate,
    pub(super) khz: u32,
}

impl Ear {
    pub(super) const fn band(&self) -> Band {
        self.rate.band(self.khz)
    }

    pub(super) fn modulation(&self) -> Modulation {
        self.rate.modulation(Direction::Down)
    }

    /// Whether at least `symbols` of the preamble of a frame that began at `begin` were heard until
    /// `now`.
    pub(super) fn finds(&self, begin: Instant, now: Instant, symbols: u16) -> bool {
        let frame = self.rate.frame(Direction::Down);
        let symbols = u64::from(symbols.min(frame.preamble));
        let missed = (u64::from(frame.preamble) - symbols) * frame.symbol_ns();
        let heard = Duration::from_ns(symbols * frame.symbol_ns());
        begin + Duration::from_ns(missed) >= self.from && begin.max(self.from) + heard <= now
    }
}
