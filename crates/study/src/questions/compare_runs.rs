//! Comparison of two runs on the virtual bench. The answer equals that of `airlag compare` for the
//! two saved runs.

use std::collections::BTreeMap;

use airlag_stats::Transfers;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compare::{self, Drawn, Seen, Side};
use super::{across, run};
use crate::answers::charge::{Charge, EndCharge};
use crate::answers::run::Run;
use crate::error::Error;
use crate::question::{Answered, Progress};

/// Two runs to simulate and compare.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CompareRunsQuestion")]
pub struct Question {
    /// The first run.
    pub a: run::Question,
    /// The second run.
    pub b: run::Question,
}

/// Simulates both runs and compares the second with the first.
///
/// # Errors
///
/// Returns the errors of [`run::answer`], and [`Error::Question`] for traffic in both directions, which gives
/// two runs.
pub fn answer(
    question: &Question,
    progress: Progress<'_>,
) -> Result<Answered<compare::Answer>, Error> {
    progress(0, 2);
    let (first, a) = simulated(&question.a)?;
    progress(1, 2);
    let (second, b) = simulated(&question.b)?;
    progress(2, 2);
    let mut sides = [side(first), side(second)];
    let transfers = [a, b];
    for across::Across { runs, finding } in across::answer(&transfers).answer {
        for run in runs {
            let seen = Seen { name: finding.name.0.to_owned(), message: finding.message.clone() };
            sides[run].findings.push(seen);
        }
    }
    let [a, b] = sides;
    let [first, second] = &transfers;
    compare::answer(&compare::Question { a, b }, first, second)
}

/// The single run of a question, with its transfers.
fn simulated(question: &run::Question) -> Result<(Run, Transfers), Error> {
    let Answered { answer, evidence } = run::answer(question)?;
    let transfers = evidence.into_iter().filter_map(|one| one.transfers);
    let runs = answer.into_iter().map(|one| one.run).zip(transfers).collect::<Vec<_>>();
    let [only] = <[_; 1]>::try_from(runs).map_err(|_| Error::Question {
        cause: "a comparison needs one direction per run; traffic `both` has two".into(),
    })?;
    Ok(only)
}

/// Conditions and findings of a simulated run. The version of airlag is the same for both.
fn side(run: Run) -> Side {
    let stimulus = run.transfers.stimulus;
    let seen = run.transfers.findings.into_iter();
    Side {
        source: run.source,
        findings: seen
            .map(|one| Seen { name: one.name.0.to_owned(), message: one.message })
            .collect(),
        link: run.link,
        size: run.size,
        traffic: word(run.transfers.traffic.unwrap_or_default()),
        way: run.transfers.way.and_then(word),
        phase: stimulus.and_then(|one| word(one.phase)),
        period_ns: stimulus.map(|one| one.period_ns),
        service_ns: stimulus.and_then(|one| one.service_ns),
        settings: run.settings,
        version: None,
        charge: run.charge.flatten().map(drawn).unwrap_or_default(),
    }
}

/// Name of a value in the JSON.
fn word(value: impl Serialize) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

fn drawn(Charge { ends }: Charge) -> BTreeMap<String, Drawn> {
    let of = |one: EndCharge| Drawn { marginal_nc: one.marginal_nc, idle_na: one.idle_na };
    let ends = [("sender", ends.sender), ("receiver", ends.receiver)];
    ends.into_iter().filter_map(|(end, one)| Some((end.to_owned(), of(one?)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::traffic::Traffic;
    use crate::question::SILENT;

    fn question(link: &str, count: usize) -> run::Question {
        run::Question { count, ..run::Question::of(link, Some(12)) }
    }

    fn compared(a: run::Question, b: run::Question) -> compare::Answer {
        answer(&Question { a, b }, SILENT).expect("both links run").answer
    }

    #[test]
    fn a_difference_is_that_of_both_runs() {
        let quick = question("nrf24-2m", 200);
        let settings = [("rate".to_owned(), "250".to_owned())].into();
        let found = compared(quick.clone(), run::Question { settings, ..quick.clone() });
        let p50 = |question: &run::Question| {
            let run = run::answer(question).expect("the link runs").answer.remove(0).run;
            run.transfers.latency_ns.expect("messages arrived").quantiles.p50.0
        };
        let median = found.latency_ns["p50"];
        assert_eq!(median.a.0, p50(&quick));
        assert!(median.interval95[0].is_some_and(|low| low > 0.0), "{median:?}");
        let differs = found.differs.iter().map(|one| one.setting.as_deref()).collect::<Vec<_>>();
        assert_eq!(differs, [Some("rate")]);
        assert!(found.comparable && found.charge.sender.is_some());
    }

    #[test]
    fn a_run_does_not_differ_from_itself() {
        let found = compared(question("espnow", 100), question("espnow", 100));
        assert!(found.differs.is_empty());
        assert!(found.latency_ns.values().all(|one| one.difference.0 == 0.0));
    }

    #[test]
    fn both_directions_are_refused() {
        let both = run::Question { traffic: Traffic::Both, ..question("uart-115200-irq", 20) };
        let question = Question { a: question("nrf24-2m", 20), b: both };
        let refused = answer(&question, SILENT).expect_err("two runs are no side");
        assert!(refused.to_string().contains("one direction"), "{refused}");
    }
}
