//! The published tunnel. It sends bursts of three payloads, which the chip acknowledges one by one.
//! It has no sequence numbers, one long queue, and a polling receiver.
//!
//! - [`parameters`]: parameters of a profile.
//! - [`sender`]: from the queue to the radio.
//! - [`receiver`]: from the radio to packets.
//!
//! The two radios of a computer carry one direction each, on separate channels. The model omits the
//! load of one direction on the other's processor and bus.

mod parameters;
mod receiver;
mod sender;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_air::Sniffer;
use airlag_drivers::nrf24::{Nrf24 as Driver, Role};
use airlag_link::airtime::nrf24::Frame;
use airlag_link::{Capability, Delivery, Link};
use airlag_models::chip::nrf24::Nrf24 as Chip;
use airlag_models::chip::nrf24::capture::ShockBurst;
use airlag_models::chip::nrf24::packet::FAMILY;
use airlag_models::chip::nrf24::sensitivity::demodulator;
use airlag_models::mcu::{Board, Delay, Input, Notice as Noticed, Output, Spi};
use airlag_models::slices;
use airlag_sim::channel::{Notice, Receiver as Arrivals, channel};
use airlag_sim::{Duration, Line, Sim, Stream};
use airlag_tunnel::flow::{UDP_IPV4, datagram};

use crate::calls;
use crate::neighbours;
use crate::nrf24::hearing;
use crate::nrf24::stages::Stages;
use airlag_air::transmitter::Transmitter;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor, split};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;

pub use parameters::Parameters;
use parameters::Setup;

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

/// Payload size, bytes.
const PIECE: usize = 32;
/// UDP port of its datagrams.
const PORT: u16 = 5_000;
/// Bus length of a register read, bytes: the command and its value.
const LOOK_BYTES: u64 = 2;
/// Time over which polls are computed one by one: a million polls, after which the smallest jitter
/// has made all phases equally likely. Without jitter the phase does not change.
const RECKONED: Duration = Duration::from_secs(600);

impl Facts for Parameters {
    const NAME: &'static str = "tunnel-naive";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::OTHERS;

    /// Choices of the program.
    const KNOBS: &'static [Knob] = &[
        Knob::of(Parameters::retransmit_delay, &["500us"]),
        Knob::of(Parameters::retransmit_count, &["15"]),
        Knob::of(Parameters::receive_sleep, &["0us"]).giving_up("an idle processor"),
    ];
}

impl Parameters {
    fn stages(&self) -> Stages {
        Stages {
            frame: Frame::enhanced(self.rate, self.address_width),
            settle: self.settle,
            interrupt: self.packet_to_irq.at(self.rate),
            answer: 0,
        }
    }
}

impl Configured for Parameters {
    /// Acknowledged payloads back to back: the chip's own time without gaps.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        Setup::new(self)?;
        let stages = self.stages();
        let (full, rest) = split(size + packets(self, size) * UDP_IPV4, PIECE);
        let (some, frames) = (u64::from(rest > 0), full + u64::from(rest > 0));
        let gaps = frames.saturating_sub(1);
        let air = [stages.air(full, PIECE), stages.air(some, rest)];
        Ok(Floor::of([stages.settled(frames)])
            .then(air)
            .then([stages.interrupts(gaps + 1)])
            .then(stages.answers(gaps)))
    }

    /// As the floor, with the acknowledgement of the last payload.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        Ok(Cycle::each(self.floor(size)?.then(self.stages().answers(1))))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let setup = Setup::new(self)?;
        let near = Computer::new(&setup, self.boards.sender(bench.sim()), bench, Way::There);
        let far = Computer::new(&setup, self.boards.receiver(bench.sim()), bench, Way::Back);
        for (from, to) in [(&near, &far), (&far, &near)] {
            let ends = [from.sends.node(), to.hears.node()];
            self.losses.apply(bench.air(), ends);
            self.propagation.apply(bench, ends, demodulator(self.rate), hearing(self.rate));
        }
        let (first, second) = (self.boards.pins(&near.board), self.boards.pins(&far.board));
        Ok(Ends::two(
            End { pins: first, link: near.open() },
            End { pins: second, link: far.open() },
        ))
    }

    fn tap(&self, sniffer: Sniffer) -> Sniffer {
        sniffer.with(FAMILY, ShockBurst)
    }

    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        Some(crate::nrf24::transmitter(self.rate, &self.propagation))
    }
}

