//! Configuration of the driver, and the resulting register values.

use airlag_link::airtime::lora::{Bandwidth, Frame, SpreadingFactor};

/// Crystal frequency of all modules with this chip (section 2.5.2), and the divider of its
/// synthesiser.
const CRYSTAL_HZ: u64 = 32_000_000;
const FREQUENCY_STEPS: u64 = 1 << 19;

/// State of the chip between operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// The crystal is off. This state has the lowest current, but every packet waits for the
    /// crystal to start.
    Sleep,
    /// The crystal is on. A receiver stays in receive mode between packets.
    Ready,
}

/// A setting outside the chip's limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The frequency is outside the bands of the chip (Table 1).
    #[error("{0} Hz is outside 137 MHz to 1020 MHz")]
    Frequency(u32),
    /// Below 400 MHz the two widest bandwidths are not supported (section 4.1.1.4).
    #[error("250 and 500 kHz are not supported at {0} Hz")]
    WideBelow400Mhz(u32),
    /// The power is not a setting of the boosted output.
    #[error("{0} dBm is outside 2 to 17 dBm")]
    Power(i8),
    /// Spreading factor 6 has no room for a header (section 4.1.1.2).
    #[error("spreading factor 6 needs implicit headers")]
    HeaderAtSf6,
    /// The preamble is shorter than the minimum that can be programmed (section 4.1.1.6).
    #[error("a preamble of {0} symbols is shorter than 6")]
    Preamble(u16),
    /// The length that both ends need with implicit headers is missing.
    #[error("implicit headers need a payload length from 1 to 255")]
    PayloadLength,
}

/// In RegDetectOptimize: the chip chooses its intermediate frequency.
const AUTOMATIC_IF: u8 = 0x80;

/// Configuration of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Carrier frequency.
    pub frequency_hz: u32,
    /// Modulation and frame format.
    pub frame: Frame,
    /// Length of every payload with implicit headers; otherwise ignored.
    pub implicit_length: u8,
    /// Sync word: 0x12 for private networks, 0x34 for LoRaWAN.
    pub sync_word: u8,
    /// Whether chirps are inverted. A LoRaWAN gateway inverts them, so that nodes do not receive
    /// each other.
    pub invert_iq: bool,
    /// Output power on PA_BOOST, the antenna pin of an RFM95W.
    pub power_dbm: i8,
    /// State between operations.
    pub idle: Idle,
}

impl Config {
    /// Creates a configuration for a private link at `frequency_hz` with 14 dBm and without sleep.
    #[must_use]
    pub const fn new(frequency_hz: u32, frame: Frame) -> Self {
        Self {
            frequency_hz,
            frame,
            implicit_length: 0,
            sync_word: 0x12,
            invert_iq: false,
            power_dbm: 14,
            idle: Idle::Ready,
        }
    }

    /// Sets the idle state.
    #[must_use]
    pub const fn idle(mut self, idle: Idle) -> Self {
        self.idle = idle;
        self
    }

    /// Longest payload of one packet.
    #[must_use]
    pub const fn mtu(&self) -> usize {
        if self.frame.explicit_header { 255 } else { self.implicit_length as usize }
    }

    /// Checks the settings against the chip's limits.
    pub const fn check(&self) -> Result<(), ConfigError> {
        let hz = self.frequency_hz;
        if hz < 137_000_000 || hz > 1_020_000_000 {
            return Err(ConfigError::Frequency(hz));
        }
        let wide = matches!(self.frame.bandwidth, Bandwidth::Khz250 | Bandwidth::Khz500);
        if wide && hz < 400_000_000 {
            return Err(ConfigError::WideBelow400Mhz(hz));
        }
        if self.power_dbm < 2 || self.power_dbm > 17 {
            return Err(ConfigError::Power(self.power_dbm));
        }
        if self.frame.preamble < 6 {
            return Err(ConfigError::Preamble(self.frame.preamble));
        }
        if self.frame.explicit_header {
            if matches!(self.frame.spreading_factor, SpreadingFactor::Sf6) {
                return Err(ConfigError::HeaderAtSf6);
            }
        } else if self.implicit_length == 0 {
            return Err(ConfigError::PayloadLength);
        }
        Ok(())
    }

