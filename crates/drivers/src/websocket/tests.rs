//! Both ends over queues, and each end against tungstenite.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::rc::Rc;
use std::task::Poll;
use std::vec;
use std::vec::Vec;

use embassy_futures::block_on;
use embassy_futures::join::join;
use embedded_io_async::ErrorType;
use tungstenite::Message;

use super::*;

/// The calls that wrote into one direction of a stream, and have not been read.
type Calls = Rc<RefCell<VecDeque<Vec<u8>>>>;

#[derive(Clone, Default)]
struct Wire {
    sent: Calls,
    arriving: Calls,
}

impl Wire {
    fn pair() -> [Self; 2] {
        let (one, other) = (Calls::default(), Calls::default());
        let near = Self { sent: Rc::clone(&one), arriving: Rc::clone(&other) };
        [near, Self { sent: other, arriving: one }]
    }

    fn fetch(&self, into: &mut [u8]) -> usize {
        let mut calls = self.arriving.borrow_mut();
        let Some(mut first) = calls.pop_front() else { return 0 };
        let len = first.len().min(into.len());
        into[..len].copy_from_slice(&first[..len]);
        if first.len() > len {
            calls.push_front(first.split_off(len));
        }
        len
    }

    /// Lengths of the calls that the other end has not read.
    fn calls(&self) -> Vec<usize> {
        self.sent.borrow().iter().map(Vec::len).collect()
    }
}

impl ErrorType for Wire {
    type Error = Infallible;
}

impl Write for Wire {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.sent.borrow_mut().push_back(bytes.to_vec());
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Read for Wire {
    async fn read(&mut self, into: &mut [u8]) -> Result<usize, Infallible> {
        poll_fn(|context| match self.fetch(into) {
            0 => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            got => Poll::Ready(Ok(got)),
        })
        .await
    }
}

/// The same wire for code that blocks.
impl io::Read for Wire {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.fetch(into) {
            0 => Err(io::ErrorKind::WouldBlock.into()),
            got => Ok(got),
        }
    }
}

impl io::Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sent.borrow_mut().push_back(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Longest chunk of these tests, and the room for its header.
const LONGEST: usize = 2_048;
const ROOM: usize = LONGEST + FrameHeader::MAX_LEN;
/// At the boundaries of the length field, and the longest.
const SIZES: [usize; 6] = [0, 1, 125, 126, 2_047, LONGEST];

type End = WebSocket<Wire, fn() -> u32, ROOM>;

fn end(wire: &Wire) -> End {
    WebSocket::new(wire.clone(), || 0x1BAD_CAFE)
}

/// Two ends after their handshake.
fn opened(writes: Writes) -> (End, End, [Wire; 2]) {
    let wires = Wire::pair();
    let (mut client, mut server) = (end(&wires[0]), end(&wires[1]));
    let (one, other) = block_on(join(
        client.open(Role::Client, writes, "192.168.4.3"),
        server.open(Role::Server, writes, "192.168.4.3"),
    ));
    assert_eq!((one, other), (Ok(()), Ok(())));
    (client, server, wires)
}

fn chunk(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at * 7 + len) as u8).collect()
}

