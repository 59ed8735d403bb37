//! Two boards, two Bluetooth LE controllers with their hosts, and the air between them.
//!
//! Notifications and indications go from the peripheral to the central, writes the other way: the
//! sending board is the one or the other by the profile's `operation`.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_air::error_rate::NoncoherentFsk;
use airlag_air::quantity::Hertz;
use airlag_link::airtime::ble::{INTER_FRAME_NS, Phy};
use airlag_link::{Capability, Delivery, Link};
use airlag_models::mcu::{Board, Output};
use airlag_models::stack::ble::att::{self, Opcode};
use airlag_models::stack::ble::controller::{Controller, Settings, connect};
use airlag_models::stack::ble::hci::{Hci, HciCosts, Meeting, peer_address};
use airlag_models::stack::ble::host::{Host, HostCosts, WhenFull};
use airlag_models::stack::ble::interval::Interval;
use airlag_models::stack::ble::open_host::OpenHost;
use airlag_sim::{Duration, Line, Sim};

use crate::error::Error;
use crate::fixture::{self, Fixture, phase_of};
use crate::floor::{Floor, split};
use crate::frame_loss::{self, FrameLoss};
use crate::knob::Knob;
use crate::parameter::Known;
use crate::profile::Profile;
use crate::programs;
use crate::propagation::Propagation;
use crate::run::{Report, Wiring};

const PHYS: &str = "1M | 2M | coded-s2 | coded-s8";
const HOSTS: &str = "costs | trouble-host";
const OPERATIONS: &str = "notify | indicate | write | write-without-response";

/// What a profile of this kind sets.
pub const PARAMETERS: &[Known] = &[
    Known::whole("connection_interval", "us", 0, 10_000_000, "between connection events"),
    Known::choice("phy", "", PHYS, "physical layer"),
    Known::whole("data_length", "B", 27, 251, "largest payload of a data channel PDU"),
    Known::whole("mtu", "B", att::MIN_MTU as i64, att::MAX_MTU as i64, "largest attribute PDU"),
    Known::whole("chunk", "B", 1, 512, "largest attribute value the program sends"),
    Known::choice("operation", "", OPERATIONS, "what a chunk is sent as"),
    Known::whole("latency", "events", 0, 499, "events a peripheral with nothing to say may skip"),
    Known::whole("supervision_timeout", "ms", 0, 1_000_000, "silence that ends the connection"),
    Known::whole(
        "packets_per_event",
        "",
        1,
        65_535,
        "data packets an end sends in an event at most",
    ),
    Known::whole("event_length", "us", 0, 4_000_000, "what a connection event takes at most"),
    Known::whole("damaged_packets", "", 1, 2, "damaged packets in a row that end an event"),
    Known::real("slip", "", 0.0, 1.0, "share of connection events the central misses"),
    Known::real(
        "late",
        "",
        0.0,
        1.0,
        "share of data that misses the event after it is handed over",
    ),
    Known::ns("interval_excess", "what an anchor point comes later than the interval says"),
    Known::phase("anchor_phase", "where the anchor points stand when the bench begins"),
    Known::whole("sleep_clock_accuracy", "ppm", 0, 500, "what each end says its clock is off by"),
    frame_loss::SHARE,
    Known::choice("host", "", HOSTS, "a host as a set of costs, or trouble-host itself"),
    Known::ns("host_send", "from the program's call to the controller's queue"),
    Known::ns("host_gate", "from there to the program's next chunk"),
    Known::ns("host_receive", "from a packet's end to the program that receives it"),
    Known::whole("acl_length", "B", 1, 251, "pieces in which the host hands over a frame"),
    Known::whole("queue", "frames", 1, 65_535, "frames the host holds until they are acknowledged"),
    Known::choice("when_full", "", "drop | wait", "what becomes of a chunk there is no buffer for"),
    Known::ns("strobe", "how long the strobe stays high"),
    fixture::TRIGGER_NOTICE,
    fixture::TICK_PERIOD,
    fixture::TICK_PHASE,
    fixture::TRIGGER_ENTRY,
    fixture::SENDER_PPB,
    fixture::RECEIVER_PPB,
];

/// A profile of this kind, read.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    settings: Settings,
    anchor_phase: Option<f64>,
    costs: HostCosts,
    open: bool,
    frame_loss: FrameLoss,
    propagation: Propagation,
    strobe: Duration,
    fixture: Fixture,
}

