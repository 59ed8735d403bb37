//! Timelines by hand, the busy relay, lost segments and responses, and properties of chains.

mod segmented;

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Frame, Loss, Medium};
use airlag_sim::{Clock, Duration, Instant, Simulation, Stream};

use super::config::{Config, Occupancy, Segmentation, Transmit};
use super::node::Node;
use super::pdu::{Network, Transport, airtime_ns, network_of, unsegmented_len};

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

fn config(nth: u16, hops: u16) -> Config {
    Config {
        network: 1,
        address: 1 + nth,
        peer: if nth == 0 { 1 + hops } else { 1 },
        ttl: 7,
        relay: nth > 0 && nth < hops,
        network_transmit: Transmit { transmissions: 1, interval: Duration::from_ms(20) },
        relay_retransmit: Transmit { transmissions: 4, interval: Duration::from_ms(10) },
        occupancy: Occupancy::Counted,
        start: Duration::from_ms(5),
        start_spread: Duration::ZERO,
        channel_change: Duration::from_us(400),
        // So long that no scanner changes its channel in a test.
        scan_interval: Duration::from_secs(1_000),
        relay_processing: Duration::from_ms(2),
        relay_delay: Duration::ZERO,
        queue: 6,
        cache: 32,
        acknowledged: false,
        attempts: 3,
        response_timeout: Duration::from_ms(500),
        segmentation: Segmentation::Profile10,
        segment_interval: Duration::from_ms(60),
        segment_reception_interval: Duration::from_ms(60),
        segment_timer: Duration::from_ms(200),
        segment_attempts: 4,
    }
}

/// Begin, ns, channel in MHz and sender of a frame, and its network PDU.
#[derive(Clone, Debug)]
struct Heard {
    begin: u64,
    mhz: u32,
    pdu: Network,
    node: usize,
}

/// Time, ns, and data of each message that arrived.
type Arrived = Rc<RefCell<Vec<(u64, Vec<u8>)>>>;

struct Chain {
    bench: Simulation,
    air: Medium,
    nodes: Vec<Rc<Node>>,
    heard: Rc<RefCell<Vec<Heard>>>,
    incidents: Rc<RefCell<Vec<&'static str>>>,
    arrived: Arrived,
}

/// A chain of nodes in which each hears its neighbours only, and a program at its end.
fn chain(hops: u16, change: impl Fn(Config) -> Config) -> Chain {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let nodes: Vec<_> = (0..=hops)
        .map(|nth| {
            let name = format!("node {nth}");
            Node::new(&air, &name, &bench, Clock::exact(), change(config(nth, hops)))
        })
        .collect();
    for (one, from) in nodes.iter().enumerate() {
        for (_, to) in nodes.iter().enumerate().filter(|(other, _)| one.abs_diff(*other) > 1) {
            air.separate(from.id(), to.id());
        }
    }
    let (heard, incidents) = (Rc::default(), Rc::default());
    let log: Rc<RefCell<Vec<Heard>>> = Rc::clone(&heard);
    let ids: Vec<_> = nodes.iter().map(|node| node.id()).collect();
    air.tap(move |frame: &Frame, _| {
        let pdu = network_of(&frame.bytes).and_then(Network::decode).expect("a network PDU");
        let node = ids.iter().position(|&id| id == frame.from).expect("a node");
        let (begin, mhz) = (frame.begin.as_ns(), frame.band.centre_khz() / 1_000);
        log.borrow_mut().push(Heard { begin, mhz, pdu, node });
    });
    for node in &nodes {
        let log: Rc<RefCell<Vec<&'static str>>> = Rc::clone(&incidents);
        node.observe(move |incident| log.borrow_mut().push(incident.name()));
    }
    let arrived: Arrived = Rc::default();
    let (log, last, sim) =
        (Rc::clone(&arrived), Rc::clone(&nodes[usize::from(hops)]), (*bench).clone());
    bench.spawn("receiver", async move {
        let mut buffer = [0; 400];
        loop {
            let len = last.next_data(&mut buffer).await;
            log.borrow_mut().push((sim.now().as_ns(), buffer[..len].to_vec()));
        }
    });
    Chain { bench, air, nodes, heard, incidents, arrived }
}

impl Chain {
    fn send(&self, data: Vec<Vec<u8>>) {
        let sender = Rc::clone(&self.nodes[0]);
        self.bench.spawn("sender", async move {
            for one in data {
                sender.queue(&one).await;
            }
        });
    }

    fn run_ms(&self, ms: u64) {
        self.bench.run_until(Instant::from_ns(ms * MS)).expect("no livelock");
    }

