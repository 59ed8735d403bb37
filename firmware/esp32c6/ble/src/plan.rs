//! Settings of a run: the connection, and the operation that carries a chunk. Their names, and the values of
//! `operation` in order, are those of the parameters of the kind `ble` on the virtual bench. The defaults are those of the
//! profile `ble-nus-notify`.

use airlag_app::control::Setting;
use airlag_ends::settings::{COMMON, Role, Settings, all, setting};
use embassy_time::Duration;
use trouble_host::prelude::PhyKind;

/// Number of settings of the connection.
pub const RADIO_SETTINGS: usize = 5;
/// Number of settings of the image.
pub const SETTINGS: usize = COMMON + RADIO_SETTINGS;

/// Longest attribute value, bytes: an MTU of 247 B without the header of its operation.
pub const LONGEST: usize = 244;
/// Unit of connection intervals, us (Core 5.4, Vol 6, Part B, 4.5.1).
const UNIT: u64 = 1_250;

/// ATT operation that carries a chunk of the board that sends first. The peripheral notifies and indicates, and the
/// central writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Handle Value Notification.
    Notify,
    /// Handle Value Indication.
    Indicate,
    /// Write Request.
    Write,
    /// Write Command.
    WriteWithoutResponse,
}

/// Settings of a run that concern the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Operation of the board that sends first.
    pub operation: Operation,
    /// Whether this board is the central.
    pub is_central: bool,
    /// Connection interval.
    pub interval: Duration,
    /// Physical layer, in both directions.
    pub phy: PhyKind,
    /// Largest attribute value that the program sends, bytes.
    pub chunk: usize,
    /// Address of this board, and of the other board.
    pub addresses: [u16; 2],
}

/// All settings of the image.
#[must_use]
pub fn settings(role: Role) -> [Setting; SETTINGS] {
    let radio: [Setting; RADIO_SETTINGS] = [
        // 0: notify; 1: indicate; 2: write; 3: write-without-response.
        setting("operation", "", 0, [0, 3]),
        // Rounded down to a multiple of 1.25 ms. A longer interval would need a longer supervision timeout.
        setting("connection_interval", "us", 30_000, [7_500, 1_000_000]),
        setting("phy", "Mbit/s", 2, [1, 2]),
        setting("chunk", "B", 197, [1, LONGEST as u64]),
        setting("pair", "", 1, [0, 0x7FFE]),
    ];
    all(role, radio)
}

impl Plan {
    /// Settings of a run.
    #[must_use]
    pub fn of(settings: &Settings<SETTINGS>) -> Self {
        let [operation, interval, phy, chunk, pair] = settings.radio();
        let addresses = settings.role.addresses(pair);
        // The board that sends first has the lower address.
        let sends_first = addresses[0] < addresses[1];
        let operation = match operation {
            0 => Operation::Notify,
            1 => Operation::Indicate,
            2 => Operation::Write,
            _ => Operation::WriteWithoutResponse,
        };
        let writes = matches!(operation, Operation::Write | Operation::WriteWithoutResponse);
        Self {
            operation,
            is_central: writes == sends_first,
            interval: Duration::from_micros(interval / UNIT * UNIT),
            phy: if phy == 1 { PhyKind::Le1M } else { PhyKind::Le2M },
            chunk: chunk as usize,
            addresses,
        }
    }

    /// Whether a response confirms the chunks of this board.
    #[must_use]
    pub const fn is_confirmed(&self) -> bool {
        match self.operation {
            Operation::Indicate => !self.is_central,
            Operation::Write => self.is_central,
            Operation::Notify | Operation::WriteWithoutResponse => false,
        }
    }
}
