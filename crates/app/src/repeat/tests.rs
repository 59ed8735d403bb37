//! Both ends over two queues with controlled losses, polled in turns.

use core::future::{Future, poll_fn};
use core::task::{Context, Poll, Waker};
use std::boxed::Box;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::pin;
use std::rc::Rc;
use std::vec::Vec;

use airlag_link::Capability;

use super::*;

type Way = Rc<RefCell<VecDeque<Vec<u8>>>>;

/// One end: sends into one queue, except for chunks whose index `lost` selects, and receives from
/// another.
struct End {
    into: Way,
    from: Way,
    sent: usize,
    lost: Box<dyn Fn(usize) -> bool>,
}

impl Link for End {
    type Error = Infallible;

    fn capability(&self) -> Capability {
        Capability::datagram(40)
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Infallible> {
        self.sent += 1;
        if !(self.lost)(self.sent) {
            self.into.borrow_mut().push_back(chunk.to_vec());
        }
        Ok(Delivery::Sent)
    }

    async fn flush(&mut self) -> Result<Delivery, Infallible> {
        Ok(Delivery::Sent)
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let bytes = poll_fn(|_| match self.from.borrow_mut().pop_front() {
            Some(bytes) => Poll::Ready(bytes),
            None => Poll::Pending,
        });
        let bytes = bytes.await;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

/// A clock that advances whenever it is polled.
struct Polls;

impl DelayNs for Polls {
    async fn delay_ns(&mut self, ns: u32) {
        let mut left = ns / 1_000;
        poll_fn(|_| match left.checked_sub(1) {
            Some(less) => {
                left = less;
                Poll::Pending
            }
            None => Poll::Ready(()),
        })
        .await;
    }
}

/// Sends `count` messages of 60 B over such ends; returns those that arrived, in order, and the
/// number of retransmissions.
fn sent(
    count: u32,
    lost: impl Fn(usize) -> bool + 'static,
    answers_lost: impl Fn(usize) -> bool + 'static,
) -> (Vec<u16>, u32) {
    let (there, back) = (Way::default(), Way::default());
    let mut near =
        End { into: Rc::clone(&there), from: Rc::clone(&back), sent: 0, lost: Box::new(lost) };
    let mut far = End { into: back, from: there, sent: 0, lost: Box::new(answers_lost) };
    let came = Rc::new(RefCell::new(Vec::new()));
    let kept = Rc::clone(&came);
    let mut repeater = Repeater::<128>::new(60, None, 50).expect("a size that fits");
    let mut done = false;
    {
        let (mut collector, mut clock) = (Collector::<128>::new(), Polls);
        let mut sending = pin!(repeater.run(&mut near, &mut clock, count, |_, _| {}));
        let mut receiving = pin!(async {
            loop {
                let Ok(()) =
                    collector.step(&mut far, |number| kept.borrow_mut().push(number)).await;
            }
        });
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..1_000_000 {
            let Poll::Pending = receiving.as_mut().poll(&mut context);
            if sending.as_mut().poll(&mut context).is_ready() {
                done = true;
                break;
            }
        }
    }
    assert!(done, "not all of {count} messages came");
    (came.take(), repeater.repeated())
}

fn all(count: u32) -> Vec<u16> {
    (0..count).map(|number| number as u16).collect()
}

#[test]
fn without_loss_every_message_goes_once_and_in_order() {
    for count in [1, 100, 128, 129, 1_000] {
        assert_eq!(sent(count, |_| false, |_| false), (all(count), 0), "{count}");
    }
}

#[test]
fn what_is_lost_comes_once_however_much_is() {
    // Every third chunk and every second response are lost. A message has two chunks.
    let third = |nth: usize| (nth.wrapping_mul(0x9E37_79B9) >> 16).is_multiple_of(3);
    let (mut came, repeated) = sent(300, third, |nth| nth % 2 == 0);
    came.sort_unstable();
    assert_eq!(came, all(300));
    assert!(repeated > 100, "{repeated}");
}

#[test]
fn sequence_numbers_wrap() {
    let (came, repeated) = sent(66_000, |nth| nth % 1_001 == 0, |_| false);
    assert_eq!((came.len(), repeated > 0), (66_000, true));
    assert_eq!(came[65_535..65_537], [65_535, 0]);
}
