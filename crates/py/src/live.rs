//! Links in real time, between ports of other programs.

use std::collections::BTreeMap;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::{Mutex, PoisonError};

use airlag_kinds::ip_tunnel::FRAMING;
use airlag_linux::Tun;
use airlag_live::port::LONGEST;
use airlag_live::session::{Emulated, Progress, Went};
use airlag_live::{Plan, Port, emulate, pty, tcp, udp};
use airlag_rig::programs::relayed::Framing;
use airlag_rig::relay::{Bridge, Options};
use airlag_sim::Duration;
use airlag_stats::Outcome;
use airlag_stats::pair::{NONE, Transfers as Paired};
use airlag_trace::{Channel, Segment};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::bench::{LinkError, link_error, profile};
use crate::capture::Trace;
use crate::signals::{Ended, attended};
use crate::transfers::Transfers;

type Pair = [Box<dyn Port + Send>; 2];

/// Two ports of other programs, open from now on.
#[pyclass(frozen, module = "airlag._airlag")]
pub struct Ports {
    /// What programs open or send to: of the near port, of the far one.
    #[pyo3(get)]
    names: [String; 2],
    /// Longest packet they take, bytes.
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

/// Longest packet of an Ethernet, bytes (IEEE 802.3, 3.2.7): what hosts expect where a link could take
/// more.
const ETHERNET: usize = 1_500;

fn address(text: &str) -> PyResult<SocketAddr> {
    let found = text.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| LinkError::new_err(format!("no host {text}")))
}

#[pymethods]
impl Ports {
    /// Datagrams: whoever sends to `listen` reaches `to`, both `host:port`.
    #[staticmethod]
    fn udp(listen: &str, to: &str) -> PyResult<Self> {
        let (here, server) = (address(listen)?, address(to)?);
        let refused = |error| LinkError::new_err(format!("cannot listen at {listen}: {error}"));
        let (near, far) = udp::relay(here, server).map_err(refused)?;
        let names = [near.address()?.to_string(), server.to_string()];
        Ok(Self::new(names, Framing::Packets, [Box::new(near), Box::new(far)]))
    }

    /// Bytes: two serial ports.
    #[staticmethod]
    fn serial() -> PyResult<Self> {
        let refused = |error| LinkError::new_err(format!("no pseudo terminal: {error}"));
        let (near, far) = (pty::Pty::open().map_err(refused)?, pty::Pty::open().map_err(refused)?);
        let names = [&near, &far].map(|port| port.path().display().to_string());
        Ok(Self::new(names, Framing::Bytes, [Box::new(near), Box::new(far)]))
    }

    /// Connections: whoever connects to the first of `ends` reaches the second, both `host:port`, by TCP
    /// over the link `name`, whose time goes `speed` times as fast as the wall clock.
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
        let (near, far) = tcp::relay(here, server, mtu, speed).map_err(refused)?;
        let listens = near.address()?.map(|at| at.to_string()).unwrap_or_default();
        let names = [listens, server.to_string()];
        Ok(Self { mtu, ..Self::new(names, FRAMING, [Box::new(near), Box::new(far)]) })
    }

    /// IP packets: two network interfaces with the MTU of the link `name`.
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

/// The longest IP packet over a link, bytes.
fn ip_mtu(name: &str, size: usize, settings: &BTreeMap<String, String>) -> PyResult<usize> {
    let profile = profile(name, settings)?;
    let bench = Options { size, room: 1, framing: FRAMING, seed: 1, sniff: false };
    Ok(Bridge::open(&profile, bench).map_err(link_error)?.mtu().min(ETHERNET))
}

/// The transfers of one way, as a capture of its two ports would have them.
fn paired(went: &Went, elapsed: Duration) -> Paired {
    let ns = |at: Duration| at.as_ns() as i64;
    let open_from = went.open_from();
    let outcome = |(nth, one): (usize, &airlag_live::session::Transfer)| match one.arrived {
        Some(_) => Outcome::Delivered,
        None if nth >= open_from => Outcome::Censored,
        None => Outcome::Lost,
    };
    Paired {
        trigger_ns: went.transfers.iter().map(|one| ns(one.offered)).collect(),
        completion_ns: went.transfers.iter().map(|one| one.arrived.map_or(NONE, ns)).collect(),
        outcome: went.transfers.iter().enumerate().map(outcome).collect(),
        start_ns: 0,
        end_ns: ns(elapsed),
        ..Paired::default()
    }
}