#[test]
fn the_answer_to_a_key_is_that_of_the_standard() {
    // RFC 6455, 1.3.
    assert_eq!(&handshake::accept(b"dGhlIHNhbXBsZSBub25jZQ=="), b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

#[test]
fn chunks_of_any_length_arrive_in_both_directions() {
    let (mut client, mut server, _) = opened(Writes::Together);
    assert_eq!(client.capability().mtu, LONGEST);
    for len in SIZES {
        let (sent, mut buffer) = (chunk(len), [0; LONGEST]);
        assert_eq!(block_on(client.send(&sent)), Ok(Delivery::Sent));
        assert_eq!(block_on(server.receive(&mut buffer)), Ok(len));
        assert_eq!(buffer[..len], sent);
        assert_eq!(block_on(server.send(&sent)), Ok(Delivery::Sent));
        buffer.fill(0);
        assert_eq!(block_on(client.receive(&mut buffer)), Ok(len));
        assert_eq!(buffer[..len], sent);
    }
    let len = LONGEST + 1;
    assert_eq!(block_on(client.send(&chunk(len))), Err(WebSocketError::TooLong { len }));
}

#[test]
fn a_header_is_written_apart_only_if_requested() {
    // Two bytes of header, and four of mask.
    for (writes, calls) in [(Writes::Together, vec![18]), (Writes::Apart, vec![6, 12])] {
        let (mut client, _, [wire, _]) = opened(writes);
        block_on(client.send(&chunk(12))).expect("the wire is open");
        assert_eq!(wire.calls(), calls);
    }
}

#[test]
fn a_client_is_accepted_by_others_and_exchanges_messages() {
    let [wire, peer] = Wire::pair();
    let mut client = end(&wire);
    let answer = poll_fn(|_| {
        let accepted = tungstenite::accept(peer.clone());
        Poll::Ready(accepted.expect("the request is complete"))
    });
    let (opened, mut server) =
        block_on(join(client.open(Role::Client, Writes::Together, "192.168.4.3"), answer));
    assert_eq!(opened, Ok(()));
    for len in SIZES {
        let (sent, mut buffer) = (chunk(len), [0; LONGEST]);
        block_on(client.send(&sent)).expect("the wire is open");
        assert_eq!(server.read().expect("a message"), Message::binary(sent.clone()));
        server.send(Message::binary(sent.clone())).expect("the wire is open");
        assert_eq!(block_on(client.receive(&mut buffer)), Ok(len));
        assert_eq!(buffer[..len], sent);
    }
}

#[test]
fn a_server_accepts_others_and_answers_their_pings() {
    let [wire, peer] = Wire::pair();
    let mut server = end(&peer);
    let begun = tungstenite::client("ws://192.168.4.3/", wire.clone());
    let Err(tungstenite::HandshakeError::Interrupted(waiting)) = begun else {
        panic!("the answer has not arrived");
    };
    assert_eq!(block_on(server.open(Role::Server, Writes::Together, "")), Ok(()));
    let (mut client, _) = waiting.handshake().expect("the server accepts");
    let mut buffer = [0; LONGEST];
    client.send(Message::Ping(b"beat".as_slice().into())).expect("the wire is open");
    client.send(Message::binary(chunk(300))).expect("the wire is open");
    assert_eq!(block_on(server.receive(&mut buffer)), Ok(300));
    assert_eq!(buffer[..300], chunk(300));
    assert_eq!(client.read().expect("a pong"), Message::Pong(b"beat".as_slice().into()));
    block_on(server.send(&chunk(12))).expect("the wire is open");
    assert_eq!(client.read().expect("a message"), Message::binary(chunk(12)));
    client.close(None).expect("the wire is open");
    assert_eq!(block_on(server.receive(&mut buffer)), Err(WebSocketError::Ended));
}

#[test]
fn fragments_arrive_one_by_one() {
    let (mut client, _, [_, peer]) = opened(Writes::Together);
    let mut buffer = [0; LONGEST];
    // A binary frame that is not final, and its final continuation.
    peer.sent.borrow_mut().push_back(vec![0x02, 2, 1, 2, 0x80, 1, 3]);
    assert_eq!(block_on(client.receive(&mut buffer)), Ok(2));
    assert_eq!(block_on(client.receive(&mut buffer)), Ok(1));
    assert_eq!(buffer[0], 3);
}

#[test]
fn a_frame_with_the_mask_of_the_wrong_end_is_refused() {
    let (mut client, mut server, [near, far]) = opened(Writes::Together);
    let mut buffer = [0; LONGEST];
    near.sent.borrow_mut().push_back(vec![0x82, 1, 7]);
    assert_eq!(block_on(server.receive(&mut buffer)), Err(WebSocketError::Protocol));
    far.sent.borrow_mut().push_back(vec![0x82, 0x81, 0, 0, 0, 0, 7]);
    assert_eq!(block_on(client.receive(&mut buffer)), Err(WebSocketError::Protocol));
}

#[test]
fn a_frame_that_does_not_fit_is_refused_before_it_arrives() {
    let (mut client, _, [_, peer]) = opened(Writes::Together);
    peer.sent.borrow_mut().push_back(vec![0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
    let refused = block_on(client.receive(&mut [0; LONGEST]));
    assert_eq!(refused, Err(WebSocketError::TooLong { len: 65_536 }));
}

#[test]
fn a_server_refuses_other_requests_and_a_client_a_wrong_answer() {
    let wires = Wire::pair();
    let mut server = end(&wires[1]);
    wires[0].sent.borrow_mut().push_back(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_vec());
    let refused = block_on(server.open(Role::Server, Writes::Together, ""));
    assert_eq!(refused, Err(WebSocketError::Refused));

    let wires = Wire::pair();
    let mut client = end(&wires[0]);
    let answer = b"HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    wires[1].sent.borrow_mut().push_back(answer.to_vec());
    let refused = block_on(client.open(Role::Client, Writes::Together, "x"));
    assert_eq!(refused, Err(WebSocketError::Refused));
}
