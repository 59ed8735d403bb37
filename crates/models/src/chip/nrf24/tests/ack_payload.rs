//! Acknowledgement payloads (sections 7.5 and 7.8.4 to 7.8.7), calculated by hand: five address
//! bytes, 2 Mbit/s, packets of one byte.

use super::*;

/// 81 bits of 0.5 us: preamble 1 byte, address 5, control 9 bits, payload 1 byte, CRC 2.
const PACKET_NS: u64 = 40_500;
/// From the rising edge of CE, or from the end of a packet, to the next first bit.
const SETTLE_NS: u64 = 130_000;
/// From a packet's end to its interrupt.
const IRQ_NS: u64 = 6_000;

/// Airtime of an acknowledgement with a payload of `len` bytes: 72 bits and nine of control around
/// it.
const fn ack_ns(len: u64) -> u64 {
    (64 + 9 + 8 * len) * 500
}

/// A transmitter and a receiver with EN_DPL, EN_ACK_PAY and DPL_P0. CE of the transmitter is high.
fn link(bench: &Bench) -> (Rc<Nrf24>, Rc<Nrf24>) {
    let (ptx, prx) = bench.link(Timing::default());
    for chip in [&ptx, &prx] {
        spi(chip, &[0x3D, 0x06]);
        spi(chip, &[0x3C, 0x01]);
    }
    ptx.ce().set(true);
    (ptx, prx)
}

/// W_ACK_PAYLOAD for pipe 0: `len` times the same byte.
fn load(prx: &Nrf24, byte: u8, len: usize) {
    spi(prx, &[&[0xA8], &vec![byte; len][..]].concat());
}

/// Sends a packet and waits 4 ms; returns the STATUS flags of both ends and clears them.
fn packet(bench: &Bench, [ptx, prx]: [&Nrf24; 2], byte: u8) -> (u8, u8) {
    spi(ptx, &[0xA0, byte]);
    bench.wait_us(4_000);
    [ptx, prx].map(|chip| spi(chip, &[0x27, 0x70])[0] & 0x70).into()
}

/// Reads the oldest payload, if there is one.
fn take(chip: &Nrf24) -> Option<Vec<u8>> {
    let len = usize::from(spi(chip, &[0x60, 0])[1]);
    (read(chip, 0x17) & 1 == 0)
        .then(|| spi(chip, &[&[0x61], &vec![0; len][..]].concat())[1..].into())
}

#[test]
fn a_transaction_with_a_payload_takes_the_time_that_adds_up() {
    for len in [1, 15, 32] {
        let bench = Bench::new();
        let (ptx, prx) = link(&bench);
        load(&prx, 7, len as usize);
        let start = bench.bench.now();
        spi(&ptx, &[0xA0, 1]);
        bench.wait_us(1_000);
        let received = SETTLE_NS + PACKET_NS + IRQ_NS;
        assert_eq!(prx.irq().changed_at().since(start).as_ns(), received);
        let whole = received + SETTLE_NS + ack_ns(len) + IRQ_NS;
        assert_eq!(ptx.irq().changed_at().since(start).as_ns(), whole, "{len} B");
        // Figure 21: the transmitter raises both flags at once; the receiver raises its flag with
        // the next packet.
        assert_eq!((status(&ptx) & 0x70, status(&prx) & 0x70), (0x60, 0x40));
        assert_eq!(take(&ptx), Some(vec![7; len as usize]));
    }
}

#[test]
fn an_acknowledgement_that_is_lost_takes_its_payload_along_again() {
    let bench = Bench::new();
    let (ptx, prx) = link(&bench);
    load(&prx, 7, 4);
    bench.air.set_loss(prx.node(), ptx.node(), Independent { probability: 1.0 });
    spi(&ptx, &[0xA0, 1]);
    bench.wait_us(700);
    assert_eq!(status(&prx) & 0x70, 0x40, "received, and its reply lost");
    spi(&prx, &[0x27, 0x40]);
    bench.air.set_loss(prx.node(), ptx.node(), Independent { probability: 0.0 });
    bench.wait_us(2_000);
    // Figure 23: the duplicate is dropped, raises no flag, and is acknowledged with the same
    // payload.
    assert_eq!((status(&ptx) & 0x70, status(&prx) & 0x70), (0x60, 0));
    let lengths: Vec<_> = bench.frames_us().iter().map(|&(_, us)| us).collect();
    assert_eq!(lengths, [40.5, 52.5, 40.5, 52.5]);
    assert_eq!((take(&ptx), take(&ptx)), (Some(vec![7; 4]), None));
    spi(&ptx, &[0x27, 0x70]);
    assert_eq!(read(&prx, 0x17) & 0x10, 0, "nothing has confirmed it");
    assert_eq!(packet(&bench, [&ptx, &prx], 2), (0x20, 0x60), "the next packet does");
    assert_eq!(read(&prx, 0x17) & 0x10, 0x10);
}

