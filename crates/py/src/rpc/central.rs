//! The end that makes calls.

use airlag_rpc::capability::Flags;
use airlag_rpc::central::{CallKind, Central, Config, Event};
use airlag_rpc::{Identity, Instant};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};

use super::{Seeded, encryption, instant, mtu_of, thirty_two};

/// Largest number of calls in flight.
const CALLS: u8 = 16;

/// State machine of a central in one connection: containers in, containers out.
#[pyclass(module = "airlag._airlag")]
pub struct RpcCentral {
    central: Central<Seeded>,
    packet: Vec<u8>,
    now: Instant,
}

#[pymethods]
impl RpcCentral {
    /// Creates a central for a connection with an MTU of `mtu` bytes. The central starts the protocol
    /// negotiation with the peripheral. `entropy` is 32 random bytes. `identity` is the key of the
    /// peripheral, or `None` if it is not known. `encryption` is `require`, `prefer` or `off`.
    #[new]
    #[pyo3(signature = (mtu, entropy, *, identity=None, encryption="require", pipelined=true, timeout_ns=None))]
    fn new(
        mtu: usize,
        entropy: &[u8],
        identity: Option<&[u8]>,
        encryption: &str,
        pipelined: bool,
        timeout_ns: Option<u64>,
    ) -> PyResult<Self> {
        let packet = mtu_of(mtu)?;
        let mut config = Config::new(packet, if pipelined { CALLS } else { 1 });
        if !pipelined {
            config.flags = config.flags.without(Flags::COMPACT);
        }
        config.encryption = self::encryption(encryption)?;
        config.identity =
            identity.map(|key| thirty_two("an identity", key)).transpose()?.map(Identity);
        config.timeout_ns = timeout_ns;
        let seed = Seeded::new(thirty_two("entropy", entropy)?);
        let now = instant(0);
        Ok(Self { central: Central::new(config, seed, now), packet: vec![0; packet], now })
    }

    /// Makes a call with a single response. Returns its ticket.
    fn call(&mut self, method: &str, request: &[u8]) -> u32 {
        self.central.ask(CallKind::Single, method, vec![request.to_vec()])
    }

    /// Makes a call with a stream of items. Returns its ticket.
    fn stream(&mut self, method: &str, request: &[u8]) -> u32 {
        self.central.ask(CallKind::Stream, method, vec![request.to_vec()])
    }

    /// Makes a call with an upload of items. Returns its ticket.
    fn upload(&mut self, method: &str, items: Vec<PyBackedBytes>) -> u32 {
        let items = items.iter().map(|item| item.to_vec()).collect();
        self.central.ask(CallKind::Upload, method, items)
    }

    /// Cancels a call.
    fn cancel(&mut self, ticket: u32) {
        self.central.cancel(ticket);
    }

    /// The next container to send. `None` if there is none.
    fn outgoing<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let length = self.central.outgoing(&mut self.packet, self.now)?;
        Some(PyBytes::new(py, &self.packet[..length]))
    }

    /// All containers that can be sent now.
    fn outgoing_all<'py>(&mut self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        std::iter::from_fn(|| self.outgoing(py)).collect()
    }

    /// Processes received containers.
    fn received_all(&mut self, containers: Vec<PyBackedBytes>, now_ns: u64) {
        containers.iter().for_each(|container| self.received(container, now_ns));
    }

    /// Processes a received container.
    fn received(&mut self, container: &[u8], now_ns: u64) {
        self.now = instant(now_ns);
        self.central.received(container, self.now);
    }

    /// Fails calls after their timeout. Returns the time of the next check, ns, or `None` if no call is
    /// waiting.
    fn tick(&mut self, now_ns: u64) -> Option<u64> {
        self.now = instant(now_ns);
        self.central.tick(self.now).map(|Instant(ns)| ns)
    }

    /// Events since the last call: name, ticket, and message or cause.
    #[pyo3(signature = () -> "list[tuple[str, int | None, bytes | str]]")]
    fn events<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut events = Vec::new();
        while let Some(event) = self.central.event() {
            let bytes = |bytes: &[u8]| PyBytes::new(py, bytes);
            let event = match event {
                Event::Ready => ("ready", None::<u32>, "").into_pyobject(py)?.into_any(),
                Event::Broken(failure) => {
                    ("failed", None::<u32>, failure.to_string()).into_pyobject(py)?.into_any()
                }
                Event::Reply { ticket, message } => {
                    ("reply", Some(ticket), bytes(&message)).into_pyobject(py)?.into_any()
                }
                Event::Item { ticket, message } => {
                    ("item", Some(ticket), bytes(&message)).into_pyobject(py)?.into_any()
                }
                Event::End { ticket } => {
                    ("end", Some(ticket), bytes(b"")).into_pyobject(py)?.into_any()
                }
                Event::Failed { ticket, failure } => {
                    ("failed", Some(ticket), failure.to_string()).into_pyobject(py)?.into_any()
                }
                Event::Dropped => continue,
            };
            events.push(event);
        }
        Ok(events)
    }

    /// Properties of the peripheral. `None` before the negotiation.
    #[getter]
    fn peer<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(peer) = self.central.peer() else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item("encrypted", peer.identity.is_some())?;
        dict.set_item("identity", peer.identity.map(|Identity(key)| PyBytes::new(py, &key)))?;
        dict.set_item("max_request", peer.max_request)?;
        dict.set_item("max_response", peer.max_response)?;
        dict.set_item("timeout_ms", peer.timeout_ms)?;
        dict.set_item("calls_in_flight", peer.flags.calls())?;
        Ok(Some(dict))
    }

    fn __repr__(&self) -> String {
        format!("<{:?}>", self.central)
    }
}
