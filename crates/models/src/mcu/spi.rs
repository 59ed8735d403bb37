//! An SPI bus with a clock and gaps between bytes.
//!
//! The device responds when its select line falls and acts when it rises. The time between is that
//! of the bytes. A transaction is one timed event.

use std::convert::Infallible;
use std::rc::Rc;

use airlag_sim::{Duration, Slice};
use embedded_hal::spi::{ErrorType, Operation};
use embedded_hal_async::spi::SpiDevice;

use super::board::Board;
use crate::slices;

/// A chip on the bus.
pub trait SpiTarget {
    /// The select line falls.
    fn select(&self);
    /// Exchanges bytes: the host's bytes are replaced by the chip's response. Bytes of one
    /// transaction may be split over several calls.
    fn exchange(&self, bytes: &mut [u8]);
    /// The select line rises: the transaction takes effect.
    fn deselect(&self);
    /// Time slice of the current transaction.
    fn slice(&self) -> &'static Slice {
        &slices::SPI
    }
}

/// Durations of a byte and of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpiTiming {
    /// One byte, with the gap that follows it.
    pub byte: Duration,
    /// Overhead of a transaction: select, call, set-up.
    pub transaction: Duration,
}

/// One chip on one bus.
pub struct Spi<T> {
    board: Board,
    target: Rc<T>,
    timing: SpiTiming,
}

/// Longest write passed to a chip in one call, bytes.
const PIECE: usize = 64;

impl<T: SpiTarget> Spi<T> {
    /// Connects `board` to `target`.
    #[must_use]
    pub fn new(board: &Board, target: Rc<T>, timing: SpiTiming) -> Self {
        Self { board: board.clone(), target, timing }
    }

    fn send(&self, bytes: &[u8]) -> usize {
        let mut piece = [0; PIECE];
        for part in bytes.chunks(PIECE) {
            let copy = &mut piece[..part.len()];
            copy.copy_from_slice(part);
            self.target.exchange(copy);
        }
        bytes.len()
    }

    fn fetch(&self, bytes: &mut [u8]) -> usize {
        bytes.fill(0);
        self.target.exchange(bytes);
        bytes.len()
    }
}

impl<T> ErrorType for Spi<T> {
    type Error = Infallible;
}

impl<T: SpiTarget> SpiDevice for Spi<T> {
    async fn transaction(
        &mut self,
        operations: &mut [Operation<'_, u8>],
    ) -> Result<(), Infallible> {
        let (mut pauses, mut bytes) = (Duration::ZERO, 0);
        self.target.select();
        for operation in operations {
            bytes += match operation {
                Operation::Read(read) => self.fetch(read),
                Operation::Write(write) => self.send(write),
                Operation::Transfer(read, write) => {
                    let both = read.len().min(write.len());
                    read[..both].copy_from_slice(&write[..both]);
                    self.target.exchange(&mut read[..both]);
                    both + self.send(&write[both..]) + self.fetch(&mut read[both..])
                }
                Operation::TransferInPlace(bytes) => {
                    self.target.exchange(bytes);
                    bytes.len()
                }
                Operation::DelayNs(ns) => {
                    pauses += Duration::from_ns((*ns).into());
                    0
                }
            };
        }
        let cost = self.timing.transaction + self.timing.byte * bytes as u64 + pauses;
        self.board.spend(self.target.slice(), cost).await;
        self.target.deselect();
        Ok(())
    }
}
