//! Sender or receiver, with the settings of its host.
//!
//! A board runs from the start with the settings of its image, so that it needs no host. If the
//! host stops a run, the current message is completed.

use core::convert::Infallible;

use airlag_app::{Receiver, Sender};
use airlag_link::control::State;
use embassy_futures::select::{Either, select};
use embassy_rp::gpio::Input;
use embassy_time::Ticker;
use embedded_hal::digital::OutputPin;

use crate::console::Shared;
use crate::end::light;
use crate::radio::Radio;
use crate::settings::{LARGEST, Role, Settings};
use crate::strobe::Strobe;

/// One end of a link: its pins, and its radio.
pub struct Program<R> {
    /// GP14: trigger input, which starts a transfer.
    pub trigger: Input<'static>,
    /// GP13: marks the instant of a transfer that the board itself starts.
    pub mark: Strobe,
    /// GP15: marks the arrival of a message.
    pub strobe: Strobe,
    /// The radio.
    pub radio: R,
    /// Settings, state and counters.
    pub shared: &'static Shared,
}

impl<R: Radio> Program<R> {
    /// Runs each time the host starts the board.
    pub async fn run(mut self) -> ! {
        loop {
            while !self.is_wanted() {
                self.shared.changed.wait().await;
            }
            self.shared.changed.reset();
            let settings = Settings::of(&self.shared.control.borrow().values());
            light(true);
            if !self.radio.set_up(&settings).await {
                self.shared.control.borrow_mut().enter(State::Failed);
                continue;
            }
            light(false);
            if !self.is_wanted() {
                self.shared.control.borrow_mut().enter(State::Stopped);
                continue;
            }
            self.shared.control.borrow_mut().enter(State::Running);
            match settings.role {
                Role::Sender => self.send(&settings).await,
                Role::Receiver => self.receive(&settings).await,
            }
            self.shared.control.borrow_mut().enter(State::Stopped);
        }
    }

    fn is_wanted(&self) -> bool {
        self.shared.control.borrow().is_wanted()
    }

    /// Sends a message at every rising edge of the trigger, or at every tick of a period.
    async fn send(&mut self, settings: &Settings) {
        let Ok(mut sender) = Sender::<LARGEST>::new(settings.size) else { return };
        let Self { trigger, mark, radio, shared, .. } = self;
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
            if sender.send::<_, Infallible>(radio.driver()).await.is_err() {
                light(true);
                errors = errors.wrapping_add(1);
            }
            let sent = sender.sent();
            shared.control.borrow_mut().count([sent.messages, sent.lost, 0, 0, errors]);
        }
    }

    /// Raises the strobe for every message with correct content.
    async fn receive(&mut self, settings: &Settings) {
        let Self { strobe, radio, shared, .. } = self;
        let mut receiver = Receiver::<LARGEST>::new();
        let mut errors = 0_u32;
        while !settings.is_over(receiver.received().messages) {
            match select(receiver.step(radio.driver(), strobe, |_| ()), shared.changed.wait()).await
            {
                Either::First(Ok(())) => {}
                Either::First(Err(_)) => {
                    light(true);
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
}

/// Waits for the next trigger. The board marks the triggers that it makes itself.
async fn next(trigger: &mut Input<'static>, mark: &mut Strobe, ticker: Option<&mut Ticker>) {
    match ticker {
        None => trigger.wait_for_rising_edge().await,
        Some(ticker) => {
            ticker.next().await;
            let Ok(()) = mark.set_high();
            let Ok(()) = mark.set_low();
        }
    }
}
