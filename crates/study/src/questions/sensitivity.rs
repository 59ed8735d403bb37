//! Sensitivity of a link: the question, and its answer as printed by `--json`.

use airlag_rig::profile::Constant as Known;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bound, Settings};
use super::goodput::{seed, size};
use crate::answers::setting::{Setting, bound};
use crate::error::Error;
use crate::quantity::number;
use crate::question::Answered;
use crate::sensitivity::{self, Changed, Effect, Seen, Sensitivity, Within, sensitivity};

/// Sensitivity of a link to each assumed or calibrated constant.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SensitivityQuestion")]
pub struct Question {
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null means 128 if the link has a message.
    #[serde(default)]
    pub size: Option<usize>,
    /// Number of triggers per run.
    #[serde(default = "count")]
    pub count: usize,
    /// Random seed.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Profile parameters to change, by name. Values are text in the syntax of `--set`. Changed parameters
    /// count as assumed.
    #[serde(default)]
    pub settings: Settings,
}

const fn count() -> usize {
    1_000
}

/// Sensitivity of a link: each assumed or calibrated constant halved and doubled.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Sensitivity")]
pub struct Answer {
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null if the link has no messages.
    pub size: Option<usize>,
    /// Random seed of every run.
    pub seed: u64,
    /// Number of triggers per run.
    pub count: usize,
    /// Results of the profile without changes.
    #[serde(flatten)]
    pub own: Quantiles,
    /// Largest change of the median over four other seeds, as a share. Null means that nothing
    /// arrives.
    pub chance_p50: Option<f64>,
    /// Largest change of the 99 % quantile over four other seeds, as a share. Null means that
    /// nothing arrives.
    pub chance_p99: Option<f64>,
    /// `chance_p50` and `chance_p99` in words. Null if nothing arrives.
    pub chance_text: Option<String>,
    /// Constants, largest effect first.
    pub constants: Vec<Constant>,
    /// Assumed and calibrated constants that can be neither halved nor doubled.
    pub left_out: Vec<LeftOut>,
}

/// Quantiles and delivery of a run.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Quantiles {
    /// Median, ns. Null if nothing arrived.
    pub p50_ns: Option<f64>,
    /// 99 % quantile, ns. Null if nothing arrived.
    pub p99_ns: Option<f64>,
    /// Delivery ratio.
    pub delivery: Option<f64>,
}

impl From<Option<&Seen>> for Quantiles {
    fn from(seen: Option<&Seen>) -> Self {
        let quantiles = seen.and_then(|one| one.quantiles_ns);
        Self {
            p50_ns: quantiles.map(|[p50, _]| p50),
            p99_ns: quantiles.map(|[_, p99]| p99),
            delivery: seen.and_then(|one| one.delivery),
        }
    }
}

/// A constant with its value in the profile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Given {
    /// Name of the parameter.
    pub name: &'static str,
    /// Value, in its unit.
    pub value: Setting,
    /// Unit. Empty for a plain number.
    pub unit: &'static str,
    /// Kind of source of the value.
    pub source: Source,
}

/// Kind of source of a constant whose effect is measured.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "SensitiveSource")]
pub enum Source {
    /// Fitted to a capture.
    Calibrated,
    /// Assumed, with a stated reason.
    Assumed,
}

impl From<&Known<'_>> for Given {
    fn from(constant: &Known<'_>) -> Self {
        let source = match constant.origin.source {
            airlag_rig::origin::Source::Calibrated => Source::Calibrated,
            _ => Source::Assumed,
        };
        let Known { name, value, unit, .. } = *constant;
        Self { name, value: value.into(), unit, source }
    }
}

/// Effect of one assumed or calibrated constant on the latency.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "SensitiveConstant")]
pub struct Constant {
    /// The constant.
    #[serde(flatten)]
    pub constant: Given,
    /// Lower and upper bound of the true value, in the unit. Null if not known.
    pub bound: Option<[Setting; 2]>,
    /// Largest change of the median or the 99 % quantile, as a share. Null means that nothing
    /// arrives.
    pub effect: Option<f64>,
    /// Largest effect within the uncertainty of the constant: at its bounds or, if it has none, at half and
    /// double the value. Null means that nothing arrives.
    pub worth: Option<f64>,
    /// Whether a quantile changes by more than 0.1 of its value within this uncertainty, and by more than
    /// another seed changes it. Such a constant needs a better source.
    pub open: bool,
    /// Results at half the value, limited to the valid range. Null if this is the value itself.
    pub halved: Option<At>,
    /// Results at twice the value, limited to the valid range. Null if this is the value itself.
    pub doubled: Option<At>,
    /// Results at the bounds. Null without bounds.
    pub within: Option<Ends>,
}

