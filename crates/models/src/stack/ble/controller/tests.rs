use std::cell::RefCell;

use airlag_air::{Frame, Independent, Loss};
use airlag_link::airtime::ble::Phy;
use airlag_sim::{Duration, Instant, Simulation};
use proptest::prelude::*;

use super::*;
use crate::stack::ble::hop;
use crate::stack::ble::interval::Interval;
use crate::stack::ble::pdu::Address;

mod procedures;

const MS: u64 = 1_000_000;
const US: u64 = 1_000;

/// A data packet as received by a listener near both ends.
#[derive(Clone, Copy, Debug)]
struct Heard {
    begin_ns: u64,
    end_ns: u64,
    from_central: bool,
    payload: usize,
    flags: u8,
    channel_khz: u32,
}

impl Heard {
    fn more_data(&self) -> bool {
        self.flags & 0x10 != 0
    }
}

struct Pair {
    bench: Simulation,
    air: Medium,
    central: Rc<Controller>,
    peripheral: Rc<Controller>,
    events: (Receiver<Event>, Receiver<Event>),
    heard: Rc<RefCell<Vec<Heard>>>,
}

fn settings(interval_us: u64) -> Settings {
    Settings::new(Interval::from_us(interval_us).expect("legal"), Phy::Le2M)
}

fn pair_with_clocks(settings: Settings, clocks: (Clock, Clock)) -> Pair {
    settings.check().expect("allowed");
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let (central, central_events) = Controller::new(&air, &bench, "central", clocks.0);
    let (peripheral, peripheral_events) = Controller::new(&air, &bench, "peripheral", clocks.1);
    let heard = Rc::new(RefCell::new(Vec::new()));
    let (log, node) = (Rc::clone(&heard), central.node());
    air.tap(move |frame: &Frame, _| {
        if Address::ADVERTISING.matches(&frame.bytes) {
            return;
        }
        log.borrow_mut().push(Heard {
            begin_ns: frame.begin.as_ns(),
            end_ns: frame.end.as_ns(),
            from_central: frame.from == node,
            payload: frame.bytes.len() - 9,
            flags: frame.bytes[4],
            channel_khz: frame.band.low_khz,
        });
    });
    connect(&central, &peripheral, settings);
    Pair { bench, air, central, peripheral, events: (central_events, peripheral_events), heard }
}

fn pair(settings: Settings) -> Pair {
    pair_with_clocks(settings, (Clock::exact(), Clock::exact()))
}

/// A packet with a recognisable content.
fn packet(number: u8, len: usize) -> Packet {
    Packet { start: true, bytes: vec![number; len] }
}

fn received(events: &mut Receiver<Event>) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(event) = events.try_receive() {
        if let Event::Received(piece) = event {
            bytes.extend(piece.bytes);
        }
    }
    bytes
}

impl Pair {
    fn run_ms(&self, ms: u64) {
        self.bench.run_until(Instant::from_ns(ms * MS)).expect("no livelock");
    }

    /// Packets since the last call.
    fn heard(&self) -> Vec<Heard> {
        core::mem::take(&mut self.heard.borrow_mut())
    }
}

/// Loses the frames with the listed numbers, counted from when the loss is set.
struct Nth(Vec<usize>, usize);

impl Loss for Nth {
    fn loses(&mut self, _: &Frame, _: &mut Stream) -> bool {
        self.1 += 1;
        self.0.contains(&(self.1 - 1))
    }

    fn skip(&mut self, _: &mut Stream) {
        self.1 += 1;
    }
}

#[test]
fn anchor_points_lie_one_interval_apart_at_the_phase_asked_for() {
    let pair = pair(Settings { anchor_phase: Duration::from_us(4_321), ..settings(30_000) });
    pair.run_ms(300);
    let heard = pair.heard();
    let anchors: Vec<u64> =
        heard.iter().filter(|packet| packet.from_central).map(|packet| packet.begin_ns).collect();
    let expected: Vec<u64> = (0..10).map(|nth| nth * 30 * MS + 4_321 * US).collect();
    assert_eq!(anchors, expected);
}

