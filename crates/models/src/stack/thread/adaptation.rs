//! 6LoWPAN: a datagram as the payloads of frames, and back.
//!
//! Headers are compressed by smoltcp (RFC 6282): between link-local addresses made from the EUI-64s in
//! the frame, IPv6 takes two octets and UDP seven. What does not fit a frame is cut as OpenThread cuts
//! it (RFC 4944, 5.3): every fragment but the last ends at a multiple of eight octets of the datagram.

use smoltcp::phy::ChecksumCapabilities;
use smoltcp::wire::{
    IPV6_HEADER_LEN, Ieee802154Address, Ipv6Address, SixlowpanFragPacket, SixlowpanFragRepr,
    SixlowpanIphcPacket, SixlowpanIphcRepr, SixlowpanNextHeader, SixlowpanUdpNhcPacket,
    SixlowpanUdpNhcRepr, UDP_HEADER_LEN, UdpRepr,
};

/// Octets of the headers of a datagram before they are compressed.
pub const HEADERS_LEN: usize = IPV6_HEADER_LEN + UDP_HEADER_LEN;
/// Octets of IPv6 and UDP headers in a frame.
pub const COMPRESSED_LEN: usize = 2 + 7;
/// Octets of the longest payload: an IPv6 datagram of 1280, the largest that OpenThread takes.
pub const MAX_PAYLOAD: usize = 1_280 - HEADERS_LEN;
/// Octets of a first fragment's header, and of any other's.
pub const FIRST_HEADER_LEN: usize = 4;
/// Octets of any other fragment's header.
pub const NEXT_HEADER_LEN: usize = 5;

/// Port of either end: the first that anybody may use (RFC 6335, 6).
const PORT: u16 = 49_152;
/// OPENTHREAD_CONFIG_IP6_HOP_LIMIT_DEFAULT; IPHC has a code for it.
const HOP_LIMIT: u8 = 64;

/// EUI-64s of the sender and the receiver, as in their frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Sender.
    pub from: u64,
    /// Receiver.
    pub to: u64,
}

impl Ends {
    fn hardware(self) -> [Ieee802154Address; 2] {
        [self.from, self.to].map(|address| Ieee802154Address::Extended(address.to_be_bytes()))
    }

    fn addresses(self) -> [Ipv6Address; 2] {
        self.hardware().map(|hardware| {
            hardware.as_link_local_address().expect("an extended address has a link-local one")
        })
    }
}

/// A UDP datagram with compressed headers.
#[must_use]
pub fn compress(ends: Ends, payload: &[u8]) -> Vec<u8> {
    let ([ll_from, ll_to], [from, to]) = (ends.hardware(), ends.addresses());
    let ip = SixlowpanIphcRepr {
        src_addr: from,
        ll_src_addr: Some(ll_from),
        dst_addr: to,
        ll_dst_addr: Some(ll_to),
        next_header: SixlowpanNextHeader::Compressed,
        hop_limit: HOP_LIMIT,
        ecn: None,
        dscp: None,
        flow_label: None,
    };
    let udp = SixlowpanUdpNhcRepr(UdpRepr { src_port: PORT, dst_port: PORT });
    let mut bytes = vec![0; ip.buffer_len() + udp.header_len() + payload.len()];
    ip.emit(&mut SixlowpanIphcPacket::new_unchecked(&mut bytes));
    udp.emit(
        &mut SixlowpanUdpNhcPacket::new_unchecked(&mut bytes[ip.buffer_len()..]),
        &from,
        &to,
        payload.len(),
        |body| body.copy_from_slice(payload),
        &ChecksumCapabilities::default(),
    );
    bytes
}

/// The payload of a datagram with compressed headers; none if it is not one from `ends`, or its
/// checksum is wrong.
#[must_use]
pub fn expand(ends: Ends, bytes: &[u8]) -> Option<&[u8]> {
    let [ll_from, ll_to] = ends.hardware();
    let packet = SixlowpanIphcPacket::new_checked(bytes).ok()?;
    let ip = SixlowpanIphcRepr::parse(&packet, Some(ll_from), Some(ll_to), &[]).ok()?;
    if ip.next_header != SixlowpanNextHeader::Compressed {
        return None;
    }
    let packet = SixlowpanUdpNhcPacket::new_checked(packet.payload()).ok()?;
    let capabilities = ChecksumCapabilities::default();
    let udp =
        SixlowpanUdpNhcRepr::parse(&packet, &ip.src_addr, &ip.dst_addr, &capabilities).ok()?;
    (udp.dst_port == PORT).then(|| packet.payload())
}

/// What `compressed` is cut into for frames with `room` octets of payload each.
#[must_use]
pub fn frames(compressed: &[u8], room: usize, tag: u16) -> Vec<Vec<u8>> {
    if compressed.len() <= room {
        return vec![compressed.to_vec()];
    }
    let saved = HEADERS_LEN - COMPRESSED_LEN;
    let size = compressed.len() + saved;
    let whole = |octets: usize| octets - octets % 8;
    let mut end = whole(room - FIRST_HEADER_LEN + saved) - saved;
    let datagram = size as u16;
    let mut all = vec![fragment(
        &SixlowpanFragRepr::FirstFragment { size: datagram, tag },
        &compressed[..end],
    )];
    while end < compressed.len() {
        let begin = end;
        let left = compressed.len() - begin;
        let most = room - NEXT_HEADER_LEN;
        end = begin + if left <= most { left } else { whole(most) };
        let offset = ((begin + saved) / 8) as u8;
        let header = SixlowpanFragRepr::Fragment { size: datagram, tag, offset };
        all.push(fragment(&header, &compressed[begin..end]));
    }
    all
}

