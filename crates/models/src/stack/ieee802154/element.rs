//! Header information elements of frames of the 2015 edition (IEEE Std 802.15.4-2015, 7.4.2).
//!
//! ```text
//!  length │ element │ 0 │ content          │ length, element 0x7F, 0
//!  7 bits │ 8 bits  │ 1 │                  │ termination, before a payload
//! ```
//!
//! An element of coordinated sampled listening (CSL) states when its sender listens next, and how
//! often. Both are in units of ten symbols, 160 us at 2450 MHz. The phase counts from the first
//! symbol of the MAC header of the frame that contains the element.

use airlag_sim::Duration;

/// Unit of phase and period, ten symbols.
pub const UNIT: Duration = Duration::from_us(160);
/// Length of a CSL element, octets.
pub const CSL_LEN: usize = 6;
/// Length of a termination, octets.
pub const TERMINATION_LEN: usize = 2;

const CSL: u16 = 0x1A;
/// Header Termination 2: a payload without further elements follows (7.4.2.1).
const TERMINATION: u16 = 0x7F;
/// Position of the identifier.
const IDENTIFIER: u32 = 7;
const LENGTH: u16 = 0x7F;
const IDENTIFIERS: u16 = 0xFF;

/// A CSL element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Csl {
    /// Time until the next sample, units of [`UNIT`].
    pub phase: u16,
    /// Time between samples, units of [`UNIT`].
    pub period: u16,
}

impl Csl {
    /// Encodes the element.
    #[must_use]
    pub const fn octets(self) -> [u8; CSL_LEN] {
        let [d0, d1] = (CSL << IDENTIFIER | (CSL_LEN as u16 - 2)).to_le_bytes();
        let ([h0, h1], [p0, p1]) = (self.phase.to_le_bytes(), self.period.to_le_bytes());
        [d0, d1, h0, h1, p0, p1]
    }

    /// Finds the element in a list of elements.
    #[must_use]
    pub fn find(mut list: &[u8]) -> Option<Self> {
        while let Some((identifier, content, rest)) = first(list) {
            if identifier == CSL
                && let &[h0, h1, p0, p1] = content
            {
                let (phase, period) = (u16::from_le_bytes([h0, h1]), u16::from_le_bytes([p0, p1]));
                return Some(Self { phase, period });
            }
            if identifier == TERMINATION {
                return None;
            }
            list = rest;
        }
        None
    }
}

/// The termination of a list of elements.
#[must_use]
pub const fn termination() -> [u8; TERMINATION_LEN] {
    (TERMINATION << IDENTIFIER).to_le_bytes()
}

/// Length of a list up to and including its termination, octets. `None` without a termination.
#[must_use]
pub fn len(list: &[u8]) -> Option<usize> {
    let mut rest = list;
    loop {
        let (identifier, _, after) = first(rest)?;
        rest = after;
        if identifier == TERMINATION {
            return Some(list.len() - rest.len());
        }
    }
}

/// Identifier and content of the first element, and the elements after it.
fn first(list: &[u8]) -> Option<(u16, &[u8], &[u8])> {
    let (descriptor, rest) = list.split_first_chunk()?;
    let descriptor = u16::from_le_bytes(*descriptor);
    let (content, rest) = rest.split_at_checked(usize::from(descriptor & LENGTH))?;
    Some((descriptor >> IDENTIFIER & IDENTIFIERS, content, rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_element_is_laid_out_as_the_standard_says() {
        // 7.4.2: length 4 in bits 0 to 6, identifier 0x1A in bits 7 to 14; then phase and period.
        let csl = Csl { phase: 0x0102, period: 6_250 };
        assert_eq!(csl.octets(), [0x04, 0x0D, 0x02, 0x01, 0x6A, 0x18]);
        assert_eq!(termination(), [0x80, 0x3F]);
        let list = [&csl.octets()[..], &termination(), &[1, 2, 3]].concat();
        assert_eq!((Csl::find(&list), len(&list)), (Some(csl), Some(CSL_LEN + TERMINATION_LEN)));
        assert_eq!((Csl::find(&list[CSL_LEN..]), len(&list[..CSL_LEN])), (None, None));
    }

    proptest! {
        #[test]
        fn an_element_comes_back(phase: u16, period: u16) {
            let csl = Csl { phase, period };
            prop_assert_eq!(Csl::find(&csl.octets()), Some(csl));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = Csl::find(&bytes);
            let _ = len(&bytes);
        }
    }
}
