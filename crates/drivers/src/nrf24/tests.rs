//! The bytes on the bus, written out from Table 20 and Table 28 of the product specification. There
//! is no chip model, only a list of responses and a list of transfers. Complete set-ups and
//! messages are in `tests/bus`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::vec;
use std::vec::Vec;

use airlag_link::airtime::nrf24::Rate;
use embedded_hal::digital::ErrorType as PinType;
use embedded_hal::spi::{ErrorType as SpiType, Operation};

use super::*;

/// Plays back responses and records transfers.
#[derive(Default)]
struct Script {
    answers: VecDeque<Vec<u8>>,
    sent: Vec<Vec<u8>>,
    /// Returns the last value written to a register when it is read, so that set-up detects a chip.
    echo: Option<Vec<(u8, u8)>>,
}

impl SpiType for Script {
    type Error = Infallible;
}

impl SpiDevice for Script {
    async fn transaction(
        &mut self,
        operations: &mut [Operation<'_, u8>],
    ) -> Result<(), Infallible> {
        let mut sent = Vec::new();
        let mut answer = match self.echo {
            None => self.answers.pop_front().unwrap_or_default(),
            Some(_) => Vec::new(),
        };
        for operation in operations {
            match operation {
                Operation::Write(bytes) => sent.extend_from_slice(bytes),
                Operation::TransferInPlace(bytes) => {
                    sent.extend_from_slice(bytes);
                    if let Some(written) = &self.echo {
                        let found =
                            written.iter().rev().find(|(register, _)| *register == bytes[0]);
                        answer = vec![0x0E, found.map_or(0, |&(_, value)| value)];
                    }
                    answer.resize(bytes.len(), 0);
                    bytes.copy_from_slice(&answer);
                }
                _ => panic!("the driver uses no other operation"),
            }
        }
        if let (Some(written), [command @ 0x20..=0x3F, value]) = (&mut self.echo, &sent[..]) {
            written.push((command & 0x1F, *value));
        }
        self.sent.push(sent);
        Ok(())
    }
}

#[derive(Default)]
struct Pin(Vec<bool>);

impl PinType for Pin {
    type Error = Infallible;
}

impl OutputPin for Pin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.push(false);
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.push(true);
        Ok(())
    }
}

/// An interrupt that is always active.
struct Ready;

impl PinType for Ready {
    type Error = Infallible;
}

impl Wait for Ready {
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

fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing here waits"),
    }
}

type Driver = Nrf24<Script, Pin, Ready>;

fn config(role: Role) -> Config {
    let address = Address::new(&[0xE7, 0xD3, 0xF0]).expect("three bytes");
    Config { channel: 76, ..Config::new(role, Rate::Mbps2, address) }
}

fn set_up(config: Config) -> Driver {
    let spi = Script { echo: Some(Vec::new()), ..Script::default() };
    let made = now(Nrf24::new(spi, Pin::default(), Ready, &mut NoDelay, config));
    made.expect("the script answers")
}

/// A configured driver with these responses pending and no transfers recorded.
fn scripted(config: Config, answers: &[&[u8]]) -> Driver {
    let mut driver = set_up(config);
    driver.spi = Script {
        answers: answers.iter().map(|answer| answer.to_vec()).collect(),
        ..Script::default()
    };
    driver.ce = Pin::default();
    driver
}

#[test]
fn rates_delays_and_features_are_coded_as_in_the_register_map() {
    for (rate, setup) in [(Rate::Kbps250, 0x26), (Rate::Mbps1, 0x06), (Rate::Mbps2, 0x0E)] {
        let config = Config { rate, ..config(Role::Transmitter) };
        assert_eq!(config.rf_setup(), setup);
    }
    for (power, setup) in
        [(Power::Minus18, 0x08), (Power::Minus12, 0x0A), (Power::Minus6, 0x0C), (Power::Zero, 0x0E)]
    {
        let config = Config { rate: Rate::Mbps2, power, ..config(Role::Transmitter) };
        assert_eq!(config.rf_setup(), setup);
    }
    let longest =
        Config { retransmit_delay_us: 4000, retransmit_count: 15, ..config(Role::Transmitter) };
    assert_eq!(longest.setup_retr(), 0xFF);
    let all = Config { ack_payload: 32, acknowledge: false, ..config(Role::Transmitter) };
    assert_eq!(all.feature(), 0b111);
    let dynamic = Config { payload: Payload::Dynamic, ..config(Role::Transmitter) };
    let driver = set_up(dynamic);
    assert!(driver.spi.sent.contains(&vec![0x3D, 0b100]));
    assert!(driver.spi.sent.contains(&vec![0x3C, 0b1]));
}