#[test]
fn three_payloads_wait_and_leave_in_their_order() {
    let bench = Bench::new();
    let (ptx, prx) = link(&bench);
    for byte in 1..=4 {
        load(&prx, byte, 2);
        assert_eq!(status(&prx) & 1, u8::from(byte >= 3), "TX_FULL");
    }
    let ends = [&*ptx, &*prx];
    // A payload in the FIFO is confirmed by the packet that follows the one it acknowledged.
    for (nth, flags) in [(1, (0x60, 0x40)), (2, (0x60, 0x60)), (3, (0x60, 0x60)), (4, (0x20, 0x60))]
    {
        assert_eq!(packet(&bench, ends, nth), flags, "packet {nth}");
        let expected = (nth <= 3).then(|| vec![nth; 2]);
        assert_eq!(take(&ptx), expected, "the fourth was one too many");
        take(&prx);
    }
    assert_eq!(packet(&bench, ends, 5), (0x20, 0x40));
}

#[test]
fn payloads_are_of_a_pipe() {
    let bench = Bench::new();
    let (ptx, prx) = link(&bench);
    spi(&prx, &[0xA9, 1]);
    spi(&prx, &[0xA8, 2]);
    assert_eq!(packet(&bench, [&ptx, &prx], 1), (0x60, 0x40));
    assert_eq!(take(&ptx), Some(vec![2]), "that of pipe 0, though it came second");
    assert_eq!(packet(&bench, [&ptx, &prx], 2), (0x20, 0x60));
    assert_eq!(read(&prx, 0x17) & 0x10, 0, "that of pipe 1 waits");
}

/// Figure 24: the payload of a packet that was given up stays. Used to test what happens to the
/// payload of the acknowledgement.
fn given_up(bench: &Bench) -> (Rc<Nrf24>, Rc<Nrf24>) {
    let (ptx, prx) = link(bench);
    spi(&ptx, &[0x24, 0x02]);
    load(&prx, 7, 4);
    bench.air.set_loss(prx.node(), ptx.node(), Independent { probability: 1.0 });
    assert_eq!(packet(bench, [&ptx, &prx], 1), (0x10, 0x40), "MAX_RT");
    ptx.ce().set(false);
    bench.air.set_loss(prx.node(), ptx.node(), Independent { probability: 0.0 });
    (ptx, prx)
}

#[test]
fn a_packet_given_up_and_sent_again_brings_the_payload() {
    let bench = Bench::new();
    let (ptx, prx) = given_up(&bench);
    ptx.ce().set(true);
    bench.wait_us(1_000);
    assert_eq!((status(&ptx) & 0x70, status(&prx) & 0x70), (0x60, 0), "a copy");
    assert_eq!(take(&ptx), Some(vec![7; 4]));
}

#[test]
fn a_new_packet_instead_of_one_given_up_loses_the_payload() {
    let bench = Bench::new();
    let (ptx, prx) = given_up(&bench);
    spi(&ptx, &[0xE1]);
    ptx.ce().set(true);
    assert_eq!(packet(&bench, [&ptx, &prx], 2), (0x20, 0x60), "taken for a confirmation");
    assert_eq!(take(&ptx), None);
}

#[test]
fn a_full_receive_fifo_has_no_room_for_a_payload() {
    let bench = Bench::new();
    let (ptx, prx) = link(&bench);
    for byte in 1..=4 {
        load(&prx, byte, 2);
        packet(&bench, [&ptx, &prx], byte);
        take(&prx);
    }
    assert_eq!(read(&ptx, 0x17) & 0b11, 0b10, "RX_FULL");
    let all: Vec<_> = std::iter::from_fn(|| take(&ptx)).collect();
    assert_eq!(all, [[1, 1], [2, 2], [3, 3]]);
}
