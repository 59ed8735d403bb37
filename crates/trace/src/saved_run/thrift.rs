//! Reader of Thrift's compact protocol, limited to page headers.
//!
//! Structures are read by field numbers. No declared length is allocated. Layout: Apache Thrift,
//! `doc/specs/thrift-compact-protocol.md`.

/// Largest depth of nested structures. The format has 4.
const DEEPEST: u8 = 16;

/// Value of a field. Texts, floating-point numbers and lists are skipped.
enum Value {
    Whole(i64),
    Flag(bool),
    Structure(Structure),
    Skipped,
}

/// Fields by number.
#[derive(Default)]
pub(super) struct Structure(Vec<(i64, Value)>);

impl Structure {
    /// Reads a structure from the start of `bytes`. Also returns its length in bytes.
    ///
    /// Returns `None` for truncated or invalid bytes.
    pub fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let mut rest = Rest { bytes, keep: true };
        let read = rest.structure(0)?;
        Some((read, bytes.len() - rest.bytes.len()))
    }

    /// Whether the bytes are exactly one structure. Needs no memory.
    pub fn is_whole(bytes: &[u8]) -> bool {
        let mut rest = Rest { bytes, keep: false };
        rest.structure(0).is_some() && rest.bytes.is_empty()
    }

    fn field(&self, number: i64) -> Option<&Value> {
        self.0.iter().find(|(found, _)| *found == number).map(|(_, value)| value)
    }

    /// Returns a non-negative integer.
    pub fn whole(&self, number: i64) -> Option<u64> {
        match self.field(number)? {
            Value::Whole(value) => u64::try_from(*value).ok(),
            _ => None,
        }
    }

    /// Returns a boolean.
    pub fn flag(&self, number: i64) -> Option<bool> {
        match self.field(number)? {
            Value::Flag(value) => Some(*value),
            _ => None,
        }
    }

    /// A nested structure.
    pub fn structure(&self, number: i64) -> Option<&Self> {
        match self.field(number)? {
            Value::Structure(value) => Some(value),
            _ => None,
        }
    }
}

/// Reads an integer with seven bits per byte, least significant first.
pub(super) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Unread bytes.
struct Rest<'a> {
    bytes: &'a [u8],
    /// Whether fields are stored or skipped.
    keep: bool,
}

impl Rest<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn skip(&mut self, length: u64) -> Option<()> {
        self.bytes = self.bytes.get(usize::try_from(length).ok()?..)?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        varint(&mut self.bytes)
    }

    fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn structure(&mut self, deep: u8) -> Option<Structure> {
        if deep > DEEPEST {
            return None;
        }
        let mut fields = Vec::new();
        let mut number = 0_i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(Structure(fields));
            }
            number = match head >> 4 {
                0 => self.zigzag()?,
                step => number.checked_add(step.into())?,
            };
            let value = match head & 15 {
                kind @ (1 | 2) => Value::Flag(kind == 1),
                kind => self.value(kind, deep)?,
            };
            if self.keep {
                fields.push((number, value));
            }
        }
    }

    fn value(&mut self, kind: u8, deep: u8) -> Option<Value> {
        match kind {
            3 => self.skip(1)?,
            4..=6 => return self.zigzag().map(Value::Whole),
            7 => self.skip(8)?,
            8 => {
                let length = self.varint()?;
                self.skip(length)?;
            }
            9 | 10 => {
                let head = self.byte()?;
                let length = match head >> 4 {
                    15 => self.varint()?,
                    short => short.into(),
                };
                if deep > DEEPEST {
                    return None;
                }
                // Each element takes at least one byte. Flags may take none in some readers, but no list of
                // the format contains flags. If the declared length is too large, reading therefore fails
                // when the bytes end.
                for _ in 0..length {
                    self.value(head & 15, deep + 1)?;
                }
            }
            12 => return self.structure(deep + 1).map(Value::Structure),
            13 => self.skip(16)?,
            _ => return None,
        }
        Some(Value::Skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::Structure;

    #[test]
    fn fields_are_found_by_number_and_the_length_is_told() {
        // Fields 1: i32 150; 3: true; 5: { 1: i32 -1, 2: false }; then a byte that is not part of
        // the structure.
        let bytes = [0x15, 0xAC, 0x02, 0x21, 0x2C, 0x15, 0x01, 0x12, 0x00, 0x00, 0xFF];
        let (read, length) = Structure::read(&bytes).unwrap();
        assert_eq!(length, 10);
        assert_eq!(read.whole(1), Some(150));
        assert_eq!(read.flag(3), Some(true));
        let inner = read.structure(5).unwrap();
        assert_eq!((inner.whole(1), inner.flag(2)), (None, Some(false)));
        assert_eq!(read.whole(2), None);
    }

    #[test]
    fn texts_lists_and_fractions_are_skipped() {
        // Fields 1: a text of 3 bytes; 2: a double; 3: a list of two i32; 4: i64 7.
        let mut bytes = vec![0x18, 3, b'a', b'b', b'c', 0x17];
        bytes.extend([0; 8]);
        bytes.extend([0x19, 0x25, 2, 4, 0x16, 14, 0]);
        let (read, length) = Structure::read(&bytes).unwrap();
        assert_eq!((read.whole(4), length), (Some(7), bytes.len()));
        assert!(Structure::is_whole(&bytes) && !Structure::is_whole(&[&bytes[..], &[0]].concat()));
    }

    #[test]
    fn bytes_that_end_early_are_none_wherever_they_end() {
        let bytes = [0x15, 0xAC, 0x02, 0x18, 2, b'a', b'b', 0x1C, 0x15, 0x02, 0x00, 0x00];
        assert!(Structure::read(&bytes).is_some());
        for end in 0..bytes.len() {
            assert!(Structure::read(&bytes[..end]).is_none(), "{end}");
        }
    }

    #[test]
    fn neither_depth_nor_a_claimed_length_costs_more_than_the_bytes() {
        assert!(Structure::read(&[0x1C; 4096]).is_none());
        assert!(Structure::read(&[0x19; 4096]).is_none());
        // A list that claims 2^63 numbers.
        let mut claim = vec![0x19, 0xF5];
        claim.extend([0xFF; 9]);
        assert!(Structure::read(&claim).is_none());
        // A list that declares 14 flags, which take no bytes in some readers.
        assert!(
            Structure::read(&[0x19, 0xE1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).is_none()
        );
    }
}
