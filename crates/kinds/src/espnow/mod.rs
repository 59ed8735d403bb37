//! Two boards with ESP-NOW, both of them access points.

mod parameters;

use std::future::ready;
use std::rc::Rc;

use airlag_link::airtime::wifi::{Rate, SIFS_NS, SLOT_NS, TIME_UNIT_NS, space_ns};
use airlag_models::mcu::Board;
use airlag_models::mcu::deep_sleep::{Sleeper, Switch};
use airlag_models::stack::espnow::frame::{BROADCAST, MAX_ELEMENT};
use airlag_models::stack::espnow::{Beacons, Config, EspNow as Link, Host, Station};
use airlag_models::stack::wifi::EveryRate;
use airlag_models::stack::wifi::access::channel_band;
use airlag_sim::{Duration, Sim};

use crate::boards::deep_sleep::DeepSleep;
use crate::boards::rtos::{self, phase_of};
use crate::calls;
use crate::ieee802154::OnFailure;
use crate::neighbours;
use crate::wifi::{HEARING, of};
use airlag_air::Band;
use airlag_air::transmitter::{Access, Spectrum, Transmitter};
use airlag_rig::dependant::Dependant;
use airlag_rig::ends::{Bench, End, Ends};
use airlag_rig::error::Refusal;
use airlag_rig::floor::{Cycle, Floor, Term, split};
use airlag_rig::kind::{Configured, Declared, Definition, Facts, Medium, Ways};
use airlag_rig::knob::Knob;
use airlag_rig::neighbours::Kinds;
use airlag_rig::parameter::Phase;

pub use parameters::Parameters;
use parameters::{RECEIVER, SENDER, Version, config};

/// Definition of this kind.
pub static KIND: Definition = Definition::of::<Parameters>();

impl Facts for Parameters {
    const NAME: &'static str = "espnow";
    const MEDIUM: Medium = Medium::Air;
    const WAYS: Ways = Ways::Both;
    const PROGRAMS: &'static [Declared] = calls::PARAMETERS;
    const NEIGHBOURS: Kinds = neighbours::ALL;

    /// Trigger notification, and options that ESP-IDF offers a program.
    const KNOBS: &'static [Knob] = &[
        rtos::NOTICE_KNOB,
        rtos::TICK_KNOB,
        // ESP-IDF Programming Guide, Wi-Fi, station sleep: minimum modem sleep is the default.
        Knob::of(Parameters::beacons, &["false"]).giving_up(
            "the access point on the board: a station stays awake only without modem sleep \
             (WIFI_PS_NONE), and receives nothing while it sleeps",
        ),
        Knob::of(Parameters::version, &["2"])
            .giving_up("receivers of version 1: ESP-IDF before v5.4 cuts or drops longer frames"),
        Knob::of(Parameters::encrypted, &["false"]).giving_up("confidentiality and authentication"),
        // esp_wifi_config_espnow_rate; sensitivities of ESP32-WROOM-32E v2.0, table 21.
        Knob::of(
            Parameters::rate,
            &["2Mbit/s", "5.5Mbit/s", "11Mbit/s", "6Mbit/s", "12Mbit/s", "24Mbit/s", "54Mbit/s"],
        )
        .giving_up_range("range: 9 dB less at 11 Mbit/s, 22 dB less at 54 Mbit/s"),
        Knob::of(Parameters::long_range, &["false"])
            .giving_up_range("range: the gain of long-range mode"),
    ];

    const REACH: &'static [Knob] = &[
        Knob::of(Parameters::rate, &["6Mbit/s", "2Mbit/s", "1Mbit/s"]),
        Knob::of(Parameters::long_range, &["true"]),
    ];

    const SAVING: &'static [Knob] = &[Knob::of(DeepSleep::rest, &["deep"])];
}

/// Rate of a frame with such a body.
fn rate(config: &Config, body: usize) -> Rate {
    config.rate_of(body > config.fallback.map_or(usize::MAX, |fallback| fallback.longest))
}

impl Parameters {
    /// Terms between `count` frames with such a body and the next frame.
    fn after(&self, config: &Config, count: u64, body: usize) -> [Term; 3] {
        let answers = if config.peer == BROADCAST { 0 } else { count };
        let answer = rate(config, body).ack_ns();
        let space = space_ns(self.aifsn, SLOT_NS);
        [
            Term::new("SIFS", answers, SIFS_NS, "IEEE 802.11-2012, 9.3.2.8"),
            Term::new("acknowledgement", answers, answer, "IEEE 802.11-2012, 9.7.6.5.2"),
            Term::new("AIFS", count, space, "IEEE 802.11-2012, 9.3.2.3.6"),
        ]
    }
}

impl Configured for Parameters {
    /// Frames of more than 250 B need version 2.
    fn dependants(&self, _: usize) -> Vec<Dependant> {
        let long = self.chunk > MAX_ELEMENT && self.version == Version::One;
        let newer = Dependant { name: Parameters::version, value: "2" };
        long.then_some(newer).into_iter().collect()
    }