    /// RegFrf, rounded to steps of 61.035 Hz.
    pub(super) const fn frf(&self) -> [u8; 3] {
        let steps = (self.frequency_hz as u64 * FREQUENCY_STEPS + CRYSTAL_HZ / 2) / CRYSTAL_HZ;
        [(steps >> 16) as u8, (steps >> 8) as u8, steps as u8]
    }

    /// RegPaConfig: 17 dBm minus the reduction of OutputPower, on PA_BOOST.
    pub(super) const fn pa_config(&self) -> u8 {
        0x80 | (self.power_dbm - 2) as u8
    }

    pub(super) const fn modem_config_1(&self) -> u8 {
        (self.bandwidth_code() << 4)
            | ((self.frame.coding_rate.denominator() - 4) << 1)
            | !self.frame.explicit_header as u8
    }

    pub(super) const fn modem_config_2(&self) -> u8 {
        (self.frame.spreading_factor.exponent() << 4) | ((self.frame.crc as u8) << 2)
    }

    /// RegModemConfig3 with the automatic gain control on.
    pub(super) const fn modem_config_3(&self) -> u8 {
        ((self.frame.low_data_rate_optimize as u8) << 3) | 0x04
    }

    /// RegDetectOptimize and RegDetectionThreshold (section 4.1.1.2), with automatic or fixed
    /// intermediate frequency.
    pub(super) const fn detection(&self) -> (u8, u8) {
        let automatic = if self.fixed_if() { 0 } else { AUTOMATIC_IF };
        match self.frame.spreading_factor {
            SpreadingFactor::Sf6 => (automatic | 0x45, 0x0C),
            _ => (automatic | 0x43, 0x0A),
        }
    }

    /// Whether the intermediate frequency is fixed by the driver. With a fixed intermediate
    /// frequency, the receiver rejects LoRa signals on frequencies next to its channel (errata
    /// note, 2.3). The intermediate frequency is fixed for bandwidths from 62.5 to 250 kHz. For a
    /// bandwidth of 500 kHz, the intermediate frequency that the chip selects automatically is
    /// correct. For bandwidths below 62.5 kHz, a fixed intermediate frequency would need different
    /// carriers for sending and receiving, so the chip keeps selecting the intermediate frequency
    /// automatically, as after a reset.
    const fn fixed_if(&self) -> bool {
        matches!(self.frame.bandwidth, Bandwidth::Khz62_5 | Bandwidth::Khz125 | Bandwidth::Khz250)
    }

    /// RegIfFreq2 and RegIfFreq1 for a fixed intermediate frequency (errata note, 2.3).
    pub(super) fn if_freq(&self) -> Option<[u8; 2]> {
        self.fixed_if().then_some([0x40, 0x00])
    }

    /// Values of RegHighBWOptimize1 and RegHighBWOptimize2. The second value is `None` if the chip
    /// sets RegHighBWOptimize2 by itself. In the bands that the errata note (2.1) mentions, the
    /// values give a receiver with a bandwidth of 500 kHz the sensitivity of the datasheet. In
    /// other bands, the registers keep their reset values.
    pub(super) const fn high_bw_optimize(&self) -> (u8, Option<u8>) {
        match (self.frame.bandwidth, self.frequency_hz) {
            (Bandwidth::Khz500, 862_000_000..=1_020_000_000) => (0x02, Some(0x64)),
            (Bandwidth::Khz500, 410_000_000..=525_000_000) => (0x02, Some(0x7F)),
            _ => (0x03, None),
        }
    }

    /// RegInvertIQ and RegInvertIQ2. Bit 0 is set when the transmit path is *not* inverted.
    pub(super) const fn invert_iq(&self) -> (u8, u8) {
        if self.invert_iq { (0x66, 0x19) } else { (0x27, 0x1D) }
    }

    const fn bandwidth_code(&self) -> u8 {
        self.frame.bandwidth as u8
    }
}
