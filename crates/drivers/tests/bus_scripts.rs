//! The drivers' bus activity, compared line by line with `tests/bus`. The images for boards are
//! compared with the same files.

mod wires;

use airlag_drivers::nrf24::{Address, Config, Payload, Replier, Requester, Role};
use airlag_drivers::sx127x::{self, Idle};
use airlag_drivers::{Nrf24, Sx127x};
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use airlag_link::airtime::nrf24::Rate;
use airlag_link::{Delivery, Link, message};
use wires::{Waited, Wires, now, waits};

fn first_message() -> [u8; 12] {
    let mut bytes = [0; 12];
    message::write_test(&mut bytes, 0).expect("12 bytes suffice");
    bytes
}

fn nrf24(wires: &Wires, role: Role) -> Nrf24<wires::Bus, wires::Pin, wires::Pin> {
    set_up(wires, Config::new(role, Rate::Mbps2, address()))
}

/// A driver whose acknowledgements can carry 32 bytes.
fn nrf24_with_replies(wires: &Wires, role: Role) -> Nrf24<wires::Bus, wires::Pin, wires::Pin> {
    let config = Config::new(role, Rate::Mbps2, address());
    let (payload, ack_payload, retransmit_delay_us) = (Payload::Dynamic, 32, 500);
    set_up(wires, Config { payload, ack_payload, retransmit_delay_us, ..config })
}

fn address() -> Address {
    Address::new(&[0xE7, 0xD3, 0xF0]).expect("three bytes")
}

fn set_up(wires: &Wires, config: Config) -> Nrf24<wires::Bus, wires::Pin, wires::Pin> {
    let (role, config) = (config.role, Config { channel: 76, ..config });
    let mut waited = Waited::default();
    let (ce, irq) = (wires.pin("CE"), wires.pin("IRQ"));
    let driver = now(Nrf24::new(wires.bus(), ce, irq, &mut waited, config)).expect("a chip");
    // Total delay: 100 ms of power-on reset, 4.5 ms of crystal start, and 130 us of settling for a
    // receiver.
    let settle = if role == Role::Receiver { 130_000 } else { 0 };
    assert_eq!(waited.0, 104_500_000 + settle);
    driver
}

fn sx127x(wires: &Wires, bandwidth: Bandwidth) -> Sx127x<wires::Bus, wires::Pin> {
    let frame = Frame::new(SpreadingFactor::Sf7, bandwidth, CodingRate::Cr4_5);
    let config = sx127x::Config::new(915_000_000, frame).idle(Idle::Sleep);
    let (dio0, dio5, mut reset) = (wires.pin("DIO0"), wires.pin("DIO5"), wires.pin("RESET"));
    let mut waited = Waited::default();
    let made = now(Sx127x::new(wires.bus(), dio0, dio5, &mut reset, &mut waited, config));
    // Total delay: 100 us of reset, and 5 ms after it.
    assert_eq!(waited.0, 5_100_000);
    made.expect("a chip")
}

/// Receives the first message, and waits for the next one at the end of the script.
fn receives(wires: &Wires, mut link: impl Link, padding: usize) {
    let mut buffer = [0xFF; 255];
    let got = now(link.receive(&mut buffer)).expect("the script answers");
    assert_eq!(got, 12 + padding);
    assert_eq!(buffer[..12], first_message());
    assert!(waits(link.receive(&mut buffer)));
    wires.assert_at_end();
}

#[test]
fn an_nrf24_sends_as_the_specification_says() {
    let wires = Wires::new(include_str!("bus/nrf24-sender.txt"));
    let mut driver = nrf24(&wires, Role::Transmitter);
    wires.assert_at_section("message");
    assert_eq!(now(driver.send(&first_message())), Ok(Delivery::Confirmed));
    wires.assert_at_end();
}

#[test]
fn an_nrf24_receives_as_the_specification_says() {
    let wires = Wires::new(include_str!("bus/nrf24-receiver.txt"));
    let driver = nrf24(&wires, Role::Receiver);
    wires.assert_at_section("message");
    receives(&wires, driver, 20);
}

#[test]
fn an_nrf24_asks_and_its_reply_comes_with_an_acknowledgement() {
    let wires = Wires::new(include_str!("bus/nrf24-requester.txt"));
    let driver = nrf24_with_replies(&wires, Role::Transmitter);
    let mut link = Requester::new(driver, Waited::default(), 100).expect("it is set up for it");
    wires.assert_at_section("request");
    assert_eq!(now(link.send(&first_message())), Ok(Delivery::Confirmed));
    wires.assert_at_section("one byte");
    assert_eq!(now(link.send(&[7])), Ok(Delivery::Confirmed));
    wires.assert_at_section("reply");
    let mut buffer = [0xFF; 32];
    assert_eq!(now(link.receive(&mut buffer)), Ok(12));
    assert_eq!(buffer[..12], first_message());
    wires.assert_at_end();
}

#[test]
fn an_nrf24_lays_replies_ready_for_acknowledgements() {
    let wires = Wires::new(include_str!("bus/nrf24-replier.txt"));
    let mut link = Replier::new(nrf24_with_replies(&wires, Role::Receiver)).expect("it is set up");
    let mut buffer = [0xFF; 32];
    wires.assert_at_section("request");
    assert_eq!(now(link.receive(&mut buffer)), Ok(12));
    assert_eq!(buffer[..12], first_message());
    wires.assert_at_section("reply");
    for chunk in [&first_message()[..], &[2], &[3]] {
        assert_eq!(now(link.send(chunk)), Ok(Delivery::Sent));
    }
    wires.assert_at_section("one too many");
    assert_eq!(now(link.send(&[4])), Ok(Delivery::Sent));
    wires.assert_at_section("polled");
    assert!(waits(link.receive(&mut buffer)));
    wires.assert_at_end();
}

#[test]
fn replies_in_acknowledgements_need_a_radio_that_is_set_up_for_them() {
    let sender = nrf24(&Wires::new(include_str!("bus/nrf24-sender.txt")), Role::Transmitter);
    assert!(Requester::new(sender, Waited::default(), 100).is_err(), "no payload in them");
    let asking = Wires::new(include_str!("bus/nrf24-requester.txt"));
    let requester = nrf24_with_replies(&asking, Role::Transmitter);
    assert!(Replier::new(requester).is_err(), "not its role");
}

#[test]
fn an_sx127x_sends_as_the_datasheet_says() {
    let wires = Wires::new(include_str!("bus/sx127x-sender.txt"));
    let mut driver = sx127x(&wires, Bandwidth::Khz250);
    wires.assert_at_section("message");
    assert_eq!(now(driver.send(&first_message())), Ok(Delivery::Sent));
    wires.assert_at_end();
}

#[test]
fn an_sx127x_receives_as_the_datasheet_says() {
    let wires = Wires::new(include_str!("bus/sx127x-receiver.txt"));
    let driver = sx127x(&wires, Bandwidth::Khz250);
    wires.assert_at_section("message");
    receives(&wires, driver, 0);
}

#[test]
fn an_sx127x_at_500_khz_is_set_up_as_its_errata_note_says() {
    let wires = Wires::new(include_str!("bus/sx127x-500khz.txt"));
    let mut driver = sx127x(&wires, Bandwidth::Khz500);
    wires.assert_at_section("message");
    assert!(waits(driver.receive(&mut [0; 255])));
    wires.assert_at_end();
}
