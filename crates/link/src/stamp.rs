//! The packets of STAMP, the Simple Two-way Active Measurement Protocol (RFC 8762; extensions RFC
//! 8972), unauthenticated mode.
//!
//! ```text
//!  byte  0          4            12        14     16                                       44
//!       +----------+------------+---------+------+-----------------------------------------+
//!  to   | sequence | sent       | error   | SSID | zero                                    | TLVs
//!       +----------+------------+---------+------+----------+----------+----------+--------+
//!  from | sequence | sent       | error   | SSID | received | sequence | sent     | error… | TLVs
//!       |          |            |         |      |          | of sender| of sender| TTL    |
//!       +----------+------------+---------+------+----------+----------+----------+--------+
//! ```
//!
//! If the Z bit of the error estimate in a STAMP packet is clear, the time stamps of the packet
//! have the NTP format of RFC 5905: seconds since 1900, and fraction of a second. If the Z bit is
//! set, the time stamps have the PTP format: seconds since 1970, and nanoseconds. A packet of more
//! than 44 bytes contains an Extra Padding TLV.

/// Bytes of a packet without extensions.
pub const LEN: usize = 44;
/// Header of a TLV, bytes: flags, type, length.
const TLV: usize = 4;
/// Type of the Extra Padding TLV.
const PADDING: u8 = 1;
/// TLV flags: not recognised by the reflector, and malformed.
const UNRECOGNIZED: u8 = 0x80;
const MALFORMED: u8 = 0x40;

/// Seconds from 1900 to 1970.
const NTP_TO_UNIX: i64 = 2_208_988_800;
/// Error estimate of an unsynchronised clock in NTP format with time stamps accurate to 2^-20 s,
/// about a microsecond: scale 12, multiplier 1.
const UNSYNCHRONIZED: u16 = (12 << 8) | 1;
/// The clock is synchronised to UTC by an external source.
const SYNCHRONIZED: u16 = 0x8000;
/// Time stamps are in PTP format.
const PTP: u16 = 0x4000;

/// Returns the error estimate of this computer's time stamps. `error_ns` is `None` if the clock is
/// not synchronised.
#[must_use]
pub fn error_estimate(error_ns: Option<u64>) -> u16 {
    let Some(error_ns) = error_ns else { return UNSYNCHRONIZED };
    // multiplier * 2^(scale - 32) seconds, rounded up; the multiplier is never 0.
    let units = (u128::from(error_ns.max(1)) << 32).div_ceil(1_000_000_000);
    let scale = (128 - units.leading_zeros()).saturating_sub(8).min(63);
    let multiplier = units.div_ceil(1 << scale).clamp(1, 255) as u16;
    SYNCHRONIZED | ((scale as u16) << 8) | multiplier
}

/// Error that an estimate represents, ns. `None` if its clock is not synchronised.
#[must_use]
pub fn error_ns(estimate: u16) -> Option<u64> {
    let (scale, multiplier) = (estimate >> 8 & 0x3F, u128::from(estimate & 0xFF));
    let error = ((multiplier << scale) * 1_000_000_000) >> 32;
    (estimate & SYNCHRONIZED != 0).then(|| u64::try_from(error).unwrap_or(u64::MAX))
}

/// A time stamp in NTP format.
fn ntp(unix_ns: i64) -> u64 {
    let (seconds, nanos) = (unix_ns.div_euclid(1_000_000_000), unix_ns.rem_euclid(1_000_000_000));
    // Rounded to the nearest value, so that decoding gives the same nanosecond.
    let fraction = (((nanos as u64) << 32) + 500_000_000) / 1_000_000_000;
    (((seconds + NTP_TO_UNIX) as u64) << 32).wrapping_add(fraction)
}

