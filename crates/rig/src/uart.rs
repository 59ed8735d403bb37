//! Two boards and a wire between their serial ports.

use std::cell::RefCell;
use std::convert::Infallible;
use std::future::ready;
use std::rc::Rc;

use airlag_drivers::Modem;
use airlag_models::mcu::uart::{
    Baud, ReadCosts, Receiver as PortReader, Reception, Ring, Rounding, Transmitter, Wire,
    WriteCosts,
};
use airlag_models::mcu::{Cpu, FlaggedInput, Strobe};
use airlag_sim::{Line, Sim};

use crate::error::Error;
use crate::floor::Floor;
use crate::knob::Knob;
use crate::parameter::{Domain, Known};
use crate::profile::Profile;
use crate::programs;
use crate::run::{MAX_SIZE, Report, Wiring};
use crate::stm32::{self, Code, Stm32, cycles, whole};

const fn choice(name: &'static str, choices: &'static str, about: &'static str) -> Known {
    Known { name, unit: "", domain: Domain::Choice(choices), about }
}

const fn code(name: &'static str, about: &'static str) -> Known {
    whole(name, "permille", 100, 20_000, about)
}

/// What a profile of this kind sets.
pub const PARAMETERS: &[Known] = &[
    whole("baud", "baud", 1_200, 2_625_000, "the rate the program asks for"),
    choice("mode", "poll | irq | dma", "how bytes are received"),
    choice("build", "release | minsize | debug", "which build of the program runs"),
    code("release_code", "software of the release build, against itself"),
    code("minsize_code", "software of the minimum-size build, against release"),
    code("debug_code", "software of the debug build, against release"),
    stm32::PROCESSOR,
    whole("peripheral_divider", "", 1, 16, "processor clock over the port's clock"),
    choice("divider_rounding", "nearest | low-layer", "how the program computes its divider"),
    stm32::EXCEPTION_ENTRY,
    stm32::EXCEPTION_EXIT,
    stm32::TAIL_CHAIN,
    stm32::TICK_PERIOD,
    stm32::TICK_HANDLER,
    stm32::SYNCHRONISER,
    stm32::TRIGGER_HANDLER,
    cycles("turn", "one turn of the main loop while there is nothing to do"),
    cycles("write_call", "from the flag to the port being started, without copying"),
    cycles("copy_byte", "one byte through a queue, once"),
    whole("write_queue", "B", 1, 65_536, "bytes the queue to the port holds"),
    cycles("byte_handler", "receive interrupt, without copying"),
    cycles("boundary_handler", "half and full interrupts of the ring, without copying"),
    cycles("idle_handler", "idle interrupt, without copying"),
    whole("ring_size", "B", 2, 65_536, "bytes of the DMA ring"),
    whole("ring_start", "B", 0, 65_535, "where in the ring the first byte goes"),
    whole("read_queue", "B", 1, 65_536, "bytes the queue from the port holds"),
    whole("read_piece", "B", 1, 2_048, "bytes the program takes at a time"),
    cycles("read_call", "from the look that finds something to its first byte"),
    cycles("check_byte", "one byte through CRC and parser"),
    stm32::STROBE_WRITE,
    stm32::STROBE_HOLD,
    stm32::STROBE_SLEW,
    stm32::ppb("sender_ppb", "how fast the sending board's clock runs"),
    stm32::ppb("receiver_ppb", "how fast the receiving board's clock runs"),
];

/// What can be turned: how the port is programmed, and how the program is built.
pub const KNOBS: &[Knob] = &[
    Knob::of("baud", &["115200", "230400", "460800", "921600", "1843200"]),
    Knob::of("mode", &["irq", "dma"]),
    Knob::of("mode", &["poll"]).giving_up("bytes that come while the program is elsewhere"),
    Knob::all("build"),
    Knob::of("ring_size", &["8", "16", "64", "128"]),
    Knob::of("read_piece", &["8", "128"]),
    Knob::of("processor", &["180MHz"]).giving_up("power"),
];

/// What a message takes at least: its bits on the wire at the rate the divider gives.
pub fn floor(profile: &Profile, size: usize) -> Result<Floor, Error> {
    let setup = Setup::new(profile)?;
    let source = "8N1 at the real baud rate: RM0090, fractional baud rate generation";
    Ok(Floor::new().with(format!("wire, {size} B"), 1, setup.line_ns(size), source))
}

/// A profile of this kind, read.
#[derive(Clone, Debug)]
pub struct Setup {
    board: Stm32,
    baud: Baud,
    turn: u64,
    reception: Reception,
    write: WriteCosts,
    read: ReadCosts,
    sender_ppb: i64,
    receiver_ppb: i64,
}

/// One end of the wire: a port and the modem driver on it.
pub type End = Modem<PortReader, Transmitter>;

