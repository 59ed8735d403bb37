//! Errors in a request, one line each: problem, location and remedy.

use std::fmt::Display;

use crate::dependant::Dependant;
use crate::parameter::Name;
use crate::profile::Profile;

/// Formats the dependent setting that would also resolve the error.
fn or_set(unless: &Option<Dependant>) -> String {
    let set = |one: &Dependant| format!(", or set {}={}", one.name.as_str(), one.value);
    unless.as_ref().map(set).unwrap_or_default()
}

/// Reason why a bench could not be built or run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is not a valid profile.
    #[error("{name}: {message}")]
    Syntax {
        /// Profile.
        name: String,
        /// The parser's message, on one line.
        message: String,
    },
    /// No link has this name.
    #[error("no link `{name}`; did you mean {}?", either(nearest))]
    UnknownLink {
        /// Requested name.
        name: String,
        /// Nearest names.
        nearest: Vec<String>,
    },
    /// The kind of link has no such parameter.
    #[error("{link}: no parameter `{name}`; did you mean `{nearest}`?")]
    UnknownParameter {
        /// Profile.
        link: String,
        /// Requested name.
        name: String,
        /// Nearest name.
        nearest: &'static str,
    },
    /// A required parameter is missing.
    #[error("{link}: parameter `{name}` is missing")]
    MissingParameter {
        /// Profile.
        link: String,
        /// Parameter.
        name: &'static str,
    },
    /// The value is outside the hardware's range.
    #[error("{link}: `{name}` is {value}, but must be {low} to {high}{}", spaced(unit))]
    OutOfRange {
        /// Profile.
        link: String,
        /// Parameter.
        name: &'static str,
        /// Requested value.
        value: String,
        /// Lower limit.
        low: f64,
        /// Upper limit.
        high: f64,
        /// Unit.
        unit: &'static str,
    },
    /// The value is none of the choices.
    #[error("{link}: `{name}` cannot be {value}; it must be {choices}")]
    NoSuchChoice {
        /// Profile.
        link: String,
        /// Parameter.
        name: &'static str,
        /// Requested value.
        value: String,
        /// Valid choices.
        choices: String,
    },
    /// A standard forbids the value, or it conflicts with other settings.
    #[error("{link}: `{name}`: {cause}")]
    NotAllowed {
        /// Profile.
        link: String,
        /// Parameter.
        name: &'static str,
        /// Problem and remedy.
        cause: String,
    },
    /// No kind of link has this name.
    #[error("no kind of link `{name}`; did you mean `{nearest}`?")]
    UnknownKind {
        /// Requested name.
        name: String,
        /// Nearest name.
        nearest: &'static str,
    },
    /// The program needs both directions and the link is one-way.
    #[error(
        "{link} is one-way; choose trigger, goodput or load, which need no answer{}",
        or_set(.unless)
    )]
    OneWay {
        /// Profile.
        link: String,
        /// Setting that makes the link bidirectional, if there is one.
        unless: Option<Dependant>,
    },
    /// The size is outside the limits of the exchange.
    #[error("{exchange} takes 1 to {most} {unit}, not {size}")]
    ExchangeSize {
        /// Name of the exchange.
        exchange: &'static str,
        /// Requested size.
        size: usize,
        /// Upper limit.
        most: usize,
        /// Unit.
        unit: &'static str,
    },
    /// Triggers cannot be aligned with transmissions, because the idle link makes none.
    #[error(
        "{link}: an idle link transmits nothing to align triggers to; choose \
         phase uniform or frozen"
    )]
    NoSchedule {
        /// Profile.
        link: String,
    },
    /// The program sends bytes, but the bench has no link.
    #[error(
        "{link} is a single board without a link and carries no bytes; choose a link between two boards"
    )]
    NoBytes {
        /// Profile.
        link: String,
    },
    /// The message size is missing.
    #[error("{link}: the message size is missing; give the payload in bytes, such as 128")]
    NoPayload {
        /// Profile.
        link: String,
    },
    /// A payload was given for a bench without messages.
    #[error("{link} has no message, so no payload to choose; leave the size out")]
    NoMessage {
        /// Profile.
        link: String,
    },
    /// The origin of a constant or a figure is missing or malformed.
    #[error("{name}: `{constant}`: {cause}")]
    Unsourced {
        /// Profile or file.
        name: String,
        /// Constant.
        constant: String,
        /// Missing item and remedy.
        cause: String,
    },
    /// No part has this key.
    #[error("no part `{key}` in links/parts.toml; did you mean `{nearest}`?")]
    UnknownPart {
        /// Requested key.
        key: String,
        /// Nearest key.
        nearest: String,
    },
    /// No battery has this name.
    #[error("no battery `{name}`; did you mean `{nearest}`, or a capacity such as 500mAh?")]
    UnknownBattery {
        /// Requested name.
        name: String,
        /// Nearest name.
        nearest: String,
    },
    /// The battery temperature is invalid, or the battery has no capacity data by temperature.
    #[error("{name}@{text}: {right}")]
    BatteryTemperature {
        /// Text as given.
        text: String,
        /// Battery.
        name: String,
        /// Missing data, or the valid form.
        right: &'static str,
    },
    /// No document has this key.
    #[error("no source `{key}` in links/sources.toml; did you mean `{nearest}`?")]
    UnknownSource {
        /// Cited key.
        key: String,
        /// Nearest key.
        nearest: &'static str,
    },
    /// The message size is outside the limits of the link.
    #[error("{link}: a message has {low} to {high} bytes, not {size}")]
    Size {
        /// Profile.
        link: String,
        /// Requested size, bytes.
        size: usize,
        /// Lower limit, bytes.
        low: usize,
        /// Upper limit, bytes.
        high: usize,
    },
    /// The trigger period is shorter than the trigger pulse.
    #[error(
        "{link}: a period of {period_us} us is shorter than the trigger pulse; choose {least_us} us \
         or more"
    )]
    PeriodTooShort {
        /// Profile.
        link: String,
        /// Requested period, us.
        period_us: f64,
        /// Shortest period, us.
        least_us: f64,
    },
    /// The number of simulated locations is invalid, or the link has no range.
    #[error(
        "{link}: {messages} messages at {places} places; use at least 5 messages a place, at most 100000 places, \
         and a range above 0 (--set range=30m)"
    )]
    Places {
        /// Profile.
        link: String,
        /// Requested number of locations.
        places: usize,
        /// Messages at all locations together.
        messages: usize,
    },
    /// A sniffer was requested for a link without radio.
    #[error("{link} has no radio to sniff; choose a link with a radio")]
    NoAir {
        /// Profile.
        link: String,
    },
    /// Neighbours were requested for a link without radio.
    #[error(
        "{link} has no radio on this bench, so it cannot have neighbours; choose a link with a radio"
    )]
    Alone {
        /// Profile.
        link: String,
    },
    /// A driver or a program stopped.
    #[error("{board} stopped: {cause}")]
    Stopped {
        /// Board.
        board: &'static str,
        /// Cause.
        cause: String,
    },
    /// The caller interrupted the work.
    #[error("interrupted before completion")]
    Interrupted,
    /// The event limit of the work is spent.
    #[error("not completed within the allowed work")]
    Allowance,
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] airlag_sim::Error),
}

/// The unit after a space. Empty for a plain number.
fn spaced(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}

/// Joins alternatives: `a`, `b` or `c`.
fn either(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// Reason why a kind of link cannot be set up with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// A standard forbids the setting, or it conflicts with other settings.
    Setting {
        /// Parameter.
        name: Name,
        /// Problem and remedy.
        cause: String,
    },
    /// Hardware or its driver rejected the settings.
    Stopped {
        /// Board.
        board: &'static str,
        /// Cause.
        cause: String,
    },
}

impl Refusal {
    /// Creates the refusal of a setting.
    #[must_use]
    pub const fn setting(name: Name, cause: String) -> Self {
        Self::Setting { name, cause }
    }

    /// Creates a refusal from the error of a driver or a port.
    pub fn stopped(board: &'static str, cause: &impl Display) -> Self {
        Self::Stopped { board, cause: cause.to_string() }
    }

    /// Converts to the error of a profile.
    pub(crate) fn of(self, profile: &Profile) -> Error {
        match self {
            Self::Setting { name, cause } => {
                Error::NotAllowed { link: profile.name.clone(), name: name.as_str(), cause }
            }
            Self::Stopped { board, cause } => Error::Stopped { board, cause },
        }
    }
}
