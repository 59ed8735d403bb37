//! What was asked of two runs: in what they differ, and whether a comparison of them then still says
//! something about their links.

use std::collections::BTreeMap;

use airlag_sim::Duration;
use airlag_stats::duration::nice;

/// What was asked of a run, as far as anybody noted it: a capture knows next to nothing of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Link profile.
    pub link: Option<String>,
    /// Payload, bytes.
    pub size: Option<u64>,
    /// What was sent at a trigger.
    pub traffic: Option<String>,
    /// Which way, of traffic both ways.
    pub way: Option<String>,
    /// What a trigger was to whatever ticks on the boards.
    pub phase: Option<String>,
    /// From trigger to trigger.
    pub period: Option<Duration>,
    /// Longest latency of a few messages sent one at a time.
    pub service: Option<Duration>,
    /// Constants that differ from the profile, each in the unit of its parameter; none of a run that
    /// is not of the bench.
    pub settings: Option<BTreeMap<String, String>>,
    /// Which airlag made it.
    pub version: Option<String>,
}

/// The phase of triggers that know of no tick.
const UNIFORM: &str = "uniform";

/// A value of what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A name, or the value of a constant.
    Text(String),
    /// Bytes, or nanoseconds.
    Number(u64),
}

/// In what two runs can differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// [`Asked::link`].
    Link,
    /// [`Asked::size`], bytes.
    Size,
    /// [`Asked::traffic`].
    Traffic,
    /// [`Asked::way`].
    Way,
    /// [`Asked::phase`].
    Phase,
    /// [`Asked::period`], ns.
    Period,
    /// The constant of this name.
    Setting(String),
    /// [`Asked::version`].
    Version,
}

impl What {
    /// What other tools call it.
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

/// One thing in which two runs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// In what.
    pub what: What,
    /// In the first run; none of a constant that is as in its profile.
    pub a: Option<Told>,
    /// In the second.
    pub b: Option<Told>,
}

/// In what two runs differ, and what that makes of their comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apart {
    /// Everything in which they differ that is known of both.
    pub differs: Vec<Differing>,
    /// Why a difference of their numbers is none of their links.
    pub obstacles: Vec<String>,
    /// What may have moved the numbers besides.
    pub notes: Vec<String>,
}

/// Holds what was asked of two runs against each other. What is known of one only is no difference.
#[must_use]
pub fn apart(a: &Asked, b: &Asked) -> Apart {
    let mut found = Apart::default();
    let text = |one: &Option<String>| one.clone().map(Told::Text);
    let number = |one: Option<u64>| one.map(Told::Number);
    let period = |one: &Asked| number(one.period.map(Duration::as_ns));
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
                let (a, b) = (a.map(Told::Text), b.map(Told::Text));
                found.differs.push(Differing { what: What::Setting(name.clone()), a, b });
            }
        }
    }
    if let (Some(one), Some(other)) = (a.size, b.size)
        && one != other
    {
        found.obstacles.push(format!(
            "The runs have payloads of {one} B and {other} B: more bytes take longer on any link. \
             Compare runs of one size."
        ));
    }
    if let (Some(one), Some(other)) = (&a.traffic, &b.traffic)
        && one != other
    {
        found.obstacles.push(format!(
            "A latency is not the same thing in both: traffic {one} in the first run, {other} in \
             the second."
        ));
    }
    if let (Some(one), Some(other)) = (&a.phase, &b.phase)
        && one != other
    {
        found.obstacles.push(format!(
            "The triggers are of {one} phase in the first run and of {other} phase in the second: \
             what differs may be which ticks they met. Compare runs of one phase."
        ));
    }
    if let (Some(one), Some(other)) = (a.period, b.period)
        && one != other
    {
        let (hurried, ticking) = (hurried(a).or_else(|| hurried(b)), !(uniform(a) && uniform(b)));
        let periods = format!("{} and {}", nice(one.as_ns() as f64), nice(other.as_ns() as f64));
        if let Some(taken) = hurried {
            found.obstacles.push(format!(
                "The runs were triggered every {periods}, and a message takes up to {}: it may \
                 have waited for the one before. Compare runs of one period.",
                nice(taken.as_ns() as f64)
            ));
        } else if ticking {
            found.obstacles.push(format!(
                "The runs were triggered every {periods}, exactly: another period meets other \
                 phases of whatever ticks on the boards. Compare runs of one period, or of uniform \
                 phase."
            ));
        }
    }
    if let (Some(one), Some(other)) = (&a.version, &b.version)
        && one != other
    {
        found.notes.push(format!(
            "The first run was made by airlag {one}, the second by {other}: a model may have \
             changed in between. Run both again."
        ));
    }
    found
}

