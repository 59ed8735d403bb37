//! Time slices: name, class and attribution precedence.
//!
//! Each time slice is a `static` that is declared once. If several models need the slice, the
//! `static` is in a shared module. Otherwise, it is in the folder of the only chip or stack that
//! needs the slice. A span of time is recorded with a reference to the `static`, so that a misspelt
//! name does not compile:
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

/// Class of a time slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Fixture: detection of the trigger, driving of the strobe.
    Fixture,
    /// A frame on the air, or a byte on the wire between the boards.
    Medium,
    /// Reply of the other end, on the air.
    Answer,
    /// Mode change of a radio, or processing of a received signal.
    Radio,
    /// Transfer between a processor and its radio.
    Bus,
    /// Computation of a processor.
    Work,
    /// Wait for a clock, a slot or a timeout.
    Wait,
    /// Unrecorded time.
    Other,
    /// Idle chip, or activity that the medium already records. No time is attributed to this class.
    Idle,
}

impl Class {
    /// All classes to which time is attributed.
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

    /// Name of the class.
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

/// Attribution precedence of overlapping spans: time is attributed to the span that is first in
/// this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// Reply of the other end, which the medium records as a frame.
    Answer,
    /// Retransmitted frame, which the medium records as a frame.
    Repeat,
    /// Frame or byte.
    Frame,
    /// Settling of a radio, independent of its processor.
    Settle,
    /// Transfer between a processor and its radio.
    Bus,
    /// Computation of a processor.
    Work,
    /// Start or mode change of a radio, or notification of its processor.
    Switch,
    /// Turnaround between reception and transmission.
    Turnaround,
    /// Time required after a frame, before it can be used or the next one sent.
    Follow,
    /// Program that waits for its clock, or has not polled yet.
    Look,
    /// Wait after a missed opportunity to transmit or to be received.
    Missed,
    /// A frame without data of the message. It precedes only waits that it can cause: a beacon
    /// delays a radio that is about to transmit, but not a program that waits for its tick.
    Besides,
    /// Data waiting for access to the medium.
    Turn,
    /// Data held back by a stack.
    Held,
    /// Wait for an expected reply, or for the end of the delay before a frame may be repeated.
    Await,
    /// Wait for a reply that does not arrive.
    TimeOut,
    /// Damaged reply.
    Broken,
    /// Radio about to reply, which delays nothing except the reply.
    Reply,
    /// No time is attributed to the span.
    Idle,
}

/// A kind of time slice.
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

    /// Computation of a program that exists only on a bench.
    #[must_use]
    pub const fn fixture(name: &'static str) -> Self {
        Self::new(name, Class::Fixture, Precedence::Work)
    }

    /// Data of the message on the medium.
    #[must_use]
    pub const fn medium(name: &'static str, precedence: Precedence) -> Self {
        Self::new(name, Class::Medium, precedence)
    }

    /// Frame without data of the message, in addition to the frame that the medium records.
    #[must_use]
    pub const fn besides(name: &'static str) -> Self {
        Self::new(name, Class::Medium, Precedence::Besides)
    }

    /// Reply of the other end, in addition to the frame that the medium records.
    #[must_use]
    pub const fn answer(name: &'static str) -> Self {
        Self::new(name, Class::Answer, Precedence::Answer)
    }

    /// Mode change of a radio.
    #[must_use]
    pub const fn radio(name: &'static str, precedence: Precedence) -> Self {
        Self::new(name, Class::Radio, precedence)
    }

    /// Transfer between a processor and its radio.
    #[must_use]
    pub const fn bus(name: &'static str) -> Self {
        Self::new(name, Class::Bus, Precedence::Bus)
    }

    /// Computation of a processor.
    #[must_use]
    pub const fn work(name: &'static str) -> Self {
        Self::new(name, Class::Work, Precedence::Work)
    }

    /// Wait for a clock, a slot or a timeout.
    #[must_use]
    pub const fn wait(name: &'static str, precedence: Precedence) -> Self {
        Self::new(name, Class::Wait, precedence)
    }

    /// Idle chip, or activity that the medium already records.
    #[must_use]
    pub const fn idle(name: &'static str) -> Self {
        Self::new(name, Class::Idle, Precedence::Idle)
    }

    /// Marks a slice in which a trigger can be detected. Its time then belongs to the fixture.
    #[must_use]
    pub const fn noticing(self) -> Self {
        Self { notices: true, ..self }
    }

    /// Name, a short term of the field.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Class of the slice.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.class
    }

    /// Attribution precedence.
    #[must_use]
    pub const fn precedence(&self) -> Precedence {
        self.precedence
    }

    /// Returns true if a trigger can be detected in this slice.
    #[must_use]
    pub const fn notices(&self) -> bool {
        self.notices
    }
}
