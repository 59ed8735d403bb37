//! nRF24L01+ Enhanced ShockBurst frames.
//!
//! nRF24L01+ Product Specification v1.0, section 7.3: a frame consists of a preamble of 1 byte, an
//! address of 3 to 5 bytes, a packet control field of 9 bits, a payload of 0 to 32 bytes, and a CRC
//! of 0 to 2 bytes. Section 7.3.1: an original ShockBurst frame has no packet control field.

/// Bits of the packet control field: length 6, identity 2, no-acknowledge 1 (section 7.3.3).
pub const PACKET_CONTROL_BITS: u32 = 9;

/// Longest continuous time in transmit mode, limited by frequency drift (section 6.1.5).
pub const MAX_TRANSMIT_NS: u64 = 4_000_000;

/// Settling time from standby to transmit or receive, and between the two: Tstby2a (section 6.1.7).
pub const SETTLE_NS: u64 = 130_000;

/// Air data rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rate {
    /// 250 kbit/s.
    Kbps250,
    /// 1 Mbit/s.
    Mbps1,
    /// 2 Mbit/s.
    Mbps2,
}

impl Rate {
    /// Bit duration, nanoseconds.
    #[must_use]
    pub const fn bit_ns(self) -> u64 {
        match self {
            Self::Kbps250 => 4_000,
            Self::Mbps1 => 1_000,
            Self::Mbps2 => 500,
        }
    }
}

/// Frame parameters common to all packets of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Air data rate.
    pub rate: Rate,
    /// Address length, 3 to 5 bytes.
    pub address: u8,
    /// CRC length, 0 to 2 bytes.
    pub crc: u8,
    /// Whether frames have a packet control field (Enhanced ShockBurst).
    pub enhanced: bool,
}

impl Frame {
    /// Enhanced ShockBurst with a CRC of two bytes.
    #[must_use]
    pub const fn enhanced(rate: Rate, address: u8) -> Self {
        Self { rate, address, crc: 2, enhanced: true }
    }

    /// Bits on the air for a payload of `payload` bytes.
    #[must_use]
    pub const fn bits(self, payload: usize) -> u32 {
        let control = if self.enhanced { PACKET_CONTROL_BITS } else { 0 };
        8 * (1 + self.address as u32 + payload as u32 + self.crc as u32) + control
    }

    /// Airtime for a payload of `payload` bytes, nanoseconds.
    #[must_use]
    pub const fn duration_ns(self, payload: usize) -> u64 {
        self.bits(payload) as u64 * self.rate.bit_ns()
    }

    /// Duration of preamble and address, nanoseconds, after which a receiver can identify a frame
    /// as its own.
    #[must_use]
    pub const fn address_ns(self) -> u64 {
        8 * (1 + self.address as u64) * self.rate.bit_ns()
    }

    /// Number of payloads of `payload` bytes that fit back to back into one period in transmit
    /// mode.
    #[must_use]
    pub const fn burst(self, payload: usize) -> u32 {
        (MAX_TRANSMIT_NS / self.duration_ns(payload)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_the_measured_bench_have_the_length_read_off_it() {
        // With three address bytes, 32 bytes padded are 313 bits, and an acknowledgement is 57
        // bits.
        let fast = Frame::enhanced(Rate::Mbps2, 3);
        assert_eq!((fast.bits(32), fast.duration_ns(32)), (313, 156_500));
        assert_eq!((fast.bits(0), fast.duration_ns(0)), (57, 28_500));
        let slow = Frame::enhanced(Rate::Kbps250, 3);
        assert_eq!((slow.duration_ns(32), slow.duration_ns(0)), (1_252_000, 228_000));
    }

    #[test]
    fn a_fifo_kept_full_without_acknowledgement_reaches_the_computed_ceiling() {
        // Bursts take at most 4 ms, followed by 140 us; the address has five bytes; rates are
        // kbit/s of user data.
        for (rate, ceiling) in [(Rate::Mbps2, 1503), (Rate::Mbps1, 752), (Rate::Kbps250, 188)] {
            let frame = Frame::enhanced(rate, 5);
            let frames = u64::from(frame.burst(32));
            let cycle_ns = frames * frame.duration_ns(32) + 140_000;
            let kbps = frames * 32 * 8 * 1_000_000 / cycle_ns;
            assert!(kbps.abs_diff(ceiling) <= 1, "{rate:?}: {kbps}");
        }
    }

    #[test]
    fn the_specification_s_own_acknowledgement_limits_follow() {
        // Section 7.4.2: with five address bytes, 15 bytes of acknowledgement payload fit into a
        // retransmit delay of 250 us at 2 Mbit/s and 5 bytes, not 6, at 1 Mbit/s; Table 18 gives
        // the delay for 0, 8, 16, 24 and 32 bytes at 250 kbit/s.
        let fits = |rate, payload, delay_ns: u64| {
            SETTLE_NS + Frame::enhanced(rate, 5).duration_ns(payload) <= delay_ns
        };
        assert!(fits(Rate::Mbps2, 15, 250_000));
        assert!(fits(Rate::Mbps1, 5, 250_000) && !fits(Rate::Mbps1, 6, 250_000));
        for (payload, delay_us) in [(0, 500), (8, 750), (16, 1000), (24, 1250), (32, 1500)] {
            assert!(fits(Rate::Kbps250, payload, delay_us * 1000));
            assert!(!fits(Rate::Kbps250, payload, (delay_us - 250) * 1000));
        }
    }
}
