//! Parser of TOML files with limits on size and depth that are checked before parsing.
//!
//! The TOML parser allocates a table for each prefix of a dotted key, and drops nested tables
//! recursively. 100 KB of `a.a.a…` would exhaust memory or the stack.

use serde_json::Value;

use super::table::refused;
use crate::error::Error;

/// Longest file, bytes. The reference campaign has 5 kB.
pub const LONGEST: usize = 256 << 10;
/// Largest depth of dotted keys and nested brackets.
const DEEPEST: usize = 8;
/// Largest number of values in a file, including list elements.
const MOST_VALUES: usize = 20_000;

/// Parses a file into its tables, in order.
///
/// # Errors
///
/// [`Error::Plan`] for invalid TOML, and for a file that exceeds the limits on size or depth.
pub fn read(text: &str) -> Result<Value, Error> {
    if text.len() > LONGEST {
        let longest = LONGEST >> 10;
        return Err(refused(format!("longer than {longest} KiB; split it into several files")));
    }
    if let Some(line) = too_deep(text) {
        return Err(refused(format!("line {line}: deeper than {DEEPEST} levels; write fewer")));
    }
    let table: Value = toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |at| text[..at.start].matches('\n').count() + 1);
        let why = error.message().lines().next().unwrap_or_default();
        refused(format!("invalid TOML: line {line}: {why}"))
    })?;
    if values(&table) > MOST_VALUES {
        return Err(refused(format!(
            "more than {MOST_VALUES} values; split it into several files"
        )));
    }
    Ok(table)
}

fn values(table: &Value) -> usize {
    1 + match table {
        Value::Array(each) => each.iter().map(values).sum(),
        Value::Object(each) => each.values().map(values).sum::<usize>(),
        _ => 0,
    }
}

/// Returns the number of the first line that exceeds the depth limit.
fn too_deep(text: &str) -> Option<usize> {
    let (mut dots, mut brackets, mut line) = (0_usize, 0_usize, 1);
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let (mut length, mut lines) = (sign.len_utf8(), 0);
        match sign {
            // Dots and brackets in strings and comments do not count.
            '"' | '\'' | '#' => {
                length = quoted(rest);
                lines = rest[..length].matches('\n').count();
            }
            '.' => dots += 1,
            '[' | '{' => (brackets, dots) = (brackets + 1, 0),
            ']' | '}' => (brackets, dots) = (brackets.saturating_sub(1), 0),
            ',' | '=' => dots = 0,
            '\n' => (dots, lines) = (0, 1),
            _ => {}
        }
        if dots >= DEEPEST || brackets > DEEPEST {
            return Some(line);
        }
        line += lines;
        rest = &rest[length..];
    }
    None
}

/// Length of the string or comment at the start of `text`, bytes.
fn quoted(text: &str) -> usize {
    let ends = ["\"\"\"", "'''", "\"", "'"];
    let Some(end) = ends.into_iter().find(|end| text.starts_with(end)) else {
        return text.find('\n').unwrap_or(text.len());
    };
    let mut at = end.len();
    while let Some(sign) = text[at..].chars().next() {
        match sign {
            _ if text[at..].starts_with(end) => return at + end.len(),
            '\\' if end.starts_with('"') => {
                at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8);
            }
            // An unterminated single-line string.
            '\n' if end.len() == 1 => return at,
            _ => at += sign.len_utf8(),
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_person_wrote_is_refused_in_one_line() {
        let hostile = [
            (format!("a{} = 1", ".a".repeat(40_000)), "line 1: deeper than 8 levels"),
            (format!("x = 1\n[a{}]", ".a".repeat(9)), "line 2: deeper than 8 levels"),
            (format!("x = '''\n\n'''\n[a{}]", ".a".repeat(9)), "line 4: deeper than 8 levels"),
            (format!("\"a\"{} = 1", " . \"a\"".repeat(9)), "deeper than 8 levels"),
            (format!("a = {}", "[".repeat(50_000)), "deeper than 8 levels"),
            (format!("a = {}1{}", "{a = ".repeat(9), "}".repeat(9)), "deeper than 8 levels"),
            (format!("a = {}", "1".repeat(5_000)), "invalid TOML"),
            (format!("a = 0x{}", "f".repeat(5_000)), "invalid TOML"),
            (format!("a = [{}]", "1,".repeat(30_000)), "more than 20000 values"),
            ("#".repeat(300_000), "longer than 256 KiB"),
            ("a = ".to_owned(), "invalid TOML: line 1"),
            ("a = 1\na = 2".to_owned(), "invalid TOML: line 2"),
        ];
        for (text, why) in hostile {
            let error = read(&text).expect_err(why).to_string();
            assert!(error.contains(why) && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn dots_and_brackets_that_nest_nothing_are_fine() {
        let fine = [
            format!("a = '{}'", ".".repeat(100)),
            format!("a = \"{}\"", "[".repeat(100)),
            format!("a = \"\\\"{}\"", "[".repeat(100)),
            format!("a = \"\"\"\n{}\"\"\"", ".\n[".repeat(100)),
            format!("# {}", "[.".repeat(100)),
            "a = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5]".to_owned(),
            "a.b.c.d.e.f.g.h = 1".to_owned(),
        ];
        for text in fine {
            assert!(read(&text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_a_file_sets_stands_in_its_order() {
        let table = read("b = 1\na = 2\n[z]\nd = 1\nc = 1\n").expect("good");
        assert_eq!(table.to_string(), r#"{"b":1,"a":2,"z":{"d":1,"c":1}}"#);
    }
}
