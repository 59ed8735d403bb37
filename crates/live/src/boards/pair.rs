//! Boards at both ends of a link: their settings before a run, the start of the run, and their
//! counters after it.
//!
//! The sender generates the messages of a run itself, with its settings `count` and `period`.

use std::io::Write;
use std::path::PathBuf;

use airlag_link::control::{Request, State};

use super::{Board, Changes, Error, Host, Item, configured, framed};

/// Setting that selects the end of a link.
pub(super) const ROLE: &str = "role";
/// Setting with the number of messages after which a board stops; 0 is no limit.
const COUNT: &str = "count";
/// Setting with the time between the messages of a sender.
const PERIOD: &str = "period";
/// Counter of sent messages.
const SENT: &str = "sent";

/// End of a link, as the value of the setting `role`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Sends messages.
    Sender = 0,
    /// Receives messages.
    Receiver = 1,
}

impl End {
    /// Name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sender => "sender",
            Self::Receiver => "receiver",
        }
    }
}

/// Serial devices of the boards of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Board that sends.
    pub sender: PathBuf,
    /// Board that receives. `None` if this board has no image of airlag, or is already set up.
    pub receiver: Option<PathBuf>,
}

/// Names and values of the counters of a board.
pub type BoardCounters = Vec<(String, u64)>;

impl Pair {
    /// Applies settings to both boards, starts the receiver, and leaves the sender stopped.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`configured`].
    pub fn prepare(&self, settings: &[(String, u64)]) -> Result<(), Error> {
        let changes = |end: End, starts: bool| {
            let role = (ROLE.to_owned(), end as u64);
            let mut settings = [&[role], settings].concat();
            if end == End::Receiver {
                settings.retain(|(name, _)| ![COUNT, PERIOD].contains(&&name[..]));
                // The receiver is stopped after the run. With a limit, it would wait for a message
                // that is lost.
                settings.push((COUNT.to_owned(), 0));
            }
            Changes { settings, runs: Some(starts) }
        };
        // A sender that is running must stop before the receiver starts and counts.
        configured(&self.sender, &changes(End::Sender, false))?;
        if let Some(receiver) = &self.receiver {
            configured(receiver, &changes(End::Receiver, true))?;
        }
        Ok(())
    }

    /// Starts the sender, with its counters at 0.
    ///
    /// # Errors
    ///
    /// If the board does not respond, or does not start.
    pub fn start(&self) -> Result<(), Error> {
        Host::open(&self.sender)?.run(true)
    }

    /// Stops the receiver and returns the counters of both boards, by their ends.
    ///
    /// # Errors
    ///
    /// If a board does not respond, if the sender is still running, or if its counter of sent
    /// messages differs from its setting `count`.
    pub fn finish(&self) -> Result<Vec<(End, BoardCounters)>, Error> {
        let sender = configured(&self.sender, &Changes::default())?;
        if let Some(error) = failure(&sender) {
            self.stop();
            return Err(error);
        }
        let counters = |board: Board| -> BoardCounters {
            board.counters.into_iter().map(|item| (item.name, item.value)).collect()
        };
        let mut found = vec![(End::Sender, counters(sender))];
        if let Some(receiver) = &self.receiver {
            let stop = Changes { settings: Vec::new(), runs: Some(false) };
            found.push((End::Receiver, counters(configured(receiver, &stop)?)));
        }
        Ok(found)
    }

    /// Sends a stop request to both boards. Their replies are not awaited, so that Ctrl-C also
    /// stops them.
    pub fn stop(&self) {
        for device in [Some(&self.sender), self.receiver.as_ref()].into_iter().flatten() {
            if let Ok(mut host) = Host::open(device) {
                let _ = host.line.write_all(&framed(Request::Run(false)));
            }
        }
    }
}

/// The failure of a sender whose run should be over.
fn failure(sender: &Board) -> Option<Error> {
    let device = sender.device.clone();
    let of = |name: &str, items: &[Item]| {
        items.iter().find(|item| item.name == name).map(|item| item.value)
    };
    match sender.state {
        State::Failed => Some(Error::Failed { device }),
        State::Running | State::Starting => Some(Error::StillSending { device }),
        State::Stopped => {
            let expected = of(COUNT, &sender.settings)?;
            let found = of(SENT, &sender.counters).filter(|found| *found != expected)?;
            Some(Error::Miscounted { device, found, expected })
        }
    }
}

#[cfg(test)]
mod tests;