fn uniform(asked: &Asked) -> bool {
    asked.phase.as_deref() == Some(UNIFORM)
}

/// What a message takes, where the next trigger may come before it is through. Triggers of uniform
/// phase come as close as half a period, see [`uniform`](crate::pace::uniform).
fn hurried(asked: &Asked) -> Option<Duration> {
    let (period, taken) = asked.period.zip(asked.service)?;
    let closest = if uniform(asked) { period.as_ns() / 2 } else { period.as_ns() };
    (taken.as_ns() > closest).then_some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Asked {
        Asked {
            link: Some("one".to_owned()),
            size: Some(12),
            traffic: Some("trigger".to_owned()),
            phase: Some(UNIFORM.to_owned()),
            period: Some(Duration::from_ms(200)),
            service: Some(Duration::from_ms(5)),
            settings: Some(BTreeMap::new()),
            version: Some("1.0".to_owned()),
            ..Asked::default()
        }
    }

    fn set(key: &str, value: &str) -> Asked {
        let settings = BTreeMap::from([(key.to_owned(), value.to_owned())]);
        Asked { settings: Some(settings), ..asked() }
    }

    fn whats(found: &Apart) -> Vec<&'static str> {
        found.differs.iter().map(|one| one.what.name()).collect()
    }

    #[test]
    fn runs_that_were_asked_for_alike_do_not_differ() {
        assert_eq!(apart(&asked(), &asked()), Apart::default());
        assert_eq!(apart(&set("rate", "250"), &set("rate", "250")), Apart::default());
    }

    #[test]
    fn a_setting_of_one_run_stands_beside_the_profile_of_the_other_and_forbids_nothing() {
        let found = apart(&set("rate", "250"), &set("channel", "3"));
        let text = |value: &str| Some(Told::Text(value.to_owned()));
        let differing = |name: &str, a, b| Differing { what: What::Setting(name.to_owned()), a, b };
        assert_eq!(
            found.differs,
            [differing("channel", None, text("3")), differing("rate", text("250"), None)]
        );
        assert!(found.obstacles.is_empty() && found.notes.is_empty());
    }

    #[test]
    fn what_only_one_run_knows_is_no_difference() {
        assert_eq!(apart(&set("rate", "250"), &Asked::default()), Apart::default());
    }

    #[test]
    fn another_link_is_the_question_itself() {
        let found = apart(&asked(), &Asked { link: Some("two".to_owned()), ..asked() });
        assert_eq!(whats(&found), ["link"]);
        assert!(found.obstacles.is_empty());
    }

    #[test]
    fn another_size_phase_or_traffic_makes_the_question_moot() {
        let others = [
            ("size", Asked { size: Some(128), ..asked() }, "12 B and 128 B"),
            ("phase", Asked { phase: Some("frozen".to_owned()), ..asked() }, "frozen phase"),
            ("traffic", Asked { traffic: Some("echo".to_owned()), ..asked() }, "traffic trigger"),
        ];
        for (what, other, words) in others {
            let found = apart(&asked(), &other);
            assert_eq!(whats(&found), [what]);
            assert_eq!(found.obstacles.len(), 1, "{what}");
            assert!(found.obstacles[0].contains(words), "{}", found.obstacles[0]);
        }
    }

    #[test]
    fn another_period_matters_where_messages_wait_or_ticks_are_met_in_step() {
        let every = |ms| Asked { period: Some(Duration::from_ms(ms)), ..asked() };
        let frozen = |ms| Asked { phase: Some("frozen".to_owned()), ..every(ms) };
        let obstacles = |a, b| {
            let found = apart(&a, &b);
            assert_eq!(whats(&found), ["period_ns"]);
            found.obstacles
        };
        assert!(obstacles(every(200), every(500)).is_empty());
        // As close as 4 ms, and a message takes 5.
        assert!(
            obstacles(every(200), every(8))[0].contains("200 ms and 8 ms, and a message takes")
        );
        assert!(obstacles(frozen(200), frozen(500))[0].contains("other phases"));
        assert!(obstacles(frozen(4), frozen(200))[0].contains("takes up to 5 ms"));
    }

    #[test]
    fn another_version_is_worth_a_note() {
        let found = apart(&asked(), &Asked { version: Some("2.0".to_owned()), ..asked() });
        assert_eq!((whats(&found), found.obstacles.len()), (vec!["version"], 0));
        assert!(found.notes[0].contains("1.0, the second by 2.0"));
    }
}
