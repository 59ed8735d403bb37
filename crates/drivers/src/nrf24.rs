//! nRF24L01+: a 2.4 GHz radio with automatic acknowledgement and retransmission.
//!
//! Source: nRF24L01+ Product Specification v1.0 (Nordic Semiconductor, 2008). Sections are cited
//! where they matter.
//!
//! - [`register`]: commands, registers, bits.
//! - [`config`]: configuration of a driver.
//! - [`burst`]: bursts in which only the last frame is acknowledged.
//! - [`turning`]: bidirectional links whose ends alternate between transmitter and receiver.
//! - [`polled`]: bidirectional links with replies in acknowledgement payloads.
//! - [`resting`]: a transmitter that powers down between messages.
//! - [`scan`]: scan for occupied channels.
//! - This module itself contains the driver.
//!
//! Not supported: ShockBurst frames without a packet control field, and one-byte CRC.

pub mod burst;
pub mod config;
pub mod polled;
pub mod register;
pub mod resting;
pub mod scan;
pub mod turning;

use airlag_link::{Capability, Delivery, Link};
use embedded_hal::digital::OutputPin;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

pub use config::{Address, Config, ConfigError, Payload, Power, Role};
pub use polled::{Replier, Requester};
use register::{at, command, config as config_bits, fifo, status};
pub use resting::Resting;
pub use turning::Turning;

/// Error of the driver, with its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error<S, C, I> {
    /// The bus failed.
    #[error("SPI failed")]
    Spi(S),
    /// The chip enable pin failed.
    #[error("the CE pin failed")]
    ChipEnable(C),
    /// The interrupt pin failed.
    #[error("the IRQ pin failed")]
    Interrupt(I),
    /// A register could not be read back as written: no chip, or a broken wire.
    #[error(
        "register {register:#04x} reads {read:#04x} after {written:#04x} was written: no chip?"
    )]
    NotThere {
        /// Register address.
        register: u8,
        /// Value written.
        written: u8,
        /// Value read.
        read: u8,
    },
    /// The chunk exceeds a payload.
    #[error("{len} bytes exceed a payload of {mtu}")]
    TooLong {
        /// Length of the chunk, bytes.
        len: usize,
        /// Capacity of a payload, bytes.
        mtu: usize,
    },
    /// The configuration is invalid.
    #[error(transparent)]
    Config(ConfigError),
}

type Outcome<T, S, C, I> = Result<
    T,
    Error<
        <S as embedded_hal::spi::ErrorType>::Error,
        <C as embedded_hal::digital::ErrorType>::Error,
        <I as embedded_hal::digital::ErrorType>::Error,
    >,
>;

/// Time until the registers respond after power-on reset (section 6.1.1).
const POWER_ON_MS: u32 = 100;
/// Power down to standby: Tpd2stby for the slowest crystal (section 6.1.7, Table 16).
const POWER_UP_US: u32 = 4_500;
/// Standby to receive: Tstby2a (section 6.1.7, Table 16).
const SETTLE_US: u32 = 130;

/// The driver. `S` is the bus, `C` chip enable, `I` the interrupt, active low.
pub struct Nrf24<S, C, I> {
    spi: S,
    ce: C,
    irq: I,
    config: Config,
    /// Upper bound of the number of payloads in the transmit FIFO.
    in_flight: u8,
    /// Number of unacknowledged payloads written since the chip last left transmit mode.
    in_burst: u32,
    /// Whether CE was set low to end a burst. CE is set high after the last frame of the burst.
    pausing: bool,
    enabled: bool,
    flush_due: bool,
    /// Whether the receive FIFO was empty at the last check.
    drained: bool,
}

impl<S: SpiDevice, C: OutputPin, I: Wait> Nrf24<S, C, I> {
    /// Powers the chip up and configures it. A receiver is listening when this function returns.
    pub async fn new<D: DelayNs>(
        spi: S,
        ce: C,
        irq: I,
        delay: &mut D,
        config: Config,
    ) -> Outcome<Self, S, C, I> {
        let mut driver = Self::unconfigured(spi, ce, irq, config);
        driver.configure(delay, config).await?;
        Ok(driver)
    }

    /// Creates a driver whose chip has not been powered up. [`configure`](Self::configure) must be
    /// called first.
    #[must_use]
    pub const fn unconfigured(spi: S, ce: C, irq: I, config: Config) -> Self {
        Self {
            spi,
            ce,
            irq,
            config,
            in_flight: 0,
            in_burst: 0,
            pausing: false,
            enabled: true,
            flush_due: false,
            drained: false,
        }
    }

