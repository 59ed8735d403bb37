//! Emulated links in real time, between ports of other programs.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use airlag_kinds::ip_tunnel::FRAMING;
use airlag_linux::Tun;
use airlag_live::journal::{self, OneWay};
use airlag_live::port::LONGEST;
use airlag_live::session::{Emulated, Progress};
use airlag_live::{Journal, Plan, Port, emulate, probe, pty, tcp, udp};
use airlag_rig::kind::Ways;
use airlag_rig::places::{self, Choice};
use airlag_rig::programs::relayed::Framing;
use airlag_rig::relay::{Bridge, OpenedBy, Options};
use airlag_sim::Duration;
use airlag_stats::Outcome;
use airlag_stats::pair::{NONE, Transfers as Paired};
use airlag_trace::{Channel, Segment};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::bench::{LinkError, link_error, profile};
use crate::capture::{CaptureError, Trace};
use crate::signals::{Ended, attended};
use crate::transfers::Transfers;

type Pair = [Box<dyn Port + Send>; 2];

/// Two open ports of other programs.
#[pyclass(frozen, module = "airlag._airlag")]
pub struct Ports {
    /// Addresses or paths for other programs: near port, far port.
    #[pyo3(get)]
    names: [String; 2],
    /// Maximum packet length, bytes.
    #[pyo3(get)]
    mtu: usize,
    framing: Framing,
    pair: Mutex<Option<Pair>>,
}

impl Ports {
    fn new(names: [String; 2], framing: Framing, pair: Pair) -> Self {
        Self { names, mtu: LONGEST, framing, pair: Mutex::new(Some(pair)) }
    }
}

/// Ethernet MTU, bytes (IEEE 802.3, 3.2.7): the upper limit, because hosts expect it.
const ETHERNET: usize = 1_500;

fn address(text: &str) -> PyResult<SocketAddr> {
    let found = text.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| LinkError::new_err(format!("{text}: unknown host")))
}

#[pymethods]
impl Ports {
    /// Opens a UDP relay: datagrams to `listen` are forwarded to `to`, both `host:port`.
    #[staticmethod]
    fn udp(listen: &str, to: &str) -> PyResult<Self> {
        let (here, server) = (address(listen)?, address(to)?);
        let refused = |error| LinkError::new_err(format!("cannot listen at {listen}: {error}"));
        let (near, far) = udp::relay(here, server).map_err(refused)?;
        let names = [near.address()?.to_string(), server.to_string()];
        Ok(Self::new(names, Framing::Packets, [Box::new(near), Box::new(far)]))
    }

    /// Opens two serial ports that carry bytes.
    #[staticmethod]
    fn serial() -> PyResult<Self> {
        let refused = |error| LinkError::new_err(format!("no pseudo terminal: {error}"));
        let (near, far) = (pty::Pty::open().map_err(refused)?, pty::Pty::open().map_err(refused)?);
        let names = [&near, &far].map(|port| port.path().display().to_string());
        Ok(Self::new(names, Framing::Bytes, [Box::new(near), Box::new(far)]))
    }

    /// Opens a TCP relay from the first of `ends` to the second, both `host:port`, over the link `name`, whose
    /// time runs `speed` times as fast as the wall clock.
    #[staticmethod]
    fn tcp(
        ends: (String, String),
        name: &str,
        size: usize,
        settings: BTreeMap<String, String>,
        speed: f64,
    ) -> PyResult<Self> {
        let (listen, to) = ends;
        let (here, server) = (address(&listen)?, address(&to)?);
        let mtu = ip_mtu(name, size, &settings)?;
        let refused = |error| LinkError::new_err(format!("cannot listen at {listen}: {error}"));
        if let Some(opened) = connection(name, size, &settings)? {
            let (near, far) = tcp::splice(here, server).map_err(refused)?;
            let listens = near.address()?.map(|at| at.to_string()).unwrap_or_default();
            let mut names = [listens, server.to_string()];
            let mut pair: Pair = [Box::new(near), Box::new(far)];
            // The client is at the board that opens the connection.
            if opened == OpenedBy::Peer {
                names.reverse();
                pair.reverse();
            }
            return Ok(Self::new(names, Framing::Bytes, pair));
        }
        let (near, far) = tcp::relay(here, server, mtu, speed).map_err(refused)?;
        let listens = near.address()?.map(|at| at.to_string()).unwrap_or_default();
        let names = [listens, server.to_string()];
        Ok(Self { mtu, ..Self::new(names, FRAMING, [Box::new(near), Box::new(far)]) })
    }

    /// Opens two network interfaces for IP packets with the MTU of the link `name`.
    #[staticmethod]
    fn tun(name: &str, size: usize, settings: BTreeMap<String, String>) -> PyResult<Self> {
        let mtu = ip_mtu(name, size, &settings)?;
        let refused = |error: std::io::Error| LinkError::new_err(error.to_string());
        let open = || Tun::open("airlag%d", mtu as u16).map_err(refused);
        let (near, far) = (open()?, open()?);
        let names = [&near, &far].map(|port| port.name().to_owned());
        Ok(Self { mtu, ..Self::new(names, FRAMING, [Box::new(near), Box::new(far)]) })
    }
}

