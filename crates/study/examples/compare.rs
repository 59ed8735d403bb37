//! Two runs of one link under two seeds, compared.
#![expect(clippy::print_stdout, reason = "an example prints its answer")]

use airlag_study::json::written;
use airlag_study::questions::{compare, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let first = run::answer(&run::Question::of("nrf24-2m", Some(12)))?;
    let again = run::Question { seed: 2, ..run::Question::of("nrf24-2m", Some(12)) };
    let second = run::answer(&again)?;
    let of = |one: &airlag_study::Answered<run::Answer>| {
        one.evidence[0].transfers.clone().ok_or("a run has transfers")
    };
    let question = r#"{"a": {"source": "seed 1"}, "b": {"source": "seed 2"}}"#;
    let question = serde_json::from_str(question)?;
    println!("{}", written(&compare::answer(&question, &of(&first)?, &of(&second)?)?.answer)?);
    Ok(())
}
