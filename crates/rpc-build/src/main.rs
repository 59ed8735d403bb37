//! `cargo run -p airlag-rpc-build -- service.proto -o service.rs`

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use airlag_rpc_build::{Error, Input, generate};

const USAGE: &str =
    "airlag-rpc-build SERVICE.proto [-o SERVICE.rs] [-I FOLDER]... [--options FILE]";

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            // An error of this output cannot be reported.
            writeln!(io::stderr(), "airlag-rpc-build: {text}").ok();
            ExitCode::from(2)
        }
    }
}

fn run(mut words: impl Iterator<Item = OsString>) -> Result<(), String> {
    let mut input = Input::default();
    let (mut proto, mut output) = (None, None);
    while let Some(word) = words.next() {
        let mut value = |option: &str| {
            let value = words.next().map(PathBuf::from);
            value.ok_or_else(|| format!("{option} without a path; {USAGE}"))
        };
        match word.to_str() {
            Some("-h" | "--help") => return print(&format!("{USAGE}\n")),
            Some("-o" | "--output") => output = Some(value("-o")?),
            Some("-I" | "--include") => input.include.push(value("-I")?),
            Some("--options") => input.options = Some(value("--options")?),
            Some(option) if option.starts_with('-') => {
                return Err(format!("unknown option {option}; {USAGE}"));
            }
            _ if proto.is_none() => proto = Some(PathBuf::from(word)),
            _ => return Err(format!("more than one .proto; {USAGE}")),
        }
    }
    input.proto = proto.ok_or_else(|| format!("no .proto; {USAGE}"))?;
    let code = generate(&input).map_err(|error| error.to_string())?;
    match output {
        Some(path) => {
            fs::write(&path, code).map_err(|error| Error::File { path, error }.to_string())
        }
        None => print(&code),
    }
}

fn print(text: &str) -> Result<(), String> {
    io::stdout().write_all(text.as_bytes()).map_err(|error| format!("standard output: {error}"))
}
