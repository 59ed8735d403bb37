//! SX1276/77/78/79 in LoRa mode: long range, no acknowledgement.
//!
//! Sources: SX1276/77/78/79 datasheet (Semtech, revision 7), and the errata note to SX1276/77/78
//! (Semtech, revision 1). Sections are cited where they matter.
//!
//! - [`register`]: registers and bits.
//! - [`config`]: configuration of the driver.
//! - this file: the driver.
//!
//! The crate `lora-phy` 3.0.1 drives this chip through embedded-hal as well, but is not used here.
//! `lora-phy` returns packets with a wrong CRC as valid. It clears flags that the chip set after
//! `lora-phy` had read the flags. It drops the cause of bus errors. Before every packet, `lora-phy`
//! rewrites about thirty registers, so it rewrites them five times for a message of five packets.
//! It offers no choice of low data rate optimisation, and links a logger into every image. A test
//! of airlag's model of the chip runs unmodified `lora-phy` on this model.
//!
//! Two interrupt pins are used: DIO0 for packets sent or received, and DIO5 (ModeReady) for a
//! running crystal. The driver therefore neither polls nor sleeps.
//!
//! The driver does not support FSK, frequency hopping, channel activity detection, single reception
//! with a timeout, +20 dBm or the RFO outputs. It also omits the workaround for spurious reception
//! at bandwidths below 62.5 kHz, because this workaround would require different carrier
//! frequencies for sending and receiving.

pub mod config;
pub mod register;

use airlag_link::{Capability, Delivery, Link};
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::Operation;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::SpiDevice;

pub use config::{Config, ConfigError, Idle};
use register::{CRC_ON_PAYLOAD, SILICON, WRITE, at as reg, dio0, irq, mode};

/// Error of the driver, with its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error<S, I> {
    /// The bus failed.
    #[error("SPI failed")]
    Spi(S),
    /// DIO0 or DIO5 failed.
    #[error("an interrupt pin failed")]
    Interrupt(I),
    /// The reset pin failed.
    #[error("the reset pin failed")]
    Reset,
    /// No chip responds, or a different one.
    #[error("the version register reads {0:#04x}, not 0x12: no chip, or a different one")]
    NotThere(u8),
    /// DIO0 rose although its flag is not set, so a different pin is connected.
    #[error("DIO0 is high, but the interrupt flags are {0:#04x}")]
    Unexpected(u8),
    /// The chunk exceeds a packet.
    #[error("{len} bytes do not fit a packet of {mtu}")]
    Length {
        /// Length of the chunk or of the received packet, bytes.
        len: usize,
        /// Available space, bytes.
        mtu: usize,
    },
    /// The configuration is invalid.
    #[error(transparent)]
    Config(ConfigError),
}

type Outcome<T, S, I> = Result<
    T,
    Error<
        <S as embedded_hal::spi::ErrorType>::Error,
        <I as embedded_hal::digital::ErrorType>::Error,
    >,
>;

/// FIFO address of transmit payloads, chosen so that the last received packet stays readable.
const TX_BASE: u8 = 0x80;
/// The reset pin is held low for 100 us, and the chip needs 5 ms afterwards (section 7.2.2).
const RESET_US: u32 = 100;
const AFTER_RESET_MS: u32 = 5;

const ZEROS: [u8; 255] = [0; 255];

/// The chip's state as tracked by the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Sleep,
    Standby,
    Listening,
}

/// Signal quality of the last packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signal {
    /// Signal-to-noise ratio, quarter decibels.
    pub snr_quarter_db: i8,
    /// Received power, dBm, without the datasheet's correction for a negative SNR.
    pub rssi_dbm: i16,
}

/// The driver. `S` is the bus, `I` an interrupt input.
pub struct Sx127x<S, I> {
    spi: S,
    dio0: I,
    dio5: I,
    config: Config,
    state: State,
    signal: Signal,
    damaged: u32,
}

impl<S: SpiDevice, I: Wait> Sx127x<S, I> {
    /// Resets and configures the chip.
    pub async fn new<R: OutputPin, D: DelayNs>(
        spi: S,
        dio0: I,
        dio5: I,
        reset: &mut R,
        delay: &mut D,
        config: Config,
    ) -> Outcome<Self, S, I> {
        let mut driver = Self::unconfigured(spi, dio0, dio5, config);
        driver.configure(reset, delay, config).await?;
        Ok(driver)
    }

    /// Creates a driver whose chip has not been reset. [`configure`](Self::configure) must be called
    /// first.
    #[must_use]
    pub const fn unconfigured(spi: S, dio0: I, dio5: I, config: Config) -> Self {
        let signal = Signal { snr_quarter_db: 0, rssi_dbm: 0 };
        Self { spi, dio0, dio5, config, state: State::Sleep, signal, damaged: 0 }
    }

