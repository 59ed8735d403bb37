//! Two boards with ESP-NOW, access points both.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_air::error_rate::Dbpsk;
use airlag_air::quantity::Hertz;
use airlag_link::airtime::wifi::{DIFS_NS, Rate, SIFS_NS, TIME_UNIT_NS};
use airlag_models::mcu::{Board, Output};
use airlag_models::stack::espnow::frame::OVERHEAD;
use airlag_models::stack::espnow::{
    Address, Beacons, Config, EspNow as Link, Fallback, Host, Station,
};
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

const RATES: &str =
    "1000 | 2000 | 5500 | 11000 | 6000 | 9000 | 12000 | 18000 | 24000 | 36000 | 48000 | 54000";

/// What a profile of this kind sets.
pub const PARAMETERS: &[Known] = &[
    Known::choice("rate", "kbit/s", RATES, "DSSS, CCK or OFDM rate of the frames"),
    Known::flag("long_range", "Espressif's own modulation instead, at 512 and 256 kbit/s"),
    Known::whole("fallback_over", "B", 0, 250, "longer bodies need the 256 kbit/s of long range"),
    Known::whole("channel", "", 1, 13, "channel"),
    Known::whole("cw_min", "slots", 0, 1_023, "smallest contention window"),
    Known::whole("cw_max", "slots", 0, 1_023, "largest contention window"),
    Known::whole("retries", "", 0, 31, "times a frame is sent again"),
    Known::flag("beacons", "both boards are access points and say so"),
    Known::whole("beacon_interval", "TU", 1, 65_535, "between two beacons, 1.024 ms each"),
    Known::phase("sender_beacon_phase", "where the sending board's beacons stand"),
    Known::phase("receiver_beacon_phase", "where the receiving board's beacons stand"),
    Known::whole("chunk", "B", 1, 250, "body of a full frame"),
    Known::whole("receive_queue", "frames", 1, 10_000, "frames held for the receiving program"),
    Known::ns("send_overhead", "from a chunk being handed over to the MAC having its frame"),
    Known::ns("send_jitter", "what is added to that at most"),
    Known::ns("gate", "from the acknowledgement to the program being ready with the next chunk"),
    Known::ns("stall", "what is added to that after long bodies"),
    Known::whole("stall_over", "B", 0, 250, "bodies that are long in this sense are longer"),
    Known::ns("receive_overhead", "from a frame's end to the program having its body"),
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

/// Addresses of the two boards. Which they are changes nothing that can be measured.
const SENDER: Address = [0x24, 0x6F, 0x28, 0x2A, 0x69, 0xF1];
const RECEIVER: Address = [0x24, 0x6F, 0x28, 0x2A, 0x70, 0x05];

/// A profile of this kind, read.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    config: Config,
    beacon_phases: Option<[Option<f64>; 2]>,
    beacon_interval_tu: u16,
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
        let long_range = p.flag("long_range")?;
        let given = p.choice("rate")?;
        let named = Rate::ALL.into_iter().find(|rate| rate.kbps().to_string() == given);
        let rate = if long_range { Rate::LongRange512 } else { named.unwrap_or(Rate::Dsss1) };
        let longest = p.whole("fallback_over")? as usize;
        let phases = [p.phase("sender_beacon_phase")?, p.phase("receiver_beacon_phase")?];
        Ok(Self {
            config: Config {
                address: SENDER,
                peer: RECEIVER,
                channel: p.whole("channel")? as u8,
                rate,
                fallback: (long_range && longest < 250).then_some(Fallback { longest }),
                cw_min: p.whole("cw_min")? as u16,
                cw_max: p.whole("cw_max")? as u16,
                max_retries: p.whole("retries")? as u8,
                beacons: None,
                receive_queue: p.whole("receive_queue")? as usize,
            },
            beacon_phases: p.flag("beacons")?.then_some(phases),
            beacon_interval_tu: p.whole("beacon_interval")? as u16,
            sending: Host {
                before_send: p.duration("send_overhead")?,
                send_jitter: p.duration("send_jitter")?,
                after_send: p.duration("gate")?,
                stall: p.duration("stall")?,
                stall_over: p.whole("stall_over")? as usize,
                ..Host::default()
            },
            receiving: Host { receive: p.duration("receive_overhead")?, ..Host::default() },
            chunk: p.whole("chunk")? as usize,
            goes_on: p.choice("on_failure")? == "continue",
            strobe: p.duration("strobe")?,
            frame_loss: FrameLoss::new(p)?,
            propagation: Propagation::new(p)?,
            fixture: Fixture::new(p)?,
        })
    }

    /// What gets frames wrong at a distance. The formula is that of 1 Mbit/s; other rates are taken
    /// as the same phases sent faster, which is within 5 dB of the sensitivities of the
    /// ESP32-WROOM-32E datasheet (v2.0, table 21); 54 Mbit/s is the worst and reaches too far.
    fn demodulator(&self) -> Dbpsk {
        Dbpsk { rate: Hertz(f64::from(self.config.rate.kbps()) * 1e3) }
    }

    /// The beacons of a board; the slowest rate of its modulation carries them.
    fn beacons(&self, sim: &Sim, board: &Board, share: Option<f64>) -> Beacons {
        let interval = Duration::from_ns(u64::from(self.beacon_interval_tu) * TIME_UNIT_NS);
        let phase = phase_of(sim, &format!("{}/beacon phase", board.name()), share, interval);
        let long_range = self.config.rate.is_long_range();
        let rate = if long_range { Rate::LongRange256 } else { Rate::Dsss1 };
        Beacons { interval_tu: self.beacon_interval_tu, phase, rate }
    }
}

