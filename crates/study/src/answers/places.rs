//! Simulated locations for radios at a distance.

use airlag_rig::parameter::Value;
use airlag_rig::places;
use airlag_rig::profile::Profile;
use airlag_rig::propagation::Propagation;
use airlag_rig::run::Run;
use airlag_stats::Transfers;
use airlag_stats::places::{ANY, LocationRequirement, Places as Found};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::number::ShareInterval;
use crate::quantity::{general, percent};

/// Quantiles of the delivery ratio over the simulated locations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlaceShares {
    /// 10 % quantile.
    #[schemars(range(min = 0, max = 1))]
    pub p10: f64,
    /// Median.
    #[schemars(range(min = 0, max = 1))]
    pub p50: f64,
    /// 90 % quantile.
    #[schemars(range(min = 0, max = 1))]
    pub p90: f64,
}

/// Locations that meet the requirement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Keep {
    /// Number of locations that meet the requirement.
    pub count: usize,
    /// Share of all locations that meet the requirement.
    #[schemars(range(min = 0, max = 1))]
    pub ratio: f64,
    /// The 95 % confidence interval of the share (Clopper–Pearson).
    pub interval95: ShareInterval,
}

/// Variation between the simulated locations of a run. Each location has equal weight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Places {
    /// Number of locations.
    #[schemars(range(min = 1))]
    pub count: usize,
    /// Quantiles of the delivery ratio over the locations.
    pub shares: PlaceShares,
    /// Mean of the delivery ratios of the locations.
    #[schemars(range(min = 0, max = 1))]
    pub mean: f64,
    /// The 95 % confidence interval of the mean.
    pub mean_interval95: ShareInterval,
    /// Locations that meet the requirement.
    pub keep: Keep,
}

impl From<&Found> for Places {
    fn from(found: &Found) -> Self {
        let [p10, p50, p90] = found.shares;
        Self {
            count: found.count,
            shares: PlaceShares { p10, p50, p90 },
            mean: found.mean,
            mean_interval95: found.mean_interval.into(),
            keep: Keep {
                count: found.keep,
                ratio: found.keep as f64 / found.count as f64,
                interval95: found.keep_interval.into(),
            },
        }
    }
}

impl Places {
    /// Variation between locations. Returns `None` for a run at a single location. A location meets the
    /// requirement if at least `share` of its transfers arrive, within the deadline if there is one.
    #[must_use]
    pub fn of(transfers: &Transfers, share: f64, deadline_ns: Option<i64>) -> Option<Self> {
        Found::of(transfers, LocationRequirement { deadline_ns, share, ..ANY })
            .as_ref()
            .map(Self::from)
    }
}

/// Distance between the radios of a run, and the effect of this distance.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Apart {
    /// Distance between the antennas, m.
    pub range_m: f64,
    /// Propagation environment between the antennas, such as `office`.
    pub environment: Option<String>,
    /// Standard deviation of the path loss over locations, dB.
    #[schemars(range(min = 0))]
    pub shadowing_db: f64,
    /// Fade margin: mean signal level minus the level at which 1 % of the frames are lost, dB. Null
    /// if no frame was sent.
    pub fade_margin_db: Option<f64>,
    /// Delivery ratio that a location must reach to be counted in `places.keep`.
    #[schemars(range(min = 0, max = 1))]
    pub delivered: f64,
    /// Variation between locations. Null for a single location.
    pub places: Option<Places>,
    /// The distance and its effect in words, one line each.
    pub text: Vec<String>,
}

/// Distance and environment of the radios of a saved run.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
pub struct Stand {
    /// Distance between the antennas, m.
    pub range_m: f64,
    /// Propagation environment between the antennas, such as `office`.
    pub environment: Option<String>,
    /// Standard deviation of the path loss over locations, dB.
    pub shadowing_db: f64,
    /// Fade margin: mean signal level minus the level at which 1 % of the frames are lost, dB.
    pub fade_margin_db: Option<f64>,
    /// Start of each location of the run, ns on the clock of the trace.
    #[serde(default)]
    pub places_ns: Vec<i64>,
}

impl Apart {
    /// Delivery ratio that a location must reach to be counted.
    pub const DELIVERED: f64 = 0.99;

    /// Distance of the radios of a run. Returns `None` if the radios are side by side.
    #[must_use]
    pub fn of(profile: &Profile, run: &Run) -> Option<Stand> {
        let found = places::apart(profile)?;
        let environment = profile.parameters.get(Propagation::environment.as_str());
        let environment = environment.and_then(|one| match &one.value {
            Value::Choice(name) => Some(name.clone()),
            _ => None,
        });
        Some(Stand {
            range_m: found.range,
            environment,
            shadowing_db: found.deviation().0,
            fade_margin_db: run.fade_margin.map(|margin| margin.0),
            places_ns: run.places_ns.clone(),
        })
    }

    /// Adds the variation between the locations.
    #[must_use]
    pub fn with(stand: &Stand, transfers: Option<&Transfers>) -> Self {
        let Stand { range_m, environment, shadowing_db, fade_margin_db, .. } = stand.clone();
        let delivered = Self::DELIVERED;
        let places = transfers.and_then(|one| Places::of(one, delivered, None));
        let text = in_words(stand, places.as_ref());
        Self { range_m, environment, shadowing_db, fade_margin_db, delivered, places, text }
    }
}

/// The distance and its effect, one line each.
fn in_words(stand: &Stand, places: Option<&Places>) -> Vec<String> {
    let environment = stand.environment.as_deref().unwrap_or("free space");
    let mut first = format!("{} m apart, {environment}", general(stand.range_m, 6));
    if let Some(margin) = stand.fade_margin_db {
        first += &format!(" · fade margin {margin:.1} dB");
    }
    let Some(places) = places else {
        return vec![first + " · one location"];
    };
    let (count, shadowing) = (places.count, general(stand.shadowing_db, 6));
    first += &format!(" · {count} locations, shadowing {shadowing} dB");
    let Places { shares, keep, .. } = places;
    let [p10, p50, p90] = [shares.p10, shares.p50, shares.p90].map(percent);
    let interval = |ends: ShareInterval| {
        let [low, high] = ends.map(percent);
        format!("{}–{high}", low.trim_end_matches(" %"))
    };
    let second = format!(
        "delivery per location: median {p50} (p10 {p10}, p90 {p90}), mean {} (95 %) · {} of {count} \
         locations deliver at least {} (95 %: {}) · latencies of all locations combined",
        interval(places.mean_interval95),
        keep.count,
        percent(Apart::DELIVERED),
        interval(keep.interval95),
    );
    vec![first, second]
}
