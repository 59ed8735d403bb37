//! An SPI bus with a clock and gaps between bytes.
//!
//! The device responds when its select line falls, and executes the transaction when the line
//! rises. The time in between is the duration of the bytes. A transaction is one timed event.

use std::convert::Infallible;
use std::rc::Rc;

use airlag_sim::sim::Busy;
use airlag_sim::{Duration, Slice};
use embedded_hal::spi::{ErrorType, Operation};
use embedded_hal_async::spi::SpiDevice;

use super::board::Board;
use crate::slices;

/// Longest write that is done as one exchange, bytes.
const PIECE: usize = 64;

/// A chip on the bus.
pub trait SpiTarget {
    /// Called when the select line falls.
    fn select(&self);
    /// Exchanges bytes: the host's bytes are replaced by the chip's response. Bytes of one
    /// transaction may be split over several calls.
    fn exchange(&self, bytes: &mut [u8]);
    /// Takes the host's bytes; the chip's response is not read.
    fn write(&self, bytes: &[u8]) {
        let mut piece = [0; PIECE];
        for part in bytes.chunks(PIECE) {
            let copy = &mut piece[..part.len()];
            copy.copy_from_slice(part);
            self.exchange(copy);
        }
    }
    /// Called when the select line rises. The transaction then takes effect.
    fn deselect(&self);
    /// Time slice of the current transaction.
    fn slice(&self) -> &'static Slice {
        &slices::SPI
    }
}

/// Durations of a byte and of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpiTiming {
    /// Duration of one byte, including the gap that follows it.
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

impl<T: SpiTarget> Spi<T> {
    /// Connects `board` to `target`.
    #[must_use]
    pub fn new(board: &Board, target: Rc<T>, timing: SpiTiming) -> Self {
        Self { board: board.clone(), target, timing }
    }

    fn send(&self, bytes: &[u8]) -> usize {
        self.target.write(bytes);
        bytes.len()
    }

    /// Spends the time of a transaction.
    fn spend(&self, bytes: usize, pauses: Duration) -> Busy<'_> {
        let cost = self.timing.transaction + self.timing.byte * bytes as u64 + pauses;
        self.board.spend(self.target.slice(), cost)
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
        self.spend(bytes, pauses).await;
        self.target.deselect();
        Ok(())
    }

    // Most transactions are a single operation of one of these kinds. They need no list.

    async fn write(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.target.select();
        self.target.write(bytes);
        self.spend(bytes.len(), Duration::ZERO).await;
        self.target.deselect();
        Ok(())
    }

    async fn transfer_in_place(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.target.select();
        self.target.exchange(bytes);
        self.spend(bytes.len(), Duration::ZERO).await;
        self.target.deselect();
        Ok(())
    }
}
