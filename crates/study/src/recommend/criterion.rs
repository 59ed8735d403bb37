//! Requirements on a candidate: value, limit and verdict.

use airlag_law::{Check, Limit};
use airlag_stats::dist::quantile_name;
use airlag_stats::duration::nice;
use airlag_stats::interval::exact;

use super::trial::{Counts, Trial};
use super::{Task, Verdict, limits};
use crate::charge::{life, most_ma};

/// Name of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// Latency at the required percentile.
    Deadline,
    /// Delivery ratio at the required range.
    Delivery,
    /// Regulatory limits of the region.
    Law,
    /// Battery life at the message rate.
    BatteryLife,
    /// Peak current.
    PeakCurrent,
    /// Charge per delivered message.
    Charge,
}

impl Name {
    /// All requirements in the order of an answer.
    pub const ALL: [Self; 6] = [
        Self::Deadline,
        Self::Delivery,
        Self::Law,
        Self::BatteryLife,
        Self::PeakCurrent,
        Self::Charge,
    ];

    /// Whether the requirement is on charge or current.
    pub(super) const fn is_of_charge(self) -> bool {
        matches!(self, Self::BatteryLife | Self::PeakCurrent | Self::Charge)
    }

    /// Name in the JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::Delivery => "delivery",
            Self::Law => "law",
            Self::BatteryLife => "battery life",
            Self::PeakCurrent => "peak current",
            Self::Charge => "charge",
        }
    }
}

/// A requirement, and the verdict of a candidate on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Criterion {
    /// Name of the requirement.
    pub name: Name,
    /// Whether it is met.
    pub verdict: Verdict,
    /// Value of the candidate, in `unit`. `None` if unknown.
    pub value: Option<f64>,
    /// Limit, in `unit`. `None` if there is none.
    pub limit: Option<f64>,
    /// Unit of value and limit.
    pub unit: String,
    /// The verdict in words.
    pub reason: String,
    /// Distance beyond the limit on a common scale of all requirements. 0 if the requirement appears to be met.
    pub excess: f64,
    /// Whether settings can correct a failure.
    pub(super) remedy: Remedy,
}

/// Whether settings can correct a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Some settings may.
    Possible,
    /// Untried settings are unlikely to meet the requirement, because the distance from the limit
    /// is too large.
    Unlikely,
    /// No setting does.
    Impossible,
}

impl Remedy {
    const fn unless(out_of_reach: bool) -> Self {
        if out_of_reach { Self::Unlikely } else { Self::Possible }
    }
}

impl Criterion {
    /// Absolute distance of the value from the limit, in the unit.
    #[must_use]
    pub fn distance(&self) -> Option<f64> {
        Some((self.value? - self.limit?).abs())
    }

    /// Factor by which the value is better than its limit. `None` if the value or the limit is missing, for
    /// the delivery ratio, and for regulatory limits. The search stops at settings that lose half of the
    /// permitted share of messages, so a factor for the delivery ratio would depend more on the search than
    /// on the link.
    pub(super) fn headroom(&self) -> Option<f64> {
        let (value, limit) = (self.value?, self.limit?);
        match self.name {
            Name::Delivery | Name::Law => None,
            Name::BatteryLife => Some(value / limit),
            Name::Deadline | Name::PeakCurrent | Name::Charge => Some(limit / value),
        }
    }

    /// Whether more messages would make the verdict more certain.
    pub(super) fn needs_messages(&self) -> bool {
        let measured = matches!(self.name, Name::Deadline | Name::Delivery);
        measured && self.verdict == Verdict::Undecided && self.value.is_some()
    }

    /// Whether it cannot be judged because its value is unknown.
    pub(super) fn is_unknown(&self) -> bool {
        self.verdict == Verdict::Undecided && !self.needs_messages()
    }

    /// Whether the requirement appears not to be met.
    pub(super) fn is_failing(&self) -> bool {
        self.verdict != Verdict::Passes && (self.excess > 0.0 || self.verdict == Verdict::Fails)
    }

    /// Marks an undecided requirement as too close, after the largest number of messages.
    pub(super) fn close(&mut self) {
        if self.needs_messages() {
            self.verdict = Verdict::Close;
        }
    }
}

/// Nanoseconds per millisecond.
const NS_PER_MS: f64 = 1e6;
/// Nanoamperes per milliampere.
const NA_PER_MA: f64 = 1e6;
/// Factor by which the loss of a configuration should be below the limit. An engineer does not ship
/// a configuration without headroom.
const HEADROOM: f64 = 2.0;
/// Ratio to the limit, or to the permitted width of an interval, that no single setting can correct.
const FAR: f64 = 10.0;
/// Fade margin that no single setting can raise to the required one, dB: slower modes and more power of one
/// radio gain less.
const DEAF_DB: f64 = -20.0;
/// Excess of a requirement without a measurable distance.
const WHOLE: f64 = 5.0;

