//! Interpretation of the registers for a frame (sections 4.1.1, 4.1.4 and 6.4).

use airlag_air::{Band, Modulation};
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};

use super::registers::{Registers, at};

/// The family of LoRa frames on the air.
pub const FAMILY: &str = "lora";

/// RegInvertIQ: the receive path.
const INVERT_RX: u8 = 0x40;
/// RegInvertIQ: set when the transmit path is not inverted.
const PLAIN_TX: u8 = 0x01;

/// Current frame format; `None` for a reserved code or for spreading factor 6 with a header, which
/// the modem cannot send (section 4.1.1.2).
#[must_use]
pub fn frame(registers: &Registers) -> Option<Frame> {
    let (config_1, config_2) =
        (registers.get(at::MODEM_CONFIG_1), registers.get(at::MODEM_CONFIG_2));
    let frame = Frame {
        spreading_factor: SpreadingFactor::new(config_2 >> 4)?,
        bandwidth: *Bandwidth::ALL.get(usize::from(config_1 >> 4))?,
        coding_rate: CodingRate::new((config_1 >> 1 & 7) + 4)?,
        preamble: u16::from_be_bytes([
            registers.get(at::PREAMBLE_MSB),
            registers.get(at::PREAMBLE_LSB),
        ]),
        explicit_header: config_1 & 1 == 0,
        crc: config_2 & 0x04 != 0,
        low_data_rate_optimize: registers.get(at::MODEM_CONFIG_3) & 0x08 != 0,
    };
    let cannot = frame.explicit_header && frame.spreading_factor == SpreadingFactor::Sf6;
    (!cannot).then_some(frame)
}

/// RegSymbTimeout: preamble timeout of a single reception, symbols.
#[must_use]
pub fn symbol_timeout(registers: &Registers) -> u16 {
    u16::from_be_bytes([registers.get(at::MODEM_CONFIG_2) & 3, registers.get(at::SYMB_TIMEOUT_LSB)])
}

/// Carrier frequency, rounded to kilohertz: RegFrf in steps of 32 MHz over 2^19 (section 4.1.4).
#[must_use]
pub fn centre_khz(registers: &Registers) -> u32 {
    let steps = u64::from(u32::from_be_bytes([
        0,
        registers.get(at::FRF_MSB),
        registers.get(at::FRF_MID),
        registers.get(at::FRF_LSB),
    ]));
    ((steps * 32_000 + (1 << 18)) >> 19) as u32
}

/// Frequency band of a frame.
#[must_use]
pub fn band(registers: &Registers, frame: &Frame) -> Band {
    Band::around(centre_khz(registers), frame.bandwidth.hz().div_ceil(1_000))
}

/// Modulation that has to match for a receiver to detect a frame: the slope and direction of its
/// chirps. Frames that differ in it are orthogonal (section 4.1.1.2).
#[must_use]
pub fn modulation(frame: &Frame, inverted: bool) -> Modulation {
    let setting = u32::from(frame.spreading_factor.exponent()) << 8
        | (frame.bandwidth as u32) << 1
        | u32::from(inverted);
    Modulation { family: FAMILY, setting }
}

/// Chirp parameters encoded in a setting by [`modulation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chirps {
    /// Spreading factor.
    pub spreading_factor: SpreadingFactor,
    /// Bandwidth.
    pub bandwidth: Bandwidth,
    /// Whether chirps sweep downwards.
    pub inverted: bool,
}

/// Decodes a setting; `None` for one of another family.
#[must_use]
pub fn chirps(modulation: Modulation) -> Option<Chirps> {
    if modulation.family != FAMILY {
        return None;
    }
    let [_, _, exponent, low] = modulation.setting.to_be_bytes();
    Some(Chirps {
        spreading_factor: SpreadingFactor::new(exponent)?,
        bandwidth: *Bandwidth::ALL.get(usize::from(low >> 1))?,
        inverted: low & 1 != 0,
    })
}

/// Returns true if transmitted chirps are inverted.
#[must_use]
pub fn inverts_tx(registers: &Registers) -> bool {
    registers.get(at::INVERT_IQ) & PLAIN_TX == 0
}

/// Returns true if received chirps are inverted.
#[must_use]
pub fn inverts_rx(registers: &Registers) -> bool {
    registers.get(at::INVERT_IQ) & INVERT_RX != 0
}

/// Returns true if the detector is configured for the spreading factor (RegDetectOptimize,
/// RegDetectionThreshold). With other values nothing is ever detected.
#[must_use]
pub fn detects(registers: &Registers, frame: &Frame) -> bool {
    let set = (registers.get(at::DETECT_OPTIMIZE) & 7, registers.get(at::DETECTION_THRESHOLD));
    set == if frame.spreading_factor == SpreadingFactor::Sf6 { (5, 0x0C) } else { (3, 0x0A) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reset_values_are_sf7_at_125_khz_on_434_mhz() {
        let registers = Registers::default();
        let frame = frame(&registers).expect("a setting");
        let expected = Frame {
            crc: false,
            ..Frame::new(SpreadingFactor::Sf7, Bandwidth::Khz125, CodingRate::Cr4_5)
        };
        assert_eq!(frame, expected);
        assert_eq!(centre_khz(&registers), 434_000);
        assert_eq!(symbol_timeout(&registers), 0x64);
        assert!(detects(&registers, &frame));
        assert!(!inverts_rx(&registers) && !inverts_tx(&registers));
    }

    #[test]
    fn a_modulation_is_read_back_as_it_was_made() {
        for (spreading_factor, bandwidth) in
            SpreadingFactor::ALL.into_iter().flat_map(|sf| Bandwidth::ALL.map(|bw| (sf, bw)))
        {
            for inverted in [false, true] {
                let frame = Frame::new(spreading_factor, bandwidth, CodingRate::Cr4_5);
                let expected = Chirps { spreading_factor, bandwidth, inverted };
                assert_eq!(chirps(modulation(&frame, inverted)), Some(expected));
            }
        }
        assert_eq!(chirps(Modulation { family: "other", setting: 0x700 }), None);
        assert_eq!(chirps(Modulation { family: FAMILY, setting: 0xD0F }), None);
    }

    #[test]
    fn reserved_codes_are_no_setting() {
        for (address, value) in
            [(at::MODEM_CONFIG_1, 0xA2), (at::MODEM_CONFIG_1, 0x7A), (at::MODEM_CONFIG_2, 0xD0)]
        {
            let mut registers = Registers::default();
            registers.set(address, value);
            assert_eq!(frame(&registers), None, "{value:#04x}");
        }
        let mut headers_at_sf6 = Registers::default();
        headers_at_sf6.set(at::MODEM_CONFIG_2, 0x60);
        assert_eq!(frame(&headers_at_sf6), None);
    }
}
