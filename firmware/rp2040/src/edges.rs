//! Two synchronous state machines that time-stamp edges.
//!
//! The first state machine samples all pins every two cycles of the system clock (16 ns). When the
//! levels of the pins have changed, the first state machine queues the levels, and marks the
//! instant by a pulse of two cycles on a pin. The second state machine counts down once every two
//! cycles. When the second state machine detects the pulse, it queues its counter. Two state
//! machines are needed, because a state machine has only two registers: comparing levels needs both
//! registers, and counting down needs a register too.
//!
//! Every path through either program takes an even number of cycles. The delay from a sample of the
//! pins to the queued counter is therefore constant, and each sample has a counter value of its
//! own. When a sample detects an edge, the next sample is taken 10 cycles (80 ns) later. An edge
//! between these two samples is stamped with the time of the later sample. A pulse that begins and
//! ends between these two samples is missed.

use airlag_link::edges::Row;
use embassy_rp::gpio::Level;
use embassy_rp::pac;
use embassy_rp::peripherals::PIO0;
use embassy_rp::pio::program::pio_asm;
use embassy_rp::pio::{
    Config, Direction, FifoJoin, LoadedProgram, Pin, Pio, PioBatch, StateMachine,
};
use embassy_time::Instant;

use crate::board::CYCLE_PS;
use crate::ring::Rings;

/// Duration of a tick: two cycles.
pub const TICK_PS: u32 = 2 * CYCLE_PS;
/// Longest time that an edge may take from its pin to the ring, ticks: 4 us, of which 1 us is the
/// resolution of the timer.
const MARGIN: u64 = 4_000_000 / TICK_PS as u64;
/// State machines that have lost an entry, in FDEBUG.RXSTALL.
const STALLED: u8 = 0b11;

/// Edges on all channels.
pub struct Edges {
    levels: StateMachine<'static, PIO0, 0>,
    /// Stored, because the state machine stops when it is dropped.
    _counter: StateMachine<'static, PIO0, 1>,
    sampling: Config<'static, PIO0>,
    rings: Rings,
    /// Start of the counter.
    began: Instant,
    /// The last edge, ticks.
    last: u64,
}

impl Edges {
    /// Starts both state machines.
    #[must_use]
    pub fn start(pio: Pio<'static, PIO0>, mark: Pin<'static, PIO0>) -> Self {
        let Pio { mut common, sm0: mut levels, sm1: mut counter, sm2, sm3, .. } = pio;
        // A dropped part may release the pins (embassy-rp 0.10).
        core::mem::forget((sm2, sm3));
        let sampler = pio_asm!(
            ".side_set 1"
            // No pin levels equal this value, so the first sample is an edge.
            "    mov x, ~null       side 0"
            ".wrap_target"
            "    mov y, pins        side 0"
            "    jmp x!=y changed   side 0"
            ".wrap"
            "changed:"
            "    mov x, y           side 1 [1]"
            "    mov isr, y         side 0"
            "    push noblock       side 0 [1]"
            "    jmp 1              side 0 [2]"
        );
        let counting = pio_asm!(
            "    mov x, ~null"
            ".wrap_target"
            "loop:"
            "    jmp pin marked"
            "    jmp x-- loop"
            ".wrap"
            "marked:"
            "    mov isr, x"
            "    push noblock"
            // The way here and back takes eight cycles, which are four counts. A jump that is not
            // taken, because the counter was zero, continues at the same place.
            "    jmp x-- second"
            "second:"
            "    jmp x-- third"
            "third:"
            "    jmp x-- fourth"
            "fourth:"
            "    jmp x-- back"
            "back:"
            "    jmp loop"
        );
        let sampler: LoadedProgram<'_, PIO0> = common.load_program(&sampler.program);
        let counting = common.load_program(&counting.program);
        let mut sampling = Config::default();
        sampling.use_program(&sampler, &[&mark]);
        sampling.fifo_join = FifoJoin::RxOnly;
        levels.set_config(&sampling);
        levels.set_pins(Level::Low, &[&mark]);
        levels.set_pin_dirs(Direction::Out, &[&mark]);
        let mut config = Config::default();
        config.use_program(&counting, &[]);
        config.set_jmp_pin(&mark);
        config.fifo_join = FifoJoin::RxOnly;
        counter.set_config(&config);

        let rings = Rings::start();
        let mut both = PioBatch::new();
        both.set_enable(&mut levels, true);
        both.set_enable(&mut counter, true);
        both.execute();
        core::mem::forget(common);
        Self { levels, _counter: counter, sampling, rings, began: Instant::now(), last: 0 }
    }

    /// The current tick, minus the time that an edge needs to reach its ring. The timer and the
    /// state machines have the same crystal.
    #[must_use]
    pub fn now(&self) -> u64 {
        let ticks = self.began.elapsed().as_micros() * 1_000_000 / u64::from(TICK_PS);
        ticks.saturating_sub(MARGIN).max(self.last)
    }

    /// Takes at most `room` edges in time order. Returns the tick before which no edge is left, and
    /// how many edges were lost after the last one that was taken.
    pub fn drain(&mut self, room: usize, mut row: impl FnMut(Row)) -> (u64, u32) {
        let now = self.now();
        let taken = self.rings.drain(room, |count, levels| {
            // The timer extends the 32-bit counters, which is possible because an edge is less than
            // 34 s old.
            let age = (now as u32).wrapping_sub(!count) as i32;
            let at = now.saturating_add_signed(-i64::from(age)).max(self.last);
            self.last = at;
            row(Row { at, levels });
        });
        let mut lost = taken.lost;
        if pac::PIO0.fdebug().read().rxstall() & STALLED != 0 {
            lost += self.resynchronise();
        }
        let is_whole = taken.is_empty && lost == 0;
        (if is_whole { now.max(self.last) } else { self.last }, lost)
    }

    /// Synchronises counts and levels again, after a full queue has dropped an entry of one state
    /// machine or both. Returns the number of lost edges, at least one.
    fn resynchronise(&mut self) -> u32 {
        self.levels.set_enable(false);
        // Marks and queue entries in transit need less than a microsecond.
        embassy_time::block_for(embassy_time::Duration::from_micros(3));
        let lost = self.rings.clear();
        pac::PIO0.fdebug().write(|w| w.set_rxstall(STALLED));
        self.levels.set_config(&self.sampling);
        self.levels.set_enable(true);
        lost.max(1)
    }
}
