//! Two boards, two nRF24L01+ and the air between them.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::Medium;
use airlag_air::error_rate::NoncoherentFsk;
use airlag_air::quantity::Hertz;
use airlag_drivers::nrf24::{Address, Config, Nrf24 as Driver, Payload, Role};
use airlag_link::airtime::nrf24::{Frame, Rate};
use airlag_models::chip::nrf24::{BrokenAck, Demodulator, Nrf24 as Chip, Timing};
use airlag_models::mcu::{Board, Costed, Costs, Delay, Input, Notice, Output, Spi, SpiTiming};
use airlag_sim::{Clock, Duration, Line, Sim};

use crate::error::Error;
use crate::floor::{Floor, split};
use crate::frame_loss::{self, FrameLoss};
use crate::knob::Knob;
use crate::parameter::{Domain, Known};
use crate::profile::Profile;
use crate::programs;
use crate::propagation::Propagation;
use crate::run::{Report, Wiring};

const fn whole(name: &'static str, unit: &'static str, high: i64, about: &'static str) -> Known {
    Known { name, unit, domain: Domain::Whole(0, high), about }
}

const fn ns(name: &'static str, about: &'static str) -> Known {
    whole(name, "ns", 1_000_000_000, about)
}

/// What a profile of this kind sets.
pub const PARAMETERS: &[Known] = &[
    Known {
        name: "rate",
        unit: "kbit/s",
        domain: Domain::Choice("250 | 1000 | 2000"),
        about: "air data rate",
    },
    whole("channel", "MHz above 2400", 125, "channel"),
    Known {
        name: "address_width",
        unit: "B",
        domain: Domain::Whole(3, 5),
        about: "bytes of address",
    },
    Known {
        name: "payload",
        unit: "",
        domain: Domain::Choice("padded | exact | dynamic"),
        about: "32 B always; as long as the message if it is shorter; dynamic payload length",
    },
    Known {
        name: "acknowledge",
        unit: "",
        domain: Domain::Flag,
        about: "automatic acknowledgement",
    },
    Known { name: "retransmit_delay", unit: "us", domain: Domain::Whole(250, 4000), about: "ARD" },
    whole("retransmit_count", "", 15, "ARC"),
    Known {
        name: "window",
        unit: "",
        domain: Domain::Whole(1, 3),
        about: "payloads under way at once",
    },
    Known {
        name: "flush_after_read",
        unit: "",
        domain: Domain::Flag,
        about: "the receiver empties its FIFO after each payload",
    },
    Known {
        name: "broken_ack",
        unit: "",
        domain: Domain::Choice("lost | resent"),
        about: "what becomes of an acknowledgement that FLUSH_RX broke off",
    },
    ns("settle", "Tstby2a"),
    ns("packet_to_irq", "from the end of a packet to its interrupt at this rate"),
    Known::real("late_frames", "", 0.0, 1.0, "share of frames whose end is noticed late"),
    Known::real("late_by", "bits", 0.0, 8.0, "how much later"),
    Known::real("frame_jitter", "bits", 0.0, 8.0, "how much later any frame's end may be noticed"),
    ns("spi_byte", "one byte on the bus with its gap"),
    ns("spi_transaction", "everything else in a bus transaction"),
    ns("trigger_entry", "from the trigger edge to the first chunk being handed over"),
    ns("trigger_jitter", "what the position in the main loop adds at most"),
    ns("interrupt_entry", "from the chip's interrupt to the driver's next line"),
    ns("interrupt_jitter", "what may come in between"),
    ns("send_overhead", "program time before each chunk"),
    ns("receive_per_byte", "program time for each byte received"),
    ns("rearm", "program time from a chunk's last byte to asking for the next one"),
    ns("rearm_jitter", "what is added at most while chunks follow each other"),
    ns("rearm_busy", "how soon a chunk must come to follow the one before"),
    ns("strobe", "how long the strobe stays high"),
    frame_loss::SHARE,
    frame_loss::BURST,
    Known {
        name: "sender_ppb",
        unit: "ppb",
        domain: Domain::Whole(-200_000, 200_000),
        about: "how fast the sending board's clock runs",
    },
    Known {
        name: "receiver_ppb",
        unit: "ppb",
        domain: Domain::Whole(-200_000, 200_000),
        about: "how fast the receiving board's clock runs",
    },
];

