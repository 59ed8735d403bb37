//! Time slices of module and receiver.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{HOST, RECEIVER_LATENCY, SLOT_WAIT, UART};

/// Data wait until the handset computes its channels.
pub static HANDSET_WAIT: Slice = Slice::wait("handset wait", Precedence::Turn);
/// The handset computes its channels.
pub static MIXER: Slice = Slice::work("mixer");
/// From the tick of a slot to the first symbol on the air: generation of the frame, its transfer to
/// the radio, and the ramp of the transmitter.
pub static FRAME_SETUP: Slice = Slice::radio("frame setup", Precedence::Switch);
/// A frame without new data: it repeats earlier positions, synchronises, or contains nothing.
pub static REPEATED: Slice = Slice::besides("repeated frame");
/// A frame of telemetry, in a slot of the receiver.
pub static TELEMETRY: Slice = Slice::besides("telemetry");
