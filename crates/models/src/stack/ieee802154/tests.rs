//! Rules of the standard, one per test. Times are for 2.4 GHz: a symbol lasts 16 us.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Independent, Medium};
use airlag_link::Link;
use airlag_link::airtime::ieee802154::Phy;
use airlag_sim::{Clock, Duration, Instant, Simulation};
use proptest::prelude::*;

use super::*;
use crate::mcu::Board;

const COORDINATOR: u16 = 0;
const SYMBOL: u64 = 16_000;

/// A frame as received by a sniffer.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    begin: u64,
    end: u64,
    psdu: Vec<u8>,
}

impl Seen {
    fn is_ack(&self) -> bool {
        self.psdu.len() == 5
    }
}

struct Air {
    bench: Simulation,
    medium: Medium,
    seen: Rc<RefCell<Vec<Seen>>>,
}

/// Short address of a node.
fn number(config: &Config) -> u16 {
    match config.address {
        Address::Short(number) => number,
        Address::Extended(_) => panic!("nodes here have short addresses"),
    }
}

fn channel() -> Channel {
    Channel::first(Phy::Oqpsk2450)
}

/// A standard node that sends to the coordinator.
fn standard(address: u16) -> Config {
    let destination = Destination::Unicast(Address::Short(COORDINATOR));
    Config::standard(channel(), Address::Short(address), destination)
}

/// The same without channel assessment.
fn without_csma(address: u16) -> Config {
    Config { csma: None, ..standard(address) }
}

impl Air {
    fn new(seed: u64) -> Self {
        let bench = Simulation::new(seed);
        let medium = Medium::new(&bench);
        let seen = Rc::new(RefCell::new(Vec::new()));
        let kept = Rc::clone(&seen);
        medium.tap(move |frame, _| {
            let (begin, end) = (frame.begin.as_ns(), frame.end.as_ns());
            kept.borrow_mut().push(Seen { begin, end, psdu: frame.bytes.to_vec() });
        });
        Self { bench, medium, seen }
    }

    fn node(&self, config: Config) -> Rc<Node> {
        let name = format!("node {}", number(&config));
        Node::new(&self.medium, &name, &self.bench, Clock::exact(), config)
    }

    fn link(&self, node: &Rc<Node>) -> Ieee802154 {
        let board = Board::new(&self.bench, "board", Clock::exact());
        Ieee802154::new(node, &board, Host::default(), 116)
    }

    /// Sends `payloads` one after the other from `at` on; returns their outcomes when it ends.
    fn send(
        &self,
        node: &Rc<Node>,
        at: u64,
        payloads: Vec<Vec<u8>>,
    ) -> Rc<RefCell<Vec<(Outcome, u64)>>> {
        let (mut link, sim) = (self.link(node), self.bench.sim());
        let reports = Rc::new(RefCell::new(Vec::new()));
        let kept = Rc::clone(&reports);
        self.bench.spawn("sender", async move {
            sim.sleep_until(Instant::from_ns(at)).await;
            for payload in payloads {
                let outcome = link.transmit(&payload).await.expect("it fits");
                kept.borrow_mut().push((outcome, sim.now().as_ns()));
            }
        });
        reports
    }

    /// Receives continuously; returns every payload that reached the program.
    fn receive(&self, node: &Rc<Node>) -> Rc<RefCell<Vec<Vec<u8>>>> {
        let mut link = self.link(node);
        let got = Rc::new(RefCell::new(Vec::new()));
        let keep = Rc::clone(&got);
        self.bench.spawn("receiver", async move {
            let mut buffer = [0; 116];
            loop {
                let len = link.receive(&mut buffer).await.expect("infallible");
                keep.borrow_mut().push(buffer[..len].to_vec());
            }
        });
        got
    }

    fn run(&self) -> Vec<Seen> {
        self.bench.run().expect("no livelock");
        self.seen.take()
    }
}

fn outcomes(reports: &RefCell<Vec<(Outcome, u64)>>) -> Vec<Outcome> {
    reports.borrow().iter().map(|&(outcome, _)| outcome).collect()
}

