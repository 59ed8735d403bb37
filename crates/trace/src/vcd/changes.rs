//! The value changes of a dump, after `$enddefinitions`.

use std::collections::HashMap;

use crate::error::Problem;
use crate::select::Resolved;
use crate::sink::{Row, Sink};

use super::header::{Header, Timescale};

/// First of the 94 printable characters from `!` to `~` that codes consist of.
const FIRST: u8 = b'!';
const CHARACTERS: usize = 94;

/// Map from identifier codes to bits of a row.
///
/// Codes with one and two characters, which dumps of fewer than 8,930 variables use, index a table.
struct Codes {
    short: Vec<Option<u64>>,
    long: HashMap<Box<[u8]>, u64>,
}

impl Codes {
    fn new(header: &Header, resolved: &Resolved) -> Self {
        let mut codes =
            Self { short: vec![None; CHARACTERS * (CHARACTERS + 1)], long: HashMap::new() };
        for code in &header.others {
            codes.declare(code, 0);
        }
        for channel in &header.channels {
            codes.declare(&channel.code, 0);
        }
        for (bit, &position) in resolved.positions.iter().enumerate() {
            codes.declare(&header.channels[position].code, 1 << bit);
        }
        codes
    }

    fn index(code: &[u8]) -> Option<usize> {
        let digit = |c: u8| Some(usize::from(c.checked_sub(FIRST)?)).filter(|&d| d < CHARACTERS);
        match *code {
            [one] => digit(one),
            [one, two] => Some(CHARACTERS + digit(one)? * CHARACTERS + digit(two)?),
            _ => None,
        }
    }

    fn declare(&mut self, code: &[u8], bits: u64) {
        match Self::index(code) {
            Some(index) => *self.short[index].get_or_insert(0) |= bits,
            None => *self.long.entry(code.into()).or_insert(0) |= bits,
        }
    }

    #[inline]
    fn bits(&self, code: &[u8]) -> Result<u64, Problem> {
        let found = match Self::index(code) {
            Some(index) => self.short[index],
            None => self.long.get(code).copied(),
        };
        found.ok_or_else(|| Problem::BadField {
            what: "the identifier code",
            found: shown(code),
            expected: "one that $var declares".to_owned(),
        })
    }
}

fn shown(word: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(&word[..word.len().min(40)]))
}

/// Level of a bit from a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Low,
    High,
    Unknown,
}

impl Level {
    /// `l` and `h` are weak levels; `u`, `w` and `-` are unknown in VHDL simulators (IEEE Std 1164).
    fn of(character: u8) -> Option<Self> {
        match character {
            b'0' | b'l' | b'L' => Some(Self::Low),
            b'1' | b'h' | b'H' => Some(Self::High),
            b'x' | b'X' | b'z' | b'Z' | b'u' | b'U' | b'w' | b'W' | b'-' => Some(Self::Unknown),
            _ => None,
        }
    }
}

/// Context of the next word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Changes,
    /// A vector or real was read, but not its code.
    Value(Option<Level>),
    /// In a comment, until `$end`.
    Comment,
}

/// Converts words to rows.
pub struct Changes<'a, S> {
    sink: &'a mut S,
    codes: Codes,
    timescale: Timescale,
    origin_ns: i64,
    invert: u64,
    inside: Inside,
    /// Number of open sections such as `$dumpvars`.
    open: u32,
    /// Last timestamp.
    steps: Option<u64>,
    at_ns: i64,
    /// Whether values were read.
    valued: bool,
    levels: u64,
    known: u64,
    /// Levels and observed channels of the last row.
    sent: Option<(u64, u64)>,
}

impl<'a, S: Sink> Changes<'a, S> {
    pub fn new(header: &Header, resolved: &Resolved, sink: &'a mut S) -> Self {
        Self {
            sink,
            codes: Codes::new(header, resolved),
            timescale: header.timescale,
            origin_ns: header.origin_ns,
            invert: resolved.invert,
            inside: Inside::Changes,
            open: 0,
            steps: None,
            at_ns: header.origin_ns,
            valued: false,
            levels: 0,
            known: 0,
            sent: None,
        }
    }

