//! How much a link carries when its sender never waits for a trigger.

use std::cell::RefCell;
use std::fmt::Display;
use std::future::Future;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_drivers::nrf24::Role;
use airlag_link::Link;
use airlag_sim::{Duration, Instant, Simulation};

use crate::ble;
use crate::error::Error;
use crate::kind::Kind;
use crate::nrf24::{Setup, stations};
use crate::profile::Profile;

/// What came through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Goodput {
    /// Chunks received.
    pub chunks: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// From the first chunk received to the last, ns.
    pub elapsed_ns: u64,
    /// Events the simulation fired.
    pub events: u64,
}

impl Goodput {
    /// User data in kilobits a second.
    #[must_use]
    pub fn kbps(&self) -> f64 {
        // The first chunk only starts the watch.
        let counted =
            self.bytes as f64 * (self.chunks.saturating_sub(1)) as f64 / self.chunks as f64;
        counted * 8e6 / self.elapsed_ns as f64
    }
}

struct Watch {
    seen: Goodput,
    first: Instant,
    stopped: Option<(&'static str, String)>,
}

/// Sends full chunks for `duration`, one after the other, over a link that has a goodput of its own:
/// nRF24 and Bluetooth LE.
pub fn goodput(profile: &Profile, seed: u64, duration: Duration) -> Result<Goodput, Error> {
    let bench = Simulation::new(seed);
    let air = Medium::new(&bench);
    if profile.kind == Kind::Ble {
        let ends = ble::ends(&ble::Setup::new(profile)?, &bench, &air, |_| {});
        return carry(&bench, ends.sender.set_up(), ends.receiver.set_up(), SET_UP, duration);
    }
    let (sending, receiving) = stations(&Setup::new(profile, 32)?, &bench, &air);
    let sender = async move { sending.link(Role::Transmitter).await };
    let receiver = async move { receiving.link(Role::Receiver).await };
    carry(&bench, sender, receiver, Duration::from_ms(10), duration)
}

/// Longest time two hosts take to find each other's service, at the longest usual interval.
const SET_UP: Duration = Duration::from_secs(5);

/// Sends from one link to the other once `set_up` has passed.
fn carry<S, R>(
    bench: &Simulation,
    sender: impl Future<Output = Result<S, String>> + 'static,
    receiver: impl Future<Output = Result<R, String>> + 'static,
    set_up: Duration,
    duration: Duration,
) -> Result<Goodput, Error>
where
    S: Link<Error: Display> + 'static,
    R: Link<Error: Display> + 'static,
{
    let watch = Rc::new(RefCell::new(Watch {
        seen: Goodput::default(),
        first: Instant::START,
        stopped: None,
    }));

    let told = Rc::clone(&watch);
    let sim = bench.sim();
    bench.spawn("sender", async move {
        let stop = |cause| told.borrow_mut().stopped = Some(("sender", cause));
        let mut link = match sender.await {
            Ok(link) => link,
            Err(cause) => return stop(cause),
        };
        // The receiver has to be listening before anything is sent.
        sim.sleep_until(Instant::START + set_up).await;
        let chunk = vec![0x5A; link.capability().mtu];
        loop {
            if let Err(error) = link.send(&chunk).await {
                return stop(error.to_string());
            }
        }
    });

    let told = Rc::clone(&watch);
    let sim = bench.sim();
    bench.spawn("receiver", async move {
        let stop = |cause| told.borrow_mut().stopped = Some(("receiver", cause));
        let mut link = match receiver.await {
            Ok(link) => link,
            Err(cause) => return stop(cause),
        };
        let mut buffer = vec![0; link.capability().mtu];
        loop {
            match link.receive(&mut buffer).await {
                Err(error) => return stop(error.to_string()),
                Ok(got) => {
                    let mut watch = told.borrow_mut();
                    if watch.seen.chunks == 0 {
                        watch.first = sim.now();
                    }
                    watch.seen.chunks += 1;
                    watch.seen.bytes += got as u64;
                    watch.seen.elapsed_ns = sim.now().since(watch.first).as_ns();
                }
            }
        }
    });

    bench.run_until(Instant::START + set_up + duration)?;
    let watch = watch.borrow();
    match &watch.stopped {
        Some((board, cause)) => Err(Error::Stopped { board, cause: cause.clone() }),
        None => Ok(Goodput { events: bench.events_fired(), ..watch.seen }),
    }
}
