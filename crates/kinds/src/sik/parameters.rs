//! Parameters of a pair of SiK radios, and the resulting settings of their firmware.

use airlag_models::chip::sik::{Framing, SYSCLK, Settings, Span, Timing};
use airlag_sim::Duration;

use crate::boards::serial::Serial;
use airlag_rig::frame_loss::Losses;
use airlag_rig::parameter::{Phase, Ppb, Shape, choices, numbers, parameters};
use airlag_rig::propagation::Propagation;

/// Largest error of the Si1000's internal oscillator, 2 % (data sheet, "Internal precision
/// oscillator electrical characteristics").
const OSCILLATOR: Shape = airlag_rig::parameter::whole(-20_000_000, 20_000_000, "ppb");

numbers! {
    /// Rates of the serial line, baud.
    pub struct SerialBaud(u64) of
        1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200, 230400
}

numbers! {
    /// Rates of the radio, kbit/s.
    pub struct AirRate(u64) of 2, 4, 8, 16, 19, 24, 32, 48, 64, 96, 128, 192, 250
}

choices!(for Framing { Off = "off", V10 = "v1", V09V10 = "v0.9+v1", V10V20 = "v1+v2" });

parameters! {
    /// Parameters of a profile of this kind: first the radios, then the boards.
    pub struct Parameters {
        /// rate of both serial lines
        serial_baud: SerialBaud = unit("baud"),
        /// air data rate
        air_rate: AirRate = unit("kbit/s"),
        /// bytes of the stream that mark the beginning of a frame to keep in one piece
        mavlink: Framing,
        /// Golay code, which doubles every byte on the air
        ecc: bool,
        /// longest window, in milliseconds of the firmware
        max_window: u64 = whole(2, 131, "ms"),
        /// share of time in which the radio may transmit
        duty_cycle: u8 = whole(1, 100, "%"),
        /// wait for a clear channel
        listen_before_talk: bool,
        /// retransmit the last packet while little data is waiting
        opportunistic_resend: bool,
        /// hopping channels
        channels: u8 = whole(1, 50, ""),
        /// lowest frequency of the hopping span, MIN_FREQ
        min_frequency: u32 = whole(414_000, 935_000, "kHz"),
        /// highest frequency of the hopping span, MAX_FREQ
        max_frequency: u32 = whole(414_000, 935_000, "kHz"),
        /// transmit power of either radio at its antenna
        tx_power: f64 = real(0.0, 30.0, "dBm").or("20", "parameters.c, TXPOWER; no effect on timing"),
        /// network ID
        network: u16 = whole(0, 65_535, ""),
        /// ring between the serial line and the air
        receive_buffer: usize = whole(2, 65_536, "B"),
        /// ring between the air and the serial line
        send_buffer: usize = whole(2, 65_536, "B"),
        /// one iteration of the radio's main loop outside its window
        loop_turn: Duration,
        /// longest iteration within its window
        sending_turn: Duration,
        /// from the decision to send to the first bit on the air
        transmit_setup: Duration,
        /// from the carrier to the first bit, within transmit_setup
        carrier_lead: Duration,
        /// time to move one byte of the stream into a packet
        frame_byte: Duration,
        /// from the last bit on the air to the main loop's next poll
        transmit_end: Duration,
        /// from the last bit on the air to the packet in memory
        receive_latency: Duration,
        /// from the poll that finds a packet to the updated schedule
        receive_work: Duration,
        /// time to copy one byte of a packet in memory once
        packet_copy: Duration,
        /// frequency error of the sending radio's processor
        sender_oscillator: Ppb = OSCILLATOR,
        /// frequency error of the receiving radio's processor
        receiver_oscillator: Ppb = OSCILLATOR,
        /// initial phase of the sending radio in its round
        slot_phase: Phase,
        /// initial phase of the sending radio in its half-second statistics interval
        sender_statistics: Phase,
        /// initial phase of the receiving radio in its half-second statistics interval
        receiver_statistics: Phase,
        /// losses on the air
        losses: Losses,
        /// boards and ports
        ports: Serial,
        /// distance and path between the radios
        propagation: Propagation,
    }
}

/// Firmware settings. Each pair on the air is a separate network: `group` is 0 for the link, and
/// above 0 for others.
pub(super) fn settings(p: &Parameters, group: u16) -> Settings {
    Settings {
        air_rate: p.air_rate.0,
        ecc: p.ecc,
        framing: p.mavlink,
        opportunistic_resend: p.opportunistic_resend,
        channels: p.channels,
        span: span(p),
        network: p.network.wrapping_add(group),
        max_window_ms: p.max_window,
        duty_cycle: p.duty_cycle,
        listen_before_talk: p.listen_before_talk,
        receive_buffer: p.receive_buffer,
        send_buffer: p.send_buffer,
    }
}

/// Frequency span of its hopping channels.
pub(super) const fn span(p: &Parameters) -> Span {
    Span { low_khz: p.min_frequency, high_khz: p.max_frequency }
}

/// Firmware timing, in processor cycles.
pub(super) fn timing(p: &Parameters) -> Timing {
    let cycles =
        |of: Duration| (u128::from(of.as_ns()) * u128::from(SYSCLK) / 1_000_000_000) as u64;
    Timing {
        turn: cycles(p.loop_turn),
        sending_turn: cycles(p.sending_turn),
        transmit_setup: cycles(p.transmit_setup),
        carrier_lead: cycles(p.carrier_lead),
        frame_byte: cycles(p.frame_byte),
        transmit_end: cycles(p.transmit_end),
        receive_latency: cycles(p.receive_latency),
        receive_work: cycles(p.receive_work),
        copy: cycles(p.packet_copy),
    }
}