/// What can be turned: registers of the chip, and how its driver uses them.
pub const KNOBS: &[Knob] = &[
    Knob::of("flush_after_read", &["false"]),
    Knob::of("payload", &["exact", "dynamic"]),
    Knob::of("window", &["2", "3"]),
    // The steps of SETUP_RETR; one that is too short for an acknowledgement is refused.
    Knob::of("retransmit_delay", &["250us", "500us", "750us"]),
    Knob::of("address_width", &["3"]),
    // Sensitivity: -94, -85 and -82 dBm (section 5.4).
    Knob::of("rate", &["1Mbit/s", "2Mbit/s"])
        .giving_up("range: 9 dB to 1 Mbit/s, 3 dB more to 2 Mbit/s"),
    Knob::of("acknowledge", &["false"]).giving_up("retries: a frame that is lost stays lost"),
];

/// What a message takes at least: frames and acknowledgements back to back, as when the chip always
/// has the next payload and CE stays high. Without acknowledgements frames follow each other, but
/// for settling again every 4 ms (section 6.1.5).
pub fn floor(profile: &Profile, size: usize) -> Result<Floor, Error> {
    let setup = Setup::new(profile, size)?;
    let frame = Frame::enhanced(setup.rate, profile.whole("address_width")? as u8);
    let mtu = setup.config.mtu();
    let (mut full, mut rest) = split(size, mtu);
    if rest > 0 && !matches!(setup.config.payload, Payload::Dynamic) {
        (full, rest) = (full + 1, 0);
    }
    let frames = full + u64::from(rest > 0);
    let gaps = if setup.config.acknowledge { frames.saturating_sub(1) } else { 0 };
    let bursts = frames.div_ceil(u64::from(frame.burst(mtu)).max(1));
    let settled = if setup.config.acknowledge { frames } else { bursts };
    let settle = setup.timing.settle.as_ns();
    let irq = profile.duration("packet_to_irq")?.as_ns();
    let airtime = "nRF24L01+ v1.0, 7.3: preamble, address, control, payload, CRC";
    let turned = "nRF24L01+ v1.0, 6.1.7: Tstby2a";
    Ok(Floor::new()
        .with("settle", settled, settle, turned)
        .with(format!("air, {mtu} B"), full, frame.duration_ns(mtu), airtime)
        .with(format!("air, {rest} B"), u64::from(rest > 0), frame.duration_ns(rest), airtime)
        .with("packet to interrupt", gaps + 1, irq, "nRF24L01+ v1.0, 7.7: Tirq")
        .with("turn to receive", gaps, settle, turned)
        .with("acknowledgement", gaps, frame.duration_ns(0), airtime))
}

/// The address both ends use. Which one it is changes nothing that can be measured.
const ADDRESS: [u8; 5] = [0xE7, 0xD3, 0xF0, 0x35, 0x77];

/// A profile of this kind, read.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    rate: Rate,
    config: Config,
    timing: Timing,
    spi: SpiTiming,
    trigger: Notice,
    interrupt: Notice,
    sender: Costs,
    receiver: Costs,
    strobe: Duration,
    frame_loss: FrameLoss,
    propagation: Propagation,
    sender_clock: Clock,
    receiver_clock: Clock,
}

