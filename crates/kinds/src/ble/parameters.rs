//! Parameters of a Bluetooth LE connection, and the resulting settings of controllers and hosts.

use airlag_link::airtime::ble::Phy;
use airlag_models::stack::ble::att::{self, Opcode};
use airlag_models::stack::ble::controller::{ChannelSelection, Settings, range_delay};
use airlag_models::stack::ble::host::{HostCosts, WhenFull};
use airlag_models::stack::ble::interval::{Interval, Values};
use airlag_sim::Duration;

use super::platform::Central;
use crate::boards::rtos::Rtos;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Losses;
use airlag_rig::parameter::{Name, Phase, choices, parameters};
use airlag_rig::propagation::Propagation;

choices!(for Phy { Le1M = "1M", Le2M = "2M", CodedS2 = "coded-s2", CodedS8 = "coded-s8" });
choices!(for ChannelSelection { One = "1", Two = "2" });
choices!(for Values {
    Baseline = "baseline",
    Extended = "extended",
    LowLatency = "low-latency",
});
choices!(for WhenFull { Drop = "drop", Wait = "wait" });

choices! {
    /// ATT operation that carries a chunk.
    pub enum Operation {
        /// Handle Value Notification.
        Notify = "notify",
        /// Handle Value Indication.
        Indicate = "indicate",
        /// Write Request.
        Write = "write",
        /// Write Command.
        WriteWithoutResponse = "write-without-response",
    }
}

choices! {
    /// Host of both boards.
    pub enum HostKind {
        /// A host modelled by its processing costs.
        Costs = "costs",
        /// trouble-host itself.
        TroubleHost = "trouble-host",
    }
}

parameters! {
    /// Parameters of a profile of this kind.
    pub struct Parameters {
        /// time between connection events
        connection_interval: Duration = whole(0, 10_000_000, "us"),
        /// interval with which a connection is made, before the central changes it; 0:
        /// connection_interval
        initial_interval: Duration = whole(0, 4_000_000, "us").or("0", "changed before the first message"),
        /// connection intervals that both controllers support: multiples of 1.25 ms from 7.5 ms on
        /// (baseline); the baseline intervals and 1, 2, ... 7 ms (low-latency: Nordic's low latency
        /// packet mode); or multiples of 125 us from 375 us on (extended: Shorter Connection
        /// Intervals)
        interval_values: Values = unit("").or("baseline", "the values before Bluetooth 6.2"),
        /// shortest extended interval of both controllers
        shortest_interval: Duration = whole(375, 7_500, "us").or("375", "minimum of the specification; no effect on the other interval values"),
        /// space between two packets of an event, T_IFS, after a frame space update
        frame_space: Duration = whole(0, 10_000, "us").or("150", "without the frame space update of Bluetooth 6.0"),
        /// device at the central end, which sets limits
        central: Central = unit("").or("any", "no limits beyond the specification, as between two boards"),
        /// whether data is encrypted
        encrypted: bool = unit("").or("false", "not enabled"),
        /// physical layer
        phy: Phy,
        /// channel selection algorithm of both ends
        channel_selection: ChannelSelection = unit("").or("1", "no effect on latency without losses"),
        /// largest payload of a data channel PDU
        data_length: usize = whole(27, 251, "B"),
        /// largest attribute PDU
        mtu: usize = whole(att::MIN_MTU as i64, att::MAX_MTU as i64, "B"),
        /// largest attribute value that the program sends
        chunk: usize = whole(1, att::MAX_VALUE as i64, "B"),
        /// ATT operation that carries a chunk
        operation: Operation,
        /// events that a peripheral without data may skip
        latency: u16 = whole(0, 499, "events"),
        /// silence that ends the connection
        supervision_timeout: Duration = whole(0, 1_000_000, "ms"),
        /// most data packets of an end per event
        packets_per_event: u16 = whole(1, 65_535, ""),
        /// longest duration of a connection event
        event_length: Duration = whole(0, 4_000_000, "us"),
        /// gap before the next anchor point; a central starts an exchange only if the longest one
        /// in both directions ends before the gap; 0: it starts any exchange that fits
        event_gap: Duration = whole(0, 1_000_000, "us").or("0", "the whole interval is usable"),
        /// consecutive damaged packets that end an event
        damaged_packets: u8 = whole(1, 2, ""),
        /// avoid channels with interference
        adaptive_hopping: bool = unit("").or("false", "no effect without interference"),
        /// fewest channels kept
        least_channels: u8 = whole(2, 37, "").or("15", "required by EN 300 328 for adaptive hopping, 4.3.1.4"),
        /// share of connection events that the central misses
        slip: f64,
        /// share of data that misses the first event after its handover
        late: f64,
        /// delay of anchor points beyond the interval
        interval_excess: Duration,
        /// initial phase of the anchor points
        anchor_phase: Phase,
        /// clock accuracy that each end declares
        sleep_clock_accuracy: u16 = whole(0, 500, "ppm"),
        /// losses on the air
        losses: Losses,
        /// host model: processing costs, or trouble-host itself
        host: HostKind,
        /// from the program's call to the controller's queue
        host_send: Duration,
        /// from the controller's queue to the program's next chunk
        host_gate: Duration,
        /// from a packet's end to the program that receives it
        host_receive: Duration,
        /// processor time to prepare and finish a connection event; affects charge, not latency
        event_processing: Duration = unit("ns").or("0", "not documented; no effect on latency"),
        /// share of trigger and host times in which the processor runs; the rest is waiting
        processor_share: f64 = real(0.0, 1.0, "").or("1", "upper bound; no effect on latency"),
        /// fragment size in which the host passes a frame to the controller
        acl_length: usize = whole(1, 251, "B"),
        /// frames that the host buffers until they are acknowledged
        queue: usize = whole(1, 65_535, "frames"),
        /// behaviour for a chunk without a buffer
        when_full: WhenFull,
        /// duration of the strobe pulse
        strobe: Duration,
        /// the two boards
        boards: Rtos,
        /// distance and path between the radios
        propagation: Propagation,
    }
}

