//! GPIO lines of the kernel's character device.
//!
//! Source: Linux, Documentation/userspace-api/gpio/chardev.rst. A line is reserved until its handle is dropped.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::rc::Rc;
use std::str::FromStr;

use embedded_hal::digital::{self, ErrorKind, ErrorType, OutputPin};
use embedded_hal_async::digital::Wait;
use gpiocdev::Request;
use gpiocdev::line::{EdgeDetection, EdgeKind, Value};

use crate::reactor::Reactor;

/// Consumer name of reserved lines.
const CONSUMER: &str = "airlag";

/// A line, such as `gpiochip0:24`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Device of the chip.
    pub chip: PathBuf,
    /// Offset on the chip.
    pub offset: u32,
}

impl FromStr for Line {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused =
            || format!("{text:?} is not a GPIO line; write CHIP:NUMBER, such as gpiochip0:24");
        let (chip, offset) = text.rsplit_once(':').ok_or_else(refused)?;
        let offset = offset.parse().map_err(|_| refused())?;
        if chip.is_empty() {
            return Err(refused());
        }
        Ok(Self { chip: PathBuf::from("/dev").join(chip), offset })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chip = self.chip.strip_prefix("/dev").unwrap_or(&self.chip);
        write!(f, "{}:{}", chip.display(), self.offset)
    }
}

/// Error of a line.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An error of the kernel.
    #[error("{line}: {cause}")]
    Kernel {
        /// Line.
        line: Line,
        /// Cause.
        cause: gpiocdev::Error,
    },
    /// It stayed low, although its cause was handled repeatedly.
    #[error("{0}: stays low; check the wire and the pin of the interrupt")]
    Stuck(Line),
}

impl digital::Error for Error {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

fn refused(line: &Line) -> impl FnOnce(gpiocdev::Error) -> Error + '_ {
    |cause| Error::Kernel { line: line.clone(), cause }
}

/// An output line.
pub struct Output {
    line: Line,
    request: Request,
}

impl Output {
    /// Reserves a line and drives it low.
    ///
    /// # Errors
    ///
    /// If it does not exist or is in use.
    pub fn open(line: &Line) -> Result<Self, Error> {
        let request = Request::builder()
            .on_chip(&line.chip)
            .with_consumer(CONSUMER)
            .with_line(line.offset)
            .as_output(Value::Inactive)
            .request()
            .map_err(refused(line))?;
        Ok(Self { line: line.clone(), request })
    }

    fn set(&self, value: Value) -> Result<(), Error> {
        self.request.set_value(self.line.offset, value).map_err(refused(&self.line))
    }
}

impl Drop for Output {
    /// Otherwise the radio would continue to receive and acknowledge frames that nothing reads.
    fn drop(&mut self) {
        // An error cannot be reported or handled here.
        let _ = self.set(Value::Inactive);
    }
}

impl ErrorType for Output {
    type Error = Error;
}

impl OutputPin for Output {
    fn set_low(&mut self) -> Result<(), Error> {
        self.set(Value::Inactive)
    }

    fn set_high(&mut self) -> Result<(), Error> {
        self.set(Value::Active)
    }
}

/// Largest number of consecutive waits that find the line low. A radio pulls its line low for each packet,
/// and a slow program may never see it high, but not this often.
const PATIENCE: u32 = 100_000;

/// An input line with edge detection.
pub struct Input {
    line: Line,
    request: Rc<Request>,
    reactor: Rc<Reactor>,
    /// Number of consecutive waits that found it low.
    low: u32,
}

impl Input {
    /// Reserves a line, and lets the kernel watch its edges.
    ///
    /// # Errors
    ///
    /// If it does not exist or is in use.
    pub fn open(line: &Line, reactor: &Rc<Reactor>) -> Result<Self, Error> {
        let request = Request::builder()
            .on_chip(&line.chip)
            .with_consumer(CONSUMER)
            .with_line(line.offset)
            .as_input()
            .with_edge_detection(EdgeDetection::BothEdges)
            .request()
            .map_err(refused(line))?;
        let (line, request) = (line.clone(), Rc::new(request));
        Ok(Self { line, request, reactor: Rc::clone(reactor), low: 0 })
    }

