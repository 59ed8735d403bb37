//! Range of a link at good, median and bad locations.

use airlag_air::Fading;
use airlag_air::quantity::{Db, Hertz, Metres};

use super::Propagation;

/// Upper limit of the computed range, m: half the earth's circumference.
const FARTHEST: f64 = 2e7;

impl Propagation {
    /// Returns the distance at which the share `lost` of all frames is lost, at a location whose
    /// path loss is `deviations` standard deviations above the mean path loss. `margin` is the fade
    /// margin of the link at its configured range. Decoding is modelled by a sharp threshold: a
    /// frame is lost if the depth of its fade exceeds the fade margin at the returned distance and
    /// at this location.
    #[must_use]
    pub fn reach(&self, margin: Db, frequency: Hertz, deviations: f64, lost: f64) -> Metres {
        let budget = self.budget();
        let Db(here) = budget.path.loss(budget.range, frequency);
        let spare = margin.0 - deviations * self.deviation().0 - depth(budget.fading, lost).0;
        let (mut near, mut far) = (0.0, FARTHEST);
        for _ in 0..64 {
            let middle = f64::midpoint(near, far);
            let Db(loss) = budget.path.loss(Metres(middle), frequency);
            *(if loss <= here + spare { &mut near } else { &mut far }) = middle;
        }
        Metres(near)
    }
}

/// Fade depth below the mean that a share `lost` of all frames exceeds.
fn depth(fading: Fading, lost: f64) -> Db {
    let (mut shallow, mut deep) = (-20.0, 60.0);
    for _ in 0..40 {
        let middle = f64::midpoint(shallow, deep);
        let below = fading.mean(|Db(gain)| f64::from(u8::from(gain < -middle)));
        *(if below > lost { &mut shallow } else { &mut deep }) = middle;
    }
    Db(deep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_frame_in_a_hundred_is_twenty_decibels_down_without_a_strong_path() {
        // -10 log10(-ln 0.99) = 19.98; for half of all frames: -10 log10(ln 2) = 1.59. One step of
        // the mean is a quarter of a percent, which is 1.1 dB at 19.98 dB.
        assert!((depth(Fading::Rayleigh, 0.01).0 - 19.98).abs() < 0.6);
        assert!((depth(Fading::Rayleigh, 0.5).0 - 1.59).abs() < 0.02);
        assert!(depth(Fading::Steady, 0.01).0.abs() < 1e-6);
    }
}
