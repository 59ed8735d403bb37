//! Programs that run on the boards at both ends of any kind of link, one file each.
//!
//! A program is constructed with the state that it shares with its caller (wires, a queue, a
//! count), and spawns its tasks on two ends.

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
use crate::report::SharedReport;
use crate::run::MAX_SIZE;

/// A program for the boards of a bench. Callers may implement their own; those in this folder use
/// the same interface.
pub trait Program {
    /// Whether the second end sends too.
    fn needs_both_ways(&self) -> bool {
        false
    }

    /// Spawns the program on two ends.
    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench);

    /// Spawns the program on a board without a link. Returns false if the program needs a link.
    fn start_alone(&self, _pins: BoxedPins, _bench: &Bench) -> bool {
        false
    }
}

/// Waits for the link and marks the board as ready. Returns `None` if the link could not be set up,
/// which stops the board.
pub async fn opened<O: Opening>(
    board: &'static str,
    link: O,
    report: &SharedReport,
) -> Option<O::Link> {
    match link.await {
        Ok(link) => {
            report.borrow_mut().ready += 1;
            Some(link)
        }
        Err(cause) => {
            stop(board, cause, report);
            None
        }
    }
}

/// Sends a message of `size` bytes at every trigger, and raises the strobe for every message that
/// arrives, until the link breaks. Triggers and arrivals are handled in the order in which they
/// occur. If a trigger comes while a message is being received, the reception is suspended until
/// the outgoing message is sent. Sent messages are recorded in `out`, and received messages in
/// `into`.
async fn duplex<L: Link<Error: Display>>(
    board: &'static str,
    (mut trigger, mut strobe): (impl Wait<Error = Infallible>, impl OutputPin),
    mut link: L,
    size: usize,
    report: SharedReport,
    (out, into): (Wires, Messages),
) {
    let mut sender = match Sender::<MAX_SIZE>::new(size) {
        Ok(sender) => sender,
        Err(error) => return stop(board, error.to_string(), &report),
    };
    let mut receiver = Receiver::<MAX_SIZE>::new();
    let (mut sent, mut taken_in) = (sender.sent(), receiver.received());
    loop {
        // A single wait spans several arriving messages, because an edge in transit through an
        // interrupt would be lost if the wait were dropped.
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
            report.borrow_mut().add((sent, taken_in), (now_sent, now_received));
            (sent, taken_in) = (now_sent, now_received);
            if let Err(cause) = outcome {
                return stop(board, cause, &report);
            }
        }
    }
}

/// Records the cause that stopped a board.
pub fn stop(board: &'static str, cause: String, report: &SharedReport) {
    report.borrow_mut().stopped = Some((board, cause));
}

/// Receives on the second board until the link breaks. Calls `deliver` with the sequence number of
/// every valid message.
fn sort_all(link: impl Opening, bench: &Bench, mut deliver: impl FnMut(u16) + 'static) {
    let report = bench.shared_report();
    bench.sim().spawn("receiver", async move {
        let Some(mut link) = opened("receiver", link, &report).await else { return };
        let stream = link.capability().stream;
        let mut buffer = vec![0; link.capability().mtu.max(MAX_SIZE)];
        let mut sorter = Sorter::<MAX_SIZE>::new();
        loop {
            match link.receive(&mut buffer).await {
                Ok(got) => sorter.sort(&buffer[..got], stream, &mut deliver),
                Err(error) => return stop("receiver", error.to_string(), &report),
            }
            report.borrow_mut().received = sorter.received();
        }
    });
}
