//! Connections that exist only while there is data: advertising, initiating and termination.
//!
//! ```text
//!  peripheral  ADV_IND 37 ·· 38 ·· 39 ··── interval + advDelay ──ADV_IND 37 ··
//!  central     scan 37 ─────────│ scan 38 ─────────│ scan 39 ──────── ADV_IND, T_IFS, CONNECT_IND
//!  both        1.25 ms │ connection events: procedures, data, LL_TERMINATE_IND
//! ```
//!
//! After each ADV_IND, the peripheral listens for a CONNECT_IND. The transmit window of a new
//! connection begins at the earliest instant, 1.25 ms after the CONNECT_IND, as of a central without
//! other connections. The central then starts the exchange of features and versions, a data length
//! update, and encryption, one after the other. A PHY update is not modelled: the connection stays
//! at 1M. A link layer replies to a request in the packet after the one that acknowledges the
//! request. That packet is in the next connection event, unless the current one continues for
//! another reason.
//!
//! Bluetooth Core Specification 5.4, volume 6, part B, sections 4.4.2 (advertising), 4.4.4
//! (initiating), 4.5.3 (transmit window) and 5.1.6 (termination).

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use airlag_air::{Band, Reception, Verdict};
use airlag_link::airtime::ble::{INTER_FRAME_NS, MIN_DATA_LENGTH, Phy};
use airlag_sim::meter::State as Draws;
use airlag_sim::{Duration, Instant, Stream};

use super::control::{Control, Procedure, REMOTE_USER, Security};
use super::event::{ACTIVE_JITTER, modulation};
use super::setup::{
    ADV_IND, CONNECT_IND, Offer, REQUEST_LEN, UNIT, WINDOW_UNITS, advertisement, device_address,
};
use super::state::{Connection, State, Window};
use super::{Controller, Event, Reason, Role, Settings};
use crate::mcu::deep_sleep::Switch;
use crate::stack::ble::cipher::Diversifier;
use crate::stack::ble::classify::Maps;
use crate::stack::ble::hop;
use crate::stack::ble::pdu::Address;

/// Advertising channels in the order of use (section 4.4.2.1).
const CHANNELS: [u8; 3] = [37, 38, 39];
/// Largest value of advDelay (section 4.4.2.2.1).
const ADV_DELAY: Duration = Duration::from_ms(10);
/// From the end of an ADV_IND to the beginning of the next one of the event. Assumed: the turnaround,
/// the wait for a CONNECT_IND, and the preparation of a PDU. The standard allows 10 ms from one PDU
/// to the next (section 4.4.2.6).
const CHANNEL_CHANGE: Duration = Duration::from_us(400);
const T_IFS: Duration = Duration::from_ns(INTER_FRAME_NS);
const PHY: Phy = Phy::Le1M;
/// Bits of the first header byte that contain the PDU type (section 2.3).
const PDU_TYPE: u8 = 0x0F;

/// Timers of a search, as those of connection events.
mod timer {
    /// The next ADV_IND, or the next scan window, begins.
    pub(super) const NEXT: u64 = 5;
    /// The ADV_IND has been sent.
    pub(super) const ADVERTISED: u64 = 6;
    /// End of the receive window.
    pub(super) const SILENCE: u64 = 7;
    /// Time to send the CONNECT_IND.
    pub(super) const REQUEST: u64 = 8;
    /// The CONNECT_IND has been sent.
    pub(super) const REQUESTED: u64 = 9;
}

/// How two devices find each other, and the settings of their connections.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reconnection {
    /// Settings of each connection.
    pub settings: Settings,
    /// Time between two advertising events, without advDelay.
    pub advertising_interval: Duration,
    /// Time after which the central changes the channel.
    pub scan_interval: Duration,
    /// Time for which the central listens in each scan interval.
    pub scan_window: Duration,
}

/// What both devices keep between connections.
struct Pairing {
    plan: Reconnection,
    advertiser: [u8; 6],
    initiator: [u8; 6],
    key: [u8; 16],
    /// Channel maps of the current connection, whose indications are not modelled.
    maps: RefCell<Option<Rc<Maps>>>,
}

