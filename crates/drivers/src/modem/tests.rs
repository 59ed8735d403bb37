//! The modem over a port that is a plain queue, without clock or executor.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::vec::Vec;

use embedded_io_async::{ErrorKind, ErrorType};
use proptest::prelude::*;

use super::*;

/// The future never waits, so polling it once is sufficient.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a queue never waits"),
    }
}

/// Accepts and returns `piece` bytes at a time.
struct Port {
    piece: usize,
    bytes: VecDeque<u8>,
    broken: bool,
    flushed: usize,
}

impl Port {
    fn new(piece: usize) -> Self {
        Self { piece, bytes: VecDeque::new(), broken: false, flushed: 0 }
    }
}

impl ErrorType for Port {
    type Error = ErrorKind;
}

impl Write for Port {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        if self.broken {
            return Err(ErrorKind::BrokenPipe);
        }
        let taken = bytes.len().min(self.piece);
        self.bytes.extend(&bytes[..taken]);
        Ok(taken)
    }
    async fn flush(&mut self) -> Result<(), ErrorKind> {
        self.flushed += 1;
        Ok(())
    }
}

impl Read for Port {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        if self.broken {
            return Err(ErrorKind::Other);
        }
        let got = self.bytes.len().min(self.piece).min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(self.bytes.drain(..got)) {
            *to = from;
        }
        Ok(got)
    }
}

fn modem(piece: usize) -> Modem<Port, Port> {
    Modem::new(Port::new(piece), Port::new(piece), 2048)
}

#[test]
fn a_modem_is_a_stream_that_confirms_nothing() {
    let capability = modem(1).capability();
    assert_eq!(capability, Capability::datagram(2048).stream(true).duplex(true));
    assert_eq!(now(modem(1).send(&[1, 2, 3])), Ok(Delivery::Sent));
}

#[test]
fn a_flush_reaches_the_port() {
    let mut modem = modem(8);
    now(modem.flush()).expect("a queue does not fail");
    assert_eq!(modem.into_parts().1.flushed, 1);
}

#[test]
fn the_reading_half_can_be_changed_between_two_messages() {
    let mut modem = modem(8);
    modem.reader().bytes.extend([1, 2, 3]);
    modem.reader().piece = 2;
    assert_eq!(now(modem.receive(&mut [0; 8])), Ok(2));
}

#[test]
fn a_port_that_takes_nothing_is_full_and_one_that_gives_nothing_has_ended() {
    let mut full = modem(0);
    assert_eq!(now(full.send(&[1])), Err(ModemError::Full));
    assert_eq!(now(full.receive(&mut [0; 4])), Err(ModemError::Ended));
}

#[test]
fn an_error_of_the_port_keeps_its_cause() {
    let mut modem = modem(4);
    (modem.reader.broken, modem.writer.broken) = (true, true);
    assert_eq!(now(modem.send(&[1])), Err(ModemError::Write(ErrorKind::BrokenPipe)));
    assert_eq!(now(modem.receive(&mut [0; 4])), Err(ModemError::Read(ErrorKind::Other)));
}

proptest! {
    #[test]
    fn bytes_come_out_as_they_went_in_whatever_the_pieces(
        chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 0..12),
        piece in 1_usize..40, room in 1_usize..40,
    ) {
        let mut modem = modem(piece);
        for chunk in &chunks {
            now(modem.send(chunk)).expect("a queue does not fail");
        }
        // The bytes that were written are then read back.
        core::mem::swap(&mut modem.reader.bytes, &mut modem.writer.bytes);
        let mut out = Vec::new();
        let mut buffer = [0; 40];
        while !modem.reader.bytes.is_empty() {
            let got = now(modem.receive(&mut buffer[..room])).expect("a queue does not fail");
            out.extend_from_slice(&buffer[..got]);
        }
        prop_assert_eq!(out, chunks.concat());
    }
}
