//! `airlag capacity --devices 100,1000 --json`

#![allow(clippy::print_stdout, reason = "the answer is what it prints")]

use airlag_study::json::written;
use airlag_study::question::SILENT;
use airlag_study::questions::capacity;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = serde_json::from_str(r#"{"devices": [100, 1000]}"#)?;
    let found = capacity::answer(&question, SILENT)?;
    println!("{}", written(&[found.answer])?);
    Ok(())
}
