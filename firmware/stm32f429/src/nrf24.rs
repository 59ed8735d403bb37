//! An nRF24L01+ module on the radio header.

use airlag_drivers::Nrf24;
use airlag_drivers::nrf24::Role;
use embassy_stm32::gpio::Output;

use crate::board::{self, Bus, Input, Radio};
use crate::delay::AtLeast;
use crate::settings;

/// Sets the radio up as one end of the link. The board halts if there is none on the header.
pub async fn start(radio: Radio, role: Role) -> Nrf24<Bus, Output<'static>, Input> {
    let Ok(config) = settings::nrf24(role) else { board::halt() };
    match Nrf24::new(radio.bus, radio.control, radio.interrupt, &mut AtLeast, config).await {
        Ok(driver) => {
            board::ready();
            driver
        }
        Err(_) => board::halt(),
    }
}
