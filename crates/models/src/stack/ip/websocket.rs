//! A WebSocket connection (RFC 6455) as a message link: the handshake, and frames in tungstenite's
//! encoding.

use std::convert::Infallible;
use std::io::Cursor;
use std::rc::Rc;

use airlag_link::{Capability, Delivery, Link};
use airlag_sim::Stream;
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Data, OpCode};

use super::stack::Stack;
use super::tcp::{MAX_CALL, Tcp, TcpConfig};

pub use super::tcp::Role;

/// Nonce of the handshake: that of RFC 6455, 1.3. The choice has no measurable effect.
const NONCE: &str = "dGhlIHNhbXBsZSBub25jZQ==";

/// Number of calls that write a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Header and body in one call.
    Together,
    /// The header in a separate call. With Nagle's algorithm the body then waits for the
    /// acknowledgement of the header.
    Apart,
}

/// One end of a connection.
pub struct WebSocket {
    tcp: Tcp,
    role: Role,
    writes: Writes,
    /// Received data up to the end of a frame.
    arrived: Vec<u8>,
    masks: Stream,
}

impl WebSocket {
    /// Connects, or waits for the peer to connect, and performs the handshake.
    ///
    /// # Errors
    ///
    /// Description of why the connection failed.
    pub async fn open(
        stack: Rc<Stack>,
        role: Role,
        config: TcpConfig,
        writes: Writes,
    ) -> Result<Self, String> {
        let masks = stack.board().stream("masks");
        let tcp = Tcp::open(stack, role, config).await?;
        let mut socket = Self { tcp, role, writes, arrived: Vec::new(), masks };
        let wanted = derive_accept_key(NONCE.as_bytes());
        let (_, peer) = socket.tcp.stack().addresses();
        if role == Role::Client {
            let request = format!(
                "GET / HTTP/1.1\r\nHost: {peer}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                 Sec-WebSocket-Key: {NONCE}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            );
            socket.tcp.write(request.as_bytes()).await;
            let answer = socket.head().await;
            if !answer.contains(&wanted) {
                return Err("the server refused WebSocket".to_owned());
            }
        } else {
            let request = socket.head().await;
            if !request.contains(NONCE) {
                return Err("the client did not request WebSocket".to_owned());
            }
            let answer = format!(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\
                 Connection: Upgrade\r\nSec-WebSocket-Accept: {wanted}\r\n\r\n"
            );
            socket.tcp.write(answer.as_bytes()).await;
        }
        Ok(socket)
    }

    /// Reads the head of an HTTP message up to its empty line.
    async fn head(&mut self) -> String {
        const END: &[u8] = b"\r\n\r\n";
        loop {
            let end = self.arrived.windows(END.len()).position(|four| four == END);
            if let Some(end) = end {
                let head = self.arrived.drain(..end + END.len()).collect();
                return String::from_utf8(head).unwrap_or_default();
            }
            self.more().await;
        }
    }

    async fn more(&mut self) {
        let bytes = self.tcp.read().await;
        let count = bytes.len();
        self.arrived.extend_from_slice(bytes);
        self.tcp.taken(count);
    }

    /// Body of the first frame, if complete.
    fn next_body(&mut self) -> Option<Vec<u8>> {
        let mut cursor = Cursor::new(&self.arrived);
        let (header, len) = FrameHeader::parse(&mut cursor).ok()??;
        let begin = cursor.position() as usize;
        let end = begin.checked_add(usize::try_from(len).ok()?)?;
        let mut body = self.arrived.get(begin..end)?.to_vec();
        if let Some(mask) = header.mask {
            apply(mask, &mut body);
        }
        self.arrived.drain(..end);
        Some(body)
    }
}

/// RFC 6455, 5.3: masking is its own inverse.
fn apply(mask: [u8; 4], body: &mut [u8]) {
    for (byte, mask) in body.iter_mut().zip(mask.iter().cycle()) {
        *byte ^= mask;
    }
}

impl WebSocket {
    /// Host.
    pub(super) const fn stack(&self) -> &Rc<Stack> {
        self.tcp.stack()
    }
}

impl Link for WebSocket {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        Capability::datagram(MAX_CALL).duplex(true)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        // A client must mask its data, and a server must not (5.1).
        let masked = self.role == Role::Client;
        let mask = masked.then(|| (self.masks.bits() as u32).to_le_bytes());
        let opcode = OpCode::Data(Data::Binary);
        let header = FrameHeader { opcode, mask, ..FrameHeader::default() };
        let mut bytes = Vec::with_capacity(chunk.len() + 14);
        // Writing into memory does not fail.
        let _ = header.format(chunk.len() as u64, &mut bytes);
        let head = bytes.len();
        bytes.extend_from_slice(chunk);
        if let Some(mask) = mask {
            apply(mask, &mut bytes[head..]);
        }
        let sent = match self.writes {
            Writes::Together => self.tcp.write(&bytes).await,
            Writes::Apart => {
                self.tcp.write(&bytes[..head]).await && self.tcp.write(&bytes[head..]).await
            }
        };
        Ok(if sent { Delivery::Sent } else { Delivery::Lost })
    }

    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        loop {
            if let Some(body) = self.next_body() {
                let len = body.len().min(buffer.len());
                buffer[..len].copy_from_slice(&body[..len]);
                return Ok(len);
            }
            self.more().await;
        }
    }
}
