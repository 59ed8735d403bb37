//! Incidents of a node.

/// A named incident. It is a result, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incident {
    /// A rebroadcast was cancelled because another node had relayed the packet.
    Cancelled,
    /// A packet was dropped because the transmit queue was full.
    QueueFull,
    /// A packet was refused because the node had sent for the permitted share of an hour.
    DutyCycle,
    /// Channel activity detection found a packet.
    ChannelActive,
    /// A message was sent again because no acknowledgement arrived.
    Retransmission,
    /// The node gave up a message.
    GivenUp,
    /// A message was acknowledged only by a relayed copy that its sender heard.
    Implicit,
}

impl Incident {
    /// Name of the incident.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cancelled => "rebroadcast cancelled",
            Self::QueueFull => "transmit queue full",
            Self::DutyCycle => "duty cycle limit",
            Self::ChannelActive => "channel active",
            Self::Retransmission => "retransmission",
            Self::GivenUp => "message given up",
            Self::Implicit => "implicit acknowledgement",
        }
    }
}
