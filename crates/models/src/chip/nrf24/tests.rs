//! The chip alone on a bench: raw SPI bytes in, pin levels and frames out, without a driver.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Frame, Independent, Medium, Verdict};
use airlag_sim::{Clock, Duration, Edge, Simulation};

use super::chip::Nrf24;
use super::timing::{BrokenAck, Demodulator, Timing};
use crate::mcu::SpiTarget;

mod ack_payload;

const US: u64 = 1_000;

struct Bench {
    bench: Simulation,
    air: Medium,
    frames: Rc<RefCell<Vec<(Frame, Verdict)>>>,
}

impl Bench {
    fn new() -> Self {
        let bench = Simulation::new(1);
        let air = Medium::new(&bench);
        let frames: Rc<RefCell<Vec<(Frame, Verdict)>>> = Rc::default();
        let kept = frames.clone();
        air.tap(move |frame, verdict| kept.borrow_mut().push((frame.clone(), verdict)));
        Self { bench, air, frames }
    }

    fn chip(&self, name: &str) -> Rc<Nrf24> {
        self.chip_with(name, Timing::default())
    }

    fn chip_with(&self, name: &str, timing: Timing) -> Rc<Nrf24> {
        Nrf24::new(&self.air, name, &self.bench, Clock::exact(), timing)
    }

    fn wait_us(&self, us: u64) {
        self.bench.run_until(self.bench.now() + Duration::from_us(us)).expect("no livelock");
    }

    /// A transmitter and a receiver at 2 Mbit/s, with five address bytes, a retransmit delay of 1
    /// ms and 5 retries.
    fn link(&self, timing: Timing) -> (Rc<Nrf24>, Rc<Nrf24>) {
        let (ptx, prx) = (self.chip_with("ptx", timing), self.chip_with("prx", timing));
        for chip in [&ptx, &prx] {
            spi(chip, &[0x24, 0x35]);
            spi(chip, &[0x31, 32]);
        }
        spi(&ptx, &[0x20, 0x0E]);
        spi(&prx, &[0x20, 0x0F]);
        self.wait_us(2_000);
        prx.ce().set(true);
        self.wait_us(200);
        (ptx, prx)
    }

    /// Start times and durations of all frames so far, us.
    fn frames_us(&self) -> Vec<(f64, f64)> {
        let us = |ns: u64| ns as f64 / 1e3;
        let frames = self.frames.borrow();
        frames
            .iter()
            .map(|(f, _)| (us(f.begin.as_ns()), us(f.end.since(f.begin).as_ns())))
            .collect()
    }
}

/// One transaction; returns what came back.
fn spi(chip: &Nrf24, bytes: &[u8]) -> Vec<u8> {
    let mut both = bytes.to_vec();
    chip.select();
    chip.exchange(&mut both);
    chip.deselect();
    both
}

fn read(chip: &Nrf24, register: u8) -> u8 {
    spi(chip, &[register, 0])[1]
}

fn status(chip: &Nrf24) -> u8 {
    spi(chip, &[0xFF])[0]
}

fn payload(first: u8) -> Vec<u8> {
    let mut bytes = vec![0xA0, first];
    bytes.resize(33, first);
    bytes
}

#[test]
fn registers_have_their_reset_values() {
    let bench = Bench::new();
    let chip = bench.chip("a");
    // Table 28, column "Reset Value".
    for (register, value) in [
        (0x00, 0x08),
        (0x01, 0x3F),
        (0x02, 0x03),
        (0x03, 0x03),
        (0x04, 0x03),
        (0x05, 0x02),
        (0x06, 0x0E),
        (0x07, 0x0E),
        (0x08, 0x00),
        (0x09, 0x00),
        (0x0C, 0xC3),
        (0x0D, 0xC4),
        (0x0E, 0xC5),
        (0x0F, 0xC6),
        (0x11, 0x00),
        (0x16, 0x00),
        (0x17, 0x11),
        (0x1C, 0x00),
        (0x1D, 0x00),
    ] {
        assert_eq!(read(&chip, register), value, "register {register:#04x}");
    }
    assert_eq!(spi(&chip, &[0x0A, 0, 0, 0, 0, 0])[1..], [0xE7; 5]);
    assert_eq!(spi(&chip, &[0x0B, 0, 0, 0, 0, 0])[1..], [0xC2; 5]);
    assert_eq!(spi(&chip, &[0x10, 0, 0, 0, 0, 0])[1..], [0xE7; 5]);
    assert!(chip.irq().level(), "the interrupt is idle");
}

