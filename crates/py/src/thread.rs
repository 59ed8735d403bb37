//! Thread networks of OpenThread's own nodes, as plain dictionaries.

use std::path::PathBuf;

use airlag_kinds::registry;
use airlag_kinds::thread::Parameters;
use airlag_openthread::{
    Carried, Config, Direction, Error, FrameLoss, Load, Network, Scope, Setup, Shape, Sniffer,
    Topology, WhenFull,
};
use airlag_rig::interrupt;
use airlag_sim::{Duration, Instant};
use airlag_stats::dist::Summary;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::answers::latency;
use crate::bench::{LinkError, link_error};
use crate::signals::attended;

/// What was found: how long each node took, what became of the load, frames, and how many were left out.
type Found = (Vec<Duration>, Instant, Carried, Option<(Vec<u8>, u64)>);

fn shape(name: &str, hops: usize) -> PyResult<Shape> {
    Ok(match name {
        "one-hop" => Shape::OneHop,
        "chain" => Shape::Chain,
        "star" => Shape::Star,
        "tree" => Shape::Tree { hops },
        other => {
            let message = format!("topology {other:?} is none of one-hop, chain, star and tree");
            return Err(LinkError::new_err(message));
        }
    })
}

/// Node 1 as the border router of a profile, and the others as its device; or boards that cost nothing.
fn boards(profile: Option<&str>) -> PyResult<[Config; 2]> {
    let Some(name) = profile else { return Ok([Config::default(); 2]) };
    let profile = registry::find(name).map_err(link_error)?;
    let parameters: Parameters = profile.read().map_err(link_error)?;
    let both = [parameters.border_router(), parameters.device()];
    Ok(both.map(|board| Config::of(&board, parameters.interframe_space)))
}

fn run(setup: Setup, load: Load, sniff: bool) -> Result<Found, Error> {
    let network = Network::new(setup, interrupt::is_requested)?;
    let sniffer = sniff.then(|| Sniffer::attach(&network.air, Instant::START));
    let took = network.form()?;
    let formed = network.bench.now();
    let carried = network.carry(load)?;
    let heard = sniffer.map(|sniffer| {
        let capture = sniffer.take();
        (capture.pcapng, capture.over_limit)
    });
    Ok((took, formed, carried, heard))
}

/// Forms a network of processes, sends a load through it, and tells what became of it; with every frame on
/// the air, as a `.pcapng`, if asked for.
#[pyfunction]
#[pyo3(signature = (folder, *, topology, nodes, hops, direction, size, count, period_ns, wait, poll_period_ns, frame_loss, loss_burst, boards_of, seed, sniff) -> "dict[str, Any]")]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn thread_network<'py>(
    py: Python<'py>,
    folder: PathBuf,
    topology: &str,
    nodes: usize,
    hops: usize,
    direction: &str,
    size: usize,
    count: usize,
    period_ns: u64,
    wait: bool,
    poll_period_ns: Option<u64>,
    frame_loss: f64,
    loss_burst: f64,
    boards_of: Option<&str>,
    seed: u64,
    sniff: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let topology = Topology::new(shape(topology, hops)?, nodes).map_err(link_error)?;
    let [leader, node] = boards(boards_of)?;
    let setup = Setup {
        folder,
        topology,
        leader,
        node,
        poll_period: poll_period_ns.map(Duration::from_ns),
        loss: FrameLoss { share: frame_loss, burst: loss_burst },
        seed,
    };
    let load = Load {
        direction: if direction == "down" { Direction::Down } else { Direction::Up },
        scope: Scope::MeshLocal,
        size,
        count,
        period: Duration::from_ns(period_ns),
        when_full: if wait { WhenFull::Wait } else { WhenFull::Refuse },
    };
    let found = attended(py, || run(setup, load, sniff)).whole()?.map_err(link_error)?;
    told(py, &found, size)
}

fn summary<'py>(py: Python<'py>, latencies: &[Duration]) -> PyResult<Option<Bound<'py, PyDict>>> {
    let ns: Vec<i64> = latencies.iter().map(|one| one.as_ns() as i64).collect();
    latency(py, Summary::of(&ns).as_ref())
}

fn told<'py>(py: Python<'py>, found: &Found, size: usize) -> PyResult<Bound<'py, PyDict>> {
    let (took, formed, carried, heard) = found;
    let dict = PyDict::new(py);
    dict.set_item("attach_ns", took.iter().map(|one| one.as_ns()).collect::<Vec<_>>())?;
    dict.set_item("formed_ns", formed.as_ns())?;
    dict.set_item("goodput_kbps", carried.goodput_kbps(size))?;
    dict.set_item("latency_ns", summary(py, &carried.latencies())?)?;
    let flows = carried.flows.iter().map(|flow| {
        let dict = PyDict::new(py);
        dict.set_item("from", flow.from + 1)?;
        dict.set_item("to", flow.to + 1)?;
        dict.set_item("hops", flow.hops)?;
        dict.set_item("sent", flow.messages.len())?;
        dict.set_item("delivered", flow.delivered())?;
        dict.set_item("refused", flow.refused())?;
        dict.set_item("duplicates", flow.duplicates)?;
        dict.set_item("latency_ns", summary(py, &flow.latencies())?)?;
        Ok(dict)
    });
    dict.set_item("flows", flows.collect::<PyResult<Vec<_>>>()?)?;
    let counts = &carried.counts;
    dict.set_item("frames", counts.frames)?;
    dict.set_item("retries", counts.retries)?;
    dict.set_item("no_acks", counts.no_acks)?;
    dict.set_item("busy", counts.busy)?;
    dict.set_item("co_processor_full", carried.co_processor_full)?;
    if let Some((pcapng, over_limit)) = heard {
        dict.set_item("pcapng", PyBytes::new(py, pcapng))?;
        dict.set_item("over_limit", over_limit)?;
    }
    Ok(dict)
}
