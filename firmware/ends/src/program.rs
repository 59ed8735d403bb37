//! The roles of an end of a link, with the settings of its host.
//!
//! A board runs from the start with the settings of its image, so that it needs no host. If the
//! host stops a run, the current message is completed.

use core::convert::Infallible;

use airlag_app::control::Setting;
use airlag_app::{Echo, Receiver, Responder, Sender};
use airlag_link::Link;
use airlag_link::control::State;
use embassy_futures::select::{Either, Either3, select, select3};
use embassy_time::Ticker;
use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;

use crate::console::Shared;
use crate::settings::{LARGEST, Role, Settings};

/// A protocol on a radio that a host can set up, of an image with `ALL` settings.
#[allow(async_fn_in_trait, reason = "one thread per board; embedded-hal-async does the same")]
pub trait Protocol<const ALL: usize> {
    /// The link.
    type Link: Link;

    /// Returns all settings: those that any image has, with this initial role, and the settings of the radio.
    fn settings(role: Role) -> [Setting; ALL];

    /// Sets the radio up for a run. Returns whether it responded and accepts the settings.
    async fn set_up(&mut self, settings: &Settings<ALL>) -> bool;

    /// Returns the link.
    fn link(&mut self) -> &mut Self::Link;
}

/// Light of a board, which is on during set-up and after an error.
pub trait Light {
    /// Switches the light.
    fn switch(&mut self, on: bool);
}

/// A board without such a light.
impl Light for () {
    fn switch(&mut self, _: bool) {}
}

/// Pins of an end of a link.
pub struct Pins<T, S, L> {
    /// Trigger input, which starts a transfer.
    pub trigger: T,
    /// Marks the instant of a transfer that the board itself starts.
    pub mark: S,
    /// Marks the arrival of a message.
    pub strobe: S,
    /// The light.
    pub light: L,
}

/// One end of a link: its pins, and its radio.
pub struct Program<T, S, L, P, const ALL: usize> {
    pins: Pins<T, S, L>,
    protocol: P,
    shared: &'static Shared<ALL>,
}

