//! The bytes of the driver, compared with addresses that were copied by hand from the datasheet,
//! without a model. Complete set-ups and messages are in `tests/bus`.

use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::vec;
use std::vec::Vec;

use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use embedded_hal::digital::ErrorType as PinType;
use embedded_hal::spi::{ErrorKind, ErrorType};

use super::*;

/// The future never waits, so polling it once is sufficient.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("this bus never waits"),
    }
}

/// Records writes, and returns values from `answers` for reads, by register.
#[derive(Default)]
struct Bus {
    written: Vec<Vec<u8>>,
    answers: Vec<(u8, Vec<u8>)>,
    broken: bool,
}

impl ErrorType for &mut Bus {
    type Error = ErrorKind;
}

impl SpiDevice for &mut Bus {
    async fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), ErrorKind> {
        if self.broken {
            return Err(ErrorKind::ModeFault);
        }
        let mut bytes = Vec::new();
        for operation in operations {
            match operation {
                Operation::Write(write) => bytes.extend_from_slice(write),
                Operation::Read(read) => {
                    let found = self.answers.iter().position(|(at, _)| *at == bytes[0]);
                    let answer = self.answers.remove(found.expect("an answer")).1;
                    read.copy_from_slice(&answer);
                    bytes.push(read.len() as u8);
                }
                _ => panic!("not used by this driver"),
            }
        }
        self.written.push(bytes);
        Ok(())
    }
}