    /// This lower bound assumes that the medium is idle, so that the first frame begins at once,
    /// and that all random backoffs are zero. For each further frame, the sender contends for the
    /// medium after the previous frame has been acknowledged. If the receiver can decode a
    /// long-range frame only at the slower long-range rate, the frame is sent at the slower rate
    /// from the first attempt.
    fn floor(&self, size: usize) -> Result<Floor, Refusal> {
        let config = config(self)?;
        let (full, rest) = split(size, self.full());
        let some = u64::from(rest > 0);
        let airtime = if config.rate.is_long_range() {
            "ESP-IDF, long range: 512 and 256 kbit/s; its preamble is assumed"
        } else {
            "IEEE 802.11-2012, 17.2.2, 17.3.4, 18.4.3, 19.8.3"
        };
        let air = |count, body: usize| {
            let bytes = body + config.format.overhead(body);
            let ns = rate(&config, body).duration_ns(bytes);
            Term::new(format!("air, {body} B"), count, ns, airtime)
        };
        // The acknowledgement of the last frame does not delay the message.
        let gaps = (full + some).saturating_sub(1);
        Ok(Floor::of([air(full, self.full())])
            .then(self.after(&config, gaps, self.full()))
            .then([air(some, rest)]))
    }

    /// Every frame with its acknowledgement and the shortest spacing to the next one, with a
    /// backoff of zero.
    fn cycle(&self, size: usize) -> Result<Cycle, Refusal> {
        let config = config(self)?;
        let (_, rest) = split(size, self.full());
        let last = if rest > 0 { rest } else { self.full() };
        // Adds the terms that a single message does not wait for.
        Ok(Cycle::each(self.floor(size)?.then(self.after(&config, 1, last))))
    }

    fn ends(&self, _: usize, bench: &Bench) -> Result<Ends, Refusal> {
        let (sim, air) = (bench.sim(), bench.air());
        let (near, far) = (self.boards.sender(sim), self.boards.receiver(sim));
        let config = config(self)?;
        let group = bench.place().group;
        let station = |board: &Board, address, peer, share| {
            // A board in deep sleep is not an access point.
            let says_so = self.beacons && !(address == SENDER && self.deep_sleep.is_deep());
            let beacons = says_so.then(|| beacons(self, &config, sim, board, share));
            let peer = if config.peer == BROADCAST { BROADCAST } else { of(peer, group) };
            let config = Config { address: of(address, group), peer, beacons, ..config };
            let name = format!("{} radio", board.name());
            let station = Station::new(air, &name, sim, *board.clock(), config);
            let happened = bench.incidents();
            station.observe(move |incident| happened(incident.name()));
            station
        };
        let from = station(&near, SENDER, RECEIVER, self.sender_beacon_phase);
        let to = station(&far, RECEIVER, SENDER, self.receiver_beacon_phase);
        self.losses.apply(air, [from.id(), to.id()]);
        self.propagation.apply(bench, [from.id(), to.id()], EveryRate, HEARING);

        let host = Host {
            before_send: self.send_overhead,
            send_jitter: self.send_jitter,
            after_send: self.gate,
            stall: self.stall,
            stall_over: self.stall_over,
            receive: self.receive_overhead,
        };
        let link = |board: &Board, station| {
            let link = Link::new(station, board, host, self.full());
            if self.on_failure == OnFailure::Continue { link.ignoring_failure() } else { link }
        };
        let end = |board: &Board, link: Sleeper<Link>| End {
            pins: self.boards.pins(board, self.strobe),
            link: ready(Ok::<_, String>(link)),
        };
        let radio = Rc::clone(&from) as Rc<dyn Switch>;
        Ok(Ends::two(
            end(&near, self.deep_sleep.sender(link(&near, &from), &near, radio)),
            end(&far, self.deep_sleep.receiver(link(&far, &to), &far)),
        ))
    }

    fn band(&self) -> Band {
        channel_band(self.channel)
    }

    /// DSSS and CCK have the spectrum of a signal with 11 Mchip/s. The modulation of the long-range
    /// mode is not documented, and the spectrum of DSSS is used for it. OFDM has a spectrum of 52
    /// subcarriers, and HT has a spectrum of 56 subcarriers. The subcarriers are 312.5 kHz apart
    /// (IEEE Std 802.11-2012, 17.4.6.6, 18.3.2.3 and 20.3.7). The transmitter senses the carrier
    /// for the AIFS before it sends.
    fn transmitter(&self, _: &str) -> Option<Transmitter> {
        let (power_dbm, gain_dbi) = self.propagation.radiates();
        let spectrum = match config(self).ok()?.rate {
            Rate::Ht(..) => Spectrum::even(56.0 * 312.5),
            rate if rate.is_ofdm() => Spectrum::even(52.0 * 312.5),
            _ => Spectrum::phases(11_000.0),
        };
        let access = Access::Listens((space_ns(self.aifsn, SLOT_NS) / 1_000) as u32);
        Some(Transmitter { power_dbm, gain_dbi, spectrum, hopping: None, access })
    }
}

/// Beacons of a board, sent at the slowest rate of its modulation.
fn beacons(p: &Parameters, config: &Config, sim: &Sim, board: &Board, share: Phase) -> Beacons {
    let interval = Duration::from_ns(u64::from(p.beacon_interval) * TIME_UNIT_NS);
    let phase = phase_of(sim, &format!("{}/beacon phase", board.name()), share, interval);
    let rate = if config.rate.is_long_range() { Rate::LongRange256 } else { Rate::Dsss1 };
    Beacons { interval_tu: p.beacon_interval, phase, rate }
}
