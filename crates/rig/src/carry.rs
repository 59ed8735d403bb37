//! What a link carries: messages without end, or as they are offered.

use std::rc::Rc;

use airlag_sim::{Duration, Instant, Simulation};

use crate::ends::Bench;
use crate::error::Error;
use crate::profile::Profile;
use crate::programs::Program;
use crate::programs::offered::{Message, Offered};
use crate::programs::saturated::{Carried, Saturated};
use crate::report::Incidents;
use crate::run::{SET_UP, check_size, fail_if_stopped, set_up};

/// What came through, and what happened meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub struct Carriage {
    /// What came through.
    pub carried: Carried,
    /// What happened that has a name of its own.
    pub incidents: Incidents,
    /// Events the simulation fired.
    pub events: u64,
}

/// Sends messages of `size` bytes one after the other for `duration`.
///
/// # Errors
///
/// Those of a run, and [`Error::NoBytes`] for a board without a link.
pub fn saturate(
    profile: &Profile,
    size: usize,
    seed: u64,
    duration: Duration,
) -> Result<Carriage, Error> {
    check_size(profile, size)?;
    let time = Simulation::new(seed);
    let bench = Bench::new(&time);
    let program = Saturated::new(size, Instant::START + SET_UP);
    let carried = Rc::clone(&program.carried);
    profile.kind.start(profile, size, &Program::Saturated(program), &bench)?;
    let ready = set_up(profile, &time, &bench)?;
    time.run_until(ready + duration)?;
    fail_if_stopped(&bench)?;
    let carried = *carried.borrow();
    Ok(Carriage { carried, incidents: bench.report().incidents, events: time.events_fired() })
}

/// A load to offer.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Bytes of a message.
    pub size: usize,
    /// Messages the queue holds.
    pub room: usize,
    /// When messages come, from the moment the bench is ready, ascending.
    pub arrivals: Vec<Duration>,
    /// How long after the last of them the bench goes on.
    pub patience: Duration,
}

/// What became of a load.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Every message, in the order in which they came.
    pub messages: Vec<Message>,
    /// Messages that found the queue full.
    pub refused: u64,
    /// Messages that waited, on average over the whole time.
    pub queue_mean: f64,
    /// When the bench was ready.
    pub begin: Instant,
    /// When it stopped.
    pub end: Instant,
    /// What happened that has a name of its own.
    pub incidents: Incidents,
}

/// Offers a load to a link.
///
/// # Errors
///
/// Those of a run, and [`Error::NoBytes`] for a board without a link.
pub fn offer(profile: &Profile, load: &Load, seed: u64) -> Result<Outcome, Error> {
    check_size(profile, load.size)?;
    let time = Simulation::new(seed);
    let bench = Bench::new(&time);
    let begin = Instant::START + SET_UP;
    let arrivals: Vec<Instant> = load.arrivals.iter().map(|&after| begin + after).collect();
    let end = arrivals.last().map_or(begin, |&last| last + load.patience);
    let program = Offered::new(&time, load.size, load.room, arrivals);
    let queue = Rc::clone(&program.queue);
    profile.kind.start(profile, load.size, &Program::Offered(program), &bench)?;
    set_up(profile, &time, &bench)?;
    time.run_until(end)?;
    fail_if_stopped(&bench)?;
    let mut queue = queue.borrow_mut();
    Ok(Outcome {
        queue_mean: queue.mean(begin, end),
        messages: std::mem::take(&mut queue.messages),
        refused: queue.refused,
        begin,
        end,
        incidents: bench.report().incidents,
    })
}
