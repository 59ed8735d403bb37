//! IEEE 802.11 frames at 2.4 GHz: DSSS and CCK, ERP-OFDM, HT of 20 MHz, and Espressif's long range
//! mode.
//!
//! All clauses here are of IEEE Std 802.11-2012. Clause 16 defines DSSS and clause 17 defines high-rate
//! DSSS, with the preambles in 17.2.2 and the time on air in 17.3.4. Clause 18.4.3 defines the time
//! on air of OFDM. Clause 19.8.3 defines the time on air of ERP-OFDM, with the signal extension.
//! Clause 20 defines HT, with the mixed-format preamble in 20.3.9, the time on air in 20.4.3 and
//! the rates in 20.6. Clause 9.3.2.3 contains the interframe spaces, clause 9.7.6.5.2 the rates of
//! acknowledgements, and clause 19.8.4 the slot.
//!
//! Espressif's long range mode is not standardised. Its two bit rates are documented (ESP-IDF,
//! "Long Range (LR)": 512 and 256 kbit/s, nominal), and its preamble is not.

/// Time from a frame to its acknowledgement, nanoseconds: SIFS of the 2.4 GHz band (Table 17-9,
/// 19.8.4).
pub const SIFS_NS: u64 = 10_000;

/// Slot duration where 802.11b stations may take part, nanoseconds (Table 17-9, 19.8.4).
pub const SLOT_NS: u64 = 20_000;

/// Slot duration where all stations support 802.11g or later, nanoseconds (19.8.4).
pub const SHORT_SLOT_NS: u64 = 9_000;

/// Idle time of the medium before a frame, nanoseconds: DIFS (9.3.2.3.5).
pub const DIFS_NS: u64 = space_ns(2, SLOT_NS);

/// Idle time of the medium before a frame, nanoseconds: SIFS plus `slots` of `slot_ns`. `slots` is
/// 2 for DIFS (9.3.2.3.5) and AIFSN for an access category (9.3.2.3.6).
#[must_use]
pub const fn space_ns(slots: u8, slot_ns: u64) -> u64 {
    SIFS_NS + slots as u64 * slot_ns
}

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
    /// Espressif's long range mode at nominally 256 kbit/s.
    LongRange256,
    /// Espressif's long range mode at nominally 512 kbit/s.
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
    /// HT of 20 MHz and one spatial stream.
    Ht(Mcs, GuardInterval),
}

/// Modulation and coding scheme of one spatial stream (20.6, table 20-30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mcs(u8);

impl Mcs {
    /// Creates a scheme from its index, 0 to 7. `None` for a larger index.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 8 { Some(Self(index)) } else { None }
    }

    /// Index from 0 to 7.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Data bits per symbol in 20 MHz (table 20-30).
    const fn bits_per_symbol(self) -> u64 {
        [26, 52, 78, 104, 156, 208, 234, 260][self.0 as usize]
    }
}

/// Guard interval of HT symbols: 0.8 or 0.4 us (20.3.11.11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GuardInterval {
    /// Symbols of 4 us.
    Long,
    /// Symbols of 3.6 us.
    Short,
}

const fn ht(mcs: u8, guard: GuardInterval) -> Rate {
    Rate::Ht(Mcs(mcs), guard)
}

impl Rate {
    /// All rates, slowest first within each modulation.
    pub const ALL: [Self; 30] = [
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
        ht(0, GuardInterval::Long),
        ht(1, GuardInterval::Long),
        ht(2, GuardInterval::Long),
        ht(3, GuardInterval::Long),
        ht(4, GuardInterval::Long),
        ht(5, GuardInterval::Long),
        ht(6, GuardInterval::Long),
        ht(7, GuardInterval::Long),
        ht(0, GuardInterval::Short),
        ht(1, GuardInterval::Short),
        ht(2, GuardInterval::Short),
        ht(3, GuardInterval::Short),
        ht(4, GuardInterval::Short),
        ht(5, GuardInterval::Short),
        ht(6, GuardInterval::Short),
        ht(7, GuardInterval::Short),
    ];