impl Setup {
    /// Reads a profile for messages of `size` bytes.
    pub fn new(profile: &Profile, size: usize) -> Result<Self, Error> {
        let p = profile;
        let rate = match p.choice("rate")? {
            "250" => Rate::Kbps250,
            "1000" => Rate::Mbps1,
            _ => Rate::Mbps2,
        };
        let width = p.whole("address_width")? as usize;
        let refused = |error: airlag_drivers::nrf24::ConfigError| Error::Stopped {
            board: "driver",
            cause: error.to_string(),
        };
        let address = Address::new(&ADDRESS[..width]).map_err(refused)?;
        let mut config = Config::new(Role::Transmitter, rate, address);
        config.channel = p.whole("channel")? as u8;
        config.payload = match p.choice("payload")? {
            "padded" => Payload::Fixed(32),
            "exact" => Payload::Fixed(size.min(32) as u8),
            _ => Payload::Dynamic,
        };
        config.acknowledge = p.flag("acknowledge")?;
        config.retransmit_delay_us = p.whole("retransmit_delay")? as u16;
        config.retransmit_count = p.whole("retransmit_count")? as u8;
        config.window = p.whole("window")? as u8;
        config.flush_after_read = p.flag("flush_after_read")?;
        config.check().map_err(refused)?;
        let irq = p.duration("packet_to_irq")?;
        let broken_ack = match p.choice("broken_ack")? {
            "resent" => BrokenAck::Resent,
            _ => BrokenAck::Lost,
        };
        let timing = Timing {
            settle: p.duration("settle")?,
            irq_2m: irq,
            irq_1m: irq,
            irq_250k: irq,
            demodulator: Demodulator {
                late: p.real("late_frames")?,
                late_bits: p.real("late_by")?,
                jitter_bits: p.real("frame_jitter")?,
            },
            broken_ack,
            ..Timing::default()
        };
        let notice = |entry: Duration, jitter: Duration| Notice::Interrupt { entry, jitter };
        let crystal = |ppb: i64| Clock::exact().with_ppb(ppb as i32);
        Ok(Self {
            rate,
            config,
            timing,
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
                before_receive_jitter: p.duration("rearm_jitter")?,
                busy: p.duration("rearm_busy")?,
                ..Costs::default()
            },
            strobe: p.duration("strobe")?,
            frame_loss: FrameLoss::new(p)?,
            propagation: Propagation::new(p)?,
            sender_clock: crystal(p.signed("sender_ppb")?),
            receiver_clock: crystal(p.signed("receiver_ppb")?),
        })
    }

    /// The air data rate.
    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// How the drivers are set up.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }
}

/// One board with its chip.
pub struct Station {
    board: Board,
    chip: Rc<Chip>,
    setup: Setup,
}

/// The driver on a station.
pub type StationDriver = Driver<Spi, Output, Input>;

impl Station {
    fn new(setup: &Setup, name: &str, clock: Clock, sim: &Sim, air: &Medium) -> Self {
        let board = Board::new(sim, name, clock);
        let chip = Chip::new(air, &format!("{name} nRF24"), sim, clock, setup.timing);
        Self { board, chip, setup: *setup }
    }

    /// Sets the chip up as one end of the link.
    pub async fn driver(&self, role: Role) -> Result<StationDriver, String> {
        let spi = Spi::new(&self.board, Rc::clone(&self.chip) as _, self.setup.spi);
        let ce = Output::new(self.chip.ce());
        let irq = Input::new(&self.board, "irq", self.chip.irq(), self.setup.interrupt);
        let mut delay = Delay::new(&self.board);
        let config = Config { role, ..self.setup.config };
        Driver::new(spi, ce, irq, &mut delay, config).await.map_err(|error| error.to_string())
    }

    /// The same with the cost of the program around it.
    pub async fn link(&self, role: Role) -> Result<Costed<StationDriver>, String> {
        let driver = self.driver(role).await?;
        let costs = match role {
            Role::Transmitter => self.setup.sender,
            Role::Receiver => self.setup.receiver,
        };
        Ok(Costed::new(&self.board, driver, costs))
    }
}

/// The two stations of a setup, with the losses between them.
#[must_use]
pub fn stations(setup: &Setup, sim: &Sim, air: &Medium) -> (Station, Station) {
    let sending = Station::new(setup, "sender", setup.sender_clock, sim, air);
    let receiving = Station::new(setup, "receiver", setup.receiver_clock, sim, air);
    setup.frame_loss.apply(air, [sending.chip.node(), receiving.chip.node()]);
    let ends = [sending.chip.node(), receiving.chip.node()];
    let rate = Hertz(1e9 / setup.rate.bit_ns() as f64);
    setup.propagation.apply(sim, air, ends, NoncoherentFsk { rate });
    (sending, receiving)
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
    programs::send(sim, &report, size, input, async move { sending.link(Role::Transmitter).await });
    let output = Output::holding(&strobe, setup.strobe);
    programs::receive(sim, &report, output, async move { receiving.link(Role::Receiver).await });
    Wiring { trigger, strobe, boards: 2, air: Some(air.clone()), report }
}
