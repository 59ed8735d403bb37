//! Labels that distinguish virtual runs from each other.
//!
//! A label consists of link and payload, then the conditions that differ among the runs, then the
//! seed. A default value is omitted unless another run has a different value.

use airlag_kinds::registry;
use airlag_sim::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::bench::{Bound, Settings, plain};
use super::run::thousand;
use crate::batch::duration;
use crate::pace;
use crate::quantity::exact;
use crate::question::Answered;

/// Default number of simulated locations.
const PLACES: usize = 20;
/// Units that are written after a number. Other units are clear from the name of the constant.
const UNITS: [&str; 15] = [
    "Hz", "kHz", "MHz", "GHz", "bit/s", "kbit/s", "Mbit/s", "ppb", "ppm", "m", "km", "B", "%",
    "dB", "dBm",
];

/// Runs to label.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LabelsQuestion")]
pub struct Question {
    /// Configuration of each run.
    pub runs: Vec<RunSettings>,
}

/// Configuration of a virtual run.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LabelledRun")]
pub struct RunSettings {
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null if the link has no messages.
    #[serde(default)]
    pub size: Option<u64>,
    /// Constants that differ from the profile, in the order given.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// Random seed.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Traffic at each trigger. Null means a one-way message.
    #[serde(default)]
    pub traffic: Option<String>,
    /// Direction, for traffic in both directions.
    #[serde(default)]
    pub way: Option<String>,
    /// Phase of the triggers. Null means uniform.
    #[serde(default)]
    pub phase: Option<String>,
    /// Time from a transmission of the link to the trigger, ns.
    #[serde(default)]
    pub offset_ns: Option<u64>,
    /// Time between triggers, ns. Null means the default period.
    #[serde(default)]
    pub period_ns: Option<u64>,
    /// Whether `service_ns` was determined. If so, a null `service_ns` means that no message arrived.
    #[serde(default)]
    pub has_service: bool,
    /// Longest latency of a few messages sent one at a time, ns. Null if none arrived.
    #[serde(default)]
    pub service_ns: Option<u64>,
    /// Number of triggers.
    #[serde(default = "thousand")]
    pub count: usize,
    /// Number of simulated locations. Null if locations do not differ.
    #[serde(default)]
    pub places: Option<usize>,
}

/// Stimulus options that differ from their default, one text for each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stimulus {
    /// Traffic and direction.
    pub traffic: Option<String>,
    /// Phase, and offset.
    pub phase: Option<String>,
    /// Period.
    pub period: Option<String>,
    /// Number of triggers.
    pub count: Option<String>,
    /// Number of simulated locations.
    pub places: Option<String>,
}

impl Stimulus {
    fn of(asked: &RunSettings) -> Self {
        let phase = asked.phase.as_deref().filter(|phase| *phase != "uniform");
        let offset = asked.offset_ns.map(|ns| format!(" at {}", exact(ns))).unwrap_or_default();
        let service = asked.service_ns.map(Duration::from_ns);
        let usual = asked.has_service.then(|| usual_period(asked, service).as_ns());
        let period = asked.period_ns.filter(|ns| Some(*ns) != usual);
        let places = asked.places.map(|places| places.max(1)).filter(|places| *places != PLACES);
        Self {
            traffic: traffic(asked).or_else(|| asked.way.as_ref().map(|way| format!("way {way}"))),
            phase: phase.map(|phase| format!("{phase} phase{offset}")),
            period: period.map(|ns| format!("every {}", exact(ns))),
            count: (asked.count != thousand()).then(|| format!("{} triggers", asked.count)),
            places: places.map(|places| match places {
                1 => "1 location".to_owned(),
                _ => format!("{places} locations"),
            }),
        }
    }

