//! A peripheral that sleeps between messages without a connection, and connects for each message.

use std::rc::Rc;

use airlag_link::airtime::ble::{INTER_FRAME_NS, Phy};
use airlag_models::mcu::Board;
use airlag_models::mcu::deep_sleep::{Sleeper, Start, Switch};
use airlag_models::stack::ble::att::Opcode;
use airlag_models::stack::ble::controller::reconnection::Reconnection as Plan;
use airlag_models::stack::ble::controller::{Controller, Settings};
use airlag_sim::Duration;

use super::Parameters;
use super::host::Host;
use airlag_rig::dependant::Dependant;
use airlag_rig::error::Refusal;
use airlag_rig::floor::Floor;
use airlag_rig::parameter::{Name, choices, parameters};

choices! {
    /// State of the sending board between messages.
    pub enum Rest {
        /// The connection is kept.
        Awake = "awake",
        /// Without a connection, the processor idle with its memory retained.
        Idle = "idle",
        /// Without a connection, in deep sleep, with a restart for each message.
        Deep = "deep",
    }
}

const AWAKE: &str = "no effect while rest is awake";

parameters! {
    /// A connection for each message.
    pub struct Reconnection {
        /// state of the sending board between messages: connected (awake), idle without a
        /// connection, or in deep sleep without a connection, with a restart for each message
        rest: Rest = unit("").or("awake", "as delivered: the connection is kept"),
        /// from the wake-up edge until a board in deep sleep can advertise
        boot: Duration = unit("ns").or("10ms", AWAKE),
        /// time between two advertising events, without the random 0 to 10 ms
        advertising_interval: Duration = whole(20_000, 10_240_000, "us").or("20ms", AWAKE),
        /// time after which the scanning central changes the channel
        scan_interval: Duration = whole(2_500, 10_240_000, "us").or("60ms", AWAKE),
        /// time for which the central listens in each scan interval
        scan_window: Duration = whole(2_500, 10_240_000, "us").or("60ms", AWAKE),
        /// time after a message before the peripheral ends the connection
        linger: Duration = unit("ns").or("0", AWAKE),
    }
}

/// From the end of CONNECT_IND to the earliest first packet (Core 5.4, 6.B.4.5.3).
const WINDOW_DELAY_NS: u64 = 1_250_000;
/// Payloads of ADV_IND with flags only, and of CONNECT_IND, bytes (Core 5.4, 6.B.2.3).
const ADV_IND: usize = 9;
const CONNECT_IND: usize = 34;

impl Reconnection {
    /// Whether there is a connection only while there is data.
    pub(super) fn is_used(&self) -> bool {
        self.rest != Rest::Awake
    }

    /// How the controllers find each other.
    pub(super) fn plan(&self, settings: Settings) -> Plan {
        Plan {
            settings,
            advertising_interval: self.advertising_interval,
            scan_interval: self.scan_interval,
            scan_window: self.scan_window,
        }
    }

    /// Time until the first packet of the connection can be sent, added to `floor`.
    pub(super) fn floor(&self, floor: Floor) -> Floor {
        if !self.is_used() {
            return floor;
        }
        let packet = "Core 5.4, 6.B.2.1: preamble, access address, header, payload, CRC";
        let boot = if self.rest == Rest::Deep { self.boot.as_ns() } else { 0 };
        let air = |bytes| Phy::Le1M.duration_ns(bytes);
        Floor::new()
            .with("boot", 1, boot, "parameter boot")
            .with("air, ADV_IND", 1, air(ADV_IND), packet)
            .with("T_IFS before CONNECT_IND", 1, INTER_FRAME_NS, "Core 5.4, 6.B.4.1.1: T_IFS")
            .with("air, CONNECT_IND", 1, air(CONNECT_IND), packet)
            .with("transmit window", 1, WINDOW_DELAY_NS, "Core 5.4, 6.B.4.5.3")
            .and(floor)
    }

    /// Wraps the link of the sending board, which is asleep when this future completes.
    pub(super) async fn sender(
        self,
        link: Host,
        board: Board,
        radio: Rc<Controller>,
    ) -> Sleeper<Host> {
        if !self.is_used() {
            return Sleeper::awake(link);
        }
        while !radio.off() {
            board.sim().sleep(Duration::from_ms(1)).await;
        }
        let boot = if self.rest == Rest::Deep { self.boot } else { Duration::ZERO };
        let start = Start { boot, linger: self.linger, ..Start::default() };
        Sleeper::new(link, &board, radio, start)
    }

    /// Wraps the link of the receiving board, which stays awake.
    pub(super) fn receiver(self, link: Host, board: &Board) -> Sleeper<Host> {
        if self.is_used() {
            board.waits_awake(true);
        }
        Sleeper::awake(link)
    }
}

/// Settings that a connection for each message requires.
const REQUIRED: [(Name, &str); 3] =
    [(Parameters::phy, "1M"), (Parameters::latency, "0"), (Parameters::initial_interval, "0")];

/// Which of the required settings differ.
fn differing(p: &Parameters) -> impl Iterator<Item = (Name, &'static str)> + use<> {
    let differs = [p.phy != Phy::Le1M, p.latency != 0, !p.initial_interval.is_zero()];
    REQUIRED.into_iter().zip(differs).filter_map(|(one, differs)| differs.then_some(one))
}

/// Settings to change together with `rest`.
pub(super) fn dependants(p: &Parameters) -> Vec<Dependant> {
    if !p.reconnection.is_used() {
        return Vec::new();
    }
    differing(p).map(|(name, value)| Dependant { name, value }).collect()
}

/// Checks that a connection can be created for each message with these settings.
pub(super) fn check(p: &Parameters, settings: &Settings, operation: Opcode) -> Result<(), Refusal> {
    let rest = &p.reconnection;
    if !rest.is_used() {
        return Ok(());
    }
    let refused = |cause: String| Err(Refusal::setting(Reconnection::rest, cause));
    if !matches!(operation, Opcode::Notification | Opcode::Indication) {
        let cause = "a central cannot reach a peripheral that sleeps without a connection; \
                     set operation=notify or operation=indicate";
        return refused(cause.to_owned());
    }
    if let Some((name, value)) = differing(p).next() {
        let why = match name {
            Parameters::phy => "begins at 1M and ends before a PHY update takes effect",
            Parameters::latency => "has no idle events that could be skipped",
            _ => "keeps the interval with which it begins",
        };
        let name = name.as_str();
        return refused(format!("a connection for one message {why}; set {name}={value}"));
    }
    if settings.changes() || !settings.interval.is_baseline() {
        let cause = "a connection for one message keeps the frame space of 150 us and an interval \
                     of 7.5 ms or more";
        return refused(cause.to_owned());
    }
    if rest.scan_window > rest.scan_interval {
        let cause = format!(
            "a scan window of {} us is longer than its scan interval of {} us",
            rest.scan_window.as_ns() / 1_000,
            rest.scan_interval.as_ns() / 1_000
        );
        return Err(Refusal::setting(Reconnection::scan_window, cause));
    }
    Ok(())
}
