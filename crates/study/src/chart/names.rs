//! Short, distinct names of runs for rows, legends and titles.

use std::collections::{BTreeSet, HashMap};

/// Longest name on a chart, characters.
pub const LONGEST: usize = 48;
/// Minimum length to which the name of a link or a constant is shortened, characters.
const LEAST: usize = 12;
/// Largest number of path components in the name of a capture.
const DEEPEST: usize = 4;
/// Suffixes of a file format, which are removed from names.
const STORED_AS: [&str; 10] =
    ["csv", "sal", "parquet", "vcd", "sr", "txt", "pcap", "pcapng", "gz", "json"];

/// Conditions that distinguish a virtual run from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Link profile.
    pub link: String,
    /// Payload with its unit. `None` without a message.
    pub size: Option<String>,
    /// Conditions that differ among these runs.
    pub differing: Vec<String>,
}

/// A run that needs a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Conditions of a virtual run.
    pub words: Option<Words>,
    /// Source of any other run.
    pub source: String,
}

/// Returns a distinct name for every run, of at most [`LONGEST`] characters plus a number.
///
/// A virtual run is named by its conditions, a capture by its file. Folders are added only if names
/// would be equal, and a number if they are still equal.
#[must_use]
pub fn names(runs: &[Named]) -> Vec<String> {
    let own = virtual_names(runs);
    let mut found: Vec<String> = Vec::new();
    for depth in 1..=DEEPEST {
        let twice = counted(&found);
        let name = |(place, run): (usize, &Named)| match found.get(place) {
            Some(name) if twice[name] == 1 => name.clone(),
            _ => own[place].clone().unwrap_or_else(|| of_file(&run.source, depth)),
        };
        found = runs.iter().enumerate().map(name).collect();
    }
    let twice = counted(&found);
    let mut taken = BTreeSet::new();
    let numbered = |name: &String| {
        if twice[name] == 1 {
            return name.clone();
        }
        let free = |name: &String| !taken.contains(name) && !twice.contains_key(name);
        let copies = (1..).map(|copy| format!("{name} #{copy}"));
        let name = copies.into_iter().find(free).unwrap_or_default();
        taken.insert(name.clone());
        name
    };
    found.iter().map(numbered).collect()
}

/// Shortens a text to at most `longest` characters. Cuts the middle, because differences are at the ends.
#[must_use]
pub fn shortened(text: &str, longest: usize) -> String {
    let letters: Vec<char> = text.chars().collect();
    if letters.len() <= longest {
        return text.into();
    }
    let tail = longest / 2;
    let (head, end) = (&letters[..longest - tail - 1], &letters[letters.len() - tail..]);
    head.iter().chain(['…'].iter()).chain(end).collect()
}

fn counted(names: &[String]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for name in names {
        *counts.entry(name.clone()).or_insert(0) += 1;
    }
    counts
}

/// Names of the virtual runs among `runs`. Runs with equal conditions have equal names.
fn virtual_names(runs: &[Named]) -> Vec<Option<String>> {
    let words = || runs.iter().filter_map(|run| run.words.as_ref());
    // Shortened names of two links may be equal.
    let mut meant: HashMap<String, BTreeSet<String>> = HashMap::new();
    for each in words() {
        let whole = format!("{}{}", each.link, joined(each.size.as_ref(), &each.differing));
        meant.entry(cut_link(each)).or_default().insert(whole);
    }
    let name = |words: &Words| match cut_link(words) {
        name if meant[&name].len() > 1 => cut_keys(words),
        name => name,
    };
    runs.iter().map(|run| run.words.as_ref().map(name)).collect()
}

/// Shortens the name of the link in a long name, to keep the distinguishing conditions.
fn cut_link(words: &Words) -> String {
    let rest = joined(words.size.as_ref(), &words.differing);
    let room = LONGEST.saturating_sub(rest.chars().count()).max(LEAST);
    shortened(&(shortened(&words.link, room) + &rest), LONGEST)
}

/// Shortens the names of constants in a long name, before the link is shortened.
fn cut_keys(words: &Words) -> String {
    let brief = |word: &String| match word.split_once('=') {
        Some((key, value)) => format!("{}={value}", shortened(key, LEAST)),
        None => shortened(word, LEAST),
    };
    let differing: Vec<String> = words.differing.iter().map(brief).collect();
    shortened(&format!("{}{}", words.link, joined(words.size.as_ref(), &differing)), LONGEST)
}

/// Payload and distinguishing conditions, as they follow the link.
fn joined(size: Option<&String>, differing: &[String]) -> String {
    let size = size.map_or_else(String::new, |size| format!(" {size}"));
    let rest: String = differing.iter().map(|word| format!(", {word}")).collect();
    size + &rest
}

/// Name of a capture from the last `depth` components of its path.
fn of_file(source: &str, depth: usize) -> String {
    let root = source.starts_with('/').then_some("/");
    let parts = source.split('/').filter(|part| !part.is_empty() && *part != ".");
    let mut parts: Vec<&str> = root.into_iter().chain(parts).collect();
    parts.drain(..parts.len().saturating_sub(depth));
    let Some(last) = parts.last_mut() else { return "unnamed".into() };
    while let Some((stem, ending)) = last.rsplit_once('.') {
        if stem.is_empty() || !STORED_AS.contains(&ending.to_lowercase().as_str()) {
            break;
        }
        *last = stem;
    }
    shortened(&parts.join("/"), LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(source: &str) -> Named {
        Named { words: None, source: source.into() }
    }

    fn of_link(link: &str, differing: &[&str]) -> Named {
        let differing = differing.iter().map(|word| (*word).to_owned()).collect();
        let words = Words { link: link.into(), size: Some("12 B".into()), differing };
        Named { words: Some(words), source: link.into() }
    }

    #[test]
    fn a_capture_is_named_by_its_file_and_as_many_folders_as_needed() {
        let runs = ["a/b/run.csv", "a/c/run.csv.gz", "/d/other.vcd", ".csv", ""].map(file);
        assert_eq!(names(&runs), ["b/run", "c/run", "other", ".csv", "unnamed"]);
    }

    #[test]
    fn equal_names_are_numbered() {
        let runs = ["run.csv", "run.csv", "run #1.csv"].map(file);
        assert_eq!(names(&runs), ["run #2", "run #3", "run #1"]);
    }

    #[test]
    fn a_virtual_run_is_named_by_its_words() {
        let runs = [of_link("nrf24-2m", &["rate=250"]), of_link("nrf24-2m", &["seed 2"])];
        assert_eq!(names(&runs), ["nrf24-2m 12 B, rate=250", "nrf24-2m 12 B, seed 2"]);
    }

    #[test]
    fn of_a_long_name_the_link_is_cut_unless_that_makes_two_alike() {
        let long = "x".repeat(30);
        let word = format!("{}={}", "key".repeat(5), "1".repeat(12));
        let cut = names(&[of_link(&format!("a{long}b"), &[&word])]);
        assert!(cut[0].chars().count() <= LONGEST && cut[0].ends_with(&word), "{}", cut[0]);
        let alike = [format!("a{long}1{long}b"), format!("a{long}2{long}b")];
        let both = names(&alike.map(|link| of_link(&link, &[&word])));
        assert_ne!(both[0], both[1]);
    }
}
