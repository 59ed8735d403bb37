//! Transceivers without OpenThread: hand-made frames and their timing.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Independent, Medium};
use airlag_sim::{Duration, Instant, Simulation};

use super::*;
use crate::header;

/// Records the events of its transceiver.
struct Listener {
    sim: Sim,
    heard: RefCell<Vec<(u64, Vec<u8>, bool)>>,
    sent: RefCell<Vec<(u64, Sent, Vec<u8>)>>,
}

impl Host for Listener {
    fn heard(&self, psdu: &[u8], pending: bool) {
        self.heard.borrow_mut().push((us(self.sim.now()), psdu.to_vec(), pending));
    }

    fn sent(&self, outcome: Sent, ack: &[u8]) {
        self.sent.borrow_mut().push((us(self.sim.now()), outcome, ack.to_vec()));
    }
}

fn us(at: Instant) -> u64 {
    at.as_ns() / 1_000
}

struct Bench {
    sim: Simulation,
    medium: Medium,
    nodes: Vec<(Rc<Radio>, Rc<Listener>)>,
}

const PAN: u16 = 0x1234;

/// `count` transceivers with short addresses 1, 2, …, receiving on channel 15.
fn bench(count: u16) -> Bench {
    let sim = Simulation::new(1);
    let medium = Medium::new(&sim);
    let nodes = (1..=count).map(|short| {
        let host = Rc::new(Listener {
            sim: sim.sim(),
            heard: RefCell::default(),
            sent: RefCell::default(),
        });
        let weak: Weak<dyn Host> = Rc::downgrade(&host) as Weak<_>;
        let radio = Radio::new(&medium, &format!("radio {short}"), &sim, true, weak);
        let extended = u64::from(short);
        radio.identify(Identity { pan: PAN, short, extended, promiscuous: false });
        radio.listen(Listening::On(15));
        (radio, host)
    });
    let nodes = nodes.collect();
    Bench { sim, medium, nodes }
}

impl Bench {
    /// Lets a transceiver send at this time, with CSMA.
    fn send_at(&self, at_us: u64, from: usize, psdu: &[u8]) {
        let (radio, psdu) = (Rc::clone(&self.nodes[from].0), Rc::<[u8]>::from(psdu));
        self.sim.at(Instant::from_ns(at_us * 1_000), move || radio.transmit(15, true, psdu));
    }

    fn run(&self, until_us: u64) {
        self.sim.run_until(Instant::from_ns(until_us * 1_000)).expect("no storm");
    }

    fn sent(&self, node: usize) -> Vec<(u64, Sent, Vec<u8>)> {
        self.nodes[node].1.sent.borrow().clone()
    }

    fn heard(&self, node: usize) -> Vec<(u64, Vec<u8>, bool)> {
        self.nodes[node].1.heard.borrow().clone()
    }
}

/// A data frame between short addresses with ten octets of payload: 21 of PSDU.
fn data(to: u16, from: u16, sequence: u8, ack: bool) -> Vec<u8> {
    let mut frame = vec![if ack { 0x61 } else { 0x41 }, 0x88, sequence];
    for number in [PAN, to, from] {
        frame.extend(number.to_le_bytes());
    }
    frame.extend([7; 10]);
    header::checked(&frame)
}

const AIR: u64 = (6 + 21) * 32;

#[test]
fn a_frame_and_its_acknowledgement_take_what_the_standard_says() {
    let bench = bench(2);
    let frame = data(2, 1, 9, true);
    bench.send_at(1_000, 0, &frame);
    bench.run(10_000);
    let ended = 1_000 + 128 + 192 + AIR;
    assert_eq!(bench.heard(1), [(ended, frame, false)]);
    let ack = header::ack(9, false).to_vec();
    assert_eq!(bench.sent(0), [(ended + 192 + 352, Sent::Ok, ack)]);
}

#[test]
fn the_next_frame_waits_for_the_interframe_space() {
    let bench = bench(2);
    bench.send_at(1_000, 0, &data(2, 1, 1, true));
    let done = 1_000 + 128 + 192 + AIR + 192 + 352;
    bench.send_at(done + 1, 0, &data(2, 1, 2, false));
    bench.run(10_000);
    // LIFS, 40 symbols, elapses before the channel assessment.
    assert_eq!(bench.heard(1)[1].0, done + 640 + 128 + 192 + AIR);
}

#[test]
fn without_an_acknowledgement_it_waits_and_says_so() {
    let bench = bench(2);
    let (one, two) = (bench.nodes[0].0.id(), bench.nodes[1].0.id());
    bench.medium.set_loss(two, one, Independent { probability: 1.0 });
    bench.send_at(0, 0, &data(2, 1, 1, true));
    bench.run(10_000);
    // macAckWaitDuration, 54 symbols.
    assert_eq!(bench.sent(0), [(128 + 192 + AIR + 864, Sent::NoAck, vec![])]);
    assert_eq!(bench.nodes[0].0.counts().no_acks, 1);
}

