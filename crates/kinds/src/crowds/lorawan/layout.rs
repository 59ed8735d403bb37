//! Positions of devices and gateways, spreading factors, and the paths between them.

use airlag_air::error_rate::ErrorRate;
use airlag_air::grid::Grid;
use airlag_air::quantity::{Db, DbHz, Hertz, Metres};
use airlag_air::{Band, Budget, BySignal, Fading, Medium, Modulation, NodeId, signal};
use airlag_link::airtime::lora::{Bandwidth, SpreadingFactor};
use airlag_models::chip::sx127x::settings;
use airlag_models::chip::sx1301::{self, Uplinks};
use airlag_sim::{Duration, Sim, Stream};

use super::super::{LOST, NEGLIGIBLE};
use super::{Assignment, CHANNELS_KHZ, FACTORS, Network, airtime};

/// Margin of the adaptive assignment above the required signal. Semtech, "LoRaWAN: simple rate
/// adaptation recommended algorithm", rev. 1.0: device margin, 10 dB by default.
const MARGIN: Db = Db(10.0);

/// Shadowing beyond this number of standard deviations, 1 in 31,000, is not searched for.
const DEVIATIONS: f64 = 4.0;

/// A device at its position.
pub(super) struct Placed {
    pub(super) node: NodeId,
    pub(super) factor: SpreadingFactor,
    /// Phase and channels of its messages.
    pub(super) stream: Stream,
    pub(super) in_range: bool,
}

/// Properties of all frames of a spreading factor.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub(super) modulation: Modulation,
    pub(super) airtime: Duration,
    /// Signal required at the range.
    needed: DbHz,
}

/// A network on the air.
pub(super) struct Layout {
    pub(super) devices: Vec<Placed>,
    pub(super) gateways: Vec<NodeId>,
    pub(super) formats: [Format; 6],
    pub(super) channels: Vec<Band>,
}

/// Index of a spreading factor in lists by factor.
pub(super) fn place(factor: SpreadingFactor) -> usize {
    usize::from(factor.exponent() - FACTORS[0].exponent())
}

impl Layout {
    pub(super) fn new(network: &Network, sim: &Sim, air: &Medium) -> Self {
        let width = Bandwidth::Khz125.hz().div_ceil(1_000);
        let channels: Vec<Band> = CHANNELS_KHZ
            .iter()
            .take(network.channels)
            .map(|&khz| Band::around(khz, width))
            .collect();
        let formats = FACTORS.map(|factor| format(factor, network.size));
        let positions = network.area.receivers(network.gateways);
        let nodes = (0..positions.len()).map(|nth| air.join_isolated(format!("gateway {nth}")));
        let nodes: Vec<NodeId> = nodes.collect();
        // Without levels, spreading factors do not disturb each other.
        air.orthogonal(settings::FAMILY);
        if network.levels {
            for &node in &nodes {
                air.set_receiver(node, sx1301::receiver());
            }
        }
        // At a distance of 0.
        let budget = network.area.budget(Metres(0.0), sx1301::noise_figure());
        let reach = reach(network, &budget, &formats);
        let surroundings = Surroundings {
            network,
            sim,
            air,
            formats: &formats,
            budget,
            reach,
            grid: Grid::new(positions, reach),
            gateways: &nodes,
        };
        let devices = (0..network.devices).map(|nth| surroundings.place(nth)).collect();
        Self { devices, gateways: nodes, formats, channels }
    }
}

fn format(factor: SpreadingFactor, size: usize) -> Format {
    let airtime = airtime(factor, size);
    let modulation = settings::modulation(&sx1301::uplink(factor), false);
    let modem = sx1301::modem(factor);
    let needed = signal::needed(LOST, Fading::Steady, |signal| modem.frame(signal, airtime));
    Format { modulation, airtime, needed }
}

/// Frequency at which paths are compared.
fn frequency() -> Hertz {
    Hertz(f64::from(CHANNELS_KHZ[0]) * 1e3)
}

/// Distance beyond which no gateway receives anything, bisected to a millionth of the largest.
fn reach(network: &Network, budget: &Budget, formats: &[Format; 6]) -> Metres {
    let slowest = match network.assignment {
        Assignment::Fixed(factor) => factor,
        Assignment::Even | Assignment::Adaptive => SpreadingFactor::Sf12,
    };
    let weakest = formats[place(slowest)].needed.0;
    let luck = DEVIATIONS * network.area.shadowing.0;
    let arrives = |metres: f64| {
        let mean = Budget { range: Metres(metres), ..*budget }.signal(frequency());
        mean.0 + luck >= weakest - NEGLIGIBLE.0
    };
    // No device is farther from a gateway than the diameter.
    let (mut near, mut far) = (0.0, 2.0 * network.area.radius.0 + 1.0);
    if arrives(far) {
        return Metres(far);
    }
    for _ in 0..20 {
        let middle = f64::midpoint(near, far);
        *(if arrives(middle) { &mut near } else { &mut far }) = middle;
    }
    Metres(far)
}

struct Surroundings<'a> {
    network: &'a Network,
    sim: &'a Sim,
    air: &'a Medium,
    formats: &'a [Format; 6],
    budget: Budget,
    reach: Metres,
    grid: Grid,
    gateways: &'a [NodeId],
}

impl Surroundings<'_> {
    /// Places a device. Its random stream, and those of its paths, do not depend on other devices.
    fn place(&self, nth: usize) -> Placed {
        let name = format!("device {nth}");
        let mut stream = self.sim.stream(&format!("network/{name}"));
        let node = self.air.join_isolated(name.as_str());
        let position = self.network.area.position(&mut stream);
        let near = self.grid.within(position, self.reach);
        let paths: Vec<(usize, Budget)> =
            near.into_iter().map(|(at, range)| (at, self.path(&name, at, range))).collect();
        let best = paths.iter().map(|(_, path)| path.signal(frequency()).0);
        let best = best.fold(f64::NEG_INFINITY, f64::max);
        let factor = match self.network.assignment {
            Assignment::Even => FACTORS[nth % FACTORS.len()],
            Assignment::Fixed(factor) => factor,
            Assignment::Adaptive => {
                let enough = |factor: &SpreadingFactor| {
                    best >= self.formats[place(*factor)].needed.0 + MARGIN.0
                };
                FACTORS.into_iter().find(enough).unwrap_or(SpreadingFactor::Sf12)
            }
        };
        let needed = self.formats[place(factor)].needed.0;
        for (at, budget) in paths {
            self.connect(node, self.gateways[at], budget, needed);
        }
        Placed { node, factor, stream, in_range: best >= needed }
    }

    fn path(&self, device: &str, gateway: usize, range: Metres) -> Budget {
        let name = format!("{device}-{gateway}");
        let shadowing = self.network.area.shadowing(self.sim, &name);
        Budget { range, shadowing, ..self.budget }
    }

    /// Creates the path to a gateway, unless its signal has no effect there.
    fn connect(&self, device: NodeId, gateway: NodeId, budget: Budget, needed: f64) {
        let signal = budget.signal(frequency()).0;
        let least = if self.network.levels { needed - NEGLIGIBLE.0 } else { needed };
        if signal < least {
            return;
        }
        self.air.set_heard(device, gateway, true);
        if self.network.levels {
            self.air.set_budget(device, gateway, budget);
            self.air.add_loss(device, gateway, BySignal { budget, demodulator: Uplinks::new() });
        }
    }
}
