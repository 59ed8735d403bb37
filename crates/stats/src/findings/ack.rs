//! Finding of a delayed-acknowledgement timer of TCP in the peer.

use crate::findings::clock::ms;
use crate::findings::{Finding, Name, Value};
use crate::fold::Clocks;
use crate::fold::series::{median, quantile};

/// Delayed-acknowledgement timers in use, ns. 40 ms: Linux (TCP_DELACK_MIN). 200 ms: BSD and Windows. 250 ms:
/// fast timer of lwIP (TCP_FAST_INTERVAL). 500 ms: the longest that RFC 1122, 4.2.3.2 permits.
const TIMERS_NS: [f64; 4] = [40e6, 200e6, 250e6, 500e6];

/// Relative deviation of a timer that counts crystal ticks from its nominal period.
const PERIODIC_TOLERANCE: f64 = 1e-3;

/// Spread below which completions on the lattice of a clock follow the schedule of a radio, not a software
/// timer with a task and a network in between, ns.
const SOFTWARE_NS: f64 = 3e5;

fn timer_near(period: f64, tolerance: f64) -> Option<f64> {
    TIMERS_NS.into_iter().find(|t| (period - t).abs() < tolerance * t)
}

/// Returns the finding `delayed-ack` if transfers are late by whole periods of a
/// delayed-acknowledgement timer.
#[must_use]
pub fn delayed_ack(clocks: &Clocks) -> Option<Finding> {
    let (timer, count, how) = periodic(clocks).or_else(|| one_shot(clocks))?;
    let evidence = vec![
        ("period_ns", Value::Float(timer)),
        ("count", Value::Int(count as i64)),
        ("share", Value::Float(count as f64 / clocks.series.len() as f64)),
    ];
    Some(Finding {
        name: Name::DelayedAck,
        evidence,
        message: format!("{how} The period is that of a TCP delayed-acknowledgement timer in the peer."),
        advice:
                 "Send each message with a single call and set TCP_NODELAY, so that no segment waits for the \
                 acknowledgement of the previous one."
                .to_owned(),
    })
}

/// A periodic timer, at swept or frozen phases of the trigger.
fn periodic(clocks: &Clocks) -> Option<(f64, usize, String)> {
    if let Some(slips) = &clocks.slips {
        if slips.residual_ns < SOFTWARE_NS {
            return None;
        }
        let timer = timer_near(slips.period_ns, PERIODIC_TOLERANCE)?;
        let how = format!(
            "{} of {} transfers differ from the rest by exactly {} or a multiple, and the trigger period \
             is a whole multiple of it.",
            slips.slipped,
            clocks.series.len(),
            ms(timer, 0)
        );
        return Some((timer, slips.slipped, how));
    }
    let period = clocks.period.as_ref().filter(|p| p.residual_ns >= SOFTWARE_NS)?;
    let timer = timer_near(period.period_ns, PERIODIC_TOLERANCE)?;
    let how = format!("Completions wait for a timer that runs every {}.", ms(timer, 0));
    Some((timer, clocks.series.len(), how))
}

/// Detects a timer that starts with a message. Such a timer causes a second group of latencies, later than
/// the first by the timer's period.
fn one_shot(clocks: &Clocks) -> Option<(f64, usize, String)> {
    if clocks.period.is_some() || clocks.slips.is_some() {
        return None;
    }
    let latency = &clocks.series.latency;
    let n = latency.len();
    if n < 50 {
        return None;
    }
    let body = median(latency)?;
    let spread = (quantile(latency, 0.75)? - quantile(latency, 0.25)?) / 1.349;
    TIMERS_NS.into_iter().find_map(|timer| {
        // The reach covers ticks of 1 to 10 ms and the spread of the link itself. If it exceeds an eighth of
        // the timer, the second group is not clearly separate from the first.
        let reach = (3.0 * spread).max(0.05 * timer);
        if reach > timer / 8.0 {
            return None;
        }
        let far: Vec<f64> = latency.iter().map(|l| l - body).filter(|d| *d > timer / 4.0).collect();
        let hit = far.iter().filter(|d| (*d - timer).abs() < reach).count();
        // Without a timer, a far latency is within the reach with a probability of at most 1/4. (For an
        // exponential tail that starts at a quarter of the timer, the probability is 0.12 to 0.25 at its best
        // scale.) The probability that nine of ten far latencies are within the reach is then 3e-5.
        let enough = hit >= 10.max(n / 100) && hit * 10 >= far.len() * 9;
        enough.then(|| {
            let how = format!(
                "{hit} of {n} transfers are about {} later than the rest, with hardly any in \
             between.",
                ms(timer, 0)
            );
            (timer, hit, how)
        })
    })
}

#[cfg(test)]
mod tests;
