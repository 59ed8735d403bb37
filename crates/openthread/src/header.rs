//! Frame header: address filter and acknowledgement request of a transceiver.
//!
//! MAC header of all frame types, in the frame versions 2003 and 2006 (IEEE Std 802.15.4-2006, 7.2.1 and
//! 7.2.1.1.7). The MAC header of frame version 2015 has another layout. OpenThread uses frame version 2015
//! only for children that listen at scheduled times. The OpenThread nodes that this crate builds do not
//! support such children.

use airlag_models::stack::ieee802154::frame::{BROADCAST, FCS_LEN, fcs};

use crate::wire::{Identity, Waiting};

/// Length of the PSDU of an acknowledgement, octets.
pub use airlag_link::airtime::ieee802154::ACK_PSDU;

const ACK: u16 = 2;
const COMMAND: u16 = 3;
const PENDING: u16 = 1 << 4;

/// An address in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Address {
    None,
    Short(u16),
    Extended(u64),
}

/// Header fields that a transceiver needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Whether it is an acknowledgement.
    pub is_ack: bool,
    /// Whether it is a MAC command. OpenThread sends data requests, and broadcast beacon requests.
    is_command: bool,
    /// Whether it requests an acknowledgement.
    pub ack_request: bool,
    /// Sequence number.
    pub sequence: u8,
    /// Destination PAN and address.
    pan: Option<u16>,
    destination: Address,
    source: Address,
}

impl Header {
    /// Parses the header of `psdu`. `None` for another edition or a truncated header.
    #[must_use]
    pub fn read(psdu: &[u8]) -> Option<Self> {
        let mut rest = psdu;
        let control = u16::from_le_bytes(*take(&mut rest)?);
        let [sequence] = *take(&mut rest)?;
        if control >> 12 & 0b11 > 1 {
            return None;
        }
        let mode = |at: u16| control >> at & 0b11;
        let (destination, pan) = match mode(10) {
            0 => (Address::None, None),
            mode => {
                let pan = u16::from_le_bytes(*take(&mut rest)?);
                (address(mode, &mut rest)?, Some(pan))
            }
        };
        let source = match mode(14) {
            0 => Address::None,
            mode => {
                let compressed = control & 1 << 6 != 0;
                if !compressed {
                    take::<2>(&mut rest)?;
                }
                address(mode, &mut rest)?
            }
        };
        let (is_ack, is_command) = (control & 0b111 == ACK, control & 0b111 == COMMAND);
        let ack_request = control & 1 << 5 != 0;
        Some(Self { is_ack, is_command, ack_request, sequence, pan, destination, source })
    }

    /// Whether a transceiver with this identity accepts the frame (7.5.6.2, third level of filtering). A
    /// frame without a destination, such as a beacon, is accepted by all.
    #[must_use]
    pub fn is_for(&self, identity: &Identity) -> bool {
        let pan = self.pan.is_none_or(|pan| pan == identity.pan || pan == BROADCAST);
        let to = match self.destination {
            Address::None => true,
            Address::Short(short) => short == identity.short || short == BROADCAST,
            Address::Extended(extended) => extended == identity.extended,
        };
        identity.promiscuous || pan && to
    }

    /// Whether it has a single receiver, which acknowledges it on request.
    #[must_use]
    pub const fn is_unicast(&self) -> bool {
        match self.destination {
            Address::None => false,
            Address::Short(short) => short != BROADCAST,
            Address::Extended(_) => true,
        }
    }

    /// Whether frames are pending for the sender of this frame. If the address table is off, frames are
    /// assumed to be pending for every data request.
    #[must_use]
    pub fn is_awaited(&self, waiting: &Waiting) -> bool {
        waiting.always && self.is_command
            || match self.source {
                Address::None => false,
                Address::Short(short) => waiting.short.contains(&short),
                Address::Extended(extended) => waiting.extended.contains(&extended),
            }
    }
}

fn address(mode: u16, rest: &mut &[u8]) -> Option<Address> {
    match mode {
        0b10 => Some(Address::Short(u16::from_le_bytes(*take(rest)?))),
        0b11 => Some(Address::Extended(u64::from_le_bytes(*take(rest)?))),
        _ => None,
    }
}

