//! Two stations, and the traffic between them.

mod sampling;

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Independent, Medium};
use airlag_link::airtime::ieee802154::Phy;
use airlag_link::{Delivery, Link};
use airlag_sim::{Clock, Duration, Instant, Simulation};

use super::address::{Place, Scope};
use super::faults::Faults;
use super::queue::{Limits, Pool};
use super::routes::Routes;
use super::spinel::{Line, Serial};
use super::*;
use crate::mcu::Board;
use crate::stack::ieee802154::frame::{self, Frame};
use crate::stack::ieee802154::{self, Address, Channel, Destination, Node};

const DEVICE: u64 = 0x6E8E_F905_2967_C615;
const ROUTER: u64 = 0x4A73_C036_DA29_D88B;

struct Pair {
    bench: Simulation,
    links: Option<(Thread, Thread)>,
    psdus: Rc<RefCell<Vec<Vec<u8>>>>,
    incidents: Rc<RefCell<Vec<&'static str>>>,
}

fn config(peer: u64) -> Config {
    let pool = Pool { count: 44, word: 4 };
    Config {
        peer: Place { eui: peer, rloc: 0 },
        scope: Scope::Link,
        radio: Radio::Own,
        costs: Costs { pace: Duration::from_ms(1), ..Costs::default() },
        limits: Limits { pool, frames: 100, wait: None, forwarded: None },
        when_full: WhenFull::Refuse,
        datagram: 1_232,
        reassembly: Duration::from_secs(2),
        collision_avoidance: Duration::from_ms(8),
        faults: Faults::default(),
    }
}

/// The first sends to the second, with this loss in each direction.
fn pair(sender: Config, receiver: Config, loss: f64) -> Pair {
    let bench = Simulation::new(1);
    let medium = Medium::new(&bench);
    let psdus = Rc::new(RefCell::new(Vec::new()));
    let incidents = Rc::new(RefCell::new(Vec::new()));
    let kept = Rc::clone(&psdus);
    medium.tap(move |frame, _| kept.borrow_mut().push(frame.bytes.to_vec()));
    let station = |name: &str, address, config: Config| {
        let board = Board::new(&bench, name, Clock::exact());
        let channel = Channel::first(Phy::Oqpsk2450);
        let mac = ieee802154::Config {
            max_retries: 15,
            ..ieee802154::Config::standard(
                channel,
                Address::Extended(address),
                Destination::Broadcast,
            )
        };
        let node = Node::new(&medium, &format!("{name} radio"), &bench, Clock::exact(), mac);
        let kept = Rc::clone(&incidents);
        let routes = Routes::of(Place { eui: address, rloc: 0 }).beside(config.peer);
        let station = Station::start(&board, &node, config, routes, move |incident| {
            kept.borrow_mut().push(incident.name());
        });
        (node.id(), Thread::new(&station))
    };
    let ((one, near), (other, far)) =
        (station("sender", DEVICE, sender), station("receiver", ROUTER, receiver));
    for (from, to) in [(one, other), (other, one)] {
        medium.set_loss(from, to, Independent { probability: loss });
    }
    Pair { bench, links: Some((near, far)), psdus, incidents }
}

impl Pair {
    /// Sends these payloads in order; returns their deliveries and the payloads that arrived within
    /// a minute, with their times.
    fn send(&mut self, payloads: Vec<Vec<u8>>) -> (Vec<Delivery>, Vec<(Instant, Vec<u8>)>) {
        let (mut near, mut far) = self.links.take().expect("one send");
        let (deliveries, came) =
            (Rc::new(RefCell::new(Vec::new())), Rc::new(RefCell::new(Vec::new())));
        let (report, keep, sim) = (Rc::clone(&deliveries), Rc::clone(&came), self.bench.sim());
        self.bench.spawn("sender", async move {
            for payload in payloads {
                let Ok(delivery) = near.send(&payload).await;
                report.borrow_mut().push(delivery);
            }
        });
        self.bench.spawn("receiver", async move {
            let mut buffer = vec![0; 1_232];
            loop {
                let Ok(len) = far.receive(&mut buffer).await;
                keep.borrow_mut().push((sim.now(), buffer[..len].to_vec()));
            }
        });
        self.bench.run_until(Instant::START + Duration::from_secs(60)).expect("no storm");
        (deliveries.take(), came.take())
    }

    fn count(&self, name: &str) -> usize {
        self.incidents.borrow().iter().filter(|&&incident| incident == name).count()
    }
}

