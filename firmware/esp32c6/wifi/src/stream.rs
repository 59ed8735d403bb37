//! The socket of the network: bytes of a TCP connection, and datagrams.

use core::future::poll_fn;
use core::task::Poll;

use airlag_drivers::websocket::WebSocketError;
use embedded_io_async::{Error, ErrorKind, ErrorType, Read, Write};
use smoltcp::socket::{tcp, udp};
use smoltcp::wire::IpAddress;

use crate::network::{Network, SERVER_PORT};

/// The connection was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

impl core::fmt::Display for Closed {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("the connection was closed")
    }
}

impl core::error::Error for Closed {}

impl Error for Closed {
    fn kind(&self) -> ErrorKind {
        ErrorKind::ConnectionAborted
    }
}

/// Bytes of the TCP connection of a network.
#[derive(Clone, Copy)]
pub struct Stream(pub &'static Network);

impl ErrorType for Stream {
    type Error = Closed;
}

impl Read for Stream {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Closed> {
        let read = poll_fn(|context| {
            let polled = self.0.with(|socket: &mut tcp::Socket<'_>| {
                if !socket.can_recv() && socket.may_recv() {
                    socket.register_recv_waker(context.waker());
                    return Poll::Pending;
                }
                Poll::Ready(socket.recv_slice(buffer).map_err(|_| Closed))
            });
            polled.unwrap_or(Poll::Ready(Err(Closed)))
        })
        .await?;
        // Reading enlarges the window. The new window may have to be announced to the other end.
        self.0.push();
        Ok(read)
    }
}

impl Write for Stream {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Closed> {
        let written = poll_fn(|context| {
            let polled =
                self.0.with(|socket: &mut tcp::Socket<'_>| match socket.send_slice(bytes) {
                    Ok(0) if !bytes.is_empty() => {
                        socket.register_send_waker(context.waker());
                        Poll::Pending
                    }
                    written => Poll::Ready(written.map_err(|_| Closed)),
                });
            polled.unwrap_or(Poll::Ready(Err(Closed)))
        })
        .await?;
        self.0.push();
        Ok(written)
    }

    /// A program is not notified of the delivery of its bytes.
    async fn flush(&mut self) -> Result<(), Closed> {
        Ok(())
    }
}

/// Sends a datagram to the other board. Waits for room.
pub async fn send_datagram(network: &Network, datagram: &[u8]) -> Result<(), Closed> {
    let peer = network.peer().ok_or(Closed)?;
    let to = (IpAddress::Ipv4(peer), SERVER_PORT);
    poll_fn(|context| {
        let polled =
            network.with(|socket: &mut udp::Socket<'_>| match socket.send_slice(datagram, to) {
                Ok(()) => Poll::Ready(Ok(())),
                Err(udp::SendError::BufferFull) => {
                    socket.register_send_waker(context.waker());
                    Poll::Pending
                }
                Err(_) => Poll::Ready(Err(Closed)),
            });
        polled.unwrap_or(Poll::Ready(Err(Closed)))
    })
    .await?;
    network.push();
    Ok(())
}

/// Waits for a datagram, and returns its length. A longer one than `buffer` is dropped.
pub async fn receive_datagram(network: &Network, buffer: &mut [u8]) -> usize {
    poll_fn(|context| {
        let polled = network.with(|socket: &mut udp::Socket<'_>| {
            while socket.can_recv() {
                if let Ok((len, _)) = socket.recv_slice(buffer) {
                    return Poll::Ready(len);
                }
            }
            socket.register_recv_waker(context.waker());
            Poll::Pending
        });
        polled.unwrap_or(Poll::Pending)
    })
    .await
}

impl From<Closed> for WebSocketError<Closed> {
    fn from(closed: Closed) -> Self {
        Self::Stream(closed)
    }
}
