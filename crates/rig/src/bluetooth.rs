//! What both kinds of link over Bluetooth Classic have in common: the piconet and the hosts.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_models::stack::bt_classic::packet::SLOT;
use airlag_models::stack::bt_classic::piconet::Incident;
use airlag_models::stack::bt_classic::rfcomm::Frame;
use airlag_models::stack::bt_classic::{
    Channel, Config, HostTiming, PacketSet, PacketType, Piconet, Role, Scans, Window,
};
use airlag_sim::channel::Receiver;
use airlag_sim::{Clock, Duration, Sim};

use crate::error::Error;
use crate::fixture::phase_of;
use crate::frame_loss::{self, FrameLoss};
use crate::parameter::Known;
use crate::profile::Profile;
use crate::run::Report;

/// What a profile of either kind sets.
pub const PARAMETERS: [Known; 22] = [
    Known::choice("sender_role", "", "master | slave", "which role the sending side has"),
    Known::choice("packets", "", "coded | basic | edr2 | edr3", "packet types: DM, DH, 2-DH, 3-DH"),
    Known::whole("max_slots", "", 1, 5, "slots of the longest packet"),
    Known::whole("poll_interval", "slots", 2, 65_534, "T_poll"),
    Known::whole("supervision_timeout", "ms", 1, 40_960, "how long nothing may be heard"),
    Known::phase("slot_phase", "where in a pair of slots the master's clock stands"),
    Known::ppb("master_ppb", "how fast the master's clock runs"),
    Known::ns(
        "scan_interval",
        "from a round of scans for other devices to the next, at either end",
    ),
    Known::whole("scan_windows", "", 0, 64, "windows of a round; 0 if nobody scans"),
    Known::ns("scan_window", "how long a window is"),
    Known::ns("scan_gap", "from a window to the next one of its round"),
    Known::phase("sender_scan_phase", "where in its interval the sending side's round stands"),
    Known::phase("receiver_scan_phase", "where in its interval the receiving side's round stands"),
    frame_loss::SHARE,
    frame_loss::BURST,
    Known::whole("window", "frames", 1, 255, "frames under way before the other host grants more"),
    Known::whole("frame_max", "B", 1, 1_016, "bytes of data in a frame"),
    Known::ns("host_send", "from the data being handed over to the frame waiting for its slot"),
    Known::ns("host_serve", "from a frame's arrival to its data being handed over, one at a time"),
    Known::ns("host_jitter", "how much later either may come"),
    Known::ns("wake", "what is added to the first frame after the controller slept"),
    Known::ns("sleeps_after", "how long nothing is sent or received before it sleeps"),
];

/// `PARAMETERS` and those of a kind in one list.
pub const fn joined<const N: usize>(first: &[Known], second: &[Known]) -> [Known; N] {
    assert!(first.len() + second.len() == N);
    let mut all = [PARAMETERS[0]; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < first.len() { first[at] } else { second[at - first.len()] };
        at += 1;
    }
    all
}

/// The link of a profile, read.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    sender: Role,
    packets: PacketSet,
    max_slots: u64,
    poll_interval: u64,
    supervision: Duration,
    slot_phase: Option<f64>,
    master_ppb: i32,
    /// When both ends scan, and the share of the interval at which the sender's round stands, then
    /// the receiver's.
    scans: Option<Standing>,
    frame_loss: FrameLoss,
    window: Window,
    timing: HostTiming,
}

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

impl Setup {
    /// Reads the parameters above; every frame carries `trailer` bytes besides.
    pub fn new(p: &Profile, trailer: usize) -> Result<Self, Error> {
        Ok(Self {
            sender: match p.choice("sender_role")? {
                "master" => Role::Master,
                _ => Role::Slave,
            },
            packets: match p.choice("packets")? {
                "coded" => PacketSet::Coded,
                "basic" => PacketSet::Basic,
                "edr2" => PacketSet::Edr2,
                _ => PacketSet::Edr3,
            },
            max_slots: p.whole("max_slots")?,
            poll_interval: p.whole("poll_interval")?,
            supervision: Duration::from_ms(p.whole("supervision_timeout")?),
            slot_phase: p.phase("slot_phase")?,
            master_ppb: p.signed("master_ppb")? as i32,
            scans: scans(p)?,
            frame_loss: FrameLoss::new(p)?,
            window: Window {
                frames: p.whole("window")? as u32,
                frame_max: p.whole("frame_max")? as usize,
                trailer,
            },
            timing: HostTiming {
                send: p.duration("host_send")?,
                serve: p.duration("host_serve")?,
                jitter: p.duration("host_jitter")?,
                wake: p.duration("wake")?,
                sleeps_after: p.duration("sleeps_after")?,
            },
        })
    }