#[test]
fn a_datagram_is_a_secured_frame_of_42_octets_more_and_its_acknowledgement() {
    let mut pair = pair(config(ROUTER), config(DEVICE), 0.0);
    let (deliveries, came) = pair.send(vec![vec![7; 79]]);
    assert_eq!(deliveries, [Delivery::Sent]);
    assert_eq!(came[0].1, [7; 79]);
    let psdus = pair.psdus.borrow();
    assert_eq!(psdus.iter().map(Vec::len).collect::<Vec<_>>(), [79 + 42, 5]);
    let Some(Frame::Data(header, body)) = frame::parse(&psdus[0]) else { panic!("a data frame") };
    assert_eq!(
        (header.source, header.destination),
        (Address::Extended(DEVICE), Address::Extended(ROUTER))
    );
    assert!(header.secured && header.ack_request);
    assert_ne!(&body[6 + 9..6 + 9 + 79], [7; 79], "it is encrypted");
}

#[test]
fn a_long_datagram_comes_in_fragments_and_is_put_together() {
    let mut pair = pair(config(ROUTER), config(DEVICE), 0.0);
    let payload: Vec<u8> = (0..1_024).map(|nth| nth as u8).collect();
    let (_, came) = pair.send(vec![payload.clone()]);
    assert_eq!(came.len(), 1);
    assert_eq!(came[0].1, payload);
    // Twelve frames and their acknowledgements.
    assert_eq!(pair.psdus.borrow().len(), 24);
}

#[test]
fn a_datagram_whose_rest_does_not_come_has_its_time_and_then_a_name() {
    let one_try = config(ROUTER);
    let mut pair = pair(one_try, config(DEVICE), 0.75);
    let (_, came) = pair.send(vec![vec![1; 1_024]; 30]);
    assert!(came.len() < 30);
    assert!(pair.count("datagram given up") > 0);
    assert!(pair.count("fragment timeout") > 0);
}

#[test]
fn what_finds_no_buffer_is_lost_and_its_program_knows() {
    let mut pair = pair(config(ROUTER), config(DEVICE), 0.0);
    let (deliveries, came) = pair.send(vec![vec![0; 79]; 100]);
    let lost = deliveries.iter().filter(|&&delivery| delivery == Delivery::Lost).count();
    assert_eq!(came.len() + lost, 100);
    assert_eq!(pair.count("no message buffers"), lost);
    // The first 22 fit into the buffers regardless of the radio.
    assert!(deliveries[..22].iter().all(|&delivery| delivery == Delivery::Sent));
    assert!(lost > 50, "{lost}");
}

#[test]
fn a_program_that_waits_for_room_loses_nothing() {
    let waits = Config { when_full: WhenFull::Wait, ..config(ROUTER) };
    let mut pair = pair(waits, config(DEVICE), 0.0);
    let (_, came) = pair.send(vec![vec![0; 79]; 100]);
    assert_eq!(came.len(), 100);
}

#[test]
fn a_co_processor_whose_line_is_too_slow_drops_what_it_heard() {
    let line = Line::Uart(9_600);
    let serial = Serial { line, latency: Duration::from_ms(1), buffer: 2_048 };
    let slow = Config { radio: Radio::CoProcessor(serial), ..config(DEVICE) };
    let sender = Config { when_full: WhenFull::Wait, ..config(ROUTER) };
    let mut pair = pair(sender, slow, 0.0);
    let (_, came) = pair.send(vec![vec![0; 79]; 100]);
    let dropped = pair.count("co-processor buffer full");
    assert_eq!(came.len() + dropped, 100);
    assert!(dropped > 50, "{dropped}");
}

#[test]
fn one_processor_does_one_thing_after_the_other() {
    let costs =
        Costs { send: Duration::from_ms(10), aes_block: Duration::from_us(100), ..config(0).costs };
    let mut pair = pair(Config { costs, ..config(ROUTER) }, config(DEVICE), 0.0);
    let (_, came) = pair.send(vec![vec![0; 79]; 10]);
    // 10 ms and 16 blocks, then a frame of 121 octets with at least its CCA and its turnaround.
    let least = Duration::from_us(10_000 + 1_600 + 128 + 192 + 4_064).as_ns();
    let gaps = came.windows(2).map(|two| two[1].0.since(two[0].0).as_ns());
    for gap in gaps {
        assert!(gap >= least + 544_000 - 1, "{gap}");
    }
    assert!(came[0].0.as_ns() >= least);
}
