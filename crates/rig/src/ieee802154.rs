//! Two boards with raw IEEE 802.15.4 radios.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_air::error_rate::OqpskDsss;
use airlag_link::airtime::ieee802154::{ACK_PSDU, CCA_SYMBOLS, Phy};
use airlag_models::mcu::{Board, Output};
use airlag_models::stack::ieee802154::frame::{FCS_LEN, HEADER_LEN};
use airlag_models::stack::ieee802154::{
    Channel, Config, Csma, Destination, Host, Ieee802154 as Link, Node,
};
use airlag_sim::{Duration, Line, Sim};

use crate::error::Error;
use crate::fixture::{self, Fixture};
use crate::floor::{Floor, split};
use crate::frame_loss::{self, FrameLoss};
use crate::knob::Knob;
use crate::parameter::Known;
use crate::profile::Profile;
use crate::programs;
use crate::propagation::Propagation;
use crate::run::{Report, Wiring};

/// What a profile of this kind sets.
pub const PARAMETERS: &[Known] = &[
    Known::choice("band", "MHz", "868 | 915 | 2450", "band: 20, 40 or 250 kbit/s"),
    Known::flag("csma", "unslotted CSMA-CA before each frame; without it nobody looks"),
    Known::whole("min_be", "", 0, 8, "first backoff exponent, macMinBE"),
    Known::whole("max_be", "", 3, 8, "largest backoff exponent, macMaxBE"),
    Known::whole("max_csma_backoffs", "", 0, 5, "looks after a busy first one, macMaxCSMABackoffs"),
    Known::flag("acknowledge", "ask for an acknowledgement of each frame"),
    Known::whole("retries", "", 0, 7, "times a frame is sent again, macMaxFrameRetries"),
    Known::choice("destination", "", "broadcast | unicast", "whom frames are for"),
    Known::flag("acknowledge_broadcast", "the radio acknowledges broadcasts too"),
    Known::flag("interframe_space", "keep silent for SIFS or LIFS after a frame"),
    Known::whole("turnaround", "1/1000 symbol", 0, 100_000, "from receiving to the first symbol"),
    Known::whole(
        "ack_turnaround",
        "1/1000 symbol",
        0,
        100_000,
        "from a frame's end to its acknowledgement",
    ),
    Known::whole("rx_buffer", "frames", 1, 10_000, "frames the radio holds for its program"),
    Known::whole("chunk", "B", 1, 116, "payload of a full frame"),
    Known::ns(
        "gate",
        "from a frame's end, or its acknowledgement's, to the next being handed over",
    ),
    Known::ns("receive_overhead", "from a frame's end to the program having its payload"),
    Known::choice("on_failure", "", "abandon | continue", "the message's rest after a lost chunk"),
    Known::ns("strobe", "how long the strobe stays high"),
    frame_loss::SHARE,
    frame_loss::BURST,
    fixture::TRIGGER_NOTICE,
    fixture::TICK_PERIOD,
    fixture::TICK_PHASE,
    fixture::TRIGGER_ENTRY,
    fixture::SENDER_PPB,
    fixture::RECEIVER_PPB,
];

/// Short addresses of the two boards. Which they are changes nothing that can be measured.
const SENDER: u16 = 0x8899;
const RECEIVER: u16 = 0x88AA;

/// A profile of this kind, read.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    sender: Config,
    receiver: Config,
    sending: Host,
    receiving: Host,
    chunk: usize,
    goes_on: bool,
    strobe: Duration,
    frame_loss: FrameLoss,
    propagation: Propagation,
    fixture: Fixture,
}

impl Setup {
    /// Reads a profile.
    pub fn new(p: &Profile) -> Result<Self, Error> {
        let phy = match p.choice("band")? {
            "868" => Phy::Bpsk868,
            "915" => Phy::Bpsk915,
            _ => Phy::Oqpsk2450,
        };
        let milli_symbols = |name| {
            let count = p.whole(name)?;
            Ok::<_, Error>(Duration::from_ns(count * phy.symbol_ns() / 1_000))
        };
        let csma = Csma {
            min_be: p.whole("min_be")? as u8,
            max_be: p.whole("max_be")? as u8,
            max_backoffs: p.whole("max_csma_backoffs")? as u8,
        };
        let destination = match p.choice("destination")? {
            "broadcast" => Destination::Broadcast,
            _ => Destination::Unicast(RECEIVER),
        };
        let sender = Config {
            csma: p.flag("csma")?.then_some(csma),
            ack_request: p.flag("acknowledge")?,
            max_retries: p.whole("retries")? as u8,
            ack_broadcast: p.flag("acknowledge_broadcast")?,
            interframe_space: p.flag("interframe_space")?,
            turnaround: milli_symbols("turnaround")?,
            ack_turnaround: milli_symbols("ack_turnaround")?,
            rx_buffer: p.whole("rx_buffer")? as usize,
            ..Config::standard(Channel::first(phy), SENDER, destination)
        };
        let receiver =
            Config { address: RECEIVER, destination: Destination::Unicast(SENDER), ..sender };
        Ok(Self {
            sender,
            receiver,
            sending: Host { after_send: p.duration("gate")?, ..Host::default() },
            receiving: Host { receive: p.duration("receive_overhead")?, ..Host::default() },
            chunk: p.whole("chunk")? as usize,
            goes_on: p.choice("on_failure")? == "continue",
            strobe: p.duration("strobe")?,
            frame_loss: FrameLoss::new(p)?,
            propagation: Propagation::new(p)?,
            fixture: Fixture::new(p)?,
        })
    }
}

