//! Timelines by hand, acknowledgements of both kinds, lost and refused packets, and properties of chains.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Frame, Loss, Medium};
use airlag_link::airtime::lora::CodingRate;
use airlag_sim::{Clock, Duration, Instant, Simulation, Stream};

use super::config::{Addressee, Config, Role};
use super::contention::{detection, slot_ms};
use super::data::channel_hash;
use super::header::Header;
use super::node::{Node, Results};
use super::preset::{Preset, Region};
use crate::chip::sx127x::packet;

const MS: u64 = 1_000_000;
const PRESET: Preset = Preset::LongFast;
/// Times of the radio and the firmware in these tests.
const START: u64 = 5 * MS;
const PROCESSING: u64 = 7 * MS;

fn config(nth: u8, hops: u8) -> Config {
    Config {
        number: 0x100 + u32::from(nth),
        peer: 0x100 + u32::from(if nth == 0 { hops } else { 0 }),
        addressee: Addressee::Node,
        frame: PRESET.frame(CodingRate::Cr4_5),
        band: Region::Eu868.channel(PRESET),
        channel: channel_hash(PRESET.channel()),
        hop_limit: 3,
        role: Role::Client,
        snr_db: 5.0,
        public_key: false,
        acknowledged: false,
        transmissions: 3,
        duty_cycle: 100.0,
        lock_symbols: 6,
        start: Duration::from_ns(START),
        processing: Duration::from_ns(PROCESSING),
    }
}

/// Begin and end of a packet, ns, its header, its length and its sender.
#[derive(Clone, Copy, Debug)]
struct Heard {
    begin: u64,
    end: u64,
    header: Header,
    len: usize,
    node: usize,
}

/// Time, ns, node and data of each message that arrived.
type Arrived = Rc<RefCell<Vec<(u64, usize, Vec<u8>)>>>;

struct Chain {
    bench: Simulation,
    air: Medium,
    nodes: Vec<Rc<Node>>,
    heard: Rc<RefCell<Vec<Heard>>>,
    incidents: Rc<RefCell<Vec<&'static str>>>,
    arrived: Arrived,
}

/// A chain of nodes in which each hears its neighbours only, up to `reach` hops away, with a program on
/// each.
fn chain(seed: u64, hops: u8, reach: usize, change: impl Fn(Config) -> Config) -> Chain {
    let bench = Simulation::new(seed);
    let air = Medium::new(&bench);
    let nodes: Vec<_> = (0..=hops)
        .map(|nth| {
            let name = format!("node {nth}");
            Node::new(&air, &name, &bench, Clock::exact(), change(config(nth, hops)))
        })
        .collect();
    for (one, from) in nodes.iter().enumerate() {
        for (_, to) in nodes.iter().enumerate().filter(|(other, _)| one.abs_diff(*other) > reach) {
            air.separate(from.id(), to.id());
        }
    }
    let (heard, incidents) = (Rc::default(), Rc::default());
    let log: Rc<RefCell<Vec<Heard>>> = Rc::clone(&heard);
    let ids: Vec<_> = nodes.iter().map(|node| node.id()).collect();
    air.tap(move |frame: &Frame, _| {
        let payload = packet::unpack(&frame.bytes).expect("a packet").payload;
        let (header, _) = Header::decode(payload).expect("a header");
        let node = ids.iter().position(|&id| id == frame.from).expect("a node");
        let (begin, end) = (frame.begin.as_ns(), frame.end.as_ns());
        log.borrow_mut().push(Heard { begin, end, header, len: payload.len(), node });
    });
    let arrived: Arrived = Rc::default();
    for (nth, node) in nodes.iter().enumerate() {
        let log: Rc<RefCell<Vec<&'static str>>> = Rc::clone(&incidents);
        node.observe(move |incident| log.borrow_mut().push(incident.name()));
        let (log, node, sim) = (Rc::clone(&arrived), Rc::clone(node), (*bench).clone());
        bench.spawn("receiver", async move {
            let mut buffer = [0; 256];
            loop {
                let len = node.next_data(&mut buffer).await;
                log.borrow_mut().push((sim.now().as_ns(), nth, buffer[..len].to_vec()));
            }
        });
    }
    Chain { bench, air, nodes, heard, incidents, arrived }
}

