//! Interference: survival of a frame that overlaps others, from their powers at the receiver.
//!
//! ```text
//!  interferer          |-- B --|
//!  interferer    |------ A -------|
//!  frame            |------------------------|
//!  pieces           |1 |  2    |3 |    4     |    each with its own ratio of signal to interference
//! ```
//!
//! A frame is cut into pieces where the interference changes. The frame is received correctly if
//! all of its pieces are received correctly. Bit errors are assumed to be independent. Let p be the
//! success probability of the whole frame at the signal-to-interference ratio of a piece, and let s
//! be the duration of the piece as a share of the airtime. The piece is then received correctly
//! with probability p^s. (The interference helper of ns-3 cuts frames in the same way: Lacage and
//! Henderson, "Yet another network simulator", WNS2 2006, section 2.3.)
//!
//! An interferer acts as noise. The spectrum of the interferer is assumed to be flat, and the noise
//! power is the part of the interferer's power that lies in the frame's band. The model omits
//! filter leakage from outside the band, because receivers reject the second adjacent channel by 30
//! dB and more. The model also omits out-of-band emissions of transmitters.

use std::rc::Rc;

use airlag_sim::Instant;

use crate::error_rate::{Demodulator, Disturbance};
use crate::frame::{Band, Frame, Modulation};
use crate::quantity::{Db, DbHz, Dbm, Hertz};
use crate::signal::THERMAL_NOISE;

/// Criterion for a busy channel. A radio detects frames of its own kind by the preamble, and other
/// frames by the energy in the band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sense {
    /// Threshold for frames of its own kind in its own band.
    pub own: Dbm,
    /// Energy threshold for all other signals. Only power within the band counts.
    pub energy: Dbm,
}

impl Sense {
    /// Creates a pure energy detector.
    #[must_use]
    pub const fn energy(threshold: Dbm) -> Self {
        Self { own: threshold, energy: threshold }
    }
}

/// A frame from another sender that overlaps the received one.
#[derive(Clone, Copy, Debug)]
pub struct Interferer {
    /// Frequency band.
    pub band: Band,
    /// Modulation.
    pub modulation: Modulation,
    /// Total received power.
    pub received: Dbm,
    /// Arrival of the first bit.
    pub begin: Instant,
    /// Arrival of the last bit.
    pub end: Instant,
}

fn milliwatts(Dbm(level): Dbm) -> f64 {
    Db(level).ratio()
}

/// Receiver properties of a node.
#[derive(Clone)]
pub struct Receiver {
    /// Family of radios that it receives.
    pub family: &'static str,
    /// Demodulator.
    pub demodulator: Rc<dyn Demodulator>,
    /// Noise figure.
    pub noise_figure: Db,
    /// Harm of interference relative to noise of the same power. It calibrates the demodulator's
    /// curve to the co-channel rejection of the datasheet.
    pub harm: Db,
    /// Criterion for a busy channel.
    pub sense: Sense,
    /// Largest number of frames, in any bands and with any modulations, that the receiver can
    /// demodulate at once. `None` means that this number has no limit. With and without a limit, a
    /// receiver that demodulates a frame misses other frames of the same modulation in the same
    /// band.
    pub demodulators: Option<usize>,
}

/// Probability that `frame`, received at power `received`, is received correctly.
#[must_use]
pub fn arrives(
    receiver: &Receiver,
    frame: &Frame,
    received: Dbm,
    interferers: &[Interferer],
) -> f64 {
    let demodulator = &receiver.demodulator;
    let hertz = Hertz(f64::from(frame.band.width_khz().max(1)) * 1e3);
    let noise = milliwatts(THERMAL_NOISE + receiver.noise_figure);
    let airtime = frame.end.since(frame.begin).as_ns().max(1) as f64;
    let mut cuts = vec![frame.begin, frame.end];
    for other in interferers {
        cuts.extend([other.begin, other.end]);
    }
    cuts.retain(|cut| (frame.begin..=frame.end).contains(cut));
    cuts.sort_unstable();
    cuts.dedup();
    let mut whole = 1.0;
    for piece in cuts.windows(2) {
        let there = |other: &&Interferer| other.begin < piece[1] && other.end > piece[0];
        let mut density = noise;
        for other in interferers.iter().filter(there) {
            let share = other.band.share_in(&frame.band);
            if share <= 0.0 {
                continue;
            }
            match demodulator.disturbance(frame, other.modulation) {
                Disturbance::Noise => {
                    let harm = milliwatts(other.received + receiver.harm);
                    density += harm * share / hertz.0;
                }
                Disturbance::Unless(stronger) => {
                    if received - other.received < stronger {
                        return 0.0;
                    }
                }
            }
        }
        let signal = DbHz(received.0 - Db::of(density).0);
        let right = 1.0 - demodulator.fails(signal, frame).clamp(0.0, 1.0);
        whole *= libm::pow(right, piece[1].since(piece[0]).as_ns() as f64 / airtime);
    }
    whole
}

#[cfg(test)]
mod tests;