/// Search of one device for the other.
pub(super) struct Search {
    role: Role,
    pairing: Rc<Pairing>,
    stream: Stream,
    /// The host wants a connection.
    wanted: bool,
    /// The radio may be used.
    powered: bool,
    /// The device advertises or scans.
    active: bool,
    /// Position in [`CHANNELS`].
    channel: usize,
    /// Begin of the advertising event or of the scan window.
    since: Instant,
    window: Option<Window>,
    offer: Option<Offer>,
}

/// Lets two devices connect whenever both [`seek`](Controller::seek) each other.
pub fn pair(central: &Controller, peripheral: &Controller, plan: Reconnection) {
    let mut stream = central.sim.stream(&format!("pairing of node {:?}", central.node));
    let (advertiser, initiator) = (device_address(&mut stream), device_address(&mut stream));
    let mut key = [0; 16];
    stream.fill(&mut key);
    let maps = RefCell::default();
    let pairing = Rc::new(Pairing { plan, advertiser, initiator, key, maps });
    for (end, role) in [(central, Role::Central), (peripheral, Role::Peripheral)] {
        let name = format!("{}/search", central.air.name(end.node));
        *end.search.borrow_mut() = Some(Search {
            role,
            pairing: Rc::clone(&pairing),
            stream: central.sim.stream(&name),
            wanted: false,
            powered: true,
            active: false,
            channel: 0,
            since: Instant::START,
            window: None,
            offer: None,
        });
    }
}

/// Queues LL_TERMINATE_IND if the host wants to end the connection and all data is acknowledged.
pub(super) fn terminate_if_idle(state: &mut State) {
    if state.closes && !state.terminates && !state.in_event && state.queue.bytes() == 0 {
        state.terminates = true;
        state.queue.push_control(&Control::Terminate(REMOTE_USER).encode());
    }
}

impl Search {
    fn band(&self) -> Band {
        hop::band(CHANNELS[self.channel])
    }

    /// Encryption state of an end in a new connection.
    fn security(&mut self) -> Security {
        let half = Diversifier { key: self.stream.bits(), iv: self.stream.bits() as u32 };
        match self.pairing.plan.settings.encrypted {
            true => Security::with(self.pairing.key, half),
            false => Security::default(),
        }
    }
}

impl Controller {
    /// Advertises, or scans and connects, until there is a connection. Returns false for a device
    /// that is not one of a [`pair`].
    pub fn seek(&self) -> bool {
        let mut search = self.search.borrow_mut();
        let Some(search) = &mut *search else { return false };
        search.wanted = true;
        self.start_search(search);
        true
    }

    /// Whether the device is one of a [`pair`] that connects anew for each message.
    #[must_use]
    pub fn reconnects(&self) -> bool {
        self.search.borrow().is_some()
    }

    /// Returns true while the device advertises or scans.
    pub(super) fn is_searching(&self) -> bool {
        self.search.borrow().as_ref().is_some_and(|search| search.active)
    }

    /// Called at the end of a connection. A device that ended it itself uses its radio again only when
    /// it is switched on.
    pub(super) fn rest(&self, why: Reason) {
        if let Some(search) = &mut *self.search.borrow_mut()
            && why == Reason::Local
        {
            search.powered = false;
        }
    }

    fn start_search(&self, search: &mut Search) {
        if !search.wanted || !search.powered || search.active || self.is_connected() {
            return;
        }
        (search.active, search.channel) = (true, 0);
        self.search_next(search);
    }

    /// Sends the next ADV_IND, or opens the next scan window.
    fn search_next(&self, search: &mut Search) {
        let now = self.sim.now();
        let Reconnection { settings, scan_window, .. } = search.pairing.plan;
        self.disarm();
        if search.role == Role::Central {
            search.since = now;
            search.window = Some(Window { from: now, until: self.after(scan_window) });
            self.air.enter(self.node, Draws::Receive);
            self.arm(self.after(scan_window), timer::SILENCE);
            return;
        }
        if search.channel == 0 {
            search.since = now;
            if let Some(board) = &*self.board.borrow() {
                board.works(now, self.after(settings.event_processing));
            }
        }
        let pdu = advertisement(search.pairing.advertiser, &settings);
        let end = self.after(Duration::from_ns(PHY.duration_ns(pdu.len() - 2)));
        let packet = Address::ADVERTISING.packet(&pdu);
        self.air.send(self.node, search.band(), modulation(PHY), end, packet);
        self.arm(end, timer::ADVERTISED);
    }