impl<T, S, L, P, const ALL: usize> Program<T, S, L, P, ALL>
where
    T: Wait<Error = Infallible>,
    S: OutputPin<Error = Infallible>,
    L: Light,
    P: Protocol<ALL>,
{
    /// Creates the program of a board.
    pub const fn new(pins: Pins<T, S, L>, protocol: P, shared: &'static Shared<ALL>) -> Self {
        Self { pins, protocol, shared }
    }

    /// Runs each time the host starts the board.
    pub async fn run(mut self) -> ! {
        loop {
            while !self.is_wanted() {
                self.shared.changed.wait().await;
            }
            self.shared.changed.reset();
            let settings = Settings::of(self.shared.control.borrow().values());
            self.pins.light.switch(true);
            // A fixture has no radio, or does not use it.
            if settings.role != Role::Fixture && !self.protocol.set_up(&settings).await {
                self.shared.control.borrow_mut().enter(State::Failed);
                continue;
            }
            self.pins.light.switch(false);
            if !self.is_wanted() {
                self.shared.control.borrow_mut().enter(State::Stopped);
                continue;
            }
            self.shared.control.borrow_mut().enter(State::Running);
            match settings.role {
                Role::Sender => self.send(&settings).await,
                Role::Receiver => self.receive(&settings).await,
                Role::Responder => self.respond(&settings).await,
                Role::RoundTrip => self.round_trip(&settings).await,
                Role::Fixture => self.fixture(&settings).await,
            }
            self.shared.control.borrow_mut().enter(State::Stopped);
        }
    }

    fn is_wanted(&self) -> bool {
        self.shared.control.borrow().is_wanted()
    }

    /// Sends a message at every rising edge of the trigger, or at every tick of a period.
    async fn send(&mut self, settings: &Settings<ALL>) {
        let Ok(mut sender) = Sender::<LARGEST>::new(settings.size) else { return };
        let Self { pins: Pins { trigger, mark, light, .. }, protocol, shared } = self;
        let mut ticker = settings.period.map(Ticker::every);
        let mut errors = 0_u32;
        while !settings.is_over(sender.sent().messages) {
            // The trigger is polled first.
            if let Either::Second(()) =
                select(next(trigger, mark, ticker.as_mut()), shared.changed.wait()).await
            {
                if shared.control.borrow().is_wanted() {
                    continue;
                }
                return;
            }
            if sender.send::<_, Infallible>(protocol.link()).await.is_err() {
                light.switch(true);
                errors = errors.wrapping_add(1);
            }
            let sent = sender.sent();
            shared.control.borrow_mut().count([sent.messages, sent.lost, 0, 0, errors]);
        }
    }

    /// Raises the strobe for every message with correct content.
    async fn receive(&mut self, settings: &Settings<ALL>) {
        let Self { pins: Pins { strobe, light, .. }, protocol, shared } = self;
        let mut receiver = Receiver::<LARGEST>::new();
        let mut errors = 0_u32;
        while !settings.is_over(receiver.received().messages) {
            let step = receiver.step(protocol.link(), strobe, |_| ());
            match select(step, shared.changed.wait()).await {
                Either::First(Ok(())) => {}
                Either::First(Err(_)) => {
                    light.switch(true);
                    errors = errors.wrapping_add(1);
                }
                Either::Second(()) if shared.control.borrow().is_wanted() => continue,
                Either::Second(()) => return,
            }
            let received = receiver.received();
            let damaged = received.damaged.wrapping_add(received.orphans);
            shared.control.borrow_mut().count([0, 0, received.messages, damaged, errors]);
        }
    }

    /// Returns every message with correct content.
    async fn respond(&mut self, settings: &Settings<ALL>) {
        let Self { pins: Pins { light, .. }, protocol, shared } = self;
        let mut responder = Responder::<LARGEST>::new();
        let mut errors = 0_u32;
        while !settings.is_over(responder.received().messages) {
            match select(responder.step(protocol.link()), shared.changed.wait()).await {
                Either::First(Ok(())) => {}
                Either::First(Err(_)) => {
                    light.switch(true);
                    errors = errors.wrapping_add(1);
                }
                Either::Second(()) if shared.control.borrow().is_wanted() => continue,
                Either::Second(()) => return,
            }
            let received = responder.received();
            let damaged = received.damaged.wrapping_add(received.orphans);
            shared.control.borrow_mut().count([0, 0, received.messages, damaged, errors]);
        }
    }

    /// Sends a message at every trigger, and raises the strobe for its return. A return that is missing at the
    /// next trigger is no longer awaited.
    async fn round_trip(&mut self, settings: &Settings<ALL>) {
        let Ok(mut sender) = Sender::<LARGEST>::new(settings.size) else { return };
        let Self { pins: Pins { trigger, mark, strobe, light }, protocol, shared } = self;
        let mut receiver = Receiver::<LARGEST>::new();
        let mut ticker = settings.period.map(Ticker::every);
        let mut errors = 0_u32;
        loop {
            let (sent, received) = (sender.sent(), receiver.received());
            let damaged = received.damaged.wrapping_add(received.orphans);
            let counts = [sent.messages, sent.lost, received.messages, damaged, errors];
            shared.control.borrow_mut().count(counts);
            // The last return is awaited as well, until the trigger after it.
            let is_over = settings.is_over(sent.messages);
            if is_over && received.messages == sent.messages {
                return;
            }
            let step = receiver.step(protocol.link(), strobe, |_| ());
            let trigger = next(trigger, mark, ticker.as_mut());
            let failed = match select3(trigger, shared.changed.wait(), step).await {
                Either3::First(()) if is_over => return,
                Either3::First(()) => sender.send::<_, Infallible>(protocol.link()).await.is_err(),
                Either3::Second(()) if shared.control.borrow().is_wanted() => false,
                Either3::Second(()) => return,
                Either3::Third(step) => step.is_err(),
            };
            if failed {
                light.switch(true);
                errors = errors.wrapping_add(1);
            }
        }
    }

    /// Raises the strobe for every trigger.
    async fn fixture(&mut self, settings: &Settings<ALL>) {
        let Self { pins: Pins { trigger, strobe, .. }, shared, .. } = self;
        let mut echo = Echo::new();
        while !settings.is_over(echo.answered()) {
            match select(echo.step(trigger, strobe), shared.changed.wait()).await {
                Either::First(_) => {}
                Either::Second(()) if shared.control.borrow().is_wanted() => continue,
                Either::Second(()) => return,
            }
            shared.control.borrow_mut().count([0, 0, echo.answered(), 0, 0]);
        }
    }
}

/// Waits for the next trigger. The board marks the triggers that it makes itself.
async fn next<T, S>(trigger: &mut T, mark: &mut S, ticker: Option<&mut Ticker>)
where
    T: Wait<Error = Infallible>,
    S: OutputPin<Error = Infallible>,
{
    match ticker {
        None => {
            let Ok(()) = trigger.wait_for_rising_edge().await;
        }
        Some(ticker) => {
            ticker.next().await;
            let Ok(()) = mark.set_high();
            let Ok(()) = mark.set_low();
        }
    }
}
