//! Any bidirectional link as the radio of a tunnel.
//!
//! The use of a link depends only on its capabilities:
//!
//! - The length of the longest frame is the length of the link's largest chunk minus the length of a mark.
//!   The mark precedes each frame, and contains the number of the burst and whether the frame is a response.
//!   Frames are sent as messages of `airlag-link` ([`framing`]) if the link does not preserve chunk
//!   boundaries, pads chunks, or has chunks that are too short for a frame.
//! - If the radio of a tunnel is an nRF24L01+, the chip sends a response automatically. With this module,
//!   the software of the other end sends the response on request, so the response covers the whole burst.
//!   The response contains the number of the burst, so that a late response is not mistaken for the response
//!   to another burst.
//! - If a link confirms the delivery of chunks, frames are passed to the link one by one
//!   ([`Arq::Confirmed`]).
//! - The timeout of a response, and the number of frames per response, are determined from measured times
//!   ([`times`]), because a frame of LoRa takes a thousand times as long as a frame of Bluetooth.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;
use core::future::ready;
use core::pin::pin;

use airlag_link::{Delivery, Link};
use embassy_futures::select::{Either, select};

use crate::endpoint::{Arq, Pace};
use crate::radio::{Clock, Outcome, Radio};
use crate::time::Instant;
use crate::wire::Frame;

pub mod framing;
pub mod times;

use framing::{Framing, Heard, Mark, Sorter};
use times::Times;

/// A link as a radio.
pub struct Over<L, C> {
    line: Line<L>,
    clock: C,
    /// Whether the link can receive while it sends.
    duplex: bool,
    inbox: Inbox,
    times: Times,
    /// Number of the last burst that requested a response.
    number: u8,
    /// Mark of the burst of the last received frame.
    asking: Mark,
}

/// Sending half of the link.
struct Line<L> {
    link: L,
    framing: Framing,
    confirms: bool,
}

impl<L: Link> Line<L> {
    /// Sends one frame in the required number of chunks.
    async fn send(&mut self, mark: Mark, frame: &[u8]) -> Result<Delivery, L::Error> {
        let (bytes, mtu) = (self.framing.wrap(mark, frame), self.link.capability().mtu);
        let mut whole = Delivery::Confirmed;
        for chunk in airlag_link::chunks(bytes.as_slice(), mtu) {
            let mut outcome = self.link.send(chunk).await?;
            if self.confirms && outcome == Delivery::Sent {
                outcome = self.link.flush().await?;
            }
            match outcome {
                Delivery::Lost => return Ok(Delivery::Lost),
                Delivery::Sent => whole = Delivery::Sent,
                Delivery::Confirmed => {}
            }
        }
        Ok(whole)
    }

    /// Waits until everything is sent, and confirmed if the link does so.
    async fn flush(&mut self) -> Result<(), L::Error> {
        if !self.confirms {
            self.link.flush().await?;
        }
        Ok(())
    }
}

/// Receiving half of the link.
struct Inbox {
    chunk: Vec<u8>,
    sorter: Sorter,
    frames: VecDeque<Heard>,
}

impl Inbox {
    /// Waits for a received chunk or for `other`. Returns false in the second case.
    async fn hear<L: Link>(
        &mut self,
        link: &mut L,
        other: impl Future<Output = ()>,
    ) -> Result<bool, L::Error> {
        let Self { chunk, sorter, frames } = self;
        match select(link.receive(chunk), other).await {
            Either::First(got) => {
                sorter.push(&chunk[..got?], |frame| frames.push_back(frame));
                Ok(true)
            }
            Either::Second(()) => Ok(false),
        }
    }

    /// Processes chunks that were received while sending. Returns the response to burst `number`, if any;
    /// other frames go to `heard`.
    async fn sort<L: Link>(
        &mut self,
        line: &mut Line<L>,
        number: Option<u8>,
        heard: &mut impl FnMut(&[u8]) -> Option<Frame>,
    ) -> Result<Option<Vec<u8>>, L::Error> {
        while let Some(Heard { mark, frame }) = self.frames.pop_front() {
            if mark.is_answer {
                if number == Some(mark.number) {
                    return Ok(Some(frame));
                }
            } else if let Some(answer) = heard(&frame) {
                line.send(mark.answered(), answer.bytes()).await?;
            }
        }
        Ok(None)
    }
}

