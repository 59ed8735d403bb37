//! Boards on serial lines that speak [`airlag_link::control`]: their images, settings and counters.
//!
//! **Input:** a serial device, and changes of settings by name. **Output:** the identity, settings and
//! counters of its board.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::{Duration as Wall, Instant};

pub use airlag_link::control::State;
use airlag_link::control::{LONGEST, REQUEST, Refusal, Reply, Request, VERSION};
use airlag_link::framing::{Deframer, frame, framed_len};
use airlag_rig::interrupt;

use crate::probe::stream::{is_readable, open_line, remedy};

pub use pair::{BoardCounters, End, Pair};

mod pair;

/// Baud rate; a board on USB ignores it.
const BAUD: u32 = 115_200;
/// Timeout for the reply to a request.
const REPLY_TIMEOUT: Wall = Wall::from_secs(3);
/// Interval at which a request is repeated until that timeout, because a board may still be
/// booting.
const RETRY_INTERVAL: Wall = Wall::from_millis(500);
/// Timeout for a board to start or stop, which completes its current message.
const STATE_TIMEOUT: Wall = Wall::from_secs(10);
/// Interval at which the state is polled until that timeout.
const TURN: Wall = Wall::from_millis(20);
/// Serial devices of Linux, each with a link to the interface of its USB device.
const SYSTEM: &str = "/sys/class/tty";
/// Manufacturer of the USB devices of `firmware`.
const MANUFACTURER: &str = "airlag";

/// A board that responded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Path of its serial device.
    pub device: String,
    /// Name of the board.
    pub board: String,
    /// Name of the image.
    pub image: String,
    /// Version of airlag from which the image was built.
    pub airlag: String,
    /// Version of the control protocol.
    pub protocol: u8,
    /// State.
    pub state: State,
    /// Settings, in the order of the board.
    pub settings: Vec<Item>,
    /// Counters, in the order of the board.
    pub counters: Vec<Item>,
}

impl Board {
    /// Returns the end of a link that its setting `role` selects. `None` if the board has no such
    /// setting.
    #[must_use]
    pub fn role(&self) -> Option<End> {
        let role = self.settings.iter().find(|setting| setting.name == pair::ROLE)?;
        [End::Sender, End::Receiver].into_iter().find(|end| *end as u64 == role.value)
    }
}

/// A setting or a counter of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Name.
    pub name: String,
    /// Value.
    pub value: u64,
    /// Lowest and highest permitted value.
    pub bounds: [u64; 2],
    /// Unit of value and bounds; empty if it has none.
    pub unit: String,
}

/// Changes that a host makes on a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// New values by the names of their settings. The board is stopped while they are changed.
    pub settings: Vec<(String, u64)>,
    /// Whether to start (`true`) or to stop (`false`) the board. `None` leaves the state unchanged.
    pub runs: Option<bool>,
}

impl Changes {
    /// Parses changes such as `size=128`.
    ///
    /// # Errors
    ///
    /// [`InvalidChange`] if one is not a name and a whole number.
    pub fn read(settings: &[String], runs: Option<bool>) -> Result<Self, InvalidChange> {
        let read = |text: &String| {
            let change = text.split_once('=');
            let change =
                change.and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
            change.ok_or_else(|| InvalidChange(text.clone()))
        };
        Ok(Self { settings: settings.iter().map(read).collect::<Result<_, _>>()?, runs })
    }
}

/// Error of an invalid change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: expected a name and a whole number in the unit of the setting, such as size=128")]
pub struct InvalidChange(String);

/// Errors of a board.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The device could not be opened or set up.
    #[error("{device}: {cause}; {}", remedy(cause))]
    Open {
        /// Path of the device.
        device: String,
        /// Cause.
        cause: io::Error,
    },
    /// No valid reply arrived.
    #[error("{device}: {}, within {}s; expected an image of airlag", heard(*bytes), REPLY_TIMEOUT.as_secs())]
    Silent {
        /// Path of the device.
        device: String,
        /// Number of bytes that arrived.
        bytes: usize,
    },
    /// The board uses another version of the protocol.
    #[error(
        "{device}: the board uses control protocol version {found}; expected version {VERSION}"
    )]
    Version {
        /// Path of the device.
        device: String,
        /// Version of the board.
        found: u8,
    },
    /// The device was unplugged.
    #[error("{device}: unplugged ({cause})")]
    Unplugged {
        /// Path of the device.
        device: String,
        /// Error of the operating system.
        cause: io::Error,
    },
    /// The board has no such setting.
    #[error("{device}: unknown setting {name}; expected {}", or_none(known))]
    Unknown {
        /// Path of the device.
        device: String,
        /// Name of the setting.
        name: String,
        /// Names of the settings of the board.
        known: Vec<String>,
    },
    /// The value is outside the bounds of its setting.
    #[error("{device}: {name}={value} is out of range; expected {} to {}", bounds[0], bounds[1])]
    OutOfBounds {
        /// Path of the device.
        device: String,
        /// Name of the setting.
        name: String,
        /// Value.
        value: u64,
        /// Lowest and highest permitted value.
        bounds: [u64; 2],
    },
    /// The board refused a request.
    #[error("{device}: the board refused {request}: {reason}")]
    Refused {
        /// Path of the device.
        device: String,
        /// Request.
        request: &'static str,
        /// Reason.
        reason: &'static str,
    },
    /// The board did not start or stop in time.
    #[error("{device}: the board did not {request} within {}s; reset it", STATE_TIMEOUT.as_secs())]
    Unchanged {
        /// Path of the device.
        device: String,
        /// Request.
        request: &'static str,
    },
    /// The board was still sending when its run should have been over.
    #[error("{device}: still sending after the recording; choose a longer `period` or `drain`")]
    StillSending {
        /// Path of the device.
        device: String,
    },
    /// The board sent fewer or more messages than it was set to.
    #[error("{device}: the board counted {found} sent messages; expected {expected}")]
    Miscounted {
        /// Path of the device.
        device: String,
        /// Number of messages by its counter.
        found: u64,
        /// Number of messages that was set.
        expected: u64,
    },
    /// The radio of the board did not respond to the board.
    #[error("{device}: the board's radio does not respond; check its wiring and supply")]
    Failed {
        /// Path of the device.
        device: String,
    },
}

