//! Capabilities that both ends exchange.
//!
//! ```text
//!  longest request 2, LE | longest response 2, LE | flags 2, LE
//! ```
//!
//! The protocol defines one flag. The other flags are extensions. An end that does not support the
//! extensions sends zeros, and they are not used.

/// Capabilities as bit flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u16);

impl Flags {
    /// Commands can be encrypted.
    pub const ENCRYPTION: Self = Self(0x0001);
    /// A method may be identified by its number, and the length of the message is omitted.
    pub const COMPACT: Self = Self(0x0100);
    /// The central supports all values of [`crate::control::Reason`].
    pub const REASONS: Self = Self(0x0200);
    /// Sealed commands include their transaction as associated data, so that a command is valid only for
    /// its call.
    pub const BOUND: Self = Self(0x0400);
    /// Bit position of the number of calls in flight minus one, in four bits.
    const CALLS: u32 = 12;

    /// Whether all flags of `others` are set.
    #[must_use]
    pub const fn has(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// Union of both.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Removes the flags of `others`.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Sets the number of calls in flight, from 1 to 16.
    #[must_use]
    pub fn with_calls(self, calls: u8) -> Self {
        let most = u16::from(calls.clamp(1, 16) - 1);
        Self(self.0 & !(0xF << Self::CALLS) | most << Self::CALLS)
    }

    /// Number of calls in flight.
    #[must_use]
    pub const fn calls(self) -> u8 {
        (self.0 >> Self::CALLS) as u8 + 1
    }

    /// Common capabilities of two ends: each flag that both have, and the smaller number of calls.
    #[must_use]
    pub fn common(self, other: Self) -> Self {
        Self(self.0 & other.0).with_calls(self.calls().min(other.calls()))
    }
}

/// Capabilities of an end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Longest payload of a request after reassembly, bytes. A central sends 0.
    pub max_request: u16,
    /// Longest payload of a response, bytes.
    pub max_response: u16,
    /// Flags.
    pub flags: Flags,
}

impl Capabilities {
    /// Encodes the capabilities.
    #[must_use]
    pub fn bytes(self) -> [u8; 6] {
        let [a, b] = self.max_request.to_le_bytes();
        let [c, d] = self.max_response.to_le_bytes();
        let [e, f] = self.flags.0.to_le_bytes();
        [a, b, c, d, e, f]
    }

    /// Decodes capabilities. Versions without flags send four bytes; later versions may send more than six.
    #[must_use]
    pub fn parse(payload: &[u8]) -> Option<Self> {
        let field = |nth: usize| {
            let &[low, high] = payload.get(2 * nth..2 * nth + 2)? else { return None };
            Some(u16::from_le_bytes([low, high]))
        };
        let flags = Flags(field(2).unwrap_or(0));
        Some(Self { max_request: field(0)?, max_response: field(1)?, flags })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_that_knows_no_flags_has_one_call_in_flight() {
        let old = Capabilities::parse(&[0, 48, 255, 255]).expect("four bytes");
        assert_eq!((old.max_request, old.flags.calls()), (12_288, 1));
        let ours = Flags::ENCRYPTION.and(Flags::COMPACT).with_calls(16);
        assert_eq!(ours.common(old.flags), Flags::default());
        assert_eq!(ours.common(Flags::ENCRYPTION), Flags::ENCRYPTION);
        assert_eq!(ours.common(ours.with_calls(4)).calls(), 4);
    }

    #[test]
    fn capabilities_are_three_little_endian_numbers() {
        let some = Capabilities { max_request: 0x0102, max_response: 3, flags: Flags(0x8001) };
        assert_eq!(some.bytes(), [2, 1, 3, 0, 1, 0x80]);
        assert_eq!(Capabilities::parse(&some.bytes()), Some(some));
        assert_eq!(Capabilities::parse(&[1, 2, 3]), None);
    }
}
