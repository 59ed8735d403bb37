//! RPC echo: each message is a call whose reply repeats its text.
//!
//! The echo has no timestamps and no counter, so one-way delays and the direction of a loss are unknown. Each
//! container of [`airlag_rpc`] is one frame on TCP and serial lines, and one packet of a [`Carrier`].

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant as WallInstant};

use airlag_link::framing::{frame, framed_len};
use airlag_rig::interrupt;
use airlag_rpc::Instant;
use airlag_rpc::benchmark::BenchmarkServer;
use airlag_rpc::central::{CallKind, Central, Config as CentralConfig, Event, Failure};
use airlag_rpc::control::Reason;
use airlag_rpc::exchange::expand;
use airlag_rpc::flash::Flash;
use airlag_rpc::peripheral::{Config, Encryption, Peripheral, Taken};
use airlag_stats::NONE;

use super::near::Clock;
use super::packets::Carrier;
use super::session::Plan;
use super::stream::{self, Frames, Line};
use super::target::Target;
use super::wire::{self, Ask, Halves, Hear, Heard};

/// Shortest text of a call, bytes: its sequence number in hexadecimal digits.
pub(super) const SHORTEST: usize = 8;
/// Longest text of a call, bytes: the limit of the benchmark service's echo.
pub(super) const LONGEST: usize = 256;
/// Container size, bytes, as with an ATT MTU of 247, which fills one link-layer packet of Bluetooth LE.
const CONTAINER: usize = 247 - airlag_rpc::container::ATT_HEADER;
/// Maximum number of calls in flight. Further calls wait in the central, and their latency includes the wait.
const CALLS: usize = 16;
/// Longest request that the reflector accepts, bytes.
const REQUEST: usize = 1_024;

/// Sends a container.
type SendContainer = Box<dyn FnMut(&[u8]) -> io::Result<()> + Send>;
/// Waits up to [`TURN`](super::near::TURN) for a container, and returns it with the time when it was read.
type ReceiveContainer = Box<dyn FnMut() -> io::Result<Option<(Vec<u8>, i64)>> + Send>;
/// Random bytes, expanded from a seed of the operating system.
type Random = Box<dyn FnMut(&mut [u8]) + Send>;

fn random() -> io::Result<(Random, [u8; 32])> {
    let (mut seed, mut drawn) = ([0; 32], 0);
    File::open("/dev/urandom")?.read_exact(&mut seed)?;
    let mut random: Random = Box::new(move |bytes: &mut [u8]| {
        expand(&seed, drawn, bytes);
        drawn += 1;
    });
    let mut identity = [0; 32];
    random(&mut identity);
    Ok((random, identity))
}

const fn instant(now_ns: i64) -> Instant {
    Instant(now_ns as u64)
}

/// Writes a container as a frame.
fn write(stream: &mut impl Write, container: &[u8]) -> io::Result<()> {
    let mut framed = [0; framed_len(CONTAINER)];
    let len = frame(container, &mut framed).ok_or(io::ErrorKind::InvalidInput)?;
    stream.write_all(&framed[..len])
}

/// Sends and receives containers as frames on a stream.
fn on_stream(
    mut writes: impl Write + Send + 'static,
    reads: impl Read + Send + 'static,
    clock: Clock,
) -> (SendContainer, ReceiveContainer) {
    let mut frames = Frames::new(reads, clock);
    let receive = move || frames.next(|container, at_ns| Some((container.to_vec(), at_ns)));
    (Box::new(move |container: &[u8]| write(&mut writes, container)), Box::new(receive))
}

/// Sends and receives containers as packets of a carrier.
fn on_carrier(carrier: &Carrier, clock: Clock) -> (SendContainer, ReceiveContainer) {
    let (sends, receives) = (carrier.clone(), carrier.clone());
    let mut packet = vec![0; carrier.longest];
    let receive = move || {
        let received = receives.receive(&mut packet)?;
        Ok(received.map(|len| (packet[..len].to_vec(), clock.now_ns())))
    };
    (Box::new(move |container: &[u8]| sends.send(container)), Box::new(receive))
}

