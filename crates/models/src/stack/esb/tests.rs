//! Exchanges timed by hand, losses, full queues, and an nRF24L01+ at the other end.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Frame, Independent, Loss, Medium};
use airlag_sim::{Clock, Duration, Instant, Simulation, Stream};

use super::frame::Packet;
use super::node::Results;
use super::*;
use crate::chip::nrf24::{Nrf24, Timing};
use crate::mcu::SpiTarget;

const US: u64 = 1_000;

fn config(rate: Rate, longest: usize, ramp_up: RampUp) -> Config {
    Config {
        role: Role::Transmitter,
        format: Format { rate, address: 5, crc: 2, longest },
        address: [0xE7; 5],
        channel: 2,
        ramp_up,
        acknowledge: true,
        retransmit_delay: Duration::from_us(600),
        retransmit_count: 3,
        transmit_queue: 8,
        receive_queue: 8,
        next_packet: Duration::from_us(48),
        rearm: Duration::from_us(10),
    }
}

/// Start and end of a frame, ns, whether it comes from the transmitter, and its bytes.
type Heard = (u64, u64, bool, Vec<u8>);

struct Pair {
    bench: Simulation,
    air: Medium,
    transmitter: Rc<Node>,
    receiver: Rc<Node>,
    heard: Rc<RefCell<Vec<Heard>>>,
    incidents: Rc<RefCell<Vec<Incident>>>,
}

fn pair(config: Config) -> Pair {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let transmitter = Node::new(&air, "transmitter", &bench, Clock::exact(), config);
    let config = Config { role: Role::Receiver, ..config };
    let receiver = Node::new(&air, "receiver", &bench, Clock::exact(), config);
    let (heard, incidents) = (Rc::default(), Rc::default());
    let (log, node): (Rc<RefCell<Vec<Heard>>>, _) = (Rc::clone(&heard), transmitter.id());
    air.tap(move |frame: &Frame, _| {
        let (begin, end) = (frame.begin.as_ns(), frame.end.as_ns());
        log.borrow_mut().push((begin, end, frame.from == node, frame.bytes.to_vec()));
    });
    for end in [&transmitter, &receiver] {
        let log: Rc<RefCell<Vec<Incident>>> = Rc::clone(&incidents);
        end.observe(move |incident| log.borrow_mut().push(incident));
    }
    Pair { bench, air, transmitter, receiver, heard, incidents }
}

impl Pair {
    /// Queues payloads at once.
    fn send(&self, payloads: Vec<Vec<u8>>) {
        let node = Rc::clone(&self.transmitter);
        self.bench.spawn("sender", async move {
            for payload in payloads {
                node.queue(&payload).await;
            }
        });
    }

    fn run_ms(&self, ms: u64) {
        self.bench.run_until(Instant::from_ns(ms * 1_000 * US)).expect("no livelock");
    }

    /// Takes what arrives into a list.
    fn collect(&self) -> Rc<RefCell<Vec<Vec<u8>>>> {
        let (node, arrived) = (Rc::clone(&self.receiver), Rc::default());
        let log: Rc<RefCell<Vec<Vec<u8>>>> = Rc::clone(&arrived);
        self.bench.spawn("receiver", async move {
            let mut buffer = [0; 252];
            loop {
                let len = node.next_payload(&mut buffer).await;
                log.borrow_mut().push(buffer[..len].to_vec());
            }
        });
        arrived
    }
}

/// Loses the frames with the listed numbers.
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
fn airtime_is_the_sum_of_the_fields() {
    let legacy = Format { rate: Rate::Mbps2, address: 5, crc: 2, longest: 32 };
    // 8 × (1 + 5 + 32 + 2) + 9 bits of 500 ns, as an nRF24L01+.
    assert_eq!(legacy.duration_ns(32), 329 * 500);
    assert_eq!(legacy.duration_ns(0), 73 * 500);
    let long = Format { rate: Rate::Mbps4, longest: 252, ..legacy };
    assert_eq!(long.duration_ns(252), (8 * 260 + 11) * 250);
    assert_eq!(long.address_ns(), 48 * 250);
}

