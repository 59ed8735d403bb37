//! Any link that carries bytes both ways, as the radio of a tunnel.
//!
//! What a link can do decides how it is used, never what it is:
//!
//! - Its largest chunk is the longest frame, behind a mark. Where edges are not kept, or chunks are filled up
//!   or too short for a frame, frames go as messages of `airlag-link` ([`framing`]).
//! - The answer that an nRF24L01+ sends by itself is sent by whoever is asked, and made then: so it tells of
//!   the whole burst. It repeats the burst's number, so that a late one is not taken for that of another.
//! - A link that confirms chunks gets frames one by one ([`Arq::Confirmed`]).
//! - How long to wait for an answer, and how many frames are worth one, is measured ([`times`]): a frame of
//!   LoRa takes a thousand times as long as one of Bluetooth.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;
use core::future::ready;

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
    link: L,
    clock: C,
    framing: Framing,
    confirms: bool,
    /// Something may come while a chunk is sent.
    duplex: bool,
    inbox: Inbox,
    times: Times,
    /// Of the last burst that asked.
    number: u8,
    /// The burst the last frame taken was of.
    asking: Mark,
}

/// What comes over the link.
struct Inbox {
    chunk: Vec<u8>,
    sorter: Sorter,
    frames: VecDeque<Heard>,
}

impl Inbox {
    /// Waits until something came, or for `other`; false if it was that.
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
}

impl<L: Link, C: Clock> Over<L, C> {
    /// A link that is open, and the clock of the endpoint it is for.
    pub fn new(link: L, clock: C) -> Self {
        let capability = link.capability();
        let framing = Framing::of(&capability);
        let inbox = Inbox {
            chunk: vec![0; capability.mtu.max(framing::MESSAGE)],
            sorter: Sorter::new(&capability),
            frames: VecDeque::new(),
        };
        Self {
            framing,
            confirms: capability.acknowledged,
            duplex: capability.duplex,
            inbox,
            times: Times::new(framing.frame()),
            number: 0,
            asking: Mark::burst(0),
            link,
            clock,
        }
    }

    /// Longest frame, bytes: what the endpoint is to be set to.
    #[must_use]
    pub const fn frame(&self) -> usize {
        self.framing.frame()
    }

    /// How the endpoint learns what has come of its frames.
    #[must_use]
    pub const fn arq(&self) -> Arq {
        if self.confirms { Arq::Confirmed } else { Arq::Asked }
    }

    /// Whether only one end can send at a time: what the endpoint is to be set to.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        !self.duplex
    }

    /// What the link takes, as far as it is known.
    #[must_use]
    pub fn pace(&self) -> Pace {
        let frame = self.times.frame();
        let answer = frame + self.times.usual();
        // Who may send next needs no longer than who answers.
        let burst = if self.confirms { 1 } else { self.times.burst() };
        Pace { frame, answer, turn: answer, burst }
    }

    /// Sends one frame, in as many chunks as it takes.
    async fn send(&mut self, mark: Mark, frame: &[u8]) -> Result<Delivery, L::Error> {
        let (bytes, mtu) = (self.framing.wrap(mark, frame), self.link.capability().mtu);
        let mut whole = Delivery::Confirmed;
        for chunk in airlag_link::chunks(bytes.as_slice(), mtu) {
            let mut told = self.link.send(chunk).await?;
            if self.confirms && told == Delivery::Sent {
                told = self.link.flush().await?;
            }
            match told {
                Delivery::Lost => return Ok(Delivery::Lost),
                Delivery::Sent => whole = Delivery::Sent,
                Delivery::Confirmed => {}
            }
        }
        Ok(whole)
    }

    /// What was heard while this end sends: an answer of burst `number`, if there is one; everything else is
    /// for `heard`.
    async fn sort(
        &mut self,
        number: Option<u8>,
        heard: &mut impl FnMut(&[u8]) -> Option<Frame>,
    ) -> Result<Option<Vec<u8>>, L::Error> {
        while let Some(Heard { mark, frame }) = self.inbox.frames.pop_front() {
            if mark.is_answer {
                if number == Some(mark.number) {
                    return Ok(Some(frame));
                }
            } else if let Some(answer) = heard(&frame) {
                self.send(mark.answered(), answer.bytes()).await?;
            }
        }
        Ok(None)
    }

    /// Waits for the answer to a burst that ended at `sent`.
    async fn answer(
        &mut self,
        sent: Instant,
        heard: &mut impl FnMut(&[u8]) -> Option<Frame>,
    ) -> Result<Option<Vec<u8>>, L::Error> {
        let until = sent + self.times.frame() + self.times.timeout();
        loop {
            if let Some(answer) = self.sort(Some(self.number), heard).await? {
                return Ok(Some(answer));
            }
            if !self.inbox.hear(&mut self.link, self.clock.until(until)).await? {
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
            last = self.send(Mark::burst(self.number), frame.bytes()).await?;
            bytes += frame.bytes().len();
            if self.duplex {
                while self.inbox.hear(&mut self.link, ready(())).await? {}
                self.sort(None, heard).await?;
            }
        }
        if !self.confirms {
            self.link.flush().await?;
        }
        let sent = self.clock.now();
        self.times.sent(bytes, sent.since(begun));
        if frames.last().is_some_and(|frame| !frame.asks()) {
            return Ok(Outcome::Passed(last));
        }
        // What was given up nobody answers; that says nothing of how long answers take.
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
        self.send(self.asking.answered(), answer.bytes()).await?;
        if !self.confirms {
            self.link.flush().await?;
        }
        Ok(())
    }

    async fn arrived(&mut self) -> Result<(), L::Error> {
        while self.inbox.frames.is_empty() {
            self.inbox.hear(&mut self.link, core::future::pending()).await?;
        }
        Ok(())
    }

    async fn take(&mut self, frame: &mut [u8]) -> Result<Option<usize>, L::Error> {
        while let Some(Heard { mark, frame: heard }) = self.inbox.frames.pop_front() {
            // An answer that comes now is late.
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
