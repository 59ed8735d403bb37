//! The register file: addresses, reset values, and writable bits (Table 41, section 6.4).

/// Addresses in LoRa mode.
#[allow(missing_docs, reason = "the names are the datasheet's own")]
pub mod at {
    pub const FIFO: u8 = 0x00;
    pub const OP_MODE: u8 = 0x01;
    pub const FRF_MSB: u8 = 0x06;
    pub const FRF_MID: u8 = 0x07;
    pub const FRF_LSB: u8 = 0x08;
    pub const PA_CONFIG: u8 = 0x09;
    pub const PA_RAMP: u8 = 0x0A;
    pub const OCP: u8 = 0x0B;
    pub const LNA: u8 = 0x0C;
    pub const FIFO_ADDR_PTR: u8 = 0x0D;
    pub const FIFO_TX_BASE_ADDR: u8 = 0x0E;
    pub const FIFO_RX_BASE_ADDR: u8 = 0x0F;
    pub const FIFO_RX_CURRENT_ADDR: u8 = 0x10;
    pub const IRQ_FLAGS_MASK: u8 = 0x11;
    pub const IRQ_FLAGS: u8 = 0x12;
    pub const RX_NB_BYTES: u8 = 0x13;
    pub const RX_HEADER_CNT_MSB: u8 = 0x14;
    pub const RX_PACKET_CNT_MSB: u8 = 0x16;
    pub const RX_PACKET_CNT_LSB: u8 = 0x17;
    pub const MODEM_STAT: u8 = 0x18;
    pub const PKT_SNR_VALUE: u8 = 0x19;
    pub const PKT_RSSI_VALUE: u8 = 0x1A;
    pub const RSSI_VALUE: u8 = 0x1B;
    pub const HOP_CHANNEL: u8 = 0x1C;
    pub const MODEM_CONFIG_1: u8 = 0x1D;
    pub const MODEM_CONFIG_2: u8 = 0x1E;
    pub const SYMB_TIMEOUT_LSB: u8 = 0x1F;
    pub const PREAMBLE_MSB: u8 = 0x20;
    pub const PREAMBLE_LSB: u8 = 0x21;
    pub const PAYLOAD_LENGTH: u8 = 0x22;
    pub const MAX_PAYLOAD_LENGTH: u8 = 0x23;
    pub const HOP_PERIOD: u8 = 0x24;
    pub const FIFO_RX_BYTE_ADDR: u8 = 0x25;
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
    pub const TCXO: u8 = 0x4B;
    pub const PA_DAC: u8 = 0x4D;
}

/// Interrupts, at their positions in RegIrqFlags and its mask.
#[allow(missing_docs, reason = "the names are the datasheet's own")]
pub mod flag {
    pub const RX_TIMEOUT: u8 = 0x80;
    pub const RX_DONE: u8 = 0x40;
    pub const PAYLOAD_CRC_ERROR: u8 = 0x20;
    pub const VALID_HEADER: u8 = 0x10;
    pub const TX_DONE: u8 = 0x08;
    pub const CAD_DONE: u8 = 0x04;
    pub const CAD_DETECTED: u8 = 0x01;
}

const COUNT: usize = 0x80;
/// First and last register of the page shared by FSK and LoRa mode (section 4.1.2).
const PAGE: core::ops::RangeInclusive<u8> = 0x0D..=0x3F;
const LORA: u8 = 0x80;
/// In LoRa mode: accesses the FSK page instead.
const FSK_PAGE: u8 = 0x40;

/// Value after power-on in LoRa mode, and writable bits.
const MAP: [(u8, u8); COUNT] = {
    let mut map = [(0, 0xFF); COUNT];
    // Standby, FSK, low frequency registers.
    map[at::OP_MODE as usize] = (0x09, 0xFF);
    map[at::FRF_MSB as usize] = (0x6C, 0xFF);
    map[at::FRF_MID as usize] = (0x80, 0xFF);
    map[at::PA_CONFIG as usize] = (0x4F, 0xFF);
    map[at::PA_RAMP as usize] = (0x09, 0x7F);
    map[at::OCP as usize] = (0x2B, 0x3F);
    map[at::LNA as usize] = (0x20, 0xFB);
    map[at::FIFO_TX_BASE_ADDR as usize] = (0x80, 0xFF);
    // Status registers of the modem are read-only.
    let mut read_only = at::FIFO_RX_CURRENT_ADDR;
    while read_only <= at::HOP_CHANNEL {
        if read_only != at::IRQ_FLAGS_MASK {
            map[read_only as usize] = (0, 0);
        }
        read_only += 1;
    }
    map[at::MODEM_STAT as usize] = (0x10, 0);
    map[at::MODEM_CONFIG_1 as usize] = (0x72, 0xFF);
    map[at::MODEM_CONFIG_2 as usize] = (0x70, 0xFF);
    map[at::SYMB_TIMEOUT_LSB as usize] = (0x64, 0xFF);
    map[at::PREAMBLE_LSB as usize] = (0x08, 0xFF);
    map[at::PAYLOAD_LENGTH as usize] = (0x01, 0xFF);
    map[at::MAX_PAYLOAD_LENGTH as usize] = (0xFF, 0xFF);
    map[at::FIFO_RX_BYTE_ADDR as usize] = (0, 0);
    map[at::MODEM_CONFIG_3 as usize] = (0, 0x0C);
    map[at::DETECT_OPTIMIZE as usize] = (0xC3, 0xFF);
    map[at::INVERT_IQ as usize] = (0x27, 0xFF);
    map[at::HIGH_BW_OPTIMIZE_1 as usize] = (0x03, 0xFF);
    map[at::DETECTION_THRESHOLD as usize] = (0x0A, 0xFF);
    map[at::SYNC_WORD as usize] = (0x12, 0xFF);
    map[at::INVERT_IQ_2 as usize] = (0x1D, 0xFF);
    map[at::DIO_MAPPING_2 as usize] = (0, 0xF1);
    map[at::VERSION as usize] = (0x12, 0);
    map[at::TCXO as usize] = (0x09, 0xFF);
    map[at::PA_DAC as usize] = (0x84, 0xFF);
    map
};

