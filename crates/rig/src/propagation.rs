//! How far apart the radios of a link stand, and what becomes of the signal on the way.
//!
//! A kind of link with radios has a [`Propagation`] among its parameters, and where it puts its two
//! radios on the air:
//!
//! ```text
//! parameters.propagation.apply(bench, [one.node(), other.node()], demodulator);
//! ```
//!
//! with one of the demodulators of [`airlag_air::error_rate`]. Its profiles then need `tx_power`
//! and `noise_figure`, which belong to the chip; the rest has defaults. With a `range` of 0, the
//! default, nothing is lost, delayed or drawn.

use airlag_air::error_rate::Demodulator;
use airlag_air::quantity::{Db, Dbm, Metres};
use airlag_air::{Budget, BySignal, NodeId, PathLoss, propagation};

use crate::ends::Bench;
use crate::parameter::{choices, parameters};

const UNUSED: &str = "changes nothing while range is 0";

choices! {
    /// What is between the antennas.
    pub enum Environment {
        /// Nothing.
        FreeSpace = "free-space",
        /// Loss by an exponent of the distance.
        LogDistance = "log-distance",
        /// Flat ground.
        TwoRay = "two-ray",
        /// One floor of a home.
        Home = "home",
        /// One floor of offices.
        Office = "office",
        /// One floor of a shop.
        Shop = "shop",
    }
}

parameters! {
    /// How the radios of a link stand to each other.
    pub struct Propagation {
        /// between the antennas; 0: no loss by distance
        range: f64 = real(0.0, 1e8, "m").or("0", UNUSED),
        /// what is between the antennas: nothing; see path_loss_exponent; flat ground; one floor of
        /// a building (ITU-R P.1238)
        environment: Environment = unit("").or("free-space", UNUSED),
        /// how loss grows with log-distance
        path_loss_exponent: f64 = real(1.0, 8.0, "").or("2", UNUSED),
        /// of both above ground, with two-ray
        antenna_height: f64 = real(0.1, 1_000.0, "m").or("1.5", UNUSED),
        /// spread of places about the mean loss
        shadowing: f64 = real(0.0, 30.0, "dB").or("0", UNUSED),
        /// at the sender's antenna
        tx_power: f64 = real(-100.0, 60.0, "dBm"),
        /// of both antennas together
        antenna_gain: f64 = real(-30.0, 60.0, "dB").or("0", UNUSED),
        /// that makes the demodulator's formula as sensitive as the chip
        noise_figure: f64 = real(0.0, 60.0, "dB"),
    }
}

impl Propagation {
    /// Power at the antenna's terminals, dBm, and the gain of one of two antennas alike, dBi.
    #[must_use]
    pub fn radiates(&self) -> (f64, f64) {
        (self.tx_power, self.antenna_gain / 2.0)
    }

    fn budget(&self) -> Budget {
        let path = match self.environment {
            Environment::LogDistance => PathLoss::LogDistance { exponent: self.path_loss_exponent },
            Environment::TwoRay => PathLoss::TwoRay { heights: [Metres(self.antenna_height); 2] },
            // ITU-R P.1238-7, table 2, 1.8 to 2 GHz; at 2.4 GHz it has the same for the first
            // two and nothing for a shop.
            Environment::Home => PathLoss::Indoor { coefficient: 28.0 },
            Environment::Office => PathLoss::Indoor { coefficient: 30.0 },
            Environment::Shop => PathLoss::Indoor { coefficient: 22.0 },
            Environment::FreeSpace => PathLoss::FreeSpace,
        };
        Budget {
            power: Dbm(self.tx_power),
            antenna_gain: Db(self.antenna_gain),
            path,
            range: Metres(self.range),
            shadowing: Db(0.0),
            noise_figure: Db(self.noise_figure),
        }
    }

    /// Lets frames between `ends` take the time light does, and be lost as often as `demodulator`
    /// gets them wrong, besides whatever else that path does to them.
    pub fn apply(
        &self,
        bench: &Bench,
        ends: [NodeId; 2],
        demodulator: impl Demodulator + Copy + 'static,
    ) {
        if self.range <= 0.0 {
            return;
        }
        let (mut budget, [one, other]) = (self.budget(), ends);
        let (sim, air) = (bench.sim(), bench.air());
        // One draw for both directions: the place is the same.
        let name = format!("shadowing/{}-{}", air.name(one), air.name(other));
        budget.shadowing = propagation::shadowing(Db(self.shadowing), &mut sim.stream(&name));
        for (from, to) in [(one, other), (other, one)] {
            air.set_delay(from, to, propagation::delay(budget.range));
            air.add_loss(from, to, BySignal { budget, demodulator });
        }
    }
}