impl Setup {
    /// Reads a profile.
    pub fn new(p: &Profile) -> Result<Self, Error> {
        let not_allowed =
            |name, cause: String| Error::NotAllowed { link: p.name.clone(), name, cause };
        let interval = Interval::from_us(p.whole("connection_interval")?)
            .map_err(|cause| not_allowed("connection_interval", cause.to_string()))?;
        let phy = PHYS.split(" | ").position(|one| Ok(one) == p.choice("phy"));
        let settings = Settings {
            data_length: p.whole("data_length")? as usize,
            latency: p.whole("latency")? as u16,
            supervision_timeout: Duration::from_ms(p.whole("supervision_timeout")?),
            packets_per_event: p.whole("packets_per_event")? as u16,
            event_length: Duration::from_us(p.whole("event_length")?),
            damaged_packets: p.whole("damaged_packets")? as u8,
            slip: p.real("slip")?,
            late: p.real("late")?,
            interval_excess: p.duration("interval_excess")?,
            sleep_clock_accuracy: p.whole("sleep_clock_accuracy")? as u16,
            ..Settings::new(interval, Phy::ALL[phy.unwrap_or(0)])
        };
        settings.check().map_err(|cause| not_allowed(cause.parameter(), cause.to_string()))?;
        let (mtu, chunk) = (p.whole("mtu")? as usize, p.whole("chunk")? as usize);
        if chunk > mtu - att::OVERHEAD {
            let most = mtu - att::OVERHEAD;
            let cause = format!("an MTU of {mtu} B carries values of up to {most} B, not {chunk}");
            return Err(not_allowed("chunk", cause));
        }
        let operation = match p.choice("operation")? {
            "notify" => Opcode::Notification,
            "indicate" => Opcode::Indication,
            "write" => Opcode::WriteRequest,
            _ => Opcode::WriteCommand,
        };
        let when_full =
            if p.choice("when_full")? == "wait" { WhenFull::Wait } else { WhenFull::Drop };
        Ok(Self {
            settings,
            anchor_phase: p.phase("anchor_phase")?,
            costs: HostCosts {
                send: p.duration("host_send")?,
                gate: p.duration("host_gate")?,
                receive: p.duration("host_receive")?,
                queue: p.whole("queue")? as usize,
                when_full,
                acl_length: p.whole("acl_length")? as usize,
                chunk,
                operation,
            },
            open: p.choice("host")? == "trouble-host",
            frame_loss: FrameLoss::independent(p)?,
            propagation: Propagation::new(p)?,
            strobe: p.duration("strobe")?,
            fixture: Fixture::new(p)?,
        })
    }
}

/// What an engineer can turn.
pub const KNOBS: &[Knob] = &[
    Knob::of("connection_interval", &["7.5ms", "15ms", "30ms"])
        .giving_up("energy: both radios wake for every interval"),
    Knob::of("phy", &["2M"]).giving_up("range: 3 dB, and a chip that has it"),
    Knob::of("data_length", &["251"]),
    Knob::of("acl_length", &["251"]),
    Knob::of("packets_per_event", &["65535"]),
    Knob::of("latency", &["0"]).giving_up("energy: the peripheral wakes for every interval"),
    Knob::of("trigger_notice", &["woken"]),
    Knob::of("operation", &["notify", "write-without-response"])
        .giving_up("the other program's word that it got each chunk"),
];

/// What a message takes at least: all of it in one connection event that begins when the trigger
/// comes, or in as few as its packets need.
pub fn floor(profile: &Profile, size: usize) -> Result<Floor, Error> {
    let Setup { settings, costs, .. } = Setup::new(profile)?;
    let (phy, operation) = (settings.phy, costs.operation);
    let (full, rest) = split(size, costs.chunk);
    let chunks = core::iter::repeat_n(costs.chunk, full as usize).chain((rest > 0).then_some(rest));
    let frames = chunks.map(|chunk| att::frame(operation, 0, &vec![0; chunk]).len());
    // As the host cuts a frame, and the controller what it gets.
    let cut = |len: usize, most: usize| {
        let pieces = len.div_ceil(most);
        (0..pieces).map(move |nth| most.min(len - nth * most))
    };
    let pdus: Vec<usize> = frames
        .flat_map(|len| cut(len, costs.acl_length))
        .flat_map(|len| cut(len, settings.data_length))
        .collect();
    let (notifies, answered) =
        (costs.notifies(), operation.answer().map(|answer| att::frame(answer, 0, &[]).len()));
    let reply = phy.duration_ns(answered.unwrap_or(0));
    let longest = pdus.first().copied().unwrap_or(0);
    let cycle = phy.duration_ns(longest) + reply + 2 * INTER_FRAME_NS;
    let room = settings.interval.duration().min(settings.event_length).as_ns();
    let fits = (room / cycle.max(1)).clamp(1, u64::from(settings.packets_per_event));
    let events = (pdus.len() as u64).saturating_sub(1) / fits;
    let last: Vec<usize> = pdus.iter().copied().skip((events * fits) as usize).collect();
    let gaps = last.len().saturating_sub(1) as u64;
    let lead = u64::from(notifies);
    let packet = "Core 5.4, 6.B.2.1: preamble, access address, header, payload, CRC";
    let space = "Core 5.4, 6.B.4.1.1: T_IFS";
    let interval = settings.interval.duration().as_ns();
    let mut floor = Floor::new()
        .with("interval, full events", events, interval, "the packets that fit into an event")
        .with("air, poll", lead, phy.duration_ns(0), packet);
    for chunk in last.chunk_by(|a, b| a == b) {
        let (len, count) = (chunk[0], chunk.len() as u64);
        floor = floor.with(format!("air, {len} B"), count, phy.duration_ns(len), packet);
    }
    Ok(floor.with("air, answers", gaps, reply, packet).with(
        "interframe space",
        2 * gaps + lead,
        INTER_FRAME_NS,
        space,
    ))
}

