//! The piconet and the hosts of all links over Bluetooth Classic.

use std::rc::Rc;

use airlag_air::Sense;
use airlag_air::quantity::{Db, Dbm};
use airlag_models::stack::bt_classic::packet::SLOT;
use airlag_models::stack::bt_classic::piconet::FAMILY;
use airlag_models::stack::bt_classic::rfcomm::Frame;
use airlag_models::stack::bt_classic::{
    Channel, Config, EveryPacket, HostTiming, PacketSet, PacketType, Piconet as Model, Role, Scans,
    Window,
};
use airlag_sim::channel::Receiver;
use airlag_sim::{Clock, Duration};

use super::rtos::phase_of;
use airlag_air::transmitter::{Access, Hopping, Spectrum, Transmitter};
use airlag_rig::ends::Bench;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{Phase, Ppb, choices, parameters};
use airlag_rig::propagation::{Hearing, Propagation};

choices!(for Role { Master = "master", Slave = "slave" });
choices!(for PacketSet { Coded = "coded", Basic = "basic", Edr2 = "edr2", Edr3 = "edr3" });

parameters! {
    /// Two devices with one channel between them.
    pub struct Piconet {
        /// role of the sending side: central (master) or peripheral (slave)
        sender_role: Role,
        /// packet types: DM, DH, 2-DH, 3-DH
        packets: PacketSet,
        /// longest packet, slots
        max_slots: u64 = whole(1, 5, ""),
        /// T_poll
        poll_interval: u64 = whole(2, 65_534, "slots"),
        /// link supervision timeout
        supervision_timeout: Duration = whole(1, 40_960, "ms"),
        /// initial phase of the central's clock in a pair of slots
        slot_phase: Phase,
        /// frequency error of the central's clock
        master_ppb: Ppb,
        /// interval between rounds of scans for other devices, at either end
        scan_interval: Duration,
        /// windows per round; 0 without scans
        scan_windows: u64 = whole(0, 64, ""),
        /// duration of a window
        scan_window: Duration,
        /// interval between the windows of a round
        scan_gap: Duration,
        /// initial phase of the sending side's scan interval
        sender_scan_phase: Phase,
        /// initial phase of the receiving side's scan interval
        receiver_scan_phase: Phase,
        /// losses on the air
        losses: Bursts,
        /// frames in flight before the other host grants more credits
        window: u32 = whole(1, 255, "frames"),
        /// data bytes per frame
        frame_max: usize = whole(1, 1_016, "B"),
        /// from the handover of data to its frame waiting for a slot
        host_send: Duration,
        /// from a frame's arrival to the handover of its data, one at a time
        host_serve: Duration,
        /// largest random addition to host_send and to host_serve
        host_jitter: Duration,
        /// additional delay of the first frame after the controller slept
        wake: Duration,
        /// idle time before the controller sleeps
        sleeps_after: Duration,
        /// distance and path between the radios
        propagation: Propagation,
    }
}

/// Response of each radio to other signals. The radio has no carrier sense. The radio detects all
/// packets of its own link, at any signal level and even if they are damaged. The model treats any
/// other signal as noise of the same power. The resulting co-channel rejection depends on the
/// modulation:
/// - Basic rate: an interferer 10.9 dB below the signal damages 0.1 % of the bits. The co-channel
///   rejection is 7 dB in the data sheet of the ESP32. The Core Specification requires 11 dB or
///   less.
/// - Four phases (pi/4-DQPSK): an interferer 10.9 dB below the signal damages 0.01 % of the bits.
///   The co-channel rejection is 11 dB in the data sheet. The Core Specification requires 13 dB or
///   less.
/// - Eight phases (8DPSK): an interferer 16.9 dB below the signal damages 0.01 % of the bits. The
///   co-channel rejection is 18 dB in the data sheet. The Core Specification requires 21 dB or
///   less.
///
/// Sources: ESP32 Series Datasheet v5.2, tables 5-7 and 5-9; Core Specification, Vol 2, Part A,
/// 4.1.2 and 4.2.3.
const HEARING: Hearing = Hearing {
    family: FAMILY,
    harm: Db(0.0),
    sense: Sense { own: Dbm(f64::NEG_INFINITY), energy: Dbm(f64::INFINITY) },
};

/// A packet of a frame.
pub(crate) struct Packet {
    pub(crate) kind: PacketType,
    pub(crate) bytes: usize,
    /// Airtime.
    pub(crate) air_ns: u64,
    /// Time until the next packet can begin: its slots, and the slot of the response.
    pub(crate) exchange_ns: u64,
}

