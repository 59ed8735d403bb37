//! A TCP connection, as a stream.

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

/// Where one end listens, and where the other calls from (RFC 6335, 6).
const SERVER_PORT: u16 = 49_152;
const CLIENT_PORT: u16 = 49_153;

/// What is around a segment without options in a packet.
pub const OVERHEAD: usize = IPV4_HEADER_LEN + TCP_HEADER_LEN;

/// Bytes a program writes or reads at once at most.
pub const MAX_CALL: usize = 2_048;

/// A connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TcpConfig {
    /// Small segments wait while anything is unacknowledged (RFC 896).
    pub nagle: bool,
    /// When a segment is acknowledged.
    pub acks: Acks,
    /// Bytes the socket holds to be sent or repeated.
    pub send_buffer: usize,
    /// Bytes the socket holds for its program: the largest window it offers.
    pub receive_buffer: usize,
}

/// Which end begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It calls.
    Client,
    /// It is called.
    Server,
}

/// One end of a connection.
pub struct Tcp {
    stack: Rc<Stack>,
    handle: SocketHandle,
    /// What was taken from the socket, until the program has it.
    held: Vec<u8>,
    /// The program slept until that came.
    waited: bool,
    jitter: Stream,
    role: Role,
}

impl Tcp {
    /// Connects, or waits to be connected to.
    ///
    /// # Errors
    ///
    /// In words, why there cannot be a connection.
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

    /// Its host.
    pub(super) const fn stack(&self) -> &Rc<Stack> {
        &self.stack
    }

    /// One call of the program: all of `bytes` into the socket, in as many pieces as it has room for.
    /// False if the connection is gone.
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

    /// Waits for bytes, of which there are up to [`MAX_CALL`], and takes them.
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
        // What was read makes the window larger, which the other end may have to be told.
        self.stack.poll();
        &self.held
    }

    /// The program has so many bytes of what was read.
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

    /// Nothing tells a program when its bytes are there.
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
