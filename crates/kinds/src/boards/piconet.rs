//! What both kinds of link over Bluetooth Classic have in common: the piconet and the hosts.

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
    /// Two devices that talk over one channel.
    pub struct Piconet {
        /// which role the sending side has
        sender_role: Role,
        /// packet types: DM, DH, 2-DH, 3-DH
        packets: PacketSet,
        /// slots of the longest packet
        max_slots: u64 = whole(1, 5, ""),
        /// T_poll
        poll_interval: u64 = whole(2, 65_534, "slots"),
        /// how long nothing may be heard
        supervision_timeout: Duration = whole(1, 40_960, "ms"),
        /// where in a pair of slots the master's clock stands
        slot_phase: Phase,
        /// how fast the master's clock runs
        master_ppb: Ppb,
        /// from a round of scans for other devices to the next, at either end
        scan_interval: Duration,
        /// windows of a round; 0 if nobody scans
        scan_windows: u64 = whole(0, 64, ""),
        /// how long a window is
        scan_window: Duration,
        /// from a window to the next one of its round
        scan_gap: Duration,
        /// where in its interval the sending side's round stands
        sender_scan_phase: Phase,
        /// where in its interval the receiving side's round stands
        receiver_scan_phase: Phase,
        /// losses on the air
        losses: Bursts,
        /// frames under way before the other host grants more
        window: u32 = whole(1, 255, "frames"),
        /// bytes of data in a frame
        frame_max: usize = whole(1, 1_016, "B"),
        /// from the data being handed over to the frame waiting for its slot
        host_send: Duration,
        /// from a frame's arrival to its data being handed over, one at a time
        host_serve: Duration,
        /// how much later either may come
        host_jitter: Duration,
        /// what is added to the first frame after the controller slept
        wake: Duration,
        /// how long nothing is sent or received before it sleeps
        sleeps_after: Duration,
        /// how far the radios stand apart
        propagation: Propagation,
    }
}

/// What either radio makes of others on the air: it looks for nobody, and a damaged packet of its own link
/// is one however weak. As noise of their power, they leave 0.1 % of bits wrong 10.9 dB below it at the
/// basic rate, and 0.01 % 10.9 and 16.9 dB below it with four and eight phases; for an ESP32 its maker says
/// 7, 11 and 18 dB (ESP32 Series Datasheet v5.2, tables 5-7 and 5-9), the Core Specification asks for 11, 13
/// and 21 dB or less (Vol 2, Part A, 4.1.2 and 4.2.3).
const HEARING: Hearing = Hearing {
    family: FAMILY,
    harm: Db(0.0),
    sense: Sense { own: Dbm(f64::NEG_INFINITY), energy: Dbm(f64::INFINITY) },
};

/// A packet of a frame.
pub(crate) struct Packet {
    pub(crate) kind: PacketType,
    pub(crate) bytes: usize,
    /// On the air.
    pub(crate) air_ns: u64,
    /// Until the next one can begin: its slots, and the slot of the answer.
    pub(crate) exchange_ns: u64,
}

/// One end of a channel and what arrives there.
pub type End = (Channel, Receiver<Vec<u8>>);

impl Piconet {
    /// What either radio is in the eyes of the law: two tones with a nominal index of 0.32 at
    /// 1 Mbit/s (Core Specification, Vol 2, Part A, 3.1.1: from 0.28 to 0.35), over 79 channels
    /// 1 MHz apart, none of which is left out; it never looks.
    pub(crate) fn transmitter(&self) -> Transmitter {
        let spectrum = Spectrum::tones(1_000.0, 160.0);
        let hopping = Some(Hopping { channels: 79, spacing_khz: 1_000, adaptive: false });
        let (power_dbm, gain_dbi) = self.propagation.radiates();
        Transmitter { power_dbm, gain_dbi, spectrum, hopping, access: Access::Blind }
    }

    /// The packets that carry `data` bytes in one frame: how long each is on the air, and how long
    /// it keeps the channel, its answer included. Every frame carries `trailer` bytes besides.
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

    /// The two ends of the channel, the sending one first. Every frame carries `trailer` bytes
    /// besides.
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

    /// The scans of either side but where they stand, if there are any.
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
                "a round takes {round_ns} ns, so the link needs an interval of {} ns or more",
                round_ns.saturating_mul(2)
            );
            return Err(Refusal::setting(Self::scan_interval, cause));
        }
        Ok(Some(scans))
    }
}