#[test]
fn an_idle_connection_event_is_two_empty_packets_an_interframe_space_apart() {
    let pair = pair(settings(30_000));
    pair.run_ms(50);
    let [poll, answer] = pair.heard()[..] else { panic!("one event") };
    assert!(poll.from_central && !answer.from_central);
    assert_eq!((poll.payload, answer.payload), (0, 0));
    assert_eq!((poll.end_ns - poll.begin_ns, answer.end_ns - answer.begin_ns), (44 * US, 44 * US));
    assert_eq!(answer.begin_ns - poll.end_ns, 150 * US);
}

#[test]
fn every_event_uses_another_channel() {
    let pair = pair(settings(7_500));
    pair.run_ms(8 + 37 * 8);
    let mut channels: Vec<u32> = pair.heard().iter().map(|packet| packet.channel_khz).collect();
    channels.sort_unstable();
    channels.dedup();
    assert_eq!(channels.len(), 37);
    assert!(!channels.contains(&hop::band(hop::ADVERTISING).low_khz));
}

#[test]
fn a_peripheral_sends_in_its_answer_and_a_central_at_the_anchor_point() {
    let mut pair = pair(settings(30_000));
    pair.run_ms(70);
    pair.heard();
    pair.peripheral.submit(packet(1, 19));
    pair.central.submit(packet(2, 19));
    pair.run_ms(95);
    let heard = pair.heard();
    assert_eq!(heard[0].begin_ns, 90 * MS);
    assert_eq!((heard[0].payload, heard[1].payload), (19, 19));
    assert_eq!(received(&mut pair.events.0), [1; 19]);
    assert_eq!(received(&mut pair.events.1), [2; 19]);
}

#[test]
fn more_data_keeps_an_event_going() {
    let pair = pair(settings(30_000));
    pair.run_ms(70);
    pair.heard();
    (0..6).for_each(|number| pair.peripheral.submit(packet(number, 251)));
    pair.run_ms(119);
    let heard = pair.heard();
    let data: Vec<&Heard> = heard.iter().filter(|packet| packet.payload > 0).collect();
    assert_eq!(data.len(), 6);
    // Data, space, empty packet, space.
    assert!(data.windows(2).all(|two| two[1].begin_ns - two[0].begin_ns == 1_392 * US));
    let flags: Vec<bool> = data.iter().map(|packet| packet.more_data()).collect();
    assert_eq!(flags, [true, true, true, true, true, false]);
}

#[test]
fn an_event_carries_as_many_packets_as_the_controller_allows() {
    let pair = pair(Settings { packets_per_event: 4, ..settings(30_000) });
    pair.run_ms(70);
    pair.heard();
    (0..6).for_each(|number| pair.peripheral.submit(packet(number, 100)));
    pair.run_ms(149);
    let data: Vec<u64> =
        pair.heard().iter().filter(|one| one.payload > 0).map(|one| one.begin_ns / MS).collect();
    assert_eq!(data.iter().filter(|&&at| at < 119).count(), 4);
    assert_eq!(data.iter().filter(|&&at| at >= 119).count(), 2);
}

#[test]
fn an_event_ends_an_interframe_space_before_the_next_anchor_point() {
    for (phy, interval_us, expected) in [
        (Phy::Le1M, 7_500, 3),
        (Phy::Le2M, 7_500, 5),
        (Phy::Le2M, 15_000, 10),
        (Phy::Le1M, 30_000, 12),
    ] {
        let pair = pair(Settings { phy, ..settings(interval_us) });
        pair.run_ms(60);
        (0..100).for_each(|number| pair.peripheral.submit(packet(number, 251)));
        pair.run_ms(90);
        pair.heard();
        let end = Instant::from_ns(90 * MS + interval_us * US - 1);
        pair.bench.run_until(end).expect("no livelock");
        let heard = pair.heard();
        assert_eq!(heard.iter().filter(|one| one.payload > 0).count(), expected, "{phy:?}");
    }
}