    /// Powers the chip down, and then powers it up with the configuration `config`. If the
    /// configuration is that of a receiver, the chip is listening when this function returns. After
    /// an error, the function may be called again, for example once a chip that was missing has
    /// been connected.
    pub async fn configure<D: DelayNs>(
        &mut self,
        delay: &mut D,
        config: Config,
    ) -> Outcome<(), S, C, I> {
        config.check().map_err(Error::Config)?;
        self.config = config;
        (self.in_flight, self.in_burst) = (0, 0);
        (self.pausing, self.flush_due, self.drained) = (false, false, false);
        self.enabled = true;
        self.enable(false)?;
        delay.delay_ms(POWER_ON_MS).await;
        self.write_setup().await?;
        let powered = config.config_register() | config_bits::PWR_UP;
        self.write_register(at::CONFIG, &[powered]).await?;
        delay.delay_us(POWER_UP_US).await;
        if config.role == Role::Receiver {
            self.enable(true)?;
            delay.delay_us(SETTLE_US).await;
        }
        Ok(())
    }

    /// Writes the registers in power down, as section 8.3.1 requires.
    async fn write_setup(&mut self) -> Outcome<(), S, C, I> {
        let config = self.config;
        let pipe0 = 1;
        let dynamic = if config.is_dynamic() { pipe0 } else { 0 };
        self.write_register(at::CONFIG, &[config.config_register()]).await?;
        for (register, value) in [
            (at::EN_AA, pipe0),
            (at::EN_RXADDR, pipe0),
            (at::SETUP_AW, config.setup_aw()),
            (at::SETUP_RETR, config.setup_retr()),
            (at::RF_CH, config.channel),
            (at::RF_SETUP, config.rf_setup()),
            (at::FEATURE, config.feature()),
            (at::DYNPD, dynamic),
            (at::RX_PW_P0, config.mtu() as u8),
        ] {
            self.write_register(register, &[value]).await?;
            let read = self.read_register(register).await?;
            if read != value {
                return Err(Error::NotThere { register, written: value, read });
            }
        }
        // A transmitter receives acknowledgements on pipe 0 (section 7.6).
        self.write_register(at::RX_ADDR_P0, config.address.bytes()).await?;
        self.write_register(at::TX_ADDR, config.address.bytes()).await?;
        self.command(command::FLUSH_TX).await?;
        self.command(command::FLUSH_RX).await?;
        self.write_register(at::STATUS, &[status::FLAGS]).await
    }

    /// Opens a further pipe of a receiver. Pipe 1 has a full address. The addresses of pipes 2 to 5
    /// differ from it only in the first byte (section 7.6).
    pub async fn open_pipe(&mut self, pipe: u8, address: Address) -> Outcome<(), S, C, I> {
        if pipe > 5 {
            return Err(Error::Config(ConfigError::Pipe(pipe)));
        }
        let bytes = if pipe < 2 { address.bytes() } else { &address.bytes()[..1] };
        self.write_register(at::RX_ADDR_P0 + pipe, bytes).await?;
        self.write_register(at::RX_PW_P0 + pipe, &[self.config.mtu() as u8]).await?;
        let bit = 1 << pipe;
        for register in [at::EN_AA, at::EN_RXADDR] {
            let value = self.read_register(register).await? | bit;
            self.write_register(register, &[value]).await?;
        }
        if self.config.is_dynamic() {
            let value = self.read_register(at::DYNPD).await? | bit;
            self.write_register(at::DYNPD, &[value]).await?;
        }
        Ok(())
    }

    /// Configuration of this driver.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Returns the number of lost frames since the channel was set, and the number of
    /// retransmissions of the last payload (OBSERVE_TX).
    pub async fn observe(&mut self) -> Outcome<(u8, u8), S, C, I> {
        let value = self.read_register(at::OBSERVE_TX).await?;
        Ok((value >> 4, value & 0x0F))
    }

    /// Writes a payload for the next acknowledgement on `pipe` into the FIFO.
    pub async fn write_ack_payload(&mut self, pipe: u8, payload: &[u8]) -> Outcome<(), S, C, I> {
        if pipe > 5 {
            return Err(Error::Config(ConfigError::Pipe(pipe)));
        }
        let len = payload.len();
        if len > 32 {
            return Err(Error::TooLong { len, mtu: 32 });
        }
        self.write_payload(command::W_ACK_PAYLOAD | pipe, payload, len).await
    }