impl Chain {
    fn send(&self, from: usize, data: Vec<Vec<u8>>) {
        let sender = Rc::clone(&self.nodes[from]);
        self.bench.spawn("sender", async move {
            for one in data {
                sender.queue(&one).await;
            }
        });
    }

    fn run_s(&self, s: u64) {
        self.bench.run_until(Instant::from_ns(s * 1_000 * MS)).expect("no livelock");
    }

    /// Senders of the packets on the air, in order.
    fn senders(&self) -> Vec<usize> {
        self.heard.borrow().iter().map(|one| one.node).collect()
    }

    /// Slots of the contention window before a packet that was queued at `queued`.
    fn slots(&self, nth: usize, queued: u64) -> u64 {
        let frame = config(0, 1).frame;
        let wait = self.heard.borrow()[nth].begin - START - detection(&frame).as_ns() - queued;
        assert_eq!(wait % (slot_ms(&frame) * MS), 0, "{wait}");
        wait / (slot_ms(&frame) * MS)
    }
}

/// Loses the frames with these numbers on a path.
struct Nth(usize, &'static [usize]);

impl Loss for Nth {
    fn loses(&mut self, _: &Frame, _: &mut Stream) -> bool {
        let nth = self.0;
        self.0 += 1;
        self.1.contains(&nth)
    }

    fn skip(&mut self, _: &mut Stream) {
        self.0 += 1;
    }
}

fn airtime(len: usize) -> u64 {
    config(0, 1).frame.duration_ns(len)
}

#[test]
fn a_message_waits_for_its_slots_detection_and_the_radio() {
    for seed in 0..20 {
        let chain = chain(seed, 1, 1, |config| config);
        chain.send(0, vec![vec![7; 12]]);
        chain.run_s(20);
        let heard = chain.heard.borrow();
        // The addressee of a direct message does not relay it.
        assert_eq!(heard.len(), 1);
        // 16 B of header, and 12 + 6 B of message. The preamble of 16 symbols takes 165.888 ms.
        assert_eq!((heard[0].len, heard[0].end - heard[0].begin), (34, airtime(34)));
        assert_eq!(airtime(34), 165_888_000 + 43 * 8_192_000);
        assert!(chain.slots(0, 0) < 8);
        assert_eq!(*chain.arrived.borrow(), [(heard[0].end + PROCESSING, 1, vec![7; 12])]);
        let results = Results { done: 1, lost: 0, implicit: 0 };
        assert_eq!(chain.nodes[0].take_results(), results);
        assert!(chain.incidents.borrow().is_empty());
    }
}

#[test]
fn relays_wait_longer_than_senders_and_routers_do_not() {
    // 5 dB: a window of 3 + 25 * 5 / 30 = 7.
    for (role, least, most) in [(Role::Client, 16, 16 + 127), (Role::Router, 0, 13)] {
        let mut seen = Vec::new();
        for seed in 0..40 {
            let chain = chain(seed, 3, 1, |config| Config { role, ..config });
            chain.send(0, vec![vec![7; 12]]);
            chain.run_s(60);
            assert_eq!(chain.senders(), [0, 1, 2]);
            for nth in 1..3 {
                let queued = chain.heard.borrow()[nth - 1].end + PROCESSING;
                seen.push(chain.slots(nth, queued));
            }
            let heard = chain.heard.borrow();
            let hops: Vec<u8> = heard.iter().map(|one| one.header.hop_limit).collect();
            assert_eq!(hops, [3, 2, 1]);
            let relays: Vec<u8> = heard.iter().map(|one| one.header.relay_node).collect();
            assert_eq!(relays, [0, 1, 2]);
            assert_eq!(chain.arrived.borrow()[0].0, heard[2].end + PROCESSING);
        }
        let range = seen.iter().min().zip(seen.iter().max()).expect("waits");
        assert!(*range.0 >= least && *range.1 <= most, "{role:?}: {range:?}");
        // 80 draws miss the outer fifths with a chance below 1e-6.
        let fifth = (most - least) / 5;
        assert!(*range.0 <= least + fifth && *range.1 >= most - fifth, "{role:?}: {range:?}");
    }
}

#[test]
fn an_acknowledged_message_is_answered_by_its_addressee() {
    let chain = chain(1, 1, 1, |config| Config { acknowledged: true, ..config });
    chain.send(0, vec![vec![7; 12]]);
    chain.run_s(20);
    assert_eq!(chain.senders(), [0, 1]);
    let heard = chain.heard.borrow();
    let ack = heard[1];
    // Port, two bytes of payload with its head, request and bit field.
    assert_eq!((ack.len, ack.header.to, ack.header.want_ack), (16 + 2 + 4 + 5 + 2, 0x100, false));
    // It came without rebroadcasts; two more are a margin.
    assert_eq!((ack.header.hop_start, ack.header.hop_limit), (2, 2));
    assert!(chain.slots(1, heard[0].end + PROCESSING) < 8);
    let results = Results { done: 1, lost: 0, implicit: 0 };
    assert_eq!(chain.nodes[0].take_results(), results);
}

#[test]
fn over_relays_the_first_copy_acknowledges_and_the_addressee_still_answers() {
    for seed in 0..10 {
        let chain = chain(seed, 2, 1, |config| Config { acknowledged: true, ..config });
        chain.send(0, vec![vec![7; 12]]);
        chain.run_s(60);
        // Message, its relay, acknowledgement, its relay.
        assert_eq!(chain.senders(), [0, 1, 2, 1]);
        let results = Results { done: 1, lost: 0, implicit: 1 };
        assert_eq!(chain.nodes[0].take_results(), results);
        assert_eq!(*chain.incidents.borrow(), ["implicit acknowledgement"]);
        assert_eq!(chain.arrived.borrow().len(), 1);
    }
}

#[test]
fn a_message_without_an_acknowledgement_is_repeated_after_the_timeout_and_given_up() {
    let chain = chain(1, 1, 1, |config| Config { acknowledged: true, ..config });
    chain.air.separate(chain.nodes[0].id(), chain.nodes[1].id());
    chain.send(0, vec![vec![7; 12]]);
    chain.run_s(60);
    assert_eq!(chain.senders(), [0, 0, 0]);
    // 2 * 518 + (8 + 16 + 32) * 28 + 4,500 ms, the same for each, as the load stays below 20 %.
    let timeout = (2 * 518 + 56 * 28 + 4_500) * MS;
    assert_eq!(airtime(34) / MS, 518);
    for nth in 0..3 {
        assert!(chain.slots(nth, nth as u64 * timeout) < 8);
    }
    assert_eq!(chain.nodes[0].take_results(), Results { done: 0, lost: 1, implicit: 0 });
    let all = ["retransmission", "retransmission", "message given up"];
    assert_eq!(*chain.incidents.borrow(), all);
    let ids: Vec<u32> = chain.heard.borrow().iter().map(|one| one.header.id).collect();
    assert!(ids.iter().all(|&id| id == ids[0]), "the same packet");
}

#[test]
fn a_message_whose_acknowledgement_is_lost_is_delivered_once_and_acknowledged_again() {
    let chain = chain(1, 1, 1, |config| Config { acknowledged: true, ..config });
    chain.air.set_loss(chain.nodes[1].id(), chain.nodes[0].id(), Nth(0, &[0]));
    chain.send(0, vec![vec![7; 12]]);
    chain.run_s(60);
    assert_eq!(chain.senders(), [0, 1, 0, 1]);
    assert_eq!(chain.arrived.borrow().len(), 1);
    // The second acknowledgement goes to the neighbour that has repeated its message.
    assert_eq!(chain.heard.borrow()[3].header.hop_start, 0);
    assert_eq!(chain.nodes[0].take_results(), Results { done: 1, lost: 0, implicit: 0 });
}

#[test]
fn a_relay_repeats_a_packet_whose_rebroadcast_its_sender_has_not_heard() {
    let chain = chain(1, 2, 1, |config| Config { acknowledged: true, ..config });
    // The rebroadcast, and the acknowledgement of the addressee on its way back.
    chain.air.set_loss(chain.nodes[1].id(), chain.nodes[0].id(), Nth(0, &[0, 1]));
    chain.send(0, vec![vec![7; 12]]);
    chain.run_s(60);
    assert_eq!(chain.senders(), [0, 1, 2, 1, 0, 1]);
    assert_eq!(chain.arrived.borrow().len(), 1);
    assert_eq!(chain.nodes[0].take_results(), Results { done: 1, lost: 0, implicit: 1 });
}

#[test]
fn a_hop_limit_ends_the_way_of_a_message() {
    for (hops, hop_limit, arrives) in [(3, 2, true), (3, 1, false), (4, 3, true), (5, 3, false)] {
        let chain = chain(1, hops, 1, |config| Config { hop_limit, ..config });
        chain.send(0, vec![vec![1]]);
        chain.run_s(100);
        assert_eq!(chain.arrived.borrow().len(), usize::from(arrives), "{hops}, {hop_limit}");
        // The sender, and a relay for each unit of the limit.
        let sent = usize::from(hop_limit).min(usize::from(hops) - 1) + 1;
        assert_eq!(chain.senders().len(), sent);
    }
}

#[test]
fn a_client_cancels_a_rebroadcast_that_another_node_has_made() {
    // Both relays hear the sender, and each other.
    for (role, rebroadcasts) in [(Role::Client, 1), (Role::Router, 2)] {
        let mut cancelled = 0;
        for seed in 0..10 {
            let chain = chain(seed, 3, 2, |config| Config { role, ..config });
            chain.send(0, vec![vec![1]]);
            chain.run_s(60);
            let relays = chain.senders().iter().filter(|&&node| node == 1 || node == 2).count();
            assert!(relays <= rebroadcasts, "{role:?}");
            let incidents = chain.incidents.borrow();
            cancelled += incidents.iter().filter(|&&what| what == "rebroadcast cancelled").count();
            assert_eq!(chain.arrived.borrow().len(), 1, "{role:?}, seed {seed}");
        }
        assert_eq!(cancelled > 0, role == Role::Client);
    }
}

#[test]
fn a_message_to_a_channel_is_relayed_by_all_and_acknowledged_by_the_copy() {
    let chain = chain(1, 1, 1, |config| Config {
        acknowledged: true,
        addressee: Addressee::Channel,
        ..config
    });
    chain.send(0, vec![vec![7; 12]]);
    chain.run_s(20);
    assert_eq!(chain.senders(), [0, 1]);
    let heard = chain.heard.borrow();
    assert_eq!((heard[1].header.hop_limit, heard[1].len), (2, heard[0].len));
    assert!(!heard[0].header.want_ack, "never on a broadcast");
    assert_eq!(chain.nodes[0].take_results(), Results { done: 1, lost: 0, implicit: 1 });
}

#[test]
fn an_answer_is_not_queued_behind_the_request() {
    // One hop: the addressee of a direct message relays nothing, so its answer is the next packet.
    let chain = chain(3, 1, 1, |config| config);
    let (far, sim) = (Rc::clone(&chain.nodes[1]), (*chain.bench).clone());
    chain.send(0, vec![vec![7; 12]]);
    chain.bench.spawn("answer", async move {
        sim.sleep(Duration::from_secs(2)).await;
        far.queue(&[8; 12]).await;
    });
    chain.run_s(20);
    assert_eq!(chain.senders(), [0, 1]);
    assert!(chain.slots(1, 2_000 * MS) < 8);
    let arrived: Vec<usize> = chain.arrived.borrow().iter().map(|one| one.1).collect();
    assert_eq!(arrived, [1, 0]);
}

#[test]
fn an_hour_has_a_share_for_sending_after_which_messages_are_refused() {
    let chain = chain(1, 1, 1, |config| Config { duty_cycle: 1.0, ..config });
    chain.send(0, vec![vec![7; 12]; 100]);
    chain.run_s(3_000);
    // 36 s of 518 ms each; the last one exceeds it.
    let sent = chain.senders().len();
    assert_eq!(sent, 36_000 / 518 + 1);
    let results = chain.nodes[0].take_results();
    assert_eq!((results.done, results.lost), (sent as u32, 100 - sent as u32));
    let refused =
        chain.incidents.borrow().iter().filter(|&&what| what == "duty cycle limit").count();
    assert_eq!(refused, 100 - sent);
    // An hour after the first minute.
    let later = Rc::clone(&chain.nodes[0]);
    let sim = (*chain.bench).clone();
    chain.bench.spawn("later", async move {
        sim.sleep_until(Instant::from_ns(3_700 * 1_000 * MS)).await;
        later.queue(&[1]).await;
    });
    chain.run_s(3_800);
    assert_eq!(chain.senders().len(), sent + 1);
}

#[test]
fn a_public_key_adds_its_overhead_to_texts_only() {
    let change = |config| Config { acknowledged: true, public_key: true, ..config };
    let chain = chain(1, 2, 1, change);
    chain.send(0, vec![vec![7; 12]]);
    chain.run_s(60);
    let heard = chain.heard.borrow();
    let lens: Vec<usize> = heard.iter().map(|one| one.len).collect();
    assert_eq!(lens, [46, 46, 29, 29]);
    assert_eq!((heard[0].header.channel, heard[2].header.channel), (0, 0x08));
    assert_eq!(chain.arrived.borrow()[0].2, [7; 12]);
}

#[test]
fn a_node_does_not_send_into_a_packet_that_it_hears() {
    // Both send at the same time, and at several times during the packet of the other.
    for later_ms in [0, 10, 30, 60, 200, 500] {
        let mut delivered = 0;
        for seed in 0..20 {
            let chain = chain(seed, 1, 1, |config| config);
            chain.send(0, vec![vec![7; 100]]);
            let (far, sim) = (Rc::clone(&chain.nodes[1]), (*chain.bench).clone());
            chain.bench.spawn("other", async move {
                sim.sleep(Duration::from_ms(later_ms)).await;
                far.queue(&[8; 100]).await;
            });
            chain.run_s(30);
            let heard = chain.heard.borrow();
            assert_eq!(heard.len(), 2);
            // A packet that began before channel activity detection is never hit.
            let gap = heard[1].begin.saturating_sub(heard[0].begin);
            let is_hit = heard[1].begin < heard[0].end;
            let blind = 2 * detection(&config(0, 1).frame).as_ns() + START;
            assert!(!is_hit || gap < blind, "{later_ms} ms, seed {seed}: {gap}");
            delivered += chain.arrived.borrow().len();
        }
        // Slots of 28 ms are as long as detection and start; two of eight slots are in reach.
        assert!(delivered >= 24, "{later_ms} ms: {delivered} of 40");
    }
}

#[test]
fn the_same_seed_gives_the_same_packets() {
    let run = |seed| {
        let chain = chain(seed, 3, 2, |config| Config { acknowledged: true, ..config });
        chain.send(0, vec![vec![1; 30]; 5]);
        chain.send(3, vec![vec![2; 30]; 5]);
        chain.run_s(200);
        let heard = chain.heard.borrow();
        heard.iter().map(|one| (one.begin, one.node, one.header)).collect::<Vec<_>>()
    };
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}
