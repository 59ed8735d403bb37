//! `airlag goodput nrf24-2m --size 64 --count 300 --json`

#![allow(clippy::print_stdout, reason = "the answer is what it prints")]

use airlag_study::json::written;
use airlag_study::questions::goodput;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = serde_json::from_str(r#"{"link": "nrf24-2m", "size": 64, "count": 300}"#)?;
    let found = goodput::answer(&question)?;
    println!("{}", written(&[found.answer])?);
    Ok(())
}