#[test]
fn a_gap_before_the_next_anchor_point_is_kept_behind_the_longest_exchange() {
    // 2M: an exchange of 251 B and its empty response lasts 1392 us, the longest both ways 2396 us.
    // At 15 ms with a gap of 1150 us, exchanges start until 11 454 us: nine of them.
    let gap = Duration::from_us(1_150);
    for (event_gap, expected) in [(Duration::ZERO, 10), (gap, 9)] {
        let mut pair = pair(Settings { event_gap, ..settings(15_000) });
        pair.run_ms(20);
        for number in 0..40 {
            pair.central.submit(packet(number, 251));
        }
        pair.run_ms(60);
        let heard = pair.heard();
        let data: Vec<_> = heard.iter().filter(|one| one.payload > 0).collect();
        let first = data[0].channel_khz;
        let in_first = data.iter().take_while(|one| one.channel_khz == first).count();
        assert_eq!(in_first, expected, "{event_gap:?}");
        assert!(!received(&mut pair.events.1).is_empty());
    }
}

#[test]
fn an_end_that_reckons_with_distance_hears_an_answer_that_comes_late() {
    // 1 km: 3.3 us in each direction, more than the tolerance of 2 us of clocks that are awake.
    let far = Duration::from_ns(3_336);
    for (metres, heard) in [(0.0, false), (1_000.0, true)] {
        let mut pair = pair(Settings { range_delay: range_delay(metres), ..settings(7_500) });
        let (central, peripheral) = (pair.central.node(), pair.peripheral.node());
        pair.air.set_delay(central, peripheral, far);
        pair.air.set_delay(peripheral, central, far);
        pair.run_ms(20);
        pair.peripheral.submit(packet(1, 20));
        pair.run_ms(100);
        assert_eq!(!received(&mut pair.events.0).is_empty(), heard, "{metres} m");
    }
    assert_eq!(range_delay(1_000.0), Duration::from_us(8));
}

#[test]
fn an_event_takes_no_longer_than_its_length() {
    let pair = pair(Settings { event_length: Duration::from_us(3_000), ..settings(30_000) });
    pair.run_ms(70);
    pair.heard();
    (0..10).for_each(|number| pair.peripheral.submit(packet(number, 251)));
    pair.run_ms(119);
    let heard = pair.heard();
    assert_eq!(heard.iter().filter(|one| one.payload > 0).count(), 2);
    assert!(heard.iter().all(|one| one.end_ns <= 93 * MS));
}

#[test]
fn a_frame_longer_than_a_pdu_is_cut_and_arrives_whole() {
    let mut pair = pair(Settings { data_length: 27, ..settings(30_000) });
    pair.run_ms(70);
    pair.heard();
    let bytes: Vec<u8> = (0..100).collect();
    pair.peripheral.submit(Packet { start: true, bytes: bytes.clone() });
    pair.run_ms(119);
    let pieces: Vec<(usize, u8)> = pair
        .heard()
        .iter()
        .filter(|one| one.payload > 0)
        .map(|one| (one.payload, one.flags & 3))
        .collect();
    assert_eq!(pieces, [(27, 2), (27, 1), (27, 1), (19, 1)]);
    assert_eq!(received(&mut pair.events.0), bytes);
}

#[test]
fn a_damaged_packet_is_repeated_and_delivered_once() {
    let mut pair = pair(settings(30_000));
    pair.run_ms(70);
    pair.heard();
    pair.air.set_loss(pair.peripheral.node(), pair.central.node(), Nth(vec![0], 0));
    pair.peripheral.submit(packet(7, 50));
    pair.run_ms(149);
    let heard = pair.heard();
    let sent: Vec<&Heard> = heard.iter().filter(|one| one.payload > 0).collect();
    // Neither end announced more data, so the peripheral waits for the next event.
    assert_eq!(sent.iter().map(|one| one.begin_ns / (30 * MS)).collect::<Vec<_>>(), [3, 4]);
    assert_eq!(sent[0].flags & 0x08, sent[1].flags & 0x08, "under the same sequence number");
    assert_eq!(received(&mut pair.events.0), [7; 50]);
}

#[test]
fn a_lost_acknowledgement_repeats_the_packet_and_delivers_it_once() {
    let mut pair = pair(settings(30_000));
    pair.run_ms(70);
    pair.heard();
    pair.air.set_loss(pair.peripheral.node(), pair.central.node(), Nth(vec![0], 0));
    pair.central.submit(packet(7, 50));
    pair.run_ms(149);
    let heard = pair.heard();
    assert!(heard.iter().filter(|one| one.payload > 0).count() > 1);
    assert_eq!(received(&mut pair.events.1), [7; 50]);
    assert_eq!(pair.central.queued(), 0);
}