    fn parts(&self) -> [(&'static str, Option<&String>); 5] {
        [
            ("traffic", self.traffic.as_ref()),
            ("phase", self.phase.as_ref()),
            ("period", self.period.as_ref()),
            ("count", self.count.as_ref()),
            ("places", self.places.as_ref()),
        ]
    }
}

/// Default period of a run. For an unknown link, the default period of a link whose messages are
/// not repeated.
fn usual_period(asked: &RunSettings, service: Option<Duration>) -> Duration {
    let settings = asked.settings.iter().map(|(name, value)| (name.clone(), text(value)));
    let bound = Bound::of(&asked.link, &settings.collect::<Settings>()).ok();
    let size = asked.size.map_or(0, |size| size as usize);
    let known = bound.and_then(|bound| pace::period(&bound.profile, size, service).ok());
    known.unwrap_or_else(|| pace::unhurried(service))
}

/// Kind of latency, such as a round trip. `None` for a one-way message.
fn traffic(asked: &RunSettings) -> Option<String> {
    let name = match asked.traffic.as_deref() {
        None | Some("trigger") => return None,
        Some("echo") => "round trip",
        Some("both") => "both directions",
        Some(call) => call,
    };
    Some(asked.way.as_ref().map_or_else(|| name.to_owned(), |way| format!("{name}: {way}")))
}

/// The label of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Label {
    /// Link profile.
    pub link: String,
    /// Kind of latency, such as a round trip. Null for a one-way message.
    pub traffic: Option<String>,
    /// Payload with its unit. Null if the link has no messages.
    pub size: Option<String>,
    /// Conditions that differ among the runs. Ends with the seed if only the seed differs.
    pub differing: Vec<String>,
    /// Constants that differ from the profile, and phase and period if they are not at their default.
    pub head: Vec<String>,
}

/// A condition that differs among runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "LabelColumn")]
pub struct Column {
    /// Name of the constant, or kind of stimulus option.
    pub name: String,
    /// Value in each run. Null if the run has no such constant, or if a stimulus option is at its default.
    pub values: Vec<Option<String>>,
}

/// The labels of runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Labels")]
pub struct Answer {
    /// Label of each run, in the order of the question.
    pub labels: Vec<Label>,
    /// Constants and stimulus options that differ, without link, payload and seed.
    pub columns: Vec<Column>,
}