fn take<'a, const N: usize>(rest: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (first, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(first)
}

/// Acknowledgement of the frame `sequence` (7.2.2.3) with its frame pending bit.
#[must_use]
pub fn ack(sequence: u8, pending: bool) -> [u8; ACK_PSDU] {
    let [low, high] = (ACK | if pending { PENDING } else { 0 }).to_le_bytes();
    let [check_low, check_high] = fcs(&[low, high, sequence]).to_le_bytes();
    [low, high, sequence, check_low, check_high]
}

/// Appends the FCS to a frame.
#[must_use]
pub fn checked(frame: &[u8]) -> Vec<u8> {
    let mut psdu = Vec::with_capacity(frame.len() + FCS_LEN);
    psdu.extend_from_slice(frame);
    psdu.extend(fcs(frame).to_le_bytes());
    psdu
}

#[cfg(test)]
mod tests {
    use airlag_models::stack::ieee802154::frame as everyday;
    use proptest::prelude::*;

    use super::*;

    const IDENTITY: Identity = Identity {
        pan: 0x1234,
        short: 0xAC00,
        extended: 0x0102_0304_0506_0708,
        promiscuous: false,
    };

    #[test]
    fn data_requests_of_a_sleepy_child_are_read() {
        // MAC command, secured, acknowledgement requested, one PAN, short addresses, edition 2006.
        let psdu = [0x6B, 0x98, 9, 0x34, 0x12, 0x00, 0xAC, 0x01, 0xAC, 4];
        let header = Header::read(&psdu).expect("a header");
        assert!(header.is_for(&IDENTITY) && header.ack_request && header.is_unicast());
        let waiting = Waiting { short: vec![0xAC01], ..Waiting::default() };
        assert!(header.is_awaited(&waiting) && !header.is_awaited(&Waiting::default()));
        assert!(header.is_awaited(&Waiting { always: true, ..Waiting::default() }));
        assert!(!header.is_for(&Identity { pan: 1, ..IDENTITY }));
        assert!(!header.is_for(&Identity { short: 0xAC02, ..IDENTITY }));
        assert!(header.is_for(&Identity { pan: 1, promiscuous: true, ..IDENTITY }));
    }

    #[test]
    fn an_acknowledgement_is_that_of_the_everyday_profiles() {
        assert_eq!(ack(0xCB, false)[..], *everyday::ack(0xCB, false));
        assert_eq!(ack(0xCB, true)[..], *everyday::ack(0xCB, true));
        assert!(
            Header::read(&ack(7, true)).is_some_and(|header| header.is_ack && header.sequence == 7)
        );
    }

    #[test]
    fn a_frame_of_the_2015_edition_is_not_read() {
        assert_eq!(Header::read(&[0x41, 0xA8, 1, 0x34, 0x12, 0xFF, 0xFF, 1, 2]), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..140)) {
            let _ = Header::read(&bytes);
        }

        #[test]
        fn frames_of_the_everyday_profiles_are_for_whom_they_say(
            sequence: u8, frame_pending: bool, ack_request: bool, secured: bool,
            extended: u64, short in 0_u16..0xFFFE,
        ) {
            let to = everyday::Address::Extended(extended);
            let source = everyday::Address::Short(short);
            let (kind, version) = (everyday::Kind::Data, everyday::Version::Until2006);
            let header = everyday::Header {
                kind, version, sequence, frame_pending, ack_request, secured, pan: 0x1234, destination: to, source,
            };
            let psdu = everyday::data(&header, &[1, 2, 3]).expect("it fits");
            let read = Header::read(&psdu).expect("a header");
            let (it, another) = (Identity { extended, ..IDENTITY }, !extended);
            prop_assert!(read.is_for(&it));
            let another = Identity { extended: another, ..IDENTITY };
            prop_assert!(!read.is_for(&another));
            prop_assert_eq!((read.sequence, read.ack_request), (sequence, ack_request));
            prop_assert_eq!(checked(&psdu[..psdu.len() - 2]), psdu.to_vec());
        }
    }
}
