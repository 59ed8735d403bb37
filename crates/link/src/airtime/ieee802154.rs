//! IEEE 802.15.4 frames in its three original bands.
//!
//! All section numbers refer to IEEE Std 802.15.4-2006. Section 6.1.2 defines bands and symbol
//! rates. Section 6.3 defines the PPDU, which consists of a preamble of 4 octets, a start of frame
//! delimiter, one octet of length and the PSDU. Section 6.4.1 defines PHY constants. Section 7.4
//! defines MAC constants and attributes. The standard defines MAC times in symbols, so their
//! durations differ from band to band.

/// Octets of the longest PSDU: `aMaxPHYPacketSize` (6.4.1).
pub const MAX_PSDU: usize = 127;

/// Octets of an acknowledgement's PSDU: frame control 2, sequence number 1, FCS 2 (7.2.2.3).
pub const ACK_PSDU: usize = 5;

/// Turnaround between receiving and transmitting, symbols: `aTurnaroundTime` (6.4.1).
pub const TURNAROUND_SYMBOLS: u32 = 12;

/// Backoff unit, symbols: `aUnitBackoffPeriod` (7.4.1).
pub const UNIT_BACKOFF_SYMBOLS: u32 = 20;

/// Length of a clear channel assessment, symbols (6.9.9).
pub const CCA_SYMBOLS: u32 = 8;

/// Longest PSDU followed by the short interframe space, octets: `aMaxSIFSFrameSize` (7.4.1).
pub const MAX_SIFS_FRAME: usize = 18;

/// Interframe space after a short frame, symbols: `macMinSIFSPeriod` (7.4.2).
pub const SIFS_SYMBOLS: u32 = 12;

/// Interframe space after a long frame, symbols: `macMinLIFSPeriod` (7.4.2).
pub const LIFS_SYMBOLS: u32 = 40;

/// A physical layer of the standard (6.1.2, Table 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phy {
    /// 2450 MHz, O-QPSK, 250 kbit/s: four bits per symbol.
    Oqpsk2450,
    /// 868 MHz, BPSK, 20 kbit/s: one bit per symbol.
    Bpsk868,
    /// 915 MHz, BPSK, 40 kbit/s: one bit per symbol.
    Bpsk915,
}

impl Phy {
    /// All PHYs.
    pub const ALL: [Self; 3] = [Self::Oqpsk2450, Self::Bpsk868, Self::Bpsk915];

    /// Symbol duration, nanoseconds: 62.5, 20 and 40 ksymbol/s (Table 1).
    #[must_use]
    pub const fn symbol_ns(self) -> u64 {
        match self {
            Self::Oqpsk2450 => 16_000,
            Self::Bpsk868 => 50_000,
            Self::Bpsk915 => 25_000,
        }
    }

    /// Symbols per octet: `phySymbolsPerOctet` (6.4.2).
    #[must_use]
    pub const fn symbols_per_octet(self) -> u32 {
        match self {
            Self::Oqpsk2450 => 2,
            Self::Bpsk868 | Self::Bpsk915 => 8,
        }
    }

    /// Symbols of preamble and start of frame delimiter: `phySHRDuration` (6.4.2).
    #[must_use]
    pub const fn shr_symbols(self) -> u32 {
        5 * self.symbols_per_octet()
    }

    /// Duration of `symbols`, nanoseconds.
    #[must_use]
    pub const fn symbols_ns(self, symbols: u32) -> u64 {
        symbols as u64 * self.symbol_ns()
    }

    /// Airtime for a PSDU of `psdu` octets, FCS included, nanoseconds.
    #[must_use]
    pub const fn duration_ns(self, psdu: usize) -> u64 {
        let octets = (1 + psdu) as u32;
        self.symbols_ns(self.shr_symbols() + octets * self.symbols_per_octet())
    }

    /// Acknowledgement timeout after a frame, nanoseconds: `macAckWaitDuration` (7.4.2), the sum of
    /// a backoff period, a turnaround, and an acknowledgement up to its first octet of content.
    #[must_use]
    pub const fn ack_wait_ns(self) -> u64 {
        let content = 6 * self.symbols_per_octet();
        self.symbols_ns(UNIT_BACKOFF_SYMBOLS + TURNAROUND_SYMBOLS + self.shr_symbols() + content)
    }

    /// Interframe space after a frame of `psdu` octets, or after its acknowledgement, nanoseconds
    /// (7.5.1.3).
    #[must_use]
    pub const fn interframe_space_ns(self, psdu: usize) -> u64 {
        self.symbols_ns(if psdu <= MAX_SIFS_FRAME { SIFS_SYMBOLS } else { LIFS_SYMBOLS })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_last_as_long_as_a_sniffer_saw() {
        // Sniffer capture of acknowledged 127-octet frames: 4455 us from the start of a frame to
        // the start of its acknowledgement, and 3815 us for frames of 107 octets. The difference is
        // the time of 20 octets, without any turnaround.
        let phy = Phy::Oqpsk2450;
        assert_eq!(phy.duration_ns(127) - phy.duration_ns(107), (4_455 - 3_815) * 1_000);
        assert_eq!(phy.duration_ns(127), 4_256_000);
        assert_eq!(phy.duration_ns(ACK_PSDU), 352_000);
    }

    #[test]
    fn a_bit_lasts_what_the_name_of_the_rate_says() {
        for (phy, bits_per_second) in
            [(Phy::Oqpsk2450, 250_000), (Phy::Bpsk868, 20_000), (Phy::Bpsk915, 40_000)]
        {
            let octet_ns = phy.duration_ns(11) - phy.duration_ns(10);
            assert_eq!(octet_ns * bits_per_second, 8 * 1_000_000_000, "{phy:?}");
        }
    }

    #[test]
    fn the_acknowledgement_is_awaited_for_the_symbols_older_editions_list() {
        // IEEE Std 802.15.4-2003, Table 71: macAckWaitDuration is 54 or 120 symbols.
        for (phy, symbols) in [(Phy::Oqpsk2450, 54), (Phy::Bpsk868, 120), (Phy::Bpsk915, 120)] {
            assert_eq!(phy.ack_wait_ns(), phy.symbols_ns(symbols), "{phy:?}");
        }
    }

    #[test]
    fn the_longest_frame_stays_below_the_longest_the_standard_computes() {
        // phyMaxFrameDuration (Table 23): 266 symbols at 2450 MHz, 1064 below 1 GHz.
        for (phy, symbols) in [(Phy::Oqpsk2450, 266), (Phy::Bpsk868, 1_064), (Phy::Bpsk915, 1_064)]
        {
            assert_eq!(phy.duration_ns(MAX_PSDU), phy.symbols_ns(symbols), "{phy:?}");
        }
    }
}
