//! Thread networks of OpenThread nodes: formation, traffic, and changes while the network runs.
//!
//! - [`answer`]: one network per seed, with a load and the steps of a script.
//! - [`Session`]: one network that a program controls interactively.
//! - [`script`]: reads steps from a file.
//! - `words`: results as text for the terminal.
//! - `step`: actions on a running network.
//! - `shape`: answers as `--json` prints them.

pub mod script;
mod session;
mod shape;
mod step;
mod words;

use std::path::PathBuf;

use airlag_kinds::thread::Parameters;
use airlag_openthread::paths::REACH;
use airlag_openthread::{
    Config, FrameLoss, Load, Metres, PathModel, Position, Scope, Setup, Shape, WhenFull,
};
use airlag_openthread::{Direction as Way, Topology as Placed};
use airlag_sim::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bench::{Bound, Settings};
use super::goodput::seed;
use crate::error::Error;
use crate::question::{Answered, Evidence, Frames, Progress};

pub use session::{Formed, Request, Session, State};
pub use shape::{Flow, Network, Range, SeedRun, Spread};
pub use step::{Action, Outcome, Step};

/// Topology of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Topology {
    /// All nodes are in range of each other.
    OneHop,
    /// A row of nodes.
    Chain,
    /// Nodes around a leader, hidden from each other.
    Star,
    /// A tree of nodes, each hidden from all but its parent and children.
    Tree,
    /// Nodes at given positions.
    Placed,
}

/// Direction of the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Leaf nodes send to node 1.
    Up,
    /// Node 1 sends to the leaf nodes.
    Down,
}

/// Message timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "ThreadTraffic")]
pub enum Traffic {
    /// One message each period.
    Periodic,
    /// Messages one after the other as fast as the program can send, regardless of their outcome.
    BackToBack,
    /// The next message as soon as a message buffer is free.
    Saturated,
    /// No messages.
    None,
}

/// A network of OpenThread nodes, a load, and a script.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ThreadQuestion")]
pub struct Question {
    /// Folder with the node programs.
    pub folder: String,
    /// Topology of the network.
    #[serde(default = "one_hop")]
    pub topology: Topology,
    /// Number of nodes. With given positions, it is the number of positions.
    #[serde(default = "two")]
    pub nodes: usize,
    /// Number of levels of a tree below node 1.
    #[serde(default = "two")]
    pub hops: usize,
    /// Positions of placed nodes, x and y, m.
    #[serde(default)]
    pub positions_m: Vec<[f64; 2]>,
    /// Distance up to which a frame is received, m. Ignored if an environment determines reception.
    #[serde(default = "reach")]
    pub reach_m: f64,
    /// Distance up to which a frame keeps the channel busy, m. Null means the reception distance.
    #[serde(default)]
    pub sensed_m: Option<f64>,
    /// Link profile of the boards of the nodes. Null means boards whose software takes no time.
    #[serde(default)]
    pub boards: Option<String>,
    /// Constants that differ from the profile. If `environment` is among them, path loss, noise and
    /// interference determine which nodes receive a frame.
    #[serde(default)]
    pub settings: Settings,
    /// Poll period of sleepy children, ns. Null means no sleepy children.
    #[serde(default)]
    pub poll_period_ns: Option<u64>,
    /// Frame loss ratio of each path.
    #[serde(default)]
    pub frame_loss: f64,
    /// Mean length of a loss burst, frames.
    #[serde(default = "one")]
    pub loss_burst: f64,
    /// Direction of the messages.
    #[serde(default = "up")]
    pub direction: Direction,
    /// Message timing.
    #[serde(default = "none")]
    pub traffic: Traffic,
    /// Payload, bytes.
    #[serde(default = "size")]
    pub size: usize,
    /// Number of messages per flow.
    #[serde(default = "count")]
    pub count: usize,
    /// Time between the messages of a periodic flow, ns.
    #[serde(default = "second")]
    pub period_ns: u64,
    /// Changes to the network in time order. Time 0 is the start of sending, after the network has formed.
    #[serde(default)]
    #[schemars(with = "Vec<Step>")]
    pub steps: Vec<serde_json::Value>,
    /// Random seed of the first network.
    #[serde(default = "seed")]
    pub seed: u64,
    /// Number of networks, with consecutive random seeds.
    #[serde(default = "once")]
    pub seeds: u32,
    /// Whether to record the frames of the first network.
    #[serde(default)]
    pub sniff: bool,
}

const fn one_hop() -> Topology {
    Topology::OneHop
}

const fn two() -> usize {
    2
}

const fn one() -> f64 {
    1.0
}

const fn reach() -> f64 {
    REACH.0
}

const fn up() -> Direction {
    Direction::Up
}

const fn none() -> Traffic {
    Traffic::None
}

const fn size() -> usize {
    79
}

const fn count() -> usize {
    100
}

const fn second() -> u64 {
    1_000_000_000
}

const fn once() -> u32 {
    1
}

/// Profile whose radio is used if no boards are given.
const RADIO: &str = "thread-up";

