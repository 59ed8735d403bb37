//! What the frames of others leave of a frame, by how strong each is where it is received.
//!
//! ```text
//!  interferer          |-- B --|
//!  interferer    |------ A -------|
//!  frame            |------------------------|
//!  pieces           |1 |  2    |3 |    4     |    each with its own ratio of signal to interference
//! ```
//!
//! A frame is cut where interference changes. A piece of it arrives with the probability with which
//! the whole would at that ratio, to the power of its share of the airtime: bits are wrong
//! independently of each other, and the frame is right if all of its pieces are. (The same cut as in
//! the interference helper of ns-3: Lacage and Henderson, "Yet another network simulator", WNS2 2006,
//! section 2.3.)
//!
//! An interferer counts with the share of its spectrum that lies in the frame's, taken as flat, and
//! otherwise as noise. What is left out: what a filter lets through from beside its band (receivers
//! reject the next channel but one by 30 dB and more, so that a neighbour there has to be as much
//! stronger to be noticed), and what a transmitter sends there.

use std::rc::Rc;

use airlag_sim::Instant;

use crate::error_rate::{Demodulator, Disturbance};
use crate::frame::{Band, Frame, Modulation};
use crate::quantity::{Db, DbHz, Dbm, Hertz};
use crate::signal::THERMAL_NOISE;

/// When a receiver says that a channel is busy. A radio of its own kind is found by its preamble,
/// any other by the energy in the band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sense {
    /// At least as strong is a frame of its own kind in its own band.
    pub own: Dbm,
    /// At least as strong is anything else, as far as it lies in the band.
    pub energy: Dbm,
}

impl Sense {
    /// A detector of energy, whose ever it is.
    #[must_use]
    pub const fn energy(threshold: Dbm) -> Self {
        Self { own: threshold, energy: threshold }
    }
}

/// A frame of somebody else as it arrives during one that is received.
#[derive(Clone, Copy, Debug)]
pub struct Interferer {
    /// Where in the spectrum.
    pub band: Band,
    /// How it is modulated.
    pub modulation: Modulation,
    /// All of its power.
    pub received: Dbm,
    /// First bit.
    pub begin: Instant,
    /// Last bit.
    pub end: Instant,
}

fn milliwatts(Dbm(level): Dbm) -> f64 {
    Db(level).ratio()
}

/// What a node is to what arrives there.
#[derive(Clone)]
pub struct Receiver {
    /// The family of radios whose frames it reads.
    pub family: &'static str,
    /// What reads them.
    pub demodulator: Rc<dyn Demodulator>,
    /// Of the receiver.
    pub noise_figure: Db,
    /// How much more harm than noise of its power interference does: what makes the demodulator's
    /// curve give the co-channel rejection of the datasheet.
    pub harm: Db,
    /// When it says that a channel is busy.
    pub sense: Sense,
}

/// Probability that `frame`, received at `received`, arrives whole.
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