/// The register file. Side effects of registers are handled by the modem.
#[derive(Clone)]
pub struct Registers {
    lora: [u8; COUNT],
    fsk: [u8; COUNT],
}

impl Default for Registers {
    fn default() -> Self {
        let mut lora = [0; COUNT];
        for (value, (reset, _)) in lora.iter_mut().zip(MAP) {
            *value = reset;
        }
        Self { lora, fsk: [0; COUNT] }
    }
}

impl Registers {
    fn shows_fsk(&self, address: u8) -> bool {
        let mode = self.lora[at::OP_MODE as usize];
        PAGE.contains(&address) && (mode & LORA == 0 || mode & FSK_PAGE != 0)
    }

    /// Reads a register from the host's side.
    #[must_use]
    pub fn read(&self, address: u8) -> u8 {
        let page = if self.shows_fsk(address) { &self.fsk } else { &self.lora };
        page[usize::from(address)]
    }

    /// Writes a register from the host's side. Read-only bits keep their values.
    pub fn write(&mut self, address: u8, value: u8) {
        let index = usize::from(address);
        if self.shows_fsk(address) {
            self.fsk[index] = value;
        } else {
            let mask = MAP[index].1;
            self.lora[index] = (self.lora[index] & !mask) | (value & mask);
        }
    }

    /// Returns true if a write to `address` reaches the LoRa modem or a register of both modems.
    #[must_use]
    pub fn reaches_lora(&self, address: u8) -> bool {
        !self.shows_fsk(address)
    }

    /// Reads a register of the LoRa page, whichever page is selected.
    #[must_use]
    pub fn get(&self, address: u8) -> u8 {
        self.lora[usize::from(address)]
    }

    /// Changes a register of the LoRa page on the chip's side.
    pub fn set(&mut self, address: u8, value: u8) {
        self.lora[usize::from(address)] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reset_values_are_those_of_the_table() {
        let registers = Registers::default();
        let expected = [
            (0x01, 0x09),
            (0x06, 0x6C),
            (0x07, 0x80),
            (0x08, 0x00),
            (0x09, 0x4F),
            (0x0E, 0x80),
            (0x1D, 0x72),
            (0x1E, 0x70),
            (0x1F, 0x64),
            (0x21, 0x08),
            (0x23, 0xFF),
            (0x31, 0xC3),
            (0x33, 0x27),
            (0x36, 0x03),
            (0x37, 0x0A),
            (0x39, 0x12),
            (0x42, 0x12),
            (0x4D, 0x84),
        ];
        for (address, value) in expected {
            assert_eq!(registers.get(address), value, "{address:#04x}");
        }
    }

    #[test]
    fn what_the_modem_reports_and_the_version_cannot_be_written() {
        let mut registers = Registers::default();
        registers.set(at::OP_MODE, 0x81);
        for address in [0x10, 0x13, 0x19, 0x1A, 0x1C, 0x25, 0x42] {
            let before = registers.read(address);
            registers.write(address, !before);
            assert_eq!(registers.read(address), before, "{address:#04x}");
        }
    }

    #[test]
    fn the_two_modems_have_pages_of_their_own() {
        let mut registers = Registers::default();
        registers.write(at::SYNC_WORD, 0x34);
        assert_eq!(registers.get(at::SYNC_WORD), 0x12);
        registers.set(at::OP_MODE, 0x80);
        registers.write(at::SYNC_WORD, 0x55);
        assert_eq!((registers.get(at::SYNC_WORD), registers.read(at::SYNC_WORD)), (0x55, 0x55));
        registers.set(at::OP_MODE, 0xC0);
        assert_eq!(registers.read(at::SYNC_WORD), 0x34);
    }
}