    /// The packets that carry `data` bytes in one frame: how long each is on the air, and how long
    /// it keeps the channel, its answer included.
    pub(crate) fn packets(&self, data: usize) -> impl Iterator<Item = Packet> {
        let frame = Frame { credits: 0, data: vec![0; data] };
        let mut rest = frame.encode(self.window.trailer).len();
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

    /// Bytes of data in a frame at most.
    pub(crate) const fn frame_max(&self) -> usize {
        self.window.frame_max
    }

    /// The two ends of the channel, the sending one first.
    pub(crate) fn connect(
        &self,
        sim: &Sim,
        air: &Medium,
        report: &Rc<RefCell<Report>>,
    ) -> (End, End) {
        let names = match self.sender {
            Role::Master => ["sender", "receiver"],
            Role::Slave => ["receiver", "sender"],
        };
        let pair = Duration::from_ns(2 * SLOT.as_ns());
        let config = Config {
            packets: self.packets,
            max_slots: self.max_slots,
            poll_interval: self.poll_interval,
            supervision: self.supervision,
            clock: Clock::exact().with_ppb(self.master_ppb),
            phase: phase_of(sim, "piconet/slot phase", self.slot_phase, pair),
            scans: names.map(|name| {
                let (scans, [sender, receiver]) = self.scans?;
                let share = if name == "sender" { sender } else { receiver };
                let stream = format!("{name}/scan phase");
                Some(Scans { phase: phase_of(sim, &stream, share, scans.interval), ..scans })
            }),
        };
        let (piconet, arriving) = Piconet::new(sim, air, names, config, incident(report));
        self.frame_loss.apply(air, [Role::Master, Role::Slave].map(|role| piconet.node(role)));
        let [to_master, to_slave] = arriving;
        let end = |name, role, frames| {
            Channel::new(sim, name, (&piconet, role), self.window, self.timing, frames)
        };
        let master = end(names[0], Role::Master, to_master);
        let slave = end(names[1], Role::Slave, to_slave);
        match self.sender {
            Role::Master => (master, slave),
            Role::Slave => (slave, master),
        }
    }
}

/// Scans but where they stand, and the shares of the interval at which sender and receiver do; a
/// share that is none is drawn.
type Standing = (Scans, [Option<f64>; 2]);

/// The scans of a profile, if it has any.
fn scans(p: &Profile) -> Result<Option<Standing>, Error> {
    let scans = Scans {
        interval: p.duration("scan_interval")?,
        windows: p.whole("scan_windows")?,
        window: p.duration("scan_window")?,
        gap: p.duration("scan_gap")?,
        phase: Duration::ZERO,
    };
    if scans.windows == 0 {
        return Ok(None);
    }
    let round_ns = scans.windows.saturating_mul((scans.window + scans.gap).as_ns());
    if round_ns > scans.interval.as_ns() / 2 {
        return Err(Error::NotAllowed {
            link: p.name.clone(),
            name: "scan_interval",
            cause: format!(
                "a round takes {round_ns} ns, so the link needs an interval of {} ns or more",
                round_ns.saturating_mul(2)
            ),
        });
    }
    Ok(Some((scans, [p.phase("sender_scan_phase")?, p.phase("receiver_scan_phase")?])))
}

/// Counts what happens by its name.
pub(crate) fn incident(report: &Rc<RefCell<Report>>) -> Incident {
    let told = Rc::clone(report);
    Rc::new(move |name| *told.borrow_mut().incidents.entry(name).or_default() += 1)
}
