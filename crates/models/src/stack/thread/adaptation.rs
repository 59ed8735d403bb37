//! 6LoWPAN: datagrams as the payloads of frames, and back.
//!
//! IPv6 and UDP headers are compressed by smoltcp (RFC 6282). If both IPv6 addresses can be derived
//! from the MAC addresses in the frame, the IPv6 header has two octets, and the UDP header has
//! seven octets. An interface identifier that cannot be derived from the frame adds eight octets to
//! the IPv6 header. A datagram that does not fit into a frame is fragmented as in OpenThread (RFC
//! 4944, 5.3): every fragment but the last ends at a multiple of eight octets of the datagram.

use smoltcp::phy::ChecksumCapabilities;
use smoltcp::wire::{
    IPV6_HEADER_LEN, Ipv6Address, SixlowpanFragPacket, SixlowpanFragRepr, SixlowpanIphcPacket,
    SixlowpanIphcRepr, SixlowpanNextHeader, SixlowpanUdpNhcPacket, SixlowpanUdpNhcRepr,
    UDP_HEADER_LEN, UdpRepr,
};

use super::address::{Ends, MESH_LOCAL, Scope};

/// Length of the uncompressed headers of a datagram, octets.
pub const HEADERS_LEN: usize = IPV6_HEADER_LEN + UDP_HEADER_LEN;
/// Length of a compressed UDP header, octets; neither port has a short form.
const UDP_LEN: usize = 7;
/// Longest payload, octets: an IPv6 datagram of 1280, the largest that OpenThread accepts.
pub const MAX_PAYLOAD: usize = 1_280 - HEADERS_LEN;
/// Length of a first fragment's header, octets.
pub const FIRST_HEADER_LEN: usize = 4;
/// Length of any other fragment's header, octets.
pub const NEXT_HEADER_LEN: usize = 5;

/// Port of either end: the first dynamic port (RFC 6335, 6).
const PORT: u16 = 49_152;
/// First two octets of an IPHC header in which context 0 compresses both addresses (RFC 6282,
/// 3.1.1). smoltcp does not support such headers. [`LOCATORS`] and [`ENDPOINTS`] both omit the
/// traffic class, set the hop limit to 64, and compress the next header. With [`LOCATORS`], the
/// frame contains no bits of the addresses. With [`ENDPOINTS`], the frame contains 64 bits of each
/// address.
const LOCATORS: [u8; 2] = [0b0111_1110, 0b0111_0111];
const ENDPOINTS: [u8; 2] = [0b0111_1110, 0b0101_0101];
/// OPENTHREAD_CONFIG_IP6_HOP_LIMIT_DEFAULT, for which IPHC has a code.
const HOP_LIMIT: u8 = 64;

impl Scope {
    /// Length of the compressed IPv6 and UDP headers in a frame, octets.
    #[must_use]
    pub const fn compressed_len(self) -> usize {
        match self {
            Self::Link | Self::Locator => 2 + UDP_LEN,
            Self::Endpoint => 2 + 8 + 8 + UDP_LEN,
        }
    }
}

/// Encodes a UDP datagram with compressed headers.
#[must_use]
pub fn compress(ends: Ends, payload: &[u8]) -> Vec<u8> {
    let ([ll_from, ll_to], [from, to]) = (ends.hardware(), ends.addresses());
    let headers = ends.scope.compressed_len();
    let mut bytes = vec![0; headers + payload.len()];
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
    match ends.scope {
        Scope::Link => ip.emit(&mut SixlowpanIphcPacket::new_unchecked(&mut bytes)),
        Scope::Locator => bytes[..2].copy_from_slice(&LOCATORS),
        Scope::Endpoint => {
            bytes[..2].copy_from_slice(&ENDPOINTS);
            bytes[2..10].copy_from_slice(&from.octets()[8..]);
            bytes[10..18].copy_from_slice(&to.octets()[8..]);
        }
    }
    udp.emit(
        &mut SixlowpanUdpNhcPacket::new_unchecked(&mut bytes[headers - UDP_LEN..]),
        &from,
        &to,
        payload.len(),
        |body| body.copy_from_slice(payload),
        &ChecksumCapabilities::default(),
    );
    bytes
}

