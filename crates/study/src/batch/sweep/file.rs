//! Reader of sweep definitions: a file, or a table with the same keys.

use airlag_kinds::calls::request::Call;
use airlag_kinds::registry;
use serde_json::{Map, Value};

use super::super::links::chosen;
use super::super::table::{
    file_name, hint, listed, named, once, one_of, only, period, refused, table, whole, wrong,
};
use super::super::{LARGEST_SEED, LARGEST_SIZE, MOST_TRIGGERS};
use super::axis::Axis;
use super::columns::{check, columns};
use super::design::{self, Draw};
use super::plan::{Block, Plan, SIZE, STIMULUS, Seeds};
use super::stop::Stop;
use crate::answers::law::Region;
use crate::error::Error;

const KEYS: [&str; 19] = [
    "name",
    "links",
    "except",
    "sizes",
    "count",
    "period",
    "phase",
    "traffic",
    "places",
    "region",
    "seed",
    "seeds",
    "replications",
    "paired",
    "transfers",
    "impossible",
    "set",
    "design",
    "stop",
];
/// Handling of combinations that a link does not support. The first is the default.
const IMPOSSIBLE: [&str; 2] = ["keep", "refuse"];
const REGIONS: [(&str, Region); 2] = [("eu", Region::Eu), ("us", Region::Us)];
/// Largest number of runs of a sweep.
const MOST_RUNS: u64 = 100_000_000;
/// Largest number of replications of a configuration. All are in memory at once.
pub(super) const MOST_REPLICATIONS: u64 = 10_000;
/// Largest number of runs with `transfers`, which writes a file per run.
const MOST_KEPT: u64 = 100_000;
/// Largest number of simulated locations.
const MOST_PLACES: u64 = 100_000;
/// Default payload, bytes.
const USUAL_SIZE: u64 = 128;

/// Reads a sweep. `name` is used if the table has no name.
///
/// If `tried` is false, an invalid value is recorded as a problem of its runs instead of an error.
///
/// # Errors
///
/// One line for the user, with the location in the table, the problem and a valid alternative. The
/// errors of `draw` are returned too.
pub fn plan(
    asked: &Map<String, Value>,
    name: &str,
    tried: bool,
    draw: Draw<'_>,
) -> Result<Plan, Error> {
    only(asked, &KEYS, "")?;
    let name = file_name(asked.get("name").unwrap_or(&Value::from(name)))?;
    let links = links(asked)?;
    let mut digest = None;
    let block = |link: &&str| {
        let axes = axes(asked, link, &mut |link, given| {
            let (axis, drawn) = design::read(link, given, "[design]: ", draw)?;
            digest = Some(drawn);
            Ok(axis)
        })?;
        Ok(Block { link: (*link).to_owned(), axes })
    };
    let blocks = links.iter().map(block).collect::<Result<Vec<_>, Error>>()?;
    let stop = asked.get("stop").map(Stop::read).transpose()?;
    let (seeds, most) = seeds(asked, stop.as_ref())?;
    let configurations = blocks.iter().map(Block::many).fold(0, u64::saturating_add);
    let runs = configurations.saturating_mul(most);
    if runs > MOST_RUNS {
        return Err(refused(format!(
            "{} configurations with {} replications are {} runs; choose fewer values, for at most {}",
            count(configurations),
            count(most),
            count(runs),
            count(MOST_RUNS)
        )));
    }
    let transfers = flag(asked, "transfers", false)?;
    if transfers && runs > MOST_KEPT {
        return Err(refused(format!(
            "`transfers` writes one file per run, and {} runs are too many; leave it out, or choose \
                 fewer values, for at most {} runs",
            count(runs),
            count(MOST_KEPT)
        )));
    }
    if tried {
        blocks.iter().try_for_each(check)?;
    }
    let region = match asked.get("region") {
        None => None,
        Some(given) => {
            let word = one_of(given, "", "region", &REGIONS.map(|(name, _)| name))?;
            REGIONS.iter().find(|(name, _)| *name == word).map(|&(_, region)| region)
        }
    };
    let impossible = asked
        .get("impossible")
        .map_or(Ok(IMPOSSIBLE[0]), |given| one_of(given, "", "impossible", &IMPOSSIBLE))?;
    let columns = columns(&blocks)?;
    let mut asked = asked.clone();
    asked.insert("name".to_owned(), Value::from(name.as_str()));
    asked.insert("links".to_owned(), Value::from(links));
    Ok(Plan {
        name,
        blocks,
        most,
        stop,
        region,
        transfers,
        keep_impossible: impossible == IMPOSSIBLE[0],
        columns,
        asked,
        digest,
        seeds,
    })
}

fn links(asked: &Map<String, Value>) -> Result<Vec<&'static str>, Error> {
    let given = asked.get("links").ok_or_else(|| refused("no `links`; list at least one"))?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let among = match given {
        Value::String(one) => vec![one.clone()],
        several => listed(several, "", "links", text, "names of links")?,
    };
    let without = asked
        .get("except")
        .map_or(Ok(Vec::new()), |except| listed(except, "", "except", text, "names"))?;
    let names = registry::names()?;
    chosen(&names, Some(&among), &without).map_err(|why| refused(format!("`links`: {why}")))
}

type Drawn<'a> = &'a mut dyn FnMut(&str, &Value) -> Result<Axis, Error>;

