//! Boards on serial lines.

use std::path::Path;

use airlag_live::boards::{self, Board, Changes, End, Item, State};
use airlag_study::shapes::boards::{Board as Shown, BoardItem, BoardRole, BoardState};
use pyo3::prelude::*;

use crate::bench::LinkError;
use crate::signals::attended;

/// Serial devices of the boards that are connected, by their USB manufacturer.
#[pyfunction]
pub fn connected_boards() -> Vec<String> {
    boards::connected().iter().map(|device| device.display().to_string()).collect()
}

/// Changes settings of the board at a serial device, starts or stops it, and returns its description as
/// JSON.
#[pyfunction]
#[pyo3(signature = (device, settings, *, runs=None) -> "str")]
pub fn configure_board(
    py: Python<'_>,
    device: &str,
    settings: Vec<String>,
    runs: Option<bool>,
) -> PyResult<String> {
    let changes = Changes::read(&settings, runs);
    let changes = changes.map_err(|mistaken| LinkError::new_err(mistaken.to_string()))?;
    let done = attended(py, || boards::configured(Path::new(device), &changes)).whole()?;
    let board = done.map_err(|error| LinkError::new_err(error.to_string()))?;
    serde_json::to_string(&shown(board)).map_err(|error| LinkError::new_err(error.to_string()))
}

fn shown(found: Board) -> Shown {
    let role = found.role().map(|end| match end {
        End::Sender => BoardRole::Sender,
        End::Receiver => BoardRole::Receiver,
    });
    let Board { device, board, image, airlag, protocol, state, settings, counters } = found;
    let items = |items: Vec<Item>| {
        let item = |Item { name, value, bounds: [lowest, highest], unit }| BoardItem {
            name,
            value,
            unit,
            lowest,
            highest,
        };
        items.into_iter().map(item).collect()
    };
    let state = match state {
        State::Stopped => BoardState::Stopped,
        State::Running => BoardState::Running,
        State::Failed => BoardState::Failed,
        State::Starting => BoardState::Starting,
    };
    Shown {
        device,
        board,
        image,
        airlag,
        protocol,
        role,
        state,
        settings: items(settings),
        counters: items(counters),
    }
}
