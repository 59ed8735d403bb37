//! Time slices of the chip and its bus.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{
    ACKNOWLEDGEMENT, AWAIT_ACKNOWLEDGEMENT, CRYSTAL_START, SPI, SPI_READ_PAYLOAD,
    SPI_WRITE_PAYLOAD, TRANSMIT,
};

/// Time from CE to the first bit (6.1.7).
pub static SETTLE: Slice = Slice::radio("settle", Precedence::Settle);
/// Time from the end of a frame until the chip listens for its acknowledgement.
pub static RECEIVE_TURNAROUND: Slice = Slice::radio("receive turnaround", Precedence::Settle);
/// Time from the end of a frame to the start of its acknowledgement.
pub static ACKNOWLEDGEMENT_TURNAROUND: Slice =
    Slice::radio("acknowledgement turnaround", Precedence::Reply);
/// Time from the end of a packet to the IRQ pin.
pub static RAISE_INTERRUPT: Slice = Slice::radio("raise interrupt", Precedence::Switch);
/// Remaining delay before a retransmission (ARD).
pub static RETRANSMIT_DELAY: Slice = Slice::wait("retransmit delay", Precedence::Await);
/// A damaged acknowledgement.
pub static BROKEN_ACKNOWLEDGEMENT: Slice =
    Slice::wait("broken acknowledgement", Precedence::Broken);
/// Wait until a damaged acknowledgement is repeated.
pub static REPEAT_ACKNOWLEDGEMENT: Slice = Slice::wait("repeat acknowledgement", Precedence::Await);
/// The chip is powered down.
pub static POWER_DOWN: Slice = Slice::idle("power down");
/// The chip is neither sending nor listening.
pub static STANDBY: Slice = Slice::idle("standby");
/// Time from CE to listening.
pub static SETTLE_RECEIVER: Slice = Slice::idle("settle receiver");
/// The receiver is listening.
pub static LISTEN: Slice = Slice::idle("listen");

/// Reading the length of a received payload.
pub static SPI_PAYLOAD_WIDTH: Slice = Slice::bus("SPI payload width");
/// Flushing a FIFO.
pub static SPI_FLUSH: Slice = Slice::bus("SPI flush");
/// Releasing the IRQ pin.
pub static SPI_CLEAR_FLAGS: Slice = Slice::bus("SPI clear flags");
/// Configuring the chip.
pub static SPI_WRITE_REGISTER: Slice = Slice::bus("SPI write register");
/// Reading the chip's status.
pub static SPI_STATUS: Slice = Slice::bus("SPI status");
