//! Frames on their way from a radio to the program that waits for them: each once, and none lost where the
//! program looks elsewhere meanwhile.

use airlag_sim::{Duration, Slice};

use crate::mcu::Board;

/// Sequence number last taken from each sender, ordered by sender: what repeats it is a copy.
pub(super) struct Taken<A, S>(Vec<(A, S)>);

impl<A: Ord + Copy, S: PartialEq> Taken<A, S> {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Takes a frame of `sender`; true if the one before it had the same number.
    pub(super) fn repeats(&mut self, sender: A, sequence: S) -> bool {
        match self.0.binary_search_by_key(&sender, |&(known, _)| known) {
            Ok(at) => {
                let before = std::mem::replace(&mut self.0[at].1, sequence);
                before == self.0[at].1
            }
            Err(at) => {
                self.0.insert(at, (sender, sequence));
                false
            }
        }
    }
}

/// A program on a board, between its radio and the link it is seen as.
pub(super) struct Program {
    board: Board,
    /// What its own time is called.
    slice: &'static Slice,
    /// What was taken from the radio, until the program has it.
    held: Vec<u8>,
}

impl Program {
    pub(super) fn new(board: &Board, slice: &'static Slice) -> Self {
        Self { board: board.clone(), slice, held: Vec::new() }
    }

    pub(super) const fn board(&self) -> &Board {
        &self.board
    }

    pub(super) async fn spend(&self, wait: Duration) {
        if !wait.is_zero() {
            self.board.spend(self.slice, wait).await;
        }
    }

    /// Copies the `next` frame of the radio into `buffer`, `cost` after it was there, and returns its size.
    pub(super) async fn receive(
        &mut self,
        buffer: &mut [u8],
        cost: Duration,
        next: impl AsyncFnOnce(&mut [u8]) -> usize,
    ) -> usize {
        if self.held.is_empty() {
            let len = next(buffer).await;
            self.held.extend_from_slice(&buffer[..len]);
        }
        self.spend(cost).await;
        let len = self.held.len();
        buffer[..len].copy_from_slice(&self.held);
        self.held.clear();
        len
    }
}
