//! The model of the everyday profiles compared with OpenThread's own code on the same air.

use crate::everyday;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use airlag_link::Delivery;
use airlag_link::airtime::ieee802154::ACK_PSDU;
use airlag_models::stack::ieee802154::Address;
use airlag_models::stack::ieee802154::frame::{self, Frame};
use airlag_models::stack::thread::WhenFull;
use airlag_models::stack::thread::adaptation::{self, Piece};
use airlag_models::stack::thread::address::{self, Ends};
use airlag_models::stack::thread::config::room;
use airlag_models::stack::thread::security::{Keys, NETWORK_KEY};
use airlag_openthread::{Direction, Load, MessageOutcome, Scope};
use airlag_sim::Duration;

/// Octets of a frame's payload between neighbours.
const ROOM: usize = room(address::Scope::Link, false);

const LOAD: Load = Load {
    direction: Direction::Up,
    scope: Scope::LinkLocal,
    size: 79,
    count: 1_000,
    period: Duration::from_ms(300),
    when_full: WhenFull::Refuse,
};

fn mean_ms(latencies: &[u64]) -> f64 {
    latencies.iter().sum::<u64>() as f64 / latencies.len() as f64 / 1e6
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn frames_of_every_length_are_those_of_openthread_byte_for_byte() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let network = everyday::pair(folder, 0.0, true, 1);
    let heard = Rc::new(RefCell::new(Vec::new()));
    let kept = Rc::clone(&heard);
    network.air.tap(move |frame, _| kept.borrow_mut().push(frame.bytes.clone()));
    let keys = Keys::new(NETWORK_KEY, 0);
    let to = network.address(0, Scope::LinkLocal).expect("an address");
    let mut most = 0;
    for size in 1..=adaptation::MAX_PAYLOAD {
        let payload: Vec<u8> = (0..size).map(|nth| (nth * 7 + size) as u8).collect();
        heard.borrow_mut().clear();
        let taken = network.nodes()[1].send(to, airlag_openthread::traffic::PORT, &payload);
        assert_eq!(taken.expect("it runs"), 0, "{size}");
        network.run_for(Duration::from_ms(150)).expect("it runs");
        let mut opened = Vec::new();
        let mut ends = None;
        let mut heard = heard.borrow().clone();
        // A frame that collided with an advertisement is retransmitted.
        heard.retain(|psdu| psdu.len() > ACK_PSDU);
        heard.dedup();
        for psdu in &heard {
            // Advertisements are excluded because they are not encrypted, and acknowledgements
            // because they are not data.
            let Some(Frame::Data(header, body)) = frame::parse(psdu) else { continue };
            let (Address::Extended(from), Address::Extended(to)) =
                (header.source, header.destination)
            else {
                continue;
            };
            let Ok((_, piece)) = keys.open(&header, from, body) else { continue };
            assert!(header.ack_request);
            assert_eq!(psdu.len(), 127 - ROOM + piece.len());
            ends = Some(Ends::link(from, to));
            opened.push(piece);
        }
        let ends = ends.expect("a frame");
        let tag = match adaptation::read(&opened[0]) {
            Some(Piece::Fragment { tag, .. }) => tag,
            _ => 0,
        };
        let expected =
            adaptation::frames(ends.scope, &adaptation::compress(ends, &payload), ROOM, tag);
        assert_eq!(opened, expected, "{size}");
        most = most.max(opened.len());
    }
    assert_eq!(most, 15);
    assert_eq!(network.nodes()[0].take_datagrams().len(), adaptation::MAX_PAYLOAD);
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn an_unhurried_message_takes_as_long() {
    let Some(folder) = airlag_peers::openthread() else { return };
    // Latencies consist of frames and their backoffs of 0 to 7 units of 320 us. The draws differ,
    // so only the means are compared: they differ by less than four standard errors.
    for (size, frames) in [(4, 1), (79, 1), (85, 1), (86, 2), (1_024, 12)] {
        let load = Load { size, ..LOAD };
        let network = everyday::pair(folder.clone(), 0.0, false, 1);
        let real = network.carry(load).expect("it runs");
        let real: Vec<u64> = real.latencies().iter().map(|one| one.as_ns()).collect();
        let model = everyday::modelled(load, 0.0, false, 1).latencies();
        assert_eq!((real.len(), model.len()), (load.count, load.count));
        let (unit, deviation) = (0.32, (63.0_f64 / 12.0).sqrt());
        let error = 4.0 * unit * deviation * (2.0 * f64::from(frames) / 1_000.0).sqrt();
        let difference = mean_ms(&real) - mean_ms(&model);
        assert!(difference.abs() < error, "{size} B: {difference} ms, {error}");
        if frames == 1 {
            // The nodes' clocks count whole microseconds, while programs send at any time.
            let steps = |latencies: &[u64]| -> Vec<u64> {
                let steps: BTreeSet<u64> = latencies.iter().map(|ns| ns.div_ceil(1_000)).collect();
                steps.into_iter().collect()
            };
            // The only other frames are advertisements, which delay a few messages.
            assert_eq!(steps(&real)[..8], steps(&model)[..8], "{size} B");
        }
    }
}

/// Additional octets of a message header in this build: it contains a bit mask of the 64 possible
/// children of a node, while on a board the mask has 10 bits in two octets. The header is padded to
/// a multiple of eight.
const CHILD_MASK: usize = 8;

#[test]
#[ignore = "needs nodes of OpenThread"]
fn of_a_hundred_at_once_the_same_ones_find_a_buffer() {
    let Some(folder) = airlag_peers::openthread() else { return };
    for size in [1, 79, 112, 120, 121, 200, 360, 368, 369, 1_000, 1_112, 1_113, 1_224] {
        let load = Load { size, count: 100, period: Duration::ZERO, ..LOAD };
        let real = everyday::pair(folder.clone(), 0.0, true, 1).carry(load).expect("it runs");
        let longer = Load { size: size + CHILD_MASK, ..load };
        let model = everyday::modelled(longer, 0.0, true, 1);
        let real: Vec<bool> =
            real.messages().map(|message| message.outcome != MessageOutcome::Refused).collect();
        let model: Vec<bool> =
            model.handed.iter().map(|&(_, delivery)| delivery != Delivery::Lost).collect();
        assert_eq!(real, model, "{size} B");
        assert!(real.contains(&false) && real.contains(&true), "{size} B");
    }
}

/// With more buffers than frames in the direct transmit queue, the call succeeds and the message is
/// dropped.
#[test]
#[ignore = "needs nodes of OpenThread"]
fn of_three_hundred_at_once_the_same_ones_find_the_queue_full() {
    let Some(folder) = airlag_peers::openthread() else { return };
    for size in [40, 79, 300, 1_024] {
        let load = Load { size, count: 300, period: Duration::ZERO, ..LOAD };
        let network = everyday::pair_with(folder.clone(), 4_000, 0.0, true, 1);
        let real = network.carry(load).expect("it runs");
        assert_eq!(real.flows[0].refused(), 0, "{size} B");
        let real: Vec<usize> = (real.messages().enumerate())
            .filter(|(_, message)| message.came().is_some())
            .map(|(nth, _)| nth)
            .collect();
        let model = everyday::modelled_with(load, 4_000, 0.0, true, 1);
        let model: Vec<usize> = model.came.iter().map(|&(nth, _)| nth).collect();
        assert_eq!(real, model, "{size} B");
        assert!(real.len() < 300);
    }
}

#[test]
#[ignore = "needs nodes of OpenThread"]
fn a_link_that_never_waits_carries_as_much() {
    let Some(folder) = airlag_peers::openthread() else { return };
    for (size, count) in [(79, 2_000), (1_024, 300)] {
        let load = Load { size, count, period: Duration::ZERO, when_full: WhenFull::Wait, ..LOAD };
        let network = everyday::pair(folder.clone(), 0.0, false, 1);
        let real = network.carry(load).expect("it runs").goodput_kbps(size).expect("it carries");
        let model = everyday::modelled(load, 0.0, false, 1).goodput_kbps(size);
        assert!((real / model - 1.0).abs() < 0.01, "{size} B: {real} {model} kbit/s");
    }
}

/// A backoff begins when there is a frame to send, and the radio's interframe space elapses during
/// it. If the backoff is at least two units, the interframe space of two units adds no delay.
#[test]
#[ignore = "needs nodes of OpenThread"]
fn most_of_the_interframe_space_passes_during_the_backoff() {
    let Some(folder) = airlag_peers::openthread() else { return };
    let load = Load { count: 2_000, period: Duration::ZERO, when_full: WhenFull::Wait, ..LOAD };
    let cycle_us = |kbps: f64| 79.0 * 8.0 / kbps * 1e3;
    let real = |space| {
        let network = everyday::pair(folder.clone(), 0.0, space, 1);
        let carried = network.carry(load).expect("it runs");
        cycle_us(carried.goodput_kbps(79).expect("it carries"))
    };
    let model = |space| cycle_us(everyday::modelled(load, 0.0, space, 1).goodput_kbps(79));
    let (real, model) = (real(true) - real(false), model(true) - model(false));
    // The interframe space is 640 us before the channel assessment. It adds all of that without a
    // backoff, and half of it with a backoff of one unit.
    let expected = (640.0 + 320.0) / 8.0;
    for (name, cost) in [("OpenThread", real), ("model", model)] {
        assert!((cost - expected).abs() < 60.0, "{name}: {cost} us");
    }
}

/// After a missing acknowledgement, OpenThread waits before its backoff, for a time that grows with
/// each further missing acknowledgement
/// (OPENTHREAD_CONFIG_MAC_ADD_DELAY_ON_NO_ACK_ERROR_BEFORE_RETRY). The model does the same.
#[test]
#[ignore = "needs nodes of OpenThread"]
fn losses_of_the_air_cost_as_much() {
    let Some(folder) = airlag_peers::openthread() else { return };
    // The limits are four standard errors of either mean, estimated from eight runs of each.
    for (loss, within) in [(0.1, 0.012), (0.3, 0.03)] {
        let load =
            Load { count: 10_000, period: Duration::ZERO, when_full: WhenFull::Wait, ..LOAD };
        let (mut real, mut model) = (0.0, 0.0);
        for seed in 1..=2 {
            let network = everyday::pair(folder.clone(), loss, false, seed);
            let carried = network.carry(load).expect("it runs");
            assert_eq!(carried.latencies().len(), load.count, "sixteen attempts are enough");
            real += carried.goodput_kbps(79).expect("it carries");
            model += everyday::modelled(load, loss, false, seed).goodput_kbps(79);
        }
        assert!((real / model - 1.0).abs() < within, "{loss}: {real} {model} kbit/s");
    }
}
