//! Two boards, two SX1276 in LoRa mode and the air between them.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::error_rate::Lora;
use airlag_air::quantity::Hertz;
use airlag_air::{Disturbed, Independent, Medium};
use airlag_drivers::sx127x::{Config, Idle, Sx127x as Driver};
use airlag_link::airtime::lora::{Bandwidth, CodingRate, Frame, SpreadingFactor};
use airlag_models::chip::sx127x::{Sx1276 as Chip, Timing};
use airlag_models::mcu::{Board, Costed, Costs, Delay, Input, Notice, Output, Spi, SpiTiming};
use airlag_sim::{Clock, Duration, Line, Sim};

use crate::error::Error;
use crate::floor::{Floor, split};
use crate::knob::Knob;
use crate::parameter::{Domain, Known};
use crate::profile::Profile;
use crate::programs;
use crate::propagation::Propagation;
use crate::run::{Report, Wiring};

const fn whole(
    name: &'static str,
    unit: &'static str,
    (low, high): (i64, i64),
    about: &'static str,
) -> Known {
    Known { name, unit, domain: Domain::Whole(low, high), about }
}

const fn ns(name: &'static str, about: &'static str) -> Known {
    whole(name, "ns", (0, 1_000_000_000), about)
}

const fn flag(name: &'static str, about: &'static str) -> Known {
    Known { name, unit: "", domain: Domain::Flag, about }
}

const fn choice(
    name: &'static str,
    unit: &'static str,
    choices: &'static str,
    about: &'static str,
) -> Known {
    Known { name, unit, domain: Domain::Choice(choices), about }
}

const BANDWIDTHS: &str = "7.8 | 10.4 | 15.6 | 20.8 | 31.25 | 41.7 | 62.5 | 125 | 250 | 500";
const CODING_RATES: &str = "4/5 | 4/6 | 4/7 | 4/8";

/// What a profile of this kind sets.
pub const PARAMETERS: &[Known] = &[
    whole("frequency", "Hz", (137_000_000, 1_020_000_000), "carrier"),
    whole("spreading_factor", "", (6, 12), "chips a symbol, as a power of two"),
    choice("bandwidth", "kHz", BANDWIDTHS, "bandwidth"),
    choice("coding_rate", "", CODING_RATES, "data bits in bits on the air"),
    whole("preamble", "symbols", (6, 65_535), "programmed preamble; the radio adds 4.25"),
    choice("header", "", "explicit | implicit", "whether a header tells length and coding"),
    flag("crc", "a CRC over the payload"),
    flag("low_data_rate_optimize", "two bits fewer a symbol"),
    choice("idle", "", "sleep | ready", "where the driver leaves the chip between packets"),
    ns("crystal", "sleep to standby, TS_OSC"),
    ns("standby", "into standby while the crystal still swings"),
    ns("swings_on", "how long a crystal switched off still swings"),
    ns("synthesiser", "standby to a locked synthesiser, TS_FS"),
    ns("transmit", "standby to the first symbol on the air, TS_FS and TS_TR"),
    ns("receive", "standby to receiving, TS_FS and TS_RE"),
    whole("decode", "1/1000 symbol", (0, 10_000), "last symbol to RxDone: the part that scales"),
    whole("decode_offset", "ns", (-1_000_000, 1_000_000), "the part of it that does not"),
    whole("send_grid", "1/1000 chip", (0, 10_000), "how late a sender begins a frame at most"),
    whole("receive_grid", "1/1000 chip", (0, 10_000), "how late a receiver finds its end at most"),
    whole("lock", "symbols", (0, 65_535), "preamble a receiver needs"),
    ns("spi_byte", "one byte on the bus with its gap"),
    ns("spi_transaction", "everything else in a bus transaction"),
    ns("trigger_entry", "from the trigger edge to the first chunk being handed over"),
    ns("trigger_jitter", "what the position in the main loop adds at most"),
    ns("interrupt_entry", "from an edge of DIO0 or DIO5 to the driver's next line"),
    ns("interrupt_jitter", "what the position in the main loop adds at most"),
    ns("send_overhead", "program time before each chunk"),
    ns("receive_per_byte", "program time for each byte received"),
    ns("rearm", "program time from a chunk's last byte to asking for the next one"),
    ns("strobe", "how long the strobe stays high"),
    Known {
        name: "disturbances",
        unit: "1/s",
        domain: Domain::Real(0.0, 1_000.0),
        about: "bursts of interference, each of which costs the frame it hits",
    },
    Known {
        name: "frame_loss",
        unit: "",
        domain: Domain::Real(0.0, 1.0),
        about: "share of frames lost whatever their length",
    },
    whole("sender_ppb", "ppb", (-200_000, 200_000), "how fast the sending board's clock runs"),
    whole("receiver_ppb", "ppb", (-200_000, 200_000), "how fast the receiving board's clock runs"),
];