/// What can be turned: how the task is told, and what ESP-IDF lets a program set.
pub const KNOBS: &[Knob] = &[
    fixture::NOTICE_KNOB,
    fixture::TICK_KNOB,
    Knob::of("beacons", &["false"]),
    // esp_wifi_config_espnow_rate; sensitivities of ESP32-WROOM-32E v2.0, table 21.
    Knob::of(
        "rate",
        &["2Mbit/s", "5.5Mbit/s", "11Mbit/s", "6Mbit/s", "12Mbit/s", "24Mbit/s", "54Mbit/s"],
    )
    .giving_up("range: 9 dB to 11 Mbit/s, 22 dB to 54"),
    Knob::of("long_range", &["false"]).giving_up("range: what long range is for"),
];

/// What a message takes at least: frames on a medium that has been idle, so that the first begins
/// at once, each answered before the next one contends; of random backoffs the shortest, which is
/// none. A long-range frame its receiver reads at the slower rate only goes at that one at once.
pub fn floor(profile: &Profile, size: usize) -> Result<Floor, Error> {
    let setup = Setup::new(profile)?;
    let config = setup.config;
    let longest = config.fallback.map_or(usize::MAX, |fallback| fallback.longest);
    let rate = |body: usize| config.rate_of(body > longest);
    let air = |body: usize| rate(body).duration_ns(body + OVERHEAD);
    let (full, rest) = split(size, setup.chunk);
    let some = u64::from(rest > 0);
    // The last frame's own acknowledgement delays nothing.
    let gaps = (full + some).saturating_sub(1);
    let airtime = if setup.config.rate.is_long_range() {
        "ESP-IDF, long range: 512 and 256 kbit/s; its preamble is assumed"
    } else {
        "IEEE 802.11-2012, 17.2.2, 17.3.4, 18.4.3, 19.8.3"
    };
    Ok(Floor::new()
        .with(format!("air, {} B", setup.chunk), full, air(setup.chunk), airtime)
        .with("SIFS", gaps, SIFS_NS, "IEEE 802.11-2012, 9.3.2.8")
        .with("acknowledgement", gaps, rate(setup.chunk).ack_ns(), "IEEE 802.11-2012, 9.7.6.5.2")
        .with("DIFS", gaps, DIFS_NS, "IEEE 802.11-2012, 9.3.2.3.5")
        .with(format!("air, {rest} B"), some, air(rest), airtime))
}

/// Builds the bench of a profile.
pub fn wire(profile: &Profile, size: usize, sim: &Sim) -> Result<Wiring, Error> {
    let setup = Setup::new(profile)?;
    let air = Medium::new(sim);
    let report = Rc::new(RefCell::new(Report::default()));
    let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));
    let (sender, receiver) = (setup.fixture.sender(sim), setup.fixture.receiver(sim));
    let station = |board: &Board, address, peer, share| {
        let beacons = setup.beacon_phases.map(|phases| setup.beacons(sim, board, phases[share]));
        let config = Config { address, peer, beacons, ..setup.config };
        let name = format!("{} radio", board.name());
        let station = Station::new(&air, &name, sim, *board.clock(), config);
        let told = Rc::clone(&report);
        station.observe(move |incident| {
            *told.borrow_mut().incidents.entry(incident.name()).or_default() += 1;
        });
        station
    };
    let from = station(&sender, SENDER, RECEIVER, 0);
    let to = station(&receiver, RECEIVER, SENDER, 1);
    setup.frame_loss.apply(&air, [from.id(), to.id()]);
    setup.propagation.apply(sim, &air, [from.id(), to.id()], setup.demodulator());

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
