//! Parser of parameter values such as `7.5ms..50ms/1.25ms` and `1M|2M`.

/// Largest number of characters that an error quotes.
const QUOTED: usize = 40;

/// Invalid values of a parameter.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the text of each describes its fields")]
pub enum Wrong {
    #[error(
        "'{text}' names no values; write a parameter and its values, such as \
         connection_interval=7.5ms..50ms or phy=1M|2M"
    )]
    Clause { text: String },
    #[error("{name} is given twice; write it once")]
    Twice { name: String },
    #[error("{link}: `{name}` is both set and tuned; remove one of them")]
    SetToo { link: String, name: String },
    #[error("{link}: no parameter to tune; name one, such as --over NAME=LOW..HIGH")]
    Nothing { link: String },
    #[error("{link}: `{name}` is not a number between two ends; write {name}={words}")]
    NoRange { link: String, name: &'static str, words: String },
    #[error("{name}={text}: the range is not ascending; write the lower end first")]
    Descending { name: &'static str, text: String },
    #[error("{name}={text}: the step has another unit; write it in the unit of the upper end")]
    StepUnit { name: &'static str, text: String },
    #[error("{name}={text}: the step is out of range; write one above 0 and within the range")]
    Step { name: &'static str, text: String },
    #[error(
        "{name}={text}: neither a range nor a choice; write {name}=LOW..HIGH with numbers, or \
         {name}=A|B"
    )]
    Neither { name: &'static str, text: String },
    #[error("{name}: more than {most} values; choose fewer")]
    TooMany { name: &'static str, most: usize },
}

/// Start of a text, for an error.
pub(super) fn quoted(text: &str) -> String {
    text.trim().chars().take(QUOTED).collect()
}

/// Formats a number without an exponent.
pub(super) fn digits(number: f64) -> String {
    // Adding 0 turns -0 into 0.
    format!("{}", number + 0.0)
}

/// Splits comma-separated parameters with their values, in order. A comma within a value is kept.
///
/// # Errors
///
/// [`Wrong::Clause`] or [`Wrong::Twice`].
pub fn clauses(text: &str) -> Result<Vec<(String, String)>, Wrong> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut commas = rest.match_indices(',').map(|(at, _)| at);
        let end = commas.find(|at| begins_clause(&rest[at + 1..])).unwrap_or(rest.len());
        let clause = &rest[..end];
        rest = rest.get(end + 1..).unwrap_or_default();
        let (name, values) = clause.split_once('=').unwrap_or((clause, ""));
        let (name, values) = (name.trim().to_owned(), values.trim().to_owned());
        if name.is_empty() || values.is_empty() {
            return Err(Wrong::Clause { text: quoted(clause) });
        }
        if found.iter().any(|(known, _)| *known == name) {
            return Err(Wrong::Twice { name: quoted(&name) });
        }
        found.push((name, values));
    }
    if found.is_empty() { Err(Wrong::Clause { text: String::new() }) } else { Ok(found) }
}

fn begins_clause(text: &str) -> bool {
    let name = text.trim_start();
    let after = name.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
    after.len() < name.len() && after.trim_start().starts_with('=')
}

/// A number with an optional unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Typed<'a> {
    pub(super) number: f64,
    pub(super) unit: Option<&'a str>,
}

/// Two ends with an optional step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range<'a> {
    pub(super) low: Typed<'a>,
    pub(super) high: Typed<'a>,
    pub(super) step: Option<Typed<'a>>,
}

impl<'a> Range<'a> {
    /// Parses a range. Returns `None` for other text.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let (low, rest) = text.split_once("..")?;
        let (high, after) = number(rest)?;
        let after = after.trim();
        // A unit may contain a slash: kbit/s.
        let unit = after.find(['/', ' ']).unwrap_or(after.len());
        let unit = if after[unit..].starts_with("/s") { unit + 2 } else { unit };
        let (unit, step) = after.split_at(if after.starts_with('/') { 0 } else { unit });
        let step = match step.trim_start().strip_prefix('/') {
            Some(step) => Some(Typed::read(step)?),
            None if step.is_empty() => None,
            None => return None,
        };
        let unit = (!unit.is_empty()).then_some(unit);
        let good = unit.is_none_or(is_unit);
        good.then_some(Self { low: Typed::read(low)?, high: Typed { number: high, unit }, step })
    }
}

impl<'a> Typed<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (number, unit) = number_and_unit(text.trim())?;
        let unit = (!unit.is_empty()).then_some(unit);
        unit.is_none_or(is_unit).then_some(Self { number, unit })
    }
}

fn is_unit(text: &str) -> bool {
    let begins = |letter: char| !letter.is_numeric() && !matches!(letter, '.' | '/');
    text.starts_with(begins) && !text.contains(char::is_whitespace)
}

/// Splits a text after its leading number.
fn number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let length = unsigned.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let end = text.len() - unsigned.len() + length.unwrap_or(unsigned.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Parses a number and its unit, which may be empty.
pub(super) fn number_and_unit(text: &str) -> Option<(f64, &str)> {
    let (number, unit) = number(text)?;
    let unit = unit.trim_start();
    (!unit.contains(char::is_whitespace)).then_some((number, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_keep_commas_within_values() {
        let parsed = clauses("neighbours=same-link:5,10m|ble:3, window=1..3").expect("two clauses");
        let expected = [("neighbours", "same-link:5,10m|ble:3"), ("window", "1..3")];
        assert_eq!(parsed, expected.map(|(name, values)| (name.to_owned(), values.to_owned())));
        for text in ["", "a", "=1..2", "a=", "a=1..2,b="] {
            assert!(matches!(clauses(text), Err(Wrong::Clause { .. })), "{text:?}");
        }
        assert_eq!(clauses("a=1..2,a=3"), Err(Wrong::Twice { name: "a".to_owned() }));
    }

    #[test]
    fn a_range_has_two_ends_units_and_a_step() {
        let typed = |number, unit| Typed { number, unit };
        let read = |text| Range::read(text).map(|range| (range.low, range.high, range.step));
        let ms = Some("ms");
        assert_eq!(
            read("7.5ms..50ms/1.25ms"),
            Some((typed(7.5, ms), typed(50.0, ms), Some(typed(1.25, ms))))
        );
        assert_eq!(read("-3 .. 4"), Some((typed(-3.0, None), typed(4.0, None), None)));
        let rate = Some("kbit/s");
        assert_eq!(
            read("1..5 kbit/s/.5"),
            Some((typed(1.0, None), typed(5.0, rate), Some(typed(0.5, None))))
        );
        assert_eq!(
            read("0..4/2"),
            Some((typed(0.0, None), typed(4.0, None), Some(typed(2.0, None))))
        );
        for text in ["1M|2M", "a..b", "1..", "1..2 ms s", "1.2.3..4", "1..2/x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