fn heard(bytes: usize) -> String {
    match bytes {
        0 => "no response".to_owned(),
        bytes => format!("no valid response in {bytes} bytes"),
    }
}

fn or_none(known: &[String]) -> String {
    if known.is_empty() {
        "no setting, because the board has none".to_owned()
    } else {
        known.join(", ")
    }
}

/// Serial devices of the boards that are connected: those whose USB manufacturer is airlag. Nothing is
/// sent to any other device, because it could be disturbed.
#[must_use]
pub fn connected() -> Vec<PathBuf> {
    in_system(Path::new(SYSTEM))
}

fn in_system(system: &Path) -> Vec<PathBuf> {
    let is_ours = |device: &Path| {
        std::fs::read_to_string(device.join("device/../manufacturer"))
            .is_ok_and(|found| found.trim_end() == MANUFACTURER)
    };
    let devices = system.read_dir().into_iter().flatten().flatten();
    let ours = devices.filter(|device| is_ours(&device.path()));
    let mut found: Vec<PathBuf> =
        ours.map(|device| Path::new("/dev").join(device.file_name())).collect();
    found.sort();
    found
}

/// Applies changes to the board at `path`, and returns its settings and counters after them.
///
/// # Errors
///
/// If the device cannot be used, no board of this version responds, or it refuses a change.
pub fn configured(path: &Path, changes: &Changes) -> Result<Board, Error> {
    let mut host = Host::open(path)?;
    let board = host.board()?;
    if !changes.settings.is_empty() {
        let numbers = numbers(&board, &changes.settings)?;
        let runs = changes.runs.unwrap_or(matches!(board.state, State::Running | State::Starting));
        host.run(false)?;
        for (number, value) in numbers {
            host.ask(Request::Set { number, value })?;
        }
        if runs {
            host.run(true)?;
        }
    } else if let Some(runs) = changes.runs {
        // A running board is restarted, with its counters at 0.
        if runs && board.state != State::Stopped {
            host.run(false)?;
        }
        host.run(runs)?;
    } else {
        return Ok(board);
    }
    host.board()
}

/// Converts the names of settings to their numbers. Checks all changes first, so that an invalid one
/// changes nothing.
fn numbers(board: &Board, changes: &[(String, u64)]) -> Result<Vec<(u8, u64)>, Error> {
    let device = || board.device.clone();
    let number = |(name, value): &(String, u64)| {
        let known = || board.settings.iter().map(|setting| setting.name.clone()).collect();
        let number = board.settings.iter().position(|setting| setting.name == *name);
        let unknown = || Error::Unknown { device: device(), name: name.clone(), known: known() };
        let number = number.ok_or_else(unknown)?;
        let bounds = board.settings[number].bounds;
        if !(bounds[0]..=bounds[1]).contains(value) {
            let (name, value) = (name.clone(), *value);
            return Err(Error::OutOfBounds { device: device(), name, value, bounds });
        }
        Ok((number as u8, *value))
    };
    changes.iter().map(number).collect()
}

/// The host's end of a line.
struct Host {
    line: File,
    device: String,
}

/// A reply without references to its frame.
enum Answer {
    Identity { board: Board, settings: u8, counters: u8 },
    Item(Item),
    State(State),
}

impl Host {
    fn open(path: &Path) -> Result<Self, Error> {
        let device = path.display().to_string();
        let line = open_line(path, BAUD);
        let line = line.map_err(|cause| Error::Open { device: device.clone(), cause })?;
        Ok(Self { line, device })
    }

