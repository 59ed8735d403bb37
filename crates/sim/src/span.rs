//! Recorded spans of virtual time.
//!
//! Recording is off by default and then costs one branch per span. Each model records on its own
//! track; an analysis overlays the tracks.

use crate::slice::Slice;
use crate::time::{Duration, Instant};

/// Track of a timeline: a board's processor, a chip, or the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Track(pub(crate) u16);

impl Track {
    /// Position in the list of track names.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An interval with one slice on one track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Track.
    pub track: Track,
    /// Kind of time slice.
    pub slice: &'static Slice,
    /// Start of the span.
    pub begin: Instant,
    /// End of the span.
    pub end: Instant,
}

impl Span {
    /// Duration.
    #[must_use]
    pub const fn duration(&self) -> Duration {
        self.end.since(self.begin)
    }
}
