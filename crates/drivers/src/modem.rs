//! A transparent modem, or a plain wire: bytes arrive in order, in pieces of any size, and without
//! acknowledgement.
//!
//! Works over the `Read` and `Write` of `embedded-io-async` 0.7, which the buffered, ring-buffered
//! and interrupt-driven UARTs of the common board crates implement.

use core::fmt::Debug;

use airlag_link::{Capability, Delivery, Link};
use embedded_io_async::{Read, Write};

/// Reason why a modem could not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModemError<R, W> {
    /// The port could not be read.
    #[error("the serial port could not be read")]
    Read(R),
    /// The port could not be written.
    #[error("the serial port could not be written")]
    Write(W),
    /// The port accepted none of the offered bytes.
    #[error("the serial port accepts no more bytes")]
    Full,
    /// The port was closed, and no more bytes will arrive.
    #[error("the serial port was closed")]
    Ended,
}

/// A byte stream over the two halves of a serial port.
pub struct Modem<R, W> {
    reader: R,
    writer: W,
    mtu: usize,
}

impl<R: Read, W: Write> Modem<R, W> {
    /// Creates a modem that writes at most `mtu` bytes at a time: the number that the buffer of the
    /// modem or of the port accepts without loss.
    #[must_use]
    pub const fn new(reader: R, writer: W, mtu: usize) -> Self {
        Self { reader, writer, mtu }
    }

    /// Returns the reading half, for example to change its rate.
    pub const fn reader(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Returns the two halves.
    #[must_use]
    pub fn into_parts(self) -> (R, W) {
        (self.reader, self.writer)
    }
}

impl<R: Read, W: Write> Link for Modem<R, W> {
    type Error = ModemError<R::Error, W::Error>;

    fn capability(&self) -> Capability {
        Capability::datagram(self.mtu).stream(true).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        let mut rest = chunk;
        while !rest.is_empty() {
            match self.writer.write(rest).await.map_err(ModemError::Write)? {
                0 => return Err(ModemError::Full),
                taken => rest = rest.get(taken..).unwrap_or_default(),
            }
        }
        Ok(Delivery::Sent)
    }

    async fn flush(&mut self) -> Result<Delivery, Self::Error> {
        self.writer.flush().await.map_err(ModemError::Write)?;
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        if buffer.is_empty() {
            return Ok(0);
        }
        match self.reader.read(buffer).await.map_err(ModemError::Read)? {
            0 => Err(ModemError::Ended),
            got => Ok(got),
        }
    }
}

#[cfg(test)]
mod tests;
