//! The two packets that create a connection: ADV_IND of the peripheral, CONNECT_IND of the central.
//!
//! Only their format and duration are modelled. Both ends are configured with the outcome, and
//! scanning and advertising intervals are omitted. Sections 2.3.1.1, 2.3.3.1, 2.1.2 and 4.5.3.

use std::rc::Rc;

use airlag_link::airtime::ble::{INTER_FRAME_NS, Phy};
use airlag_sim::{Duration, Instant, Stream};

use super::control::{Security, UPDATE_EVENTS};
use super::event::modulation;
use super::settings::{ChannelSelection, Settings};
use super::state::{Connection, State};
use super::{Controller, Event, Role};
use crate::stack::ble::cipher::Diversifier;
use crate::stack::ble::classify::Maps;
use crate::stack::ble::hop::{self, ChannelMap, Hopping, Selection};
use crate::stack::ble::pdu::Address;

/// Time unit of CONNECT_IND, 1.25 ms.
const UNIT: Duration = Duration::from_us(1_250);
/// PDU types of the advertising channel.
const ADV_IND: u8 = 0x0;
const CONNECT_IND: u8 = 0x5;
/// Both addresses are random.
const RANDOM_ADDRESS: u8 = 0x40;
const RANDOM_PEER: u8 = 0x80;
/// The device supports channel selection algorithm #2, which is used if both do (section 2.3).
const CHANNEL_SELECTION_2: u8 = 0x20;
/// Two most significant bits of a static random address (section 1.3.2.1).
const STATIC: u8 = 0xC0;

/// Connects `central` and `peripheral`, from the first anchor point of `settings` that leaves time
/// for the packets.
pub fn connect(central: &Controller, peripheral: &Controller, settings: Settings) {
    let (air, sim) = (&central.air, &central.sim);
    let mut stream = sim.stream(&format!("connection of node {:?}", central.node));
    let (advertiser, initiator) = (device_address(&mut stream), device_address(&mut stream));
    let address = Address {
        access: access_address(&mut stream),
        crc_init: (stream.bits() & 0x00FF_FFFF) as u32,
    };
    // It is also drawn for algorithm #2, so that other draws stay the same.
    let increment = 5 + stream.below(12) as u8;
    let (selection, chosen) = match settings.channel_selection {
        ChannelSelection::One => (Selection::One { increment }, 0),
        ChannelSelection::Two => (Selection::two(address.access), CHANNEL_SELECTION_2),
    };
    let hopping = Hopping { selection, map: ChannelMap::ALL };

    // ADV_IND, an interframe space, CONNECT_IND; then at least one unit (section 4.5.3).
    let mut advertisement = vec![ADV_IND | RANDOM_ADDRESS | chosen, 6 + 3];
    advertisement.extend(advertiser);
    advertisement.extend([0x02, 0x01, 0x06]);
    let end = |begin: Instant, pdu: &[u8]| {
        begin + Duration::from_ns(Phy::Le1M.duration_ns(pdu.len() - 2))
    };
    let now = sim.now();
    let advertised = end(now, &advertisement);
    let asked = advertised + Duration::from_ns(INTER_FRAME_NS);
    let connected = asked + Duration::from_ns(Phy::Le1M.duration_ns(34));
    let first = first_anchor(central, &settings, connected + UNIT);
    let offset = central.clock.instant_of(first).since(connected + UNIT).as_ns() / UNIT.as_ns();

    let mut request = vec![CONNECT_IND | RANDOM_ADDRESS | RANDOM_PEER | chosen, 34];
    request.extend(initiator);
    request.extend(advertiser);
    request.extend(address.access.to_le_bytes());
    request.extend(&address.crc_init.to_le_bytes()[..3]);
    request.push(2);
    request.extend((offset as u16).to_le_bytes());
    request.extend(settings.first_interval().units().to_le_bytes());
    request.extend(settings.latency.to_le_bytes());
    let timeout = settings.supervision_timeout.as_ns() / 10_000_000;
    request.extend((timeout as u16).to_le_bytes());
    request.extend(&hopping.map.bits().to_le_bytes()[..5]);
    request.push(hopping.selection.increment() | accuracy(settings.sleep_clock_accuracy) << 5);

    let (band, modulation) = (hop::band(hop::ADVERTISING), modulation(Phy::Le1M));
    let packet = Address::ADVERTISING.packet(&advertisement);
    air.send(peripheral.node, band, modulation, advertised, packet);
    let (sending, node) = (air.clone(), central.node);
    let packet = Address::ADVERTISING.packet(&request);
    sim.at(asked, move || {
        sending.send(node, band, modulation, connected, packet);
    });

    let at = central.clock.instant_of(first);
    let mut security = security(central, settings.encrypted);
    let maps = settings.adaptive_hopping.then(|| Rc::new(Maps::keeping(settings.least_channels)));
    for (end, role) in [(central, Role::Central), (peripheral, Role::Peripheral)] {
        let anchor = match role {
            Role::Central => first,
            Role::Peripheral => end.clock.local_ns(at),
        };
        let connection = Connection { role, settings, address, hopping, maps: maps.clone() };
        let mut state = end.state.borrow_mut();
        *state = State::begin(connection, security(role), anchor, connected);
        end.await_event(&mut state);
        drop(state);
        end.events.send(Event::Connected(role));
    }
}

