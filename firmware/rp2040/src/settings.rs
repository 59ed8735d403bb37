//! Settings of a build. `AIRLAG_SIZE=128 make firmware` builds images for messages of 128 bytes. Both
//! boards of a link need the same settings.

use airlag_drivers::nrf24::{Address, Config, ConfigError, Role};
use airlag_link::airtime::nrf24::Rate;
use airlag_link::message::MIN_LEN;

/// Longest message, bytes.
pub const LARGEST: usize = 2048;

/// Message size, bytes: `AIRLAG_SIZE`, or 12.
pub const SIZE: usize = size(option_env!("AIRLAG_SIZE"));
const _: () = assert!(SIZE >= MIN_LEN && SIZE <= LARGEST, "AIRLAG_SIZE must be 7 to 2048");

/// Highest SPI clock of the chip (nRF24L01+ v1.0, 8.3). The dividers of the RP2040 are even: from 125 MHz
/// the next clock below is 8.93 MHz.
pub const SPI_HZ: u32 = 10_000_000;

/// Radio settings of the profile `nrf24-2m`, as in `firmware/stm32f429`.
///
/// # Errors
///
/// [`ConfigError`] of an address with an invalid length.
pub const fn nrf24(role: Role) -> Result<Config, ConfigError> {
    match Address::new(&[0xE7, 0xD3, 0xF0]) {
        Ok(address) => {
            let mut config = Config::new(role, Rate::Mbps2, address);
            config.channel = 76;
            Ok(config)
        }
        Err(error) => Err(error),
    }
}

const fn size(text: Option<&str>) -> usize {
    match text {
        None => 12,
        Some(text) => match usize::from_str_radix(text, 10) {
            Ok(size) => size,
            Err(_) => panic!("AIRLAG_SIZE is not a number"),
        },
    }
}
