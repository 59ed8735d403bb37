//! Parameters of a Thread device and its border router, and the resulting settings of their
//! stations.

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
use super::sampling::Csl;
use super::trouble::Trouble;
use crate::boards::bare::BarePins;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{Ppb, choices, parameters};
use airlag_rig::propagation::Propagation;

choices! {
    /// Sending end.
    pub enum Direction {
        /// The device sends.
        Up = "up",
        /// The border router sends.
        Down = "down",
    }
}

choices! {
    /// Line between a border router and its radio co-processor.
    pub enum SerialLine {
        /// A serial port at `serial_baud`.
        Uart = "uart",
        /// USB at full speed.
        Usb = "usb",
    }
}

choices!(for WhenFull { Refuse = "refuse", Wait = "wait" });

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// sending end: up is the device, down the border router
        direction: Direction,
        /// longest payload of a datagram; longer messages use several
        datagram: usize = whole(16, 1_232, "B"),
        /// from the handover of a datagram to the program's next step
        pace: Duration = whole(100_000, 1_000_000_000_000, "ns"),
        /// behaviour for a datagram without a free buffer: it is lost, or its program waits
        when_full: WhenFull,
        /// message buffers of the device, OPENTHREAD_CONFIG_NUM_MESSAGE_BUFFERS
        device_buffers: usize = whole(2, 100_000, ""),
        /// message buffers of the border router
        router_buffers: usize = whole(2, 100_000, ""),
        /// frames queued behind the one being sent, OPENTHREAD_CONFIG_MAX_FRAMES_IN_DIRECT_TX_QUEUE
        queue: u64 = whole(1, 100_000, "frames"),
        /// time after which a queued datagram is dropped; 0: never
        drop_after: Duration,
        /// longest time until a fragmented datagram is complete
        reassembly_timeout: Duration,
        /// first backoff exponent, macMinBE
        min_be: u8 = whole(0, 8, ""),
        /// largest backoff exponent, macMaxBE
        max_be: u8 = whole(3, 8, ""),
        /// channel assessments after a busy first one, macMaxCSMABackoffs
        max_csma_backoffs: u8 = whole(0, 5, ""),
        /// retries of a frame, macMaxFrameRetries
        retries: u8 = whole(0, 15, ""),
        /// wait for SIFS or LIFS after a frame
        interframe_space: bool,
        /// time for one block of AES on the device
        aes_block: Duration,
        /// system calls, copies and tasklets of the device per sent frame
        device_send: Duration,
        /// system calls, copies and tasklets of the device per received frame
        device_receive: Duration,
        /// software time of the border router per sent frame
        router_send: Duration,
        /// software time of the border router per received frame
        router_receive: Duration,
        /// line between border router and radio co-processor
        serial: SerialLine,
        /// rate of the line to the radio co-processor, if it is a serial port
        serial_baud: u32 = whole(1_200, 12_000_000, "baud"),
        /// delay of drivers and operating system on the line to the radio co-processor, each way
        serial_latency: Duration,
        /// transmit buffer of the co-processor, OPENTHREAD_CONFIG_NCP_TX_BUFFER_SIZE
        serial_buffer: usize = whole(256, 1_000_000, "B"),
        /// interval at which the device polls its parent for pending data, with its radio off in
        /// between; 0: always on
        poll_period: Duration = whole(0, 3_600_000_000_000, "ns").or("0", "an always-on device, as published"),
        /// coordinated sampled listening of the device
        csl: Csl,
        /// routers between the two ends, and other senders
        mesh: Mesh,
        /// injected faults
        trouble: Trouble,
        /// from the trigger edge to the program's handover of a datagram
        trigger_entry: Duration,
        /// duration of the strobe pulse
        strobe: Duration,
        /// losses on the air
        losses: Bursts,
        /// frequency error of the sending board's clock
        sender_ppb: Ppb,
        /// frequency error of the receiving board's clock
        receiver_ppb: Ppb,
        /// distance and path between the radios
        propagation: Propagation,
    }
}

/// Largest backoff exponent before a retry
/// (`OPENTHREAD_CONFIG_MAC_RETX_DELAY_MAX_BACKOFF_EXPONENT`).
const RETRY_BE: u8 = 5;

/// Size of a pointer on the device, and on the border router, octets.
const DEVICE_WORD: usize = 4;
const ROUTER_WORD: usize = 8;

/// Settings of a board.
pub(super) struct BoardSettings {
    pub(super) mac: ieee802154::Config,
    pub(super) station: Config,
}

/// Settings of the border router.
pub(super) fn router(p: &Parameters, members: &[Member]) -> BoardSettings {
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
    BoardSettings { mac: mac(p, members[ROOT].place), station: config }
}

/// Settings of the device.
pub(super) fn device(p: &Parameters, members: &[Member]) -> BoardSettings {
    like_device(p, members, p.mesh.device(), p.mesh.scope())
}

/// Settings of another sender: a board like the device, whose program continues without a free
/// buffer.
pub(super) fn other(p: &Parameters, members: &[Member], at: usize) -> BoardSettings {
    let settings = like_device(p, members, at, p.mesh.senders_scope());
    BoardSettings {
        station: Config { when_full: WhenFull::Refuse, ..settings.station },
        ..settings
    }
}

fn like_device(p: &Parameters, members: &[Member], at: usize, scope: Scope) -> BoardSettings {
    let costs = Costs {
        send: p.device_send,
        receive: p.device_receive,
        aes_block: p.aes_block,
        pace: p.pace,
    };
    let pool = Pool { count: p.device_buffers, word: DEVICE_WORD };
    let config = station(p, members[ROOT].place, scope, pool, costs);
    BoardSettings { mac: mac(p, members[at].place), station: config }
}

/// MAC settings of a board.
pub(super) fn mac(p: &Parameters, own: Place) -> ieee802154::Config {
    let csma = Csma { min_be: p.min_be, max_be: p.max_be, max_backoffs: p.max_csma_backoffs };
    let channel = Channel::first(Phy::Oqpsk2450);
    ieee802154::Config {
        csma: Some(csma),
        short: Some(own.rloc),
        // The stack above addresses every frame.
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
    /// Whether the radio of the device is off while idle.
    pub(super) fn is_sleepy(&self) -> bool {
        self.csl.is_on() || !self.poll_period.is_zero()
    }

    /// Frequency error of the device's clock relative to that of the border router.
    pub(super) const fn drift_ppb(&self) -> i32 {
        match self.direction {
            Direction::Up => self.sender_ppb.0 - self.receiver_ppb.0,
            Direction::Down => self.receiver_ppb.0 - self.sender_ppb.0,
        }
    }

    /// Settings of the device.
    #[must_use]
    pub fn device(&self) -> Config {
        device(self, &self.mesh.members()).station
    }

    /// Settings of the border router.
    #[must_use]
    pub fn border_router(&self) -> Config {
        router(self, &self.mesh.members()).station
    }

    /// The sending and the receiving board.
    pub(super) fn boards(&self, sim: &Sim) -> [Board; 2] {
        [("sender", self.sender_ppb), ("receiver", self.receiver_ppb)]
            .map(|(name, ppb)| Board::new(sim, name, Clock::exact().with_ppb(ppb.0)))
    }

    /// Pins of either board.
    pub(super) fn pins(&self, board: &Board) -> BarePins {
        let trigger = Notice::Interrupt { entry: self.trigger_entry, jitter: Duration::ZERO };
        BarePins { board: board.clone(), trigger, strobe: self.strobe }
    }
}
