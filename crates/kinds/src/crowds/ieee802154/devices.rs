//! Traffic of the devices, and the count of delivered messages.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_models::stack::ieee802154::frame::{Frame, Header, Kind, Version, parse};
use airlag_models::stack::ieee802154::{Address, Node};
use airlag_sim::{Duration, Instant, Sim, Stream};

use super::{COORDINATOR, Network, Outcome, airtime};

/// A message on its way.
#[derive(Clone, Copy)]
struct Message {
    sequence: u8,
    created: Instant,
}

#[derive(Default)]
struct State {
    /// The current message of each device.
    current: Vec<Option<Message>>,
    sent: u64,
    latencies: Vec<Duration>,
}

/// All devices.
pub(super) struct Devices {
    size: usize,
    nodes: Vec<Rc<Node>>,
    state: RefCell<State>,
}

impl Devices {
    /// Starts the traffic of the devices, and reception at the coordinator.
    pub(super) fn start(
        network: &Network,
        placed: Vec<(Rc<Node>, Stream)>,
        coordinator: Rc<Node>,
        sim: &Sim,
    ) -> Rc<Self> {
        let (nodes, streams): (Vec<Rc<Node>>, Vec<Stream>) = placed.into_iter().unzip();
        let current = vec![None; nodes.len()];
        let state = RefCell::new(State { current, ..State::default() });
        let devices = Rc::new(Self { size: network.size, nodes, state });
        for (nth, stream) in streams.into_iter().enumerate() {
            let (this, clock) = (Rc::clone(&devices), sim.clone());
            let (period, lasts) = (network.period, network.lasts);
            let sends = async move { this.send(nth, stream, period, lasts, &clock).await };
            sim.spawn(format!("device {nth}"), sends);
        }
        let (this, clock) = (Rc::clone(&devices), sim.clone());
        sim.spawn("coordinator", async move {
            loop {
                let psdu = coordinator.next_frame().await;
                this.deliver(&psdu, clock.now());
            }
        });
        devices
    }

    /// Sends the messages of a device, one after the other.
    async fn send(
        &self,
        nth: usize,
        mut stream: Stream,
        every: Duration,
        lasts: Duration,
        sim: &Sim,
    ) {
        let node = &self.nodes[nth];
        let payload = vec![0; self.size];
        // The first sequence number is random (IEEE Std 802.15.4-2006, 7.4.2, macDSN). Otherwise, a
        // device would take the acknowledgement of a stronger frame that collided with its own.
        let mut sequence = stream.below(256) as u8;
        let mut period = Instant::START;
        while period < Instant::START + lasts {
            let created = period + stream.within(every);
            period += every;
            sim.sleep_until(created).await;
            let header = Header {
                kind: Kind::Data,
                version: Version::Until2006,
                sequence,
                frame_pending: false,
                ack_request: node.config().ack_request,
                secured: false,
                pan: node.config().pan,
                destination: COORDINATOR,
                source: node.config().address,
            };
            self.begin(nth, Message { sequence, created });
            sequence = sequence.wrapping_add(1);
            // The outcome is counted by the radio.
            let _ = node.transmit_frame(&header, &payload).await;
        }
    }

    fn begin(&self, nth: usize, message: Message) {
        let mut state = self.state.borrow_mut();
        state.sent += 1;
        state.current[nth] = Some(message);
    }

    /// Counts a received frame. The radio of the coordinator has discarded repetitions.
    fn deliver(&self, psdu: &[u8], now: Instant) {
        let Some(Frame::Data(header, _)) = parse(psdu) else { return };
        let Address::Short(source) = header.source else { return };
        let mut guard = self.state.borrow_mut();
        let state = &mut *guard;
        let Some(current) = state.current.get_mut(usize::from(source).wrapping_sub(1)) else {
            return;
        };
        if let Some(message) = current.take_if(|message| message.sequence == header.sequence) {
            state.latencies.push(now.since(message.created));
        }
    }

    /// Outcome of the network, with what the placement has counted.
    pub(super) fn outcome(&self, out_of_range: usize) -> Outcome {
        let mut state = self.state.borrow_mut();
        let mut latencies = std::mem::take(&mut state.latencies);
        latencies.sort_unstable();
        let counts = || self.nodes.iter().map(|node| node.counts());
        Outcome {
            out_of_range,
            airtime: airtime(self.size),
            sent: state.sent,
            delivered: latencies.len() as u64,
            frames: counts().map(|of| of.frames).sum(),
            channel_access_failures: counts().map(|of| of.channel_access_failures).sum(),
            unacknowledged: counts().map(|of| of.no_acks).sum(),
            latencies,
        }
    }
}
