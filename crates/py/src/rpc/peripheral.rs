//! The end that responds to calls, with the benchmark service.

use airlag_rpc::benchmark::BenchmarkServer;
use airlag_rpc::capability::Flags;
use airlag_rpc::exchange::identity;
use airlag_rpc::flash::Flash;
use airlag_rpc::peripheral::{Config, Peripheral};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Seeded, encryption, instant, mtu_of, thirty_two};

/// Longest request: a write of 8 KiB with its headers.
const REQUEST: usize = 8_192 + 64;
/// Capacity of the queue of responses.
const CALLS: usize = 16;
/// Readable memory: the low bytes of its addresses.
static MEMORY: [u8; 8_192] = {
    let mut bytes = [0; 8_192];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = at as u8;
        at += 1;
    }
    bytes
};

/// State machine of a peripheral with the benchmark service: containers in, containers out.
#[pyclass(module = "airlag._airlag")]
pub struct RpcPeripheral {
    peripheral: Peripheral<BenchmarkServer<Flash<&'static [u8]>>, Seeded, REQUEST, CALLS>,
    packet: Vec<u8>,
    identity: [u8; 32],
}

#[pymethods]
impl RpcPeripheral {
    /// Creates a peripheral for a connection with an MTU of `mtu` bytes. `entropy` has 32 random bytes.
    /// `identity_seed` is the secret identity key. `encryption` is require, prefer or off.
    #[new]
    #[pyo3(signature = (mtu, entropy, *, identity_seed, encryption="require", calls_in_flight=8))]
    fn new(
        mtu: usize,
        entropy: &[u8],
        identity_seed: &[u8],
        encryption: &str,
        calls_in_flight: u8,
    ) -> PyResult<Self> {
        let packet = mtu_of(mtu)?;
        let mut config = Config::new(packet, calls_in_flight);
        if calls_in_flight <= 1 {
            config.flags = config.flags.without(Flags::COMPACT);
        }
        config.encryption = self::encryption(encryption)?;
        let seed = thirty_two("an identity's seed", identity_seed)?;
        let random = Seeded::new(thirty_two("entropy", entropy)?);
        let service = BenchmarkServer(Flash::new(&MEMORY[..]));
        let peripheral = Peripheral::new(service, seed, random, config);
        Ok(Self { peripheral, packet: vec![0; packet], identity: identity(&seed).0 })
    }

    /// Processes a received container. Returns the reason of a rejection, or `None`.
    fn received(&mut self, container: &[u8], now_ns: u64) -> Option<String> {
        let taken = self.peripheral.received(container, instant(now_ns));
        taken.err().map(|cause| cause.to_string())
    }

    /// The next container to send. `None` if there is none.
    fn outgoing<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let length = self.peripheral.outgoing(&mut self.packet)?;
        Some(PyBytes::new(py, &self.packet[..length]))
    }

    /// All containers that can be sent now.
    fn outgoing_all<'py>(&mut self, py: Python<'py>) -> Vec<Bound<'py, PyBytes>> {
        std::iter::from_fn(|| self.outgoing(py)).collect()
    }

    /// Resets the state after a disconnection.
    fn reset(&mut self) {
        self.peripheral.reset();
    }

    /// Public identity key.
    #[getter]
    fn identity<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.identity)
    }
}
