//! Rules of the specification, one per test. Expected times are derived by hand: at 250 kbit/s, a
//! byte takes 32 us and a frame has 6 bytes before its PSDU. CCA takes 128 us, a turnaround 192 us,
//! and the acknowledgement of the MAC 352 us.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Independent, Medium, NodeId};
use airlag_link::airtime::ieee802154::{MAX_PSDU, Phy};
use airlag_link::{Delivery, Link};
use airlag_sim::{Clock, Duration, Instant, Simulation};
use proptest::prelude::*;

use super::config::Format;
use super::frame::{Aps, Ieee, Kind, Nwk, zcl};
use super::station::Routes;
use super::*;
use crate::mcu::Board;
use crate::stack::ieee802154::{self, Address, Channel, Csma, Destination, Node};

const PLAIN: Format = Format { secured: false, ieee: false, zcl: false };
const SECURED: Format = Format { secured: true, ..PLAIN };
const COSTS: Costs = Costs {
    send: Duration::from_us(1_000),
    receive: Duration::from_us(2_000),
    aes_block: Duration::from_us(10),
};

/// A frame on the air: its begin and end, us, and its PSDU.
type Seen = (u64, u64, Vec<u8>);

/// Instant of a delivery, ns, and the message.
type Delivered = (u64, Vec<u8>);

/// A row of devices, the first of which sends to the last.
struct Row {
    bench: Simulation,
    medium: Medium,
    seen: Rc<RefCell<Vec<Seen>>>,
    incidents: Rc<RefCell<Vec<Incident>>>,
    ids: Vec<NodeId>,
    stations: Vec<Rc<Station>>,
    delivered: Rc<RefCell<Vec<Delivered>>>,
    confirmed: Rc<RefCell<Vec<(u64, Delivery)>>>,
}

fn place(nth: u16) -> Place {
    Place { short: nth, eui: 0x0200_5E20_0000_0001 + u64::from(nth) }
}

impl Row {
    /// A row without random backoffs, so that times can be derived by hand.
    fn new(seed: u64, hops: u16, change: impl Fn(Config) -> Config) -> Self {
        Self::backing_off(seed, hops, 0, change)
    }

    /// A row with backoffs of the exponent `min_be`. Without random backoffs, two devices whose
    /// frames have collided once repeat them at the same times, and so they collide again.
    fn backing_off(seed: u64, hops: u16, min_be: u8, change: impl Fn(Config) -> Config) -> Self {
        let bench = Simulation::new(seed);
        let medium = Medium::new(&bench);
        let (seen, incidents) = (Rc::default(), Rc::default());
        let kept: Rc<RefCell<Vec<Seen>>> = Rc::clone(&seen);
        medium.tap(move |frame, _| {
            let us = |at: Instant| at.as_ns() / 1_000;
            kept.borrow_mut().push((us(frame.begin), us(frame.end), frame.bytes.to_vec()));
        });
        let mut row = Self {
            bench,
            medium,
            seen,
            incidents,
            ids: Vec::new(),
            stations: Vec::new(),
            delivered: Rc::default(),
            confirmed: Rc::default(),
        };
        (0..=hops).for_each(|nth| row.add(nth, hops, min_be, change(standard(nth, hops))));
        row
    }

    fn add(&mut self, nth: u16, hops: u16, min_be: u8, config: Config) {
        let board = Board::new(&self.bench, &format!("board {nth}"), Clock::exact());
        let channel = Channel::first(Phy::Oqpsk2450);
        let own = Address::Short(nth);
        let mac = ieee802154::Config {
            csma: Some(Csma { min_be, max_be: 5, max_backoffs: 4 }),
            ack_request: true,
            ..ieee802154::Config::standard(channel, own, Destination::Broadcast)
        };
        let node =
            Node::new(&self.medium, &format!("radio {nth}"), &self.bench, Clock::exact(), mac);
        self.ids.push(node.id());
        let towards = |to: u16| if to < nth { nth - 1 } else { nth + 1 };
        let routes: Routes =
            (0..=hops).filter(|&to| to != nth).map(|to| (to, towards(to))).collect();
        let kept = Rc::clone(&self.incidents);
        let station =
            Station::start(&board, &node, config, routes, move |it| kept.borrow_mut().push(it));
        self.stations.push(station);
    }