/// Evaluates all requirements of `task` for a candidate. Each interval misses its true value with a
/// probability of at most `miss`.
#[must_use]
pub fn criteria(trial: &Trial, task: &Task, miss: f64) -> Vec<Criterion> {
    let (deadline, delivery) = messages(trial, task, miss);
    if trial.sent == 0 {
        return not_simulated(deadline, task);
    }
    let all = [
        Some(deadline),
        Some(delivery),
        law(trial, task),
        battery_life(trial, task),
        peak_current(trial, task),
        charge(trial, task),
    ];
    all.into_iter().flatten().collect()
}

/// Requirements of a candidate that was not simulated because its floor already exceeds the
/// deadline.
fn not_simulated(deadline: Criterion, task: &Task) -> Vec<Criterion> {
    let supply = task.limits.supply.as_ref();
    let others = [
        (Name::Delivery, true, "%"),
        (Name::Law, task.region.is_some(), ""),
        (Name::BatteryLife, supply.is_some(), "years"),
        (Name::PeakCurrent, supply.is_some_and(|supply| most_ma(&supply.battery).is_some()), "mA"),
        (Name::Charge, task.limits.charge_nc.is_some(), "uC"),
    ];
    let why = "not simulated, because the lower bound of the latency is above the deadline";
    let required = others.into_iter().filter(|&(_, is_required, _)| is_required);
    let required = required.map(|(name, _, unit)| unknown(name, None, unit, why));
    std::iter::once(deadline).chain(required).collect()
}

/// Largest permitted loss ratio. The percentile limits it too.
fn loss_allowed(task: &Task) -> f64 {
    task.asked.max_loss.min(1.0 - task.asked.share)
}

/// Verdict on whether the share of `bad` among `n` is at most `most`.
fn verdict(bad: usize, n: usize, most: f64, miss: f64) -> Verdict {
    let (low, high) = exact(bad, n, miss);
    if high <= most {
        Verdict::Passes
    } else if low > most {
        Verdict::Fails
    } else {
        Verdict::Undecided
    }
}

/// Logarithm of the ratio of a share to its limit.
fn excess(share: f64, most: f64) -> f64 {
    libm::log(share / most).max(0.0)
}

/// Latency and delivery. A lost message misses the deadline like a late one. If losses already fail delivery,
/// the deadline applies to the delivered messages.
fn messages(trial: &Trial, task: &Task, miss: f64) -> (Criterion, Criterion) {
    let Counts { n, lost, late, .. } = trial.counts;
    let allowed = loss_allowed(task);
    let ratio = |count: usize, of: usize| count as f64 / of.max(1) as f64;
    let mut loss = verdict(lost, n, allowed, miss);
    let mut loss_excess = excess(ratio(lost, n), allowed / HEADROOM);
    if loss_excess > 0.0 {
        loss_excess += trial.fade_margin_db.map_or(0.0, |margin| (-margin / 5.0).max(0.0));
    }
    let arrived = n - lost;
    let missed = 1.0 - task.asked.share;
    let floor_ms = trial.floor_ns as f64 / NS_PER_MS;
    let deadline_ms = task.asked.deadline_ns as f64 / NS_PER_MS;
    let quantile_ms = trial.quantile_ns().map(|ns| ns / NS_PER_MS);
    let (latency, late_excess) = if loss == Verdict::Fails {
        (verdict(late, arrived, missed, miss), excess(ratio(late, arrived), missed))
    } else {
        (verdict(late + lost, n, missed, miss), excess(ratio(late + lost, n), missed))
    };
    let impossible = !trial.is_possible(task);
    let latency = if impossible { Verdict::Fails } else { latency };
    // Losses alone do not count as excess latency.
    let latency_excess = if impossible || (late_excess > 0.0 && late > 0) {
        let beyond = quantile_ms.map_or(0.0, |ms| libm::log(ms / deadline_ms).max(0.0));
        beyond.max(late_excess.min(0.1)).max(libm::log(floor_ms / deadline_ms))
    } else {
        0.0
    };
    let name = quantile_name(task.asked.share);
    // A quantile that falls on a lost message is replaced by that of the delivered messages.
    let is_of_all = trial.judgement.as_ref().is_some_and(|found| found.quantile.value_ns.is_some());
    let of = if is_of_all { "" } else { " of the delivered messages" };
    let reason = match quantile_ms {
        _ if impossible => format!("lower bound {}", beside_deadline(floor_ms, deadline_ms)),
        Some(ms) => format!("{name}{of} {}", beside_deadline(ms, deadline_ms)),
        None => "no message arrives".to_owned(),
    };
    let value = quantile_ms.or_else(|| impossible.then_some(floor_ms));
    let deadline = Criterion {
        name: Name::Deadline,
        verdict: latency,
        value,
        limit: Some(deadline_ms),
        unit: "ms".to_owned(),
        reason,
        excess: latency_excess,
        remedy: Remedy::unless(latency_excess > libm::log(FAR)),
    };
    let mut reason =
        format!("{} of {n} messages arrive, at least {} required", arrived, percent(1.0 - allowed));
    if let Some(margin) = trial.fade_margin_db {
        reason += &format!("; fade margin {margin:.1} dB");
    }
    let unknown = task.range.is_some() && !trial.has_propagation;
    if unknown {
        "no propagation model, so delivery at a range is unknown".clone_into(&mut reason);
        // Losses that do not depend on the distance do not decrease with it.
        if loss != Verdict::Fails {
            loss = Verdict::Undecided;
        }
    }
    let delivery = Criterion {
        name: Name::Delivery,
        verdict: loss,
        value: (n > 0 && !unknown).then(|| 100.0 * ratio(arrived, n)),
        limit: Some(100.0 * (1.0 - allowed)),
        unit: "%".to_owned(),
        reason,
        excess: loss_excess,
        remedy: Remedy::unless(trial.fade_margin_db.is_some_and(|margin| margin < DEAF_DB)),
    };
    (deadline, delivery)
}

