//! Comparison of the conditions of two runs: in which conditions they differ, and whether a
//! difference of the results can be attributed to the links.

use std::collections::BTreeMap;

use airlag_sim::Duration;
use airlag_stats::duration::nice;

/// Known conditions of a run. For a capture, only a few conditions are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// Link profile.
    pub link: Option<String>,
    /// Payload, bytes.
    pub size: Option<u64>,
    /// Traffic at each trigger.
    pub traffic: Option<String>,
    /// Direction, for traffic in both directions.
    pub way: Option<String>,
    /// Phase of the triggers relative to the clocks of the boards.
    pub phase: Option<String>,
    /// Time between triggers.
    pub period: Option<Duration>,
    /// Longest latency of a few messages sent one at a time.
    pub service: Option<Duration>,
    /// Constants that differ from the profile, each in the unit of its parameter. `None` for a run that is
    /// not simulated.
    pub settings: Option<BTreeMap<String, String>>,
    /// Version of airlag that made the run.
    pub version: Option<String>,
}

/// Phase of triggers at random times relative to all clocks.
const UNIFORM: &str = "uniform";

/// Value of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A name, or the value of a constant.
    Text(String),
    /// Bytes or nanoseconds.
    Number(u64),
}

/// A condition in which two runs can differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// [`Conditions::link`].
    Link,
    /// [`Conditions::size`], bytes.
    Size,
    /// [`Conditions::traffic`].
    Traffic,
    /// [`Conditions::way`].
    Way,
    /// [`Conditions::phase`].
    Phase,
    /// [`Conditions::period`], ns.
    Period,
    /// The constant of this name.
    Setting(String),
    /// [`Conditions::version`].
    Version,
}

impl What {
    /// Name in the JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Size => "size",
            Self::Traffic => "traffic",
            Self::Way => "way",
            Self::Phase => "phase",
            Self::Period => "period_ns",
            Self::Setting(_) => "setting",
            Self::Version => "version",
        }
    }
}

/// A condition in which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// The condition.
    pub what: What,
    /// Value in the first run. `None` means that the constant has the value of its profile.
    pub a: Option<Value>,
    /// Value in the second run. `None` means that the constant has the value of its profile.
    pub b: Option<Value>,
}

/// Differences between the conditions of two runs, and the effect of these differences on a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Conditions that are known for both runs and differ.
    pub differs: Vec<Differing>,
    /// Reasons why a difference of the results may not be due to the links.
    pub obstacles: Vec<String>,
    /// Other possible causes of a difference between the results.
    pub notes: Vec<String>,
}

/// Compares the conditions of two runs. A condition that is known for one run only is not a difference.
#[must_use]
pub fn compare(a: &Conditions, b: &Conditions) -> Comparison {
    let mut found = Comparison::default();
    let text = |one: &Option<String>| one.clone().map(Value::Text);
    let number = |one: Option<u64>| one.map(Value::Number);
    let period = |one: &Conditions| number(one.period.map(Duration::as_ns));
    let both = [
        (What::Link, text(&a.link), text(&b.link)),
        (What::Size, number(a.size), number(b.size)),
        (What::Traffic, text(&a.traffic), text(&b.traffic)),
        (What::Way, text(&a.way), text(&b.way)),
        (What::Phase, text(&a.phase), text(&b.phase)),
        (What::Period, period(a), period(b)),
        (What::Version, text(&a.version), text(&b.version)),
    ];
    for (what, a, b) in both {
        if a.is_some() && b.is_some() && a != b {
            found.differs.push(Differing { what, a, b });
        }
    }
    if let (Some(of_a), Some(of_b)) = (&a.settings, &b.settings) {
        let mut names: Vec<&String> = of_a.keys().chain(of_b.keys()).collect();
        names.sort_unstable();
        names.dedup();
        let value = |settings: &BTreeMap<String, String>, name| settings.get(name).cloned();
        for name in names {
            let (a, b) = (value(of_a, name), value(of_b, name));
            if a != b {
                let (a, b) = (a.map(Value::Text), b.map(Value::Text));
                found.differs.push(Differing { what: What::Setting(name.clone()), a, b });
            }
        }
    }
    if let (Some(one), Some(other)) = (a.size, b.size)
        && one != other
    {
        found.obstacles.push(format!(
            "The payloads differ: {one} B and {other} B. A longer payload takes longer on any link. \
             Compare runs with the same size."
        ));
    }
    if let (Some(one), Some(other)) = (&a.traffic, &b.traffic)
        && one != other
    {
        found.obstacles.push(format!(
            "The latencies measure different things: traffic is {one} in the first run and {other} in \
             the second."
        ));
    }
    if let (Some(one), Some(other)) = (&a.phase, &b.phase)
        && one != other
    {
        found.obstacles.push(format!(
            "The trigger phase is {one} in the first run and {other} in the second. Differences may \
             come from the phase. Compare runs with the same phase."
        ));
    }
    if let (Some(one), Some(other)) = (a.period, b.period)
        && one != other
    {
        let (hurried, ticking) = (hurried(a).or_else(|| hurried(b)), !(uniform(a) && uniform(b)));
        let periods = format!("{} and {}", nice(one.as_ns() as f64), nice(other.as_ns() as f64));
        if let Some(taken) = hurried {
            found.obstacles.push(format!(
                "The runs have periods of {periods}, and a message takes up to {}. It may have \
                 waited for the previous message. Compare runs with the same period.",
                nice(taken.as_ns() as f64)
            ));
        } else if ticking {
            found.obstacles.push(format!(
                "The runs have fixed periods of {periods}. A different period samples different \
                 phases of the clocks on the boards. Compare runs with the same period, or with \
                 uniform phase."
            ));
        }
    }
    if let (Some(one), Some(other)) = (&a.version, &b.version)
        && one != other
    {
        found.notes.push(format!(
            "The first run was made by airlag {one}, the second by airlag {other}. A model may have \
             changed in between. Run both again."
        ));
    }
    found
}