/// Nanoseconds since 1970 of a time stamp in the format of its error estimate. NTP seconds wrap in
/// 2036; the candidate nearest to `near_ns` is returned.
fn unix_ns(stamp: u64, estimate: u16, near_ns: i64) -> i64 {
    let (seconds, low) = ((stamp >> 32) as i64, stamp & 0xFFFF_FFFF);
    if estimate & PTP != 0 {
        return seconds * 1_000_000_000 + low as i64;
    }
    let nanos = ((low * 1_000_000_000 + (1 << 31)) >> 32) as i64;
    let seconds = seconds - NTP_TO_UNIX;
    let era = 1_i64 << 32;
    let eras = (near_ns.div_euclid(1_000_000_000) - seconds + era / 2).div_euclid(era);
    (seconds + eras * era) * 1_000_000_000 + nanos
}

/// Time stamps in a response, ns since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Sequence number of the request.
    pub sequence: u32,
    /// Sequence number of the response. For a stateful reflector, this is the number of responses
    /// sent before.
    pub count: u32,
    /// Receive time of the request.
    pub received_ns: i64,
    /// Send time of the response.
    pub answered_ns: i64,
    /// Largest error of both time stamps according to the reflector, ns. `None` if its clock is not
    /// synchronised.
    pub error_ns: Option<u64>,
}

/// Writes a request into `packet`, which has at least [`LEN`] bytes.
pub fn ask(packet: &mut [u8], sequence: u32, ssid: u16, sent_ns: i64, estimate: u16) {
    packet.fill(0);
    packet[..4].copy_from_slice(&sequence.to_be_bytes());
    packet[4..12].copy_from_slice(&ntp(sent_ns).to_be_bytes());
    packet[12..14].copy_from_slice(&estimate.to_be_bytes());
    packet[14..16].copy_from_slice(&ssid.to_be_bytes());
    if let Some(room) = packet.len().checked_sub(LEN + TLV) {
        packet[LEN] = UNRECOGNIZED;
        packet[LEN + 1] = PADDING;
        packet[LEN + 2..LEN + 4].copy_from_slice(&(room as u16).to_be_bytes());
    }
}

/// Parses a response to a request of session `ssid`. `None` if `packet` is not such a response.
/// `near_ns` is the current time.
#[must_use]
pub fn read(packet: &[u8], ssid: u16, near_ns: i64) -> Option<Answer> {
    if packet.len() < LEN || half(packet, 14) != ssid {
        return None;
    }
    let estimate = half(packet, 12);
    Some(Answer {
        sequence: word(packet, 24),
        count: word(packet, 0),
        received_ns: unix_ns(double(packet, 16), estimate, near_ns),
        answered_ns: unix_ns(double(packet, 4), estimate, near_ns),
        error_ns: error_ns(estimate),
    })
}

/// Whether `packet` can be a request.
#[must_use]
pub const fn is_question(packet: &[u8]) -> bool {
    packet.len() >= LEN
}

/// Session ID of a request.
#[must_use]
pub fn ssid(packet: &[u8]) -> u16 {
    half(packet, 14)
}

/// Converts the request in `packet` into its response, which has the same length. `now_ns` reads
/// the clock just before the response is sent.
pub fn reflect(
    packet: &mut [u8],
    count: u32,
    received_ns: i64,
    ttl: u8,
    estimate: u16,
    now_ns: impl FnOnce() -> i64,
) {
    let asked: [u8; 14] = [
        packet[0], packet[1], packet[2], packet[3], packet[4], packet[5], packet[6], packet[7],
        packet[8], packet[9], packet[10], packet[11], packet[12], packet[13],
    ];
    packet[24..38].copy_from_slice(&asked);
    packet[38..LEN].fill(0);
    packet[40] = ttl;
    mark(&mut packet[LEN..]);
    packet[..4].copy_from_slice(&count.to_be_bytes());
    packet[12..14].copy_from_slice(&estimate.to_be_bytes());
    packet[16..24].copy_from_slice(&ntp(received_ns).to_be_bytes());
    packet[4..12].copy_from_slice(&ntp(now_ns()).to_be_bytes());
}

