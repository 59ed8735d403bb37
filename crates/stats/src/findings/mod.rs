//! Findings: a closed list of properties of a run that affect the interpretation of its numbers.
//!
//! Each finding has evidence, a message of one or two sentences, and advice. Each threshold comes from a null
//! distribution or a standard, cited where it is applied. A test ensures that a clean run has no findings.

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

/// Names of all findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Name {
    /// The link is overloaded.
    Overload,
    /// The completion is regular and the trigger is not.
    SwappedChannels,
    /// One of the two channels is a bus signal.
    LooksLikeAClock,
    /// Completions do not depend on the triggers.
    NoRelation,
    /// Triggers without a completion.
    LostTransfers,
    /// The window of a trigger is cut off by the end of the capture.
    CensoredEnd,
    /// Rising edges of the trigger channel that are too close to be triggers.
    TriggerGlitch,
    /// Triggers while the link was busy with the previous message.
    PeriodTooShort,
    /// Completions without a trigger.
    StrayCompletion,
    /// The link completes on its own clock.
    OwnPeriod,
    /// The trigger period samples only a few phases of the link's clock.
    PhaseNotExplored,
    /// Latency ramps with the difference of two crystals.
    DriftRamp,
    /// Latencies lie on the lattice of retries.
    RetryQuantum,
    /// The clock is a Wi-Fi beacon: power save.
    PowerSave,
    /// Every n-th transfer differs.
    IndexPattern,
    /// A delayed-acknowledgement timer in the peer.
    DelayedAck,
    /// A timer whose phase is frozen within each of several runs.
    TimerAcrossRuns,
    /// The first transfers differ from the rest.
    WarmUp,
    /// Latency changes over the run.
    Trend,
    /// The sampling grid is too coarse for the spread of the latencies.
    CoarseSampling,
    /// There are too few transfers for a requested quantile.
    FewSamples,
    /// A table of latencies in which losses were paired with the next completion.
    MispairedTable,
    /// The name of the capture contradicts the data.
    NameDisagrees,
}

impl Name {
    /// All findings, in the order of a report.
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

    /// Finds a finding by its name in the JSON.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == name)
    }

    /// Name in the JSON.
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

/// A value in the evidence of a finding.
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
    /// Name of the finding.
    pub name: Name,
    /// Evidence. Each key ends in its unit.
    pub evidence: Vec<(&'static str, Value)>,
    /// Description of the problem, in one or two sentences.
    pub message: String,
    /// Recommended action.
    pub advice: String,
}
