//! The chip alone, accessed by bytes, without a driver.

use std::rc::Rc;

use airlag_air::{Independent, Medium};
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use airlag_sim::{Clock, Duration, Simulation};
use proptest::prelude::*;

use super::registers::flag;
use super::{Sx1276, Timing};
use crate::mcu::SpiTarget;

const FRAME: Frame = Frame::new(SpreadingFactor::Sf7, Bandwidth::Khz250, CodingRate::Cr4_5);
/// From standby to the first symbol, from the datasheet.
const TRANSMIT_NS: u64 = 115_000;

struct Bench {
    sim: Simulation,
    air: Medium,
    chips: Vec<Rc<Sx1276>>,
}

fn transfer(chip: &Sx1276, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    chip.select();
    chip.exchange(&mut bytes);
    chip.deselect();
    bytes.split_off(1)
}

fn read(chip: &Sx1276, address: u8) -> u8 {
    transfer(chip, &[address, 0])[0]
}

fn write(chip: &Sx1276, address: u8, value: u8) {
    transfer(chip, &[0x80 | address, value]);
}

/// LoRa, standby, 250 kHz, SF7, 4/5, CRC.
fn set_up(chip: &Sx1276) {
    for (address, value) in [(0x01, 0x00), (0x01, 0x80), (0x01, 0x81), (0x1D, 0x82), (0x1E, 0x74)] {
        write(chip, address, value);
    }
}

fn bench_with(count: usize, timing: Timing) -> Bench {
    let sim = Simulation::new(1);
    let air = Medium::new(&sim);
    let chips: Vec<_> = (0..count)
        .map(|n| Sx1276::new(&air, &format!("radio {n}"), &sim, Clock::exact(), timing))
        .collect();
    chips.iter().for_each(|chip| set_up(chip));
    sim.run().expect("settles");
    Bench { sim, air, chips }
}

fn bench(count: usize) -> Bench {
    bench_with(count, Timing::default())
}

impl Bench {
    fn transmit(&self, from: usize, payload: &[u8]) {
        let chip = &self.chips[from];
        write(chip, 0x0D, 0x80);
        write(chip, 0x22, payload.len() as u8);
        transfer(chip, &[&[0x80], payload].concat());
        write(chip, 0x01, 0x83);
    }

    fn listen(&self, at: usize) {
        write(&self.chips[at], 0x01, 0x85);
        self.wait(Duration::from_ms(1));
    }

    fn wait(&self, wait: Duration) {
        // An event at that time keeps virtual time advancing until then.
        let until = self.sim.now() + wait;
        self.sim.at(until, || {});
        self.sim.run_until(until).expect("no livelock");
    }

    fn run(&self) {
        self.sim.run().expect("no livelock");
    }

    fn flags(&self, at: usize) -> u8 {
        read(&self.chips[at], 0x12)
    }

    /// The last packet, read as described in the datasheet.
    fn packet(&self, at: usize) -> Vec<u8> {
        let chip = &self.chips[at];
        let (start, length) = (read(chip, 0x10), read(chip, 0x13));
        write(chip, 0x0D, start);
        transfer(chip, &vec![0; usize::from(length) + 1])
    }
}

#[test]
fn burst_access_counts_on_but_stays_at_the_fifo() {
    let b = bench(1);
    let chip = &b.chips[0];
    transfer(chip, &[0x86, 0xD9, 0x06, 0x8B]);
    assert_eq!(transfer(chip, &[0x06, 0, 0, 0]), [0xD9, 0x06, 0x8B]);
    write(chip, 0x0D, 0xFE);
    transfer(chip, &[0x80, 1, 2, 3]);
    assert_eq!(read(chip, 0x0D), 0x01, "the pointer wraps");
    write(chip, 0x0D, 0xFE);
    assert_eq!(transfer(chip, &[0x00, 0, 0, 0]), [1, 2, 3]);
}

