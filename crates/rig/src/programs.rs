//! What runs on the boards at both ends of a link, whatever the link is. One file a program.
//!
//! A program is made with what it shares with whoever started it (wires, a queue, a count), and
//! spawns its tasks on two ends.

pub mod both;
pub mod burst;
pub mod echo;
pub mod offered;
pub mod relayed;
pub mod saturated;
pub mod triggered;

use std::convert::Infallible;
use std::fmt::Display;
use std::pin::pin;

use airlag_app::{Receiver, Sender, Sorter};
use airlag_link::{Delivery, Link};
use embassy_futures::select::{Either, select};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;

use crate::ends::{Bench, BoxedEnd, BoxedPins, Opening};
use crate::messages::{Messages, Wires};
use crate::report::Told;
use crate::run::MAX_SIZE;

/// A program for the boards of a bench. Whoever has one implements this and hands it to a bench; those
/// in this folder are made with nothing but it.
pub trait Program {
    /// True if the second end sends too.
    fn needs_both_ways(&self) -> bool {
        false
    }

    /// Spawns it on two ends.
    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench);

    /// Spawns it on a board without a link; false if it needs one.
    fn start_alone(&self, _pins: BoxedPins, _bench: &Bench) -> bool {
        false
    }
}

/// The link of a board once it is up, and the board then ready; none where it could not be set up,
/// which stops the board.
pub async fn opened<O: Opening>(board: &'static str, link: O, told: &Told) -> Option<O::Link> {
    match link.await {
        Ok(link) => {
            told.borrow_mut().ready += 1;
            Some(link)
        }
        Err(cause) => {
            stop(board, cause, told);
            None
        }
    }
}

/// Sends a message of `size` bytes at every trigger and strobes for every one that comes, whichever
/// is first; ends when the link breaks. What is half received at a trigger has to wait. Records what goes
/// `out` and what comes `into` the board.
async fn duplex<L: Link<Error: Display>>(
    board: &'static str,
    (mut trigger, mut strobe): (impl Wait<Error = Infallible>, impl OutputPin),
    mut link: L,
    size: usize,
    told: Told,
    (out, into): (Wires, Messages),
) {
    let mut sender = match Sender::<MAX_SIZE>::new(size) {
        Ok(sender) => sender,
        Err(error) => return stop(board, error.to_string(), &told),
    };
    let mut receiver = Receiver::<MAX_SIZE>::new();
    let (mut sent, mut taken_in) = (sender.sent(), receiver.received());
    loop {
        // One wait for as many messages as come: an edge that is on its way through an interrupt
        // would be lost with the wait for it.
        let mut next = pin!(trigger.wait_for_rising_edge());
        let mut triggered = false;
        while !triggered {
            let received = receiver.step(&mut link, &mut strobe, |sequence| into.strobe(sequence));
            let outcome = match select(next.as_mut(), received).await {
                Either::First(Ok(())) => {
                    triggered = true;
                    out.begin();
                    let outcome = sender.send::<_, Infallible>(&mut link).await;
                    if let Ok(Delivery::Lost) = outcome {
                        out.messages.give_up();
                    }
                    outcome.map(|_| ()).map_err(|error| error.to_string())
                }
                Either::Second(outcome) => outcome.map_err(|error| error.to_string()),
            };
            let (now_sent, now_received) = (sender.sent(), receiver.received());
            told.borrow_mut().add((sent, taken_in), (now_sent, now_received));
            (sent, taken_in) = (now_sent, now_received);
            if let Err(cause) = outcome {
                return stop(board, cause, &told);
            }
        }
    }
}

/// Keeps why a board stopped.
pub fn stop(board: &'static str, cause: String, told: &Told) {
    told.borrow_mut().stopped = Some((board, cause));
}

/// Receives on the second board for ever: `deliver` is told of every message that is right, by its
/// sequence number; ends when the link breaks.
fn sort_all(link: impl Opening, bench: &Bench, mut deliver: impl FnMut(u16) + 'static) {
    let told = bench.told();
    bench.sim().spawn("receiver", async move {
        let Some(mut link) = opened("receiver", link, &told).await else { return };
        let stream = link.capability().stream;
        let mut buffer = vec![0; link.capability().mtu.max(MAX_SIZE)];
        let mut sorter = Sorter::<MAX_SIZE>::new();
        loop {
            match link.receive(&mut buffer).await {
                Ok(got) => sorter.sort(&buffer[..got], stream, &mut deliver),
                Err(error) => return stop("receiver", error.to_string(), &told),
            }
            told.borrow_mut().received = sorter.received();
        }
    });
}