#[test]
fn an_acknowledged_exchange_has_the_times_of_the_library() {
    // Ramp-up; 252 B; 6 us of detection and the receiver's ramp-up; an acknowledgement of 75 bits;
    // the library; ramp-up.
    for (ramp_up, ramp_us) in [(RampUp::Fast, 40), (RampUp::Normal, 129)] {
        let pair = pair(config(Rate::Mbps4, 252, ramp_up));
        let arrived = pair.collect();
        pair.send(vec![vec![1; 252], vec![2; 10]]);
        pair.run_ms(10);
        assert_eq!(*arrived.borrow(), [vec![1; 252], vec![2; 10]]);
        let long = pair.transmitter.config().format;
        let (first, ack) =
            (ramp_us * US, ramp_us * US + long.duration_ns(252) + (6 + ramp_us) * US);
        let second = ack + long.duration_ns(0) + 48 * US + ramp_us * US;
        let begins: Vec<u64> = pair.heard.borrow().iter().map(|frame| frame.0).collect();
        let last = second + long.duration_ns(10) + (6 + ramp_us) * US;
        assert_eq!(begins, [first, ack, second, last], "{ramp_up:?}");
        assert_eq!(pair.transmitter.take_results(), Results { done: 2, lost: 0 });
        assert!(pair.incidents.borrow().is_empty());
    }
}

#[test]
fn a_stream_without_acknowledgements_is_as_fast_as_ramp_up_and_library_let_it() {
    let settings = Config { acknowledge: false, ..config(Rate::Mbps4, 252, RampUp::Fast) };
    let pair = pair(settings);
    let arrived = pair.collect();
    pair.send(vec![vec![7; 252]; 100]);
    pair.run_ms(100);
    assert_eq!(arrived.borrow().len(), 100);
    let heard = pair.heard.borrow();
    assert!(heard.windows(2).all(|two| two[1].0 - two[0].1 == 88 * US));
    assert!(heard.iter().all(|frame| frame.2 && frame.3[5] & 1 == 1));
}

#[test]
fn a_lost_packet_is_sent_again_after_the_delay_and_a_lost_answer_makes_a_duplicate() {
    let pair = pair(config(Rate::Mbps2, 252, RampUp::Fast));
    let (from, to) = (pair.transmitter.id(), pair.receiver.id());
    pair.air.set_loss(from, to, Nth(vec![0], 0));
    pair.air.set_loss(to, from, Nth(vec![0], 0));
    let arrived = pair.collect();
    pair.send(vec![vec![9; 20]]);
    pair.run_ms(10);
    assert_eq!(*arrived.borrow(), [vec![9; 20]]);
    let heard = pair.heard.borrow();
    let sent: Vec<_> = heard.iter().filter(|frame| frame.2).collect();
    assert_eq!(sent.len(), 3);
    assert!(sent.windows(2).all(|two| two[1].0 - two[0].1 == 600 * US));
    assert_eq!(*pair.incidents.borrow(), [Incident::Retry, Incident::Retry, Incident::Duplicate]);
    assert_eq!(pair.transmitter.take_results(), Results { done: 1, lost: 0 });
}

#[test]
fn a_packet_is_given_up_after_its_retransmissions() {
    let pair = pair(config(Rate::Mbps1, 252, RampUp::Normal));
    pair.air.set_loss(pair.transmitter.id(), pair.receiver.id(), Independent { probability: 1.0 });
    pair.send(vec![vec![9; 20], vec![8; 20]]);
    pair.run_ms(20);
    assert_eq!(pair.heard.borrow().len(), 8);
    assert_eq!(pair.transmitter.take_results(), Results { done: 0, lost: 2 });
}

#[test]
fn a_receiver_without_room_does_not_acknowledge() {
    let pair = pair(Config { receive_queue: 2, ..config(Rate::Mbps2, 252, RampUp::Fast) });
    pair.send(vec![vec![1; 8], vec![2; 8], vec![3; 8]]);
    pair.run_ms(20);
    assert_eq!(pair.transmitter.take_results(), Results { done: 2, lost: 1 });
    assert_eq!(
        pair.incidents.borrow().iter().filter(|&&one| one == Incident::QueueFull).count(),
        4
    );
}

#[test]
fn a_frame_is_decoded_as_it_was_encoded() {
    let payload: Vec<u8> = (0..252).map(|byte| byte as u8).collect();
    let address = [1, 2, 3, 4, 5];
    let packet = Packet { address: &address, identity: 3, no_ack: true, payload: &payload };
    let bytes = packet.encode();
    assert_eq!(Packet::decode(&bytes, 5), Some(packet));
    assert_eq!(Packet::decode(&bytes[..200], 5), None, "its length field is wrong");
    assert_eq!(Packet::decode(&bytes[..6], 5), None);
}