/// Axes of a link in the order of the file. The payload varies fastest.
fn axes(asked: &Map<String, Value>, link: &str, drawn: Drawn<'_>) -> Result<Vec<Axis>, Error> {
    let profile = registry::find(link)?;
    let known: Vec<&str> = profile.kind.parameters().iter().map(|one| one.name).collect();
    let is_known = |name: &str, at: &str| {
        if known.contains(&name) {
            return Ok(());
        }
        let meant = hint(name, &known);
        Err(refused(format!("{at}: {link}: no parameter `{}`{meant}", named(name))))
    };
    let mut taken: Vec<(String, &str)> = Vec::new();
    let mut free = |name: &str, at: &'static str| match taken.iter().find(|one| one.0 == name) {
        Some((_, before)) => {
            Err(refused(format!("`{name}` is in both {before} and {at}; remove one")))
        }
        None => {
            taken.push((name.to_owned(), at));
            Ok(())
        }
    };
    let mut found = Vec::new();
    for name in STIMULUS {
        found.extend(asked.get(name).map(|given| stimulus(name, given)).transpose()?);
    }
    if let Some(given) = asked.get("set") {
        let right = "a table of parameters, such as { rate = [250, 2000] }";
        for (name, given) in table(given, "", "set", right)? {
            is_known(name, "[set]")?;
            free(name, "[set]")?;
            found.push(Axis::read(link, name, given, "[set]: ")?);
        }
    }
    let sizes = asked.get("sizes");
    if sizes.is_some() {
        free(SIZE, "`sizes`")?;
    }
    let mut designed = false;
    if let Some(given) = asked.get("design") {
        let points = drawn(link, given)?;
        for name in points.names() {
            if name != SIZE {
                is_known(name, "[design]")?;
            }
            free(name, "[design]")?;
            designed |= name == SIZE;
        }
        found.push(points);
    }
    if !profile.has_message() {
        if sizes.is_some() || designed {
            let why = "has no message, so `sizes` does not apply; choose other links";
            return Err(refused(format!("{link} {why}")));
        }
    } else if sizes.is_some() || !designed {
        let axis = Axis::read(link, SIZE, sizes.unwrap_or(&Value::from(USUAL_SIZE)), "")?;
        for (_, text) in axis.ends().into_iter().flatten() {
            if !text.parse::<u64>().is_ok_and(|size| size <= LARGEST_SIZE) {
                let right = format!("whole numbers of bytes from 0 to {LARGEST_SIZE}");
                return Err(wrong("", "sizes", &Value::from(text), &right));
            }
        }
        found.push(axis);
    }
    Ok(found)
}

/// Traffic and trigger timing.
fn stimulus(name: &str, given: &Value) -> Result<Axis, Error> {
    let one = std::slice::from_ref(given);
    let values = given.as_array().map_or(one, Vec::as_slice);
    if values.is_empty() {
        let why = "has no values; list at least one";
        return Err(refused(format!("`{name}` {why}")));
    }
    let traffic: Vec<&str> =
        ["trigger", "echo"].into_iter().chain(Call::ALL.map(Call::name)).collect();
    let text = |value: &Value| {
        Ok(match name {
            "count" => whole(value, "", name, 1, MOST_TRIGGERS)?.to_string(),
            "places" => whole(value, "", name, 1, MOST_PLACES)?.to_string(),
            "period" => format!("{}ns", period(value, "")?),
            "phase" => one_of(value, "", name, &["uniform", "frozen"])?.to_owned(),
            _ => one_of(value, "", name, &traffic)?.to_owned(),
        })
    };
    let texts = values.iter().map(text).collect::<Result<Vec<_>, Error>>()?;
    Ok(Axis::Among(name.to_owned(), once(texts)))
}

/// The seeds, and the largest number of replications.
fn seeds(asked: &Map<String, Value>, stop: Option<&Stop>) -> Result<(Seeds, u64), Error> {
    let paired = flag(asked, "paired", true)?;
    let Some(given) = asked.get("seeds") else {
        let first =
            asked.get("seed").map_or(Ok(1), |seed| whole(seed, "", "seed", 0, LARGEST_SEED))?;
        let most = match (stop, asked.get("replications")) {
            (Some(_), Some(_)) => {
                let why = "`replications` and [stop] exclude each other; remove one";
                return Err(refused(why));
            }
            (Some(stop), None) => stop.most,
            (None, Some(many)) => whole(many, "", "replications", 1, MOST_REPLICATIONS)?,
            (None, None) => 1,
        };
        return Ok((Seeds::From { first, paired }, most));
    };
    if let Some(key) = ["seed", "replications"].into_iter().find(|&key| asked.contains_key(key)) {
        let why = format!("`seeds` and `{key}` exclude each other; remove one");
        return Err(refused(why));
    }
    let roots = listed(given, "", "seeds", Value::as_i64, "seeds, such as [1, 2, 3]")?;
    let root = |&root: &i64| whole(&Value::from(root), "", "seeds", 0, LARGEST_SEED);
    let roots = roots.iter().map(root).collect::<Result<Vec<_>, _>>()?;
    if stop.is_some() || !paired {
        let other = if stop.is_some() { "[stop]" } else { "paired = false" };
        let why = format!("`seeds` cannot be combined with {other}; write `seed`, the first seed");
        return Err(refused(why));
    }
    let most = roots.len() as u64;
    if most > MOST_REPLICATIONS {
        return Err(wrong("", "seeds", given, &format!("at most {MOST_REPLICATIONS}")));
    }
    Ok((Seeds::Listed(roots), most))
}

fn flag(asked: &Map<String, Value>, key: &str, usual: bool) -> Result<bool, Error> {
    match asked.get(key) {
        None => Ok(usual),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => Err(wrong("", key, other, "true or false")),
    }
}

/// Formats a count with thousands separators.
fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_has_its_thousands_apart() {
        let counts = [(7, "7"), (999, "999"), (1_000, "1 000"), (12_345_678, "12 345 678")];
        for (value, text) in counts {
            assert_eq!(count(value), text);
        }
    }
}