    /// Resets the chip and configures it. After an error it may be called again, for example once the
    /// chip has been connected.
    pub async fn configure<R: OutputPin, D: DelayNs>(
        &mut self,
        reset: &mut R,
        delay: &mut D,
        config: Config,
    ) -> Outcome<(), S, I> {
        config.check().map_err(Error::Config)?;
        self.config = config;
        self.state = State::Sleep;
        reset.set_low().map_err(|_| Error::Reset)?;
        delay.delay_us(RESET_US).await;
        reset.set_high().map_err(|_| Error::Reset)?;
        delay.delay_ms(AFTER_RESET_MS).await;
        let version = self.read(reg::VERSION).await?;
        if version != SILICON {
            return Err(Error::NotThere(version));
        }
        // The LoRa bit can be changed in sleep mode only (Table 16).
        self.write(reg::OP_MODE, mode::FSK_SLEEP).await?;
        self.write(reg::OP_MODE, mode::SLEEP).await?;
        self.write_setup().await?;
        if config.idle == Idle::Ready {
            self.wake().await?;
        }
        Ok(())
    }

    /// Writes the settings that are constant over all packets.
    async fn write_setup(&mut self) -> Outcome<(), S, I> {
        let config = self.config;
        let [preamble_high, preamble_low] = config.frame.preamble.to_be_bytes();
        let (optimize, threshold) = config.detection();
        let (iq, iq_2) = config.invert_iq();
        self.write_many(reg::FRF_MSB, &config.frf()).await?;
        for (register, value) in [
            (reg::PA_CONFIG, config.pa_config()),
            (reg::PA_DAC, 0x84),
            (reg::LNA, 0x23),
            (reg::FIFO_TX_BASE_ADDR, TX_BASE),
            (reg::FIFO_RX_BASE_ADDR, 0),
            (reg::IRQ_FLAGS_MASK, 0),
            (reg::MODEM_CONFIG_1, config.modem_config_1()),
            (reg::MODEM_CONFIG_2, config.modem_config_2()),
            (reg::MODEM_CONFIG_3, config.modem_config_3()),
            (reg::PREAMBLE_MSB, preamble_high),
            (reg::PREAMBLE_MSB + 1, preamble_low),
            (reg::PAYLOAD_LENGTH, config.implicit_length.max(1)),
            (reg::DETECT_OPTIMIZE, optimize),
            (reg::DETECTION_THRESHOLD, threshold),
            (reg::INVERT_IQ, iq),
            (reg::INVERT_IQ_2, iq_2),
            (reg::SYNC_WORD, config.sync_word),
            (reg::DIO_MAPPING_2, 0),
        ] {
            self.write(register, value).await?;
        }
        // The errata note, 2.1 and 2.3.
        let (first, second) = config.high_bw_optimize();
        self.write(reg::HIGH_BW_OPTIMIZE_1, first).await?;
        if let Some(second) = second {
            self.write(reg::HIGH_BW_OPTIMIZE_2, second).await?;
        }
        if let Some(if_freq) = config.if_freq() {
            self.write_many(reg::IF_FREQ_2, &if_freq).await?;
        }
        Ok(())
    }

    /// Configuration of this driver.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// Signal quality of the last packet.
    #[must_use]
    pub const fn signal(&self) -> Signal {
        self.signal
    }

    /// Number of packets dropped for a wrong or missing CRC.
    #[must_use]
    pub const fn damaged(&self) -> u32 {
        self.damaged
    }

    /// Sends one packet and waits for its last symbol. With implicit headers a shorter payload is
    /// padded with zeros.
    pub async fn transmit(&mut self, payload: &[u8]) -> Outcome<(), S, I> {
        let (len, mtu) = (payload.len(), self.config.mtu());
        if len == 0 || len > mtu {
            return Err(Error::Length { len, mtu });
        }
        // Without a header, every packet has the configured length.
        let padding = if self.config.frame.explicit_header { 0 } else { mtu - len };
        self.write(reg::DIO_MAPPING_1, dio0::TX_DONE).await?;
        self.write(reg::IRQ_FLAGS, irq::ALL).await?;
        if self.state != State::Standby {
            self.wake().await?;
        }
        self.write(reg::FIFO_ADDR_PTR, TX_BASE).await?;
        self.write(reg::PAYLOAD_LENGTH, (len + padding) as u8).await?;
        self.write_many(reg::FIFO, payload).await?;
        if padding > 0 {
            self.write_many(reg::FIFO, &ZEROS[..padding]).await?;
        }
        self.write(reg::OP_MODE, mode::TX).await?;
        self.dio0.wait_for_high().await.map_err(Error::Interrupt)?;
        let flags = self.read(reg::IRQ_FLAGS).await?;
        self.write(reg::IRQ_FLAGS, flags).await?;
        // The chip returned to standby by itself (section 4.1.6).
        self.state = State::Standby;
        if flags & irq::TX_DONE == 0 {
            return Err(Error::Unexpected(flags));
        }
        self.rest().await
    }

