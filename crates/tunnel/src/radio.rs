//! Interface of a radio, and the loop that connects it to an endpoint.
//!
//! The same loop runs on a board, on a computer and on the virtual bench, with different implementations of
//! the three traits.

#![allow(async_fn_in_trait, reason = "one thread per end; embedded-hal-async does the same")]

use alloc::vec::Vec;
use core::cell::RefCell;

use airlag_link::Delivery;
use embassy_futures::select::select3;

use crate::endpoint::{Arq, Endpoint, Pace, Renew};
use crate::time::Instant;
use crate::wire::{Frame, MOST};

/// Outcome of a burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A response with this length in bytes was received. The length is 0 if the other radio had no
    /// response prepared.
    Answered(usize),
    /// No response was received.
    Unanswered,
    /// No response was requested. The value is the link's confirmation of the last frame.
    Passed(Delivery),
}

/// A packet radio with bursts and responses.
pub trait Radio {
    /// Error of the radio.
    type Error;

    /// Sends frames back to back, of which only the last may request a response, and waits for the
    /// response. `answer` must have the length of the longest frame.
    ///
    /// If the other end can start to send in the meantime, its frames go to `heard`, whose result is sent as
    /// a response.
    async fn burst(
        &mut self,
        frames: &[Frame],
        answer: &mut [u8],
        heard: &mut impl FnMut(&[u8]) -> Option<Frame>,
    ) -> Result<Outcome, Self::Error>;

    /// Prepares the next response, replacing the previous one, and starts to receive. A radio that is
    /// not [`Arq::Laid`] sends the response immediately to the end that requested it.
    async fn lay_ready(&mut self, answer: &Frame) -> Result<(), Self::Error>;

    /// Waits for a received frame. The future may be dropped while it waits.
    async fn arrived(&mut self) -> Result<(), Self::Error>;

    /// Takes a received frame. Returns its length, or `None` if there is none. `frame` must have the length
    /// of the longest frame.
    async fn take(&mut self, frame: &mut [u8]) -> Result<Option<usize>, Self::Error>;

    /// Measured timing. `None` if the timing is part of the configuration.
    fn pace(&self) -> Option<Pace> {
        None
    }
}

/// Clock of an endpoint.
pub trait Clock {
    /// Current time.
    fn now(&self) -> Instant;

    /// Waits until an instant. The future may be dropped while it waits.
    async fn until(&self, at: Instant);
}

/// Source and sink of the packets of a tunnel.
pub trait Host {
    /// Waits until a packet was offered since the last call. The future may be dropped while it waits.
    async fn news(&self);

    /// Handles received packets, and known outcomes of offered packets.
    fn look(&self, endpoint: &mut Endpoint);
}

/// Runs an endpoint on a radio until the radio fails.
pub async fn run<R: Radio>(
    endpoint: &RefCell<Endpoint>,
    radio: &mut R,
    clock: &impl Clock,
    host: &impl Host,
) -> R::Error {
    loop {
        if let Err(error) = step(endpoint, radio, clock, host).await {
            return error;
        }
    }
}

/// Receives until there is a burst to send, and sends it.
async fn step<R: Radio>(
    endpoint: &RefCell<Endpoint>,
    radio: &mut R,
    clock: &impl Clock,
    host: &impl Host,
) -> Result<(), R::Error> {
    let frames = listen(endpoint, radio, clock, host).await?;
    let (mut answer, longest) = ([0; MOST], endpoint.borrow().config().frame);
    let mut heard = |frame: &[u8]| {
        let mut endpoint = endpoint.borrow_mut();
        let renew = endpoint.heard(clock.now(), frame);
        let answer = (renew == Renew::Now).then(|| endpoint.answer(clock.now()));
        host.look(&mut endpoint);
        answer
    };
    let outcome = radio.burst(&frames, &mut answer[..longest], &mut heard).await?;
    let mut endpoint = endpoint.borrow_mut();
    if let Some(pace) = radio.pace() {
        endpoint.set_pace(pace);
    }
    match outcome {
        Outcome::Answered(len) => endpoint.answered(clock.now(), Some(&answer[..len])),
        Outcome::Unanswered => endpoint.answered(clock.now(), None),
        Outcome::Passed(delivery) => endpoint.passed(clock.now(), delivery),
    }
    host.look(&mut endpoint);
    Ok(())
}

/// Receives until there is a burst to send.
async fn listen<R: Radio>(
    endpoint: &RefCell<Endpoint>,
    radio: &mut R,
    clock: &impl Clock,
    host: &impl Host,
) -> Result<Vec<Frame>, R::Error> {
    let longest = endpoint.borrow().config().frame;
    // With responses on request, nothing is prepared.
    let (mut frame, mut laid) = ([0; MOST], endpoint.borrow().config().arq != Arq::Laid);
    loop {
        if let Some(frames) = endpoint.borrow_mut().burst(clock.now()) {
            return Ok(frames.to_vec());
        }
        if !laid {
            let answer = endpoint.borrow_mut().answer(clock.now());
            radio.lay_ready(&answer).await?;
            laid = true;
        }
        if let Some(len) = radio.take(&mut frame[..longest]).await? {
            let renew = endpoint.borrow_mut().heard(clock.now(), &frame[..len]);
            host.look(&mut endpoint.borrow_mut());
            match renew {
                Renew::No => {}
                Renew::Now => laid = false,
                Renew::Behind(answer) => {
                    clock.until(answer).await;
                    laid = false;
                }
            }
            continue;
        }
        let wake = endpoint.borrow().wake();
        let until = async {
            match wake {
                Some(at) => clock.until(at).await,
                None => core::future::pending().await,
            }
        };
        if let embassy_futures::select::Either3::First(heard) =
            select3(radio.arrived(), until, host.news()).await
        {
            heard?;
        }
    }
}
