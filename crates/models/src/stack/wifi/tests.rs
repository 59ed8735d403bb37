//! An access point with two stations, frame by frame.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use airlag_air::{Independent, Medium};
use airlag_link::airtime::wifi::{GuardInterval, Mcs, Rate, TIME_UNIT_NS};
use airlag_sim::{Clock, Duration, Instant, Simulation};

use super::frame::{Address, DATA_OVERHEAD, Frame, Way};
use super::*;
use crate::stack::ip::{Port, PortUser};

const POINT: Address = [2, 0, 0, 0, 0, 1];
const ONE: Address = [2, 0, 0, 0, 0, 2];
const OTHER: Address = [2, 0, 0, 0, 0, 3];
const FORWARD: Duration = Duration::from_us(100);

fn rate() -> Rate {
    Rate::Ht(Mcs::new(7).expect("it is below 8"), GuardInterval::Long)
}

fn radio(address: Address) -> access::Config {
    access::Config {
        address,
        channel: 6,
        slot: Duration::from_us(9),
        space_slots: 3,
        cca: Duration::from_us(4),
        cw_min: 15,
        cw_max: 1_023,
        max_retries: 7,
        unreadable: None,
    }
}

struct User {
    time: airlag_sim::Sim,
    got: RefCell<Vec<(u64, Vec<u8>)>>,
}

impl PortUser for User {
    fn arrived(&self, packet: &[u8]) {
        self.got.borrow_mut().push((self.time.now().as_ns(), packet.to_vec()));
    }

    fn has_room(&self) {}
}

/// All frames: begin, and bytes.
type Seen = Rc<RefCell<Vec<(u64, Rc<[u8]>)>>>;

struct Network {
    time: Simulation,
    air: Medium,
    _point: Rc<AccessPoint>,
    one: Rc<Station>,
    other: Rc<Station>,
    user: Rc<User>,
    seen: Seen,
}

impl Network {
    fn new(power_save: Option<PowerSave>) -> Self {
        let time = Simulation::new(1);
        let air = Medium::new(&time);
        let seen = Seen::default();
        let keep = Rc::clone(&seen);
        air.tap(move |frame, _| {
            keep.borrow_mut().push((frame.begin.as_ns(), Rc::clone(&frame.bytes)));
        });
        let config = ap::Config {
            access: radio(POINT),
            stations: vec![ONE, OTHER],
            rate: rate(),
            beacon_interval_tu: 100,
            dtim_period: 1,
            forward: FORWARD,
            forward_jitter: Duration::ZERO,
            queue: 8,
            mtu: 1_500,
        };
        let point = AccessPoint::new(&air, "point", &time, Clock::exact(), config);
        let station = |name: &str, address, peer, association| {
            let config = station::Config {
                access: radio(address),
                access_point: POINT,
                association,
                peer,
                rate: rate(),
                mtu: 1_500,
                queue: 8,
                power_save,
            };
            Station::new(&air, name, &time, Clock::exact(), config)
        };
        let (one, other) = (station("one", ONE, OTHER, 1), station("other", OTHER, ONE, 2));
        let user = Rc::new(User { time: time.sim(), got: RefCell::default() });
        let user_port: Rc<dyn PortUser> = Rc::<User>::clone(&user);
        other.attach(Rc::downgrade(&user_port));
        Self { air, _point: point, one, other, user, seen, time }
    }

    fn send_at(&self, at: Instant, packet: &'static [u8]) {
        let one = Rc::clone(&self.one);
        self.time.at(at, move || one.send(packet.to_vec()));
    }

    fn run(&self, until: Duration) -> Vec<(u64, Vec<u8>)> {
        self.time.run_until(Instant::START + until).expect("no livelock");
        self.user.got.take()
    }
}

fn ms(ms: u64) -> Duration {
    Duration::from_ms(ms)
}

const SAVE: PowerSave = PowerSave {
    wake_ahead: Duration::from_ms(2),
    beacon_wait: Duration::from_ms(10),
    fetch: Duration::from_ms(16),
    active: Duration::from_ms(50),
    missed: 0.0,
};

#[test]
fn a_packet_is_on_the_air_twice_with_its_acknowledgements() {
    let network = Network::new(None);
    network.send_at(Instant::START + ms(20), b"hello");
    let got = network.run(ms(100));
    // Without a queue, the frame takes an interframe space of 37 us and its airtime. SIFS of 10 us
    // and an acknowledgement of 34 us follow while the packet is forwarded, and then a backoff
    // because the medium was not idle long enough.
    let air = rate().duration_ns(5 + DATA_OVERHEAD);
    let [(at, packet)] = &got[..] else { panic!("one packet: {got:?}") };
    assert_eq!(packet, b"hello");
    let relayed = 20_000_000 + air + FORWARD.as_ns();
    assert!((relayed + air..relayed + air + 250_000).contains(at), "{at}");
    let seen = network.seen.borrow();
    let ways: Vec<_> = seen
        .iter()
        .filter_map(|(_, mpdu)| match frame::read(mpdu) {
            Some(Frame::Data(data)) => Some((data.way, data.transmitter, data.end)),
            _ => None,
        })
        .collect();
    assert_eq!(ways, [(Way::Up, ONE, OTHER), (Way::Down, POINT, ONE)]);
    assert_eq!(seen.len(), 4, "two acknowledgements");
    assert_eq!(network.one.counts().acknowledged, 1);
}

