//! Assignment of the runs of a campaign to lines and positions.

use super::runs::Planned;
use super::{At, Work};
use crate::json::shortest;

/// Runs with their lines, and with their positions on the axis `x` if there is a question.
pub(super) fn works(planned: Vec<Planned>, x: Option<&str>) -> Vec<Work> {
    let Some(x) = x else { return planned.into_iter().map(|one| one.work).collect() };
    let traits: Vec<Vec<(String, String)>> = planned.iter().map(of).collect();
    let mut varying: Vec<&str> = Vec::new();
    for (name, _) in traits.iter().flatten() {
        let first = word(&traits[0], name);
        if name != x
            && !varying.contains(&name.as_str())
            && traits.iter().any(|one| word(one, name) != first)
        {
            varying.push(name);
        }
    }
    let line = |one: &Planned, traits: &[(String, String)]| {
        let words: Vec<&str> = varying.iter().filter_map(|name| word(traits, name)).collect();
        let name = (!words.is_empty()).then(|| words.join(", "));
        one.label.clone().or(name).unwrap_or_else(|| one.work.link.clone())
    };
    let lines: Vec<String> = planned.iter().zip(&traits).map(|(one, of)| line(one, of)).collect();
    let place = |one: &Planned| {
        let turned = one.turned.iter().find(|(name, _)| name == x).map(|(_, at)| at.clone());
        turned.or_else(|| one.work.size.map(|size| At::Number(size as f64)))
    };
    let placed = planned.into_iter().zip(lines).map(|(one, series)| {
        let at = place(&one);
        Work { series: Some(series), x: Some(x.to_owned()), at, ..one.work }
    });
    placed.collect()
}

/// All conditions in which runs of a campaign may differ, in words.
fn of(planned: &Planned) -> Vec<(String, String)> {
    let Planned { work, turned, .. } = planned;
    let mut words = vec![
        ("link".to_owned(), work.link.clone()),
        ("program".to_owned(), work.traffic.name().to_owned()),
    ];
    words.extend(work.size.map(|size| ("size".to_owned(), format!("{size} B"))));
    words.extend(turned.iter().map(|(name, at)| (name.clone(), format!("{name} {}", text(at)))));
    words
}

fn word<'a>(traits: &'a [(String, String)], name: &str) -> Option<&'a str> {
    traits.iter().find(|(known, _)| known == name).map(|(_, word)| word.as_str())
}

/// A value in the name of a line. Numbers have at most six digits.
fn text(at: &At) -> String {
    match at {
        At::Text(text) => text.clone(),
        At::Number(number) => {
            let digits: f64 = format!("{number:.5e}").parse().unwrap_or(*number);
            shortest(digits).trim_end_matches(".0").to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_six_digits_at_most() {
        let cases = [(2.0, "2"), (0.1, "0.1"), (250_000.0, "250000"), (1.0 / 3.0, "0.333333")];
        for (number, digits) in cases {
            assert_eq!(text(&At::Number(number)), digits);
        }
    }
}
