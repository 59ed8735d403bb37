//! An emulated radio: bursts and their responses as UDP datagrams, to test a tunnel without chips.
//!
//! ```text
//!  burst    | 0xB5 | number 4 | length 1 | frame | length 1 | frame | …
//!  response | 0xA5 | number 4 | frame, or nothing                       number: of the burst
//! ```
//!
//! It is half-duplex like a radio, with its timing if configured ([`Udp::paced`]). If both ends send at once,
//! the first one to receive the other's burst stops waiting and responds.

use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::rc::Rc;
use std::time::{Duration, Instant};

use airlag_link::airtime::nrf24::Frame as Airtime;
use airlag_tunnel::nrf24::FRAME;
use airlag_tunnel::radio::Outcome;
use airlag_tunnel::wire::Frame;
use airlag_tunnel::{Pace, Radio};
use embassy_futures::select::{Either, select};
use rustix::io::Errno;

use crate::nrf24::SETTLE;
use crate::reactor::Reactor;

const BURST: u8 = 0xB5;
const ANSWER: u8 = 0xA5;
/// Longest datagram, bytes: more than any burst.
const LONGEST: usize = 4_096;

/// Timeout of a response, longer than the delay between two computers in a local network.
pub const PATIENCE: Duration = Duration::from_millis(50);

/// Timing of the network, far longer than between two processes.
pub const PACE: Pace = Pace {
    frame: Duration::from_micros(10),
    answer: Duration::from_micros(50),
    turn: Duration::from_millis(1),
    burst: 24,
};

/// One end of the pair.
pub struct Udp {
    /// Duration of frames, if the timing of a radio is emulated.
    on_air: Option<Airtime>,
    socket: Rc<UdpSocket>,
    peer: SocketAddr,
    reactor: Rc<Reactor>,
    /// Number of the last sent burst.
    number: u32,
    /// Frame of the next response.
    laid: Option<Frame>,
    /// Unread frames of the last received burst.
    heard: VecDeque<Vec<u8>>,
    /// Number of that burst, until it is answered.
    asked: u32,
}

/// Content of a datagram.
enum Said {
    Burst(u32, VecDeque<Vec<u8>>),
    Answer(u32, Vec<u8>),
}