    /// Waits for a level. Edges are queued events, which may be old, while the level is current.
    async fn level(&mut self, value: Value) -> Result<(), Error> {
        loop {
            if self.request.value(self.line.offset).map_err(refused(&self.line))? == value {
                return Ok(());
            }
            self.reactor.readable(&self.request).await;
            while self.edge()?.is_some() {}
        }
    }

    /// The oldest unread edge.
    fn edge(&self) -> Result<Option<EdgeKind>, Error> {
        let refused = refused(&self.line);
        match self.request.has_edge_event() {
            Ok(false) => Ok(None),
            Ok(true) => {
                self.request.read_edge_event().map(|event| Some(event.kind)).map_err(refused)
            }
            Err(cause) => Err(refused(cause)),
        }
    }

    /// Waits for the next edge of one kind, or of any.
    async fn next(&self, wanted: Option<EdgeKind>) -> Result<(), Error> {
        while self.edge()?.is_some() {}
        loop {
            self.reactor.readable(&self.request).await;
            while let Some(kind) = self.edge()? {
                if wanted.is_none_or(|wanted| wanted == kind) {
                    return Ok(());
                }
            }
        }
    }
}

impl ErrorType for Input {
    type Error = Error;
}

impl Wait for Input {
    async fn wait_for_low(&mut self) -> Result<(), Error> {
        let value = self.request.value(self.line.offset).map_err(refused(&self.line))?;
        if value == Value::Inactive {
            // If the chip is missing, the line may stay low, and its driver would never wait.
            self.reactor.breathe().await;
            self.low += 1;
            return if self.low < PATIENCE { Ok(()) } else { Err(Error::Stuck(self.line.clone())) };
        }
        self.low = 0;
        self.level(Value::Inactive).await
    }

    async fn wait_for_high(&mut self) -> Result<(), Error> {
        self.level(Value::Active).await
    }

    async fn wait_for_rising_edge(&mut self) -> Result<(), Error> {
        self.next(Some(EdgeKind::Rising)).await
    }

    async fn wait_for_falling_edge(&mut self) -> Result<(), Error> {
        self.next(Some(EdgeKind::Falling)).await
    }

    async fn wait_for_any_edge(&mut self) -> Result<(), Error> {
        self.next(None).await
    }
}

/// Name of the program that holds a line, if it is in use.
///
/// # Errors
///
/// If the chip or the line does not exist or is not accessible.
pub fn holder(line: &Line) -> io::Result<Option<String>> {
    let chip = gpiocdev::Chip::from_path(&line.chip).map_err(io::Error::other)?;
    let info = chip.line_info(line.offset).map_err(io::Error::other)?;
    Ok(info.used.then_some(info.consumer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_written_as_its_chip_and_its_number() {
        let line: Line = "gpiochip0:24".parse().expect("a line");
        assert_eq!(line, Line { chip: "/dev/gpiochip0".into(), offset: 24 });
        assert_eq!(line.to_string(), "gpiochip0:24");
        assert_eq!("/dev/gpiochip4:1".parse::<Line>().expect("a line").to_string(), "gpiochip4:1");
        for text in ["", "24", "gpiochip0", "gpiochip0:", ":24", "gpiochip0:x", "gpiochip0:-1"] {
            let error = text.parse::<Line>().expect_err(text);
            assert!(error.contains("such as gpiochip0:24"), "{error}");
        }
    }

    #[test]
    fn a_chip_that_is_not_there_is_named() {
        let line: Line = "no-such-chip:3".parse().expect("a line");
        let error = Output::open(&line).err().expect("there is none").to_string();
        assert!(error.starts_with("no-such-chip:3: No such file"), "{error}");
        assert!(holder(&line).is_err());
    }
}
