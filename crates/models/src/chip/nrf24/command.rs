//! The SPI commands, Table 20 in section 8.3.1.
//!
//! The chip shifts out STATUS while it shifts in the command byte. Reads return the state at the
//! beginning of the transaction; writes and flushes take effect when the select line rises.

use airlag_sim::Slice;

use super::air_interface::AirInterface;
use super::chip::Nrf24;
use super::fifo::{Outgoing, Payload, Purpose};
use super::radio::{Mode, State};
use super::registers::{at, flag};
use super::slices;

/// A transaction in progress.
#[derive(Debug, Default)]
pub(super) struct Transaction {
    opcode: Option<&'static Opcode>,
    data: [u8; 32],
    len: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Command {
    ReadRegister(u8),
    WriteRegister(u8),
    ReadPayload,
    WritePayload(Purpose),
    FlushTx,
    FlushRx,
    ReuseTxPayload,
    ReadPayloadWidth,
    NoOperation,
    /// Not in the table; the chip ignores it.
    Unknown,
}

/// A command byte, decoded.
#[derive(Clone, Copy, Debug)]
struct Opcode {
    command: Command,
    slice: &'static Slice,
}

/// Decoded commands, indexed by command byte.
static OPCODES: [Opcode; 256] = {
    let mut opcodes = [Opcode { command: Command::Unknown, slice: &slices::SPI }; 256];
    let mut byte = 0;
    while byte < opcodes.len() {
        let command = Command::decode(byte as u8);
        opcodes[byte] = Opcode { command, slice: command.slice() };
        byte += 1;
    }
    opcodes
};

impl Command {
    const fn decode(byte: u8) -> Self {
        match byte {
            0b0000_0000..=0b0001_1111 => Self::ReadRegister(byte & 0x1F),
            0b0010_0000..=0b0011_1111 => Self::WriteRegister(byte & 0x1F),
            0b0110_0001 => Self::ReadPayload,
            0b1010_0000 => Self::WritePayload(Purpose::Send),
            0b1110_0001 => Self::FlushTx,
            0b1110_0010 => Self::FlushRx,
            0b1110_0011 => Self::ReuseTxPayload,
            0b0110_0000 => Self::ReadPayloadWidth,
            0b1010_1000..=0b1010_1101 => Self::WritePayload(Purpose::Acknowledge(byte & 0x07)),
            0b1011_0000 => Self::WritePayload(Purpose::SendWithoutAck),
            0b1111_1111 => Self::NoOperation,
            _ => Self::Unknown,
        }
    }

    const fn slice(self) -> &'static Slice {
        match self {
            Self::WritePayload(_) => &slices::SPI_WRITE_PAYLOAD,
            Self::ReadPayload => &slices::SPI_READ_PAYLOAD,
            Self::ReadPayloadWidth => &slices::SPI_PAYLOAD_WIDTH,
            Self::FlushTx | Self::FlushRx => &slices::SPI_FLUSH,
            Self::WriteRegister(at::STATUS) => &slices::SPI_CLEAR_FLAGS,
            Self::WriteRegister(_) => &slices::SPI_WRITE_REGISTER,
            Self::ReadRegister(_) | Self::NoOperation => &slices::SPI_STATUS,
            Self::ReuseTxPayload | Self::Unknown => &slices::SPI,
        }
    }

    /// Returns true for a command that reads data from the chip. Further bytes of the host are then
    /// ignored.
    const fn reads(self) -> bool {
        matches!(self, Self::ReadRegister(_) | Self::ReadPayload | Self::ReadPayloadWidth)
    }
}

impl Transaction {
    /// Starts a transaction. Data bytes of the previous one are not cleared, but overwritten.
    pub(super) const fn begin(&mut self) {
        (self.opcode, self.len) = (None, 0);
    }

    /// Decodes the command byte.
    fn decode(&mut self, byte: u8) -> &'static Opcode {
        let opcode = &OPCODES[usize::from(byte)];
        self.opcode = Some(opcode);
        opcode
    }

    /// Stores data bytes. The chip ignores all after the first 32.
    fn keep(&mut self, bytes: &[u8]) {
        let offset = self.len;
        self.len = (offset + bytes.len()).min(32);
        match (&mut self.data[offset..self.len], bytes) {
            // The most frequent case: the single byte of a register.
            ([kept], [byte]) => *kept = *byte,
            (kept, bytes) => kept.copy_from_slice(&bytes[..kept.len()]),
        }
    }

    pub(super) const fn slice(&self) -> &'static Slice {
        match self.opcode {
            Some(opcode) => opcode.slice,
            None => &slices::SPI,
        }
    }
}

