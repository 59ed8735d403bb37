//! Delivery of frames from a radio to a waiting program. Each frame is delivered once, and none is
//! lost while the program is busy elsewhere.

use airlag_sim::channel::Notice;
use airlag_sim::{Duration, Slice};

use crate::mcu::Board;

/// Last sequence number of each sender, ordered by sender, for duplicate detection.
pub(super) struct Taken<A, S>(Vec<(A, S)>);

impl<A: Ord + Copy, S: PartialEq> Taken<A, S> {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Records a frame of `sender`; returns true if the previous one had the same number.
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

/// Waits for the next data of an inbox, copies them into `buffer` and returns their size. Data that
/// do not fit are truncated.
pub(super) async fn next_of<D: AsRef<[u8]>>(
    buffer: &mut [u8],
    arrived: &Notice,
    mut pop: impl FnMut() -> Option<D>,
) -> usize {
    loop {
        if let Some(data) = pop() {
            let data = data.as_ref();
            let len = data.len().min(buffer.len());
            buffer[..len].copy_from_slice(&data[..len]);
            return len;
        }
        arrived.wait().await;
    }
}

/// A program on a board, between its radio and its link.
pub(super) struct Program {
    board: Board,
    /// Time slice of its processing.
    slice: &'static Slice,
    /// Data read from the radio and not yet delivered to the program.
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

    /// Copies the `next` frame of the radio into `buffer`, `cost` after its arrival, and returns
    /// its size.
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
