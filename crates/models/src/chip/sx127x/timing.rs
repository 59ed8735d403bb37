//! What the chip's transitions take, and what the datasheet leaves open.

use airlag_link::airtime::lora::Frame;
use airlag_sim::Duration;

/// Durations and readings of the chip. The defaults are those of the datasheet; what it does not
/// give is nothing at all, and has to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Sleep to standby: the crystal starts, TS_OSC (section 2.5.2, Table 7).
    pub crystal: Duration,
    /// Into standby while the crystal runs: from any mode but sleep, and from a sleep so short that
    /// it still swings. The datasheet gives no number.
    pub standby: Duration,
    /// How long a crystal that was switched off still swings. The datasheet gives no number.
    pub swings_on: Duration,
    /// Standby to synthesiser locked, TS_FS (Table 7).
    pub synthesiser: Duration,
    /// Standby to the first symbol: TS_FS and TS_TR, 5 us + 1.25 times RegPaRamp's default of 40 us
    /// (sections 4.2.5 and 4.2.5.1, which speak of FSK).
    pub transmit: Duration,
    /// Standby to receiving: TS_FS and TS_RE (section 4.2.5.2, which speaks of FSK).
    pub receive: Duration,
    /// From the end of a frame to RxDone, in thousandths of a symbol. The datasheet gives no
    /// number.
    pub decode_millisymbols: u64,
    /// What has to be added to that, or taken off it, whatever the symbol.
    pub decode_offset_ns: i64,
    /// Each end works on a grid of chips of its own: how late a sender may begin a frame, in
    /// thousandths of a chip.
    pub send_grid_millichips: u64,
    /// How late a receiver may find its end.
    pub receive_grid_millichips: u64,
    /// Symbols of preamble a receiver needs to lock. The datasheet wants 6 programmed at least
    /// (section 4.1.1.6) and lets a single reception give up after 4 (section 4.1.5).
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
    /// From the last symbol on the air to RxDone.
    #[must_use]
    pub fn decode(&self, frame: &Frame) -> Duration {
        let symbols = (frame.symbol_ns() * self.decode_millisymbols / 1_000).cast_signed();
        Duration::from_ns((symbols + self.decode_offset_ns).max(0).cast_unsigned())
    }

    /// How long `millichips` thousandths of a chip last.
    #[must_use]
    pub const fn chips(frame: &Frame, millichips: u64) -> Duration {
        Duration::from_ns(frame.bandwidth.chip_ns() * millichips / 1_000)
    }

    /// How long a channel activity detection receives: a symbol and 32 chips (section 4.1.6).
    #[must_use]
    pub const fn cad_receive(frame: &Frame) -> Duration {
        Duration::from_ns((frame.spreading_factor.chips() + 32) * frame.bandwidth.chip_ns())
    }

    /// How long it then computes: SF 2^SF / 1.75 MHz (Semtech AN1200.21).
    #[must_use]
    pub const fn cad_compute(frame: &Frame) -> Duration {
        let spreading = frame.spreading_factor;
        Duration::from_ns(spreading.exponent() as u64 * spreading.chips() * 4_000 / 7)
    }
}
