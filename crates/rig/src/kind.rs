//! What kinds of link there are, and what each hands to the bench.

use airlag_sim::Sim;
use serde::Deserialize;

use crate::error::Error;
use crate::floor::Floor;
use crate::knob::Knob;
use crate::parameter::Known;
use crate::profile::Profile;
use crate::propagation::radio;
use crate::run::Wiring;
use crate::{ble, espnow, gpio, hc05, ieee802154, lora, nrf24, sik, spp, uart};

/// A kind of link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A pair of nRF24L01+.
    Nrf24,
    /// A pair of SX1276 in LoRa mode.
    Lora,
    /// One board that answers its trigger with a strobe.
    Gpio,
    /// Two serial ports and a wire.
    Uart,
    /// A pair of raw IEEE 802.15.4 radios.
    Ieee802154,
    /// A pair of ESP32 with ESP-NOW.
    Espnow,
    /// A pair of SiK telemetry radios between two serial ports.
    Sik,
    /// Two serial-port modules over Bluetooth Classic.
    Hc05,
    /// Two ESP32 with a serial port over Bluetooth Classic.
    Spp,
    /// A Bluetooth LE connection.
    Ble,
}

/// What carries a message from one board to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Nothing: there is one board.
    None,
    /// A wire from end to end.
    Wire,
    /// A radio somewhere on the way.
    Air,
}

/// What the bench has to know of a kind.
pub(crate) struct Spec {
    /// What a profile of this kind sets, in the order it is shown.
    pub parameters: &'static [Known],
    /// Builds the bench of a profile for messages of a size.
    pub wire: fn(&Profile, usize, &Sim) -> Result<Wiring, Error>,
    /// What a message of a size takes at least.
    pub floor: fn(&Profile, usize) -> Result<Floor, Error>,
    /// What can be turned to make it quicker.
    pub knobs: &'static [Knob],
}

impl Kind {
    pub(crate) const fn spec(self) -> Spec {
        match self {
            Self::Nrf24 => Spec {
                parameters: radio!(nrf24::PARAMETERS),
                wire: nrf24::wire,
                floor: nrf24::floor,
                knobs: nrf24::KNOBS,
            },
            Self::Lora => Spec {
                parameters: radio!(lora::PARAMETERS),
                wire: lora::wire,
                floor: lora::floor,
                knobs: lora::KNOBS,
            },
            Self::Gpio => Spec {
                parameters: gpio::PARAMETERS,
                wire: gpio::wire,
                floor: gpio::floor,
                knobs: gpio::KNOBS,
            },
            Self::Uart => Spec {
                parameters: uart::PARAMETERS,
                wire: uart::wire,
                floor: uart::floor,
                knobs: uart::KNOBS,
            },
            Self::Ieee802154 => Spec {
                parameters: radio!(ieee802154::PARAMETERS),
                wire: ieee802154::wire,
                floor: ieee802154::floor,
                knobs: ieee802154::KNOBS,
            },
            Self::Espnow => Spec {
                parameters: radio!(espnow::PARAMETERS),
                wire: espnow::wire,
                floor: espnow::floor,
                knobs: espnow::KNOBS,
            },
            Self::Sik => Spec {
                parameters: sik::PARAMETERS,
                wire: sik::wire,
                floor: sik::floor,
                knobs: sik::KNOBS,
            },
            Self::Hc05 => Spec {
                parameters: hc05::PARAMETERS,
                wire: hc05::wire,
                floor: hc05::floor,
                knobs: hc05::KNOBS,
            },
            Self::Spp => Spec {
                parameters: spp::PARAMETERS,
                wire: spp::wire,
                floor: spp::floor,
                knobs: spp::KNOBS,
            },
            Self::Ble => Spec {
                parameters: radio!(ble::PARAMETERS),
                wire: ble::wire,
                floor: ble::floor,
                knobs: ble::KNOBS,
            },
        }
    }

    /// What carries its messages.
    #[must_use]
    pub const fn medium(self) -> Medium {
        match self {
            Self::Gpio => Medium::None,
            Self::Uart => Medium::Wire,
            _ => Medium::Air,
        }
    }

    /// Every parameter of this kind.
    #[must_use]
    pub const fn parameters(self) -> &'static [Known] {
        self.spec().parameters
    }

    /// Positions in a ring that a capture leaves free besides phases: which parameter holds each,
    /// and how many there are.
    pub(crate) fn positions(self, profile: &Profile) -> Result<Vec<(&'static str, u64)>, Error> {
        match self {
            Self::Uart => uart::positions(profile),
            _ => Ok(Vec::new()),
        }
    }
}
