//! Settings of a pair.

use airlag_sim::Duration;

use super::domain::Domain;
use super::rate::Rate;

/// Meaning of the data of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Channels: positions of sticks and switches. Each slot carries the newest positions, so that
    /// those of a lost frame arrive with the next frame.
    Channels,
    /// Bytes of a serial port (AirPort), which are sent once.
    Airport,
}

/// Time at which the handset computes its channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handset {
    /// In time for each slot: the module synchronises the mixer of the handset.
    Synchronised,
    /// With a period of its own.
    Free,
}

/// Settings of a module and its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Packet rate.
    pub rate: Rate,
    /// Regulatory domain.
    pub domain: Domain,
    /// Slots from one telemetry slot to the next. 1: no telemetry.
    pub telemetry_ratio: u64,
    /// Shortest time between two synchronisation frames. Zero: no synchronisation.
    pub sync_period: Duration,
    /// Meaning of the data.
    pub content: Content,
    /// Identity of the pair.
    pub pair: u16,
    /// Time at which the handset computes its channels.
    pub handset: Handset,
    /// Period of a free handset.
    pub handset_period: Duration,
    /// Time that the handset takes to compute its channels.
    pub mixer: Duration,
    /// Time of a frame on the line from the handset to the module.
    pub handset_frame: Duration,
    /// Time from the end of a synchronised handset's frame to its slot.
    pub sync_margin: Duration,
    /// Time from the tick of a slot to the first symbol.
    pub setup: Duration,
    /// Time for which the module listens before it sends, at the end of `setup`. Zero if it sends
    /// without listening.
    pub listen: Duration,
    /// Chunks that wait in the module.
    pub queue: usize,
    /// Time from the last symbol of a frame to the first bit on the line of the receiver.
    pub processing: Duration,
    /// Time of a frame on the line of the receiver.
    pub receiver_frame: Duration,
}

/// Bytes of a frame of channels on a serial line: address, length, type, 22 bytes for sixteen
/// channels, and a check (CRSF, RC channels packed).
pub const CRSF_FRAME: u64 = 26;

impl Config {
    /// Time of a frame of channels on a serial line with 8 data bits, at `baud`.
    #[must_use]
    pub const fn line(baud: u64) -> Duration {
        Duration::from_ns((CRSF_FRAME * 10 * 1_000_000_000).div_ceil(baud))
    }

    /// Time from the computation of the channels by a synchronised handset to their slot.
    #[must_use]
    pub fn lead(&self) -> Duration {
        self.mixer + self.handset_frame + self.sync_margin
    }
}