/// Settings of the controllers, except for the phase of the anchor points.
pub(super) fn settings(p: &Parameters) -> Result<Settings, Refusal> {
    let settings = unchecked(p)?;
    settings
        .check()
        .map_err(|cause| Refusal::setting(Name::declared(cause.parameter()), cause.to_string()))?;
    p.central.check(&settings)?;
    Ok(settings)
}

/// Supervision timeouts that a longer interval or a larger latency may require; the last is the
/// longest that Core 5.4 permits (Vol 6, Part B, 4.5.2).
const TIMEOUTS: [(u64, &str); 3] = [(6, "6s"), (16, "16s"), (32, "32s")];

/// Returns a supervision timeout that is long enough, if the present one is too short.
pub(super) fn longer_timeout(p: &Parameters) -> Option<&'static str> {
    let least = unchecked(p).ok()?.least_supervision_timeout();
    let long_enough = |&&(seconds, _): &&(u64, _)| Duration::from_secs(seconds) >= least;
    (p.supervision_timeout < least).then(|| TIMEOUTS.iter().find(long_enough))?.map(|one| one.1)
}

/// Returns the settings of the connection before they are checked together.
fn unchecked(p: &Parameters) -> Result<Settings, Refusal> {
    let name = Parameters::connection_interval;
    let us = p.connection_interval.as_ns() / 1_000;
    let interval = Interval::among(p.interval_values, us)
        .map_err(|cause| Refusal::setting(name, cause.to_string()))?;
    if p.interval_values == Values::Extended && interval.duration() < p.shortest_interval {
        let shortest = p.shortest_interval.as_ns() / 1_000;
        let cause = format!("the controllers support {shortest} us and longer, not {us} us");
        return Err(Refusal::setting(name, cause));
    }
    // Nordic's controller denies the request on any other PHY.
    let low_latency_mode = p.interval_values == Values::LowLatency && !interval.is_baseline();
    if low_latency_mode && p.phy != Phy::Le2M {
        let cause = "the low latency packet mode needs phy=2M (nRF Connect SDK, LLPM sample)";
        return Err(Refusal::setting(Parameters::phy, cause.to_owned()));
    }
    let initial_interval =
        match p.initial_interval.as_ns() / 1_000 {
            0 => None,
            us => Some(Interval::from_us(us).map_err(|cause| {
                Refusal::setting(Parameters::initial_interval, cause.to_string())
            })?),
        };
    Ok(Settings {
        data_length: p.data_length,
        latency: p.latency,
        supervision_timeout: p.supervision_timeout,
        packets_per_event: p.packets_per_event,
        event_length: p.event_length,
        damaged_packets: p.damaged_packets,
        slip: p.slip,
        adaptive_hopping: p.adaptive_hopping,
        least_channels: p.least_channels,
        late: p.late,
        interval_excess: p.interval_excess,
        sleep_clock_accuracy: p.sleep_clock_accuracy,
        event_gap: p.event_gap,
        initial_interval,
        frame_space: p.frame_space,
        low_latency_mode,
        encrypted: p.encrypted,
        channel_selection: p.channel_selection,
        range_delay: range_delay(p.propagation.range),
        event_processing: p.event_processing,
        ..Settings::new(interval, p.phy)
    })
}

/// Processing costs of the hosts.
pub(super) fn costs(p: &Parameters) -> Result<HostCosts, Refusal> {
    let most = p.mtu - att::OVERHEAD;
    if p.chunk > most {
        let (mtu, chunk) = (p.mtu, p.chunk);
        let cause = format!("an MTU of {mtu} B carries values of up to {most} B, not {chunk}");
        return Err(Refusal::setting(Parameters::chunk, cause));
    }
    Ok(HostCosts {
        send: p.host_send,
        gate: p.host_gate,
        receive: p.host_receive,
        queue: p.queue,
        when_full: p.when_full,
        acl_length: p.acl_length,
        chunk: p.chunk,
        operation: match p.operation {
            Operation::Notify => Opcode::Notification,
            Operation::Indicate => Opcode::Indication,
            Operation::Write => Opcode::WriteRequest,
            Operation::WriteWithoutResponse => Opcode::WriteCommand,
        },
    })
}
