//! A TCP relay: a client that connects to one address is connected to a server at another, and the bytes
//! travel over the link.
//!
//! ```text
//!  client ──► [near: TCP] ──► IP packets over the link ──► [far: TCP] ──► server
//! ```
//!
//! A link may lose packets, but a TCP connection must not lose bytes. The TCP relay therefore consists of two
//! hosts, one at each end of the link. smoltcp runs a TCP connection between these two hosts over the link. A
//! packet lost on the link only delays the bytes, as between two computers. If the emulated link has a TCP
//! connection of its own, the relay sends the bytes over the connection of the link ([`splice`]).

mod host;
mod splice;

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, connect, socket_with, sockopt};
use smoltcp::iface::SocketHandle;
use smoltcp::socket::tcp::State;

use crate::port::{LONGEST, Port, nonblocking};
use host::Host;
pub use splice::{Splice, splice};

/// Maximum number of connections. One more resets the connection that has been idle the longest, as in a
/// router whose table is full.
const CONNECTIONS: usize = 256;

/// Source of a side's connections.
enum Origin {
    /// Programs connect here.
    Near(TcpListener),
    /// Connections from the link continue to a server. The socket listens for the next one.
    Far(SocketAddr, SocketHandle),
}

/// A program's connection and its counterpart over the link.
struct Relayed {
    stream: TcpStream,
    handle: SocketHandle,
    /// Whether the program, and the other end, have closed their sending direction.
    ended: [bool; 2],
    /// Time of the last transfer in either direction.
    moved: Instant,
}

/// One side of a relay.
pub struct Side {
    origin: Origin,
    host: Host,
    connections: Vec<Relayed>,
}

/// Creates the two sides of a relay that listens at `listen` and connects to `server`. The link carries
/// IP packets of up to `mtu` bytes, and its time runs `speed` times as fast as the wall clock.
///
/// # Errors
///
/// If the address cannot be bound.
pub fn relay(
    listen: SocketAddr,
    server: SocketAddr,
    mtu: usize,
    speed: f64,
) -> io::Result<(Side, Side)> {
    let listener = TcpListener::bind(listen)?;
    listener.set_nonblocking(true)?;
    let near = Side {
        origin: Origin::Near(listener),
        host: Host::new(host::NEAR, mtu, speed),
        connections: Vec::new(),
    };
    let mut host = Host::new(host::FAR, mtu, speed);
    let listening = host.listen();
    Ok((near, Side { origin: Origin::Far(server, listening), host, connections: Vec::new() }))
}

/// Starts a connection without blocking, so that a distant server does not delay other connections.
fn start_connection(server: SocketAddr) -> io::Result<TcpStream> {
    let family = if server.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = socket_with(family, SocketType::STREAM, flags, None)?;
    match connect(&socket, &server) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(TcpStream::from(socket)),
        Err(error) => Err(error.into()),
    }
}

impl Relayed {
    fn new(stream: TcpStream, handle: SocketHandle) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, handle, ended: [false; 2], moved: Instant::now() })
    }

    /// Whether there is buffer space for bytes of the program.
    fn has_room(&self, host: &Host) -> bool {
        !self.ended[0] && host.socket_ref(self.handle).can_send()
    }

    /// Moves bytes from the program into the link's socket while there is buffer space.
    fn read_in(&mut self, host: &mut Host) -> io::Result<()> {
        while self.has_room(host) {
            let stream = &mut self.stream;
            let into = host.socket(self.handle);
            let read = into.send(|room| match nonblocking(stream.read(room)) {
                Ok(Some(len)) => (len, Ok(Some(len))),
                other => (0, other),
            });
            match read.map_err(io::Error::other)?? {
                // Not connected yet, or nothing to read.
                None => return Ok(()),
                Some(0) => {
                    self.ended[0] = true;
                    host.socket(self.handle).close();
                }
                Some(_) => self.moved = Instant::now(),
            }
        }
        Ok(())
    }

    /// Moves bytes from the link's socket to the program while it accepts them.
    fn write_out(&mut self, host: &mut Host) -> io::Result<()> {
        while host.socket_ref(self.handle).can_recv() {
            let stream = &mut self.stream;
            let from = host.socket(self.handle);
            let written = from.recv(|bytes| match nonblocking(stream.write(bytes)) {
                Ok(Some(len)) => (len, Ok(len)),
                Ok(None) => (0, Ok(0)),
                Err(error) => (0, Err(error)),
            });
            if written.map_err(io::Error::other)?? == 0 {
                return Ok(());
            }
            self.moved = Instant::now();
        }
        let over = [State::CloseWait, State::LastAck, State::Closing, State::TimeWait];
        if !self.ended[1] && over.contains(&host.socket_ref(self.handle).state()) {
            self.ended[1] = true;
            self.stream.shutdown(Shutdown::Write)?;
        }
        Ok(())
    }

    /// Resets both connections, so that the program and the other end see a reset.
    fn reset(&self, host: &mut Host) {
        host.socket(self.handle).abort();
        // Unsent data is discarded.
        let _ = sockopt::set_socket_linger(&self.stream, Some(Duration::ZERO));
    }

    /// Moves bytes in both directions. Returns `false` when the connection has ended.
    fn transfer(&mut self, host: &mut Host) -> bool {
        // A failure on this side resets the other side.
        if self.write_out(host).and_then(|()| self.read_in(host)).is_err() {
            host.socket(self.handle).abort();
            return false;
        }
        let socket = host.socket_ref(self.handle);
        match socket.state() {
            // The program has not read everything yet.
            _ if socket.can_recv() => true,
            State::TimeWait => false,
            State::Closed => {
                if self.ended != [true; 2] {
                    // The connection over the link was reset, so the program's is reset as well.
                    let _ = sockopt::set_socket_linger(&self.stream, Some(Duration::ZERO));
                }
                false
            }
            _ => true,
        }
    }
}

