//! `airlag links`: link profiles, their parameters, and the sources of their constants.

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

/// Selection of link profiles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LinksQuestion")]
pub struct Question {
    /// Name of a link profile. Absent means all profiles.
    #[serde(default)]
    pub link: Option<String>,
    /// Parameters of the profile to change.
    #[serde(default)]
    pub settings: Settings,
}

/// A link with a payload and settings, to request its lower bound or its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FloorQuestion")]
pub struct FloorQuestion {
    /// Name of a link profile.
    pub link: String,
    /// Payload, bytes. Absent if the link has no message.
    #[serde(default)]
    pub size: Option<usize>,
    /// Parameters of the profile to change.
    #[serde(default)]
    pub settings: Settings,
}

/// Request for the names of all link profiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NamesQuestion")]
pub struct NamesQuestion {}

/// Request for all source documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SourcesQuestion")]
pub struct SourcesQuestion {}

words! {
    /// Kind of document.
    Group: vec!["standard", "datasheet", "software", "article"];
    /// Kind of source of a value.
    Origin: vec!["standard", "datasheet", "source", "calibrated", "assumed"];
    /// Transmission medium.
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

/// A source document of constants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Source {
    /// Key in `links/sources.toml`.
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
    /// URL.
    pub url: String,
    /// Values taken from the document.
    pub taken: String,
    /// Values that were checked a second time, and where.
    pub checked: Option<String>,
    /// Values from the document that could not be checked.
    pub unchecked: Option<String>,
}

/// A location in a source document.
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
    /// Unit. Empty for a plain number.
    pub unit: &'static str,
    /// Description.
    pub about: &'static str,
    /// Permitted words of a parameter whose value is a word. Empty for other parameters.
    pub choices: Vec<&'static str>,
    /// Smallest and largest permitted number, in the unit. Null if the value is not a number.
    pub between: Option<[f64; 2]>,
}

/// One constant of a link.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Parameter {
    /// Value, in the unit.
    pub value: Setting,
    /// Unit. Empty for a plain number.
    pub unit: &'static str,
    /// Kind of source of the value.
    pub source: Origin,
    /// Source in one line.
    pub from: String,
    /// Source document.
    pub cite: Option<Citation>,
    /// Capture to which the value is fitted. Null for a value from another source.
    pub capture: Option<String>,
    /// Reason for an assumption, or another remark. Null without a remark.
    pub note: Option<String>,
    /// Lower and upper bound of the true value, in the unit, if all other constants are as stated. Null if
    /// unknown.
    pub bound: Option<[Setting; 2]>,
    /// Description.
    pub about: &'static str,
    /// Permitted words of a parameter whose value is a word. Empty for other parameters.
    pub choices: Vec<&'static str>,
    /// Smallest and largest permitted number, in the unit. Null if the value is not a number.
    pub between: Option<[f64; 2]>,
}

/// A published result for a link.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Published {
    /// Payload, bytes. Null if the link has no messages.
    pub size: Option<usize>,
    /// Median latency, ms.
    pub median_ms: f64,
    /// Source in one line.
    pub from: String,
    /// Source document.
    pub cite: Citation,
}

/// Entry of a link profile in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "LinkName")]
pub struct Name {
    /// Name of the profile.
    pub name: String,
    /// Kind of link.
    pub kind: &'static str,
    /// Transmission medium. Null if the link has no medium.
    pub medium: Option<Medium>,
    /// Description.
    pub about: String,
    /// Whether the profile is current good practice. False for a profile of one published firmware.
    pub good_practice: bool,
}

/// A link profile: every constant with its unit and its source.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Link {
    /// Entry in the list of link profiles.
    #[serde(flatten)]
    pub named: Name,
    /// Constants by name.
    pub parameters: Ordered<Parameter>,
    /// Published results.
    pub published: Vec<Published>,
}

/// Returns the selected link profiles with their constants.
///
/// # Errors
///
/// [`Error`] if the link or a parameter does not exist, or a value is not accepted.
pub fn answer(question: &Question) -> Result<Answered<Vec<Link>>, Error> {
    let bound = |name: &str| Ok::<_, Error>(Bound::of(name, &question.settings)?.profile);
    let profiles = match &question.link {
        Some(name) => vec![bound(name)?],
        None => registry::all()?.to_vec(),
    };
    Ok(Answered::plain(profiles.iter().map(link).collect::<Result<_, _>>()?))
}

/// Returns all link profiles, without their constants.
///
/// # Errors
///
/// [`Error`] if an embedded profile is invalid. A test excludes this.
pub fn names() -> Result<Answered<Vec<Name>>, Error> {
    Ok(Answered::plain(registry::all()?.iter().map(name).collect()))
}

/// Returns the parameters of a link by name, including those that have the common default value in
/// its profile.
///
/// # Errors
///
/// [`Error`] if the link does not exist.
pub fn parameters(question: &FloorQuestion) -> Result<Answered<Ordered<Settable>>, Error> {
    let profile = registry::find(&question.link)?;
    let known = profile.kind.parameters().iter();
    Ok(Answered::plain(Ordered(known.map(|one| (one.name, settable(one))).collect())))
}

/// Returns every document of `links/sources.toml`.
///
/// # Errors
///
/// [`Error`] if the embedded file is invalid. A test excludes this.
pub fn sources() -> Result<Answered<Vec<Source>>, Error> {
    Ok(Answered::plain(all()?.map(|(group, key, one)| source(group, key, one)).collect()))
}

/// Returns the lower bound of the latency.
///
/// # Errors
///
/// [`Error`] if the link does not accept the settings.
pub fn floor(question: &FloorQuestion) -> Result<Answered<Floor>, Error> {
    let Bound { profile, .. } = Bound::of(&question.link, &question.settings)?;
    let size = profile.bytes(question.size)?;
    Ok(Answered::plain(Floor::from(&explain::floor(&profile, size)?)))
}

fn name(profile: &Profile) -> Name {
    Name {
        name: profile.name.clone(),
        kind: profile.kind.name(),
        medium: match profile.kind.medium() {
            Carries::None => None,
            Carries::Wire => Some(Medium("wire")),
            Carries::Air => Some(Medium("air")),
        },
        about: profile.about.clone(),
        good_practice: profile.good_practice,
    }
}

fn link(profile: &Profile) -> Result<Link, Error> {
    let parameters = profile.constants().map(|one| Ok((one.name, parameter(profile, &one)?)));
    let published = profile.published.iter().map(published);
    Ok(Link {
        named: name(profile),
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
        unchecked: present(&document.unchecked),
    }
}
