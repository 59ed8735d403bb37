//! How far apart the radios of a link stand, and what becomes of the signal on the way.
//!
//! A kind of link with radios has a [`Propagation`] among its parameters, and where it puts its two
//! radios on the air:
//!
//! ```text
//! parameters.propagation.apply(bench, [one.node(), other.node()], demodulator, hearing);
//! ```
//!
//! with one of the demodulators of [`airlag_air::error_rate`], and what it makes of others on the air
//! ([`Hearing`]). Its profiles then need `tx_power`
//! and `noise_figure`, which belong to the chip; the rest has defaults. With a `range` of 0, the
//! default, nothing is lost, delayed or drawn.
//!
//! A bench is one place: shadowing is drawn once from its seed. What a link does at a distance is
//! told by many of them: [`crate::places`].

mod environment;
mod margin;
mod reach;

use std::rc::Rc;

use airlag_air::error_rate::Demodulator;
use airlag_air::quantity::{Db, Dbm, Metres};
use airlag_air::{Budget, BySignal, Fading, NodeId, Receiver, Sense, propagation};

use crate::ends::Bench;
use crate::parameter::{ByEnvironment, parameters};

pub use environment::{Environment, USUAL};

/// What a kind of radio makes of others on the air.
#[derive(Clone, Copy, Debug)]
pub struct Hearing {
    /// The family of its modulations.
    pub family: &'static str,
    /// How much more harm than noise of its power interference does: see [`Receiver::harm`].
    pub harm: Db,
    /// When it says that a channel is busy.
    pub sense: Sense,
}

impl Hearing {
    /// A receiver with it.
    #[must_use]
    pub fn with(self, demodulator: impl Demodulator + 'static, noise_figure: Db) -> Receiver {
        let Self { family, harm, sense } = self;
        Receiver { family, demodulator: Rc::new(demodulator), noise_figure, harm, sense }
    }
}

const UNUSED: &str = "changes nothing while range is 0";
const AS_TESTS: &str = "what range tests are made in; changes nothing while range is 0";
const OF_ENVIRONMENT: &str = "what the environment has; changes nothing while range is 0";

parameters! {
    /// How the radios of a link stand to each other.
    pub struct Propagation {
        /// between the antennas; 0: no loss by distance
        range: f64 = real(0.0, 1e8, "m").or("0", UNUSED),
        /// what is between the antennas: nothing; see path_loss_exponent; flat ground in theory;
        /// measured: open ground or a street in sight, houses, a town; one floor of a building, a
        /// hall of machines
        environment: Environment = unit("").or(environment::USUAL, AS_TESTS),
        /// how loss grows with log-distance
        path_loss_exponent: f64 = real(1.0, 8.0, "").or("2", UNUSED),
        /// of both above ground, with two-ray and outdoor
        antenna_height: f64 = real(0.1, 1_000.0, "m").or("1.5", UNUSED),
        /// standard deviation of places about the mean loss, or that of the environment
        shadowing: ByEnvironment = real(0.0, 30.0, "dB").or("environment", OF_ENVIRONMENT),
        /// power of the strongest path over that of all others, from frame to frame, or that of the
        /// environment
        rician_k: ByEnvironment = real(-40.0, 100.0, "dB").or("environment", OF_ENVIRONMENT),
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

    /// Standard deviation of places about the mean loss.
    #[must_use]
    pub fn deviation(&self) -> Db {
        self.shadowing.0.map_or(self.environment.shadowing(), Db)
    }

    /// A place that is neither better nor worse than the mean.
    #[must_use]
    pub fn budget(&self) -> Budget {
        let fading = self.rician_k.0.map(|k| Fading::Rician { k: Db(k) });
        Budget {
            power: Dbm(self.tx_power),
            antenna_gain: Db(self.antenna_gain),
            path: self.environment.path(self),
            range: Metres(self.range),
            shadowing: Db(0.0),
            fading: fading.unwrap_or(self.environment.fading()),
            noise_figure: Db(self.noise_figure),
        }
    }

    /// Lets frames between `ends` take the time light does, and be lost as often as `demodulator`
    /// gets them wrong, besides whatever else that path does to them. Where others are on the air, both
    /// ends judge what overlaps their frames by its power.
    pub fn apply(
        &self,
        bench: &Bench,
        ends: [NodeId; 2],
        demodulator: impl Demodulator + Copy + 'static,
        hearing: Hearing,
    ) {
        let budget = self.lose(bench, ends, demodulator);
        let Some(crowd) = bench.crowd_if_any() else { return };
        for node in ends {
            let receiver = hearing.with(demodulator, budget.noise_figure);
            crowd.end(bench.air(), node, bench.place(), budget, receiver);
        }
    }

    /// The way from end to end, and what it does to frames.
    fn lose(
        &self,
        bench: &Bench,
        ends: [NodeId; 2],
        demodulator: impl Demodulator + Copy + 'static,
    ) -> Budget {
        let (mut budget, [one, other]) = (self.budget(), ends);
        if self.range <= 0.0 {
            return budget;
        }
        let (sim, air) = (bench.sim(), bench.air());
        margin::watch(bench, ends, budget, demodulator);
        // One draw for both directions: the place is the same.
        let name = format!("shadowing/{}-{}", air.name(one), air.name(other));
        budget.shadowing = propagation::shadowing(self.deviation(), &mut sim.stream(&name));
        let most = |lost: Db| Db(lost.0.max(budget.shadowing.0));
        let told = bench.told();
        let before = told.borrow().shadowing;
        told.borrow_mut().shadowing = Some(before.map_or(budget.shadowing, most));
        for (from, to) in [(one, other), (other, one)] {
            air.set_delay(from, to, propagation::delay(budget.range));
            air.add_loss(from, to, BySignal { budget, demodulator });
        }
        budget
    }
}