/// What an analyser at the two ports would have seen: pulses of a nanosecond, at least two apart.
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
    airlag_trace::Trace { epoch_unix_ns: None, sample_rate_hz: None, channels }
}

fn way<'py>(py: Python<'py>, went: &Went, elapsed: Duration) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let paired = paired(went, elapsed);
    dict.set_item("trace", Trace(edges(&paired)))?;
    dict.set_item("transfers", Transfers::of(py, paired))?;
    dict.set_item("refused", went.refused)?;
    dict.set_item("bytes_in", went.bytes[0])?;
    dict.set_item("bytes_out", went.bytes[1])?;
    Ok(dict)
}

fn emulated<'py>(py: Python<'py>, done: &Emulated) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let ways = done.ways.iter().map(|went| way(py, went, done.elapsed));
    dict.set_item("ways", ways.collect::<PyResult<Vec<_>>>()?)?;
    let late = PyDict::new(py);
    late.set_item("n", done.late.count())?;
    late.set_item("p50", done.late.quantile_ns(0.5))?;
    late.set_item("p99", done.late.quantile_ns(0.99))?;
    late.set_item("max", done.late.most_ns())?;
    late.set_item("marked", done.late.marked())?;
    dict.set_item("late_ns", late)?;
    dict.set_item("elapsed_ns", done.elapsed.as_ns())?;
    dict.set_item("incidents", &done.incidents)?;
    let sniffed = done.sniffed.as_ref();
    dict.set_item("pcapng", sniffed.map(|one| PyBytes::new(py, &one.pcapng)))?;
    dict.set_item("frames", sniffed.map(|one| one.frames))?;
    Ok(dict)
}

/// What became of everything, and what a signal handler raised, if that ended it.
type Relayed<'py> = (Bound<'py, PyDict>, Option<Py<pyo3::exceptions::PyBaseException>>);

/// Relays between two ports in real time, for `lasting_ns` of virtual time or until a signal comes.
/// `told` is called now and then with the virtual time in ns, and for each way what was offered,
/// what arrived and what waits.
#[pyfunction]
#[pyo3(signature = (name, ports, *, size, room=64, speed=1.0, lasting_ns=None, seed=1, settings=BTreeMap::new(), sniff=false, told: "Callable[[int, Sequence[Sequence[int]]], None] | None" = None) -> "tuple[_Emulated, BaseException | None]")]
#[expect(clippy::too_many_arguments, reason = "keywords on the other side")]
pub fn emulate_link<'py>(
    py: Python<'py>,
    name: &str,
    ports: &Ports,
    size: usize,
    room: usize,
    speed: f64,
    lasting_ns: Option<u64>,
    seed: u64,
    settings: BTreeMap<String, String>,
    sniff: bool,
    told: Option<Py<PyAny>>,
) -> PyResult<Relayed<'py>> {
    let profile = profile(name, &settings)?;
    let bench = Options { size, room, framing: ports.framing, seed, sniff };
    let plan = Plan { bench, speed, lasting: lasting_ns.map(Duration::from_ns) };
    let pair = ports.pair.lock().unwrap_or_else(PoisonError::into_inner).take();
    let mut pair = pair.ok_or_else(|| LinkError::new_err("these ports are in use already"))?;
    let tell = |progress: Progress| {
        let Some(told) = &told else { return };
        // What goes wrong with a line on a screen is no reason to stop.
        Python::attach(|py| drop(told.call1(py, (progress.elapsed.as_ns(), progress.ways))));
    };
    match attended(py, || emulate(&profile, &plan, &mut pair, tell)) {
        Ended::Done(done) => Ok((emulated(py, &done.map_err(link_error)?)?, None)),
        Ended::Stopped(raised, Some(Ok(done))) => {
            Ok((emulated(py, &done)?, Some(raised.into_value(py))))
        }
        Ended::Stopped(raised, _) => Err(raised),
    }
}
