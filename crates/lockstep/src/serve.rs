//! Requests in, replies out, until the emulator ends.

use std::io::{BufRead, Write};

use crate::error::Error;
use crate::radios::Radios;

/// Longest request, bytes.
const LONGEST: u64 = 80;

/// Writes the reply to each request of `input` to `output`, one line each, until `input` ends.
///
/// # Errors
///
/// Errors of [`Radios::apply`], [`Error::Syntax`] for a line that is not a request, and [`Error::Pipe`].
pub fn serve(
    radios: &Radios,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), Error> {
    let mut line = String::new();
    loop {
        line.clear();
        let mut limited = std::io::Read::take(&mut input, LONGEST);
        if limited.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let reply = radios.apply(line.trim_end().parse()?)?;
        // The reply is sent in one write, because the emulator reads one line at a time.
        output.write_all(format!("{reply}\n").as_bytes())?;
        output.flush()?;
    }
}
