//! Setup of a real bench: trigger, instrument, payloads and runs. `docs/bench.md` documents every key.

mod boards;
mod recording;

use std::collections::BTreeMap;

use airlag_kinds::registry;
use airlag_sim::Stream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::table::{hint, line, listed, named, once, only, refused, table, whole, wrong};
use super::{LARGEST_SEED, LARGEST_SIZE, MOST_TRIGGERS, duration, text};
use crate::error::Error;
use crate::question::Answered;

use self::boards::Boards;

pub use recording::{Recording, RecordingQuestion, recording};

const TABLES: [&str; 3] = ["record", "trigger", "campaign"];
const TRIGGER: [&str; 7] = ["serial", "setup", "go", "answer", "timeout", "prepare", "command"];
const CAMPAIGN: [&str; 9] =
    ["link", "sizes", "count", "period", "repetitions", "seed", "pause", "lead", "drain"];
/// Maximum number of runs.
const MOST_RUNS: usize = 1_000;
/// Maximum length of a command, words.
const MOST_WORDS: usize = 100;
/// Maximum duration in a setup, ns.
const LONGEST_NS: u64 = 10_000_000_000_000;

/// The setup of a real bench, and the command line options that override it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SetupQuestion")]
pub struct Question {
    /// TOML text of the file.
    pub file: String,
    /// Link profile.
    pub link: String,
    /// Payloads, bytes.
    #[serde(default)]
    pub sizes: Option<Vec<u64>>,
    /// Number of triggers per run.
    #[serde(default)]
    pub count: Option<u64>,
    /// Time between triggers, ns.
    #[serde(default)]
    pub period_ns: Option<u64>,
    /// Random seed of the run order.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// The runs of a real bench.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "SetupPlan")]
pub struct Plan {
    /// Recording options.
    pub recording: Recording,
    /// Serial console of the triggering board, such as `/dev/ttyUSB0?baud=115200`. Null without a console.
    pub console: Option<String>,
    /// Expected start of the board's response to each line. Null if no response is expected.
    pub expected: Option<String>,
    /// Serial device of the sending board, if this board has an image of airlag. Null if a line or a
    /// command starts the messages.
    pub sender: Option<String>,
    /// Serial device of the receiving board, if airlag sets this board up too. Null otherwise.
    pub receiver: Option<String>,
    /// Time limit for responses and commands, ns.
    pub timeout_ns: u64,
    /// Number of triggers per run.
    pub count: u64,
    /// Time between triggers, ns.
    pub period_ns: u64,
    /// Random seed of the run order.
    pub seed: u64,
    /// Time between two runs, ns.
    pub pause_ns: u64,
    /// Recording time before the first trigger, ns.
    pub lead_ns: u64,
    /// Duration of each recording, ns.
    pub lasting_ns: u64,
    /// The runs, in random order.
    pub works: Vec<Work>,
}

/// One run of a real bench.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SetupWork")]
pub struct Work {
    /// Name of the run, and of its file.
    pub name: String,
    /// Link profile.
    pub link: String,
    /// Payload, bytes. Null if the link has no messages.
    pub size: Option<u64>,
    /// Repetition, counted from 1.
    pub repetition: u64,
    /// Command that prepares the board. Empty without a command.
    pub prepare: Vec<String>,
    /// Lines that prepare the board.
    pub setup: Vec<String>,
    /// Line that starts the messages. Null if a command or a board with an image of airlag starts them.
    pub go: Option<String>,
    /// Command that starts the messages. Empty if a line or a board with an image of airlag starts
    /// them.
    pub command: Vec<String>,
    /// Settings of the boards with an image of airlag, in their units. Empty without such a board.
    pub settings: BTreeMap<String, u64>,
}

/// Reads the setup of a real bench.
///
/// # Errors
///
/// One line that names the location in the file, the problem and a valid value.
pub fn answer(question: &Question) -> Result<Answered<Plan>, Error> {
    let read = text::read(&question.file)?;
    let tables = read.as_object().ok_or_else(|| refused("no table"))?;
    only(tables, &TABLES, "")?;
    let block = |key: &str, known: &[&str]| {
        let none = Map::new();
        let value = tables.get(key).map(|value| table(value, "", key, "a table"));
        let block = value.transpose()?.unwrap_or(&none).clone();
        only(&block, known, &format!("[{key}]: "))?;
        Ok::<_, Error>(block)
    };
    let triggers = [&TRIGGER[..], &boards::KEYS].concat();
    let (trigger, campaign) = (block("trigger", &triggers)?, block("campaign", &CAMPAIGN)?);
    let recording = recording::table_of(tables)?;
    if recording.instrument.is_none() {
        return Err(refused("[record]: no `instrument`; write one, such as \"sigrok:fx2lafw\""));
    }
    Ok(Answered::plain(Plan { recording, ..plan(question, &trigger, &campaign)? }))
}

fn plan(
    question: &Question,
    trigger: &Map<String, Value>,
    campaign: &Map<String, Value>,
) -> Result<Plan, Error> {
    let (at, of) = ("[trigger]: ", "[campaign]: ");
    let number = |key: &str, usual: u64, low: u64, high: u64| {
        campaign.get(key).map_or(Ok(usual), |value| whole(value, of, key, low, high))
    };
    let time = |block: &Map<String, Value>, at: &str, key: &str, usual: u64| {
        block.get(key).map_or(Ok(usual), |value| lasting(value, at, key))
    };
    let count = number("count", 100, 1, MOST_TRIGGERS)?;
    let seed = number("seed", 1, 0, LARGEST_SEED)?;
    let repetitions = number("repetitions", 1, 1, MOST_RUNS as u64)?;
    let period_ns = time(campaign, of, "period", 200_000_000)?;
    let pause_ns = time(campaign, of, "pause", 0)?;
    let lead_ns = time(campaign, of, "lead", 500_000_000)?;
    let drain_ns = time(campaign, of, "drain", 1_000_000_000)?;
    let count = question.count.unwrap_or(count);
    let period_ns = question.period_ns.unwrap_or(period_ns).max(1);
    let timeout_ns = time(trigger, at, "timeout", 10_000_000_000)?;
    let console = trigger.get("serial").map(|value| line(value, at, "serial")).transpose()?;
    let expected = trigger.get("answer").map(|value| line(value, at, "answer")).transpose()?;
    let go = trigger.get("go").map(|value| line(value, at, "go")).transpose()?;
    let words = |key: &str| trigger.get(key).map_or(Ok(Vec::new()), |value| words(value, at, key));
    let (prepare, command) = (words("prepare")?, words("command")?);
    let setup = match trigger.get("setup") {
        Some(Value::String(_)) => vec![line(&trigger["setup"], at, "setup")?],
        Some(value) => self::words(value, at, "setup")?,
        None => Vec::new(),
    };
    let boards = Boards::read(trigger)?;
    let starts = [go.is_some(), !command.is_empty(), boards.sender.is_some()];
    if starts.into_iter().filter(|starts| *starts).count() != 1 {
        return Err(refused(format!(
            "{at}a board is triggered by `go` (a line sent to it), by `command`, or as `sender` (with an image \
             of airlag); write exactly one of them"
        )));
    }
    if console.is_none() && (go.is_some() || !setup.is_empty()) {
        return Err(refused(format!(
            "{at}no `serial`; write the serial device of the board's console"
        )));
    }
    let link = link(&question.link, campaign)?;
    let sizes = sizes(&link, question.sizes.as_deref(), campaign)?;
    let mut works = Vec::new();
    for &size in &sizes {
        let values = Values { size, count, period_ns, link: &link };
        let each = |texts: &[String], at: &str| {
            texts.iter().map(|text| values.filled(text, at)).collect::<Result<Vec<_>, _>>()
        };
        for repetition in 1..=repetitions {
            let words = size.map_or_else(String::new, |size| format!("-{size}B"));
            works.push(Work {
                name: format!("{link}{words}-{repetition}"),
                link: link.clone(),
                size,
                repetition,
                prepare: each(&prepare, at)?,
                setup: each(&setup, at)?,
                go: go.as_ref().map(|text| values.filled(text, at)).transpose()?,
                command: each(&command, at)?,
                settings: boards.settings(size, count, period_ns)?,
            });
        }
        if works.len() > MOST_RUNS {
            return Err(refused(format!("{of}more than {MOST_RUNS} runs; choose fewer")));
        }
    }
    let seed = question.seed.unwrap_or(seed);
    shuffle(&mut works, seed);
    let lasting_ns = count
        .checked_mul(period_ns)
        .and_then(|ns| ns.checked_add(lead_ns + drain_ns))
        .filter(|ns| *ns <= 100 * LONGEST_NS)
        .ok_or_else(|| {
            refused(format!(
                "{of}a run takes longer than {} s; choose a smaller `count` or `period`",
                LONGEST_NS / 10_000_000
            ))
        })?;
    Ok(Plan {
        recording: Recording::default(),
        console,
        expected,
        sender: boards.sender,
        receiver: boards.receiver,
        timeout_ns,
        count,
        period_ns,
        seed,
        pause_ns,
        lead_ns,
        lasting_ns,
        works,
    })
}

/// Shuffles the runs uniformly (Durstenfeld, Algorithm 235, 1964).
fn shuffle(works: &mut [Work], seed: u64) {
    let mut random = Stream::new(seed, "order of a bench");
    for last in (1..works.len()).rev() {
        works.swap(last, random.below(last as u64 + 1) as usize);
    }
}

fn link(asked: &str, campaign: &Map<String, Value>) -> Result<String, Error> {
    let names = registry::names()?;
    if !names.contains(&asked) {
        return Err(refused(format!("no link `{}`{}", named(asked), hint(asked, &names))));
    }
    match campaign.get("link") {
        Some(value) if value.as_str() != Some(asked) => Err(refused(format!(
            "[campaign]: the bench is set up for {value}, and not for {asked}; change one of them"
        ))),
        _ => Ok(asked.to_owned()),
    }
}

fn sizes(
    link: &str,
    asked: Option<&[u64]>,
    campaign: &Map<String, Value>,
) -> Result<Vec<Option<u64>>, Error> {
    if !registry::find(link)?.has_message() {
        return Ok(vec![None]);
    }
    let sizes = match (asked, campaign.get("sizes")) {
        (Some(sizes), _) => once(sizes.to_vec()),
        (None, Some(value)) => {
            listed(value, "[campaign]: ", "sizes", Value::as_u64, "numbers of bytes")?
        }
        (None, None) => {
            return Err(refused("[campaign]: no `sizes`; list at least one, or use --size"));
        }
    };
    let is_too_large = |size: &&u64| **size > LARGEST_SIZE;
    if let Some(size) = sizes.iter().find(is_too_large) {
        return Err(refused(format!("{size} bytes are more than {LARGEST_SIZE}")));
    }
    Ok(sizes.into_iter().map(Some).collect())
}

/// A non-negative duration, ns.
fn lasting(value: &Value, at: &str, key: &str) -> Result<u64, Error> {
    let right = || wrong(at, key, value, "a time up to 10000s, such as 500ms");
    let found = duration::parse(value.as_str().ok_or_else(right)?);
    let found = found.map_err(|why| refused(format!("{at}`{key}`: {why}")))?;
    u64::try_from(found).ok().filter(|ns| *ns <= LONGEST_NS).ok_or_else(right)
}

/// A list of texts: the words of a command, or lines.
fn words(value: &Value, at: &str, key: &str) -> Result<Vec<String>, Error> {
    let right = || wrong(at, key, value, "a list of texts");
    let all = value.as_array().filter(|all| (1..=MOST_WORDS).contains(&all.len()));
    all.ok_or_else(right)?.iter().map(|word| line(word, at, key)).collect()
}

/// Values of placeholders such as `{size}` in lines and commands.
struct Values<'a> {
    size: Option<u64>,
    count: u64,
    period_ns: u64,
    link: &'a str,
}

