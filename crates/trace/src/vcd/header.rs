//! The declarations of a value change dump.

use std::collections::HashMap;
use std::io::Read;

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::error::{At, Problem};
use crate::memory::{Held, MemoryLimit};

use super::words::Words;

/// Largest depth of scopes, whose names become part of channel names.
const SCOPE_DEPTH: usize = 64;
/// Longest path of scopes, bytes.
const SCOPE_BYTES: usize = 1024;
/// Number of words of a section that are stored.
const SECTION_WORDS: usize = 16;
const EXAMPLE: &str = "$timescale 1 ns $end";
/// Memory of a short string besides its text, bytes.
const STRING_BYTES: usize = 48;
/// Memory of a variable besides its code and names, bytes.
const VARIABLE_BYTES: usize = 256;

/// A variable of one bit.
#[derive(Debug)]
pub struct Channel {
    pub code: Box<[u8]>,
    pub name: String,
}

/// Duration of a time step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timescale {
    /// Nanoseconds per step.
    Times(u64),
    /// Steps per nanosecond.
    Parts(u64),
}

impl Timescale {
    /// Time after `steps`, rounded to the nearest nanosecond.
    #[inline]
    pub fn instant(self, steps: u64) -> Option<i64> {
        let ns = match self {
            Self::Times(1) => steps,
            Self::Times(ns) => steps.checked_mul(ns)?,
            Self::Parts(parts) => steps / parts + u64::from(steps % parts >= parts.div_ceil(2)),
        };
        i64::try_from(ns).ok()
    }
}

/// Declarations before `$enddefinitions`.
#[derive(Debug)]
pub struct Header {
    pub timescale: Timescale,
    pub channels: Vec<Channel>,
    /// Codes of variables that are not channels.
    pub others: Vec<Box<[u8]>>,
    pub epoch_unix_ns: Option<i64>,
    pub sample_rate_hz: Option<f64>,
    /// Instant of timestamp 0, ns.
    pub origin_ns: i64,
}

/// Declarations so far.
#[derive(Default)]
struct Declarations {
    held: Held,
    timescale: Option<Timescale>,
    scope: Vec<String>,
    channels: Vec<(Box<[u8]>, Vec<String>)>,
    others: Vec<Box<[u8]>>,
    /// Whether something other than wires and vectors of wires was declared.
    analog: bool,
    names: HashMap<Box<[u8]>, String>,
    epoch_unix_ns: Option<i64>,
    sample_rate_hz: Option<f64>,
    origin_ns: i64,
}

/// Reads the declarations.
pub fn read<R: Read>(words: &mut Words<R>, memory: MemoryLimit) -> Result<Header, At> {
    let mut declarations = Declarations { held: Held::within(memory), ..Declarations::default() };
    loop {
        let keyword = match words.next()? {
            Some(word) => shown(word),
            None => return Err(words.at(Problem::Truncated { what: "the header" })),
        };
        if !keyword.starts_with('$') {
            if keyword.contains(['\u{fffd}', '\0']) {
                return Err(words.at(Problem::NotText { example: EXAMPLE }));
            }
            let expected = "a section such as $timescale 1 ns $end";
            return Err(words.at(Problem::BadHeader { found: keyword, expected }));
        }
        let section = section(words)?;
        declarations.section(&keyword, &section).map_err(|problem| words.at(problem))?;
        if keyword == "$enddefinitions" {
            return declarations.finish().map_err(|problem| words.at(problem));
        }
    }
}

/// A word as text, shortened for an error.
fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(&word[..word.len().min(64)]).into_owned()
}

/// The first words up to `$end`.
fn section<R: Read>(words: &mut Words<R>) -> Result<Vec<Box<[u8]>>, At> {
    let mut section = Vec::new();
    loop {
        match words.next()? {
            Some(b"$end") => return Ok(section),
            Some(word) if section.len() < SECTION_WORDS => section.push(word.into()),
            Some(_) => {}
            None => return Err(words.at(Problem::Truncated { what: "a section of the header" })),
        }
    }
}

fn text(word: &[u8]) -> Result<&str, Problem> {
    std::str::from_utf8(word).map_err(|_| Problem::NotText { example: EXAMPLE })
}

impl Declarations {
    fn section(&mut self, keyword: &str, words: &[Box<[u8]>]) -> Result<(), Problem> {
        match keyword {
            "$timescale" => self.timescale = Some(timescale(&words.concat())?),
            "$scope" => {
                let name = words.get(1).map_or(Ok(""), |name| text(name))?;
                let bytes = name.len() + self.scope.iter().map(String::len).sum::<usize>();
                if self.scope.len() == SCOPE_DEPTH || bytes > SCOPE_BYTES {
                    let what = "the depth of scopes";
                    let found = format!("{} in {bytes} bytes", self.scope.len() + 1);
                    let expected = format!("at most {SCOPE_DEPTH} in {SCOPE_BYTES} bytes");
                    return Err(Problem::BadField { what, found, expected });
                }
                self.scope.push(name.to_owned());
            }
            "$upscope" => {
                self.scope.pop();
            }
            "$var" => self.variable(words)?,
            "$comment" => self.comment(words)?,
            _ => {}
        }
        Ok(())
    }

