//! What a profile of a Thread device and its border router sets, and what their stations are told.

use airlag_link::airtime::ieee802154::Phy;
use airlag_models::mcu::{Board, Notice};
use airlag_models::stack::ieee802154::{self, Address, Channel, Csma, Destination};
use airlag_models::stack::thread::address::{Place, Scope};
use airlag_models::stack::thread::faults::Faults;
use airlag_models::stack::thread::queue::{Limits, Pool};
use airlag_models::stack::thread::spinel::{Line, Serial};
use airlag_models::stack::thread::{Config, Costs, Radio, WhenFull};
use airlag_sim::{Clock, Duration, Sim};

use super::mesh::{Member, Mesh, ROOT};
use super::trouble::Trouble;
use crate::boards::bare::BarePins;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{Ppb, choices, parameters};
use airlag_rig::propagation::Propagation;

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
        /// how often the device asks its parent for what is held for it, with its radio off in between; 0: its
        /// radio is always on
        poll_period: Duration = whole(0, 3_600_000_000_000, "ns").or("0", "a device that is always on, as published"),
        /// routers between the two, and others that send
        mesh: Mesh,
        /// what goes wrong
        trouble: Trouble,
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

/// Largest exponent of the backoff before a retry
/// (`OPENTHREAD_CONFIG_MAC_RETX_DELAY_MAX_BACKOFF_EXPONENT`).
const RETRY_BE: u8 = 5;

/// Octets of a pointer on the device, and on the border router.
const DEVICE_WORD: usize = 4;
const ROUTER_WORD: usize = 8;

/// What a board is told.
pub(super) struct Told {
    pub(super) mac: ieee802154::Config,
    pub(super) station: Config,
}

/// What the border router is told.
pub(super) fn router(p: &Parameters, members: &[Member]) -> Told {
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
    let peer = members[p.mesh.device()].place;
    let config = Config {
        radio: Radio::CoProcessor(serial),
        faults: p.trouble.faults(),
        ..station(p, peer, p.mesh.scope(), pool, costs)
    };
    Told { mac: mac(p, members[ROOT].place), station: config }
}

/// What the device is told.
pub(super) fn device(p: &Parameters, members: &[Member]) -> Told {
    like_device(p, members, p.mesh.device(), p.mesh.scope())
}

/// What another board is told: it is one like the device, and its program goes on where there is no
/// room for what it sends.
pub(super) fn other(p: &Parameters, members: &[Member], at: usize) -> Told {
    let told = like_device(p, members, at, p.mesh.senders_scope());
    Told { station: Config { when_full: WhenFull::Refuse, ..told.station }, ..told }
}

fn like_device(p: &Parameters, members: &[Member], at: usize, scope: Scope) -> Told {
    let costs = Costs {
        send: p.device_send,
        receive: p.device_receive,
        aes_block: p.aes_block,
        pace: p.pace,
    };
    let pool = Pool { count: p.device_buffers, word: DEVICE_WORD };
    let config = station(p, members[ROOT].place, scope, pool, costs);
    Told { mac: mac(p, members[at].place), station: config }
}

/// The MAC of a board.
pub(super) fn mac(p: &Parameters, own: Place) -> ieee802154::Config {
    let csma = Csma { min_be: p.min_be, max_be: p.max_be, max_backoffs: p.max_csma_backoffs };
    let channel = Channel::first(Phy::Oqpsk2450);
    ieee802154::Config {
        csma: Some(csma),
        short: Some(own.rloc),
        // Every frame is addressed by the stack above.
        ack_request: true,
        max_retries: p.retries,
        retry_be: Some(RETRY_BE),
        retry_busy: true,
        interframe_space: p.interframe_space,
        backoff_at_once: true,
        ..ieee802154::Config::standard(channel, Address::Extended(own.eui), Destination::Broadcast)
    }
}

fn station(p: &Parameters, peer: Place, scope: Scope, pool: Pool, costs: Costs) -> Config {
    let limit = |wait: Duration| Some(wait).filter(|wait| !wait.is_zero());
    let (wait, forwarded) = (limit(p.drop_after), limit(p.mesh.forward_drop_after));
    Config {
        peer,
        scope,
        radio: Radio::Own,
        costs,
        limits: Limits { pool, frames: p.queue, wait, forwarded },
        when_full: p.when_full,
        datagram: p.datagram,
        reassembly: p.reassembly_timeout,
        collision_avoidance: p.mesh.collision_avoidance,
        faults: Faults::default(),
    }
}

impl Parameters {
    /// What its device is told.
    #[must_use]
    pub fn device(&self) -> Config {
        device(self, &self.mesh.members()).station
    }

    /// What its border router is told.
    #[must_use]
    pub fn border_router(&self) -> Config {
        router(self, &self.mesh.members()).station
    }

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
