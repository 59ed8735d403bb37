//! What is between two ends, and which way it carries messages.

/// What carries a message from one board to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Nothing: there is one board, and no message.
    None,
    /// A wire from end to end.
    Wire,
    /// A radio somewhere on the way.
    Air,
}

/// Which way messages can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// From the first end to the second.
    One,
    /// Both, in turns or at once.
    Both,
}
