//! Bluetooth LE link-layer packets.
//!
//! The source is the Bluetooth Core Specification 5.4, volume 6, part B. Section 2.1 defines
//! uncoded packets: a preamble of 1 or 2 bytes, an access address of 4 bytes, the PDU, and a CRC of
//! 3 bytes. Section 2.2 defines coded packets. Section 2.4 defines data channel PDUs: a header of 2
//! bytes and a payload of 0 to 251 bytes. Section 4.1.1 defines the interframe space.

/// Interframe space between a packet and the next one of the same connection event: T_IFS (section
/// 4.1.1).
pub const INTER_FRAME_NS: u64 = 150_000;

/// Bytes of access address.
pub const ACCESS_ADDRESS_LEN: usize = 4;
/// Number of bytes of a data channel PDU before its payload.
pub const HEADER_LEN: usize = 2;
/// Bytes of CRC.
pub const CRC_LEN: usize = 3;
/// Largest payload of a data channel PDU before data length negotiation (section 4.5.10).
pub const MIN_DATA_LENGTH: usize = 27;
/// Largest payload of a data channel PDU (section 2.4).
pub const MAX_DATA_LENGTH: usize = 251;

/// Physical layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phy {
    /// LE 1M, uncoded, 1 Mbit/s.
    Le1M,
    /// LE 2M, uncoded, 2 Mbit/s.
    Le2M,
    /// LE Coded with two symbols per bit, 500 kbit/s.
    CodedS2,
    /// LE Coded with eight symbols per bit, 125 kbit/s.
    CodedS8,
}

impl Phy {
    /// All PHYs.
    pub const ALL: [Self; 4] = [Self::Le1M, Self::Le2M, Self::CodedS2, Self::CodedS8];

    /// Returns the time from the first bit of the preamble to the last bit of the access address,
    /// ns. A receiver has then identified the packet as its own.
    ///
    /// Section 2.2: the coded preamble lasts 80 us, the access address 256 us at eight symbols a
    /// bit, independent of the rate of the PDU.
    #[must_use]
    pub const fn synchronised_ns(self) -> u64 {
        match self {
            Self::Le1M => 8 * (1 + ACCESS_ADDRESS_LEN as u64) * 1_000,
            Self::Le2M => 8 * (2 + ACCESS_ADDRESS_LEN as u64) * 500,
            Self::CodedS2 | Self::CodedS8 => 80_000 + 256_000,
        }
    }

    /// Duration of a bit of PDU and CRC, nanoseconds.
    const fn bit_ns(self) -> u64 {
        match self {
            Self::Le1M => 1_000,
            Self::Le2M => 500,
            Self::CodedS2 => 2_000,
            Self::CodedS8 => 8_000,
        }
    }

    /// Duration of the fields that only a coded packet has, nanoseconds; 0 for other packets. The
    /// coding indicator (2 bits) and the first terminator (3 bits) are sent at eight symbols per
    /// bit. The second terminator (3 bits) is sent at the rate of the PDU.
    const fn terminators_ns(self) -> u64 {
        match self {
            Self::Le1M | Self::Le2M => 0,
            Self::CodedS2 | Self::CodedS8 => (2 + 3) * 8_000 + 3 * self.bit_ns(),
        }
    }

    /// Airtime of a packet whose PDU carries `payload` bytes, nanoseconds.
    #[must_use]
    pub const fn duration_ns(self, payload: usize) -> u64 {
        let bits = 8 * (HEADER_LEN + payload + CRC_LEN) as u64;
        self.synchronised_ns() + self.terminators_ns() + bits * self.bit_ns()
    }
}

/// Returns the duration of a connection event with one data packet, ns: the packet, the empty
/// packet in response, and the interframe space before each.
#[must_use]
pub const fn exchange_ns(phy: Phy, payload: usize) -> u64 {
    phy.duration_ns(payload) + INTER_FRAME_NS + phy.duration_ns(0) + INTER_FRAME_NS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_specification() {
        // Section 4.5.10 gives connMaxTxTime for 27 and 251 bytes: 328 and 2120 us at
        // 1M with a message integrity check of 4 bytes, 2704 and 17040 us at S=8.
        assert_eq!(Phy::Le1M.duration_ns(27 + 4), 328_000);
        assert_eq!(Phy::Le1M.duration_ns(251 + 4), 2_120_000);
        assert_eq!(Phy::CodedS8.duration_ns(27 + 4), 2_704_000);
        assert_eq!(Phy::CodedS8.duration_ns(251 + 4), 17_040_000);
        assert_eq!(Phy::Le1M.duration_ns(0), 80_000);
        assert_eq!(Phy::Le2M.duration_ns(0), 44_000);
    }

    #[test]
    fn an_exchange_is_what_a_sniffer_saw() {
        // 27-byte PDUs at 1M, from start to start: 0.676 ms computed, and 0.665 ms published for
        // the ESP32, whose interframe space is slightly too short.
        assert_eq!(exchange_ns(Phy::Le1M, 27), 676_000);
        assert_eq!(exchange_ns(Phy::Le2M, 251), 1_392_000);
    }
}
