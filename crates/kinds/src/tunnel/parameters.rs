//! What a profile of a tunnel over nRF24L01+ sets, and what its ends are told.

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
        /// One for both ways, which take turns.
        One = "one",
        /// One for each way, on a channel of its own.
        Two = "two",
    }
}

choices! {
    /// Whether packets are encrypted.
    pub enum Seal {
        /// With a key that both ends have.
        Sealed = "sealed",
        /// Not at all.
        Plain = "plain",
    }
}

choices! {
    /// What a program does when packets wait already.
    pub enum WhenFull {
        /// It waits, as behind a socket.
        Wait = "wait",
        /// It goes on, and the tunnel drops.
        Drop = "drop",
    }
}

parameters! {
    /// What a profile of this kind sets.
    pub struct Parameters {
        /// air data rate
        rate: Rate = unit("kbit/s"),
        /// channel
        channel: u8 = whole(0, 125, "MHz above 2400"),
        /// radios of each computer
        radios: Radios,
        /// channel of the second radios, from the receiver to the sender
        second_channel: u8 = whole(0, 125, "MHz above 2400"),
        /// bytes of address
        address_width: u8 = whole(3, 5, "B"),
        /// longest IP packet
        mtu: u16 = whole(96, LONGEST as i64, "B"),
        /// encryption of packets
        seal: Seal,
        /// what a program does when a packet waits already
        when_full: WhenFull,
        /// how long packets of a flow may wait (CoDel)
        queue_target: Duration,
        /// how long they may wait longer than that before one is dropped
        queue_interval: Duration,
        /// what may wait in all flows together
        queue_room: u32 = whole(1_500, 16_777_216, "B"),
        /// what an end allows for the software of the other: from an answer to the next frame
        turn_software: Duration,
        /// Tstby2a
        settle: Duration,
        /// from the end of a packet to its interrupt
        packet_to_irq: InterruptDelay,
        /// the boards
        boards: SpiBoards,
        /// losses on the air
        losses: Bursts,
        /// how far the radios stand apart
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

/// The address both ends use. Which one it is changes nothing that can be measured.
const ADDRESS: [u8; 5] = [0xE7, 0xD3, 0xF0, 0x35, 0x77];
/// Channels of two radios side by side, MHz apart at least: at 2 Mbit/s a channel is wider than 1 MHz, and
/// those 2 MHz apart do not overlap (nRF24L01+ v1.0, 6.3).
const APART: u8 = 2;
/// The key both ends have. Which one it is changes nothing either.
const KEY: [u8; 32] = [0x61; 32];
/// Queues that flows are told apart by: RFC 8290, section 5.2, flows.
const QUEUES: u64 = 1024;

impl Seal {
    /// With the key of the bench.
    pub(super) const fn protection(self) -> Protection {
        match self {
            Self::Sealed => Protection::Sealed(KEY),
            Self::Plain => Protection::Plain,
        }
    }
}

/// Parameters as chips, drivers and ends take them.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) driver: Config,
    /// Of the way there, and of the way back where that has radios of its own.
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
            let cause = format!("lies {APART} MHz or more from channel, such as {right}");
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
