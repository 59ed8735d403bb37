//! Frames that identify a board, change its settings and read its counters.
//!
//! ```text
//!  byte  0      1 .. 2      3 ..
//!       +------+-----------+--------------------------------------------------------------+
//!       | kind | CRC-16 BE | body                                                         |
//!       +------+-----------+--------------------------------------------------------------+
//!  host:  E5 identify  version 1
//!         E6 read      number 1
//!         E7 set       number 1 | value 8 BE
//!         E8 run       1 to start, 0 to stop, 1
//!         E9 count
//!  board: EA identity  version 1 | state 1 | settings 1 | counters 1 | airlag version 3
//!                      | length 1 | board | image
//!         EB item      number 1 | value 8 BE | lowest 8 BE | highest 8 BE | length 1 | name | unit
//!         EC counters  state 1 | value 4 BE …
//!         ED refused   kind of the request 1 | reason 1
//! ```
//!
//! A host sends one request at a time, and repeats a request if no reply comes. A request may be repeated
//! without further effect, because a request to change something sets an absolute value or state. A board
//! replies to `identify` with `identity`, to `read` and `set` with `item`, and to `run` and `count` with
//! `counters`. A refused request changes nothing.
//!
//! Items are the settings and the counters of a board, numbered from 0: first the settings, then the
//! counters. `identity` contains the number of settings and the number of counters. The reply to `read`
//! contains the name, the unit and the bounds of the item, so that a host needs no list of the settings
//! of an image. A counter has the bounds 0 and 2^32 - 1, and wraps at the upper bound. Counters restart
//! from 0 at each start of the board. The state of a board is 0 for stopped, 1 for running, 2 for failed
//! (the radio does not respond) and 3 for starting. Settings can be changed while the board is stopped or
//! failed. A board that receives a request to stop completes its current message first. A host therefore
//! requests the counters until the state in the reply is stopped, and only then changes settings or
//! starts the board again. The reason of a refusal is 0 if the board is running, 1 if there is no such
//! item, 2 if the value is outside the bounds, and 3 if the image does not support the request.
//!
//! A board sends its identity in reply to an identify of any version. In every version, the first byte
//! of an identify and of an identity is the version number. Texts are printable ASCII without spaces.

use crate::envelope::{HEADER, kind, seal};

/// Version of this protocol.
pub const VERSION: u8 = 1;
/// Longest frame of a board, bytes.
pub const LONGEST: usize = 80;
/// Longest request, bytes.
pub const REQUEST: usize = HEADER + 9;
/// Longest name, of a board, an image or an item, bytes.
pub const NAME: usize = 24;
/// Longest unit, bytes.
pub const UNIT: usize = 8;
/// Largest number of settings and counters together.
pub const ITEMS: u8 = 16;

const IDENTIFY: u8 = 0xE5;
const READ: u8 = 0xE6;
const SET: u8 = 0xE7;
const RUN: u8 = 0xE8;
const COUNT: u8 = 0xE9;
const IDENTITY: u8 = 0xEA;
const ITEM: u8 = 0xEB;
const COUNTERS: u8 = 0xEC;
const REFUSED: u8 = 0xED;

/// A frame from the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Send the identity.
    Identify {
        /// Version of the protocol that the host uses.
        version: u8,
    },
    /// Send an item.
    Read {
        /// Number of the item.
        number: u8,
    },
    /// Change a setting.
    Set {
        /// Number of the setting.
        number: u8,
        /// New value, in the unit of the setting.
        value: u64,
    },
    /// Start or stop.
    Run(bool),
    /// Send the counters.
    Count,
}

/// Operating state of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Stopped: its settings can be changed.
    Stopped,
    /// Running.
    Running,
    /// Stopped because the radio did not respond.
    Failed,
    /// Setting up its radio for a run.
    Starting,
}

/// Reason for which a board refuses a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The board is starting or running.
    Running,
    /// There is no such setting or item.
    Unknown,
    /// The value is outside the bounds of the setting.
    OutOfBounds,
    /// The image does not support the request.
    Unsupported,
}

/// Identity of a board and its image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity<'a> {
    /// State of the board.
    pub state: State,
    /// Number of settings.
    pub settings: u8,
    /// Number of counters.
    pub counters: u8,
    /// Version of airlag from which the image was built: major, minor, patch.
    pub airlag: [u8; 3],
    /// Name of the board.
    pub board: &'a str,
    /// Name of the image.
    pub image: &'a str,
}

