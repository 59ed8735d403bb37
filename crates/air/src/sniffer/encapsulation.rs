//! How the frames of a family look in a capture file.

use crate::frame::Frame;

/// Turns a frame of one family into what a registered link type asks for.
pub trait Encapsulation {
    /// The registered number, one of the `LINKTYPE_` values of tcpdump.org.
    fn link_type(&self) -> u16;

    /// One sentence for whoever opens the file.
    fn description(&self) -> &'static str;

    /// Appends the bytes of a packet to `data`, and to `comment` what they cannot say.
    ///
    /// `intact` is false for a frame that a listener would have found damaged or cut.
    fn wrap(&self, frame: &Frame, intact: bool, data: &mut Vec<u8>, comment: &mut String);
}
