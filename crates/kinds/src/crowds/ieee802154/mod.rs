//! Frames of IEEE 802.15.4 devices to a coordinator, with unslotted CSMA-CA.
//!
//! ```text
//!  device       backoff · CCA · frame ─────────────────► waits for the acknowledgement
//!  coordinator                         receives ─► acknowledgement
//! ```
//!
//! - [`devices`]: traffic of the devices, and the count of delivered messages.
//!
//! The radios are those of the links with raw IEEE 802.15.4 ([`Node`]), at 2450 MHz. By signal
//! levels, a device senses only those devices that reach its threshold for a busy channel, so
//! hidden devices collide at the coordinator.
//!
//! The model omits beacons, relaying, clock errors, fading and propagation delay. Each message is a
//! frame.

mod devices;

use airlag_air::error_rate::{BitErrors, ErrorRate, OqpskDsss};
use airlag_air::grid::Position;
use airlag_air::quantity::{Db, Dbm, Metres};
use airlag_air::{Budget, BySignal, Fading, Medium, NodeId, signal};
use airlag_link::airtime::ieee802154::Phy;
use airlag_models::stack::ieee802154::frame::{FCS_LEN, HEADER_LEN, MAX_PAYLOAD};
use airlag_models::stack::ieee802154::{Address, Channel, Config, Destination, Node};
use airlag_sim::{Clock, Duration, Error, Instant, Sim, Simulation};

use super::{Area, LOST, NEGLIGIBLE};
use crate::ieee802154::{Assessment, hearing};
use devices::Devices;

pub use airlag_models::stack::ieee802154::Csma;

/// Longest payload of a frame with short addresses, bytes.
pub const LONGEST: usize = MAX_PAYLOAD;

const PHY: Phy = Phy::Oqpsk2450;
const CHANNEL: Channel = Channel::first(PHY);
/// Address of the coordinator. Devices have the addresses from 1.
const COORDINATOR: Address = Address::Short(0);
/// Sensitivity of all receivers, at a loss of 1 % of frames with 208 bits: nRF52840 Product
/// Specification, RADIO.
const SENSITIVITY: Dbm = Dbm(-100.0);

/// Devices around a coordinator.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Number of devices, uniformly distributed over the area, with the coordinator in the centre.
    pub devices: usize,
    /// Positions and paths.
    pub area: Area,
    /// Payload of a frame, bytes, up to [`LONGEST`].
    pub size: usize,
    /// Each device sends one message per period, at a random time in the period.
    pub period: Duration,
    /// Time during which messages are created.
    pub lasts: Duration,
    /// Whether frames are acknowledged, and retried up to three times.
    pub acknowledged: bool,
    /// Whether reception and carrier sense depend on signal levels. If false, each radio senses and
    /// receives every frame, unless another frame overlaps this frame.
    pub levels: bool,
    /// Random seed.
    pub seed: u64,
}

/// Outcome of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Devices that the coordinator cannot receive.
    pub out_of_range: usize,
    /// Airtime of a frame.
    pub airtime: Duration,
    /// Messages created.
    pub sent: u64,
    /// Messages that the coordinator received.
    pub delivered: u64,
    /// Frames on the air, with retries, without acknowledgements.
    pub frames: u64,
    /// Messages given up because the channel was never clear.
    pub channel_access_failures: u64,
    /// Messages given up without an acknowledgement. The coordinator may have received them.
    pub unacknowledged: u64,
    /// Times from the creation of a message to its reception, ascending.
    pub latencies: Vec<Duration>,
}

/// Airtime of a frame with a payload of `size` bytes.
#[must_use]
pub const fn airtime(size: usize) -> Duration {
    Duration::from_ns(PHY.duration_ns(HEADER_LEN + size + FCS_LEN))
}

