//! `rf24-rs`, a third-party driver, runs unmodified on the chip model.
//!
//! It blocks, so its bus and its delays advance the simulation.

use std::convert::Infallible;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_models::chip::nrf24::{Nrf24, Timing};
use airlag_models::mcu::SpiTarget;
use airlag_sim::{Clock, Duration, Line, Simulation};
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType as PinType, OutputPin};
use embedded_hal::spi::{ErrorType as SpiType, Operation, SpiDevice};
use rf24::DataRate;
use rf24::radio::RF24;
use rf24::radio::prelude::*;

#[derive(Clone)]
struct Time(Rc<Simulation>);

impl Time {
    fn pass(&self, time: Duration) {
        self.0.run_until(self.0.now() + time).expect("no livelock");
    }
}

impl DelayNs for Time {
    fn delay_ns(&mut self, ns: u32) {
        self.pass(Duration::from_ns(ns.into()));
    }
}

struct Bus {
    chip: Rc<Nrf24>,
    time: Time,
}

impl SpiType for Bus {
    type Error = Infallible;
}

impl SpiDevice for Bus {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        self.chip.select();
        for operation in operations {
            let bytes = match operation {
                Operation::Read(bytes) | Operation::TransferInPlace(bytes) => {
                    self.chip.exchange(bytes);
                    bytes.len()
                }
                Operation::Write(bytes) => {
                    self.chip.exchange(&mut bytes.to_vec());
                    bytes.len()
                }
                Operation::Transfer(read, write) => {
                    let mut both = write.to_vec();
                    both.resize(read.len().max(write.len()), 0);
                    self.chip.exchange(&mut both);
                    let length = read.len();
                    read.copy_from_slice(&both[..length]);
                    both.len()
                }
                Operation::DelayNs(ns) => {
                    self.time.pass(Duration::from_ns((*ns).into()));
                    0
                }
            };
            // A byte at 8 MHz.
            self.time.pass(Duration::from_us(bytes as u64));
        }
        self.chip.deselect();
        Ok(())
    }
}

struct Pin(Line);

impl PinType for Pin {
    type Error = Infallible;
}

impl OutputPin for Pin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.set(false);
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.set(true);
        Ok(())
    }
}

type Radio = RF24<Bus, Pin, Time>;

fn pair() -> (Time, Radio, Radio) {
    let time = Time(Rc::new(Simulation::new(1)));
    let air = Medium::new(&time.0);
    let radio = |name: &str| {
        let chip = Nrf24::new(&air, name, &time.0, Clock::exact(), Timing::default());
        let pin = Pin(chip.ce().clone());
        RF24::new(pin, Bus { chip, time: time.clone() }, time.clone())
    };
    let (mut one, mut other) = (radio("one"), radio("other"));
    for radio in [&mut one, &mut other] {
        radio.init().expect("it finds its chip");
        radio.set_data_rate(DataRate::Mbps2).expect("the rate reads back");
        radio.set_channel(76).expect("the channel exists");
    }
    (time, one, other)
}

const ADDRESS: [u8; 5] = *b"1Node";

#[test]
fn it_finds_a_plus_variant_and_sends_what_the_other_reads() {
    let (time, mut sender, mut receiver) = pair();
    assert!(sender.is_plus_variant());
    receiver.open_rx_pipe(1, &ADDRESS).expect("pipe 1");
    receiver.as_rx().expect("listens");
    sender.as_tx(Some(&ADDRESS)).expect("sends");
    time.pass(Duration::from_ms(1));
    for nth in 0..10_u8 {
        let payload = [nth; 32];
        assert_eq!(sender.send(&payload, false), Ok(true), "payload {nth}");
        time.pass(Duration::from_ms(1));
        let mut pipe = 0;
        assert_eq!(receiver.available_pipe(&mut pipe), Ok(true));
        assert_eq!(pipe, 1);
        let mut read = [0; 32];
        receiver.read(&mut read, None).expect("a payload");
        assert_eq!(read, payload);
        assert_eq!(receiver.available(), Ok(false));
    }
}

#[test]
fn without_a_receiver_it_reports_failure_after_its_retries() {
    let (time, mut sender, _receiver) = pair();
    sender.as_tx(Some(&ADDRESS)).expect("sends");
    sender.set_auto_retries(1, 3).expect("500 us, 3 times");
    let begin = time.0.now();
    assert_eq!(sender.send(&[1; 32], false), Ok(false));
    let took_us = time.0.now().since(begin).as_ns() / 1_000;
    // The driver takes the settling time, then four packets of 164.5 us and four delays of 500 us,
    // three of which are followed by settling: 3178 us, plus some bytes on the bus.
    assert!((3_178..3_300).contains(&took_us), "{took_us}");
}

#[test]
fn an_acknowledgement_brings_its_payload_back() {
    let (time, mut sender, mut receiver) = pair();
    for radio in [&mut sender, &mut receiver] {
        radio.set_dynamic_payloads(true).expect("dynamic payloads");
        radio.set_ack_payloads(true).expect("acknowledgement payloads");
    }
    receiver.open_rx_pipe(1, &ADDRESS).expect("pipe 1");
    receiver.as_rx().expect("listens");
    assert_eq!(receiver.write_ack_payload(1, b"pong"), Ok(true));
    sender.as_tx(Some(&ADDRESS)).expect("sends");
    time.pass(Duration::from_ms(1));
    assert_eq!(sender.send(b"ping!", false), Ok(true));
    assert_eq!(sender.available(), Ok(true));
    let mut read = [0; 4];
    assert_eq!(sender.read(&mut read, None), Ok(4));
    assert_eq!(&read, b"pong");
    let mut read = [0; 5];
    assert_eq!(receiver.read(&mut read, None), Ok(5));
    assert_eq!(&read, b"ping!");
}
