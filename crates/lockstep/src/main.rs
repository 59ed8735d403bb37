//! `airlag-lockstep LINK -- EMULATOR ...` runs an emulator and responds to its requests for the
//! radios of a link.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::process::{Command, ExitCode, Stdio};

use airlag_kinds::registry;
use airlag_lockstep::{Error, Radios, serve};

const USAGE: &str =
    "airlag-lockstep LINK [--set NAME=VALUE]... [--seed NUMBER] -- EMULATOR [ARGUMENT]...";

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1)) {
        Ok(code) => code,
        Err(text) => {
            // An error of this output cannot be reported.
            writeln!(io::stderr(), "airlag-lockstep: {text}").ok();
            ExitCode::from(2)
        }
    }
}

fn run(mut words: impl Iterator<Item = OsString>) -> Result<ExitCode, String> {
    let (mut link, mut changes, mut seed) = (None, Vec::new(), 0);
    loop {
        let word = words.next().ok_or_else(|| format!("no emulator; {USAGE}"))?;
        let word = word.into_string().map_err(|_| format!("an argument is not UTF-8; {USAGE}"))?;
        let mut value = || {
            let value = words.next().and_then(|value| value.into_string().ok());
            value.ok_or_else(|| format!("{word} without a value; {USAGE}"))
        };
        match word.as_str() {
            "-h" | "--help" => {
                let printed = writeln!(io::stdout(), "{USAGE}");
                return printed.map(|()| ExitCode::SUCCESS).map_err(|error| error.to_string());
            }
            "--" => break,
            "--set" => changes.push(value()?),
            "--seed" => {
                let text = value()?;
                seed = text.parse().map_err(|_| format!("--seed {text} is not a whole number"))?;
            }
            option if option.starts_with('-') => {
                return Err(format!("unknown option {option}; {USAGE}"));
            }
            _ if link.is_none() => link = Some(word),
            _ => return Err(format!("more than one link; {USAGE}")),
        }
    }
    let link = link.ok_or_else(|| format!("no link; {USAGE}"))?;
    let radios = radios(&link, &changes, seed).map_err(|error| error.to_string())?;
    let program = words.next().ok_or_else(|| format!("no emulator; {USAGE}"))?;
    emulate(&radios, Command::new(program).args(words)).map_err(|error| error.to_string())
}

/// The radios of a built-in profile with changes of the form `name=value`.
fn radios(link: &str, changes: &[String], seed: u64) -> Result<Radios, Error> {
    let mut profile = registry::find(link)?;
    for change in changes {
        let (name, value) = change.split_once('=').unwrap_or((change, ""));
        profile.set(name, value)?;
    }
    Radios::new(&profile, seed)
}

/// Runs the emulator, whose standard input and output are the pipes of its requests, and returns its
/// exit code.
fn emulate(radios: &Radios, command: &mut Command) -> Result<ExitCode, Error> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let served = match (child.stdin.take(), child.stdout.take()) {
        (Some(replies), Some(requests)) => serve(radios, BufReader::new(requests), replies),
        _ => Ok(()),
    };
    if served.is_err() {
        // Otherwise the emulator would wait for a reply.
        child.kill().ok();
    }
    let status = child.wait()?;
    served?;
    Ok(ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)))
}
