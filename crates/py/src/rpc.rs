//! Remote procedure calls over the packets of a link, for programs in Python.
//!
//! - `central`: the end that makes calls.
//! - `peripheral`: the end that responds to calls. It provides the benchmark service.
//! - `bench`: a virtual link with a peripheral at its far end.

mod bench;
mod central;
mod peripheral;

use airlag_rpc::peripheral::Encryption;
use airlag_rpc::{Entropy, Instant};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub use bench::RpcBench;
pub use central::RpcCentral;
pub use peripheral::RpcPeripheral;

create_exception!(
    airlag._airlag,
    RpcError,
    PyValueError,
    "A remote procedure call that cannot be made."
);

/// Length of a container in an attribute value for this MTU, bytes.
const fn packet(mtu: usize) -> usize {
    mtu.saturating_sub(airlag_rpc::container::ATT_HEADER)
}

fn mtu_of(mtu: usize) -> PyResult<usize> {
    let least = airlag_rpc::container::MIN_MTU;
    if mtu < least {
        return Err(RpcError::new_err(format!(
            "an MTU of {mtu} B is too small; use {least} B or more"
        )));
    }
    Ok(packet(mtu))
}

fn encryption(name: &str) -> PyResult<Encryption> {
    match name {
        "require" => Ok(Encryption::Required),
        "prefer" => Ok(Encryption::Preferred),
        "off" => Ok(Encryption::Off),
        other => {
            let message = format!("no encryption {other:?}; choose require, prefer or off");
            Err(RpcError::new_err(message))
        }
    }
}

fn thirty_two(what: &str, bytes: &[u8]) -> PyResult<[u8; 32]> {
    let wrong = |_| RpcError::new_err(format!("{what} has 32 bytes, not {}", bytes.len()));
    bytes.try_into().map_err(wrong)
}

/// Random bytes that HKDF expands from 32 random bytes, with a key for each block of a counter.
struct Seeded {
    seed: zeroize::Zeroizing<[u8; 32]>,
    drawn: u32,
}

impl Seeded {
    fn new(seed: [u8; 32]) -> Self {
        Self { seed: zeroize::Zeroizing::new(seed), drawn: 0 }
    }
}

impl Entropy for Seeded {
    fn fill(&mut self, bytes: &mut [u8]) {
        airlag_rpc::exchange::expand(&self.seed, self.drawn, bytes);
        self.drawn += 1;
    }
}

const fn instant(ns: u64) -> Instant {
    Instant(ns)
}
