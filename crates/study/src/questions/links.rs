//! Link profiles, what can be set of them, and the documents their constants come from:
//! `airlag links`.

use airlag_kinds::registry;
use airlag_rig::kind::Medium as Carries;
use airlag_rig::origin::{Citation as Cited, Source as Certainty};
use airlag_rig::parameter::Known;
use airlag_rig::profile::{Constant, Profile, Published as Figure};
use airlag_rig::sources::{Document, Group as Groups, all};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bound, Settings};
use crate::answers::floor::Floor;
use crate::answers::number::Ordered;
use crate::answers::setting::{Setting, bound};
use crate::answers::words::words;
use crate::error::Error;
use crate::explain;
use crate::question::Answered;

/// Which link profiles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LinksQuestion")]
pub struct Question {
    /// Name of a link profile. Absent: every one.
    #[serde(default)]
    pub link: Option<String>,
    /// Parameters of the profile to change.
    #[serde(default)]
    pub settings: Settings,
}

/// A payload on a link.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FloorQuestion")]
pub struct FloorQuestion {
    /// Name of a link profile.
    pub link: String,
    /// Payload, bytes. Absent where the link has no message.
    #[serde(default)]
    pub size: Option<usize>,
    /// Parameters of the profile to change.
    #[serde(default)]
    pub settings: Settings,
}

/// Every document that constants come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SourcesQuestion")]
pub struct SourcesQuestion {}

words! {
    /// Kind of document.
    Group: vec!["standard", "datasheet", "software", "article"];
    /// How certain a value is.
    Origin: vec!["standard", "datasheet", "source", "calibrated", "assumed"];
    /// What carries messages.
    Medium: vec!["air", "wire"];
}

impl From<Groups> for Group {
    fn from(group: Groups) -> Self {
        Self(match group {
            Groups::Standard => "standard",
            Groups::Datasheet => "datasheet",
            Groups::Software => "software",
            Groups::Article => "article",
        })
    }
}

impl From<Certainty> for Origin {
    fn from(certainty: Certainty) -> Self {
        Self(match certainty {
            Certainty::Standard => "standard",
            Certainty::Datasheet => "datasheet",
            Certainty::Source => "source",
            Certainty::Calibrated => "calibrated",
            Certainty::Assumed => "assumed",
        })
    }
}

/// A document that constants come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Source {
    /// Key in links/sources.toml.
    pub key: String,
    /// Kind of document.
    pub group: Group,
    /// Title.
    pub title: String,
    /// Author.
    pub author: Option<String>,
    /// Year.
    pub year: Option<u16>,
    /// Version.
    pub version: Option<String>,
    /// Address.
    pub url: String,
    /// What was taken from it.
    pub taken: String,
    /// How it was checked.
    pub checked: Option<String>,
}

/// A document, and the place in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Citation {
    /// The document.
    #[serde(flatten)]
    pub source: Source,
    /// Clause, table, page or file.
    pub at: String,
}

/// A parameter that can be set.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Settable {
    /// Unit. May be empty.
    pub unit: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Words that it may be. Empty for a plain number.
    pub choices: Vec<&'static str>,
    /// Least and greatest number, in its unit. Null where it is no number.
    pub between: Option<[f64; 2]>,
}

/// One constant of a link.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Parameter {
    /// Its value, in its unit.
    pub value: Setting,
    /// Unit. May be empty.
    pub unit: &'static str,
    /// How certain the value is.
    pub source: Origin,
    /// Where it comes from, in one line.
    pub from: String,
    /// The document it comes from.
    pub cite: Option<Citation>,
    /// The capture it is calibrated on.
    pub capture: Option<String>,
    /// Why it is assumed, or another remark.
    pub note: Option<String>,
    /// Two values in its unit between which it may lie while the others stay. Null: not known.
    pub bound: Option<[Setting; 2]>,
    /// What it is.
    pub about: &'static str,
    /// Words that it may be. Empty for a plain number.
    pub choices: Vec<&'static str>,
    /// Least and greatest number, in its unit. Null where it is no number.
    pub between: Option<[f64; 2]>,
}

/// A published figure of a link.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Published {
    /// Payload, bytes. Null where the link has no message.
    pub size: Option<usize>,
    /// Median latency, ms.
    pub median_ms: f64,
    /// Where it comes from, in one line.
    pub from: String,
    /// The document it comes from.
    pub cite: Citation,
}

