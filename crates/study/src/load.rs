//! Load: what becomes of messages that come to a queue in front of a link as they please, from far
//! less than it carries to far more.
//!
//! Every rate is a run of its own. Its first fifth is left out: below what the link carries the queue
//! starts empty, from there on full, so that either is near where it settles. Full is also what the link
//! holds itself: a TUN device takes 500 packets before a sender waits, and until then refuses nothing,
//! whatever the load.

use airlag_rig::carry::{Extent, Load, offer};
use airlag_rig::exchange::AnyExchange;
use airlag_rig::profile::Profile;
use airlag_rig::programs::offered::Message;
use airlag_sim::{Duration, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::charge::by_message;
use crate::error::Error;
use crate::goodput::{Goodput, goodput};

/// Arrival process of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Arrivals {
    /// Exactly one period apart, the first anywhere in the first of them. A period that is a multiple
    /// of a clock of the link meets it at one phase, as it would on boards with good crystals.
    Periodic,
    /// A Poisson process.
    #[default]
    Poisson,
    /// Bursts of eight messages; the bursts are a Poisson process.
    Burst,
}

/// Messages of a burst.
pub const BURST: usize = 8;

/// How much is offered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// User data, kilobits a second.
    Kbps(f64),
    /// As a part of what the link carries when it never waits; of its ceiling, where that is nothing.
    Utilisation(f64),
}

impl Rate {
    /// Kilobits a second, where the link carries `most`.
    pub(crate) const fn kbps(self, most: f64) -> f64 {
        match self {
            Self::Kbps(kbps) => kbps,
            Self::Utilisation(part) => part * most,
        }
    }
}

/// Where a user says nothing: close together where the queue grows.
pub const LADDER: [f64; 13] = [0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.3, 1.6, 2.0, 3.0];

/// What to offer.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Exchanges instead of messages.
    pub exchange: Option<AnyExchange>,
    /// Bytes of a message.
    pub size: usize,
    /// How much.
    pub rates: Vec<Rate>,
    /// Messages the queue holds.
    pub room: usize,
    /// When they come.
    pub arrivals: Arrivals,
    /// Messages of each rate that count.
    pub count: usize,
    /// Root seed of every random stream.
    pub seed: u64,
}

impl Task {
    /// The usual rates, a queue of 64, a thousand messages whenever they please.
    #[must_use]
    pub fn new(size: usize, seed: u64) -> Self {
        let rates = LADDER.map(Rate::Utilisation).to_vec();
        let (room, arrivals) = (64, Arrivals::default());
        Self { exchange: None, size, rates, room, arrivals, count: 1_000, seed }
    }
}

/// What became of one rate, in the steady state.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What was to be offered, kilobits of user data a second.
    pub offered_kbps: f64,
    /// What arrived of it.
    pub goodput_kbps: f64,
    /// What was offered as a part of what the link carries when it never waits.
    pub utilisation: f64,
    /// Messages that waited, on average over time.
    pub queue_mean: f64,
    /// Messages offered.
    pub offered: usize,
    /// Of these, those that found the queue full.
    pub refused: usize,
    /// Of these, those that were sent and did not arrive.
    pub lost_on_link: usize,
    /// Of the others, from the queue to the other board, ns, in the order in which they came.
    pub latencies_ns: Vec<i64>,
    /// Of every message that was sent, how long it waited in the queue, ns.
    pub waits_ns: Vec<i64>,
    /// What each end drew in all, by message that arrived, nC; those whose parts nobody lists are left
    /// out.
    pub delivered_nc: Vec<(&'static str, f64)>,
}

impl Point {
    /// Messages that arrived as a part of those offered.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.latencies_ns.len() as f64 / self.offered.max(1) as f64
    }
}

/// A link under load.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// What it carries when it never waits.
    pub saturated: Goodput,
    /// One a rate, ascending.
    pub points: Vec<Point>,
    /// What arrives of the largest load that is carried, kilobits a second: see [`KEPT`]. None if
    /// all of them are.
    pub knee_kbps: Option<f64>,
}

/// A load is carried if so many of its messages arrive as a part of the most that do at any rate.
/// RFC 1242, 3.17, calls the largest load of which nothing is dropped the throughput of a device;
/// but a radio loses some at any load.
pub const KEPT: f64 = 0.98;
/// The knee is found to this part of itself.
const FINE: f64 = 0.01;

/// What a time in nanoseconds is rounded from.
fn ns(value: f64) -> Duration {
    Duration::from_ns(value.round() as u64)
}

/// Offers loads to the link of `profile`, the lightest first; `done` is called after each.
///
/// # Errors
///
/// Those of a run; a link that carries no bytes takes no load.
pub fn load(profile: &Profile, task: &Task, done: impl Fn()) -> Result<Loaded, Error> {
    let extent = Extent { exchange: task.exchange, ..Extent::of(task.count as u64) };
    let saturated = goodput(profile, task.size, task.seed, extent)?;
    // Where an endless stream overruns the link so that no message is whole, its ceiling stands in.
    let most = Some(saturated.kbps()).filter(|&kbps| kbps > 0.0).or(saturated.ceiling_kbps());
    let Some(most) = most else { return Err(Error::NoTime { link: profile.name.clone() }) };
    let limits = Limits { most, under_way: saturated.under_way as usize };
    let mut rates: Vec<f64> = task
        .rates
        .iter()
        .map(|rate| rate.kbps(most))
        .filter(|kbps| *kbps > 0.0 && task.count > 0)
        .collect();
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    let mut points = Vec::with_capacity(rates.len());
    for kbps in rates {
        points.push(point(profile, task, kbps, &limits)?);
        done();
    }
    let knee_kbps = knee(profile, task, &points, &limits)?;
    Ok(Loaded { saturated, points, knee_kbps })
}

