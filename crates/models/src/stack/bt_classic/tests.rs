//! Scheduling rules, one per test, on a bench of two ends with controlled losses.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use airlag_air::{Frame as AirFrame, Independent, Loss, Medium};
use airlag_link::Link;
use airlag_sim::channel::Receiver;
use airlag_sim::{Clock, Duration, Instant, Sim, Simulation, Stream};
use proptest::prelude::*;

use super::module::{BUFFER_OVERFLOW, InputCount};
use super::piconet::{Incident, SUPERVISION_TIMEOUT};
use super::rfcomm::Frame;
use super::*;
use crate::mcu::Board;
use crate::mcu::uart::Wire;
use crate::mcu::uart::wire::Character;

mod modules;

const PAIR: u64 = 1_250_000;

fn config() -> Config {
    Config {
        packets: PacketSet::Edr2,
        max_slots: 5,
        poll_interval: 40,
        supervision: Duration::from_secs(20),
        clock: Clock::exact(),
        phase: Duration::ZERO,
        scans: [None; 2],
    }
}

/// Loses the frames with the listed numbers, counted from 0.
struct These(Vec<u64>, u64);

impl Loss for These {
    fn loses(&mut self, _: &AirFrame, _: &mut Stream) -> bool {
        self.1 += 1;
        self.0.contains(&(self.1 - 1))
    }

    fn skip(&mut self, _: &mut Stream) {
        self.1 += 1;
    }
}

type Sent = Rc<RefCell<Vec<(u64, u64, Vec<u8>)>>>;
type Incidents = Rc<RefCell<BTreeMap<&'static str, u32>>>;

struct Bench {
    sim: Simulation,
    air: Medium,
    piconet: Piconet,
    arriving: [Receiver<Rc<[u8]>>; 2],
    /// All packets on the air: start, end, bytes.
    sent: Sent,
    incidents: Incidents,
}

fn counting(incidents: &Incidents) -> Incident {
    let counts = Rc::clone(incidents);
    Rc::new(move |name| *counts.borrow_mut().entry(name).or_default() += 1)
}

fn bench(config: Config) -> Bench {
    let sim = Simulation::new(1);
    let air = Medium::new(&sim);
    let (sent, incidents) = (Sent::default(), Incidents::default());
    let log = Rc::clone(&sent);
    air.tap(move |frame, _| {
        let (begin, end) = (frame.begin.as_ns(), frame.end.as_ns());
        log.borrow_mut().push((begin, end, frame.bytes.to_vec()));
    });
    let names = ["master", "slave"];
    let (piconet, arriving) = Piconet::new(&sim, &air, names, config, counting(&incidents));
    Bench { sim, air, piconet, arriving, sent, incidents }
}

impl Bench {
    fn lose(&self, from: Role, loss: impl Loss + 'static) {
        let to = if from == Role::Master { Role::Slave } else { Role::Master };
        self.air.set_loss(self.piconet.node(from), self.piconet.node(to), loss);
    }

    /// Gives a frame with `bytes` of data to an end at `at_us`.
    fn give(&self, from: Role, at_us: u64, bytes: usize) {
        let piconet = self.piconet.clone();
        let frame = Frame { credits: 0, data: vec![0xA5; bytes] }.encode(0);
        self.sim.at(Instant::from_ns(at_us * 1_000), move || {
            piconet.send(from, frame.into());
        });
    }

    fn run_ms(&self, ms: u64) {
        self.sim.run_until(Instant::from_ns(ms * 1_000_000)).expect("no storm");
    }

    /// Beginnings of packets, us.
    fn begins_us(&self) -> Vec<u64> {
        self.sent.borrow().iter().map(|&(begin, ..)| begin / 1_000).collect()
    }

    fn arrived(&mut self, at: Role) -> usize {
        let arriving = &mut self.arriving[usize::from(at == Role::Slave)];
        std::iter::from_fn(|| arriving.try_receive()).filter(|frame| !frame.is_empty()).count()
    }
}

