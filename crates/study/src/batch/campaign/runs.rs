//! One `[[runs]]` block of a campaign file: links × sizes × phases × swept values.

use airlag_kinds::registry;
use airlag_rig::parameter::Value as Held;
use serde_json::{Map, Value};

use super::super::links::links_like;
use super::super::table::{
    LONGEST_NAME, hint, line, listed, named, once, one_of, only, period, plain, refused, table,
    whole, wrong,
};
use super::super::{MOST_TRIGGERS, duration};
use super::{At, MOST_RUNS, Program, Work, payloads};
use crate::answers::traffic::Phase;
use crate::error::Error;
use crate::questions::bench::{Bound, Settings};

const KEYS: [&str; 11] = [
    "links",
    "except",
    "sizes",
    "phases",
    "count",
    "period",
    "set",
    "neighbours",
    "sweep",
    "label",
    "traffic",
];
/// Phases of a campaign. The first is the default.
const PHASES: [(&str, Phase); 2] = [("uniform", Phase::Uniform), ("frozen", Phase::Frozen)];
/// Variable in the value of a constant, replaced by the payload of the run.
const SIZE: &str = "{size}";
/// Longest pace of a train, ns.
const SLOWEST_NS: i64 = 1_000_000_000_000;

/// A planned run, with its swept values and label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Planned {
    pub(super) work: Work,
    /// Swept values, in the order of the file.
    pub(super) turned: Vec<(String, At)>,
    /// Label of its line. If `None`, the label is derived from the differences between the lines.
    pub(super) label: Option<String>,
}

/// A swept value: its effect on a run, and its position on the axis.
type Turn = (Choice, (String, At));

/// A swept constant: name, text, and position on the axis.
type Swept = (String, String, At);

/// An option of a traffic program.
#[derive(Clone, Copy, Debug)]
enum Choice {
    Pace(Option<u64>),
    Repeat(bool),
    Utilisation(f64),
}

pub(super) fn too_many(at: &str) -> String {
    format!("{at}more than {MOST_RUNS} runs; split it into several campaigns")
}

/// All runs of a block, in order.
pub(super) fn planned(
    block: &Map<String, Value>,
    at: &str,
    seed: u64,
) -> Result<Vec<Planned>, Error> {
    let traffic = match block.get("traffic") {
        Some(given) => {
            let name = one_of(given, at, "traffic", &Program::ALL.map(Program::name))?;
            Program::ALL.into_iter().find(|one| one.name() == name).unwrap_or_default()
        }
        None => Program::default(),
    };
    let known: Vec<&str> = KEYS.iter().chain(traffic.options()).copied().collect();
    only(block, &known, at)?;
    let links = links(block, at)?;
    let sizes = payloads(&links, block.get("sizes"), at)?;
    let phases = phases(block, at)?;
    let usual = if traffic == Program::BackToBack { 100 } else { 1000 };
    let count = block
        .get("count")
        .map_or(Ok(usual), |count| whole(count, at, "count", 1, MOST_TRIGGERS))?;
    let period_ns = block.get("period").map(|given| period(given, at)).transpose()?;
    let label = block.get("label").map(|label| line(label, at, "label")).transpose()?;
    let mut settings = settings(block.get("set"), at)?;
    settings.extend(beside(block, at)?.map(|others| ("neighbours".to_owned(), others)));
    let turns = turns(block, at)?;
    let swept = swept(block.get("sweep"), at, &links)?;
    let each = phases.len() * turns.len() * swept.len();
    if sizes.iter().map(Vec::len).sum::<usize>().saturating_mul(each) > MOST_RUNS {
        return Err(refused(too_many(at)));
    }
    if traffic == Program::Load && !block.contains_key("utilisation") {
        return Err(refused(format!(
            "{at}no `utilisation`; list offered loads, such as [0.5, 1, 2]"
        )));
    }
    let trials =
        block.get("trials").map_or(Ok(10), |trials| whole(trials, at, "trials", 1, 10_000))?;
    let mut found = Vec::new();
    for (&link, sizes) in links.iter().zip(&sizes) {
        for (&size, &phase) in sizes.iter().flat_map(|size| phases.iter().map(move |of| (size, of)))
        {
            for (point, turn) in
                swept.iter().flat_map(|of| turns.iter().map(move |turn| (of, turn)))
            {
                let mut settings = settings.clone();
                settings.extend(point.iter().map(|(name, text, _)| (name.clone(), text.clone())));
                for text in settings.values_mut() {
                    let size = size.map_or_else(|| "no size".to_owned(), |size| size.to_string());
                    *text = text.replace(SIZE, &size);
                }
                let work = Work {
                    link: link.to_owned(),
                    size,
                    count,
                    period_ns,
                    phase,
                    seed,
                    settings,
                    traffic,
                    trials,
                    ..Work::default()
                };
                let of_point = point.iter().map(|(name, _, place)| (name.clone(), place.clone()));
                let of_turn = turn.iter().map(|(_, place)| place.clone());
                let turned = of_point.chain(of_turn).collect();
                let work = turn.iter().fold(work, |work, (option, _)| option.set(work));
                found.push(Planned { work, turned, label: label.clone() });
            }
        }
    }
    check(&found, at)?;
    Ok(found)
}

