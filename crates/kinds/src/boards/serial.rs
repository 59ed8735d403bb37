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
    /// Reception of bytes.
    pub enum Mode {
        /// The main loop polls the port.
        Poll = "poll",
        /// One interrupt per byte.
        Interrupt = "irq",
        /// A DMA ring.
        Dma = "dma",
    }
}

choices! {
    /// Build of the program.
    pub enum Build {
        /// Optimised for speed.
        Release = "release",
        /// Optimised for size.
        MinSize = "minsize",
        /// Not optimised.
        Debug = "debug",
    }
}

choices!(for Rounding { Nearest = "nearest", LowLayer = "low-layer" });

parameters! {
    /// Two boards with a port each; the kind sets the rate.
    pub struct Serial {
        /// reception of bytes
        mode: Mode,
        /// build of the program
        build: Build,
        /// code duration of the release build, relative to itself
        release_code: u64 = CODE,
        /// code duration of the minimum-size build, relative to release
        minsize_code: u64 = CODE,
        /// code duration of the debug build, relative to release
        debug_code: u64 = CODE,
        /// the board
        board: Stm32,
        /// ratio of the processor clock to the port's clock
        peripheral_divider: u64 = whole(1, 16, ""),
        /// rounding of the program's divider
        divider_rounding: Rounding,
        /// from the flag to the start of the port, without copying
        write_call: u64 = CYCLES,
        /// one pass of a byte through a queue
        copy_byte: u64 = CYCLES,
        /// capacity of the queue to the port
        write_queue: usize = whole(1, 65_536, "B"),
        /// receive interrupt, without copying
        byte_handler: u64 = CYCLES,
        /// half and full interrupts of the ring, without copying
        boundary_handler: u64 = CYCLES,
        /// idle interrupt, without copying
        idle_handler: u64 = CYCLES,
        /// size of the DMA ring
        ring_size: usize = whole(2, 65_536, "B"),
        /// position of the first byte in the ring
        ring_start: usize = whole(0, 65_535, "B"),
        /// capacity of the queue from the port
        read_queue: usize = whole(1, 65_536, "B"),
        /// bytes that the program takes at a time
        read_piece: usize = whole(1, 2_048, "B"),
        /// from the poll that finds data to its first byte
        read_call: u64 = CYCLES,
        /// one byte through CRC and parser
        check_byte: u64 = CYCLES,
        /// frequency error of the sending board's clock
        sender_ppb: Ppb,
        /// frequency error of the receiving board's clock
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
    /// Creates boards whose ports run at `baud`.
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

    /// Returns the number of bytes in a DMA ring before the first message. Captures do not record
    /// it.
    #[must_use]
    pub fn positions(&self) -> Vec<(Name, u64)> {
        match self.mode {
            Mode::Dma => vec![(Self::ring_start, self.ring_size as u64)],
            Mode::Poll | Mode::Interrupt => Vec::new(),
        }
    }
}

impl Boards {
    /// Bit clock of both ports.
    #[must_use]
    pub const fn baud(&self) -> Baud {
        self.baud
    }

    /// Shortest time of `bytes` on the wire, ns.
    pub(crate) fn line_ns(&self, bytes: usize) -> u64 {
        // In processor cycles, so that the sum is rounded down and not each byte.
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

    /// The port of a board, with the wire to it and the wire from it.
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