#[test]
fn the_master_sends_in_the_next_even_slot_and_the_slave_answers_in_the_one_after() {
    let mut bench = bench(config());
    bench.give(Role::Master, 100, 10);
    bench.run_ms(50);
    assert_eq!(bench.begins_us(), [1_250, 1_875]);
    assert_eq!(bench.arrived(Role::Slave), 1);
}

#[test]
fn an_answer_waits_for_the_end_of_a_packet_of_five_slots() {
    let bench = bench(config());
    bench.give(Role::Master, 100, 600);
    bench.run_ms(50);
    assert_eq!(bench.begins_us(), [1_250, 1_250 + 5 * 625]);
}

#[test]
fn an_idle_slave_waits_for_its_poll_and_a_poll_follows_its_data_at_once() {
    let mut bench = bench(config());
    bench.give(Role::Slave, 100, 10);
    bench.run_ms(100);
    // T_poll is 40 slots; the poll after the data carries its acknowledgement.
    assert_eq!(bench.begins_us(), [25_000, 25_625, 26_250, 26_875]);
    assert_eq!(bench.arrived(Role::Master), 1);
    assert_eq!(bench.piconet.queued(Role::Slave), 0);
}

/// One window of 10 ms in every 100 ms, from 20 ms on.
fn scans() -> Scans {
    let ms = Duration::from_ms;
    Scans { interval: ms(100), windows: 1, window: ms(10), gap: Duration::ZERO, phase: ms(20) }
}

#[test]
fn a_master_that_scans_begins_nothing_until_it_is_done() {
    let mut bench = bench(Config { scans: [Some(scans()), None], ..config() });
    bench.give(Role::Master, 21_000, 10);
    bench.run_ms(90);
    assert_eq!(bench.begins_us(), [30_000, 30_625]);
    assert_eq!(bench.arrived(Role::Slave), 1);
}

#[test]
fn a_slave_that_scans_hears_nothing_and_is_asked_in_every_pair_of_slots() {
    let mut bench = bench(Config { scans: [None, Some(scans())], ..config() });
    bench.give(Role::Master, 26_000, 10);
    bench.run_ms(90);
    assert_eq!(bench.begins_us(), [26_250, 27_500, 28_750, 30_000, 30_625]);
    assert_eq!(bench.arrived(Role::Slave), 1);
}

#[test]
fn an_idle_link_costs_no_events() {
    let bench = bench(config());
    bench.run_ms(1_000_000);
    assert_eq!(bench.sim.events_fired(), 0);
}

#[test]
fn a_lost_packet_is_sent_again_in_the_next_pair_of_slots() {
    let mut bench = bench(config());
    bench.lose(Role::Master, These(vec![0, 1], 0));
    bench.give(Role::Master, 0, 10);
    bench.run_ms(50);
    // A packet that was missed gets no response.
    assert_eq!(bench.begins_us(), [0, 1_250, 2_500, 3_125]);
    assert_eq!(bench.arrived(Role::Slave), 1);
}

#[test]
fn a_lost_confirmation_repeats_the_packet_but_not_the_frame() {
    let mut bench = bench(config());
    bench.lose(Role::Slave, These(vec![0], 0));
    bench.give(Role::Master, 0, 10);
    bench.run_ms(50);
    assert_eq!(bench.begins_us(), [0, 625, 1_250, 1_875]);
    assert_eq!(bench.arrived(Role::Slave), 1);
}

#[test]
fn a_frame_longer_than_a_packet_goes_in_several() {
    let mut bench = bench(Config { packets: PacketSet::Basic, ..config() });
    bench.give(Role::Master, 0, 700);
    bench.run_ms(50);
    // 709 bytes: two DH5 with 339 each, then 31 in a DH3.
    assert_eq!(bench.begins_us(), [0, 3_125, 3_750, 6_875, 7_500, 9_375]);
    assert_eq!(bench.arrived(Role::Slave), 1);
}

