//! Two rings in memory, which DMA fills from the queues of the state machines.
//!
//! A DMA channel counts down its remaining transfers and stops at zero. A second channel then
//! restarts the first channel at the same place in the ring, so that no entry waits for the
//! processor. The number of remaining transfers of the first channel gives the position of the next
//! entry. A channel makes many more transfers than the ring has entries before it stops, so the
//! number of remaining transfers also shows how often the ring was overwritten.

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering, fence};

use embassy_rp::pac;
use embassy_rp::pac::dma::vals::{DataSize, TreqSel};

/// Entries of a ring: 32 KiB of counters, the largest ring that the DMA supports.
pub const ENTRIES: usize = 1 << 13;
/// Number of transfers until a channel is restarted. Fewer occur between two drains.
const TRANSFERS: u32 = 1 << 20;
/// Number of entries at the end of a ring that are not read, because DMA may overwrite them during
/// the read.
const SPARE: u32 = 1 << 10;
/// Number of entries that are read between two checks for overwriting.
const PIECE: usize = 32;

#[repr(align(32768))]
struct Counts([AtomicU32; ENTRIES]);
#[repr(align(8192))]
struct Levels([AtomicU8; ENTRIES]);

static COUNTS: Counts = Counts([const { AtomicU32::new(0) }; ENTRIES]);
static LEVELS: Levels = Levels([const { AtomicU8::new(0) }; ENTRIES]);
/// Value that the second channels write. It is not a constant in flash, whose bus may be busy.
static RELOAD: AtomicU32 = AtomicU32::new(TRANSFERS);

/// DMA channels: for counters, for levels, and those that restart them.
const COUNTER: usize = 0;
const LEVEL: usize = 1;
const AGAIN: usize = 2;

/// Read positions of both rings, in transfers.
pub struct Rings {
    counts: u32,
    levels: u32,
}

/// Result of a drain.
pub struct Taken {
    /// Whether no entry is left.
    pub is_empty: bool,
    /// Entries that were overwritten after the last one that was taken.
    pub lost: u32,
}

impl Rings {
    /// Starts the DMA.
    #[must_use]
    pub fn start() -> Self {
        let queue = |machine: usize| pac::PIO0.rxf(machine).as_ptr() as u32;
        for (channel, from, to, bits, size, treq) in [
            (
                COUNTER,
                queue(1),
                COUNTS.0.as_ptr() as u32,
                15,
                DataSize::SIZE_WORD,
                TreqSel::PIO0_RX1,
            ),
            (LEVEL, queue(0), LEVELS.0.as_ptr() as u32, 13, DataSize::SIZE_BYTE, TreqSel::PIO0_RX0),
        ] {
            let again = pac::DMA.ch(AGAIN + channel);
            again.read_addr().write_value(RELOAD.as_ptr() as u32);
            let count = pac::DMA.ch(channel).al1_trans_count_trig();
            again.write_addr().write_value(count.as_ptr() as u32);
            again.trans_count().write(|w| *w = 1);
            again.al1_ctrl().write(|w| {
                let mut control = pac::dma::regs::CtrlTrig::default();
                control.set_treq_sel(TreqSel::PERMANENT);
                control.set_data_size(DataSize::SIZE_WORD);
                control.set_chain_to((AGAIN + channel) as u8);
                control.set_en(true);
                *w = control.0;
            });
            let ring = pac::DMA.ch(channel);
            ring.read_addr().write_value(from);
            ring.write_addr().write_value(to);
            ring.trans_count().write(|w| *w = TRANSFERS);
            ring.ctrl_trig().write(|w| {
                w.set_treq_sel(treq);
                w.set_data_size(size);
                w.set_incr_write(true);
                w.set_ring_sel(true);
                w.set_ring_size(bits);
                w.set_chain_to((AGAIN + channel) as u8);
                w.set_high_priority(true);
                w.set_en(true);
            });
        }
        Self { counts: 0, levels: 0 }
    }

    /// Takes at most `room` entries: a counter and the levels of its edge.
    pub fn drain(&mut self, room: usize, mut entry: impl FnMut(u32, u8)) -> Taken {
        let mut left = room as u32;
        loop {
            let waiting = self.waiting();
            if waiting > ENTRIES as u32 - SPARE {
                return Taken { is_empty: false, lost: self.skip() };
            }
            let count = waiting.min(left).min(PIECE as u32);
            if count == 0 {
                return Taken { is_empty: waiting == 0, lost: 0 };
            }
            let mut piece = [(0, 0); PIECE];
            for (entry, nth) in piece.iter_mut().zip(0..count) {
                let at = |position: u32| (position + nth) as usize % ENTRIES;
                let counter = COUNTS.0[at(self.counts)].load(Ordering::Relaxed);
                *entry = (counter, LEVELS.0[at(self.levels)].load(Ordering::Relaxed));
            }
            fence(Ordering::Acquire);
            if self.waiting() > ENTRIES as u32 {
                return Taken { is_empty: false, lost: self.skip() };
            }
            piece[..count as usize].iter().for_each(|&(counter, levels)| entry(counter, levels));
            self.counts = (self.counts + count) % TRANSFERS;
            self.levels = (self.levels + count) % TRANSFERS;
            left -= count;
        }
    }

    /// Skips the entries that are in both rings and returns their number.
    fn skip(&mut self) -> u32 {
        let skipped = self.waiting();
        self.counts = (self.counts + skipped) % TRANSFERS;
        self.levels = (self.levels + skipped) % TRANSFERS;
        skipped
    }

    /// Discards the content of both rings while nothing arrives, and returns the number of entries.
    pub fn clear(&mut self) -> u32 {
        let (counts, levels) = (arrived(COUNTER), arrived(LEVEL));
        let lost = between(self.counts, counts).max(between(self.levels, levels));
        (self.counts, self.levels) = (counts, levels);
        lost
    }

    /// Entries that are in both rings.
    fn waiting(&self) -> u32 {
        between(self.counts, arrived(COUNTER)).min(between(self.levels, arrived(LEVEL)))
    }
}

/// Position of the next entry of a ring.
fn arrived(channel: usize) -> u32 {
    let left = pac::DMA.ch(channel).trans_count().read();
    let arrived = (TRANSFERS - left) % TRANSFERS;
    fence(Ordering::Acquire);
    arrived
}

fn between(from: u32, to: u32) -> u32 {
    to.wrapping_sub(from) % TRANSFERS
}
