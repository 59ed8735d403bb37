//! Selective repeat: messages are sent in windows, and the missing messages of a window are
//! retransmitted until it is complete.
//!
//! ```text
//!  sender    0 1 2 … 127  ask ·············  3 77 78  ask ···········  128 129 …
//!  receiver               ···  bitmap of 0 … 127  ···  all of them  ···
//! ```
//!
//! The receiver reports the bitmap of received messages only on request, so that nothing is sent
//! back while messages arrive. A request is repeated after a timeout if the request or its response
//! was lost. Neither end buffers messages: the sender generates a message again for a
//! retransmission, and the receiver delivers each message once, in the order of arrival.

use airlag_link::{Delivery, Link, MessageError, Reassembler, Seen, chunks, message};
use embassy_futures::join::join;
use embassy_futures::select::{Either, select};
use embedded_hal_async::delay::DelayNs;

/// Messages per window.
pub const WINDOW: u16 = 128;
const BITMAP: usize = WINDOW as usize / 8;
/// First bytes of the body of a request, and of a response.
const ASK: [u8; 4] = *b"ask?";
const HAVE: [u8; 4] = *b"have";
const ASK_LEN: usize = message::MIN_LEN + ASK.len();
const HAVE_LEN: usize = message::MIN_LEN + HAVE.len() + BITMAP;

/// Divisor of the timeout after which a request that the link refused is repeated.
const REFUSED: u32 = 64;

/// Received messages of a window.
type Bitmap = [u8; BITMAP];

const fn has(bitmap: &Bitmap, nth: u16) -> bool {
    bitmap[nth as usize / 8] & 1 << (nth % 8) != 0
}

/// Sends test messages of one size, each until it has arrived. `N` is the largest size.
pub struct Repeater<const N: usize> {
    bytes: [u8; N],
    chunk: [u8; N],
    size: usize,
    /// Message interval, us. `None` if only the link limits the rate.
    pace_us: Option<u32>,
    /// Timeout for a response, us.
    timeout_us: u32,
    repeated: u32,
}

impl<const N: usize> Repeater<N> {
    /// Creates a sender of messages of `size` bytes with an optional interval of `pace_us`, which
    /// repeats its requests after `timeout_us`.
    pub fn new(size: usize, pace_us: Option<u32>, timeout_us: u32) -> Result<Self, MessageError> {
        if size > N {
            return Err(MessageError::TooLong { len: size });
        }
        let mut bytes = [0; N];
        message::write_test(&mut bytes[..size], 0)?;
        Ok(Self { bytes, chunk: [0; N], size, pace_us, timeout_us, repeated: 0 })
    }

    /// Number of retransmissions.
    #[must_use]
    pub const fn repeated(&self) -> u32 {
        self.repeated
    }

    /// Sends `count` messages, numbered from 0 and wrapping, and returns once all have arrived.
    /// Calls `handed_over` with the index of each message that is handed over.
    pub async fn run<L: Link, D: DelayNs>(
        &mut self,
        link: &mut L,
        delay: &mut D,
        count: u32,
        mut handed_over: impl FnMut(u32, Delivery),
    ) -> Result<(), L::Error> {
        let mut first = 0;
        while first < count {
            let left = count - first;
            let window = if left < u32::from(WINDOW) { left as u16 } else { WINDOW };
            let (mut bitmap, mut again) = ([0; BITMAP], false);
            while (0..window).any(|nth| !has(&bitmap, nth)) {
                for nth in (0..window).filter(|&nth| !has(&bitmap, nth)) {
                    let delivery = self.send(link, delay, first as u16 + nth).await?;
                    handed_over(first + u32::from(nth), delivery);
                    self.repeated = self.repeated.wrapping_add(u32::from(again));
                }
                bitmap = self.ask(link, delay, first as u16).await?;
                again = true;
            }
            first += u32::from(window);
        }
        Ok(())
    }

    async fn send<L: Link, D: DelayNs>(
        &mut self,
        link: &mut L,
        delay: &mut D,
        sequence: u16,
    ) -> Result<Delivery, L::Error> {
        // `new` has checked the length.
        let _ = message::write_test(&mut self.bytes[..self.size], sequence);
        let message = &self.bytes[..self.size];
        match self.pace_us {
            None => hand_over(link, message).await,
            Some(us) => join(delay.delay_us(us), hand_over(link, message)).await.1,
        }
    }

