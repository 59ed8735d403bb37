//! What kinds of link there are, and what each hands to the bench.

use airlag_sim::Sim;
use serde::Deserialize;

use crate::error::Error;
use crate::parameter::Known;
use crate::profile::Profile;
use crate::run::Wiring;
use crate::{ble, gpio, lora, nrf24, uart};

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
    /// A Bluetooth LE connection.
    Ble,
}

/// What the bench has to know of a kind.
pub(crate) struct Spec {
    /// What a profile of this kind sets, in the order it is shown.
    pub parameters: &'static [Known],
    /// Builds the bench of a profile for messages of a size.
    pub wire: fn(&Profile, usize, &Sim) -> Result<Wiring, Error>,
}

impl Kind {
    pub(crate) const fn spec(self) -> Spec {
        match self {
            Self::Nrf24 => Spec { parameters: nrf24::PARAMETERS, wire: nrf24::wire },
            Self::Lora => Spec { parameters: lora::PARAMETERS, wire: lora::wire },
            Self::Gpio => Spec { parameters: gpio::PARAMETERS, wire: gpio::wire },
            Self::Ble => Spec { parameters: ble::PARAMETERS, wire: ble::wire },
            Self::Uart => Spec { parameters: uart::PARAMETERS, wire: uart::wire },
        }
    }

    /// Every parameter of this kind.
    #[must_use]
    pub const fn parameters(self) -> &'static [Known] {
        self.spec().parameters
    }
}
