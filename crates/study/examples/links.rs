//! `airlag links nrf24-2m --json`
#![expect(clippy::print_stdout, reason = "an example prints its answer")]

use airlag_study::{ask, question::SILENT};

fn main() -> Result<(), airlag_study::Error> {
    let reply = ask(r#"{"question": "links", "link": "nrf24-2m"}"#, Vec::new(), SILENT)?;
    println!("{}", reply.json);
    Ok(())
}