impl Side {
    /// Address of the listener. `None` for the far side.
    ///
    /// # Errors
    ///
    /// Errors of the operating system.
    pub fn address(&self) -> io::Result<Option<SocketAddr>> {
        match &self.origin {
            Origin::Near(listener) => listener.local_addr().map(Some),
            Origin::Far(..) => Ok(None),
        }
    }

    /// Accepts a waiting connection. Returns `false` if there is none.
    fn accept(&mut self) -> io::Result<bool> {
        match &mut self.origin {
            Origin::Near(listener) => {
                let Some((stream, _)) = nonblocking(listener.accept())? else { return Ok(false) };
                let handle = self.host.connect();
                self.connections.push(Relayed::new(stream, handle)?);
            }
            Origin::Far(server, listening) => {
                if !self.host.socket_ref(*listening).is_active() {
                    return Ok(false);
                }
                let handle = *listening;
                *listening = self.host.listen();
                match start_connection(*server).and_then(|stream| Relayed::new(stream, handle)) {
                    Ok(connection) => self.connections.push(connection),
                    Err(_) => self.host.socket(handle).abort(),
                }
            }
        }
        Ok(true)
    }

    /// Moves all bytes and packets that can be moved.
    fn pump(&mut self) -> io::Result<()> {
        self.host.poll();
        let mut over = Vec::new();
        while self.accept()? {
            if self.connections.len() > CONNECTIONS {
                // The list is not empty.
                let moved = |&nth: &usize| self.connections[nth].moved;
                let idlest = (0..self.connections.len()).min_by_key(moved).unwrap_or_default();
                let idlest = self.connections.swap_remove(idlest);
                idlest.reset(&mut self.host);
                over.push(idlest.handle);
            }
        }
        let (host, connections) = (&mut self.host, &mut self.connections);
        connections.retain_mut(|one| {
            let is_open = one.transfer(host);
            if !is_open {
                over.push(one.handle);
            }
            is_open
        });
        // Sends the last segments of closed connections.
        self.host.poll();
        over.into_iter().for_each(|handle| self.host.remove(handle));
        Ok(())
    }
}

impl Port for Side {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        let origin = match &self.origin {
            Origin::Near(listener) => Some(listener.as_fd()),
            Origin::Far(..) => None,
        };
        // A stream without buffer space is not polled. Otherwise the loop would never sleep.
        let has_room = |one: &&Relayed| one.has_room(&self.host);
        let streams = self.connections.iter().filter(has_room).map(|one| one.stream.as_fd());
        origin.into_iter().chain(streams).collect()
    }

    fn read(&mut self, into: &mut [u8; LONGEST]) -> io::Result<Option<(usize, u32)>> {
        self.pump()?;
        let Some(packet) = self.host.next() else { return Ok(None) };
        into[..packet.len()].copy_from_slice(&packet);
        Ok(Some((packet.len(), 0)))
    }

    fn write(&mut self, packet: &[u8], _: u32) -> io::Result<()> {
        self.host.receive(packet);
        self.pump()
    }

    fn due(&mut self) -> Option<Duration> {
        self.host.due()
    }

    fn has_flow_control(&self) -> bool {
        true
    }
}