    /// Requests the bitmap of the window that starts at `base`.
    async fn ask<L: Link, D: DelayNs>(
        &mut self,
        link: &mut L,
        delay: &mut D,
        base: u16,
    ) -> Result<Bitmap, L::Error> {
        let mut question = [0; ASK_LEN];
        question[message::HEADER_LEN..][..ASK.len()].copy_from_slice(&ASK);
        // The length is sufficient for header and CRC.
        let _ = message::seal(&mut question, base);
        let stream = link.capability().stream;
        loop {
            if hand_over(link, &question).await? == Delivery::Lost {
                // The request could not be sent. The queue was full and may have space soon.
                delay.delay_us(self.timeout_us / REFUSED).await;
                continue;
            }
            let (chunk, mut answers) = (&mut self.chunk, Reassembler::<HAVE_LEN>::new());
            let answer = async {
                loop {
                    let len = link.receive(chunk).await?;
                    let mut rest = &chunk[..len.min(N)];
                    while !rest.is_empty() {
                        if let Some(bitmap) = next(&mut answers, &mut rest, stream, base) {
                            return Ok(bitmap);
                        }
                    }
                }
            };
            match select(answer, delay.delay_us(self.timeout_us)).await {
                Either::First(answered) => return answered,
                Either::Second(()) => {}
            }
        }
    }
}

/// Consumes the front of `rest` up to the next boundary. Returns the bitmap if it is the response
/// about `base`.
fn next(
    answers: &mut Reassembler<HAVE_LEN>,
    rest: &mut &[u8],
    stream: bool,
    base: u16,
) -> Option<Bitmap> {
    let seen = take(answers, rest, stream);
    let body = answers.message().get(message::HEADER_LEN..)?;
    match seen {
        Seen::Whole(header) if header.sequence == base => {
            body.strip_prefix(&HAVE)?.first_chunk().copied()
        }
        _ => None,
    }
}

fn take<const M: usize>(from: &mut Reassembler<M>, rest: &mut &[u8], stream: bool) -> Seen {
    let (seen, used) = if stream { from.push_stream(rest) } else { (from.push(rest), rest.len()) };
    *rest = &rest[used..];
    seen
}

async fn hand_over<L: Link>(link: &mut L, message: &[u8]) -> Result<Delivery, L::Error> {
    let mut delivery = Delivery::Sent;
    for chunk in chunks(message, link.capability().mtu) {
        delivery = link.send(chunk).await?;
        if delivery == Delivery::Lost {
            break;
        }
    }
    Ok(delivery)
}

/// Accepts each message once, and reports its bitmap on request. `N` is the longest message, and at
/// least the link's largest chunk.
pub struct Collector<const N: usize> {
    reassembler: Reassembler<N>,
    chunk: [u8; N],
    base: u16,
    bitmap: Bitmap,
}

impl<const N: usize> Default for Collector<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Collector<N> {
    /// Creates an empty collector.
    #[must_use]
    pub const fn new() -> Self {
        Self { reassembler: Reassembler::new(), chunk: [0; N], base: 0, bitmap: [0; BITMAP] }
    }

    /// Processes a chunk, and responds to a request. Calls `fresh` with the sequence number of each
    /// message that had not arrived before.
    pub async fn step<L: Link>(
        &mut self,
        link: &mut L,
        mut fresh: impl FnMut(u16),
    ) -> Result<(), L::Error> {
        let stream = link.capability().stream;
        let len = link.receive(&mut self.chunk).await?.min(N);
        let mut asked = None;
        let mut rest = &self.chunk[..len];
        while !rest.is_empty() {
            let Seen::Whole(header) = take(&mut self.reassembler, &mut rest, stream) else {
                continue;
            };
            let message = self.reassembler.message();
            if message::is_test(message, header.sequence) {
                if mark(&mut self.base, &mut self.bitmap, header.sequence) {
                    fresh(header.sequence);
                }
            } else if message[message::HEADER_LEN..].starts_with(&ASK) {
                asked = Some(header.sequence);
            }
        }
        if let Some(base) = asked {
            self.answer(link, base).await?;
        }
        Ok(())
    }

    async fn answer<L: Link>(&mut self, link: &mut L, base: u16) -> Result<(), L::Error> {
        // The receiver leaves a window only when it is complete. No message of a later window has
        // arrived.
        let bitmap = match self.base.wrapping_sub(base) {
            0 => self.bitmap,
            ahead if ahead < u16::MAX / 2 => [u8::MAX; BITMAP],
            _ => [0; BITMAP],
        };
        let mut answer = [0; HAVE_LEN];
        let body = &mut answer[message::HEADER_LEN..];
        body[..HAVE.len()].copy_from_slice(&HAVE);
        body[HAVE.len()..][..BITMAP].copy_from_slice(&bitmap);
        // The length is sufficient for header and CRC.
        let _ = message::seal(&mut answer, base);
        hand_over(link, &answer).await.map(|_| ())
    }
}

/// Marks a message as received; returns false if it already was.
fn mark(base: &mut u16, bitmap: &mut Bitmap, sequence: u16) -> bool {
    let ahead = sequence.wrapping_sub(*base);
    if ahead >= WINDOW {
        if ahead > u16::MAX / 2 {
            return false;
        }
        (*base, *bitmap) = (sequence - sequence % WINDOW, [0; BITMAP]);
    }
    let nth = sequence.wrapping_sub(*base);
    let new = !has(bitmap, nth);
    bitmap[usize::from(nth) / 8] |= 1 << (nth % 8);
    new
}

#[cfg(test)]
mod tests;