#[test]
fn the_lora_bit_changes_in_sleep_mode_only() {
    let sim = Simulation::new(0);
    let air = Medium::new(&sim);
    let chip = Sx1276::new(&air, "radio", &sim, Clock::exact(), Timing::default());
    write(&chip, 0x01, 0x81);
    assert_eq!(read(&chip, 0x01) & 0x80, 0);
    write(&chip, 0x01, 0x00);
    write(&chip, 0x01, 0x80);
    assert_eq!(read(&chip, 0x01), 0x80);
    chip.reset().set(false);
    assert_eq!(read(&chip, 0x01), 0x09);
}

#[test]
fn the_data_buffer_is_out_of_reach_in_sleep_mode_and_empty_afterwards() {
    let b = bench(1);
    let chip = &b.chips[0];
    transfer(chip, &[0x80, 7]);
    write(chip, 0x01, 0x80);
    transfer(chip, &[0x80, 8]);
    write(chip, 0x01, 0x81);
    b.run();
    write(chip, 0x0D, 0);
    assert_eq!(transfer(chip, &[0x00, 0, 0]), [0, 0]);
}

#[test]
fn mode_ready_waits_for_the_crystal_after_a_long_sleep_and_less_after_a_short_one() {
    let timing = Timing {
        standby: Duration::from_us(14),
        swings_on: Duration::from_us(100),
        ..Timing::default()
    };
    let b = bench_with(1, timing);
    let chip = &b.chips[0];
    let ready = &chip.dio()[5];
    for (slept_us, woke_us) in [(10_000, 250), (50, 14)] {
        write(chip, 0x01, 0x80);
        assert!(!ready.level());
        b.wait(Duration::from_us(slept_us));
        write(chip, 0x01, 0x81);
        let asked = b.sim.now();
        b.run();
        assert!(ready.level());
        assert_eq!(ready.changed_at().since(asked), Duration::from_us(woke_us));
    }
}

#[test]
fn a_transmission_lasts_its_airtime_and_ends_in_standby() {
    let b = bench(1);
    let chip = &b.chips[0];
    write(chip, 0x40, 0x40);
    let asked = b.sim.now();
    b.transmit(0, &[1; 12]);
    b.run();
    assert!(chip.dio()[0].level());
    let took = chip.dio()[0].changed_at().since(asked).as_ns();
    assert_eq!(took, TRANSMIT_NS + FRAME.duration_ns(12));
    assert_eq!((b.flags(0), read(chip, 0x01)), (flag::TX_DONE, 0x81));
    write(chip, 0x12, 0x08);
    assert!(!chip.dio()[0].level());
}

#[test]
fn a_continuous_receiver_lays_packets_one_behind_the_other() {
    let b = bench(2);
    b.listen(1);
    b.transmit(0, &[1, 2, 3]);
    b.run();
    assert_eq!(b.flags(1), flag::RX_DONE | flag::VALID_HEADER);
    assert_eq!((b.packet(1), read(&b.chips[1], 0x10)), (vec![1, 2, 3], 0));
    b.transmit(0, &[4, 5]);
    b.run();
    assert_eq!((b.packet(1), read(&b.chips[1], 0x10)), (vec![4, 5], 3));
    assert_eq!(transfer(&b.chips[1], &[0x14, 0, 0, 0, 0]), [0, 2, 0, 2]);
    // SNR, RSSI, and the CRC flag of the header.
    assert_eq!(transfer(&b.chips[1], &[0x19, 0, 0, 0, 0]), [36, 90, 90, 0x40]);
}

#[test]
fn rx_done_comes_the_decoding_latency_after_the_last_symbol() {
    let timing =
        Timing { decode_millisymbols: 750, decode_offset_ns: -10_000, ..Timing::default() };
    let b = bench_with(2, timing);
    b.listen(1);
    let asked = b.sim.now();
    b.transmit(0, &[9; 20]);
    b.run();
    let done = b.chips[1].dio()[0].changed_at().since(asked).as_ns();
    assert_eq!(done, TRANSMIT_NS + FRAME.duration_ns(20) + 384_000 - 10_000);
}