    /// Bit rate, kbit/s. Long range mode runs at 500 and 250 kbit/s, a quarter and an eighth of the
    /// 2 Mbit/s from which it is derived. Its documentation rounds both rates up.
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
            Self::Ht(mcs, GuardInterval::Long) => mcs.bits_per_symbol() as u32 * 250,
            Self::Ht(mcs, GuardInterval::Short) => mcs.bits_per_symbol() as u32 * 10_000 / 36,
        }
    }

    /// Returns true for the rates of clauses 18 and 19.
    #[must_use]
    pub const fn is_ofdm(self) -> bool {
        matches!(
            self,
            Self::Ofdm6
                | Self::Ofdm9
                | Self::Ofdm12
                | Self::Ofdm18
                | Self::Ofdm24
                | Self::Ofdm36
                | Self::Ofdm48
                | Self::Ofdm54
        )
    }

    /// Returns true for Espressif's proprietary modulation.
    #[must_use]
    pub const fn is_long_range(self) -> bool {
        matches!(self, Self::LongRange256 | Self::LongRange512)
    }

    /// Duration of the preamble and the physical-layer header, before the first octet of the frame,
    /// nanoseconds. This duration is not documented for long range mode. The long preamble of DSSS
    /// is assumed for long range mode, because long range mode is derived from DSSS.
    #[must_use]
    pub const fn preamble_ns(self) -> u64 {
        match self {
            // 20.4.3: the legacy preamble and signal, HT-SIG 8 us, HT-STF 4 us, one HT-LTF 4 us.
            Self::Ht(..) => 36_000,
            _ if self.is_ofdm() => 20_000,
            _ => LONG_PREAMBLE_NS,
        }
    }

    /// Airtime of a frame of `len` octets, FCS included, nanoseconds.
    #[must_use]
    pub const fn duration_ns(self, len: usize) -> u64 {
        let bits = 8 * len as u64;
        if let Self::Ht(mcs, guard) = self {
            // 20.4.3: SERVICE 16 and tail 6 bits; short symbols are filled up to whole long ones.
            let symbols = (16 + bits + 6).div_ceil(mcs.bits_per_symbol());
            let long = match guard {
                GuardInterval::Long => symbols,
                GuardInterval::Short => (symbols * 36).div_ceil(40),
            };
            return self.preamble_ns() + 4_000 * long + 6_000;
        }
        if self.is_ofdm() {
            // 18.4.3: SERVICE 16 and tail 6 bits, whole symbols of 4 us; 19.8.3: followed by 6 us.
            let per_symbol = self.kbps() as u64 * 4 / 1_000;
            return self.preamble_ns() + 4_000 * (16 + bits + 6).div_ceil(per_symbol) + 6_000;
        }
        // 17.3.4: the duration of the octets is rounded up to whole microseconds.
        self.preamble_ns() + 1_000 * (bits * 1_000).div_ceil(self.kbps() as u64)
    }

    /// Returns the rate of the acknowledgement of a frame (IEEE Std 802.11-2012, 9.7.6.5.2): the
    /// highest mandatory rate of the same modulation class that does not exceed the rate of the
    /// frame. For an HT frame, this comparison uses the ERP-OFDM rate with the modulation and
    /// coding of the HT frame (9.7.9, table 9-5).
    #[must_use]
    pub const fn of_ack(self) -> Self {
        match self {
            Self::Ht(Mcs(0), _) => Self::Ofdm6,
            Self::Ht(Mcs(1 | 2), _) => Self::Ofdm12,
            Self::Ht(..) => Self::Ofdm24,
            Self::Ofdm6 | Self::Ofdm9 => Self::Ofdm6,
            Self::Ofdm12 | Self::Ofdm18 => Self::Ofdm12,
            Self::Ofdm24 | Self::Ofdm36 | Self::Ofdm48 | Self::Ofdm54 => Self::Ofdm24,
            other => other,
        }
    }

    /// Airtime of the acknowledgement of a frame at this rate, nanoseconds.
    #[must_use]
    pub const fn ack_ns(self) -> u64 {
        self.of_ack().duration_ns(ACK_LEN)
    }

    /// Acknowledgement timeout after a frame, nanoseconds: SIFS, a slot of `slot_ns` and the
    /// preamble (9.3.2.8).
    #[must_use]
    pub const fn ack_timeout_ns(self, slot_ns: u64) -> u64 {
        SIFS_NS + slot_ns + self.of_ack().preamble_ns()
    }

    /// Returns the EIFS, nanoseconds: the idle time of the medium that a station requires after a
    /// frame that it could not decode (IEEE Std 802.11-2012, 9.3.2.3.7). The EIFS is the sum of a
    /// SIFS, an acknowledgement at the lowest rate, and `space_ns`, the interframe space after a
    /// decoded frame (DIFS or AIFS). The lowest rate is 1 Mbit/s of DSSS, or 256 kbit/s in long
    /// range mode.
    #[must_use]
    pub const fn eifs_ns(self, space_ns: u64) -> u64 {
        let lowest = if self.is_long_range() { Self::LongRange256 } else { Self::Dsss1 };
        SIFS_NS + lowest.duration_ns(ACK_LEN) + space_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acknowledgement_at_one_megabit_lasts_304_microseconds() {
        // Textbook figure for 802.11b.
        assert_eq!(Rate::Dsss1.ack_ns(), 304_000);
        assert_eq!(Rate::Dsss1.eifs_ns(DIFS_NS), 364_000);
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
        // The body is surrounded by 43 octets: 12 bytes take 0.632 ms, 128 bytes 1.560 ms, 250
        // bytes 2.536 ms.
        for (body, us) in [(12, 632), (24, 728), (128, 1_560), (250, 2_536)] {
            assert_eq!(Rate::Dsss1.duration_ns(43 + body), us * 1_000);
        }
    }

    #[test]
    fn cck_rounds_up_to_a_microsecond() {
        // 17.3.4.2, example: 1023 octets at 11 Mbit/s take 744 us after the preamble, 1024 take
        // 745.
        assert_eq!(Rate::Cck11.duration_ns(1_023) - 192_000, 744_000);
        assert_eq!(Rate::Cck11.duration_ns(1_024) - 192_000, 745_000);
    }

    #[test]
    fn ht_has_the_rates_of_its_table() {
        // 20.6, table 20-30, rounded down to a kilobit.
        let long = [6_500, 13_000, 19_500, 26_000, 39_000, 52_000, 58_500, 65_000];
        let short = [7_222, 14_444, 21_666, 28_888, 43_333, 57_777, 65_000, 72_222];
        for index in 0..8 {
            let mcs = Mcs::new(index).expect("it is below 8");
            let at = usize::from(index);
            assert_eq!(Rate::Ht(mcs, GuardInterval::Long).kbps(), long[at]);
            assert_eq!(Rate::Ht(mcs, GuardInterval::Short).kbps(), short[at]);
        }
        assert_eq!(Mcs::new(8), None);
    }

    #[test]
    fn an_ht_frame_lasts_whole_symbols_behind_its_mixed_preamble() {
        // 1500 octets at MCS 7: (16 + 12000 + 6) / 260 = 47 symbols; 47 * 3.6 us fill 43 of 4 us.
        let mcs7 = |guard| Rate::Ht(Mcs(7), guard);
        assert_eq!(mcs7(GuardInterval::Long).duration_ns(1_500), 36_000 + 188_000 + 6_000);
        assert_eq!(mcs7(GuardInterval::Short).duration_ns(1_500), 36_000 + 172_000 + 6_000);
        // The acknowledgement at 24 Mbit/s takes 20 + 8 + 6 us and is detected within a slot of 9
        // us.
        assert_eq!(mcs7(GuardInterval::Long).ack_ns(), 34_000);
        assert_eq!(mcs7(GuardInterval::Long).ack_timeout_ns(SHORT_SLOT_NS), 39_000);
        assert_eq!(Rate::Ht(Mcs(0), GuardInterval::Long).ack_ns(), 50_000);
    }

    #[test]
    fn interframe_spaces_with_short_slots_are_those_of_802_11g() {
        assert_eq!(space_ns(2, SHORT_SLOT_NS), 28_000);
        // AIFSN 3 of best effort.
        assert_eq!(space_ns(3, SHORT_SLOT_NS), 37_000);
    }

    #[test]
    fn a_faster_rate_of_one_modulation_never_takes_longer() {
        let modulation = |rate: Rate| match rate {
            Rate::Ht(_, guard) => (2, Some(guard)),
            rate => (u8::from(rate.is_ofdm()), None),
        };
        let alike = |pair: &&[Rate]| modulation(pair[0]) == modulation(pair[1]);
        for pair in Rate::ALL.windows(2).filter(alike) {
            for len in [14, 55, 293, 1_500] {
                assert!(pair[0].duration_ns(len) >= pair[1].duration_ns(len), "{pair:?}, {len}");
            }
        }
    }
}
