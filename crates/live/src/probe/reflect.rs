//! The far end of a session, on a computer.
//!
//! A response is never longer than the request, and is sent to the source address of the request. The
//! number of responses per second to one address is limited. Requests with a forged source address
//! therefore cannot cause more traffic to this address than the limit.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use airlag_app::reflector::StreamReflector;
use airlag_link::framing::framed_len;
use airlag_link::stamp;
use airlag_rig::interrupt;

use super::datagrams::{self, Datagram};
use super::near::Clock;
use super::target::Target;
use super::wire::Error;
use super::{rpc, stream, websocket};

/// Maximum number of sessions with a counter. One more replaces the session that has been idle the longest.
const SESSIONS: usize = 4_096;
/// Idle time after which a session has ended (REFWAIT of TWAMP, RFC 5357, section 4.2).
const SILENT: Duration = Duration::from_secs(900);
/// Maximum number of connections.
const CONNECTIONS: u64 = 64;

const FRAME: usize = framed_len(stream::LONGEST);
type OnStream = StreamReflector<{ stream::LONGEST }, FRAME>;

/// Counters of a reflector.
#[derive(Debug, Default)]
pub struct Counts {
    /// Requests answered.
    pub answered: AtomicU64,
    /// Packets that are not requests.
    pub ignored: AtomicU64,
    /// Requests or connections rejected because of a limit.
    pub limited: AtomicU64,
}

/// Responds to the requests that arrive at one address or device.
pub struct Reflector {
    listens: Listens,
    name: String,
    clock: Clock,
    /// Maximum responses per second to one address.
    rate: u32,
    error_ns: Option<u64>,
    counts: Arc<Counts>,
}

enum Listens {
    Datagrams(UdpSocket),
    Connections(TcpListener, Serve<TcpStream>),
    Line(File, Serve<stream::Line>),
}

impl Reflector {
    /// Opens a reflector at a target.
    ///
    /// # Errors
    ///
    /// If the address or device cannot be opened.
    pub fn open(target: &Target, rate: u32, error_ns: Option<u64>) -> Result<Self, Error> {
        let failed = |cause| Error::Open { target: target.to_string(), cause };
        let (listens, name) = listen(target).map_err(failed)?;
        let counts = Arc::default();
        Ok(Self { listens, name, clock: Clock::start(), rate, error_ns, counts })
    }

    /// Address at which it listens.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Counters so far.
    #[must_use]
    pub fn counts(&self) -> Arc<Counts> {
        Arc::clone(&self.counts)
    }

    /// Responds to requests until interrupted.
    ///
    /// # Errors
    ///
    /// Fatal errors of the operating system.
    pub fn run(self) -> Result<(), Error> {
        let target = self.name.clone();
        let ended = match self.listens {
            Listens::Datagrams(ref socket) => self.datagrams(socket),
            Listens::Connections(ref listener, serve) => self.connections(listener, serve),
            Listens::Line(line, serve) => serve(stream::Line(line), self.clock, &self.counts),
        };
        ended.map_err(|cause| Error::Ended { target, cause })
    }

