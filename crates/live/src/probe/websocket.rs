//! Binary WebSocket messages (RFC 6455), one per request or response, without further framing.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use airlag_app::Reflector;
use airlag_link::probe;
use airlag_rig::interrupt;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

use super::near::{Clock, TURN};
use super::stream::{Answers, LONGEST};
use super::wire::{Ask, Halves, Hear, Heard};

/// Timeout of a handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// Limits the message size to the longest message of the protocol.
fn config() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST))
}

fn failed(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        Error::ConnectionClosed | Error::AlreadyClosed => {
            io::Error::new(io::ErrorKind::UnexpectedEof, "closed by the far end")
        }
        other => io::Error::other(other.to_string()),
    }
}

fn prepared(connection: &TcpStream) -> io::Result<()> {
    connection.set_nodelay(true)?;
    connection.set_read_timeout(Some(HANDSHAKE))?;
    // A peer that does not read is disconnected.
    connection.set_write_timeout(Some(HANDSHAKE))
}

/// Returns the next binary message. Returns `None` if no message arrives within a turn, or if it is
/// of another kind.
fn next(socket: &mut WebSocket<TcpStream>) -> io::Result<Option<Vec<u8>>> {
    match socket.read() {
        Ok(Message::Binary(bytes)) => Ok(Some(bytes.to_vec())),
        Ok(_) => Ok(None),
        Err(Error::Io(error))
            if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
        {
            Ok(None)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Connects to `host/path`.
pub(super) fn connect(host: &str, path: &str, size: usize, clock: Clock) -> io::Result<Halves> {
    let connection = TcpStream::connect(host)?;
    prepared(&connection)?;
    let url = format!("ws://{host}/{path}");
    let (reads, _) = tungstenite::client::client_with_config(url, connection, Some(config()))
        .map_err(|error| io::Error::other(error.to_string()))?;
    let connection = reads.get_ref();
    connection.set_read_timeout(Some(TURN))?;
    let writes = WebSocket::from_raw_socket(connection.try_clone()?, Role::Client, Some(config()));
    let asks = Asks { socket: writes, message: vec![0; size] };
    Ok((Box::new(asks), Box::new(Hears { socket: reads, clock, answers: Answers::default() })))
}

struct Asks {
    socket: WebSocket<TcpStream>,
    message: Vec<u8>,
}

impl Ask for Asks {
    fn ask(&mut self, sequence: u32, _sent_ns: i64) -> io::Result<()> {
        if !probe::ask(&mut self.message, sequence as u16) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        self.socket.send(Message::binary(self.message.clone())).map_err(failed)
    }
}

struct Hears {
    socket: WebSocket<TcpStream>,
    clock: Clock,
    answers: Answers,
}

impl Hear for Hears {
    fn hear(&mut self) -> io::Result<Option<Heard>> {
        let message = next(&mut self.socket)?;
        let arrived_ns = self.clock.now_ns();
        let answer = message.as_deref().and_then(probe::read);
        Ok(answer.map(|answer| self.answers.heard(answer, arrived_ns)))
    }
}

/// Responds to a client until it disconnects, is idle for `silent`, or the work is interrupted.
pub(super) fn serve(
    connection: TcpStream,
    clock: Clock,
    silent: Duration,
    mut answered: impl FnMut(),
) -> io::Result<()> {
    prepared(&connection)?;
    let mut socket = tungstenite::accept_with_config(connection, Some(config()))
        .map_err(|error| io::Error::other(error.to_string()))?;
    socket.get_ref().set_read_timeout(Some(TURN))?;
    let mut reflector = Reflector::new();
    let mut heard = std::time::Instant::now();
    while !interrupt::is_requested() && heard.elapsed() < silent {
        let Some(mut message) = next(&mut socket)? else { continue };
        let received = clock.now_ns() as u64;
        heard = std::time::Instant::now();
        if reflector.answer(&mut message, received, || clock.now_ns() as u64) {
            socket.send(Message::binary(message)).map_err(failed)?;
            answered();
        }
    }
    Ok(())
}
