//! Advertisements of Bluetooth LE tags, received by scanners.
//!
//! ```text
//!  tag      37 · 38 · 39 ─── interval + advDelay ─── 37 · 38 · 39 ─── ...
//!  scanner  ─── 37 ───── 38 ───── 39 ───── 37 ───── 38 ───── 39 ─── ...
//! ```
//!
//! - [`tags`]: advertising events, and the count of received events. [`scanner`]: reception.
//!
//! Each tag sends non-connectable advertisements (`ADV_NONCONN_IND`, LE 1M) on the three
//! advertising channels in each advertising event. A scanner listens on one channel at a time.
//! Tags join the medium [in isolation](airlag_air::Medium::join_isolated): the medium has paths
//! from tags to scanners only.
//!
//! The model omits scan requests, extended and periodic advertising, clock errors, fading,
//! propagation delay, and the time that a scanner needs to change the channel.

mod scanner;
mod tags;

use std::rc::Rc;

use airlag_air::error_rate::{BitErrors, ErrorRate, NoncoherentFsk};
use airlag_air::grid::Position;
use airlag_air::quantity::{Db, Dbm, Hertz};
use airlag_air::{Budget, BySignal, Fading, Medium, NodeId, signal};
use airlag_link::airtime::ble::Phy;
use airlag_models::stack::ble::hop::band;
use airlag_models::stack::btmesh::bearer::CHANNELS;
use airlag_models::stack::btmesh::config::ADV_DELAY;
use airlag_sim::{Duration, Error, Instant, Sim, Simulation, Stream};

use super::{Area, LOST, NEGLIGIBLE};
use crate::ble::HEARING;
use scanner::Scanner;
use tags::Tags;

/// Bytes of the advertiser's address in an advertising PDU (Bluetooth Core Specification 5.4,
/// volume 6, part B, 2.3.1.3).
const ADVERTISER: usize = 6;
/// Longest advertising data of a legacy advertising PDU, bytes (2.3.1.3).
pub const LONGEST: usize = 31;
/// From the end of an advertising PDU to the beginning of the next one of the event. Assumed: 150 us
/// of turnaround and the preparation of a PDU. The standard allows 10 ms from one PDU to the next
/// (4.4.2.6).
const CHANNEL_CHANGE: Duration = Duration::from_us(400);
/// Sensitivity of a scanner at LE 1M, at 0.1 % of bits wrong: nRF52840 Product Specification, RADIO.
const SENSITIVITY: Dbm = Dbm(-95.0);

const MODEM: NoncoherentFsk = NoncoherentFsk { rate: Hertz(1e6) };

/// Tags around scanners.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Number of tags, uniformly distributed over the area.
    pub devices: usize,
    /// Number of scanners: one in the centre, further ones evenly over the area.
    pub gateways: usize,
    /// Positions and paths.
    pub area: Area,
    /// Advertising data, bytes, up to [`LONGEST`].
    pub size: usize,
    /// Advertising interval, without the random advDelay of up to 10 ms.
    pub interval: Duration,
    /// Time during which tags advertise.
    pub lasts: Duration,
    /// Time after which a scanner changes the channel.
    pub scan_interval: Duration,
    /// Time for which a scanner listens in each scan interval.
    pub scan_window: Duration,
    /// Whether reception depends on signal levels. If false, each scanner receives every frame,
    /// unless another frame overlaps this frame on the same channel.
    pub levels: bool,
    /// Random seed.
    pub seed: u64,
}

/// Outcome of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Tags that no scanner can receive.
    pub out_of_range: usize,
    /// Airtime of an advertising PDU.
    pub airtime: Duration,
    /// Advertising events.
    pub sent: u64,
    /// Advertising events of which at least one scanner received a PDU.
    pub delivered: u64,
    /// Advertising PDUs that scanners received, with duplicates.
    pub receptions: u64,
    /// Tags of which no event was received.
    pub silent: usize,
    /// Times from each received event to the next received one of the same tag, ascending.
    pub updates: Vec<Duration>,
}

