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

/// How an end learns what has come of its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arq {
    /// The other radio answers each burst by itself, with what was laid ready before its end: an nRF24L01+.
    Laid,
    /// The other end answers each burst when it has come, and tells of all of it.
    Asked,
    /// The same, but the link confirms each frame by itself and shares its medium by itself. So a frame is
    /// repeated when the link gave it up, and an answer is asked for only now and then: to know of packets
    /// what only the other end knows, that they were taken.
    Confirmed,
}

/// Limits on the use of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// Age at which the initiator requests another session if it has something to send. The responder does so at
    /// 1.25 times this age.
    pub renew: Duration,
    /// Age at which no more packets are sent in it.
    pub end: Duration,
    /// Packets sent in it after which another is requested.
    pub packets: u64,
}

impl Default for Lifetime {
    /// The times of WireGuard (Donenfeld, NDSS 2017, section 6.1, REKEY-AFTER-TIME and REJECT-AFTER-TIME). A
    /// million packets, long before the tags of frames and reports could be worn out.
    fn default() -> Self {
        let (renew, end) = (Duration::from_secs(120), Duration::from_secs(180));
        Self { renew, end, packets: 1 << 20 }
    }
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
    /// Longest frame the radio takes, bytes: from [`crate::wire::LEAST`] to [`crate::wire::MOST`], the same
    /// at both ends.
    pub frame: usize,
    /// How it learns what has come of its frames.
    pub arq: Arq,
    /// Only one end can send at a time, and nobody else says which: whoever hears a burst waits for its end.
    pub shared: bool,
    /// What the radio takes.
    pub pace: Pace,
    /// Limits on the use of a session.
    pub lifetime: Lifetime,
}
