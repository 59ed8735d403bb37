//! A modulation with its airtime, on either chip.

use std::rc::Rc;

use airlag_air::Modulation;
use airlag_link::airtime::{lora, sx128x};

use crate::chip::sx127x::{packet, settings};
use crate::chip::sx128x::modulation;

/// LoRa sync word of the firmware, the chip's default (`SX127xDriver`).
const SYNC_WORD: u8 = 0x12;

/// Modulation and packet format of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waveform {
    /// LoRa on an SX1276.
    Sx127x(lora::Frame),
    /// LoRa on an SX1280.
    Sx128xLora(sx128x::Lora),
    /// FLRC on an SX1280.
    Sx128xFlrc(sx128x::Flrc),
}

impl Waveform {
    /// Airtime of a frame of `len` bytes, ns.
    #[must_use]
    pub const fn duration_ns(&self, len: usize) -> u64 {
        match self {
            Self::Sx127x(frame) => frame.duration_ns(len),
            Self::Sx128xLora(frame) => frame.duration_ns(len),
            Self::Sx128xFlrc(frame) => frame.duration_ns(len),
        }
    }

    /// Modulation.
    #[must_use]
    pub fn modulation(&self) -> Modulation {
        match self {
            Self::Sx127x(frame) => settings::modulation(frame, false),
            Self::Sx128xLora(frame) => modulation::lora(frame),
            Self::Sx128xFlrc(frame) => modulation::flrc(frame),
        }
    }

    /// Width of the spectrum that a frame occupies, kHz. For LoRa at 2.4 GHz, this width is the
    /// nominal bandwidth in the firmware (`BW_0800`). The chirps extend 6 kHz further at each edge.
    /// These 6 kHz are left out, because with them the first channel would begin below the band.
    /// For FLRC, the width is the receiver bandwidth of 600 kHz.
    #[must_use]
    pub const fn width_khz(&self) -> u32 {
        match self {
            Self::Sx127x(frame) => frame.bandwidth.hz() / 1_000,
            Self::Sx128xLora(frame) => frame.bandwidth_hz / 100_000 * 100,
            Self::Sx128xFlrc(_) => 600,
        }
    }

    /// Frame on the air with these bytes.
    #[must_use]
    pub fn wrap(&self, bytes: &[u8]) -> Rc<[u8]> {
        match self {
            Self::Sx127x(frame) => packet::pack(frame, SYNC_WORD, bytes.iter().copied()),
            Self::Sx128xLora(_) | Self::Sx128xFlrc(_) => bytes.into(),
        }
    }

    /// Bytes of a frame on the air. `None` if it is in another format.
    #[must_use]
    pub fn unwrap<'a>(&self, frame: &'a [u8]) -> Option<&'a [u8]> {
        match self {
            Self::Sx127x(_) => packet::unpack(frame).map(|packet| packet.payload),
            Self::Sx128xLora(_) | Self::Sx128xFlrc(_) => Some(frame),
        }
    }
}
