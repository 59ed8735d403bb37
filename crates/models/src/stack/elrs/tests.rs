//! Timelines by hand, telemetry, synchronisation, losses, other pairs, and properties of schedules.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Frame, Loss, Medium, NodeId};
use airlag_sim::meter::State as Draws;
use airlag_sim::{Clock, Duration, Instant, Simulation, Stream};
use proptest::prelude::*;

use super::ota::{self, Content as Sent};
use super::schedule::Use;
use super::*;

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

fn config(rate: Rate) -> Config {
    Config {
        rate,
        domain: if rate.is_at_2400() { Domain::Ism2400 } else { Domain::Fcc915 },
        telemetry_ratio: 1,
        sync_period: Duration::ZERO,
        content: Content::Channels,
        pair: 0x1234,
        handset: Handset::Synchronised,
        handset_period: Duration::from_ms(4),
        mixer: Duration::from_us(400),
        handset_frame: Config::line(400_000),
        sync_margin: Duration::from_us(100),
        setup: Duration::from_us(150),
        listen: Duration::ZERO,
        queue: 8,
        processing: Duration::from_us(150),
        receiver_frame: Config::line(420_000),
    }
}

/// Begin and end of a frame, ns, its sender, and its content.
type Heard = (u64, u64, NodeId, Vec<u8>);

/// Time, ns, and data of each position that arrived.
type Arrived = Rc<RefCell<Vec<(u64, Vec<u8>)>>>;

struct Pair {
    bench: Simulation,
    air: Medium,
    module: Rc<Module>,
    receiver: Rc<Receiver>,
    heard: Rc<RefCell<Vec<Heard>>>,
    incidents: Rc<RefCell<Vec<&'static str>>>,
    arrived: Arrived,
}

fn schedule(config: &Config, seed: u64) -> Schedule {
    Schedule::new(config, Clock::exact(), Duration::ZERO, &mut Stream::new(seed, "channels"))
}

fn pair(config: Config) -> Pair {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let (heard, incidents, arrived) = (Rc::default(), Rc::default(), Rc::default());
    let log: Rc<RefCell<Vec<Heard>>> = Rc::clone(&heard);
    air.tap(move |frame: &Frame, _| {
        let bytes = config.rate.waveform().unwrap(&frame.bytes).expect("a frame").to_vec();
        log.borrow_mut().push((frame.begin.as_ns(), frame.end.as_ns(), frame.from, bytes));
    });
    let schedule = schedule(&config, 1);
    let clock = Clock::exact();
    let module = Module::new(&air, "module", &bench, clock, config, &schedule, Duration::ZERO);
    let receiver = Receiver::new(&air, "receiver", &bench, clock, config, &schedule);
    let log: Rc<RefCell<Vec<&'static str>>> = Rc::clone(&incidents);
    module.observe(move |incident| log.borrow_mut().push(incident.name()));
    let log: Arrived = Rc::clone(&arrived);
    let (node, sim) = (Rc::clone(&receiver), bench.sim());
    bench.spawn("program", async move {
        let mut buffer = [0; 12];
        loop {
            let len = node.next_data(&mut buffer).await;
            log.borrow_mut().push((sim.now().as_ns(), buffer[..len].to_vec()));
        }
    });
    Pair { bench, air, module, receiver, heard, incidents, arrived }
}

impl Pair {
    /// Changes the channels at `at_ns`.
    fn change(&self, at_ns: u64, data: &[u8]) {
        let (module, sim, data) = (Rc::clone(&self.module), self.bench.sim(), data.to_vec());
        self.bench.spawn("stick", async move {
            sim.sleep_until(Instant::from_ns(at_ns)).await;
            module.queue(&data).await;
        });
    }

    fn run(&self, until_ns: u64) {
        self.bench.run_until(Instant::from_ns(until_ns)).expect("it runs");
    }
}

#[test]
fn a_position_is_computed_in_time_for_the_next_slot() {
    // 500 Hz: the lead is 400 us of mixer, 650 us of line and 100 us of margin. A change 1.1 ms
    // before slot 5 is too late for it, and one 1.2 ms before is not.
    let on_the_air = Rate::L500.airtime().as_ns();
    assert_eq!(on_the_air, 1_585_231);
    for (before_us, slot) in [(1_100, 6), (1_200, 5)] {
        let pair = pair(config(Rate::L500));
        pair.change(10 * MS - before_us * US, &[7, 8]);
        pair.run(30 * MS);
        let line = 619_048;
        let expected = slot * 2 * MS + 150 * US + on_the_air + 150 * US + line;
        assert_eq!(*pair.arrived.borrow(), [(expected, vec![7, 8])]);
    }
}