#[test]
fn a_frame_begins_a_turnaround_after_it_is_handed_over() {
    let air = Air::new(1);
    let node = air.node(Config { ack_request: false, ..without_csma(1) });
    let reports = air.send(&node, 1_000, vec![vec![7; 12]]);
    let seen = air.run();
    assert_eq!((seen[0].begin, seen[0].end), (193_000, 193_000 + 928_000));
    assert_eq!(*reports.borrow(), [(Outcome::Sent, seen[0].end)]);
}

#[test]
fn an_acknowledgement_follows_after_twelve_symbols() {
    let air = Air::new(1);
    let (node, _coordinator) = (air.node(without_csma(1)), air.node(standard(COORDINATOR)));
    let reports = air.send(&node, 0, vec![vec![7; 12]]);
    let seen = air.run();
    assert_eq!(seen[1].begin - seen[0].end, 12 * SYMBOL);
    assert_eq!(seen[1].end - seen[1].begin, 352_000);
    assert_eq!(seen[1].psdu, *frame::ack(0, false));
    assert_eq!(*reports.borrow(), [(Outcome::Acknowledged, seen[1].end)]);
}

#[test]
fn without_acknowledgement_a_frame_is_sent_again_three_times_after_54_symbols() {
    let air = Air::new(1);
    let config = Config { interframe_space: false, ..without_csma(1) };
    let node = air.node(config);
    let reports = air.send(&node, 0, vec![vec![7; 12]]);
    let seen = air.run();
    assert_eq!(outcomes(&reports), [Outcome::NoAck]);
    assert_eq!(seen.len(), 4);
    for pair in seen.windows(2) {
        assert_eq!(pair[1].begin - pair[0].end, (54 + 12) * SYMBOL);
        assert_eq!(pair[0].psdu, pair[1].psdu, "a retry keeps its sequence number");
    }
    assert_eq!(node.counts().no_acks, 1);
}

#[test]
fn a_copy_is_acknowledged_and_dropped() {
    let air = Air::new(1);
    let (node, coordinator) = (air.node(without_csma(1)), air.node(standard(COORDINATOR)));
    air.medium.set_loss(coordinator.id(), node.id(), Independent { probability: 1.0 });
    let got = air.receive(&coordinator);
    let reports = air.send(&node, 0, vec![vec![7; 12]]);
    let seen = air.run();
    assert_eq!(outcomes(&reports), [Outcome::NoAck]);
    assert_eq!(seen.iter().filter(|frame| frame.is_ack()).count(), 4);
    assert_eq!(got.borrow().len(), 1);
    assert_eq!(coordinator.counts().duplicates, 3);
}

#[test]
fn the_first_backoff_is_up_to_seven_units_and_reaches_both_ends() {
    let air = Air::new(1);
    let config = Config { ack_request: false, interframe_space: false, ..standard(1) };
    let node = air.node(config);
    let reports = air.send(&node, 0, vec![vec![7; 12]; 500]);
    let seen = air.run();
    assert_eq!(reports.borrow().len(), 500);
    let mut drawn = [0; 8];
    for pair in seen.windows(2) {
        // Backoff, eight symbols of assessment, twelve of turnaround.
        let wait = pair[1].begin - pair[0].end - 20 * SYMBOL;
        assert_eq!(wait % (20 * SYMBOL), 0);
        drawn[(wait / (20 * SYMBOL)) as usize] += 1;
    }
    assert!(drawn.iter().all(|&count| count > 30), "{drawn:?}");
}

/// A permanent signal on the air from outside the channel's own radios.
fn jam(air: &Air, from: u64, until: u64) {
    let node = air.medium.join("jammer");
    let (medium, band) = (air.medium.clone(), channel().band());
    let modulation = airlag_air::Modulation { family: "oven", setting: 0 };
    air.bench.at(Instant::from_ns(from), move || {
        medium.send(node, band, modulation, Instant::from_ns(until), Rc::from([]));
    });
}

#[test]
fn a_channel_that_stays_busy_is_looked_at_five_times() {
    let air = Air::new(1);
    let node = air.node(standard(1));
    jam(&air, 0, 1_000_000_000);
    let reports = air.send(&node, 1_000, vec![vec![7; 12]]);
    let seen = air.run();
    assert_eq!(outcomes(&reports), [Outcome::ChannelAccessFailure]);
    assert_eq!((seen.len(), node.counts().busy), (1, 5));
}