/// Frames a payload of `len` octets takes.
#[must_use]
pub fn count(len: usize, room: usize) -> u64 {
    lengths(len, room).len() as u64
}

/// Octets of each of the frames' payloads.
#[must_use]
pub fn lengths(len: usize, room: usize) -> Vec<usize> {
    frames(&vec![0; COMPRESSED_LEN + len], room, 1).iter().map(Vec::len).collect()
}

fn fragment(header: &SixlowpanFragRepr, piece: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; header.buffer_len()];
    header.emit(&mut SixlowpanFragPacket::new_unchecked(&mut bytes));
    bytes.extend_from_slice(piece);
    bytes
}

/// A frame's payload, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// A whole datagram with compressed headers.
    Whole(&'a [u8]),
    /// A part of one.
    Fragment {
        /// Octets of the datagram, its headers not compressed.
        size: u16,
        /// Which datagram of its sender.
        tag: u16,
        /// Where in the datagram it begins, octets.
        offset: usize,
        /// What follows the fragment header.
        bytes: &'a [u8],
    },
}

/// Reads a frame's payload; none for anything but a datagram or a fragment of one.
#[must_use]
pub fn read(payload: &[u8]) -> Option<Piece<'_>> {
    // Dispatch bits: RFC 6282, 2 and RFC 4944, 5.3.
    match payload.first()? >> 5 {
        0b011 => Some(Piece::Whole(payload)),
        0b110 | 0b111 => {
            let packet = SixlowpanFragPacket::new_checked(payload).ok()?;
            let (size, tag, offset) = match SixlowpanFragRepr::parse(&packet).ok()? {
                SixlowpanFragRepr::FirstFragment { size, tag } => (size, tag, 0),
                SixlowpanFragRepr::Fragment { size, tag, offset } => {
                    (size, tag, usize::from(offset) * 8)
                }
            };
            let bytes = packet.payload();
            Some(Piece::Fragment { size, tag, offset, bytes })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ENDS: Ends = Ends { from: 0x6E8E_F905_2967_C615, to: 0x4A73_C036_DA29_D88B };
    /// 127 octets without header, auxiliary header, code and check.
    const ROOM: usize = 127 - 21 - 6 - 4 - 2;

    #[test]
    fn headers_of_48_octets_become_nine() {
        // What a border router logged: `len:52` for 10 bytes of data.
        assert_eq!(compress(ENDS, &[0; 10]).len() + 127 - ROOM, 52);
    }

    #[test]
    fn a_frame_holds_85_octets_and_fragments_end_at_multiples_of_eight() {
        assert_eq!(lengths(85, ROOM), [94]);
        assert_eq!(lengths(86, ROOM), [4 + 9 + 80, 5 + 6]);
        assert_eq!(lengths(80 + 88, ROOM), [93, 93]);
        assert_eq!(lengths(80 + 89, ROOM), [93, 94]);
        assert_eq!(lengths(80 + 90, ROOM), [93, 93, 7]);
        assert_eq!(count(1_024, ROOM), 12);
    }

    #[test]
    fn frames_are_as_long_as_those_that_openthread_sends() {
        // PSDUs that two nodes of its own code sent in its simulator, between link-local addresses.
        for (len, psdus) in [
            (1, &[43][..]),
            (10, &[52]),
            (40, &[82]),
            (79, &[121]),
            (85, &[127]),
            (86, &[126, 44]),
            (160, &[126, 118]),
            (432, &[126; 5]),
            (1_024, &[126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 126, 102]),
        ] {
            let found: Vec<_> = lengths(len, ROOM).iter().map(|len| 127 - ROOM + len).collect();
            assert_eq!(found, psdus, "{len}");
        }
    }

    proptest! {
        #[test]
        fn a_datagram_comes_back_from_its_pieces(
            payload in prop::collection::vec(any::<u8>(), 0..MAX_PAYLOAD), tag: u16,
        ) {
            let compressed = compress(ENDS, &payload);
            let frames = frames(&compressed, ROOM, tag);
            let mut together = Vec::new();
            for frame in &frames {
                prop_assert!(frame.len() <= ROOM);
                match read(frame).expect("one of the two") {
                    Piece::Whole(bytes) => together.extend_from_slice(bytes),
                    Piece::Fragment { size, tag: of, offset, bytes } => {
                        prop_assert_eq!((usize::from(size), of), (payload.len() + HEADERS_LEN, tag));
                        let saved = HEADERS_LEN - COMPRESSED_LEN;
                        let at = if offset == 0 { 0 } else { offset - saved };
                        prop_assert_eq!(at, together.len());
                        together.extend_from_slice(bytes);
                    }
                }
            }
            prop_assert_eq!(expand(ENDS, &together), Some(payload.as_slice()));
            let other = Ends { to: ENDS.to + 1, ..ENDS };
            prop_assert_eq!(expand(other, &together), None);
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
            let _ = read(&bytes);
            let _ = expand(ENDS, &bytes);
        }
    }
}