#[test]
fn reserved_bits_stay_and_a_long_register_may_be_written_in_part() {
    let bench = Bench::new();
    let chip = bench.chip("a");
    for (register, mask) in [(0x00, 0x7F), (0x01, 0x3F), (0x05, 0x7F), (0x11, 0x3F), (0x1D, 0x07)] {
        spi(&chip, &[0x20 | register, 0xFF]);
        assert_eq!(read(&chip, register), mask, "register {register:#04x}");
    }
    spi(&chip, &[0x2A, 0x11]);
    assert_eq!(spi(&chip, &[0x0A, 0, 0, 0, 0, 0])[1..], [0x11, 0xE7, 0xE7, 0xE7, 0xE7]);
}

#[test]
fn the_fifos_are_three_deep() {
    let bench = Bench::new();
    let chip = bench.chip("a");
    for nth in 0..4 {
        let answered = spi(&chip, &payload(nth))[0];
        assert_eq!(answered & 1, u8::from(nth == 3), "TX_FULL after {nth}");
    }
    assert_eq!(read(&chip, 0x17) & 0x30, 0x20);
    spi(&chip, &[0xE1]);
    assert_eq!(read(&chip, 0x17) & 0x30, 0x10);
}

#[test]
fn an_acknowledged_packet_takes_what_the_specification_adds_up() {
    let bench = Bench::new();
    let (ptx, prx) = bench.link(Timing { ..Timing::default() });
    let start = bench.bench.now();
    spi(&ptx, &payload(7));
    ptx.ce().set(true);
    bench.wait_us(1_000);
    let at = |us: f64| start.as_ns() as f64 / 1e3 + us;
    // 130 us settling, 329 bits of 0.5 us, 6 us to the interrupt, 130 us, 73 bits of 0.5 us.
    assert_eq!(bench.frames_us(), [(at(130.0), 164.5), (at(130.0 + 164.5 + 6.0 + 130.0), 36.5)]);
    assert_eq!(prx.irq().changed_at().since(start), Duration::from_ns(300_500));
    assert_eq!(ptx.irq().changed_at().since(start), Duration::from_ns(473_000));
    assert_eq!(status(&ptx) & 0x70, 0x20, "TX_DS");
    assert_eq!(status(&prx), 0x40, "RX_DR, pipe 0");
    let received = spi(&prx, &[[0x61].as_slice(), &[0; 32]].concat());
    assert_eq!(received[1..], [7; 32]);
    assert_eq!(read(&prx, 0x17), 0x11, "both FIFOs are empty");
    spi(&ptx, &[0x27, 0x20]);
    assert!(ptx.irq().level());
}

#[test]
fn a_frame_that_is_noticed_late_delays_its_interrupt_and_its_acknowledgement() {
    let bench = Bench::new();
    let late = Demodulator { late: 1.0, late_bits: 0.75, jitter_bits: 0.0 };
    let (ptx, prx) = bench.link(Timing { demodulator: late, ..Timing::default() });
    let start = bench.bench.now();
    spi(&ptx, &payload(7));
    ptx.ce().set(true);
    bench.wait_us(1_000);
    assert_eq!(prx.irq().changed_at().since(start), Duration::from_ns(300_500 + 375));
    assert_eq!(ptx.irq().changed_at().since(start), Duration::from_ns(473_000 + 2 * 375));
}