/// Labels runs.
#[must_use]
pub fn answer(question: &Question) -> Answered<Answer> {
    let runs = &question.runs;
    let stimuli: Vec<Stimulus> = runs.iter().map(Stimulus::of).collect();
    let mut names: Vec<&String> = Vec::new();
    for name in runs.iter().flat_map(|run| run.settings.keys()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut columns: Vec<Column> = Vec::new();
    for &name in &names {
        let values = runs.iter().map(|run| {
            let given = run.settings.get(name).map(text);
            given.or_else(|| own(&run.link, name)).map(|value| with_unit(&run.link, name, &value))
        });
        columns.push(Column { name: name.clone(), values: values.collect() });
    }
    let constants = columns.len();
    for (at, (name, _)) in Stimulus::default().parts().into_iter().enumerate() {
        let values = stimuli.iter().map(|one| one.parts()[at].1.cloned()).collect();
        columns.push(Column { name: name.to_owned(), values });
    }
    // Sorted by first use among the runs.
    columns[constants..].sort_by_key(|column| column.values.iter().position(Option::is_some));
    let label = |(nth, run): (usize, &RunSettings)| {
        let words = columns.iter().enumerate().filter(|(_, column)| column.differs());
        let word = |(at, column): (usize, &Column)| {
            let value = column.values[nth].clone()?;
            Some(if at < constants { format!("{}={value}", column.name) } else { value })
        };
        let set = |(name, value): (&String, &Value)| {
            format!("{name}={}", with_unit(&run.link, name, &text(value)))
        };
        let Stimulus { phase, period, .. } = &stimuli[nth];
        Label {
            link: run.link.clone(),
            traffic: traffic(run),
            size: run.size.map(|size| format!("{size} B")),
            differing: words.filter_map(word).collect(),
            head: run.settings.iter().map(set).chain(phase.clone()).chain(period.clone()).collect(),
        }
    };
    let labels: Vec<Label> = runs.iter().enumerate().map(label).collect();
    let alike = |one: &Label, other: &Label| {
        (&one.link, &one.size, &one.differing) == (&other.link, &other.size, &other.differing)
    };
    let seeded = |(nth, label): (usize, &Label)| {
        let mut found = label.clone();
        let others = labels.iter().zip(runs).filter(|(other, _)| alike(label, other));
        if let Some(seed) = runs[nth].seed
            && others.map(|(_, run)| run.seed).any(|other| other != Some(seed))
        {
            found.differing.push(format!("seed {seed}"));
        }
        found
    };
    let labels = labels.iter().enumerate().map(seeded).collect();
    let columns = columns.into_iter().filter(Column::differs).collect();
    Answered::plain(Answer { labels, columns })
}

impl Column {
    fn differs(&self) -> bool {
        self.values.windows(2).any(|pair| pair[0] != pair[1])
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns the value of a constant in its profile. `None` if the link or constant does not exist.
#[must_use]
pub fn own(link: &str, name: &str) -> Option<String> {
    let profile = registry::find(link).ok()?;
    profile.constants().find(|one| one.name == name).map(|one| plain(one.value))
}

/// Formats a value of a constant with its unit, if the unit is one of [`UNITS`].
///
/// Returns the text unchanged if the link or constant does not exist, or the value is not accepted.
#[must_use]
pub fn with_unit(link: &str, name: &str, value: &str) -> String {
    let settings = Settings::from([(name.to_owned(), value.to_owned())]);
    let known = Bound::of(link, &settings).ok().and_then(|bound| bound.profile.known(name).ok());
    let Some(unit) = known.map(|known| known.unit) else { return value.to_owned() };
    let size_ns = duration::unit_ns(unit);
    let whole = value.parse::<u64>().ok().filter(|_| value.bytes().all(|one| one.is_ascii_digit()));
    if let Some(ns) = size_ns.zip(whole).and_then(|(size, whole)| whole.checked_mul(size)) {
        return exact(ns);
    }
    if duration::parts(value).is_none_or(|(number, word)| !word.is_empty() || number != value)
        || value.starts_with(['+', '.'])
        || value.ends_with('.')
    {
        return value.to_owned();
    }
    let unit = if UNITS.contains(&unit) { unit } else { "" };
    format!("{}{unit}", value.strip_suffix(".0").unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seed: u64, settings: &[(&str, &str)]) -> RunSettings {
        let set = |(name, value): &(&str, &str)| ((*name).to_owned(), Value::from(*value));
        let settings = settings.iter().map(set).collect();
        let link = "nrf24-2m".to_owned();
        RunSettings {
            link,
            size: Some(12),
            seed: Some(seed),
            settings,
            count: 1000,
            ..RunSettings::default()
        }
    }

    fn differing(runs: Vec<RunSettings>) -> Vec<Vec<String>> {
        let found = answer(&Question { runs }).answer.labels;
        found.into_iter().map(|label| label.differing).collect()
    }

    #[test]
    fn runs_alike_but_for_their_seed_have_it_in_their_label() {
        let runs = vec![run(1, &[]), run(2, &[]), run(1, &[("frame_loss", "0.5")])];
        let own = own("nrf24-2m", "frame_loss").expect("a constant");
        let own = with_unit("nrf24-2m", "frame_loss", &own);
        let labels = differing(runs);
        assert_eq!(labels[0], [format!("frame_loss={own}"), "seed 1".to_owned()]);
        assert_eq!(labels[1], [format!("frame_loss={own}"), "seed 2".to_owned()]);
        assert_eq!(labels[2], ["frame_loss=0.5"]);
        assert!(differing(vec![run(1, &[]), run(1, &[])]).iter().all(Vec::is_empty));
    }

    #[test]
    fn a_stimulus_has_a_word_where_it_is_not_as_by_default() {
        let echo = RunSettings { traffic: Some("echo".to_owned()), ..run(1, &[]) };
        let frozen = RunSettings {
            phase: Some("frozen".to_owned()),
            offset_ns: Some(5_000),
            ..echo.clone()
        };
        let fast =
            RunSettings { period_ns: Some(16_600_000), count: 10, places: Some(1), ..run(1, &[]) };
        let labels = differing(vec![echo, frozen, fast]);
        assert_eq!(labels[0], ["round trip"]);
        assert_eq!(labels[1], ["round trip", "frozen phase at 5us"]);
        assert_eq!(labels[2], ["every 16.6ms", "10 triggers", "1 location"]);
    }

    /// A message of 130 ms that may wait 500 ms for its repetition has a default period of 2 s, not
    /// 500 ms.
    #[test]
    fn the_default_period_of_a_link_with_rare_repetitions_is_not_in_its_label() {
        let mesh = |period_ms: u64| RunSettings {
            link: "btmesh".to_owned(),
            has_service: true,
            service_ns: Some(130_000_000),
            period_ns: Some(period_ms * 1_000_000),
            ..run(1, &[])
        };
        let labels = differing(vec![mesh(2_000), mesh(500)]);
        assert_eq!(labels, [vec![], vec!["every 500ms".to_owned()]]);
    }

    #[test]
    fn values_have_the_units_that_people_write() {
        assert_eq!(with_unit("nrf24-2m", "retransmit_delay", "250"), "250us");
        assert_eq!(with_unit("nrf24-2m", "no_such", "3"), "3");
        assert_eq!(with_unit("no-such-link", "rate", "3"), "3");
    }
}
