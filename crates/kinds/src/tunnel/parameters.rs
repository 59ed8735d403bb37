//! Parameters of a tunnel over nRF24L01+, and the resulting settings of its ends.

use airlag_drivers::nrf24::{Address, Config, Role};
use airlag_link::airtime::nrf24::{Frame, Rate};
use airlag_models::chip::nrf24::Timing;
use airlag_sim::Duration;
use airlag_tunnel::codel::Limits;
use airlag_tunnel::send::LONGEST;
use airlag_tunnel::{Pace, Protection, fair, nrf24};

use crate::boards::spi::SpiBoards;
use crate::nrf24::InterruptDelay;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{choices, parameters};
use airlag_rig::propagation::Propagation;

choices! {
    /// Radios of each computer.
    pub enum Radios {
        /// One for both directions, with role reversal.
        One = "one",
        /// One for each direction, on separate channels.
        Two = "two",
    }
}

choices! {
    /// Encryption of packets.
    pub enum Seal {
        /// Packets are encrypted with a shared key.
        Sealed = "sealed",
        /// Packets are not encrypted.
        Plain = "plain",
    }
}

choices! {
    /// Behaviour of a program while packets are queued.
    pub enum WhenFull {
        /// The program waits, as behind a socket.
        Wait = "wait",
        /// The program continues, and the tunnel drops packets.
        Drop = "drop",
    }
}

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// air data rate
        rate: Rate = unit("kbit/s"),
        /// channel
        channel: u8 = whole(0, 125, "MHz above 2400"),
        /// radios per computer
        radios: Radios,
        /// channel of the second radios, from the receiver to the sender
        second_channel: u8 = whole(0, 125, "MHz above 2400"),
        /// address length
        address_width: u8 = whole(3, 5, "B"),
        /// longest IP packet
        mtu: u16 = whole(96, LONGEST as i64, "B"),
        /// encryption of packets
        seal: Seal,
        /// behaviour of a program while a packet is queued
        when_full: WhenFull,
        /// target queueing delay of a flow (CoDel)
        queue_target: Duration,
        /// time above queue_target before a packet is dropped (CoDel)
        queue_interval: Duration,
        /// capacity of all queues together
        queue_room: u32 = whole(1_500, 16_777_216, "B"),
        /// allowance for the other end's software, from a response to the next frame
        turn_software: Duration,
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

pub(super) use airlag_tunnel::nrf24::FRAME;
impl Radios {
    pub(super) const fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

/// Address of both ends. The choice has no measurable effect.
const ADDRESS: [u8; 5] = [0xE7, 0xD3, 0xF0, 0x35, 0x77];
/// Smallest separation of the channels of two adjacent radios, MHz: at 2 Mbit/s a channel is wider
/// than 1 MHz, and channels 2 MHz apart do not overlap (nRF24L01+ v1.0, 6.3).
const APART: u8 = 2;
/// Shared key of both ends. The choice has no measurable effect either.
const KEY: [u8; 32] = [0x61; 32];
/// Number of flow queues: RFC 8290, section 5.2, flows.
const QUEUES: u64 = 1024;

impl Seal {
    /// Protection with the key of the bench.
    pub(super) const fn protection(self) -> Protection {
        match self {
            Self::Sealed => Protection::Sealed(KEY),
            Self::Plain => Protection::Plain,
        }
    }
}

/// Parameters converted for chips, drivers and ends.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) driver: Config,
    /// Channel of the forward direction, and of the return direction if that has its own radios.
    pub(super) channels: [u8; 2],
    pub(super) radios: Radios,
    pub(super) timing: Timing,
    pub(super) boards: SpiBoards,
    pub(super) pace: Pace,
    pub(super) queue: fair::Config,
    pub(super) protection: Protection,
    pub(super) mtu: usize,
    pub(super) when_full: WhenFull,
}

const fn std(duration: Duration) -> core::time::Duration {
    core::time::Duration::from_nanos(duration.as_ns())
}

impl Setup {
    pub(super) fn new(p: &Parameters) -> Result<Self, Refusal> {
        let refused = |error| Refusal::stopped("driver", &error);
        let address = Address::new(&ADDRESS[..usize::from(p.address_width)]).map_err(refused)?;
        let driver =
            Config { channel: p.channel, ..Config::for_bursts(Role::Receiver, p.rate, address) };
        driver.check().map_err(refused)?;
        let frame = Frame::enhanced(p.rate, p.address_width);
        let mtu = usize::from(p.mtu);
        let limits = Limits { target: std(p.queue_target), interval: std(p.queue_interval), mtu };
        if p.radios == Radios::Two && p.channel.abs_diff(p.second_channel) < APART {
            let right = if p.channel < 100 { p.channel + 10 } else { p.channel - 10 };
            let cause = format!("must be {APART} MHz or more from channel, such as {right}");
            return Err(Refusal::setting(Parameters::second_channel, cause));
        }
        Ok(Self {
            driver,
            channels: [p.channel, p.second_channel],
            radios: p.radios,
            timing: p.packet_to_irq.timing(p.settle),
            boards: p.boards,
            pace: nrf24::pace(
                frame,
                std(p.settle),
                std(p.packet_to_irq.at(p.rate)),
                std(p.turn_software),
            ),
            queue: fair::Config { limits, queues: QUEUES, room: p.queue_room as usize },
            protection: p.seal.protection(),
            mtu,
            when_full: p.when_full,
        })
    }
}
