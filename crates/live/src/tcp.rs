//! A TCP relay: whoever connects to one address has a connection to another, whose bytes went over the
//! link.
//!
//! ```text
//!  client ──► [near: TCP] ──► IP packets over the link ──► [far: TCP] ──► server
//! ```
//!
//! A link loses packets, and a connection loses nothing: so each side is a host of its own, and the bytes
//! of a connection go in one between these two, by a TCP of others (smoltcp). What is lost on the link is
//! late here, as between two computers. A link that is a connection itself carries the bytes in its own ([`splice`]).

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

use crate::port::{LONGEST, Port, at_once};
use host::Host;
pub use splice::{Splice, splice};

/// Connections at once. For one more the one is reset that has been idle for longest, as by a router whose table
/// is full.
const CONNECTIONS: usize = 256;

/// Where a side's connections come from.
enum Door {
    /// Programs connect here.
    Near(TcpListener),
    /// What comes over the link goes on to a server; the socket that waits for the next one.
    Far(SocketAddr, SocketHandle),
}

/// A program's connection and that over the link.
struct Joined {
    stream: TcpStream,
    handle: SocketHandle,
    /// The program, and the other end, will send no more.
    ended: [bool; 2],
    /// When bytes went either way last.
    moved: Instant,
}

/// One side of a relay.
pub struct Side {
    door: Door,
    host: Host,
    joined: Vec<Joined>,
}

/// The two sides of a relay that listens at `listen` and goes on to `server`, over a link for IP packets of
/// up to `mtu` bytes whose time goes `speed` times as fast as the wall clock.
///
/// # Errors
///
/// Where that address cannot be listened at.
pub fn relay(
    listen: SocketAddr,
    server: SocketAddr,
    mtu: usize,
    speed: f64,
) -> io::Result<(Side, Side)> {
    let listener = TcpListener::bind(listen)?;
    listener.set_nonblocking(true)?;
    let near = Side {
        door: Door::Near(listener),
        host: Host::new(host::NEAR, mtu, speed),
        joined: Vec::new(),
    };
    let mut host = Host::new(host::FAR, mtu, speed);
    let waits = host.listen();
    Ok((near, Side { door: Door::Far(server, waits), host, joined: Vec::new() }))
}

/// A connection that is being made: one to a server far away must not hold up the others.
fn begin(server: SocketAddr) -> io::Result<TcpStream> {
    let family = if server.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = socket_with(family, SocketType::STREAM, flags, None)?;
    match connect(&socket, &server) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(TcpStream::from(socket)),
        Err(error) => Err(error.into()),
    }
}

