//! What a profile of a Thread device and its border router sets, and what their stations are told.

use airlag_link::airtime::ieee802154::Phy;
use airlag_models::mcu::{Board, Notice};
use airlag_models::stack::ieee802154::{self, Address, Channel, Csma, Destination};
use airlag_models::stack::thread::queue::{Limits, Pool};
use airlag_models::stack::thread::spinel::{Line, Serial};
use airlag_models::stack::thread::{Config, Costs, Radio, WhenFull};
use airlag_sim::{Clock, Duration, Sim};

use crate::boards::bare::BarePins;
use crate::frame_loss::Bursts;
use crate::parameter::{Ppb, choices, parameters};
use crate::propagation::Propagation;

choices! {
    /// Which of the two sends.
    pub enum Direction {
        /// The device.
        Up = "up",
        /// The border router.
        Down = "down",
    }
}

choices! {
    /// What is between a border router and its radio co-processor.
    pub enum SerialLine {
        /// A serial port at `serial_baud`.
        Uart = "uart",
        /// USB at full speed.
        Usb = "usb",
    }
}

choices!(for WhenFull { Refuse = "refuse", Wait = "wait" });

parameters! {
    /// What a profile of this kind sets.
    pub struct Parameters {
        /// which of the two sends: up is the device, down the border router
        direction: Direction,
        /// payload of the longest datagram a program hands over; more goes in several
        datagram: usize = whole(16, 1_232, "B"),
        /// from a datagram being handed over to the program going on
        pace: Duration = whole(100_000, 1_000_000_000_000, "ns"),
        /// what becomes of a datagram for which there is no buffer: lost, or its program waits
        when_full: WhenFull,
        /// message buffers of the device, OPENTHREAD_CONFIG_NUM_MESSAGE_BUFFERS
        device_buffers: usize = whole(2, 100_000, ""),
        /// message buffers of the border router
        router_buffers: usize = whole(2, 100_000, ""),
        /// frames behind the one being sent, OPENTHREAD_CONFIG_MAX_FRAMES_IN_DIRECT_TX_QUEUE
        queue: u64 = whole(1, 100_000, "frames"),
        /// a datagram that has waited so long is dropped; 0: none is
        drop_after: Duration,
        /// how long a fragmented datagram may take to be whole
        reassembly_timeout: Duration,
        /// first backoff exponent, macMinBE
        min_be: u8 = whole(0, 8, ""),
        /// largest backoff exponent, macMaxBE
        max_be: u8 = whole(3, 8, ""),
        /// looks after a busy first one, macMaxCSMABackoffs
        max_csma_backoffs: u8 = whole(0, 5, ""),
        /// times a frame is sent again, macMaxFrameRetries
        retries: u8 = whole(0, 15, ""),
        /// keep silent for SIFS or LIFS after a frame
        interframe_space: bool,
        /// one block of AES on the device
        aes_block: Duration,
        /// system calls, copies and tasklets of the device for each frame it sends
        device_send: Duration,
        /// the same for each frame it receives
        device_receive: Duration,
        /// software of the border router for each frame it sends
        router_send: Duration,
        /// the same for each frame it receives
        router_receive: Duration,
        /// what is between border router and radio co-processor
        serial: SerialLine,
        /// rate of that line, if it is a serial port
        serial_baud: u32 = whole(1_200, 12_000_000, "baud"),
        /// what drivers and operating system add to that line, each way
        serial_latency: Duration,
        /// what the co-processor holds for its host, OPENTHREAD_CONFIG_NCP_TX_BUFFER_SIZE
        serial_buffer: usize = whole(256, 1_000_000, "B"),
        /// from the trigger edge to the program handing over a datagram
        trigger_entry: Duration,
        /// how long the strobe stays high
        strobe: Duration,
        /// losses on the air
        losses: Bursts,
        /// how fast the sending board's clock runs
        sender_ppb: Ppb,
        /// how fast the receiving board's clock runs
        receiver_ppb: Ppb,
        /// how far the radios stand apart
        propagation: Propagation,
    }
}

/// EUI-64s of the two boards, of the block for documentation (RFC 7042, 2.2.3). Which they are changes
/// nothing that can be measured.
const DEVICE: u64 = 0x0200_5E10_0000_0001;
const ROUTER: u64 = 0x0200_5E10_0000_0002;

/// Octets of a pointer on the device, and on the border router.
const DEVICE_WORD: usize = 4;
const ROUTER_WORD: usize = 8;

/// What the two boards are told.
pub(super) struct Told {
    pub(super) mac: ieee802154::Config,
    pub(super) station: Config,
}

/// What the sending board is told, then the receiving one.
pub(super) fn told(p: &Parameters) -> [Told; 2] {
    let (device, router) = (device(p), router(p));
    match p.direction {
        Direction::Up => [device, router],
        Direction::Down => [router, device],
    }
}

fn device(p: &Parameters) -> Told {
    let costs = Costs {
        send: p.device_send,
        receive: p.device_receive,
        aes_block: p.aes_block,
        pace: p.pace,
    };
    let pool = Pool { count: p.device_buffers, word: DEVICE_WORD };
    Told { mac: mac(p, DEVICE, ROUTER), station: station(p, ROUTER, pool, costs, Radio::Own) }
}

fn router(p: &Parameters) -> Told {
    let costs = Costs {
        send: p.router_send,
        receive: p.router_receive,
        aes_block: Duration::ZERO,
        pace: p.pace,
    };
    let line = match p.serial {
        SerialLine::Uart => Line::Uart(p.serial_baud),
        SerialLine::Usb => Line::Usb,
    };
    let serial = Serial { line, latency: p.serial_latency, buffer: p.serial_buffer };
    let pool = Pool { count: p.router_buffers, word: ROUTER_WORD };
    let radio = Radio::CoProcessor(serial);
    Told { mac: mac(p, ROUTER, DEVICE), station: station(p, DEVICE, pool, costs, radio) }
}

/// The MAC of the board at `own`.
pub(super) fn mac(p: &Parameters, own: u64, peer: u64) -> ieee802154::Config {
    let csma = Csma { min_be: p.min_be, max_be: p.max_be, max_backoffs: p.max_csma_backoffs };
    let (address, to) = (Address::Extended(own), Address::Extended(peer));
    let channel = Channel::first(Phy::Oqpsk2450);
    ieee802154::Config {
        csma: Some(csma),
        max_retries: p.retries,
        interframe_space: p.interframe_space,
        ..ieee802154::Config::standard(channel, address, Destination::Unicast(to))
    }
}

fn station(p: &Parameters, peer: u64, pool: Pool, costs: Costs, radio: Radio) -> Config {
    let wait = Some(p.drop_after).filter(|wait| !wait.is_zero());
    Config {
        peer,
        radio,
        costs,
        limits: Limits { pool, frames: p.queue, wait },
        when_full: p.when_full,
        datagram: p.datagram,
        reassembly: p.reassembly_timeout,
    }
}

impl Parameters {
    /// The sending and the receiving board.
    pub(super) fn boards(&self, sim: &Sim) -> [Board; 2] {
        [("sender", self.sender_ppb), ("receiver", self.receiver_ppb)]
            .map(|(name, ppb)| Board::new(sim, name, Clock::exact().with_ppb(ppb.0)))
    }

    /// The pins of either.
    pub(super) fn pins(&self, board: &Board) -> BarePins {
        let trigger = Notice::Interrupt { entry: self.trigger_entry, jitter: Duration::ZERO };
        BarePins { board: board.clone(), trigger, strobe: self.strobe }
    }
}