fn uniform(conditions: &Conditions) -> bool {
    conditions.phase.as_deref() == Some(UNIFORM)
}

/// Returns the longest latency of a message if the next trigger may come before the message
/// completes, and `None` otherwise. The time between two triggers of uniform phase can be as short
/// as half a period, see [`uniform`](crate::pace::uniform).
fn hurried(conditions: &Conditions) -> Option<Duration> {
    let (period, taken) = conditions.period.zip(conditions.service)?;
    let closest = if uniform(conditions) { period.as_ns() / 2 } else { period.as_ns() };
    (taken.as_ns() > closest).then_some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions() -> Conditions {
        Conditions {
            link: Some("one".to_owned()),
            size: Some(12),
            traffic: Some("trigger".to_owned()),
            phase: Some(UNIFORM.to_owned()),
            period: Some(Duration::from_ms(200)),
            service: Some(Duration::from_ms(5)),
            settings: Some(BTreeMap::new()),
            version: Some("1.0".to_owned()),
            ..Conditions::default()
        }
    }

    fn set(key: &str, value: &str) -> Conditions {
        let settings = BTreeMap::from([(key.to_owned(), value.to_owned())]);
        Conditions { settings: Some(settings), ..conditions() }
    }

    fn names(found: &Comparison) -> Vec<&'static str> {
        found.differs.iter().map(|one| one.what.name()).collect()
    }

    #[test]
    fn runs_with_equal_conditions_do_not_differ() {
        assert_eq!(compare(&conditions(), &conditions()), Comparison::default());
        assert_eq!(compare(&set("rate", "250"), &set("rate", "250")), Comparison::default());
    }

    #[test]
    fn different_settings_are_listed_and_stay_comparable() {
        let found = compare(&set("rate", "250"), &set("channel", "3"));
        let text = |value: &str| Some(Value::Text(value.to_owned()));
        let differing = |name: &str, a, b| Differing { what: What::Setting(name.to_owned()), a, b };
        assert_eq!(
            found.differs,
            [differing("channel", None, text("3")), differing("rate", text("250"), None)]
        );
        assert!(found.obstacles.is_empty() && found.notes.is_empty());
    }

    #[test]
    fn a_condition_known_for_one_run_is_not_a_difference() {
        assert_eq!(compare(&set("rate", "250"), &Conditions::default()), Comparison::default());
    }

    #[test]
    fn different_links_stay_comparable() {
        let found =
            compare(&conditions(), &Conditions { link: Some("two".to_owned()), ..conditions() });
        assert_eq!(names(&found), ["link"]);
        assert!(found.obstacles.is_empty());
    }

    #[test]
    fn a_different_size_phase_or_traffic_is_an_obstacle() {
        let others = [
            ("size", Conditions { size: Some(128), ..conditions() }, "12 B and 128 B"),
            (
                "phase",
                Conditions { phase: Some("frozen".to_owned()), ..conditions() },
                "is uniform in the first run and frozen",
            ),
            (
                "traffic",
                Conditions { traffic: Some("echo".to_owned()), ..conditions() },
                "traffic is trigger",
            ),
        ];
        for (what, other, words) in others {
            let found = compare(&conditions(), &other);
            assert_eq!(names(&found), [what]);
            assert_eq!(found.obstacles.len(), 1, "{what}");
            assert!(found.obstacles[0].contains(words), "{}", found.obstacles[0]);
        }
    }

    #[test]
    fn a_different_period_is_an_obstacle_if_messages_queue_or_phases_are_fixed() {
        let every = |ms| Conditions { period: Some(Duration::from_ms(ms)), ..conditions() };
        let frozen = |ms| Conditions { phase: Some("frozen".to_owned()), ..every(ms) };
        let obstacles = |a, b| {
            let found = compare(&a, &b);
            assert_eq!(names(&found), ["period_ns"]);
            found.obstacles
        };
        assert!(obstacles(every(200), every(500)).is_empty());
        // Triggers may be only 4 ms apart, but a message takes 5 ms.
        assert!(
            obstacles(every(200), every(8))[0].contains("200 ms and 8 ms, and a message takes")
        );
        assert!(obstacles(frozen(200), frozen(500))[0].contains("different phases"));
        assert!(obstacles(frozen(4), frozen(200))[0].contains("takes up to 5 ms"));
    }

    #[test]
    fn a_different_version_is_a_note() {
        let found =
            compare(&conditions(), &Conditions { version: Some("2.0".to_owned()), ..conditions() });
        assert_eq!((names(&found), found.obstacles.len()), (vec!["version"], 0));
        assert!(found.notes[0].contains("1.0, the second by airlag 2.0"));
    }
}