#[test]
fn the_backoff_exponent_grows_to_its_largest_and_no_further() {
    // At most 7, 15, 31, 31 and 31 units before the five assessments.
    let longest = (0..300).map(|seed| {
        let air = Air::new(seed);
        let node = air.node(standard(1));
        jam(&air, 0, 1_000_000_000);
        let reports = air.send(&node, 0, vec![vec![7; 12]]);
        air.run();
        let (_, at) = reports.borrow()[0];
        (at - 5 * 8 * SYMBOL) / (20 * SYMBOL)
    });
    let longest = longest.max().expect("some");
    assert!((80..=7 + 15 + 31 + 31 + 31).contains(&longest), "{longest}");
}

#[test]
fn what_ends_during_the_assessment_makes_the_channel_busy() {
    let air = Air::new(1);
    let csma = Csma { min_be: 0, max_be: 3, max_backoffs: 0 };
    let node = air.node(Config { csma: Some(csma), ..standard(1) });
    jam(&air, 0, 8 * SYMBOL - 1);
    let reports = air.send(&node, 0, vec![vec![7; 12]]);
    air.run();
    assert_eq!(outcomes(&reports), [Outcome::ChannelAccessFailure]);
}

#[test]
fn what_ended_before_the_assessment_does_not() {
    let air = Air::new(1);
    let csma = Csma { min_be: 0, max_be: 3, max_backoffs: 0 };
    let config = Config { csma: Some(csma), ack_request: false, ..standard(1) };
    let node = air.node(config);
    jam(&air, 0, 1_000);
    let reports = air.send(&node, 1_000, vec![vec![7; 12]]);
    air.run();
    assert_eq!(outcomes(&reports), [Outcome::Sent]);
}

#[test]
fn a_broadcast_is_acknowledged_only_by_a_radio_that_does_so() {
    for (ack_broadcast, expected) in [(false, Outcome::NoAck), (true, Outcome::Acknowledged)] {
        let air = Air::new(1);
        let sender = Config { destination: Destination::Broadcast, ..without_csma(1) };
        let (node, _other) =
            (air.node(sender), air.node(Config { ack_broadcast, ..standard(COORDINATOR) }));
        let reports = air.send(&node, 0, vec![vec![7; 12]]);
        air.run();
        assert_eq!(outcomes(&reports), [expected]);
    }
}

#[test]
fn frames_of_another_pan_or_for_another_node_are_not_taken() {
    let air = Air::new(1);
    let elsewhere = air.node(Config { pan: 8, ..without_csma(1) });
    let coordinator = air.node(standard(COORDINATOR));
    let to_other = Destination::Unicast(Address::Short(9));
    let misdirected = air.node(Config { destination: to_other, ..without_csma(2) });
    let first = air.send(&elsewhere, 0, vec![vec![7; 12]]);
    let second = air.send(&misdirected, 100_000_000, vec![vec![7; 12]]);
    air.run();
    assert_eq!(outcomes(&first), [Outcome::NoAck]);
    assert_eq!(outcomes(&second), [Outcome::NoAck]);
    assert_eq!(coordinator.counts().received, 0);
}

#[test]
fn the_twenty_first_frame_nobody_took_is_dropped() {
    let air = Air::new(1);
    let (node, coordinator) = (air.node(standard(1)), air.node(standard(COORDINATOR)));
    air.send(&node, 0, vec![vec![7; 12]; 25]);
    air.run();
    let got = air.receive(&coordinator);
    air.run();
    assert_eq!((got.borrow().len(), coordinator.counts().overflows), (20, 5));
}

#[test]
fn a_long_frame_is_followed_by_forty_symbols_of_silence_and_a_short_one_by_twelve() {
    for (payload, symbols) in [(116, 40), (7, 12), (8, 40)] {
        let air = Air::new(1);
        let config = Config { ack_request: false, ..without_csma(1) };
        let node = air.node(config);
        air.send(&node, 0, vec![vec![7; payload]; 2]);
        let seen = air.run();
        assert_eq!(seen[1].begin - seen[0].end, (symbols + 12) * SYMBOL, "{payload} B");
    }
}

#[test]
fn a_radio_that_sends_hears_nothing() {
    let air = Air::new(1);
    let (node, coordinator) = (air.node(without_csma(1)), air.node(without_csma(COORDINATOR)));
    // Both begin at once, and the shorter frame ends while the longer one is still being sent.
    let reports = air.send(&node, 0, vec![vec![7; 12]]);
    air.send(&coordinator, 0, vec![vec![7; 116]]);
    let seen = air.run();
    assert!(!seen.iter().any(|frame| frame.is_ack() && frame.begin < 4_448_000), "{seen:?}");
    assert_ne!(reports.borrow()[0].0, Outcome::Sent);
}