/// What can be turned: registers of the modem, and how its driver uses them.
pub const KNOBS: &[Knob] = &[
    Knob::all("idle"),
    // Lengths of a message both ends know beforehand.
    Knob::of("header", &["implicit"]),
    Knob::of("preamble", &["6"]),
    Knob::of("crc", &["false"]).giving_up("the modem's check: damaged packets reach the program"),
    Knob::of("coding_rate", &["4/5"]).giving_up("correction of bit errors"),
    // SX1276 datasheet rev. 7, table 10 and section 4.1.1.5.
    Knob::of("spreading_factor", &["6", "7", "8", "9", "10"]).giving_up("range: 2.5 dB a step"),
    Knob::of("bandwidth", &["125kHz", "250kHz", "500kHz"]).giving_up("range: 3 dB a doubling"),
];

/// What a message takes at least: each packet's way from standby onto the air and its time there,
/// and what the receiving modem takes to decode the last one.
pub fn floor(profile: &Profile, size: usize) -> Result<Floor, Error> {
    let setup = Setup::new(profile, size)?;
    let frame = setup.frame();
    let mtu = setup.config.mtu();
    let (mut full, mut rest) = split(size, mtu);
    if rest > 0 && !frame.explicit_header {
        (full, rest) = (full + 1, 0);
    }
    let (some, airtime) = (u64::from(rest > 0), "SX1276/77/78/79 rev. 7, 4.1.1.6 and 4.1.1.7");
    let decode = setup.timing.decode(frame).as_ns();
    Ok(Floor::new()
        .with("standby to air", full + some, setup.timing.transmit.as_ns(), "profile: transmit")
        .with(format!("air, {mtu} B"), full, frame.duration_ns(mtu), airtime)
        .with(format!("air, {rest} B"), some, frame.duration_ns(rest), airtime)
        .with("receiver latency", 1, decode, "profile: decode, decode_offset"))
}

/// A profile of this kind, read.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    config: Config,
    timing: Timing,
    spi: SpiTiming,
    trigger: Notice,
    interrupt: Notice,
    sender: Costs,
    receiver: Costs,
    strobe: Duration,
    disturbances: f64,
    frame_loss: f64,
    propagation: Propagation,
    sender_clock: Clock,
    receiver_clock: Clock,
}

impl Setup {
    /// Reads a profile for messages of `size` bytes.
    pub fn new(profile: &Profile, size: usize) -> Result<Self, Error> {
        let p = profile;
        let notice = |entry: Duration, jitter: Duration| Notice::Interrupt { entry, jitter };
        let crystal = |ppb: i64| Clock::exact().with_ppb(ppb as i32);
        Ok(Self {
            config: config(p, size)?,
            timing: timing(p)?,
            spi: SpiTiming {
                byte: p.duration("spi_byte")?,
                transaction: p.duration("spi_transaction")?,
            },
            trigger: notice(p.duration("trigger_entry")?, p.duration("trigger_jitter")?),
            interrupt: notice(p.duration("interrupt_entry")?, p.duration("interrupt_jitter")?),
            sender: Costs { before_send: p.duration("send_overhead")?, ..Costs::default() },
            receiver: Costs {
                per_byte: p.duration("receive_per_byte")?,
                before_receive: p.duration("rearm")?,
                ..Costs::default()
            },
            strobe: p.duration("strobe")?,
            disturbances: p.real("disturbances")?,
            frame_loss: p.real("frame_loss")?,
            propagation: Propagation::new(p)?,
            sender_clock: crystal(p.signed("sender_ppb")?),
            receiver_clock: crystal(p.signed("receiver_ppb")?),
        })
    }

    /// Modulation and frame format.
    #[must_use]
    pub const fn frame(&self) -> &Frame {
        &self.config.frame
    }
}

fn config(p: &Profile, size: usize) -> Result<Config, Error> {
    let none = |name| Error::MissingParameter { link: p.name.clone(), name };
    let nth = |choices: &str, chosen: &str| choices.split(" | ").position(|one| one == chosen);
    let bandwidth = nth(BANDWIDTHS, p.choice("bandwidth")?).ok_or_else(|| none("bandwidth"))?;
    let rate = nth(CODING_RATES, p.choice("coding_rate")?).ok_or_else(|| none("coding_rate"))?;
    let frame = Frame {
        spreading_factor: SpreadingFactor::new(p.whole("spreading_factor")? as u8)
            .ok_or_else(|| none("spreading_factor"))?,
        bandwidth: Bandwidth::ALL[bandwidth],
        coding_rate: CodingRate::ALL[rate],
        preamble: p.whole("preamble")? as u16,
        explicit_header: p.choice("header")? == "explicit",
        crc: p.flag("crc")?,
        low_data_rate_optimize: p.flag("low_data_rate_optimize")?,
    };
    let idle = if p.choice("idle")? == "sleep" { Idle::Sleep } else { Idle::Ready };
    let config = Config::new(p.whole("frequency")? as u32, frame).idle(idle);
    let config = Config { implicit_length: size.min(255) as u8, ..config };
    config.check().map_err(|error| Error::Stopped { board: "driver", cause: error.to_string() })?;
    Ok(config)
}

