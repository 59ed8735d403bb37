//! Format of a family's frames in a capture file.

use crate::frame::Frame;

/// Converts frames of one family to the format of a registered link type.
pub trait Encapsulation {
    /// The registered number, one of the `LINKTYPE_` values of tcpdump.org.
    fn link_type(&self) -> u16;

    /// Description of the interface, one sentence.
    fn description(&self) -> &'static str;

    /// Appends the bytes of a packet to `data`, and information that they cannot represent to
    /// `comment`.
    ///
    /// `intact` is false for a frame that a receiver would have found damaged or cut.
    fn wrap(&self, frame: &Frame, intact: bool, data: &mut Vec<u8>, comment: &mut String);
}
