//! What a slice of time is spent on: its name, its class, and what it gives way to.
//!
//! Each is a `static`, declared once: by the room where several need it, else in the folder of the
//! only chip or stack that has it. Whoever records time names one, so a misspelt name does not
//! compile:
//!
//! ```compile_fail,E0425
//! # use airlag_sim::{Duration, Simulation, Slice};
//! static BACKOFF: Slice = Slice::work("backoff");
//! # let sim = Simulation::new(0);
//! # let (track, begin) = (sim.track("radio"), sim.now());
//! sim.span(track, &BACKOF, begin, begin + Duration::from_us(320));
//! ```
//!
//! and neither does a name without a class:
//!
//! ```compile_fail,E0308
//! # use airlag_sim::{Duration, Simulation};
//! # let sim = Simulation::new(0);
//! # let (track, begin) = (sim.track("radio"), sim.now());
//! sim.span(track, "backoff", begin, begin + Duration::from_us(320));
//! ```

/// What kind of thing time is spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The bench itself: noticing the trigger, driving the strobe.
    Fixture,
    /// A frame on the air, a byte on the wire between the boards.
    Medium,
    /// What the other end answers, on the air.
    Answer,
    /// A radio that changes what it does, or makes bytes of what it heard.
    Radio,
    /// Bytes between a processor and its radio.
    Bus,
    /// A processor at work.
    Work,
    /// A clock, a slot or a time-out that has to come round.
    Wait,
    /// Nobody recorded anything.
    Other,
    /// A chip with nothing to do, or one that repeats what the medium shows. Does not count.
    Idle,
}

impl Class {
    /// Every class that counts.
    pub const ALL: [Self; 8] = [
        Self::Fixture,
        Self::Medium,
        Self::Answer,
        Self::Radio,
        Self::Bus,
        Self::Work,
        Self::Wait,
        Self::Other,
    ];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fixture => "fixture",
            Self::Medium => "medium",
            Self::Answer => "answer",
            Self::Radio => "radio",
            Self::Bus => "bus",
            Self::Work => "work",
            Self::Wait => "wait",
            Self::Other => "other",
            Self::Idle => "idle",
        }
    }
}

/// Which of the things that go on at once time belongs to: the one that comes first here, the most
/// telling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// The answer of the other end, which the medium shows as a frame.
    Answer,
    /// A frame sent again, which the medium shows as a frame.
    Repeat,
    /// A frame, a byte.
    Frame,
    /// A radio that takes its own time whatever its processor does meanwhile.
    Settle,
    /// Bytes between a processor and its radio.
    Bus,
    /// A processor at work.
    Work,
    /// A radio that starts, changes its mode, or tells its processor.
    Switch,
    /// A radio between listening and sending.
    Turnaround,
    /// What has to follow a frame before it is of use, or before the next.
    Follow,
    /// A program that waits for its own clock, or has not looked yet.
    Look,
    /// A moment to send, or to be heard, that went by.
    Missed,
    /// A frame that carries nothing of the message. It counts for what would be a wait without it:
    /// a beacon delays a radio that wants to send, and not a program that waits for its tick.
    Besides,
    /// Data whose turn on the medium has not come.
    Turn,
    /// A stack that holds data back.
    Held,
    /// An answer that is due, and the time until a frame may be repeated.
    Await,
    /// An answer that did not come.
    TimeOut,
    /// An answer that came damaged.
    Broken,
    /// A radio about to answer, which delays nobody but by the answer.
    Reply,
    /// Does not count.
    Idle,
}

/// What time is spent on.
#[derive(Debug, PartialEq, Eq)]
pub struct Slice {
    name: &'static str,
    class: Class,
    precedence: Precedence,
    notices: bool,
}

impl Slice {
    const fn new(name: &'static str, class: Class, precedence: Precedence) -> Self {
        Self { name, class, precedence, notices: false }
    }

    /// Work of a program that only a bench has.
    #[must_use]
    pub const fn fixture(name: &'static str) -> Self {
        Self::new(name, Class::Fixture, Precedence::Work)
    }

    /// Something of the message on the medium.
    #[must_use]
    pub const fn medium(name: &'static str, precedence: Precedence) -> Self {
        Self::new(name, Class::Medium, precedence)
    }

    /// A frame that carries nothing of the message, beside what the medium shows of it.
    #[must_use]
    pub const fn besides(name: &'static str) -> Self {
        Self::new(name, Class::Medium, Precedence::Besides)
    }

    /// What the other end answers, beside what the medium shows of it.
    #[must_use]
    pub const fn answer(name: &'static str) -> Self {
        Self::new(name, Class::Answer, Precedence::Answer)
    }

    /// A radio that changes what it does.
    #[must_use]
    pub const fn radio(name: &'static str, precedence: Precedence) -> Self {
        Self::new(name, Class::Radio, precedence)
    }

    /// Bytes between a processor and its radio.
    #[must_use]
    pub const fn bus(name: &'static str) -> Self {
        Self::new(name, Class::Bus, Precedence::Bus)
    }

    /// A processor at work.
    #[must_use]
    pub const fn work(name: &'static str) -> Self {
        Self::new(name, Class::Work, Precedence::Work)
    }

    /// Something that has to come round.
    #[must_use]
    pub const fn wait(name: &'static str, precedence: Precedence) -> Self {
        Self::new(name, Class::Wait, precedence)
    }

    /// A chip with nothing to do, or one that repeats what the medium shows.
    #[must_use]
    pub const fn idle(name: &'static str) -> Self {
        Self::new(name, Class::Idle, Precedence::Idle)
    }

    /// A trigger is noticed like this, too: then it is the bench's.
    #[must_use]
    pub const fn noticing(self) -> Self {
        Self { notices: true, ..self }
    }

    /// A short term of the field.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What kind of thing it is.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.class
    }

    /// What it gives way to.
    #[must_use]
    pub const fn precedence(&self) -> Precedence {
        self.precedence
    }

    /// True if a trigger can be noticed like this.
    #[must_use]
    pub const fn notices(&self) -> bool {
        self.notices
    }
}
