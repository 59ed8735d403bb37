//! A link on the virtual bench with a peripheral.

use std::collections::BTreeMap;

use airlag_kinds::calls::central_bench::CentralBench;
use airlag_rpc::container::ATT_HEADER;
use airlag_sim::Duration;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::bench::{link_error, profile};

/// The central's end of a link. Virtual time advances only in `receive`.
#[pyclass(unsendable, module = "airlag._airlag")]
pub struct RpcBench {
    bench: CentralBench,
}

#[pymethods]
impl RpcBench {
    /// Creates the link with this name and these settings.
    #[new]
    #[pyo3(signature = (link, seed=1, settings=BTreeMap::new()))]
    fn new(link: &str, seed: u64, settings: BTreeMap<String, String>) -> PyResult<Self> {
        let profile = profile(link, &settings)?;
        Ok(Self { bench: CentralBench::open(&profile, seed).map_err(link_error)? })
    }

    /// Longest attribute PDU: a container with its header.
    #[getter]
    fn mtu(&self) -> usize {
        self.bench.longest() + ATT_HEADER
    }

    /// Virtual time since the bench was ready, ns.
    fn now_ns(&self) -> u64 {
        self.bench.now().as_ns()
    }

    /// Sends a container.
    fn write(&self, container: Vec<u8>) {
        self.bench.send(container);
    }

    /// Waits for the next container. `None` after a timeout.
    fn receive<'py>(
        &self,
        py: Python<'py>,
        timeout_ns: u64,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let came = self.bench.receive(Duration::from_ns(timeout_ns)).map_err(link_error)?;
        Ok(came.map(|container| PyBytes::new(py, &container)))
    }
}