impl<L: Link, C: Clock> Over<L, C> {
    /// Creates a radio from an open link and the clock of its endpoint.
    pub fn new(link: L, clock: C) -> Self {
        let capability = link.capability();
        let framing = Framing::of(&capability);
        let inbox = Inbox {
            chunk: vec![0; capability.mtu.max(framing::MESSAGE)],
            sorter: Sorter::new(&capability),
            frames: VecDeque::new(),
        };
        Self {
            line: Line { link, framing, confirms: capability.acknowledged },
            duplex: capability.duplex,
            inbox,
            times: Times::new(framing.frame()),
            number: 0,
            asking: Mark::burst(0),
            clock,
        }
    }

    /// Longest frame, bytes, for the configuration of the endpoint.
    #[must_use]
    pub const fn frame(&self) -> usize {
        self.line.framing.frame()
    }

    /// ARQ method for the configuration of the endpoint.
    #[must_use]
    pub const fn arq(&self) -> Arq {
        if self.line.confirms { Arq::Confirmed } else { Arq::Asked }
    }

    /// Whether the medium is half-duplex, for the configuration of the endpoint.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        !self.duplex
    }

    /// Timing of the link, as measured so far.
    #[must_use]
    pub fn pace(&self) -> Pace {
        let frame = self.times.frame();
        let answer = frame + self.times.usual();
        // A turn takes no longer than a response.
        let burst = if self.line.confirms { 1 } else { self.times.burst() };
        Pace { frame, answer, turn: answer, burst }
    }

    /// Waits for the response to a burst that ended at `sent`.
    async fn answer(
        &mut self,
        sent: Instant,
        heard: &mut impl FnMut(&[u8]) -> Option<Frame>,
    ) -> Result<Option<Vec<u8>>, L::Error> {
        let Self { line, clock, inbox, times, number, .. } = self;
        let usual = sent + times.frame() + times.usual();
        // One timeout for any number of chunks.
        let mut over = pin!(clock.until(sent + times.frame() + times.timeout()));
        loop {
            let is_alive = !inbox.frames.is_empty();
            if let Some(answer) = inbox.sort(line, Some(*number), heard).await? {
                return Ok(Some(answer));
            }
            // An end that sends something else did not receive the request.
            let is_late = is_alive && clock.now() > usual;
            if is_late || !inbox.hear(&mut line.link, over.as_mut()).await? {
                return Ok(None);
            }
        }
    }
}

impl<L: Link, C: Clock> Radio for Over<L, C> {
    type Error = L::Error;

    async fn burst(
        &mut self,
        frames: &[Frame],
        answer: &mut [u8],
        heard: &mut impl FnMut(&[u8]) -> Option<Frame>,
    ) -> Result<Outcome, L::Error> {
        self.number = Mark::next(self.number);
        let (begun, mut bytes, mut last) = (self.clock.now(), 0, Delivery::Sent);
        for frame in frames {
            last = self.line.send(Mark::burst(self.number), frame.bytes()).await?;
            bytes += frame.bytes().len();
            if self.duplex {
                while self.inbox.hear(&mut self.line.link, ready(())).await? {}
                self.inbox.sort(&mut self.line, None, heard).await?;
            }
        }
        self.line.flush().await?;
        let sent = self.clock.now();
        self.times.sent(bytes, sent.since(begun));
        if frames.last().is_some_and(|frame| !frame.asks()) {
            return Ok(Outcome::Passed(last));
        }
        // A burst that the link gave up gets no response, which is not a measurement of the
        // timeout.
        if last == Delivery::Lost {
            return Ok(Outcome::Unanswered);
        }
        let got = self.answer(sent, heard).await?;
        let Some(got) = got.filter(|got| got.len() <= answer.len()) else {
            self.times.unanswered();
            return Ok(Outcome::Unanswered);
        };
        self.times.answered(got.len(), self.clock.now().since(sent));
        answer[..got.len()].copy_from_slice(&got);
        Ok(Outcome::Answered(got.len()))
    }

    async fn lay_ready(&mut self, answer: &Frame) -> Result<(), L::Error> {
        self.line.send(self.asking.answered(), answer.bytes()).await?;
        self.line.flush().await
    }

    async fn arrived(&mut self) -> Result<(), L::Error> {
        while self.inbox.frames.is_empty() {
            self.inbox.hear(&mut self.line.link, core::future::pending()).await?;
        }
        Ok(())
    }

    async fn take(&mut self, frame: &mut [u8]) -> Result<Option<usize>, L::Error> {
        while let Some(Heard { mark, frame: heard }) = self.inbox.frames.pop_front() {
            // A response that arrives at this time is late and is discarded.
            if !mark.is_answer && heard.len() <= frame.len() {
                self.asking = mark;
                frame[..heard.len()].copy_from_slice(&heard);
                return Ok(Some(heard.len()));
            }
        }
        Ok(None)
    }

    fn pace(&self) -> Option<Pace> {
        Some(self.pace())
    }
}