/// An nRF24L01+ on channel 2 with dynamic payload lengths, as receiver or as transmitter.
fn nrf24(air: &Medium, bench: &Simulation, receives: bool, two_mbps: bool) -> Rc<Nrf24> {
    let chip = Nrf24::new(air, "nRF24", bench, Clock::exact(), Timing::default());
    let write = |register: u8, value: u8| command(&chip, &[0x20 | register, value]);
    // CONFIG: CRC of two bytes, powered; SETUP_RETR: 750 us, three; RF_CH; RF_SETUP; DYNPD;
    // FEATURE.
    write(0x00, 0x0E | u8::from(receives));
    write(0x04, 0x23);
    write(0x05, 2);
    write(0x06, if two_mbps { 0x0E } else { 0x06 });
    write(0x1C, 0x01);
    write(0x1D, 0x04);
    chip
}

/// Executes one transaction. Returns the response of the chip.
fn command(chip: &Rc<Nrf24>, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    chip.select();
    chip.exchange(&mut bytes);
    chip.deselect();
    bytes
}

#[test]
fn an_nrf24_hears_and_acknowledges_what_the_library_sends() {
    for (rate, two_mbps) in [(Rate::Mbps2, true), (Rate::Mbps1, false)] {
        let bench = Simulation::new(1);
        let air = Medium::new(&bench);
        let chip = nrf24(&air, &bench, true, two_mbps);
        let node = Node::new(
            &air,
            "transmitter",
            &bench,
            Clock::exact(),
            config(rate, 32, RampUp::Normal),
        );
        bench.run_until(Instant::from_ns(5_000 * US)).expect("no livelock");
        chip.ce().set(true);
        bench.run_until(Instant::from_ns(6_000 * US)).expect("no livelock");
        let sender = Rc::clone(&node);
        bench.spawn("sender", async move { sender.queue(b"from the library").await });
        bench.run_until(Instant::from_ns(12_000 * US)).expect("no livelock");
        assert_eq!(node.take_results(), Results { done: 1, lost: 0 }, "{rate:?}");
        // R_RX_PL_WID, then R_RX_PAYLOAD.
        assert_eq!(command(&chip, &[0x60, 0])[1], 16, "{rate:?}");
        assert_eq!(&command(&chip, &[0x61; 17])[1..], b"from the library", "{rate:?}");
    }
}

#[test]
fn the_library_hears_and_acknowledges_what_an_nrf24_sends() {
    for (rate, two_mbps) in [(Rate::Mbps2, true), (Rate::Mbps1, false)] {
        let bench = Simulation::new(1);
        let air = Medium::new(&bench);
        let chip = nrf24(&air, &bench, false, two_mbps);
        let settings = Config { role: Role::Receiver, ..config(rate, 32, RampUp::Normal) };
        let node = Node::new(&air, "receiver", &bench, Clock::exact(), settings);
        bench.run_until(Instant::from_ns(5_000 * US)).expect("no livelock");
        // W_TX_PAYLOAD.
        command(&chip, &[&[0xA0], &b"from the chip"[..]].concat());
        chip.ce().set(true);
        bench.run_until(Instant::from_ns(12_000 * US)).expect("no livelock");
        // STATUS: TX_DS, and not MAX_RT.
        assert_eq!(command(&chip, &[0xFF])[0] & 0x30, 0x20, "{rate:?}");
        let (taken, log) = (Rc::new(RefCell::new(Vec::new())), Rc::clone(&node));
        let arrived = Rc::clone(&taken);
        bench.spawn("receiver", async move {
            let mut buffer = [0; 32];
            let len = log.next_payload(&mut buffer).await;
            arrived.borrow_mut().extend_from_slice(&buffer[..len]);
        });
        bench.run_until(Instant::from_ns(13_000 * US)).expect("no livelock");
        assert_eq!(*taken.borrow(), b"from the chip", "{rate:?}");
    }
}

#[test]
fn an_nrf24_does_not_hear_packets_with_a_longer_length_field() {
    let bench = Simulation::new(1);
    let air = Medium::new(&bench);
    let chip = nrf24(&air, &bench, true, true);
    let settings = config(Rate::Mbps2, 252, RampUp::Normal);
    let node = Node::new(&air, "transmitter", &bench, Clock::exact(), settings);
    bench.run_until(Instant::from_ns(5_000 * US)).expect("no livelock");
    chip.ce().set(true);
    bench.run_until(Instant::from_ns(6_000 * US)).expect("no livelock");
    let sender = Rc::clone(&node);
    bench.spawn("sender", async move { sender.queue(b"unheard").await });
    bench.run_until(Instant::from_ns(20_000 * US)).expect("no livelock");
    assert_eq!(node.take_results(), Results { done: 0, lost: 1 });
}