    fn datagrams(&self, socket: &UdpSocket) -> io::Result<()> {
        let mut packet = vec![0; datagrams::LONGEST];
        let mut sessions = Sessions::default();
        let mut limits = Limits::new(self.rate);
        let estimate = stamp::error_estimate(self.error_ns);
        while !interrupt::is_requested() {
            let got = match datagrams::receive(socket, &mut packet, self.clock) {
                Ok(Some(got)) => got,
                Ok(None) => continue,
                // An earlier response was undeliverable.
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => continue,
                Err(error) => return Err(error),
            };
            let Datagram { len, from: Some(from), received_ns, ttl } = got else { continue };
            let question = &mut packet[..len];
            if !stamp::is_question(question) {
                self.counts.ignored.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            if !limits.allows(from.ip()) {
                self.counts.limited.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            let count = sessions.count(from, stamp::ssid(question));
            let clock = self.clock;
            stamp::reflect(question, count, received_ns, ttl, estimate, || clock.now_ns());
            // A response that cannot be sent is dropped.
            if socket.send_to(question, from).is_ok() {
                self.counts.answered.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    fn connections(&self, listener: &TcpListener, serve_one: Serve<TcpStream>) -> io::Result<()> {
        let open = Arc::new(AtomicU64::new(0));
        while !interrupt::is_requested() {
            let connection = match listener.accept() {
                Ok((connection, _)) => connection,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    stream::is_readable(listener.as_fd())?;
                    continue;
                }
                // The connection was reset before it was accepted.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
                Err(error) => return Err(error),
            };
            if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
                open.fetch_sub(1, Ordering::Relaxed);
                self.counts.limited.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            let (clock, counts, open) = (self.clock, self.counts(), Arc::clone(&open));
            let watched = interrupt::current();
            let serve = move || {
                // A client that disconnects is not an error.
                let _ = connection.set_nonblocking(false);
                let _ = watched.watch(|| serve_one(connection, clock, &counts));
                open.fetch_sub(1, Ordering::Relaxed);
            };
            thread::Builder::new().name("reflector".to_owned()).spawn(serve)?;
        }
        Ok(())
    }
}

/// Opens a listener or a line, and returns the address at which it listens.
fn listen(target: &Target) -> io::Result<(Listens, String)> {
    Ok(match target {
        Target::Udp(host) => {
            let socket = UdpSocket::bind(host)?;
            datagrams::prepare(&socket)?;
            let name = format!("udp://{}", socket.local_addr()?);
            (Listens::Datagrams(socket), name)
        }
        Target::Tcp(host) => {
            let (listener, address) = listening(host)?;
            (Listens::Connections(listener, accepted), format!("tcp://{address}"))
        }
        // Any path is accepted.
        Target::WebSocket { host, path } => {
            let (listener, address) = listening(host)?;
            (Listens::Connections(listener, upgraded), format!("ws://{address}/{path}"))
        }
        Target::Serial { path, baud } => {
            (Listens::Line(stream::open_line(path, *baud)?, on_stream), target.to_string())
        }
        Target::Ble(_) => {
            return Err(io::Error::other("the reflector of ble: runs on a board (crates/app)"));
        }
        Target::Rpc(over) => {
            let (listens, name) = listen(over)?;
            let listens = match listens {
                Listens::Connections(listener, _) => Listens::Connections(listener, called),
                Listens::Line(line, _) => Listens::Line(line, calls),
                other => other,
            };
            (listens, format!("rpc:{name}"))
        }
    })
}

/// Opens a non-blocking listener and returns its address.
fn listening(host: &str) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(host)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves one connection or line.
type Serve<S> = fn(S, Clock, &Counts) -> io::Result<()>;

fn accepted(connection: TcpStream, clock: Clock, counts: &Counts) -> io::Result<()> {
    on_stream(prepared(connection)?, clock, counts)
}

fn called(connection: TcpStream, clock: Clock, counts: &Counts) -> io::Result<()> {
    calls(prepared(connection)?, clock, counts)
}

fn prepared(connection: TcpStream) -> io::Result<TcpStream> {
    stream::prepare(&connection)?;
    // A client that does not read is disconnected.
    connection.set_write_timeout(Some(Duration::from_secs(5)))?;
    Ok(connection)
}

fn calls(stream: impl Read + Write, clock: Clock, counts: &Counts) -> io::Result<()> {
    rpc::serve(stream, clock, SILENT, |is_call| {
        let count = if is_call { &counts.answered } else { &counts.ignored };
        count.fetch_add(1, Ordering::Relaxed);
    })
}

fn upgraded(connection: TcpStream, clock: Clock, counts: &Counts) -> io::Result<()> {
    websocket::serve(connection, clock, SILENT, || {
        counts.answered.fetch_add(1, Ordering::Relaxed);
    })
}

/// Serves a stream until it ends, is idle for [`SILENT`], or is interrupted.
fn on_stream(mut stream: impl Read + Write, clock: Clock, counts: &Counts) -> io::Result<()> {
    let mut reflector = Box::new(OnStream::new());
    let mut piece = [0; 4_096];
    let mut heard = Instant::now();
    while !interrupt::is_requested() && heard.elapsed() < SILENT {
        let Some(read) = stream::read(&mut stream, &mut piece)? else { continue };
        let received = clock.now_ns() as u64;
        heard = Instant::now();
        if read == 0 {
            return Ok(());
        }
        for &byte in &piece[..read] {
            if let Some(answer) = reflector.feed(byte, received, || clock.now_ns() as u64) {
                stream.write_all(answer)?;
                counts.answered.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
    Ok(())
}

/// Number of responses sent in each session.
#[derive(Default)]
struct Sessions(HashMap<(SocketAddr, u16), (u32, Option<Instant>)>);

impl Sessions {
    /// Returns the number of earlier responses in this session, and counts one more.
    fn count(&mut self, from: SocketAddr, ssid: u16) -> u32 {
        let now = Instant::now();
        if self.0.len() >= SESSIONS && !self.0.contains_key(&(from, ssid)) {
            let since = |last: &Option<Instant>| last.map_or(SILENT, |at| now - at);
            self.0.retain(|_, (_, last)| since(last) < SILENT);
            let oldest = self.0.iter().max_by_key(|(_, (_, last))| since(last)).map(|one| *one.0);
            if let Some(oldest) = oldest.filter(|_| self.0.len() >= SESSIONS) {
                self.0.remove(&oldest);
            }
        }
        let (count, last) = self.0.entry((from, ssid)).or_default();
        let before = *count;
        (*count, *last) = (count.wrapping_add(1), Some(now));
        before
    }
}

/// Rate limit per address: a token bucket that fills at this rate, with a capacity of one second.
struct Limits {
    rate: f64,
    buckets: HashMap<IpAddr, (f64, Instant)>,
}

impl Limits {
    fn new(rate: u32) -> Self {
        Self { rate: f64::from(rate), buckets: HashMap::new() }
    }

    fn allows(&mut self, from: IpAddr) -> bool {
        let (rate, now) = (self.rate, Instant::now());
        let filled =
            |&(left, at): &(f64, Instant)| ((now - at).as_secs_f64().mul_add(rate, left)).min(rate);
        if self.buckets.len() >= SESSIONS && !self.buckets.contains_key(&from) {
            // A full bucket is equivalent to a new one.
            self.buckets.retain(|_, bucket| filled(bucket) < rate);
            if self.buckets.len() >= SESSIONS {
                return false;
            }
        }
        let bucket = self.buckets.entry(from).or_insert((rate, now));
        *bucket = (filled(bucket), now);
        let allowed = bucket.0 >= 1.0;
        if allowed {
            bucket.0 -= 1.0;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_counts_its_own_answers() {
        let mut sessions = Sessions::default();
        let address = |port| SocketAddr::from(([127, 0, 0, 1], port));
        assert_eq!((sessions.count(address(1), 1), sessions.count(address(1), 1)), (0, 1));
        assert_eq!((sessions.count(address(1), 2), sessions.count(address(2), 1)), (0, 0));
        for port in 3..=60_000 {
            sessions.count(address(port), 1);
        }
        assert_eq!(sessions.0.len(), SESSIONS);
        assert_eq!(sessions.count(address(60_000), 1), 1);
    }

    #[test]
    fn the_rate_limit_applies_per_address() {
        let mut limits = Limits::new(100);
        let victim = IpAddr::from([10, 0, 0, 1]);
        let allowed = (0..10_000).filter(|_| limits.allows(victim)).count();
        assert!((100..1_000).contains(&allowed), "{allowed}");
        assert!(limits.allows(IpAddr::from([10, 0, 0, 2])));
    }
}