impl Udp {
    /// Opens a socket at `own` for the other end at `peer`.
    ///
    /// # Errors
    ///
    /// If the address cannot be bound.
    pub fn open(own: SocketAddr, peer: SocketAddr, reactor: &Rc<Reactor>) -> io::Result<Self> {
        let socket = UdpSocket::bind(own)?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket: Rc::new(socket),
            peer,
            reactor: Rc::clone(reactor),
            number: 0,
            laid: None,
            heard: VecDeque::new(),
            asked: 0,
            on_air: None,
        })
    }

    /// Sets the timing of a radio with these frame durations.
    #[must_use]
    pub fn paced(self, on_air: Option<Airtime>) -> Self {
        Self { on_air, ..self }
    }

    /// Waits for the turnaround of the radio and the duration of frames with these lengths.
    async fn pass(&self, mut frames: impl Iterator<Item = usize>) {
        if let Some(on_air) = self.on_air {
            let add = |sum, bytes| sum + Duration::from_nanos(on_air.duration_ns(bytes));
            self.reactor.until(Instant::now() + frames.by_ref().fold(SETTLE, add)).await;
        }
    }

    /// Local address.
    ///
    /// # Errors
    ///
    /// An error of the operating system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Next valid datagram.
    fn next(&self) -> io::Result<Option<Said>> {
        let mut bytes = [0; LONGEST];
        loop {
            match self.socket.recv_from(&mut bytes) {
                // Datagrams from other senders are ignored.
                Ok((_, from)) if from != self.peer => {}
                Ok((len, _)) => {
                    if let Some(said) = parse(&bytes[..len]) {
                        return Ok(Some(said));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                // The error of a datagram that was not delivered.
                Err(error) if is_loss(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns whether there is an unread frame. A late response is ignored.
    fn hear(&mut self) -> io::Result<bool> {
        while self.heard.is_empty() {
            match self.next()? {
                Some(Said::Burst(number, frames)) => (self.asked, self.heard) = (number, frames),
                Some(Said::Answer(..)) => {}
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Sends a datagram. If it cannot be sent now, it is lost, as on the air.
    fn send(&self, datagram: &[u8]) -> io::Result<()> {
        match self.socket.send_to(datagram, self.peer) {
            Ok(_) => Ok(()),
            Err(error) if is_loss(&error) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Whether an error may be temporary: no receiver, no route, or no buffer.
fn is_loss(error: &io::Error) -> bool {
    use io::ErrorKind::{
        ConnectionRefused, HostUnreachable, Interrupted, NetworkUnreachable, WouldBlock,
    };
    matches!(
        error.kind(),
        ConnectionRefused | HostUnreachable | NetworkUnreachable | WouldBlock | Interrupted
    ) || [Errno::NOBUFS, Errno::NETDOWN, Errno::PERM]
        .into_iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

fn head(kind: u8, number: u32) -> Vec<u8> {
    let mut datagram = vec![kind];
    datagram.extend_from_slice(&number.to_be_bytes());
    datagram
}

fn parse(datagram: &[u8]) -> Option<Said> {
    let (&kind, rest) = datagram.split_first()?;
    let (number, mut rest) =
        rest.split_first_chunk().map(|(n, rest)| (u32::from_be_bytes(*n), rest))?;
    if kind == ANSWER {
        return (rest.len() <= FRAME).then(|| Said::Answer(number, rest.to_vec()));
    }
    let mut frames = VecDeque::new();
    while let Some((&len, behind)) = rest.split_first() {
        let (frame, behind) = behind.split_at_checked(usize::from(len))?;
        if frame.len() > FRAME {
            return None;
        }
        frames.push_back(frame.to_vec());
        rest = behind;
    }
    (kind == BURST && !frames.is_empty()).then_some(Said::Burst(number, frames))
}

impl Radio for Udp {
    type Error = io::Error;

    async fn burst(
        &mut self,
        frames: &[Frame],
        answer: &mut [u8],
        _: &mut impl FnMut(&[u8]) -> Option<Frame>,
    ) -> io::Result<Outcome> {
        // The channel is busy, so the received burst is answered first.
        if self.hear()? {
            return Ok(Outcome::Unanswered);
        }
        // The radio turns around.
        self.laid = None;
        self.pass(frames.iter().map(|frame| frame.bytes().len())).await;
        // The other end has started to send, so both bursts are lost.
        if self.hear()? {
            return Ok(Outcome::Unanswered);
        }
        self.number = self.number.wrapping_add(1);
        let mut datagram = head(BURST, self.number);
        for frame in frames {
            datagram.push(frame.bytes().len() as u8);
            datagram.extend_from_slice(frame.bytes());
        }
        self.send(&datagram)?;
        let until = Instant::now() + PATIENCE;
        loop {
            match self.next()? {
                Some(Said::Answer(number, bytes)) if number == self.number => {
                    answer[..bytes.len()].copy_from_slice(&bytes);
                    self.pass(core::iter::once(bytes.len())).await;
                    return Ok(Outcome::Answered(bytes.len()));
                }
                // The other end sends and waits for a response, so it gets one.
                Some(Said::Burst(number, frames)) => {
                    (self.asked, self.heard) = (number, frames);
                    return Ok(Outcome::Unanswered);
                }
                Some(Said::Answer(..)) => {}
                None => {
                    let readable = self.reactor.readable(&self.socket);
                    if let Either::Second(()) = select(readable, self.reactor.until(until)).await {
                        return Ok(Outcome::Unanswered);
                    }
                }
            }
        }
    }

    async fn lay_ready(&mut self, answer: &Frame) -> io::Result<()> {
        self.laid = Some(*answer);
        Ok(())
    }

    async fn arrived(&mut self) -> io::Result<()> {
        self.reactor.readable(&self.socket).await;
        Ok(())
    }

    async fn take(&mut self, frame: &mut [u8]) -> io::Result<Option<usize>> {
        if !self.hear()? {
            return Ok(None);
        }
        let Some(bytes) = self.heard.pop_front() else { return Ok(None) };
        if self.heard.is_empty() {
            let mut datagram = head(ANSWER, self.asked);
            if let Some(laid) = self.laid.take() {
                datagram.extend_from_slice(laid.bytes());
            }
            self.send(&datagram)?;
        }
        frame[..bytes.len()].copy_from_slice(&bytes);
        Ok(Some(bytes.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: usize = 5;

    #[test]
    fn a_burst_is_read_as_it_was_written_and_nothing_else_is() {
        let mut datagram = head(BURST, 7);
        datagram.extend_from_slice(&[2, 1, 2, 0, 1, 9]);
        let Some(Said::Burst(7, frames)) = parse(&datagram) else { panic!("no burst") };
        assert_eq!(frames, [vec![1, 2], vec![], vec![9]]);
        let Some(Said::Answer(7, bytes)) = parse(&[&head(ANSWER, 7)[..], &[5]].concat()) else {
            panic!("no answer")
        };
        assert_eq!(bytes, [5]);
        for len in 0..datagram.len() {
            let whole = [HEAD + 3, HEAD + 4].contains(&len);
            assert_eq!(parse(&datagram[..len]).is_some(), whole, "{len}");
        }
        let long = [&head(BURST, 7)[..], &[33], &[0; 33]].concat();
        assert!(parse(&long).is_none() && parse(b"something else").is_none());
        assert!(parse(&[&head(ANSWER, 7)[..], &[0; 33]].concat()).is_none());
    }
}
