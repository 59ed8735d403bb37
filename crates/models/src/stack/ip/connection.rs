//! Any transport of a connection as one link.

use std::convert::Infallible;
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};

use super::bare::Bare;
use super::stack::Stack;
use super::tcp::{Role, Tcp, TcpConfig};
use super::udp::Udp;
use super::websocket::{WebSocket, Writes};

/// Transport of a program's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Datagrams.
    Udp {
        /// Capacity of a socket in each direction, datagrams.
        queue: usize,
    },
    /// A stream.
    Tcp(Role, TcpConfig),
    /// Messages over a stream.
    WebSocket(Role, TcpConfig, Writes),
}

/// One end.
pub enum Connection {
    /// Datagrams.
    Udp(Udp),
    /// A stream.
    Tcp(Tcp),
    /// Messages over a stream.
    WebSocket(Box<WebSocket>),
    /// Packets of an external stack.
    Bare(Bare),
}

/// Largest datagram that a message needs, bytes.
const LARGEST: usize = super::tcp::MAX_CALL;

impl Connection {
    /// Connects, or waits for the peer to connect.
    ///
    /// # Errors
    ///
    /// Description of why the connection failed.
    pub async fn open(stack: Rc<Stack>, transport: Transport) -> Result<Self, String> {
        Ok(match transport {
            Transport::Udp { queue } => Self::Udp(Udp::new(&stack, LARGEST, queue)),
            Transport::Tcp(role, config) => Self::Tcp(Tcp::open(stack, role, config).await?),
            Transport::WebSocket(role, config, writes) => {
                let socket = WebSocket::open(stack, role, config, writes).await?;
                Self::WebSocket(Box::new(socket))
            }
        })
    }
}

impl Link for Connection {
    type Error = Infallible;

    /// Passes the hosts to the external sender: the connection is closed, and packets go directly
    /// between the ports.
    fn carry_ip(&mut self) -> bool {
        let stack = match self {
            Self::Udp(end) => end.stack(),
            Self::Tcp(end) => end.stack(),
            Self::WebSocket(end) => end.stack(),
            Self::Bare(_) => return true,
        };
        let Some(bare) = Bare::of(stack) else { return false };
        *self = Self::Bare(bare);
        true
    }

    fn capability(&self) -> Capability {
        match self {
            Self::Udp(end) => end.capability(),
            Self::Tcp(end) => end.capability(),
            Self::WebSocket(end) => end.capability(),
            Self::Bare(end) => end.capability(),
        }
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        match self {
            Self::Udp(end) => end.send(chunk).await,
            Self::Tcp(end) => end.send(chunk).await,
            Self::WebSocket(end) => end.send(chunk).await,
            Self::Bare(end) => end.send(chunk).await,
        }
    }

    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        match self {
            Self::Udp(end) => end.flush().await,
            Self::Tcp(end) => end.flush().await,
            Self::WebSocket(end) => end.flush().await,
            Self::Bare(end) => end.flush().await,
        }
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        match self {
            Self::Udp(end) => end.receive(buffer).await,
            Self::Tcp(end) => end.receive(buffer).await,
            Self::WebSocket(end) => end.receive(buffer).await,
            Self::Bare(end) => end.receive(buffer).await,
        }
    }
}
