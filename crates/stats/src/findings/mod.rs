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
pub mod sniffer_loss;
pub mod stray_completion;
pub mod trend;
pub mod trigger_glitch;
pub mod warm_up;

use std::fmt;

/// Declares the findings, in the order of a report, each with its name in the JSON.
macro_rules! findings {
    ($($(#[$about:meta])* $variant:ident = $name:literal,)*) => {
        /// Names of all findings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Name {
            $($(#[$about])* $variant,)*
        }

        impl Name {
            /// All findings, in the order of a report.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// Name of the finding in JSON output.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

findings! {
    /// The link is overloaded.
    Overload = "overload",
    /// The completion is regular and the trigger is not.
    SwappedChannels = "swapped-channels",
    /// One of the two channels is a bus signal.
    LooksLikeAClock = "looks-like-a-clock",
    /// Completions do not depend on the triggers.
    NoRelation = "no-relation",
    /// Triggers without a completion.
    LostTransfers = "lost-transfers",
    /// The window of a trigger is cut off by the end of the capture.
    CensoredEnd = "censored-end",
    /// The sniffer missed packets.
    SnifferLoss = "sniffer-loss",
    /// Rising edges of the trigger channel that are too close to be triggers.
    TriggerGlitch = "trigger-glitch",
    /// Triggers while the link was busy with the previous message.
    PeriodTooShort = "period-too-short",
    /// Completions without a trigger.
    StrayCompletion = "stray-completion",
    /// The link completes on its own clock.
    OwnPeriod = "own-period",
    /// The trigger period samples only a few phases of the link's clock.
    PhaseNotExplored = "phase-not-explored",
    /// Latency ramps with the difference of two crystals.
    DriftRamp = "drift-ramp",
    /// Latencies lie on the lattice of retries.
    RetryQuantum = "retry-quantum",
    /// The clock is a Wi-Fi beacon: power save.
    PowerSave = "power-save",
    /// Every n-th transfer differs.
    IndexPattern = "index-pattern",
    /// A delayed-acknowledgement timer in the peer.
    DelayedAck = "delayed-ack",
    /// A timer whose phase is frozen within each of several runs.
    TimerAcrossRuns = "timer-across-runs",
    /// The first transfers differ from the rest.
    WarmUp = "warm-up",
    /// Latency changes over the run.
    Trend = "trend",
    /// The sampling grid is too coarse for the spread of the latencies.
    CoarseSampling = "coarse-sampling",
    /// There are too few transfers for a requested quantile.
    FewSamples = "few-samples",
    /// A table of latencies in which losses were paired with the next completion.
    MispairedTable = "mispaired-table",
    /// The name of the capture contradicts the data.
    NameDisagrees = "name-disagrees",
}

impl Name {
    /// Returns the finding with this name in JSON output, if there is one.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == name)
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