struct Pin;
impl PinType for Pin {
    type Error = Infallible;
}
impl OutputPin for Pin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
impl Wait for Pin {
    async fn wait_for_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    async fn wait_for_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    async fn wait_for_rising_edge(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    async fn wait_for_falling_edge(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
    async fn wait_for_any_edge(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
struct NoDelay;
impl DelayNs for NoDelay {
    async fn delay_ns(&mut self, _: u32) {}
}

const FRAME: Frame = Frame::new(SpreadingFactor::Sf7, Bandwidth::Khz250, CodingRate::Cr4_5);
const SLEEPING: Config = Config::new(915_000_000, FRAME).idle(Idle::Sleep);

/// Runs `act` with a configured driver, and returns the transactions of `act`.
fn after_setup<T>(
    config: Config,
    answers: &[(u8, &[u8])],
    act: impl AsyncFnOnce(&mut Sx127x<&mut Bus, Pin>) -> T,
) -> (T, Vec<Vec<u8>>) {
    let mut bus = Bus { answers: vec![(0x42, vec![0x12])], ..Bus::default() };
    bus.answers.extend(answers.iter().map(|(at, bytes)| (*at, bytes.to_vec())));
    let result = now(async {
        let mut driver =
            Sx127x::new(&mut bus, Pin, Pin, &mut Pin, &mut NoDelay, config).await.expect("set up");
        driver.spi.written.clear();
        act(&mut driver).await
    });
    (result, bus.written)
}

#[test]
fn the_long_range_setting_has_the_register_values_worked_out_by_hand() {
    let frame = Frame::new(SpreadingFactor::Sf11, Bandwidth::Khz62_5, CodingRate::Cr4_5);
    let config = Config::new(915_000_000, frame);
    assert_eq!(config.modem_config_1(), 0x62);
    assert_eq!(config.modem_config_2(), 0xB4);
    assert_eq!(config.modem_config_3(), 0x0C);
}

#[test]
fn a_packet_is_read_from_where_the_chip_says_it_lies() {
    let answers: &[(u8, &[u8])] = &[
        (0x12, &[0x50]),
        (0x19, &[0x27, 0x5E, 0x00, 0x40]),
        (0x10, &[0x30, 0x00, 0x50, 3]),
        (0x00, &[7, 8, 9]),
    ];
    let ((got, signal), written) = after_setup(SLEEPING, answers, async |d| {
        let mut buffer = [0; 255];
        let got = d.listen(&mut buffer).await.map(|len| buffer[..len].to_vec());
        (got, d.signal())
    });
    assert_eq!(got, Ok(vec![7, 8, 9]));
    assert_eq!(signal, Signal { snr_quarter_db: 39, rssi_dbm: -63 });
    let expected: &[&[u8]] = &[
        &[0xC0, 0x00],
        &[0x92, 0xFF],
        &[0x81, 0x85],
        &[0x12, 1],
        &[0x92, 0x50],
        &[0x19, 4],
        &[0x10, 4],
        &[0x8D, 0x30],
        &[0x00, 3],
        &[0x81, 0x80],
    ];
    assert_eq!(written, expected);
}

#[test]
fn a_packet_with_a_wrong_or_missing_crc_is_dropped_and_counted() {
    let answers: &[(u8, &[u8])] = &[
        (0x12, &[0x70]),
        (0x19, &[0, 0, 0, 0x40]),
        (0x10, &[0, 0, 0, 9]),
        (0x12, &[0x50]),
        (0x19, &[0, 0, 0, 0x00]),
        (0x10, &[0, 0, 0, 9]),
        (0x12, &[0x50]),
        (0x19, &[0, 0, 0, 0x40]),
        (0x10, &[0, 0, 0, 1]),
        (0x00, &[5]),
    ];
    let ((got, damaged), _) = after_setup(SLEEPING, answers, async |d| {
        let mut buffer = [0; 255];
        (d.listen(&mut buffer).await, d.damaged())
    });
    assert_eq!((got, damaged), (Ok(1), 2));
}

#[test]
fn without_headers_a_packet_is_filled_up_to_the_agreed_length() {
    let frame = Frame { explicit_header: false, ..FRAME };
    let config = Config { implicit_length: 4, ..Config::new(915_000_000, frame) };
    let (sent, written) = after_setup(config, &[(0x12, &[0x08])], async |d| {
        assert_eq!(d.capability(), Capability::datagram(4).padded(true));
        d.transmit(&[1, 2]).await
    });
    assert_eq!(sent, Ok(()));
    assert!(written.contains(&vec![0xA2, 4]) && written.contains(&vec![0x80, 0, 0]));
}

#[test]
fn what_does_not_fit_is_refused_before_the_bus_is_touched() {
    let (refused, written) = after_setup(SLEEPING, &[], async |d| d.transmit(&[0; 256]).await);
    assert_eq!(refused, Err(Error::Length { len: 256, mtu: 255 }));
    assert!(written.is_empty());
}

#[test]
fn a_bus_error_keeps_its_cause_and_a_wrong_chip_is_named() {
    let mut broken = Bus { broken: true, ..Bus::default() };
    let error = now(Sx127x::new(&mut broken, Pin, Pin, &mut Pin, &mut NoDelay, SLEEPING));
    assert_eq!(error.map(drop), Err(Error::Spi(ErrorKind::ModeFault)));
    let mut other = Bus { answers: vec![(0x42, vec![0xFF])], ..Bus::default() };
    let error = now(Sx127x::new(&mut other, Pin, Pin, &mut Pin, &mut NoDelay, SLEEPING));
    assert_eq!(error.map(drop), Err(Error::NotThere(0xFF)));
}

#[test]
fn settings_the_chip_does_not_have_are_refused() {
    let refused = |config: Config| config.check().expect_err("not a setting");
    let base = Config::new(915_000_000, FRAME);
    assert_eq!(refused(Config::new(2_400_000_000, FRAME)), ConfigError::Frequency(2_400_000_000));
    assert_eq!(refused(Config::new(169_000_000, FRAME)), ConfigError::WideBelow400Mhz(169_000_000));
    assert_eq!(refused(Config { power_dbm: 20, ..base }), ConfigError::Power(20));
    let sf6 = Frame { spreading_factor: SpreadingFactor::Sf6, ..FRAME };
    assert_eq!(refused(Config::new(915_000_000, sf6)), ConfigError::HeaderAtSf6);
    let short = Frame { preamble: 5, ..FRAME };
    assert_eq!(refused(Config::new(915_000_000, short)), ConfigError::Preamble(5));
    let implicit = Frame { explicit_header: false, ..FRAME };
    assert_eq!(refused(Config::new(915_000_000, implicit)), ConfigError::PayloadLength);
}
