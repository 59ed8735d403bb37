//! Traffic of the devices, and the network server's count of their messages.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_air::{Band, Medium, NodeId};
use airlag_link::airtime::lora::SpreadingFactor;
use airlag_sim::{Duration, Instant, Sim, Stream, Timed, Timers};

use super::layout::{Format, Layout, place};
use super::{FACTORS, Group, Network, uplink};

struct Device {
    node: NodeId,
    factor: SpreadingFactor,
    stream: Stream,
    sent: u32,
    delivered: u32,
    /// Frame counter of the last delivered message.
    last: Option<u16>,
}

/// All devices. They share a model, so that a sleeping device is only an entry of the event queue.
pub(super) struct Devices {
    sim: Sim,
    timers: Timers,
    air: Medium,
    formats: [Format; 6],
    channels: Vec<Band>,
    size: usize,
    period: Duration,
    until: Instant,
    all: RefCell<Vec<Device>>,
}

impl Devices {
    /// Schedules the first message of every device.
    pub(super) fn start(network: &Network, layout: &Layout, sim: &Sim, air: &Medium) -> Rc<Self> {
        let device = |placed: &super::layout::Placed| Device {
            node: placed.node,
            factor: placed.factor,
            stream: placed.stream.clone(),
            sent: 0,
            delivered: 0,
            last: None,
        };
        let devices = Rc::new_cyclic(|this| Self {
            sim: sim.clone(),
            timers: sim.timers(this),
            air: air.clone(),
            formats: layout.formats,
            channels: layout.channels.clone(),
            size: network.size,
            period: network.period,
            until: Instant::START + network.lasts,
            all: RefCell::new(layout.devices.iter().map(device).collect()),
        });
        for (nth, device) in (0..).zip(&mut *devices.all.borrow_mut()) {
            let phase = Duration::from_ns(device.stream.below(network.period.as_ns()));
            devices.timers.set(Instant::START + phase, nth);
        }
        devices
    }

    /// Counts a message that a gateway received, unless another gateway received it before.
    pub(super) fn deliver(&self, bytes: &[u8]) {
        let Some((address, count)) = uplink::decode(bytes) else { return };
        let mut all = self.all.borrow_mut();
        let Some(device) = all.get_mut(address as usize) else { return };
        if device.last.replace(count) != Some(count) {
            device.delivered += 1;
        }
    }

    /// Messages by spreading factor.
    pub(super) fn groups(&self, network: &Network, layout: &Layout) -> Vec<Group> {
        let all = self.all.borrow();
        let of = |factor: SpreadingFactor| {
            let members = || all.iter().filter(move |device| device.factor == factor);
            let lost =
                |placed: &&super::layout::Placed| placed.factor == factor && !placed.in_range;
            Group {
                factor,
                devices: members().count(),
                out_of_range: layout.devices.iter().filter(lost).count(),
                airtime: self.formats[place(factor)].airtime,
                sent: members().map(|device| u64::from(device.sent)).sum(),
                delivered: members().map(|device| u64::from(device.delivered)).sum(),
            }
        };
        debug_assert_eq!(all.len(), network.devices);
        FACTORS.into_iter().map(of).filter(|group| group.devices > 0).collect()
    }
}

/// Tokens are device numbers, which are their addresses.
impl Timed for Devices {
    fn due(self: Rc<Self>, token: u64) {
        let now = self.sim.now();
        // Numbers of devices fit 32 bits, as those of nodes do.
        let address = token as u32;
        if now >= self.until {
            return;
        }
        let mut all = self.all.borrow_mut();
        let device = &mut all[token as usize];
        let channel = self.channels[device.stream.below(self.channels.len() as u64) as usize];
        let Format { modulation, airtime, .. } = self.formats[place(device.factor)];
        // The frame counter in a frame is the low half of the device's.
        let bytes = uplink::encode(device.factor, address, device.sent as u16, self.size);
        device.sent += 1;
        let node = device.node;
        drop(all);
        self.air.send(node, channel, modulation, now + airtime, bytes);
        self.timers.set(now + self.period, token);
    }
}