#[test]
fn a_receiver_that_comes_late_still_locks_while_enough_preamble_is_left() {
    // Eight preamble symbols of half a millisecond each, of which four are needed.
    for (late_us, heard) in [(1_900, true), (2_200, false)] {
        let b = bench(2);
        b.transmit(0, &[1]);
        b.wait(Duration::from_us(late_us));
        write(&b.chips[1], 0x01, 0x85);
        b.run();
        assert_eq!(b.flags(1) & flag::RX_DONE != 0, heard, "{late_us} us");
    }
}

#[test]
fn a_single_reception_times_out_or_ends_in_standby() {
    let b = bench(2);
    let chip = &b.chips[1];
    write(chip, 0x1F, 10);
    write(chip, 0x01, 0x86);
    let asked = b.sim.now();
    b.run();
    assert_eq!((b.flags(1), read(chip, 0x01)), (flag::RX_TIMEOUT, 0x81));
    let waited = chip.dio()[1].changed_at().since(asked).as_ns();
    assert_eq!(waited, 60_000 + 10 * FRAME.symbol_ns());
    write(chip, 0x12, 0xFF);
    write(chip, 0x01, 0x86);
    b.transmit(0, &[5; 30]);
    b.run();
    assert_eq!(b.flags(1), flag::RX_DONE | flag::VALID_HEADER);
    assert_eq!((b.packet(1), read(chip, 0x01)), (vec![5; 30], 0x81));
}

#[test]
fn who_is_set_otherwise_hears_nothing() {
    // Spreading factor, bandwidth, header, frequency, sync word, direction of the chirps, detector.
    let others = [
        (0x1E, 0x84),
        (0x1D, 0x72),
        (0x1D, 0x83),
        (0x07, 0x81),
        (0x39, 0x34),
        (0x33, 0x67),
        (0x37, 0x0C),
    ];
    for (address, value) in others {
        let b = bench(2);
        write(&b.chips[1], address, value);
        b.listen(1);
        b.transmit(0, &[1, 2, 3]);
        b.run();
        assert_eq!(b.flags(1), 0, "{address:#04x} = {value:#04x}");
    }
}

#[test]
fn an_inverted_receiver_hears_an_inverted_sender() {
    let b = bench(2);
    write(&b.chips[0], 0x33, 0x66);
    write(&b.chips[1], 0x33, 0x66);
    b.listen(1);
    b.transmit(0, &[1]);
    b.run();
    assert_eq!(b.packet(1), [1]);
}

#[test]
fn frames_with_the_same_chirps_collide_and_with_others_do_not() {
    for (factor, collide) in [(0x74, true), (0x84, false)] {
        let b = bench(3);
        write(&b.chips[2], 0x1E, factor);
        b.listen(1);
        b.transmit(0, &[1, 2, 3]);
        b.transmit(2, &[4, 5, 6]);
        b.run();
        let error = b.flags(1) & flag::PAYLOAD_CRC_ERROR != 0;
        assert_eq!((error, b.packet(1) == [1, 2, 3]), (collide, !collide));
    }
}

#[test]
fn a_frame_the_path_loses_leaves_no_trace() {
    let b = bench(2);
    b.air.set_loss(b.chips[0].node(), b.chips[1].node(), Independent { probability: 1.0 });
    b.listen(1);
    b.transmit(0, &[1]);
    b.run();
    assert_eq!((b.flags(0), b.flags(1)), (flag::TX_DONE, 0));
}

#[test]
fn a_transmission_that_is_broken_off_arrives_nowhere() {
    let b = bench(2);
    b.listen(1);
    b.transmit(0, &[1; 100]);
    b.wait(Duration::from_ms(20));
    write(&b.chips[0], 0x01, 0x81);
    b.run();
    assert_eq!((b.flags(0), b.flags(1)), (0, 0));
}

#[test]
fn without_a_header_both_sides_have_to_agree_on_the_length() {
    for (length, agree) in [(3, true), (4, false)] {
        let b = bench(2);
        for chip in &b.chips {
            write(chip, 0x1D, 0x83);
        }
        write(&b.chips[1], 0x22, length);
        b.listen(1);
        b.transmit(0, &[1, 2, 3]);
        b.run();
        let expected = if agree { flag::RX_DONE } else { flag::RX_DONE | flag::PAYLOAD_CRC_ERROR };
        assert_eq!(b.flags(1), expected);
        assert_eq!(b.packet(1) == [1, 2, 3], agree);
    }
}

