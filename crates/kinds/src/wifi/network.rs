//! Places a network on the air, and creates each board's port.

use std::rc::Rc;

use airlag_air::quantity::{Db, Dbm};
use airlag_air::{NodeId, Sense};
use airlag_link::airtime::wifi::{TIME_UNIT_NS, space_ns};
use airlag_models::mcu::Board;
use airlag_models::stack::ip::Port;
use airlag_models::stack::wifi::access::config::FAMILY;
use airlag_models::stack::wifi::frame::Address;
use airlag_models::stack::wifi::{
    AccessPoint, Competitor, EveryRate, Incident, PowerSave, Station, access, ap, station,
};
use airlag_sim::{Clock, Duration};

use super::parameters::{Network, Sleep, Where};
use crate::boards::rtos::phase_of;
use airlag_air::transmitter::{Access, Spectrum, Transmitter};
use airlag_rig::ends::Bench;
use airlag_rig::propagation::Hearing;

/// Addresses. The choice has no measurable effect.
const SENDER: Address = [0x24, 0x6F, 0x28, 0x2A, 0x69, 0xF1];
const RECEIVER: Address = [0x24, 0x6F, 0x28, 0x2A, 0x70, 0x05];
const SEPARATE: Address = [0x02, 0x00, 0x00, 0x00, 0x00, 0x01];

/// Returns the address of another pair on the air by its number. Number 0 is the link itself.
pub const fn of(address: Address, group: u16) -> Address {
    let [a, b, c, d, e, f] = address;
    let [high, low] = group.to_be_bytes();
    [a, b, c ^ high, d ^ low, e, f]
}

/// Response of an 802.11 radio to other signals: it detects frames of its own kind from -82 dBm on,
/// and energy from -62 dBm (IEEE Std 802.11-2012, 18.3.10.6).
pub const HEARING: Hearing =
    Hearing { family: FAMILY, harm: Db(0.0), sense: Sense { own: Dbm(-82.0), energy: Dbm(-62.0) } };

/// Carrier detection time: the maximum aCCATime of OFDM (IEEE Std 802.11-2012, table 18-17).
const CCA: Duration = Duration::from_us(4);

/// Name prefix of other stations on the network; a number follows.
const COMPETITOR: &str = "competitor";

impl Network {
    /// Regulatory properties of a radio of the network: 56 subcarriers of 312.5 kHz (IEEE Std
    /// 802.11-2012, 20.3.6), with carrier sense for the interframe space. `None` for a competitor.
    pub(crate) fn transmitter(&self, node: &str) -> Option<Transmitter> {
        if node.starts_with(COMPETITOR) {
            return None;
        }
        let (power_dbm, gain_dbi) = self.propagation.radiates();
        let spectrum = Spectrum::even(56.0 * 312.5);
        let access = Access::Listens((space_ns(self.aifsn, self.slot_ns()) / 1_000) as u32);
        Some(Transmitter { power_dbm, gain_dbi, spectrum, hopping: None, access })
    }

    /// Creates the ports of two boards that send packets of up to `mtu` bytes over this network.
    pub fn ports(
        &self,
        bench: &Bench,
        [near, far]: [&Board; 2],
        modes: [Option<PowerSave>; 2],
        mtu: usize,
    ) -> [Rc<dyn Port>; 2] {
        let group = bench.place().group;
        let [sender, receiver, separate] =
            [SENDER, RECEIVER, SEPARATE].map(|address| of(address, group));
        let point = match self.access_point {
            Where::Separate => separate,
            Where::Sender => sender,
            Where::Receiver => receiver,
        };
        let stations: Vec<Address> =
            [sender, receiver].into_iter().filter(|&address| address != point).collect();
        let number = |address| stations.iter().position(|&one| one == address).unwrap_or(0) + 1;
        let named = |board: &Board| format!("{} radio", board.name());
        let station = |board: &Board, address, peer| {
            let power_save = modes[usize::from(address == receiver)];
            let config = station::Config {
                access: self.access(address),
                access_point: point,
                association: number(address) as u8,
                peer,
                rate: self.rate(),
                mtu,
                queue: self.station_queue,
                power_save,
            };
            let name = named(board);
            let station = Station::new(bench.air(), &name, bench.sim(), *board.clock(), config);
            station.observe(incidents(bench));
            station
        };
        let config = ap::Config {
            access: self.access(point),
            stations: stations.clone(),
            rate: self.rate(),
            beacon_interval_tu: self.beacon_interval,
            dtim_period: self.dtim_period,
            forward: self.forward,
            forward_jitter: self.forward_jitter,
            queue: self.access_point_queue,
            mtu,
        };
        let clock = self.access_point_clock(bench);
        let host = |name: &str| {
            let host = AccessPoint::new(bench.air(), name, bench.sim(), clock, config.clone());
            host.observe(incidents(bench));
            host
        };
        let (nodes, ports): (Vec<NodeId>, [Rc<dyn Port>; 2]) = match self.access_point {
            Where::Separate => {
                let one = station(near, sender, receiver);
                let other = station(far, receiver, sender);
                let between = host("access point radio");
                let nodes = vec![one.id(), between.id(), other.id()];
                // The network is kept alive here, because the medium has only weak references to
                // its radios.
                bench.keep(between);
                (nodes, [one, other])
            }
            Where::Sender => {
                let (one, other) = (host(&named(near)), station(far, receiver, sender));
                (vec![one.id(), other.id()], [one, other])
            }
            Where::Receiver => {
                let (one, other) = (station(near, sender, receiver), host(&named(far)));
                (vec![one.id(), other.id()], [one, other])
            }
        };
        for pair in nodes.windows(2) {
            let ends = [pair[0], pair[1]];
            self.losses.apply(bench.air(), ends);
            self.propagation.apply(bench, ends, EveryRate, HEARING);
        }
        for nth in 1..=self.competitors {
            let address = [0x02, 0, 0, 0, 1, nth];
            let name = format!("{COMPETITOR} {nth}");
            let traffic = (point, self.rate(), self.competitor_size);
            let access = self.access(address);
            bench.keep(Competitor::new(bench.air(), &name, bench.sim(), access, traffic));
        }
        ports
    }

    /// Whether the access point is at `place`.
    pub(super) fn is_point(&self, place: Where) -> bool {
        self.access_point == place
    }

    /// Beacons are due at multiples of their interval on this clock.
    fn access_point_clock(&self, bench: &Bench) -> Clock {
        let interval = Duration::from_ns(u64::from(self.beacon_interval) * TIME_UNIT_NS);
        let phase = phase_of(bench.sim(), "beacon phase", self.beacon_phase, interval);
        Clock::exact().with_ppb(self.access_point_ppb.0).with_offset_ns(-(phase.as_ns() as i64))
    }

    fn access(&self, address: Address) -> access::Config {
        access::Config {
            address,
            channel: self.channel,
            slot: Duration::from_ns(self.slot_ns()),
            space_slots: self.aifsn,
            cca: CCA,
            cw_min: self.cw_min,
            cw_max: self.cw_max,
            max_retries: self.retries,
            unreadable: None,
        }
    }
}

impl Sleep {
    /// Power save mode of a station.
    #[must_use]
    pub fn mode(&self) -> Option<PowerSave> {
        self.power_save.then_some(PowerSave {
            wake_ahead: self.wake_ahead,
            beacon_wait: self.beacon_wait,
            fetch: self.fetch,
            active: self.active,
            missed: self.missed_beacons,
        })
    }
}

fn incidents(bench: &Bench) -> impl Fn(Incident) + 'static {
    let happened = bench.incidents();
    move |incident| happened(incident.name())
}