/// Between the last load that is carried and the first that is not.
fn knee(
    profile: &Profile,
    task: &Task,
    points: &[Point],
    limits: &Limits,
) -> Result<Option<f64>, Error> {
    let best = points.iter().map(Point::share).fold(0.0, f64::max);
    let carried = |point: &Point| point.share() >= KEPT * best;
    let Some(over) = points.iter().position(|point| !carried(point)) else { return Ok(None) };
    let Some(below) = over.checked_sub(1) else { return Ok(None) };
    let (mut low, mut high) = (points[below].offered_kbps, points[over].offered_kbps);
    let mut share = points[below].share();
    while high - low > FINE * low {
        let middle = f64::midpoint(low, high);
        let tried = point(profile, task, middle, limits)?;
        if carried(&tried) { (low, share) = (middle, tried.share()) } else { high = middle }
    }
    // What arrives of it: a load is carried that is larger than that by as much as is forgiven.
    Ok(Some(low * share))
}

/// What a link does that is never waited for.
struct Limits {
    /// What it carries, kilobits a second.
    most: f64,
    /// Messages it holds meanwhile.
    under_way: usize,
}

/// One rate.
fn point(profile: &Profile, task: &Task, kbps: f64, limits: &Limits) -> Result<Point, Error> {
    let &Limits { most, under_way } = limits;
    let bytes = task.exchange.map_or(task.size, |AnyExchange(one)| one.bytes(task.size));
    let bits = (bytes * 8) as f64;
    let (gap, service) = (bits * 1e6 / kbps, bits * 1e6 / most);
    let skipped = task.count / 4;
    let times = arrivals(task, gap, skipped);
    let begin = if skipped == 0 { Duration::ZERO } else { times[skipped - 1] };
    let end = times[times.len() - 1];
    let held = task.room + under_way;
    let ahead = if kbps < most { 0 } else { held };
    let load = Load {
        exchange: task.exchange,
        size: task.size,
        room: task.room,
        ahead,
        arrivals: times,
        watch: (begin, end),
        patience: ns(2.0 * service * (held + 16) as f64) + PATIENCE,
    };
    let outcome = offer(profile, &load, task.seed)?;
    let messages = &outcome.messages[ahead + skipped..];
    let since =
        |message: &Message, at| i64::try_from(message.since_offered(at)).unwrap_or(i64::MAX);
    let watched = (outcome.begin + begin, outcome.begin + end);
    let came = |one: &Message| one.delivered.is_some_and(|at| at > watched.0 && at <= watched.1);
    let arrived = outcome.messages.iter().filter(|one| came(one)).count();
    let refused = messages.iter().filter(|one| one.refused).count();
    let latencies_ns: Vec<i64> =
        messages.iter().filter_map(|one| Some(since(one, one.delivered?))).collect();
    let delivered = outcome.messages.iter().filter(|one| one.delivered.is_some()).count();
    Ok(Point {
        delivered_nc: by_message(profile, &outcome.draws, delivered as u64)?,
        offered_kbps: kbps,
        goodput_kbps: arrived as f64 * bits * 1e6 / watched.1.since(watched.0).as_ns() as f64,
        utilisation: kbps / most,
        queue_mean: outcome.queue_mean,
        offered: messages.len(),
        refused,
        lost_on_link: messages.len() - refused - latencies_ns.len(),
        waits_ns: messages.iter().filter_map(|one| Some(since(one, one.taken?))).collect(),
        latencies_ns,
    })
}

/// How long the last message may take at least.
const PATIENCE: Duration = Duration::from_secs(10);

/// When messages come, `gap` nanoseconds apart on average, as many as count after some that do not.
fn arrivals(task: &Task, gap: f64, skipped: usize) -> Vec<Duration> {
    let total = skipped + task.count;
    let mut stream = Stream::new(task.seed, "load/arrivals");
    // Never 0, whose logarithm there is not.
    let mut uniform = || ((stream.bits() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    let mut at = 0.0;
    let mut apart = |gap: f64| {
        at -= gap * uniform().ln();
        at
    };
    let times: Vec<f64> = match task.arrivals {
        Arrivals::Periodic => {
            let first = gap * uniform();
            return (0..total).map(|nth| ns(first + gap * nth as f64)).collect();
        }
        Arrivals::Poisson => (0..total).map(|_| apart(gap)).collect(),
        Arrivals::Burst => (0..total.div_ceil(BURST))
            .flat_map(|_| [apart(gap * BURST as f64); BURST])
            .take(total)
            .collect(),
    };
    // So many messages in exactly their time, or a load would be known no better than to one part in
    // the square root of their number. Given how many come, when they do is as random as before.
    let watched = times[total - 1] - if skipped == 0 { 0.0 } else { times[skipped - 1] };
    let exact = gap * task.count as f64 / watched.max(1.0);
    times.into_iter().map(|time| ns(time * exact)).collect()
}
