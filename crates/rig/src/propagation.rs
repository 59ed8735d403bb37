//! Distance between the radios of a link, and path loss, shadowing and fading of the signal.
//!
//! A kind of link with radios has a [`Propagation`] among its parameters, and applies it where it
//! places its radios on the air:
//!
//! ```text
//! parameters.propagation.apply(bench, [one.node(), other.node()], demodulator, hearing);
//! ```
//!
//! The argument `demodulator` of [`Propagation::apply`] computes frame error rates, see
//! [`airlag_air::error_rate`]. The argument `hearing` is the receiver's response to other signals
//! ([`Hearing`]). Profiles of a kind with a [`Propagation`] need the parameters `tx_power` and
//! `noise_figure`, which are properties of the chip. All other parameters of [`Propagation`] have
//! defaults. With the default `range` of 0, no frame is lost or delayed by propagation, and no
//! random number is drawn.
//!
//! A bench is one location: its shadowing is drawn once from the seed. Performance at a distance
//! requires many locations: see [`crate::places`].

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

/// A receiver's response to other signals on the air.
#[derive(Clone, Copy, Debug)]
pub struct Hearing {
    /// Modulation family.
    pub family: &'static str,
    /// Harm of interference relative to noise of the same power: see [`Receiver::harm`].
    pub harm: Db,
    /// Criterion for a busy channel.
    pub sense: Sense,
}

impl Hearing {
    /// Creates a receiver with these properties and the given demodulator.
    #[must_use]
    pub fn with(self, demodulator: impl Demodulator + 'static, noise_figure: Db) -> Receiver {
        let Self { family, harm, sense } = self;
        let (demodulator, demodulators) = (Rc::new(demodulator), None);
        Receiver { family, demodulator, noise_figure, harm, sense, demodulators }
    }
}

const UNUSED: &str = "no effect while range is 0";
const AS_TESTS: &str = "usual in range tests; no effect while range is 0";
const OF_ENVIRONMENT: &str = "value of the environment; no effect while range is 0";

parameters! {
    /// Relative position of a link's radios and the path between them.
    pub struct Propagation {
        /// distance between the antennas; 0: no loss by distance
        range: f64 = real(0.0, 1e8, "m").or("0", UNUSED),
        /// environment between the antennas: theoretical (free space, log-distance with
        /// path_loss_exponent, two-ray over flat ground) or measured (open ground or a street in
        /// line of sight, houses, a town, one floor of a building, a factory hall)
        environment: Environment = unit("").or(environment::USUAL, AS_TESTS),
        /// path loss exponent, with log-distance
        path_loss_exponent: f64 = real(1.0, 8.0, "").or("2", UNUSED),
        /// height of both antennas above ground, with two-ray and outdoor
        antenna_height: f64 = real(0.1, 1_000.0, "m").or("1.5", UNUSED),
        /// standard deviation of location losses about the mean loss, or the value of the
        /// environment
        shadowing: ByEnvironment = real(0.0, 30.0, "dB").or("environment", OF_ENVIRONMENT),
        /// Rician K of the fading from frame to frame: power of the strongest path over that of all
        /// others, or the value of the environment
        rician_k: ByEnvironment = real(-40.0, 100.0, "dB").or("environment", OF_ENVIRONMENT),
        /// transmit power at the sender's antenna
        tx_power: f64 = real(-100.0, 60.0, "dBm"),
        /// gain of both antennas together
        antenna_gain: f64 = real(-30.0, 60.0, "dB").or("0", UNUSED),
        /// noise figure at which the demodulator's formula has the chip's sensitivity
        noise_figure: f64 = real(0.0, 60.0, "dB"),
    }
}

impl Propagation {
    /// Power at the antenna's terminals, dBm, and the gain of one of two equal antennas, dBi.
    #[must_use]
    pub fn radiates(&self) -> (f64, f64) {
        (self.tx_power, self.antenna_gain / 2.0)
    }

    /// Standard deviation of location losses about the mean loss.
    #[must_use]
    pub fn deviation(&self) -> Db {
        self.shadowing.0.map_or(self.environment.shadowing(), Db)
    }

    /// Link budget at the median location.
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

    /// Delays frames between the two `ends` by the propagation time of light. Loses frames at the
    /// frame error rate of `demodulator`, in addition to other losses on the path between the ends.
    /// If there are neighbours (other transmitters on the air), the received powers of overlapping
    /// frames determine which of these frames an end receives.
    pub fn apply(
        &self,
        bench: &Bench,
        ends: [NodeId; 2],
        demodulator: impl Demodulator + Copy + 'static,
        hearing: Hearing,
    ) {
        let budget = self.lose(bench, ends, demodulator);
        let Some(placed_radios) = bench.placed_radios_if_any() else { return };
        for node in ends {
            let receiver = hearing.with(demodulator, budget.noise_figure);
            placed_radios.end(bench.air(), node, bench.place(), budget, receiver);
        }
    }

    /// Applies the path from one end to the other to its frames.
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
        // One draw for both directions, since the location is the same.
        let name = format!("shadowing/{}-{}", air.name(one), air.name(other));
        budget.shadowing = propagation::shadowing(self.deviation(), &mut sim.stream(&name));
        let most = |lost: Db| Db(lost.0.max(budget.shadowing.0));
        let report = bench.shared_report();
        let before = report.borrow().shadowing;
        report.borrow_mut().shadowing = Some(before.map_or(budget.shadowing, most));
        for (from, to) in [(one, other), (other, one)] {
            air.set_delay(from, to, propagation::delay(budget.range));
            air.add_loss(from, to, BySignal { budget, demodulator });
        }
        budget
    }
}
