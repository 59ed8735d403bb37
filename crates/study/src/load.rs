//! Latency, queue and loss of a link at offered loads, from far below its capacity to far above.
//!
//! Each load is measured in a separate run. The first fifth of each run is discarded. For a load below the
//! capacity, the queue starts empty. For a load above the capacity, the queue starts full. Each run therefore
//! starts near its steady state. A full queue includes the full buffers of the link itself. For example, a
//! TUN device accepts 500 packets before it blocks a sender, and drops no packet before that.

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
    /// Fixed interarrival times. The first message arrives at a random time within the first period. If
    /// the period is a multiple of a clock period of the link, all messages arrive at the same phase of
    /// that clock, as on boards with good crystals.
    Periodic,
    /// A Poisson process.
    #[default]
    Poisson,
    /// Bursts of eight messages. The bursts form a Poisson process.
    Burst,
}

/// Number of messages per burst.
pub const BURST: usize = 8;

/// An offered load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// User data, kbit/s.
    Kbps(f64),
    /// Share of the saturated goodput, or of the upper bound if the saturated goodput is 0.
    Utilisation(f64),
}

impl Rate {
    /// The load in kbit/s for a capacity `most`.
    pub(crate) const fn kbps(self, most: f64) -> f64 {
        match self {
            Self::Kbps(kbps) => kbps,
            Self::Utilisation(part) => part * most,
        }
    }
}

/// Default loads as shares of the saturated goodput, dense where the queue begins to grow.
pub const LADDER: [f64; 13] = [0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.3, 1.6, 2.0, 3.0];

/// Load test of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Calls instead of messages.
    pub exchange: Option<AnyExchange>,
    /// Payload, bytes.
    pub size: usize,
    /// Offered loads.
    pub rates: Vec<Rate>,
    /// Capacity of the queue, messages.
    pub room: usize,
    /// Arrival process.
    pub arrivals: Arrivals,
    /// Measured messages per load.
    pub count: usize,
    /// Random seed.
    pub seed: u64,
}

impl Task {
    /// Creates a task with the default loads, a queue of 64 messages, and a thousand messages with
    /// Poisson arrivals.
    #[must_use]
    pub fn new(size: usize, seed: u64) -> Self {
        let rates = LADDER.map(Rate::Utilisation).to_vec();
        let (room, arrivals) = (64, Arrivals::default());
        Self { exchange: None, size, rates, room, arrivals, count: 1_000, seed }
    }
}

/// Steady-state result of one load.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Offered user data, kbit/s.
    pub offered_kbps: f64,
    /// Delivered user data, kbit/s.
    pub goodput_kbps: f64,
    /// Offered load as a share of the saturated goodput.
    pub utilisation: f64,
    /// Mean queue length over time, messages.
    pub queue_mean: f64,
    /// Offered messages.
    pub offered: usize,
    /// Messages dropped because the queue was full.
    pub refused: usize,
    /// Messages that were sent and did not arrive.
    pub lost_on_link: usize,
    /// Latencies of the delivered messages from queue entry to the other board, ns, in order of arrival.
    pub latencies_ns: Vec<i64>,
    /// Time in the queue of every sent message, ns.
    pub waits_ns: Vec<i64>,
    /// Total charge of each end per delivered message, nC. An end without current data is absent.
    pub delivered_nc: Vec<(&'static str, f64)>,
}

impl Point {
    /// Delivery ratio.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.latencies_ns.len() as f64 / self.offered.max(1) as f64
    }
}

/// A link at offered loads.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// Saturated goodput.
    pub saturated: Goodput,
    /// One point per load, ascending.
    pub points: Vec<Point>,
    /// Largest load that is carried, as delivered user data, kbit/s. See [`KEPT`]. `None` if all
    /// loads are carried, or not even the lightest.
    pub knee_kbps: Option<f64>,
}

/// Smallest delivery ratio with which a link counts as carrying a load, as a share of the best
/// delivery ratio at any load. In contrast, RFC 1242, 3.17, defines throughput as the largest load
/// without loss. The definition of RFC 1242 does not suit a radio, which loses some messages at any
/// load.
pub const KEPT: f64 = 0.98;
/// Relative resolution of the knee.
const FINE: f64 = 0.01;

/// Rounds a time in nanoseconds.
fn ns(value: f64) -> Duration {
    Duration::from_ns(value.round() as u64)
}

/// Offers loads to the link of `profile`, lightest first. `done` is called after each load.
///
/// # Errors
///
/// Returns the errors of a run, and of a link without a payload.
pub fn load(profile: &Profile, task: &Task, done: impl Fn()) -> Result<Loaded, Error> {
    let extent = Extent { exchange: task.exchange, ..Extent::of(task.count as u64) };
    let saturated = goodput(profile, task.size, task.seed, extent)?;
    // If no message completes under saturation, the upper bound replaces the saturated goodput.
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

/// The knee between the last carried load and the first that is not carried.
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
    // The knee is the delivered share of this load, because a load within the tolerance counts as
    // carried.
    Ok(Some(low * share))
}

/// Capacity of a saturated link.
struct Limits {
    /// Saturated goodput, kbit/s.
    most: f64,
    /// Messages in the link at saturation.
    under_way: usize,
}

/// Measures one load.
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

/// Lower limit of the time to wait for the last message.
const PATIENCE: Duration = Duration::from_secs(10);

/// Arrival times with a mean interval of `gap` ns: `skipped` messages, then the measured ones.
fn arrivals(task: &Task, gap: f64, skipped: usize) -> Vec<Duration> {
    let total = skipped + task.count;
    let mut stream = Stream::new(task.seed, "load/arrivals");
    // Excludes 0, whose logarithm is infinite.
    let mut uniform = || ((stream.bits() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    let mut at = 0.0;
    let mut apart = |gap: f64| {
        at -= gap * libm::log(uniform());
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
    // Scales the arrivals to exactly their nominal duration. Otherwise the load would have a
    // relative error of one over the square root of the number of messages. Given that number, the
    // arrival times remain random.
    let watched = times[total - 1] - if skipped == 0 { 0.0 } else { times[skipped - 1] };
    let exact = gap * task.count as f64 / watched.max(1.0);
    times.into_iter().map(|time| ns(time * exact)).collect()
}
