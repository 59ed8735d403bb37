//! Call scheduling: the start times of calls, and notification of their ends.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use airlag_sim::channel::Notice;
use airlag_sim::{Instant, Sim};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;

use super::outside::Outside;
use super::request::Ask;
use airlag_rig::ends::{Bench, Pins};
use airlag_rig::messages::{Messages, Wires};
use airlag_rig::programs::offered::Offered;
use airlag_rig::programs::saturated::Saturated;

/// Schedule of calls.
#[derive(Clone)]
pub enum Drive {
    /// One call at every trigger. The calling board also emits the strobe of every response.
    Triggered {
        /// Call.
        ask: Ask,
        /// Trigger input and strobe output.
        wires: Wires,
    },
    /// Endless calls back to back, with as many in flight as the settings allow.
    Saturated(Ask, Saturated),
    /// Calls offered through a queue.
    Offered(Ask, Offered),
    /// A list of calls. Each begins as soon as the number in flight allows another one.
    Listed(Listed),
    /// Calls on demand of an external central.
    Outside(Outside),
}

/// Outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallOutcome {
    /// Instant of the beginning.
    pub begun: Instant,
    /// Instant of the end; `None` while unfinished.
    pub over: Option<Instant>,
    /// Whether the response of the call arrived.
    pub answered: bool,
}

/// A list of calls.
#[derive(Clone)]
pub struct Listed {
    /// The calls. One with [`Ask::alone`] starts when all before it have ended.
    pub asks: Rc<[Ask]>,
    /// Outcomes of the calls begun so far.
    pub outcomes: Rc<RefCell<Vec<CallOutcome>>>,
    /// Earliest start of the first call.
    pub begin: Instant,
}

impl Drive {
    /// Calls of the schedule.
    pub(super) fn asks(&self) -> &[Ask] {
        match self {
            Self::Triggered { ask, .. } | Self::Saturated(ask, _) | Self::Offered(ask, _) => {
                std::slice::from_ref(ask)
            }
            Self::Listed(listed) => &listed.asks,
            Self::Outside(_) => &[],
        }
    }

    /// Creates the pace for a central on a board with `pins`. `None` if the central is external.
    pub(super) fn on(
        &self,
        pins: &impl Pins,
        bench: &Bench,
        in_flight: usize,
    ) -> Option<Box<dyn Pace>> {
        let sim = bench.sim();
        Some(match self {
            Self::Triggered { ask, wires } => {
                let (pending, news) = (Rc::new(Cell::new(0_u32)), Rc::new(Notice::new(sim)));
                let (count, raise) = (Rc::clone(&pending), Rc::clone(&news));
                let (mut trigger, noted) = (pins.trigger(&wires.trigger), wires.clone());
                sim.spawn("sender trigger", async move {
                    loop {
                        let Ok(()) = trigger.wait_for_rising_edge().await;
                        noted.begin();
                        count.set(count.get() + 1);
                        raise.raise();
                    }
                });
                let (strobe, messages) = (pins.strobe(&wires.strobe), wires.messages.clone());
                Box::new(AtTriggers { ask: *ask, pending, news, strobe, messages })
            }
            Self::Saturated(ask, program) => {
                let news = at(sim, program.begin);
                Box::new(WithoutEnd { ask: *ask, program: program.clone(), news, in_flight })
            }
            Self::Offered(ask, program) => {
                program.arrive(bench);
                Box::new(AsOffered { ask: *ask, program: program.clone(), in_flight })
            }
            Self::Listed(list) => {
                let news = at(sim, list.begin);
                Box::new(InTurn { list: list.clone(), news, in_flight })
            }
            Self::Outside(_) => return None,
        })
    }
}

/// A notice that is raised at an instant.
fn at(sim: &Sim, instant: Instant) -> Rc<Notice> {
    let news = Rc::new(Notice::new(sim));
    let raise = Rc::clone(&news);
    sim.at(instant, move || raise.raise());
    news
}

/// Decides when calls begin.
pub(super) trait Pace {
    /// Raised when the decision may have changed.
    fn news(&self) -> Rc<Notice>;

    /// The call to start now, if any, while `unfinished` calls are in flight.
    fn begin(&mut self, now: Instant, unfinished: usize) -> Option<Ask>;

    /// Notifies the pace that a call has ended, with or without a response. Calls count from 0.
    fn over(&mut self, nth: usize, now: Instant, answered: bool);
}

struct AtTriggers<S> {
    ask: Ask,
    pending: Rc<Cell<u32>>,
    news: Rc<Notice>,
    strobe: S,
    messages: Messages,
}

impl<S: OutputPin> Pace for AtTriggers<S> {
    fn news(&self) -> Rc<Notice> {
        Rc::clone(&self.news)
    }

    fn begin(&mut self, _: Instant, _: usize) -> Option<Ask> {
        let pending = self.pending.get();
        self.pending.set(pending.saturating_sub(1));
        (pending > 0).then_some(self.ask)
    }

    fn over(&mut self, nth: usize, _: Instant, answered: bool) {
        if answered {
            self.messages.strobe_nth(nth);
            // Pins of a bench do not fail.
            let _ = self.strobe.set_high().and_then(|()| self.strobe.set_low());
        }
    }
}

struct WithoutEnd {
    ask: Ask,
    program: Saturated,
    news: Rc<Notice>,
    in_flight: usize,
}

impl Pace for WithoutEnd {
    fn news(&self) -> Rc<Notice> {
        Rc::clone(&self.news)
    }

    fn begin(&mut self, now: Instant, unfinished: usize) -> Option<Ask> {
        let begins = now >= self.program.begin && unfinished < self.in_flight;
        if begins {
            self.program.carried.borrow_mut().sent += 1;
        }
        begins.then_some(self.ask)
    }

    fn over(&mut self, nth: usize, now: Instant, answered: bool) {
        if answered {
            self.program.deliver(nth as u16, now);
        }
    }
}

struct AsOffered {
    ask: Ask,
    program: Offered,
    in_flight: usize,
}

impl Pace for AsOffered {
    fn news(&self) -> Rc<Notice> {
        self.program.news()
    }

    fn begin(&mut self, now: Instant, unfinished: usize) -> Option<Ask> {
        let begins = unfinished < self.in_flight && self.program.queue.borrow_mut().take(now);
        begins.then_some(self.ask)
    }

    fn over(&mut self, nth: usize, now: Instant, answered: bool) {
        if answered {
            self.program.queue.borrow_mut().deliver(nth as u16, now);
        }
    }
}

struct InTurn {
    list: Listed,
    news: Rc<Notice>,
    in_flight: usize,
}

impl Pace for InTurn {
    fn news(&self) -> Rc<Notice> {
        Rc::clone(&self.news)
    }

    fn begin(&mut self, now: Instant, unfinished: usize) -> Option<Ask> {
        if now < self.list.begin || unfinished >= self.in_flight {
            return None;
        }
        let mut outcomes = self.list.outcomes.borrow_mut();
        let ask = *self.list.asks.get(outcomes.len())?;
        if ask.alone && unfinished > 0 {
            return None;
        }
        outcomes.push(CallOutcome { begun: now, over: None, answered: false });
        Some(ask)
    }

    fn over(&mut self, nth: usize, now: Instant, answered: bool) {
        if let Some(outcome) = self.list.outcomes.borrow_mut().get_mut(nth) {
            (outcome.over, outcome.answered) = (Some(now), answered);
        }
    }
}