#[test]
fn an_acknowledged_payload_is_written_enabled_and_its_flag_cleared() {
    let mut driver = scripted(config(Role::Transmitter), &[&[], &[0x2E], &[0x0E, 0x11]]);
    assert_eq!(now(driver.transmit(&[1, 2, 3])), Ok(Delivery::Confirmed));
    let mut payload = vec![0xA0, 1, 2, 3];
    payload.resize(33, 0);
    // The driver writes TX_DS and RX_DR to STATUS, then sends R_REGISTER FIFO_STATUS.
    assert_eq!(driver.spi.sent, [payload, vec![0x27, 0x60], vec![0x17, 0]]);
    assert_eq!(driver.ce.0, [true, false]);
}

#[test]
fn a_payload_given_up_is_flushed_and_reported_lost() {
    let mut driver = scripted(config(Role::Transmitter), &[&[], &[0x1E], &[0x1E, 0x01]]);
    assert_eq!(now(driver.transmit(&[0; 32])), Ok(Delivery::Lost));
    // The driver clears TX_DS and RX_DR, reads the FIFO, sends FLUSH_TX, and only then clears
    // MAX_RT.
    let sent = [vec![0x27, 0x60], vec![0x17, 0], vec![0xE1], vec![0x27, 0x10]];
    assert_eq!(driver.spi.sent[1..], sent);
    assert_eq!(driver.ce.0, [true, false]);
}

#[test]
fn a_payload_without_acknowledgement_has_a_command_of_its_own() {
    let config = Config { acknowledge: false, ..config(Role::Transmitter) };
    let mut driver = scripted(config, &[&[], &[0x2E], &[0x0E, 0x11]]);
    assert_eq!(now(driver.transmit(&[9; 32])), Ok(Delivery::Sent));
    assert_eq!(driver.spi.sent[0][0], 0xB0);
}

#[test]
fn a_receiver_reads_what_is_there_before_it_waits() {
    let mut first = vec![0x42];
    first.extend([7; 32]);
    let answers: [&[u8]; 5] = [&[0x42], &first, &[0x0E], &[0x4C], &first];
    let mut driver = scripted(config(Role::Receiver), &answers);
    let mut buffer = [0; 32];
    // Responses: STATUS 0x42 (RX_DR, pipe 1), then an empty FIFO, an interrupt, and pipe 6, which
    // does not exist.
    assert_eq!(now(driver.listen(&mut buffer)), Ok((1, 32)));
    assert_eq!(buffer, [7; 32]);
    assert_eq!(driver.spi.sent[0], [0xFF]);
    assert_eq!((driver.spi.sent[1][0], driver.spi.sent[1].len()), (0x61, 33));
}

#[test]
fn a_receiver_clears_its_flag_before_it_reads_the_fifo() {
    let mut payload = vec![0x40];
    payload.extend([3; 32]);
    let mut driver = scripted(config(Role::Receiver), &[&[0x0E], &[0x40, 0], &payload]);
    let mut buffer = [0; 32];
    assert_eq!(now(driver.listen(&mut buffer)), Ok((0, 32)));
    let commands: Vec<_> = driver.spi.sent.iter().map(|sent| sent[0]).collect();
    assert_eq!(commands, [0xFF, 0x27, 0x61]);
    assert_eq!(driver.spi.sent[1], [0x27, 0x70]);
}

#[test]
fn a_flag_raised_again_while_it_is_cleared_is_made_up_for_by_the_fifo() {
    // Two payloads are in flight. The second is sent after the flag of the first was read.
    let config = Config { window: 3, ..config(Role::Transmitter) };
    let mut driver = scripted(config, &[&[], &[], &[0x2E], &[0x0E, 0x11]]);
    for payload in [1, 2] {
        assert_eq!(now(driver.transmit(&[payload])), Ok(Delivery::Sent));
    }
    assert_eq!(now(driver.drain()), Ok(Delivery::Confirmed));
    assert_eq!(driver.spi.sent.len(), 4);
}

