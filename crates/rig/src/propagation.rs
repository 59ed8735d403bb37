//! How far apart the radios of a link stand, and what becomes of the signal on the way.
//!
//! A kind of link with a medium takes part with two lines. In `kind.rs` its parameters become
//! `radio!(KIND::PARAMETERS)`; and where it puts its two radios on the air:
//!
//! ```text
//! Propagation::new(profile)?.apply(sim, &air, [one.node(), other.node()], demodulator);
//! ```
//!
//! with one of the demodulators of [`airlag_air::error_rate`]. Its profiles then need `tx_power`
//! and `noise_figure`, which belong to the chip; the rest has defaults. With a `range` of 0, the
//! default, nothing is lost, delayed or drawn.

use airlag_air::error_rate::ErrorRate;
use airlag_air::quantity::{Db, Dbm, Metres};
use airlag_air::{Budget, BySignal, Medium, NodeId, PathLoss, propagation};
use airlag_sim::Sim;

use crate::error::Error;
use crate::origin::Origin;
use crate::parameter::{Known, Parameter, Value};
use crate::profile::Profile;

/// What every profile of a kind with radios sets, after what its kind does.
pub const PARAMETERS: &[Known] = &[
    RANGE,
    Known::choice(
        "environment",
        "",
        "free-space | log-distance | two-ray | home | office | shop",
        "what is between the antennas: nothing; see path_loss_exponent; flat ground; one floor of \
         a building (ITU-R P.1238)",
    ),
    Known::real("path_loss_exponent", "", 1.0, 8.0, "how loss grows with log-distance"),
    Known::real("antenna_height", "m", 0.1, 1_000.0, "of both above ground, with two-ray"),
    Known::real("shadowing", "dB", 0.0, 30.0, "spread of places about the mean loss"),
    TX_POWER,
    Known::real("antenna_gain", "dB", -30.0, 60.0, "of both antennas together"),
    NOISE_FIGURE,
];

const RANGE: Known =
    Known::real("range", "m", 0.0, 1e8, "between the antennas; 0: no loss by distance");
const TX_POWER: Known = Known::real("tx_power", "dBm", -100.0, 60.0, "at the sender's antenna");
const NOISE_FIGURE: Known = Known::real(
    "noise_figure",
    "dB",
    0.0,
    60.0,
    "that makes the demodulator's formula as sensitive as the chip",
);

/// Parameters of a kind with radios: its own, then those of this file.
macro_rules! radio {
    ($own:expr) => {{
        const OWN: &[$crate::parameter::Known] = $own;
        const LENGTH: usize = OWN.len() + $crate::propagation::PARAMETERS.len();
        const ALL: [$crate::parameter::Known; LENGTH] = $crate::propagation::after(OWN);
        &ALL
    }};
}
pub(crate) use radio;

/// `own`, then [`PARAMETERS`].
pub(crate) const fn after<const LENGTH: usize>(own: &[Known]) -> [Known; LENGTH] {
    let mut all = [RANGE; LENGTH];
    let mut at = 0;
    while at < LENGTH {
        all[at] = if at < own.len() { own[at] } else { PARAMETERS[at - own.len()] };
        at += 1;
    }
    all
}

/// What a profile that does not set a parameter of this file has; none for those of a chip.
pub(crate) fn default_of(known: &Known) -> Option<Parameter> {
    let value = match known.name {
        "range" | "shadowing" | "antenna_gain" => Value::Real(0.0),
        "environment" => Value::Choice("free-space".to_owned()),
        "path_loss_exponent" => Value::Real(2.0),
        "antenna_height" => Value::Real(1.5),
        _ => return None,
    };
    let origin = Origin::assumed("changes nothing while range is 0");
    Some(Parameter { value, unit: known.unit.to_owned(), origin })
}

/// How the radios of a link stand to each other.
#[derive(Clone, Copy, Debug)]
pub struct Propagation {
    /// None with a range of 0. Shadowing is not in it yet.
    budget: Option<Budget>,
    spread: Db,
}

impl Propagation {
    /// Reads the parameters above from a profile.
    pub fn new(p: &Profile) -> Result<Self, Error> {
        let range = Metres(p.real("range")?);
        let environment = p.choice("environment")?;
        let path = match environment {
            "log-distance" => PathLoss::LogDistance { exponent: p.real("path_loss_exponent")? },
            "two-ray" => PathLoss::TwoRay { heights: [Metres(p.real("antenna_height")?); 2] },
            // ITU-R P.1238-7, table 2, 1.8 to 2 GHz; at 2.4 GHz it has the same for the first
            // two and nothing for a shop.
            "home" => PathLoss::Indoor { coefficient: 28.0 },
            "office" => PathLoss::Indoor { coefficient: 30.0 },
            "shop" => PathLoss::Indoor { coefficient: 22.0 },
            _ => PathLoss::FreeSpace,
        };
        let budget = Budget {
            power: Dbm(p.real(TX_POWER.name)?),
            antenna_gain: Db(p.real("antenna_gain")?),
            path,
            range,
            shadowing: Db(0.0),
            noise_figure: Db(p.real(NOISE_FIGURE.name)?),
        };
        let spread = Db(p.real("shadowing")?);
        Ok(Self { budget: (range.0 > 0.0).then_some(budget), spread })
    }

    /// Lets frames between `ends` take the time light does, and be lost as often as `demodulator`
    /// gets them wrong, besides whatever else that path does to them.
    pub fn apply(
        &self,
        sim: &Sim,
        air: &Medium,
        ends: [NodeId; 2],
        demodulator: impl ErrorRate + Copy + 'static,
    ) {
        let Some(mut budget) = self.budget else { return };
        let [one, other] = ends;
        // One draw for both directions: the place is the same.
        let name = format!("shadowing/{}-{}", air.name(one), air.name(other));
        budget.shadowing = propagation::shadowing(self.spread, &mut sim.stream(&name));
        for (from, to) in [(one, other), (other, one)] {
            air.set_delay(from, to, propagation::delay(budget.range));
            air.add_loss(from, to, BySignal { budget, demodulator });
        }
    }
}
