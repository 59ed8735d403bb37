//! An SPI bus (spidev) with the interface of a non-blocking driver, although transfers block.
//!
//! Source: Linux, Documentation/spi/spidev.rst. A transfer of 33 bytes at 8 MHz takes 33 us, less than a
//! thread needs to sleep and wake, so blocking is faster.

use std::io;
use std::path::Path;

use embedded_hal::spi::{ErrorType, Operation, SpiDevice as _};
use embedded_hal_async::spi::SpiDevice;
use linux_embedded_hal::SpidevDevice;
use linux_embedded_hal::spidev::{SpiModeFlags, SpidevOptions};

/// A device on a bus.
pub struct Spi(SpidevDevice);

impl Spi {
    /// Opens a device in mode 0, with eight bits, most significant bit first.
    ///
    /// # Errors
    ///
    /// An error of the operating system.
    pub fn open(path: &Path, hertz: u32) -> io::Result<Self> {
        let mut device = SpidevDevice::open(path).map_err(|error| cause(&error))?;
        let mode = SpiModeFlags::SPI_MODE_0;
        let options = SpidevOptions::new().bits_per_word(8).max_speed_hz(hertz).mode(mode).build();
        device.configure(&options)?;
        Ok(Self(device))
    }
}

/// Error of the operating system.
fn cause(error: &linux_embedded_hal::SPIError) -> io::Error {
    let inner = error.inner();
    inner.raw_os_error().map_or_else(|| inner.kind().into(), io::Error::from_raw_os_error)
}

impl ErrorType for Spi {
    type Error = linux_embedded_hal::SPIError;
}

impl SpiDevice for Spi {
    async fn transaction(
        &mut self,
        operations: &mut [Operation<'_, u8>],
    ) -> Result<(), linux_embedded_hal::SPIError> {
        self.0.transaction(operations)
    }
}
