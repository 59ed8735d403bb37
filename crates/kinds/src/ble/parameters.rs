//! What a profile of a Bluetooth LE connection sets, and what controllers and hosts are told.

use airlag_link::airtime::ble::Phy;
use airlag_models::stack::ble::att::{self, Opcode};
use airlag_models::stack::ble::controller::{ChannelSelection, Settings, range_delay};
use airlag_models::stack::ble::host::{HostCosts, WhenFull};
use airlag_models::stack::ble::interval::Interval;
use airlag_sim::Duration;

use super::platform::Central;
use crate::boards::rtos::Rtos;
use airlag_rig::error::Refusal;
use airlag_rig::frame_loss::Losses;
use airlag_rig::parameter::{Name, Phase, choices, parameters};
use airlag_rig::propagation::Propagation;

choices!(for Phy { Le1M = "1M", Le2M = "2M", CodedS2 = "coded-s2", CodedS8 = "coded-s8" });
choices!(for ChannelSelection { One = "1", Two = "2" });
choices!(for WhenFull { Drop = "drop", Wait = "wait" });

choices! {
    /// What a chunk is sent as.
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
    /// Which host runs on both boards.
    pub enum HostKind {
        /// One as a set of costs.
        Costs = "costs",
        /// trouble-host itself.
        TroubleHost = "trouble-host",
    }
}

parameters! {
    /// What a profile of this kind sets.
    pub struct Parameters {
        /// between connection events
        connection_interval: Duration = whole(0, 10_000_000, "us"),
        /// the interval a connection is made with, before the central changes it; 0: the same
        initial_interval: Duration = whole(0, 4_000_000, "us").or("0", "over before the first message"),
        /// what is at the central end: its limits
        central: Central = unit("").or("any", "two boards take what the specification allows"),
        /// whether data is encrypted
        encrypted: bool = unit("").or("false", "not asked for"),
        /// physical layer
        phy: Phy,
        /// channel selection algorithm that both ends know
        channel_selection: ChannelSelection = unit("").or("1", "changes no latency while nothing is lost"),
        /// largest payload of a data channel PDU
        data_length: usize = whole(27, 251, "B"),
        /// largest attribute PDU
        mtu: usize = whole(att::MIN_MTU as i64, att::MAX_MTU as i64, "B"),
        /// largest attribute value the program sends
        chunk: usize = whole(1, att::MAX_VALUE as i64, "B"),
        /// what a chunk is sent as
        operation: Operation,
        /// events a peripheral with nothing to say may skip
        latency: u16 = whole(0, 499, "events"),
        /// silence that ends the connection
        supervision_timeout: Duration = whole(0, 1_000_000, "ms"),
        /// data packets an end sends in an event at most
        packets_per_event: u16 = whole(1, 65_535, ""),
        /// what a connection event takes at most
        event_length: Duration = whole(0, 4_000_000, "us"),
        /// how long before the next anchor point a central is done that reckons with the longest
        /// exchange both ways; 0: it sends whatever fits
        event_gap: Duration = whole(0, 1_000_000, "us").or("0", "as if every moment could be used"),
        /// damaged packets in a row that end an event
        damaged_packets: u8 = whole(1, 2, ""),
        /// leave channels that others fill
        adaptive_hopping: bool = unit("").or("false", "changes nothing where nobody else is"),
        /// channels that it keeps all the same
        least_channels: u8 = whole(2, 37, "").or("15", "what EN 300 328 asks of who hops adaptively, 4.3.1.4"),
        /// share of connection events the central misses
        slip: f64,
        /// share of data that misses the event after it is handed over
        late: f64,
        /// what an anchor point comes later than the interval says
        interval_excess: Duration,
        /// where the anchor points stand when the bench begins
        anchor_phase: Phase,
        /// what each end says its clock is off by
        sleep_clock_accuracy: u16 = whole(0, 500, "ppm"),
        /// losses on the air
        losses: Losses,
        /// a host as a set of costs, or trouble-host itself
        host: HostKind,
        /// from the program's call to the controller's queue
        host_send: Duration,
        /// from there to the program's next chunk
        host_gate: Duration,
        /// from a packet's end to the program that receives it
        host_receive: Duration,
        /// how long a processor runs to prepare a connection event and to follow it up; it delays nothing
        event_processing: Duration = unit("ns").or("0", "nobody says what it takes; changes no latency"),
        /// share of the times of trigger and host in which the processor runs; it waits for the rest
        processor_share: f64 = real(0.0, 1.0, "").or("1", "it may run for all of them; changes no latency"),
        /// pieces in which the host hands over a frame
        acl_length: usize = whole(1, 251, "B"),
        /// frames the host holds until they are acknowledged
        queue: usize = whole(1, 65_535, "frames"),
        /// what becomes of a chunk there is no buffer for
        when_full: WhenFull,
        /// how long the strobe stays high
        strobe: Duration,
        /// the two boards
        boards: Rtos,
        /// how far the radios stand apart
        propagation: Propagation,
    }
}

/// What the controllers are told, but for where the anchor points stand.
pub(super) fn settings(p: &Parameters) -> Result<Settings, Refusal> {
    let name = Parameters::connection_interval;
    let interval = Interval::from_us(p.connection_interval.as_ns() / 1_000)
        .map_err(|cause| Refusal::setting(name, cause.to_string()))?;
    let initial_interval =
        match p.initial_interval.as_ns() / 1_000 {
            0 => None,
            us => Some(Interval::from_us(us).map_err(|cause| {
                Refusal::setting(Parameters::initial_interval, cause.to_string())
            })?),
        };
    let settings = Settings {
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
        encrypted: p.encrypted,
        channel_selection: p.channel_selection,
        range_delay: range_delay(p.propagation.range),
        event_processing: p.event_processing,
        ..Settings::new(interval, p.phy)
    };
    settings
        .check()
        .map_err(|cause| Refusal::setting(Name::declared(cause.parameter()), cause.to_string()))?;
    p.central.check(&settings)?;
    Ok(settings)
}

/// What the hosts cost.
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