#[test]
fn a_payload_that_comes_while_a_flag_is_cleared_is_read_all_the_same() {
    // The flag belongs to a payload that was read earlier. The new payload arrives while this flag
    // is being cleared.
    let mut payload = vec![0x00];
    payload.extend([3; 32]);
    let answers: [&[u8]; 4] = [&[0x4E], &[0x4E], &[0x00], &payload];
    let mut driver = scripted(config(Role::Receiver), &answers);
    let mut buffer = [0; 32];
    assert_eq!(now(driver.listen(&mut buffer)), Ok((0, 32)));
    let commands: Vec<_> = driver.spi.sent.iter().map(|sent| sent[0]).collect();
    assert_eq!((commands, buffer), (vec![0xFF, 0x27, 0xFF, 0x61], [3; 32]));
}

#[test]
fn a_dynamic_payload_is_asked_for_its_width_and_flushed_if_that_is_wrong() {
    let config = Config { payload: Payload::Dynamic, ..config(Role::Receiver) };
    let mut driver = scripted(
        config,
        &[&[0x40], &[0x40, 5], &[0x40, 1, 2, 3, 4, 5], &[0x40], &[0x40, 33], &[0x0E]],
    );
    let mut buffer = [0; 32];
    assert_eq!(now(driver.listen(&mut buffer)), Ok((0, 5)));
    assert_eq!(buffer[..5], [1, 2, 3, 4, 5]);
    assert_eq!(driver.spi.sent[1], [0x60, 0]);
    assert_eq!(driver.spi.sent[2].len(), 6);
    assert_eq!(now(driver.take_received(&mut buffer)), Ok(None));
    assert_eq!(driver.spi.sent[5], [0xE2]);
}

#[test]
fn the_bad_habit_of_flushing_is_reproduced_only_on_request() {
    let config = Config { flush_after_read: true, ..config(Role::Receiver) };
    let mut payload = vec![0x40];
    payload.extend([3; 32]);
    let mut driver = scripted(config, &[&[0x40], &payload, &[0x40], &[0x40], &payload]);
    let mut buffer = [0; 32];
    for _ in 0..2 {
        assert_eq!(now(driver.listen(&mut buffer)), Ok((0, 32)));
    }
    let commands: Vec<_> = driver.spi.sent.iter().map(|sent| sent[0]).collect();
    assert_eq!(commands, [0xFF, 0x61, 0xE2, 0xFF, 0x61]);
}

#[test]
fn an_acknowledgement_payload_names_its_pipe() {
    let mut driver = scripted(config(Role::Receiver), &[]);
    assert_eq!(now(driver.write_ack_payload(5, &[1, 2])), Ok(()));
    assert_eq!(driver.spi.sent, [vec![0xAD, 1, 2]]);
    let refused = now(driver.write_ack_payload(6, &[1]));
    assert_eq!(refused, Err(Error::Config(ConfigError::Pipe(6))));
}

fn for_bursts(role: Role) -> Config {
    let address = Address::new(&[0xE7, 0xD3, 0xF0]).expect("three bytes");
    Config::for_bursts(role, Rate::Mbps2, address)
}

#[test]
fn an_acknowledgement_with_a_full_payload_has_the_time_it_takes_at_each_rate() {
    let address = Address::new(&[1, 2, 3, 4, 5]).expect("five bytes");
    for (rate, us) in [(Rate::Mbps2, 500), (Rate::Mbps1, 500), (Rate::Kbps250, 1500)] {
        let config = Config::for_bursts(Role::Transmitter, rate, address);
        assert_eq!((config.retransmit_delay_us, config.check()), (us, Ok(())), "{rate:?}");
        // The value contains EN_DPL, EN_ACK_PAY and EN_DYN_ACK.
        assert_eq!(config.feature(), 0b111);
    }
}

#[test]
fn only_the_last_frame_of_a_burst_asks_and_what_comes_with_its_acknowledgement_is_read() {
    let mut driver = scripted(
        for_bursts(Role::Transmitter),
        &[
            &[],
            &[],
            &[],
            &[0x2E, 0],
            &[0x0E, 0x00],
            &[],
            &[0x60, 0],
            &[0x00, 0x10],
            &[0x40, 2],
            &[0x40, 7, 8],
        ],
    );
    let (frames, mut answer) = ([[1_u8; 32], [2; 32], [3; 32], [4; 32]], [0; 32]);
    let got = now(driver.burst(frames.iter().map(|frame| &frame[..]), &mut answer));
    assert_eq!((got, &answer[..2]), (Ok(Some(2)), &[7, 8][..]));
    let commands: Vec<_> = driver.spi.sent.iter().map(|sent| sent[0]).collect();
    assert_eq!(commands, [0xB0, 0xB0, 0xB0, 0x27, 0x17, 0xA0, 0x27, 0x17, 0x60, 0x61]);
    assert_eq!(driver.spi.sent[5][1..], [4; 32]);
}