#[test]
fn damaged_packets_close_the_event() {
    for (damaged_packets, in_event) in [(2, 4), (1, 2)] {
        let pair = pair(Settings { damaged_packets, ..settings(30_000) });
        pair.run_ms(70);
        pair.heard();
        pair.air.set_loss(pair.peripheral.node(), pair.central.node(), Nth(vec![0, 1], 0));
        (0..2).for_each(|number| pair.peripheral.submit(packet(number, 50)));
        pair.run_ms(119);
        assert_eq!(pair.heard().len(), in_event, "{damaged_packets}");
    }
}

#[test]
fn a_missed_event_costs_one_interval() {
    let mut pair = pair(Settings { slip: 0.5, ..settings(30_000) });
    pair.run_ms(10_000);
    let anchors: Vec<u64> =
        pair.heard().iter().filter(|one| one.from_central).map(|one| one.begin_ns).collect();
    assert!((120..213).contains(&anchors.len()), "half of 333: {}", anchors.len());
    assert!(anchors.iter().all(|at| at % (30 * MS) == 0));
    pair.peripheral.submit(packet(1, 10));
    pair.run_ms(11_000);
    assert_eq!(received(&mut pair.events.0), [1; 10]);
}

#[test]
fn data_that_is_late_takes_the_event_after_the_next() {
    let mut pair = pair(Settings { late: 1.0, ..settings(30_000) });
    pair.run_ms(70);
    pair.heard();
    pair.peripheral.submit(packet(1, 10));
    pair.run_ms(119);
    assert!(pair.heard().iter().all(|one| one.payload == 0), "90 ms came too soon");
    pair.run_ms(149);
    assert_eq!(received(&mut pair.events.0), [1; 10]);
}

#[test]
fn a_peripheral_with_nothing_to_say_skips_events_and_comes_back_with_data() {
    let mut pair = pair(Settings { latency: 4, ..settings(30_000) });
    pair.run_ms(1_499);
    let answers = pair.heard().iter().filter(|one| !one.from_central).count();
    assert_eq!(answers, 10, "one in five of 50");
    pair.run_ms(1_520);
    pair.heard();
    pair.peripheral.submit(packet(9, 10));
    pair.run_ms(1_539);
    assert_eq!(received(&mut pair.events.0), [9; 10], "at the next anchor point, 1530 ms");
}

#[test]
fn an_excess_moves_the_anchor_points_and_the_peripheral_follows() {
    let pair = pair(Settings { interval_excess: Duration::from_ns(1_200), ..settings(30_000) });
    pair.run_ms(30_001);
    let anchors: Vec<u64> =
        pair.heard().iter().filter(|one| one.from_central).map(|one| one.begin_ns).collect();
    assert!(anchors.windows(2).all(|two| two[1] - two[0] == 30 * MS + 1_200));
    assert!(pair.peripheral.is_connected());
}

#[test]
fn clocks_within_their_accuracy_stay_in_step_and_clocks_beyond_it_part() {
    for (ppb, accuracy, expected) in [(45_000, 50, true), (190_000, 20, false)] {
        let settings = Settings {
            latency: 60,
            supervision_timeout: Duration::from_secs(20),
            sleep_clock_accuracy: accuracy,
            ..settings(100_000)
        };
        let clocks = (Clock::exact(), Clock::exact().with_ppb(ppb));
        let pair = pair_with_clocks(settings, clocks);
        pair.run_ms(120_000);
        assert_eq!(pair.peripheral.is_connected(), expected, "{ppb} ppb");
    }
}

#[test]
fn silence_ends_a_connection_after_the_supervision_timeout() {
    let mut pair =
        pair(Settings { supervision_timeout: Duration::from_ms(200), ..settings(30_000) });
    pair.run_ms(1_000);
    pair.air.separate(pair.central.node(), pair.peripheral.node());
    pair.central.submit(packet(1, 60));
    pair.run_ms(1_180);
    assert!(pair.central.is_connected());
    pair.run_ms(1_230);
    assert!(!pair.central.is_connected() && !pair.peripheral.is_connected());
    assert_eq!(pair.central.abandoned(), 60);
    while let Some(event) = pair.events.0.try_receive() {
        if let Event::Disconnected(reason) = event {
            assert_eq!(reason, Reason::SupervisionTimeout);
            return;
        }
    }
    panic!("the host received no event");
}

