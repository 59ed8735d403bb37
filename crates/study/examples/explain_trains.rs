//! `airlag explain thread-up --traffic back-to-back --size 79 --count 60 --trials 4 --json`

#![allow(clippy::print_stdout, reason = "the answer is what it prints")]

use airlag_study::json::written;
use airlag_study::question::SILENT;
use airlag_study::questions::trains;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question =
        serde_json::from_str(r#"{"link": "thread-up", "size": 79, "count": 60, "trials": 4}"#)?;
    let found = trains::explain(&question, SILENT)?;
    println!("{}", written(&[found.answer])?);
    Ok(())
}
