//! What a link carries: messages without end, as they are offered, or so many at once.

use std::rc::Rc;

use airlag_sim::{Duration, Instant, Sim};

use crate::draws::Draws;
use crate::ends::Bench;
use crate::error::Error;
use crate::exchange::AnyExchange;
use crate::payload::check_size;
use crate::profile::Profile;
use crate::programs::Program;
use crate::programs::burst::{Burst, Fate, Seen};
use crate::programs::offered::{Message, Offered, Offers};
use crate::programs::saturated::{Carried, Saturated};
use crate::report::Incidents;
use crate::run::Span;
use crate::session::{READY, Wiring};

/// How much of an endless stream is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Messages that come before the watch starts: queues on the way are full by then.
    pub settle: u64,
    /// Messages that come while it runs.
    pub count: u64,
    /// The longest the bench goes on.
    pub longest: Duration,
    /// Keep named slices of time.
    pub spans: bool,
    /// Exchanges instead of messages.
    pub exchange: Option<AnyExchange>,
}

impl Extent {
    /// As many messages as come in a time.
    #[must_use]
    pub const fn lasting(longest: Duration) -> Self {
        Self { settle: 1, count: u64::MAX, longest, spans: false, exchange: None }
    }

    /// So many messages, and a tenth of that before them, however long they take.
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

/// Longest stream, s: as the longest capture that is matched, twelve days.
const LONGEST_S: u64 = 12 * 86_400;
/// A link over which nothing came for so long carries nothing.
const SILENCE: Duration = Duration::from_secs(3_600);
/// A stream ends when so many times as many messages came or were passed by as should come; where nothing
/// does, [`HELD`] after so many were sent.
const IN_VAIN: u64 = 10;
/// Longest time for which a link is believed to hold all that was sent: a TUN device takes 500 packets at
/// once, before any of them comes.
const HELD: Duration = Duration::from_secs(10);

/// What came through, and what happened meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub struct Carriage {
    /// What came through.
    pub carried: Carried,
    /// From each message that came while the watch ran to the next, ns.
    pub gaps_ns: Vec<i64>,
    /// Named slices, ns since the simulation began; empty unless asked for.
    pub spans: Vec<Span>,
    /// Names of the lanes slices lie on.
    pub tracks: Vec<String>,
    /// What happened that has a name of its own.
    pub incidents: Incidents,
    /// Events the simulation fired.
    pub events: u64,
}

/// Sends messages of `size` bytes one after the other.
///
/// # Errors
///
/// Those of a run, and [`Error::NoBytes`] for a board without a link.
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

/// A load to offer.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Exchanges instead of messages.
    pub exchange: Option<AnyExchange>,
    /// Bytes of a message.
    pub size: usize,
    /// Messages the queue holds.
    pub room: usize,
    /// Messages there before any comes, however many the queue holds: what is in it, and what the link
    /// takes before it keeps the sender waiting.
    pub ahead: usize,
    /// When messages come, from the moment the bench is ready, ascending.
    pub arrivals: Vec<Duration>,
    /// When the queue is looked at, from the moment the bench is ready.
    pub watch: (Duration, Duration),
    /// How long after the last of them the bench goes on, unless all of them have come before.
    pub patience: Duration,
}

/// What became of a load.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Every message, those ahead first, then in the order in which they came.
    pub messages: Vec<Message>,
    /// Messages that waited, on average over the time the queue was looked at.
    pub queue_mean: f64,
    /// When the bench was ready.
    pub begin: Instant,
    /// When it stopped.
    pub end: Instant,
    /// What happened that has a name of its own.
    pub incidents: Incidents,
    /// How long each part that draws current was in each of its states meanwhile.
    pub draws: Draws,
}

/// Offers a load to a link.
///
/// # Errors
///
/// Those of a run, and [`Error::NoBytes`] for a board without a link.
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
    // The same load, all of it as much later as a message comes after another on average.
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

/// Messages to be sent back to back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Train {
    /// Bytes of a message.
    pub size: usize,
    /// How many.
    pub count: u32,
    /// From one being handed over to the next, at least; none if only the link decides.
    pub pace: Option<Duration>,
    /// Whether what lacks is sent again until all of it is there.
    pub repeat: bool,
}

/// What became of a train.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrived {
    /// Every message, by its position.
    pub messages: Vec<Fate>,
    /// How often a message was handed over, repeats included.
    pub handed: u64,
    /// When the first was begun.
    pub begin: Instant,
    /// What happened that has a name of its own.
    pub incidents: Incidents,
}

/// How long nothing may come until a train counts as over: this, and some messages as long as they take
/// at least.
const PATIENCE: (Duration, u64) = (Duration::from_secs(2), 16);

/// Sends a train of messages over a link.
///
/// # Errors
///
/// Those of a run; [`Error::NoBytes`] for a board without a link, and [`Error::OneWay`] where what lacks
/// cannot be asked for.
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
        let last =
            |message: &Fate| message.came.map_or(message.handed, |at| at.max(message.handed));
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