#[test]
fn a_free_handset_adds_its_own_period() {
    // Periods of 4 ms from 0: computed at 8 ms, 400 us of mixer and 650 us of line until 9.05 ms;
    // the next slot of 5 ms is at 10 ms.
    let pair = pair(Config { handset: Handset::Free, ..config(Rate::S200) });
    pair.change(4 * MS + 1, &[1]);
    pair.run(30 * MS);
    let expected = 10 * MS + 150 * US + 4_384 * US + 150 * US + 619_048;
    assert_eq!(*pair.arrived.borrow(), [(expected, vec![1])]);
}

#[test]
fn each_slot_has_a_frame_of_the_module_or_of_the_receiver() {
    let pair = pair(Config { telemetry_ratio: 4, ..config(Rate::L250) });
    pair.run(39_800 * US);
    let heard = pair.heard.borrow();
    let airtime = Rate::L250.airtime().as_ns();
    for (slot, (begin, end, from, _)) in heard.iter().enumerate() {
        assert_eq!(*begin, slot as u64 * 4 * MS + 150 * US);
        assert_eq!(end - begin, airtime);
        let expected = if slot % 4 == 0 { pair.receiver.id() } else { pair.module.id() };
        assert_eq!(*from, expected, "{slot}");
    }
    assert_eq!(heard.len(), 10);
    // The states of the module's radio: slots 0, 4 and 8 receive, and seven frames are sent.
    let readings = pair.bench.read_meters();
    let module = readings.iter().find(|one| one.name == "module").expect("a meter");
    let spent = |state: Draws| module.spent[state.index()].as_ns();
    assert_eq!(spent(Draws::Transmit), 7 * airtime);
    // From the first symbol of telemetry to the next slot.
    assert_eq!(spent(Draws::Receive), 3 * (4 * MS - 150 * US));
}

#[test]
fn data_wait_for_telemetry_and_for_synchronisation() {
    let base = config(Rate::L500);
    // Slot 4 is one of telemetry.
    let pair_of = pair(Config { telemetry_ratio: 4, ..base });
    pair_of.change(8 * MS - 1_300 * US, &[1]);
    pair_of.run(20 * MS);
    let sent = 10 * MS + 150 * US + Rate::L500.airtime().as_ns();
    assert_eq!(pair_of.arrived.borrow()[0].0, sent + 150 * US + 619_048);
    assert_eq!(*pair_of.incidents.borrow(), ["telemetry slot"]);
    // A turn through 80 channels of four slots takes 640 ms; slot 321 synchronises.
    let pair_of = pair(Config { sync_period: Duration::from_ms(100), ..base });
    pair_of.change(642 * MS - 1_300 * US, &[1]);
    pair_of.run(660 * MS);
    let sent = 644 * MS + 150 * US + Rate::L500.airtime().as_ns();
    assert_eq!(pair_of.arrived.borrow()[0].0, sent + 150 * US + 619_048);
    assert_eq!(*pair_of.incidents.borrow(), ["sync slot"]);
    let heard = pair_of.heard.borrow();
    let decoded = ota::decode(Rate::L500.format(), base.pair, &heard[321].3);
    assert_eq!(decoded, Some(Sent::Sync));
}

/// Loses frames by their number.
struct Nth(RefCell<u64>, Vec<u64>);

impl Loss for Nth {
    fn loses(&mut self, _: &Frame, _: &mut Stream) -> bool {
        let nth = *self.0.borrow();
        *self.0.borrow_mut() += 1;
        self.1.contains(&nth)
    }

    fn skip(&mut self, _: &mut Stream) {
        *self.0.borrow_mut() += 1;
    }
}

#[test]
fn channels_of_a_lost_frame_arrive_with_the_next_one_and_a_stream_is_lost() {
    for (content, expected) in [(Content::Channels, Some(6)), (Content::Airport, None)] {
        let pair = pair(Config { content, ..config(Rate::L500) });
        let lost = Nth(RefCell::new(0), vec![5]);
        pair.air.set_loss(pair.module.id(), pair.receiver.id(), lost);
        pair.change(10 * MS - 1_200 * US, &[7]);
        pair.run(60 * MS);
        let arrived: Vec<u64> = pair.arrived.borrow().iter().map(|(at, _)| *at).collect();
        let airtime = Rate::L500.airtime().as_ns();
        let at = |slot: u64| slot * 2 * MS + 150 * US + airtime + 150 * US + 619_048;
        assert_eq!(arrived, expected.map(at).into_iter().collect::<Vec<u64>>());
    }
}

