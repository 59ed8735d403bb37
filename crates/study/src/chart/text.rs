//! Widths of text, for layout.
//!
//! Pictures use Liberation Sans, which comes with the renderer and has the widths of Arial and Helvetica.
//! `widths.json` lists them in thousandths of an em.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Widths of characters in thousandths of an em: regular, and bold.
static WIDTHS: LazyLock<[HashMap<char, u32>; 2]> = LazyLock::new(|| {
    let read = serde_json::from_str::<HashMap<String, HashMap<char, u32>>>;
    let mut all = read(include_str!("widths.json")).unwrap_or_default();
    ["normal", "bold"].map(|name| all.remove(name).unwrap_or_default())
});

/// Width of a character that is not in the table, thousandths of an em.
const UNKNOWN: u32 = 1000;

/// Returns the width of a line of text, px. `size` is the font size, px.
#[must_use]
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    let widths = &WIDTHS[usize::from(bold)];
    let sum: u32 = text.chars().map(|letter| widths.get(&letter).copied().unwrap_or(UNKNOWN)).sum();
    size / 1000.0 * f64::from(sum)
}

/// Breaks a text into lines of at most `most` px, at spaces or within words that are too long.
#[must_use]
pub fn wrapped(text: &str, most: f64, size: f64, bold: bool) -> Vec<String> {
    let fits = |line: &str| width(line, size, bold) <= most;
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let longer = if line.is_empty() { word.into() } else { format!("{line} {word}") };
        if fits(&longer) {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(line);
        }
        line = word.into();
        while !fits(&line) {
            let letters: Vec<char> = line.chars().collect();
            let begins = |&end: &usize| fits(&letters[..end].iter().collect::<String>());
            let end = (2..letters.len()).rev().find(begins).unwrap_or(1);
            if end >= letters.len() {
                break;
            }
            lines.push(letters[..end].iter().collect());
            line = letters[end..].iter().collect();
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Shortens a text to at most `most` px, with an ellipsis at the end.
#[must_use]
pub fn shortened(text: &str, most: f64, size: f64) -> String {
    if width(text, size, false) <= most {
        return text.into();
    }
    let letters: Vec<char> = text.chars().collect();
    let cut = |end: usize| letters[..end].iter().chain(['…'].iter()).collect::<String>();
    let fits = |&end: &usize| width(&cut(end), size, false) <= most;
    cut((1..=letters.len()).rev().find(fits).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_is_that_of_its_letters() {
        assert_eq!(width("a b", 1000.0, false), 556.0 + 278.0 + 556.0);
        assert!(width("width", 12.0, true) > width("width", 12.0, false));
        assert_eq!(width("", 12.0, false), 0.0);
        assert_eq!(width("\u{10ffff}", 12.0, false), 12.0);
    }

    #[test]
    fn lines_fit_and_lose_no_word() {
        let text = format!("Latency of the delivered transfers, {}", "unbroken".repeat(40));
        let lines = wrapped(&text, 200.0, 12.0, false);
        assert!(lines.iter().all(|line| width(line, 12.0, false) <= 200.0));
        assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        assert_eq!(wrapped(" ", 200.0, 12.0, false), [""; 0]);
        // No character fits, so each has its own line.
        assert_eq!(wrapped("abc", 1.0, 12.0, false), ["a", "b", "c"]);
    }

    #[test]
    fn a_text_is_cut_at_its_end() {
        assert_eq!(shortened("short", 100.0, 11.0), "short");
        let cut = shortened("a name that is longer than its room", 100.0, 11.0);
        assert!(cut.starts_with("a name") && cut.ends_with('…'));
        assert!(width(&cut, 11.0, false) <= 100.0);
        assert_eq!(shortened("name", 1.0, 11.0), "…");
    }
}