    /// Sends `messages` one after the other, and runs until nothing happens any more.
    fn send(&self, messages: Vec<Vec<u8>>) {
        let [first, last] = [0, self.stations.len() - 1].map(|nth| &self.stations[nth]);
        let mut from = Zigbee::new(first, Host::default(), 100);
        let mut to = Zigbee::new(last, Host::default(), 100);
        let (confirmed, sim) = (Rc::clone(&self.confirmed), self.bench.sim());
        self.bench.spawn("sender", async move {
            for message in messages {
                from.send(&message).await.expect("it fits");
                let delivery = from.flush().await.expect("it fits");
                confirmed.borrow_mut().push((sim.now().as_ns() / 1_000, delivery));
            }
        });
        let (delivered, sim) = (Rc::clone(&self.delivered), self.bench.sim());
        self.bench.spawn("receiver", async move {
            let mut buffer = [0; 100];
            loop {
                let len = to.receive(&mut buffer).await.expect("infallible");
                delivered.borrow_mut().push((sim.now().as_ns() / 1_000, buffer[..len].to_vec()));
            }
        });
        self.bench.run().expect("no livelock");
    }

    fn data_frames(&self) -> Vec<(u64, u64)> {
        let seen = self.seen.borrow();
        let data = seen.iter().filter(|(_, _, psdu)| psdu.len() > 5);
        data.map(|&(begin, end, _)| (begin, end)).collect()
    }

    fn count(&self, incident: Incident) -> usize {
        self.incidents.borrow().iter().filter(|&&one| one == incident).count()
    }
}

fn standard(nth: u16, hops: u16) -> Config {
    Config {
        own: place(nth),
        peer: place(if nth == 0 { hops } else { 0 }),
        format: PLAIN,
        radius: 30,
        aps_ack: true,
        aps_retries: 3,
        aps_ack_wait: Duration::from_ms(1_600),
        unicast_retries: 3,
        unicast_retry_delay: Duration::from_ms(50),
        buffers: 8,
        costs: COSTS,
    }
}

#[test]
fn a_frame_on_the_air_is_as_written_by_hand() {
    let row = Row::new(1, 1, |config| Config { format: Format { zcl: true, ..PLAIN }, ..config });
    row.send(vec![vec![0xAB, 0xCD]]);
    let seen = row.seen.borrow();
    // The sequence numbers of the MAC are random.
    let number = |nth: usize| seen[nth].2[2];
    assert_eq!((number(0), number(2)), (number(1), number(3)));
    let psdus: Vec<Vec<u8>> = seen
        .iter()
        .map(|(_, _, psdu)| [&psdu[..2], &[0], &psdu[3..psdu.len() - 2]].concat())
        .collect();
    let message: &[u8] = &[
        0x61, 0x88, 0x00, 0x07, 0x00, 0x01, 0x00, 0x00, 0x00, // MAC: PAN 7, from 0 to 1
        0x08, 0x00, 0x01, 0x00, 0x00, 0x00, 0x1E, 0x00, // NWK: radius 30
        0x40, 0x01, 0x00, 0xFC, 0x04, 0x01, 0x01, 0x00, // APS: acknowledgement requested
        0x11, 0x00, 0x00, // ZCL
        0xAB, 0xCD,
    ];
    let answer: &[u8] = &[
        0x61, 0x88, 0x00, 0x07, 0x00, 0x00, 0x00, 0x01, 0x00, // MAC: from 1 to 0
        0x08, 0x00, 0x00, 0x00, 0x01, 0x00, 0x1E, 0x00, // NWK
        0x02, 0x01, 0x00, 0xFC, 0x04, 0x01, 0x01, 0x00, // APS acknowledgement
    ];
    let ack: &[u8] = &[0x02, 0x00, 0x00];
    assert_eq!(psdus, [message, ack, answer, ack]);
}

#[test]
fn the_longest_messages_are_those_that_a_manufacturer_lists() {
    // XBee 3 Zigbee: 84 B, and 66 B with security, both with IEEE addresses.
    let listed = Format { ieee: true, ..PLAIN };
    assert_eq!((listed.room(), Format { secured: true, ..listed }.room()), (84, 66));
    assert_eq!((PLAIN.room(), SECURED.room()), (100, 82));
    let row = Row::new(1, 1, |config| Config { format: SECURED, ..config });
    row.send(vec![vec![7; 82]]);
    assert_eq!(row.seen.borrow()[0].2.len(), MAX_PSDU);
}

