//! Detection of overload: more offered messages than the link carries.

use airlag_rig::carry::{Extent, saturate};
use airlag_rig::messages::MessageOutcome;
use airlag_rig::places::at_mean;
use airlag_rig::profile::Profile;
use airlag_rig::run::{Options, Run, Traffic};
use airlag_sim::Duration;
use airlag_stats::{NONE, Outcome, Transfers};

use crate::answers::causes::Overload;
use crate::error::Error;

/// Number of back-to-back messages for a measurement of capacity.
const MESSAGES: u64 = 32;
/// Longest time for these messages, in multiples of the latency of an isolated message.
const PATIENCE: u64 = 200;
/// Share of the triggers that a board may miss by chance, because some triggers are closer than
/// others.
const BY_CHANCE: f64 = 0.01;
/// Smallest number of completions whose rate is measured from the first to the last.
const STEADY: usize = 3;

/// Offered traffic of a run.
#[derive(Clone, Copy, Debug)]
pub struct Offer<'a> {
    /// The link.
    pub profile: &'a Profile,
    /// Payload, bytes.
    pub size: usize,
    /// Time between triggers.
    pub period: Duration,
    /// Longest latency of a few messages sent one at a time.
    pub service: Option<Duration>,
    /// Seed and traffic.
    pub options: Options,
}

/// Returns the offered rate and the carried rate of the `nth` direction of a run, or `None` if the link is
/// not overloaded. A link is overloaded if two conditions hold. First, successive triggers are closer
/// together than the latency of an isolated message. Second, the sending board misses triggers, or the rate
/// that the link carries with a sender that always has a message waiting is lower than the offered rate.
///
/// # Errors
///
/// Returns the errors of a run.
pub fn overload(
    offer: Offer<'_>,
    run: &Run,
    nth: usize,
    transfers: &Transfers,
) -> Result<Option<Overload>, Error> {
    let Some(service) = offer.service.filter(|&service| offer.period <= service) else {
        return Ok(None);
    };
    let Some(matched) = run.matched.get(nth).filter(|one| !one.messages.is_empty()) else {
        return Ok(None);
    };
    let offered_per_s = 1e9 / offer.period.as_ns() as f64;
    let missed =
        matched.messages.iter().filter(|one| one.outcome == MessageOutcome::NotTaken).count();
    let is_missed = missed as f64 > BY_CHANCE * matched.messages.len() as f64;
    if !is_missed && !is_beyond(offer, service, transfers, offered_per_s)? {
        return Ok(None);
    }
    let carried_per_s = carried_per_s(transfers);
    Ok((carried_per_s < offered_per_s).then_some(Overload { offered_per_s, carried_per_s }))
}

/// Whether messages queue up behind a board that accepts all of them.
fn is_beyond(
    offer: Offer<'_>,
    service: Duration,
    transfers: &Transfers,
    offered_per_s: f64,
) -> Result<bool, Error> {
    let waiting = transfers.count(Outcome::Censored);
    if waiting < 2 && transfers.count(Outcome::Lost) == 0 && transfers.count(Outcome::Late) == 0 {
        return Ok(false);
    }
    let exchange = match offer.options.traffic {
        Traffic::Trigger => None,
        Traffic::Exchange(exchange) => Some(exchange),
        // Traffic in both directions has no separate capacity.
        Traffic::Echo | Traffic::Both => return Ok(waiting > 1),
    };
    let extent = Extent { exchange, longest: service * PATIENCE, ..Extent::of(MESSAGES) };
    let seen = saturate(&at_mean(offer.profile)?, offer.size, offer.options.seed, extent)?.carried;
    let elapsed_ns = seen.last.since(seen.first).as_ns();
    let capacity_per_s = seen.delivered as f64 * 1e9 / elapsed_ns.max(1) as f64;
    Ok(seen.delivered > 0 && elapsed_ns > 0 && capacity_per_s < offered_per_s)
}

/// Completions per second. With few completions, over the whole run.
fn carried_per_s(transfers: &Transfers) -> f64 {
    let mut done: Vec<i64> =
        transfers.completion_ns.iter().copied().filter(|&at_ns| at_ns != NONE).collect();
    done.sort_unstable();
    match done[..] {
        [first, .., last] if done.len() >= STEADY && last > first => {
            (done.len() - 1) as f64 * 1e9 / (last - first) as f64
        }
        _ => {
            let begin_ns = transfers.trigger_ns.first().copied().unwrap_or(transfers.start_ns);
            done.len() as f64 * 1e9 / (transfers.end_ns - begin_ns).max(1) as f64
        }
    }
}

/// Number of messages that were sent completely within the run. Under overload, the frames of the other
/// messages are cut off by the end of the run.
#[must_use]
pub fn sent_whole(run: &Run, transfers: &Transfers, overload: Option<Overload>) -> f64 {
    let begun = run.matched.first().map_or(0, |one| one.begun());
    match overload {
        None => begun as f64,
        Some(_) if begun == transfers.outcome.len() => complete(transfers) as f64,
        Some(_) => begun.saturating_sub(transfers.count(Outcome::Censored)) as f64,
    }
}

fn complete(transfers: &Transfers) -> usize {
    transfers.completion_ns.iter().filter(|&&at_ns| at_ns != NONE).count()
}

/// Returns the number of sent messages, which are the messages that the sending board accepted. In an
/// overloaded run, a message in transit at the end of the run counts as a fraction: its elapsed time divided
/// by `service`. If the board accepted all messages of an overloaded run into a queue, only the completed
/// messages count.
#[must_use]
pub fn sent(
    run: &Run,
    transfers: &Transfers,
    overload: Option<Overload>,
    service: Option<Duration>,
) -> f64 {
    let begun = run.matched.first().map_or(0, |one| one.begun());
    match service.filter(|_| overload.is_some()) {
        None => begun as f64,
        Some(_) if begun == transfers.outcome.len() => complete(transfers) as f64,
        Some(service) => {
            let left = |nth: usize| {
                let passed_ns = (transfers.end_ns - transfers.trigger_ns[nth]) as f64;
                (1.0 - passed_ns / service.as_ns().max(1) as f64).max(0.0)
            };
            begun as f64 - transfers.indices(Outcome::Censored).map(left).sum::<f64>()
        }
    }
}
