//! Positions of devices and receivers, and the paths between them.

use std::f64::consts::PI;

use airlag_air::grid::Position;
use airlag_air::quantity::{Db, Dbm, Metres};
use airlag_air::{Budget, Fading, PathLoss, propagation};
use airlag_sim::{Sim, Stream};

/// The disc over which devices are distributed, and the propagation on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Radius of the disc.
    pub radius: Metres,
    /// Path loss by distance.
    pub path: PathLoss,
    /// Standard deviation of the loss of a path about the mean.
    pub shadowing: Db,
    /// Power at the antenna port of a device.
    pub power: Dbm,
    /// Gain of both antennas together.
    pub antenna_gain: Db,
}

impl Area {
    /// A disc for tests, without shadowing.
    #[cfg(test)]
    pub(super) const fn disc(radius: f64, exponent: f64, power: f64) -> Self {
        Self {
            radius: Metres(radius),
            path: PathLoss::LogDistance { exponent },
            shadowing: Db(0.0),
            power: Dbm(power),
            antenna_gain: Db(0.0),
        }
    }

    /// Draws a position, uniformly over the area.
    pub(super) fn position(&self, stream: &mut Stream) -> Position {
        let mut unit = || (stream.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        let radius = Metres(self.radius.0 * unit().sqrt());
        Position::polar(radius, 2.0 * PI * unit())
    }

    /// Positions of receivers. The first receiver is in the centre. The other receivers are on a
    /// spiral that turns by the golden angle from one receiver to the next. With this spiral, the
    /// areas around the receivers are equal (Vogel, "A better way to construct the sunflower head",
    /// Mathematical Biosciences 44, 1979).
    pub(super) fn receivers(&self, count: usize) -> Vec<Position> {
        let golden = PI * (3.0 - 5_f64.sqrt());
        let at = |nth: usize| {
            let radius = self.radius.0 * (nth as f64 / count as f64).sqrt();
            Position::polar(Metres(radius), golden * nth as f64)
        };
        (0..count).map(at).collect()
    }

    /// Link budget of a path of this length, without shadowing.
    pub(super) const fn budget(&self, range: Metres, noise_figure: Db) -> Budget {
        Budget {
            power: self.power,
            antenna_gain: self.antenna_gain,
            path: self.path,
            range,
            shadowing: Db(0.0),
            fading: Fading::Steady,
            noise_figure,
        }
    }

    /// Draws the shadowing of the path called `name`, once per run.
    pub(super) fn shadowing(&self, sim: &Sim, name: &str) -> Db {
        if self.shadowing.0 > 0.0 {
            let mut stream = sim.stream(&format!("network/shadowing/{name}"));
            propagation::shadowing(self.shadowing, &mut stream)
        } else {
            Db(0.0)
        }
    }
}
