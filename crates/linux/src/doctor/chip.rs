//! Check that a chip responds on its bus: two registers retain written values.

use airlag_drivers::nrf24::register::{at, command};
use embassy_futures::block_on;
use embedded_hal_async::spi::SpiDevice;

use super::{Found, missing};
use crate::nrf24::SPI_HERTZ;
use crate::radio::Wiring;
use crate::spi::Spi;

/// Registers that retain every bit, with two patterns that set each bit high and low once. The channel has
/// seven bits (nRF24L01+ v1.0, section 9.1).
const PATTERNS: [(u8, [u8; 2]); 2] =
    [(at::RF_CH, [0b010_1010, 0b101_0101]), (at::SETUP_RETR, [0b1010_1010, 0b0101_0101])];

/// Values read from a bus without a chip, which nothing drives.
const NO_CHIP: [u8; 2] = [0x00, 0xFF];

pub(super) fn answers(wiring: &Wiring) -> Found {
    let device = wiring.device.display();
    let mut spi = match Spi::open(&wiring.device, SPI_HERTZ) {
        Ok(spi) => spi,
        Err(cause) => return missing(format!("{device}: {cause}"), "end the program that uses it"),
    };
    match block_on(ask(&mut spi)) {
        Ok(None) => Ok(format!("{device}: registers retain written values")),
        Ok(Some(wrong)) => missing(format!("{device}: {}", wrong.description()), wrong.remedy()),
        Err(cause) => missing(format!("{device}: {cause}"), "check the bus messages in dmesg"),
    }
}

/// A register that did not retain a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wrong {
    register: u8,
    written: u8,
    read: u8,
}

impl Wrong {
    fn description(self) -> String {
        let Self { register, written, read } = self;
        format!("register {register:#04x} reads {read:#04x} after {written:#04x} was written")
    }

    fn remedy(self) -> &'static str {
        if NO_CHIP.contains(&self.read) {
            "no answer: check 3.3 V, ground, MISO and chip select"
        } else {
            "bit errors: shorten the wires, and add 10 uF between 3.3 V and ground at the chip"
        }
    }
}

/// Finds the first register that does not retain a pattern. Restores the original values.
async fn ask<S: SpiDevice>(spi: &mut S) -> Result<Option<Wrong>, S::Error> {
    for (register, patterns) in PATTERNS {
        let before = read(spi, register).await?;
        for written in patterns {
            write(spi, register, written).await?;
            let read = read(spi, register).await?;
            if read != written {
                write(spi, register, before).await?;
                return Ok(Some(Wrong { register, written, read }));
            }
        }
        write(spi, register, before).await?;
    }
    Ok(None)
}

async fn read<S: SpiDevice>(spi: &mut S, register: u8) -> Result<u8, S::Error> {
    let mut bytes = [command::R_REGISTER | register, 0];
    spi.transfer_in_place(&mut bytes).await?;
    Ok(bytes[1])
}

async fn write<S: SpiDevice>(spi: &mut S, register: u8, value: u8) -> Result<(), S::Error> {
    spi.write(&[command::W_REGISTER | register, value]).await
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::convert::Infallible;

    use embedded_hal::spi::{ErrorType, Operation};

    use super::*;

    /// Registers behind wires with stuck bits: `high` read 1, `low` read 0.
    #[derive(Default)]
    struct Bus {
        registers: HashMap<u8, u8>,
        high: u8,
        low: u8,
    }

    impl ErrorType for Bus {
        type Error = Infallible;
    }

    impl SpiDevice for Bus {
        async fn transaction(
            &mut self,
            operations: &mut [Operation<'_, u8>],
        ) -> Result<(), Infallible> {
            for operation in operations {
                match operation {
                    Operation::Write([command, value]) if command & 0xE0 == 0x20 => {
                        self.registers.insert(command & 0x1F, *value);
                    }
                    Operation::TransferInPlace(bytes) if bytes[0] & 0xE0 == 0 => {
                        let value = self.registers.get(&bytes[0]).copied().unwrap_or(8);
                        bytes[1] = (value | self.high) & !self.low;
                    }
                    other => panic!("{other:?}"),
                }
            }
            Ok(())
        }
    }

    #[test]
    fn a_chip_that_keeps_what_is_written_answers_and_has_it_back_as_it_was() {
        let mut bus = Bus { registers: [(5, 76), (4, 3)].into(), ..Bus::default() };
        assert_eq!(block_on(ask(&mut bus)), Ok(None));
        assert_eq!(bus.registers, [(5, 76), (4, 3)].into());
    }

    #[test]
    fn stuck_wires_and_a_missing_chip_are_distinguished() {
        for bit in 0..7 {
            for (high, low) in [(1 << bit, 0), (0, 1 << bit)] {
                let found = block_on(ask(&mut Bus { high, low, ..Bus::default() }));
                let wrong = found.expect("the bus works").expect("a bit is stuck");
                assert!(wrong.remedy().contains("bit errors"), "{wrong:?}");
            }
        }
        for (high, low) in [(0xFF, 0), (0, 0xFF)] {
            let found = block_on(ask(&mut Bus { high, low, ..Bus::default() }));
            assert!(found.expect("the bus works").expect("stuck").remedy().contains("no answer"));
        }
    }
}