    /// Sends one payload and waits until it is acknowledged or the chip gives it up. With a window
    /// above one, returns as soon as the FIFO has room for another.
    pub async fn transmit(&mut self, payload: &[u8]) -> Outcome<Delivery, S, C, I> {
        let (len, mtu) = (payload.len(), self.config.mtu());
        if len > mtu {
            return Err(Error::TooLong { len, mtu });
        }
        let width = match self.config.payload {
            Payload::Fixed(width) => usize::from(width),
            Payload::Dynamic => len.max(1),
        };
        let write = if self.config.acknowledge {
            command::W_TX_PAYLOAD
        } else {
            command::W_TX_PAYLOAD_NOACK
        };
        self.write_payload(write, payload, width).await?;
        self.in_flight += 1;
        self.in_burst += 1;
        if !self.pausing {
            self.enable(true)?;
        }
        // Acknowledged frames leave transmit mode by themselves.
        let limit = match self.config.acknowledge {
            true => u32::MAX,
            false => self.config.frame().burst(width).max(1),
        };
        let mut delivery = Delivery::Sent;
        while self.in_flight >= self.config.window || self.burst_is_over(limit) {
            delivery = self.service_transmitter().await?;
            if delivery == Delivery::Lost {
                break;
            }
            if self.burst_is_over(limit) && self.in_flight <= 1 {
                self.end_burst()?;
            }
        }
        Ok(delivery)
    }

    /// Waits until no payload is in flight.
    pub async fn drain(&mut self) -> Outcome<Delivery, S, C, I> {
        let mut delivery = Delivery::Sent;
        while self.in_flight > 0 && delivery != Delivery::Lost {
            delivery = self.service_transmitter().await?;
        }
        Ok(delivery)
    }

    /// Waits for a payload and reads it. Returns its pipe and size; a payload longer than `buffer`
    /// is truncated.
    pub async fn listen(&mut self, buffer: &mut [u8]) -> Outcome<(u8, usize), S, C, I> {
        if core::mem::take(&mut self.flush_due) {
            self.command(command::FLUSH_RX).await?;
        }
        loop {
            let waited = core::mem::take(&mut self.drained);
            let status = if waited {
                self.irq.wait_for_low().await.map_err(Error::Interrupt)?;
                // Clear the flag before reading the FIFO, so that a payload arriving meanwhile
                // raises the line again.
                self.clear(status::FLAGS).await?
            } else {
                self.command(command::NOP).await?
            };
            if let Some(got) = self.read_payload(status, buffer).await? {
                self.flush_due = self.config.flush_after_read;
                return Ok(got);
            }
            // A payload that arrives while the flag is being cleared does not set it again, and is
            // not visible in the STATUS read before. Check the FIFO once more.
            self.drained = !waited;
        }
    }

    /// Reads a payload that came with an acknowledgement, if any.
    pub async fn take_received(
        &mut self,
        buffer: &mut [u8],
    ) -> Outcome<Option<(u8, usize)>, S, C, I> {
        let status = self.command(command::NOP).await?;
        self.read_payload(status, buffer).await
    }

    async fn read_payload(
        &mut self,
        status: u8,
        buffer: &mut [u8],
    ) -> Outcome<Option<(u8, usize)>, S, C, I> {
        let Some(pipe) = status::pipe(status) else { return Ok(None) };
        let width = if self.config.is_dynamic() {
            let mut bytes = [command::R_RX_PL_WID, 0];
            self.spi.transfer_in_place(&mut bytes).await.map_err(Error::Spi)?;
            usize::from(bytes[1])
        } else {
            self.config.mtu()
        };
        if width == 0 || width > 32 {
            // Section 8.3.1: after a width above 32, the FIFO has to be flushed.
            self.command(command::FLUSH_RX).await?;
            return Ok(None);
        }
        let mut bytes = [0; 33];
        bytes[0] = command::R_RX_PAYLOAD;
        self.spi.transfer_in_place(&mut bytes[..=width]).await.map_err(Error::Spi)?;
        let taken = width.min(buffer.len());
        buffer[..taken].copy_from_slice(&bytes[1..=taken]);
        Ok(Some((pipe, taken)))
    }

    const fn burst_is_over(&self, limit: u32) -> bool {
        !self.pausing && self.in_burst >= limit
    }

    /// Lets the chip leave transmit mode after the current frame (section 6.1.5: never longer than
    /// 4 ms), so that the next burst can be written meanwhile.
    fn end_burst(&mut self) -> Outcome<(), S, C, I> {
        self.enable(false)?;
        self.in_burst = 0;
        self.pausing = self.in_flight > 0;
        Ok(())
    }

