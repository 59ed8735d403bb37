//! The register map, Table 28 in section 9.1.

use airlag_link::airtime::nrf24::Rate;

/// Addresses.
#[allow(missing_docs, reason = "the names are the specification's own")]
pub mod at {
    pub const CONFIG: u8 = 0x00;
    pub const EN_AA: u8 = 0x01;
    pub const EN_RXADDR: u8 = 0x02;
    pub const SETUP_AW: u8 = 0x03;
    pub const SETUP_RETR: u8 = 0x04;
    pub const RF_CH: u8 = 0x05;
    pub const RF_SETUP: u8 = 0x06;
    pub const STATUS: u8 = 0x07;
    pub const OBSERVE_TX: u8 = 0x08;
    pub const RPD: u8 = 0x09;
    pub const RX_ADDR_P0: u8 = 0x0A;
    pub const RX_ADDR_P1: u8 = 0x0B;
    pub const RX_ADDR_P5: u8 = 0x0F;
    pub const TX_ADDR: u8 = 0x10;
    pub const RX_PW_P0: u8 = 0x11;
    pub const RX_PW_P5: u8 = 0x16;
    pub const FIFO_STATUS: u8 = 0x17;
    pub const DYNPD: u8 = 0x1C;
    pub const FEATURE: u8 = 0x1D;
}

/// Interrupt flags at their positions in STATUS, and their masks at those in CONFIG.
#[allow(missing_docs, reason = "the names are the specification's own")]
pub mod flag {
    pub const RX_DR: u8 = 0x40;
    pub const TX_DS: u8 = 0x20;
    pub const MAX_RT: u8 = 0x10;
    pub const ALL: u8 = 0x70;
}

const COUNT: usize = 0x1E;

/// Reset values and writable bits by address; the address registers are separate. 0x18 to 0x1B are
/// not listed in the map.
const MAP: [(u8, u8); COUNT] = {
    let mut map = [(0, 0); COUNT];
    map[at::CONFIG as usize] = (0b0000_1000, 0x7F);
    map[at::EN_AA as usize] = (0b0011_1111, 0x3F);
    map[at::EN_RXADDR as usize] = (0b0000_0011, 0x3F);
    map[at::SETUP_AW as usize] = (0b0000_0011, 0x03);
    map[at::SETUP_RETR as usize] = (0b0000_0011, 0xFF);
    map[at::RF_CH as usize] = (0b0000_0010, 0x7F);
    map[at::RF_SETUP as usize] = (0b0000_1110, 0xBE);
    let mut pipe = at::RX_PW_P0;
    while pipe <= at::RX_PW_P5 {
        map[pipe as usize] = (0, 0x3F);
        pipe += 1;
    }
    map[at::DYNPD as usize] = (0, 0x3F);
    map[at::FEATURE as usize] = (0, 0x07);
    map
};

/// Stored registers. STATUS, OBSERVE_TX, RPD and FIFO_STATUS are computed elsewhere.
#[derive(Clone, Debug)]
pub struct Registers {
    bytes: [u8; COUNT],
    rx_addr_p0: [u8; 5],
    rx_addr_p1: [u8; 5],
    /// Least significant address bytes of pipes 2 to 5.
    rx_addr_low: [u8; 4],
    tx_addr: [u8; 5],
}

impl Default for Registers {
    fn default() -> Self {
        Self {
            bytes: MAP.map(|(reset, _)| reset),
            rx_addr_p0: [0xE7; 5],
            rx_addr_p1: [0xC2; 5],
            rx_addr_low: [0xC3, 0xC4, 0xC5, 0xC6],
            tx_addr: [0xE7; 5],
        }
    }
}

impl Registers {
    /// Reads a one-byte register.
    #[must_use]
    pub fn get(&self, address: u8) -> u8 {
        self.bytes.get(usize::from(address)).copied().unwrap_or(0)
    }

    fn wide(&mut self, address: u8) -> Option<&mut [u8]> {
        match address {
            at::RX_ADDR_P0 => Some(&mut self.rx_addr_p0),
            at::RX_ADDR_P1 => Some(&mut self.rx_addr_p1),
            at::TX_ADDR => Some(&mut self.tx_addr),
            0x0C..=at::RX_ADDR_P5 => {
                let at = usize::from(address - 0x0C);
                Some(&mut self.rx_addr_low[at..=at])
            }
            _ => None,
        }
    }

    /// Writes data bytes, least significant first. Bytes that are not written and read-only bits
    /// keep their values.
    pub fn write(&mut self, address: u8, data: &[u8]) {
        if let Some(wide) = self.wide(address) {
            let written = data.len().min(wide.len());
            wide[..written].copy_from_slice(&data[..written]);
        } else if let (Some(&value), Some((_, mask))) =
            (data.first(), MAP.get(usize::from(address)))
        {
            let kept = &mut self.bytes[usize::from(address)];
            *kept = (*kept & !mask) | (value & mask);
        }
    }