/// Payload of a datagram with compressed headers. `None` if it is not from `ends` or its checksum
/// is wrong.
#[must_use]
pub fn expand(ends: Ends, bytes: &[u8]) -> Option<&[u8]> {
    let ([from, to], rest) = addresses(ends, bytes)?;
    let packet = SixlowpanUdpNhcPacket::new_checked(rest).ok()?;
    let capabilities = ChecksumCapabilities::default();
    let udp = SixlowpanUdpNhcRepr::parse(&packet, &from, &to, &capabilities).ok()?;
    (udp.dst_port == PORT).then(|| packet.payload())
}

/// Addresses of a datagram, and the data after its compressed IPv6 header.
fn addresses(ends: Ends, bytes: &[u8]) -> Option<([Ipv6Address; 2], &[u8])> {
    match *bytes.first_chunk()? {
        LOCATORS => {
            Some((Ends { scope: Scope::Locator, ..ends }.addresses(), bytes.get(LOCATORS.len()..)?))
        }
        ENDPOINTS => {
            let (from, rest) = bytes.get(ENDPOINTS.len()..)?.split_first_chunk()?;
            let (to, rest) = rest.split_first_chunk()?;
            let endpoint = |identifier: &[u8; 8]| {
                let mut octets = [0; 16];
                octets[..8].copy_from_slice(&MESH_LOCAL);
                octets[8..].copy_from_slice(identifier);
                Ipv6Address::from_octets(octets)
            };
            Some(([endpoint(from), endpoint(to)], rest))
        }
        _ => {
            let [ll_from, ll_to] = ends.hardware();
            let packet = SixlowpanIphcPacket::new_checked(bytes).ok()?;
            let ip = SixlowpanIphcRepr::parse(&packet, Some(ll_from), Some(ll_to), &[]).ok()?;
            (ip.next_header == SixlowpanNextHeader::Compressed)
                .then_some(([ip.src_addr, ip.dst_addr], packet.payload()))
        }
    }
}

/// Octets by which compression shortened the headers of a datagram that begins with `bytes`. `None`
/// if it is not a compressed UDP datagram.
#[must_use]
pub fn saved(bytes: &[u8]) -> Option<usize> {
    let packet = SixlowpanIphcPacket::new_checked(bytes).ok()?;
    (HEADERS_LEN + packet.payload().len()).checked_sub(bytes.len() + UDP_LEN)
}

/// Fragments `compressed` for frames with `room` octets of payload each.
#[must_use]
pub fn frames(scope: Scope, compressed: &[u8], room: usize, tag: u16) -> Vec<Vec<u8>> {
    if compressed.len() <= room {
        return vec![compressed.to_vec()];
    }
    let saved = HEADERS_LEN - scope.compressed_len();
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

/// Payload lengths of the frames for a datagram of `len` octets.
#[must_use]
pub fn lengths(scope: Scope, len: usize, room: usize) -> Vec<usize> {
    frames(scope, &vec![0; scope.compressed_len() + len], room, 1).iter().map(Vec::len).collect()
}

fn fragment(header: &SixlowpanFragRepr, piece: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; header.buffer_len()];
    header.emit(&mut SixlowpanFragPacket::new_unchecked(&mut bytes));
    bytes.extend_from_slice(piece);
    bytes
}

/// A decoded frame payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// A complete datagram with compressed headers.
    Whole(&'a [u8]),
    /// A fragment.
    Fragment {
        /// Length of the datagram with uncompressed headers, octets.
        size: u16,
        /// Tag of the datagram, assigned by its sender.
        tag: u16,
        /// Offset in the datagram, octets.
        offset: usize,
        /// Data after the fragment header.
        bytes: &'a [u8],
    },
}