/// Number of packets for a message.
fn packets(p: &Parameters, size: usize) -> usize {
    size.div_ceil(usize::from(p.mtu) - UDP_IPV4)
}

/// Direction of a radio.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    There,
    Back,
}

impl Way {
    const fn other(self) -> Self {
        match self {
            Self::There => Self::Back,
            Self::Back => Self::There,
        }
    }
}

/// A computer with two radios, before its programs run.
struct Computer {
    sim: Sim,
    board: Board,
    sends: Rc<Chip>,
    hears: Rc<Chip>,
    setup: Setup,
    way: Way,
}

impl Computer {
    fn new(setup: &Setup, board: Board, bench: &Bench, way: Way) -> Self {
        let chip = |what: &str| {
            let name = format!("{}{what} nRF24", board.name());
            let chip = Chip::new(bench.air(), &name, bench.sim(), *board.clock(), setup.timing);
            chip.on_incident(bench.incidents());
            chip
        };
        let (sends, hears) = match way {
            Way::There => (chip(""), chip("'s other")),
            Way::Back => (chip("'s other"), chip("")),
        };
        Self { sim: bench.sim().clone(), board, sends, hears, setup: setup.clone(), way }
    }

    /// Configures the chips and starts a program on each.
    async fn open(self) -> Result<Tun, String> {
        let queue = Rc::new(Queue::new(&self.sim, self.setup.queue));
        let (arrived, arrivals) = channel(&self.sim);
        let (sends, mine) = (self.raw(Role::Transmitter).await?, Rc::clone(&queue));
        let name = self.board.name();
        self.sim.spawn(format!("{name} program"), sender::run(sends, mine, self.setup.attempts));
        let hears = self.raw(Role::Receiver).await?;
        let program = receiver::run(hears, self.setup.receive_sleep, arrived);
        self.sim.spawn(format!("{name} receiving program"), program);
        Ok(Tun { queue, arrivals, mtu: self.setup.mtu, is_ip: false })
    }

    /// Configures a radio.
    async fn raw(&self, role: Role) -> Result<Raw, String> {
        let (chip, way) = match role {
            Role::Transmitter => (&self.sends, self.way),
            Role::Receiver => (&self.hears, self.way.other()),
        };
        let (channel, wakes) = match way {
            Way::There => (self.setup.driver.channel, "wake"),
            Way::Back => (self.setup.back_channel, "wake back"),
        };
        let spi = || Spi::new(&self.board, Rc::clone(chip), self.setup.boards.bus());
        let (ce, delay) = (Output::new(chip.ce()), &mut Delay::new(&self.board));
        let config = airlag_drivers::nrf24::Config { role, channel, ..self.setup.driver };
        let irq = Input::new(
            &self.board,
            "irq",
            chip.irq(),
            Noticed::Interrupt { entry: Duration::ZERO, jitter: Duration::ZERO },
        );
        Driver::new(spi(), ce, irq, delay, config).await.map_err(|error| error.to_string())?;
        Ok(Raw {
            spi: spi(),
            ce: Output::new(chip.ce()),
            wake: (self.setup.wake, self.setup.wake_jitter),
            stream: self.board.stream(wakes),
            irq: chip.irq().clone(),
            look: self.setup.boards.bus().transaction + self.setup.boards.bus().byte * LOOK_BYTES,
            board: self.board.clone(),
        })
    }
}

/// A chip used by a program without interrupts.
struct Raw {
    spi: Spi<Chip>,
    ce: Output,
    board: Board,
    wake: (Duration, Duration),
    stream: Stream,
    /// Low while a payload is pending. The program does not poll it; see [`Raw::sleep_on`].
    irq: Line,
    /// Duration of a poll: one register read.
    look: Duration,
}

