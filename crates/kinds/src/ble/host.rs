//! A host at either end of a connection, whichever it is.

use std::convert::Infallible;

use airlag_link::{Capability, Delivery, Link};
use airlag_models::stack::ble::host::Host as Costs;
use airlag_models::stack::ble::open_host::OpenHost;

/// A host that a program uses.
pub(super) enum Host {
    /// A host as a set of costs.
    Costs(Costs),
    /// A host whose source is open.
    Open(OpenHost),
}

impl Host {
    /// Waits until it is connected and the program can use it.
    pub(super) async fn set_up(self) -> Result<Self, String> {
        match self {
            Self::Costs(_) => Ok(self),
            Self::Open(host) => host.set_up().await.map(Self::Open),
        }
    }
}

impl Link for Host {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        match self {
            Self::Costs(host) => host.capability(),
            Self::Open(host) => host.capability(),
        }
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        match self {
            Self::Costs(host) => host.send(chunk).await,
            Self::Open(host) => host.send(chunk).await,
        }
    }

    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        match self {
            Self::Costs(host) => host.flush().await,
            Self::Open(host) => host.flush().await,
        }
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        match self {
            Self::Costs(host) => host.receive(buffer).await,
            Self::Open(host) => host.receive(buffer).await,
        }
    }
}
