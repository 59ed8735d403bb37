//! A serial-port module with closed firmware, such as the HC-05: a UART on one side, RFCOMM on the
//! other.
//!
//! ```text
//!  UART in -> input buffer -> handover (block, timer) -> channel ~> channel -> output buffer -> UART out
//! ```
//!
//! The firmware's source is not public. The model reproduces the behaviour observed on the wire:
//!
//! - **Handover.** The module passes bytes to RFCOMM as soon as a block of `block` bytes is
//!   complete. The bytes of an incomplete block are passed to RFCOMM at once if the previous
//!   handover was at least a time of `handover` ago. Otherwise, the bytes are passed to RFCOMM when
//!   a time of `handover` has elapsed since the first of these bytes arrived. Without a free
//!   credit, bytes accumulate, and the next frame takes as many bytes as fit.
//! - **Output in bursts.** The module passes the bytes that have arrived over the air to the UART
//!   in one burst. Only when a burst has been sent does the module prepare the next burst, which
//!   takes a time of `rearm`. At low serial rates, each burst is slightly longer than the burst
//!   before, so the delay of the output grows with the square root of the message length.
//! - **Silent loss.** The serial line has no flow control: a byte that arrives when the input
//!   buffer is full is lost without a notification.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::Poll;

use airlag_sim::channel::{Notice, Receiver};
use airlag_sim::{Clock, Duration, Instant, Sim, Stream, Track};

use super::channel::Channel;
use super::piconet::Incident;
use super::slices;
use crate::mcu::uart::Wire;
use crate::mcu::uart::wire::Character;

/// Name of the incident of a byte that is lost because the input buffer is full.
pub const BUFFER_OVERFLOW: &str = "buffer overflow";

/// Timing of a module's firmware.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModuleTiming {
    /// Requested rate of its UART, rounded by its divider.
    pub baud: u64,
    /// Size of the input buffer, bytes.
    pub input_buffer: usize,
    /// Number of bytes that are passed to RFCOMM at once.
    pub block: usize,
    /// Waiting time of an incomplete block from its first byte, if the previous handover was less
    /// than this time ago.
    pub handover: Duration,
    /// Time from the end of a byte to its detection by the firmware.
    pub notice: Duration,
    /// Share of first bytes whose interrupt the firmware misses.
    pub missed: f64,
    /// Longest wait of such a byte for the next poll; uniformly distributed.
    pub look: Duration,
    /// Time from the last byte of a burst to the next one.
    pub rearm: Duration,
    /// Longest burst, bytes.
    pub burst: usize,
}

/// Counters of bytes from the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputCount {
    /// Bytes that arrived.
    pub received: u64,
    /// Bytes handed to RFCOMM.
    pub handed_over: u64,
    /// Bytes lost because the buffer was full.
    pub lost: u64,
    /// Bytes in the buffer.
    pub held: u64,
}

/// Divider word of BlueCore4's UART ("PSKEY_UART_BAUDRATE"): the rate times 0.004096, rounded to a
/// whole number of at least 1. A bit takes 4.096 ms divided by this word.
#[must_use]
pub const fn divider_word(baud: u64) -> u64 {
    let word = (baud * 4_096 + 500_000) / 1_000_000;
    if word == 0 { 1 } else { word }
}

/// Time from the start of the first byte of a burst to the start of the `nth` byte after it, ns.
/// `word` is the divider word of the UART.
#[must_use]
pub const fn after_bytes(nth: u64, word: u64) -> u64 {
    // Ten bits of 4.096 ms over the word.
    nth * 40_960_000 / word
}

struct Shared {
    sim: Sim,
    timing: ModuleTiming,
    clock: Clock,
    track: Track,
    channel: Channel,
    count: Cell<InputCount>,
}

/// A handle to a module, whose tasks run in the simulation.
#[derive(Clone)]
pub struct Module(Rc<Shared>);

impl Module {
    /// Starts a module called `name` between a channel and the wires from and to its board.
    #[must_use]
    pub fn start(
        sim: &Sim,
        name: &str,
        clock: Clock,
        (from, to): (&Wire, &Wire),
        (channel, arriving): (Channel, Receiver<Vec<u8>>),
        timing: ModuleTiming,
        incident: Incident,
    ) -> Self {
        let shared = Rc::new(Shared {
            sim: sim.clone(),
            timing: ModuleTiming {
                block: timing.block.max(1),
                input_buffer: timing.input_buffer.max(1),
                burst: timing.burst.max(1),
                ..timing
            },
            clock,
            track: sim.track(&format!("{name} module")),
            channel,
            count: Cell::default(),
        });
        let input = Input {
            module: Rc::clone(&shared),
            wire: from.clone(),
            coming: VecDeque::new(),
            held: VecDeque::new(),
            handed_at: None,
            noticed: None,
            stream: sim.stream(&format!("{name}/missed interrupt")),
            incident,
        };
        sim.spawn(format!("{name} module input"), input.run());
        let out = Rc::new(Output { waiting: RefCell::default(), came: Notice::new(sim) });
        sim.spawn(format!("{name} module arrivals"), Rc::clone(&out).collect(arriving));
        sim.spawn(format!("{name} module output"), out.run(Rc::clone(&shared), to.clone()));
        Self(shared)
    }

    /// Counters of bytes from the wire.
    #[must_use]
    pub fn input(&self) -> InputCount {
        self.0.count.get()
    }
}

/// Path from the wire to RFCOMM.
struct Input {
    module: Rc<Shared>,
    wire: Wire,
    /// Bytes on the wire that had not ended at the last check.
    coming: VecDeque<Character>,
    /// The input buffer.
    held: VecDeque<Character>,
    handed_at: Option<Instant>,
    /// Time at which the byte at the head of an empty buffer is detected.
    noticed: Option<Instant>,
    stream: Stream,
    incident: Incident,
}

