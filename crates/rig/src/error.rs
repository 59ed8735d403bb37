//! What can be wrong with a request. One line each: what, where, and what would be right.

use std::fmt::Display;

use crate::dependant::Dependant;
use crate::parameter::Name;
use crate::profile::Profile;

/// What else would do, behind what would be right.
fn or_set(unless: &Option<Dependant>) -> String {
    let set = |one: &Dependant| format!(", or set {}={}", one.name.as_str(), one.value);
    unless.as_ref().map(set).unwrap_or_default()
}

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
    #[error("no link `{name}`; did you mean {}?", either(nearest))]
    UnknownLink {
        /// What was asked for.
        name: String,
        /// The closest there are.
        nearest: Vec<String>,
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
        choices: String,
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
    /// A kind nobody has described.
    #[error("no kind of link `{name}`; did you mean `{nearest}`?")]
    UnknownKind {
        /// What was asked for.
        name: String,
        /// The closest one there is.
        nearest: &'static str,
    },
    /// A program that sends both ways over a link that does not.
    #[error(
        "{link} sends one way only: choose trigger, goodput or load, which need no answer{}",
        or_set(.unless)
    )]
    OneWay {
        /// Which profile.
        link: String,
        /// What has to be set for it to send both ways, if anything helps.
        unless: Option<Dependant>,
    },
    /// An exchange of a size there is none of.
    #[error("{exchange} takes 1 to {most} {unit}, not {size}")]
    ExchangeSize {
        /// Which exchange.
        exchange: &'static str,
        /// What was asked for.
        size: usize,
        /// The most.
        most: usize,
        /// Of what.
        unit: &'static str,
    },
    /// Triggers aligned to transmissions of a link that makes none on its own.
    #[error(
        "{link}: no radio transmits while no message waits, so triggers cannot be aligned; choose \
         phase uniform or frozen"
    )]
    NoSchedule {
        /// Which profile.
        link: String,
    },
    /// A program that sends bytes over what carries none.
    #[error("{link} carries no bytes: there is one board, and nothing to send to")]
    NoBytes {
        /// Which profile.
        link: String,
    },
    /// A message of which nobody says how long it is.
    #[error("{link}: how long is a message? say its payload in bytes, such as 128")]
    NoPayload {
        /// Which profile.
        link: String,
    },
    /// A payload where nothing carries one.
    #[error("{link} has no message, so no payload to choose; leave the size out")]
    NoMessage {
        /// Which profile.
        link: String,
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
    /// A part whose currents nobody has listed.
    #[error("no part `{key}` in links/parts.toml; did you mean `{nearest}`?")]
    UnknownPart {
        /// What was asked for.
        key: String,
        /// The closest one there is.
        nearest: String,
    },
    /// A battery nobody has listed.
    #[error("no battery `{name}`; did you mean `{nearest}`, or a capacity such as 500mAh?")]
    UnknownBattery {
        /// What was asked for.
        name: String,
        /// The closest one there is.
        nearest: String,
    },
    /// A temperature that is none, or of a battery whose capacity by temperature nobody lists.
    #[error("{name}@{text}: {right}")]
    BatteryTemperature {
        /// As it was written.
        text: String,
        /// The battery.
        name: String,
        /// What would be right.
        right: &'static str,
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
    /// Triggers that are closer than a trigger is long.
    #[error(
        "{link}: a period of {period_us} us is shorter than the trigger pulse; choose {least_us} us \
         or more"
    )]
    PeriodTooShort {
        /// Which profile.
        link: String,
        /// The period, us.
        period_us: f64,
        /// The shortest one, us.
        least_us: f64,
    },
    /// Places that say nothing, or of what is in one.
    #[error(
        "{link}: {messages} messages at {places} places: each takes 5 or more, up to 100000 places, \
         and radios apart (--set range=30m)"
    )]
    Places {
        /// Which profile.
        link: String,
        /// How many were asked for.
        places: usize,
        /// Messages at all of them together.
        messages: usize,
    },
    /// A link without a medium, where a sniffer hears nothing.
    #[error("{link} goes over a wire: there is nothing to sniff; choose a link with a radio")]
    NoAir {
        /// Which profile.
        link: String,
    },
    /// Neighbours where nothing is on the air.
    #[error("{link} has no radio of its own on this bench: nobody else is on its air")]
    Alone {
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
    /// Whoever wanted the result no longer does.
    #[error("interrupted before it was done")]
    Interrupted,
    /// A bench that may fire so many events did.
    #[error("not done within the work allowed")]
    Allowance,
    /// The simulation stopped.
    #[error(transparent)]
    Simulation(#[from] airlag_sim::Error),
}

/// Names, one of which was meant: `a`, `b` or `c`.
fn either(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// Why a kind of link cannot be set up as its parameters say.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// A setting that a standard forbids, or that cannot work together with the others.
    Setting {
        /// Which parameter.
        name: Name,
        /// What is wrong, and what would be right.
        cause: String,
    },
    /// Hardware or its driver does not take them.
    Stopped {
        /// Where.
        board: &'static str,
        /// Why.
        cause: String,
    },
}

impl Refusal {
    /// A setting, and what is wrong with it.
    #[must_use]
    pub const fn setting(name: Name, cause: String) -> Self {
        Self::Setting { name, cause }
    }

    /// What a driver or a port says.
    pub fn stopped(board: &'static str, cause: &impl Display) -> Self {
        Self::Stopped { board, cause: cause.to_string() }
    }

    /// As an error of the profile that was read.
    pub(crate) fn of(self, profile: &Profile) -> Error {
        match self {
            Self::Setting { name, cause } => {
                Error::NotAllowed { link: profile.name.clone(), name: name.as_str(), cause }
            }
            Self::Stopped { board, cause } => Error::Stopped { board, cause },
        }
    }
}
