//! Time slices of a node.

use airlag_sim::{Precedence, Slice};

pub use crate::slices::{
    ACKNOWLEDGEMENT, ACKNOWLEDGEMENT_TIMEOUT, AWAIT_ACKNOWLEDGEMENT, BACKOFF, HOST,
    INTERFRAME_SPACE, TRANSMIT, TURNAROUND,
};

/// Clear channel assessment.
pub static CCA: Slice = Slice::radio("cca", Precedence::Turnaround);