#[test]
fn a_burst_that_is_not_acknowledged_leaves_nothing_in_the_fifo() {
    let mut driver = scripted(for_bursts(Role::Transmitter), &[&[], &[0x1E, 0], &[0x1E, 0]]);
    let got = now(driver.burst([&[1, 2, 3][..]].into_iter(), &mut [0; 32]));
    assert_eq!(got, Ok(None));
    // The driver clears TX_DS and RX_DR, reads the FIFO, sends FLUSH_TX, and only then clears
    // MAX_RT.
    let sent = [vec![0xA0, 1, 2, 3], vec![0x27, 0x60], vec![0x17, 0], vec![0xE1], vec![0x27, 0x10]];
    assert_eq!(driver.spi.sent, sent);
}

#[test]
fn a_listener_lays_its_answer_ready_in_place_of_the_one_before() {
    let mut driver = scripted(for_bursts(Role::Receiver), &[]);
    assert_eq!(now(driver.lay_ready(&[5, 6])), Ok(()));
    assert_eq!(driver.spi.sent, [vec![0xE1], vec![0xA8, 5, 6]]);
}

#[test]
fn whoever_has_something_to_send_turns_round_in_standby_with_empty_fifos() {
    let answers: [&[u8]; 7] = [&[], &[0x0E], &[0x0E], &[], &[], &[0x2E, 0], &[0x0E, 0x10]];
    let mut driver = scripted(for_bursts(Role::Receiver), &answers);
    assert_eq!(now(driver.burst([&[9][..]].into_iter(), &mut [0; 32])), Ok(Some(0)));
    // Transfers: CONFIG without PRIM_RX, FLUSH_TX, FLUSH_RX, flags, and the payload.
    let begun = [vec![0x20, 0x0E], vec![0xE1], vec![0xE2], vec![0x27, 0x70], vec![0xA0, 9]];
    assert_eq!(driver.spi.sent[..5], begun);
    assert_eq!(driver.ce.0[driver.ce.0.len() - 2..], [false, true]);
    assert_eq!(now(driver.lay_ready(&[1])), Ok(()));
    assert!(driver.spi.sent.contains(&vec![0x20, 0x0F]), "a receiver again");
}

#[test]
fn flags_of_payloads_that_were_taken_before_do_not_hide_one_that_comes_meanwhile() {
    // Responses show only a flag and an empty FIFO; the payload arrives while the flag is being
    // cleared.
    let answers: [&[u8]; 4] = [&[0x4E, 0], &[0x4E, 0], &[0x00, 1], &[0x00, 3]];
    let mut driver = scripted(for_bursts(Role::Receiver), &answers);
    let mut buffer = [0; 32];
    assert_eq!(now(driver.take(&mut buffer)), Ok(Some(1)));
    let commands: Vec<_> = driver.spi.sent.iter().map(|sent| sent[0]).collect();
    assert_eq!((commands, buffer[0]), (vec![0x60, 0x27, 0x60, 0x61], 3));
}

#[test]
fn a_bus_without_a_chip_is_named() {
    // Every response is 0xFF, because nothing drives the wire.
    let spi = Script { answers: (0..99).map(|_| vec![0xFF; 6]).collect(), ..Script::default() };
    let made = now(Nrf24::new(spi, Pin::default(), Ready, &mut NoDelay, config(Role::Receiver)));
    assert_eq!(made.err(), Some(Error::NotThere { register: 0x01, written: 0x01, read: 0xFF }));
}

