//! Settings that a host can change, and their initial values in an image. `AIRLAG_SIZE=128 make
//! firmware` builds images that start with messages of 128 bytes.

use airlag_app::control::Setting;
use airlag_link::message::MIN_LEN;
use embassy_time::Duration;

use crate::program::Protocol;

/// Longest message, bytes.
pub const LARGEST: usize = 2048;

/// Message size of an image, bytes: `AIRLAG_SIZE`, or 12.
pub const SIZE: usize = size(option_env!("AIRLAG_SIZE"));
const _: () = assert!(SIZE >= MIN_LEN && SIZE <= LARGEST, "AIRLAG_SIZE must be 7 to 2048");

/// Number of settings of any image.
const COMMON_SETTINGS: usize = 4;
/// Number of settings of a radio.
pub const RADIO_SETTINGS: usize = 5;
/// Number of settings.
pub const SETTINGS: usize = COMMON_SETTINGS + RADIO_SETTINGS;
/// Names of the counters: messages begun and given up, messages received with correct content,
/// messages with other content and chunks without a message, and refused chunks.
pub const NAMES: [&str; COUNTERS] = ["sent", "lost", "received", "damaged", "errors"];
/// Number of counters.
pub const COUNTERS: usize = 5;

/// Role of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Sends a message per trigger.
    Sender,
    /// Raises the strobe for each message.
    Receiver,
    /// Returns each message to its sender.
    Responder,
    /// Sends a message per trigger, and raises the strobe for its return.
    RoundTrip,
    /// Raises the strobe for each trigger, without the radio.
    Fixture,
}

impl Role {
    /// All roles, by their number.
    const ALL: [Self; 5] =
        [Self::Sender, Self::Receiver, Self::Responder, Self::RoundTrip, Self::Fixture];

    /// Its own address and that of the other board, for the pair of boards with this number. The board that sends first
    /// has twice the number of the pair, and the other board has the next address.
    #[must_use]
    pub const fn addresses(self, pair: u64) -> [u16; 2] {
        let first = pair as u16 * 2;
        match self {
            Self::Sender | Self::RoundTrip | Self::Fixture => [first, first + 1],
            Self::Receiver | Self::Responder => [first + 1, first],
        }
    }
}

/// Settings of an image for a protocol, with their bounds.
#[must_use]
pub fn settings<P: Protocol>() -> [Setting; SETTINGS] {
    let [one, two, three, four, five] = P::settings();
    [
        setting("role", "", Role::Receiver as u64, [0, Role::ALL.len() as u64 - 1]),
        setting("size", "B", SIZE as u64, [MIN_LEN as u64, LARGEST as u64]),
        setting("count", "", 0, [0, u32::MAX as u64]),
        setting("period", "us", 0, [0, 3_600_000_000]),
        one,
        two,
        three,
        four,
        five,
    ]
}

/// Declares a setting with its initial value and its bounds.
#[must_use]
pub const fn setting(
    name: &'static str,
    unit: &'static str,
    value: u64,
    bounds: [u64; 2],
) -> Setting {
    Setting { name, unit, value, bounds }
}

/// Settings of a run.
pub struct Settings {
    /// Role.
    pub role: Role,
    /// Message size, bytes. A receiver and a responder accept any.
    pub size: usize,
    /// Messages after which the board stops; 0 for no limit.
    count: u64,
    /// Time between two messages that the board itself starts. `None` for 0: each message is
    /// started by a trigger.
    pub period: Option<Duration>,
    /// Settings of the radio.
    pub radio: [u64; RADIO_SETTINGS],
}

impl Settings {
    /// Settings of a run, from values in the order of [`settings`].
    #[must_use]
    pub fn of(values: &[u64; SETTINGS]) -> Self {
        let &[role, size, count, period, ref radio @ ..] = values;
        Self {
            role: Role::ALL.get(role as usize).copied().unwrap_or(Role::Receiver),
            size: size as usize,
            count,
            period: Some(Duration::from_micros(period)).filter(|_| period > 0),
            radio: *radio,
        }
    }

    /// Whether a run is over after this number of messages.
    #[must_use]
    pub fn is_over(&self, messages: u32) -> bool {
        self.count > 0 && u64::from(messages) >= self.count
    }
}

const fn size(text: Option<&str>) -> usize {
    match text {
        None => 12,
        Some(text) => match usize::from_str_radix(text, 10) {
            Ok(size) => size,
            Err(_) => panic!("AIRLAG_SIZE is not a number"),
        },
    }
}
