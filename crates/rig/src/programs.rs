//! The two programs every bench of a link runs: `app`'s sender on one board, its receiver on the
//! other, each on whatever implements [`Link`].

use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt::Display;
use std::future::Future;
use std::rc::Rc;

use airlag_app::{Receiver, Sender};
use airlag_link::Link;
use airlag_sim::Sim;
use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;

use crate::run::{MAX_SIZE, Report};

/// What both programs write to and the bench reads.
pub(crate) type Told = Rc<RefCell<Report>>;

/// Starts the sending board's program: sets the link up, then sends a message of `size` bytes at
/// every rising edge of `trigger`.
pub(crate) fn send<T, L, E>(
    sim: &Sim,
    told: &Told,
    size: usize,
    mut trigger: T,
    link: impl Future<Output = Result<L, E>> + 'static,
) where
    T: Wait<Error = Infallible> + 'static,
    L: Link + 'static,
    E: Display + 'static,
{
    let told = Rc::clone(told);
    sim.spawn("sender", async move {
        let stop = |cause: String| told.borrow_mut().stopped = Some(("sender", cause));
        let mut link = match link.await {
            Ok(link) => link,
            Err(cause) => return stop(cause.to_string()),
        };
        let mut sender = match Sender::<MAX_SIZE>::new(size) {
            Ok(sender) => sender,
            Err(error) => return stop(error.to_string()),
        };
        told.borrow_mut().ready += 1;
        loop {
            let Ok(()) = trigger.wait_for_rising_edge().await;
            let outcome = sender.send::<_, Infallible>(&mut link).await;
            told.borrow_mut().sent = sender.sent();
            if let Err(error) = outcome {
                return stop(error.to_string());
            }
        }
    });
}

/// Starts the receiving board's program: sets the link up, then drives `strobe` for every message
/// that is right.
pub(crate) fn receive<S, L, E>(
    sim: &Sim,
    told: &Told,
    mut strobe: S,
    link: impl Future<Output = Result<L, E>> + 'static,
) where
    S: OutputPin + 'static,
    L: Link + 'static,
    E: Display + 'static,
{
    let told = Rc::clone(told);
    sim.spawn("receiver", async move {
        let stop = |cause: String| told.borrow_mut().stopped = Some(("receiver", cause));
        let mut link = match link.await {
            Ok(link) => link,
            Err(cause) => return stop(cause.to_string()),
        };
        let mut receiver = Receiver::<MAX_SIZE>::new();
        told.borrow_mut().ready += 1;
        loop {
            let outcome = receiver.step(&mut link, &mut strobe).await;
            told.borrow_mut().received = receiver.received();
            if let Err(error) = outcome {
                return stop(error.to_string());
            }
        }
    });
}
