//! A serial port without interrupts: the program polls it once per iteration of the executor.

use core::cell::RefCell;

use embassy_futures::yield_now;
use embassy_stm32::mode::Blocking;
use embassy_stm32::pac;
use embassy_stm32::usart::{Error, UartRx, UartTx};
use embedded_hal_nb::{nb, serial};
use embedded_io_async::{ErrorType, Read, Write};

use crate::serial::{Receiving, drain};

/// Both halves of the port, and up to `N` bytes that have arrived while the program was sending. If
/// `N` is 0, they stay in the port.
pub struct Polled<const N: usize> {
    tx: RefCell<UartTx<'static, Blocking>>,
    rx: RefCell<UartRx<'static, Blocking>>,
    early: RefCell<Early<N>>,
}

struct Early<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Polled<N> {
    /// Takes both halves.
    #[must_use]
    pub fn new((tx, rx): (UartTx<'static, Blocking>, UartRx<'static, Blocking>)) -> Self {
        let early = Early { bytes: [0; N], len: 0 };
        Self { tx: RefCell::new(tx), rx: RefCell::new(rx), early: RefCell::new(early) }
    }

    /// Polls for room to send, and keeps a byte that has arrived. If there is no space for it, or
    /// if it is damaged, it is lost.
    async fn sending(
        &self,
        mut ask: impl FnMut(&mut UartTx<'static, Blocking>) -> nb::Result<(), Error>,
    ) -> Result<(), Error> {
        until_ready(|| {
            if N > 0
                && let Ok(byte) = serial::Read::read(&mut *self.rx.borrow_mut())
            {
                self.early.borrow_mut().push(byte);
            }
            ask(&mut self.tx.borrow_mut())
        })
        .await
    }
}

impl<const N: usize> Early<N> {
    fn push(&mut self, byte: u8) {
        if let Some(free) = self.bytes.get_mut(self.len) {
            *free = byte;
            self.len += 1;
        }
    }

    /// Moves the first bytes to `buffer`, and returns their number.
    fn take(&mut self, buffer: &mut [u8]) -> usize {
        let taken = self.len.min(buffer.len());
        buffer[..taken].copy_from_slice(&self.bytes[..taken]);
        self.bytes.copy_within(taken..self.len, 0);
        self.len -= taken;
        taken
    }
}

impl<const N: usize> ErrorType for &Polled<N> {
    type Error = Error;
}

impl<const N: usize> Read for &Polled<N> {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let kept = self.early.borrow_mut().take(buffer);
        let Some(first) = buffer.first_mut().filter(|_| kept == 0) else { return Ok(kept) };
        *first = until_ready(|| serial::Read::read(&mut *self.rx.borrow_mut())).await?;
        Ok(1)
    }
}

impl<const N: usize> Write for &Polled<N> {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        let Some(&first) = bytes.first() else { return Ok(0) };
        self.sending(|tx| serial::Write::write(tx, first)).await?;
        Ok(1)
    }

    async fn flush(&mut self) -> Result<(), Error> {
        // `UartTx` can only block for this.
        self.sending(|_| {
            let is_sent = pac::UART5.sr().read().tc();
            if is_sent { Ok(()) } else { Err(nb::Error::WouldBlock) }
        })
        .await
    }
}

impl<const N: usize> Receiving for &Polled<N> {
    fn restart(&mut self, baud: u32) -> bool {
        self.early.borrow_mut().len = 0;
        let mut rx = self.rx.borrow_mut();
        drain(&mut *rx);
        rx.set_baudrate(baud).is_ok()
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