#[test]
fn two_connections_on_one_channel_at_one_time_disturb_each_other_and_recover() {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let ends: Vec<_> = (0..8)
        .map(|nth| {
            let clock = |ppb: i32| Clock::exact().with_ppb(ppb);
            let central =
                Controller::new(&air, &bench, &format!("central {nth}"), clock(nth * 5_000));
            let peripheral = Controller::new(&air, &bench, &format!("peripheral {nth}"), clock(0));
            connect(&central.0, &peripheral.0, settings(7_500));
            (central, peripheral)
        })
        .collect();
    let collided = Rc::new(Cell::new(0));
    let count = Rc::clone(&collided);
    air.tap(move |_, verdict| {
        count.set(count.get() + u32::from(verdict == airlag_air::Verdict::Collided));
    });
    let mut delivered = Vec::new();
    for ((_, _), (peripheral, _)) in &ends {
        (0..50).for_each(|number| peripheral.submit(packet(number, 251)));
    }
    bench.run_until(Instant::from_ns(3_000 * MS)).expect("no livelock");
    for ((_, mut events), _) in ends {
        delivered.push(received(&mut events).len());
    }
    assert!(collided.get() > 0);
    assert!(delivered.iter().all(|&bytes| bytes == 50 * 251), "{delivered:?}");
}

#[test]
fn what_the_specification_forbids_is_named() {
    let base = settings(30_000);
    let says = |settings: Settings| settings.check().expect_err("illegal").to_string();
    assert_eq!(says(Settings { data_length: 26, ..base }), "a PDU carries 27 to 251 bytes, not 26");
    assert_eq!(
        says(Settings { latency: 500, ..base }),
        "a peripheral skips at most 499 events, not 500"
    );
    assert_eq!(
        says(Settings { supervision_timeout: Duration::from_ms(600), latency: 9, ..base }),
        "the supervision timeout is 600 ms, but must be 610 to 32000 ms at this interval and latency"
    );
    assert_eq!(
        says(Settings { phy: Phy::CodedS8, ..settings(7_500) }),
        "a PDU of 251 B and its answer take 17804 us, the interval is 7500 us"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_byte_is_delivered_in_order_or_still_queued(
        loss in 0.0_f64..0.4, slip in 0.0_f64..0.3, data_length in 27_usize..=251, seed: u64,
        damaged_packets in 1_u8..=2, sizes in prop::collection::vec(1_usize..400, 1..40),
        per_event in 1_u16..8, latency in 0_u16..4,
    ) {
        let settings = Settings {
            slip, data_length, damaged_packets, packets_per_event: per_event, latency,
            ..settings(15_000)
        };
        let bench = Simulation::new(seed);
        let air = Medium::new(&bench);
        let clock = Clock::exact().with_ppb(20_000);
        let (central, mut events) = Controller::new(&air, &bench, "central", Clock::exact());
        let (peripheral, _other) = Controller::new(&air, &bench, "peripheral", clock);
        for (from, to) in [(&central, &peripheral), (&peripheral, &central)] {
            air.set_loss(from.node(), to.node(), Independent { probability: loss });
        }
        connect(&central, &peripheral, settings);
        let sent: Vec<u8> =
            sizes.iter().enumerate().flat_map(|(nth, &len)| vec![nth as u8; len]).collect();
        for (nth, &len) in sizes.iter().enumerate() {
            peripheral.submit(packet(nth as u8, len));
        }
        bench.run_until(Instant::from_ns(400 * MS)).expect("no livelock");
        let got = received(&mut events);
        prop_assert!(sent.starts_with(&got));
        // Acknowledged PDUs have arrived. Of the PDUs that arrived, at most one is not
        // acknowledged.
        let acknowledged = sent.len() - peripheral.queued();
        prop_assert!(acknowledged <= got.len() && got.len() <= acknowledged + data_length);
        prop_assert_eq!(peripheral.abandoned(), 0);
    }
}