/// Whether a link is bidirectional.
#[pyfunction]
pub fn goes_both_ways(name: &str, settings: BTreeMap<String, String>) -> PyResult<bool> {
    let profile = profile(name, &settings)?;
    let bound = profile.bind().map_err(|error| LinkError::new_err(error.to_string()))?;
    Ok(bound.ways() == Ways::Both)
}

/// Returns the number (from 1), seed and shadowing (dB) of a simulated location of a link: location `nth`, or the one
/// whose signal is stronger than at `percentile` percent of the locations. `None` if all locations are equal.
#[pyfunction]
#[pyo3(signature = (name, size, seed, *, nth=None, percentile=50, settings=BTreeMap::new()))]
pub fn emulated_location(
    py: Python<'_>,
    name: &str,
    size: usize,
    seed: u64,
    nth: Option<usize>,
    percentile: usize,
    settings: BTreeMap<String, String>,
) -> PyResult<Option<(usize, u64, f64)>> {
    let profile = profile(name, &settings)?;
    let choice =
        nth.map_or(Choice::Percentile(percentile), |nth| Choice::Nth(nth.saturating_sub(1)));
    let found = attended(py, || places::locate(&profile, size, seed, choice)).whole()?;
    let found = found.map_err(|error| LinkError::new_err(error.to_string()))?;
    Ok(found.map(|at| (at.nth + 1, at.seed, at.shadowing.0)))
}

/// End that opens the connection of a connection-oriented link. `None` for other links.
fn connection(
    name: &str,
    size: usize,
    settings: &BTreeMap<String, String>,
) -> PyResult<Option<OpenedBy>> {
    let profile = profile(name, settings)?;
    let bench = Options { size, room: 1, framing: Framing::Bytes, seed: 1, sniff: false };
    Ok(Bridge::open(&profile, bench).map_err(link_error)?.connection())
}

/// Maximum length of an IP packet over a link, bytes.
fn ip_mtu(name: &str, size: usize, settings: &BTreeMap<String, String>) -> PyResult<usize> {
    if !goes_both_ways(name, settings.clone())? {
        return Err(LinkError::new_err(format!(
            "{name} is unidirectional, but connections and hosts need replies; use a bidirectional \
             link, such as ieee802154-ack, or --listen PORT --to HOST:PORT for datagrams"
        )));
    }
    let profile = profile(name, settings)?;
    let bench = Options { size, room: 1, framing: FRAMING, seed: 1, sniff: false };
    Ok(Bridge::open(&profile, bench).map_err(link_error)?.mtu().min(ETHERNET))
}

/// Transfers of one direction, as in a capture of its two ports.
fn paired(one_way: OneWay) -> Paired {
    let outcome = |outcome| match outcome {
        journal::Outcome::Arrived => Outcome::Delivered,
        journal::Outcome::InFlight => Outcome::Censored,
        journal::Outcome::Lost => Outcome::Lost,
    };
    let outcome: Vec<Outcome> = one_way.outcomes().map(outcome).collect();
    let end_ns = one_way.tally.elapsed_ns as i64;
    let in_time = |at| if at > end_ns { NONE } else { at };
    let mut completion_ns = one_way.arrived_ns;
    completion_ns.iter_mut().for_each(|at| *at = in_time(*at));
    Paired {
        trigger_ns: one_way.offered_ns,
        completion_ns,
        outcome,
        start_ns: 0,
        end_ns,
        ..Paired::default()
    }
}

/// Edges that a logic analyser at the two ports would record: pulses of 1 ns, at least 2 ns apart.
pub(crate) fn edges(paired: &Paired) -> airlag_trace::Trace {
    let pulses = |instants: &mut dyn Iterator<Item = i64>| {
        let mut sorted: Vec<i64> = instants.filter(|&at| at != NONE).collect();
        sorted.sort_unstable();
        let mut free = i64::MIN;
        let rises = sorted.into_iter().map(move |at| {
            let rise = at.max(free);
            free = rise + 2;
            rise
        });
        rises.flat_map(|rise| [rise, rise + 1]).collect::<Vec<_>>()
    };
    let channel = |name: &str, edges_ns: Vec<i64>| {
        let end_ns = edges_ns.last().map_or(paired.end_ns, |&last| paired.end_ns.max(last));
        let segment = Segment { begin_ns: 0, end_ns, initial: false, edges_ns };
        Channel { name: name.to_owned(), segments: vec![segment] }
    };
    let channels = vec![
        channel("trigger", pulses(&mut paired.trigger_ns.iter().copied())),
        channel("completion", pulses(&mut paired.completion_ns.iter().copied())),
    ];
    airlag_trace::Trace { channels, ..airlag_trace::Trace::default() }
}

