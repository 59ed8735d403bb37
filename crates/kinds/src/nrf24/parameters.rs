//! Parameters of a pair of nRF24L01+, and the resulting settings of their chips and drivers.

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
    /// Payload length of a frame.
    pub enum Length {
        /// Always 32 B.
        Padded = "padded",
        /// 32 B, or the length of the message if the message is shorter.
        Exact = "exact",
        /// Dynamic payload length.
        Dynamic = "dynamic",
    }
}

choices! {
    /// Method of replies from the second board.
    pub enum Reply {
        /// None: one chip transmits and the other receives.
        None = "none",
        /// Role reversal of both chips.
        Turn = "turn",
        /// Payloads in acknowledgements, which the first board requests by polls.
        AckPayload = "ack-payload",
    }
}

choices! {
    /// State of the chip between messages on a board that only sends.
    pub enum Idle {
        /// Standby-I, from which it sends at once.
        Standby = "standby",
        /// Power down, from which its crystal has to start.
        PowerDown = "power-down",
    }
}

/// Justification of a default where no polls are sent.
const POLLED: &str = "no effect unless reply is ack-payload";

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// air data rate
        rate: Rate = unit("kbit/s"),
        /// channel
        channel: u8 = whole(0, 125, "MHz above 2400"),
        /// address length
        address_width: u8 = whole(3, 5, "B"),
        /// payload length: 32 B always; that of the message if shorter; dynamic payload length
        payload: Length,
        /// automatic acknowledgement
        acknowledge: bool,
        /// retransmit delay, ARD
        retransmit_delay: u16 = whole(250, 4_000, "us"),
        /// retransmissions, ARC
        retransmit_count: u8 = whole(0, 15, ""),
        /// payloads in flight
        window: u8 = whole(1, 3, ""),
        /// replies from the second board: none; role reversal of both chips; payloads of
        /// acknowledgements
        reply: Reply = unit("").or("none", "the captures are one-way"),
        /// pause from an empty acknowledgement to the next poll
        poll_pause: Duration = whole(0, 1_000_000_000, "ns").or("1ms", POLLED),
        /// state of the sending chip between messages: standby-I, or power down, from which its
        /// crystal has to start
        idle: Idle = unit("").or("standby", "as with common drivers"),
        /// whether the receiver flushes its FIFO after each payload
        flush_after_read: bool,
        /// outcome of an acknowledgement that FLUSH_RX aborted
        broken_ack: BrokenAck,
        /// settling time, Tstby2a
        settle: Duration,
        /// from the end of a packet to its interrupt
        packet_to_irq: InterruptDelay,
        /// share of frames whose end is detected late
        late_frames: f64,
        /// delay of a late detection
        late_by: f64 = real(0.0, 8.0, "bits"),
        /// largest random delay of any frame's end detection
        frame_jitter: f64 = real(0.0, 8.0, "bits"),
        /// the boards
        boards: SpiBoards,
        /// largest additional delay between successive chunks
        rearm_jitter: Duration,
        /// longest gap at which two chunks count as successive for rearm_jitter
        rearm_busy: Duration,
        /// losses on the air
        losses: Bursts,
        /// distance and path between the radios
        propagation: Propagation,
    }
}

/// Address of both ends. The choice has no measurable effect.
const ADDRESS: [u8; 5] = [0xE7, 0xD3, 0xF0, 0x35, 0x77];

/// Parameters converted to the settings of chips, drivers and programs.
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
    /// Settings for messages of `size` bytes.
    pub(super) fn new(p: &Parameters, size: usize) -> Result<Self, Refusal> {
        Self::of_pair(p, size, 0)
    }

    /// Settings for one of the pairs on the air, each of which has its own address; 0 is the link.
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
        // On a one-way link, one board never reads and the other never writes.
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
    /// Number of full frames for `size` bytes, and the payload of a shorter last one, 0 if there is
    /// none.
    pub(super) fn split(&self, size: usize) -> (u64, usize) {
        let (full, rest) = split(size, self.config.mtu());
        match self.config.payload {
            _ if rest == 0 => (full, 0),
            Payload::Fixed(_) => (full + 1, 0),
            // A single byte would be a poll.
            Payload::Dynamic if self.reply == Reply::AckPayload => (full, rest.max(2)),
            Payload::Dynamic => (full, rest),
        }
    }
}

/// Shortest delay that the rate allows, as accepted by the command line. `None` if the configured
/// one is sufficient.
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

/// Driver configuration before validation.
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
