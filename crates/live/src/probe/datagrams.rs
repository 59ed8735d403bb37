//! STAMP over UDP, with the kernel's receive timestamps.

use std::io::{self, IoSliceMut};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::Arc;

use airlag_link::stamp;
use nix::sys::socket::sockopt::{Ipv4RecvTtl, ReceiveTimestampns};
use nix::sys::socket::{ControlMessageOwned, MsgFlags, SockaddrStorage, recvmsg, setsockopt};
use nix::sys::time::TimeSpec;

use super::near::{Clock, TURN};
use super::wire::{Ask, Halves, Hear, Heard};

/// Maximum packet length, bytes: an Ethernet MTU minus the IPv6 and UDP headers.
pub(super) const LONGEST: usize = 1_452;
/// Value of an unknown time to live.
const UNKNOWN_TTL: u8 = 255;

/// A received datagram.
pub(super) struct Datagram {
    /// Length, bytes.
    pub len: usize,
    /// Sender.
    pub from: Option<SocketAddr>,
    /// Receive time on the near clock, ns: the kernel's timestamp if available.
    pub received_ns: i64,
    /// Time to live.
    pub ttl: u8,
}

/// Prepares a socket: sets a read timeout of one turn, and enables receive timestamps.
pub(super) fn prepare(socket: &UdpSocket) -> io::Result<()> {
    socket.set_read_timeout(Some(TURN))?;
    // The program works without options that the system refuses; it then takes the timestamps
    // itself.
    let _ = setsockopt(socket, ReceiveTimestampns, &true);
    let _ = setsockopt(socket, Ipv4RecvTtl, &true);
    Ok(())
}

/// Waits one turn for a datagram. Returns `None` if none arrives.
pub(super) fn receive(
    socket: &UdpSocket,
    into: &mut [u8],
    clock: Clock,
) -> io::Result<Option<Datagram>> {
    let mut control = nix::cmsg_space!(TimeSpec, i32);
    let mut parts = [IoSliceMut::new(into)];
    let got = recvmsg::<SockaddrStorage>(
        socket.as_raw_fd(),
        &mut parts,
        Some(&mut control),
        MsgFlags::empty(),
    );
    let got = match got {
        Ok(got) => got,
        Err(nix::Error::EAGAIN | nix::Error::EINTR) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let (mut received_ns, mut ttl) = (clock.now_ns(), UNKNOWN_TTL);
    for message in got.cmsgs()? {
        match message {
            ControlMessageOwned::ScmTimestampns(at) => {
                received_ns = clock.of_day_ns(at.tv_sec() * 1_000_000_000 + at.tv_nsec());
            }
            ControlMessageOwned::Ipv4Ttl(found) => ttl = u8::try_from(found).unwrap_or(UNKNOWN_TTL),
            _ => {}
        }
    }
    let from = got.address.as_ref().and_then(|at| {
        let v4 = at.as_sockaddr_in().map(|at| SocketAddr::from((at.ip(), at.port())));
        v4.or_else(|| at.as_sockaddr_in6().map(|at| SocketAddr::from((at.ip(), at.port()))))
    });
    Ok(Some(Datagram { len: got.bytes, from, received_ns, ttl }))
}

/// Opens a session with the reflector at `host`.
pub(super) fn open(
    host: &str,
    size: usize,
    clock: Clock,
    error_ns: Option<u64>,
) -> io::Result<Halves> {
    let mut last = io::Error::new(io::ErrorKind::NotFound, "no such host");
    for far in host.to_socket_addrs()? {
        let any: SocketAddr = match far {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(any).and_then(|socket| {
            socket.connect(far)?;
            prepare(&socket)?;
            Ok(socket)
        });
        match socket {
            Ok(socket) => {
                let socket = Arc::new(socket);
                // Sessions of one host have different ports. The identifier distinguishes two runs from one port.
                let ssid = (clock.now_ns() >> 10) as u16 | 1;
                let estimate = stamp::error_estimate(error_ns);
                let asks =
                    Asks { socket: Arc::clone(&socket), packet: vec![0; size], ssid, estimate };
                let hears = Hears { socket, packet: vec![0; LONGEST], ssid, clock };
                return Ok((Box::new(asks), Box::new(hears)));
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

struct Asks {
    socket: Arc<UdpSocket>,
    packet: Vec<u8>,
    ssid: u16,
    estimate: u16,
}

impl Ask for Asks {
    fn ask(&mut self, sequence: u32, sent_ns: i64) -> io::Result<()> {
        stamp::ask(&mut self.packet, sequence, self.ssid, sent_ns, self.estimate);
        match self.socket.send(&self.packet) {
            // A datagram for which there is no buffer space is lost, as anywhere on the path.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) if error.raw_os_error() == Some(nix::Error::ENOBUFS as i32) => Ok(()),
            sent => sent.map(|_| ()),
        }
    }
}

struct Hears {
    socket: Arc<UdpSocket>,
    packet: Vec<u8>,
    ssid: u16,
    clock: Clock,
}

impl Hear for Hears {
    fn hear(&mut self) -> io::Result<Option<Heard>> {
        let Some(got) = receive(&self.socket, &mut self.packet, self.clock)? else {
            return Ok(None);
        };
        let answer = stamp::read(&self.packet[..got.len], self.ssid, got.received_ns);
        Ok(answer.map(|answer| Heard {
            sequence: answer.sequence,
            sequences: 1 << 32,
            count: answer.count,
            counts: 1 << 32,
            received_ns: answer.received_ns,
            answered_ns: answer.answered_ns,
            arrived_ns: got.received_ns,
            error_ns: answer.error_ns,
        }))
    }
}
