//! Time slices shared by several boards, chips and stacks. Those of a single model are in its own
//! folder, in a file also called `slices`, which re-exports the shared ones that it uses.

use airlag_sim::{Precedence, Slice};

/// Time from the edge of a pin to the code that waited for it.
pub static INTERRUPT: Slice = Slice::work("interrupt").noticing();
/// A flag is set, and the main loop has not polled it yet.
pub static FLAG_POLL: Slice = Slice::wait("flag poll", Precedence::Look).noticing();
/// A level is present, and the polling loop has not sampled it yet.
pub static POLL_WAIT: Slice = Slice::wait("poll wait", Precedence::Look).noticing();
/// A program that polls once per tick of its operating system.
pub static TICK_WAIT: Slice = Slice::wait("tick wait", Precedence::Look).noticing();
/// A program that waits on its own clock.
pub static DELAY: Slice = Slice::wait("delay", Precedence::Look);
/// Driving the strobe.
pub static PIN: Slice = Slice::fixture("pin");

/// Time from deep sleep to the first line of the program.
pub static BOOT: Slice = Slice::work("boot");
/// A radio is set up and associates with its access point.
pub static ASSOCIATION: Slice = Slice::work("association");
/// Address acquisition.
pub static ADDRESS: Slice = Slice::work("address");
/// The handshakes of a session.
pub static SESSION: Slice = Slice::work("session");

/// A program's time around its link.
pub static SOFTWARE: Slice = Slice::work("software");
/// The host part of a stack.
pub static HOST: Slice = Slice::work("host");
/// Reading received bytes.
pub static READ_OUT: Slice = Slice::work("read-out");
/// Writing bytes to send.
pub static WRITE: Slice = Slice::work("write");
/// Checking a message.
pub static CRC: Slice = Slice::work("CRC");

/// Transaction without a more specific name.
pub static SPI: Slice = Slice::bus("SPI");
/// Transfer of bytes to be sent to a chip.
pub static SPI_WRITE_PAYLOAD: Slice = Slice::bus("SPI write payload");
/// Transfer of received bytes from a chip.
pub static SPI_READ_PAYLOAD: Slice = Slice::bus("SPI read payload");
/// Bytes between a processor and a radio behind a serial port.
pub static UART: Slice = Slice::bus("uart");

/// Bytes between two boards.
pub static WIRE: Slice = Slice::medium("wire", Precedence::Frame);
/// A byte waits for the next tick of the port's clock.
pub static BAUD_WAIT: Slice = Slice::wait("baud wait", Precedence::Look);
/// A receiver that waits for the rest of a stop bit.
pub static SAMPLING: Slice = Slice::radio("sampling", Precedence::Switch);
/// A receiver that waits for a pause between bytes.
pub static IDLE_LINE: Slice = Slice::wait("idle line", Precedence::Look);

/// Crystal start-up of a chip.
pub static CRYSTAL_START: Slice = Slice::radio("crystal start", Precedence::Switch);
/// Time between listening and sending.
pub static TURNAROUND: Slice = Slice::radio("turnaround", Precedence::Turnaround);
/// Required silence between two frames.
pub static INTERFRAME_SPACE: Slice = Slice::radio("interframe space", Precedence::Follow);
/// Time from the end of a frame to its bytes in the program.
pub static RECEIVER_LATENCY: Slice = Slice::radio("receiver latency", Precedence::Follow);
/// A frame on the air, as seen by the sending chip.
pub static TRANSMIT: Slice = Slice::idle("transmit");
/// Data waits for a time slot of its sender.
pub static SLOT_WAIT: Slice = Slice::wait("slot wait", Precedence::Turn);
/// Random wait before access to the medium.
pub static BACKOFF: Slice = Slice::wait("backoff", Precedence::Turn);
/// Acknowledgement of a correct frame.
pub static ACKNOWLEDGEMENT: Slice = Slice::answer("acknowledgement");
/// Wait for an acknowledgement that arrives.
pub static AWAIT_ACKNOWLEDGEMENT: Slice = Slice::wait("await acknowledgement", Precedence::Await);
/// Wait for an acknowledgement that does not arrive.
pub static ACKNOWLEDGEMENT_TIMEOUT: Slice =
    Slice::wait("acknowledgement timeout", Precedence::TimeOut);