fn refused(cause: String) -> Error {
    Error::Thread { line: cause }
}

impl Question {
    fn parameters(&self) -> Result<Parameters, Error> {
        let link = self.boards.as_deref().unwrap_or(RADIO);
        Ok(Bound::of(link, &self.settings)?.profile.read()?)
    }

    /// Propagation model: fixed distances, or an environment.
    fn paths(&self, parameters: &Parameters) -> Result<PathModel, Error> {
        if self.settings.contains_key("environment") {
            return Ok(PathModel::Loss(parameters.propagation.budget()));
        }
        let (reach, sensed) = (self.reach_m, self.sensed_m.unwrap_or(self.reach_m));
        if !(reach > 0.0 && sensed >= reach && sensed.is_finite()) {
            return Err(refused(format!(
                "frames are received over {reach} m but sensed over {sensed} m; choose a reception distance \
                 above 0 m, and a sensing distance of at least that"
            )));
        }
        Ok(PathModel::Disc { reach: Metres(reach), sensed: Metres(sensed) })
    }

    fn setup(&self, seed: u64) -> Result<Setup, Error> {
        let parameters = self.parameters()?;
        let paths = self.paths(&parameters)?;
        let shape = match self.topology {
            Topology::OneHop => Some(Shape::OneHop),
            Topology::Chain => Some(Shape::Chain),
            Topology::Star => Some(Shape::Star),
            Topology::Tree => Some(Shape::Tree { hops: self.hops }),
            Topology::Placed => None,
        };
        let topology = match shape {
            Some(shape) if self.positions_m.is_empty() => {
                Placed::new(shape, self.nodes)?.scaled(paths)?
            }
            Some(_) => {
                return Err(refused(
                    "positions define a placed network; leave the topology out".into(),
                ));
            }
            None => {
                let finite = |[x, y]: &[f64; 2]| x.is_finite() && y.is_finite();
                if !self.positions_m.iter().all(finite) {
                    return Err(refused("a position is two finite numbers, in metres".into()));
                }
                let at = |&[x, y]: &[f64; 2]| Position { x, y };
                Placed::placed(self.positions_m.iter().map(at).collect(), paths)?
            }
        };
        let [leader, node] = match self.boards {
            None => [Config::default(); 2],
            Some(_) => [parameters.border_router(), parameters.device()]
                .map(|board| Config::of(&board, parameters.interframe_space)),
        };
        let loss = FrameLoss { share: self.frame_loss, burst: self.loss_burst };
        let poll_period = self.poll_period_ns.map(Duration::from_ns);
        let folder = PathBuf::from(&self.folder);
        Ok(Setup { folder, topology, leader, node, poll_period, loss, seed })
    }

    fn load(&self) -> Option<Load> {
        let period = match self.traffic {
            Traffic::None => return None,
            Traffic::Periodic => Duration::from_ns(self.period_ns),
            Traffic::BackToBack | Traffic::Saturated => Duration::ZERO,
        };
        let when_full = match self.traffic {
            Traffic::Saturated => WhenFull::Wait,
            _ => WhenFull::Refuse,
        };
        let direction = match self.direction {
            Direction::Up => Way::Up,
            Direction::Down => Way::Down,
        };
        let Self { size, count, .. } = *self;
        Some(Load { direction, scope: Scope::MeshLocal, size, count, period, when_full })
    }

    fn steps(&self) -> Result<Vec<Step>, Error> {
        let mut steps: Vec<Step> = Vec::with_capacity(self.steps.len());
        for (nth, step) in self.steps.iter().enumerate() {
            let step: Step = serde_json::from_value(step.clone())
                .map_err(|cause| refused(format!("step {}: {cause}", nth + 1)))?;
            if steps.last().is_some_and(|before| before.at_ns > step.at_ns) {
                let cause = format!("step {}: it is earlier than the previous step", nth + 1);
                return Err(refused(cause));
            }
            steps.push(step);
        }
        Ok(steps)
    }
}

/// Forms a network per seed, sends the load through it, and performs the steps at their times.
///
/// # Errors
///
/// [`Error::Thread`] if the node programs are missing, the network or a step is not possible, or a node
/// fails. [`Error`] for an unknown profile or setting.
pub fn answer(question: &Question, progress: Progress<'_>) -> Result<Answered<Network>, Error> {
    let (load, steps) = (question.load(), question.steps()?);
    let mut ran = Vec::new();
    let of = u64::from(question.seeds.max(1));
    for nth in 0..of {
        progress(nth, of);
        let seed = question.seed + nth;
        let mut session = Session::open(question, seed, question.sniff && nth == 0)?;
        ran.push(session.perform(load, &steps)?);
    }
    progress(of, of);
    let frames = ran.first_mut().and_then(|first| first.frames.take()).map(|capture| Frames {
        pcapng: capture.pcapng,
        count: capture.count,
        left_out: Default::default(),
        over_limit: capture.over_limit,
    });
    let evidence = vec![Evidence { frames, ..Evidence::default() }];
    Ok(Answered { answer: shape::network(question, &ran), evidence })
}