#[test]
fn slots_follow_the_masters_clock() {
    let clock = Clock::exact().with_ppb(100_000);
    let bench = bench(Config { clock, phase: Duration::from_us(300), ..config() });
    bench.give(Role::Master, 10_000_000, 10);
    bench.run_ms(11_000);
    let begin = bench.sent.borrow()[0].0;
    let local = clock.local_ns(Instant::from_ns(begin)) as u64 - 300_000;
    assert!(local % PAIR <= 1, "{local} is an even slot");
    assert_ne!(begin % PAIR, 300_000, "and not one of the bench's clock");
}

#[test]
fn silence_for_the_supervision_timeout_ends_the_link() {
    let mut bench = bench(Config { supervision: Duration::from_ms(500), ..config() });
    bench.lose(Role::Master, Independent { probability: 1.0 });
    bench.give(Role::Master, 200_000, 10);
    bench.run_ms(600);
    assert!(!bench.piconet.is_gone(), "polls of the idle link had been heard");
    bench.run_ms(5_000);
    assert!(bench.piconet.is_gone());
    assert_eq!(*bench.incidents.borrow(), BTreeMap::from([(SUPERVISION_TIMEOUT, 1)]));
    // The last poll that was received is that at 175 ms. The poll at 200 ms is the first with data.
    assert_eq!(bench.begins_us().last(), Some(&673_750));
    assert_eq!(bench.arrived(Role::Slave), 0);
    assert!(!bench.piconet.send(Role::Master, Rc::from([0; 8])), "nothing more is taken");
}

/// A channel on a bench: the sending end, and the arrival times of data at the other.
fn channels(
    bench: &mut Bench,
    window: Window,
    timing: HostTiming,
) -> [(Channel, Receiver<Vec<u8>>); 2] {
    let ends = [("master", Role::Master), ("slave", Role::Slave)];
    let sim: Sim = bench.sim.sim();
    ends.map(|(name, role)| {
        // Each end takes the frames that arrive at it, so the bench keeps an empty channel.
        let (_, empty) = airlag_sim::channel::channel(&sim);
        let index = usize::from(role == Role::Slave);
        let frames = std::mem::replace(&mut bench.arriving[index], empty);
        Channel::new(&sim, name, (&bench.piconet, role), window, timing, frames)
    })
}

const WINDOW: Window = Window { frames: 2, frame_max: 126, trailer: 0 };

const HOSTS: HostTiming = HostTiming {
    send: Duration::from_us(500),
    serve: Duration::from_ms(5),
    jitter: Duration::ZERO,
    wake: Duration::ZERO,
    sleeps_after: Duration::from_secs(1),
};

#[test]
fn a_host_serves_one_frame_at_a_time() {
    let mut bench = bench(config());
    let [(near, _), (_, mut far)] = channels(&mut bench, WINDOW, HOSTS);
    near.send(vec![1; 10]);
    near.send(vec![2; 10]);
    bench.run_ms(9);
    assert_eq!(far.len(), 1);
    // In the slot at 1.25 ms, 20 bytes of 2-DH1, then five milliseconds for each.
    bench.run_ms(12);
    assert_eq!(far.len(), 2);
    assert_eq!(far.try_receive(), Some(vec![1; 10]));
}

#[test]
fn a_closed_window_opens_when_the_other_host_has_dealt_with_a_frame() {
    let mut bench = bench(config());
    let [(near, _), (_, far)] = channels(&mut bench, WINDOW, HOSTS);
    for _ in 0..3 {
        near.send(vec![1; 10]);
    }
    assert_eq!((near.open(), near.waiting()), (false, 1));
    bench.run_ms(6);
    assert_eq!(near.waiting(), 1, "the first is served until 6.6 ms");
    // The peripheral's grant waits for the central's next poll.
    bench.run_ms(27);
    assert_eq!((near.waiting(), far.len()), (0, 2));
}

