//! A radio that plays a script: which frames arrive, and what is sent between them.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::vec::Vec;

use super::{Start, Transceiver};

/// The future never waits, so polling it once is sufficient.
pub fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a script never waits"),
    }
}

/// The end of a script that is played further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over;

/// A radio with a script.
#[derive(Default)]
pub struct Script {
    /// Results of the next calls of `receive`: a frame, or `None` for a time that has passed.
    pub arrivals: VecDeque<Option<Vec<u8>>>,
    /// Whether exact starts have already passed when they are requested.
    pub is_late: bool,
    /// Frames sent, with their starts.
    pub sent: Vec<(Vec<u8>, Start)>,
    /// Limits of all calls of `receive`.
    pub limits: Vec<Option<u32>>,
}

impl Script {
    /// Creates a radio at which these frames arrive.
    pub fn of(arrivals: impl IntoIterator<Item = Option<Vec<u8>>>) -> Self {
        Self { arrivals: arrivals.into_iter().collect(), ..Self::default() }
    }
}

impl Transceiver for &mut Script {
    type Error = Over;

    async fn send(&mut self, frame: &[u8], start: Start) -> Result<bool, Over> {
        if self.is_late && matches!(start, Start::Exactly(_)) {
            return Ok(false);
        }
        self.sent.push((frame.to_vec(), start));
        Ok(true)
    }

    async fn receive(
        &mut self,
        frame: &mut [u8],
        until_us: Option<u32>,
    ) -> Result<Option<usize>, Over> {
        self.limits.push(until_us);
        let Some(arrived) = self.arrivals.pop_front().ok_or(Over)? else { return Ok(None) };
        frame[..arrived.len()].copy_from_slice(&arrived);
        Ok(Some(arrived.len()))
    }
}
