//! Messages carried by a link: a saturated stream, an offered load, or a train of a fixed size.

use std::rc::Rc;

use airlag_sim::{Duration, Instant, Sim};

use crate::draws::Draws;
use crate::ends::Bench;
use crate::error::Error;
use crate::exchange::AnyExchange;
use crate::payload::check_size;
use crate::profile::Profile;
use crate::programs::Program;
use crate::programs::burst::{Burst, BurstMessage, Seen};
use crate::programs::offered::{Message, Offered, Offers};
use crate::programs::saturated::{Saturated, StreamProgress};
use crate::report::Incidents;
use crate::run::Span;
use crate::session::{READY, Wiring};

/// Measured section of an endless stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Number of messages discarded before the measurement starts, so that queues on the path are
    /// full.
    pub settle: u64,
    /// Number of messages measured.
    pub count: u64,
    /// Longest duration of the bench.
    pub longest: Duration,
    /// Whether to record named time slices.
    pub spans: bool,
    /// Exchanges to run instead of plain messages.
    pub exchange: Option<AnyExchange>,
}

impl Extent {
    /// Measures all messages that arrive within `longest`.
    #[must_use]
    pub const fn lasting(longest: Duration) -> Self {
        Self { settle: 1, count: u64::MAX, longest, spans: false, exchange: None }
    }

    /// Measures `count` messages after discarding a tenth as many, without a time limit.
    #[must_use]
    pub const fn of(count: u64) -> Self {
        let settle = if count < 100 { 10 } else { count / 10 };
        Self {
            settle,
            count,
            longest: Duration::from_secs(LONGEST_S),
            spans: false,
            exchange: None,
        }
    }
}

/// Longest stream, s: twelve days, the length of the longest matched capture.
const LONGEST_S: u64 = 12 * 86_400;
/// Silence after which a link counts as carrying nothing.
const SILENCE: Duration = Duration::from_secs(3_600);
/// Limit for links that deliver little: the stream ends when this multiple of the expected messages
/// has arrived or been dropped. If nothing arrives, it ends [`HELD`] after this multiple was sent.
const IN_VAIN: u64 = 10;
/// Longest time for which a link may hold everything that was sent: a TUN device accepts 500
/// packets at once before the first one arrives.
const HELD: Duration = Duration::from_secs(10);

/// Result of a stream: delivered messages, and named events.
#[derive(Clone, Debug, PartialEq)]
pub struct Carriage {
    /// Messages delivered.
    pub carried: StreamProgress,
    /// Gaps between successive messages in the measured section, ns.
    pub gaps_ns: Vec<i64>,
    /// Named slices, ns since the start of the simulation. Empty unless requested.
    pub spans: Vec<Span>,
    /// Names of the tracks that contain the slices.
    pub tracks: Vec<String>,
    /// Named events, with counts.
    pub incidents: Incidents,
    /// Simulation events fired.
    pub events: u64,
}

/// Sends messages of `size` bytes one after the other.
///
/// # Errors
///
/// Errors of a run, and [`Error::NoBytes`] for a board without a link.
pub fn saturate(
    profile: &Profile,
    size: usize,
    seed: u64,
    extent: Extent,
) -> Result<Carriage, Error> {
    let wiring = Wiring::new(seed);
    let program = Saturated::new(size, READY, extent.settle, extent.count);
    let (carried, gaps_ns) = (Rc::clone(&program.carried), Rc::clone(&program.gaps_ns));
    let filling = |program| match extent.exchange {
        Some(AnyExchange(exchange)) => exchange.saturated(profile, size, program),
        None => {
            check_size(profile, size)?;
            Ok(Box::new(program) as Box<dyn Program>)
        }
    };
    let twin = |_: &Bench| filling(Saturated::new(size, READY, extent.settle, extent.count));
    let session = wiring.open(profile, size, &*filling(program)?, Some(&twin))?;
    let ready = session.ready();
    session.time().record_spans(extent.spans);
    let enough = extent.count.saturating_add(extent.settle).saturating_mul(IN_VAIN);
    session.run_while(ready + extent.longest, |now| {
        let so_far = carried.borrow();
        let heard = if so_far.last > ready { so_far.last } else { ready };
        let silence = if so_far.sent < enough { SILENCE } else { HELD };
        so_far.delivered < extent.count && so_far.passed < enough && now.since(heard) < silence
    })?;
    let carried = *carried.borrow();
    Ok(Carriage {
        carried,
        gaps_ns: gaps_ns.take(),
        spans: session.spans(Instant::START),
        tracks: session.time().track_names(),
        incidents: session.report().incidents,
        events: session.time().events_fired(),
    })
}

/// An offered load.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Exchanges to run instead of plain messages.
    pub exchange: Option<AnyExchange>,
    /// Message size, bytes.
    pub size: usize,
    /// Queue capacity, messages.
    pub room: usize,
    /// Number of messages queued before the first arrival. This number may exceed the queue
    /// capacity, because the link also accepts messages before it blocks the sender.
    pub ahead: usize,
    /// Arrival times since the bench was ready, ascending.
    pub arrivals: Vec<Duration>,
    /// Window in which the queue is observed, since the bench was ready.
    pub watch: (Duration, Duration),
    /// Drain time after the last arrival; the bench ends earlier if all messages have been
    /// delivered.
    pub patience: Duration,
}