fn way(py: Python<'_>, one_way: OneWay) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("about", &one_way.about)?;
    let tally = &one_way.tally;
    dict.set_item("elapsed_ns", tally.elapsed_ns)?;
    dict.set_item("refused", tally.refused)?;
    dict.set_item("bytes_in", tally.bytes[0])?;
    dict.set_item("bytes_out", tally.bytes[1])?;
    dict.set_item("incidents", &tally.incidents)?;
    let late = PyDict::new(py);
    late.set_item("n", tally.late.n)?;
    late.set_item("p50", tally.late.p50)?;
    late.set_item("p99", tally.late.p99)?;
    late.set_item("max", tally.late.max)?;
    late.set_item("marked", tally.late.marked)?;
    dict.set_item("late_ns", late)?;
    let (trace, paired) = py.detach(|| {
        let paired = paired(one_way);
        (edges(&paired), paired)
    });
    dict.set_item("trace", Trace(trace))?;
    dict.set_item("transfers", Transfers::of(py, paired))?;
    Ok(dict)
}

fn emulated(py: Python<'_>, done: Emulated) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    let ways = done.ways.into_iter().map(|one_way| way(py, one_way));
    dict.set_item("ways", ways.collect::<PyResult<Vec<_>>>()?)?;
    let sniffed = done.sniffed.as_ref();
    dict.set_item("pcapng", sniffed.map(|one| PyBytes::new(py, &one.pcapng)))?;
    Ok(dict)
}

/// Reads one direction of an interrupted emulation from the intact part of its journal.
#[pyfunction]
pub fn read_journal(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let one_way = py.detach(|| File::open(&path).and_then(journal::read));
    way(py, one_way.map_err(|error| CaptureError::new_err(format!("{}: {error}", path.display())))?)
}

/// Identifies the command that wrote a journal by its first bytes: `emulate` or `probe`. `None` if the file is not a
/// journal. A pipe is not read.
#[pyfunction]
pub fn journal_of(path: PathBuf) -> Option<&'static str> {
    if !path.is_file() {
        return None;
    }
    let mut head = [0; 8];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).ok()?;
    match &head {
        journal::MAGIC => Some("emulate"),
        probe::journal::MAGIC => Some("probe"),
        _ => None,
    }
}

/// Journal of one direction: its path, or `None` for an unnamed file, and the emulation's parameters.
type Noted = (Option<PathBuf>, String);

fn begin_journal((path, about): &Noted, force: bool) -> PyResult<Journal> {
    match path {
        None => Journal::scratch(about)
            .map_err(|error| LinkError::new_err(format!("no temporary file: {error}"))),
        Some(path) => Journal::create(path, about, force).map_err(|error| {
            let what = match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    "it is left over from an emulation that was killed; \
                    read it with airlag analyze, or replace it with --force"
                        .to_owned()
                }
                _ => error.to_string(),
            };
            LinkError::new_err(format!("{}: {what}", path.display()))
        }),
    }
}

/// Result of an emulation, and the exception of the signal handler that ended it, if any.
type Relayed<'py> = (Bound<'py, PyDict>, Option<Py<pyo3::exceptions::PyBaseException>>);

/// Relays packets between two ports over the emulated link `name` in real time. Stops after `lasting_ns` of
/// virtual time, or when the process receives a signal. The two `journals` record the packets, one journal
/// per direction. Existing journal files are replaced only with `force`. `on_progress` is called periodically
/// with the virtual time in ns and, for each direction, the numbers of packets offered, arrived and waiting.
#[pyfunction]
#[pyo3(signature = (name, ports, journals, *, force=false, size, room=64, speed=1.0, lasting_ns=None, seed=1, settings=BTreeMap::new(), sniff=false, on_progress: "Callable[[int, Sequence[Sequence[int]]], None] | None" = None) -> "tuple[_Emulated, BaseException | None]")]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn emulate_link<'py>(
    py: Python<'py>,
    name: &str,
    ports: &Ports,
    journals: (Noted, Noted),
    force: bool,
    size: usize,
    room: usize,
    speed: f64,
    lasting_ns: Option<u64>,
    seed: u64,
    settings: BTreeMap<String, String>,
    sniff: bool,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Relayed<'py>> {
    let profile = profile(name, &settings)?;
    let bench = Options { size, room, framing: ports.framing, seed, sniff };
    let plan = Plan { bench, speed, lasting: lasting_ns.map(Duration::from_ns) };
    let journals = [begin_journal(&journals.0, force)?, begin_journal(&journals.1, force)?];
    let pair = ports.pair.lock().unwrap_or_else(PoisonError::into_inner).take();
    let mut pair = pair.ok_or_else(|| LinkError::new_err("these ports are in use already"))?;
    let report = |progress: Progress| {
        let Some(on_progress) = &on_progress else { return };
        // An error of the progress callback does not stop the work.
        Python::attach(|py| drop(on_progress.call1(py, (progress.elapsed.as_ns(), progress.ways))));
    };
    match attended(py, || emulate(&profile, &plan, &mut pair, journals, report)) {
        Ended::Done(done) => Ok((emulated(py, done.map_err(link_error)?)?, None)),
        Ended::Stopped(raised, Some(Ok(done))) => {
            Ok((emulated(py, done)?, Some(raised.into_value(py))))
        }
        Ended::Stopped(raised, _) => Err(raised),
    }
}