/// Airtime of an advertising PDU with `size` bytes of advertising data.
#[must_use]
pub const fn airtime(size: usize) -> Duration {
    Duration::from_ns(Phy::Le1M.duration_ns(ADVERTISER + size))
}

/// Mean number of frames on the air per channel: tags times airtime over the mean time between two
/// advertising events.
#[must_use]
pub fn load(network: &Network) -> f64 {
    let between = network.interval.as_ns() as f64 + ADV_DELAY.as_ns() as f64 / 2.0;
    network.devices as f64 * airtime(network.size).as_ns() as f64 / between
}

/// Runs a network from its first advertising event until its last has ended.
///
/// # Errors
///
/// Errors of the simulation.
pub fn run(network: &Network) -> Result<Outcome, Error> {
    let sim = Simulation::new(network.seed);
    // Tags are not part of an observed link: they have no time slices and no current.
    let air = Medium::new(&sim).beside("network");
    let noise_figure = MODEM.noise_figure(SENSITIVITY, 1e-3);
    let positions = network.area.receivers(network.gateways);
    let scanners: Vec<NodeId> =
        (0..positions.len()).map(|nth| air.join_isolated(format!("scanner {nth}"))).collect();
    if network.levels {
        for &scanner in &scanners {
            air.set_receiver(scanner, HEARING.with(MODEM, noise_figure));
        }
    }
    let airtime = airtime(network.size);
    let needed = signal::needed(LOST, Fading::Steady, |signal| MODEM.frame(signal, airtime)).0;
    let surroundings =
        Surroundings { network, sim: &sim, air: &air, noise_figure, needed, positions, scanners };
    let placed: Vec<Placed> = (0..network.devices).map(|nth| surroundings.place(nth)).collect();
    let out_of_range = placed.iter().filter(|one| !one.in_range).count();
    let tags = Tags::start(network, placed, &sim, &air);
    let scanners: Vec<Rc<Scanner>> = surroundings
        .scanners
        .iter()
        .map(|&node| Scanner::attach(network, &sim, &air, node, &tags))
        .collect();
    sim.run_until(Instant::FOREVER)?;
    let receptions = scanners.iter().map(|one| one.received()).sum();
    Ok(tags.outcome(out_of_range, receptions))
}

/// A tag at its position.
struct Placed {
    node: NodeId,
    /// Phase and delays of its advertising events.
    stream: Stream,
    in_range: bool,
}

struct Surroundings<'a> {
    network: &'a Network,
    sim: &'a Sim,
    air: &'a Medium,
    noise_figure: Db,
    /// Signal required at the range.
    needed: f64,
    positions: Vec<Position>,
    scanners: Vec<NodeId>,
}

impl Surroundings<'_> {
    /// Places a tag. Its random stream, and those of its paths, do not depend on other tags.
    fn place(&self, nth: usize) -> Placed {
        let name = format!("tag {nth}");
        let mut stream = self.sim.stream(&format!("network/{name}"));
        let node = self.air.join_isolated(name.as_str());
        let position = self.network.area.position(&mut stream);
        let mut in_range = false;
        for (at, (&scanner, &there)) in self.scanners.iter().zip(&self.positions).enumerate() {
            let range = position.distance(there);
            let shadowing = self.network.area.shadowing(self.sim, &format!("{name}-{at}"));
            let budget = Budget { shadowing, ..self.network.area.budget(range, self.noise_figure) };
            let signal = budget.signal(band(CHANNELS[0]).centre()).0;
            in_range |= signal >= self.needed;
            self.connect(node, scanner, budget, signal);
        }
        Placed { node, stream, in_range: in_range || !self.network.levels }
    }

    /// Creates the path to a scanner, unless its signal has no effect there.
    fn connect(&self, tag: NodeId, scanner: NodeId, budget: Budget, signal: f64) {
        if !self.network.levels {
            self.air.set_heard(tag, scanner, true);
        } else if signal >= self.needed - NEGLIGIBLE.0 {
            self.air.set_heard(tag, scanner, true);
            self.air.set_budget(tag, scanner, budget);
            self.air.add_loss(tag, scanner, BySignal { budget, demodulator: MODEM });
        }
    }
}

#[cfg(test)]
mod tests;