#[test]
fn the_first_frame_after_a_sleep_waits_for_the_controller() {
    let timing =
        HostTiming { wake: Duration::from_ms(3), sleeps_after: Duration::from_ms(10), ..HOSTS };
    let mut bench = bench(config());
    let [(near, _), _far] = channels(&mut bench, WINDOW, timing);
    bench.sim.at(Instant::from_ns(20_000_000), move || {
        near.send(vec![1; 10]);
        near.send(vec![1; 10]);
    });
    bench.run_ms(30);
    assert_eq!(bench.begins_us()[0], 23_750, "20 + 3 + 0.5 ms, then the next pair of slots");
    assert_eq!(bench.begins_us()[2], 25_000, "the second finds it awake");
}

fn spp_timing() -> SppTiming {
    SppTiming {
        write_size: 32,
        write: Duration::from_us(100),
        high_water: 2,
        per_byte: Duration::ZERO,
    }
}

#[test]
fn a_program_waits_while_the_channel_is_congested() {
    let mut bench = bench(config());
    let [near, _far] = channels(&mut bench, Window { frames: 1, ..WINDOW }, HOSTS);
    let board = Board::new(&bench.sim, "sender", Clock::exact());
    let mut spp = Spp::new(&board, near, spp_timing());
    let (done, congested) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let (finished, counted, sim) = (Rc::clone(&done), Rc::clone(&congested), bench.sim.sim());
    bench.sim.spawn("program", async move {
        let Ok(_) = spp.send(&[7; 128]).await;
        finished.set(sim.now().as_ns());
        counted.set(spp.congestions());
    });
    bench.run_ms(500);
    // One write in flight, two waiting; a fourth exceeds the limit until the first is processed.
    assert_eq!(congested.get(), 1);
    assert!(done.get() > 6_000_000, "{}", done.get());
}

#[test]
fn a_program_on_a_link_that_goes_is_told_so_and_never_hangs() {
    let mut bench = bench(Config { supervision: Duration::from_ms(100), ..config() });
    bench.lose(Role::Master, Independent { probability: 1.0 });
    let [near, _far] = channels(&mut bench, Window { frames: 1, ..WINDOW }, HOSTS);
    let board = Board::new(&bench.sim, "sender", Clock::exact());
    let mut spp = Spp::new(&board, near, spp_timing());
    let delivery = Rc::new(Cell::new(None));
    let outcome = Rc::clone(&delivery);
    bench.sim.spawn("program", async move {
        let Ok(delivery) = spp.send(&[7; 1_024]).await;
        outcome.set(Some(delivery));
    });
    bench.run_ms(1_000);
    assert_eq!(delivery.get(), Some(airlag_link::Delivery::Lost));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_frame_arrives_once_and_in_order_whatever_the_air_does(
        sizes in prop::collection::vec((0_usize..2, 1_usize..700, 0_u64..20_000), 1..20),
        loss in 0.0_f64..0.7, poll in 1_u64..30,
    ) {
        let mut bench = bench(Config { poll_interval: 2 * poll, ..config() });
        bench.lose(Role::Master, Independent { probability: loss });
        bench.lose(Role::Slave, Independent { probability: loss });
        let roles = [Role::Master, Role::Slave];
        let (mut at, mut given) = (0, [0, 0]);
        for &(from, bytes, later_us) in &sizes {
            at += later_us;
            bench.give(roles[from], at, bytes);
            given[from] += 1;
        }
        bench.run_ms(60_000);
        prop_assert_eq!(bench.arrived(Role::Slave), given[0]);
        prop_assert_eq!(bench.arrived(Role::Master), given[1]);
        prop_assert_eq!(bench.piconet.queued(Role::Master), 0);
        prop_assert_eq!(bench.piconet.queued(Role::Slave), 0);
        // Packets of the two ends never overlap.
        let sent = bench.sent.borrow();
        prop_assert!(sent.windows(2).all(|two| two[0].1 <= two[1].0));
    }
}
