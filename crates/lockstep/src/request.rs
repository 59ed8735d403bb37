//! A request of the emulator, one line, and the reply to it.
//!
//! ```text
//!  request:  AT                    advance to AT
//!            AT PIN BOARD LEVEL    ce or reset of a board's radio changes to LEVEL, 0 or 1
//!            AT select BOARD       CSN falls
//!            AT byte BOARD HEX     the board shifts out a byte
//!            AT deselect BOARD     CSN rises: the command takes effect
//!  reply:    NEXT PINS PINS [HEX]  time of the next event, levels of the pins that either board reads, byte of the chip
//! ```
//!
//! Times are nanoseconds since the start, boards are 0 and 1. `NEXT` is `-` if no event is
//! scheduled. `PINS` has one digit per pin: IRQ of an nRF24, DIO0 and DIO5 of an SX127x.

use std::fmt;
use std::str::{FromStr, SplitAsciiWhitespace};

use airlag_sim::Instant;

use crate::error::Error;

/// A request with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Time.
    pub at: Instant,
    /// Action at this time.
    pub action: Action,
}

/// Action of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// No action: only time advances.
    Advance,
    /// A pin of the radio changes.
    Drive {
        /// Board.
        board: usize,
        /// Pin.
        pin: Pin,
        /// New level.
        level: bool,
    },
    /// The select line falls.
    Select {
        /// Board.
        board: usize,
    },
    /// A byte begins on the bus.
    Exchange {
        /// Board.
        board: usize,
        /// Byte of the board.
        byte: u8,
    },
    /// The select line rises.
    Deselect {
        /// Board.
        board: usize,
    },
}

/// A pin of a radio that its board drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    /// Chip enable of an nRF24.
    Enable,
    /// Reset of an SX127x, active low.
    Reset,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Enable => "ce",
            Self::Reset => "reset",
        })
    }
}

/// State of the radios after a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Time of the next event.
    pub next: Option<Instant>,
    /// Levels of the pins that either board reads.
    pub levels: [Vec<bool>; 2],
    /// Byte of the chip, for [`Action::Exchange`].
    pub byte: Option<u8>,
}

impl FromStr for Request {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self, Error> {
        let mut words = line.split_ascii_whitespace();
        let request = read(&mut words).filter(|_| words.next().is_none());
        request.ok_or_else(|| Error::Syntax(line.to_owned()))
    }
}

fn read(words: &mut SplitAsciiWhitespace<'_>) -> Option<Request> {
    let at = Instant::from_ns(words.next()?.parse().ok()?);
    let Some(verb) = words.next() else { return Some(Request { at, action: Action::Advance }) };
    let board = match words.next()? {
        "0" => 0,
        "1" => 1,
        _ => return None,
    };
    let action = match verb {
        "ce" => Action::Drive { board, pin: Pin::Enable, level: level(words.next()?)? },
        "reset" => Action::Drive { board, pin: Pin::Reset, level: level(words.next()?)? },
        "select" => Action::Select { board },
        "byte" => Action::Exchange { board, byte: u8::from_str_radix(words.next()?, 16).ok()? },
        "deselect" => Action::Deselect { board },
        _ => return None,
    };
    Some(Request { at, action })
}

fn level(word: &str) -> Option<bool> {
    match word {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.next {
            Some(next) => write!(f, "{}", next.as_ns())?,
            None => f.write_str("-")?,
        }
        for board in &self.levels {
            f.write_str(" ")?;
            board.iter().try_for_each(|&level| write!(f, "{}", u8::from(level)))?;
        }
        self.byte.map_or(Ok(()), |byte| write!(f, " {byte:02x}"))
    }
}
