//! What a profile of a pair of nRF24L01+ sets, and what its chips and drivers are told.

use airlag_drivers::nrf24::{Address, Config, Payload, Role};
use airlag_link::airtime::nrf24::Rate;
use airlag_models::chip::nrf24::{BrokenAck, Demodulator, Timing};
use airlag_models::mcu::Costs;
use airlag_sim::Duration;

use super::interrupt_delay::InterruptDelay;
use crate::boards::spi::SpiBoards;
use airlag_rig::error::Refusal;
use airlag_rig::floor::split;
use airlag_rig::frame_loss::Bursts;
use airlag_rig::parameter::{choices, parameters};
use airlag_rig::propagation::Propagation;

choices!(for Rate { Kbps250 = "250", Mbps1 = "1000", Mbps2 = "2000" });
choices!(for BrokenAck { Lost = "lost", Resent = "resent" });

choices! {
    /// How long the payload of a frame is.
    pub enum Length {
        /// 32 B always.
        Padded = "padded",
        /// As long as the message if it is shorter.
        Exact = "exact",
        /// Dynamic payload length.
        Dynamic = "dynamic",
    }
}

choices! {
    /// How what the second board says comes back.
    pub enum Reply {
        /// Not at all: one chip transmits and the other receives.
        None = "none",
        /// Both chips turn round.
        Turn = "turn",
        /// In acknowledgements of what the first board sends, which polls.
        AckPayload = "ack-payload",
    }
}

choices! {
    /// What the chip of a board that only sends does between messages.
    pub enum Idle {
        /// Standby-I, from which it sends at once.
        Standby = "standby",
        /// Power down, from which its crystal has to start.
        PowerDown = "power-down",
    }
}

/// Why a pause may be anything where nobody pauses.
const POLLED: &str = "changes nothing unless reply is ack-payload";

parameters! {
    /// What a profile of this kind sets.
    pub struct Parameters {
        /// air data rate
        rate: Rate = unit("kbit/s"),
        /// channel
        channel: u8 = whole(0, 125, "MHz above 2400"),
        /// bytes of address
        address_width: u8 = whole(3, 5, "B"),
        /// 32 B always; as long as the message if it is shorter; dynamic payload length
        payload: Length,
        /// automatic acknowledgement
        acknowledge: bool,
        /// ARD
        retransmit_delay: u16 = whole(250, 4_000, "us"),
        /// ARC
        retransmit_count: u8 = whole(0, 15, ""),
        /// payloads under way at once
        window: u8 = whole(1, 3, ""),
        /// how what the second board says comes back: not at all; both chips turn round; in the payload of acknowledgements
        reply: Reply = unit("").or("none", "the captures go one way"),
        /// from an acknowledgement that brought nothing to the next poll
        poll_pause: Duration = whole(0, 1_000_000_000, "ns").or("1ms", POLLED),
        /// what the sending chip does between messages: standby-I; power down, where its crystal has to start again
        idle: Idle = unit("").or("standby", "what ordinary drivers leave it in"),
        /// the receiver empties its FIFO after each payload
        flush_after_read: bool,
        /// what becomes of an acknowledgement that FLUSH_RX broke off
        broken_ack: BrokenAck,
        /// Tstby2a
        settle: Duration,
        /// from the end of a packet to its interrupt
        packet_to_irq: InterruptDelay,
        /// share of frames whose end is noticed late
        late_frames: f64,
        /// how much later
        late_by: f64 = real(0.0, 8.0, "bits"),
        /// how much later any frame's end may be noticed
        frame_jitter: f64 = real(0.0, 8.0, "bits"),
        /// the boards
        boards: SpiBoards,
        /// what is added at most while chunks follow each other
        rearm_jitter: Duration,
        /// how soon a chunk must come to follow the one before
        rearm_busy: Duration,
        /// losses on the air
        losses: Bursts,
        /// how far the radios stand apart
        propagation: Propagation,
    }
}

/// The address both ends use. Which one it is changes nothing that can be measured.
const ADDRESS: [u8; 5] = [0xE7, 0xD3, 0xF0, 0x35, 0x77];

/// Parameters as chips, drivers and programs take them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setup {
    pub(super) config: Config,
    pub(super) reply: Reply,
    pub(super) poll_pause: Duration,
    pub(super) idle: Idle,
    pub(super) timing: Timing,
    pub(super) boards: SpiBoards,
    pub(super) sender: Costs,
    pub(super) receiver: Costs,
}

