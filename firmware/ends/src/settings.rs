//! Settings that a host can change, and their initial values in an image. `AIRLAG_SIZE=128 make
//! firmware` builds images that start with messages of 128 bytes.

use airlag_app::control::Setting;
use airlag_link::message::MIN_LEN;
use embassy_time::Duration;

/// Longest message, bytes.
pub const LARGEST: usize = 2048;

/// Message size of an image, bytes: `AIRLAG_SIZE`, or 12.
pub const SIZE: usize =
    number(option_env!("AIRLAG_SIZE"), 12, "AIRLAG_SIZE is not a number") as usize;
const _: () = assert!(SIZE >= MIN_LEN && SIZE <= LARGEST, "AIRLAG_SIZE must be 7 to 2048");

/// Number of settings that any image has: role, size, count and period. The settings of the radio follow them.
pub const COMMON: usize = 4;
/// Number of settings of a radio on SPI.
pub const SPI_RADIO: usize = 3;
/// Number of settings of an image for such a radio.
pub const SPI_IMAGE: usize = COMMON + SPI_RADIO;
/// Names of the counters. `sent` counts messages that the board started to send, and `lost` those that the link gave
/// up. `received` counts messages with correct content. `damaged` counts messages with other content, and chunks that
/// belong to no message. `errors` counts errors of the radio, and chunks that the radio refused.
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

/// All settings of an image, with their bounds: `role` is the initial role, and `radio` has the settings
/// of the radio.
#[must_use]
pub fn all<const RADIO: usize, const ALL: usize>(
    role: Role,
    radio: [Setting; RADIO],
) -> [Setting; ALL] {
    const { assert!(COMMON + RADIO == ALL) };
    let common: [Setting; COMMON] = [
        setting("role", "", role as u64, [0, Role::ALL.len() as u64 - 1]),
        setting("size", "B", SIZE as u64, [MIN_LEN as u64, LARGEST as u64]),
        setting("count", "", 0, [0, u32::MAX as u64]),
        setting("period", "us", 0, [0, 3_600_000_000]),
    ];
    core::array::from_fn(|at| match at.checked_sub(COMMON) {
        None => common[at],
        Some(at) => radio[at],
    })
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

/// Settings of a run, of an image with `ALL` settings.
pub struct Settings<const ALL: usize> {
    /// Role.
    pub role: Role,
    /// Message size, bytes. A receiver and a responder accept any.
    pub size: usize,
    /// Messages after which the board stops; 0 for no limit.
    count: u64,
    /// Time between two messages that the board itself starts. `None` for 0: each message is
    /// started by a trigger.
    pub period: Option<Duration>,
    values: [u64; ALL],
}

impl<const ALL: usize> Settings<ALL> {
    /// Settings of a run, from values in the order of [`all`].
    #[must_use]
    pub fn of(values: [u64; ALL]) -> Self {
        const { assert!(COMMON <= ALL) };
        let [role, size, count, period] = core::array::from_fn(|at| values[at]);
        Self {
            role: Role::ALL.get(role as usize).copied().unwrap_or(Role::Receiver),
            size: size as usize,
            count,
            period: Some(Duration::from_micros(period)).filter(|_| period > 0),
            values,
        }
    }

    /// Settings of the radio.
    #[must_use]
    pub fn radio<const RADIO: usize>(&self) -> [u64; RADIO] {
        const { assert!(COMMON + RADIO == ALL) };
        core::array::from_fn(|at| self.values[COMMON + at])
    }

    /// Whether a run is over after this number of messages.
    #[must_use]
    pub fn is_over(&self, messages: u32) -> bool {
        self.count > 0 && u64::from(messages) >= self.count
    }
}

/// Returns the number in an environment variable of the build, or `default` without it.
#[must_use]
pub const fn number(text: Option<&str>, default: u32, refusal: &str) -> u32 {
    match text {
        None => default,
        Some(text) => match u32::from_str_radix(text, 10) {
            Ok(number) => number,
            Err(_) => panic!("{}", refusal),
        },
    }
}
