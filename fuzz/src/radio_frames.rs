//! What the drivers of radios inside microcontrollers hear: frames of Enhanced ShockBurst and of IEEE 802.15.4.

use std::collections::VecDeque;
use std::task::Poll;

use airlag_drivers::esb::{self, Esb, Packet};
use airlag_drivers::ieee802154::{self, Frame, Ieee802154};
use airlag_drivers::transceiver::{Start, Transceiver};
use airlag_link::airtime::nrf24::Rate;
use airlag_link::{Delivery, Link};
use embassy_futures::poll_once;

/// Lengths of a program's buffer: none, a short frame, the longest of an nRF24L01+, and longer than any frame.
const BUFFERS: [usize; 4] = [0, 12, 32, 255];

/// The bytes as one frame. Then as a radio's script, whose first byte is the set-up of both drivers:
/// length and frame by turns, where a length of 0 is a time that has passed without a frame.
///
/// # Panics
/// If an encoded frame does not decode to the same fields, if a payload is received that no frame
/// contained, if a driver sends more than its retries, or confirms what nobody has acknowledged.
pub fn radio_frames(bytes: &[u8]) {
    decoded(bytes);
    let [setup, script @ ..] = bytes else { return };
    let setup = Setup::of(*setup);
    let script = script_of(script);
    over_esb(setup, &script);
    over_ieee802154(setup, &script);
}

fn decoded(bytes: &[u8]) {
    if let Some(packet) = Packet::decode(bytes) {
        let mut frame = [0; esb::MAX_FRAME];
        if let Some(len) = packet.encode(&mut frame) {
            assert_eq!(Packet::decode(&frame[..len]), Some(packet));
        }
    }
    if let Some(Frame::Data(data)) = Frame::decode(bytes) {
        let mut frame = [0; ieee802154::MAX_FRAME];
        if let Some(len) = data.encode(&mut frame) {
            assert_eq!(Frame::decode(&frame[..len]), Some(Frame::Data(data)));
        }
    }
}

/// Set-up of a driver and of its radio.
#[derive(Clone, Copy)]
struct Setup {
    acknowledge: bool,
    /// Whether exact starts have always passed.
    is_late: bool,
    retries: u8,
    buffer: usize,
}

impl Setup {
    const fn of(byte: u8) -> Self {
        Self {
            acknowledge: byte & 1 != 0,
            is_late: byte & 2 != 0,
            retries: byte >> 2 & 7,
            buffer: BUFFERS[(byte >> 5 & 3) as usize],
        }
    }
}

/// The end of a script.
#[derive(Debug)]
struct Over;

/// A radio with a script.
struct Script {
    arrivals: VecDeque<Option<Vec<u8>>>,
    is_late: bool,
    sent: Vec<Vec<u8>>,
}

fn script_of(bytes: &[u8]) -> VecDeque<Option<Vec<u8>>> {
    let (mut arrivals, mut rest) = (VecDeque::new(), bytes);
    while let [len, after @ ..] = rest {
        let (frame, after) = after.split_at(usize::from(*len).min(after.len()));
        arrivals.push_back((!frame.is_empty()).then(|| frame.to_vec()));
        rest = after;
    }
    arrivals
}

impl Script {
    fn new(setup: Setup, arrivals: &VecDeque<Option<Vec<u8>>>) -> Self {
        Self { arrivals: arrivals.clone(), is_late: setup.is_late, sent: Vec::new() }
    }
}

impl Transceiver for &mut Script {
    type Error = Over;

    async fn send(&mut self, frame: &[u8], start: Start) -> Result<bool, Over> {
        let starts = !self.is_late || matches!(start, Start::NotBefore(_));
        if starts {
            self.sent.push(frame.to_vec());
        }
        Ok(starts)
    }

    async fn receive(&mut self, frame: &mut [u8], _: Option<u32>) -> Result<Option<usize>, Over> {
        loop {
            let Some(arrived) = self.arrivals.pop_front().ok_or(Over)? else { return Ok(None) };
            // A longer frame is skipped.
            if let Some(place) = frame.get_mut(..arrived.len()) {
                place.copy_from_slice(&arrived);
                return Ok(Some(arrived.len()));
            }
        }
    }
}

/// Receives until the script ends. Each payload has to be in the script.
fn receives(link: &mut impl Link, setup: Setup, mut is_in_script: impl FnMut(&[u8]) -> bool) {
    let mut buffer = [0; 255];
    while let Poll::Ready(Ok(len)) = poll_once(link.receive(&mut buffer[..setup.buffer])) {
        assert!(len <= setup.buffer);
        assert!(is_in_script(&buffer[..len]), "a payload that nobody sent");
    }
}

fn over_esb(setup: Setup, arrivals: &VecDeque<Option<Vec<u8>>>) {
    let config = esb::Config {
        rate: Rate::Mbps2,
        address: 5,
        longest: esb::MAX_PAYLOAD,
        acknowledge: setup.acknowledge,
        retransmit_count: setup.retries,
        retransmit_delay_us: 1_500,
    };
    let packets: Vec<_> =
        arrivals.iter().flatten().filter_map(|frame| Packet::decode(frame)).collect();
    let mut radio = Script::new(setup, arrivals);
    receives(&mut Esb::new(&mut radio, config), setup, |payload| {
        packets.iter().any(|packet| packet.payload == payload)
    });
    let requested = packets.iter().filter(|packet| !packet.no_ack && !packet.payload.is_empty());
    assert!(radio.sent.len() <= if setup.acknowledge { requested.count() } else { 0 });

    let mut radio = Script::new(setup, arrivals);
    let sent = poll_once(Esb::new(&mut radio, config).send(&[7; 12]));
    let is_acknowledged = packets.iter().any(|packet| packet.payload.is_empty());
    checked(setup, &radio, &sent, is_acknowledged);
}

fn over_ieee802154(setup: Setup, arrivals: &VecDeque<Option<Vec<u8>>>) {
    let config = ieee802154::Config {
        pan: 0x0100,
        own: 1,
        peer: 2,
        acknowledge: setup.acknowledge,
        retries: setup.retries,
    };
    let frames: Vec<_> =
        arrivals.iter().flatten().filter_map(|frame| Frame::decode(frame)).collect();
    let mut radio = Script::new(setup, arrivals);
    receives(&mut Ieee802154::new(&mut radio, config), setup, |payload| {
        frames.iter().any(|frame| {
            matches!(frame, Frame::Data(data) if data.payload == payload
                && [1, ieee802154::BROADCAST].contains(&data.destination))
        })
    });
    let requested =
        frames.iter().filter(|frame| matches!(frame, Frame::Data(data) if data.ack_request));
    assert!(radio.sent.len() <= requested.count());

    let mut radio = Script::new(setup, arrivals);
    let sent = poll_once(Ieee802154::new(&mut radio, config).send(&[7; 12]));
    checked(setup, &radio, &sent, frames.contains(&Frame::Ack(1)));
}

/// A message is sent at most once more than the retries, each time the same, and is confirmed only if an
/// acknowledgement of it arrived.
fn checked<E>(
    setup: Setup,
    radio: &Script,
    sent: &Poll<Result<Delivery, E>>,
    is_acknowledged: bool,
) {
    let most = if setup.acknowledge { 1 + usize::from(setup.retries) } else { 1 };
    assert!((1..=most).contains(&radio.sent.len()));
    assert!(radio.sent.windows(2).all(|pair| pair[0] == pair[1]));
    if let Poll::Ready(Ok(Delivery::Confirmed)) = sent {
        assert!(setup.acknowledge && is_acknowledged);
    }
}