    fn board(&mut self) -> Result<Board, Error> {
        let identify = Request::Identify { version: VERSION };
        let Answer::Identity { mut board, settings, counters } = self.ask(identify)? else {
            return Err(self.silent(0));
        };
        for number in 0..settings + counters {
            let Answer::Item(item) = self.ask(Request::Read { number })? else { continue };
            let items = if number < settings { &mut board.settings } else { &mut board.counters };
            items.push(item);
        }
        Ok(board)
    }

    /// Starts or stops the board, and waits until it has done so. A short run may be over by then.
    fn run(&mut self, starts: bool) -> Result<(), Error> {
        let begun = Instant::now();
        let mut request = Request::Run(starts);
        while begun.elapsed() < STATE_TIMEOUT && !interrupt::is_requested() {
            match (self.ask(request)?, starts) {
                (Answer::State(State::Running | State::Stopped), true)
                | (Answer::State(State::Stopped | State::Failed), false) => return Ok(()),
                (Answer::State(State::Failed), true) => {
                    return Err(Error::Failed { device: self.device.clone() });
                }
                _ => {}
            }
            std::thread::sleep(TURN);
            request = Request::Count;
        }
        let request = if starts { "start" } else { "stop" };
        Err(Error::Unchanged { device: self.device.clone(), request })
    }

    fn silent(&self, bytes: usize) -> Error {
        Error::Silent { device: self.device.clone(), bytes }
    }

    /// Sends a request until its reply arrives.
    fn ask(&mut self, request: Request) -> Result<Answer, Error> {
        let line = framed(request);
        let mut deframer = Deframer::<LONGEST>::new();
        let (begun, mut last_sent, mut heard) = (Instant::now(), None::<Instant>, 0);
        let mut piece = [0; 4096];
        while begun.elapsed() < REPLY_TIMEOUT && !interrupt::is_requested() {
            let unplugged = |cause| Error::Unplugged { device: self.device.clone(), cause };
            if last_sent.is_none_or(|at| at.elapsed() > RETRY_INTERVAL) {
                self.line.write_all(&line).map_err(unplugged)?;
                last_sent = Some(Instant::now());
            }
            if !is_readable(self.line.as_fd()).map_err(unplugged)? {
                continue;
            }
            let read = self.line.read(&mut piece).map_err(unplugged)?;
            if read == 0 {
                return Err(unplugged(io::ErrorKind::UnexpectedEof.into()));
            }
            heard += read;
            for &byte in &piece[..read] {
                let Some(message) = deframer.feed(byte) else { continue };
                if let Some(answer) = self.answer(request, message) {
                    return answer;
                }
            }
        }
        Err(self.silent(heard))
    }

    /// The reply to this request in a message. `None` for any other message, such as the second reply to
    /// an earlier request that was repeated.
    fn answer(&self, request: Request, message: &[u8]) -> Option<Result<Answer, Error>> {
        let device = || self.device.clone();
        match (Reply::read(message)?, request) {
            (Reply::Foreign(found), Request::Identify { .. }) => {
                Some(Err(Error::Version { device: device(), found }))
            }
            (Reply::Identity(found), Request::Identify { .. }) => {
                let [major, minor, patch] = found.airlag;
                let board = Board {
                    device: device(),
                    board: found.board.to_owned(),
                    image: found.image.to_owned(),
                    airlag: format!("{major}.{minor}.{patch}"),
                    protocol: VERSION,
                    state: found.state,
                    settings: Vec::new(),
                    counters: Vec::new(),
                };
                let (settings, counters) = (found.settings, found.counters);
                Some(Ok(Answer::Identity { board, settings, counters }))
            }
            (Reply::Item(item), Request::Read { number } | Request::Set { number, .. })
                if item.number == number =>
            {
                let item = Item {
                    name: item.name.to_owned(),
                    value: item.value,
                    bounds: [item.lowest, item.highest],
                    unit: item.unit.to_owned(),
                };
                Some(Ok(Answer::Item(item)))
            }
            (Reply::Counters(found), Request::Run(_) | Request::Count) => {
                Some(Ok(Answer::State(found.state)))
            }
            (Reply::Refused(kind, reason), _) if kind == request.kind() => {
                let reason = match reason {
                    Refusal::Running => "it is running",
                    Refusal::Unknown => "no such item",
                    Refusal::OutOfBounds => "out of range",
                    Refusal::Unsupported => "its image does not support it",
                };
                let request = match request {
                    Request::Identify { .. } => "to identify itself",
                    Request::Read { .. } => "to read an item",
                    Request::Set { .. } => "a setting",
                    Request::Run(true) => "to start",
                    Request::Run(false) => "to stop",
                    Request::Count => "to count",
                };
                Some(Err(Error::Refused { device: device(), request, reason }))
            }
            _ => None,
        }
    }
}

fn framed(request: Request) -> Vec<u8> {
    let (mut message, mut line) = ([0; REQUEST], vec![0; framed_len(REQUEST) + 1]);
    let len = request.write(&mut message);
    // A leading delimiter ends any earlier, incomplete frame.
    let framed = frame(&message[..len], &mut line[1..]).unwrap_or(0);
    line.truncate(1 + framed);
    line
}

#[cfg(test)]
mod tests;
