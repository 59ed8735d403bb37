//! `airlag recommend nrf24-2m espnow ble-nus-notify lora-sf7-250k --deadline 20ms --size 64 --json`

#![allow(clippy::print_stdout, reason = "the answer is what it prints")]

use airlag_study::json::written;
use airlag_study::question::SILENT;
use airlag_study::questions::recommend;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = serde_json::from_str(
        r#"{"deadline_ns": 20000000, "size": 64, "links": ["nrf24-2m", "espnow", "ble-nus-notify", "lora-sf7-250k"]}"#,
    )?;
    let found = recommend::answer(&question, SILENT)?;
    println!("{}", written(&found.answer)?);
    Ok(())
}