#[test]
fn without_a_crc_damage_goes_unnoticed_by_the_chip() {
    let b = bench(3);
    b.chips.iter().for_each(|chip| write(chip, 0x1E, 0x70));
    b.listen(1);
    b.transmit(0, &[1]);
    b.transmit(2, &[1]);
    b.run();
    assert_eq!(b.flags(1), flag::RX_DONE | flag::VALID_HEADER);
    assert_ne!(b.packet(1), [1]);
}

#[test]
fn a_header_that_promises_too_much_is_dropped() {
    let b = bench(2);
    write(&b.chips[1], 0x23, 2);
    b.listen(1);
    b.transmit(0, &[1, 2, 3]);
    b.run();
    assert_eq!(b.flags(1), 0);
}

#[test]
fn activity_detection_sees_chirps_and_says_so_on_its_pins() {
    for (busy, flags) in [(true, flag::CAD_DONE | flag::CAD_DETECTED), (false, flag::CAD_DONE)] {
        let b = bench(2);
        write(&b.chips[1], 0x40, 0x80);
        if busy {
            b.transmit(0, &[0; 50]);
            b.wait(Duration::from_ms(5));
        }
        let asked = b.sim.now();
        write(&b.chips[1], 0x01, 0x87);
        b.run();
        assert_eq!((b.flags(1), read(&b.chips[1], 0x01)), (flags, 0x81));
        let [dio0, .., dio4, _] = b.chips[1].dio();
        assert_eq!((dio0.level(), dio4.level()), (true, busy));
        // Lock time, (128 + 32) chips of 4 us, then 7 * 128 / 1.75 MHz.
        assert_eq!(dio0.changed_at().since(asked).as_ns(), 60_000 + 640_000 + 512_000);
    }
}

#[test]
fn a_masked_interrupt_drives_no_pin() {
    let b = bench(2);
    write(&b.chips[1], 0x11, 0xFF);
    b.listen(1);
    b.transmit(0, &[1]);
    b.run();
    assert!(!b.chips[1].dio()[0].level());
    write(&b.chips[1], 0x11, 0x00);
    assert!(b.chips[1].dio()[0].level());
}

#[test]
fn asking_for_the_mode_it_is_in_does_not_interrupt_a_reception() {
    let b = bench(2);
    b.listen(1);
    b.transmit(0, &[1; 40]);
    b.wait(Duration::from_ms(10));
    write(&b.chips[1], 0x01, 0x85);
    b.run();
    assert_eq!(b.packet(1), [1; 40]);
}

proptest! {
    #[test]
    fn what_is_sent_is_heard_after_exactly_its_airtime(
        payload in prop::collection::vec(any::<u8>(), 1..=255), factor in 7_u8..=12,
        bandwidth in 0_u8..10, rate in 1_u8..=4, optimize: bool, preamble in 6_u8..40,
    ) {
        let b = bench(2);
        for chip in &b.chips {
            write(chip, 0x1D, bandwidth << 4 | rate << 1);
            write(chip, 0x1E, factor << 4 | 4);
            write(chip, 0x26, u8::from(optimize) << 3);
            write(chip, 0x21, preamble);
        }
        // A payload of 255 bytes extends into the lower half of the buffer.
        b.listen(1);
        let asked = b.sim.now();
        b.transmit(0, &payload);
        b.run();
        let frame = Frame {
            preamble: preamble.into(),
            low_data_rate_optimize: optimize,
            ..Frame::new(
                SpreadingFactor::new(factor).expect("in range"),
                Bandwidth::ALL[usize::from(bandwidth)],
                CodingRate::new(rate + 4).expect("in range"),
            )
        };
        let took = b.chips[1].dio()[0].changed_at().since(asked).as_ns();
        prop_assert_eq!(took, TRANSMIT_NS + frame.duration_ns(payload.len()));
        prop_assert_eq!(b.packet(1), payload);
    }
}
