//! Traffic of other boards of a network.

use std::rc::Rc;

use airlag_sim::Duration;

use super::station::Station;

/// Arrival process of datagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrivals {
    /// Poisson arrivals.
    Poisson,
    /// Periodic, with a random phase.
    Periodic,
}

/// A stream of datagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Background {
    /// Arrival process.
    pub arrivals: Arrivals,
    /// Payload size, octets.
    pub size: usize,
    /// Mean interval between datagrams.
    pub interval: Duration,
}

impl Station {
    /// Sends a stream to the station's peer until the end of the simulation, regardless of losses.
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
