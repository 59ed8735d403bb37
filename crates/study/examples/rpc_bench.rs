//! `airlag rpc bench --platform macos --gains --json`

#![allow(clippy::print_stdout, reason = "the answer is what it prints")]

use airlag_study::json::written;
use airlag_study::questions::rpc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = serde_json::from_str(r#"{"platform": "macos", "gains": true}"#)?;
    let found = rpc::answer(&question)?;
    println!("{}", written(&found.answer)?);
    Ok(())
}
