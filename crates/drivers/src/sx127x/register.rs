//! Registers and bits, SX1276/77/78/79 datasheet (Semtech, revision 7), section 6.4.

/// Set in the address byte of a write (section 4.3).
pub const WRITE: u8 = 0x80;

/// Addresses.
#[allow(missing_docs, reason = "the names are the datasheet's own")]
pub mod at {
    pub const FIFO: u8 = 0x00;
    pub const OP_MODE: u8 = 0x01;
    pub const FRF_MSB: u8 = 0x06;
    pub const PA_CONFIG: u8 = 0x09;
    pub const LNA: u8 = 0x0C;
    pub const FIFO_ADDR_PTR: u8 = 0x0D;
    pub const FIFO_TX_BASE_ADDR: u8 = 0x0E;
    pub const FIFO_RX_BASE_ADDR: u8 = 0x0F;
    pub const FIFO_RX_CURRENT_ADDR: u8 = 0x10;
    pub const IRQ_FLAGS_MASK: u8 = 0x11;
    pub const IRQ_FLAGS: u8 = 0x12;
    pub const RX_NB_BYTES: u8 = 0x13;
    pub const PKT_SNR_VALUE: u8 = 0x19;
    pub const MODEM_CONFIG_1: u8 = 0x1D;
    pub const MODEM_CONFIG_2: u8 = 0x1E;
    pub const PREAMBLE_MSB: u8 = 0x20;
    pub const PAYLOAD_LENGTH: u8 = 0x22;
    pub const MODEM_CONFIG_3: u8 = 0x26;
    pub const IF_FREQ_2: u8 = 0x2F;
    pub const IF_FREQ_1: u8 = 0x30;
    pub const DETECT_OPTIMIZE: u8 = 0x31;
    pub const INVERT_IQ: u8 = 0x33;
    pub const HIGH_BW_OPTIMIZE_1: u8 = 0x36;
    pub const DETECTION_THRESHOLD: u8 = 0x37;
    pub const SYNC_WORD: u8 = 0x39;
    pub const HIGH_BW_OPTIMIZE_2: u8 = 0x3A;
    pub const INVERT_IQ_2: u8 = 0x3B;
    pub const DIO_MAPPING_1: u8 = 0x40;
    pub const DIO_MAPPING_2: u8 = 0x41;
    pub const VERSION: u8 = 0x42;
    pub const PA_DAC: u8 = 0x4D;
}

/// Content of `VERSION` on these chips.
pub const SILICON: u8 = 0x12;

/// Values of `OP_MODE` with the LoRa bit set (Table 16).
#[allow(missing_docs, reason = "the names are the datasheet's own")]
pub mod mode {
    pub const LORA: u8 = 0x80;
    pub const SLEEP: u8 = LORA;
    pub const STANDBY: u8 = LORA | 0x01;
    pub const TX: u8 = LORA | 0x03;
    pub const RX_CONTINUOUS: u8 = LORA | 0x05;
    /// Sleep in FSK mode: the LoRa bit only changes in sleep.
    pub const FSK_SLEEP: u8 = 0x00;
}

/// Bits of `IRQ_FLAGS` and its mask.
#[allow(missing_docs, reason = "the names are the datasheet's own")]
pub mod irq {
    pub const RX_DONE: u8 = 0x40;
    pub const PAYLOAD_CRC_ERROR: u8 = 0x20;
    pub const TX_DONE: u8 = 0x08;
    pub const ALL: u8 = 0xFF;
}

/// Signal on DIO0, in `DIO_MAPPING_1` (Table 18).
#[allow(missing_docs, reason = "the names are the datasheet's own")]
pub mod dio0 {
    pub const RX_DONE: u8 = 0x00;
    pub const TX_DONE: u8 = 0x40;
}

/// In `RegHopChannel`: the header announced a CRC after the payload.
pub const CRC_ON_PAYLOAD: u8 = 0x40;
