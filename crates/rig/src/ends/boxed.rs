//! Type-erased ends, so that callers can supply programs for any link.
//!
//! The ends of each kind of link have their own types. Boxing them lets one compiled program run on
//! any of them, at the cost of one allocation per awaited operation.

use std::convert::Infallible;
use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::{Clock, Line};
use embedded_hal::digital::{self, ErrorKind, ErrorType, OutputPin};
use embedded_hal_async::digital::Wait;

use super::{End, Opening, Pins};

type Awaited<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A link of any kind.
pub struct BoxedLink(Box<dyn AnyLink>);

/// A link of any kind that is being set up.
pub type BoxedOpening = Awaited<'static, Result<BoxedLink, String>>;

/// The pins of any board.
pub struct BoxedPins(Box<dyn AnyPins>);

/// An end of any link.
pub type BoxedEnd = End<BoxedPins, BoxedOpening>;

/// An input of any board.
pub struct BoxedTrigger(Box<dyn AnyTrigger>);

/// An output of any board.
pub struct BoxedStrobe(Box<dyn AnyStrobe>);

impl<P: Pins, O: Opening> End<P, O> {
    /// Erases the types of an end.
    #[must_use]
    pub fn boxed(self) -> BoxedEnd {
        let link: BoxedOpening = Box::pin(async { Ok(BoxedLink::new(self.link.await?)) });
        End { pins: BoxedPins::new(self.pins), link }
    }
}

trait AnyLink {
    fn capability(&self) -> Capability;
    fn carry_ip(&mut self) -> bool;
    fn send<'a>(&'a mut self, chunk: &'a [u8]) -> Awaited<'a, Result<Delivery, String>>;
    fn flush(&mut self) -> Awaited<'_, Result<Delivery, String>>;
    fn receive<'a>(&'a mut self, buffer: &'a mut [u8]) -> Awaited<'a, Result<usize, String>>;
}

impl<L: Link<Error: Display>> AnyLink for L {
    fn capability(&self) -> Capability {
        Link::capability(self)
    }

    fn carry_ip(&mut self) -> bool {
        Link::carry_ip(self)
    }

    fn send<'a>(&'a mut self, chunk: &'a [u8]) -> Awaited<'a, Result<Delivery, String>> {
        Box::pin(async { Link::send(self, chunk).await.map_err(|error| error.to_string()) })
    }

    fn flush(&mut self) -> Awaited<'_, Result<Delivery, String>> {
        Box::pin(async { Link::flush(self).await.map_err(|error| error.to_string()) })
    }

    fn receive<'a>(&'a mut self, buffer: &'a mut [u8]) -> Awaited<'a, Result<usize, String>> {
        Box::pin(async { Link::receive(self, buffer).await.map_err(|error| error.to_string()) })
    }
}

impl BoxedLink {
    /// Boxes a link.
    #[must_use]
    pub fn new(link: impl Link<Error: Display> + 'static) -> Self {
        Self(Box::new(link))
    }
}

impl Link for BoxedLink {
    type Error = String;

    fn capability(&self) -> Capability {
        self.0.capability()
    }

    fn carry_ip(&mut self) -> bool {
        self.0.carry_ip()
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, String> {
        self.0.send(chunk).await
    }

    async fn flush(&mut self) -> Result<Delivery, String> {
        self.0.flush().await
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, String> {
        self.0.receive(buffer).await
    }
}

trait AnyPins {
    fn trigger(&self, line: &Line) -> BoxedTrigger;
    fn strobe(&self, line: &Line) -> BoxedStrobe;
    fn clock(&self) -> Clock;
}

impl<P: Pins> AnyPins for P {
    fn trigger(&self, line: &Line) -> BoxedTrigger {
        BoxedTrigger(Box::new(Pins::trigger(self, line)))
    }

    fn strobe(&self, line: &Line) -> BoxedStrobe {
        BoxedStrobe(Box::new(Pins::strobe(self, line)))
    }

    fn clock(&self) -> Clock {
        Pins::clock(self)
    }
}

impl BoxedPins {
    /// Boxes the pins of a board.
    #[must_use]
    pub fn new(pins: impl Pins) -> Self {
        Self(Box::new(pins))
    }
}

impl Pins for BoxedPins {
    type Trigger = BoxedTrigger;
    type Strobe = BoxedStrobe;

    fn trigger(&self, line: &Line) -> BoxedTrigger {
        self.0.trigger(line)
    }

    fn strobe(&self, line: &Line) -> BoxedStrobe {
        self.0.strobe(line)
    }

    fn clock(&self) -> Clock {
        self.0.clock()
    }
}

/// Awaited event of an input.
#[derive(Clone, Copy)]
enum Event {
    High,
    Low,
    Rise,
    Fall,
    Any,
}

trait AnyTrigger {
    fn wait(&mut self, event: Event) -> Awaited<'_, ()>;
}

impl<W: Wait<Error = Infallible>> AnyTrigger for W {
    fn wait(&mut self, event: Event) -> Awaited<'_, ()> {
        Box::pin(async move {
            let Ok(()) = match event {
                Event::High => self.wait_for_high().await,
                Event::Low => self.wait_for_low().await,
                Event::Rise => self.wait_for_rising_edge().await,
                Event::Fall => self.wait_for_falling_edge().await,
                Event::Any => self.wait_for_any_edge().await,
            };
        })
    }
}

impl ErrorType for BoxedTrigger {
    type Error = Infallible;
}

impl Wait for BoxedTrigger {
    async fn wait_for_high(&mut self) -> Result<(), Infallible> {
        self.0.wait(Event::High).await;
        Ok(())
    }

    async fn wait_for_low(&mut self) -> Result<(), Infallible> {
        self.0.wait(Event::Low).await;
        Ok(())
    }

    async fn wait_for_rising_edge(&mut self) -> Result<(), Infallible> {
        self.0.wait(Event::Rise).await;
        Ok(())
    }

    async fn wait_for_falling_edge(&mut self) -> Result<(), Infallible> {
        self.0.wait(Event::Fall).await;
        Ok(())
    }

    async fn wait_for_any_edge(&mut self) -> Result<(), Infallible> {
        self.0.wait(Event::Any).await;
        Ok(())
    }
}

trait AnyStrobe {
    fn set(&mut self, high: bool) -> Result<(), ErrorKind>;
}

impl<O: OutputPin> AnyStrobe for O {
    fn set(&mut self, high: bool) -> Result<(), ErrorKind> {
        let set = if high { self.set_high() } else { self.set_low() };
        set.map_err(|error| digital::Error::kind(&error))
    }
}

impl ErrorType for BoxedStrobe {
    type Error = ErrorKind;
}

impl OutputPin for BoxedStrobe {
    fn set_low(&mut self) -> Result<(), ErrorKind> {
        self.0.set(false)
    }

    fn set_high(&mut self) -> Result<(), ErrorKind> {
        self.0.set(true)
    }
}
