//! Errors of questions. Each is one line: the problem, its location, and a valid alternative.

/// Reason why a question cannot be answered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bench could not be built or run.
    #[error(transparent)]
    Rig(#[from] airlag_rig::Error),
    /// Activities of a transfer that do not add up to its latency.
    #[error(transparent)]
    Uneven(#[from] airlag_stats::budget::Uneven),
    /// A capture or a bench without a completed transfer.
    #[error("no transfer completed in {side}, so there is nothing to compare")]
    NothingArrived {
        /// The capture or the bench.
        side: &'static str,
    },
    /// A capture that is too long to repeat on the bench.
    #[error(
        "the capture lasts {seconds} s, but the bench repeats at most 12 days; match fewer triggers"
    )]
    CaptureTooLong {
        /// Time from the first to the last trigger, s.
        seconds: i128,
    },
    /// A link without a limit on its load.
    #[error("{link}: messages take no time, so a load has no limit; choose another link")]
    NoTime {
        /// Link profile.
        link: String,
    },
    /// A link that does not carry IP packets.
    #[error("{link} is not a tunnel, as it has no MTU; choose tunnel or tunnel-naive")]
    NoPackets {
        /// Link profile.
        link: String,
    },
    /// A network whose parameters exclude each other or exceed a limit.
    #[error("{name} is {value}, but must be {allowed}")]
    Network {
        /// Parameter.
        name: &'static str,
        /// Requested value.
        value: String,
        /// Permitted values.
        allowed: String,
    },
    /// A setting that the requested network does not have.
    #[error("{name}: the network has no such setting")]
    NotOfNetwork {
        /// Setting.
        name: &'static str,
    },
    /// A platform without benchmarks.
    #[error("no platform {name:?}; choose from {}", crate::rpc::published::names())]
    NoPlatform {
        /// Name in the question.
        name: String,
    },
    /// A part entered a power state without a listed current.
    #[error("{part} has no current for `{state}` in links/parts.toml; list it there")]
    NoCurrent {
        /// Name of the part.
        part: String,
        /// Power state.
        state: &'static str,
    },
    /// An offset without aligned triggers.
    #[error(
        "an offset needs triggers of aligned phase; choose that phase, or leave the offset out"
    )]
    Offset,
    /// Aligned triggers in both directions.
    #[error("aligned phase does not support traffic both; choose traffic trigger or echo")]
    AlignedBothWays,
    /// A run beyond the range of 64-bit nanoseconds.
    #[error(
        "{link}: {count} triggers every {period_s} s last longer than 73 years; choose fewer, or a \
         shorter period"
    )]
    TooLong {
        /// Link profile.
        link: String,
        /// Number of triggers.
        count: usize,
        /// Time between triggers, s.
        period_s: f64,
    },
    /// Text that is not a question, or a question that contradicts itself.
    #[error("{cause}")]
    Question {
        /// The problem, and a valid alternative.
        cause: String,
    },
    /// An invalid campaign or sweep file.
    #[error("{line}")]
    Plan {
        /// One line with the location in the file, the problem and a valid alternative.
        line: String,
    },
    /// A capture that cannot be used.
    #[error("{line}")]
    Capture {
        /// One line that names the file and the location.
        line: String,
    },
    /// A failure of a Thread network.
    #[error("{line}")]
    Thread {
        /// One line that names the node, the time and the cause.
        line: String,
    },
    /// The simulation stopped.
    #[error(transparent)]
    Simulation(#[from] airlag_sim::Error),
}

#[cfg(not(target_family = "wasm"))]
impl From<airlag_openthread::Error> for Error {
    fn from(error: airlag_openthread::Error) -> Self {
        match error {
            airlag_openthread::Error::Interrupted => Self::Rig(airlag_rig::Error::Interrupted),
            other => Self::Thread { line: other.to_string() },
        }
    }
}

impl From<airlag_trace::Error> for Error {
    fn from(error: airlag_trace::Error) -> Self {
        Self::Capture { line: error.to_string() }
    }
}