/// What can be turned: how the task is told, and attributes of the MAC.
pub const KNOBS: &[Knob] = &[
    fixture::NOTICE_KNOB,
    fixture::TICK_KNOB,
    Knob::of("acknowledge", &["false"]).giving_up("notice of a lost frame, and its retries"),
    Knob::of("interframe_space", &["false"]).giving_up("the time a slower receiver is granted"),
    Knob::of("csma", &["false"]).giving_up("frames, where others use the channel"),
    Knob::of("min_be", &["0", "1"]).giving_up("frames, where others contend"),
];

/// What a message takes at least: frames with the turnaround of the radio before each, as when the
/// next frame is ready once the last one is done with; of random backoffs the shortest, which is
/// none.
pub fn floor(profile: &Profile, size: usize) -> Result<Floor, Error> {
    let setup = Setup::new(profile)?;
    let (config, phy) = (setup.sender, setup.sender.phy());
    let (full, rest) = split(size, setup.chunk);
    let (some, frames) = (u64::from(rest > 0), full + u64::from(rest > 0));
    let gaps = frames.saturating_sub(1);
    let answers = if config.ack_request { gaps } else { 0 };
    let looks = if config.csma.is_some() { frames } else { 0 };
    let spaces = if config.interframe_space { gaps } else { 0 };
    let psdu = |payload: usize| payload + HEADER_LEN + FCS_LEN;
    let (airtime, turned) = ("IEEE 802.15.4-2006, 6.3", config.turnaround.as_ns());
    let space = phy.interframe_space_ns(psdu(setup.chunk));
    Ok(Floor::new()
        .with("cca", looks, phy.symbols_ns(CCA_SYMBOLS), "IEEE 802.15.4-2006, 6.9.9")
        .with("turnaround", frames, turned, "profile: turnaround")
        .with(format!("air, {} B", setup.chunk), full, phy.duration_ns(psdu(setup.chunk)), airtime)
        .with(format!("air, {rest} B"), some, phy.duration_ns(psdu(rest)), airtime)
        .with(
            "turn to acknowledge",
            answers,
            config.ack_turnaround.as_ns(),
            "profile: ack_turnaround",
        )
        .with("acknowledgement", answers, phy.duration_ns(ACK_PSDU), airtime)
        .with("interframe space", spaces, space, "IEEE 802.15.4-2006, 7.5.1.3"))
}

/// Builds the bench of a profile.
pub fn wire(profile: &Profile, size: usize, sim: &Sim) -> Result<Wiring, Error> {
    let setup = Setup::new(profile)?;
    let air = Medium::new(sim);
    let report = Rc::new(RefCell::new(Report::default()));
    let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));
    let (sender, receiver) = (setup.fixture.sender(sim), setup.fixture.receiver(sim));
    let radio = |board: &Board, config| {
        let name = format!("{} radio", board.name());
        let node = Node::new(&air, &name, sim, *board.clock(), config);
        let told = Rc::clone(&report);
        node.observe(move |incident| {
            *told.borrow_mut().incidents.entry(incident.name()).or_default() += 1;
        });
        node
    };
    let (from, to) = (radio(&sender, setup.sender), radio(&receiver, setup.receiver));
    setup.frame_loss.apply(&air, [from.id(), to.id()]);
    setup.propagation.apply(sim, &air, [from.id(), to.id()], OqpskDsss);

    let input = setup.fixture.trigger(&sender, &trigger);
    let mut link = Link::new(&from, &sender, setup.sending, setup.chunk);
    if setup.goes_on {
        link = link.ignoring_failure();
    }
    programs::send(sim, &report, size, input, async move { Ok::<_, Infallible>(link) });
    let output = Output::holding(&strobe, setup.strobe);
    let link = Link::new(&to, &receiver, setup.receiving, setup.chunk);
    programs::receive(sim, &report, output, async move { Ok::<_, Infallible>(link) });
    Ok(Wiring { trigger, strobe, boards: 2, air: Some(air), report })
}
