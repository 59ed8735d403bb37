//! An nRF24L01+ on a bus and two pins of this computer, with the driver of the boards.

use std::rc::Rc;
use std::time::{Duration, Instant};

use airlag_drivers::nrf24::{Address, Config, Error, Nrf24, Role};
use airlag_link::airtime::nrf24::{Frame, Rate, SETTLE_NS};
use airlag_tunnel::{Pace, nrf24};
use embedded_hal_async::delay::DelayNs;

use crate::pins::{self, Input, Output};
use crate::radio::{LAST_CHANNEL, Wiring};
use crate::reactor::Reactor;
use crate::spi::Spi;

/// SPI clock that long jumper wires support, Hz. The chip supports 10 MHz (nRF24L01+ v1.0, section 8.1).
pub const SPI_HERTZ: u32 = 8_000_000;

/// Address of both ends. Pairs differ in their channel.
const ADDRESS: [u8; 5] = [0xE7, 0xD3, 0xF0, 0x35, 0x77];

/// Turnaround time of a radio: Tstby2a (nRF24L01+ v1.0, section 6.1.7).
pub const SETTLE: Duration = Duration::from_nanos(SETTLE_NS);

/// Allowance for the software of the other end: an interrupt, the commands that turn the radio around, and
/// the first payload, times three, as in `links/tunnel.toml`.
const SOFTWARE: Duration = Duration::from_micros(500);

/// A chip on this computer.
pub type Chip = Nrf24<Spi, Output, Input>;

/// Error of a chip.
pub type Failure = Error<linux_embedded_hal::SPIError, pins::Error, pins::Error>;

/// Time from the end of a packet to its interrupt: Tirq (section 7.7). For 250 kbit/s, where the section has
/// no value, one byte more than at 1 Mbit/s.
const fn irq(rate: Rate) -> Duration {
    Duration::from_nanos(match rate {
        Rate::Mbps2 => 6_000,
        Rate::Mbps1 => 8_200,
        Rate::Kbps250 => 40_200,
    })
}

fn config(wiring: &Wiring) -> Result<Config, Failure> {
    let address = Address::new(&ADDRESS).map_err(Error::Config)?;
    let bursts = Config::for_bursts(Role::Receiver, wiring.rate, address);
    Ok(Config { channel: wiring.channel, power: wiring.power, ..bursts })
}

/// Opens bus and pins, and configures the chip.
///
/// # Errors
///
/// One line, if a device is missing or does not respond.
pub async fn open(wiring: &Wiring, reactor: &Rc<Reactor>) -> Result<Chip, String> {
    let device = wiring.device.display();
    let spi = Spi::open(&wiring.device, SPI_HERTZ).map_err(|cause| format!("{device}: {cause}"))?;
    let ce = Output::open(&wiring.ce).map_err(|error| error.to_string())?;
    let irq = Input::open(&wiring.irq, reactor).map_err(|error| error.to_string())?;
    let config = config(wiring).map_err(describe)?;
    Nrf24::new(spi, ce, irq, &mut Delay(Rc::clone(reactor)), config)
        .await
        .map_err(|error| format!("{device}: {}", describe(error)))
}

/// Number of samples with a signal on each channel from 0 to 125, of `looks` samples each.
///
/// # Errors
///
/// One line: the errors of [`open`], and of the bus and pins.
pub async fn scan(wiring: &Wiring, looks: u16, reactor: &Rc<Reactor>) -> Result<Vec<u16>, String> {
    let mut chip = open(wiring, reactor).await?;
    let mut delay = Delay(Rc::clone(reactor));
    let mut found = Vec::new();
    for channel in 0..=LAST_CHANNEL {
        found.push(chip.busy(channel, looks, &mut delay).await.map_err(describe)?);
    }
    Ok(found)
}

/// Timing of the radio.
///
/// # Errors
///
/// For settings that the chip does not support.
pub fn pace(wiring: &Wiring) -> Result<Pace, String> {
    let frame = config(wiring).map_err(describe)?.frame();
    Ok(nrf24::pace(frame, SETTLE, irq(wiring.rate), SOFTWARE))
}

/// Timing of an emulated radio at this rate, and the duration of its frames.
///
/// # Errors
///
/// Never, because the settings are valid for the chip.
pub fn paced(rate: Rate) -> Result<(Pace, Frame), String> {
    let address = Address::new(&ADDRESS).map_err(|error| describe(Error::Config(error)))?;
    let frame = Config::for_bursts(Role::Receiver, rate, address).frame();
    Ok((nrf24::pace(frame, SETTLE, irq(rate), SOFTWARE), frame))
}

/// Formats an error with its cause.
pub fn describe(failure: Failure) -> String {
    match failure {
        Error::Spi(cause) => format!("bus error: {cause}"),
        Error::ChipEnable(cause) | Error::Interrupt(cause) => cause.to_string(),
        other => format!("{other} (details: airlag tunnel doctor)"),
    }
}

/// Delays by the clock of this computer.
struct Delay(Rc<Reactor>);

impl DelayNs for Delay {
    async fn delay_ns(&mut self, ns: u32) {
        self.0.until(Instant::now() + Duration::from_nanos(u64::from(ns))).await;
    }
}
