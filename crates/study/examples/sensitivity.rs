//! `airlag links nrf24-2m --sensitivity --json`

#![allow(clippy::print_stdout, reason = "the answer is what it prints")]

use airlag_study::json::written;
use airlag_study::questions::sensitivity;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = serde_json::from_str(r#"{"link": "nrf24-2m"}"#)?;
    let found = sensitivity::answer(&question)?;
    println!("{}", written(&[found.answer])?);
    Ok(())
}
