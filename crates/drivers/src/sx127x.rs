//! SX1276/77/78/79 in LoRa mode: long range, no acknowledgement.
//!
//! Sources: SX1276/77/78/79 datasheet (Semtech, revision 7), and the errata note to SX1276/77/78
//! (Semtech, revision 1). Sections are cited where they matter.
//!
//! - [`register`]: registers and bits.
//! - [`config`]: what the driver is set up with.
//! - this file: the driver.
//!
//! Why not `lora-phy` 3.0.1, which drives this chip well and keeps pace with embedded-hal: it hands
//! out a packet whose CRC is wrong as a good one, it clears flags that rose after it looked, it drops
//! the cause of a bus error, it writes about thirty registers again before every packet, which a
//! message of five chunks pays five times, low data rate optimisation cannot be chosen, and it links
//! a logger into every image. It runs on the same chip model, unmodified, as a test of that model.
//!
//! Two pins carry the chip's news: DIO0 shows that a packet was sent or received, DIO5 (ModeReady)
//! that the crystal runs. So nothing is polled and nothing is slept through.
//!
//! What it leaves out: FSK, frequency hopping, channel activity detection, single reception with a
//! timeout, +20 dBm, the RFO outputs, and the erratum on spurious reception below 62.5 kHz, for which
//! the carrier would have to move between sending and receiving.

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

/// What went wrong, with its cause.
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
    /// Something else answers, or nothing.
    #[error("the version register reads {0:#04x} and not 0x12: no chip, or another one")]
    NotThere(u8),
    /// DIO0 rose and the flag it stands for is not set: the pin is another one.
    #[error("DIO0 is high, but the interrupt flags are {0:#04x}")]
    Unexpected(u8),
    /// The chunk does not fit a packet.
    #[error("{len} bytes do not fit a packet of {mtu}")]
    Length {
        /// Bytes given, or bytes that came.
        len: usize,
        /// Bytes there is room for.
        mtu: usize,
    },
    /// A setting the chip does not have.
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

/// Where transmit payloads are written, so that what was received last stays readable.
const TX_BASE: u8 = 0x80;
/// The reset pin is held low for 100 us, and the chip needs 5 ms afterwards (section 7.2.2).
const RESET_US: u32 = 100;
const AFTER_RESET_MS: u32 = 5;

const ZEROS: [u8; 255] = [0; 255];

/// What the driver believes the chip is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Sleep,
    Standby,
    Listening,
}

/// How well the last packet was heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signal {
    /// Signal to noise in quarters of a decibel.
    pub snr_quarter_db: i8,
    /// Received power in dBm, without the datasheet's correction for a negative SNR.
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
    /// Resets the chip and sets it up.
    pub async fn new<R: OutputPin, D: DelayNs>(
        spi: S,
        dio0: I,
        dio5: I,
        reset: &mut R,
        delay: &mut D,
        config: Config,
    ) -> Outcome<Self, S, I> {
        config.check().map_err(Error::Config)?;
        let signal = Signal::default();
        let mut driver = Self { spi, dio0, dio5, config, state: State::Sleep, signal, damaged: 0 };
        reset.set_low().map_err(|_| Error::Reset)?;
        delay.delay_us(RESET_US).await;
        reset.set_high().map_err(|_| Error::Reset)?;
        delay.delay_ms(AFTER_RESET_MS).await;
        let version = driver.read(reg::VERSION).await?;
        if version != SILICON {
            return Err(Error::NotThere(version));
        }
        // The LoRa bit changes in sleep mode only (Table 16).
        driver.write(reg::OP_MODE, mode::FSK_SLEEP).await?;
        driver.write(reg::OP_MODE, mode::SLEEP).await?;
        driver.write_setup().await?;
        if config.idle == Idle::Ready {
            driver.wake().await?;
        }
        Ok(driver)
    }

    /// Everything that stays as it is from packet to packet.
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

    /// How this driver is set up.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// How well the last packet was heard.
    #[must_use]
    pub const fn signal(&self) -> Signal {
        self.signal
    }

    /// Packets that came with a wrong CRC, or without the one they should have, and were dropped.
    #[must_use]
    pub const fn damaged(&self) -> u32 {
        self.damaged
    }

    /// Sends one packet and waits until its last symbol has left. Without headers a shorter payload
    /// is filled up with zeros.
    pub async fn transmit(&mut self, payload: &[u8]) -> Outcome<(), S, I> {
        let (len, mtu) = (payload.len(), self.config.mtu());
        if len == 0 || len > mtu {
            return Err(Error::Length { len, mtu });
        }
        // Without a header every packet has the length both sides know.
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
        // The chip went to standby by itself (section 4.1.6).
        self.state = State::Standby;
        if flags & irq::TX_DONE == 0 {
            return Err(Error::Unexpected(flags));
        }
        self.rest().await
    }

    /// Waits for a packet whose CRC is right and returns its size. Dropping this future while it
    /// waits leaves the chip listening.
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
            // SNR, RSSI of the packet, RSSI now, and whether the header promised a CRC.
            let mut heard = [0; 4];
            self.read_many(reg::PKT_SNR_VALUE, &mut heard).await?;
            // Where it lies, interrupt mask and flags, how long it is.
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

    /// Standby, with the crystal running.
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
