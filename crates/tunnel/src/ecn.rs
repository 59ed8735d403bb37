//! Explicit congestion notification (RFC 3168): marks a packet instead of dropping it.

/// Mask of the two ECN bits: not ECN-capable, ECN-capable (ECT), or marked (CE).
const MASK: u8 = 0b11;
const NOT_ECT: u8 = 0b00;
const CE: u8 = 0b11;
/// Length of an IPv4 header without options, bytes, and positions of its type of service and checksum.
const IPV4: usize = 20;
const TOS: usize = 1;
const CHECKSUM: usize = 10;
/// Length of an IPv6 header, bytes.
const IPV6: usize = 40;

/// Marks an IP packet as having experienced congestion (section 5). Returns false if it is not ECN-capable
/// and must be dropped.
pub fn mark(packet: &mut [u8]) -> bool {
    match packet.first().map(|byte| byte >> 4) {
        Some(4) if packet.len() >= IPV4 => {
            let before = packet[TOS];
            if before & MASK == NOT_ECT {
                return false;
            }
            packet[TOS] = before | CE;
            let words = [
                u16::from_be_bytes([packet[0], before]),
                u16::from_be_bytes([packet[0], before | CE]),
            ];
            let sum = u16::from_be_bytes([packet[CHECKSUM], packet[CHECKSUM + 1]]);
            packet[CHECKSUM..CHECKSUM + 2].copy_from_slice(&mended(sum, words).to_be_bytes());
            true
        }
        // The traffic class spans bytes 0 and 1 (RFC 8200, section 3). There is no checksum.
        Some(6) if packet.len() >= IPV6 => {
            let is_ect = packet[1] >> 4 & MASK != NOT_ECT;
            if is_ect {
                packet[1] |= CE << 4;
            }
            is_ect
        }
        _ => false,
    }
}

/// Updates the checksum of a header after one word was replaced (RFC 1624, equation 3).
fn mended(sum: u16, [before, after]: [u16; 2]) -> u16 {
    let sum = u32::from(!sum) + u32::from(!before) + u32::from(after);
    let folded = (sum & 0xFFFF) + (sum >> 16);
    !((folded & 0xFFFF) + (folded >> 16)) as u16
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;
    use crate::flow::datagram;

    fn sum(header: &[u8]) -> u32 {
        let words = header.chunks(2).map(|two| u32::from(u16::from_be_bytes([two[0], two[1]])));
        let sum: u32 = words.sum();
        (sum & 0xFFFF) + (sum >> 16)
    }

    /// A datagram with these ECN bits and a valid checksum.
    fn with_ecn(port: u16, ecn: u8) -> vec::Vec<u8> {
        let mut packet = datagram(port, b"payload");
        packet[4..6].copy_from_slice(&port.to_be_bytes());
        packet[1] = 0xB8 | ecn;
        packet[CHECKSUM..CHECKSUM + 2].fill(0);
        let right = !(sum(&packet[..IPV4]) as u16);
        packet[CHECKSUM..CHECKSUM + 2].copy_from_slice(&right.to_be_bytes());
        packet
    }

    #[test]
    fn a_marked_packet_differs_in_its_mark_and_its_checksum_is_right() {
        for port in (0..u16::MAX).step_by(7) {
            for ecn in [0b01, 0b10, CE] {
                let before = with_ecn(port, ecn);
                let mut packet = before.clone();
                assert!(mark(&mut packet));
                assert_eq!(packet[TOS], 0xB8 | CE);
                assert_eq!(sum(&packet[..IPV4]), 0xFFFF, "port {port}, {ecn:02b}");
                for at in [TOS, CHECKSUM, CHECKSUM + 1] {
                    packet[at] = before[at];
                }
                assert_eq!(packet, before);
            }
        }
    }

    #[test]
    fn the_traffic_class_of_ipv6_is_marked() {
        let mut packet = vec![0; IPV6];
        for (class, marked) in
            [(0x9A, Some(0xBA)), (0xAA, Some(0xBA)), (0xBA, Some(0xBA)), (0x8A, None)]
        {
            packet[..4].copy_from_slice(&[0x6B, class, 0xBC, 0xDE]);
            assert_eq!(mark(&mut packet), marked.is_some());
            assert_eq!(packet[..4], [0x6B, marked.unwrap_or(class), 0xBC, 0xDE]);
        }
    }

    #[test]
    fn what_cannot_be_marked_is_left_as_it_is() {
        let mut short = with_ecn(1, 0b10);
        short.truncate(IPV4 - 1);
        for packet in [vec![], vec![0x45], short, with_ecn(1, NOT_ECT), vec![0xFF; 60]] {
            let mut marked = packet.clone();
            assert!(!mark(&mut marked));
            assert_eq!(marked, packet);
        }
    }
}
