//! Serial console of a board: sends lines and reads the responses.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::{Duration as Wall, Instant};

use airlag_rig::interrupt;

use crate::probe::stream::{is_readable, open_line};

/// Size of a read, bytes.
const PIECE: usize = 4_096;
/// Maximum length of a response line, bytes. Further bytes are discarded.
const LONGEST: usize = 1_024;

/// Serial console of a board.
#[derive(Debug)]
pub struct Console {
    path: PathBuf,
    line: File,
    /// Prefix of the expected response to each line. Without it, no response is awaited.
    expected: Option<String>,
    /// Response timeout.
    timeout: Wall,
}

/// Errors of a console.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The device could not be opened, or was unplugged.
    #[error("{}: {cause}; expected the serial console of a board", path.display())]
    Device {
        /// Path of the device.
        path: PathBuf,
        /// Cause.
        cause: io::Error,
    },
    /// The response is wrong or late.
    #[error(
        "{}: the response to `{sent}` within {}s was `{found}`; expected `{expected}`",
        path.display(),
        timeout.as_secs_f64()
    )]
    Answer {
        /// Path of the device.
        path: PathBuf,
        /// Line sent.
        sent: String,
        /// Last line received.
        found: String,
        /// Expected prefix.
        expected: String,
        /// Response timeout.
        timeout: Wall,
    },
}

impl Console {
    /// Opens a console.
    ///
    /// # Errors
    ///
    /// [`Error::Device`].
    pub fn open(
        path: PathBuf,
        baud: u32,
        expected: Option<String>,
        timeout: Wall,
    ) -> Result<Self, Error> {
        let line = open_line(&path, baud);
        let line = line.map_err(|cause| Error::Device { path: path.clone(), cause })?;
        Ok(Self { path, line, expected, timeout })
    }

    /// Sends a line and waits for a response with the expected prefix. Skips other lines before it.
    ///
    /// # Errors
    ///
    /// [`Error::Device`] if the device was unplugged. [`Error::Answer`] if no such line arrives in time.
    pub fn send_line(&mut self, text: &str) -> Result<(), Error> {
        let device_error = |cause| Error::Device { path: self.path.clone(), cause };
        let begun = Instant::now();
        // Bytes that arrived before this line are not part of its response. A board that sends without a
        // pause must not block this loop.
        while begun.elapsed() < self.timeout
            && !interrupt::is_requested()
            && is_readable(self.line.as_fd()).map_err(device_error)?
        {
            self.line.read(&mut [0; PIECE]).and_then(or_unplugged).map_err(device_error)?;
        }
        self.line.write_all(format!("{text}\n").as_bytes()).map_err(device_error)?;
        let Some(expected) = self.expected.clone() else { return Ok(()) };
        let (begun, mut piece) = (Instant::now(), [0; PIECE]);
        let (mut found, mut open) = (String::new(), Vec::new());
        while begun.elapsed() < self.timeout && !interrupt::is_requested() {
            if !is_readable(self.line.as_fd()).map_err(device_error)? {
                continue;
            }
            let read = self.line.read(&mut piece).and_then(or_unplugged).map_err(device_error)?;
            for &byte in &piece[..read] {
                match byte {
                    b'\r' | b'\n' if open.is_empty() => {}
                    b'\r' | b'\n' => {
                        found = String::from_utf8_lossy(&open).into_owned();
                        open.clear();
                        if found.starts_with(&expected) {
                            return Ok(());
                        }
                    }
                    byte if open.len() < LONGEST => open.push(byte),
                    _ => {}
                }
            }
        }
        let (path, timeout) = (self.path.clone(), self.timeout);
        let found = found.chars().take(80).flat_map(char::escape_debug).collect();
        Err(Error::Answer { path, sent: text.to_owned(), found, expected, timeout })
    }
}

/// Returns the length of a read. A length of 0 is an error: the device was unplugged.
fn or_unplugged(read: usize) -> io::Result<usize> {
    if read == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(read) }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::port::{LONGEST as PACKET, Port};
    use crate::pty::Pty;

    /// A board that responds to successive lines with these texts.
    fn board(answers: Vec<&'static str>) -> (Console, thread::JoinHandle<Vec<String>>) {
        let mut pty = Pty::open().unwrap();
        let path = pty.path().to_owned();
        let board = thread::spawn(move || {
            let (mut lines, mut text) = (Vec::new(), String::new());
            let mut packet = [0; PACKET];
            let mut answers = answers.into_iter();
            while lines.len() < 2 {
                if let Some((length, _)) = pty.read(&mut packet).unwrap() {
                    text.push_str(str::from_utf8(&packet[..length]).unwrap());
                }
                while let Some((line, rest)) = text.clone().split_once('\n') {
                    lines.push(line.to_owned());
                    rest.clone_into(&mut text);
                    let answer = answers.next().unwrap_or_default();
                    pty.write(answer.as_bytes(), 0).unwrap();
                }
                thread::sleep(Wall::from_millis(1));
            }
            thread::sleep(Wall::from_millis(300));
            lines
        });
        let timeout = Wall::from_millis(200);
        (Console::open(path, 115_200, Some("ok".to_owned()), timeout).unwrap(), board)
    }

    #[test]
    fn lines_are_sent_and_their_answers_awaited() {
        let (mut console, board) = board(vec!["size 12\r\nok\r\n", "debug\nok 10\n"]);
        console.send_line("size 12").unwrap();
        console.send_line("go 10").unwrap();
        assert_eq!(board.join().unwrap(), ["size 12", "go 10"]);
    }

    #[test]
    fn a_wrong_or_missing_answer_is_an_error() {
        let (mut console, board) = board(vec!["error: size\n", ""]);
        let line = console.send_line("size 9999").unwrap_err().to_string();
        assert!(
            line.contains("the response to `size 9999` within 0.2s was `error: size`"),
            "{line}"
        );
        assert!(console.send_line("go 10").is_err());
        board.join().unwrap();
        let line = Console::open("/dev/null".into(), 9_600, None, Wall::ZERO).unwrap_err();
        assert!(line.to_string().contains("not a serial device"), "{line}");
    }
}
