use std::cell::RefCell;

use airlag_air::{Independent, Verdict};
use airlag_sim::{Clock, Duration, Simulation};
use proptest::prelude::*;

use super::super::settings::Framing;
use super::super::settings::tests::DELIVERED;
use super::*;
use crate::mcu::uart::wire::Character;

/// In cycles at 24.5 MHz: 28, 110, 465, 145, 13.5, 98, 90, 60 and 5 us.
const TIMING: Timing = Timing {
    turn: 686,
    sending_turn: 2_695,
    transmit_setup: 11_392,
    carrier_lead: 3_552,
    frame_byte: 330,
    transmit_end: 2_401,
    receive_latency: 2_205,
    receive_work: 1_470,
    copy: 122,
};

/// Frames on the air: sender, time, data bytes, verdict.
type Log = Rc<RefCell<Vec<(NodeId, Instant, usize, Verdict)>>>;

struct Station {
    radio: Radio,
    up: Wire,
    down: Wire,
}

struct Bench {
    sim: Simulation,
    air: Medium,
    log: Log,
}

impl Bench {
    fn new(seed: u64) -> Self {
        let sim = Simulation::new(seed);
        let air = Medium::new(&sim);
        let log = Log::default();
        let logged = Rc::clone(&log);
        air.tap(move |frame, verdict| {
            let data = frame.bytes.len() - 5;
            logged.borrow_mut().push((frame.from, frame.begin, data, verdict));
        });
        Self { sim, air, log }
    }

    fn station(&self, name: &str, settings: &Settings, slot_phase: f64) -> Station {
        let (up, down) = (Wire::new(&self.sim), Wire::new(&self.sim));
        let board = Board::new(&self.sim, name, Clock::exact().with_offset_ns(2_000_000_000));
        let wiring = Wiring {
            board: &board,
            baud: 57_600,
            wires: (&up, &down),
            slot_phase,
            statistics_phase: 0.0,
        };
        let radio = Radio::new(settings, TIMING, &self.air, &wiring);
        Station { radio, up, down }
    }

    fn pair(&self, settings: &Settings) -> (Station, Station) {
        (self.station("one", settings, 0.0), self.station("two", settings, 0.5))
    }

    fn run_ms(&self, ms: u64) {
        self.sim.run_until(self.sim.now() + Duration::from_ms(ms)).expect("it runs");
    }

    fn sent_by(&self, station: &Station) -> Vec<(u64, usize)> {
        let mine = |entry: &&(NodeId, Instant, usize, Verdict)| entry.0 == station.radio.node();
        let log = self.log.borrow();
        log.iter().filter(mine).map(|entry| (entry.1.as_ns() / 1_000, entry.2)).collect()
    }
}

impl Station {
    /// Writes bytes that arrive from now on, back to back at 57600 baud.
    fn write(&self, bytes: &[u8]) {
        let mut begin = self.radio.0.now();
        for &value in bytes {
            let end = begin + Duration::from_ns(173_611);
            self.up.put(Character { value, begin, end });
            begin = end;
        }
        self.up.announce();
    }

    fn read(&self) -> Vec<u8> {
        std::iter::from_fn(|| self.down.take()).map(|character| character.value).collect()
    }
}

#[test]
fn an_idle_pair_exchanges_two_packets_without_data_a_window() {
    let bench = Bench::new(1);
    let (one, two) = bench.pair(&DELIVERED);
    bench.run_ms(400);
    let gaps = |station: &Station| -> Vec<u64> {
        let sent = bench.sent_by(station);
        assert!(sent.iter().all(|&(_, data)| data == 0));
        sent.windows(2).map(|pair| pair[1].0 - pair[0].0).collect()
    };
    // A full round, from a window of the radio over that of its peer to its next one, takes 115.98
    // ms, give or take the airtime of a yield.
    for gap in gaps(&one).iter().chain(&gaps(&two)) {
        assert!(gap.abs_diff(115_984) < 3_200, "{gap} us");
    }
}

