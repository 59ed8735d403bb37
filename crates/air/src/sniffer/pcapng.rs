//! Writer of `.pcapng` capture files.
//!
//! Blocks of 32-bit words (draft-ietf-opsawg-pcapng, sections 3 and 4), here in little-endian
//! order:
//!
//! ```text
//! every block      type, total length, body, total length again; body padded with zeros to a word
//! section header   0x0A0D0D0A: byte-order magic 0x1A2B3C4D, version 1.0, section length -1, options
//! interface        1: link type (u16), 0 (u16), snap length (0: none), options
//! enhanced packet  6: interface, stamp high, stamp low, captured length, original length,
//!                  the bytes padded to a word, options
//! option           code (u16), length (u16), value padded to a word; code 0 ends the list
//! ```
//!
//! Stamps count nanoseconds (`if_tsresol` = 9).

/// Section header option: the program that wrote the file.
const USER_APPLICATION: u16 = 4;
/// Option of every block: free text.
const COMMENT: u16 = 1;
const IF_NAME: u16 = 2;
const IF_DESCRIPTION: u16 = 3;
const IF_TSRESOL: u16 = 9;
const EPB_FLAGS: u16 = 2;

/// Longest value of an option: its length has 16 bits, and must survive padding to a word.
const OPTION_LIMIT: usize = 65_532;

/// Link-layer errors of a packet: bits of `epb_flags` (section 4.3.1).
pub mod error_flag {
    /// The frame check failed.
    pub const CRC: u32 = 1 << 24;
    /// The frame ended too early.
    pub const TOO_SHORT: u32 = 1 << 26;
}

/// Identifier of an interface of a file, by order of addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interface(u32);

/// Metadata of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remark<'a> {
    /// Free text; empty for none.
    pub comment: &'a str,
    /// Bits of [`error_flag`].
    pub errors: u32,
}

/// A file being written.
#[derive(Clone, Debug)]
pub struct Writer {
    bytes: Vec<u8>,
    interfaces: u32,
}

impl Writer {
    /// Creates a file with a section header that names `application`.
    #[must_use]
    pub fn new(application: &str) -> Self {
        let mut this = Self { bytes: Vec::new(), interfaces: 0 };
        this.block(0x0A0D_0D0A, |bytes| {
            bytes.extend(0x1A2B_3C4D_u32.to_le_bytes());
            bytes.extend([1, 0, 0, 0]);
            bytes.extend((-1_i64).to_le_bytes());
            text(bytes, USER_APPLICATION, application);
            end_of_options(bytes);
        });
        this
    }

    /// Adds an interface of a registered link type.
    pub fn interface(&mut self, link_type: u16, name: &str, description: &str) -> Interface {
        self.block(1, |bytes| {
            bytes.extend(u32::from(link_type).to_le_bytes());
            bytes.extend([0; 4]);
            text(bytes, IF_NAME, name);
            text(bytes, IF_DESCRIPTION, description);
            option(bytes, IF_TSRESOL, &[9]);
            end_of_options(bytes);
        });
        self.interfaces += 1;
        Interface(self.interfaces - 1)
    }

    /// Adds a packet whose first bit was at `at_ns`.
    pub fn packet(&mut self, on: Interface, at_ns: u64, data: &[u8], remark: Remark<'_>) {
        self.block(6, |bytes| {
            bytes.extend(on.0.to_le_bytes());
            bytes.extend(((at_ns >> 32) as u32).to_le_bytes());
            bytes.extend((at_ns as u32).to_le_bytes());
            let length = (data.len() as u32).to_le_bytes();
            bytes.extend(length);
            bytes.extend(length);
            bytes.extend(data);
            pad(bytes);
            if !remark.comment.is_empty() || remark.errors != 0 {
                text(bytes, COMMENT, remark.comment);
                if remark.errors != 0 {
                    option(bytes, EPB_FLAGS, &remark.errors.to_le_bytes());
                }
                end_of_options(bytes);
            }
        });
    }

    /// Returns the finished file.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn block(&mut self, kind: u32, body: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        self.bytes.extend(kind.to_le_bytes());
        self.bytes.extend([0; 4]);
        body(&mut self.bytes);
        let length = ((self.bytes.len() - start + 4) as u32).to_le_bytes();
        self.bytes[start + 4..start + 8].copy_from_slice(&length);
        self.bytes.extend(length);
    }
}

fn pad(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(4), 0);
}

fn option(bytes: &mut Vec<u8>, code: u16, value: &[u8]) {
    bytes.extend(code.to_le_bytes());
    bytes.extend((value.len() as u16).to_le_bytes());
    bytes.extend(value);
    pad(bytes);
}

/// Appends a text option, truncated at a character if it is too long; an empty one is omitted.
fn text(bytes: &mut Vec<u8>, code: u16, value: &str) {
    if !value.is_empty() {
        let mut end = value.len().min(OPTION_LIMIT);
        while !value.is_char_boundary(end) {
            end -= 1;
        }
        option(bytes, code, &value.as_bytes()[..end]);
    }
}

fn end_of_options(bytes: &mut Vec<u8>) {
    bytes.extend([0; 4]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses bytes from a hexadecimal dump.
    fn dump(hex: &str) -> Vec<u8> {
        let digits: String = hex.split_whitespace().collect();
        (0..digits.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal"))
            .collect()
    }

    #[test]
    fn a_file_has_exactly_these_bytes() {
        let mut file = Writer::new("ab");
        let radio = file.interface(195, "radio", "");
        let remark = Remark { comment: "hit", errors: error_flag::CRC };
        file.packet(radio, 0x1_0000_0002, &[1, 2, 3, 4, 5], remark);
        file.packet(radio, 7, &[], Remark::default());
        let expected = dump(
            "0a0d0d0a 28000000 4d3c2b1a 01000000 ffffffffffffffff \
             0400 0200 61620000 00000000 28000000 \
             01000000 2c000000 c3000000 00000000 \
             0200 0500 726164696f000000 0900 0100 09000000 00000000 2c000000 \
             06000000 3c000000 00000000 01000000 02000000 05000000 05000000 0102030405000000 \
             0100 0300 68697400 0200 0400 00000001 00000000 3c000000 \
             06000000 20000000 00000000 00000000 07000000 00000000 00000000 20000000",
        );
        assert_eq!(file.into_bytes(), expected);
    }

    #[test]
    fn interfaces_are_numbered_in_the_order_they_come() {
        let mut file = Writer::new("");
        let numbers = [195, 270].map(|link_type| file.interface(link_type, "x", ""));
        assert_eq!(numbers, [Interface(0), Interface(1)]);
    }

    #[test]
    fn text_longer_than_an_option_is_cut_at_a_character() {
        let mut bytes = Vec::new();
        text(&mut bytes, COMMENT, &"\u{b5}".repeat(40_000));
        assert_eq!(bytes.len(), 4 + OPTION_LIMIT);
        assert_eq!(bytes[2..4], (OPTION_LIMIT as u16).to_le_bytes());
        text(&mut bytes, COMMENT, &format!("a{}", "\u{b5}".repeat(40_000)));
        let length = u16::from_le_bytes([bytes[OPTION_LIMIT + 6], bytes[OPTION_LIMIT + 7]]);
        assert_eq!(usize::from(length), OPTION_LIMIT - 1);
    }
}