    /// Reads into `data`, least significant byte first.
    pub fn read(&mut self, address: u8, data: &mut [u8]) {
        data.fill(0);
        if let Some(wide) = self.wide(address) {
            let read = data.len().min(wide.len());
            data[..read].copy_from_slice(&wide[..read]);
        } else if let Some(first) = data.first_mut() {
            *first = self.get(address);
        }
    }

    /// Whether the chip is powered up (bit PWR_UP).
    #[must_use]
    pub fn powered(&self) -> bool {
        self.get(at::CONFIG) & 0x02 != 0
    }

    /// Whether the chip is a receiver (bit PRIM_RX).
    #[must_use]
    pub fn is_receiver(&self) -> bool {
        self.get(at::CONFIG) & 0x01 != 0
    }

    /// Flags that reach the interrupt pin. The mask bits in CONFIG have the same positions as the
    /// flags.
    #[must_use]
    pub fn unmasked(&self, flags: u8) -> u8 {
        flags & !self.get(at::CONFIG)
    }

    /// Returns the CRC length, bytes. It is not 0 while any pipe acknowledges (EN_CRC, Table 28).
    #[must_use]
    pub fn crc_len(&self) -> u8 {
        let config = self.get(at::CONFIG);
        let enabled = config & 0x08 != 0 || self.get(at::EN_AA) != 0;
        match (enabled, config & 0x04 != 0) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        }
    }

    /// Returns the address length, bytes. The code 0 is illegal and has the effect of the reset
    /// value.
    #[must_use]
    pub fn address_len(&self) -> u8 {
        match self.get(at::SETUP_AW) {
            1 => 3,
            2 => 4,
            _ => 5,
        }
    }

    /// Air data rate: RF_DR_LOW has priority over RF_DR_HIGH.
    #[must_use]
    pub fn rate(&self) -> Rate {
        match (self.get(at::RF_SETUP) & 0x20 != 0, self.get(at::RF_SETUP) & 0x08 != 0) {
            (true, _) => Rate::Kbps250,
            (false, false) => Rate::Mbps1,
            (false, true) => Rate::Mbps2,
        }
    }

    /// Channel number.
    #[must_use]
    pub fn channel(&self) -> u8 {
        self.get(at::RF_CH)
    }

    /// Returns the retransmit delay (field ARD), us.
    #[must_use]
    pub fn retransmit_delay_us(&self) -> u64 {
        (u64::from(self.get(at::SETUP_RETR) >> 4) + 1) * 250
    }

    /// Returns the largest number of retransmissions (field ARC).
    #[must_use]
    pub fn retransmit_count(&self) -> u8 {
        self.get(at::SETUP_RETR) & 0x0F
    }

    /// Transmit address, least significant byte first.
    #[must_use]
    pub fn tx_address(&self) -> &[u8] {
        &self.tx_addr[..usize::from(self.address_len())]
    }

    /// Address of a pipe, least significant byte first.
    #[must_use]
    pub fn rx_address(&self, pipe: u8) -> [u8; 5] {
        match pipe {
            0 => self.rx_addr_p0,
            1 => self.rx_addr_p1,
            _ => {
                let mut address = self.rx_addr_p1;
                address[0] = self.rx_addr_low[usize::from(pipe.min(5) - 2)];
                address
            }
        }
    }

    /// Lowest enabled pipe with this address.
    #[must_use]
    pub fn pipe_of(&self, address: &[u8]) -> Option<u8> {
        if address.len() != usize::from(self.address_len()) {
            return None;
        }
        let enabled = self.get(at::EN_RXADDR);
        (0..6).find(|&pipe| {
            enabled & (1 << pipe) != 0 && self.rx_address(pipe)[..address.len()] == *address
        })
    }

    /// Whether `pipe` acknowledges packets.
    #[must_use]
    pub fn acknowledges(&self, pipe: u8) -> bool {
        self.get(at::EN_AA) & (1 << pipe) != 0
    }

    /// Returns true if `pipe` accepts payloads of any length: EN_DPL, DPL_Px and ENAA_Px together.
    #[must_use]
    pub fn is_dynamic(&self, pipe: u8) -> bool {
        let bit = 1 << pipe;
        self.get(at::FEATURE) & 0x04 != 0
            && self.get(at::DYNPD) & bit != 0
            && self.get(at::EN_AA) & bit != 0
    }

    /// Returns the fixed payload width of `pipe`, bytes (register RX_PW_Px).
    #[must_use]
    pub fn width(&self, pipe: u8) -> u8 {
        self.get(at::RX_PW_P0 + pipe)
    }

    /// Whether acknowledgements may carry payloads (bit EN_ACK_PAY).
    #[must_use]
    pub fn has_ack_payload(&self) -> bool {
        self.get(at::FEATURE) & 0x02 != 0
    }

    /// Whether payloads without acknowledgement are enabled (bit EN_DYN_ACK).
    #[must_use]
    pub fn has_no_ack_command(&self) -> bool {
        self.get(at::FEATURE) & 0x01 != 0
    }
}