#[test]
fn a_copy_is_acknowledged_and_goes_no_further() {
    let network = Network::new(None);
    // Half of the frames from the access point to the first station, which are acknowledgements,
    // are lost.
    network.air.set_loss(network._point.id(), network.one.id(), Independent { probability: 0.5 });
    for nth in 0..40 {
        network.send_at(Instant::START + ms(5 + 2 * nth), b"hello");
    }
    let got = network.run(ms(300));
    let lost = network.one.counts().failed as usize;
    assert!(got.len() >= 40 - lost && got.len() <= 40, "{} came", got.len());
    assert!(network._point.counts().duplicates > 5, "{:?}", network._point.counts());
}

#[test]
fn a_packet_waits_a_beacon_interval_for_each_beacon_that_a_sleeping_station_misses() {
    let network = Network::new(Some(PowerSave { missed: 0.2, ..SAVE }));
    let interval = 100 * TIME_UNIT_NS;
    let count = 400;
    for nth in 1..=count {
        network.send_at(Instant::from_ns(interval * 20 * nth) + ms(50), b"hello");
    }
    let got = network.run(Duration::from_ns(interval * 20 * (count + 1)));
    assert_eq!(got.len() as u64, count);
    let mut waits = [0_u64; 4];
    for (at, _) in &got {
        let (beacon, behind) = (at % (interval * 20) / interval, at % interval);
        assert!((17_400_000..18_500_000).contains(&behind), "{behind} ns behind its beacon");
        waits[(beacon as usize - 1).min(3)] += 1;
    }
    // The distribution is geometric: of 400 messages, 320, 64 and 12.8 wait for no, one and two
    // further beacons, within four standard deviations.
    assert!((288..=352).contains(&waits[0]), "{waits:?}");
    assert!((35..=93).contains(&waits[1]) && (1..=27).contains(&waits[2]), "{waits:?}");
}

#[test]
fn a_sleeping_station_gets_its_packet_after_the_next_beacon() {
    let network = Network::new(Some(SAVE));
    let interval = 100 * TIME_UNIT_NS;
    for late_ms in [10, 40, 70, 95] {
        // The messages are so far apart that both stations sleep again in between.
        let beacon = 5 + late_ms / 10;
        let at = Instant::from_ns(interval * beacon) + ms(late_ms);
        network.send_at(at, b"hello");
    }
    let got = network.run(Duration::from_secs(2));
    assert_eq!(got.len(), 4, "{got:?}");
    for (at, _) in got {
        // The delay consists of the beacon, 16 ms, a null frame and the packet.
        let behind = at % interval;
        assert!((17_400_000..18_500_000).contains(&behind), "{behind} ns behind its beacon");
    }
    let nulls = |sleeps: bool| {
        // A retry announces nothing new (8.2.4.1.6).
        let is = |mpdu: &[u8]| match frame::read(mpdu) {
            Some(Frame::Data(data)) if mpdu[1] & 0x08 == 0 => {
                data.packet.is_none() && data.transmitter == OTHER && data.sleeps == sleeps
            }
            _ => false,
        };
        network.seen.borrow().iter().filter(|(_, mpdu)| is(mpdu)).count()
    };
    assert_eq!((nulls(false), nulls(true)), (4, 5), "it asks, and goes to sleep again");
    assert_eq!(network.other.counts().received, 4);
}

#[test]
fn a_packet_that_comes_while_its_station_is_awake_does_not_wait() {
    let network = Network::new(Some(SAVE));
    let first = Instant::from_ns(100 * TIME_UNIT_NS * 5) + ms(90);
    network.send_at(first, b"hello");
    // The beacon is due at 102.4 ms and the packet delivered 18 ms later; from then on the station
    // is awake for 50 ms.
    network.send_at(first + ms(60), b"again");
    let got = network.run(Duration::from_secs(2));
    let late = got[1].0 - (first + ms(60)).as_ns();
    assert!(late < 1_000_000, "{late} ns");
}

#[test]
fn competitors_leave_a_station_its_share() {
    let network = Network::new(None);
    let traffic = (POINT, rate(), 1_000);
    let one = [2, 0, 0, 0, 1, 1];
    let _competitor =
        Competitor::new(&network.air, "competitor", &network.time, radio(one), traffic);
    for nth in 0..40 {
        network.send_at(Instant::START + ms(5 + 2 * nth), b"hello");
    }
    assert_eq!(network.run(ms(100)).len(), 40);
    let busy = network.seen.borrow().len();
    assert!(busy > 500, "{busy} frames");
    let weak: Weak<dyn Port> = Rc::<Station>::downgrade(&network.one) as Weak<dyn Port>;
    assert_eq!(weak.upgrade().map(|port| port.room()), Some(8));
}