/// A latency, its distance to the deadline, and the deadline, with the same number of digits.
fn beside_deadline(ms: f64, deadline_ms: f64) -> String {
    let [latency, away, deadline] =
        [ms, (ms - deadline_ms).abs(), deadline_ms].map(|ms| nice((ms * NS_PER_MS).round()));
    let side = if ms > deadline_ms { "above" } else { "below" };
    format!("{latency}, {away} {side} the limit of {deadline}")
}

fn percent(share: f64) -> String {
    let text = format!("{:.4}", 100.0 * share);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// The deciding check of the regulatory limits.
fn law(trial: &Trial, task: &Task) -> Option<Criterion> {
    task.region?;
    let name = Name::Law;
    let Some(judged) = &trial.law else {
        if trial.has_propagation {
            return Some(unreached(name, None, ""));
        }
        let wired = unknown(name, None, "", "nothing is sent by radio");
        return Some(Criterion { verdict: Verdict::Passes, ..wired });
    };
    let check = judged.decisive().and_then(|verdict| verdict.ruling.decisive());
    let verdict = if judged.is_allowed() { Verdict::Passes } else { Verdict::Fails };
    let limit = check.and_then(|check| match check.limit {
        Limit::AtMost(limit) | Limit::AtLeast(limit) => Some(limit),
        Limit::Never => None,
    });
    let beyond = |check: &Check| match limit {
        Some(limit) if check.unit.starts_with("dB") => (check.value - limit).abs() / 5.0,
        Some(limit) => libm::log(check.value.max(1e-9) / limit.max(1e-9)).abs(),
        None => WHOLE,
    };
    let fails = verdict == Verdict::Fails;
    Some(Criterion {
        name,
        verdict,
        value: check.map(|check| check.value),
        limit,
        unit: check.map_or("", |check| check.unit).to_owned(),
        reason: judged.reason(),
        excess: if fails { check.map_or(WHOLE, beyond).max(1e-3) } else { 0.0 },
        remedy: Remedy::unless(fails && limit.is_none()),
    })
}

/// A requirement on the current of a sender without current data. It fails if the sender is a
/// device that cannot run from a battery.
fn unlisted(name: Name, limit: Option<f64>, unit: &str, trial: &Trial) -> Criterion {
    let Some(host) = &trial.configuration.profile.supply.host else {
        return unknown(name, limit, unit, "no current data for the sender");
    };
    let reason = format!("the sender is {host}, which has its own supply");
    let failed = unknown(name, limit, unit, &reason);
    Criterion { verdict: Verdict::Fails, excess: WHOLE, remedy: Remedy::Impossible, ..failed }
}

/// An undecided requirement without a value.
fn unknown(name: Name, limit: Option<f64>, unit: &str, why: &str) -> Criterion {
    let (verdict, unit, reason) = (Verdict::Undecided, unit.to_owned(), why.to_owned());
    Criterion {
        name,
        verdict,
        value: None,
        limit,
        unit,
        reason,
        excess: 0.0,
        remedy: Remedy::Possible,
    }
}

/// A requirement that can be judged only while messages arrive, for a link out of reach.
fn unreached(name: Name, limit: Option<f64>, unit: &str) -> Criterion {
    Criterion {
        excess: WHOLE,
        ..unknown(name, limit, unit, "not known, because no message arrives")
    }
}

/// Battery life at the message rate.
fn battery_life(trial: &Trial, task: &Task) -> Option<Criterion> {
    let supply = task.limits.supply.as_ref()?;
    let (name, unit) = (Name::BatteryLife, "years");
    let average = trial.sender().and_then(|end| {
        let average_na = end.average_at_na(supply.per_second)?;
        Some((end, average_na))
    });
    let Some((end, average_na)) = average else {
        return Some(unlisted(name, supply.years, unit, trial));
    };
    if !trial.is_in_reach {
        return Some(unreached(name, supply.years, unit));
    }
    let found = life(&supply.battery, average_na, end.peak_na());
    let short = supply.years.filter(|&years| found.years < years);
    let most = end.parts.iter().max_by_key(|part| part.charge_ac());
    let most = most.map_or("", |part| part.currents.key.as_str());
    let mut reason = format!("{} at {}", lasting(found.years), current(average_na));
    if short.is_some() {
        reason += &format!(", mostly {most}");
    }
    if let Some(years) = supply.years {
        reason += &format!("; at least {} required", lasting(years));
    }
    if found.derating > 0.0 && found.overloaded_ma.is_none() {
        reason += &format!("; pulses cost {:.0} % of the capacity", 100.0 * found.derating);
    }
    Some(Criterion {
        name,
        verdict: if short.is_some() { Verdict::Fails } else { Verdict::Passes },
        value: Some(found.years),
        limit: supply.years,
        unit: unit.to_owned(),
        reason,
        excess: short.map_or(0.0, |years| libm::log(years / found.years.max(1e-9))),
        remedy: Remedy::unless(short.is_some_and(|years| years > FAR * found.years)),
    })
}

/// Peak current, compared with the largest pulse current of the battery.
fn peak_current(trial: &Trial, task: &Task) -> Option<Criterion> {
    let most = most_ma(&task.limits.supply.as_ref()?.battery)?;
    let (name, unit) = (Name::PeakCurrent, "mA");
    let Some(end) = trial.sender() else { return Some(unlisted(name, Some(most), unit, trial)) };
    if !trial.is_in_reach {
        return Some(unreached(name, Some(most), unit));
    }
    let peak = end.peak_na() as f64 / NA_PER_MA;
    let fails = peak > most;
    Some(Criterion {
        name,
        verdict: if fails { Verdict::Fails } else { Verdict::Passes },
        value: Some(peak),
        limit: Some(most),
        unit: unit.to_owned(),
        reason: format!("peaks at {peak:.1} mA; the battery supplies {most:.0} mA"),
        excess: excess(peak, most),
        remedy: Remedy::unless(peak > FAR * most),
    })
}

/// Charge per delivered message.
fn charge(trial: &Trial, task: &Task) -> Option<Criterion> {
    let most = task.limits.charge_nc? / 1e3;
    let (name, unit) = (Name::Charge, "uC");
    let Counts { n, lost, .. } = trial.counts;
    let delivered = 1.0 - lost as f64 / n.max(1) as f64;
    let Some(end) = trial.sender() else { return Some(unlisted(name, Some(most), unit, trial)) };
    let Some(uc) = limits::delivered_nc(end, delivered).map(|nc| nc / 1e3) else {
        let lost = unknown(name, Some(most), unit, "no message arrives");
        return Some(Criterion { verdict: Verdict::Fails, excess: WHOLE, ..lost });
    };
    Some(Criterion {
        name,
        verdict: if uc > most { Verdict::Fails } else { Verdict::Passes },
        value: Some(uc),
        limit: Some(most),
        unit: unit.to_owned(),
        reason: format!("a message takes {uc:.3} uC, at most {most:.3} uC allowed"),
        excess: excess(uc, most),
        remedy: Remedy::unless(uc > FAR * most),
    })
}

/// Formats a time in years, or in days below one year.
pub(super) fn lasting(years: f64) -> String {
    if years >= 1.0 { format!("{years:.1} years") } else { format!("{:.1} days", years * 365.25) }
}

/// Formats a current in mA, or in uA below 1 mA.
fn current(na: f64) -> String {
    if na >= 1e6 { format!("{:.1} mA", na / 1e6) } else { format!("{:.1} uA", na / 1e3) }
}