/// A link profile: every constant with its unit and its source.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Link {
    /// Name of the profile.
    pub name: String,
    /// Kind of link.
    pub kind: &'static str,
    /// What carries messages. Null where nothing does.
    pub medium: Option<Medium>,
    /// What it is.
    pub about: String,
    /// Whether it is good practice today, rather than what one published firmware did.
    pub good_practice: bool,
    /// Constants by name.
    pub parameters: Ordered<Parameter>,
    /// Published figures.
    pub published: Vec<Published>,
}

/// Link profiles with their constants.
///
/// # Errors
///
/// Where there is no such link or parameter, or it cannot be set so.
pub fn answer(question: &Question) -> Result<Answered<Vec<Link>>, Error> {
    let bound = |name: &str| Ok::<_, Error>(Bound::of(name, &question.settings)?.profile);
    let profiles = match &question.link {
        Some(name) => vec![bound(name)?],
        None => registry::all()?.to_vec(),
    };
    Ok(Answered::plain(profiles.iter().map(link).collect::<Result<_, _>>()?))
}

/// What can be set of a link, by name: also what its profile leaves as it is for every link.
///
/// # Errors
///
/// Where there is no such link.
pub fn parameters(question: &FloorQuestion) -> Result<Answered<Ordered<Settable>>, Error> {
    let profile = registry::find(&question.link)?;
    let known = profile.kind.parameters().iter();
    Ok(Answered::plain(Ordered(known.map(|one| (one.name, settable(one))).collect())))
}

/// Every document of `links/sources.toml`.
///
/// # Errors
///
/// That of a file that is wrong, which a test keeps out.
pub fn sources() -> Result<Answered<Vec<Source>>, Error> {
    Ok(Answered::plain(all()?.map(|(group, key, one)| source(group, key, one)).collect()))
}

/// The least time of a message.
///
/// # Errors
///
/// Where the link cannot be set so.
pub fn floor(question: &FloorQuestion) -> Result<Answered<Floor>, Error> {
    let Bound { profile, .. } = Bound::of(&question.link, &question.settings)?;
    let size = profile.bytes(question.size)?;
    Ok(Answered::plain(Floor::from(&explain::floor(&profile, size)?)))
}

fn link(profile: &Profile) -> Result<Link, Error> {
    let parameters = profile.constants().map(|one| Ok((one.name, parameter(profile, &one)?)));
    let published = profile.published.iter().map(published);
    Ok(Link {
        name: profile.name.clone(),
        kind: profile.kind.name(),
        medium: match profile.kind.medium() {
            Carries::None => None,
            Carries::Wire => Some(Medium("wire")),
            Carries::Air => Some(Medium("air")),
        },
        about: profile.about.clone(),
        good_practice: profile.good_practice,
        parameters: Ordered(parameters.collect::<Result<_, Error>>()?),
        published: published.collect::<Result<_, Error>>()?,
    })
}

fn parameter(profile: &Profile, constant: &Constant<'_>) -> Result<Parameter, Error> {
    let origin = constant.origin;
    let Settable { choices, between, .. } = settable(profile.known(constant.name)?);
    Ok(Parameter {
        value: constant.value.into(),
        unit: constant.unit,
        source: Origin::from(origin.source),
        from: origin.to_string(),
        cite: origin.citation().map(citation).transpose()?,
        capture: origin.capture().map(str::to_owned),
        note: origin.note().map(str::to_owned),
        bound: bound(origin),
        about: constant.about,
        choices,
        between,
    })
}

fn settable(known: &Known) -> Settable {
    Settable {
        unit: known.unit,
        about: known.about,
        choices: known.words(),
        between: known.ends().map(|(low, high)| [low, high]),
    }
}

fn published(figure: &Figure) -> Result<Published, Error> {
    Ok(Published {
        size: figure.size,
        median_ms: figure.median_ms,
        from: figure.to_string(),
        cite: citation(&figure.citation())?,
    })
}

fn citation(cited: &Cited) -> Result<Citation, Error> {
    let (group, document) = cited.document()?;
    Ok(Citation { source: source(group, &cited.key, document), at: cited.at.clone() })
}

fn source(group: Groups, key: &str, document: &Document) -> Source {
    let present = |text: &String| (!text.is_empty()).then(|| text.clone());
    Source {
        key: key.to_owned(),
        group: Group::from(group),
        title: document.title.clone(),
        author: present(&document.author),
        year: document.year,
        version: present(&document.version),
        url: document.url.clone(),
        taken: document.taken.clone(),
        checked: present(&document.checked),
    }
}