#[test]
fn a_masked_interrupt_leaves_the_pin_alone_and_sets_the_flag() {
    let bench = Bench::new();
    let (ptx, prx) = bench.link(Timing::default());
    spi(&prx, &[0x20, 0x4F]);
    spi(&ptx, &payload(1));
    ptx.ce().set(true);
    bench.wait_us(600);
    assert_eq!((prx.irq().level(), status(&prx) & 0x40), (true, 0x40));
}

#[test]
fn a_short_pulse_on_ce_sends_nothing_and_a_long_one_sends_one_packet() {
    let bench = Bench::new();
    let (ptx, _prx) = bench.link(Timing::default());
    for nth in 0..2 {
        spi(&ptx, &payload(nth));
    }
    ptx.ce().set(true);
    bench.wait_us(9);
    ptx.ce().set(false);
    bench.wait_us(1_000);
    assert_eq!(bench.frames_us().len(), 0);
    ptx.ce().set(true);
    bench.wait_us(10);
    ptx.ce().set(false);
    bench.wait_us(1_000);
    assert_eq!(bench.frames_us().len(), 2, "one packet and its acknowledgement");
    assert_eq!(read(&ptx, 0x17) & 0x30, 0x00, "the other one is still there");
}

#[test]
fn without_a_receiver_the_packet_is_repeated_and_then_given_up() {
    let bench = Bench::new();
    let (ptx, prx) = bench.link(Timing::default());
    prx.ce().set(false);
    let start = bench.bench.now();
    spi(&ptx, &payload(1));
    ptx.ce().set(true);
    bench.wait_us(20_000);
    let frames = bench.frames_us();
    assert_eq!(frames.len(), 6, "one and five repetitions");
    for pair in frames.windows(2) {
        // From the end of one frame to the start of the next: 1000 us and 130 us of settling.
        assert!((pair[1].0 - pair[0].0 - (164.5 + 1_130.0)).abs() < 1e-6);
    }
    assert_eq!(status(&ptx) & 0x70, 0x10, "MAX_RT");
    assert_eq!(read(&ptx, 0x08), 0x15, "one packet lost, five repetitions");
    assert_eq!(read(&ptx, 0x17) & 0x10, 0, "the payload is not removed");
    let gave_up = ptx.irq().changed_at().since(start).as_ns();
    assert_eq!(gave_up, 130 * US + 6 * 164_500 + 5 * 1_130 * US + 1_000 * US);
    spi(&ptx, &[0x25, 0x02]);
    assert_eq!(read(&ptx, 0x08) >> 4, 0, "writing RF_CH resets the count");
}

#[test]
fn a_frame_to_its_address_that_began_before_it_listened_does_not_end_the_retries() {
    // A frame of 32 B lasts longer than the address window of 250 us at 1 Mbit/s. At 250 kbit/s it
    // also lasts longer than the retransmit delay of 500 us.
    a_frame_begins_in_the_turnaround(0x06, 0x35, 400);
    a_frame_begins_in_the_turnaround(0x26, 0x15, 1_380);
}

fn a_frame_begins_in_the_turnaround(rate: u8, retries: u8, later_us: u64) {
    let bench = Bench::new();
    let (ptx, _) = bench.link(Timing::default());
    let other = bench.chip("other");
    for chip in [&ptx, &other] {
        spi(chip, &[0x26, rate]);
        spi(chip, &[0x24, retries]);
    }
    spi(&other, &[0x21, 0x00]);
    spi(&other, &[0x20, 0x0E]);
    bench.wait_us(2_000);
    for chip in [&ptx, &other] {
        spi(chip, &payload(1));
        chip.ce().set(true);
        bench.wait_us(20);
        chip.ce().set(false);
        // The other frame begins during the turnaround after the first, and ends after the window.
        bench.wait_us(later_us);
    }
    bench.wait_us(20_000);
    let frames = bench.frames.borrow();
    let [first, others] = [&ptx, &other].map(|chip| {
        frames
            .iter()
            .map(|(frame, _)| frame)
            .filter(|frame| frame.from == chip.node())
            .collect::<Vec<_>>()
    });
    let listens = first[0].end + Duration::from_us(130);
    assert!(first[0].end < others[0].begin && others[0].begin < listens);
    assert!(others[0].end > listens + Duration::from_us(250));
    assert_eq!(first.len(), 6);
    assert_eq!(status(&ptx) & 0x10, 0x10);
}

