//! Medium between two ends, and directions of messages.

/// Medium that carries a message from one board to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// None: a single board without messages.
    None,
    /// Wire from end to end.
    Wire,
    /// At least one radio hop.
    Air,
}

/// Possible directions of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// From the first end to the second.
    One,
    /// Both directions, alternating or at once.
    Both,
}