/// A setting or a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item<'a> {
    /// Number of the item.
    pub number: u8,
    /// Value.
    pub value: u64,
    /// Lowest permitted value.
    pub lowest: u64,
    /// Highest permitted value.
    pub highest: u64,
    /// Name.
    pub name: &'a str,
    /// Unit of value and bounds; empty if it has none.
    pub unit: &'a str,
}

/// Values of the counters, in the order of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counters<'a> {
    /// State of the board.
    pub state: State,
    values: &'a [[u8; 4]],
}

impl Counters<'_> {
    /// Values in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.values.iter().map(|bytes| u32::from_be_bytes(*bytes))
    }
}

/// A frame from a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// Identity of a board.
    Identity(Identity<'a>),
    /// Identity of a board that uses another version of the protocol.
    Foreign(u8),
    /// An item.
    Item(Item<'a>),
    /// Counters.
    Counters(Counters<'a>),
    /// The request of this kind is refused.
    Refused(u8, Refusal),
}

impl Request {
    /// Returns the first byte of the request's frame, which a refusal repeats.
    #[must_use]
    pub const fn kind(self) -> u8 {
        match self {
            Self::Identify { .. } => IDENTIFY,
            Self::Read { .. } => READ,
            Self::Set { .. } => SET,
            Self::Run(_) => RUN,
            Self::Count => COUNT,
        }
    }

    /// Writes the request into `into` and returns its length.
    #[must_use]
    pub fn write(self, into: &mut [u8; REQUEST]) -> usize {
        let mut body = Body::new(into);
        // `into` has room for any request.
        let _ = match self {
            Self::Identify { version } => body.put(&[version]),
            Self::Read { number } => body.put(&[number]),
            Self::Set { number, value } => {
                body.put(&[number]).and_then(|()| body.put(&value.to_be_bytes()))
            }
            Self::Run(starts) => body.put(&[u8::from(starts)]),
            Self::Count => Some(()),
        };
        body.seal(self.kind())
    }

    /// Parses a request. `None` if `message` is damaged or not a request.
    #[must_use]
    pub fn read(message: &[u8]) -> Option<Self> {
        match (kind(message)?, &message[HEADER..]) {
            // The rest of an identify of another version is unknown.
            (IDENTIFY, &[version, ref rest @ ..]) if rest.is_empty() || version != VERSION => {
                Some(Self::Identify { version })
            }
            (READ, &[number]) => Some(Self::Read { number }),
            (SET, &[number, ref value @ ..]) => {
                Some(Self::Set { number, value: u64::from_be_bytes(value.try_into().ok()?) })
            }
            (RUN, &[starts @ (0 | 1)]) => Some(Self::Run(starts == 1)),
            (COUNT, []) => Some(Self::Count),
            _ => None,
        }
    }
}

/// Writes an identity into `into` and returns its length. `None` if a name is not valid.
#[must_use]
pub fn identity(identity: &Identity<'_>, into: &mut [u8; LONGEST]) -> Option<usize> {
    let Identity { state, settings, counters, airlag, board, image } = *identity;
    let mut body = Body::new(into);
    body.put(&[VERSION, state as u8, settings, counters])?;
    body.put(&airlag)?;
    body.put(&[board.len() as u8])?;
    body.put(name(board.as_bytes())?.as_bytes())?;
    body.put(name(image.as_bytes())?.as_bytes())?;
    Some(body.seal(IDENTITY))
}

/// Writes an item into `into` and returns its length. `None` if its name or unit is not valid.
#[must_use]
pub fn item(item: &Item<'_>, into: &mut [u8; LONGEST]) -> Option<usize> {
    let Item { number, value, lowest, highest, name: text, unit: measure } = *item;
    let mut body = Body::new(into);
    body.put(&[number])?;
    for value in [value, lowest, highest] {
        body.put(&value.to_be_bytes())?;
    }
    body.put(&[text.len() as u8])?;
    body.put(name(text.as_bytes())?.as_bytes())?;
    body.put(unit(measure.as_bytes())?.as_bytes())?;
    Some(body.seal(ITEM))
}

/// Writes counters into `into` and returns its length. `None` if there are more than [`ITEMS`].
#[must_use]
pub fn counters(state: State, values: &[u32], into: &mut [u8; LONGEST]) -> Option<usize> {
    let mut body = Body::new(into);
    body.put(&[state as u8])?;
    for value in Some(values).filter(|values| values.len() <= usize::from(ITEMS))? {
        body.put(&value.to_be_bytes())?;
    }
    Some(body.seal(COUNTERS))
}

/// Writes the refusal of a request into `into` and returns its length.
#[must_use]
pub fn refused(request: u8, reason: Refusal, into: &mut [u8; LONGEST]) -> Option<usize> {
    let mut body = Body::new(into);
    body.put(&[request, reason as u8])?;
    Some(body.seal(REFUSED))
}

impl<'a> Reply<'a> {
    /// Parses a reply. `None` if `message` is damaged or not a reply.
    #[must_use]
    pub fn read(message: &'a [u8]) -> Option<Self> {
        match (kind(message)?, &message[HEADER..]) {
            (
                IDENTITY,
                &[VERSION, state, settings, counters, major, minor, patch, ref rest @ ..],
            ) => {
                let is_sound = u16::from(settings) + u16::from(counters) <= u16::from(ITEMS);
                let (board, image) = counted(rest)?;
                let identity = Identity {
                    state: read_state(state)?,
                    settings,
                    counters,
                    airlag: [major, minor, patch],
                    board: name(board)?,
                    image: name(image)?,
                };
                is_sound.then_some(Self::Identity(identity))
            }
            (IDENTITY, &[version, ..]) if version != VERSION => Some(Self::Foreign(version)),
            (ITEM, &[number, ref rest @ ..]) => {
                let ([value, lowest, highest], rest) = numbers(rest)?;
                let (text, measure) = counted(rest)?;
                let (name, unit) = (name(text)?, unit(measure)?);
                let is_sound = number < ITEMS && (lowest..=highest).contains(&value);
                is_sound.then_some(Self::Item(Item { number, value, lowest, highest, name, unit }))
            }
            (COUNTERS, &[state, ref values @ ..]) => {
                let (values, rest) = values.as_chunks();
                let is_sound = rest.is_empty() && values.len() <= usize::from(ITEMS);
                let counters = Counters { state: read_state(state)?, values };
                is_sound.then_some(Self::Counters(counters))
            }
            (REFUSED, &[request, reason]) => {
                use Refusal::{OutOfBounds, Running, Unknown, Unsupported};
                let reasons = [Running, Unknown, OutOfBounds, Unsupported];
                Some(Self::Refused(request, *reasons.get(usize::from(reason))?))
            }
            _ => None,
        }
    }
}

fn read_state(state: u8) -> Option<State> {
    let states = [State::Stopped, State::Running, State::Failed, State::Starting];
    states.get(usize::from(state)).copied()
}

/// Three numbers, and the remaining bytes.
fn numbers(mut bytes: &[u8]) -> Option<([u64; 3], &[u8])> {
    let mut all = [0; 3];
    for number in &mut all {
        let (head, rest) = bytes.split_first_chunk()?;
        (*number, bytes) = (u64::from_be_bytes(*head), rest);
    }
    Some((all, bytes))
}

/// Bytes behind their length, and the remaining bytes.
fn counted(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&len, rest) = bytes.split_first()?;
    rest.split_at_checked(usize::from(len))
}

fn name(bytes: &[u8]) -> Option<&str> {
    text(bytes, NAME).filter(|text| !text.is_empty())
}

fn unit(bytes: &[u8]) -> Option<&str> {
    text(bytes, UNIT)
}

/// Printable ASCII without spaces: a terminal may print it as it is.
fn text(bytes: &[u8], longest: usize) -> Option<&str> {
    let is_sound = bytes.len() <= longest && bytes.iter().all(u8::is_ascii_graphic);
    core::str::from_utf8(bytes).ok().filter(|_| is_sound)
}

/// A frame under construction.
struct Body<'a> {
    into: &'a mut [u8],
    len: usize,
}

impl<'a> Body<'a> {
    fn new(into: &'a mut [u8]) -> Self {
        Self { into, len: HEADER }
    }

    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        let end = self.len + bytes.len();
        self.into.get_mut(self.len..end)?.copy_from_slice(bytes);
        self.len = end;
        Some(())
    }

    fn seal(self, kind: u8) -> usize {
        seal(kind, &mut self.into[..self.len]);
        self.len
    }
}

#[cfg(test)]
mod tests;
