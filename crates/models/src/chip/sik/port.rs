//! The radio's serial port and its two ring buffers (`serial.c`).
//!
//! When bytes are received from the serial line, an interrupt puts them into the first ring buffer,
//! where they wait for transmission by radio. Bytes received by radio are put into the second ring
//! buffer, and an interrupt sends them on the serial line. The serial port has no flow control,
//! because RTS and CTS are not connected in this model. Bytes that do not fit into a ring buffer
//! are therefore dropped and counted.

use std::collections::VecDeque;

use super::slices;
use crate::mcu::Cpu;
use crate::mcu::uart::Wire;
use crate::mcu::uart::wire::Character;

/// Rates with timer settings in the firmware: baud, and processor cycles per bit.
///
/// The bit clock is half the rate of timer 1. The table of `serial.c` contains its reload value and
/// whether it counts the processor clock or a fourth, twelfth or 48th of it.
pub const RATES: [(u64, u64); 9] = [
    (1_200, 2 * 212 * 48),
    (2_400, 2 * 106 * 48),
    (4_800, 2 * 212 * 12),
    (9_600, 2 * 106 * 12),
    (19_200, 2 * 160 * 4),
    (38_400, 2 * 80 * 4),
    (57_600, 2 * 213),
    (115_200, 2 * 106),
    (230_400, 2 * 53),
];

/// Bits per byte in 8N1.
const BITS: u64 = airlag_link::airtime::uart::BITS_PER_BYTE;

/// Cycles per bit at `baud`. Other rates become 57600, as in the firmware.
pub(super) fn bit_cycles(baud: u64) -> u64 {
    RATES.iter().find(|rate| rate.0 == baud).map_or(2 * 213, |rate| rate.1)
}

/// Processor cycles per byte with its start and stop bit at `baud`.
#[must_use]
pub fn byte_cycles(baud: u64) -> u64 {
    BITS * bit_cycles(baud)
}

/// The firmware's estimate for one byte at `baud`, in ticks of 16 us. The firmware calculates with
/// thousands of baud.
pub(super) const fn byte_ticks(baud: u64) -> u64 {
    65_536 / (baud / 1_000 * 125) + 1
}

/// Byte counters of the port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// Number of bytes put into the ring for transmission by radio.
    pub taken: u64,
    /// Bytes dropped because that ring was full.
    pub overflowed_in: u64,
    /// Number of bytes put into the ring for the serial line.
    pub handed_out: u64,
    /// Bytes dropped because that ring was full.
    pub overflowed_out: u64,
}

/// Both halves of the port.
pub(super) struct Port {
    cpu: Cpu,
    bit: u64,
    from: Wire,
    to: Wire,
    coming: VecDeque<Character>,
    /// Bytes waiting for the air.
    pub(super) waiting: VecDeque<u8>,
    /// Arrival of the oldest of them.
    pub(super) waiting_since: Option<u64>,
    capacity_in: usize,
    capacity_out: usize,
    /// Cycle at which the last output byte has left.
    idle_from: u64,
    pub(super) bytes: Bytes,
}

impl Port {
    /// Creates a port that reads `from` and writes `to`. A ring of `n` bytes holds one less.
    pub(super) fn new(
        cpu: &Cpu,
        bit: u64,
        (from, to): (&Wire, &Wire),
        (ring_in, ring_out): (usize, usize),
    ) -> Self {
        Self {
            cpu: cpu.clone(),
            bit,
            from: from.clone(),
            to: to.clone(),
            coming: VecDeque::new(),
            waiting: VecDeque::new(),
            waiting_since: None,
            capacity_in: ring_in.saturating_sub(1),
            capacity_out: ring_out.saturating_sub(1),
            idle_from: 0,
            bytes: Bytes::default(),
        }
    }

    /// Puts all bytes that have arrived by `cycle` into the ring.
    pub(super) fn collect(&mut self, cycle: u64) {
        while let Some(character) = self.from.take() {
            self.coming.push_back(character);
        }
        while let Some(first) = self.coming.front() {
            let length = first.end.since(first.begin).as_ns();
            // In the middle of the stop bit.
            let sampled = first.begin.as_ns() + length - length / (2 * BITS);
            let received = self.cpu.next_cycle(airlag_sim::Instant::from_ns(sampled));
            if received > cycle {
                break;
            }
            if self.waiting.len() < self.capacity_in {
                if self.waiting.is_empty() {
                    self.waiting_since = Some(received);
                }
                self.waiting.push_back(first.value);
                self.bytes.taken += 1;
            } else {
                self.bytes.overflowed_in += 1;
            }
            self.coming.pop_front();
        }
    }

    /// Sends `data` on the serial line at `cycle`; bytes that do not fit into the ring are dropped.
    pub(super) fn hand_out(&mut self, data: &[u8], cycle: u64) {
        let byte = BITS * self.bit;
        let queued = self.idle_from.saturating_sub(cycle).div_ceil(byte) as usize;
        let taken = data.len().min(self.capacity_out.saturating_sub(queued));
        self.bytes.handed_out += taken as u64;
        self.bytes.overflowed_out += (data.len() - taken) as u64;
        if taken == 0 {
            return;
        }
        let first = if cycle < self.idle_from {
            self.idle_from
        } else {
            let beat = cycle.div_ceil(self.bit) * self.bit;
            self.cpu.span(&slices::BAUD_WAIT, cycle, beat);
            beat
        };
        let (mut at, mut begin) = (first, self.cpu.instant_of(first));
        for &value in &data[..taken] {
            at += byte;
            let end = self.cpu.instant_of(at);
            self.to.put(Character { value, begin, end });
            begin = end;
        }
        self.cpu.span(&slices::UART, first, at);
        self.idle_from = at;
        self.to.announce();
    }
}