#[test]
fn a_packet_given_up_is_sent_again_as_the_same_packet() {
    let bench = Bench::new();
    let (ptx, prx) = bench.link(Timing::default());
    // The receiver gets all frames, the transmitter none.
    bench.air.set_loss(prx.node(), ptx.node(), Independent { probability: 1.0 });
    spi(&ptx, &payload(1));
    ptx.ce().set(true);
    bench.wait_us(20_000);
    assert_eq!(status(&ptx) & 0x70, 0x10);
    ptx.ce().set(false);
    spi(&ptx, &[0x27, 0x10]);
    bench.air.set_loss(prx.node(), ptx.node(), Independent { probability: 0.0 });
    ptx.ce().set(true);
    bench.wait_us(1_000);
    assert_eq!(status(&ptx) & 0x70, 0x20);
    spi(&prx, &[[0x61].as_slice(), &[0; 32]].concat());
    assert_eq!(read(&prx, 0x17) & 1, 1, "the receiver took it once");
}

#[test]
fn a_copy_is_acknowledged_and_not_taken_twice() {
    let bench = Bench::new();
    let (ptx, prx) = bench.link(Timing::default());
    bench.air.set_loss(prx.node(), ptx.node(), Independent { probability: 1.0 });
    spi(&ptx, &payload(1));
    ptx.ce().set(true);
    bench.wait_us(700);
    bench.air.set_loss(prx.node(), ptx.node(), Independent { probability: 0.0 });
    bench.wait_us(2_000);
    assert_eq!(bench.frames_us().len(), 4, "packet, lost reply, packet, reply");
    assert_eq!(read(&ptx, 0x08), 0x01);
    spi(&prx, &[[0x61].as_slice(), &[0; 32]].concat());
    assert_eq!(read(&prx, 0x17) & 1, 1);
}

#[test]
fn a_full_receive_fifo_neither_takes_nor_acknowledges() {
    let bench = Bench::new();
    let (ptx, prx) = bench.link(Timing::default());
    ptx.ce().set(true);
    for nth in 0..4 {
        spi(&ptx, &payload(nth));
        bench.wait_us(600);
        spi(&ptx, &[0x27, 0x20]);
    }
    assert_eq!(read(&prx, 0x17) & 0b11, 0b10, "RX_FULL");
    assert_eq!(bench.frames_us().len(), 7, "three pairs and one unanswered packet");
    spi(&prx, &[[0x61].as_slice(), &[0; 32]].concat());
    bench.wait_us(1_500);
    assert_eq!(status(&ptx) & 0x70, 0x20, "the repetition finds room");
}

#[test]
fn packets_without_acknowledgement_follow_each_other_without_a_gap() {
    let bench = Bench::new();
    let (ptx, prx) = bench.link(Timing::default());
    spi(&ptx, &[0x3D, 0x01]);
    for nth in 0..3 {
        let mut bytes = payload(nth);
        bytes[0] = 0xB0;
        spi(&ptx, &bytes);
    }
    ptx.ce().set(true);
    bench.wait_us(1_000);
    let frames = bench.frames_us();
    assert_eq!(frames.len(), 3);
    for pair in frames.windows(2) {
        assert!((pair[1].0 - pair[0].0 - 164.5).abs() < 1e-6);
    }
    assert_eq!(read(&prx, 0x17) & 0b11, 0b10);
}

