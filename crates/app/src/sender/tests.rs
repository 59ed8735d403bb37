//! Sender and receiver over a link that is a plain queue, without clock or executor.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::vec::Vec;

use airlag_link::Capability;
use embedded_hal::digital::{ErrorType, OutputPin};

use super::*;
use crate::Receiver;

/// The future never waits, so polling it once is sufficient.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a queue never waits"),
    }
}

struct Queue {
    capability: Capability,
    chunks: VecDeque<Vec<u8>>,
    give_up_at: Option<usize>,
    taken: usize,
}

impl Queue {
    fn new(capability: Capability) -> Self {
        Self { capability, chunks: VecDeque::new(), give_up_at: None, taken: 0 }
    }
}

impl Link for Queue {
    type Error = Infallible;
    fn capability(&self) -> Capability {
        self.capability
    }
    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        self.taken += 1;
        if self.give_up_at == Some(self.taken) {
            return Ok(Delivery::Lost);
        }
        let mut bytes = chunk.to_vec();
        if self.capability.padded {
            bytes.resize(self.capability.mtu, 0);
        }
        self.chunks.push_back(bytes);
        Ok(Delivery::Sent)
    }
    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }
    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let bytes = self.chunks.pop_front().expect("the test asks only for what is there");
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

#[derive(Default)]
struct Strobe {
    rises: usize,
    high: bool,
}

impl ErrorType for Strobe {
    type Error = Infallible;
}

impl OutputPin for Strobe {
    fn set_high(&mut self) -> Result<(), Infallible> {
        (self.rises, self.high) = (self.rises + 1, true);
        Ok(())
    }
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.high = false;
        Ok(())
    }
}

fn send(sender: &mut Sender<2048>, link: &mut Queue) -> Delivery {
    now(sender.send::<_, Infallible>(link)).expect("a queue does not fail")
}

fn receive_all(receiver: &mut Receiver<2048>, link: &mut Queue, strobe: &mut Strobe) {
    while !link.chunks.is_empty() {
        now(receiver.step(link, strobe, |_| ())).expect("a queue does not fail");
    }
}

#[test]
fn every_size_raises_one_strobe_over_every_kind_of_link() {
    let kinds = [
        Capability::datagram(32),
        Capability::datagram(32).padded(true),
        Capability::datagram(2048).stream(true),
        Capability::datagram(255),
    ];
    for kind in kinds {
        for size in [7, 12, 32, 33, 128, 1024, 2048] {
            let mut link = Queue::new(kind);
            let (mut sender, mut receiver) =
                (Sender::<2048>::new(size).expect("fits"), Receiver::<2048>::new());
            let mut strobe = Strobe::default();
            for _ in 0..3 {
                send(&mut sender, &mut link);
                receive_all(&mut receiver, &mut link, &mut strobe);
            }
            assert_eq!((strobe.rises, strobe.high), (3, false), "{kind:?} {size}");
            assert_eq!(receiver.received().messages, 3);
        }
    }
}

#[test]
fn a_changed_byte_raises_no_strobe() {
    let mut link = Queue::new(Capability::datagram(32));
    let (mut sender, mut receiver) =
        (Sender::<2048>::new(128).expect("fits"), Receiver::<2048>::new());
    let mut strobe = Strobe::default();
    send(&mut sender, &mut link);
    link.chunks[2][5] ^= 1;
    receive_all(&mut receiver, &mut link, &mut strobe);
    assert_eq!((strobe.rises, receiver.received().damaged), (0, 1));
}

#[test]
fn a_message_the_link_gives_up_on_is_abandoned() {
    let mut link = Queue::new(Capability::datagram(32));
    link.give_up_at = Some(2);
    let mut sender = Sender::<2048>::new(128).expect("fits");
    assert_eq!(send(&mut sender, &mut link), Delivery::Lost);
    assert_eq!((link.taken, link.chunks.len()), (2, 1));
    assert_eq!(sender.sent(), Sent { messages: 1, lost: 1 });
}

#[test]
fn a_size_that_does_not_fit_is_refused() {
    assert!(matches!(Sender::<64>::new(65), Err(MessageError::TooLong { len: 65 })));
    assert!(matches!(Sender::<64>::new(3), Err(MessageError::TooShort { len: 3 })));
}
