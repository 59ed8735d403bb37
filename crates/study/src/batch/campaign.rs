//! Campaigns: many runs of the virtual bench in one file. `docs/campaigns.md` documents every key.
//! [`answer`](mod@answer) evaluates the runs.
//!
//! A campaign with a `question` defines lines over one axis. Each run is one point of a line.

pub mod answer;
mod runs;
mod series;
mod work;

use airlag_kinds::registry;
use airlag_rig::sources;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::table::{
    file_name, hint, line, listed, named, once, one_of, only, refused, table, tables, whole, wrong,
};
use super::{LARGEST_SEED, LARGEST_SIZE, text};
use crate::error::Error;
use crate::question::Answered;
use runs::Planned;
pub use work::{At, Point, Program, Work, point};

const KEYS: [&str; 9] =
    ["name", "seed", "title", "question", "x", "y", "published", "runs", "captures"];
const PUBLISHED: [&str; 3] = ["cite", "at", "says"];
/// Largest number of runs of a campaign.
const MOST_RUNS: usize = 10_000;

/// A campaign file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CampaignQuestion")]
pub struct Question {
    /// Text of the file, in TOML.
    pub file: String,
    /// Name of the campaign, used if the file has none.
    pub name: String,
}

/// The runs of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "CampaignPlan")]
pub struct Campaign {
    /// Name of the campaign, and of its report.
    pub name: String,
    /// Runs in the order of the file, without duplicates.
    pub works: Vec<Work>,
    /// Capture files of the same links.
    pub captures: Vec<Captured>,
    /// The question of the campaign. Null if the campaign only lists its runs in a table.
    pub question: Option<CampaignQuestion>,
}

/// A capture file of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "CampaignCapture")]
pub struct Captured {
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null if the link has no messages.
    pub size: Option<u64>,
    /// File name, relative to the folder of captures.
    pub file: String,
}

/// The question of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CampaignAsked")]
pub struct CampaignQuestion {
    /// Heading of its page.
    pub title: String,
    /// The question in words.
    pub text: String,
    /// Quantity of the horizontal axis: `size`, an option of the traffic, or a parameter of the
    /// profiles.
    pub x: String,
    /// Quantity of the vertical axis.
    pub y: Measure,
    /// Published results on the same question.
    pub published: Vec<Published>,
}

/// A published result with which the campaign is compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CampaignPublished")]
pub struct Published {
    /// Source document, by its key in `links/sources.toml`.
    pub cite: String,
    /// Location in the document.
    pub at: String,
    /// The published result, in words.
    pub says: String,
}

/// Quantity of the vertical axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Latency of a message.
    Latency,
    /// Time between consecutive arrivals.
    Gap,
    /// Time from the first message of a train to its last arrival.
    Completion,
    /// Delivered user data.
    Goodput,
    /// Delivery ratio.
    Delivery,
}

impl Measure {
    const ALL: [Self; 5] =
        [Self::Latency, Self::Gap, Self::Completion, Self::Goodput, Self::Delivery];

    const fn name(self) -> &'static str {
        match self {
            Self::Latency => "latency",
            Self::Gap => "gap",
            Self::Completion => "completion",
            Self::Goodput => "goodput",
            Self::Delivery => "delivery",
        }
    }

    /// Traffic programs that measure the quantity.
    const fn programs(self) -> &'static [Program] {
        match self {
            Self::Latency => &[Program::Trigger, Program::Echo, Program::Load],
            Self::Gap => &[Program::Goodput],
            Self::Completion => &[Program::BackToBack],
            Self::Goodput => &[Program::BackToBack, Program::Goodput, Program::Load],
            Self::Delivery => &Program::ALL,
        }
    }
}

/// Reads the file of a campaign.
///
/// # Errors
///
/// One line for the user, with the location in the file, the problem and a valid alternative.
pub fn answer(question: &Question) -> Result<Answered<Campaign>, Error> {
    let read = text::read(&question.file)?;
    let table = read.as_object().ok_or_else(|| refused("no table"))?;
    Ok(Answered::plain(campaign(table, &question.name)?))
}

fn campaign(given: &Map<String, Value>, stem: &str) -> Result<Campaign, Error> {
    only(given, &KEYS, "")?;
    let name = file_name(given.get("name").unwrap_or(&Value::from(stem)))?;
    let seed = given.get("seed").map_or(Ok(1), |seed| whole(seed, "", "seed", 0, LARGEST_SEED))?;
    let blocks = given.get("runs").and_then(tables).filter(|blocks| !blocks.is_empty());
    let blocks =
        blocks.ok_or_else(|| refused("no runs; a campaign has at least one table [[runs]]"))?;
    let mut planned: Vec<Planned> = Vec::new();
    for (nth, block) in blocks.into_iter().enumerate() {
        planned.extend(runs::planned(block, &format!("[[runs]] {}: ", nth + 1), seed)?);
        planned = once(planned);
        if planned.len() > MOST_RUNS {
            return Err(refused(runs::too_many("")));
        }
    }
    let question = asked(given, &name, &planned)?;
    let captures = given.get("captures").map_or_else(|| Ok(Vec::new()), captures)?;
    let works = series::works(planned, question.as_ref().map(|question| question.x.as_str()));
    Ok(Campaign { name, works, captures, question })
}