    /// Listens for a CONNECT_IND after an ADV_IND.
    fn advertised(&self, search: &mut Search) {
        let due = self.after(T_IFS);
        let from = Instant::from_ns(due.as_ns() - ACTIVE_JITTER.as_ns());
        let until = due + ACTIVE_JITTER + search.pairing.plan.settings.range_delay;
        self.air.enter(self.node, Draws::SettleReceive);
        self.air.enter_at(self.node, Draws::Receive, from);
        search.window = Some(Window { from, until });
        self.disarm();
        self.arm(until + Duration::from_ns(PHY.synchronised_ns()), timer::SILENCE);
    }

    /// Handles the end of a receive window without a packet for this device.
    fn unanswered(&self, search: &mut Search) {
        let Some(window) = search.window.take() else { return };
        let Reconnection { advertising_interval, scan_interval, .. } = search.pairing.plan;
        let last = search.channel + 1 == CHANNELS.len();
        let next = match search.role {
            Role::Central => self.clock.after(search.since, scan_interval),
            Role::Peripheral if last => {
                let wait = advertising_interval + search.stream.within(ADV_DELAY);
                self.clock.after(search.since, wait)
            }
            Role::Peripheral => {
                let sent = window.from.as_ns() + ACTIVE_JITTER.as_ns() - T_IFS.as_ns();
                Instant::from_ns(sent) + CHANNEL_CHANGE
            }
        };
        let same_event = search.role == Role::Peripheral && !last;
        search.channel = (search.channel + 1) % CHANNELS.len();
        if next <= self.sim.now() {
            self.search_next(search);
            return;
        }
        let meanwhile = if same_event { Draws::SettleTransmit } else { Draws::PowerDown };
        self.air.enter(self.node, meanwhile);
        self.disarm();
        self.arm(next, timer::NEXT);
    }

    /// Handles a timer of a search.
    pub(super) fn search_due(&self, what: u64) {
        let mut search = self.search.borrow_mut();
        let Some(search) = search.as_mut().filter(|search| search.active) else { return };
        match what {
            timer::NEXT => self.search_next(search),
            timer::ADVERTISED => self.advertised(search),
            timer::SILENCE => {
                let window = search.window.as_ref();
                let ours = |frame: airlag_air::Frame| {
                    let begins =
                        |window: &Window| (window.from..=window.until).contains(&frame.begin);
                    Address::ADVERTISING.matches(&frame.bytes) && window.is_some_and(begins)
                };
                // The peripheral waits for the end of a packet; a scan window ends at its time.
                let heard = self.air.hearing(self.node, search.band(), modulation(PHY));
                if search.role == Role::Central || !heard.is_some_and(ours) {
                    self.unanswered(search);
                }
            }
            timer::REQUEST => self.request(search),
            _ => self.requested(search),
        }
    }

    /// Handles the end of a packet while the device searches.
    pub(super) fn search_heard(&self, reception: &Reception<'_>) {
        let mut search = self.search.borrow_mut();
        let Some(search) = search.as_mut() else { return };
        let frame = reception.frame;
        let Some(window) = &search.window else { return };
        if !(window.from..=window.until).contains(&reception.begin)
            || frame.modulation != modulation(PHY)
            || frame.band != search.band()
        {
            return;
        }
        let pdu = Address::ADVERTISING.payload(&frame.bytes);
        let pdu = pdu.filter(|_| reception.verdict == Verdict::Whole);
        let Pairing { advertiser, initiator, .. } = *search.pairing;
        let of = |pdu: &[u8], kind: u8| pdu[0] & PDU_TYPE == kind;
        match (search.role, pdu) {
            (Role::Central, Some(pdu)) if of(pdu, ADV_IND) && pdu[2..].starts_with(&advertiser) => {
                search.window = None;
                self.air.enter(self.node, Draws::SettleTransmit);
                self.disarm();
                self.arm(self.after(T_IFS), timer::REQUEST);
            }
            (Role::Central, _) => {}
            (Role::Peripheral, Some(pdu))
                if of(pdu, CONNECT_IND)
                    && pdu[2..].starts_with(&initiator)
                    && pdu[8..].starts_with(&advertiser) =>
            {
                let Some((offer, offset)) = Offer::read(pdu) else { return };
                // The window widening of a fresh connection covers the transmit window around its
                // middle.
                let middle = UNIT.as_ns() * u64::from(WINDOW_UNITS) / 2;
                let wait = UNIT + UNIT * u64::from(offset) + Duration::from_ns(middle);
                let anchor = self.after(wait);
                self.connected(search, offer, anchor);
            }
            (Role::Peripheral, _) => self.unanswered(search),
        }
    }

