//! Settings that differ between benches. `AIRLAG_SIZE=128 make firmware` builds images for messages
//! of 128 bytes; both boards of a bench need the same settings.

use airlag_drivers::nrf24::{self, Address, Role};
use airlag_drivers::sx127x::{self, Idle};
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use airlag_link::airtime::nrf24::Rate;
use airlag_link::message::MIN_LEN;

/// Longest message that fits into memory.
pub const LARGEST: usize = 2048;

/// Bytes of a message: `AIRLAG_SIZE`, or 12.
pub const SIZE: usize = number(option_env!("AIRLAG_SIZE"), 12, "AIRLAG_SIZE is no number") as usize;
const _: () = assert!(SIZE >= MIN_LEN && SIZE <= LARGEST, "AIRLAG_SIZE goes from 7 to 2048");

/// Rate of the serial port: `AIRLAG_BAUD`, or 115200.
pub const BAUD: u32 = number(option_env!("AIRLAG_BAUD"), 115_200, "AIRLAG_BAUD is no number");
const _: () = assert!(BAUD >= 1_200 && BAUD <= 2_625_000, "AIRLAG_BAUD goes from 1200 to 2625000");

/// Size of the DMA ring of the serial port, as in the latency comparison. Its middle and its end
/// wake the program.
pub const RING: usize = 32;
/// Queues of the interrupt-driven serial port.
pub const QUEUE: usize = 2048;

/// SPI clock: 84 MHz over 8, as in the latency comparison. Both radios are specified up to 10 MHz.
/// The next possible clock below that is 5_250_000.
pub const SPI_HZ: u32 = 10_500_000;

/// Settings of both ends of an nRF24 link.
pub const fn nrf24(role: Role) -> Result<nrf24::Config, nrf24::ConfigError> {
    match Address::new(&[0xE7, 0xD3, 0xF0]) {
        Ok(address) => {
            let mut config = nrf24::Config::new(role, Rate::Mbps2, address);
            config.channel = 76;
            Ok(config)
        }
        Err(error) => Err(error),
    }
}

/// Settings of both ends of a LoRa link. 915 MHz at 14 dBm is not licence-free everywhere: check
/// the local regulations.
pub const fn lora() -> sx127x::Config {
    let frame = Frame::new(SpreadingFactor::Sf7, Bandwidth::Khz250, CodingRate::Cr4_5);
    sx127x::Config::new(915_000_000, frame).idle(Idle::Sleep)
}

/// The number in an environment variable of the build.
const fn number(text: Option<&str>, default: u32, refusal: &str) -> u32 {
    match text {
        None => default,
        Some(text) => match u32::from_str_radix(text, 10) {
            Ok(number) => number,
            Err(_) => panic!("{}", refusal),
        },
    }
}