impl Input {
    async fn run(mut self) {
        loop {
            while let Some(character) = self.wire.take() {
                self.coming.push_back(character);
            }
            self.settle();
            if !self.module.channel.open() {
                // Bytes from the wire can be counted later, because the time of counting does not
                // affect the free space of the buffer.
                self.module.channel.changed().await;
                continue;
            }
            match self.due() {
                None => self.wire.announced().await,
                Some(at) if at <= self.module.sim.now() => self.hand_over(),
                Some(at) => self.wait(at).await,
            }
        }
    }

    /// Moves bytes that have arrived into the buffer, as far as it has room.
    fn settle(&mut self) {
        let now = self.module.sim.now();
        let mut count = self.module.count.get();
        while let Some(next) = self.coming.front().filter(|next| next.end <= now).copied() {
            self.coming.pop_front();
            count.received += 1;
            if self.held.len() < self.module.timing.input_buffer {
                self.held.push_back(next);
            } else {
                count.lost += 1;
                (self.incident)(BUFFER_OVERFLOW);
            }
        }
        count.held = self.held.len() as u64;
        self.module.count.set(count);
    }

    /// Time of the next handover to RFCOMM if no more bytes arrive.
    fn due(&mut self) -> Option<Instant> {
        let timing = &self.module.timing;
        let first = self.held.front().or(self.coming.front())?.end;
        let noticed = *self.noticed.get_or_insert_with(|| {
            let missed = self.stream.chance(timing.missed);
            let look = if missed { self.stream.within(timing.look) } else { Duration::ZERO };
            first + timing.notice + look
        });
        let after = |at| self.module.clock.after(at, timing.handover);
        let timer = match self.handed_at {
            Some(at) if after(at) > noticed => after(noticed),
            _ => noticed,
        };
        let last_of_block = timing.block - 1;
        let block = match last_of_block.checked_sub(self.held.len()) {
            None => self.held.get(last_of_block).map(|last| last.end),
            Some(later) => self.coming.get(later).map(|last| last.end),
        };
        Some(block.map_or(timer, |block| (block + timing.notice).min(timer)))
    }

    fn hand_over(&mut self) {
        let module = &self.module;
        let now = module.sim.now();
        let count = self.held.len().min(module.channel.frame_max());
        if let Some(first) = self.held.front() {
            module.sim.span(module.track, &slices::FLUSH_WAIT, first.end, now);
        }
        let data: Vec<u8> = self.held.drain(..count).map(|character| character.value).collect();
        let mut tally = module.count.get();
        tally.handed_over += data.len() as u64;
        tally.held = self.held.len() as u64;
        module.count.set(tally);
        self.handed_at = Some(now);
        self.noticed = None;
        module.channel.send(data);
    }

    async fn wait(&self, at: Instant) {
        let mut due = self.module.sim.sleep_until(at);
        let mut more = pin!(self.wire.announced());
        poll_fn(|context| {
            let over = Pin::new(&mut due).poll(context).is_ready();
            if over || more.as_mut().poll(context).is_ready() {
                return Poll::Ready(());
            }
            Poll::Pending
        })
        .await;
    }
}

/// Path from RFCOMM to the wire. The window limits the amount of data that waits here.
struct Output {
    waiting: RefCell<VecDeque<Vec<u8>>>,
    came: Notice,
}

impl Output {
    async fn collect(self: Rc<Self>, mut arriving: Receiver<Vec<u8>>) {
        while let Some(data) = arriving.receive().await {
            if !data.is_empty() {
                self.waiting.borrow_mut().push_back(data);
                self.came.raise();
            }
        }
    }

    /// Complete frames up to the length of one burst; a frame longer than a burst is split.
    fn burst(&self, limit: usize) -> Vec<u8> {
        let mut waiting = self.waiting.borrow_mut();
        let mut burst = Vec::new();
        while let Some(mut frame) = waiting.pop_front() {
            let room = limit - burst.len();
            if frame.len() <= room {
                burst.append(&mut frame);
                continue;
            }
            if burst.is_empty() {
                burst.extend(frame.drain(..room));
            }
            waiting.push_front(frame);
            break;
        }
        burst
    }

    async fn run(self: Rc<Self>, module: Rc<Shared>, wire: Wire) {
        let word = divider_word(module.timing.baud);
        loop {
            while self.waiting.borrow().is_empty() {
                self.came.wait().await;
            }
            let bytes = self.burst(module.timing.burst);
            let begin = module.sim.now();
            let at = |nth: u64| {
                let passed = Duration::from_ns(after_bytes(nth, word));
                module.clock.after(begin, passed)
            };
            for (nth, &value) in bytes.iter().enumerate() {
                let nth = nth as u64;
                wire.put(Character { value, begin: at(nth), end: at(nth + 1) });
            }
            wire.announce();
            let end = at(bytes.len() as u64);
            module.sim.span(module.track, &slices::UART, begin, end);
            let ready = module.clock.after(end, module.timing.rearm);
            module.sim.span(module.track, &slices::REARM, end, ready);
            module.sim.sleep_until(ready).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divider_gives_the_rates_of_the_vendors_table() {
        let words: Vec<u64> =
            [9_600, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600].map(divider_word).into();
        // Table of PSKEY_UART_BAUDRATE; it has 3775 for 921600.
        assert_eq!(words, [39, 157, 236, 472, 944, 1_887, 3_775]);
        assert_eq!(after_bytes(1_000, 39), 1_050_256_410, "0.8 % slower than 9600 baud");
        assert_eq!(after_bytes(1_000, 1_887), 21_706_412);
    }
}
