//! A relayed connection over a link that is itself a connection.
//!
//! ```text
//!  client ──► [near] ──► bytes over the link's own TCP ──► [far] ──► server
//! ```
//!
//! The emulated link has one TCP connection, which is always open. The relay therefore serves one client
//! program at a time, and the next client waits. The link does not carry the TCP half-close with which a
//! program ends its data. When all bytes that a program sent before its half-close have arrived on the other
//! side of the link, the relay half-closes its connection to the program on that side.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::net::sockopt;

use super::start_connection;
use crate::port::{LONGEST, Port, nonblocking};

/// Bytes pending for a program at which the other program is no longer read.
const ROOM: usize = 65_536;
/// Maximum bytes per read.
const PIECE: usize = 1_024;

/// State of the connection, shared by both sides. Arrays are indexed by side: near, far.
#[derive(Debug, Default)]
struct Connection {
    /// Sequence number of the connection.
    number: u64,
    is_open: bool,
    /// Whether it failed. Bytes in transit are then discarded.
    is_broken: bool,
    /// Whether each side has closed it.
    is_closed: [bool; 2],
    /// Number of bytes read from the program of a side.
    read: [u64; 2],
    /// Number of these bytes that have arrived at the other side.
    arrived: [u64; 2],
    /// Whether the program of a side has finished sending.
    ended: [bool; 2],
    /// Whether the program of the other side has been notified of this.
    notified: [bool; 2],
    /// Bytes pending for the program of a side.
    pending: [usize; 2],
}

impl Connection {
    fn is_over(&self) -> bool {
        self.read == self.arrived && (self.is_closed == [true; 2] || self.notified == [true; 2])
    }
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Connection>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Source of a side's connection.
enum Origin {
    Near(TcpListener),
    Far(SocketAddr),
}

/// One side of the relay.
pub struct Splice {
    origin: Origin,
    side: usize,
    number: u64,
    stream: Option<TcpStream>,
    pending: Vec<u8>,
    connection: Shared,
}

/// Creates the two sides of a relay that listens at `listen` and connects to `server`.
///
/// # Errors
///
/// If the address cannot be bound.
pub fn splice(listen: SocketAddr, server: SocketAddr) -> io::Result<(Splice, Splice)> {
    let listener = TcpListener::bind(listen)?;
    listener.set_nonblocking(true)?;
    let connection = Shared::default();
    let side = |origin, side| Splice {
        origin,
        side,
        number: 0,
        stream: None,
        pending: Vec::new(),
        connection: connection.clone(),
    };
    Ok((side(Origin::Near(listener), 0), side(Origin::Far(server), 1)))
}

impl Splice {
    /// Address of the listener. `None` for the far side.
    ///
    /// # Errors
    ///
    /// Errors of the operating system.
    pub fn address(&self) -> io::Result<Option<SocketAddr>> {
        match &self.origin {
            Origin::Near(listener) => listener.local_addr().map(Some),
            Origin::Far(_) => Ok(None),
        }
    }

    /// Opens a waiting connection, and closes one that has ended.
    fn update(&mut self) -> io::Result<()> {
        let mut connection = self.connection.lock();
        if connection.is_broken && !connection.is_closed[self.side] {
            connection.is_closed[self.side] = true;
            if let Some(stream) = self.stream.take() {
                // The program sees a reset, as if the other program had sent it.
                let _ = sockopt::set_socket_linger(&stream, Some(Duration::ZERO));
            }
        }
        if connection.is_over() {
            *connection = Connection { number: connection.number + 1, ..Connection::default() };
        }
        if self.number != connection.number {
            (self.number, self.stream) = (connection.number, None);
            self.pending.clear();
        }
        match &self.origin {
            Origin::Near(listener) if !connection.is_open && self.stream.is_none() => {
                if let Some((stream, _)) = nonblocking(listener.accept())? {
                    connection.is_open = true;
                    self.stream = Some(ready(stream)?);
                }
            }
            Origin::Far(server)
                if connection.is_open && self.stream.is_none() && !connection.is_broken =>
            {
                match start_connection(*server).and_then(ready) {
                    Ok(stream) => self.stream = Some(stream),
                    Err(_) => connection.is_broken = true,
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes pending bytes to the program, then the end of the data.
    fn write_out(&mut self) -> io::Result<()> {
        let Some(stream) = &mut self.stream else { return Ok(()) };
        while !self.pending.is_empty() {
            match connected_nonblocking(stream.write(&self.pending))? {
                None => break,
                Some(len) => drop(self.pending.drain(..len)),
            }
        }
        let mut connection = self.connection.lock();
        let (own, other) = (self.side, 1 - self.side);
        connection.pending[own] = self.pending.len();
        let all = connection.ended[other] && connection.arrived[other] == connection.read[other];
        if all && self.pending.is_empty() && !connection.notified[other] {
            stream.shutdown(Shutdown::Write)?;
            connection.notified[other] = true;
        }
        Ok(())
    }

    /// Reads from the program. Returns `None` if there is nothing to read.
    fn read_in(&mut self, into: &mut [u8]) -> io::Result<Option<usize>> {
        let Some(stream) = &mut self.stream else { return Ok(None) };
        let mut connection = self.connection.lock();
        if connection.ended[self.side] || connection.pending[1 - self.side] >= ROOM {
            return Ok(None);
        }
        let got = connected_nonblocking(stream.read(into))?;
        match got {
            Some(0) => connection.ended[self.side] = true,
            Some(len) => connection.read[self.side] += len as u64,
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

/// Like [`nonblocking`], but also returns `None` while a connection is being established.
fn connected_nonblocking<T>(outcome: io::Result<T>) -> io::Result<Option<T>> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotConnected => Ok(None),
        outcome => nonblocking(outcome),
    }
}

impl Port for Splice {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        let connection = self.connection.lock();
        match (&self.origin, &self.stream) {
            (Origin::Near(listener), None) if !connection.is_open => vec![listener.as_fd()],
            // A stream that is not read is not polled. Otherwise the loop would never sleep.
            (_, Some(stream))
                if !connection.ended[self.side] && connection.pending[1 - self.side] < ROOM =>
            {
                vec![stream.as_fd()]
            }
            _ => Vec::new(),
        }
    }

    fn read(&mut self, into: &mut [u8; LONGEST]) -> io::Result<Option<(usize, u32)>> {
        self.update()?;
        let got = self.write_out().and_then(|()| self.read_in(&mut into[..PIECE]));
        // A failure on this side closes the other side.
        let got = got.unwrap_or_else(|_| {
            self.connection.lock().is_broken = true;
            None
        });
        Ok(got.map(|len| (len, 0)))
    }

    fn write(&mut self, bytes: &[u8], _: u32) -> io::Result<()> {
        let other = 1 - self.side;
        let mut connection = self.connection.lock();
        connection.arrived[other] += bytes.len() as u64;
        let is_broken = connection.is_broken;
        drop(connection);
        if !is_broken {
            self.pending.extend_from_slice(bytes);
        }
        if self.write_out().is_err() {
            self.connection.lock().is_broken = true;
        }
        Ok(())
    }

    fn has_flow_control(&self) -> bool {
        true
    }

    /// Returns a short time if a program has not accepted all bytes, so that they are offered again. The
    /// system does not notify when the program accepts more.
    fn due(&mut self) -> Option<Duration> {
        (!self.pending.is_empty()).then_some(Duration::from_millis(1))
    }
}
