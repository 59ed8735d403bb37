//! WebSocket (RFC 6455) over a byte stream, such as a TCP connection: the handshake of either end, and one binary
//! frame per chunk.
//!
//! Frame headers are those of `edge-ws`. A fragment of a message of the peer is received as a chunk of its own.
//! Subprotocols, extensions and the closing handshake are not supported: the code that owns the stream closes it.

mod handshake;

use core::fmt::Debug;

use airlag_link::{Capability, Delivery, Link};
use edge_ws::{FrameHeader, FrameType};
use embedded_io_async::{Read, Write};

/// Longest body of a control frame, bytes (5.5).
const CONTROL: usize = 125;

/// Role of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Opened the stream. Masks its frames (5.1).
    Client,
    /// Accepted the stream.
    Server,
}

/// Number of calls that write a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Header and body in one call.
    Together,
    /// The header in a separate call.
    Apart,
}

/// Reason why a connection cannot be used. It has to be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WebSocketError<E> {
    /// The stream failed.
    #[error("the stream failed")]
    Stream(E),
    /// The peer ended the stream or the connection, or the stream accepts no more bytes.
    #[error("the connection ended")]
    Ended,
    /// The peer does not accept or request WebSocket.
    #[error("the peer refused WebSocket")]
    Refused,
    /// A frame of the peer that RFC 6455 does not permit.
    #[error("the peer violated the protocol")]
    Protocol,
    /// A chunk, a frame or a head is longer than the buffer.
    #[error("{len} bytes do not fit into the buffer")]
    TooLong {
        /// Length, bytes.
        len: usize,
    },
}

/// One end of a connection over `S`, with buffers of `N` bytes, header included, for a frame in each direction.
pub struct WebSocket<S, M, const N: usize> {
    stream: S,
    /// Source of unpredictable numbers, for keys and masks (10.3).
    random: M,
    role: Role,
    writes: Writes,
    /// Bytes from the stream that were not processed yet.
    arrived: [u8; N],
    held: usize,
    /// The frame that is being sent.
    frame: [u8; N],
}

impl<S: Read + Write, M: FnMut() -> u32, const N: usize> WebSocket<S, M, N> {
    /// Creates an end without a connection.
    #[must_use]
    pub const fn new(stream: S, random: M) -> Self {
        const { assert!(N >= FrameHeader::MAX_LEN + CONTROL) };
        let (role, writes) = (Role::Client, Writes::Together);
        Self { stream, random, role, writes, arrived: [0; N], held: 0, frame: [0; N] }
    }

    /// Performs the handshake on a stream that was just opened. `host` is the name or the address of the server.
    ///
    /// # Errors
    ///
    /// The stream ended or failed, the peer refused, or its head is longer than `N` bytes.
    pub async fn open(
        &mut self,
        role: Role,
        writes: Writes,
        host: &str,
    ) -> Result<(), WebSocketError<S::Error>> {
        (self.role, self.writes, self.held) = (role, writes, 0);
        match role {
            Role::Client => {
                let key = handshake::key(&mut self.random);
                for part in handshake::request(host, &key) {
                    write_all(&mut self.stream, part.as_bytes()).await?;
                }
                self.flush_stream().await?;
                let end = self.head().await?;
                let is_accepted = handshake::is_accepted(&self.arrived[..end], &key);
                self.remove(end);
                if is_accepted { Ok(()) } else { Err(WebSocketError::Refused) }
            }
            Role::Server => {
                let end = self.head().await?;
                let accept = handshake::accept_of(&self.arrived[..end]);
                self.remove(end);
                let accept = accept.ok_or(WebSocketError::Refused)?;
                for part in handshake::response(&accept) {
                    write_all(&mut self.stream, part).await?;
                }
                self.flush_stream().await
            }
        }
    }

    /// Waits for the head of an HTTP message, and returns its length with its empty line.
    async fn head(&mut self) -> Result<usize, WebSocketError<S::Error>> {
        const END: &[u8] = b"\r\n\r\n";
        loop {
            let arrived = &self.arrived[..self.held];
            if let Some(at) = arrived.windows(END.len()).position(|four| four == END) {
                return Ok(at + END.len());
            }
            self.more().await?;
        }
    }

    /// Waits for bytes of the stream.
    async fn more(&mut self) -> Result<(), WebSocketError<S::Error>> {
        let room = &mut self.arrived[self.held..];
        if room.is_empty() {
            return Err(WebSocketError::TooLong { len: N + 1 });
        }
        match self.stream.read(room).await.map_err(WebSocketError::Stream)? {
            0 => Err(WebSocketError::Ended),
            got => {
                self.held += got;
                Ok(())
            }
        }
    }