/// One end of a connection, whichever host it has.
pub enum End {
    /// A host as a set of costs.
    Costs(Host),
    /// A host whose source is open.
    Open(OpenHost),
}

impl End {
    /// Waits until it is connected and the program can use it.
    pub async fn set_up(self) -> Result<Self, String> {
        match self {
            Self::Costs(_) => Ok(self),
            Self::Open(host) => host.set_up().await.map(Self::Open),
        }
    }
}

impl Link for End {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        match self {
            Self::Costs(host) => host.capability(),
            Self::Open(host) => host.capability(),
        }
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        match self {
            Self::Costs(host) => host.send(chunk).await,
            Self::Open(host) => host.send(chunk).await,
        }
    }

    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        match self {
            Self::Costs(host) => host.flush().await,
            Self::Open(host) => host.flush().await,
        }
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        match self {
            Self::Costs(host) => host.receive(buffer).await,
            Self::Open(host) => host.receive(buffer).await,
        }
    }
}

/// The two ends of a connection.
pub struct Ends {
    /// The board whose program sends.
    pub sending: Board,
    /// Its link.
    pub sender: End,
    /// The link of the board whose program receives.
    pub receiver: End,
}

/// Two boards with their hosts on a medium. `incident` is told of the sending side's incidents.
pub fn ends(
    setup: &Setup,
    sim: &Sim,
    air: &Medium,
    incident: impl Fn(&'static str) + 'static,
) -> Ends {
    let (sending, receiving) = (setup.fixture.sender(sim), setup.fixture.receiver(sim));
    let controller = |board: &Board| {
        Controller::new(air, sim, &format!("{} controller", board.name()), *board.clock())
    };
    let ((from, from_told), (to, to_told)) = (controller(&sending), controller(&receiving));
    setup.frame_loss.apply(air, [from.node(), to.node()]);
    // Coding on top of it is not in the error rate: a coded PHY reaches farther than this says.
    let rate = Hertz(if setup.settings.phy == Phy::Le2M { 2e6 } else { 1e6 });
    setup.propagation.apply(sim, air, [from.node(), to.node()], NoncoherentFsk { rate });
    let interval = setup.settings.interval.duration();
    let anchor_phase = phase_of(sim, "connection/anchor phase", setup.anchor_phase, interval);
    let settings = Settings { anchor_phase, ..setup.settings };
    let costs = setup.costs;
    let notifies = costs.notifies();
    let (central, peripheral) = if notifies { (&to, &from) } else { (&from, &to) };
    if !setup.open {
        connect(central, peripheral, settings);
        let sender = End::Costs(Host::new(&sending, &from, from_told, costs, incident));
        let receiver = End::Costs(Host::new(&receiving, &to, to_told, costs, |_| {}));
        return Ends { sending, sender, receiver };
    }
    let meeting = Meeting::new(central, peripheral, settings);
    let hci = HciCosts {
        send: costs.send,
        receive: costs.receive,
        acl_length: costs.acl_length,
        buffers: costs.queue.min(usize::from(u8::MAX)) as u8,
    };
    let end = |board: &Board, controller, told, central, incident: Box<dyn Fn(&'static str)>| {
        let port = Hci::new(board, controller, told, &meeting, peer_address(central), hci);
        let (operation, chunk) = (costs.operation, costs.chunk);
        End::Open(if central {
            OpenHost::central(board, port, settings, operation, chunk, incident)
        } else {
            OpenHost::peripheral(board, port, operation, chunk, incident)
        })
    };
    let sender = end(&sending, &from, from_told, !notifies, Box::new(incident));
    let receiver = end(&receiving, &to, to_told, notifies, Box::new(|_| {}));
    Ends { sending, sender, receiver }
}

/// Builds the bench of a profile.
pub fn wire(profile: &Profile, size: usize, sim: &Sim) -> Result<Wiring, Error> {
    let setup = Setup::new(profile)?;
    Ok(wire_setup(&setup, size, sim, &Medium::new(sim)))
}

/// Builds the bench of a setup on a medium that may have other nodes.
pub fn wire_setup(setup: &Setup, size: usize, sim: &Sim, air: &Medium) -> Wiring {
    let report = Rc::new(RefCell::new(Report::default()));
    let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));
    let told = Rc::clone(&report);
    let incident = move |name| *told.borrow_mut().incidents.entry(name).or_default() += 1;
    let Ends { sending, sender, receiver } = ends(setup, sim, air, incident);
    let input = setup.fixture.trigger(&sending, &trigger);
    programs::send(sim, &report, size, input, sender.set_up());
    let output = Output::holding(&strobe, setup.strobe);
    programs::receive(sim, &report, output, receiver.set_up());
    Wiring { trigger, strobe, boards: 2, air: Some(air.clone()), report }
}
