//! Wall-clock timestamps: ISO 8601 with nine decimals, in UTC.

use time::OffsetDateTime;

const NS_PER_S: i64 = 1_000_000_000;

/// Formats timestamps. The text of the current second is cached, because most neighbouring rows
/// share it.
#[derive(Debug)]
pub struct Stamps {
    second: i64,
    /// `2024-01-02T03:04:05` of that second.
    text: String,
}

impl Default for Stamps {
    fn default() -> Self {
        Self { second: i64::MIN, text: String::new() }
    }
}

impl Stamps {
    /// Appends `2024-01-02T03:04:05.678901234+00:00`.
    pub fn append(&mut self, unix_ns: i128, into: &mut Vec<u8>) {
        let second = unix_ns.div_euclid(i128::from(NS_PER_S));
        let second = second.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        if second != self.second {
            self.second = second;
            self.text = calendar(second);
        }
        into.extend_from_slice(self.text.as_bytes());
        decimals(unix_ns.rem_euclid(i128::from(NS_PER_S)) as u32, into);
        into.extend_from_slice(b"+00:00");
    }
}

fn calendar(second: i64) -> String {
    // Every sum of two 64-bit counts of nanoseconds is within the range of the library.
    let when = OffsetDateTime::from_unix_timestamp(second).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (date, clock) = (when.date(), when.time());
    let (month, day) = (u8::from(date.month()), date.day());
    let (hour, minute, second) = clock.as_hms();
    format!("{:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}", date.year())
}

/// Appends `-12.345678901`.
pub fn append_seconds(ns: i64, into: &mut Vec<u8>) {
    if ns < 0 {
        into.push(b'-');
    }
    let ns = ns.unsigned_abs();
    append_number(ns / NS_PER_S.unsigned_abs(), into);
    decimals((ns % NS_PER_S.unsigned_abs()) as u32, into);
}

/// Appends a number in decimal.
pub fn append_number(mut number: u64, into: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    into.extend_from_slice(&digits[at..]);
}

/// Appends a decimal point and nine digits.
fn decimals(mut ns: u32, into: &mut Vec<u8>) {
    let mut digits = *b".000000000";
    for digit in digits[1..].iter_mut().rev() {
        *digit = b'0' + (ns % 10) as u8;
        ns /= 10;
    }
    into.extend_from_slice(&digits);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut bytes = Vec::new();
        write(&mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_stamp_has_nine_decimals_and_a_zone() {
        let stamp = |ns| text(|into| Stamps::default().append(ns, into));
        assert_eq!(stamp(1_704_164_645_678_901_234), "2024-01-02T03:04:05.678901234+00:00");
        assert_eq!(stamp(0), "1970-01-01T00:00:00.000000000+00:00");
        assert_eq!(stamp(-1), "1969-12-31T23:59:59.999999999+00:00");
        assert_eq!(stamp(2 * i128::from(i64::MAX)), "2554-07-21T23:34:33.709551614+00:00");
        assert_eq!(stamp(2 * i128::from(i64::MIN)), "1385-06-12T00:25:26.290448384+00:00");
    }

    #[test]
    fn seconds_carry_their_sign() {
        assert_eq!(text(|into| append_seconds(-5, into)), "-0.000000005");
        assert_eq!(text(|into| append_seconds(12_000_000_340, into)), "12.000000340");
        assert_eq!(text(|into| append_seconds(i64::MIN, into)), "-9223372036.854775808");
    }
}