#[test]
fn a_message_over_one_hop_takes_as_long_as_its_parts() {
    let row = Row::new(1, 1, |config| config);
    row.send(vec![vec![7; 8]]);
    // The stack 1000, CCA and turnaround 320, and a PSDU of 35. The receiver's stack 2000.
    let message = (1_320, 1_320 + (6 + 35) * 32);
    assert_eq!(*row.delivered.borrow(), [(message.1 + 2_000, vec![7; 8])]);
    // The APS acknowledgement is a PSDU of 27.
    let begin = message.1 + 2_000 + 1_000 + 320;
    let answer = (begin, begin + (6 + 27) * 32);
    assert_eq!(row.data_frames(), [message, answer]);
    assert_eq!(*row.confirmed.borrow(), [(answer.1 + 2_000, Delivery::Confirmed)]);
}

#[test]
fn a_router_receives_a_frame_before_it_sends_it_and_both_take_time() {
    let row = Row::new(1, 2, |config| Config { format: SECURED, ..config });
    row.send(vec![vec![7; 8]]);
    // Six blocks of AES of 10 us: one for the first block, two for 2 + 8 + 14 octets of headers, two
    // for 16 octets of payload, one for the MIC. An acknowledgement has 8 octets of payload.
    let hop = 60 + 1_000 + 320;
    let first = (hop, hop + (6 + 53) * 32);
    let second_begin = first.1 + 2_000 + 60 + hop;
    let second = (second_begin, second_begin + (6 + 53) * 32);
    let at_end = second.1 + 2_000 + 60;
    assert_eq!(*row.delivered.borrow(), [(at_end, vec![7; 8])]);
    let third = (at_end + hop, at_end + hop + (6 + 45) * 32);
    let fourth_begin = third.1 + 2_000 + 60 + hop;
    let fourth = (fourth_begin, fourth_begin + (6 + 45) * 32);
    assert_eq!(row.data_frames(), [first, second, third, fourth]);
    assert_eq!(*row.confirmed.borrow(), [(fourth.1 + 2_060, Delivery::Confirmed)]);
    assert!(row.incidents.borrow().is_empty());
}

#[test]
fn without_an_aps_acknowledgement_a_message_ends_at_the_next_hop() {
    let row = Row::new(1, 2, |config| Config { aps_ack: false, ..config });
    row.send(vec![vec![7; 8]]);
    let end = 1_320 + (6 + 35) * 32 + 192 + 352;
    assert_eq!(*row.confirmed.borrow(), [(end, Delivery::Sent)]);
    assert_eq!(row.data_frames().len(), 2);
}

#[test]
fn each_layer_repeats_a_message_that_nobody_receives() {
    let row = Row::new(1, 1, |config| config);
    row.medium.separate(row.ids[0], row.ids[1]);
    row.send(vec![vec![7; 8]]);
    // Four transmissions by the MAC, four times by the NWK, four times by the APS.
    assert_eq!(row.data_frames().len(), 4 * 4 * 4);
    let counts = [Incident::UnicastRetry, Incident::FrameLost, Incident::ApsRetry];
    assert_eq!(counts.map(|incident| row.count(incident)), [3 * 4, 4, 3]);
    assert_eq!(row.count(Incident::NoApsAck), 1);
    let confirmed = row.confirmed.borrow();
    assert_eq!(
        confirmed.iter().map(|&(_, delivery)| delivery).collect::<Vec<_>>(),
        [Delivery::Lost]
    );
    // Four waits for an acknowledgement, and twelve delays.
    assert!(confirmed[0].0 > 4 * 1_600_000 + 12 * 50_000, "{confirmed:?}");
    assert!(row.delivered.borrow().is_empty());
}

#[test]
fn a_repeated_message_is_acknowledged_again_and_delivered_once() {
    // The wait is shorter than the way of the acknowledgement.
    let wait = Duration::from_ms(2);
    for seed in 1..=20 {
        let change = |config| Config { aps_ack_wait: wait, ..config };
        let row = Row::backing_off(seed, 2, Csma::default().min_be, change);
        row.send(vec![vec![7; 8]]);
        let incidents = row.incidents.borrow();
        assert_eq!(row.delivered.borrow().len(), 1, "{incidents:?}");
        assert!(row.count(Incident::ApsRetry) > 0);
        assert_eq!(row.count(Incident::FrameLost), 0, "{incidents:?}");
        let duplicates = row.count(Incident::ApsDuplicate);
        assert_eq!(duplicates, row.count(Incident::ApsRetry), "{incidents:?}");
    }
}

