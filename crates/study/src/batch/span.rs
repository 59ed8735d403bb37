//! Combinations of lists of values: all settings, and all payloads of a link.

use std::collections::BTreeSet;

use airlag_kinds::registry;

use crate::quantity::count;
use crate::questions::bench::{Bound, Settings};

/// Link, settings that differ from its profile, and payload in bytes of one run.
pub type Spanned = (String, Settings, Option<usize>);

/// Too many runs for one command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("links, --set and --size span {many} runs; choose fewer values, for at most {most}")]
pub struct TooMany {
    /// Number of runs.
    pub many: String,
    /// Largest number of runs.
    pub most: String,
}

/// Returns every combination of links, settings and payloads, in the order given, without duplicates.
///
/// The last setting varies fastest. An invalid link or setting is not rejected here. Its run fails
/// later.
///
/// # Errors
///
/// [`TooMany`] if there are more than `most`.
pub fn spanned(
    pairs: &[(String, String)],
    links: &[(String, Vec<Option<usize>>)],
    most: usize,
) -> Result<Vec<Spanned>, TooMany> {
    let values: Vec<Vec<Vec<String>>> = links.iter().map(|(link, _)| lists(link, pairs)).collect();
    let many = links.iter().zip(&values).map(|((_, sizes), values)| {
        let sizes = sizes.iter().collect::<BTreeSet<_>>().len();
        values.iter().map(Vec::len).fold(sizes, usize::saturating_mul)
    });
    let many = many.fold(0, usize::saturating_add);
    if many > most {
        return Err(TooMany { many: count(many as u64), most: count(most as u64) });
    }
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for ((link, sizes), values) in links.iter().zip(&values) {
        for settings in combined(link, pairs, values) {
            for &size in sizes {
                let run = (link.clone(), settings.clone(), size);
                if seen.insert(run.clone()) {
                    found.push(run);
                }
            }
        }
    }
    Ok(found)
}

/// Values of each setting of a link. If the link does not accept a value, the text is used as
/// typed.
fn lists(link: &str, pairs: &[(String, String)]) -> Vec<Vec<String>> {
    let all = || {
        let profile = registry::find(link).ok()?;
        let list = |(key, text): &(String, String)| {
            let known = profile.known(key).ok()?;
            Some(known.values(text).map(str::to_owned).collect())
        };
        pairs.iter().map(list).collect::<Option<Vec<Vec<String>>>>()
    };
    all().unwrap_or_else(|| pairs.iter().map(|(_, text)| vec![text.clone()]).collect())
}

/// All combinations, without the settings that equal the profile.
fn combined(link: &str, pairs: &[(String, String)], values: &[Vec<String>]) -> Vec<Settings> {
    let mut points = vec![Settings::new()];
    for ((key, _), list) in pairs.iter().zip(values) {
        let with = |point: &Settings, value: &String| {
            let mut point = point.clone();
            point.insert(key.clone(), value.clone());
            point
        };
        points = points
            .iter()
            .flat_map(|point| list.iter().map(move |value| with(point, value)))
            .collect();
    }
    let differing = |point: Settings| match Bound::of(link, &point) {
        Ok(bound) => bound.settings,
        Err(_) => point,
    };
    points.into_iter().map(differing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(key: &str, text: &str) -> (String, String) {
        (key.into(), text.into())
    }

    #[test]
    fn lists_of_values_and_payloads_span_runs_in_order() {
        let links = [("nrf24-2m".to_owned(), vec![Some(12), Some(32)])];
        let pairs = [pair("retransmit_delay", "500us,750us"), pair("window", "1,2")];
        let found = spanned(&pairs, &links, 100).expect("few");
        let of = |at: usize, key: &str| found[at].1.get(key).cloned();
        assert_eq!(found.len(), 8);
        assert_eq!((found[0].2, found[1].2), (Some(12), Some(32)));
        assert_eq!(of(0, "retransmit_delay"), of(2, "retransmit_delay"));
        assert_ne!(of(0, "retransmit_delay"), of(4, "retransmit_delay"));
    }

    #[test]
    fn each_run_is_there_once() {
        let links = [("nrf24-2m".to_owned(), vec![Some(12), Some(12)])];
        let found = spanned(&[pair("retransmit_delay", "500us,500us")], &links, 100);
        assert_eq!(found.map(|found| found.len()), Ok(1));
    }

    #[test]
    fn an_unknown_link_is_left_to_its_run() {
        let links = [("gone".to_owned(), vec![None])];
        let found = spanned(&[pair("key", "a,b")], &links, 1).expect("one");
        assert_eq!(found, [("gone".into(), Settings::from([pair("key", "a,b")]), None)]);
    }

    #[test]
    fn too_many_are_refused_before_they_are_made() {
        let sizes = vec![Some(12); 1];
        let links = [("nrf24-2m".to_owned(), sizes)];
        let many = vec!["1us"; 1200].join(",");
        let wrong = spanned(&[pair("retransmit_delay", &many)], &links, 1000);
        assert_eq!(wrong, Err(TooMany { many: "1 200".into(), most: "1 000".into() }));
    }
}
