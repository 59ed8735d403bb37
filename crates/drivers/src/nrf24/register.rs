//! Commands, registers and bits, from the nRF24L01+ Product Specification v1.0: Table 20 in
//! section 8.3.1 and Table 28 in section 9.1.

/// SPI commands.
pub mod command {
    /// Read register; the address goes into the low five bits.
    pub const R_REGISTER: u8 = 0b0000_0000;
    /// Write register; the address goes into the low five bits.
    pub const W_REGISTER: u8 = 0b0010_0000;
    /// Read the payload at the head of the RX FIFO and remove it.
    pub const R_RX_PAYLOAD: u8 = 0b0110_0001;
    /// Put a payload into the TX FIFO.
    pub const W_TX_PAYLOAD: u8 = 0b1010_0000;
    /// Empty the TX FIFO.
    pub const FLUSH_TX: u8 = 0b1110_0001;
    /// Empty the RX FIFO.
    pub const FLUSH_RX: u8 = 0b1110_0010;
    /// Width of the payload at the head of the RX FIFO.
    pub const R_RX_PL_WID: u8 = 0b0110_0000;
    /// Put a payload for an acknowledgement into the TX FIFO; the pipe goes into the low three bits.
    pub const W_ACK_PAYLOAD: u8 = 0b1010_1000;
    /// Put a payload into the TX FIFO that requests no acknowledgement.
    pub const W_TX_PAYLOAD_NOACK: u8 = 0b1011_0000;
    /// No operation: reads STATUS.
    pub const NOP: u8 = 0b1111_1111;
}

/// Register addresses.
pub mod at {
    /// Configuration.
    pub const CONFIG: u8 = 0x00;
    /// Auto acknowledgement by pipe.
    pub const EN_AA: u8 = 0x01;
    /// Enabled pipes.
    pub const EN_RXADDR: u8 = 0x02;
    /// Address width.
    pub const SETUP_AW: u8 = 0x03;
    /// Automatic retransmission.
    pub const SETUP_RETR: u8 = 0x04;
    /// Channel.
    pub const RF_CH: u8 = 0x05;
    /// Data rate and power.
    pub const RF_SETUP: u8 = 0x06;
    /// Status; flags are cleared by writing 1.
    pub const STATUS: u8 = 0x07;
    /// Retransmission counters.
    pub const OBSERVE_TX: u8 = 0x08;
    /// Received power detector, in bit 0.
    pub const RPD: u8 = 0x09;
    /// Receive address of pipe 0; pipes 1 to 5 follow.
    pub const RX_ADDR_P0: u8 = 0x0A;
    /// Transmit address.
    pub const TX_ADDR: u8 = 0x10;
    /// Payload width of pipe 0; pipes 1 to 5 follow.
    pub const RX_PW_P0: u8 = 0x11;
    /// Fill state of the FIFOs.
    pub const FIFO_STATUS: u8 = 0x17;
    /// Dynamic payload length by pipe.
    pub const DYNPD: u8 = 0x1C;
    /// Features.
    pub const FEATURE: u8 = 0x1D;
}

/// Bits of CONFIG.
pub mod config {
    /// Enable CRC.
    pub const EN_CRC: u8 = 1 << 3;
    /// Two bytes of CRC rather than one.
    pub const CRCO: u8 = 1 << 2;
    /// Powered up.
    pub const PWR_UP: u8 = 1 << 1;
    /// Receiver rather than transmitter.
    pub const PRIM_RX: u8 = 1 << 0;
}

/// Bits of STATUS.
pub mod status {
    /// A payload arrived.
    pub const RX_DR: u8 = 1 << 6;
    /// A payload was sent (and acknowledged, if requested).
    pub const TX_DS: u8 = 1 << 5;
    /// The retransmissions are exhausted.
    pub const MAX_RT: u8 = 1 << 4;
    /// All interrupt flags.
    pub const FLAGS: u8 = RX_DR | TX_DS | MAX_RT;

    /// Pipe of the payload at the head of the RX FIFO, if there is one.
    #[must_use]
    pub const fn pipe(status: u8) -> Option<u8> {
        let pipe = (status >> 1) & 0b111;
        if pipe <= 5 { Some(pipe) } else { None }
    }
}

/// Bits of FIFO_STATUS.
pub mod fifo {
    /// The TX FIFO is full.
    pub const TX_FULL: u8 = 1 << 5;
    /// The TX FIFO is empty.
    pub const TX_EMPTY: u8 = 1 << 4;
    /// The RX FIFO is full.
    pub const RX_FULL: u8 = 1 << 1;
}

/// Bits of FEATURE.
pub mod feature {
    /// Dynamic payload length.
    pub const EN_DPL: u8 = 1 << 2;
    /// Acknowledgement payloads.
    pub const EN_ACK_PAY: u8 = 1 << 1;
    /// The command for payloads without acknowledgement.
    pub const EN_DYN_ACK: u8 = 1 << 0;
}
