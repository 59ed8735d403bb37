//! Sources and sinks of packets.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

/// Maximum packet length, bytes. No link supports longer packets.
pub const LONGEST: usize = airlag_rig::run::MAX_SIZE;

/// One end of a link, as an external program sees it. Reading and writing never block.
pub trait Port {
    /// Returns the file descriptors that become readable when a packet arrives.
    fn descriptors(&self) -> Vec<BorrowedFd<'_>>;

    /// Reads the next packet. Returns its length and a tag that addresses a reply, or `None` if there is no
    /// packet.
    ///
    /// # Errors
    ///
    /// I/O errors after which no more packets can be read.
    fn read(&mut self, into: &mut [u8; LONGEST]) -> io::Result<Option<(usize, u32)>>;

    /// Delivers a packet. `tag` is the tag of the packet to which it responds. A packet that no program
    /// accepts is dropped, as on any network interface.
    ///
    /// # Errors
    ///
    /// I/O errors after which no more packets can be written.
    fn write(&mut self, packet: &[u8], tag: u32) -> io::Result<()>;

    /// Returns the time after which the port must be polled even if nothing arrives. `None` if no
    /// poll is needed.
    fn due(&mut self) -> Option<Duration> {
        None
    }

    /// Whether packets wait at the sender while the queue is full (flow control), instead of being dropped.
    fn has_flow_control(&self) -> bool {
        false
    }
}

/// Converts the result of a non-blocking operation. Returns `None` if it would have blocked.
pub(crate) fn nonblocking<T>(outcome: io::Result<T>) -> io::Result<Option<T>> {
    use io::ErrorKind::{Interrupted, WouldBlock};
    match outcome {
        Ok(done) => Ok(Some(done)),
        Err(error) if matches!(error.kind(), WouldBlock | Interrupted) => Ok(None),
        Err(error) => Err(error),
    }
}
