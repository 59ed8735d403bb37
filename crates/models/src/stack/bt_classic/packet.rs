//! Packet types: capacity, slots and airtime.
//!
//! A packet begins with an access code of 72 bits and a header of 54 bits, both at 1 Mbit/s. A
//! basic rate payload follows at 1 Mbit/s. In DM packets, the payload is protected by a rate 2/3
//! code. An EDR payload follows after a guard time and a synchronisation sequence, has a rate of 2
//! or 3 Mbit/s, and ends with two trailer symbols. Source: Bluetooth Core Specification, Vol 2
//! (BR/EDR Controller), Part B, 6.

use std::fmt;

use airlag_sim::Duration;

/// One slot (Part B, 2.2.2).
pub const SLOT: Duration = Duration::from_us(625);

/// Access code and header, us at 1 Mbit/s.
const ACCESS_AND_HEADER_US: u64 = 72 + 54;
/// Guard time, 4.75 to 5.25 us (Part B, 6.1.2.1), and synchronisation sequence of 11 symbols.
const EDR_GUARD_AND_SYNC_US: u64 = 5 + 11;
const EDR_TRAILER_US: u64 = 2;
const CRC_BYTES: u64 = 2;

/// A packet type of an asynchronous link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "named as in the Core Specification, Part B, tables 6.2 and 6.10")]
pub enum PacketType {
    Null,
    Poll,
    Dm1,
    Dh1,
    Dm3,
    Dh3,
    Dm5,
    Dh5,
    TwoDh1,
    TwoDh3,
    TwoDh5,
    ThreeDh1,
    ThreeDh3,
    ThreeDh5,
}

use PacketType::{
    Dh1, Dh3, Dh5, Dm1, Dm3, Dm5, Null, Poll, ThreeDh1, ThreeDh3, ThreeDh5, TwoDh1, TwoDh3, TwoDh5,
};

impl PacketType {
    /// All types, shortest first within a modulation.
    pub const ALL: [Self; 14] = [
        Null, Poll, Dm1, Dh1, Dm3, Dh3, Dm5, Dh5, TwoDh1, TwoDh3, TwoDh5, ThreeDh1, ThreeDh3,
        ThreeDh5,
    ];

    /// Returns the type with this number, which the bench uses to encode types on the air.
    #[must_use]
    pub fn of(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == number)
    }

    /// Largest user data, bytes (tables 6.9 and 6.10).
    #[must_use]
    pub const fn capacity(self) -> usize {
        match self {
            Null | Poll => 0,
            Dm1 => 17,
            Dh1 => 27,
            Dm3 => 121,
            Dh3 => 183,
            Dm5 => 224,
            Dh5 => 339,
            TwoDh1 => 54,
            TwoDh3 => 367,
            TwoDh5 => 679,
            ThreeDh1 => 83,
            ThreeDh3 => 552,
            ThreeDh5 => 1021,
        }
    }

    /// Number of slots.
    #[must_use]
    pub const fn slots(self) -> u64 {
        match self {
            Null | Poll | Dm1 | Dh1 | TwoDh1 | ThreeDh1 => 1,
            Dm3 | Dh3 | TwoDh3 | ThreeDh3 => 3,
            Dm5 | Dh5 | TwoDh5 | ThreeDh5 => 5,
        }
    }

    /// Bits per payload symbol: 1 at the basic rate.
    #[must_use]
    pub const fn bits_a_symbol(self) -> u64 {
        match self {
            TwoDh1 | TwoDh3 | TwoDh5 => 2,
            ThreeDh1 | ThreeDh3 | ThreeDh5 => 3,
            _ => 1,
        }
    }

    /// Length of a payload with `bytes` of user data, bits, before coding. It includes the payload
    /// header and a CRC of two bytes at the end.
    #[must_use]
    pub const fn payload_bits(self, bytes: usize) -> u64 {
        // The payload header has one byte in one-slot packets of the basic rate and two in all
        // others.
        let header = match self {
            Null | Poll => return 0,
            Dm1 | Dh1 => 1,
            _ => 2,
        };
        (header + bytes as u64 + CRC_BYTES) * 8
    }

    /// Airtime with `bytes` of user data.
    #[must_use]
    pub const fn airtime(self, bytes: usize) -> Duration {
        let bits = self.payload_bits(bytes);
        let payload_ns = match self {
            Null | Poll => 0,
            // Ten bits become fifteen; the last group is padded to ten.
            Dm1 | Dm3 | Dm5 => bits.div_ceil(10) * 15 * 1_000,
            Dh1 | Dh3 | Dh5 => bits * 1_000,
            _ => {
                let symbols = bits.div_ceil(self.bits_a_symbol());
                (EDR_GUARD_AND_SYNC_US + symbols + EDR_TRAILER_US) * 1_000
            }
        };
        Duration::from_ns(ACCESS_AND_HEADER_US * 1_000 + payload_ns)
    }
}