/// Settings of the coordinator, and of the devices at their addresses.
#[must_use]
pub const fn config(acknowledged: bool) -> Config {
    let mut config = Config::standard(CHANNEL, COORDINATOR, Destination::Unicast(COORDINATOR));
    config.ack_request = acknowledged;
    config
}

/// Runs a network until its last message has been delivered or given up.
///
/// # Errors
///
/// Errors of the simulation.
pub fn run(network: &Network) -> Result<Outcome, Error> {
    let sim = Simulation::new(network.seed);
    // Devices are not part of an observed link: they have no time slices and no current.
    let air = Medium::new(&sim).beside("network");
    let surroundings = Surroundings::new(network, &sim, &air);
    let coordinator = surroundings.place("coordinator", COORDINATOR);
    let mut all = vec![(coordinator.id(), Position::default())];
    let mut nodes = Vec::new();
    let mut out_of_range = 0;
    for nth in 0..network.devices {
        let name = format!("device {nth}");
        let mut stream = sim.stream(&format!("network/{name}"));
        let node = surroundings.place(&name, Address::Short(nth as u16 + 1));
        let position = network.area.position(&mut stream);
        let in_range = surroundings.connect(node.id(), position, &all);
        out_of_range += usize::from(network.levels && !in_range);
        all.push((node.id(), position));
        nodes.push((node, stream));
    }
    let devices = Devices::start(network, nodes, coordinator, &sim);
    sim.run_until(Instant::FOREVER)?;
    Ok(devices.outcome(out_of_range))
}

struct Surroundings<'a> {
    network: &'a Network,
    sim: &'a Sim,
    air: &'a Medium,
    noise_figure: Db,
    /// Signal required at the range.
    needed: f64,
}

impl<'a> Surroundings<'a> {
    fn new(network: &'a Network, sim: &'a Sim, air: &'a Medium) -> Self {
        let noise_figure = OqpskDsss.noise_figure(SENSITIVITY, LOST / 208.0);
        let airtime = airtime(network.size);
        let needed =
            signal::needed(LOST, Fading::Steady, |signal| OqpskDsss.frame(signal, airtime));
        Self { network, sim, air, noise_figure, needed: needed.0 }
    }

    /// Adds a radio. Without signal levels, all radios are in range of each other.
    fn place(&self, name: &str, address: Address) -> std::rc::Rc<Node> {
        let config = Config { address, ..config(self.network.acknowledged) };
        let levels = self.network.levels;
        let id = if levels { self.air.join_isolated(name) } else { self.air.join(name) };
        if levels {
            let hearing = hearing(PHY, Assessment::Energy).with(OqpskDsss, self.noise_figure);
            self.air.set_receiver(id, hearing);
        }
        Node::at(self.air, id, name, self.sim, Clock::exact(), config)
    }

    /// Creates the paths between a new device and all radios, the coordinator first, unless the
    /// signal has no effect. Returns true if the coordinator is in range.
    fn connect(&self, device: NodeId, at: Position, all: &[(NodeId, Position)]) -> bool {
        let mut in_range = false;
        if !self.network.levels {
            return in_range;
        }
        for (nth, &(other, there)) in all.iter().enumerate() {
            let range: Metres = at.distance(there);
            let name = format!("{}-{}", self.air.name(device), self.air.name(other));
            let shadowing = self.network.area.shadowing(self.sim, &name);
            let budget = Budget { shadowing, ..self.network.area.budget(range, self.noise_figure) };
            let signal = budget.signal(CHANNEL.band().centre()).0;
            if signal < self.needed - NEGLIGIBLE.0 {
                continue;
            }
            for (from, to) in [(device, other), (other, device)] {
                self.air.set_heard(from, to, true);
                self.air.set_budget(from, to, budget);
                if nth == 0 {
                    self.air.add_loss(from, to, BySignal { budget, demodulator: OqpskDsss });
                }
            }
            in_range |= nth == 0 && signal >= self.needed;
        }
        in_range
    }
}

#[cfg(test)]
mod tests;