impl Joined {
    fn new(stream: TcpStream, handle: SocketHandle) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, handle, ended: [false; 2], moved: Instant::now() })
    }

    /// Whether bytes of the program would find room.
    fn has_room(&self, host: &Host) -> bool {
        !self.ended[0] && host.seen(self.handle).can_send()
    }

    /// Carries bytes from the program, as far as there is room.
    fn take_in(&mut self, host: &mut Host) -> io::Result<()> {
        while self.has_room(host) {
            let stream = &mut self.stream;
            let into = host.socket(self.handle);
            let read = into.send(|room| match at_once(stream.read(room)) {
                Ok(Some(len)) => (len, Ok(Some(len))),
                other => (0, other),
            });
            match read.map_err(io::Error::other)?? {
                // Not connected yet, or nothing more for now.
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

    /// Carries bytes to the program, as far as it takes them.
    fn hand_over(&mut self, host: &mut Host) -> io::Result<()> {
        while host.seen(self.handle).can_recv() {
            let stream = &mut self.stream;
            let from = host.socket(self.handle);
            let written = from.recv(|bytes| match at_once(stream.write(bytes)) {
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
        if !self.ended[1] && over.contains(&host.seen(self.handle).state()) {
            self.ended[1] = true;
            self.stream.shutdown(Shutdown::Write)?;
        }
        Ok(())
    }

    /// Ends it at once: its program and the other end are told that it was reset.
    fn reset(&self, host: &mut Host) {
        host.socket(self.handle).abort();
        // What is under way is not waited for.
        let _ = sockopt::set_socket_linger(&self.stream, Some(Duration::ZERO));
    }

    /// Carries both ways; false when it is over.
    fn carry(&mut self, host: &mut Host) -> bool {
        // What broke on this side breaks on the other.
        if self.hand_over(host).and_then(|()| self.take_in(host)).is_err() {
            host.socket(self.handle).abort();
            return false;
        }
        let socket = host.seen(self.handle);
        match socket.state() {
            // The program has not taken everything yet.
            _ if socket.can_recv() => true,
            State::TimeWait => false,
            State::Closed => {
                if self.ended != [true; 2] {
                    // It was reset, so the program is.
                    let _ = sockopt::set_socket_linger(&self.stream, Some(Duration::ZERO));
                }
                false
            }
            _ => true,
        }
    }
}

impl Side {
    /// Where it listens; none of the far one.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn address(&self) -> io::Result<Option<SocketAddr>> {
        match &self.door {
            Door::Near(listener) => listener.local_addr().map(Some),
            Door::Far(..) => Ok(None),
        }
    }

    /// Takes a connection that has come; false if none has.
    fn take(&mut self) -> io::Result<bool> {
        match &mut self.door {
            Door::Near(listener) => {
                let Some((stream, _)) = at_once(listener.accept())? else { return Ok(false) };
                let handle = self.host.connect();
                self.joined.push(Joined::new(stream, handle)?);
            }
            Door::Far(server, waits) => {
                if !self.host.seen(*waits).is_active() {
                    return Ok(false);
                }
                let handle = *waits;
                *waits = self.host.listen();
                match begin(*server).and_then(|stream| Joined::new(stream, handle)) {
                    Ok(joined) => self.joined.push(joined),
                    Err(_) => self.host.socket(handle).abort(),
                }
            }
        }
        Ok(true)
    }

    /// Moves everything on that can be moved.
    fn pump(&mut self) -> io::Result<()> {
        self.host.poll();
        let mut over = Vec::new();
        while self.take()? {
            if self.joined.len() > CONNECTIONS {
                // There is one: the list is not empty.
                let moved = |&nth: &usize| self.joined[nth].moved;
                let idlest = (0..self.joined.len()).min_by_key(moved).unwrap_or_default();
                let idlest = self.joined.swap_remove(idlest);
                idlest.reset(&mut self.host);
                over.push(idlest.handle);
            }
        }
        let (host, joined) = (&mut self.host, &mut self.joined);
        joined.retain_mut(|one| {
            let goes_on = one.carry(host);
            if !goes_on {
                over.push(one.handle);
            }
            goes_on
        });
        // The last words of those that are over.
        self.host.poll();
        over.into_iter().for_each(|handle| self.host.remove(handle));
        Ok(())
    }
}

impl Port for Side {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        let door = match &self.door {
            Door::Near(listener) => Some(listener.as_fd()),
            Door::Far(..) => None,
        };
        // One whose bytes would find no room is not looked at, or nothing would ever sleep.
        let full = |one: &&Joined| one.has_room(&self.host);
        let streams = self.joined.iter().filter(full).map(|one| one.stream.as_fd());
        door.into_iter().chain(streams).collect()
    }

    fn read(&mut self, into: &mut [u8; LONGEST]) -> io::Result<Option<(usize, u32)>> {
        self.pump()?;
        let Some(packet) = self.host.next() else { return Ok(None) };
        into[..packet.len()].copy_from_slice(&packet);
        Ok(Some((packet.len(), 0)))
    }

    fn write(&mut self, packet: &[u8], _: u32) -> io::Result<()> {
        self.host.came(packet);
        self.pump()
    }

    fn due(&mut self) -> Option<Duration> {
        self.host.due()
    }

    fn waits(&self) -> bool {
        true
    }
}
