//! Triggers of a real bench: a board with a serial console, a command, or a board with an image of airlag.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration as Wall, Instant};

use crate::boards::{self, BoardCounters, End, Pair};
use crate::console::{self, Console};

/// Polling interval of commands and waits.
const TURN: Wall = Wall::from_millis(10);
/// Maximum length of a quoted error line, characters.
const LONGEST: usize = 160;

/// Settings of a board's console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Path of the device.
    pub path: PathBuf,
    /// Baud rate.
    pub baud: u32,
    /// Prefix of the expected response to each line. Without it, no response is awaited.
    pub expected: Option<String>,
}

/// Start of the messages of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// A line sent to the board.
    Line(String),
    /// A command and its arguments.
    Command(Vec<String>),
    /// The sending board of the trigger starts the messages itself.
    Boards,
}

/// Errors of a trigger.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Error of the console.
    #[error(transparent)]
    Console(#[from] console::Error),
    /// A line cannot be sent without a console.
    #[error("no console is set up; write `serial`")]
    NoConsole,
    /// Boards cannot be started without a sender.
    #[error("no board sends; write `sender`")]
    NoBoards,
    /// Error of a board with an image of airlag.
    #[error(transparent)]
    Board(#[from] boards::Error),
    /// A command could not be started.
    #[error("{command}: {cause}; expected a command")]
    Command {
        /// Name of the command.
        command: String,
        /// Cause.
        cause: std::io::Error,
    },
    /// A command failed.
    #[error("{command}: {status}: {why}")]
    Failed {
        /// Name of the command.
        command: String,
        /// Exit status.
        status: String,
        /// Last line on standard error.
        why: String,
    },
    /// A command exceeded its time limit.
    #[error("{command}: not done in {}s; raise `timeout`", limit.as_secs_f64())]
    Late {
        /// Name of the command.
        command: String,
        /// Time limit.
        limit: Wall,
    },
}

/// A console that is opened on first use.
#[derive(Debug)]
struct LazyConsole {
    line: Option<Line>,
    timeout: Wall,
    open: Option<Console>,
}

impl LazyConsole {
    fn send_line(&mut self, text: &str) -> Result<(), Error> {
        let line = self.line.as_ref().ok_or(Error::NoConsole)?;
        let mut console = match self.open.take() {
            Some(open) => open,
            None => {
                Console::open(line.path.clone(), line.baud, line.expected.clone(), self.timeout)?
            }
        };
        // Reopened after an error, so that the rest of a response is not attributed to the next
        // line.
        console.send_line(text)?;
        self.open = Some(console);
        Ok(())
    }
}

/// A start in progress. Its thread returns the console.
type Running = JoinHandle<(LazyConsole, Result<(), Error>)>;

/// Trigger of a real bench.
#[derive(Debug)]
pub struct Trigger {
    console: Option<LazyConsole>,
    /// Boards that send the messages of all runs. `None` if a line or a command starts them.
    boards: Option<Pair>,
    /// Last successful command that prepared the board.
    prepared: Vec<String>,
    under_way: Option<(Running, Arc<AtomicBool>)>,
    timeout: Wall,
}

impl Trigger {
    /// Creates a trigger. `timeout` limits responses and preparing commands.
    #[must_use]
    pub fn new(line: Option<Line>, boards: Option<Pair>, timeout: Wall) -> Self {
        let console = Some(LazyConsole { line, timeout, open: None });
        Self { console, boards, prepared: Vec::new(), under_way: None, timeout }
    }

    /// Runs a command, unless the previous one was the same, sends lines, and changes settings of the boards.
    ///
    /// # Errors
    ///
    /// If one of them fails.
    pub fn prepare(
        &mut self,
        command: &[String],
        lines: &[String],
        settings: &[(String, u64)],
    ) -> Result<(), Error> {
        if !command.is_empty() && self.prepared != command {
            self.prepared.clear();
            run(command, self.timeout, &AtomicBool::new(false))?;
            self.prepared = command.to_vec();
        }
        let console = self.console.as_mut().ok_or(Error::NoConsole)?;
        lines.iter().try_for_each(|line| console.send_line(line))?;
        self.boards.as_ref().map_or(Ok(()), |boards| Ok(boards.prepare(settings)?))
    }

    /// Starts the messages of a run after a delay. `limit` is the time limit of a command.
    pub fn start(&mut self, start: Start, after: Wall, limit: Wall) {
        let Some(mut console) = self.console.take() else { return };
        let cancelled = Arc::new(AtomicBool::new(false));
        let is_cancelled = Arc::clone(&cancelled);
        let boards = self.boards.clone();
        let work = move || {
            let begun = Instant::now();
            while begun.elapsed() < after {
                if is_cancelled.load(Ordering::Relaxed) {
                    return (console, Ok(()));
                }
                thread::sleep(TURN.min(after.saturating_sub(begun.elapsed())));
            }
            let done = match start {
                Start::Boards => {
                    boards.ok_or(Error::NoBoards).and_then(|boards| Ok(boards.start()?))
                }
                Start::Line(line) => console.send_line(&line),
                Start::Command(command) => run(&command, limit, &is_cancelled),
            };
            (console, done)
        };
        self.under_way = Some((thread::spawn(work), cancelled));
    }

    /// Waits for the end of the action that [`start`](Self::start) began, and returns the counters of the
    /// boards after their run. If `cancel` is set, the action is ended early, without an error.
    ///
    /// # Errors
    ///
    /// If the action failed.
    pub fn finish(&mut self, cancel: bool) -> Result<Vec<(End, BoardCounters)>, Error> {
        let Some((under_way, cancelled)) = self.under_way.take() else { return Ok(Vec::new()) };
        cancelled.store(cancel, Ordering::Relaxed);
        let (console, done) =
            under_way.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        self.console = Some(console);
        match &self.boards {
            Some(boards) if cancel || done.is_err() => {
                boards.stop();
                done.map(|()| Vec::new())
            }
            Some(boards) => Ok(boards.finish()?),
            None => done.map(|()| Vec::new()),
        }
    }
}

/// Runs a command and waits for its end.
fn run(words: &[String], limit: Wall, cancelled: &AtomicBool) -> Result<(), Error> {
    let Some((name, rest)) = words.split_first() else { return Ok(()) };
    let command = name.clone();
    let failed = |cause| Error::Command { command: command.clone(), cause };
    // A pipe without a reader would block the command.
    let stderr = tempfile::NamedTempFile::new().map_err(failed)?;
    let mut child = Command::new(name)
        .args(rest)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr.reopen().map_err(failed)?)
        .spawn()
        .map_err(failed)?;
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        let is_cancelled = cancelled.load(Ordering::Relaxed);
        if is_cancelled || begun.elapsed() > limit {
            child.kill().and_then(|()| child.wait()).map_err(failed)?;
            return if is_cancelled { Ok(()) } else { Err(Error::Late { command, limit }) };
        }
        thread::sleep(TURN);
    };
    if status.success() {
        return Ok(());
    }
    let text = std::fs::read(stderr.path()).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason given");
    let why = last.trim().chars().take(LONGEST).flat_map(char::escape_debug).collect();
    Err(Error::Failed { command, status: status.to_string(), why })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(text: &str) -> Vec<String> {
        ["sh", "-c", text].map(str::to_owned).to_vec()
    }

    #[test]
    fn a_preparing_command_runs_once_and_its_error_is_quoted() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut trigger = Trigger::new(None, None, Wall::from_secs(5));
        let flash = shell(&format!("echo flashed >> {}", log.display()));
        trigger.prepare(&flash, &[], &[]).unwrap();
        trigger.prepare(&flash, &[], &[]).unwrap();
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "flashed\n");
        let wrong = shell("echo begun >&2; echo no such chip >&2; exit 3");
        let line = trigger.prepare(&wrong, &[], &[]).unwrap_err().to_string();
        assert_eq!(line, "sh: exit status: 3: no such chip");
        let line =
            trigger.prepare(&["no-such-command".to_owned()], &[], &[]).unwrap_err().to_string();
        assert!(line.starts_with("no-such-command: ") && line.ends_with("expected a command"));
        assert!(trigger.prepare(&[], &["size 12".to_owned()], &[]).is_err());
    }

    #[test]
    fn boards_are_not_started_without_a_sender() {
        let mut trigger = Trigger::new(None, None, Wall::from_secs(5));
        trigger.start(Start::Boards, Wall::ZERO, Wall::from_secs(5));
        let line = trigger.finish(false).unwrap_err().to_string();
        assert_eq!(line, "no board sends; write `sender`");
    }

    #[test]
    fn a_start_is_delayed_cancelled_and_limited_in_time() {
        let mut trigger = Trigger::new(None, None, Wall::from_secs(5));
        let begun = Instant::now();
        let ms = Wall::from_millis;
        trigger.start(Start::Command(shell("true")), ms(50), ms(5_000));
        trigger.finish(false).unwrap();
        assert!(begun.elapsed() >= ms(50));
        trigger.start(Start::Command(shell("sleep 60")), Wall::ZERO, ms(100));
        assert!(matches!(trigger.finish(false), Err(Error::Late { .. })));
        trigger.start(Start::Line("go".to_owned()), ms(60_000), ms(100));
        trigger.finish(true).unwrap();
        trigger.start(Start::Command(shell("sleep 60")), Wall::ZERO, ms(60_000));
        thread::sleep(ms(50));
        trigger.finish(true).unwrap();
        assert!(begun.elapsed() < ms(30_000));
    }
}
