//! Interference between frames of the same and of different spreading factors.
//!
//! Of two overlapping frames with the same spreading factor, one survives if it is 6 dB stronger
//! than the other (Goursaud and Gorce, "Dedicated networks for IoT", EAI Endorsed Transactions
//! 2015, table of co-channel rejection; Bor et al., "Do LoRa low-power wide-area networks scale?",
//! MSWiM 2016, section 3.3). Frames of different spreading factors disturb each other less than
//! frames of the same spreading factor; [`REJECTION`] states how much. All other signals act as
//! noise, including chirps of another bandwidth or of the opposite direction.

use airlag_air::error_rate::{Demodulator, Detuned, Disturbance, ErrorRate, Lora};
use airlag_air::quantity::{Db, DbHz};
use airlag_air::{Frame, Modulation};

use super::settings::chirps;

/// Smallest signal-to-interference ratio at which a frame survives, dB, by the frame's spreading
/// factor (rows, 7 to 12) and the interferer's spreading factor (columns, 7 to 12). The values are
/// from Croce et al., "Impact of LoRa imperfect orthogonality: analysis of link-level performance",
/// IEEE Communications Letters 22, 2018, as used by the lorawan module of ns-3. The values on the
/// diagonal, where both spreading factors are equal, are 6 dB here and 1 dB in the article.
const REJECTION: [[i8; 6]; 6] = [
    [6, -8, -9, -9, -9, -9],
    [-11, 6, -11, -12, -13, -13],
    [-15, -13, 6, -13, -14, -15],
    [-19, -18, -17, 6, -17, -18],
    [-22, -22, -21, -20, 6, -20],
    [-25, -25, -25, -24, -23, 6],
];

/// A demodulator for chirps with interference from other chirps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChirpReceiver(pub Detuned<Lora>);

impl Demodulator for ChirpReceiver {
    fn fails(&self, signal: DbHz, frame: &Frame) -> f64 {
        self.0.frame(signal, frame.end.since(frame.begin))
    }

    fn disturbance(&self, frame: &Frame, modulation: Modulation) -> Disturbance {
        between(frame.modulation, modulation)
    }
}

/// Effect of a frame with modulation `other` on one with modulation `own`.
pub(crate) fn between(own: Modulation, other: Modulation) -> Disturbance {
    let (Some(own), Some(other)) = (chirps(own), chirps(other)) else {
        return Disturbance::Noise;
    };
    if own.bandwidth != other.bandwidth || own.inverted != other.inverted {
        return Disturbance::Noise;
    }
    // No measurement exists for 6; 7 is used.
    let place = |exponent: u8| usize::from(exponent.clamp(7, 12) - 7);
    let [own, other] = [own, other].map(|one| place(one.spreading_factor.exponent()));
    Disturbance::Unless(Db(f64::from(REJECTION[own][other])))
}