/// Connects to a peripheral and completes the negotiation.
pub(super) fn open(over: &Target, plan: &Plan, clock: Clock) -> io::Result<Halves> {
    let (send, mut receive) = match over {
        Target::Tcp(host) => {
            let connection = TcpStream::connect(host)?;
            stream::prepare(&connection)?;
            on_stream(connection.try_clone()?, connection, clock)
        }
        Target::Serial { path, baud } => {
            let line = stream::open_line(path, *baud)?;
            on_stream(line.try_clone()?, Line(line), clock)
        }
        _ => on_carrier(wire::carrier(plan)?, clock),
    };
    let packet = plan.carrier.as_ref().map_or(CONTAINER, |carrier| carrier.longest);
    // A probe's text is not secret, so a peripheral without encryption can be probed too.
    let mut config = CentralConfig::new(packet, CALLS as u8);
    config.encryption = Encryption::Preferred;
    // A later response counts as lost, and must not delay the next call.
    config.timeout_ns = Some(plan.timeout.as_ns());
    let central = Central::new(config, random()?.0, instant(clock.now_ns()));
    let mut calls = Calls { central, send, container: vec![0; packet], size: plan.size };
    calls.negotiate(&mut receive, clock)?;
    let calls = Arc::new(Mutex::new(calls));
    let asks = Asks(Arc::clone(&calls));
    Ok((Box::new(asks), Box::new(Hears { calls, receive, clock })))
}

/// State of the calls, shared by transmitter and receiver.
struct Calls {
    central: Central<Random>,
    send: SendContainer,
    container: Vec<u8>,
    size: usize,
}

impl Calls {
    fn send_all(&mut self, now_ns: i64) -> io::Result<()> {
        while let Some(len) = self.central.outgoing(&mut self.container, instant(now_ns)) {
            (self.send)(&self.container[..len])?;
        }
        Ok(())
    }

    fn negotiate(&mut self, receive: &mut ReceiveContainer, clock: Clock) -> io::Result<()> {
        while !interrupt::is_requested() {
            self.send_all(clock.now_ns())?;
            match self.central.event() {
                Some(Event::Ready) => return Ok(()),
                Some(Event::Broken(failure)) => return Err(io::Error::other(failure.to_string())),
                _ => {}
            }
            if let Some((container, at_ns)) = receive()? {
                self.central.received(&container, instant(at_ns));
            }
            self.central.tick(instant(clock.now_ns()));
        }
        Err(io::ErrorKind::Interrupted.into())
    }

    /// Returns the sequence number of the next answered call. A failed call counts as lost, unless every call
    /// would fail for the same reason.
    fn answered(&mut self) -> io::Result<Option<u32>> {
        while let Some(event) = self.central.event() {
            match event {
                Event::Reply { message, .. } => {
                    let sequence = read(&message, self.size);
                    if sequence.is_some() {
                        return Ok(sequence);
                    }
                }
                Event::Failed {
                    failure:
                        failure @ (Failure::TooLong { .. }
                        | Failure::Peer(
                            Reason::UnknownMethod
                            | Reason::Malformed
                            | Reason::OutOfRange
                            | Reason::RequestTooLarge
                            | Reason::ResponseTooLarge,
                        )),
                    ..
                } => return Err(io::Error::other(failure.to_string())),
                _ => {}
            }
        }
        Ok(None)
    }
}

fn lock(calls: &Mutex<Calls>) -> MutexGuard<'_, Calls> {
    calls.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Protobuf tag of the echo's text: field 1, length-delimited.
const TEXT: u8 = 1 << 3 | 2;

/// Encodes the request of call `sequence`: a text of `size` bytes.
fn request(sequence: u32, size: usize) -> Vec<u8> {
    let mut message = vec![TEXT];
    // The length is a varint.
    if size >= 1 << 7 {
        message.extend([size as u8 | 1 << 7, (size >> 7) as u8]);
    } else {
        message.push(size as u8);
    }
    message.extend(format!("{sequence:0size$x}").bytes());
    message
}

/// Returns the sequence number of a reply, or `None` if it does not repeat a request.
fn read(message: &[u8], size: usize) -> Option<u32> {
    let text = message.get(message.len().checked_sub(size)?..)?;
    let sequence = u32::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok()?;
    (message == request(sequence, size)).then_some(sequence)
}

