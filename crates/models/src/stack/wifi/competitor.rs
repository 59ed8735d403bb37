//! A station with a permanent backlog, sending to the wired network behind its access point.

use std::rc::{Rc, Weak};

use airlag_air::{Medium, NodeId};
use airlag_link::airtime::wifi::Rate;
use airlag_sim::{Clock, Sim};

use super::access::{self, Access, Outcome, Outgoing, Upper};
use super::frame::{Address, Data, Way};
use super::slices;
use crate::stack::ip::udp;

/// A wired destination behind the access point.
pub(super) const WIRED: Address = [0x02, 0, 0, 0, 0, 0xFE];

/// A saturated station.
pub struct Competitor {
    access: Rc<Access>,
    rate: Rate,
    mpdu: Vec<u8>,
}

impl Competitor {
    /// Creates a station called `name` on `medium` that sends packets of `size` bytes to
    /// `access_point`, one after the other.
    #[must_use]
    pub fn new(
        medium: &Medium,
        name: &str,
        sim: &Sim,
        config: access::Config,
        (access_point, rate, size): (Address, Rate, usize),
    ) -> Rc<Self> {
        let access = Access::new(medium, name, sim, Clock::exact(), config);
        let mpdu = mpdu(config.address, access_point, size);
        let competitor = Rc::new(Self { access, rate, mpdu });
        let this: Weak<dyn Upper> = Rc::<Self>::downgrade(&competitor);
        competitor.access.serve(this);
        competitor.next();
        competitor
    }

    /// Node on the medium.
    #[must_use]
    pub fn id(&self) -> NodeId {
        self.access.id()
    }

    fn next(&self) {
        self.access.ask(Outgoing {
            mpdu: self.mpdu.clone(),
            rate: self.rate,
            retry_rate: self.rate,
            beacon: false,
            slice: &slices::TRANSMIT,
            token: 0,
        });
    }
}

/// Frame without FCS that carries a packet of `size` bytes to the wired network.
pub(super) fn mpdu(from: Address, access_point: Address, size: usize) -> Vec<u8> {
    let packet = udp::discarded([from[5].wrapping_add(100), 254], size);
    let data = Data {
        way: Way::Up,
        receiver: access_point,
        transmitter: from,
        end: WIRED,
        sleeps: false,
        more: false,
        packet: Some(&packet),
    };
    data.to_vec()
}

impl Upper for Competitor {
    fn finished(&self, _: u64, _: Option<Outcome>) {
        self.next();
    }

    fn received(&self, _: &[u8]) {}
}

#[cfg(test)]
mod tests;