/// Outcome of an offered load.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// All messages: those queued initially, then the arrivals in order.
    pub messages: Vec<Message>,
    /// Mean queue length over the observed window, messages.
    pub queue_mean: f64,
    /// Instant at which the bench was ready.
    pub begin: Instant,
    /// Instant at which the bench stopped.
    pub end: Instant,
    /// Named events, with counts.
    pub incidents: Incidents,
    /// Time in each power state, for every part that draws current.
    pub draws: Draws,
}

/// Offers a load to a link.
///
/// # Errors
///
/// Errors of a run, and [`Error::NoBytes`] for a board without a link.
pub fn offer(profile: &Profile, load: &Load, seed: u64) -> Result<Outcome, Error> {
    let wiring = Wiring::new(seed);
    let arrivals: Vec<Instant> = load.arrivals.iter().map(|&after| READY + after).collect();
    let last = arrivals.last().copied().unwrap_or(READY);
    let watch = (READY + load.watch.0, READY + load.watch.1);
    let offered = |sim: &Sim, arrivals: Vec<Instant>| {
        let offers = Offers { ahead: (READY, load.ahead), arrivals };
        Offered::new(sim, load.size, load.room, offers, watch)
    };
    let carrying = |program| match load.exchange {
        Some(AnyExchange(exchange)) => exchange.offered(profile, load.size, program),
        None => {
            check_size(profile, load.size)?;
            Ok(Box::new(program) as Box<dyn Program>)
        }
    };
    // The same load, delayed by the mean interarrival time.
    let gap = Duration::from_ns(last.since(READY).as_ns() / arrivals.len().max(1) as u64);
    let shifted = arrivals.clone();
    let twin = |bench: &Bench| {
        let later = bench.sim().stream("arrivals").within(gap);
        carrying(offered(bench.sim(), shifted.iter().map(|&at| at + later).collect()))
    };
    let program = offered(wiring.sim(), arrivals);
    let queue = Rc::clone(&program.queue);
    let session = wiring.open(profile, load.size, &*carrying(program)?, Some(&twin))?;
    session.run_until(last)?;
    session.run_while(last + load.patience, |_| !queue.borrow().is_settled())?;
    let mut queue = queue.borrow_mut();
    let end = session.time().now();
    Ok(Outcome {
        queue_mean: queue.mean(end),
        messages: std::mem::take(&mut queue.messages),
        begin: READY,
        end,
        incidents: session.report().incidents,
        draws: session.draws(end),
    })
}

/// Messages to send back to back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Train {
    /// Message size, bytes.
    pub size: usize,
    /// Number of messages.
    pub count: u32,
    /// Shortest interval between handovers. `None` if only the link limits the rate.
    pub pace: Option<Duration>,
    /// Whether missing messages are retransmitted until all have arrived.
    pub repeat: bool,
}

/// Outcome of a train.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrived {
    /// Every message, by its position.
    pub messages: Vec<BurstMessage>,
    /// Number of handovers, retransmissions included.
    pub handed: u64,
    /// Instant at which the first message started.
    pub begin: Instant,
    /// Named events, with counts.
    pub incidents: Incidents,
}

/// Silence after which a train counts as finished: a fixed time, plus this number of shortest
/// message times.
const PATIENCE: (Duration, u64) = (Duration::from_secs(2), 16);

/// Sends a train of messages over a link.
///
/// # Errors
///
/// Errors of a run; [`Error::NoBytes`] for a board without a link, and [`Error::OneWay`] if missing
/// messages cannot be requested.
pub fn send_train(profile: &Profile, train: Train, seed: u64) -> Result<Arrived, Error> {
    check_size(profile, train.size)?;
    let wiring = Wiring::new(seed);
    let (least, messages) = PATIENCE;
    let floor = profile.bind()?.floor(train.size)?.ns();
    let patience = least + Duration::from_ns(floor.saturating_mul(messages));
    let burst = |seen| Burst {
        seen,
        size: train.size,
        count: train.count,
        begin: READY,
        pace: train.pace,
        repeat: train.repeat.then_some(patience),
    };
    let seen = Rc::default();
    let program = burst(Rc::clone(&seen));
    let twin = |_: &Bench| Ok(Box::new(burst(Rc::default())) as Box<dyn Program>);
    let session = wiring.open(profile, train.size, &program, Some(&twin))?;
    let ready = session.ready();
    let heard = |seen: &Seen| {
        let last = |message: &BurstMessage| {
            message.came.map_or(message.handed, |at| at.max(message.handed))
        };
        seen.messages.iter().map(last).max().unwrap_or(ready)
    };
    session.run_while(ready + Duration::from_secs(LONGEST_S), |now| {
        let so_far = seen.borrow();
        let all = so_far.done && so_far.messages.iter().all(|message| message.came.is_some());
        let silence = if so_far.done { patience } else { SILENCE };
        !all && now.since(heard(&so_far)) < silence
    })?;
    let seen = seen.take();
    Ok(Arrived {
        messages: seen.messages,
        handed: seen.handed,
        begin: ready,
        incidents: session.report().incidents,
    })
}