impl Values<'_> {
    fn filled(&self, text: &str, at: &str) -> Result<String, Error> {
        let mut made = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (key, later) = after
                .split_once('}')
                .ok_or_else(|| refused(format!("{at}`{text}`: a brace is not closed")))?;
            let value = match key {
                "size" => self.size.map(|size| size.to_string()).unwrap_or_default(),
                "count" => self.count.to_string(),
                "period_us" => (self.period_ns / 1_000).to_string(),
                "period_ms" => (self.period_ns / 1_000_000).to_string(),
                "link" => self.link.to_owned(),
                _ => {
                    let known = ["size", "count", "period_us", "period_ms", "link"];
                    let hint = hint(key, &known);
                    return Err(refused(format!("{at}no value `{{{}}}`{hint}", named(key))));
                }
            };
            made = made + before + &value;
            rest = later;
        }
        Ok(made + rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETUP: &str = r#"
        [record]
        instrument = "board:/dev/ttyACM0"
        [trigger]
        serial = "/dev/ttyUSB0?baud=9600"
        setup = "size {size}"
        go = "go {count} {period_ms}"
        answer = "ok"
        prepare = ["flash", "app-{size}.elf"]
        [campaign]
        sizes = [12, 128]
        count = 50
        period = "20ms"
        repetitions = 4
        pause = "1s"
    "#;

    fn planned(file: &str, question: Question) -> Result<Plan, String> {
        let question = Question { file: file.to_owned(), link: "nrf24-2m".to_owned(), ..question };
        answer(&question).map(|found| found.answer).map_err(|error| error.to_string())
    }

    #[test]
    fn every_run_is_planned_once_in_an_order_of_its_seed() {
        let plan = planned(SETUP, Question::default()).unwrap();
        let mut names: Vec<&str> = plan.works.iter().map(|work| &work.name[..]).collect();
        let order = names.join(" ");
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), names[0]), (8, "nrf24-2m-128B-1"));
        assert_eq!((plan.lasting_ns, plan.pause_ns), (2_500_000_000, 1_000_000_000));
        let work = plan.works.iter().find(|work| work.size == Some(12)).unwrap();
        assert_eq!(work.setup, ["size 12"]);
        assert_eq!(
            (work.go.as_deref(), work.prepare[1].as_str()),
            (Some("go 50 20"), "app-12.elf")
        );
        let again = |seed| {
            let question = Question { seed: Some(seed), ..Question::default() };
            let works = planned(SETUP, question).unwrap().works;
            works.iter().map(|work| work.name.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(again(1), order);
        assert!((2..6).any(|seed| again(seed) != order));
    }

    #[test]
    fn the_command_line_overrides_the_file() {
        let question = Question {
            sizes: Some(vec![32]),
            count: Some(5),
            period_ns: Some(1_000_000),
            ..Question::default()
        };
        let plan = planned(SETUP, question).unwrap();
        assert!(plan.works.iter().all(|work| work.size == Some(32)));
        assert_eq!(plan.works[0].go.as_deref(), Some("go 5 1"));
        assert_eq!(plan.lasting_ns, 1_505_000_000);
    }

    const BOARDS: &str = r#"
        [record]
        instrument = "sigrok:fx2lafw"
        [trigger]
        sender = "/dev/ttyACM1"
        receiver = "/dev/ttyACM2"
        settings = { channel = 80 }
        [campaign]
        sizes = [12, 128]
        period = "20ms"
    "#;

    #[test]
    fn boards_are_set_up_for_each_run() {
        let plan = planned(BOARDS, Question::default()).unwrap();
        let devices = (plan.sender.as_deref(), plan.receiver.as_deref());
        assert_eq!(devices, (Some("/dev/ttyACM1"), Some("/dev/ttyACM2")));
        for work in &plan.works {
            let settings = work.settings.iter().map(|(name, value)| (&name[..], *value));
            let settings: Vec<(&str, u64)> = settings.collect();
            let size = work.size.unwrap();
            let right = [("channel", 80), ("count", 100), ("period", 20_000), ("size", size)];
            assert_eq!(settings, right);
            assert!(work.go.is_none() && work.command.is_empty());
        }
        assert!(planned(SETUP, Question::default()).unwrap().works[0].settings.is_empty());
    }

    #[test]
    fn errors_about_boards_name_a_valid_value() {
        for (from, to, said) in [
            ("sender", "sends", "[trigger]: no key `sends`; did you mean `sender`?"),
            ("sender = \"/dev/ttyACM1\"", "", "no `sender`"),
            ("/dev/ttyACM2", "/dev/ttyACM1", "are the same device"),
            ("channel = 80", "size = 80", "`size` is set for each run"),
            ("channel = 80", "channel = \"80\"", "`channel` cannot be '80'; write a whole number"),
            ("{ channel = 80 }", "80", "such as { channel = 80 }"),
            ("\"20ms\"", "\"1500ns\"", "in whole microseconds"),
            ("sender =", "command = [\"go\"]\nsender =", "write exactly one of them"),
        ] {
            assert!(BOARDS.contains(from), "{from}");
            let line = planned(&BOARDS.replace(from, to), Question::default()).unwrap_err();
            assert!(line.contains(said), "{line}");
        }
    }

    #[test]
    fn errors_name_the_place_and_a_valid_value() {
        let changed = |from: &str, to: &str| {
            assert!(SETUP.contains(from), "{from}");
            planned(&SETUP.replace(from, to), Question::default()).unwrap_err()
        };
        for (from, to, said) in [
            ("go = ", "goes = ", "[trigger]: no key `goes`; did you mean `go`?"),
            ("{count}", "{counts}", "no value `{counts}`; did you mean `count`?"),
            ("go = \"go {count} {period_ms}\"", "", "is triggered by `go`"),
            ("serial = \"/dev/ttyUSB0?baud=9600\"", "", "no `serial`"),
            ("sizes = [12, 128]", "", "no `sizes`"),
            ("pause = \"1s\"", "pause = 1", "[campaign]: `pause` cannot be 1"),
            ("sizes = [12, 128]", "sizes = [12]\nlink = \"espnow\"", "set up for \"espnow\""),
            ("[record]", "[recorder]", "no key `recorder`"),
            ("instrument = \"board:/dev/ttyACM0\"", "", "no `instrument`"),
        ] {
            let line = changed(from, to);
            assert!(line.contains(said), "{line}");
        }
    }
}