    /// Parses `type size code name`, optionally with the bits of a vector as a further word.
    fn variable(&mut self, words: &[Box<[u8]>]) -> Result<(), Problem> {
        let [kind, size, code, name, bits @ ..] = words else {
            let found = words.iter().map(|word| shown(word)).collect::<Vec<_>>().join(" ");
            let (what, expected) = ("a $var section", "such as: wire 1 ! name".to_owned());
            return Err(Problem::BadField { what, found, expected });
        };
        let (size, mut name) = (text(size)?, text(name)?.to_owned());
        // Every variable stores the names of its scopes.
        let path_bytes: usize = self.scope.iter().map(|scope| scope.len() + STRING_BYTES).sum();
        self.held.charge((VARIABLE_BYTES + code.len() + name.len() + path_bytes) as u64)?;
        let size: u32 = size.parse().map_err(|_| Problem::BadNumber {
            found: size.chars().take(40).collect(),
            expected: "the size of a variable in bits",
        })?;
        let value = !matches!(&kind[..], b"real" | b"realtime" | b"string" | b"event");
        self.analog |= !value;
        if size != 1 || !value {
            self.others.push(code.clone());
            return Ok(());
        }
        if let Some(bits) = bits.first().filter(|bits| bits.starts_with(b"[")) {
            name.push_str(text(bits)?);
        }
        let mut path = self.scope.clone();
        path.push(name);
        self.channels.push((code.clone(), path));
        Ok(())
    }

    /// Parses a comment of this crate's writer. Other comments are ignored.
    fn comment(&mut self, words: &[Box<[u8]>]) -> Result<(), Problem> {
        let [airlag, key, values @ ..] = words else { return Ok(()) };
        if &airlag[..] != b"airlag" {
            return Ok(());
        }
        let value = values.first().map_or(Ok(""), |value| text(value))?;
        let bad = |what, expected: &str| Problem::BadField {
            what,
            found: value.chars().take(40).collect(),
            expected: expected.to_owned(),
        };
        match &key[..] {
            b"epoch" => {
                let when = OffsetDateTime::parse(value, &Rfc3339)
                    .map_err(|_| Problem::BadTime { found: value.chars().take(40).collect() })?;
                let unix_ns = i64::try_from(when.unix_timestamp_nanos())
                    .map_err(|_| Problem::TimeRange { found: value.to_owned() })?;
                self.epoch_unix_ns = Some(unix_ns);
            }
            b"sample_rate_hz" => {
                let rate = value.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0);
                self.sample_rate_hz =
                    Some(rate.ok_or_else(|| bad("the sample rate", "a positive number"))?);
            }
            b"origin_ns" => {
                self.origin_ns =
                    value.parse().map_err(|_| bad("the origin", "whole nanoseconds"))?;
            }
            b"name" => {
                let (code, name) = match values {
                    [code, name] => (code, &name[..]),
                    // An empty name gives no word.
                    [code] => (code, &[][..]),
                    _ => return Err(bad("a name", "a code and a name")),
                };
                let name = unescape(name).ok_or_else(|| bad("a name", "UTF-8 with %XX"))?;
                self.names.insert(code.clone(), name);
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Header, Problem> {
        let Some(timescale) = self.timescale else {
            let expected = EXAMPLE;
            return Err(Problem::BadHeader { found: "no $timescale".to_owned(), expected });
        };
        if self.channels.is_empty() && self.analog {
            return Err(Problem::NotDigital { found: "reals or events only" });
        }
        if self.channels.is_empty() {
            return Err(Problem::TooFewChannels { found: 0 });
        }
        // Scopes that contain all channels are not part of their names.
        let mut shared = self.channels.first().map_or(0, |(_, path)| path.len() - 1);
        for (_, path) in &self.channels {
            let first = &self.channels[0].1;
            let same = path.iter().zip(first).take_while(|(a, b)| a == b).count();
            shared = shared.min(same).min(path.len() - 1);
        }
        let channels = self.channels.into_iter().map(|(code, path)| {
            let name = self.names.remove(&code).unwrap_or_else(|| path[shared..].join("."));
            Channel { code, name }
        });
        Ok(Header {
            timescale,
            channels: channels.collect(),
            others: self.others,
            epoch_unix_ns: self.epoch_unix_ns,
            sample_rate_hz: self.sample_rate_hz,
            origin_ns: self.origin_ns,
        })
    }
}

/// Parses `1ns`, `10ps`, `100us` and similar, without white space.
fn timescale(word: &[u8]) -> Result<Timescale, Problem> {
    let expected = "1, 10 or 100 of s, ms, us, ns, ps or fs";
    let word = text(word)?;
    let bad = || Problem::BadUnit { found: word.chars().take(40).collect(), expected };
    let (number, unit) = word.split_at(word.find(|c: char| !c.is_ascii_digit()).ok_or_else(bad)?);
    let number = match number {
        "1" | "10" | "100" => number.parse().map_err(|_| bad())?,
        _ => return Err(bad()),
    };
    Ok(match unit {
        "s" => Timescale::Times(number * 1_000_000_000),
        "ms" => Timescale::Times(number * 1_000_000),
        "us" => Timescale::Times(number * 1_000),
        "ns" => Timescale::Times(number),
        "ps" => Timescale::Parts(1_000 / number),
        "fs" => Timescale::Parts(1_000_000 / number),
        _ => return Err(bad()),
    })
}

/// Decodes the `%XX` of the writer.
fn unescape(word: &[u8]) -> Option<String> {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word;
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first == b'%' {
            let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &rest[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}
