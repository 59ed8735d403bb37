//! A sleepy device that polls or samples, and its parent: frames byte for byte, and their times.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_link::Link;
use airlag_link::airtime::ieee802154::Phy;
use airlag_sim::{Clock, Duration, Instant, Simulation};

use super::config;
use crate::mcu::Board;
use crate::stack::ieee802154::element::Csl;
use crate::stack::ieee802154::frame::{self, Frame, Kind, Version};
use crate::stack::ieee802154::{self, Address, Channel, Destination, Node};
use crate::stack::thread::address::Place;
use crate::stack::thread::csl::{BEFORE_HEADER, Settings};
use crate::stack::thread::routes::Routes;
use crate::stack::thread::security::{AUXILIARY_LEN, Keys, MIC_LEN, NETWORK_KEY};
use crate::stack::thread::{Config, Sampling, Station, Thread};

const CHILD: Place = Place { eui: 0x0200_5E10_0000_0001, rloc: 0x0401 };
const PARENT: Place = Place { eui: 0x0200_5E10_0000_0002, rloc: 0x0400 };
const PERIOD: Duration = Duration::from_ms(1_000);
const PHASE: Duration = Duration::from_us(300_123);

/// Frames on the air: first symbol, and bytes.
type Seen = Rc<RefCell<Vec<(Instant, Vec<u8>)>>>;

struct Pair {
    bench: Simulation,
    parent: Thread,
    child: Rc<Station>,
    seen: Seen,
    incidents: Rc<RefCell<Vec<&'static str>>>,
}

/// A parent and a child whose clock is off by `ppb`.
fn pair(ppb: i32, sampling: Option<Sampling>) -> Pair {
    let bench = Simulation::new(1);
    let medium = Medium::new(&bench);
    let seen = Seen::default();
    let incidents = Rc::new(RefCell::new(Vec::new()));
    let kept = Rc::clone(&seen);
    medium.tap(move |frame, _| kept.borrow_mut().push((frame.begin, frame.bytes.to_vec())));
    let station = |name: &str, own: Place, peer: Place, ppb| {
        let clock = Clock::exact().with_ppb(ppb);
        let board = Board::new(&bench, name, clock);
        let mac = ieee802154::Config {
            short: Some(own.rloc),
            ..ieee802154::Config::standard(
                Channel::first(Phy::Oqpsk2450),
                Address::Extended(own.eui),
                Destination::Broadcast,
            )
        };
        let node = Node::new(&medium, &format!("{name} radio"), &bench, clock, mac);
        let kept = Rc::clone(&incidents);
        node.observe(move |incident| kept.borrow_mut().push(incident.name()));
        let settings = Config { peer, ..config(peer.eui) };
        Station::start(&board, &node, settings, Routes::of(own).beside(peer), |_| {})
    };
    let (parent, child) =
        (station("parent", PARENT, CHILD, 0), station("child", CHILD, PARENT, ppb));
    parent.serve_sleepy_child(sampling.as_ref());
    match &sampling {
        Some(sampling) => child.sample(sampling),
        None => child.sleep_between_polls(PERIOD, PHASE),
    }
    Pair { bench, parent: Thread::new(&parent), child, seen, incidents }
}

fn sampling(poll_phase: Duration, drift_ppb: i32) -> Option<Sampling> {
    let settings = Settings {
        period: 6_250,
        timeout: Duration::from_secs(20),
        accuracy_ppb: 40_000,
        uncertainty: Duration::from_us(240),
        software: Duration::ZERO,
    };
    Some(Sampling { settings, phase: PHASE, poll_phase, drift_ppb })
}

/// Sends `size` octets from the parent at `at`, and returns the times of the arrivals and all
/// frames within a minute.
fn send(pair: Pair, at: Instant, size: usize) -> (Vec<Instant>, Vec<(Instant, Vec<u8>)>) {
    let Pair { bench, mut parent, child, seen, .. } = pair;
    let came = Rc::new(RefCell::new(Vec::new()));
    let (keep, sim) = (Rc::clone(&came), bench.sim());
    bench.spawn("parent", async move {
        sim.sleep_until(at).await;
        let Ok(_) = parent.send(&vec![7; size]).await;
    });
    let (mut link, sim) = (Thread::new(&child), bench.sim());
    bench.spawn("child", async move {
        let mut buffer = vec![0; 1_232];
        loop {
            let Ok(_) = link.receive(&mut buffer).await;
            keep.borrow_mut().push(sim.now());
        }
    });
    bench.run_until(Instant::START + Duration::from_secs(60)).expect("no storm");
    (came.take(), seen.take())
}

fn at(ms: u64) -> Instant {
    Instant::START + Duration::from_ms(ms)
}

/// Data and command frames, and the acknowledgement of each.
fn exchanges(frames: &[(Instant, Vec<u8>)]) -> Vec<[&(Instant, Vec<u8>); 2]> {
    frames.chunks(2).map(|two| [&two[0], &two[1]]).collect()
}

