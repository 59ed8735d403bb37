//! `airlag tunnel bench --virtual --for 2s --json`

#![allow(clippy::print_stdout, reason = "the answer is what it prints")]

use airlag_study::json::written;
use airlag_study::question::SILENT;
use airlag_study::questions::under_load;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = serde_json::from_str(
        r#"{"tunnels": [{"profile": "tunnel"}, {"profile": "naive"}], "window_ns": 2000000000}"#,
    )?;
    let found = under_load::answer(&question, SILENT)?;
    println!("{}", written(&found.answer)?);
    Ok(())
}
