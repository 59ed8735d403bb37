//! Incidents of a node.

/// A named incident. It is a result, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// A PDU to relay was dropped because the queue of the advertiser was full.
    QueueFull,
    /// A PDU of which the message cache had no entry left was received again.
    Duplicate,
    /// Segments without acknowledgement were sent again.
    SegmentRetry,
    /// A message was sent again because no response arrived.
    MessageRetry,
    /// The node gave up a message.
    GivenUp,
    /// An incomplete message was discarded.
    Incomplete,
}

impl Incident {
    /// Name of the incident.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::QueueFull => "advertising queue full",
            Self::Duplicate => "duplicate",
            Self::SegmentRetry => "repeated segments",
            Self::MessageRetry => "repeated message",
            Self::GivenUp => "message given up",
            Self::Incomplete => "incomplete message discarded",
        }
    }
}
