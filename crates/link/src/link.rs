//! The seam between a program and a radio.
//!
//! Three methods carry data and one says what the link can do. The program asks what a link can
//! do, never what it is: a radio chip, a transparent modem and a whole closed stack look the same.
//! Loss, delay and cost are added by wrapping a link in another one.

use core::fmt::Debug;

/// What a link can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capability {
    /// Largest chunk one [`Link::send`] takes, in bytes.
    pub mtu: usize,
    /// Chunks arrive at their full size whatever was sent, filled up with zeros.
    pub padded: bool,
    /// The other side confirms: [`Delivery`] tells whether a chunk arrived.
    pub acknowledged: bool,
    /// Bytes arrive in order but in pieces of any size; a chunk's edges are not kept.
    pub stream: bool,
    /// Both ends may send at any time: who has the medium when is the link's own affair.
    pub duplex: bool,
    /// Bytes arrive whole and in order, or the link breaks, as over a TCP connection; which end opened it. None
    /// of any other link.
    pub connection: Option<OpenedBy>,
}

/// Which end opened a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenedBy {
    /// This end.
    Here,
    /// The peer.
    Peer,
}

impl Capability {
    /// A link for chunks of up to `mtu` bytes that promises nothing more.
    #[must_use]
    pub const fn datagram(mtu: usize) -> Self {
        Self {
            mtu,
            padded: false,
            acknowledged: false,
            stream: false,
            duplex: false,
            connection: None,
        }
    }

    /// The same link, filling every chunk up to its full size.
    #[must_use]
    pub const fn padded(mut self, padded: bool) -> Self {
        self.padded = padded;
        self
    }

    /// The same link with confirmation.
    #[must_use]
    pub const fn acknowledged(mut self, acknowledged: bool) -> Self {
        self.acknowledged = acknowledged;
        self
    }

    /// The same link as a stream of bytes.
    #[must_use]
    pub const fn stream(mut self, stream: bool) -> Self {
        self.stream = stream;
        self
    }

    /// The same link for two ends that send when they like.
    #[must_use]
    pub const fn duplex(mut self, duplex: bool) -> Self {
        self.duplex = duplex;
        self
    }

    /// The same link as a connection.
    #[must_use]
    pub const fn connection(mut self, opened: OpenedBy) -> Self {
        self.connection = Some(opened);
        self
    }
}

/// What became of a chunk, as far as the sending side knows. A lost chunk is a result, not an
/// error: errors are for a bus that does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The other side confirmed it.
    Confirmed,
    /// It was handed over, and nobody says more: the link does not confirm, or has not yet.
    Sent,
    /// The link tried as often as it may and gave up.
    Lost,
}

/// A way to carry chunks of bytes to one peer.
#[allow(async_fn_in_trait, reason = "one thread per board; embedded-hal-async does the same")]
pub trait Link {
    /// What can break on this side of the link.
    type Error: Debug;

    /// What this link can do, as it is configured now.
    fn capability(&self) -> Capability;

    /// Sends one chunk of at most [`Capability::mtu`] bytes.
    ///
    /// Returns when the link is ready to be given the next one. A link that keeps several chunks
    /// under way returns [`Delivery::Sent`] early, and [`Delivery::Lost`] as soon as it knows that
    /// this or an earlier chunk is lost.
    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error>;

    /// Waits until nothing is under way any more.
    async fn flush(&mut self) -> Result<Delivery, Self::Error>;

    /// Waits for the next chunk and returns its size. `buffer` holds [`Capability::mtu`] bytes.
    ///
    /// A program that has something to send may drop this while it waits: what has not arrived yet
    /// is not lost by it. A chip that is being read out meanwhile may lose that one chunk.
    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error>;

    /// From now on chunks are IP packets as they are, and one that finds no room is dropped as
    /// behind a network interface. False of a link that knows nothing of IP, for which nothing
    /// changes.
    fn carry_ip(&mut self) -> bool {
        false
    }
}

impl<L: Link> Link for &mut L {
    type Error = L::Error;

    fn carry_ip(&mut self) -> bool {
        (**self).carry_ip()
    }

    fn capability(&self) -> Capability {
        (**self).capability()
    }

    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error> {
        (**self).send(chunk).await
    }

    async fn flush(&mut self) -> Result<Delivery, Self::Error> {
        (**self).flush().await
    }

    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error> {
        (**self).receive(buffer).await
    }
}