#[test]
fn statistics_go_before_the_yield_every_half_second() {
    let bench = Bench::new(1);
    let (one, _two) = bench.pair(&DELIVERED);
    bench.run_ms(5_100);
    assert_eq!(one.radio.counts().statistics, 9);
    let sent = bench.sent_by(&one);
    for pair in sent.windows(2).filter(|pair| pair[0].1 == STATISTICS) {
        assert_eq!(pair[1].1, 0);
        assert!((3_000..3_400).contains(&(pair[1].0 - pair[0].0)), "{pair:?}");
    }
}

#[test]
fn what_comes_to_a_mute_radio_waits_for_the_next_window() {
    let bench = Bench::new(1);
    let (one, two) = bench.pair(&DELIVERED);
    bench.run_ms(30);
    one.write(b"twelve bytes");
    bench.run_ms(80);
    assert_eq!(one.radio.counts().sent_bytes, 0);
    bench.run_ms(30);
    assert_eq!(two.read(), b"twelve bytes");
}

#[test]
fn a_window_that_is_kept_carries_packet_after_packet_as_bytes_come() {
    let bench = Bench::new(1);
    let (one, two) = bench.pair(&DELIVERED);
    bench.run_ms(225);
    let message: Vec<u8> = (0..400).map(|at| at as u8).collect();
    one.write(&message);
    bench.run_ms(250);
    assert_eq!(two.read(), message);
    let packets = bench.sent_by(&one).into_iter().filter(|&(_, data)| data > 4).count();
    assert!(packets > 4, "{packets}");
}

#[test]
fn a_packet_carries_as_much_as_its_length_can_say() {
    let bench = Bench::new(1);
    let (one, _two) = bench.pair(&DELIVERED);
    bench.run_ms(150);
    one.write(&[7; 600]);
    bench.run_ms(200);
    let longest = bench.sent_by(&one).into_iter().map(|(_, data)| data).max();
    assert_eq!(longest, Some(250));
}

#[test]
fn radios_in_step_hop_over_every_channel() {
    let bench = Bench::new(1);
    let _pair = bench.pair(&DELIVERED);
    let seen = Rc::new(RefCell::new(std::collections::BTreeSet::new()));
    let channels = Rc::clone(&seen);
    bench.air.tap(move |frame, _| {
        channels.borrow_mut().insert(frame.band.low_khz);
    });
    bench.run_ms(116 * 51);
    assert_eq!(seen.borrow().len(), 50);
}

#[test]
fn crystals_two_percent_apart_stay_in_step() {
    let bench = Bench::new(1);
    let one = bench.station("one", &DELIVERED, 0.0);
    let (up, down) = (Wire::new(&bench.sim), Wire::new(&bench.sim));
    let clock = Clock::exact().with_ppb(20_000_000).with_offset_ns(2_000_000_000);
    let board = Board::new(&bench.sim, "two", clock);
    let wires = (&up, &down);
    let wiring =
        Wiring { board: &board, baud: 57_600, wires, slot_phase: 0.5, statistics_phase: 0.3 };
    let two = Radio::new(&DELIVERED, TIMING, &bench.air, &wiring);
    bench.run_ms(60_000);
    one.write(b"still here");
    bench.run_ms(300);
    assert_eq!(two.counts().received_bytes, 10);
    assert_eq!(two.counts().lock_losses, 0);
}

#[test]
fn a_ring_that_is_full_drops_what_comes() {
    let bench = Bench::new(1);
    let (one, two) = bench.pair(&Settings { air_rate: 4, ..DELIVERED });
    let overflows = Rc::new(RefCell::new(0_u64));
    let counter = Rc::clone(&overflows);
    one.radio.on_incident(move |name| {
        *counter.borrow_mut() += u64::from(name == "receive buffer overflow");
    });
    one.write(&[7; 6_000]);
    bench.run_ms(60_000);
    let counts = one.radio.counts();
    assert!(counts.serial.overflowed_in > 3_000, "{counts:?}");
    assert_eq!(counts.serial.taken + counts.serial.overflowed_in, 6_000);
    assert_eq!(*overflows.borrow(), counts.serial.overflowed_in);
    assert_eq!(two.read().len() as u64, counts.serial.taken);
}