impl fmt::Display for PacketType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Null => "NULL",
            Poll => "POLL",
            Dm1 => "DM1",
            Dh1 => "DH1",
            Dm3 => "DM3",
            Dh3 => "DH3",
            Dm5 => "DM5",
            Dh5 => "DH5",
            TwoDh1 => "2-DH1",
            TwoDh3 => "2-DH3",
            TwoDh5 => "2-DH5",
            ThreeDh1 => "3-DH1",
            ThreeDh3 => "3-DH3",
            ThreeDh5 => "3-DH5",
        })
    }
}

/// Packet types that two devices use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketSet {
    /// DM only: all bits are coded.
    Coded,
    /// DH at 1 Mbit/s.
    Basic,
    /// 2-DH.
    Edr2,
    /// 3-DH.
    Edr3,
}

impl PacketSet {
    const fn types(self) -> [PacketType; 3] {
        match self {
            Self::Coded => [Dm1, Dm3, Dm5],
            Self::Basic => [Dh1, Dh3, Dh5],
            Self::Edr2 => [TwoDh1, TwoDh3, TwoDh5],
            Self::Edr3 => [ThreeDh1, ThreeDh3, ThreeDh5],
        }
    }

    /// Shortest packet of at most `max_slots` slots that carries `bytes`, or the longest available.
    #[must_use]
    pub fn choose(self, bytes: usize, max_slots: u64) -> PacketType {
        let allowed = self.types().into_iter().filter(|one| one.slots() <= max_slots.max(1));
        let mut longest = self.types()[0];
        for one in allowed {
            longest = one;
            if one.capacity() >= bytes {
                break;
            }
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn airtimes_are_those_of_the_standard() {
        // Calculated by hand from the bit counts of Part B, 6.5 and 6.6.
        assert_eq!(Null.airtime(0), Duration::from_us(126));
        assert_eq!(Dm1.airtime(17), Duration::from_us(366));
        assert_eq!(Dh1.airtime(27), Duration::from_us(366));
        assert_eq!(Dh3.airtime(183), Duration::from_us(1_622));
        assert_eq!(Dh5.airtime(339), Duration::from_us(2_870));
        assert_eq!(TwoDh1.airtime(54), Duration::from_us(126 + 16 + 232 + 2));
        assert_eq!(ThreeDh5.airtime(1021), Duration::from_us(126 + 16 + 2_734 + 2));
    }

    #[test]
    fn every_full_packet_leaves_its_receiver_time_to_retune_within_its_slots() {
        for one in PacketType::ALL {
            let slots = SLOT.as_ns() * one.slots();
            // Part B, 2.2.5: a device has about 220 us to change channel.
            assert!(one.airtime(one.capacity()).as_ns() + 220_000 <= slots, "{one:?}");
        }
    }

    #[test]
    fn the_shortest_packet_that_carries_it_all_is_chosen() {
        assert_eq!(PacketSet::Edr2.choose(54, 5), TwoDh1);
        assert_eq!(PacketSet::Edr2.choose(55, 5), TwoDh3);
        assert_eq!(PacketSet::Edr3.choose(999, 5), ThreeDh5);
        assert_eq!(PacketSet::Basic.choose(5_000, 5), Dh5);
        assert_eq!(PacketSet::Basic.choose(5_000, 3), Dh3);
        assert_eq!(PacketSet::Coded.choose(18, 1), Dm1);
    }
}