#[test]
fn settings_the_chip_does_not_have_are_refused() {
    let base = config(Role::Transmitter);
    for (config, error) in [
        (Config { channel: 126, ..base }, ConfigError::Channel(126)),
        (Config { retransmit_delay_us: 300, ..base }, ConfigError::RetransmitDelay(300)),
        (Config { retransmit_count: 16, ..base }, ConfigError::RetransmitCount(16)),
        (Config { payload: Payload::Fixed(33), ..base }, ConfigError::PayloadWidth(33)),
        (Config { window: 4, ..base }, ConfigError::Window(4)),
    ] {
        assert_eq!(config.check(), Err(error));
    }
    assert_eq!(Address::new(&[1, 2]), Err(ConfigError::AddressWidth(2)));
    let mut driver = scripted(base, &[]);
    assert_eq!(now(driver.transmit(&[0; 33])), Err(Error::TooLong { len: 33, mtu: 32 }));
}

#[test]
fn the_delay_leaves_an_acknowledgement_the_time_that_table_18_gives_it() {
    use Rate::{Kbps250, Mbps1, Mbps2};
    // The longest payload for each delay and rate: nRF24L01+ v1.0, 7.4.2, and footnote a of 9.1.
    for (rate, delay, longest) in [
        (Mbps2, 250, 15),
        (Mbps2, 500, 32),
        (Mbps1, 250, 5),
        (Mbps1, 500, 32),
        (Kbps250, 500, 0),
        (Kbps250, 750, 8),
        (Kbps250, 1000, 16),
        (Kbps250, 1250, 24),
        (Kbps250, 1500, 32),
    ] {
        let base = config(Role::Transmitter);
        let with =
            |payload| Config { rate, retransmit_delay_us: delay, ack_payload: payload, ..base };
        assert_eq!(with(longest).check(), Ok(()), "{rate:?} {delay}");
        if longest < 32 {
            let refused = with(longest + 1).check();
            let short = matches!(refused, Err(ConfigError::RetransmitDelayTooShort { .. }));
            assert!(short, "{rate:?} {delay}: {refused:?}");
        }
        // Without acknowledgements, the delay has no lower limit.
        let unanswered = |payload| Config { acknowledge: false, ..with(payload) }.check();
        assert_eq!(unanswered(0), Ok(()));
        assert_eq!(unanswered(1), Err(ConfigError::NoAcknowledgement));
    }
}

#[test]
fn a_resting_transmitter_wakes_for_a_message_and_powers_down_behind_it() {
    let driver = scripted(config(Role::Transmitter), &[]);
    let mut resting = Resting::new(driver, NoDelay);
    assert_eq!(now(resting.power_down()), Ok(()));
    // Values of CONFIG with a CRC of two bytes, without and with PWR_UP.
    let (down, up) = (vec![0x20, 0x0C], vec![0x20, 0x0E]);
    assert_eq!(resting.radio.spi.sent.last(), Some(&down));
    let begun = resting.radio.spi.sent.len();
    // Responses to CONFIG, W_TX_PAYLOAD, STATUS with TX_DS, and an empty FIFO.
    resting.radio.spi.answers = [vec![], vec![], vec![0x2E], vec![0x0E, 0x11]].into();
    assert_eq!(now(resting.send(&[1])), Ok(Delivery::Sent));
    assert_eq!(resting.radio.spi.sent[begun], up, "before the payload");
    assert_ne!(resting.radio.spi.sent.last(), Some(&down), "more chunks may follow");
    assert_eq!(now(resting.flush()), Ok(Delivery::Confirmed));
    assert_eq!(resting.radio.spi.sent.last(), Some(&down));
    assert_eq!(resting.radio.ce.0.last(), Some(&false));
}

#[test]
fn a_driver_that_is_configured_again_writes_what_a_new_one_writes() {
    for (before, after) in
        [(Role::Transmitter, Role::Receiver), (Role::Receiver, Role::Transmitter)]
    {
        let mut expected = config(after);
        expected.channel = 5;
        let mut driver = set_up(config(before));
        driver.spi.sent.clear();
        driver.ce.0.clear();
        (driver.in_flight, driver.pausing, driver.drained) = (2, true, true);
        driver.spi.echo = Some(Vec::new());
        now(driver.configure(&mut NoDelay, expected)).expect("a chip");
        let fresh = set_up(expected);
        assert_eq!((&driver.spi.sent, &driver.ce.0), (&fresh.spi.sent, &fresh.ce.0));
        assert_eq!((driver.in_flight, driver.pausing, driver.drained), (0, false, false));
        assert_eq!((driver.config, driver.enabled), (expected, fresh.enabled));
    }
}