/// One end of a channel, and the queue of data that arrives there.
pub type End = (Channel, Receiver<Vec<u8>>);

impl Piconet {
    /// Regulatory properties of each radio. The modulation has two tones with a nominal modulation
    /// index of 0.32 at 1 Mbit/s (Core Specification, Vol 2, Part A, 3.1.1: from 0.28 to 0.35). The
    /// radio hops over 79 channels with a spacing of 1 MHz, and uses all of these channels. The
    /// radio has no carrier sense.
    pub(crate) fn transmitter(&self) -> Transmitter {
        let spectrum = Spectrum::tones(1_000.0, 160.0);
        let hopping = Some(Hopping { channels: 79, spacing_khz: 1_000, adaptive: false });
        let (power_dbm, gain_dbi) = self.propagation.radiates();
        Transmitter { power_dbm, gain_dbi, spectrum, hopping, access: Access::Blind }
    }

    /// Packets that carry `data` bytes in one frame, with their airtime and their occupancy of the
    /// channel including the response. Every frame has `trailer` additional bytes.
    pub(crate) fn frame_packets(
        &self,
        data: usize,
        trailer: usize,
    ) -> impl Iterator<Item = Packet> {
        let frame = Frame { credits: 0, data: vec![0; data] };
        let mut rest = frame.encode(trailer).len();
        let (packets, max_slots) = (self.packets, self.max_slots);
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let kind = packets.choose(rest, max_slots);
            let bytes = rest.min(kind.capacity());
            rest -= bytes;
            let exchange_ns = (kind.slots() + 1) * SLOT.as_ns();
            Some(Packet { kind, bytes, air_ns: kind.airtime(bytes).as_ns(), exchange_ns })
        })
    }

    /// Creates the two ends of the channel, the sending one first. Every frame has `trailer`
    /// additional bytes.
    pub(crate) fn connect(&self, bench: &Bench, trailer: usize) -> Result<(End, End), Refusal> {
        let sim = bench.sim();
        let names = match self.sender_role {
            Role::Master => ["sender", "receiver"],
            Role::Slave => ["receiver", "sender"],
        };
        let pair = Duration::from_ns(2 * SLOT.as_ns());
        let scans = self.scans()?;
        let config = Config {
            packets: self.packets,
            max_slots: self.max_slots,
            poll_interval: self.poll_interval,
            supervision: self.supervision_timeout,
            clock: Clock::exact().with_ppb(self.master_ppb.0),
            phase: phase_of(sim, "piconet/slot phase", self.slot_phase, pair),
            scans: names.map(|name| {
                let scans = scans?;
                let share = if name == "sender" {
                    self.sender_scan_phase
                } else {
                    self.receiver_scan_phase
                };
                let stream = format!("{name}/scan phase");
                Some(Scans { phase: phase_of(sim, &stream, share, scans.interval), ..scans })
            }),
        };
        let happened = Rc::new(bench.incidents());
        let (piconet, arriving) = Model::new(sim, bench.air(), names, config, happened);
        let nodes = [Role::Master, Role::Slave].map(|role| piconet.node(role));
        self.losses.apply(bench.air(), nodes);
        self.propagation.apply(bench, nodes, EveryPacket, HEARING);
        let [to_master, to_slave] = arriving;
        let window = Window { frames: self.window, frame_max: self.frame_max, trailer };
        let timing = HostTiming {
            send: self.host_send,
            serve: self.host_serve,
            jitter: self.host_jitter,
            wake: self.wake,
            sleeps_after: self.sleeps_after,
        };
        let end =
            |name, role, frames| Channel::new(sim, name, (&piconet, role), window, timing, frames);
        let master = end(names[0], Role::Master, to_master);
        let slave = end(names[1], Role::Slave, to_slave);
        Ok(match self.sender_role {
            Role::Master => (master, slave),
            Role::Slave => (slave, master),
        })
    }

    /// Scans of either side without their phase, if there are any.
    fn scans(&self) -> Result<Option<Scans>, Refusal> {
        let scans = Scans {
            interval: self.scan_interval,
            windows: self.scan_windows,
            window: self.scan_window,
            gap: self.scan_gap,
            phase: Duration::ZERO,
        };
        if scans.windows == 0 {
            return Ok(None);
        }
        let round_ns = scans.windows.saturating_mul((scans.window + scans.gap).as_ns());
        if round_ns > scans.interval.as_ns() / 2 {
            let cause = format!(
                "a round takes {round_ns} ns; the interval must be {} ns or more",
                round_ns.saturating_mul(2)
            );
            return Err(Refusal::setting(Self::scan_interval, cause));
        }
        Ok(Some(scans))
    }
}
