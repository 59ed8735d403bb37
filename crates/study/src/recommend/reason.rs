//! Reason for the verdict on a candidate.

use airlag_sim::Duration;
use airlag_stats::dist::quantile_name;
use airlag_stats::duration::nice;

use super::criterion::{Criterion, lasting};
use super::search::{Row, State, years};
use super::trial::Trial;
use super::{Task, Verdict};

/// Returns the reason why a link is recommended, or the requirements that it fails.
pub fn reason(row: &Row, task: &Task) -> String {
    if let Some(why) = &row.refused {
        return format!("cannot be run: {why}");
    }
    let Some(trial) = &row.best else { return "not simulated before the search ended".to_owned() };
    let verdict = row.verdict();
    let ended = verdict == Verdict::Undecided && matches!(row.state, State::Ended);
    let decisive: Vec<String> = row
        .criteria
        .iter()
        .filter(|one| one.verdict == verdict || (ended && one.verdict != Verdict::Passes))
        .map(|one| format!("{}: {}", one.name.as_str(), one.reason))
        .collect();
    let mut words = match verdict {
        Verdict::Passes => passes(trial, task),
        _ if decisive.is_empty() => spare(&row.criteria),
        _ => decisive.join("; "),
    };
    if ended {
        words = format!("undecided within the budget; {words}");
    }
    if let Some(more) = short_period(trial, task).filter(|_| verdict != Verdict::Passes) {
        words += &more;
    }
    if let (Some(before), Some(years)) = (row.untuned_years, years(&row.criteria))
        && years < SHORTER * before
    {
        let [years, before] = [years, before].map(lasting);
        words += &format!("; the battery lasts {years} with these settings, {before} without");
    }
    words
}

/// Ratio of battery lives below which a shorter life is reported.
const SHORTER: f64 = 0.95;

/// Upper confidence limit of the quantile, its margin to the deadline, and the largest slice.
fn passes(trial: &Trial, task: &Task) -> String {
    let name = quantile_name(task.asked.share);
    let quantile = trial.judgement.as_ref().map(|found| found.quantile);
    let margin = quantile.and_then(|found| found.high_ns).map_or_else(
        || format!("{name} within the deadline"),
        |high| {
            let [high, spare] = [high, task.asked.deadline_ns - high].map(nice);
            format!("{name} at most {high} with 95 % confidence, {spare} below the deadline")
        },
    );
    let most = trial.largest.map_or_else(String::new, |largest| {
        format!("; largest slice at {name}: {}, {}", largest.label.name, nice(largest.ns))
    });
    format!("{margin}{most}")
}

fn spare(criteria: &[Criterion]) -> String {
    criteria.iter().map(|one| one.reason.clone()).collect::<Vec<_>>().join("; ")
}

/// Remark on a message that may still be in progress at the next trigger.
fn short_period(trial: &Trial, task: &Task) -> Option<String> {
    // Two triggers are at least half a period apart.
    let next = task.period?.as_ns() / 2;
    let takes = trial.service.map(Duration::as_ns).filter(|&takes| takes > next)?;
    let [takes, next] = [takes, next].map(|ns| nice(ns as f64));
    (trial.counts.lost > 0).then(|| {
        format!("; a single message takes up to {takes}, but the next may follow after {next}")
    })
}
