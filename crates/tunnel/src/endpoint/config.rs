//! Configuration of an end of a tunnel.

use core::time::Duration;

use crate::fair;
use crate::keys::Protection;

/// Timing of a radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Duration of a full frame on the air.
    pub frame: Duration,
    /// Time from the end of a burst to the end of its response.
    pub answer: Duration,
    /// Largest time from the end of a response until a burst of the other end is detectable.
    pub turn: Duration,
    /// Largest number of frames in a burst.
    pub burst: usize,
}

/// Method by which an end learns the outcome of its frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arq {
    /// The other radio automatically sends a prepared response to each burst: an nRF24L01+.
    Laid,
    /// The other end responds to each burst after it has received all of it.
    Asked,
    /// As with `Asked`, the other end responds to bursts. In addition, the link itself acknowledges each
    /// frame and arbitrates access to its medium. This end therefore repeats a frame when the link has given
    /// up the frame. This end requests a response only occasionally, to learn which packets the other end
    /// accepted.
    Confirmed,
}

/// Limits on the use of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// Age at which the initiator requests another session if it has packets to send. The responder requests
    /// one at 1.25 times this age.
    pub renew: Duration,
    /// Age from which no more packets are sent in the session.
    pub end: Duration,
    /// Number of packets sent in a session after which another session is requested.
    pub packets: u64,
}

impl Default for Lifetime {
    /// The default ages `renew` and `end` of a session are those of WireGuard (Donenfeld, NDSS 2017, section
    /// 6.1, REKEY-AFTER-TIME and REJECT-AFTER-TIME). The default number of packets after which another
    /// session is requested is a million. The tags of frames and reports suffice for far more than a million
    /// packets.
    fn default() -> Self {
        let (renew, end) = (Duration::from_secs(120), Duration::from_secs(180));
        Self { renew, end, packets: 1 << 20 }
    }
}

/// Configuration of an end.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether packets are encrypted.
    pub protection: Protection,
    /// MTU, bytes.
    pub mtu: usize,
    /// Queues of packets.
    pub queue: fair::Config,
    /// Longest frame of the radio, bytes, from [`crate::wire::LEAST`] to [`crate::wire::MOST`]. Equal at both
    /// ends.
    pub frame: usize,
    /// Method by which this end learns the outcome of its frames.
    pub arq: Arq,
    /// Whether the medium is half-duplex without arbitration. An end that receives a burst then waits until
    /// the burst has ended.
    pub shared: bool,
    /// Timing of the radio.
    pub pace: Pace,
    /// Limits on the use of a session.
    pub lifetime: Lifetime,
}