#[test]
fn without_its_feature_bit_the_no_ack_command_is_ignored() {
    let bench = Bench::new();
    let (ptx, _prx) = bench.link(Timing::default());
    let mut bytes = payload(1);
    bytes[0] = 0xB0;
    spi(&ptx, &bytes);
    assert_eq!(read(&ptx, 0x17) & 0x10, 0x10);
}

#[test]
fn an_acknowledgement_carries_a_payload_and_the_next_packet_confirms_it() {
    let bench = Bench::new();
    let (ptx, prx) = bench.link(Timing::default());
    for chip in [&ptx, &prx] {
        spi(chip, &[0x3D, 0x06]);
        spi(chip, &[0x3C, 0x01]);
    }
    spi(&prx, &[0xA8, 0xCA, 0xFE]);
    ptx.ce().set(true);
    for first in [1, 2] {
        spi(&ptx, &[0xA0, first]);
        bench.wait_us(700);
    }
    assert_eq!(status(&ptx) & 0x70, 0x60, "TX_DS and RX_DR");
    assert_eq!(spi(&ptx, &[0x60, 0])[1], 2);
    assert_eq!(spi(&ptx, &[0x61, 0, 0])[1..], [0xCA, 0xFE]);
    assert_eq!(status(&prx) & 0x70, 0x60, "RX_DR, and TX_DS with the second packet");
    assert_eq!(spi(&prx, &[0x60, 0])[1], 1, "dynamic length");
    assert_eq!(read(&prx, 0x17) & 0x10, 0x10, "the payload is gone");
}

#[test]
fn six_pipes_are_told_apart_by_their_first_byte() {
    let bench = Bench::new();
    let (ptx, prx) = bench.link(Timing::default());
    spi(&prx, &[0x22, 0x3F]);
    for pipe in 0..6 {
        spi(&prx, &[0x31 + pipe, 32]);
    }
    ptx.ce().set(true);
    for (pipe, low) in [(1, 0xC2), (3, 0xC4), (5, 0xC6)] {
        let address = [low, 0xC2, 0xC2, 0xC2, 0xC2];
        for register in [0x2A, 0x30] {
            spi(&ptx, &[[register].as_slice(), &address].concat());
        }
        spi(&ptx, &payload(pipe));
        bench.wait_us(700);
        assert_eq!(status(&ptx) & 0x70, 0x20, "pipe {pipe} answers");
        spi(&ptx, &[0x27, 0x20]);
        assert_eq!((status(&prx) >> 1) & 7, pipe);
        spi(&prx, &[[0x61].as_slice(), &[0; 32]].concat());
    }
}

#[test]
fn a_flush_breaks_the_acknowledgement_on_the_air_and_no_other() {
    let quantum = |broken_ack, flush_at_us: u64| {
        let bench = Bench::new();
        let (ptx, prx) = bench.link(Timing { broken_ack, ..Timing::default() });
        let start = bench.bench.now();
        let chip = prx.clone();
        bench.bench.at(start + Duration::from_us(flush_at_us), move || {
            spi(&chip, &[0xE2]);
        });
        spi(&ptx, &payload(1));
        ptx.ce().set(true);
        bench.wait_us(4_000);
        assert_eq!(status(&ptx) & 0x70, 0x20);
        (ptx.irq().changed_at().since(start).as_ns() - 473_000) as f64 / 1e3
    };
    // The acknowledgement is on the air from 430.5 to 467 us.
    for broken_ack in [BrokenAck::Lost, BrokenAck::Resent] {
        assert_eq!(quantum(broken_ack, 429), 0.0);
        assert_eq!(quantum(broken_ack, 468), 0.0);
    }
    // The packet again: from its end, 1000 + 130 us, 164.5 us, and the rest as before.
    assert_eq!(quantum(BrokenAck::Lost, 440), 1_000.0 + 130.0 + 164.5);
    // The acknowledgement again: from its end, 1000 + 130 us and 36.5 us.
    assert_eq!(quantum(BrokenAck::Resent, 440), 1_000.0 + 130.0 + 36.5);
}