#[test]
fn a_serial_line_slower_than_the_air_drops_what_its_ring_cannot_hold() {
    let bench = Bench::new(1);
    let settings = Settings { send_buffer: 100, ..DELIVERED };
    let (one, two) = bench.pair(&settings);
    bench.run_ms(30);
    one.write(&[7; 400]);
    bench.run_ms(500);
    let counts = two.radio.counts();
    assert!(counts.serial.overflowed_out > 0);
    assert_eq!(counts.received_bytes, counts.serial.handed_out + counts.serial.overflowed_out);
    assert_eq!(two.read().len() as u64, counts.serial.handed_out);
}

#[test]
fn a_lost_packet_is_not_repaired() {
    let bench = Bench::new(1);
    let (one, two) = bench.pair(&DELIVERED);
    bench.air.set_loss(one.radio.node(), two.radio.node(), Independent { probability: 1.0 });
    bench.run_ms(30);
    one.write(b"twelve bytes");
    bench.run_ms(500);
    assert_eq!(one.radio.counts().sent_bytes, 12);
    assert_eq!((two.radio.counts().received_bytes, two.radio.counts().damaged_bytes), (0, 12));
}

#[test]
fn opportunistic_resending_repairs_a_lost_packet_and_hands_out_one_copy() {
    let settings = Settings { opportunistic_resend: true, ..DELIVERED };
    let delivered = |loss| {
        let bench = Bench::new(5);
        let (one, two) = bench.pair(&settings);
        let loss = Independent { probability: loss };
        bench.air.set_loss(one.radio.node(), two.radio.node(), loss);
        // A retransmission is detected by comparison with the last packet, so equal messages would
        // count as duplicates.
        for message in 0..60 {
            bench.run_ms(500);
            one.write(&[message; 12]);
        }
        bench.run_ms(500);
        (two.read().len() / 12, two.radio.counts().duplicates)
    };
    let (all, duplicates) = delivered(0.0);
    // A message that arrives while a window starts is sent in two packets.
    assert_eq!((all, duplicates.max(60)), (60, duplicates));
    let (most, _) = delivered(0.3);
    assert!((50..=60).contains(&most), "{most}");
}

#[test]
fn a_duty_cycle_keeps_it_quiet_for_whole_rounds() {
    let bench = Bench::new(1);
    let (one, _two) = bench.pair(&Settings { duty_cycle: 1, ..DELIVERED });
    bench.run_ms(20_000);
    let counts = one.radio.counts();
    assert!(counts.duty_cycle_waits > 20, "{counts:?}");
}

#[test]
fn listening_before_talking_costs_five_milliseconds_of_every_window() {
    let first = |listen_before_talk| {
        let bench = Bench::new(1);
        let (one, _two) = bench.pair(&Settings { listen_before_talk, ..DELIVERED });
        bench.run_ms(40);
        bench.sent_by(&one)[0].0
    };
    let (plain, polite) = (first(false), first(true));
    assert!((3_000..5_200).contains(&(polite - plain)), "{plain} {polite} us");
}

#[test]
fn a_radio_that_hears_nothing_for_twenty_seconds_looks_for_its_peer() {
    let bench = Bench::new(1);
    let (one, two) = bench.pair(&DELIVERED);
    bench.air.separate(two.radio.node(), one.radio.node());
    bench.run_ms(21_600);
    assert_eq!(one.radio.counts().lock_losses, 1);
    assert_eq!(two.radio.counts().lock_losses, 0);
}

#[test]
fn a_third_radio_of_the_network_hears_what_is_sent() {
    let bench = Bench::new(1);
    let (one, two) = bench.pair(&DELIVERED);
    let listener = bench.station("three", &DELIVERED, 0.5);
    // Its own responses would collide with those of the second radio, so they are made inaudible.
    bench.air.separate(listener.radio.node(), one.radio.node());
    bench.air.separate(listener.radio.node(), two.radio.node());
    bench.run_ms(30);
    one.write(b"twelve bytes");
    bench.run_ms(300);
    assert_eq!((two.read(), listener.read()), (b"twelve bytes".to_vec(), b"twelve bytes".to_vec()));
}

