//! The processor of a device, whose stack serialises its work.

use std::cell::Cell;

use airlag_sim::{Duration, Instant, Slice};

use crate::mcu::Board;

/// A processor that finishes its current work before it begins other work.
pub(super) struct Processor {
    board: Board,
    busy_until: Cell<Instant>,
}

impl Processor {
    pub(super) fn new(board: &Board) -> Self {
        Self { board: board.clone(), busy_until: Cell::new(Instant::START) }
    }

    /// Works for `cost` on the clock of the board, after the current work.
    pub(super) async fn compute(&self, what: &'static Slice, cost: Duration) {
        if cost.is_zero() {
            return;
        }
        let begin = self.busy_until.get().max(self.board.sim().now());
        let end = self.board.clock().after(begin, cost);
        self.busy_until.set(end);
        self.board.span(what, begin, end);
        self.board.sim().sleep_until(end).await;
    }
}
