//! Modulations. A receiver recognises only packets of its own modulation.

use airlag_air::Modulation;
use airlag_link::airtime::sx128x::{Flrc, Lora};

/// Family of LoRa. Chirps of different slopes are orthogonal (SX1280 datasheet, 7.2).
pub const LORA: &str = "SX1280 LoRa";
/// Family of FLRC.
pub const FLRC: &str = "SX1280 FLRC";

/// Modulation of a LoRa format: the slope of its chirps.
#[must_use]
pub const fn lora(format: &Lora) -> Modulation {
    let setting = (format.spreading_factor as u32) << 24 | format.bandwidth_hz;
    Modulation { family: LORA, setting }
}

/// Modulation of an FLRC format: its bit rate.
#[must_use]
pub const fn flrc(format: &Flrc) -> Modulation {
    Modulation { family: FLRC, setting: format.bit_rate }
}
