//! Trigger → message → chunks.

use airlag_link::{Delivery, Link, MessageError, chunks, message};
use embedded_hal_async::digital::Wait;

/// Reason why a sender stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SendError<L, T> {
    /// The link could not be used.
    #[error("the link failed")]
    Link(L),
    /// The trigger input could not be read.
    #[error("the trigger input failed")]
    Trigger(T),
    /// The message size cannot be sent.
    #[error(transparent)]
    Message(#[from] MessageError),
}

/// Counters of a sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Messages begun.
    pub messages: u32,
    /// Messages that the link gave up.
    pub lost: u32,
}

/// Sends one message of a fixed size for every trigger edge. `N` is the largest size.
pub struct Sender<const N: usize> {
    bytes: [u8; N],
    size: usize,
    sequence: u16,
    count: Sent,
}

impl<const N: usize> Sender<N> {
    /// Creates a sender of messages of `size` bytes.
    pub fn new(size: usize) -> Result<Self, MessageError> {
        if size > N {
            return Err(MessageError::TooLong { len: size });
        }
        let mut sender = Self { bytes: [0; N], size, sequence: 0, count: Sent::default() };
        sender.prepare()?;
        Ok(sender)
    }

    /// Counters so far.
    #[must_use]
    pub const fn sent(&self) -> Sent {
        self.count
    }

    /// Sends a message at every rising edge of `trigger`, until an error.
    pub async fn run<T: Wait, L: Link>(
        &mut self,
        trigger: &mut T,
        link: &mut L,
    ) -> SendError<L::Error, T::Error> {
        loop {
            if let Err(error) = trigger.wait_for_rising_edge().await {
                return SendError::Trigger(error);
            }
            match self.send(link).await {
                Ok(_) => {}
                Err(error) => return error,
            }
        }
    }

    /// Sends the next message now. If the link gives up a chunk, the remaining chunks are not sent,
    /// because the receiver could not use them.
    pub async fn send<L: Link, T>(
        &mut self,
        link: &mut L,
    ) -> Result<Delivery, SendError<L::Error, T>> {
        let mut delivery = self.hand_over(link).await.map_err(SendError::Link)?;
        if delivery == Delivery::Sent {
            delivery = link.flush().await.map_err(SendError::Link)?;
        }
        self.settle(delivery)?;
        Ok(delivery)
    }

    /// Sends the next message of a stream now, without waiting for the link to complete it.
    pub async fn stream<L: Link>(
        &mut self,
        link: &mut L,
    ) -> Result<Delivery, SendError<L::Error, core::convert::Infallible>> {
        let delivery = self.hand_over(link).await.map_err(SendError::Link)?;
        self.settle(delivery)?;
        Ok(delivery)
    }

    async fn hand_over<L: Link>(&mut self, link: &mut L) -> Result<Delivery, L::Error> {
        self.count.messages = self.count.messages.wrapping_add(1);
        let mut delivery = Delivery::Sent;
        for chunk in chunks(&self.bytes[..self.size], link.capability().mtu) {
            delivery = link.send(chunk).await?;
            if delivery == Delivery::Lost {
                break;
            }
        }
        Ok(delivery)
    }

    /// Counts the outcome of a message, and prepares the next one, so that a trigger does not wait
    /// for its CRC.
    fn settle(&mut self, delivery: Delivery) -> Result<(), MessageError> {
        if delivery == Delivery::Lost {
            self.count.lost = self.count.lost.wrapping_add(1);
        }
        self.sequence = self.sequence.wrapping_add(1);
        self.prepare()
    }

    fn prepare(&mut self) -> Result<(), MessageError> {
        message::write_test(&mut self.bytes[..self.size], self.sequence)
    }
}

#[cfg(test)]
mod tests;
