//! `airlag analyze --json CAPTURE`
#![expect(clippy::print_stdout, reason = "an example prints its answer")]

use std::path::Path;

use airlag_study::json::written;
use airlag_study::question::Given;
use airlag_study::questions::analyze;
use airlag_trace::{Input, MemoryLimit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a capture")?;
    let mut capture = Input::open(Path::new(&path))?;
    let source = Path::new(&path).file_name().ok_or("a capture is a file")?.to_string_lossy();
    let question = serde_json::from_value(serde_json::json!({ "source": source }))?;
    let given = Given::Capture(&mut capture, MemoryLimit::default());
    println!("{}", written(&[analyze::answer(&question, given)?.answer])?);
    Ok(())
}