/// Marks TLVs as recognised, not recognised, or malformed (RFC 8972, section 4).
fn mark(mut tlvs: &mut [u8]) {
    while tlvs.len() >= TLV {
        let length = TLV + usize::from(half(tlvs, 2));
        if length > tlvs.len() {
            tlvs[0] = MALFORMED;
            return;
        }
        tlvs[0] = if tlvs[1] == PADDING { 0 } else { UNRECOGNIZED };
        tlvs = &mut tlvs[length..];
    }
}

fn half(packet: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([packet[at], packet[at + 1]])
}

fn word(packet: &[u8], at: usize) -> u32 {
    u32::from(half(packet, at)) << 16 | u32::from(half(packet, at + 2))
}

fn double(packet: &[u8], at: usize) -> u64 {
    u64::from(word(packet, at)) << 32 | u64::from(word(packet, at + 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-25 00:00:00.5 UTC.
    const NOON: i64 = 1_795_564_800_500_000_000;

    #[test]
    fn a_question_and_its_answer_byte_for_byte() {
        let mut packet = [0xFF; 52];
        ask(&mut packet, 0x0102_0304, 0x0506, NOON, UNSYNCHRONIZED);
        // 1795564800 + 2208988800 = 4004553600 = 0xEEB0_A380.
        assert_eq!(packet[..8], [1, 2, 3, 4, 0xEE, 0xB0, 0xA3, 0x80]);
        assert_eq!(packet[8..16], [0x80, 0, 0, 0, 0x0C, 0x01, 5, 6]);
        assert!(packet[16..LEN].iter().all(|&byte| byte == 0));
        assert_eq!(packet[LEN..], [0x80, 1, 0, 4, 0, 0, 0, 0]);

        reflect(&mut packet, 9, NOON + 1_000, 64, UNSYNCHRONIZED, || NOON + 3_000);
        assert_eq!(packet[..4], [0, 0, 0, 9]);
        assert_eq!(packet[24..32], [1, 2, 3, 4, 0xEE, 0xB0, 0xA3, 0x80]);
        assert_eq!(packet[36..44], [0x0C, 0x01, 0, 0, 64, 0, 0, 0]);
        assert_eq!(packet[LEN..], [0, 1, 0, 4, 0, 0, 0, 0]);
        let answer = read(&packet, 0x0506, NOON).expect("an answer");
        assert_eq!((answer.sequence, answer.count), (0x0102_0304, 9));
        assert_eq!((answer.received_ns, answer.answered_ns), (NOON + 1_000, NOON + 3_000));
        assert_eq!(answer.error_ns, None);
        assert_eq!(read(&packet, 7, NOON), None);
        assert_eq!(read(&packet[..43], 0x0506, NOON), None);
    }

    #[test]
    fn stamps_keep_their_nanosecond_in_both_formats_and_eras() {
        for at in [0, 1, NOON + 123_456_789, NOON + 999_999_999, 2_085_978_495_999_999_999] {
            assert_eq!(unix_ns(ntp(at), 0, at + 5_000_000_000), at);
        }
        // NTP seconds wrap in February 2036.
        let later = 2_100_000_000_000_000_007;
        assert_eq!(unix_ns(ntp(later), 0, later), later);
        assert_eq!(unix_ns(5 << 32 | 7, PTP, 0), 5_000_000_007);
    }

    #[test]
    fn error_estimates_round_up() {
        assert_eq!(error_ns(UNSYNCHRONIZED), None);
        for error in [1, 200, 999, 1_000_000, 3_600_000_000_000] {
            let stated = error_ns(error_estimate(Some(error))).expect("synchronized");
            assert!(stated + 1 >= error && stated <= error + error / 100 + 2, "{error}: {stated}");
        }
    }

    #[test]
    fn tlvs_that_are_not_understood_or_malformed_are_marked() {
        let mut tlvs = [0x80, 1, 0, 1, 9, 0x80, 3, 0, 2, 8, 8, 0x80, 1, 0, 9, 0];
        mark(&mut tlvs);
        assert_eq!(tlvs, [0, 1, 0, 1, 9, 0x80, 3, 0, 2, 8, 8, 0x40, 1, 0, 9, 0]);
    }
}
