//! Parameters of board, module and computer, and the resulting settings.

use airlag_models::mcu::Board;
use airlag_models::stack::ip::{Host, Stall, udp};
use airlag_models::stack::ip_module;
use airlag_sim::{Clock, Duration};

use crate::boards::rtos::Rtos;
use crate::wifi::{Network, Sleep};
use airlag_rig::parameter::{choices, numbers, parameters};

choices! {
    /// Direction of messages.
    pub enum Direction {
        /// From the board with the module to the computer.
        Up = "up",
        /// From the computer to the board.
        Down = "down",
    }
}

numbers! {
    /// Bits of a byte on the line with start, parity and stop bits.
    pub struct LineBits(u8) of 10, 11
}

parameters! {
    /// The line between board and module, and the framing of datagrams on it.
    pub struct Serial {
        /// rate of the line
        baud: u64 = whole(9_600, 12_000_000, "baud"),
        /// bits of a byte on the line: 10 without parity, 11 with it
        line_bits: LineBits = unit("bits"),
        /// bytes around a datagram in a command to the module
        command: usize = whole(0, 200, "B"),
        /// bytes around a datagram in an event of the module
        event: usize = whole(0, 200, "B"),
        /// bytes of the response to a command, for which the program waits; 0 without a response
        response: usize = whole(0, 200, "B"),
        /// largest datagram
        datagram: usize = whole(12, 1_472, "B"),
        /// size of the module's buffer for commands that are not sent yet
        input_buffer: usize = whole(1, 65_536, "B"),
        /// whether the board waits while the input buffer is full; otherwise commands are lost
        flow_control: bool,
        /// from the last byte of a command to its packet in the radio's queue
        decode: Duration,
        /// from a received packet to the first byte of its event
        encode: Duration,
        /// share of datagrams lost in addition to frames on the air, each way
        datagram_loss: f64 = real(0.0, 1.0, ""),
        /// from the program's call to the first byte of a command
        port_write: Duration,
        /// from a received event to its datagram in the program
        port_read: Duration,
        /// period at which a waiting program polls for an event; 0: an interrupt wakes it
        poll: Duration,
    }
}

parameters! {
    /// The computer.
    pub struct Computer {
        /// from the computer's call to a packet in its network interface
        computer_send: Duration,
        /// from a packet in the computer's network interface to its socket
        computer_receive: Duration,
        /// from a datagram in the computer's socket to the program that blocks on it
        computer_read: Duration,
        /// mean of a random addition to computer_read, exponentially distributed
        computer_jitter: Duration,
    }
}

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// direction of messages: from the board to the computer, or from the computer to the board
        direction: Direction,
        /// the network; the module is its sender and the computer its receiver in either direction
        network: Network,
        /// power save of the module's radio
        sleep: Sleep,
        /// datagrams that a socket queues in each direction
        datagrams: usize = whole(1, 1_000, ""),
        /// the line to the module
        serial: Serial,
        /// the computer
        computer: Computer,
        /// duration of the strobe pulse
        strobe: Duration,
        /// the two boards
        boards: Rtos,
    }
}

impl Computer {
    /// Costs of the computer's stack and program.
    pub(super) fn host(&self) -> Host {
        Host {
            send: self.computer_send,
            receive: self.computer_receive,
            read: self.computer_read,
            read_jitter: self.computer_jitter,
            stalls: [Stall::default(); 2],
        }
    }
}

impl Parameters {
    /// Largest IP packet: that of the largest datagram, at both ends.
    pub(super) const fn mtu(&self) -> usize {
        self.serial.datagram + udp::OVERHEAD
    }

    /// The module of a board. Its clock is exact, because it affects only the line.
    pub(super) fn module(&self, board: &Board) -> Board {
        Board::new(board.sim(), &format!("{} module", board.name()), Clock::exact())
    }

    /// Format of the line.
    pub(super) const fn line(&self) -> ip_module::Format {
        let LineBits(bits) = self.serial.line_bits;
        ip_module::Format { baud: self.serial.baud, bits: bits as u64 }
    }

    /// Settings of the module.
    pub(super) const fn config(&self) -> ip_module::Config {
        let Serial {
            command,
            event,
            response: reply,
            datagram,
            input_buffer,
            flow_control,
            decode,
            encode,
            datagram_loss: loss,
            port_write: write,
            port_read: read,
            poll,
            ..
        } = self.serial;
        ip_module::Config {
            line: self.line(),
            command,
            event,
            reply,
            datagram,
            input_buffer,
            flow_control,
            decode,
            encode,
            loss,
            write,
            read,
            poll,
        }
    }
}
