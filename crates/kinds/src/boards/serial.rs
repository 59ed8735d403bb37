//! STM32 boards with a serial port, and the program that writes to it and reads from it.

use airlag_drivers::Modem;
use airlag_models::mcu::Cpu;
use airlag_models::mcu::uart::{
    Baud, ReadCosts, Receiver as PortReader, Reception, Ring, Rounding, Transmitter, Wire,
    WriteCosts,
};
use airlag_sim::Sim;

use super::stm32::{CYCLES, Code, Stm32, Stm32Pins};
use airlag_rig::error::Refusal;
use airlag_rig::parameter::{Name, Ppb, Shape, choices, parameters};
use airlag_rig::run::MAX_SIZE;

const CODE: Shape = airlag_rig::parameter::whole(100, 20_000, "permille");

choices! {
    /// How bytes are received.
    pub enum Mode {
        /// The main loop looks at the port.
        Poll = "poll",
        /// An interrupt a byte.
        Interrupt = "irq",
        /// A ring that the hardware fills.
        Dma = "dma",
    }
}

choices! {
    /// Which build of the program runs.
    pub enum Build {
        /// For speed.
        Release = "release",
        /// For size.
        MinSize = "minsize",
        /// Not optimised.
        Debug = "debug",
    }
}

choices!(for Rounding { Nearest = "nearest", LowLayer = "low-layer" });

parameters! {
    /// Two boards with a port each; at which rate, the kind says.
    pub struct Serial {
        /// how bytes are received
        mode: Mode,
        /// which build of the program runs
        build: Build,
        /// software of the release build, against itself
        release_code: u64 = CODE,
        /// software of the minimum-size build, against release
        minsize_code: u64 = CODE,
        /// software of the debug build, against release
        debug_code: u64 = CODE,
        /// the board
        board: Stm32,
        /// processor clock over the port's clock
        peripheral_divider: u64 = whole(1, 16, ""),
        /// how the program computes its divider
        divider_rounding: Rounding,
        /// from the flag to the port being started, without copying
        write_call: u64 = CYCLES,
        /// one byte through a queue, once
        copy_byte: u64 = CYCLES,
        /// bytes the queue to the port holds
        write_queue: usize = whole(1, 65_536, "B"),
        /// receive interrupt, without copying
        byte_handler: u64 = CYCLES,
        /// half and full interrupts of the ring, without copying
        boundary_handler: u64 = CYCLES,
        /// idle interrupt, without copying
        idle_handler: u64 = CYCLES,
        /// bytes of the DMA ring
        ring_size: usize = whole(2, 65_536, "B"),
        /// where in the ring the first byte goes
        ring_start: usize = whole(0, 65_535, "B"),
        /// bytes the queue from the port holds
        read_queue: usize = whole(1, 65_536, "B"),
        /// bytes the program takes at a time
        read_piece: usize = whole(1, 2_048, "B"),
        /// from the look that finds something to its first byte
        read_call: u64 = CYCLES,
        /// one byte through CRC and parser
        check_byte: u64 = CYCLES,
        /// how fast the sending board's clock runs
        sender_ppb: Ppb,
        /// how fast the receiving board's clock runs
        receiver_ppb: Ppb,
    }
}

/// The port of a board and the modem driver on it.
pub type Port = Modem<PortReader, Transmitter>;

/// Two boards whose ports run at one rate.
#[derive(Clone, Debug)]
pub struct Boards {
    parameters: Serial,
    code: Code,
    baud: Baud,
}

impl Serial {
    /// The boards with their ports at `baud`.
    pub fn at(&self, baud: u64) -> Result<Boards, Refusal> {
        let code = Code(match self.build {
            Build::Debug => self.debug_code,
            Build::MinSize => self.minsize_code,
            Build::Release => self.release_code,
        });
        let clock = self.board.processor / self.peripheral_divider;
        let baud = Baud::new(clock, self.peripheral_divider, baud, self.divider_rounding)
            .map_err(|error| Refusal::stopped("port", &error))?;
        Ok(Boards { parameters: *self, code, baud })
    }

    /// How many bytes a DMA ring had taken before the first message, nobody writes down.
    #[must_use]
    pub fn positions(&self) -> Vec<(Name, u64)> {
        match self.mode {
            Mode::Dma => vec![(Self::ring_start, self.ring_size as u64)],
            Mode::Poll | Mode::Interrupt => Vec::new(),
        }
    }
}

impl Boards {
    /// The bit clock both ports run at.
    #[must_use]
    pub const fn baud(&self) -> Baud {
        self.baud
    }

    /// What `bytes` take on the wire at least, ns.
    pub(crate) fn line_ns(&self, bytes: usize) -> u64 {
        // Processor cycles, so rounding down the sum and not each byte.
        let cycles = u128::from(self.baud.byte()) * bytes as u128;
        (cycles * 1_000_000_000 / u128::from(self.parameters.board.processor)) as u64
    }

    /// The sending and the receiving board.
    pub(crate) fn boards(&self, sim: &Sim) -> (Cpu, Cpu) {
        let board = |name, ppb| self.parameters.board.board(sim, name, ppb);
        (
            board("sender", self.parameters.sender_ppb),
            board("receiver", self.parameters.receiver_ppb),
        )
    }

    /// The pins of a board.
    pub(crate) fn pins(&self, cpu: &Cpu) -> Stm32Pins {
        self.parameters.board.pins(cpu, self.code)
    }

    /// The port of a board, on the wire to it and the wire from it.
    pub(crate) fn port(&self, cpu: &Cpu, from: &Wire, to: &Wire) -> Port {
        let (p, code) = (&self.parameters, self.code);
        let exceptions = p.board.exceptions(code);
        let reception = match p.mode {
            Mode::Poll => Reception::Poll,
            Mode::Interrupt => Reception::Interrupt,
            Mode::Dma => Reception::Dma(Ring::new(p.ring_size, p.ring_start)),
        };
        let read = ReadCosts {
            turn: code.cost(p.board.turn),
            call: code.cost(p.read_call),
            copy_byte: code.cost(p.copy_byte),
            check_byte: code.cost(p.check_byte),
            byte_handler: code.cost(p.byte_handler),
            boundary_handler: code.cost(p.boundary_handler),
            idle_handler: code.cost(p.idle_handler),
            queue: p.read_queue,
            piece: p.read_piece,
        };
        let write = WriteCosts {
            call: code.cost(p.write_call),
            copy_byte: code.cost(p.copy_byte),
            queue: p.write_queue,
        };
        let reader = PortReader::new(cpu, self.baud, from, reception, read, exceptions);
        let writer = Transmitter::new(cpu, self.baud, to, write);
        Modem::new(reader, writer, p.write_queue.min(MAX_SIZE))
    }
}
