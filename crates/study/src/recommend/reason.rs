//! Why a candidate is recommended or not, in words.

use airlag_sim::Duration;
use airlag_stats::deadline::{Requirement, Verdict as Told};
use airlag_stats::dist::quantile_name;
use airlag_stats::duration::nice;

use super::{AtPlaces, Seen, Task, Verdict};
use crate::error::Error;
use crate::law::Judged;

/// The floor is beyond the deadline; where `is_tunable`, the least that its knobs reach is not.
pub fn floor(floor_ns: u64, least_ns: u64, is_tunable: bool) -> String {
    let [floor, least] = [floor_ns, least_ns].map(|ns| nice(ns as f64));
    if is_tunable {
        return format!("not as it is: its floor is {floor}, and {least} with its knobs turned");
    }
    if least_ns < floor_ns {
        return format!("cannot: its floor is {floor}, and still {least} with its knobs turned");
    }
    format!("cannot: its floor is {floor}")
}

/// The bench cannot be run.
pub fn stopped(why: &Error) -> String {
    format!("cannot: {why}")
}

/// A region forbids it.
pub fn not_allowed(law: &Judged) -> String {
    format!("not allowed in the {}: {}", law.region, law.reason())
}

/// Not one transfer was watched to its end.
pub fn unseen() -> String {
    "no message was watched to its end".to_owned()
}

/// What the bench saw.
pub fn seen(seen: &Seen, task: &Task, verdict: Verdict) -> String {
    let (asked, judgement) = (&task.asked, &seen.judgement);
    if let Some(at) = &seen.places {
        return places(seen, at, task);
    }
    let latency = match judgement.latency {
        Told::Passes => within(seen, asked),
        Told::Close => {
            let told = interval(judgement.in_time_interval);
            format!("{told} keep the deadline, {} must", percent(asked.share))
        }
        Told::Fails => beyond(seen, asked),
    };
    let lost = || {
        let told = interval(judgement.loss_interval);
        format!("{told} are lost, {} may be", percent(asked.max_loss))
    };
    let mut words = match (judgement.latency, judgement.loss) {
        _ if judgement.lost == judgement.n => "nothing arrives".to_owned(),
        (Told::Passes, Told::Close | Told::Fails) => lost(),
        (Told::Close, Told::Close) | (_, Told::Fails) => format!("{latency}; {}", lost()),
        _ => latency,
    };
    // Half a period is the shortest distance of two triggers.
    let next = task.period.map_or(u64::MAX, |period| period.as_ns() / 2);
    if let Some(service) = seen.service.map(Duration::as_ns).filter(|&service| service > next)
        && judgement.lost > 0
    {
        let [takes, next] = [service, next].map(|ns| nice(ns as f64));
        words +=
            &format!("; one takes up to {takes} alone, and the next comes after {next} or more");
    }
    if verdict == Verdict::RangeUnknown {
        return format!("range unknown: no propagation model; beside each other: {words}");
    }
    words
}

/// What places say, and how far the mean is from where they fail.
fn places(seen: &Seen, at: &AtPlaces, task: &Task) -> String {
    let told = &at.places;
    let mut words = format!(
        "{} of {} places keep it ({}), {} must",
        told.keep,
        told.count,
        interval(told.keep_interval),
        percent(task.places_share),
    );
    if seen.judgement.lost == seen.judgement.n {
        words += "; nothing arrives";
    } else if told.shares[1] < 1.0 {
        words += &format!("; half of them have {} or less in time", percent(told.shares[1]));
    }
    if let Some(margin) = seen.fade_margin_db {
        words += &format!("; fade margin {margin:.0} dB");
    }
    words
}

fn within(seen: &Seen, asked: &Requirement) -> String {
    let judgement = &seen.judgement;
    let spare = judgement.quantile.high_ns.map_or(0, |high| asked.deadline_ns - high);
    let most = seen.largest.map_or_else(String::new, |largest| {
        format!("; most time goes to {}, {}", largest.label.name, nice(largest.ns))
    });
    format!("{} to spare{most}", nice(spare))
}

fn beyond(seen: &Seen, asked: &Requirement) -> String {
    let judgement = &seen.judgement;
    let missed = percent(1.0 - judgement.in_time as f64 / judgement.n.max(1) as f64);
    match judgement.quantile.value_ns {
        Some(value) => {
            let most = seen.largest.map_or_else(String::new, |largest| {
                format!(": {} of it {}", nice(largest.ns), largest.label.name)
            });
            format!("{} is {}{most}", quantile_name(asked.share), nice(value))
        }
        None => format!("{missed} miss the deadline, {} of them lost", judgement.lost),
    }
}

/// A share with as many digits as say something.
fn percent(share: f64) -> String {
    format!("{} %", digits(share))
}

/// Two of them, of an interval.
fn interval((low, high): (f64, f64)) -> String {
    format!("{}–{} %", digits(low), digits(high))
}

/// Percent: near 0 and near 100 with two digits of what is missing.
fn digits(share: f64) -> String {
    let value = share * 100.0;
    let missing = value.min(100.0 - value).abs();
    let decimals = if (1e-9..10.0).contains(&missing) {
        (1.0 - missing.log10().floor()).min(4.0) as usize
    } else {
        0
    };
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_no_knob_helps_cannot() {
        assert_eq!(floor(20_000_000, 20_000_000, false), "cannot: its floor is 20 ms");
        let still = floor(20_000_000, 18_000_000, false);
        assert_eq!(still, "cannot: its floor is 20 ms, and still 18 ms with its knobs turned");
        let told = floor(20_000_000, 8_000_000, true);
        assert!(told.contains("8 ms") && !told.contains("cannot"), "{told}");
    }
}
