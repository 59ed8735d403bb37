//! Channels, data rates and receive windows of a region.
//!
//! LoRaWAN Regional Parameters RP002: EU863-870 and US902-928. Values were compared with
//! `RegionEU868.h` and `RegionUS915.h` of Semtech's LoRaMac-node.

use airlag_air::{Band, Modulation};
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};

use crate::chip::sx127x::settings;

/// Sync word of public networks.
pub const SYNC_WORD: u8 = 0x34;

/// Bytes around the data of an application: header, device address, control, counter, port and
/// integrity code.
pub const OVERHEAD: usize = 13;

/// Sub-band that stands for all channels of US915.
pub const ALL_SUB_BANDS: u8 = 0;

/// Channel plan of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Europe: the three channels that every device has.
    Eu868,
    /// The United States: 64 channels of 125 kHz and 8 of 500 kHz, in eight sub-bands.
    Us915,
}

/// Direction of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the device.
    Up,
    /// To the device.
    Down,
}

/// A data rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataRate {
    /// Spreading factor.
    pub spreading_factor: SpreadingFactor,
    /// Bandwidth.
    pub bandwidth: Bandwidth,
    /// Most bytes of an application in a frame that no repeater forwards.
    pub most: usize,
}

impl DataRate {
    /// Format of frames: preamble of 8 symbols, coding rate 4/5, explicit header; a CRC only in
    /// uplinks (LoRaWAN 1.0.4, 4).
    #[must_use]
    pub const fn frame(self, direction: Direction) -> Frame {
        let crc = matches!(direction, Direction::Up);
        Frame { crc, ..Frame::new(self.spreading_factor, self.bandwidth, CodingRate::Cr4_5) }
    }

    /// Modulation. Chirps of downlinks are inverted, so that devices do not hear each other.
    #[must_use]
    pub fn modulation(self, direction: Direction) -> Modulation {
        settings::modulation(&self.frame(direction), direction == Direction::Down)
    }

    /// Airtime of a frame with `data` bytes of an application, ns.
    #[must_use]
    pub const fn duration_ns(self, direction: Direction, data: usize) -> u64 {
        self.frame(direction).duration_ns(data + OVERHEAD)
    }

    /// Frequency band around `khz`.
    #[must_use]
    pub const fn band(self, khz: u32) -> Band {
        Band::around(khz, self.bandwidth.hz().div_ceil(1_000))
    }
}

impl Plan {
    /// Highest data rate of an uplink with LoRa modulation on channels that every device has.
    #[must_use]
    pub const fn fastest(self) -> u8 {
        match self {
            Self::Eu868 => 5,
            Self::Us915 => 4,
        }
    }

    /// Returns data rate number `nth`, or `None` if this direction does not have it.
    #[must_use]
    pub const fn data_rate(self, direction: Direction, nth: u8) -> Option<DataRate> {
        let (exponent, bandwidth, most) = match (self, direction, nth) {
            (Self::Eu868, _, 0) => (12, Bandwidth::Khz125, 51),
            (Self::Eu868, _, 1) => (11, Bandwidth::Khz125, 51),
            (Self::Eu868, _, 2) => (10, Bandwidth::Khz125, 51),
            (Self::Eu868, _, 3) => (9, Bandwidth::Khz125, 115),
            (Self::Eu868, _, 4) => (8, Bandwidth::Khz125, 242),
            (Self::Eu868, _, 5) => (7, Bandwidth::Khz125, 242),
            (Self::Us915, Direction::Up, 0) => (10, Bandwidth::Khz125, 11),
            (Self::Us915, Direction::Up, 1) => (9, Bandwidth::Khz125, 53),
            (Self::Us915, Direction::Up, 2) => (8, Bandwidth::Khz125, 125),
            (Self::Us915, Direction::Up, 3) => (7, Bandwidth::Khz125, 242),
            (Self::Us915, Direction::Up, 4) => (8, Bandwidth::Khz500, 242),
            (Self::Us915, Direction::Down, 8) => (12, Bandwidth::Khz500, 53),
            (Self::Us915, Direction::Down, 9) => (11, Bandwidth::Khz500, 129),
            (Self::Us915, Direction::Down, 10) => (10, Bandwidth::Khz500, 242),
            (Self::Us915, Direction::Down, 11) => (9, Bandwidth::Khz500, 242),
            (Self::Us915, Direction::Down, 12) => (8, Bandwidth::Khz500, 242),
            (Self::Us915, Direction::Down, 13) => (7, Bandwidth::Khz500, 242),
            _ => return None,
        };
        match SpreadingFactor::new(exponent) {
            Some(spreading_factor) => Some(DataRate { spreading_factor, bandwidth, most }),
            None => None,
        }
    }

    /// Data rate of the first window after an uplink at `nth`, with an offset of 0.
    #[must_use]
    pub const fn first_window(self, nth: u8) -> u8 {
        match (self, nth) {
            (Self::Eu868, _) => nth,
            (Self::Us915, 4) => 13,
            (Self::Us915, _) => nth + 10,
        }
    }

    /// Channels for uplinks at data rate `nth`: the first one, and their number.
    #[must_use]
    pub const fn channels(self, nth: u8, sub_band: u8) -> (u8, u8) {
        match (self, nth, sub_band) {
            (Self::Eu868, _, _) => (0, 3),
            (Self::Us915, 4, ALL_SUB_BANDS) => (64, 8),
            (Self::Us915, 4, _) => (63 + sub_band, 1),
            (Self::Us915, _, ALL_SUB_BANDS) => (0, 64),
            (Self::Us915, _, _) => (8 * (sub_band - 1), 8),
        }
    }

    /// Centre of the channel of an uplink, kHz.
    #[must_use]
    pub const fn channel_khz(self, channel: u8) -> u32 {
        match self {
            Self::Eu868 => 868_100 + 200 * channel as u32,
            Self::Us915 if channel < 64 => 902_300 + 200 * channel as u32,
            Self::Us915 => 903_000 + 1_600 * (channel as u32 - 64),
        }
    }

    /// Centre of the first window after an uplink on `channel`, kHz.
    #[must_use]
    pub const fn first_window_khz(self, channel: u8) -> u32 {
        match self {
            Self::Eu868 => self.channel_khz(channel),
            Self::Us915 => 923_300 + 600 * (channel as u32 % 8),
        }
    }

    /// Centre of the second window, kHz.
    #[must_use]
    pub const fn second_window_khz(self) -> u32 {
        match self {
            Self::Eu868 => 869_525,
            Self::Us915 => 923_300,
        }
    }

    /// Largest share of time that a gateway sends in the second window: 10 % between 869.4 and
    /// 869.65 MHz (ERC Recommendation 70-03, annex 1).
    #[must_use]
    pub const fn second_window_duty(self) -> f64 {
        match self {
            Self::Eu868 => 0.1,
            Self::Us915 => 1.0,
        }
    }

    /// Whether a device uses each channel once before it uses one again, as 47 CFR 15.247 requires
    /// of hopping.
    #[must_use]
    pub const fn takes_turns(self) -> bool {
        matches!(self, Self::Us915)
    }

    /// Longest uplink that the region allows, ns: 400 ms of dwell time in US915.
    #[must_use]
    pub const fn longest_ns(self) -> u64 {
        match self {
            Self::Eu868 => u64::MAX,
            Self::Us915 => 400_000_000,
        }
    }
}
