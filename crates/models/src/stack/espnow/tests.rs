//! Rules of the standard, one per test. Times are for 1 Mbit/s: an octet lasts 8 us after a
//! preamble of 192 us.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Independent, Medium, Modulation, Verdict};
use airlag_link::Link;
use airlag_link::airtime::wifi::Rate;
use airlag_sim::{Clock, Duration, Instant, Simulation};
use proptest::prelude::*;

use super::*;
use crate::mcu::Board;
use crate::stack::wifi::frame as mac;

const DIFS: u64 = 50_000;
const SIFS: u64 = 10_000;
const SLOT: u64 = 20_000;
const ACK: u64 = 304_000;
/// A frame with 12 bytes of body.
const FRAME: u64 = 632_000;

fn address(number: u8) -> Address {
    [0x24, 0x6F, 0x28, 0, 0, number]
}

/// A station that sends to number 0.
fn station(number: u8) -> Config {
    Config {
        address: address(number),
        peer: address(0),
        channel: 6,
        rate: Rate::Dsss1,
        fallback: None,
        format: frame::Format { version: 1, encrypted: false },
        space_slots: 2,
        cw_min: 31,
        cw_max: 1_023,
        max_retries: 7,
        beacons: None,
        receive_queue: 6,
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Seen {
    begin: u64,
    end: u64,
    mpdu: Vec<u8>,
    whole: bool,
}

impl Seen {
    fn is_ack(&self) -> bool {
        matches!(mac::read(&self.mpdu), Some(mac::Frame::Ack(_)))
    }

    fn is_beacon(&self) -> bool {
        matches!(mac::read(&self.mpdu), Some(mac::Frame::Beacon(..)))
    }
}

struct Air {
    bench: Simulation,
    medium: Medium,
    seen: Rc<RefCell<Vec<Seen>>>,
}

type Log = Rc<RefCell<Vec<(Outcome, u64)>>>;

impl Air {
    fn new(seed: u64) -> Self {
        let bench = Simulation::new(seed);
        let medium = Medium::new(&bench);
        let seen = Rc::new(RefCell::new(Vec::new()));
        let kept = Rc::clone(&seen);
        medium.tap(move |frame, verdict| {
            kept.borrow_mut().push(Seen {
                begin: frame.begin.as_ns(),
                end: frame.end.as_ns(),
                mpdu: frame.bytes.to_vec(),
                whole: verdict == Verdict::Whole,
            });
        });
        Self { bench, medium, seen }
    }

    fn station(&self, config: Config) -> Rc<Station> {
        let name = format!("station {}", config.address[5]);
        Station::new(&self.medium, &name, &self.bench, Clock::exact(), config)
    }

    fn link(&self, station: &Rc<Station>) -> EspNow {
        let board = Board::new(&self.bench, "board", Clock::exact());
        EspNow::new(station, &board, Host::default(), 250)
    }

    fn send(&self, station: &Rc<Station>, at: u64, bodies: Vec<Vec<u8>>) -> Log {
        let (mut link, sim) = (self.link(station), self.bench.sim());
        let log = Log::default();
        let tell = Rc::clone(&log);
        self.bench.spawn("sender", async move {
            sim.sleep_until(Instant::from_ns(at)).await;
            for body in bodies {
                let outcome = link.transmit(&body).await.expect("it fits");
                let outcome = outcome.expect("it goes to one station");
                tell.borrow_mut().push((outcome, sim.now().as_ns()));
            }
        });
        log
    }

    fn receive(&self, station: &Rc<Station>) -> Rc<RefCell<Vec<Vec<u8>>>> {
        let mut link = self.link(station);
        let got = Rc::new(RefCell::new(Vec::new()));
        let keep = Rc::clone(&got);
        self.bench.spawn("receiver", async move {
            let mut buffer = [0; 250];
            loop {
                let len = link.receive(&mut buffer).await.expect("infallible");
                keep.borrow_mut().push(buffer[..len].to_vec());
            }
        });
        got
    }

    /// Occupies the channel with another signal for a given time.
    fn occupy(&self, from: u64, until: u64) {
        let node = self.medium.join("oven");
        let (medium, band) = (self.medium.clone(), station(0).band());
        let modulation = Modulation { family: "oven", setting: 0 };
        self.bench.at(Instant::from_ns(from), move || {
            medium.send(node, band, modulation, Instant::from_ns(until), Rc::from([]));
        });
    }

    fn run(&self) -> Vec<Seen> {
        self.run_until(Instant::from_ns(100_000_000_000))
    }

    fn run_until(&self, end: Instant) -> Vec<Seen> {
        self.bench.run_until(end).expect("no livelock");
        self.seen.take()
    }
}

fn outcomes(log: &RefCell<Vec<(Outcome, u64)>>) -> Vec<Outcome> {
    log.borrow().iter().map(|&(outcome, _)| outcome).collect()
}

#[test]
fn on_an_idle_medium_a_frame_goes_out_at_once() {
    let air = Air::new(1);
    let (one, _other) = (air.station(station(1)), air.station(station(0)));
    let log = air.send(&one, 1_000_000, vec![vec![7; 12]]);
    let seen = air.run();
    assert_eq!((seen[0].begin, seen[0].end), (1_000_000, 1_000_000 + FRAME));
    assert_eq!(one.counts().deferrals, 0);
    assert_eq!(outcomes(&log), [Outcome::Acknowledged]);
}

#[test]
fn an_acknowledgement_follows_after_sifs_and_ends_the_exchange() {
    let air = Air::new(1);
    let (one, _other) = (air.station(station(1)), air.station(station(0)));
    let log = air.send(&one, 1_000_000, vec![vec![7; 12]]);
    let seen = air.run();
    assert_eq!((seen[1].begin, seen[1].end), (seen[0].end + SIFS, seen[0].end + SIFS + ACK));
    assert_eq!(seen[1].mpdu, *mac::ack(address(1)));
    assert_eq!(log.borrow()[0].1, seen[1].end);
}

#[test]
fn shortly_after_a_frame_only_the_interframe_space_is_waited_for() {
    let air = Air::new(1);
    let one = air.station(station(1));
    let _other = air.station(station(0));
    let third = air.station(station(2));
    air.send(&one, 1_000_000, vec![vec![7; 12]]);
    let asked = 1_000_000 + FRAME + SIFS + ACK + 20_000;
    air.send(&third, asked, vec![vec![7; 12]]);
    let seen = air.run();
    assert_eq!(seen[2].begin, seen[1].end + DIFS);
    assert_eq!(third.counts().deferrals, 0);
}

#[test]
fn a_busy_medium_is_followed_by_up_to_31_slots_each_as_likely() {
    let mut drawn = [0; 32];
    for seed in 0..640 {
        let air = Air::new(seed);
        let (one, _other) = (air.station(station(1)), air.station(station(0)));
        let third = air.station(station(2));
        air.send(&third, 1_000_000, vec![vec![7; 12]]);
        air.send(&one, 1_100_000, vec![vec![7; 12]]);
        let seen = air.run();
        let wait = seen[2].begin - seen[1].end - DIFS;
        assert_eq!(wait % SLOT, 0);
        drawn[(wait / SLOT) as usize] += 1;
    }
    // The expected count is 20 each; the probability that one of 32 is below 4 or above 45 is less
    // than 1/1000.
    assert!(drawn.iter().all(|count| (4..=45).contains(count)), "{drawn:?}");
}

#[test]
fn after_a_frame_nobody_can_read_the_longer_space_is_kept() {
    let air = Air::new(1);
    let (one, _other) = (air.station(Config { cw_min: 0, ..station(1) }), air.station(station(0)));
    air.occupy(1_000_000, 2_000_000);
    air.send(&one, 1_500_000, vec![vec![7; 12]]);
    let seen = air.run();
    // SIFS, an acknowledgement at 1 Mbit/s, DIFS.
    assert_eq!(seen[1].begin, 2_000_000 + SIFS + ACK + DIFS);
}

#[test]
fn slots_stop_while_the_medium_is_busy_and_go_on_afterwards() {
    for seed in 0..50 {
        let air = Air::new(seed);
        let (one, _other) = (air.station(station(1)), air.station(station(0)));
        air.occupy(1_000_000, 2_000_000);
        // Arrives in the middle of a longer backoff.
        let counts_from = 2_000_000 + SIFS + ACK + DIFS;
        air.occupy(counts_from + 10 * SLOT + 7_000, 3_000_000);
        air.send(&one, 1_500_000, vec![vec![7; 12]]);
        let seen = air.run();
        let frame = seen.iter().find(|frame| frame.mpdu.len() == 55).expect("sent");
        let passed = if frame.begin < 3_000_000 {
            assert!(frame.begin <= counts_from + 10 * SLOT);
            frame.begin - counts_from
        } else {
            frame.begin - (3_000_000 + SIFS + ACK + DIFS) + 10 * SLOT
        };
        assert_eq!(passed % SLOT, 0);
        assert!(passed / SLOT <= 31, "{passed}");
    }
}

#[test]
fn a_frame_without_acknowledgement_is_sent_again_with_a_doubled_window() {
    let mut longest = [0; 7];
    for seed in 0..200 {
        let air = Air::new(seed);
        let one = air.station(station(1));
        let log = air.send(&one, 1_000_000, vec![vec![7; 12]]);
        let seen = air.run();
        assert_eq!(outcomes(&log), [Outcome::Failed]);
        assert_eq!(seen.len(), 8, "once and seven retries");
        for (nth, pair) in seen.windows(2).enumerate() {
            // SIFS, a slot and a preamble make up the acknowledgement timeout; DIFS follows.
            let wait = pair[1].begin - pair[0].end - (SIFS + SLOT + 192_000) - DIFS;
            assert_eq!(wait % SLOT, 0);
            let window = (32_u64 << (nth + 1)).min(1_024);
            assert!(wait / SLOT < window, "retry {nth}: {wait}");
            longest[nth] = longest[nth].max(wait / SLOT);
        }
    }
    assert!(longest[0] > 31 && longest[4] > 700 && longest[6] > 700, "{longest:?}");
}

#[test]
fn a_copy_is_acknowledged_and_dropped() {
    let air = Air::new(1);
    let (one, other) = (air.station(station(1)), air.station(station(0)));
    air.medium.set_loss(other.id(), one.id(), Independent { probability: 1.0 });
    let got = air.receive(&other);
    let log = air.send(&one, 0, vec![vec![7; 12]]);
    let seen = air.run();
    assert_eq!(outcomes(&log), [Outcome::Failed]);
    assert_eq!((got.borrow().len(), other.counts().duplicates), (1, 7));
    assert_eq!(seen.iter().filter(|frame| frame.is_ack()).count(), 8);
    assert!(seen[2].mpdu[1] & 8 != 0, "a retry says so");
}

#[test]
fn beacons_keep_their_times_however_late_one_is_sent() {
    let air = Air::new(1);
    let beacons = Beacons { interval_tu: 100, phase: Duration::from_us(300), rate: Rate::Dsss1 };
    let _one = air.station(Config { beacons: Some(beacons), ..station(1) });
    air.occupy(102_400_000, 103_000_000);
    let seen = air.run_until(Instant::from_ns(500_000_000));
    let beacons: Vec<u64> =
        seen.iter().filter(|frame| frame.is_beacon()).map(|frame| frame.begin).collect();
    let due = |nth: u64| 300_000 + nth * 102_400_000;
    assert_eq!([beacons[0], beacons[2], beacons[3]], [due(0), due(2), due(3)]);
    assert!(beacons[1] > 103_000_000 && beacons[1] < 104_100_000, "{beacons:?}");
    assert_eq!(
        seen[0].end - seen[0].begin,
        192_000 + 8_000 * crate::stack::wifi::beacon::len(10) as u64
    );
}

#[test]
fn a_frame_waits_for_the_beacon_that_is_on_the_air() {
    let air = Air::new(1);
    let beacons = Beacons { interval_tu: 100, phase: Duration::from_ms(1), rate: Rate::Dsss1 };
    let _other = air.station(Config { beacons: Some(beacons), ..station(0) });
    let one = air.station(Config { cw_min: 0, ..station(1) });
    air.send(&one, 1_200_000, vec![vec![7; 12]]);
    let seen = air.run_until(Instant::from_ns(50_000_000));
    assert!(seen[0].is_beacon());
    assert_eq!(seen[1].begin, seen[0].end + DIFS);
}

#[test]
fn a_beacon_that_is_due_during_an_exchange_follows_it() {
    let air = Air::new(1);
    let beacons = Beacons { interval_tu: 100, phase: Duration::from_ms(1), rate: Rate::Dsss1 };
    let other = air.station(station(0));
    let one = air.station(Config { beacons: Some(beacons), ..station(1) });
    let got = air.receive(&other);
    let log = air.send(&one, 900_000, vec![vec![7; 12]; 2]);
    let seen = air.run_until(Instant::from_ns(50_000_000));
    let kinds: Vec<(bool, bool)> =
        seen.iter().map(|frame| (frame.is_ack(), frame.is_beacon())).collect();
    let (data, ack, beacon) = ((false, false), (true, false), (false, true));
    assert_eq!(kinds, [data, ack, beacon, data, ack]);
    assert_eq!((got.borrow().len(), outcomes(&log).len()), (2, 2));
}

#[test]
fn a_long_body_that_fails_at_512_is_sent_again_at_256() {
    for (body, frames) in [(128, &[500][..]), (250, &[500, 250])] {
        let air = Air::new(1);
        let long_range = |number| Config {
            rate: Rate::LongRange512,
            fallback: Some(Fallback { longest: 200 }),
            ..station(number)
        };
        let (one, _other) = (air.station(long_range(1)), air.station(long_range(0)));
        let log = air.send(&one, 0, vec![vec![7; body]]);
        let seen = air.run();
        assert_eq!(outcomes(&log), [Outcome::Acknowledged]);
        let len = body + station(0).format.overhead(body);
        let rates: Vec<u64> = seen
            .iter()
            .filter(|frame| !frame.is_ack())
            .map(|frame| 8_000_000 * len as u64 / (frame.end - frame.begin - 192_000))
            .collect();
        assert_eq!(rates, frames);
    }
}

#[test]
fn a_queue_that_nobody_empties_loses_the_last() {
    let air = Air::new(1);
    let (one, other) = (air.station(station(1)), air.station(station(0)));
    air.send(&one, 0, vec![vec![7; 12]; 10]);
    air.run();
    let got = air.receive(&other);
    air.run();
    assert_eq!((got.borrow().len(), other.counts().overflows), (6, 4));
}

#[test]
fn two_stations_with_the_same_slot_send_at_once() {
    let air = Air::new(1);
    let _other = air.station(station(0));
    for number in [1, 2] {
        let one = air.station(Config { cw_min: 0, cw_max: 0, max_retries: 0, ..station(number) });
        air.send(&one, 1_500_000, vec![vec![7; 12]]);
    }
    air.occupy(1_000_000, 2_000_000);
    let seen = air.run();
    let data: Vec<&Seen> = seen.iter().filter(|frame| frame.mpdu.len() == 55).collect();
    assert_eq!(data[0].begin, data[1].begin);
    assert!(!data[0].whole && !data[1].whole);
}

#[test]
fn a_faster_rate_is_acknowledged_at_a_mandatory_one() {
    let air = Air::new(1);
    let fast = |number| Config { rate: Rate::Ofdm54, ..station(number) };
    let (one, _other) = (air.station(fast(1)), air.station(fast(0)));
    air.send(&one, 0, vec![vec![7; 250]]);
    let seen = air.run();
    let lengths: Vec<u64> = seen.iter().map(|frame| frame.end - frame.begin).collect();
    assert_eq!(lengths, [Rate::Ofdm54.duration_ns(293), Rate::Ofdm24.duration_ns(14)]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_frame_appears_or_vanishes_without_being_counted(
        seed: u64, count in 1_u8..10, each in 1_usize..20, loss in 0.0..0.4, beacons: bool,
    ) {
        let air = Air::new(seed);
        let beacons = beacons.then_some(Beacons {
            interval_tu: 20,
            phase: Duration::from_ms(3),
            rate: Rate::Dsss1,
        });
        let all: Vec<Rc<Station>> = (0..=count)
            .map(|number| air.station(Config { beacons, ..station(number) }))
            .collect();
        for one in &all[1..] {
            for (from, to) in [(one, &all[0]), (&all[0], one)] {
                air.medium.set_loss(from.id(), to.id(), Independent { probability: loss });
            }
            air.send(one, 0, vec![vec![7; 30]; each]);
        }
        let got = air.receive(&all[0]);
        let seen = air.run_until(Instant::from_ns(20_000_000_000));
        let (mut sent, mut beacons, mut sure) = (0, 0, 0);
        for one in &all[1..] {
            let c = one.counts();
            prop_assert_eq!(c.acknowledged + c.failed, each as u64);
            prop_assert_eq!(c.frames, each as u64 + c.retries);
            sent += c.frames;
            beacons += c.beacons;
            sure += c.acknowledged;
        }
        let c = all[0].counts();
        let acks = seen.iter().filter(|frame| frame.is_ack()).count() as u64;
        prop_assert_eq!(seen.len() as u64, sent + beacons + c.beacons + acks);
        prop_assert_eq!(acks, c.received);
        prop_assert_eq!(got.borrow().len() as u64 + c.duplicates + c.overflows, c.received);
        prop_assert!(sure <= got.borrow().len() as u64 + c.overflows);
    }
}

#[test]
fn a_frame_to_everybody_is_sent_once_and_answered_by_nobody() {
    let air = Air::new(1);
    let config = Config { peer: frame::BROADCAST, ..station(1) };
    let (from, near, far) = (air.station(config), air.station(station(0)), air.station(station(2)));
    // One of the two does not receive it.
    air.medium.set_loss(from.id(), far.id(), Independent { probability: 1.0 });
    let (got, lost) = (air.receive(&near), air.receive(&far));
    let mut link = air.link(&from);
    let log = Rc::new(RefCell::new(Vec::new()));
    let tell = Rc::clone(&log);
    air.bench.spawn("sender", async move {
        for body in [[1; 12], [2; 12]] {
            let outcome = link.transmit(&body).await.expect("it fits");
            tell.borrow_mut().push(outcome);
        }
    });
    let seen = air.run();
    assert_eq!(*log.borrow(), [None, None]);
    assert_eq!(*got.borrow(), [vec![1; 12], vec![2; 12]]);
    assert_eq!(*lost.borrow(), Vec::<Vec<u8>>::new());
    assert_eq!(seen.len(), 2);
    assert!(!seen.iter().any(Seen::is_ack));
}

#[test]
fn a_limit_of_seven_attempts_is_six_times_again() {
    // IEEE Std 802.11-2012, 9.3.4.4: the short retry count ends with the attempt that makes it 7.
    let air = Air::new(1);
    let from = air.station(Config { max_retries: 6, cw_min: 3, cw_max: 7, ..station(1) });
    let log = air.send(&from, 0, vec![vec![0; 12]]);
    let seen = air.run();
    assert_eq!(outcomes(&log), [Outcome::Failed]);
    assert_eq!(seen.len(), 7);
    // Windows of at most 7 slots: SIFS, the acknowledgement timeout, DIFS and 7 slots of 20 us.
    let gaps: Vec<u64> = seen.windows(2).map(|pair| pair[1].begin - pair[0].end).collect();
    let most = Rate::Dsss1.ack_timeout_ns(20_000) + 50_000 + 7 * 20_000;
    assert!(gaps.iter().all(|&gap| gap <= most), "{gaps:?}");
}
