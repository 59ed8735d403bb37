//! JSON output: indented by two spaces, with numbers in the format of Python.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

use crate::error::Error;

/// Serialises `value` as a document.
///
/// # Errors
///
/// [`Error::Question`] for a map whose keys are not text.
pub fn written(value: &impl Serialize) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let layout = Layout(PrettyFormatter::new());
    let done = value.serialize(&mut Serializer::with_formatter(&mut bytes, layout));
    done.map_err(|cause| Error::Question { cause: cause.to_string() })?;
    String::from_utf8(bytes).map_err(|cause| Error::Question { cause: cause.to_string() })
}

/// Converts a TOML document without dates to JSON.
///
/// # Errors
///
/// [`Error::Question`] for text that is not TOML.
pub fn of_toml(text: &str) -> Result<String, Error> {
    let value: Result<serde_json::Value, _> = toml::from_str(text);
    let value = value.map_err(|cause| Error::Question { cause: cause.to_string() })?;
    Ok(value.to_string())
}

/// [`PrettyFormatter`] with another format of floating-point numbers.
struct Layout(PrettyFormatter<'static>);

impl Formatter for Layout {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(shortest(value).as_bytes())
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

/// Formats a number with the fewest digits that restore it, as Python's `repr`: with an exponent below
/// 0.0001 and from 1e16.
pub(crate) fn shortest(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    match exponent.parse::<i32>() {
        Ok(exponent) if !(-4..16).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        _ => {
            let plain = value.to_string();
            if plain.contains('.') { plain } else { format!("{plain}.0") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_python_writes_them() {
        let known = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e-4, "0.0001"),
            (0.00012, "0.00012"),
            (1e-5, "1e-05"),
            (1.5e-10, "1.5e-10"),
            (123_456_789_012_345.6, "123456789012345.6"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.25e100, "1.25e+100"),
            (5e-324, "5e-324"),
        ];
        for (value, text) in known {
            assert_eq!(shortest(value), text);
        }
    }

    #[test]
    fn a_document_is_indented_by_two() {
        let value = serde_json::json!({"a": [1, 2.5], "b": {}, "c": []});
        let text = "{\n  \"a\": [\n    1,\n    2.5\n  ],\n  \"b\": {},\n  \"c\": []\n}";
        assert_eq!(written(&value).expect("written"), text);
    }

    #[test]
    fn a_toml_document_becomes_json() {
        let toml = "[count]\nform = \"--count N\"\nhelp = \"\"\"a\nb\"\"\"\n";
        let json = r#"{"count":{"form":"--count N","help":"a\nb"}}"#;
        assert_eq!(of_toml(toml).expect("TOML"), json);
        assert!(of_toml("count =").is_err());
    }
}
