//! The other end of a session, on a computer.
//!
//! An answer is never longer than its question, and goes where the question came from. So many answers
//! a second go to one address at most: a question with a forged sender costs its victim no more than
//! that.

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
use super::stream;
use super::target::Target;
use super::websocket;
use super::wire::Error;

/// Sessions whose answers are counted; the one that was silent for longest makes room for another.
const SESSIONS: usize = 4_096;
/// A session that was silent for so long is over (REFWAIT of TWAMP, RFC 5357, section 4.2).
const SILENT: Duration = Duration::from_secs(900);
/// Connections at once.
const CONNECTIONS: u64 = 64;

const FRAME: usize = framed_len(stream::LONGEST);
type OnStream = StreamReflector<{ stream::LONGEST }, FRAME>;

/// What a reflector did.
#[derive(Debug, Default)]
pub struct Counts {
    /// Questions answered.
    pub answered: AtomicU64,
    /// Packets that are no question.
    pub ignored: AtomicU64,
    /// Questions, or connections, beyond a limit.
    pub limited: AtomicU64,
}

/// Answers the questions that come to one address or device.
pub struct Reflector {
    listens: Listens,
    name: String,
    clock: Clock,
    /// Answers a second to one address.
    rate: u32,
    error_ns: Option<u64>,
    counts: Arc<Counts>,
}

enum Listens {
    Datagrams(UdpSocket),
    Connections(TcpListener),
    WebSockets(TcpListener),
    Line(File),
}

impl Reflector {
    /// Listens at a target.
    ///
    /// # Errors
    ///
    /// Where it cannot be listened at.
    pub fn open(target: &Target, rate: u32, error_ns: Option<u64>) -> Result<Self, Error> {
        let failed = |cause| Error::Open { target: target.to_string(), cause };
        let (listens, name) = match target {
            Target::Udp(host) => {
                let socket = UdpSocket::bind(host).map_err(failed)?;
                datagrams::prepare(&socket).map_err(failed)?;
                let name = format!("udp://{}", socket.local_addr().map_err(failed)?);
                (Listens::Datagrams(socket), name)
            }
            Target::Tcp(host) => {
                let (listener, address) = listening(host).map_err(failed)?;
                (Listens::Connections(listener), format!("tcp://{address}"))
            }
            // Whatever the path, it answers.
            Target::WebSocket { host, path } => {
                let (listener, address) = listening(host).map_err(failed)?;
                (Listens::WebSockets(listener), format!("ws://{address}/{path}"))
            }
            Target::Serial { path, baud } => {
                let line = stream::open_line(path, *baud).map_err(failed)?;
                (Listens::Line(line), target.to_string())
            }
        };
        let counts = Arc::default();
        Ok(Self { listens, name, clock: Clock::start(), rate, error_ns, counts })
    }

    /// Where it listens.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it did so far.
    #[must_use]
    pub fn counts(&self) -> Arc<Counts> {
        Arc::clone(&self.counts)
    }

    /// Answers until the work is interrupted.
    ///
    /// # Errors
    ///
    /// Those of the operating system after which nothing more comes.
    pub fn run(self) -> Result<(), Error> {
        let target = self.name.clone();
        let ended = match self.listens {
            Listens::Datagrams(ref socket) => self.datagrams(socket),
            Listens::Connections(ref listener) => self.connections(listener, accepted),
            Listens::WebSockets(ref listener) => self.connections(listener, upgraded),
            Listens::Line(line) => on_stream(stream::Line(line), self.clock, &self.counts),
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
                // An answer of before found nobody.
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
            // Who is gone, or whose network is full, gets none.
            if socket.send_to(question, from).is_ok() {
                self.counts.answered.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    fn connections(&self, listener: &TcpListener, serve_one: Serve) -> io::Result<()> {
        let open = Arc::new(AtomicU64::new(0));
        while !interrupt::is_requested() {
            let connection = match listener.accept() {
                Ok((connection, _)) => connection,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    stream::is_readable(listener.as_fd())?;
                    continue;
                }
                // One that was reset before it was accepted.
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
                // A client that goes away is no fault of ours.
                let _ = connection.set_nonblocking(false);
                let _ = watched.watch(|| serve_one(connection, clock, &counts));
                open.fetch_sub(1, Ordering::Relaxed);
            };
            thread::Builder::new().name("reflector".to_owned()).spawn(serve)?;
        }
        Ok(())
    }
}

/// A listener that does not block, and where it listens.
fn listening(host: &str) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(host)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves one connection.
type Serve = fn(TcpStream, Clock, &Counts) -> io::Result<()>;

fn accepted(connection: TcpStream, clock: Clock, counts: &Counts) -> io::Result<()> {
    stream::prepare(&connection)?;
    // A client that takes nothing is left.
    connection.set_write_timeout(Some(Duration::from_secs(5)))?;
    on_stream(connection, clock, counts)
}

fn upgraded(connection: TcpStream, clock: Clock, counts: &Counts) -> io::Result<()> {
    websocket::serve(connection, clock, SILENT, || {
        counts.answered.fetch_add(1, Ordering::Relaxed);
    })
}

/// Serves a stream until it ends, is silent for long, or the work is interrupted.
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

/// Answers sent in each session.
#[derive(Default)]
struct Sessions(HashMap<(SocketAddr, u16), (u32, Option<Instant>)>);

impl Sessions {
    /// How many answers went to this session before.
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

/// Answers a second to each address: a bucket that fills at the rate and holds a second's worth.
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
            // One that is full again is as one that never was.
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
    fn one_address_gets_no_more_than_its_rate_and_others_are_not_affected() {
        let mut limits = Limits::new(100);
        let victim = IpAddr::from([10, 0, 0, 1]);
        let allowed = (0..10_000).filter(|_| limits.allows(victim)).count();
        assert!((100..1_000).contains(&allowed), "{allowed}");
        assert!(limits.allows(IpAddr::from([10, 0, 0, 2])));
    }
}
