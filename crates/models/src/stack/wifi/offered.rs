//! A station with Poisson traffic to the wired network behind its access point, which uses a share
//! of the airtime.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId};
use airlag_link::airtime::wifi::Rate;
use airlag_sim::{Clock, Duration, Sim, Stream, Timed, Timers};

use super::access::{self, Access, Counts, Outcome, Outgoing, Upper};
use super::competitor::mpdu;
use super::frame::{Address, FCS_LEN};
use super::slices;

/// Length of the queue for transmission, packets. Packets beyond it are dropped, as by a driver.
const ROOM: usize = 64;

/// Packet sizes, bytes, with their frequencies out of twelve: the mix that router testers call IMIX
/// (named in RFC 6985, section 1; its 7:4:1 is common usage).
const MIX: [(usize, u64); 3] = [(40, 7), (576, 4), (1_500, 1)];

/// A station with Poisson traffic.
pub struct Offered {
    timers: Timers,
    access: Rc<Access>,
    access_point: Address,
    rate: Rate,
    gap: Duration,
    stream: RefCell<Stream>,
    waiting: Cell<usize>,
}

impl Offered {
    /// Creates a station called `name` on `medium` whose frames and acknowledgements occupy `share`
    /// of the airtime, as far as contention allows.
    #[must_use]
    pub fn new(
        medium: &Medium,
        name: &str,
        sim: &Sim,
        config: access::Config,
        (access_point, rate, share): (Address, Rate, f64),
    ) -> Rc<Self> {
        let access = Access::new(medium, name, sim, Clock::exact(), config);
        let offered = Rc::new_cyclic(|this| Self {
            timers: sim.timers(this),
            access,
            access_point,
            rate,
            gap: gap(config.address, access_point, rate, share),
            stream: RefCell::new(sim.stream(&format!("{name}/traffic"))),
            waiting: Cell::new(0),
        });
        let upper: Weak<Self> = Rc::downgrade(&offered);
        offered.access.serve(upper);
        offered.await_next();
        offered
    }

    /// Node on the medium.
    #[must_use]
    pub fn id(&self) -> NodeId {
        self.access.id()
    }

    /// Counters of its radio.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.access.counts()
    }

    fn await_next(&self) {
        let now = self.access.sim().now();
        self.timers.set(now + self.stream.borrow_mut().exponential(self.gap), 0);
    }

    fn offer(&self) {
        let all = MIX.iter().map(|&(_, weight)| weight).sum();
        let mut drawn = self.stream.borrow_mut().below(all);
        let size = MIX.iter().find(|&&(_, weight)| {
            let found = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            found
        });
        let Some(&(size, _)) = size.filter(|_| self.waiting.get() < ROOM) else { return };
        self.waiting.set(self.waiting.get() + 1);
        self.access.ask(Outgoing {
            mpdu: mpdu(self.access.config().address, self.access_point, size),
            rate: self.rate,
            retry_rate: self.rate,
            beacon: false,
            slice: &slices::TRANSMIT,
            token: 0,
        });
    }
}

/// Mean interval between packets.
fn gap(from: Address, access_point: Address, rate: Rate, share: f64) -> Duration {
    let (mut on_air, mut weights) = (0, 0);
    for (size, weight) in MIX {
        let frame = rate.duration_ns(mpdu(from, access_point, size).len() + FCS_LEN);
        on_air += weight * (frame + rate.ack_ns());
        weights += weight;
    }
    let mean = on_air as f64 / weights as f64;
    Duration::from_ns((mean / share.clamp(1e-4, 1.0)) as u64)
}

impl Timed for Offered {
    fn due(self: Rc<Self>, _: u64) {
        self.offer();
        self.await_next();
    }
}

impl Upper for Offered {
    fn finished(&self, _: u64, _: Option<Outcome>) {
        self.waiting.set(self.waiting.get().saturating_sub(1));
    }

    fn received(&self, _: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use airlag_sim::{Instant, Simulation};

    use super::*;

    const POINT: Address = [2, 0, 0, 0, 0, 1];
    const STATION: Address = [2, 0, 0, 0, 0, 2];

    fn config(address: Address) -> access::Config {
        access::Config {
            address,
            channel: 6,
            slot: Duration::from_us(9),
            space_slots: 2,
            cca: Duration::from_us(4),
            cw_min: 15,
            cw_max: 1_023,
            max_retries: 6,
            unreadable: None,
        }
    }

    #[test]
    fn frames_are_on_the_air_for_the_share_asked_for() {
        for share in [0.05, 0.3, 0.6] {
            let time = Simulation::new(1);
            let air = Medium::new(&time);
            let on_air = Rc::new(Cell::new(0));
            let on_air_ns = Rc::clone(&on_air);
            air.tap(move |frame, _| {
                on_air_ns.set(on_air_ns.get() + frame.end.since(frame.begin).as_ns())
            });
            let point = Access::new(&air, "point", &time, Clock::exact(), config(POINT));
            let traffic = (POINT, Rate::Ofdm24, share);
            let station = Offered::new(&air, "station", &time, config(STATION), traffic);
            time.run_until(Instant::START + Duration::from_secs(20)).expect("no storm");
            let found = on_air.get() as f64 / 20e9;
            assert!((found / share - 1.0).abs() < 0.03, "{found} of {share}");
            assert_eq!(point.counts().received, station.counts().acknowledged);
        }
    }
}
