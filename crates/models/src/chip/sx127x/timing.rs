//! Durations of the chip's transitions, including those that the datasheet does not state.

use airlag_link::airtime::lora::Frame;
use airlag_sim::Duration;

/// Durations and readings of the chip. Defaults are those of the datasheet. Values that it does not
/// state default to zero and have to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Sleep to standby: the crystal starts, TS_OSC (section 2.5.2, Table 7).
    pub crystal: Duration,
    /// Entry into standby with a running crystal: from any mode but sleep, or from a sleep so short
    /// that the crystal is still running. Not stated in the datasheet.
    pub standby: Duration,
    /// Time for which a stopped crystal keeps running. Not stated in the datasheet.
    pub swings_on: Duration,
    /// Standby to synthesiser locked, TS_FS (Table 7).
    pub synthesiser: Duration,
    /// Standby to the first symbol: TS_FS and TS_TR, 5 us + 1.25 times RegPaRamp's default of 40 us
    /// (sections 4.2.5 and 4.2.5.1, which describe FSK).
    pub transmit: Duration,
    /// Standby to receiving: TS_FS and TS_RE (section 4.2.5.2, which is on FSK).
    pub receive: Duration,
    /// Delay from the end of a frame to RxDone, in thousandths of a symbol. Not stated in the
    /// datasheet.
    pub decode_millisymbols: u64,
    /// Constant part of the delay from the end of a frame to RxDone, ns. It may be negative.
    pub decode_offset_ns: i64,
    /// Largest delay between a sender's frame start and its chip grid, in thousandths of a chip.
    pub send_grid_millichips: u64,
    /// Largest delay with which a receiver detects the end of a frame, in thousandths of a chip.
    pub receive_grid_millichips: u64,
    /// Preamble symbols that a receiver needs to lock. The datasheet requires at least 6 programmed
    /// symbols (section 4.1.1.6) and allows a single reception to give up after 4 (section 4.1.5).
    pub lock_symbols: u16,
    /// RegPktSnrValue of every packet, in quarters of a decibel.
    pub snr_quarter_db: i8,
    /// RegPktRssiValue of every packet.
    pub rssi: u8,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            crystal: Duration::from_us(250),
            standby: Duration::ZERO,
            swings_on: Duration::ZERO,
            synthesiser: Duration::from_us(60),
            transmit: Duration::from_us(115),
            receive: Duration::from_us(60),
            decode_millisymbols: 0,
            decode_offset_ns: 0,
            send_grid_millichips: 0,
            receive_grid_millichips: 0,
            lock_symbols: 4,
            snr_quarter_db: 36,
            rssi: 90,
        }
    }
}

impl Timing {
    /// Delay from the last symbol on the air to RxDone.
    #[must_use]
    pub fn decode(&self, frame: &Frame) -> Duration {
        let symbols = (frame.symbol_ns() * self.decode_millisymbols / 1_000).cast_signed();
        Duration::from_ns((symbols + self.decode_offset_ns).max(0).cast_unsigned())
    }

    /// Duration of `millichips` thousandths of a chip.
    #[must_use]
    pub const fn chips(frame: &Frame, millichips: u64) -> Duration {
        Duration::from_ns(frame.bandwidth.chip_ns() * millichips / 1_000)
    }

    /// Receive time of a channel activity detection: a symbol and 32 chips (section 4.1.6).
    #[must_use]
    pub const fn cad_receive(frame: &Frame) -> Duration {
        Duration::from_ns((frame.spreading_factor.chips() + 32) * frame.bandwidth.chip_ns())
    }

    /// Computation time of a channel activity detection: SF 2^SF / 1.75 MHz (Semtech AN1200.21).
    #[must_use]
    pub const fn cad_compute(frame: &Frame) -> Duration {
        let spreading = frame.spreading_factor;
        Duration::from_ns(spreading.exponent() as u64 * spreading.chips() * 4_000 / 7)
    }
}
