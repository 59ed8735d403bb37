//! `airlag load nrf24-2m --size 64 --count 200 --json`

#![allow(clippy::print_stdout, reason = "the answer is what it prints")]

use airlag_study::json::written;
use airlag_study::question::SILENT;
use airlag_study::questions::load;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = serde_json::from_str(r#"{"link": "nrf24-2m", "size": 64, "count": 200}"#)?;
    let found = load::answer(&question, SILENT)?;
    println!("{}", written(&[found.answer])?);
    Ok(())
}
