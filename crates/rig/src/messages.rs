//! Messages matched by identity: the trigger that started each message, and the completion that
//! belongs to it.
//!
//! On the wires, the completions of all messages look the same. The programs on the boards record
//! which message a completion belongs to: the sender records the trigger edge to which it
//! responded, and the receiver records the sequence number of the message for which it strobes. The
//! true latencies of an overloaded link are therefore available.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_sim::{Instant, Line};

/// The wires of one direction, and the record of its messages.
#[derive(Clone)]
pub struct Wires {
    /// Trigger input of the sending board.
    pub trigger: Line,
    /// Strobe output for arriving messages.
    pub strobe: Line,
    /// Record kept by the programs at both ends.
    pub messages: Messages,
}

impl Wires {
    /// Creates two low wires without messages.
    #[must_use]
    pub fn new(sim: &airlag_sim::Sim) -> Self {
        let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));
        Self { trigger, strobe, messages: Messages::default() }
    }

    /// Records that the program starts a message for the edge that it detected last.
    pub fn begin(&self) {
        // An input that does not queue its edges acts on the last one.
        let edge = self.trigger.noticed().unwrap_or_else(|| self.trigger.changed_at());
        self.messages.0.borrow_mut().begun.push(Begun { edge, given_up: false });
    }
}

/// Record kept by the programs at both ends.
#[derive(Clone, Default)]
pub struct Messages(Rc<RefCell<Kept>>);

#[derive(Default)]
struct Kept {
    /// In the order of their sequence numbers.
    begun: Vec<Begun>,
    /// Message of each strobe. `None` if no message matches.
    strobed: Vec<Option<usize>>,
}

#[derive(Clone, Copy)]
struct Begun {
    edge: Instant,
    given_up: bool,
}

impl Messages {
    /// Records that the link gave up the message that was started last.
    pub fn give_up(&self) {
        if let Some(last) = self.0.borrow_mut().begun.last_mut() {
            last.given_up = true;
        }
    }

    /// Records a strobe for a message, by the 16 bits of its sequence number.
    pub fn strobe(&self, sequence: u16) {
        let mut kept = self.0.borrow_mut();
        let behind = |last: usize| usize::from((last as u16).wrapping_sub(sequence));
        let nth = kept.begun.len().checked_sub(1).and_then(|last| last.checked_sub(behind(last)));
        kept.strobed.push(nth);
    }

    /// Records a strobe for the `nth` message, counted from 0.
    pub fn strobe_nth(&self, nth: usize) {
        self.0.borrow_mut().strobed.push(Some(nth));
    }

    /// Matches the triggers at `rises` with the strobes at `strobes`, both ascending, on a clock
    /// that starts at `origin`.
    pub(crate) fn matched(
        &self,
        origin: Instant,
        rises: &[Instant],
        strobes: &[Instant],
    ) -> Matched {
        let kept = self.0.borrow();
        let since = |at: Instant| at.since(origin).as_ns() as i64;
        let outcome = MessageOutcome::NotTaken;
        let mut matched = Matched {
            messages: rises.iter().map(|&at| Message { trigger_ns: since(at), outcome }).collect(),
            repeated_ns: Vec::new(),
        };
        let nth_trigger: Vec<_> =
            kept.begun.iter().map(|one| rises.binary_search(&one.edge).ok()).collect();
        for (one, nth) in kept.begun.iter().zip(&nth_trigger) {
            if let Some(nth) = *nth {
                let outcome =
                    if one.given_up { MessageOutcome::GivenUp } else { MessageOutcome::Open };
                matched.messages[nth].outcome = outcome;
            }
        }
        for (&at, &of) in strobes.iter().zip(&kept.strobed) {
            let nth = of.and_then(|of| nth_trigger.get(of).copied().flatten());
            match nth.map(|nth| &mut matched.messages[nth].outcome) {
                Some(outcome) if !matches!(outcome, MessageOutcome::Completed(_)) => {
                    *outcome = MessageOutcome::Completed(since(at));
                }
                _ => matched.repeated_ns.push(since(at)),
            }
        }
        matched
    }
}

/// The messages of one direction of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matched {
    /// One entry for each trigger, in order.
    pub messages: Vec<Message>,
    /// Duplicate completions, ns.
    pub repeated_ns: Vec<i64>,
}

/// A trigger and its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Trigger time, ns.
    pub trigger_ns: i64,
    /// Outcome.
    pub outcome: MessageOutcome,
}

/// Outcome of a trigger, from the bench's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageOutcome {
    /// No message was started, because the board was busy with an earlier one.
    NotTaken,
    /// The link gave up the message.
    GivenUp,
    /// The message was neither complete nor given up when the run ended.
    Open,
    /// The message was complete at this instant, ns.
    Completed(i64),
}

impl Matched {
    /// Number of messages begun.
    #[must_use]
    pub fn begun(&self) -> usize {
        self.messages.iter().filter(|one| one.outcome != MessageOutcome::NotTaken).count()
    }

    /// Appends the record of another simulated location, delayed by `later_ns`.
    pub(crate) fn append(&mut self, next: Self, later_ns: i64) {
        let later = |one: Message| Message {
            trigger_ns: one.trigger_ns + later_ns,
            outcome: match one.outcome {
                MessageOutcome::Completed(at_ns) => MessageOutcome::Completed(at_ns + later_ns),
                other => other,
            },
        };
        self.messages.extend(next.messages.into_iter().map(later));
        self.repeated_ns.extend(next.repeated_ns.iter().map(|at_ns| at_ns + later_ns));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airlag_sim::Simulation;

    fn at(ns: u64) -> Instant {
        Instant::from_ns(ns)
    }

    #[test]
    fn a_completion_belongs_to_the_message_of_its_number_and_not_to_the_last_trigger() {
        let sim = Simulation::new(1);
        let wires = Wires::new(&sim);
        wires.trigger.notice(at(10));
        wires.begin();
        wires.trigger.notice(at(30));
        wires.begin();
        wires.messages.give_up();
        wires.trigger.notice(at(40));
        wires.begin();
        for sequence in [0, 0, 2] {
            wires.messages.strobe(sequence);
        }
        let rises = [10, 20, 30, 40, 50].map(at);
        let matched = wires.messages.matched(at(0), &rises, &[35, 36, 52].map(at));
        let outcomes: Vec<_> = matched.messages.iter().map(|one| one.outcome).collect();
        let expected = [
            MessageOutcome::Completed(35),
            MessageOutcome::NotTaken,
            MessageOutcome::GivenUp,
            MessageOutcome::Completed(52),
            MessageOutcome::NotTaken,
        ];
        assert_eq!(outcomes, expected);
        assert_eq!((matched.repeated_ns.as_slice(), matched.begun()), (&[36][..], 3));
    }

    #[test]
    fn sequence_numbers_wrap() {
        let sim = Simulation::new(1);
        let wires = Wires::new(&sim);
        let rises: Vec<Instant> = (0..65_540).map(at).collect();
        for &rise in &rises {
            wires.trigger.notice(rise);
            wires.begin();
        }
        wires.messages.strobe(3);
        wires.messages.strobe(65_535);
        let matched = wires.messages.matched(at(0), &rises, &[70_000, 70_001].map(at));
        let done = |nth: usize| matched.messages[nth].outcome;
        assert_eq!([done(65_539), done(65_535)], [70_000, 70_001].map(MessageOutcome::Completed));
        assert_eq!(done(3), MessageOutcome::Open);
    }
}
