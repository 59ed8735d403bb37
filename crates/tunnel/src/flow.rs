//! Flow identification from addresses, protocol and ports.

use core::hash::Hasher;

use siphasher::sip::SipHasher13;

/// Protocols whose first four bytes are two ports: TCP, UDP, DCCP, SCTP, UDP-Lite.
const WITH_PORTS: [u8; 5] = [6, 17, 33, 132, 136];

/// Number of the flow of a packet under `key`. All packets that are not IP packets belong to one
/// flow.
///
/// The key prevents a sender from choosing addresses that share a queue with another flow (RFC 8290, section
/// 4.1.1).
#[must_use]
pub fn flow(packet: &[u8], key: u64) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(key, !key);
    match packet.first().map(|byte| byte >> 4) {
        Some(4) if packet.len() >= 20 => {
            hasher.write(&packet[12..20]);
            let protocol = packet[9];
            hasher.write_u8(protocol);
            // Only the first fragment has ports, so the ports of fragments are ignored to keep them in one
            // flow.
            let fragmented = u16::from_be_bytes([packet[6], packet[7]]) & 0x3FFF != 0;
            let header = usize::from(packet[0] & 0x0F) * 4;
            if !fragmented && WITH_PORTS.contains(&protocol) {
                hasher.write(packet.get(header..header + 4).unwrap_or_default());
            }
        }
        Some(6) if packet.len() >= 40 => {
            hasher.write(&packet[8..40]);
            hasher.write_u8(packet[6]);
            if WITH_PORTS.contains(&packet[6]) {
                hasher.write(packet.get(40..44).unwrap_or_default());
            }
        }
        _ => {}
    }
    hasher.finish()
}

/// Length of an IPv4 header without options plus a UDP header, bytes.
pub const UDP_IPV4: usize = 28;

/// Builds a UDP datagram in an IPv4 packet between two hosts of a tunnel, for measurement programs.
#[must_use]
pub fn datagram(port: u16, payload: &[u8]) -> alloc::vec::Vec<u8> {
    let len = UDP_IPV4 + payload.len();
    let mut packet = alloc::vec::Vec::with_capacity(len);
    packet.extend_from_slice(&[0x45, 0]);
    packet.extend_from_slice(&(len as u16).to_be_bytes());
    packet.extend_from_slice(&[0, 0, 0x40, 0, 64, 17, 0, 0]);
    packet.extend_from_slice(&[10, 0, 0, 1, 10, 0, 0, 2]);
    let sum = packet.chunks(2).map(|two| u32::from(u16::from_be_bytes([two[0], two[1]])));
    let sum = sum.sum::<u32>();
    let sum = !(((sum & 0xFFFF) + (sum >> 16)) as u16);
    packet[10..12].copy_from_slice(&sum.to_be_bytes());
    packet.extend_from_slice(&port.to_be_bytes());
    packet.extend_from_slice(&port.to_be_bytes());
    packet.extend_from_slice(&((len - 20) as u16).to_be_bytes());
    // Without a checksum, which UDP over IPv4 permits (RFC 768).
    packet.extend_from_slice(&[0, 0]);
    packet.extend_from_slice(payload);
    packet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_and_addresses_make_a_flow_and_the_payload_does_not() {
        let one = datagram(5000, b"abc");
        assert_eq!(flow(&one, 1), flow(&datagram(5000, b"something else"), 1));
        assert_ne!(flow(&one, 1), flow(&datagram(5001, b"abc"), 1));
        assert_ne!(flow(&one, 1), flow(&one, 2), "by another key");
        let mut elsewhere = one.clone();
        elsewhere[19] = 3;
        assert_ne!(flow(&one, 1), flow(&elsewhere, 1));
    }

    #[test]
    fn fragments_of_a_packet_stay_in_one_flow() {
        let (mut first, mut second) = (datagram(5000, b"first"), datagram(1, b"second"));
        first[6] = 0x20;
        second[7] = 0x10;
        assert_eq!(flow(&first, 1), flow(&second, 1));
    }

    #[test]
    fn the_header_of_a_datagram_sums_up() {
        let packet = datagram(7, &[1; 5]);
        let sum: u32 =
            packet[..20].chunks(2).map(|two| u32::from(u16::from_be_bytes([two[0], two[1]]))).sum();
        assert_eq!((sum & 0xFFFF) + (sum >> 16), 0xFFFF);
    }

    #[test]
    fn what_is_not_ip_is_one_flow_and_no_other_packet_is_in_it() {
        let other = flow(b"", 0);
        for packet in [&[0x45][..], &[0x45; 19], &[0x60; 12], &[0x60; 39], b"garbage"] {
            assert_eq!(flow(packet, 0), other, "{packet:?}");
        }
        // Complete headers of packets that end before their ports.
        let mut cut = [0x60; 40];
        cut[6] = 17;
        for packet in [&datagram(5000, b"")[..20], &cut] {
            assert_ne!(flow(packet, 0), other, "{packet:?}");
        }
    }
}
