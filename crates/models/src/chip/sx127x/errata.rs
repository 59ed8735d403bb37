//! Register settings that Semtech's errata note for SX1276/77/78 (revision 1) requires, and
//! detection of required settings that a driver does not make. The note states which receiver
//! properties degrade without these settings, but not by how much. The model therefore does not
//! change reception.

use airlag_link::airtime::lora::{Bandwidth, Frame};

use super::registers::{Registers, at};
use super::settings::centre_khz;

/// An item of the errata note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Erratum {
    /// 2.1: sensitivity at 500 kHz.
    Sensitivity500Khz,
    /// 2.3: a LoRa signal next to the channel is received as if it were in the channel.
    SpuriousReception,
}

/// Errata that `registers` do not follow for a receiver of `frame`.
#[must_use]
pub(super) fn unheeded(registers: &Registers, frame: &Frame) -> Vec<Erratum> {
    let is = |address: u8, value: u8| registers.get(address) == value;
    let wide = frame.bandwidth == Bandwidth::Khz500;
    let optimised = match centre_khz(registers) {
        _ if !wide => is(at::HIGH_BW_OPTIMIZE_1, 0x03),
        862_000..=1_020_000 => is(at::HIGH_BW_OPTIMIZE_1, 0x02) && is(at::HIGH_BW_OPTIMIZE_2, 0x64),
        410_000..=525_000 => is(at::HIGH_BW_OPTIMIZE_1, 0x02) && is(at::HIGH_BW_OPTIMIZE_2, 0x7F),
        _ => true,
    };
    let automatic = registers.get(at::DETECT_OPTIMIZE) & 0x80 != 0;
    let if_freq = match frame.bandwidth {
        Bandwidth::Khz7_8 => 0x48,
        Bandwidth::Khz62_5 | Bandwidth::Khz125 | Bandwidth::Khz250 => 0x40,
        _ => 0x44,
    };
    let by_hand = !automatic && is(at::IF_FREQ_1, 0x00) && is(at::IF_FREQ_2, if_freq);
    let clean = if wide { automatic } else { by_hand };
    let items = [(optimised, Erratum::Sensitivity500Khz), (clean, Erratum::SpuriousReception)];
    items.into_iter().filter(|(heeded, _)| !heeded).map(|(_, item)| item).collect()
}
