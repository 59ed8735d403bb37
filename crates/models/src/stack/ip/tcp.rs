//! A TCP connection as a stream link.

use std::convert::Infallible;
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link, OpenedBy};
use airlag_sim::Stream;
use smoltcp::iface::SocketHandle;
use smoltcp::socket::tcp;
use smoltcp::wire::{IPV4_HEADER_LEN, IpAddress, TCP_HEADER_LEN};

use super::acks::Acks;
use super::slices;
use super::stack::Stack;

/// Port on which one end listens, and from which the other connects (RFC 6335, 6).
const SERVER_PORT: u16 = 49_152;
const CLIENT_PORT: u16 = 49_153;

/// Overhead of a segment without options in a packet, bytes.
pub const OVERHEAD: usize = IPV4_HEADER_LEN + TCP_HEADER_LEN;

/// Largest number of bytes of a read or write.
pub const MAX_CALL: usize = 2_048;

/// Configuration of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TcpConfig {
    /// Nagle's algorithm: small segments wait while anything is unacknowledged (RFC 896).
    pub nagle: bool,
    /// Acknowledgement policy.
    pub acks: Acks,
    /// Bytes that the socket buffers for sending or retransmission.
    pub send_buffer: usize,
    /// Bytes that the socket buffers for its program: the largest window.
    pub receive_buffer: usize,
}

/// Role of an end in the connection set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Connects.
    Client,
    /// Listens.
    Server,
}

/// One end of a connection.
pub struct Tcp {
    stack: Rc<Stack>,
    handle: SocketHandle,
    /// Data read from the socket and not yet delivered to the program.
    held: Vec<u8>,
    /// Whether the program was blocked until the data in `held` arrived.
    waited: bool,
    jitter: Stream,
    role: Role,
}

impl Tcp {
    /// Connects, or waits for the peer to connect.
    ///
    /// # Errors
    ///
    /// Description of why the connection failed.
    pub async fn open(stack: Rc<Stack>, role: Role, config: TcpConfig) -> Result<Self, String> {
        let buffer = |bytes: usize| tcp::SocketBuffer::new(vec![0; bytes]);
        let mut socket =
            tcp::Socket::new(buffer(config.receive_buffer), buffer(config.send_buffer));
        socket.set_nagle_enabled(config.nagle);
        socket.set_congestion_control(tcp::CongestionControl::Reno);
        let handle = stack.add(socket);
        stack.acknowledge(handle, config.acks);
        let (_, peer) = stack.addresses();
        let begun = stack.with(handle, |socket: &mut tcp::Socket<'_>, context| match role {
            Role::Server => socket.listen(SERVER_PORT).map_err(|error| error.to_string()),
            Role::Client => socket
                .connect(context, (IpAddress::Ipv4(peer), SERVER_PORT), CLIENT_PORT)
                .map_err(|error| error.to_string()),
        });
        begun?;
        stack.poll();
        let jitter = stack.board().stream("read jitter");
        let mut end = Self { stack, handle, held: Vec::new(), waited: false, jitter, role };
        end.connected(role).await?;
        Ok(end)
    }

    async fn connected(&mut self, role: Role) -> Result<(), String> {
        loop {
            let (open, closed) = self.with(|socket| (socket.may_send(), !socket.is_open()));
            if open {
                return Ok(());
            }
            if closed && role == Role::Client {
                return Err("the connection was refused".to_owned());
            }
            self.stack.writable.wait().await;
        }
    }

    fn with<R>(&self, act: impl FnOnce(&mut tcp::Socket<'static>) -> R) -> R {
        self.stack.with(self.handle, |socket, _| act(socket))
    }

    /// Host.
    pub(super) const fn stack(&self) -> &Rc<Stack> {
        &self.stack
    }

    /// Writes all of `bytes` into the socket in one call, in as many parts as there is room for.
    /// Returns false if the connection is lost.
    pub(super) async fn write(&self, bytes: &[u8]) -> bool {
        self.stack.spend(&slices::WRITE, self.stack.host().send).await;
        let (board, mut rest) = (self.stack.board(), bytes);
        let since = board.sim().now();
        loop {
            let taken = self.with(|socket| socket.send_slice(rest));
            let Ok(taken) = taken else { return false };
            rest = &rest[taken..];
            if taken > 0 {
                self.stack.poll_given();
            }
            if rest.is_empty() {
                board.span(&slices::SEND_BUFFER_FULL, since, board.sim().now());
                return true;
            }
            self.stack.writable.wait().await;
        }
    }

    /// Waits for data and reads up to [`MAX_CALL`] bytes.
    pub(super) async fn read(&mut self) -> &[u8] {
        while self.held.is_empty() {
            let taken = self.with(|socket| {
                let mut bytes = vec![0; socket.recv_queue().min(MAX_CALL)];
                let taken = socket.recv_slice(&mut bytes).unwrap_or(0);
                bytes.truncate(taken);
                bytes
            });
            self.held = taken;
            if self.held.is_empty() {
                self.waited = true;
                self.stack.readable.wait().await;
            }
        }
        if self.waited {
            let takes = self.stack.host().reading(&mut self.jitter);
            self.stack.spend(&slices::READ_OUT, takes).await;
            self.waited = false;
        }
        // Reading enlarges the window. The new window may have to be announced to the other end.
        self.stack.poll();
        &self.held
    }

    /// Marks `count` bytes of the data as delivered to the program.
    pub(super) fn taken(&mut self, count: usize) {
        self.held.drain(..count.min(self.held.len()));
    }
}

impl Link for Tcp {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        let opened = match self.role {
            Role::Client => OpenedBy::Here,
            Role::Server => OpenedBy::Peer,
        };
        Capability::datagram(MAX_CALL).stream(true).duplex(true).connection(opened)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        Ok(if self.write(chunk).await { Delivery::Sent } else { Delivery::Lost })
    }

    /// A program is not notified of the delivery of its bytes.
    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let bytes = self.read().await;
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        self.taken(count);
        Ok(count)
    }
}