fn asked(
    given: &Map<String, Value>,
    name: &str,
    planned: &[Planned],
) -> Result<Option<CampaignQuestion>, Error> {
    let Some(text) = given.get("question") else {
        let needs =
            ["title", "x", "y", "published"].into_iter().find(|&key| given.contains_key(key));
        if let Some(key) = needs {
            return Err(refused(format!("`{key}` belongs to a question; write `question` too")));
        }
        let other = planned.iter().find(|one| one.work.traffic != Program::Trigger);
        return match other.map(|one| one.work.traffic.name()) {
            None => Ok(None),
            Some(program) => Err(refused(format!(
                "traffic `{program}` belongs to a question; write `question` too"
            ))),
        };
    };
    let (Some(x), Some(y)) = (given.get("x"), given.get("y")) else {
        return Err(refused("a question has `x` and `y`; write a horizontal and a vertical axis"));
    };
    let turned = planned.iter().flat_map(|one| one.turned.iter().map(|(name, _)| name.as_str()));
    let known = once(std::iter::once("size").chain(turned).collect());
    let x = one_of(x, "", "x", &known)?;
    let y = one_of(y, "", "y", &Measure::ALL.map(Measure::name))?;
    let y = Measure::ALL.into_iter().find(|each| each.name() == y).unwrap_or(Measure::Latency);
    for Planned { work, turned, .. } in planned {
        let has_x = turned.iter().any(|(name, _)| name == x);
        if !(has_x || x == "size" && work.size.is_some()) {
            return Err(refused(format!("`x`: {} has no `{x}`; give it a value", work.link)));
        }
        if !y.programs().contains(&work.traffic) {
            let names: Vec<&str> = y.programs().iter().map(|one| one.name()).collect();
            return Err(refused(format!(
                "`y`: traffic `{}` does not measure {}; choose from {}",
                work.traffic.name(),
                y.name(),
                names.join(", ")
            )));
        }
    }
    let title = given.get("title").map_or(Ok(name.to_owned()), |title| line(title, "", "title"))?;
    Ok(Some(CampaignQuestion {
        title,
        text: line(text, "", "question")?,
        x: x.to_owned(),
        y,
        published: given.get("published").map_or_else(|| Ok(Vec::new()), published)?,
    }))
}

fn published(given: &Value) -> Result<Vec<Published>, Error> {
    let blocks = tables(given).ok_or_else(|| {
        wrong("", "published", given, "tables [[published]] with cite, at and says")
    })?;
    let one = |(nth, block): (usize, &Map<String, Value>)| {
        let at = format!("[[published]] {}: ", nth + 1);
        only(block, &PUBLISHED, &at)?;
        let text = |key: &str| {
            let value = block.get(key).ok_or_else(|| {
                refused(format!("{at}no `{key}`; a table has {}", PUBLISHED.join(", ")))
            })?;
            line(value, &at, key)
        };
        let [cite, place, says] = PUBLISHED.map(text);
        let cite = cite?;
        sources::find(&cite).map_err(|error| refused(format!("{at}{error}")))?;
        Ok(Published { cite, at: place?, says: says? })
    };
    blocks.into_iter().enumerate().map(one).collect()
}

fn captures(given: &Value) -> Result<Vec<Captured>, Error> {
    let names = registry::names()?;
    let mut found = Vec::new();
    for (link, files) in table(given, "", "captures", "a table of links")? {
        let at = format!("[captures.{}]: ", named(link));
        if !names.contains(&link.as_str()) {
            return Err(refused(format!("{at}no link `{}`{}", named(link), hint(link, &names))));
        }
        let file =
            |value: &Value| value.as_str().filter(|file| !file.contains('\0')).map(str::to_owned);
        let link = link.clone();
        if !registry::find(&link)?.has_message() {
            let right = "a file, such as \"gpio.csv\", because the link carries no message";
            let file = file(files).ok_or_else(|| wrong("[captures]: ", &link, files, right))?;
            found.push(Captured { link, size: None, file });
            continue;
        }
        for (size, value) in table(files, &at, &link, "a table of sizes and files")? {
            let bytes = size.parse().ok().filter(|bytes| *bytes <= LARGEST_SIZE);
            let (Some(bytes), Some(file)) = (bytes, file(value)) else {
                let right = "a size and a file, such as 12 = \"12B.csv\"";
                return Err(wrong(&at, size, value, right));
            };
            found.push(Captured { link: link.clone(), size: Some(bytes), file });
        }
    }
    Ok(found)
}

/// Payloads of each link from `sizes`, or a single `None` for a link without messages.
fn payloads(
    links: &[&str],
    sizes: Option<&Value>,
    at: &str,
) -> Result<Vec<Vec<Option<u64>>>, Error> {
    let sizes = match sizes {
        None => None,
        Some(given) => {
            let sizes = listed(given, at, "sizes", Value::as_i64, "numbers of bytes")?;
            for &size in &sizes {
                whole(&Value::from(size), at, "sizes", 0, LARGEST_SIZE)?;
            }
            Some(sizes.into_iter().map(|size| Some(size.unsigned_abs())).collect::<Vec<_>>())
        }
    };
    let mut found = Vec::new();
    for &link in links {
        match (registry::find(link)?.has_message(), &sizes) {
            (true, None) => return Err(refused(format!("{at}no `sizes`; list at least one"))),
            (true, Some(sizes)) => found.push(sizes.clone()),
            (false, _) => found.push(vec![None]),
        }
    }
    if sizes.is_some() && found.iter().all(|each| each[..] == [None]) {
        return Err(refused(format!(
            "{at}`sizes`: {}: no message, so no payload to choose; leave the size out",
            links.join(", ")
        )));
    }
    Ok(found)
}