/// Effect of a constant within its bounds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Within")]
pub struct Ends {
    /// Largest change of the median or the 99 % quantile, as a share. Null means that nothing
    /// arrives.
    pub effect: Option<f64>,
    /// Results at the lower bound. Null if the profile has this value.
    pub lowest: Option<At>,
    /// Results at the upper bound. Null if the profile has this value.
    pub highest: Option<At>,
}

/// Results of a run with another value of a constant.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Changed")]
pub struct At {
    /// Value, in the unit of the constant.
    pub value: Setting,
    /// Results of the run.
    #[serde(flatten)]
    pub seen: Quantiles,
    /// Reason why the bench rejects the value. Null if it accepts the value.
    pub refused: Option<String>,
    /// Change of the median and of the 99 % quantile in words, and the delivery ratio if it changes.
    pub text: String,
}

/// A constant that can be neither halved nor doubled.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "LeftOutConstant")]
pub struct LeftOut {
    /// The constant.
    #[serde(flatten)]
    pub constant: Given,
    /// Reason why it is left out.
    pub why: sensitivity::LeftOut,
}

impl At {
    fn of(found: &Changed, own: Quantiles) -> Self {
        let seen = Quantiles::from(found.seen.as_ref().ok());
        let refused = found.seen.as_ref().err().map(ToString::to_string);
        let text = if refused.is_some() { "refused".to_owned() } else { seen.against(own) };
        Self { value: (&found.value).into(), seen, refused, text }
    }
}

impl Ends {
    fn of(found: &Within, own: Quantiles) -> Self {
        Self {
            effect: finite(found.share),
            lowest: found.lowest.as_ref().map(|one| At::of(one, own)),
            highest: found.highest.as_ref().map(|one| At::of(one, own)),
        }
    }
}

impl Quantiles {
    /// Changes of the quantiles in words, and the delivery ratio if it changes.
    fn against(self, own: Self) -> String {
        let (Some(p50), Some(p99)) = (self.p50_ns, self.p99_ns) else {
            return "no deliveries".to_owned();
        };
        let (Some(own_p50), Some(own_p99)) = (own.p50_ns, own.p99_ns) else {
            return "some deliveries".to_owned();
        };
        let mut text = format!("{}, {}", change(p50 / own_p50 - 1.0), change(p99 / own_p99 - 1.0));
        if let Some(delivery) = self.delivery.filter(|_| self.delivery != own.delivery) {
            text += &format!("; delivered {} %", number(100.0 * delivery, 3));
        }
        text
    }
}

/// Formats a change in percent, with its sign.
fn change(share: f64) -> String {
    let text = format!("{:+.1} %", 100.0 * share);
    if matches!(text.as_str(), "+0.0 %" | "-0.0 %") { "0 %".to_owned() } else { text }
}

/// Converts a change to an option. `None` if nothing arrives.
fn finite(share: f64) -> Option<f64> {
    share.is_finite().then_some(share)
}

impl Constant {
    fn of(found: &Effect<'_>, all: &Sensitivity<'_>) -> Self {
        let own = Quantiles::from(Some(&all.own));
        let at = |one: &Option<Changed>| one.as_ref().map(|one| At::of(one, own));
        Self {
            constant: Given::from(&found.constant),
            bound: bound(found.constant.origin),
            effect: finite(found.share),
            worth: finite(found.worth()),
            open: all.is_open(found),
            halved: at(&found.halved),
            doubled: at(&found.doubled),
            within: found.within.as_ref().map(|one| Ends::of(one, own)),
        }
    }
}

/// Halves and doubles each assumed or calibrated constant of a link.
///
/// # Errors
///
/// [`Error`] for an unknown profile or setting. The errors of [`sensitivity`](crate::sensitivity())
/// are returned too.
pub fn answer(question: &Question) -> Result<Answered<Answer>, Error> {
    let &Question { ref link, count, seed, ref settings, .. } = question;
    let Bound { profile, .. } = Bound::of(link, settings)?;
    let size = question.size.or_else(|| profile.has_message().then(size));
    let bytes = profile.bytes(size)?;
    let found = sensitivity(&profile, bytes, count, seed)?;
    let [chance_p50, chance_p99] = found.chance.map(finite);
    let left_out = |(constant, why): &(Known<'_>, sensitivity::LeftOut)| LeftOut {
        constant: Given::from(constant),
        why: *why,
    };
    Ok(Answered::plain(Answer {
        link: link.clone(),
        size,
        seed,
        count,
        own: Some(&found.own).into(),
        chance_p50,
        chance_p99,
        chance_text: chance_p50.zip(chance_p99).map(|(p50, p99)| {
            let [p50, p99] =
                [p50, p99].map(|share| change(share).trim_start_matches('+').to_owned());
            format!("{p50} (p50) and {p99} (p99)")
        }),
        constants: found.effects.iter().map(|one| Constant::of(one, &found)).collect(),
        left_out: found.left_out.iter().map(left_out).collect(),
    }))
}