impl Setup {
    /// Reads a profile.
    pub fn new(profile: &Profile) -> Result<Self, Error> {
        Self::at(profile, profile.whole("baud")?)
    }

    /// Reads a profile of boards whose ports run at `baud`.
    pub(crate) fn at(p: &Profile, baud: u64) -> Result<Self, Error> {
        let code = Code(match p.choice("build")? {
            "debug" => p.whole("debug_code")?,
            "minsize" => p.whole("minsize_code")?,
            _ => p.whole("release_code")?,
        });
        let board = Stm32::new(p, code)?;
        let cost = |name| Ok::<u64, Error>(board.code().cost(p.whole(name)?));
        let bytes = |name| Ok::<usize, Error>(p.whole(name)? as usize);
        let rounding = match p.choice("divider_rounding")? {
            "nearest" => Rounding::Nearest,
            _ => Rounding::LowLayer,
        };
        let prescaler = p.whole("peripheral_divider")?;
        let baud = Baud::new(board.hz() / prescaler, prescaler, baud, rounding)
            .map_err(|error| Error::Stopped { board: "port", cause: error.to_string() })?;
        Ok(Self {
            baud,
            turn: cost("turn")?,
            reception: match p.choice("mode")? {
                "poll" => Reception::Poll,
                "irq" => Reception::Interrupt,
                _ => Reception::Dma(Ring::new(bytes("ring_size")?, bytes("ring_start")?)),
            },
            write: WriteCosts {
                call: cost("write_call")?,
                copy_byte: cost("copy_byte")?,
                queue: bytes("write_queue")?,
            },
            read: ReadCosts {
                turn: cost("turn")?,
                call: cost("read_call")?,
                copy_byte: cost("copy_byte")?,
                check_byte: cost("check_byte")?,
                byte_handler: cost("byte_handler")?,
                boundary_handler: cost("boundary_handler")?,
                idle_handler: cost("idle_handler")?,
                queue: bytes("read_queue")?,
                piece: bytes("read_piece")?,
            },
            sender_ppb: p.signed("sender_ppb")?,
            receiver_ppb: p.signed("receiver_ppb")?,
            board,
        })
    }

    /// The bit clock both ports run at.
    #[must_use]
    pub const fn baud(&self) -> Baud {
        self.baud
    }

    /// What `bytes` take on the wire at least, ns.
    pub(crate) fn line_ns(&self, bytes: usize) -> u64 {
        // Processor cycles, so rounding down the sum and not each byte.
        let cycles = u128::from(self.baud.byte()) * bytes as u128;
        (cycles * 1_000_000_000 / u128::from(self.board.hz())) as u64
    }

    /// The sending and the receiving board.
    pub(crate) fn boards(&self, sim: &Sim) -> (Cpu, Cpu) {
        let board = |name, ppb| self.board.board(sim, name, ppb);
        (board("sender", self.sender_ppb), board("receiver", self.receiver_ppb))
    }

    /// The trigger input of a board.
    pub(crate) fn trigger(&self, board: &Cpu, line: &Line) -> FlaggedInput {
        self.board.trigger(board, line, self.turn)
    }

    /// The strobe output of a board.
    pub(crate) fn strobe(&self, board: &Cpu, line: &Line) -> Strobe {
        self.board.strobe(board, line)
    }

    pub(crate) fn end(&self, cpu: &Cpu, from: &Wire, to: &Wire) -> End {
        let exceptions = self.board.exceptions;
        let reader =
            PortReader::new(cpu, self.baud, from, self.reception.clone(), self.read, exceptions);
        let writer = Transmitter::new(cpu, self.baud, to, self.write);
        Modem::new(reader, writer, self.write.queue.min(MAX_SIZE))
    }
}

/// How many bytes a DMA ring had taken before the first message, nobody writes down.
pub(crate) fn positions(profile: &Profile) -> Result<Vec<(&'static str, u64)>, Error> {
    Ok(match profile.choice("mode")? {
        "dma" => vec![("ring_start", profile.whole("ring_size")?)],
        _ => Vec::new(),
    })
}

/// Builds the bench of a profile.
pub fn wire(profile: &Profile, size: usize, sim: &Sim) -> Result<Wiring, Error> {
    let setup = Setup::new(profile)?;
    let (sending, receiving) = setup.boards(sim);
    let (there, back) = (Wire::new(sim), Wire::new(sim));
    let report = Rc::new(RefCell::new(Report::default()));
    let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));

    let input = setup.trigger(&sending, &trigger);
    let link = setup.end(&sending, &back, &there);
    programs::send(sim, &report, size, input, ready::<Result<_, Infallible>>(Ok(link)));
    let output = setup.strobe(&receiving, &strobe);
    let link = setup.end(&receiving, &there, &back);
    programs::receive(sim, &report, output, ready::<Result<_, Infallible>>(Ok(link)));
    Ok(Wiring { trigger, strobe, boards: 2, air: None, report })
}