fn timing(p: &Profile) -> Result<Timing, Error> {
    Ok(Timing {
        crystal: p.duration("crystal")?,
        standby: p.duration("standby")?,
        swings_on: p.duration("swings_on")?,
        synthesiser: p.duration("synthesiser")?,
        transmit: p.duration("transmit")?,
        receive: p.duration("receive")?,
        decode_millisymbols: p.whole("decode")?,
        decode_offset_ns: p.signed("decode_offset")?,
        send_grid_millichips: p.whole("send_grid")?,
        receive_grid_millichips: p.whole("receive_grid")?,
        lock_symbols: p.whole("lock")? as u16,
        ..Timing::default()
    })
}

/// One board with its chip.
pub struct Station {
    board: Board,
    chip: Rc<Chip>,
    setup: Setup,
}

/// The driver on a station.
pub type StationDriver = Driver<Spi, Input>;

impl Station {
    fn new(setup: &Setup, name: &str, clock: Clock, sim: &Sim, air: &Medium) -> Self {
        let board = Board::new(sim, name, clock);
        let chip = Chip::new(air, &format!("{name} SX1276"), sim, clock, setup.timing);
        Self { board, chip, setup: *setup }
    }

    /// Sets the chip up.
    pub async fn driver(&self) -> Result<StationDriver, String> {
        let spi = Spi::new(&self.board, Rc::clone(&self.chip) as _, self.setup.spi);
        let input = |name: &str, pin: usize| {
            Input::new(&self.board, name, &self.chip.dio()[pin], self.setup.interrupt)
        };
        let (dio0, dio5) = (input("dio0", 0), input("dio5", 5));
        let (mut reset, mut delay) = (Output::new(self.chip.reset()), Delay::new(&self.board));
        let config = self.setup.config;
        Driver::new(spi, dio0, dio5, &mut reset, &mut delay, config)
            .await
            .map_err(|error| error.to_string())
    }

    /// The same with the cost of the program around it.
    pub async fn link(&self, costs: Costs) -> Result<Costed<StationDriver>, String> {
        Ok(Costed::new(&self.board, self.driver().await?, costs))
    }
}

/// The two stations of a setup, with the losses between them.
#[must_use]
pub fn stations(setup: &Setup, sim: &Sim, air: &Medium) -> (Station, Station) {
    let sending = Station::new(setup, "sender", setup.sender_clock, sim, air);
    let receiving = Station::new(setup, "receiver", setup.receiver_clock, sim, air);
    let (from, to) = (sending.chip.node(), receiving.chip.node());
    let disturbed = Disturbed { per_second: setup.disturbances };
    air.set_loss(from, to, (disturbed, Independent { probability: setup.frame_loss }));
    setup.propagation.apply(sim, air, [from, to], demodulator(&setup.config.frame));
    (sending, receiving)
}

/// The chip's demodulator for frames of a format.
fn demodulator(frame: &Frame) -> Lora {
    // The preamble's sync word and downchirps (4.25 symbols), and the 8 symbols that carry the
    // header, coded 4/8 (SX1276/77/78/79 rev. 7, 4.1.1.6 and 4.1.1.7).
    let header = if frame.explicit_header { 8.0 } else { 0.0 };
    Lora {
        spreading_factor: frame.spreading_factor.exponent(),
        bandwidth: Hertz(f64::from(frame.bandwidth.hz())),
        coded_bits: frame.coding_rate.denominator(),
        low_data_rate_optimize: frame.low_data_rate_optimize,
        overhead_symbols: f64::from(frame.preamble) + 4.25 + header,
    }
}

/// Builds the bench of a profile.
pub fn wire(profile: &Profile, size: usize, sim: &Sim) -> Result<Wiring, Error> {
    let setup = Setup::new(profile, size)?;
    Ok(wire_setup(&setup, size, sim, &Medium::new(sim)))
}

/// Builds the bench of a setup on a medium that may have other nodes.
pub fn wire_setup(setup: &Setup, size: usize, sim: &Sim, air: &Medium) -> Wiring {
    let (sending, receiving) = stations(setup, sim, air);
    let report = Rc::new(RefCell::new(Report::default()));
    let (trigger, strobe) = (Line::new(sim, false), Line::new(sim, false));

    let input = Input::new(&sending.board, "trigger", &trigger, setup.trigger);
    let (sender, receiver) = (setup.sender, setup.receiver);
    programs::send(sim, &report, size, input, async move { sending.link(sender).await });
    let output = Output::holding(&strobe, setup.strobe);
    programs::receive(sim, &report, output, async move { receiving.link(receiver).await });
    Wiring { trigger, strobe, boards: 2, air: Some(air.clone()), report }
}
