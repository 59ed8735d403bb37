//! `airlag explain nrf24-2m --size 12 --for median --json`
#![expect(clippy::print_stdout, reason = "an example prints its answer")]

use airlag_study::json::written;
use airlag_study::questions::explain;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let question = r#"{"link": "nrf24-2m", "size": 12, "for": "median"}"#;
    let found = explain::answer(&serde_json::from_str(question)?)?;
    println!("{}", written(&[found.answer])?);
    Ok(())
}