#[test]
fn two_radios_that_answer_the_same_yield_collide() {
    let bench = Bench::new(1);
    let (one, _two) = bench.pair(&DELIVERED);
    let _three = bench.station("three", &DELIVERED, 0.5);
    bench.run_ms(2_000);
    let log = bench.log.borrow();
    let others = log.iter().filter(|entry| entry.0 != one.radio.node());
    let collided = others.filter(|entry| entry.3 == Verdict::Collided).count();
    assert!(collided > 8, "{collided}");
}

#[test]
fn two_networks_share_the_band_and_seldom_meet() {
    let bench = Bench::new(1);
    let (one, two) = bench.pair(&DELIVERED);
    let other = Settings { network: 26, ..DELIVERED };
    let three = bench.station("three", &other, 0.3);
    let four = bench.station("four", &other, 0.8);
    for _ in 0..40 {
        one.write(b"of the first");
        three.write(b"the second");
        bench.run_ms(500);
    }
    bench.run_ms(300);
    assert!(two.read().len() > 38 * 12 && four.read().len() > 38 * 10);
    assert_eq!(two.radio.counts().lock_losses + four.radio.counts().lock_losses, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_byte_is_delivered_lost_with_a_reason_or_still_waiting(
        seed: u64, air_rate in prop::sample::select(vec![8_u64, 32, 64, 250]), ecc: bool,
        framing in prop::sample::select(vec![Framing::Off, Framing::V10]),
        loss in prop::sample::select(vec![0.0, 0.2]),
        messages in prop::collection::vec((1_usize..400, 0_u64..400), 1..12),
        listen_before_talk: bool, send_buffer in 50_usize..645,
    ) {
        let bench = Bench::new(seed);
        let settings =
            Settings { air_rate, ecc, framing, listen_before_talk, send_buffer, ..DELIVERED };
        let (one, two) = bench.pair(&settings);
        bench.air.set_loss(one.radio.node(), two.radio.node(), Independent { probability: loss });
        let mut written = 0;
        for (size, pause) in messages {
            one.write(&vec![0xA5; size]);
            written += size as u64;
            // The serial line is busy for that time.
            bench.run_ms(size as u64 / 5 + 1 + pause);
        }
        bench.run_ms(300);
        let (sent, got) = (one.radio.counts(), two.radio.counts());
        prop_assert_eq!(sent.serial.taken + sent.serial.overflowed_in, written);
        prop_assert_eq!(sent.serial.taken, sent.sent_bytes + sent.waiting);
        let flying = sent.sent_bytes - got.received_bytes - got.damaged_bytes - got.missed_bytes;
        prop_assert!(flying <= 250, "{flying}");
        prop_assert_eq!(got.received_bytes, got.serial.handed_out + got.serial.overflowed_out);
        prop_assert_eq!(two.read().len() as u64, got.serial.handed_out);
    }

    #[test]
    fn the_stream_arrives_in_order_but_for_what_a_hop_cut_off(
        seed: u64,
        framing in prop::sample::select(vec![Framing::Off, Framing::V10, Framing::V10V20]),
        message in prop::collection::vec(any::<u8>(), 1..500),
        wait in 0_u64..250,
    ) {
        let bench = Bench::new(seed);
        let (one, two) = bench.pair(&Settings { framing, ..DELIVERED });
        bench.run_ms(wait);
        one.write(&message);
        bench.run_ms(1_500);
        let (got, counts) = (two.read(), two.radio.counts());
        prop_assert_eq!(got.len() as u64 + counts.missed_bytes, message.len() as u64);
        let mut rest = message.iter();
        prop_assert!(got.iter().all(|byte| rest.any(|sent| sent == byte)));
    }
}
