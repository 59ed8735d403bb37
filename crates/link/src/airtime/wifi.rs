//! IEEE 802.11 frames at 2.4 GHz: DSSS and CCK, ERP-OFDM, and Espressif's long range.
//!
//! IEEE Std 802.11-2012: clause 16 and 17 (DSSS and high-rate DSSS: 17.2.2 preambles, 17.3.4 the
//! time on air), clause 18.4.3 and 19.8.3 (OFDM and ERP-OFDM: the time on air and the signal
//! extension), 9.3.2 and 9.3.4 (interframe spaces, acknowledgement rates), 19.8.4 (slot).
//!
//! Espressif's long range is not part of any standard: its two bit rates are documented
//! (ESP-IDF, "Long Range (LR)": 512 and 256 kbit/s, nominal), its preamble is not.

/// Nanoseconds from a frame to its acknowledgement: SIFS of the 2.4 GHz band (Table 17-9, 19.8.4).
pub const SIFS_NS: u64 = 10_000;

/// Nanoseconds of a slot wherever an 802.11b station may take part (Table 17-9, 19.8.4).
pub const SLOT_NS: u64 = 20_000;

/// Nanoseconds the medium must be idle before a frame may begin: DIFS (9.3.2.3.5).
pub const DIFS_NS: u64 = SIFS_NS + 2 * SLOT_NS;

/// Octets of an acknowledgement: frame control 2, duration 2, receiver 6, FCS 4 (8.3.1.4).
pub const ACK_LEN: usize = 14;

/// A time unit of beacon intervals, nanoseconds (3.1).
pub const TIME_UNIT_NS: u64 = 1_024_000;

/// Preamble and header of DSSS: long 144 + 48 us, short 72 + 24 us (17.2.2).
const LONG_PREAMBLE_NS: u64 = 192_000;

/// A bit rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are the numbers")]
pub enum Rate {
    /// Espressif's long range at nominally 256 kbit/s.
    LongRange256,
    /// Espressif's long range at nominally 512 kbit/s.
    LongRange512,
    Dsss1,
    Dsss2,
    Cck5_5,
    Cck11,
    Ofdm6,
    Ofdm9,
    Ofdm12,
    Ofdm18,
    Ofdm24,
    Ofdm36,
    Ofdm48,
    Ofdm54,
}

impl Rate {
    /// All of them, slowest first within each modulation.
    pub const ALL: [Self; 14] = [
        Self::LongRange256,
        Self::LongRange512,
        Self::Dsss1,
        Self::Dsss2,
        Self::Cck5_5,
        Self::Cck11,
        Self::Ofdm6,
        Self::Ofdm9,
        Self::Ofdm12,
        Self::Ofdm18,
        Self::Ofdm24,
        Self::Ofdm36,
        Self::Ofdm48,
        Self::Ofdm54,
    ];

    /// Thousands of bits a second. Long range is clocked at 500 and 250: a quarter and an eighth of
    /// the 2 Mbit/s it is derived from, which its documentation rounds up.
    #[must_use]
    pub const fn kbps(self) -> u32 {
        match self {
            Self::LongRange256 => 250,
            Self::LongRange512 => 500,
            Self::Dsss1 => 1_000,
            Self::Dsss2 => 2_000,
            Self::Cck5_5 => 5_500,
            Self::Cck11 => 11_000,
            Self::Ofdm6 => 6_000,
            Self::Ofdm9 => 9_000,
            Self::Ofdm12 => 12_000,
            Self::Ofdm18 => 18_000,
            Self::Ofdm24 => 24_000,
            Self::Ofdm36 => 36_000,
            Self::Ofdm48 => 48_000,
            Self::Ofdm54 => 54_000,
        }
    }

    /// True for the rates of clause 18 and 19.
    #[must_use]
    pub const fn is_ofdm(self) -> bool {
        self as u8 >= Self::Ofdm6 as u8
    }

    /// True for Espressif's own modulation.
    #[must_use]
    pub const fn is_long_range(self) -> bool {
        matches!(self, Self::LongRange256 | Self::LongRange512)
    }

    /// Nanoseconds of preamble and header, which are sent before the first octet of the frame. That
    /// of long range is not documented; the long preamble of the DSSS it is derived from is assumed.
    #[must_use]
    pub const fn preamble_ns(self) -> u64 {
        if self.is_ofdm() { 20_000 } else { LONG_PREAMBLE_NS }
    }

