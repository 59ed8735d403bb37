//! Limits of fields, in the format of nanopb: `service.options` beside `service.proto`.
//!
//! ```text
//! # A pattern of full field names, with `*` and `?` as in file names, then options.
//! my.package.Request.name      max_length:32
//! *.samples                    max_count:16
//! my.package.Response.data     type:FT_CALLBACK max_size:8192
//! ```
//!
//! - `max_length`: largest length of a text, bytes.
//! - `max_size`: largest length of a bytes field, bytes. For a text, `max_size` is one larger
//!   than the largest length of the text, because C needs a final zero (nanopb reference,
//!   "Generator options").
//! - `max_count`: largest number of elements of a list or a map.
//! - `type:FT_CALLBACK`: a field of bytes that is not stored in the message but read on demand.
//!
//! As in nanopb, later lines override earlier ones. Other options apply to C and are rejected.

use std::fs;
use std::path::Path;

use crate::error::Error;

/// Largest limit. A message has at most this length, because a command stores it in 16 bits.
const MOST: u32 = u16::MAX as u32;

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Line number, from 1.
    pub line: usize,
    /// Pattern of field names.
    pub pattern: String,
    /// Limits of matching fields.
    pub limits: Limits,
}

/// Limits of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// `max_size`, bytes.
    pub size: Option<u32>,
    /// `max_length`, bytes.
    pub length: Option<u32>,
    /// `max_count`.
    pub count: Option<u32>,
    /// `type:FT_CALLBACK`.
    pub callback: Option<bool>,
}

impl Limits {
    /// Combines limits. Those of a later line take precedence.
    #[must_use]
    pub fn then(self, later: Self) -> Self {
        // Length and size are alternatives, of which the later one counts.
        let given = later.size.is_some() || later.length.is_some();
        let (size, length) =
            if given { (later.size, later.length) } else { (self.size, self.length) };
        let count = later.count.or(self.count);
        Self { size, length, count, callback: later.callback.or(self.callback) }
    }

    /// Largest length of a text without a final zero, bytes.
    #[must_use]
    pub fn text(self) -> Option<u32> {
        self.length.or_else(|| self.size.map(|size| size - 1))
    }

    /// Largest length of a bytes field, bytes.
    #[must_use]
    pub fn bytes(self) -> Option<u32> {
        self.size.or(self.length)
    }
}

/// Reads the rules of a file.
///
/// # Errors
///
/// [`Error::File`] and [`Error::Options`].
pub fn read(path: &Path) -> Result<Vec<Rule>, Error> {
    let text =
        fs::read_to_string(path).map_err(|error| Error::File { path: path.into(), error })?;
    parse(&text).map_err(|(line, text)| Error::Options { path: path.into(), line, text })
}

/// Parses the rules of a text. Returns the number of an invalid line with the problem.
fn parse(text: &str) -> Result<Vec<Rule>, (usize, String)> {
    let mut rules = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split("//").next().unwrap_or_default();
        let text = text.split('#').next().unwrap_or_default();
        let mut words = text.split_whitespace();
        let Some(pattern) = words.next() else { continue };
        let mut limits = Limits::default();
        let mut has_option = false;
        for word in words {
            set(&mut limits, word).map_err(|text| (line, text))?;
            has_option = true;
        }
        if !has_option {
            return Err((line, format!("`{pattern}` without an option, such as max_length:32")));
        }
        rules.push(Rule { line, pattern: pattern.to_owned(), limits });
    }
    Ok(rules)
}

fn set(limits: &mut Limits, word: &str) -> Result<(), String> {
    let number = |value: &str| match value.parse() {
        Ok(number @ 1..=MOST) => Ok(Some(number)),
        _ => Err(format!("`{word}`: write a number from 1 to {MOST}")),
    };
    match word.split_once(':') {
        Some(("max_size", value)) => limits.size = number(value)?,
        Some(("max_length", value)) => limits.length = number(value)?,
        Some(("max_count", value)) => limits.count = number(value)?,
        Some(("type", "FT_CALLBACK")) => limits.callback = Some(true),
        Some(("type", "FT_DEFAULT" | "FT_STATIC")) => limits.callback = Some(false),
        _ => {
            return Err(format!(
                "unknown option `{word}`; known are max_length:N, max_size:N, max_count:N, \
                 type:FT_CALLBACK and type:FT_STATIC"
            ));
        }
    }
    Ok(())
}

/// Whether `name` matches `pattern`: `*` matches any text, `?` one character.
#[must_use]
pub fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut at, mut of) = (0, 0);
    // Position of the last `*`, and of the name at that time. On a mismatch, the `*` covers one more character.
    let mut star = None;
    while of < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, of));
                at += 1;
            }
            Some(&byte) if byte == b'?' || byte == name[of] => (at, of) = (at + 1, of + 1),
            _ => {
                let Some((star_at, star_of)) = star else { return false };
                star = Some((star_at, star_of + 1));
                (at, of) = (star_at + 1, star_of + 1);
            }
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_one_of_names_of_files() {
        for (pattern, name, expected) in [
            ("a.B.c", "a.B.c", true),
            ("a.B.c", "a.B.cc", false),
            ("*", "", true),
            ("*.c", "a.B.c", true),
            ("*.c", "a.B.cd", false),
            ("a.*.c*", "a.B.C.c", true),
            ("a.?.c", "a.B.c", true),
            ("a.?.c", "a.BB.c", false),
            ("**b*", "ab", true),
            ("?", "", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_size_of_a_text_has_room_for_a_zero() {
        let rules = parse("a.b max_size:257\n").expect("a rule");
        assert_eq!(rules[0].limits.text(), Some(256));
        assert_eq!(rules[0].limits.bytes(), Some(257));
    }

    #[test]
    fn comments_and_empty_lines_are_nothing() {
        let rules = parse("# max\n\n  // max\na max_count:3 # 4\n").expect("a rule");
        let limits = Limits { count: Some(3), ..Limits::default() };
        assert_eq!(rules, [Rule { line: 4, pattern: "a".into(), limits }]);
    }

    #[test]
    fn a_later_line_overrules_an_earlier_one() {
        let rules = parse("a max_size:9 max_count:2\na max_length:4").expect("rules");
        let both = rules[0].limits.then(rules[1].limits);
        assert_eq!((both.text(), both.count), (Some(4), Some(2)));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, expected) in [
            ("\na", "`a` without an option"),
            ("\na max_sise:3", "unknown option `max_sise:3`"),
            ("\na max_size:0", "write a number from 1 to 65535"),
            ("\na max_size:65536", "write a number from 1 to 65535"),
            ("\na max_count:-1", "write a number from 1 to 65535"),
            ("\na type:FT_POINTER", "unknown option `type:FT_POINTER`"),
        ] {
            let (line, error) = parse(text).expect_err("no rule");
            assert!(line == 2 && error.contains(expected), "{error}");
        }
    }
}
