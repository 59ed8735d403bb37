//! What can be wrong with a request. One line each: what, where, and what would be right.

/// Why a bench could not be built or run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is not a profile.
    #[error("{name}: {message}")]
    Syntax {
        /// Which profile.
        name: String,
        /// What the parser said, on one line.
        message: String,
    },
    /// A link nobody has described.
    #[error("no link `{name}`; did you mean `{nearest}`?")]
    UnknownLink {
        /// What was asked for.
        name: String,
        /// The closest one there is.
        nearest: String,
    },
    /// A parameter this kind of link does not have.
    #[error("{link}: no parameter `{name}`; did you mean `{nearest}`?")]
    UnknownParameter {
        /// Which profile.
        link: String,
        /// What was asked for.
        name: String,
        /// The closest one there is.
        nearest: &'static str,
    },
    /// A parameter this kind of link needs.
    #[error("{link}: parameter `{name}` is missing")]
    MissingParameter {
        /// Which profile.
        link: String,
        /// What is needed.
        name: &'static str,
    },
    /// A value outside what the hardware has.
    #[error("{link}: `{name}` is {value}, but goes from {low} to {high} {unit}")]
    OutOfRange {
        /// Which profile.
        link: String,
        /// Which parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// The least.
        low: f64,
        /// The most.
        high: f64,
        /// Of what.
        unit: &'static str,
    },
    /// A value that is none of the choices.
    #[error("{link}: `{name}` cannot be {value}; it is {choices}")]
    NoSuchChoice {
        /// Which profile.
        link: String,
        /// Which parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What there is.
        choices: &'static str,
    },
    /// A value that a standard forbids, or that cannot work together with the others.
    #[error("{link}: `{name}`: {cause}")]
    NotAllowed {
        /// Which profile.
        link: String,
        /// Which parameter.
        name: &'static str,
        /// What is wrong, and what would be right.
        cause: String,
    },
    /// A constant or a figure whose origin is not said, or not rightly.
    #[error("{name}: `{constant}`: {cause}")]
    Unsourced {
        /// Which profile or file.
        name: String,
        /// Which constant.
        constant: String,
        /// What is missing, and what would be right.
        cause: String,
    },
    /// A document nobody has described.
    #[error("no source `{key}` in links/sources.toml; did you mean `{nearest}`?")]
    UnknownSource {
        /// What was cited.
        key: String,
        /// The closest one there is.
        nearest: &'static str,
    },
    /// A message this bench cannot carry.
    #[error("{link}: a message has {low} to {high} bytes, not {size}")]
    Size {
        /// On which link.
        link: String,
        /// What was asked for.
        size: usize,
        /// The least.
        low: usize,
        /// The most.
        high: usize,
    },
    /// A link without a medium, where a sniffer hears nothing.
    #[error("{link} goes over a wire: there is nothing to sniff; choose a link with a radio")]
    NoAir {
        /// Which profile.
        link: String,
    },
    /// A driver or a program stopped.
    #[error("{board} stopped: {cause}")]
    Stopped {
        /// On which board.
        board: &'static str,
        /// Why.
        cause: String,
    },
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
    /// The simulation stopped.
    #[error(transparent)]
    Simulation(#[from] airlag_sim::Error),
}
