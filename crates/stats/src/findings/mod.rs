//! A closed list of things that are true of a run and matter to whoever reads its numbers.
//!
//! Each finding carries the numbers it rests on, says what happened in one or two sentences, and
//! what to do about it. Each has a threshold that comes from a null distribution or a standard,
//! cited where it is applied, and a test that a clean run does not raise it.

pub mod ack;
pub mod across;
pub mod bench;
pub mod censored_end;
pub mod channels;
pub mod clock;
pub mod coarse_sampling;
mod delivered;
pub mod few_samples;
pub mod index_pattern;
pub mod lattice;
pub mod lost_transfers;
pub mod mispaired_table;
pub mod name_disagrees;
pub mod period_too_short;
pub mod ramp;
pub mod run;
pub mod stray_completion;
pub mod trend;
pub mod trigger_glitch;
pub mod warm_up;

use std::fmt;

/// The findings there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// The link is offered more than it carries.
    Overload,
    /// The completion keeps time and the trigger does not.
    SwappedChannels,
    /// One of the two wires is one of a bus.
    LooksLikeAClock,
    /// Completions come when they like.
    NoRelation,
    /// Triggers without a completion.
    LostTransfers,
    /// A last trigger whose window the end of the capture cut.
    CensoredEnd,
    /// Rises of the trigger wire too close to be triggers.
    TriggerGlitch,
    /// Triggers that came before the link was done with the message before.
    PeriodTooShort,
    /// Completions nobody asked for.
    StrayCompletion,
    /// The link completes on a clock of its own.
    OwnPeriod,
    /// The trigger period samples only a few phases of the link's clock.
    PhaseNotExplored,
    /// Latency ramps with the difference of two crystals.
    DriftRamp,
    /// Latencies lie on a lattice of retries.
    RetryQuantum,
    /// The clock is a Wi-Fi beacon: power save.
    PowerSave,
    /// Every n-th transfer is different.
    IndexPattern,
    /// A delayed-acknowledgement timer in the peer.
    DelayedAck,
    /// A timer whose phase is frozen within each of several runs.
    TimerAcrossRuns,
    /// The first transfers differ from the rest.
    WarmUp,
    /// Latency changes over the run.
    Trend,
    /// The sampling grid is too coarse for the spread.
    CoarseSampling,
    /// Too few transfers for a quantile asked for.
    FewSamples,
    /// A table of latencies in which losses were paired with the next completion.
    MispairedTable,
    /// The name says one thing, the data another.
    NameDisagrees,
}

impl Name {
    /// Every finding, in the order reports list them.
    pub const ALL: [Self; 23] = [
        Self::Overload,
        Self::SwappedChannels,
        Self::LooksLikeAClock,
        Self::NoRelation,
        Self::LostTransfers,
        Self::CensoredEnd,
        Self::TriggerGlitch,
        Self::PeriodTooShort,
        Self::StrayCompletion,
        Self::OwnPeriod,
        Self::PhaseNotExplored,
        Self::DriftRamp,
        Self::RetryQuantum,
        Self::PowerSave,
        Self::IndexPattern,
        Self::DelayedAck,
        Self::TimerAcrossRuns,
        Self::WarmUp,
        Self::Trend,
        Self::CoarseSampling,
        Self::FewSamples,
        Self::MispairedTable,
        Self::NameDisagrees,
    ];

    /// The finding other tools know by this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == name)
    }

    /// The name other tools rely on.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Overload => "overload",
            Self::SwappedChannels => "swapped-channels",
            Self::LooksLikeAClock => "looks-like-a-clock",
            Self::NoRelation => "no-relation",
            Self::LostTransfers => "lost-transfers",
            Self::CensoredEnd => "censored-end",
            Self::TriggerGlitch => "trigger-glitch",
            Self::PeriodTooShort => "period-too-short",
            Self::StrayCompletion => "stray-completion",
            Self::OwnPeriod => "own-period",
            Self::PhaseNotExplored => "phase-not-explored",
            Self::DriftRamp => "drift-ramp",
            Self::RetryQuantum => "retry-quantum",
            Self::PowerSave => "power-save",
            Self::IndexPattern => "index-pattern",
            Self::DelayedAck => "delayed-ack",
            Self::TimerAcrossRuns => "timer-across-runs",
            Self::WarmUp => "warm-up",
            Self::Trend => "trend",
            Self::CoarseSampling => "coarse-sampling",
            Self::FewSamples => "few-samples",
            Self::MispairedTable => "mispaired-table",
            Self::NameDisagrees => "name-disagrees",
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A number a finding rests on.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A count, an index or nanoseconds.
    Int(i64),
    /// A statistic.
    Float(f64),
    /// Indices or nanoseconds.
    List(Vec<i64>),
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Which.
    pub name: Name,
    /// The numbers it rests on; units are in the keys.
    pub evidence: Vec<(&'static str, Value)>,
    /// What happened, in one or two sentences.
    pub message: String,
    /// What to do about it.
    pub advice: String,
}