#[test]
fn power_up_takes_its_time_and_power_down_ends_everything() {
    let bench = Bench::new();
    let chip = bench.chip("a");
    chip.ce().set(true);
    spi(&chip, &payload(1));
    spi(&chip, &[0x3D, 0x01]);
    spi(&chip, &[0x20, 0x0A]);
    bench.wait_us(2_000);
    assert_eq!(bench.frames_us()[0].0, 1_500.0 + 130.0);
    spi(&chip, &[0x20, 0x08]);
    let before = bench.frames_us().len();
    bench.wait_us(20_000);
    assert_eq!(bench.frames_us().len(), before);
}

#[test]
fn a_reused_payload_is_sent_as_long_as_ce_is_high() {
    let bench = Bench::new();
    let (ptx, prx) = bench.link(Timing::default());
    spi(&ptx, &[0x21, 0x00]);
    spi(&ptx, &payload(9));
    spi(&ptx, &[0xE3]);
    assert_eq!(read(&ptx, 0x17) & 0x40, 0x40);
    ptx.ce().set(true);
    bench.wait_us(130 + 4 * 165);
    ptx.ce().set(false);
    bench.wait_us(1_000);
    assert!(bench.frames_us().len() >= 4);
    let _ = prx;
    spi(&ptx, &[0xE1]);
    assert_eq!(read(&ptx, 0x17) & 0x40, 0);
}

#[test]
fn another_rate_channel_or_address_is_not_heard() {
    for (register, value) in [(0x26, 0x06), (0x25, 0x30), (0x2A, 0x00)] {
        let bench = Bench::new();
        let (ptx, prx) = bench.link(Timing::default());
        spi(&prx, &[0x20 | register, value]);
        spi(&ptx, &payload(1));
        ptx.ce().set(true);
        bench.wait_us(1_000);
        assert_eq!(prx.irq().count(Edge::Any), 0, "register {register:#04x}");
    }
}

#[test]
fn the_crc_is_the_specified_one() {
    use super::fifo::Payload;
    use super::packet::Packet;
    // An empty packet to the address 00 00 00 in which all other fields are zero: 33 zero bits
    // shifted into a register of ones.
    let empty = Packet::new(&[0, 0, 0], 0, false, Payload::EMPTY);
    let mut register = 0xFFFF_u32;
    for _ in 0..33 {
        register = (register << 1) & 0xFFFF ^ if register & 0x8000 != 0 { 0x1021 } else { 0 };
    }
    assert_eq!(u32::from(empty.crc(2)), register);
    let other = Packet::new(&[0, 0, 0], 1, false, Payload::EMPTY);
    assert_ne!(empty.crc(2), other.crc(2));
    let mut frame = Rc::default();
    other.write_to(&mut frame);
    assert_eq!(Packet::parse(&frame, 3), Some(other));
}

#[test]
fn a_frame_that_somebody_still_has_is_not_written_over() {
    use super::fifo::Payload;
    use super::packet::Packet;
    let packet = |byte| Packet::new(&[1, 2, 3], 0, false, Payload::new(&[byte; 4]));
    let mut frame = Rc::default();
    packet(1).write_to(&mut frame);
    let heard = Rc::clone(&frame);
    packet(2).write_to(&mut frame);
    assert_eq!(Packet::parse(&heard, 3), Some(packet(1)));
    let place = Rc::as_ptr(&frame);
    packet(3).write_to(&mut frame);
    assert_eq!(Packet::parse(&frame, 3), Some(packet(3)));
    assert!(std::ptr::eq(place, Rc::as_ptr(&frame)), "nobody else has it");
}
