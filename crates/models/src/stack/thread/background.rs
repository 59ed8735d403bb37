//! What other boards of a network send.

use std::rc::Rc;

use airlag_sim::Duration;

use super::station::Station;

/// When the datagrams of a stream are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrivals {
    /// Whenever: at times that do not depend on each other.
    Poisson,
    /// At equal distances, from a random time on.
    Periodic,
}

/// A stream of datagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Background {
    /// When they are handed over.
    pub arrivals: Arrivals,
    /// Octets of the payload of each.
    pub size: usize,
    /// From one to the next, on average.
    pub interval: Duration,
}

impl Station {
    /// Sends a stream to its peer for as long as the simulation, whatever becomes of it.
    pub fn send_background(self: &Rc<Self>, stream: Background) {
        let station = Rc::clone(self);
        let sim = station.board.sim().clone();
        let mut random = sim.stream(&format!("{}/traffic", station.board.name()));
        sim.clone().spawn(format!("{}/traffic", station.board.name()), async move {
            let payload = vec![0xA5; stream.size];
            let mut at = sim.now() + random.within(stream.interval);
            loop {
                at += match stream.arrivals {
                    Arrivals::Poisson => random.exponential(stream.interval),
                    Arrivals::Periodic => stream.interval,
                };
                sim.sleep_until(at).await;
                station.offer(&payload).await;
            }
        });
    }
}