impl Choice {
    fn set(self, work: Work) -> Work {
        match self {
            Self::Pace(pace_ns) => Work { pace_ns, ..work },
            Self::Repeat(repeat) => Work { repeat, ..work },
            Self::Utilisation(share) => Work { utilisation: Some(share), ..work },
        }
    }
}

/// Checks that every link accepts the settings of its runs.
fn check(found: &[Planned], at: &str) -> Result<(), Error> {
    for one in once(found.iter().map(|one| (&one.work.link, &one.work.settings)).collect()) {
        Bound::of(one.0, one.1).map_err(|error| refused(format!("{at}{error}")))?;
    }
    Ok(())
}

fn links(block: &Map<String, Value>, at: &str) -> Result<Vec<&'static str>, Error> {
    let given =
        block.get("links").ok_or_else(|| refused(format!("{at}no `links`; list at least one")))?;
    let links = like(given, at, "links")?;
    let Some(given) = block.get("except") else { return Ok(links) };
    let left_out = like(given, at, "except")?;
    let left: Vec<_> = links.into_iter().filter(|link| !left_out.contains(link)).collect();
    if left.is_empty() {
        return Err(refused(format!("{at}`except` excludes all links; exclude fewer")));
    }
    Ok(left)
}

/// Links that match any of the patterns, in the order of the patterns.
fn like(given: &Value, at: &str, key: &str) -> Result<Vec<&'static str>, Error> {
    let names = registry::names()?;
    let mut found = Vec::new();
    for pattern in listed(given, at, key, Value::as_str, "names of links")? {
        if pattern.len() > LONGEST_NAME {
            let right = format!("names of at most {LONGEST_NAME} characters");
            return Err(wrong(at, key, &Value::from(pattern), &right));
        }
        let like = links_like(pattern, &names).map_err(|why| refused(format!("{at}{why}")))?;
        found.extend(like);
    }
    Ok(once(found))
}

/// Other transmitters on the air.
fn beside(block: &Map<String, Value>, at: &str) -> Result<Option<String>, Error> {
    let Some(given) = block.get("neighbours") else { return Ok(None) };
    let names: Option<Vec<&str>> =
        given.as_array().and_then(|each| each.iter().map(Value::as_str).collect());
    let names = names.filter(|names| !names.is_empty()).ok_or_else(|| {
        refused(format!("{at}`neighbours` must be a list, such as [\"wifi:30%@ch6\"]"))
    })?;
    Ok(Some(names.join(";")))
}

fn phases(block: &Map<String, Value>, at: &str) -> Result<Vec<Phase>, Error> {
    let Some(given) = block.get("phases") else { return Ok(vec![PHASES[0].1]) };
    let names = PHASES.map(|(name, _)| name);
    let listed = listed(given, at, "phases", Value::as_str, &names.join(" or "))?;
    let one = |name: &str| {
        let found = PHASES.iter().find(|(known, _)| *known == name);
        found
            .map(|&(_, phase)| phase)
            .ok_or_else(|| refused(format!("{at}no phase `{}`{}", named(name), hint(name, &names))))
    };
    listed.into_iter().map(one).collect()
}

