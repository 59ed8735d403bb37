//! What an end of a tunnel is set to.

use core::time::Duration;

use crate::fair;
use crate::keys::Protection;

/// What the radio takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// A full frame on the air.
    pub frame: Duration,
    /// From the end of a burst until the answer to it has ended.
    pub answer: Duration,
    /// From the end of an answer until the other end's burst can be heard, at the latest.
    pub turn: Duration,
    /// Frames in a burst, at most.
    pub burst: usize,
}

/// What an end is set to.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether packets are encrypted.
    pub protection: Protection,
    /// Longest packet, bytes.
    pub mtu: usize,
    /// Packets that wait.
    pub queue: fair::Config,
    /// What the radio takes.
    pub pace: Pace,
    /// Drawn anew whenever an end begins: sessions, and waits after a collision, follow from it.
    pub random: u64,
}
