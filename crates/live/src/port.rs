//! Where packets come from, and where they go.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

/// Longest packet a port gives, bytes: no link carries more in one.
pub const LONGEST: usize = airlag_rig::run::MAX_SIZE;

/// One side of a link as a program outside sees it. Reading and writing never wait.
pub trait Port {
    /// What is readable when a packet has come.
    fn descriptors(&self) -> Vec<BorrowedFd<'_>>;

    /// The next packet that has come: its length, and a tag by which to answer it; none if there is
    /// none.
    ///
    /// # Errors
    ///
    /// Those after which nothing more comes.
    fn read(&mut self, into: &mut [u8; LONGEST]) -> io::Result<Option<(usize, u32)>>;

    /// Hands a packet over, or an answer to the one with this tag. What nobody takes is lost, as
    /// beside any network interface.
    ///
    /// # Errors
    ///
    /// Those after which nothing more is taken.
    fn write(&mut self, packet: &[u8], tag: u32) -> io::Result<()>;

    /// After which time it wants to be read though nothing has come; none if it does not.
    fn due(&mut self) -> Option<Duration> {
        None
    }

    /// Whether what finds no room waits where it is, rather than being lost.
    fn waits(&self) -> bool {
        false
    }
}

/// What an operation that never waits came to: none where it would have had to.
pub(crate) fn at_once<T>(outcome: io::Result<T>) -> io::Result<Option<T>> {
    use io::ErrorKind::{Interrupted, WouldBlock};
    match outcome {
        Ok(done) => Ok(Some(done)),
        Err(error) if matches!(error.kind(), WouldBlock | Interrupted) => Ok(None),
        Err(error) => Err(error),
    }
}
