//! The interface between a program and a radio.
//!
//! Three methods of [`Link`] carry data, and another method returns the capabilities of the link.
//! Programs depend on these capabilities and never on the type of link, because a radio chip, a
//! transparent modem and a closed-source protocol stack have the same interface. A link that wraps
//! another link can add loss, delay or other behaviour.

use core::fmt::Debug;

/// Capabilities of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capability {
    /// Largest chunk that [`Link::send`] accepts, bytes.
    pub mtu: usize,
    /// Whether chunks arrive at their full size, padded with zeros.
    pub padded: bool,
    /// Whether the receiver acknowledges chunks. [`Delivery`] then states whether a chunk arrived.
    pub acknowledged: bool,
    /// Whether the link is a byte stream: bytes arrive in order but in pieces of any size, and
    /// chunk boundaries are not preserved.
    pub stream: bool,
    /// Whether both ends may send at any time. The link itself then arbitrates the medium.
    pub duplex: bool,
    /// The end that opened the connection, for a link such as TCP, on which all bytes arrive in
    /// order unless the link fails. `None` for any other link.
    pub connection: Option<OpenedBy>,
}

/// The end that opened a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenedBy {
    /// This end.
    Here,
    /// The peer.
    Peer,
}

impl Capability {
    /// Capability of a plain datagram link with chunks of up to `mtu` bytes.
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

    /// Sets whether every chunk is padded to its full size.
    #[must_use]
    pub const fn padded(mut self, padded: bool) -> Self {
        self.padded = padded;
        self
    }

    /// Sets whether chunks are acknowledged.
    #[must_use]
    pub const fn acknowledged(mut self, acknowledged: bool) -> Self {
        self.acknowledged = acknowledged;
        self
    }

    /// Sets whether the link is a byte stream.
    #[must_use]
    pub const fn stream(mut self, stream: bool) -> Self {
        self.stream = stream;
        self
    }

    /// Sets whether both ends may send at any time.
    #[must_use]
    pub const fn duplex(mut self, duplex: bool) -> Self {
        self.duplex = duplex;
        self
    }

    /// Marks the link as a connection that the given end opened.
    #[must_use]
    pub const fn connection(mut self, opened: OpenedBy) -> Self {
        self.connection = Some(opened);
        self
    }
}

/// Outcome of a chunk as far as the sender can determine it. A lost chunk is a result, not an
/// error; errors are for a bus that does not respond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The receiver acknowledged the chunk.
    Confirmed,
    /// The chunk was accepted for transmission. Its outcome is unknown, because the link does not
    /// acknowledge or has not done so yet.
    Sent,
    /// The link exhausted its retries.
    Lost,
}

/// A link that carries chunks of bytes to one peer.
#[allow(async_fn_in_trait, reason = "one thread per board; embedded-hal-async does the same")]
pub trait Link {
    /// Type of failures on this side of the link.
    type Error: Debug;

    /// Capabilities in the current configuration.
    fn capability(&self) -> Capability;

    /// Sends one chunk of at most [`Capability::mtu`] bytes.
    ///
    /// Returns when the link is ready for the next chunk. A link that can have several chunks in
    /// flight returns [`Delivery::Sent`] before the acknowledgement of `chunk` has arrived, or
    /// [`Delivery::Lost`] if `chunk` or an earlier chunk is already known to be lost.
    async fn send(&mut self, chunk: &[u8]) -> Result<Delivery, Self::Error>;

    /// Waits until no chunk is in flight, and returns the outcome as far as it is known.
    async fn flush(&mut self) -> Result<Delivery, Self::Error>;

    /// Waits for the next chunk and returns its size. `buffer` has room for [`Capability::mtu`]
    /// bytes.
    ///
    /// Dropping this future while it waits loses no later chunk. If a chip is being read out at
    /// that moment, that one chunk may be lost.
    async fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Self::Error>;

    /// Switches to unmodified IP packets. A packet without buffer space is then dropped, as behind
    /// a network interface. Returns false on a link without IP support, which stays unchanged.
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
