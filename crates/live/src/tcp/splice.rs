//! A relayed connection over a link that is itself a connection.
//!
//! ```text
//!  client ──► [near] ──► bytes over the link's own TCP ──► [far] ──► server
//! ```
//!
//! The link has one connection, which is always open. It therefore serves one program at a time, and the next one
//! waits. The end of a program's data is signalled outside the link: the other side is closed after all bytes
//! before it have arrived.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::net::sockopt;

use super::begin;
use crate::port::{LONGEST, Port, at_once};

/// Bytes pending for a program at which the other program is no longer read.
const ROOM: usize = 65_536;
/// Maximum bytes per read.
const PIECE: usize = 1_024;

/// State of the connection, shared by both sides. Arrays are indexed by side: near, far.
#[derive(Debug, Default)]
struct Carried {
    /// Sequence number of the connection.
    number: u64,
    is_open: bool,
    /// It failed, and bytes in transit are discarded. The sides that have closed it.
    is_broken: bool,
    is_closed: [bool; 2],
    /// Bytes read from the program of a side, and how many of them arrived at the other side.
    read: [u64; 2],
    came: [u64; 2],
    /// The program of a side has finished sending. The other side's program has been notified.
    ended: [bool; 2],
    told: [bool; 2],
    /// Bytes pending for the program of a side.
    waits: [usize; 2],
}

impl Carried {
    fn is_over(&self) -> bool {
        self.read == self.came && (self.is_closed == [true; 2] || self.told == [true; 2])
    }
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Carried>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Carried> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Source of a side's connection.
enum Door {
    Near(TcpListener),
    Far(SocketAddr),
}

/// One side of the relay.
pub struct Splice {
    door: Door,
    side: usize,
    number: u64,
    stream: Option<TcpStream>,
    waits: Vec<u8>,
    carried: Shared,
}

/// Creates the two sides of a relay that listens at `listen` and connects to `server`.
///
/// # Errors
///
/// If the address cannot be bound.
pub fn splice(listen: SocketAddr, server: SocketAddr) -> io::Result<(Splice, Splice)> {
    let listener = TcpListener::bind(listen)?;
    listener.set_nonblocking(true)?;
    let carried = Shared::default();
    let side = |door, side| Splice {
        door,
        side,
        number: 0,
        stream: None,
        waits: Vec::new(),
        carried: carried.clone(),
    };
    Ok((side(Door::Near(listener), 0), side(Door::Far(server), 1)))
}

impl Splice {
    /// Address of the listener. `None` for the far side.
    ///
    /// # Errors
    ///
    /// Errors of the operating system.
    pub fn address(&self) -> io::Result<Option<SocketAddr>> {
        match &self.door {
            Door::Near(listener) => listener.local_addr().map(Some),
            Door::Far(_) => Ok(None),
        }
    }

    /// Opens a waiting connection, and closes one that has ended.
    fn attend(&mut self) -> io::Result<()> {
        let mut carried = self.carried.lock();
        if carried.is_broken && !carried.is_closed[self.side] {
            carried.is_closed[self.side] = true;
            if let Some(stream) = self.stream.take() {
                // The program sees a reset, as if the other program had sent it.
                let _ = sockopt::set_socket_linger(&stream, Some(Duration::ZERO));
            }
        }
        if carried.is_over() {
            *carried = Carried { number: carried.number + 1, ..Carried::default() };
        }
        if self.number != carried.number {
            (self.number, self.stream) = (carried.number, None);
            self.waits.clear();
        }
        match &self.door {
            Door::Near(listener) if !carried.is_open && self.stream.is_none() => {
                if let Some((stream, _)) = at_once(listener.accept())? {
                    carried.is_open = true;
                    self.stream = Some(ready(stream)?);
                }
            }
            Door::Far(server) if carried.is_open && self.stream.is_none() && !carried.is_broken => {
                match begin(*server).and_then(ready) {
                    Ok(stream) => self.stream = Some(stream),
                    Err(_) => carried.is_broken = true,
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes pending bytes to the program, then the end of the data.
    fn hand_over(&mut self) -> io::Result<()> {
        let Some(stream) = &mut self.stream else { return Ok(()) };
        while !self.waits.is_empty() {
            match not_yet(stream.write(&self.waits))? {
                None => break,
                Some(len) => drop(self.waits.drain(..len)),
            }
        }
        let mut carried = self.carried.lock();
        let (own, other) = (self.side, 1 - self.side);
        carried.waits[own] = self.waits.len();
        let all = carried.ended[other] && carried.came[other] == carried.read[other];
        if all && self.waits.is_empty() && !carried.told[other] {
            stream.shutdown(Shutdown::Write)?;
            carried.told[other] = true;
        }
        Ok(())
    }

    /// Reads from the program. Returns `None` if there is nothing to read.
    fn take(&mut self, into: &mut [u8]) -> io::Result<Option<usize>> {
        let Some(stream) = &mut self.stream else { return Ok(None) };
        let mut carried = self.carried.lock();
        if carried.ended[self.side] || carried.waits[1 - self.side] >= ROOM {
            return Ok(None);
        }
        let got = not_yet(stream.read(into))?;
        match got {
            Some(0) => carried.ended[self.side] = true,
            Some(len) => carried.read[self.side] += len as u64,
            None => {}
        }
        Ok(got.filter(|&len| len > 0))
    }
}

fn ready(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nonblocking(true)?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Like [`at_once`], but also returns `None` while a connection is being established.
fn not_yet<T>(outcome: io::Result<T>) -> io::Result<Option<T>> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotConnected => Ok(None),
        outcome => at_once(outcome),
    }
}

impl Port for Splice {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        let carried = self.carried.lock();
        match (&self.door, &self.stream) {
            (Door::Near(listener), None) if !carried.is_open => vec![listener.as_fd()],
            // A stream that is not read is not polled. Otherwise the loop would never sleep.
            (_, Some(stream))
                if !carried.ended[self.side] && carried.waits[1 - self.side] < ROOM =>
            {
                vec![stream.as_fd()]
            }
            _ => Vec::new(),
        }
    }

    fn read(&mut self, into: &mut [u8; LONGEST]) -> io::Result<Option<(usize, u32)>> {
        self.attend()?;
        let got = self.hand_over().and_then(|()| self.take(&mut into[..PIECE]));
        // A failure on this side closes the other side.
        let got = got.unwrap_or_else(|_| {
            self.carried.lock().is_broken = true;
            None
        });
        Ok(got.map(|len| (len, 0)))
    }

    fn write(&mut self, bytes: &[u8], _: u32) -> io::Result<()> {
        let other = 1 - self.side;
        let mut carried = self.carried.lock();
        carried.came[other] += bytes.len() as u64;
        let is_broken = carried.is_broken;
        drop(carried);
        if !is_broken {
            self.waits.extend_from_slice(bytes);
        }
        if self.hand_over().is_err() {
            self.carried.lock().is_broken = true;
        }
        Ok(())
    }

    fn waits(&self) -> bool {
        true
    }

    /// Retries a program that did not accept all bytes. There is no notification when it becomes writable.
    fn due(&mut self) -> Option<Duration> {
        (!self.waits.is_empty()).then_some(Duration::from_millis(1))
    }
}