    /// Index of the PDU of an event that the scanner of a node hears.
    fn channel(&self, node: usize) -> u64 {
        // The phase decides, and every sender's first PDU arrives on the same channel.
        let name = format!("node {node}/scan phase");
        let cycle = Duration::from_secs(3_000);
        self.bench.stream(&name).within(cycle).as_ns() / 1_000_000_000_000
    }
}

/// Loses the frames of a path whose numbers, from 0, are in a list.
struct Nth(u64, &'static [u64]);

impl Loss for Nth {
    fn loses(&mut self, _: &Frame, _: &mut Stream) -> bool {
        self.0 += 1;
        self.1.contains(&(self.0 - 1))
    }

    fn skip(&mut self, _: &mut Stream) {
        self.0 += 1;
    }
}

#[test]
fn a_message_over_two_hops_takes_what_its_parts_take() {
    let chain = chain(2, |config| config);
    chain.send(vec![vec![9]]);
    chain.run_ms(500);
    // 1 B of data and the opcode: 9 + 1 + 4 + 4 + 4 = 22 B, with 8 B of advertising: 320 us.
    let air = airtime_ns(unsegmented_len(4));
    assert_eq!(air, (1 + 4 + 2 + 6 + 2 + 22 + 3) * 8 * US);
    let each = air + 400 * US;
    // Start of the advertiser, the PDU on the relay's channel, processing, and the same again.
    let relayed = 5 * MS + chain.channel(1) * each + air + 2 * MS;
    let expected = relayed + 5 * MS + chain.channel(2) * each + air;
    assert_eq!(*chain.arrived.borrow(), [(expected, vec![9])]);
    let heard = chain.heard.borrow();
    // Three channels of one transmission, and of four.
    let of = |node| heard.iter().filter(move |one| one.node == node).collect::<Vec<_>>();
    let (source, relay) = (of(0), of(1));
    assert_eq!((source.len(), relay.len(), of(2).len()), (3, 12, 0));
    let mhz: Vec<u32> = source.iter().map(|one| one.mhz).collect();
    assert_eq!(mhz, [2402, 2426, 2480]);
    assert_eq!(relay[0].begin, relayed + 5 * MS);
    // 20 ms and a random delay of up to 10 ms: controllers do not support the 10 ms of the state.
    for pair in relay.chunks(3).collect::<Vec<_>>().windows(2) {
        let interval = pair[1][0].begin - pair[0][0].begin;
        assert!((20 * MS..=30 * MS).contains(&interval), "{interval}");
    }
    assert!(source.iter().all(|one| one.pdu.ttl == 7));
    assert!(relay.iter().all(|one| one.pdu.ttl == 6));
}

#[test]
fn a_relay_passes_on_one_message_at_a_time() {
    let chain = chain(2, |config| config);
    chain.send(vec![vec![1], vec![2], vec![3]]);
    chain.run_ms(1_000);
    let arrived: Vec<u64> = chain.arrived.borrow().iter().map(|&(at, _)| at).collect();
    assert_eq!(arrived.len(), 3, "{:?}", chain.incidents.borrow());
    // Start, three intervals, and an event.
    let event = 3 * airtime_ns(unsegmented_len(4)) + 800 * US;
    let (least, most) = (5 * MS + 60 * MS + event, 5 * MS + 90 * MS + event);
    for pair in arrived.windows(2) {
        assert!((least..=most).contains(&(pair[1] - pair[0])), "{arrived:?}");
    }
}

#[test]
fn an_advertiser_with_a_timer_is_occupied_for_a_fixed_time() {
    let chain = chain(1, |config| Config { occupancy: Occupancy::Timed, ..config });
    chain.send(vec![vec![1], vec![2]]);
    chain.run_ms(500);
    // An interval of 20 ms, and 30 ms for the only transmission.
    let arrived: Vec<u64> = chain.arrived.borrow().iter().map(|&(at, _)| at).collect();
    assert_eq!(arrived[1] - arrived[0], 5 * MS + 50 * MS);
    // The controller advertises until it is stopped.
    let first = chain.heard.borrow().iter().filter(|one| one.pdu.sequence == 0).count();
    assert!((6..=9).contains(&first), "{first}");
}

#[test]
fn a_lost_segment_is_sent_again_after_an_acknowledgement() {
    let chain = chain(1, |config| config);
    // The second segment on all channels.
    chain.air.set_loss(chain.nodes[0].id(), chain.nodes[1].id(), Nth(0, &[3, 4, 5]));
    let data: Vec<u8> = (0..40).collect();
    chain.send(vec![data.clone()]);
    chain.run_ms(3_000);
    assert_eq!(chain.arrived.borrow().len(), 1);
    assert_eq!(chain.arrived.borrow()[0].1, data);
    let heard = chain.heard.borrow();
    // 40 + 3 + 4 = 47 B in four segments; only the lost one is repeated.
    let mut sent: Vec<u8> = heard
        .iter()
        .filter_map(|one| match one.pdu.transport {
            Transport::Segment { nth, .. } => Some(nth),
            _ => None,
        })
        .collect();
    sent.dedup();
    assert_eq!(sent, [0, 1, 2, 3, 1]);
    let blocks: Vec<u32> = heard
        .iter()
        .filter_map(|one| match one.pdu.transport {
            Transport::Acknowledgement { block, .. } => Some(block),
            _ => None,
        })
        .collect();
    assert_eq!(blocks, [0b1101, 0b1101, 0b1101, 0b1111, 0b1111, 0b1111]);
    // The first acknowledgement follows the timer of 150 ms and 50 ms for each of 7.
    let first = heard.iter().find(|one| one.pdu.source == 2).expect("an acknowledgement").begin;
    assert!((505 * MS..520 * MS).contains(&first), "{first}");
    assert_eq!(chain.nodes[0].take_results().done, 1);
    assert_eq!(*chain.incidents.borrow(), ["repeated segments"]);
}

#[test]
fn a_request_whose_response_is_lost_is_delivered_once() {
    let chain = chain(1, |config| Config { acknowledged: true, ..config });
    chain.air.set_loss(chain.nodes[1].id(), chain.nodes[0].id(), Nth(0, &[0, 1, 2]));
    chain.send(vec![vec![5]]);
    chain.run_ms(3_000);
    assert_eq!(chain.arrived.borrow().len(), 1);
    assert_eq!(*chain.incidents.borrow(), ["repeated message"]);
    let results = chain.nodes[0].take_results();
    assert_eq!((results.done, results.lost), (1, 0));
    // A response follows 20 to 50 ms after the end of its request.
    let heard = chain.heard.borrow();
    let arrived = chain.arrived.borrow()[0].0;
    let response = heard.iter().find(|one| one.pdu.source == 2).expect("a response").begin;
    let delay = response - arrived - 5 * MS;
    assert!((20 * MS..=50 * MS).contains(&delay), "{delay}");
}

#[test]
fn a_message_that_no_node_receives_is_given_up() {
    let chain = chain(1, |config| Config { acknowledged: true, ..config });
    chain.air.separate(chain.nodes[0].id(), chain.nodes[1].id());
    chain.send(vec![vec![5]]);
    chain.run_ms(5_000);
    assert_eq!(chain.nodes[0].take_results().lost, 1);
    let all = ["repeated message", "repeated message", "message given up"];
    assert_eq!(*chain.incidents.borrow(), all);
    // Three transmissions on three channels.
    assert_eq!(chain.heard.borrow().len(), 9);
}

#[test]
fn a_message_ends_where_its_ttl_does() {
    for (ttl, arrives) in [(3, true), (2, false)] {
        let chain = chain(3, |config| Config { ttl, ..config });
        chain.send(vec![vec![1]]);
        chain.run_ms(1_000);
        assert_eq!(!chain.arrived.borrow().is_empty(), arrives, "{ttl}");
    }
}

#[test]
fn each_node_relays_a_message_once_however_often_it_hears_it() {
    for hops in 1..=6 {
        for len in [1, 8, 9, 100] {
            let chain = chain(hops, |config| config);
            let data = vec![7; len];
            chain.send(vec![data.clone()]);
            chain.run_ms(20_000);
            let arrived: Vec<Vec<u8>> =
                chain.arrived.borrow().iter().map(|(_, data)| data.clone()).collect();
            assert_eq!(arrived, [data], "{hops} hops, {len} B: {:?}", chain.incidents.borrow());
            // Each PDU of each relay is transmitted four times on three channels.
            let heard = chain.heard.borrow();
            for node in 1..usize::from(hops) {
                let mut sent: Vec<_> = heard
                    .iter()
                    .filter(|one| one.node == node)
                    .map(|one| (one.pdu.source, one.pdu.sequence))
                    .collect();
                let all = sent.len();
                sent.sort_unstable();
                sent.dedup();
                assert_eq!(all, 12 * sent.len(), "{hops} hops, {len} B");
            }
        }
    }
}

#[test]
fn another_network_is_ignored() {
    let chain =
        chain(
            1,
            |config| {
                if config.address == 1 { config } else { Config { network: 2, ..config } }
            },
        );
    chain.send(vec![vec![1]]);
    chain.run_ms(500);
    assert_eq!(chain.heard.borrow().len(), 3);
    assert!(chain.arrived.borrow().is_empty());
}