#[test]
fn a_channel_on_which_another_one_sends_is_busy_and_one_out_of_hearing_is_not() {
    for hidden in [false, true] {
        let bench = bench(3);
        let (one, two) = (bench.nodes[0].0.id(), bench.nodes[1].0.id());
        if hidden {
            bench.medium.separate(one, two);
        }
        bench.send_at(0, 0, &data(3, 1, 1, false));
        // During the other frame.
        bench.send_at(600, 1, &data(3, 2, 1, false));
        bench.run(10_000);
        if hidden {
            assert_eq!(bench.sent(1)[0].1, Sent::Ok);
            assert_eq!(bench.heard(2), [], "they destroyed each other");
        } else {
            assert_eq!(bench.sent(1), [(600 + 128, Sent::ChannelBusy, vec![])]);
            assert_eq!(bench.heard(2).len(), 1);
            assert_eq!(bench.nodes[1].0.counts().busy, 1);
        }
    }
}

#[test]
fn two_that_look_at_the_same_time_both_send() {
    let bench = bench(3);
    bench.send_at(0, 0, &data(3, 1, 1, true));
    bench.send_at(0, 1, &data(3, 2, 2, true));
    bench.run(10_000);
    assert_eq!(bench.heard(2), []);
    assert!(bench.sent(0)[0].1 == Sent::NoAck && bench.sent(1)[0].1 == Sent::NoAck);
}

#[test]
fn only_who_is_meant_and_awake_hears() {
    let bench = bench(4);
    bench.nodes[2].0.listen(Listening::Asleep);
    bench.nodes[3].0.listen(Listening::On(16));
    bench.send_at(0, 0, &data(2, 1, 1, true));
    bench.send_at(5_000, 0, &data(0xFFFF, 1, 2, false));
    let radio = Rc::clone(&bench.nodes[2].0);
    // The transceiver wakes up during a frame, which it misses.
    bench.sim.at(Instant::from_ns(5_600_000), move || radio.listen(Listening::On(15)));
    bench.send_at(10_000, 0, &data(0xFFFF, 1, 3, false));
    bench.run(20_000);
    let heard = |node| bench.heard(node).iter().map(|one| one.1[2]).collect::<Vec<_>>();
    assert_eq!((heard(1), heard(2), heard(3)), (vec![1, 2, 3], vec![3], vec![]));
}

#[test]
fn whom_something_waits_for_is_told_in_the_acknowledgement() {
    let bench = bench(2);
    let waiting = Waiting { short: vec![1], ..Waiting::default() };
    bench.nodes[1].0.set_waiting(waiting);
    bench.send_at(0, 0, &data(2, 1, 5, true));
    bench.run(10_000);
    assert!(bench.heard(1)[0].2);
    assert_eq!(bench.sent(0)[0].2, header::ack(5, true));
}

#[test]
fn a_sleeping_transceiver_sends_and_hears_its_acknowledgement() {
    let bench = bench(2);
    bench.nodes[0].0.listen(Listening::Asleep);
    bench.send_at(0, 0, &data(2, 1, 5, true));
    bench.run(10_000);
    assert_eq!(bench.sent(0)[0].1, Sent::Ok);
}

#[test]
fn the_same_frame_again_counts_as_a_retry() {
    let bench = bench(2);
    for (at, sequence) in [(0, 1), (5_000, 1), (10_000, 2)] {
        bench.send_at(at, 0, &data(2, 1, sequence, true));
    }
    bench.run(20_000);
    let counts = bench.nodes[0].0.counts();
    assert_eq!((counts.frames, counts.retries, counts.octets), (3, 1, 63));
}

#[test]
fn a_frame_that_comes_while_another_waits_to_be_sent_is_acknowledged_first() {
    let bench = bench(3);
    bench.send_at(0, 0, &data(2, 1, 1, true));
    // At the end of the frame, its receiver also has a frame to send.
    let ended = 128 + 192 + AIR;
    bench.send_at(ended + 10, 1, &data(3, 2, 7, false));
    bench.run(20_000);
    assert_eq!(bench.sent(0)[0].1, Sent::Ok);
    let after = ended + 192 + 352;
    assert_eq!(bench.sent(1), [(after + 128 + 192 + AIR, Sent::Ok, vec![])]);
}

#[test]
fn times_are_those_of_the_standard() {
    let us = |duration: Duration| duration.as_ns() / 1_000;
    assert_eq!((us(CCA), us(TURNAROUND), us(ACK_WAIT)), (128, 192, 864));
}