    /// Waits for the interrupt of a transmitter, and processes its flags.
    async fn service_transmitter(&mut self) -> Outcome<Delivery, S, C, I> {
        self.irq.wait_for_low().await.map_err(Error::Interrupt)?;
        // A flag raised while it is being cleared is lost. Therefore check the FIFO afterwards.
        // MAX_RT is not visible in the FIFO, so clear it only after it was read.
        let raised = self.clear(status::RX_DR | status::TX_DS).await?;
        let (flags, fill) = self.read_fifo_status().await?;
        if flags & status::MAX_RT != 0 {
            // The payload would otherwise stay in the FIFO and be sent again (section 7.5.1).
            self.command(command::FLUSH_TX).await?;
            self.clear(status::MAX_RT).await?;
            (self.in_flight, self.in_burst, self.pausing) = (0, 0, false);
            self.enable(false)?;
            return Ok(Delivery::Lost);
        }
        // One flag may represent several payloads, while the FIFO flags for full and empty are
        // exact.
        self.in_flight = if fill & fifo::TX_EMPTY != 0 {
            0
        } else if raised & status::TX_DS == 0 {
            return Ok(Delivery::Sent);
        } else if fill & fifo::TX_FULL != 0 {
            3
        } else {
            self.in_flight.saturating_sub(1).clamp(1, 2)
        };
        if core::mem::take(&mut self.pausing) && self.in_flight > 0 {
            self.in_burst = u32::from(self.in_flight);
            self.enable(true)?;
        } else if self.in_flight == 0 {
            self.in_burst = 0;
            self.enable(false)?;
        }
        Ok(if self.config.acknowledge { Delivery::Confirmed } else { Delivery::Sent })
    }

    fn enable(&mut self, on: bool) -> Outcome<(), S, C, I> {
        if core::mem::replace(&mut self.enabled, on) != on {
            let set = if on { self.ce.set_high() } else { self.ce.set_low() };
            set.map_err(Error::ChipEnable)?;
        }
        Ok(())
    }

    async fn clear(&mut self, flags: u8) -> Outcome<u8, S, C, I> {
        let mut bytes = [command::W_REGISTER | at::STATUS, flags];
        self.spi.transfer_in_place(&mut bytes).await.map_err(Error::Spi)?;
        Ok(bytes[0])
    }

    /// Reads STATUS and FIFO_STATUS of the same instant.
    async fn read_fifo_status(&mut self) -> Outcome<(u8, u8), S, C, I> {
        let mut bytes = [command::R_REGISTER | at::FIFO_STATUS, 0];
        self.spi.transfer_in_place(&mut bytes).await.map_err(Error::Spi)?;
        Ok((bytes[0], bytes[1]))
    }

    /// Sends a command without data; returns STATUS.
    async fn command(&mut self, command: u8) -> Outcome<u8, S, C, I> {
        let mut bytes = [command];
        self.spi.transfer_in_place(&mut bytes).await.map_err(Error::Spi)?;
        Ok(bytes[0])
    }

    async fn read_register(&mut self, register: u8) -> Outcome<u8, S, C, I> {
        let mut bytes = [command::R_REGISTER | register, 0];
        self.spi.transfer_in_place(&mut bytes).await.map_err(Error::Spi)?;
        Ok(bytes[1])
    }

    async fn write_register(&mut self, register: u8, value: &[u8]) -> Outcome<(), S, C, I> {
        let mut bytes = [0; 6];
        bytes[0] = command::W_REGISTER | register;
        bytes[1..=value.len()].copy_from_slice(value);
        self.spi.write(&bytes[..=value.len()]).await.map_err(Error::Spi)
    }

    async fn write_payload(
        &mut self,
        command: u8,
        payload: &[u8],
        width: usize,
    ) -> Outcome<(), S, C, I> {
        let mut bytes = [0; 33];
        bytes[0] = command;
        bytes[1..=payload.len()].copy_from_slice(payload);
        self.spi.write(&bytes[..=width]).await.map_err(Error::Spi)
    }
}

impl<S: SpiDevice, C: OutputPin, I: Wait> Link for Nrf24<S, C, I> {
    type Error = Error<S::Error, C::Error, I::Error>;

    fn capability(&self) -> Capability {
        Capability::datagram(self.config.mtu())
            .padded(matches!(self.config.payload, Payload::Fixed(_)))
            .acknowledged(self.config.acknowledge)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        self.transmit(chunk).await
    }

    async fn flush(&mut self) -> Result<Delivery, Self::Error> {
        self.drain().await
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        let (_, len) = self.listen(buffer).await?;
        Ok(len)
    }
}

#[cfg(test)]
mod tests;