    /// Nanoseconds on the air for a frame of `len` octets, FCS included.
    #[must_use]
    pub const fn duration_ns(self, len: usize) -> u64 {
        let bits = 8 * len as u64;
        if self.is_ofdm() {
            // 18.4.3: SERVICE 16 and tail 6 bits, whole symbols of 4 us; 19.8.3: 6 us behind it.
            let per_symbol = self.kbps() as u64 * 4 / 1_000;
            return self.preamble_ns() + 4_000 * (16 + bits + 6).div_ceil(per_symbol) + 6_000;
        }
        // 17.3.4: the octets last a whole number of microseconds.
        self.preamble_ns() + 1_000 * (bits * 1_000).div_ceil(self.kbps() as u64)
    }

    /// The rate of an acknowledgement (9.7.6.5.2): the highest mandatory rate of the same modulation
    /// that is not above the rate of the frame.
    #[must_use]
    pub const fn of_ack(self) -> Self {
        match self {
            Self::Ofdm6 | Self::Ofdm9 => Self::Ofdm6,
            Self::Ofdm12 | Self::Ofdm18 => Self::Ofdm12,
            Self::Ofdm24 | Self::Ofdm36 | Self::Ofdm48 | Self::Ofdm54 => Self::Ofdm24,
            other => other,
        }
    }

    /// Nanoseconds an acknowledgement of a frame at this rate lasts.
    #[must_use]
    pub const fn ack_ns(self) -> u64 {
        self.of_ack().duration_ns(ACK_LEN)
    }

    /// Nanoseconds after its frame in which a sender must hear an acknowledgement begin: SIFS, a
    /// slot and the preamble (9.3.2.8).
    #[must_use]
    pub const fn ack_timeout_ns(self) -> u64 {
        SIFS_NS + SLOT_NS + self.of_ack().preamble_ns()
    }

    /// Nanoseconds the medium must be idle after a frame nobody could read: EIFS (9.3.2.3.7), long
    /// enough for an acknowledgement at the lowest rate of this modulation.
    #[must_use]
    pub const fn eifs_ns(self) -> u64 {
        let lowest = if self.is_long_range() { Self::LongRange256 } else { Self::Dsss1 };
        SIFS_NS + lowest.duration_ns(ACK_LEN) + DIFS_NS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acknowledgement_at_one_megabit_lasts_304_microseconds() {
        // The figure every 802.11b textbook works with.
        assert_eq!(Rate::Dsss1.ack_ns(), 304_000);
        assert_eq!(Rate::Dsss1.eifs_ns(), 364_000);
    }

    #[test]
    fn ofdm_frames_last_as_long_as_published_tables_say() {
        // Gast, "802.11 Wireless Networks", 2nd edition, throughput tables: 1536 octets at 54 Mbit/s
        // take 248 us of 802.11a, an acknowledgement at 24 Mbit/s 28 us; 802.11g adds 6 us to each.
        assert_eq!(Rate::Ofdm54.duration_ns(1_536), 254_000);
        assert_eq!(Rate::Ofdm54.ack_ns(), 34_000);
        assert_eq!(Rate::Ofdm6.duration_ns(ACK_LEN), 50_000);
    }

    #[test]
    fn a_frame_of_esp_now_lasts_eight_microseconds_an_octet_and_the_long_preamble() {
        // 43 octets around the body: 12 bytes 0.632 ms, 128 bytes 1.560 ms, 250 bytes 2.536 ms.
        for (body, us) in [(12, 632), (24, 728), (128, 1_560), (250, 2_536)] {
            assert_eq!(Rate::Dsss1.duration_ns(43 + body), us * 1_000);
        }
    }

    #[test]
    fn cck_rounds_up_to_a_microsecond() {
        // 17.3.4.2, example: 1023 octets at 11 Mbit/s take 744 us behind the preamble, 1024 take 745.
        assert_eq!(Rate::Cck11.duration_ns(1_023) - 192_000, 744_000);
        assert_eq!(Rate::Cck11.duration_ns(1_024) - 192_000, 745_000);
    }

    #[test]
    fn a_faster_rate_of_one_modulation_never_takes_longer() {
        for pair in Rate::ALL.windows(2).filter(|pair| pair[0].is_ofdm() == pair[1].is_ofdm()) {
            for len in [14, 55, 293, 1_500] {
                assert!(pair[0].duration_ns(len) >= pair[1].duration_ns(len), "{pair:?}, {len}");
            }
        }
    }
}