impl Raw {
    /// Actual duration of a sleep of `time`, including the late wake-up of a process.
    fn asleep(&mut self, time: Duration) -> Duration {
        let (wake, jitter) = self.wake;
        time + wake + self.stream.within(jitter)
    }

    /// Sleeps.
    async fn sleep(&mut self, time: Duration) {
        let asleep = self.asleep(time);
        self.board.spend(&slices::DELAY, asleep).await;
    }

    /// Sleeps before each poll of the radio, and returns at the start of the first poll that finds
    /// data. Polls that find no data are computed and not simulated, so that hours of polling an
    /// idle radio need almost no computing time. Each computed poll follows the previous poll and
    /// one sleep. Computed polls and sleeps last as long as simulated ones. For polls that end more
    /// than [`RECKONED`] before the data arrive, the computation uses the mean duration of a poll
    /// and a sleep. A timeline shows all computed polls as one delay.
    async fn sleep_on(&mut self, time: Duration) {
        let (sim, clock) = (self.board.sim().clone(), *self.board.clock());
        let from = sim.now();
        self.irq.at_level(false).await;
        let beat = self.look + time + self.wake.0 + Duration::from_ns(self.wake.1.as_ns() / 2);
        let long_ago = sim.now().since(from).as_ns().saturating_sub(RECKONED.as_ns());
        let skipped = long_ago - long_ago % beat.as_ns().max(1);
        let mut look = clock.after(from + Duration::from_ns(skipped), self.asleep(time));
        // A poll samples at its start: it does not detect data that arrives at the same instant.
        while look <= sim.now() && sim.now() > from {
            look = clock.after(clock.after(look, self.look), self.asleep(time));
        }
        self.board.span(&slices::DELAY, from, look);
        sim.busy_until(look).await;
    }
}

/// The queue of a TUN device.
struct Queue {
    packets: RefCell<VecDeque<Vec<u8>>>,
    room: usize,
    news: Notice,
    moved: Notice,
}

impl Queue {
    fn new(sim: &Sim, room: usize) -> Self {
        Self { packets: RefCell::default(), room, news: Notice::new(sim), moved: Notice::new(sim) }
    }

    fn push(&self, packet: Vec<u8>) {
        self.packets.borrow_mut().push_back(packet);
        self.news.raise();
    }

    async fn take(&self) -> Vec<u8> {
        loop {
            if let Some(packet) = self.packets.borrow_mut().pop_front() {
                self.moved.raise();
                return packet;
            }
            self.news.wait().await;
        }
    }
}

/// Interface of a program to the tunnel: a queue, and arriving packets.
pub struct Tun {
    queue: Rc<Queue>,
    arrivals: Arrivals<Vec<u8>>,
    mtu: usize,
    /// Whether packets are sent and received rather than payloads of datagrams.
    is_ip: bool,
}

impl Link for Tun {
    type Error = String;

    fn capability(&self) -> Capability {
        Capability::datagram(self.mtu - if self.is_ip { 0 } else { UDP_IPV4 }).duplex(true)
    }

    fn carry_ip(&mut self) -> bool {
        self.is_ip = true;
        true
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, String> {
        if self.is_ip {
            let is_taken =
                chunk.len() <= self.mtu && self.queue.packets.borrow().len() < self.queue.room;
            if is_taken {
                self.queue.push(chunk.to_vec());
            }
            return Ok(if is_taken { Delivery::Sent } else { Delivery::Lost });
        }
        while self.queue.packets.borrow().len() >= self.queue.room {
            self.queue.moved.wait().await;
        }
        self.queue.push(datagram(PORT, chunk));
        Ok(Delivery::Sent)
    }

    async fn flush(&mut self) -> Result<Delivery, String> {
        while !self.queue.packets.borrow().is_empty() {
            self.queue.moved.wait().await;
        }
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, String> {
        let packet = self.arrivals.receive().await.ok_or("the receiving program ended")?;
        let headers = if self.is_ip { 0 } else { UDP_IPV4 };
        let payload = packet.get(headers..).unwrap_or_default();
        let len = payload.len().min(buffer.len());
        buffer[..len].copy_from_slice(&payload[..len]);
        Ok(len)
    }
}

#[cfg(test)]
mod tests;