/// All combinations of the swept constants.
fn swept(given: Option<&Value>, at: &str, links: &[&str]) -> Result<Vec<Vec<Swept>>, Error> {
    let mut points = vec![Vec::new()];
    let Some(given) = given else { return Ok(points) };
    let right = "a table of constants, such as { rate = [250, 2000] }";
    for (key, values) in table(given, at, "sweep", right)? {
        let name = format!("sweep.{key}");
        let each = values.as_array().filter(|each| !each.is_empty());
        let each = each.ok_or_else(|| wrong(at, &name, values, "a list of values"))?;
        let texts = each.iter().map(|value| plain(value, at, &name));
        let texts = once(texts.collect::<Result<Vec<_>, _>>()?);
        let axis: Vec<_> = texts
            .into_iter()
            .map(|text| (key.clone(), text.clone(), place(links[0], key, &text)))
            .collect();
        points = product(&points, &axis);
    }
    Ok(points)
}

/// Cartesian product of points with another axis, which varies fastest.
fn product<T: Clone>(points: &[Vec<T>], axis: &[T]) -> Vec<Vec<T>> {
    // A product beyond the limit is rejected before all of it is computed.
    let most = MOST_RUNS + 1;
    let each = points.iter().flat_map(|point| {
        axis.iter().map(move |value| point.iter().chain([value]).cloned().collect())
    });
    each.take(most).collect()
}

/// Position of a value on the axis. It is a number if the constant is numeric.
fn place(link: &str, key: &str, text: &str) -> At {
    let settings = Settings::from([(key.to_owned(), text.to_owned())]);
    // Invalid names and values are reported by the later check.
    let Ok(bound) = Bound::of(link, &settings) else { return At::Text(text.to_owned()) };
    match bound.profile.parameters.get(key).map(|one| &one.value) {
        Some(Held::Choice(word)) => At::Text(word.to_lowercase()),
        Some(Held::Flag(flag)) => At::Text(flag.to_string()),
        Some(number) => number.number().map_or(At::Text(text.to_owned()), At::Number),
        None => At::Text(text.to_owned()),
    }
}

/// All combinations of the options of the traffic.
fn turns(block: &Map<String, Value>, at: &str) -> Result<Vec<Vec<Turn>>, Error> {
    let mut points = vec![Vec::new()];
    let turn = |name: &str, option, place| (option, (name.to_owned(), place));
    // A single value may be written without a list.
    let several = |given: &Value| match given {
        Value::Array(_) => given.clone(),
        one => Value::Array(vec![one.clone()]),
    };
    if let Some(given) = block.get("pace") {
        let texts = several(given);
        let texts = listed(&texts, at, "pace", Value::as_str, "times")?;
        let paces = texts.into_iter().map(|text| {
            let pace_ns = pace(text, at)?;
            Ok(turn("pace", Choice::Pace(pace_ns), At::Number(pace_ns.unwrap_or(0) as f64)))
        });
        points = product(&points, &paces.collect::<Result<Vec<_>, Error>>()?);
    }
    if let Some(given) = block.get("repeat") {
        let flags = several(given);
        let flags = listed(&flags, at, "repeat", Value::as_bool, "true and false")?;
        let flags: Vec<_> = flags
            .into_iter()
            .map(|flag| turn("repeat", Choice::Repeat(flag), At::Text(flag.to_string())))
            .collect();
        points = product(&points, &flags);
    }
    if let Some(given) = block.get("utilisation") {
        let load = |value: &Value| value.as_f64().filter(|load| (0.001..=1000.0).contains(load));
        let loads = listed(given, at, "utilisation", load, "loads from 0.001 to 1000")?;
        let loads: Vec<_> = loads
            .into_iter()
            .map(|load| turn("utilisation", Choice::Utilisation(load), At::Number(load)))
            .collect();
        points = product(&points, &loads);
    }
    Ok(points)
}

/// Parses the shortest time between messages of a train, ns. Returns `None` for 0.
fn pace(text: &str, at: &str) -> Result<Option<u64>, Error> {
    let pace_ns = duration::parse(text).map_err(|why| refused(format!("{at}`pace`: {why}")))?;
    if pace_ns != 0 && !(1_000..=SLOWEST_NS).contains(&pace_ns) {
        let right = "0s for none, or from 1us to 1000s";
        return Err(wrong(at, "pace", &Value::from(text), right));
    }
    Ok((pace_ns != 0).then_some(pace_ns.unsigned_abs()))
}

fn settings(given: Option<&Value>, at: &str) -> Result<Settings, Error> {
    let Some(given) = given else { return Ok(Settings::new()) };
    let each = table(given, at, "set", "a table of constants, such as { rate = 250 }")?;
    let one = |(name, value): (&String, &Value)| {
        Ok((name.clone(), plain(value, at, &format!("set.{name}"))?))
    };
    each.iter().map(one).collect()
}
