//! `airlag run nrf24-2m --size 12 --json`

#![allow(clippy::print_stdout, reason = "the answer is what it prints")]

fn main() -> Result<(), airlag_study::Error> {
    let question = r#"{"question": "run", "link": "nrf24-2m", "size": 12}"#;
    let reply = airlag_study::ask(question, Vec::new(), airlag_study::question::SILENT)?;
    println!("{}", reply.json);
    Ok(())
}