    /// Removes the first `count` bytes.
    fn remove(&mut self, count: usize) {
        self.arrived.copy_within(count..self.held, 0);
        self.held -= count;
    }

    async fn flush_stream(&mut self) -> Result<(), WebSocketError<S::Error>> {
        self.stream.flush().await.map_err(WebSocketError::Stream)
    }

    /// Sends a frame in as many calls as configured.
    async fn send_frame(
        &mut self,
        kind: FrameType,
        body: Body<'_>,
    ) -> Result<(), WebSocketError<S::Error>> {
        let body = match body {
            Body::Chunk(chunk) => chunk,
            Body::Arrived { at, len } => &self.arrived[at..at + len],
        };
        let mask_key = (self.role == Role::Client).then(|| (self.random)());
        let header = FrameHeader { frame_type: kind, payload_len: body.len() as u64, mask_key };
        let begin = header.serialized_len();
        let too_long = || WebSocketError::TooLong { len: body.len() };
        let frame = self.frame.get_mut(..begin + body.len()).ok_or_else(too_long)?;
        header.serialize(frame).map_err(|_| too_long())?;
        frame[begin..].copy_from_slice(body);
        header.mask(&mut frame[begin..], 0);
        if self.writes == Writes::Apart {
            write_all(&mut self.stream, &frame[..begin]).await?;
            return write_all(&mut self.stream, &frame[begin..]).await;
        }
        write_all(&mut self.stream, frame).await
    }

    /// The first frame, if it is complete: its type, and the position of its unmasked body.
    fn next(&mut self) -> Result<Option<(FrameType, usize, usize)>, WebSocketError<S::Error>> {
        let (header, begin) = match FrameHeader::deserialize(&self.arrived[..self.held]) {
            Ok(header) => header,
            Err(edge_ws::Error::Incomplete(_)) => return Ok(None),
            Err(_) => return Err(WebSocketError::Protocol),
        };
        // A client must mask, and a server must not (5.1).
        if header.mask_key.is_some() != (self.role == Role::Server) {
            return Err(WebSocketError::Protocol);
        }
        let len = usize::try_from(header.payload_len).unwrap_or(usize::MAX);
        let end = begin.saturating_add(len);
        if end > N {
            return Err(WebSocketError::TooLong { len });
        }
        if end > self.held {
            return Ok(None);
        }
        header.mask(&mut self.arrived[begin..end], 0);
        Ok(Some((header.frame_type, begin, end)))
    }
}

/// Body of a frame to send.
enum Body<'a> {
    /// A chunk of the program.
    Chunk(&'a [u8]),
    /// Received bytes, which are returned to the peer.
    Arrived { at: usize, len: usize },
}

async fn write_all<S: Write>(
    stream: &mut S,
    mut bytes: &[u8],
) -> Result<(), WebSocketError<S::Error>> {
    while !bytes.is_empty() {
        match stream.write(bytes).await.map_err(WebSocketError::Stream)? {
            0 => return Err(WebSocketError::Ended),
            taken => bytes = bytes.get(taken..).unwrap_or_default(),
        }
    }
    Ok(())
}

impl<S: Read + Write, M: FnMut() -> u32, const N: usize> Link for WebSocket<S, M, N> {
    type Error = WebSocketError<S::Error>;

    fn capability(&self) -> Capability {
        Capability::datagram(N - FrameHeader::MAX_LEN).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        if chunk.len() > self.capability().mtu {
            return Err(WebSocketError::TooLong { len: chunk.len() });
        }
        self.send_frame(FrameType::Binary(false), Body::Chunk(chunk)).await?;
        Ok(Delivery::Sent)
    }

    async fn flush(&mut self) -> Result<Delivery, Self::Error> {
        self.flush_stream().await?;
        Ok(Delivery::Sent)
    }

    /// Text is received like binary data. Longer frames than `buffer` are cut.
    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        loop {
            let Some((kind, begin, end)) = self.next()? else {
                self.more().await?;
                continue;
            };
            match kind {
                FrameType::Binary(_) | FrameType::Text(_) | FrameType::Continue(_) => {
                    let len = (end - begin).min(buffer.len());
                    buffer[..len].copy_from_slice(&self.arrived[begin..begin + len]);
                    self.remove(end);
                    return Ok(len);
                }
                FrameType::Ping => {
                    let len = end - begin;
                    if len > CONTROL {
                        return Err(WebSocketError::Protocol);
                    }
                    let answered =
                        self.send_frame(FrameType::Pong, Body::Arrived { at: begin, len }).await;
                    self.remove(end);
                    answered?;
                }
                FrameType::Pong => self.remove(end),
                FrameType::Close => return Err(WebSocketError::Ended),
            }
        }
    }
}

#[cfg(test)]
mod tests;
