//! Parameters of the tunnel without sequence numbers, and the resulting settings of its ends.

use airlag_drivers::nrf24::{Address, Config, Payload, Role};
use airlag_link::airtime::nrf24::Rate;
use airlag_models::chip::nrf24::Timing;
use airlag_sim::Duration;

use crate::boards::spi::SpiBoards;
use crate::nrf24::InterruptDelay;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::parameters;
use airlag_rig::propagation::Propagation;

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// air data rate
        rate: Rate = unit("kbit/s"),
        /// channel
        channel: u8 = whole(0, 125, "MHz above 2400"),
        /// channel of the return direction
        back_channel: u8 = whole(0, 125, "MHz above 2400"),
        /// address length
        address_width: u8 = whole(3, 5, "B"),
        /// retransmit delay, ARD
        retransmit_delay: u16 = whole(250, 4_000, "us"),
        /// retransmissions, ARC
        retransmit_count: u8 = whole(0, 15, ""),
        /// transmissions of a burst by the program until it is acknowledged
        attempts: u8 = whole(1, 100, ""),
        /// longest IP packet
        mtu: u16 = whole(96, 2_000, "B"),
        /// capacity of the TUN device's queue
        tun_queue: u16 = whole(1, 10_000, "packets"),
        /// sleep of the receiving program between polls of the radio
        receive_sleep: Duration,
        /// from the end of a sleep to the program's next line
        wake: Duration,
        /// largest random addition to wake
        wake_jitter: Duration,
        /// settling time, Tstby2a
        settle: Duration,
        /// from the end of a packet to its interrupt
        packet_to_irq: InterruptDelay,
        /// the boards
        boards: SpiBoards,
        /// losses on the air
        losses: Bursts,
        /// distance and path between the radios
        propagation: Propagation,
    }
}

/// Address of both ends. The choice has no measurable effect.
const ADDRESS: [u8; 5] = [0xE7, 0xD3, 0xF0, 0x35, 0x77];

/// Parameters converted for chips and programs.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) driver: Config,
    pub(super) back_channel: u8,
    pub(super) timing: Timing,
    pub(super) boards: SpiBoards,
    pub(super) attempts: u8,
    pub(super) mtu: usize,
    pub(super) queue: usize,
    pub(super) receive_sleep: Duration,
    pub(super) wake: Duration,
    pub(super) wake_jitter: Duration,
}

impl Setup {
    pub(super) fn new(p: &Parameters) -> Result<Self, Refusal> {
        let refused = |error| Refusal::stopped("driver", &error);
        let address = Address::new(&ADDRESS[..usize::from(p.address_width)]).map_err(refused)?;
        let driver = Config {
            channel: p.channel,
            payload: Payload::Dynamic,
            ack_payload: 32,
            retransmit_delay_us: p.retransmit_delay,
            retransmit_count: p.retransmit_count,
            ..Config::new(Role::Transmitter, p.rate, address)
        };
        driver.check().map_err(refused)?;
        Ok(Self {
            driver,
            back_channel: p.back_channel,
            timing: p.packet_to_irq.timing(p.settle),
            boards: p.boards,
            attempts: p.attempts,
            mtu: usize::from(p.mtu),
            queue: usize::from(p.tun_queue),
            receive_sleep: p.receive_sleep,
            wake: p.wake,
            wake_jitter: p.wake_jitter,
        })
    }
}
