//! What a tunnel needs of a radio, and the loop between the two.
//!
//! The same loop runs on a board, on a computer and on the virtual bench: they differ in the three traits.

#![allow(async_fn_in_trait, reason = "one thread per end; embedded-hal-async does the same")]

use alloc::vec::Vec;
use core::cell::RefCell;

use airlag_link::Delivery;
use embassy_futures::select::select3;

use crate::endpoint::{Arq, Endpoint, Pace, Renew};
use crate::time::Instant;
use crate::wire::{Frame, MOST};

/// What became of a burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An answer of so many bytes came; of none, if the other radio had nothing laid ready.
    Answered(usize),
    /// None came.
    Unanswered,
    /// None was asked for. This is what the link itself knows of the last frame.
    Passed(Delivery),
}

/// A packet radio that sends bursts, and answers them.
pub trait Radio {
    /// What can break.
    type Error;

    /// Sends frames back to back, of which only the last may ask for an answer, and waits for that. `answer`
    /// holds the longest frame.
    ///
    /// A link on which the other end can begin meanwhile gives what it hears to `heard`, and sends the answer
    /// that returns.
    async fn burst(
        &mut self,
        frames: &[Frame],
        answer: &mut [u8],
        heard: &mut impl FnMut(&[u8]) -> Option<Frame>,
    ) -> Result<Outcome, Self::Error>;

    /// Lays ready what goes out with the next answer, instead of what was there, and listens from now on. A
    /// radio that is not [`Arq::Laid`] sends it at once to who asked.
    async fn lay_ready(&mut self, answer: &Frame) -> Result<(), Self::Error>;

    /// Waits until something was heard. May be dropped while it waits.
    async fn arrived(&mut self) -> Result<(), Self::Error>;

    /// Takes a frame that was heard and returns its size; none if there is no more. `frame` holds the longest
    /// one.
    async fn take(&mut self, frame: &mut [u8]) -> Result<Option<usize>, Self::Error>;

    /// What it takes, where that is measured; none where the endpoint knows it.
    fn pace(&self) -> Option<Pace> {
        None
    }
}

/// Time, as it passes for the endpoint.
pub trait Clock {
    /// What time it is.
    fn now(&self) -> Instant;

    /// Waits until an instant. May be dropped while it waits.
    async fn until(&self, at: Instant);
}

/// Whoever has packets for the tunnel, and takes those that come.
pub trait Host {
    /// Waits until a packet was offered since this was asked last. May be dropped while it waits.
    async fn news(&self);

    /// Packets may have come, or something may be known of those that were offered.
    fn look(&self, endpoint: &mut Endpoint);
}

/// Runs an endpoint on a radio until that breaks.
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

/// Listens until there is a burst to send, and sends it.
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

/// Listens until there is a burst to send.
async fn listen<R: Radio>(
    endpoint: &RefCell<Endpoint>,
    radio: &mut R,
    clock: &impl Clock,
    host: &impl Host,
) -> Result<Vec<Frame>, R::Error> {
    let longest = endpoint.borrow().config().frame;
    // Who is answered when asked has nothing to lay ready before.
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