/// Decodes a frame's payload. `None` unless it is a datagram or a fragment.
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
    use super::super::address::Place;
    use super::*;
    use proptest::prelude::*;

    const ENDS: Ends = Ends::link(0x6E8E_F905_2967_C615, 0x4A73_C036_DA29_D88B);
    /// 127 octets minus header, auxiliary header, MIC and FCS.
    const ROOM: usize = 127 - 21 - 6 - 4 - 2;

    #[test]
    fn headers_of_48_octets_become_nine() {
        // Border router log: `len:52` for 10 bytes of data.
        assert_eq!(compress(ENDS, &[0; 10]).len() + 127 - ROOM, 52);
    }

    #[test]
    fn a_frame_holds_85_octets_and_fragments_end_at_multiples_of_eight() {
        assert_eq!(lengths(Scope::Link, 85, ROOM), [94]);
        assert_eq!(lengths(Scope::Link, 86, ROOM), [4 + 9 + 80, 5 + 6]);
        assert_eq!(lengths(Scope::Link, 80 + 88, ROOM), [93, 93]);
        assert_eq!(lengths(Scope::Link, 80 + 89, ROOM), [93, 94]);
        assert_eq!(lengths(Scope::Link, 80 + 90, ROOM), [93, 93, 7]);
        assert_eq!(lengths(Scope::Link, 1_024, ROOM).len(), 12);
    }

    #[test]
    fn frames_are_as_long_as_those_that_openthread_sends() {
        // Lengths of PSDUs that two nodes running OpenThread's own code sent in its simulator,
        // between link-local addresses.
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
            let found: Vec<_> =
                lengths(Scope::Link, len, ROOM).iter().map(|len| 127 - ROOM + len).collect();
            assert_eq!(found, psdus, "{len}");
        }
    }

    #[test]
    fn addresses_that_no_frame_has_take_sixteen_octets_more() {
        let (from, to) = (Place { eui: 1, rloc: 0x0400 }, Place { eui: 2, rloc: 0x0800 });
        let len = |scope| compress(Ends { from, to, scope }, &[0; 10]).len();
        assert_eq!([Scope::Locator, Scope::Endpoint].map(len), [2 + 7 + 10, 2 + 16 + 7 + 10]);
    }

    proptest! {
        #[test]
        fn a_datagram_comes_back_from_its_pieces(
            payload in prop::collection::vec(any::<u8>(), 0..MAX_PAYLOAD), tag: u16,
            scope in prop::sample::select(vec![Scope::Link, Scope::Locator, Scope::Endpoint]),
        ) {
            let ends = Ends {
                from: Place { rloc: 0x0400, ..ENDS.from },
                to: Place { rloc: 0x0C01, ..ENDS.to },
                scope,
            };
            let compressed = compress(ends, &payload);
            let saved = HEADERS_LEN - scope.compressed_len();
            prop_assert_eq!(super::saved(&compressed), Some(saved));
            let frames = frames(scope, &compressed, ROOM, tag);
            let mut together = Vec::new();
            for frame in &frames {
                prop_assert!(frame.len() <= ROOM);
                match read(frame).expect("one of the two") {
                    Piece::Whole(bytes) => together.extend_from_slice(bytes),
                    Piece::Fragment { size, tag: of, offset, bytes } => {
                        prop_assert_eq!((usize::from(size), of), (payload.len() + HEADERS_LEN, tag));
                        let at = if offset == 0 { 0 } else { offset - saved };
                        prop_assert_eq!(at, together.len());
                        together.extend_from_slice(bytes);
                    }
                }
            }
            prop_assert_eq!(expand(ends, &together), Some(payload.as_slice()));
            // The checksum covers the parts that the frame omits.
            let to = Place { eui: ends.to.eui + 1, rloc: ends.to.rloc + 1 };
            let other = expand(Ends { to, ..ends }, &together);
            prop_assert_eq!(other.is_some(), scope == Scope::Endpoint);
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
            let _ = read(&bytes);
            let _ = expand(ENDS, &bytes);
            let _ = saved(&bytes);
        }
    }
}
