//! Spans of virtual time: where a packet's microseconds went.
//!
//! Recording is off by default and then costs one branch a span. Models record what they do on a
//! track of their own; a reader lays the tracks over each other.

use crate::slice::Slice;
use crate::time::{Duration, Instant};

/// A lane spans are drawn on: one board's processor, one chip, the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Track(pub(crate) u16);

impl Track {
    /// Position in the list of track names.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Time spent on one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The lane it belongs to.
    pub track: Track,
    /// What was going on.
    pub slice: &'static Slice,
    /// When it began.
    pub begin: Instant,
    /// When it ended.
    pub end: Instant,
}

impl Span {
    /// How long it lasted.
    #[must_use]
    pub const fn duration(&self) -> Duration {
        self.end.since(self.begin)
    }
}