    /// Processes complete words. An error contains the offset of its word.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), (usize, Problem)> {
        let mut at = 0;
        while let Some(&first) = bytes.get(at) {
            if first.is_ascii_whitespace() {
                at += 1;
                continue;
            }
            // Common words are recognised by their first characters.
            if self.inside == Inside::Changes {
                let rest = &bytes[at..];
                if first == b'#' {
                    let (steps, length) = digits(&rest[1..]);
                    if length > 0 && length < 20 && ends(rest, length + 1) {
                        self.time(steps).map_err(|problem| (at, problem))?;
                        at += length + 1;
                        continue;
                    }
                } else if first & !1 == b'0' && ends(rest, 2) && rest.get(1) > Some(&b' ') {
                    let bits = self.codes.bits(&rest[1..2]).map_err(|problem| (at, problem))?;
                    self.known |= bits;
                    self.levels =
                        if first == b'1' { self.levels | bits } else { self.levels & !bits };
                    self.valued = true;
                    at += 2;
                    continue;
                }
            }
            let rest = &bytes[at..];
            let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
            self.word(&rest[..length]).map_err(|problem| (at, problem))?;
            at += length;
        }
        Ok(())
    }

    /// Processes any word.
    fn word(&mut self, word: &[u8]) -> Result<(), Problem> {
        match self.inside {
            Inside::Comment => {
                if word == b"$end" {
                    self.inside = Inside::Changes;
                }
                return Ok(());
            }
            Inside::Value(level) => {
                let bits = self.codes.bits(word)?;
                if let Some(level) = level {
                    self.set(bits, level);
                }
                self.inside = Inside::Changes;
                return Ok(());
            }
            Inside::Changes => {}
        }
        let (first, rest) = (word[0], &word[1..]);
        match first {
            b'#' => {
                let (_, length) = digits(rest);
                let found = || String::from_utf8_lossy(&rest[..rest.len().min(40)]).into_owned();
                if rest.is_empty() || length < rest.len() {
                    let expected = "a whole number of time steps";
                    return Err(Problem::BadNumber { found: found(), expected });
                }
                let steps = std::str::from_utf8(rest).ok().and_then(|text| text.parse().ok());
                self.time(steps.ok_or_else(|| Problem::TimeRange { found: found() })?)
            }
            b'$' => {
                self.keyword(word);
                Ok(())
            }
            // A vector of one bit: the last character counts, others are padding.
            b'b' | b'B' => {
                let level = rest.last().and_then(|&last| Level::of(last));
                if level.is_none() || !rest.iter().all(|&c| Level::of(c).is_some()) {
                    return Err(Problem::BadLevel { found: shown(word) });
                }
                self.inside = Inside::Value(level);
                Ok(())
            }
            b'r' | b'R' | b's' | b'S' => {
                self.inside = Inside::Value(None);
                Ok(())
            }
            _ => {
                if first.is_ascii_control() || !first.is_ascii() {
                    return Err(Problem::NotText { example: "1!" });
                }
                let level =
                    Level::of(first).ok_or_else(|| Problem::BadLevel { found: shown(word) })?;
                let bits = self.codes.bits(rest)?;
                self.set(bits, level);
                Ok(())
            }
        }
    }

    fn keyword(&mut self, word: &[u8]) {
        match word {
            b"$end" => self.open = self.open.saturating_sub(1),
            b"$dumpvars" | b"$dumpall" | b"$dumpon" | b"$dumpoff" => self.open += 1,
            _ => self.inside = Inside::Comment,
        }
    }

    fn set(&mut self, bits: u64, level: Level) {
        self.valued = true;
        match level {
            Level::Low => (self.known, self.levels) = (self.known | bits, self.levels & !bits),
            Level::High => (self.known, self.levels) = (self.known | bits, self.levels | bits),
            Level::Unknown => (self.known, self.levels) = (self.known & !bits, self.levels & !bits),
        }
    }

    #[inline]
    fn time(&mut self, steps: u64) -> Result<(), Problem> {
        let at_ns = self.timescale.instant(steps).and_then(|ns| ns.checked_add(self.origin_ns));
        let at_ns = at_ns.ok_or_else(|| Problem::TimeRange { found: steps.to_string() })?;
        if self.steps.is_some_and(|before| steps < before) {
            return Err(Problem::NotMonotonic { previous_ns: self.at_ns, at_ns });
        }
        // Changes within a nanosecond are merged.
        if at_ns != self.at_ns {
            if self.steps.is_some() || self.valued {
                self.send();
            }
            self.at_ns = at_ns;
        }
        self.steps = Some(steps);
        Ok(())
    }

    #[inline]
    fn send(&mut self) {
        let (levels, known) = ((self.levels ^ self.invert) & self.known, self.known);
        if self.sent != Some((levels, known)) {
            self.sent = Some((levels, known));
            self.sink.row(Row { at_ns: self.at_ns, levels, known });
        }
    }

    /// Problem that prevents further rows, if any.
    pub fn refusal(&self) -> Option<Problem> {
        self.sink.refusal()
    }

    /// Ends the observation at the last timestamp.
    pub fn finish(mut self) -> Result<(), Problem> {
        if self.inside != Inside::Changes || self.open > 0 {
            return Err(Problem::Truncated { what: "a value or a section" });
        }
        if !self.valued {
            return Err(Problem::Truncated { what: "the header: no value follows" });
        }
        self.send();
        self.sink.end(self.at_ns);
        self.refusal().map_or(Ok(()), Err)
    }
}

/// Whether a word with this length ends there.
#[inline]
fn ends(bytes: &[u8], length: usize) -> bool {
    bytes.get(length).is_none_or(u8::is_ascii_whitespace)
}

/// Number at the start, if it has fewer than 20 digits, and its number of digits.
#[inline]
fn digits(bytes: &[u8]) -> (u64, usize) {
    let (mut number, mut length) = (0u64, 0);
    while let Some(&digit) = bytes.get(length)
        && digit.is_ascii_digit()
    {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        length += 1;
    }
    (number, length)
}
