//! Simulated wires that follow a script: every line is one event, in order. The script files
//! describe their own format.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use embedded_hal::digital::{ErrorType as PinType, OutputPin};
use embedded_hal::spi::{ErrorType, Operation};
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

fn poll<T>(future: impl Future<Output = T>) -> Poll<T> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

/// Output of a future that never waits.
pub fn now<T>(future: impl Future<Output = T>) -> T {
    match poll(future) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the driver waits for a pin that does not come"),
    }
}

/// Returns true if the future waits.
pub fn waits<T>(future: impl Future<Output = T>) -> bool {
    poll(future).is_pending()
}

#[derive(Debug, PartialEq, Eq)]
enum Line {
    Section(String),
    Spi { sent: Vec<u8>, answer: Vec<u8> },
    Driver { pin: String, high: bool },
    Chip { pin: String, high: bool },
}

impl Line {
    fn parse(text: &str) -> Option<Self> {
        let text = text.split('#').next().unwrap_or_default().trim();
        if text.is_empty() {
            return None;
        }
        if let Some(name) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return Some(Self::Section(name.into()));
        }
        if let Some(bytes) = text.strip_prefix("spi ") {
            let (sent, answer) = bytes.split_once("->").unwrap_or((bytes, ""));
            let (sent, mut answer) = (hexadecimal(sent), hexadecimal(answer));
            answer.resize(sent.len(), 0);
            return Some(Self::Spi { sent, answer });
        }
        let (chip, rest) = match text.strip_prefix("-> ") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (pin, level) = rest.split_once(' ').expect("a pin and a level");
        let (pin, high) = (pin.into(), level == "high");
        Some(if chip { Self::Chip { pin, high } } else { Self::Driver { pin, high } })
    }
}

fn hexadecimal(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in text.split_whitespace() {
        let (byte, times) = word.split_once('*').unwrap_or((word, "1"));
        let byte = u8::from_str_radix(byte, 16).expect("hexadecimal");
        bytes.extend(std::iter::repeat_n(byte, times.parse().expect("a count")));
    }
    bytes
}

struct Script {
    lines: VecDeque<Line>,
    levels: BTreeMap<String, bool>,
}

impl Script {
    /// Compares the driver's action with the script, then plays the chip's next actions.
    fn expect(&mut self, line: &Line) {
        assert_eq!(Some(line), self.lines.front(), "the driver, and the script");
        self.lines.pop_front();
        self.chip();
    }

    fn chip(&mut self) {
        while let Some(Line::Chip { pin, high }) = self.lines.front() {
            self.levels.insert(pin.clone(), *high);
            self.lines.pop_front();
        }
    }

    fn level(&self, pin: &str) -> bool {
        self.levels.get(pin).copied().unwrap_or(false)
    }
}

/// The wires between a driver and a chip.
pub struct Wires(Rc<RefCell<Script>>);

impl Wires {
    pub fn new(text: &str) -> Self {
        let mut lines: VecDeque<_> = text.lines().filter_map(Line::parse).collect();
        assert_eq!(lines.pop_front(), Some(Line::Section("set-up".into())));
        let mut script = Script { lines, levels: BTreeMap::new() };
        script.chip();
        Self(Rc::new(RefCell::new(script)))
    }

    pub fn bus(&self) -> Bus {
        Bus(Rc::clone(&self.0))
    }

    pub fn pin(&self, name: &'static str) -> Pin {
        Pin { name, script: Rc::clone(&self.0) }
    }

    /// Asserts that everything before the section has happened, and nothing after it.
    pub fn assert_at_section(&self, name: &str) {
        self.0.borrow_mut().expect(&Line::Section(name.into()));
    }

    pub fn assert_at_end(&self) {
        assert_eq!(self.0.borrow().lines, [], "the driver did not do all of the script");
    }
}

/// The bus with the chip's responses.
pub struct Bus(Rc<RefCell<Script>>);

impl ErrorType for Bus {
    type Error = Infallible;
}

impl SpiDevice for Bus {
    async fn transaction(
        &mut self,
        operations: &mut [Operation<'_, u8>],
    ) -> Result<(), Infallible> {
        let mut script = self.0.borrow_mut();
        let mut answers = match script.lines.front() {
            Some(Line::Spi { answer, .. }) => answer.clone(),
            _ => Vec::new(),
        }
        .into_iter();
        let (mut sent, mut answer) = (Vec::new(), Vec::new());
        let mut exchange = |byte: u8| {
            sent.push(byte);
            answer.push(answers.next().unwrap_or(0));
            answer[answer.len() - 1]
        };
        for operation in operations {
            match operation {
                Operation::Write(bytes) => bytes.iter().for_each(|&byte| _ = exchange(byte)),
                Operation::Read(bytes) => bytes.fill_with(|| exchange(0)),
                Operation::TransferInPlace(bytes) => {
                    bytes.iter_mut().for_each(|byte| *byte = exchange(*byte));
                }
                _ => panic!("no driver uses another operation"),
            }
        }
        script.expect(&Line::Spi { sent, answer });
        Ok(())
    }
}

/// One wire, driven by either side.
pub struct Pin {
    name: &'static str,
    script: Rc<RefCell<Script>>,
}

impl Pin {
    fn set(&self, high: bool) {
        let mut script = self.script.borrow_mut();
        if script.level(self.name) != high {
            script.levels.insert(self.name.into(), high);
            script.expect(&Line::Driver { pin: self.name.into(), high });
        }
    }

    async fn wait(&self, high: bool) {
        if self.script.borrow().level(self.name) != high {
            std::future::pending().await
        }
    }
}

impl PinType for Pin {
    type Error = Infallible;
}

impl OutputPin for Pin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.set(false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.set(true);
        Ok(())
    }
}

impl Wait for Pin {
    async fn wait_for_high(&mut self) -> Result<(), Infallible> {
        self.wait(true).await;
        Ok(())
    }

    async fn wait_for_low(&mut self) -> Result<(), Infallible> {
        self.wait(false).await;
        Ok(())
    }

    async fn wait_for_rising_edge(&mut self) -> Result<(), Infallible> {
        panic!("no driver waits for an edge, which it could miss")
    }

    async fn wait_for_falling_edge(&mut self) -> Result<(), Infallible> {
        panic!("no driver waits for an edge, which it could miss")
    }

    async fn wait_for_any_edge(&mut self) -> Result<(), Infallible> {
        panic!("no driver waits for an edge, which it could miss")
    }
}

/// A delay that adds up the requested times.
#[derive(Default)]
pub struct Waited(pub u64);

impl DelayNs for Waited {
    async fn delay_ns(&mut self, ns: u32) {
        self.0 += u64::from(ns);
    }
}