impl Nrf24 {
    pub(super) fn exchange_bytes(&self, bytes: &mut [u8]) {
        let mut state = self.state();
        let (opcode, rest) = match state.transaction.opcode {
            Some(opcode) => (opcode, bytes),
            None => {
                let Some((first, rest)) = bytes.split_first_mut() else { return };
                let opcode = state.transaction.decode(*first);
                *first = state.status();
                (opcode, rest)
            }
        };
        if rest.is_empty() {
            return;
        }
        if opcode.command.reads() {
            let offset = state.transaction.len;
            state.transaction.len = (offset + rest.len()).min(32);
            self.answer(&mut state, opcode.command, offset, rest);
            return;
        }
        state.transaction.keep(rest);
        // The command reads no data, so the chip shifts out zeros.
        match rest {
            [byte] => *byte = 0,
            rest => rest.fill(0),
        }
    }

    /// [`exchange_bytes`](Self::exchange_bytes) without a response.
    pub(super) fn take_bytes(&self, bytes: &[u8]) {
        let mut state = self.state();
        let transaction = &mut state.transaction;
        let data = match (transaction.opcode, bytes) {
            (Some(_), data) => data,
            (None, []) => return,
            (None, &[command, ref data @ ..]) => {
                transaction.decode(command);
                data
            }
        };
        transaction.keep(data);
    }

    /// Fills `out` with the bytes that the chip shifts out, from data byte `offset` on.
    #[inline(never)]
    fn answer(&self, state: &mut State, command: Command, offset: usize, out: &mut [u8]) {
        let mut register = [0; 5];
        let source = match command {
            Command::ReadRegister(address) => {
                match address {
                    at::STATUS => register[0] = state.status(),
                    at::OBSERVE_TX => register[0] = state.observe_tx(),
                    at::FIFO_STATUS => register[0] = state.fifo_status(),
                    at::RPD => register[0] = u8::from(self.carrier(state)),
                    _ => state.registers.read(address, &mut register),
                }
                &register
            }
            Command::ReadPayload => {
                state.rx.front().map_or(&[][..], |(_, payload)| payload.bytes())
            }
            Command::ReadPayloadWidth => {
                register[0] =
                    state.rx.front().map_or(0, |(_, payload)| payload.bytes().len() as u8);
                &register
            }
            _ => return out.fill(0),
        };
        let shown = source.get(offset..).unwrap_or_default();
        let shown = &shown[..shown.len().min(out.len())];
        let (answered, idle) = out.split_at_mut(shown.len());
        answered.copy_from_slice(shown);
        // Usually the host reads no more bytes than the chip has.
        if !idle.is_empty() {
            idle.fill(0);
        }
    }

    /// Executes the command of the transaction.
    pub(super) fn execute(&self) {
        let mut guard = self.state();
        let state = &mut *guard;
        let (opcode, len) = (state.transaction.opcode.take(), state.transaction.len);
        match opcode.map(|opcode| opcode.command) {
            Some(Command::WriteRegister(at::STATUS)) if len > 0 => {
                state.flags &= !(state.transaction.data[0] & flag::ALL);
            }
            Some(Command::WriteRegister(address)) => {
                state.registers.write(address, &state.transaction.data[..len]);
                state.air = AirInterface::new(&state.registers, &self.timing);
                match address {
                    at::CONFIG => self.configured(state),
                    // "Write to RF_CH" resets the count of lost packets (OBSERVE_TX, Table 28).
                    at::RF_CH => state.lost_packets = 0,
                    _ => {}
                }
            }
            // A read operation removes the payload, however many of its bytes were read.
            Some(Command::ReadPayload) if len > 0 => state.rx.pop(),
            Some(Command::WritePayload(purpose)) if len > 0 => {
                self.write_payload(state, purpose, len);
            }
            Some(Command::FlushTx) => {
                state.tx.clear();
                state.flushed = true;
                state.reuse = false;
                state.ack_sent = [false; 6];
            }
            Some(Command::FlushRx) => {
                state.rx.clear();
                self.break_ack(state);
            }
            Some(Command::ReuseTxPayload) => state.reuse = true,
            _ => {}
        }
        self.drive_irq(state);
    }

    /// Puts the data of the transaction into the transmit FIFO.
    #[inline(never)]
    fn write_payload(&self, state: &mut State, purpose: Purpose, len: usize) {
        let allowed = match purpose {
            Purpose::Send => true,
            Purpose::SendWithoutAck => state.registers.has_no_ack_command(),
            Purpose::Acknowledge(_) => state.registers.has_ack_payload(),
        };
        if !allowed {
            return;
        }
        if !matches!(purpose, Purpose::Acknowledge(_)) && !state.tx.is_full() {
            state.identity = (state.identity + 1) & 3;
        }
        let payload = Payload::new(&state.transaction.data[..len]);
        let identity = state.identity;
        state.tx.push(Outgoing { purpose, identity, payload });
        state.reuse = false;
        self.payload_written(state);
    }

    /// Received power detector: audible for at least 40 us in receive mode (section 6.4).
    fn carrier(&self, state: &State) -> bool {
        let Mode::Receive { since } = state.mode else { return false };
        self.sim.now().since(since).as_ns() >= 40_000 && self.medium.busy(self.node, state.air.band)
    }
}
