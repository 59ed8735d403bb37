//! Module and receiver as ends of a link.

use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::Duration;

use super::module::Module;
use super::receiver::Receiver;
use super::slices;
use crate::mcu::Board;
use crate::stack::frames::Program;

/// Reason why a chunk cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The chunk is too long.
    #[error("{len} B do not fit a frame of at most {most} B")]
    TooLong {
        /// Length of the chunk, bytes.
        len: usize,
        /// Longest data of a frame, bytes.
        most: usize,
    },
    /// Data go from the handset to the receiver only.
    #[error("a receiver sends telemetry only")]
    Receiver,
}

/// The end at the handset.
pub struct Elrs {
    module: Rc<Module>,
    chunk: usize,
}

impl Elrs {
    /// Creates the end of `module` for messages of `size` bytes.
    #[must_use]
    pub fn new(module: &Rc<Module>, size: usize) -> Self {
        let chunk = module.config().rate.format().chunk(size);
        Self { module: Rc::clone(module), chunk }
    }
}

impl Link for Elrs {
    type Error = Refused;

    fn capability(&self) -> Capability {
        Capability::datagram(self.chunk)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Refused> {
        let (len, most) = (chunk.len(), self.chunk);
        if len > most {
            return Err(Refused::TooLong { len, most });
        }
        self.module.queue(chunk).await;
        Ok(Delivery::Sent)
    }

    async fn flush(&mut self) -> Result<Delivery, Refused> {
        self.module.drain().await;
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, _: &mut [u8]) -> Result<usize, Refused> {
        // Telemetry carries no data of the bench, so there is nothing to wait for.
        std::future::pending().await
    }
}

/// The end at the receiver: the program behind its serial line.
pub struct Receiving {
    receiver: Rc<Receiver>,
    program: Program,
    host: Duration,
    chunk: usize,
}

impl Receiving {
    /// Creates the end of `receiver` for messages of `size` bytes. Its program on `board` takes
    /// `host` from the last bit of a frame to its content.
    #[must_use]
    pub fn new(receiver: &Rc<Receiver>, board: &Board, host: Duration, size: usize) -> Self {
        let (receiver, program) = (Rc::clone(receiver), Program::new(board, &slices::HOST));
        let chunk = receiver.config().rate.format().chunk(size);
        Self { receiver, program, host, chunk }
    }
}

impl Link for Receiving {
    type Error = Refused;

    fn capability(&self) -> Capability {
        Capability::datagram(self.chunk)
    }

    async fn send(&mut self, _: &[u8]) -> Result<Delivery, Refused> {
        Err(Refused::Receiver)
    }

    async fn flush(&mut self) -> Result<Delivery, Refused> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Refused> {
        let receiver = &self.receiver;
        let next = async |buffer: &mut [u8]| receiver.next_data(buffer).await;
        Ok(self.program.receive(buffer, self.host, next).await)
    }
}
