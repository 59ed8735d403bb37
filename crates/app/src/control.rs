//! The board's end of [`airlag_link::control`]: requests of a host → settings, requests to start and stop,
//! and replies.
//!
//! The program of an image reads its settings and [`Control::is_wanted`], and reports its state and its
//! counters. The caller provides the serial line.

use airlag_link::control::{
    self, Identity, Item, LONGEST, REQUEST, Refusal, Request, State, VERSION,
};
use airlag_link::framing::{Deframer, frame, framed_len};

/// Longest reply on the line, bytes.
pub const LINE: usize = framed_len(LONGEST);

/// A setting that a host can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Name.
    pub name: &'static str,
    /// Unit of value and bounds; empty if it has none.
    pub unit: &'static str,
    /// Value.
    pub value: u64,
    /// Lowest and highest permitted value.
    pub bounds: [u64; 2],
}

/// Identity, settings and state of a board with `S` settings and `C` counters.
#[derive(Debug)]
pub struct Control<const S: usize, const C: usize> {
    board: &'static str,
    image: &'static str,
    settings: [Setting; S],
    /// Names of the counters.
    counters: [&'static str; C],
    counts: [u32; C],
    state: State,
    is_wanted: bool,
    requests: Deframer<REQUEST>,
    due: Option<Due>,
    line: [u8; LINE],
}

/// The reply that is due.
#[derive(Clone, Copy, Debug)]
enum Due {
    Identity,
    Item(u8),
    Counters,
    Refused(u8, Refusal),
}

impl<const S: usize, const C: usize> Control<S, C> {
    /// Creates the control of an image that runs from the start.
    #[must_use]
    pub const fn new(
        board: &'static str,
        image: &'static str,
        settings: [Setting; S],
        counters: [&'static str; C],
    ) -> Self {
        Self {
            board,
            image,
            settings,
            counters,
            counts: [0; C],
            state: State::Stopped,
            is_wanted: true,
            requests: Deframer::new(),
            due: None,
            line: [0; LINE],
        }
    }

    /// Processes a byte from the line. Returns whether it completed a request that starts or stops.
    pub fn receive(&mut self, byte: u8) -> bool {
        let Some(request) = self.requests.feed(byte).and_then(|message| Request::read(message))
        else {
            return false;
        };
        let done = match request {
            Request::Identify { .. } => Ok(Due::Identity),
            Request::Read { number } => {
                let exists = usize::from(number) < S + C;
                if exists { Ok(Due::Item(number)) } else { Err(Refusal::Unknown) }
            }
            Request::Set { number, value } => self.set(number, value),
            // An image without settings has nothing that could be started.
            Request::Run(_) if S == 0 => Err(Refusal::Unsupported),
            Request::Run(starts) => {
                self.is_wanted = starts;
                Ok(Due::Counters)
            }
            Request::Count => Ok(Due::Counters),
        };
        let is_accepted = done.is_ok();
        self.due = Some(done.unwrap_or_else(|reason| Due::Refused(request.kind(), reason)));
        is_accepted && matches!(request, Request::Run(_))
    }

    fn set(&mut self, number: u8, value: u64) -> Result<Due, Refusal> {
        let is_running = matches!(self.state(), State::Running | State::Starting);
        let setting = self.settings.get_mut(usize::from(number)).ok_or(Refusal::Unknown)?;
        let [lowest, highest] = setting.bounds;
        if is_running {
            return Err(Refusal::Running);
        }
        if !(lowest..=highest).contains(&value) {
            return Err(Refusal::OutOfBounds);
        }
        setting.value = value;
        Ok(Due::Item(number))
    }

    /// Returns the bytes of the reply that is due, if any.
    pub fn poll(&mut self) -> Option<&[u8]> {
        let mut message = [0; LONGEST];
        let len = match self.due.take()? {
            Due::Identity => control::identity(&self.identity(), &mut message),
            Due::Item(number) => control::item(&self.item(number)?, &mut message),
            Due::Counters => control::counters(self.state(), &self.counts, &mut message),
            Due::Refused(request, reason) => control::refused(request, reason, &mut message),
        }?;
        let framed = frame(&message[..len], &mut self.line)?;
        Some(&self.line[..framed])
    }

    /// Whether a reply is due.
    #[must_use]
    pub const fn is_due(&self) -> bool {
        self.due.is_some()
    }

    /// State for the host.
    fn state(&self) -> State {
        if self.is_wanted && self.state != State::Running { State::Starting } else { self.state }
    }

    fn identity(&self) -> Identity<'static> {
        Identity {
            state: self.state(),
            settings: S as u8,
            counters: C as u8,
            airlag: AIRLAG,
            board: self.board,
            image: self.image,
        }
    }

    fn item(&self, number: u8) -> Option<Item<'static>> {
        let nth = usize::from(number);
        if let Some(&Setting { name, unit, value, bounds: [lowest, highest] }) =
            self.settings.get(nth)
        {
            return Some(Item { number, value, lowest, highest, name, unit });
        }
        let name = self.counters.get(nth - S)?;
        let value = u64::from(*self.counts.get(nth - S)?);
        Some(Item { number, value, lowest: 0, highest: u32::MAX.into(), name, unit: "" })
    }

    /// Whether the host has requested the program to run.
    #[must_use]
    pub const fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Values of the settings, in their order.
    #[must_use]
    pub fn values(&self) -> [u64; S] {
        self.settings.map(|setting| setting.value)
    }

    /// Records a new state. A start resets the counters. After the end of a run, or a failure, the program
    /// waits for the next start.
    pub fn enter(&mut self, state: State) {
        if state == State::Running {
            self.counts = [0; C];
        } else {
            self.is_wanted = false;
        }
        self.state = state;
    }

    /// Records the values of the counters.
    pub const fn count(&mut self, counts: [u32; C]) {
        self.counts = counts;
    }
}

/// Version of this crate, which is that of airlag.
const AIRLAG: [u8; 3] = [
    number(env!("CARGO_PKG_VERSION_MAJOR")),
    number(env!("CARGO_PKG_VERSION_MINOR")),
    number(env!("CARGO_PKG_VERSION_PATCH")),
];

const fn number(text: &str) -> u8 {
    match u8::from_str_radix(text, 10) {
        Ok(number) => number,
        Err(_) => panic!("a version above 255"),
    }
}

const _: () = assert!(VERSION == 1, "this end implements version 1");

#[cfg(test)]
mod tests;