struct Asks(Arc<Mutex<Calls>>);

impl Ask for Asks {
    fn ask(&mut self, sequence: u32, sent_ns: i64) -> io::Result<()> {
        let mut calls = lock(&self.0);
        let request = request(sequence, calls.size);
        calls.central.ask(CallKind::Single, "echo", vec![request]);
        calls.send_all(sent_ns)
    }
}

struct Hears {
    calls: Arc<Mutex<Calls>>,
    receive: ReceiveContainer,
    clock: Clock,
}

impl Hear for Hears {
    fn hear(&mut self) -> io::Result<Option<Heard>> {
        let received = (self.receive)()?;
        let now_ns = self.clock.now_ns();
        let mut calls = lock(&self.calls);
        let arrived_ns = received.as_ref().map_or(now_ns, |(_, at_ns)| *at_ns);
        if let Some((container, at_ns)) = received {
            calls.central.received(&container, instant(at_ns));
        }
        calls.central.tick(instant(now_ns));
        // One container completes at most one call.
        let answered = calls.answered()?;
        calls.send_all(now_ns)?;
        Ok(answered.map(|sequence| Heard {
            sequence,
            sequences: 1 << 32,
            count: sequence,
            counts: 1 << 32,
            received_ns: NONE,
            answered_ns: NONE,
            arrived_ns,
            error_ns: None,
        }))
    }
}

/// Runs the benchmark service, whose echo function is used by the probe. Returns when the central
/// disconnects, when the central has sent nothing for `silent`, or when the command is interrupted.
/// Each connection gets a new random key as the identity of the peripheral. `count` is called for
/// containers, the packets of the RPC protocol: with `true` for each container that completes a
/// call, and with `false` for each invalid container.
pub(super) fn serve(
    stream: impl Read + Write,
    clock: Clock,
    silent: Duration,
    mut count: impl FnMut(bool),
) -> io::Result<()> {
    type Serves = Peripheral<BenchmarkServer<Flash<&'static [u8]>>, Random, REQUEST, CALLS>;
    let (random, identity) = random()?;
    let mut config = Config::new(CONTAINER, CALLS as u8);
    config.encryption = Encryption::Preferred;
    let service = BenchmarkServer(Flash::new(&[][..]));
    let mut peripheral = Box::new(Serves::new(service, identity, random, config));
    let mut frames = Frames::new(stream, clock);
    let mut container = [0; CONTAINER];
    let mut heard = WallInstant::now();
    while !interrupt::is_requested() && heard.elapsed() < silent {
        let taken =
            frames.next(|container, at_ns| Some(peripheral.received(container, instant(at_ns))));
        match taken {
            Ok(None) => continue,
            Ok(Some(taken)) => match taken {
                Ok(Taken::Call { .. }) => count(true),
                Ok(_) => {}
                Err(_) => count(false),
            },
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error),
        }
        heard = WallInstant::now();
        while let Some(len) = peripheral.outgoing(&mut container) {
            write(&mut frames.stream, &container[..len])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reply_of_the_benchmark_service_contains_the_sequence_number() {
        for size in [8, 12, 64, 127, 128, 256] {
            let message = request(0xBEEF, size);
            let mut service = BenchmarkServer(Flash::new(&[][..]));
            let answer = airlag_rpc::service::Service::call(&mut service, "echo", &message);
            let Ok(airlag_rpc::service::Outcome::Reply(mut reply)) = answer else {
                panic!("{size}: no answer")
            };
            assert!(airlag_rpc::service::Reply::next(&mut reply));
            let mut answer = vec![0; airlag_rpc::service::Reply::len(&reply)];
            airlag_rpc::service::Reply::read(&mut reply, &mut answer);
            assert_eq!(read(&answer, size), Some(0xBEEF), "{size}");
            // A truncated or altered text is not a reply.
            assert_eq!(read(&answer[..answer.len() - 1], size), None);
            answer[2] = b'x';
            assert_eq!(read(&answer, size), None);
        }
    }
}
