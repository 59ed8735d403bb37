//! A run of one link serves as the capture. It is compared with another link, and with three:
//! `airlag match run.parquet --link nrf24-250k` and `airlag match run.parquet --among 'nrf24-*'`.

#![allow(clippy::print_stdout, reason = "the answer is what it prints")]

use airlag_study::json::written;
use airlag_study::question::SILENT;
use airlag_study::questions::{matching, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let captured = run::answer(&run::Question::of("nrf24-2m", Some(64)))?;
    let capture = captured.evidence[0].transfers.clone().ok_or("a run has transfers")?;
    let one = serde_json::from_str(r#"{"link": "nrf24-250k", "size": 64}"#)?;
    println!("{}", written(&matching::answer(&one, &capture, SILENT)?.answer)?);
    let all = r#"{"links": ["nrf24-250k", "nrf24-2m", "nrf24-2m-raw"], "size": 64}"#;
    let all = serde_json::from_str(all)?;
    println!("{}", written(&matching::rank(&all, &capture, SILENT)?.answer)?);
    Ok(())
}
