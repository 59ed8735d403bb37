//! Short, distinct names of runs: for rows, legends and titles.

use std::collections::{BTreeSet, HashMap};

/// Longest name on a chart, characters.
pub const LONGEST: usize = 48;
/// What is left of the name of a link or of a constant at least, characters.
const LEAST: usize = 12;
/// Folders of a capture that may stand before its name.
const DEEPEST: usize = 4;
/// Endings that say how a run was stored and not what it is.
const STORED_AS: [&str; 10] =
    ["csv", "sal", "parquet", "vcd", "sr", "txt", "pcap", "pcapng", "gz", "json"];

/// What distinguishes a virtual run from the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Link profile.
    pub link: String,
    /// Payload with its unit, where it has one.
    pub size: Option<String>,
    /// What differs among these runs.
    pub differing: Vec<String>,
}

/// A run to be named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// Words of a virtual run.
    pub words: Option<Words>,
    /// Where any other run is from.
    pub source: String,
}

/// Names every run differently, in at most [`LONGEST`] characters and a number.
///
/// A virtual run is named by its words, a capture by its file. Folders are added only as far as two names
/// would be equal, and a number where they still are.
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

/// Text of at most so many characters, cut in the middle: what differs is at either end.
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

/// Names of the virtual runs among these, which may be equal where their words are.
fn virtual_names(runs: &[Named]) -> Vec<Option<String>> {
    let words = || runs.iter().filter_map(|run| run.words.as_ref());
    // Cut so, names of two links may be alike.
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

/// Of a long name the link is cut, before that by which it differs.
fn cut_link(words: &Words) -> String {
    let rest = joined(words.size.as_ref(), &words.differing);
    let room = LONGEST.saturating_sub(rest.chars().count()).max(LEAST);
    shortened(&(shortened(&words.link, room) + &rest), LONGEST)
}

/// Of a long name the names of constants are cut, before the link.
fn cut_keys(words: &Words) -> String {
    let brief = |word: &String| match word.split_once('=') {
        Some((key, value)) => format!("{}={value}", shortened(key, LEAST)),
        None => shortened(word, LEAST),
    };
    let differing: Vec<String> = words.differing.iter().map(brief).collect();
    shortened(&format!("{}{}", words.link, joined(words.size.as_ref(), &differing)), LONGEST)
}

/// Payload and what differs, as they stand behind the link.
fn joined(size: Option<&String>, differing: &[String]) -> String {
    let size = size.map_or_else(String::new, |size| format!(" {size}"));
    let rest: String = differing.iter().map(|word| format!(", {word}")).collect();
    size + &rest
}

/// The file of a capture, with so many folders.
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