#[test]
fn a_frame_is_dropped_after_as_many_hops_as_its_radius() {
    for (radius, arrives) in [(2, false), (3, true)] {
        let row = Row::new(1, 3, |config| Config { radius, aps_retries: 0, ..config });
        row.send(vec![vec![7; 8]]);
        assert_eq!(row.delivered.borrow().len(), usize::from(arrives), "{radius}");
        assert_eq!(row.count(Incident::RadiusExpired) > 0, !arrives, "{radius}");
    }
}

#[test]
fn a_frame_without_the_configured_security_is_refused() {
    let row = Row::new(1, 1, |config| match config.own.short {
        0 => Config { aps_ack: false, ..config },
        _ => Config { format: SECURED, ..config },
    });
    row.send(vec![vec![7; 8]]);
    assert!(row.delivered.borrow().is_empty());
    assert_eq!(row.count(Incident::SecurityError), 1);
}

fn headers() -> impl Strategy<Value = Nwk> {
    let ieee = prop::option::of((any::<u64>(), any::<u64>()));
    let short = (any::<u16>(), any::<u16>(), any::<u8>(), any::<u8>(), any::<bool>(), ieee);
    short.prop_map(|(destination, source, radius, sequence, secured, ieee)| {
        let ieee = ieee.map(|(destination, source)| Ieee { destination, source });
        Nwk { destination, source, radius, sequence, ieee, secured }
    })
}

proptest! {
    #[test]
    fn headers_come_back(nwk in headers(), counter: u8, with_zcl: bool, data: Vec<u8>) {
        let bytes = [nwk.encode(), data.clone()].concat();
        prop_assert_eq!(Nwk::read(&bytes), Some((nwk, &data[..])));
        for kind in [Kind::Ack, Kind::Data { ack_request: true }, Kind::Data { ack_request: false }] {
            let aps = Aps { kind, counter };
            let bytes = [&aps.encode(with_zcl)[..], &data].concat();
            prop_assert_eq!(Aps::read(with_zcl, &bytes), Some((aps, &data[..])));
            prop_assert_eq!(Aps::read(!with_zcl, &bytes), None);
        }
        prop_assert_eq!(zcl(counter)[1], counter);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes: Vec<u8>) {
        if let Some((nwk, rest)) = Nwk::read(&bytes) {
            let encoded = nwk.encode();
            prop_assert_eq!(encoded.len() + rest.len(), bytes.len());
        }
        let _ = Aps::read(true, &bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever is lost, messages arrive in order, at most once, and surely if they are confirmed.
    #[test]
    fn a_confirmed_message_has_arrived_and_none_arrives_twice(
        seed: u64, hops in 1_u16..=4, loss in 0.0..0.6, secured: bool, aps_ack: bool,
    ) {
        let row = Row::backing_off(seed, hops, Csma::default().min_be, |config| {
            Config { format: Format { secured, ..PLAIN }, aps_ack, ..config }
        });
        for (one, &from) in row.ids.iter().enumerate() {
            for (other, &to) in row.ids.iter().enumerate() {
                if one.abs_diff(other) == 1 {
                    row.medium.set_loss(from, to, Independent { probability: loss });
                }
            }
        }
        let sent: Vec<Vec<u8>> = (0..8).map(|nth| vec![nth; 20]).collect();
        row.send(sent.clone());
        let delivered: Vec<u8> = row.delivered.borrow().iter().map(|(_, data)| data[0]).collect();
        let mut expected = delivered.clone();
        expected.dedup();
        prop_assert_eq!(&delivered, &expected);
        prop_assert!(delivered.is_sorted(), "{:?}", delivered);
        let confirmed = row.confirmed.borrow();
        prop_assert_eq!(confirmed.len(), sent.len());
        for (nth, &(_, delivery)) in confirmed.iter().enumerate() {
            let arrived = delivered.contains(&(nth as u8));
            prop_assert!(arrived || delivery != Delivery::Confirmed, "{}", nth);
            if loss == 0.0 {
                prop_assert!(arrived);
            }
        }
    }
}

#[test]
fn without_random_backoffs_two_devices_collide_until_they_give_up() {
    // The setting of the test above, in which the repetitions of the first device meet the frames
    // of the router.
    let wait = Duration::from_ms(2);
    let row = Row::new(1, 2, |config| Config { aps_ack_wait: wait, ..config });
    row.send(vec![vec![7; 8]]);
    assert!(row.count(Incident::FrameLost) > 0, "{:?}", row.incidents.borrow());
}
