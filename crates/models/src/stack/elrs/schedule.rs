//! Slots: use, start and channel of each.
//!
//! ```text
//!  slot      0           1      2      3    | 4      5      6      7    | 8
//!  use       telemetry   sync   data   data | data   data   data   data | telemetry
//!  channel   sync channel                   | next channel              | …
//! ```
//!
//! The sequence of channels consists of blocks that contain each channel once and begin with the
//! sync channel (`FHSSrandomiseFHSSsequenceBuild`).

use std::rc::Rc;

use airlag_air::Band;
use airlag_sim::{Clock, Duration, Instant, Stream};

use super::config::Config;
use super::domain::Domain;

/// Use of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The module sends channels.
    Data,
    /// The module sends synchronisation in place of channels.
    Sync,
    /// The receiver sends telemetry.
    Telemetry,
}

/// Schedule of a pair.
#[derive(Clone, Debug)]
pub struct Schedule {
    clock: Clock,
    /// Local time of slot 0, ns.
    origin_ns: i64,
    interval_ns: i64,
    telemetry_ratio: u64,
    /// Slots from one synchronisation frame to the next. 0: no synchronisation.
    sync_every: u64,
    sends: u64,
    hop_interval: u64,
    domain: Domain,
    width_khz: u32,
    order: Rc<[u8]>,
}

/// Longest sequence of channels (`FHSS_SEQUENCE_LEN`).
const SEQUENCE: u32 = 256;
/// Slot of a hop in which synchronisation is sent. It is not the first slot, which may carry
/// telemetry.
const SYNC_SLOT: u64 = 1;

impl Schedule {
    /// Creates the schedule of a pair on the `clock` of its module. Slot 0 starts at local time
    /// `phase`. The sequence of channels is drawn from `stream`.
    #[must_use]
    pub fn new(config: &Config, clock: Clock, phase: Duration, stream: &mut Stream) -> Self {
        let interval = config.rate.interval();
        let turn = u64::from(config.domain.count()) * config.rate.hop_interval();
        let turns = config.sync_period.as_ns().div_ceil(turn * interval.as_ns());
        Self {
            clock,
            origin_ns: phase.as_ns() as i64,
            interval_ns: interval.as_ns() as i64,
            telemetry_ratio: config.telemetry_ratio.max(1),
            sync_every: turns * turn,
            sends: config.rate.sends(),
            hop_interval: config.rate.hop_interval(),
            domain: config.domain,
            width_khz: config.rate.waveform().width_khz(),
            order: sequence(config.domain, stream),
        }
    }

    /// Use of a slot.
    #[must_use]
    pub const fn usage(&self, slot: u64) -> Use {
        if self.telemetry_ratio > 1 && slot.is_multiple_of(self.telemetry_ratio) {
            Use::Telemetry
        } else if self.sync_every > 0 && slot % self.sync_every == SYNC_SLOT {
            Use::Sync
        } else {
            Use::Data
        }
    }

    /// Whether new data are loaded in a slot: the first data slot of the transmissions of a frame.
    #[must_use]
    pub fn loads(&self, slot: u64) -> bool {
        let first = slot - slot % self.sends;
        let is_data = |slot| self.usage(slot) == Use::Data;
        is_data(slot) && !(first..slot).any(is_data)
    }

    /// Next slot of telemetry from `slot` on. `None` without telemetry.
    #[must_use]
    pub const fn next_telemetry(&self, slot: u64) -> Option<u64> {
        if self.telemetry_ratio > 1 {
            Some(slot.next_multiple_of(self.telemetry_ratio))
        } else {
            None
        }
    }

    /// Start of a slot.
    #[must_use]
    pub const fn tick(&self, slot: u64) -> Instant {
        self.clock.instant_of(self.origin_ns + slot as i64 * self.interval_ns)
    }

    /// Slot whose start is nearest to `at`.
    #[must_use]
    pub const fn nearest(&self, at: Instant) -> u64 {
        let since = self.clock.local_ns(at) - self.origin_ns + self.interval_ns / 2;
        let slot = since.div_euclid(self.interval_ns);
        if slot > 0 { slot as u64 } else { 0 }
    }

    /// Band of a slot.
    #[must_use]
    pub fn band(&self, slot: u64) -> Band {
        let hop = slot / self.hop_interval % self.order.len() as u64;
        let centre = self.domain.centre_khz(u32::from(self.order[hop as usize]));
        Band::around(centre, self.width_khz)
    }
}

/// Blocks of all channels in a random order, each with the sync channel first.
fn sequence(domain: Domain, stream: &mut Stream) -> Rc<[u8]> {
    let (count, sync) = (domain.count(), domain.sync_channel());
    let mut order = Vec::new();
    for _ in 0..SEQUENCE / count {
        let mut others: Vec<u8> =
            (0..count).filter(|&nth| nth != sync).map(|nth| nth as u8).collect();
        for last in (1..others.len()).rev() {
            others.swap(last, stream.below(last as u64 + 1) as usize);
        }
        order.push(sync as u8);
        order.append(&mut others);
    }
    order.into()
}