fn header(psdu: &[u8]) -> frame::Header {
    match frame::parse(psdu) {
        Some(Frame::Data(header, _)) => header,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_data_request_of_a_polling_child_has_22_octets_and_is_answered_with_the_2006_edition() {
    let (_, frames) = send(pair(0, None), at(100_000), 12);
    let all = exchanges(&frames);
    assert_eq!(all.len(), 60);
    for [(_, request), (_, ack)] in all {
        // 9 octets of header, 6 of auxiliary header, the identifier in clear, MIC and FCS.
        assert_eq!((request.len(), request[15]), (22, 0x04));
        assert_eq!(request[..2], [0x6B, 0x98]);
        assert_eq!(ack[..2], [0x02, 0x00]);
    }
}

#[test]
fn each_fragment_has_a_data_request_of_its_own_and_only_the_first_waits() {
    let (came, frames) = send(pair(0, None), at(10_500), 200);
    assert_eq!(came.len(), 1);
    let all = exchanges(&frames);
    let of = |wanted: Kind| all.iter().filter(move |pair| header(&pair[0].1).kind == wanted);
    let fragments: Vec<_> = of(Kind::Data).collect();
    assert_eq!(fragments.len(), 3);
    // Frame pending: set in the acknowledgement of a request and in each fragment but the last.
    let pending = |psdu: &[u8]| psdu[0] & 0x10 != 0;
    let announced = of(Kind::Command).filter(|pair| pending(&pair[1].1)).count();
    assert_eq!(announced, 3);
    let more: Vec<bool> = fragments.iter().map(|pair| pending(&pair[0].1)).collect();
    assert_eq!(more, [true, true, false]);
    // The request after 10.5 s is that of second 11, of the grid at 300 ms.
    let first = fragments[0][0].0;
    assert!((at(11_300)..at(11_320)).contains(&first), "{first:?}");
    assert!(came[0] < at(11_360), "{came:?}");
}

#[test]
fn a_request_in_csl_has_an_element_and_an_enhanced_acknowledgement() {
    let (_, frames) = send(pair(0, sampling(Duration::from_ms(2_500), 0)), at(100_000), 12);
    let keys = Keys::new(NETWORK_KEY, 0);
    let all = exchanges(&frames);
    // After 2.5 s, then every 19 s and the duration of an exchange.
    assert_eq!(all.len(), 4);
    for [(begin, request), (_, ack)] in all {
        // 9 of header, 6 of auxiliary header, 6 of element, 2 of termination, 1 of identifier.
        assert_eq!((request.len(), ack.len()), (30, 19));
        let Some(Frame::Data(header, body)) = frame::parse(request) else { panic!("a frame") };
        assert_eq!(
            (header.kind, header.version),
            (Kind::Command, Version::V2015 { elements: true })
        );
        let (_, payload) = keys.open(&header, CHILD.eui, body).expect("secured");
        assert_eq!(payload, [0x04]);
        let csl = Csl::find(&body[AUXILIARY_LEN..]).expect("an element");
        assert_eq!(csl.period, 6_250);
        let sample = begin.as_ns() + 192_000 + u64::from(csl.phase) * 160_000;
        let early = (300_123_000 + 1_000_000_000 - sample % 1_000_000_000) % 1_000_000_000;
        assert!(early < 160_000, "{early}");
        // Type 2, secured, version 2 without elements, to the short address of the child.
        assert_eq!(ack[..7], [0x0A, 0x28, request[2], 0x07, 0x00, 0x01, 0x04]);
        assert!(keys.open_after(&ack[..7], PARENT.eui, 0, &ack[7..17]).is_ok());
    }
}

#[test]
fn a_frame_begins_up_to_a_unit_before_a_sample_and_its_acknowledgement_states_the_next() {
    let (came, frames) = send(pair(0, sampling(Duration::from_ms(2_500), 0)), at(10_500), 12);
    assert_eq!(came.len(), 1);
    let all = exchanges(&frames);
    let [(begin, psdu), (answered, ack)] =
        all.iter().find(|pair| header(&pair[0].1).kind == Kind::Data).expect("sent");
    // No elements: as long as in the edition of 2006.
    assert_eq!((psdu.len(), header(psdu).version), (42 + 12, Version::V2015 { elements: false }));
    let early = at(11_300).as_ns() + 123_000 - (*begin + BEFORE_HEADER).as_ns();
    assert!(early < 160_000, "{early}");
    // 13 octets of header, 6 of auxiliary header, 6 of element, MIC and FCS.
    assert_eq!((ack.len(), &ack[..2]), (31, &[0x0A, 0x2E][..]));
    let body = frame::enhanced_body(ack).expect("enhanced");
    let keys = Keys::new(NETWORK_KEY, 0);
    let clear = body.len() - AUXILIARY_LEN - MIC_LEN;
    assert!(keys.open_after(&ack[..13], CHILD.eui, clear, body).is_ok());
    let csl = Csl::find(&body[AUXILIARY_LEN..AUXILIARY_LEN + clear]).expect("an element");
    let sample = (*answered + BEFORE_HEADER).as_ns() + u64::from(csl.phase) * 160_000;
    let early = at(12_300).as_ns() + 123_000 - sample;
    assert!(early < 160_000, "{early}");
}

#[test]
fn clocks_within_their_accuracy_keep_in_touch_and_others_lose_each_other() {
    // The last exchange is 17 s old when the message comes. A sample allows for 240 us, and for
    // 40 ppm of 17.8 s, 712 us. 40 ppm of drift are within, 80 ppm are 1424 us.
    let sent = |ppb: i32| {
        let pair = pair(ppb, sampling(Duration::from_ms(18_900), ppb));
        let incidents = Rc::clone(&pair.incidents);
        let (came, _) = send(pair, at(17_000), 12);
        let lost = incidents.borrow().iter().filter(|&&name| name == "no acknowledgement").count();
        (came, lost)
    };
    for ppb in [-40_000, 0, 40_000] {
        let (came, lost) = sent(ppb);
        assert_eq!((came.len(), lost), (1, 0), "{ppb}");
        assert!(came[0] < at(17_320), "{ppb}: {came:?}");
    }
    for ppb in [-80_000, 80_000] {
        let (came, lost) = sent(ppb);
        // The samples of 17.3 and 18.3 s are missed. Then the request before the timeout comes.
        assert_eq!((came.len(), lost), (1, 2), "{ppb}");
        assert!((at(18_900)..at(18_960)).contains(&came[0]), "{ppb}: {came:?}");
    }
}