/// First anchor point on the central's grid at `earliest` or later, in its local time.
fn first_anchor(central: &Controller, settings: &Settings, earliest: Instant) -> i64 {
    let step = settings.interval.duration().as_ns() as i64;
    let phase = settings.anchor_phase.as_ns() as i64;
    // The grid is that of the interval after the change.
    let before = match settings.first_interval() {
        first if first != settings.interval => first.duration() * UPDATE_EVENTS,
        _ => Duration::ZERO,
    };
    let before = before.as_ns() as i64;
    let since = central.clock.local_ns(earliest) + before - phase;
    phase + (since + step - 1).div_euclid(step) * step - before
}

/// Encryption state of each end: the shared key, and its own contribution.
fn security(central: &Controller, encrypted: bool) -> impl FnMut(Role) -> Security {
    let mut stream = central.sim.stream(&format!("encryption of node {:?}", central.node));
    let mut key = [0; 16];
    key[..8].copy_from_slice(&stream.bits().to_le_bytes());
    key[8..].copy_from_slice(&stream.bits().to_le_bytes());
    move |_| {
        let half = Diversifier { key: stream.bits(), iv: stream.bits() as u32 };
        if encrypted { Security::with(key, half) } else { Security::default() }
    }
}

/// A static random device address, least significant byte first.
fn device_address(stream: &mut Stream) -> [u8; 6] {
    let [a, b, c, d, e, f, ..] = stream.bits().to_le_bytes();
    [a, b, c, d, e, f | STATIC]
}

/// A valid access address (section 2.1.2).
fn access_address(stream: &mut Stream) -> u32 {
    loop {
        let candidate = stream.bits() as u32;
        if is_access_address(candidate) {
            return candidate;
        }
    }
}

fn is_access_address(address: u32) -> bool {
    let changes = address ^ (address >> 1);
    let run_of_seven = (0..=25).any(|at| matches!(address >> at & 0x7F, 0 | 0x7F));
    let [a, b, c, d] = address.to_le_bytes();
    let advertising = (address ^ Address::ADVERTISING.access).count_ones() <= 1;
    let repeats = [b, c, d] == [a; 3];
    let changes_most = (changes & 0x7FFF_FFFF).count_ones() > 24;
    let starts_flat = (changes >> 26 & 0x1F).count_ones() < 2;
    ![run_of_seven, advertising, repeats, changes_most, starts_flat].contains(&true)
}

/// The sleep clock accuracy field (section 2.3.3.1).
fn accuracy(ppm: u16) -> u8 {
    match ppm {
        251.. => 0,
        151..=250 => 1,
        101..=150 => 2,
        76..=100 => 3,
        51..=75 => 4,
        31..=50 => 5,
        21..=30 => 6,
        _ => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn access_addresses_can_be_found_by_a_receiver() {
        assert!(!is_access_address(0x8E89_BED6), "that of advertising");
        assert!(!is_access_address(0x8E89_BED7), "one bit from it");
        assert!(!is_access_address(0x7171_7171), "four equal bytes");
        assert!(!is_access_address(0x00FF_12A4), "seven equal bits");
        assert!(!is_access_address(0x5555_5A5A), "too many changes");
        assert!(is_access_address(0x26C1_C8C1), "one that a sniffer saw");
        assert!(is_access_address(access_address(&mut Stream::new(1, "any"))));
    }
}
