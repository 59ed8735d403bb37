//! The HTTP messages that open a connection (RFC 6455, 4).

use core::str::from_utf8;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest, Sha1};

/// Length of a key in base64: that of 16 bytes.
const KEY: usize = 24;
/// Length of an answer to a key in base64: that of a hash of 20 bytes.
const ACCEPT: usize = 28;
/// Appended to the key before it is hashed (1.3).
const GUID: &[u8] = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// Draws a key.
pub(super) fn key(mut random: impl FnMut() -> u32) -> [u8; KEY] {
    let mut nonce = [0; 16];
    for word in nonce.chunks_exact_mut(4) {
        word.copy_from_slice(&random().to_le_bytes());
    }
    let mut key = [0; KEY];
    // 16 bytes are always 24 characters.
    let _ = STANDARD.encode_slice(nonce, &mut key);
    key
}

/// Parts of the request of a client.
pub(super) fn request<'a>(host: &'a str, key: &'a [u8; KEY]) -> [&'a str; 5] {
    [
        "GET / HTTP/1.1\r\nHost: ",
        host,
        "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ",
        // Base64 is ASCII.
        from_utf8(key).unwrap_or_default(),
        "\r\nSec-WebSocket-Version: 13\r\n\r\n",
    ]
}

/// Parts of the response of a server.
pub(super) fn response(accept: &[u8; ACCEPT]) -> [&[u8]; 3] {
    [
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ",
        accept,
        b"\r\n\r\n",
    ]
}

/// Whether the head of a response accepts the request with this key.
pub(super) fn is_accepted(head: &[u8], key: &[u8; KEY]) -> bool {
    let is_switched = head.starts_with(b"HTTP/1.1 101 ");
    is_switched && field(head, "Sec-WebSocket-Accept") == from_utf8(&accept(key)).ok()
}

/// The answer to the head of a request. `None` if it does not request WebSocket.
pub(super) fn accept_of(head: &[u8]) -> Option<[u8; ACCEPT]> {
    let asks = field(head, "Upgrade")?.eq_ignore_ascii_case("websocket");
    let key = field(head, "Sec-WebSocket-Key")?;
    let is_request =
        head.starts_with(b"GET ") && field(head, "Sec-WebSocket-Version") == Some("13");
    (asks && is_request).then(|| accept(key.as_bytes()))
}

/// Value of a field of an HTTP head.
fn field<'a>(head: &'a [u8], name: &str) -> Option<&'a str> {
    let mut fields = from_utf8(head).ok()?.split("\r\n").filter_map(|line| line.split_once(':'));
    fields.find(|(each, _)| each.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

/// The answer that proves that a server has read `key`.
pub(super) fn accept(key: &[u8]) -> [u8; ACCEPT] {
    let mut accept = [0; ACCEPT];
    let hash = Sha1::new().chain_update(key).chain_update(GUID).finalize();
    // 20 bytes are always 28 characters.
    let _ = STANDARD.encode_slice(hash, &mut accept);
    accept
}
