//! Transmissions of each radio of a link during a run: start, end and spectrum of each frame.
//!
//! The observation lasts from the first trigger to one mean trigger interval after the last
//! trigger, so that it covers a whole number of intervals.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use airlag_air::{Medium, NodeId};
use airlag_sim::Instant;

use crate::error::Error;
use crate::profile::Profile;
use crate::run::{Options, Run, observed};
use crate::stimulus::Stimulus;

/// Name prefix of nodes that do not belong to the link; a number follows.
const NEIGHBOUR: &str = "neighbour";

/// A frame on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emission {
    /// First bit, ns since the start of the observation.
    pub begin_ns: u64,
    /// Last bit, ns.
    pub end_ns: u64,
    /// Lower channel edge, kHz.
    pub low_khz: u32,
    /// Upper channel edge, kHz.
    pub high_khz: u32,
}

/// A radio of a link and its transmissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// Node name on the air.
    pub name: String,
    /// Frames that started during the observation, in order.
    pub emissions: Vec<Emission>,
    /// Duration of the observation, ns.
    pub observed_ns: u64,
}

/// Whether the node called `name` belongs to the link.
pub(crate) fn is_of_link(name: &str) -> bool {
    !name.starts_with(NEIGHBOUR)
}

/// Most frames kept; later frames are not recorded.
const LIMIT: usize = 1 << 21;

/// Runs a bench as [`run`](crate::run()) does and records its transmissions. The result is empty
/// for links without a radio.
///
/// # Errors
///
/// Errors of a run.
pub fn emitted(
    profile: &Profile,
    size: usize,
    stimulus: &Stimulus,
    options: Options,
) -> Result<(Run, Vec<Sender>), Error> {
    let (run, heard) = observed(profile, size, stimulus, options, |session| {
        let air = session.bench().air_in_use();
        Ok(air.map(|air| Heard::attach(air, session.ready())))
    })?;
    let senders = heard.map_or_else(Vec::new, |heard| heard.take(&run));
    Ok((run, senders))
}

/// Listener on the air.
struct Heard {
    air: Medium,
    frames: Rc<RefCell<Vec<(NodeId, Emission)>>>,
}

impl Heard {
    fn attach(air: &Medium, ready: Instant) -> Self {
        let frames: Rc<RefCell<Vec<(NodeId, Emission)>>> = Rc::default();
        let kept = Rc::clone(&frames);
        air.tap(move |frame, _| {
            let mut kept = kept.borrow_mut();
            if frame.begin < ready || kept.len() >= LIMIT {
                return;
            }
            let sent = Emission {
                begin_ns: frame.begin.since(ready).as_ns(),
                end_ns: frame.end.since(ready).as_ns(),
                low_khz: frame.band.low_khz,
                high_khz: frame.band.high_khz,
            };
            kept.push((frame.from, sent));
        });
        Self { air: air.clone(), frames }
    }

    fn take(self, run: &Run) -> Vec<Sender> {
        let frames = self.frames.take();
        let (from_ns, mut until_ns) = watched(run);
        if frames.len() >= LIMIT {
            // Frames are reported in the order of their ends.
            until_ns = frames.last().map_or(until_ns, |(_, last)| last.end_ns.min(until_ns));
        }
        let mut by_node: BTreeMap<NodeId, Vec<Emission>> = BTreeMap::new();
        for (node, sent) in frames {
            let all = by_node.entry(node).or_default();
            if let Some(begin_ns) = sent.begin_ns.checked_sub(from_ns) {
                all.push(Emission { begin_ns, end_ns: sent.end_ns - from_ns, ..sent });
            }
        }
        let observed_ns = until_ns - from_ns;
        let named = |(node, mut emissions): (NodeId, Vec<Emission>)| {
            emissions.retain(|one| one.begin_ns < observed_ns);
            emissions.sort_by_key(|one| one.begin_ns);
            Sender { name: self.air.name(node), emissions, observed_ns }
        };
        let senders = by_node.into_iter().map(named);
        senders.filter(|sender| is_of_link(&sender.name)).collect()
    }
}

/// Observation window: from the first trigger to one mean trigger interval after the last, ns; the
/// whole run if it has fewer than two triggers.
fn watched(run: &Run) -> (u64, u64) {
    let mut triggers: Vec<i64> = Vec::new();
    // Channels come in pairs of a trigger and a completion, and edges in pairs of a rise and a
    // fall.
    for channel in run.trace.channels.iter().step_by(2) {
        let edges = channel.segments.iter().flat_map(|segment| &segment.edges_ns);
        triggers.extend(edges.step_by(2));
    }
    triggers.sort_unstable();
    let end = run.trace.channels.iter().flat_map(|channel| &channel.segments);
    let end = end.map(|segment| segment.end_ns).max().unwrap_or(0);
    let (first, until) = match triggers[..] {
        [first, .., last] if last > first => {
            (first, last + (last - first) / (triggers.len() as i64 - 1))
        }
        _ => (0, end),
    };
    (first.unsigned_abs(), until.unsigned_abs())
}
