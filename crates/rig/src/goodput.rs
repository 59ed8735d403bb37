//! How much a link carries when its sender never waits for a trigger.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_drivers::nrf24::Role;
use airlag_link::Link;
use airlag_sim::{Duration, Instant, Simulation};

use crate::error::Error;
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

/// Sends full chunks for `duration`, one after the other.
pub fn goodput(profile: &Profile, seed: u64, duration: Duration) -> Result<Goodput, Error> {
    let setup = Setup::new(profile, 32)?;
    let bench = Simulation::new(seed);
    let air = Medium::new(&bench);
    let (sending, receiving) = stations(&setup, &bench, &air);
    let watch = Rc::new(RefCell::new(Watch {
        seen: Goodput::default(),
        first: Instant::START,
        stopped: None,
    }));

    let told = Rc::clone(&watch);
    let sim = bench.sim();
    bench.spawn("sender", async move {
        let stop = |cause| told.borrow_mut().stopped = Some(("sender", cause));
        let mut link = match sending.link(Role::Transmitter).await {
            Ok(link) => link,
            Err(cause) => return stop(cause),
        };
        // The receiver has to be listening before anything is sent.
        sim.sleep(Duration::from_ms(10)).await;
        let chunk = [0x5A; 32];
        let mtu = link.capability().mtu;
        loop {
            if let Err(error) = link.send(&chunk[..mtu]).await {
                return stop(error.to_string());
            }
        }
    });

    let told = Rc::clone(&watch);
    let sim = bench.sim();
    bench.spawn("receiver", async move {
        let stop = |cause| told.borrow_mut().stopped = Some(("receiver", cause));
        let mut link = match receiving.link(Role::Receiver).await {
            Ok(link) => link,
            Err(cause) => return stop(cause),
        };
        let mut buffer = [0; 32];
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

    bench.run_until(Instant::START + Duration::from_ms(200) + duration)?;
    let watch = watch.borrow();
    match &watch.stopped {
        Some((board, cause)) => Err(Error::Stopped { board, cause: cause.clone() }),
        None => Ok(Goodput { events: bench.events_fired(), ..watch.seen }),
    }
}