    /// Sends the CONNECT_IND.
    fn request(&self, search: &mut Search) {
        let Pairing { advertiser, initiator, plan, .. } = &*search.pairing;
        let offer = Offer::draw(&mut search.stream, &plan.settings);
        let pdu = offer.request(*initiator, *advertiser, 0, &plan.settings);
        let end = self.after(Duration::from_ns(PHY.duration_ns(REQUEST_LEN.into())));
        let packet = Address::ADVERTISING.packet(&pdu);
        self.air.send(self.node, search.band(), modulation(PHY), end, packet);
        let adaptive = plan.settings.adaptive_hopping;
        let maps = adaptive.then(|| Rc::new(Maps::keeping(plan.settings.least_channels)));
        *search.pairing.maps.borrow_mut() = maps;
        search.offer = Some(offer);
        self.disarm();
        self.arm(end, timer::REQUESTED);
    }

    fn requested(&self, search: &mut Search) {
        let Some(offer) = search.offer.take() else { return };
        self.connected(search, offer, self.after(UNIT));
    }

    /// Begins a connection whose first anchor point is expected at `anchor`.
    fn connected(&self, search: &mut Search, offer: Offer, anchor: Instant) {
        (search.active, search.wanted, search.window) = (false, false, None);
        let settings = search.pairing.plan.settings;
        let Offer { address, hopping } = offer;
        let maps = search.pairing.maps.borrow().clone();
        let connection = Connection { role: search.role, settings, address, hopping, maps };
        let security = search.security();
        let now = self.sim.now();
        let mut state = State::begin(connection, security, self.clock.local_ns(anchor), now);
        state.sets_up = true;
        state.queue.set_data_length(MIN_DATA_LENGTH);
        if search.role == Role::Central {
            state.procedures = procedures(&settings);
        }
        self.air.enter(self.node, Draws::PowerDown);
        self.await_event(&mut state);
        *self.state.borrow_mut() = state;
        self.events.send(Event::Connected(search.role));
    }
}

/// Procedures that a central starts, in this order.
fn procedures(settings: &Settings) -> VecDeque<Procedure> {
    let length = (settings.data_length > MIN_DATA_LENGTH).then_some(Procedure::Length);
    let encryption = settings.encrypted.then_some(Procedure::Encryption);
    let first = [Procedure::Features, Procedure::Version];
    first.into_iter().chain(length).chain(encryption).collect()
}

/// The radio of a peripheral. Switching it off ends the connection, once all data is acknowledged.
impl Switch for Controller {
    fn off(&self) -> bool {
        let mut state = self.state.borrow_mut();
        if state.connected() {
            state.closes = true;
            terminate_if_idle(&mut state);
            return false;
        }
        drop(state);
        if let Some(search) = &mut *self.search.borrow_mut() {
            search.powered = false;
            if std::mem::take(&mut search.active) {
                search.window = None;
                self.disarm();
                self.air.enter(self.node, Draws::PowerDown);
            }
        }
        true
    }

    fn on(&self) {
        if let Some(search) = &mut *self.search.borrow_mut() {
            search.powered = true;
            self.start_search(search);
        }
    }

    fn is_closing(&self) -> bool {
        self.state.borrow().closes
    }
}