#[test]
fn a_node_without_csma_still_finishes_its_acknowledgement_first() {
    let air = Air::new(1);
    let (node, coordinator) = (air.node(without_csma(1)), air.node(without_csma(COORDINATOR)));
    let reports = air.send(&node, 0, vec![vec![7; 12]]);
    // Requested in the middle of the turnaround before its acknowledgement.
    air.send(&coordinator, 1_120_000 + 100_000, vec![vec![7; 12]]);
    let seen = air.run();
    assert_eq!(outcomes(&reports), [Outcome::Acknowledged]);
    assert!(seen[1].is_ack() && seen[2].begin >= seen[1].end, "{seen:?}");
}

#[test]
fn a_payload_that_does_not_fit_is_an_error_with_its_size() {
    let air = Air::new(1);
    let node = air.node(standard(1));
    let mut link = air.link(&node);
    air.bench.spawn("sender", async move {
        let error = link.send(&[0; 117]).await.expect_err("too long");
        assert_eq!(error.to_string(), "117 B do not fit an IEEE 802.15.4 frame of at most 116 B");
    });
    assert!(air.run().is_empty());
}

/// A star: every node sends `each` frames to the coordinator at random times within `spread`.
fn star(seed: u64, nodes: u16, each: usize, loss: f64, spread: Duration) -> (Air, Vec<Rc<Node>>) {
    let air = Air::new(seed);
    let nodes: Vec<Rc<Node>> = (0..=nodes).map(|address| air.node(standard(address))).collect();
    for node in &nodes[1..] {
        for (from, to) in [(node, &nodes[0]), (&nodes[0], node)] {
            air.medium.set_loss(from.id(), to.id(), Independent { probability: loss });
        }
        let at = air.bench.stream(&format!("start {}", number(node.config()))).within(spread);
        air.send(node, at.as_ns(), vec![vec![7; 30]; each]);
    }
    (air, nodes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_frame_appears_or_vanishes_without_being_counted(
        seed: u64, count in 1_u16..12, each in 1_usize..20, loss in 0.0..0.5, spread_ms in 0_u64..50,
    ) {
        let (air, nodes) = star(seed, count, each, loss, Duration::from_ms(spread_ms));
        let got = air.receive(&nodes[0]);
        let seen = air.run();
        let (mut sent, mut sure) = (0, 0);
        for node in &nodes[1..] {
            let c = node.counts();
            prop_assert_eq!(c.acknowledged + c.no_acks + c.channel_access_failures, each as u64);
            sent += c.frames;
            sure += c.acknowledged;
        }
        let c = nodes[0].counts();
        let acks = seen.iter().filter(|frame| frame.is_ack()).count() as u64;
        prop_assert_eq!(seen.len() as u64, sent + acks);
        // Each received frame was acknowledged. It was then delivered, dropped as a duplicate, or
        // dropped because there was no room.
        prop_assert_eq!(acks, c.received);
        prop_assert_eq!(got.borrow().len() as u64 + c.duplicates + c.overflows, c.received);
        prop_assert!(sure <= got.borrow().len() as u64 + c.overflows);
        prop_assert!(c.received <= sent);
    }

    #[test]
    fn the_same_seed_gives_the_same_frames(seed: u64) {
        let run = || star(seed, 5, 10, 0.1, Duration::from_ms(10)).0.run();
        prop_assert_eq!(run(), run());
    }
}

#[test]
fn a_hundred_nodes_cost_no_more_events_a_frame_than_two() {
    let events = |nodes: u16, each: usize| {
        let (air, all) = star(1, nodes, each, 0.0, Duration::from_ms(100) * u64::from(nodes));
        air.receive(&all[0]);
        let frames = air.run().len();
        assert!(frames >= usize::from(nodes) * each, "{frames} of {nodes} nodes");
        air.bench.events_fired() as f64 / frames as f64
    };
    let (few, many) = (events(2, 500), events(100, 10));
    assert!(many < 2.0 * few, "{few} events a frame of two nodes, {many} of a hundred");
}
