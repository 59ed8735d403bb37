//! What can be wrong with a question. One line each: what, where, and what would be right.

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bench could not be built or run.
    #[error(transparent)]
    Rig(#[from] airlag_rig::Error),
    /// Slices that are not what a transfer took.
    #[error(transparent)]
    Uneven(#[from] airlag_stats::budget::Uneven),
    /// A capture, or a bench, in which no transfer was completed.
    #[error("nothing arrived in {side}: there is nothing to match")]
    NothingArrived {
        /// Which of the two.
        side: &'static str,
    },
    /// A capture the bench would repeat for too long.
    #[error(
        "the capture lasts {seconds} s; the bench repeats at most 12 days: match fewer triggers"
    )]
    CaptureTooLong {
        /// From the first trigger to the last.
        seconds: i128,
    },
    /// A link on which nothing limits a load.
    #[error("{link}: a message takes no time at all, so there is no load to compare with")]
    NoTime {
        /// Which profile.
        link: String,
    },
    /// A link that says nothing of IP packets.
    #[error("{link} is no tunnel: it sets no longest IP packet; take tunnel or tunnel-naive")]
    NoPackets {
        /// Which profile.
        link: String,
    },
    /// A platform without benchmarks.
    #[error("no platform {name:?}; there are {}", crate::rpc::published::names())]
    NoPlatform {
        /// What was asked for.
        name: String,
    },
    /// A part was in a state whose current is not listed.
    #[error("{part} has no current for `{state}` in links/parts.toml; list it there")]
    NoCurrent {
        /// Which part.
        part: String,
        /// In which state.
        state: &'static str,
    },
    /// An offset of triggers that are not aligned.
    #[error(
        "an offset is for triggers of aligned phase; choose that phase, or leave the offset out"
    )]
    Offset,
    /// Aligned triggers both ways.
    #[error("triggers of aligned phase go one way; choose traffic trigger or echo")]
    AlignedBothWays,
    /// A run that 64-bit nanoseconds do not hold.
    #[error(
        "{link}: {count} triggers every {period_s} s last longer than 73 years; choose fewer, or a \
         shorter period"
    )]
    TooLong {
        /// Which profile.
        link: String,
        /// Triggers.
        count: usize,
        /// From trigger to trigger, s.
        period_s: f64,
    },
    /// Text that is no question, or a question that contradicts itself.
    #[error("{cause}")]
    Question {
        /// What is wrong, and what would be right.
        cause: String,
    },
    /// A file of a campaign or a sweep that cannot be run as it is written.
    #[error("{line}")]
    Plan {
        /// One line that says where in the file, what is wrong, and what would be right.
        line: String,
    },
    /// A capture that cannot be used; one line that names the file and the place.
    #[error("{line}")]
    Capture {
        /// The line.
        line: String,
    },
    /// A network of OpenThread nodes failed.
    #[error("{line}")]
    Thread {
        /// One line that names the node, the time and the cause.
        line: String,
    },
    /// The simulation stopped.
    #[error(transparent)]
    Simulation(#[from] airlag_sim::Error),
}

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
