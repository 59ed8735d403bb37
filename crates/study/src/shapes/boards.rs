//! Boards on serial lines.

use schemars::JsonSchema;
use serde::Serialize;

/// State of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BoardState {
    /// Stopped: its settings can be changed.
    Stopped,
    /// Running.
    Running,
    /// Stopped because the radio did not respond.
    Failed,
    /// Setting up its radio for a run.
    Starting,
}

/// End of the link that a board serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BoardRole {
    /// Sends messages.
    Sender,
    /// Receives messages.
    Receiver,
}

/// Setting or counter of a board.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BoardItem {
    /// Name of the setting or counter.
    pub name: String,
    /// Value, in the unit.
    pub value: u64,
    /// Unit of `value`, `lowest` and `highest`. Empty for a plain number.
    pub unit: String,
    /// Lowest permitted value.
    pub lowest: u64,
    /// Highest permitted value.
    pub highest: u64,
}

/// Board on a serial line.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Board {
    /// Path of the serial device, such as `/dev/ttyACM0`.
    pub device: String,
    /// Name of the board.
    pub board: String,
    /// Name of the firmware image on the board.
    pub image: String,
    /// Version of airlag from which this image was built.
    pub airlag: String,
    /// Version of the control protocol.
    pub protocol: u8,
    /// End of the link that the board serves, from its setting `role`. Null if the image does not have this
    /// setting.
    pub role: Option<BoardRole>,
    /// State of the board.
    pub state: BoardState,
    /// Settings, in the order of the board.
    pub settings: Vec<BoardItem>,
    /// Counters of the current or last run, in the order of the board.
    pub counters: Vec<BoardItem>,
}
