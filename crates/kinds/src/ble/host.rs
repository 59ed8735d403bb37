//! The Bluetooth LE host at either end of a connection.

use std::convert::Infallible;

use airlag_link::{Capability, Delivery, Link};
use airlag_models::stack::ble::host::Host as Costs;
use airlag_models::stack::ble::open_host::OpenHost;

/// A host that a program uses.
pub(super) enum Host {
    /// A host modelled by its processing costs.
    Costs(Costs),
    /// An open-source host, run itself.
    Open(OpenHost),
}

impl Host {
    /// Waits until the host is connected and usable by the program.
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