impl Setup {
    /// For messages of `size` bytes.
    pub(super) fn new(p: &Parameters, size: usize) -> Result<Self, Refusal> {
        Self::of_pair(p, size, 0)
    }

    /// The same for one of the pairs on the air, which have addresses of their own; 0 is the link.
    pub(super) fn of_pair(p: &Parameters, size: usize, group: u16) -> Result<Self, Refusal> {
        if p.idle == Idle::PowerDown && p.reply != Reply::None {
            let cause =
                "a chip that waits for a reply cannot power down; set idle=standby, or reply=none";
            return Err(Refusal::setting(Parameters::idle, cause.to_owned()));
        }
        let demodulator =
            Demodulator { late: p.late_frames, late_bits: p.late_by, jitter_bits: p.frame_jitter };
        let program = p.boards.program();
        let receiver =
            Costs { before_receive_jitter: p.rearm_jitter, busy: p.rearm_busy, ..program };
        // A board that only sends reads nothing, and one that only receives hands nothing over.
        let (sender, receiver) = if p.reply == Reply::None {
            let sender = Costs { before_send: program.before_send, ..Costs::default() };
            (sender, Costs { before_send: Duration::ZERO, ..receiver })
        } else {
            (receiver, receiver)
        };
        Ok(Self {
            config: config(p, size, group)?,
            reply: p.reply,
            poll_pause: p.poll_pause,
            idle: p.idle,
            timing: Timing {
                demodulator,
                broken_ack: p.broken_ack,
                ..p.packet_to_irq.timing(p.settle)
            },
            boards: p.boards,
            sender,
            receiver,
        })
    }
}

impl Setup {
    /// Frames of full length that carry `size` bytes, and how long the one behind them is, 0 if there is
    /// none.
    pub(super) fn split(&self, size: usize) -> (u64, usize) {
        let (full, rest) = split(size, self.config.mtu());
        match self.config.payload {
            _ if rest == 0 => (full, 0),
            Payload::Fixed(_) => (full + 1, 0),
            // One byte alone is a poll.
            Payload::Dynamic if self.reply == Reply::AckPayload => (full, rest.max(2)),
            Payload::Dynamic => (full, rest),
        }
    }
}

/// The shortest delay the rate allows, as the command line takes it; none where the one there is will
/// do.
pub(super) fn longer_delay(p: &Parameters, size: usize) -> Option<&'static str> {
    let least = unchecked(p, size, 0).ok()?.shortest_retransmit_delay_us();
    let step = match least {
        _ if least <= p.retransmit_delay => return None,
        500 => "500us",
        750 => "750us",
        1000 => "1000us",
        1250 => "1250us",
        _ => "1500us",
    };
    Some(step)
}

fn config(p: &Parameters, size: usize, group: u16) -> Result<Config, Refusal> {
    let config = unchecked(p, size, group)?;
    config.check().map_err(|error| Refusal::stopped("driver", &error))?;
    Ok(config)
}

/// What the driver would be told, whether it takes it or not.
fn unchecked(p: &Parameters, size: usize, group: u16) -> Result<Config, Refusal> {
    let refused = |error| Refusal::stopped("driver", &error);
    let mut address = ADDRESS;
    for (octet, pair) in address.iter_mut().zip(group.to_be_bytes()) {
        *octet ^= pair;
    }
    let address = Address::new(&address[..usize::from(p.address_width)]).map_err(refused)?;
    let exact = size.min(32) as u8;
    let (payload, longest) = match p.payload {
        Length::Padded => (Payload::Fixed(32), 32),
        Length::Exact => (Payload::Fixed(exact), exact),
        Length::Dynamic => (Payload::Dynamic, 32),
    };
    Ok(Config {
        channel: p.channel,
        payload,
        ack_payload: if p.reply == Reply::AckPayload { longest } else { 0 },
        acknowledge: p.acknowledge,
        retransmit_delay_us: p.retransmit_delay,
        retransmit_count: p.retransmit_count,
        window: p.window,
        flush_after_read: p.flush_after_read,
        ..Config::new(Role::Transmitter, p.rate, address)
    })
}
