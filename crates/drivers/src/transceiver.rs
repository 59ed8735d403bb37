//! A packet radio inside a microcontroller, whose frames start at exact times.
//!
//! The protocols [`esb`](crate::esb) and [`ieee802154`](crate::ieee802154) decide what is sent and when. The
//! radio adds preamble, address and check sequence to a frame, and a timer of the radio measures all times.
//! All times are counted from the end of the previous frame. The previous frame is the last frame that was
//! sent or that [`Transceiver::receive`] returned.

use core::fmt::Debug;

/// Start of a frame, in microseconds from the end of the previous frame to the first bit of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At this time, or as soon as possible if it has passed.
    NotBefore(u32),
    /// At this time or not at all.
    Exactly(u32),
}

/// A radio that sends and receives one frame at a time.
#[allow(async_fn_in_trait, reason = "one thread per board; embedded-hal-async does the same")]
pub trait Transceiver {
    /// Type of failures of the radio.
    type Error: Debug;

    /// Sends `frame`, and returns after its last bit. Returns `false`, and sends nothing, if an exact start
    /// has passed.
    async fn send(&mut self, frame: &[u8], start: Start) -> Result<bool, Self::Error>;

    /// Waits for a frame with a correct check sequence, and returns the length of the frame. Returns `None`
    /// if no frame has ended within `until_us` microseconds after the end of the previous frame. If
    /// `until_us` is `None`, the function waits until a frame arrives. A frame that is longer than the
    /// buffer `frame` is skipped.
    ///
    /// Dropping this future switches the receiver off.
    async fn receive(
        &mut self,
        frame: &mut [u8],
        until_us: Option<u32>,
    ) -> Result<Option<usize>, Self::Error>;
}

#[cfg(test)]
pub(crate) mod script;
