//! Advertising events of the tags, and the count of received events.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Medium, NodeId};
use airlag_models::stack::ble::hop::band;
use airlag_models::stack::ble::pdu::Address;
use airlag_models::stack::btmesh::bearer::CHANNELS;
use airlag_models::stack::btmesh::config::ADV_DELAY;
use airlag_models::stack::btmesh::pdu::bearer_modulation;
use airlag_sim::{Duration, Instant, Sim, Stream, Timed, Timers};

use super::{ADVERTISER, CHANNEL_CHANGE, Network, Outcome, Placed, airtime};

/// Header of an `ADV_NONCONN_IND` with a random address of the advertiser (Bluetooth Core
/// Specification 5.4, volume 6, part B, 2.3).
const ADV_NONCONN_IND: u8 = 0x42;
/// Bytes of access address and header before the address of the advertiser.
const BEFORE: usize = 6;

struct Tag {
    node: NodeId,
    stream: Stream,
    /// Start of the current advertising event.
    event: Instant,
    /// Whether the current event was received.
    is_received: bool,
    /// Start of the last event that was received.
    last: Option<Instant>,
}

struct State {
    tags: Vec<Tag>,
    sent: u64,
    delivered: u64,
    updates: Vec<Duration>,
}

/// All tags. They share a model, so that a sleeping tag is only an entry of the event queue.
pub(super) struct Tags {
    sim: Sim,
    timers: Timers,
    air: Medium,
    size: usize,
    airtime: Duration,
    interval: Duration,
    until: Instant,
    state: RefCell<State>,
}

impl Tags {
    /// Schedules the first advertising event of every tag.
    pub(super) fn start(
        network: &Network,
        placed: Vec<Placed>,
        sim: &Sim,
        air: &Medium,
    ) -> Rc<Self> {
        let tag = |Placed { node, mut stream, .. }: Placed| {
            let event = Instant::START + Duration::from_ns(stream.below(network.interval.as_ns()));
            Tag { node, stream, event, is_received: false, last: None }
        };
        let tags: Vec<Tag> = placed.into_iter().map(tag).collect();
        let starts: Vec<Instant> = tags.iter().map(|tag| tag.event).collect();
        let tags = Rc::new_cyclic(|this| Self {
            sim: sim.clone(),
            timers: sim.timers(this),
            air: air.clone(),
            size: network.size,
            airtime: airtime(network.size),
            interval: network.interval,
            until: Instant::START + network.lasts,
            state: RefCell::new(State { tags, sent: 0, delivered: 0, updates: Vec::new() }),
        });
        for (nth, start) in (0..).zip(starts) {
            tags.timers.set(start, nth * CHANNELS.len() as u64);
        }
        tags
    }

    /// Counts the advertising event of a received packet, unless a packet of the same event was
    /// received before.
    pub(super) fn deliver(&self, packet: &[u8]) {
        let Some(&[a, b, c, d]) = packet.get(BEFORE..BEFORE + 4) else { return };
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        let Some(tag) = state.tags.get_mut(u32::from_le_bytes([a, b, c, d]) as usize) else {
            return;
        };
        if !std::mem::replace(&mut tag.is_received, true) {
            state.delivered += 1;
            if let Some(last) = tag.last.replace(tag.event) {
                state.updates.push(tag.event.since(last));
            }
        }
    }

    /// Outcome of the network, with what the placement and the scanners have counted.
    pub(super) fn outcome(&self, out_of_range: usize, receptions: u64) -> Outcome {
        let mut state = self.state.borrow_mut();
        let mut updates = std::mem::take(&mut state.updates);
        updates.sort_unstable();
        Outcome {
            out_of_range,
            airtime: self.airtime,
            sent: state.sent,
            delivered: state.delivered,
            receptions,
            silent: state.tags.iter().filter(|tag| tag.last.is_none()).count(),
            updates,
        }
    }

    /// The advertising packet of a tag, equal on all channels. Its random static address begins with
    /// the number of the tag.
    fn packet(&self, tag: u32) -> Rc<[u8]> {
        let mut pdu = vec![ADV_NONCONN_IND, (ADVERTISER + self.size) as u8];
        pdu.extend(tag.to_le_bytes());
        pdu.extend([0, 0xC0]);
        pdu.resize(pdu.len() + self.size, 0);
        Address::ADVERTISING.packet(&pdu)
    }
}

/// Tokens are three times the number of a tag, plus the position of a channel in an event.
impl Timed for Tags {
    fn due(self: Rc<Self>, token: u64) {
        let now = self.sim.now();
        let channels = CHANNELS.len() as u64;
        let (number, nth) = (token / channels, (token % channels) as usize);
        if nth == 0 && now >= self.until {
            return;
        }
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        let tag = &mut state.tags[number as usize];
        if nth == 0 {
            state.sent += 1;
            (tag.event, tag.is_received) = (now, false);
        }
        let end = now + self.airtime;
        if nth + 1 < CHANNELS.len() {
            self.timers.set(end + CHANNEL_CHANGE, token + 1);
        } else {
            let next = tag.event + self.interval + tag.stream.within(ADV_DELAY);
            self.timers.set(next, number * channels);
        }
        let node = tag.node;
        drop(guard);
        // Numbers of tags fit 32 bits, as those of nodes do.
        let packet = self.packet(number as u32);
        self.air.send(node, band(CHANNELS[nth]), bearer_modulation(), end, packet);
    }
}
