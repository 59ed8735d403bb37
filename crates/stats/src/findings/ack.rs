//! A timer in the peer: delayed acknowledgements of TCP.

use crate::findings::clock::ms;
use crate::findings::{Finding, Name, Value};
use crate::fold::Clocks;
use crate::fold::series::{median, quantile};

/// Delayed-acknowledgement timers in use, ns. 40: Linux (TCP_DELACK_MIN). 200: BSD and Windows.
/// 250: lwIP's fast timer (TCP_FAST_INTERVAL). 500: the longest RFC 1122 4.2.3.2 allows.
const TIMERS_NS: [f64; 4] = [40e6, 200e6, 250e6, 500e6];

/// A timer that counts ticks of a crystal keeps its nominal period this well.
const PERIODIC_TOLERANCE: f64 = 1e-3;

/// Completions this near to the lattice of a clock follow a radio's schedule, not a timer in
/// software with a task and a network behind it, ns.
const SOFTWARE_NS: f64 = 3e5;

fn timer_near(period: f64, tolerance: f64) -> Option<f64> {
    TIMERS_NS.into_iter().find(|t| (period - t).abs() < tolerance * t)
}

/// `delayed-ack`: transfers off by whole periods of such a timer, or late by it.
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
        message: format!("{how} That is a delayed-acknowledgement timer of TCP in the peer."),
        advice:
            "Send each message with one call and set TCP_NODELAY: then no segment waits for the \
                 acknowledgement of the one before."
                .to_owned(),
    })
}

/// A free-running timer, swept by the trigger or frozen to it.
fn periodic(clocks: &Clocks) -> Option<(f64, usize, String)> {
    if let Some(slips) = &clocks.slips {
        if slips.residual_ns < SOFTWARE_NS {
            return None;
        }
        let timer = timer_near(slips.period_ns, PERIODIC_TOLERANCE)?;
        let how = format!(
            "{} of {} transfers are exactly {} or a multiple off the rest, and the trigger period \
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

/// A timer started by the message itself: a second group of latencies, later by its period.
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
        // Ticks of 1 to 10 ms and the spread of the link itself. The body must be narrow enough
        // for a group at this distance to be a group.
        let reach = (3.0 * spread).max(0.05 * timer);
        if reach > timer / 8.0 {
            return None;
        }
        let far: Vec<f64> = latency.iter().map(|l| l - body).filter(|d| *d > timer / 4.0).collect();
        let hit = far.iter().filter(|d| (*d - timer).abs() < reach).count();
        // Without a timer, far latencies fall into this window with a chance of a quarter at most
        // (an exponential tail from a quarter of the timer on, at its best scale, gives 0.12 to
        // 0.25). Ten of which nine do have a chance of 3e-5.
        let enough = hit >= 10.max(n / 100) && hit * 10 >= far.len() * 9;
        enough.then(|| {
            let how = format!(
                "{hit} of {n} transfers come about {} later than the rest, and hardly any lie \
                 between.",
                ms(timer, 0)
            );
            (timer, hit, how)
        })
    })
}

#[cfg(test)]
mod tests;
