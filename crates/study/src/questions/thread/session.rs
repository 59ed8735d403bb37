//! A Thread network under interactive control.

use airlag_openthread::{Load, LoadResult, Network, Sniffer, Supervision};
use airlag_rig::interrupt;
use airlag_sim::{Duration, Instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::step::{Action, Outcome, Step};
use super::{Question, Topology, refused};
use crate::error::Error;
use crate::json;

/// A formed network. Dropping it ends its processes.
pub struct Session {
    network: Network,
    attach: Vec<Duration>,
    formed: Instant,
    zero: Instant,
    sniffer: Option<Sniffer>,
}

/// Properties of a newly formed network.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ThreadFormed")]
pub struct Formed {
    /// Topology of the network.
    pub topology: Topology,
    /// Position of each node, x and y, m.
    pub positions_m: Vec<[f64; 2]>,
    /// For each node: time from switch-on until the node has its role in the network, ns.
    pub attach_ns: Vec<u64>,
    /// Time until the last node has its role, ns.
    pub formed_ns: u64,
}

/// Request of a program to a running network.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(rename = "ThreadRequest")]
pub enum Request {
    /// Performs an action now. The reply is its outcome.
    Do(Action),
    /// Advances virtual time. The reply is the state.
    RunFor {
        /// Time to advance, ns.
        ns: u64,
    },
    /// Returns the state.
    State,
}

/// State of a running network.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ThreadState")]
pub struct State {
    /// Time since the network formed, ns.
    pub now_ns: u64,
    /// For each node: role (disabled, detached, child, router, leader).
    pub roles: Vec<String>,
    /// For each node: whether it is running. False after the node was killed.
    pub alive: Vec<bool>,
}

/// A capture of every frame on the air.
pub(super) struct Capture {
    pub(super) pcapng: Vec<u8>,
    pub(super) count: u64,
    pub(super) over_limit: u64,
}

/// Result of a network run.
pub(super) struct Ran {
    pub(super) seed: u64,
    pub(super) positions_m: Vec<[f64; 2]>,
    pub(super) hops: u64,
    pub(super) attach_ns: Vec<u64>,
    pub(super) formed_ns: u64,
    pub(super) carried: Option<LoadResult>,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) roles: Vec<&'static str>,
    pub(super) frames: Option<Capture>,
}

impl Session {
    /// Forms the network of a question with this seed, on the calling thread.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`super::answer`].
    pub fn open(question: &Question, seed: u64, sniff: bool) -> Result<Self, Error> {
        let supervision =
            Supervision { interrupted: interrupt::is_requested, ..Supervision::default() };
        let mut network = Network::new(question.setup(seed)?, supervision)?;
        let sniffer = sniff.then(|| Sniffer::attach(&network.air, Instant::START));
        let attach = network.form()?;
        let formed = network.bench.now();
        Ok(Self { network, attach, formed, zero: formed, sniffer })
    }

    /// Forms the network of a question in JSON. Returns it with the [`Formed`] in JSON.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`super::answer`], and [`Error`] for text that is not a question or for a question with
    /// traffic, steps or several seeds.
    pub fn begin(question: &str) -> Result<(Self, String), Error> {
        let asked = serde_json::from_str(question);
        let question: Question = asked.map_err(|cause| refused(cause.to_string()))?;
        if question.load().is_some() || !question.steps.is_empty() || question.seeds > 1 {
            let cause = "an interactive network takes no traffic, steps or seeds; leave them out";
            return Err(refused(cause.to_owned()));
        }
        let session = Self::open(&question, question.seed, false)?;
        let formed = json::written(&session.formed(question.topology))?;
        Ok((session, formed))
    }

    /// Answers a [`Request`] in JSON.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Session::act`] and [`Session::run_for`], and [`Error`] for text that is not a request.
    pub fn ask(&mut self, request: &str) -> Result<String, Error> {
        let asked = serde_json::from_str(request);
        match asked.map_err(|cause| refused(cause.to_string()))? {
            Request::Do(action) => json::written(&self.act(&action)?),
            Request::RunFor { ns } => {
                self.run_for(Duration::from_ns(ns))?;
                json::written(&self.state())
            }
            Request::State => json::written(&self.state()),
        }
    }

    /// Returns the state of the network.
    #[must_use]
    pub fn state(&self) -> State {
        State {
            now_ns: self.network.bench.now().since(self.zero).as_ns(),
            roles: self.roles().into_iter().map(str::to_owned).collect(),
            alive: self.network.nodes().iter().map(|node| node.is_alive()).collect(),
        }
    }

    fn formed(&self, topology: Topology) -> Formed {
        Formed {
            topology,
            positions_m: self.positions(),
            attach_ns: self.attach.iter().map(|one| one.as_ns()).collect(),
            formed_ns: self.formed.as_ns(),
        }
    }

    /// Performs an action now.
    ///
    /// # Errors
    ///
    /// [`Error`] if a node does not exist, was killed, rejects the command, or fails.
    pub fn act(&mut self, action: &Action) -> Result<Outcome, Error> {
        action.perform(&mut self.network, self.zero)
    }

    /// Advances virtual time.
    ///
    /// # Errors
    ///
    /// [`Error`] if a node fails, or after an interruption.
    pub fn run_for(&self, time: Duration) -> Result<(), Error> {
        Ok(self.network.run_for(time)?)
    }

    fn roles(&self) -> Vec<&'static str> {
        self.network.nodes().iter().map(|node| node.role().0.name()).collect()
    }

    fn positions(&self) -> Vec<[f64; 2]> {
        let positions = &self.network.setup().topology.positions;
        positions.iter().map(|position| [position.x, position.y]).collect()
    }

    /// Sends a load and performs steps at their times.
    pub(super) fn perform(&mut self, load: Option<Load>, steps: &[Step]) -> Result<Ran, Error> {
        let underway = load.map(|load| self.network.begin(load)).transpose()?;
        self.zero = underway.as_ref().map_or(self.formed, |underway| underway.begin());
        let mut outcomes = Vec::with_capacity(steps.len());
        for (nth, step) in steps.iter().enumerate() {
            let due = self.zero + Duration::from_ns(step.at_ns);
            if due > self.network.bench.now() {
                self.network.run_until(due)?;
            }
            let outcome = self.act(&step.action);
            outcomes.push(outcome.map_err(|error| match error {
                Error::Rig(_) => error,
                other => refused(format!("step {}: {other}", nth + 1)),
            })?);
        }
        let carried = underway.map(|underway| self.network.finish(underway)).transpose()?;
        let frames = self.sniffer.take().map(|sniffer| {
            let capture = sniffer.take();
            Capture {
                pcapng: capture.pcapng,
                count: capture.frames,
                over_limit: capture.over_limit,
            }
        });
        Ok(Ran {
            seed: self.network.setup().seed,
            positions_m: self.positions(),
            hops: self.network.setup().topology.hops() as u64,
            attach_ns: self.attach.iter().map(|one| one.as_ns()).collect(),
            formed_ns: self.formed.as_ns(),
            carried,
            outcomes,
            roles: self.roles(),
            frames,
        })
    }
}
