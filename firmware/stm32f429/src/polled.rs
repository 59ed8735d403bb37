//! A serial port without interrupts: the program polls it once per iteration of the executor.

use embassy_futures::yield_now;
use embassy_stm32::mode::Blocking;
use embassy_stm32::usart::{Error, UartRx, UartTx};
use embedded_hal_nb::serial;
use embedded_io_async::{ErrorType, Read, Write};

/// The receiving half.
pub struct PolledRx(pub UartRx<'static, Blocking>);

/// The sending half.
pub struct PolledTx(pub UartTx<'static, Blocking>);

impl ErrorType for PolledRx {
    type Error = Error;
}

impl ErrorType for PolledTx {
    type Error = Error;
}

impl Read for PolledRx {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let Some(first) = buffer.first_mut() else { return Ok(0) };
        *first = until_ready(|| serial::Read::read(&mut self.0)).await?;
        Ok(1)
    }
}

impl Write for PolledTx {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let Some(&first) = bytes.first() else { return Ok(0) };
        until_ready(|| serial::Write::write(&mut self.0, first)).await?;
        Ok(1)
    }

    async fn flush(&mut self) -> Result<(), Error> {
        until_ready(|| serial::Write::flush(&mut self.0)).await
    }
}

/// Polls once per iteration, so that the other tasks run in between.
async fn until_ready<T>(mut ask: impl FnMut() -> nb::Result<T, Error>) -> Result<T, Error> {
    loop {
        match ask() {
            Ok(value) => return Ok(value),
            Err(nb::Error::WouldBlock) => yield_now().await,
            Err(nb::Error::Other(error)) => return Err(error),
        }
    }
}
