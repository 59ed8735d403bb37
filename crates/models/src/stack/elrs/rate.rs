//! Packet rates: waveform, interval, and hop interval of each, as in the firmware's table
//! (`common.cpp`, `ExpressLRS_AirRateConfig`).

use airlag_link::airtime::{lora, sx128x};
use airlag_sim::Duration;

use super::ota::Format;
use super::waveform::Waveform;

/// A packet rate. Names are those of the firmware, with the band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// 1000 Hz, FLRC at 2.4 GHz.
    F1000,
    /// 500 Hz, FLRC at 2.4 GHz, each frame sent twice.
    D500,
    /// 250 Hz, FLRC at 2.4 GHz, each frame sent four times.
    D250,
    /// 500 Hz, LoRa at 2.4 GHz.
    L500,
    /// 333 Hz, LoRa at 2.4 GHz, eight channels per frame.
    L333Full,
    /// 250 Hz, LoRa at 2.4 GHz.
    L250,
    /// 150 Hz, LoRa at 2.4 GHz.
    L150,
    /// 100 Hz, LoRa at 2.4 GHz, eight channels per frame.
    L100Full,
    /// 50 Hz, LoRa at 2.4 GHz.
    L50,
    /// 200 Hz, LoRa below 1 GHz.
    S200,
    /// 100 Hz, LoRa below 1 GHz, eight channels per frame.
    S100Full,
    /// 100 Hz, LoRa below 1 GHz.
    S100,
    /// 50 Hz, LoRa below 1 GHz.
    S50,
    /// 25 Hz, LoRa below 1 GHz.
    S25,
}

impl Rate {
    /// All rates, fastest of each band first.
    pub const ALL: [Self; 14] = [
        Self::F1000,
        Self::D500,
        Self::D250,
        Self::L500,
        Self::L333Full,
        Self::L250,
        Self::L150,
        Self::L100Full,
        Self::L50,
        Self::S200,
        Self::S100Full,
        Self::S100,
        Self::S50,
        Self::S25,
    ];

    /// Time from one slot to the next.
    #[must_use]
    pub const fn interval(self) -> Duration {
        Duration::from_us(match self {
            Self::F1000 | Self::D500 | Self::D250 => 1_000,
            Self::L500 => 2_000,
            Self::L333Full => 3_003,
            Self::L250 => 4_000,
            Self::L150 => 6_666,
            Self::L100Full | Self::S100Full | Self::S100 => 10_000,
            Self::L50 | Self::S50 => 20_000,
            Self::S200 => 5_000,
            Self::S25 => 40_000,
        })
    }

    /// Transmissions of each frame, in successive slots.
    #[must_use]
    pub const fn sends(self) -> u64 {
        match self {
            Self::D500 => 2,
            Self::D250 => 4,
            _ => 1,
        }
    }

    /// Slots on a channel before the next one is used.
    #[must_use]
    pub const fn hop_interval(self) -> u64 {
        match self {
            Self::F1000 | Self::D500 | Self::D250 | Self::L50 | Self::S25 => 2,
            _ => 4,
        }
    }

    /// Format of the frames.
    #[must_use]
    pub const fn format(self) -> Format {
        match self {
            Self::L333Full | Self::L100Full | Self::S100Full => Format::Full,
            _ => Format::Standard,
        }
    }

    /// Whether the rate is one of the 2.4 GHz band.
    #[must_use]
    pub const fn is_at_2400(self) -> bool {
        !matches!(self, Self::S200 | Self::S100Full | Self::S100 | Self::S50 | Self::S25)
    }

    /// Modulation and packet format. The firmware's CR_LI_4_7 is the register value of 4/8 (SX1280
    /// datasheet, table of coding rates), with which its airtimes agree.
    #[must_use]
    pub const fn waveform(self) -> Waveform {
        use lora::CodingRate::{Cr4_7, Cr4_8};
        use lora::SpreadingFactor::{Sf6, Sf7, Sf8, Sf9};
        match self {
            Self::F1000 | Self::D500 | Self::D250 => Waveform::Sx128xFlrc(sx128x::Flrc {
                bit_rate: 650_000,
                preamble: 32,
                sync_word: 32,
                crc: 16,
            }),
            Self::L500 => at_2400(5, 6, 12),
            Self::L333Full => at_2400(5, 8, 12),
            Self::L250 => at_2400(6, 8, 14),
            Self::L150 | Self::L100Full => at_2400(7, 8, 12),
            Self::L50 => at_2400(8, 8, 12),
            Self::S200 => below_1000(Sf6, Cr4_7, 8),
            Self::S100Full => below_1000(Sf6, Cr4_8, 8),
            Self::S100 => below_1000(Sf7, Cr4_7, 8),
            Self::S50 => below_1000(Sf8, Cr4_7, 10),
            Self::S25 => below_1000(Sf9, Cr4_7, 10),
        }
    }

    /// Airtime of a frame.
    #[must_use]
    pub const fn airtime(self) -> Duration {
        Duration::from_ns(self.waveform().duration_ns(self.format().frame_len()))
    }
}

/// LoRa in 812.5 kHz with long interleaving, without header and CRC.
const fn at_2400(spreading_factor: u8, coded_bits: u8, preamble: u16) -> Waveform {
    Waveform::Sx128xLora(sx128x::Lora {
        spreading_factor,
        bandwidth_hz: 812_500,
        coded_bits,
        long_interleaving: true,
        preamble,
        explicit_header: false,
        crc: false,
    })
}

/// LoRa in 500 kHz, without header and CRC.
const fn below_1000(
    spreading_factor: lora::SpreadingFactor,
    coding_rate: lora::CodingRate,
    preamble: u16,
) -> Waveform {
    Waveform::Sx127x(lora::Frame {
        spreading_factor,
        bandwidth: lora::Bandwidth::Khz500,
        coding_rate,
        preamble,
        explicit_header: false,
        crc: false,
        low_data_rate_optimize: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn airtimes_are_those_of_the_firmware() {
        // common.cpp, ExpressLRS_AirRateRFperf, us.
        let rows = [
            (Rate::F1000, 389),
            (Rate::L333Full, 2_374),
            (Rate::L250, 3_300),
            (Rate::L150, 5_871),
            (Rate::L100Full, 7_605),
            (Rate::L50, 10_798),
            (Rate::S200, 4_380),
            (Rate::S100Full, 6_690),
            (Rate::S100, 8_770),
            (Rate::S50, 18_560),
            (Rate::S25, 29_950),
        ];
        for (rate, us) in rows {
            let ours = rate.airtime().as_ns() as f64 / 1e3;
            let off = ours / f64::from(us) - 1.0;
            assert!(off.abs() < 0.018, "{rate:?}: {ours} us, {us} us");
        }
    }

    #[test]
    fn a_frame_fits_its_slot() {
        for rate in Rate::ALL {
            assert!(rate.airtime() < rate.interval(), "{rate:?}");
        }
    }
}