    /// Waits for a packet with a correct CRC and returns its size. If this future is dropped, the
    /// chip continues to listen.
    pub async fn listen(&mut self, buffer: &mut [u8]) -> Outcome<usize, S, I> {
        if self.state != State::Listening {
            self.write(reg::DIO_MAPPING_1, dio0::RX_DONE).await?;
            self.write(reg::IRQ_FLAGS, irq::ALL).await?;
            self.write(reg::OP_MODE, mode::RX_CONTINUOUS).await?;
            self.state = State::Listening;
        }
        loop {
            self.dio0.wait_for_high().await.map_err(Error::Interrupt)?;
            let flags = self.read(reg::IRQ_FLAGS).await?;
            self.write(reg::IRQ_FLAGS, flags).await?;
            if flags & irq::RX_DONE == 0 {
                return Err(Error::Unexpected(flags));
            }
            // Bytes of SNR, packet RSSI, current RSSI, and whether the header announced a CRC.
            let mut heard = [0; 4];
            self.read_many(reg::PKT_SNR_VALUE, &mut heard).await?;
            // Bytes of packet address, interrupt mask and flags, and packet length.
            let mut place = [0; 4];
            self.read_many(reg::FIFO_RX_CURRENT_ADDR, &mut place).await?;
            let offset = if self.config.frequency_hz < 525_000_000 { -164 } else { -157 };
            self.signal = Signal {
                snr_quarter_db: heard[0].cast_signed(),
                rssi_dbm: offset + i16::from(heard[1]),
            };
            let unchecked = self.config.frame.crc
                && self.config.frame.explicit_header
                && heard[3] & CRC_ON_PAYLOAD == 0;
            if flags & irq::PAYLOAD_CRC_ERROR != 0 || unchecked {
                self.damaged = self.damaged.wrapping_add(1);
                continue;
            }
            let len = usize::from(place[usize::from(reg::RX_NB_BYTES - reg::FIFO_RX_CURRENT_ADDR)]);
            let mtu = buffer.len();
            let Some(payload) = buffer.get_mut(..len) else {
                return Err(Error::Length { len, mtu });
            };
            self.write(reg::FIFO_ADDR_PTR, place[0]).await?;
            self.read_many(reg::FIFO, payload).await?;
            if self.config.idle == Idle::Sleep {
                self.rest().await?;
            }
            return Ok(len);
        }
    }

    /// Enters standby and waits for the crystal.
    async fn wake(&mut self) -> Outcome<(), S, I> {
        self.write(reg::OP_MODE, mode::STANDBY).await?;
        self.dio5.wait_for_high().await.map_err(Error::Interrupt)?;
        self.state = State::Standby;
        Ok(())
    }

    async fn rest(&mut self) -> Outcome<(), S, I> {
        if self.config.idle == Idle::Sleep {
            self.write(reg::OP_MODE, mode::SLEEP).await?;
            self.state = State::Sleep;
        }
        Ok(())
    }

    async fn write(&mut self, register: u8, value: u8) -> Outcome<(), S, I> {
        self.spi.write(&[WRITE | register, value]).await.map_err(Error::Spi)
    }

    async fn read(&mut self, register: u8) -> Outcome<u8, S, I> {
        let mut value = [0];
        self.read_many(register, &mut value).await?;
        Ok(value[0])
    }

    async fn write_many(&mut self, register: u8, values: &[u8]) -> Outcome<(), S, I> {
        let address = [WRITE | register];
        let mut operations = [Operation::Write(&address), Operation::Write(values)];
        self.spi.transaction(&mut operations).await.map_err(Error::Spi)
    }

    async fn read_many(&mut self, register: u8, values: &mut [u8]) -> Outcome<(), S, I> {
        let address = [register];
        let mut operations = [Operation::Write(&address), Operation::Read(values)];
        self.spi.transaction(&mut operations).await.map_err(Error::Spi)
    }
}

impl<S: SpiDevice, I: Wait> Link for Sx127x<S, I>
where
    S::Error: core::fmt::Debug,
    I::Error: core::fmt::Debug,
{
    type Error = Error<S::Error, I::Error>;

    fn capability(&self) -> Capability {
        Capability::datagram(self.config.mtu()).padded(!self.config.frame.explicit_header)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        self.transmit(chunk).await?;
        Ok(Delivery::Sent)
    }

    async fn flush(&mut self) -> Result<Delivery, Self::Error> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        self.listen(buffer).await
    }
}

#[cfg(test)]
mod tests;
