//! Delay from the end of a packet to its interrupt, which is longer at slower rates. A profile has
//! one value for each rate, so that changing the rate changes the delay.

use airlag_link::airtime::nrf24::Rate;
use airlag_models::chip::nrf24::Timing;
use airlag_sim::Duration;

use airlag_rig::parameter::parameters;

parameters! {
    /// Delay T_irq by rate.
    pub struct InterruptDelay {
        /// from the end of a packet to its interrupt at 250 kbit/s
        packet_to_irq_250k: Duration,
        /// from the end of a packet to its interrupt at 1 Mbit/s
        packet_to_irq_1m: Duration,
        /// from the end of a packet to its interrupt at 2 Mbit/s
        packet_to_irq_2m: Duration,
    }
}

impl InterruptDelay {
    /// Delay at one rate.
    #[must_use]
    pub const fn at(&self, rate: Rate) -> Duration {
        match rate {
            Rate::Kbps250 => self.packet_to_irq_250k,
            Rate::Mbps1 => self.packet_to_irq_1m,
            Rate::Mbps2 => self.packet_to_irq_2m,
        }
    }

    /// Chip timing with a settling time of `settle`.
    #[must_use]
    pub fn timing(&self, settle: Duration) -> Timing {
        Timing {
            settle,
            irq_2m: self.packet_to_irq_2m,
            irq_1m: self.packet_to_irq_1m,
            irq_250k: self.packet_to_irq_250k,
            ..Timing::default()
        }
    }
}
