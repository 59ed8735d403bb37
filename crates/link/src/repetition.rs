//! Repeated transmission of every chunk, for links without acknowledgement.
//!
//! ```text
//!  sender    │ 7 chunk │ 7 chunk │ 8 chunk │ 8 chunk │
//!  receiver            │ 7       │ (again) │ 8 …
//! ```
//!
//! LoRaWAN calls this `NbTrans`. A counter byte in front of each chunk distinguishes a copy from
//! the next chunk. With one transmission, a chunk is sent as it is.

use crate::{Capability, Delivery, Link};

/// Largest chunk with its counter.
const MOST: usize = 256;

/// A link that sends each chunk several times.
pub struct Repeated<L> {
    link: L,
    times: u8,
    sent: u8,
    taken: Option<u8>,
}

impl<L> Repeated<L> {
    /// Sends each chunk `times` times over `link`, at least once.
    #[must_use]
    pub const fn new(link: L, times: u8) -> Self {
        Self { link, times: if times == 0 { 1 } else { times }, sent: 0, taken: None }
    }

    const fn counts(&self) -> bool {
        self.times > 1
    }
}

impl<L: Link> Link for Repeated<L> {
    type Error = L::Error;

    fn capability(&self) -> Capability {
        let mut capability = self.link.capability();
        if self.counts() {
            capability.mtu = capability.mtu.min(MOST).saturating_sub(1);
        }
        capability
    }

    fn carry_ip(&mut self) -> bool {
        self.link.carry_ip()
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, L::Error> {
        let mut frame = [0; MOST];
        let room = frame.get_mut(1..=chunk.len()).filter(|_| self.times > 1);
        let Some(room) = room else { return self.link.send(chunk).await };
        room.copy_from_slice(chunk);
        self.sent = self.sent.wrapping_add(1);
        frame[0] = self.sent;
        let mut delivery = Delivery::Lost;
        for _ in 0..self.times {
            match self.link.send(&frame[..=chunk.len()]).await? {
                Delivery::Lost => {}
                taken => delivery = taken,
            }
            self.link.flush().await?;
        }
        Ok(delivery)
    }

    async fn flush(&mut self) -> Result<Delivery, L::Error> {
        self.link.flush().await
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, L::Error> {
        if !self.counts() {
            return self.link.receive(buffer).await;
        }
        let mut frame = [0; MOST];
        loop {
            let length = self.link.receive(&mut frame).await?;
            let Some((&count, chunk)) = frame[..length.min(MOST)].split_first() else { continue };
            if self.taken.replace(count) == Some(count) {
                continue;
            }
            let length = chunk.len().min(buffer.len());
            buffer[..length].copy_from_slice(&chunk[..length]);
            return Ok(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use core::cell::RefCell;
    use core::future::Future;
    use core::pin::pin;
    use core::task::{Context, Poll, Waker};
    use std::collections::VecDeque;
    use std::vec::Vec;

    use super::*;

    /// Output of a future that never waits.
    fn block_on<F: Future>(future: F) -> F::Output {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("it waits"),
        }
    }

    /// A loopback link that loses the frames whose numbers are in `lost`.
    struct Loop<'a> {
        frames: &'a RefCell<VecDeque<Vec<u8>>>,
        sent: usize,
        lost: &'a [usize],
    }

    impl Link for Loop<'_> {
        type Error = core::convert::Infallible;

        fn capability(&self) -> Capability {
            Capability::datagram(255)
        }

        async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
            if !self.lost.contains(&self.sent) {
                self.frames.borrow_mut().push_back(chunk.to_vec());
            }
            self.sent += 1;
            Ok(Delivery::Sent)
        }

        async fn flush(&mut self) -> Result<Delivery, Self::Error> {
            Ok(Delivery::Sent)
        }

        async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
            let frame = self.frames.borrow_mut().pop_front().expect("a frame");
            buffer[..frame.len()].copy_from_slice(&frame);
            Ok(frame.len())
        }
    }

    fn through(times: u8, lost: &[usize], chunks: &[&[u8]]) -> (Vec<Vec<u8>>, usize) {
        let frames = RefCell::default();
        let link = |lost| Loop { frames: &frames, sent: 0, lost };
        let (mut sender, mut receiver) =
            (Repeated::new(link(lost), times), Repeated::new(link(&[]), times));
        let mut taken = Vec::new();
        block_on(async {
            for chunk in chunks {
                let Ok(_) = sender.send(chunk).await;
            }
            let on_air = frames.borrow().len();
            while taken.len() < chunks.len() && !frames.borrow().is_empty() {
                let mut buffer = [0; 255];
                let Ok(length) = receiver.receive(&mut buffer).await;
                taken.push(buffer[..length].to_vec());
            }
            (taken, on_air)
        })
    }

    #[test]
    fn a_chunk_that_arrives_twice_is_taken_once_and_one_of_two_is_enough() {
        let chunks: [&[u8]; 3] = [b"one", b"one", b"two"];
        let (taken, on_air) = through(2, &[0, 3], &chunks);
        assert_eq!((taken, on_air), (chunks.map(<[u8]>::to_vec).to_vec(), 4));
    }

    #[test]
    fn with_one_transmission_nothing_is_added() {
        let (taken, on_air) = through(1, &[], &[b"one", b"two"]);
        assert_eq!((taken[0].as_slice(), on_air), (&b"one"[..], 2));
        let frames = RefCell::default();
        let of = |times| Repeated::new(Loop { frames: &frames, sent: 0, lost: &[] }, times);
        assert_eq!((of(1).capability().mtu, of(2).capability().mtu), (255, 254));
    }
}