#[test]
fn a_frame_that_is_sent_twice_survives_the_loss_of_one() {
    let content = Content::Airport;
    let base = Config { content, ..config(Rate::D500) };
    for (lost, slot) in [(vec![], 10), (vec![10], 11)] {
        let pair = pair(base);
        pair.air.set_loss(pair.module.id(), pair.receiver.id(), Nth(RefCell::new(0), lost));
        pair.change(10 * MS - 1_200 * US, &[7]);
        pair.run(40 * MS);
        let airtime = Rate::D500.airtime().as_ns();
        let expected = slot * MS + 150 * US + airtime + 150 * US + 619_048;
        assert_eq!(*pair.arrived.borrow(), [(expected, vec![7])]);
    }
}

#[test]
fn another_pair_is_not_received() {
    let one = pair(config(Rate::L500));
    // On the same channels at the same times, with another identity: its frames collide, and none
    // of them is taken for one of this pair.
    let other = Config { pair: 0x4321, ..config(Rate::L500) };
    let schedule = schedule(&other, 1);
    let module = Module::new(
        &one.air,
        "other",
        &one.bench,
        Clock::exact(),
        other,
        &schedule,
        Duration::ZERO,
    );
    one.air.separate(one.module.id(), one.receiver.id());
    let (node, sim) = (Rc::clone(&module), one.bench.sim());
    one.bench.spawn("other stick", async move {
        sim.sleep_until(Instant::from_ns(5 * MS)).await;
        node.queue(&[9]).await;
    });
    one.run(40 * MS);
    assert!(one.arrived.borrow().is_empty());
}

#[test]
fn a_module_that_listens_leaves_a_slot_to_another_transmitter() {
    let one = pair(Config { listen: Duration::from_us(20), ..config(Rate::L500) });
    let band = schedule(&config(Rate::L500), 1).band(5);
    let (air, sim, node) = (one.air.clone(), one.bench.sim(), one.air.join("other"));
    one.bench.spawn("other", async move {
        sim.sleep_until(Instant::from_ns(10 * MS)).await;
        let modulation = airlag_air::Modulation { family: "other", setting: 0 };
        air.send(node, band, modulation, Instant::from_ns(11 * MS), Rc::from([0_u8]));
    });
    one.run(13 * MS);
    assert_eq!(*one.incidents.borrow(), ["busy channel"]);
    let begins: Vec<u64> = one.heard.borrow().iter().map(|(begin, ..)| begin / MS).collect();
    assert_eq!(begins, [0, 2, 4, 6, 8, 10], "the last one is the other's");
}

proptest! {
    #[test]
    fn a_sequence_has_each_channel_equally_often_and_begins_with_the_sync_channel(
        seed: u64, nth in 0_usize..14,
    ) {
        let config = config(Rate::ALL[nth]);
        let schedule = schedule(&config, seed);
        let (count, hop) = (u64::from(config.domain.count()), config.rate.hop_interval());
        let turn = |turn: u64| -> Vec<u32> {
            (0..count).map(|nth| schedule.band((turn * count + nth) * hop).low_khz).collect()
        };
        let sync = config.domain.centre_khz(config.domain.sync_channel());
        for nth in 0..2 {
            let mut channels = turn(nth);
            prop_assert_eq!(schedule.band(nth * count * hop).centre_khz(), sync);
            channels.sort_unstable();
            channels.dedup();
            prop_assert_eq!(channels.len() as u64, count);
        }
    }

    #[test]
    fn new_data_are_loaded_once_for_all_transmissions_of_a_frame(
        nth in 0_usize..14, ratio in 0_u32..8, slot in 0_u64..10_000,
    ) {
        let config = Config { telemetry_ratio: 1 << ratio, ..config(Rate::ALL[nth]) };
        let schedule = schedule(&config, 1);
        let first = slot - slot % config.rate.sends();
        let slots = first..first + config.rate.sends();
        let data = slots.clone().filter(|&slot| schedule.usage(slot) == Use::Data).count();
        let loads = slots.filter(|&slot| schedule.loads(slot)).count();
        prop_assert_eq!(loads, data.min(1));
    }

    #[test]
    fn the_slot_of_a_frame_follows_from_its_start(
        ppb in -100_000_i32..100_000, slot in 0_u64..1_000_000, us in 0_u64..400,
    ) {
        let clock = Clock::exact().with_ppb(ppb);
        let stream = &mut Stream::new(1, "channels");
        let schedule = Schedule::new(&config(Rate::F1000), clock, Duration::from_us(700), stream);
        let begin = schedule.tick(slot) + Duration::from_us(us);
        prop_assert_eq!(schedule.nearest(begin), slot);
    }
}
