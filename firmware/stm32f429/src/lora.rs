//! An RFM95W or another SX127x module on the radio header.

use airlag_drivers::Sx127x;

use crate::board::{self, Bus, Input, Radio};
use crate::delay::AtLeast;
use crate::settings;

/// Sets the radio up. The board halts if there is none on the header.
pub async fn start(radio: Radio) -> Sx127x<Bus, Input> {
    let Radio { bus, mut control, interrupt, ready } = radio;
    let config = settings::lora();
    let made = Sx127x::new(bus, interrupt, ready, &mut control, &mut AtLeast, config).await;
    // If it were dropped, the reset pin would float.
    core::mem::forget(control);
    match made {
        Ok(driver) => {
            board::ready();
            driver
        }
        Err(_) => board::halt(),
    }
}
