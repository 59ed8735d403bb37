//! Messages as packets of a socket, for links that only another program can open, such as a characteristic of
//! Bluetooth LE.
//!
//! The other program moves packets and takes no timestamps, so each round trip includes its delay, which `airlag
//! probe` measures and reports.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use airlag_link::probe;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};
use rustix::net::{recv, send, socketpair};

use super::near::Clock;
use super::stream::{Answers, is_readable};
use super::wire::{Ask, Halves, Hear, Heard};

/// Near end of a pair of sockets. Another program moves packets between the far end and a link.
#[derive(Clone, Debug)]
pub struct Carrier {
    socket: Arc<OwnedFd>,
    /// Maximum packet size, bytes.
    pub longest: usize,
}

impl Carrier {
    /// Creates a carrier of packets of up to `longest` bytes, and returns it with the far end.
    ///
    /// # Errors
    ///
    /// Errors of the operating system.
    pub fn pair(longest: usize) -> io::Result<(Self, OwnedFd)> {
        let kind = SocketType::SEQPACKET;
        let (near, far) = socketpair(AddressFamily::UNIX, kind, SocketFlags::CLOEXEC, None)?;
        Ok((Self { socket: Arc::new(near), longest }, far))
    }

    pub(super) fn send(&self, packet: &[u8]) -> io::Result<()> {
        send(&self.socket, packet, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// Waits up to [`TURN`](super::near::TURN) for a packet. Returns `None` if none arrived.
    pub(super) fn receive(&self, into: &mut [u8]) -> io::Result<Option<usize>> {
        if !is_readable(self.socket.as_fd())? {
            return Ok(None);
        }
        match recv(&self.socket, into, RecvFlags::empty())? {
            (0, _) => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the link was closed")),
            (len, _) => Ok(Some(len)),
        }
    }
}

/// Opens a carrier for requests of `size` bytes.
pub(super) fn open(carrier: &Carrier, size: usize, clock: Clock) -> Halves {
    let asks = Asks { carrier: carrier.clone(), message: vec![0; size] };
    let answers = Answers::default();
    let hears =
        Hears { carrier: carrier.clone(), message: vec![0; carrier.longest], clock, answers };
    (Box::new(asks), Box::new(hears))
}

struct Asks {
    carrier: Carrier,
    message: Vec<u8>,
}

impl Ask for Asks {
    fn ask(&mut self, sequence: u32, _sent_ns: i64) -> io::Result<()> {
        if !probe::ask(&mut self.message, sequence as u16) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        self.carrier.send(&self.message)
    }
}

struct Hears {
    carrier: Carrier,
    message: Vec<u8>,
    clock: Clock,
    answers: Answers,
}

impl Hear for Hears {
    fn hear(&mut self) -> io::Result<Option<Heard>> {
        let Some(len) = self.carrier.receive(&mut self.message)? else { return Ok(None) };
        let arrived_ns = self.clock.now_ns();
        let answer = probe::read(&self.message[..len]);
        Ok(answer.map(|answer| self.answers.heard(answer, arrived_ns)))
    }
}
