//! A size in the name that the wire could not have carried in the time measured.

use super::{Finding, Name, Value};
use crate::dist::quantiles;
use crate::duration::nice;

/// How far a UART may be off its nominal rate and still talk to its peer: about 5 % for 8N1 (half
/// a bit in ten), shared by both ends.
const RATE_TOLERANCE: f64 = 0.05;

/// Bits on the wire for one byte, 8N1: start, eight data, stop.
const UART_BITS: f64 = 10.0;

/// What a run's name claims, and the least time its bytes need.
pub struct Claim<'a> {
    /// Bytes in the name.
    pub bytes: u64,
    /// The least time in which that many bytes can cross, ns: serial time or airtime, without any
    /// overhead. Must not fall as bytes grow.
    pub least_ns: &'a dyn Fn(u64) -> f64,
}

/// Serial time of `bytes` at `baud`, 8N1, ns.
#[must_use]
pub fn uart_ns(bytes: u64, baud: f64) -> f64 {
    bytes as f64 * UART_BITS / baud * 1e9
}

/// Raised when the typical latency is shorter than the claimed bytes need on the wire, which no
/// link can do. A latency longer than that proves nothing and is not reported.
///
/// The threshold is physics with [`RATE_TOLERANCE`]; the median is compared, so that a stray early
/// completion proves nothing either.
#[must_use]
pub fn name_disagrees(latencies_ns: &[i64], claim: &Claim<'_>) -> Option<Finding> {
    let measured_ns = *quantiles(latencies_ns, &[0.5]).first()?;
    let fits = |bytes: u64| (claim.least_ns)(bytes) * (1.0 - RATE_TOLERANCE) <= measured_ns;
    let expected_ns = (claim.least_ns)(claim.bytes);
    if fits(claim.bytes) || !expected_ns.is_finite() {
        return None;
    }
    // Halving finds the largest size that fits; 0 bytes always do.
    let (mut fitting, mut too_large) = (0, claim.bytes);
    while too_large - fitting > 1 {
        let middle = fitting + (too_large - fitting) / 2;
        *(if fits(middle) { &mut fitting } else { &mut too_large }) = middle;
    }
    Some(Finding {
        name: Name::NameDisagrees,
        evidence: vec![
            ("named_bytes", Value::Int(claim.bytes as i64)),
            ("fitting_bytes", Value::Int(fitting as i64)),
            ("expected_ns", Value::Float(expected_ns)),
            ("measured_ns", Value::Float(measured_ns)),
        ],
        message: format!(
            "The name says {} bytes, which need {} on the wire alone; the median latency is {}. At \
             most {fitting} bytes fit into that.",
            claim.bytes,
            nice(expected_ns),
            nice(measured_ns)
        ),
        advice: "Check which payload this capture holds, and the baud rate or modulation given."
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: i64 = 1_000_000;

    #[test]
    fn bytes_that_cannot_have_crossed_are_named() {
        let least_ns = |bytes| uart_ns(bytes, 9_600.0);
        let claim = Claim { bytes: 256, least_ns: &least_ns };
        let found = name_disagrees(&[166 * MS, 167 * MS, 180 * MS], &claim).unwrap();
        assert_eq!(found.evidence[0].1, Value::Int(256));
        // 167 ms at 9600 baud are 160 bytes, 168 with the tolerance of the rate.
        assert_eq!(found.evidence[1].1, Value::Int(168));
        assert!(found.message.contains("266.7 ms"), "{}", found.message);
    }

    #[test]
    fn the_named_size_and_smaller_ones_are_believed() {
        let least_ns = |bytes| uart_ns(bytes, 9_600.0);
        for bytes in [1, 12, 128, 160] {
            let claim = Claim { bytes, least_ns: &least_ns };
            assert_eq!(name_disagrees(&[166 * MS, 167 * MS, 180 * MS], &claim), None);
        }
        // A fast clock at the edge of what its peer accepts is still believed.
        let claim = Claim { bytes: 1_024, least_ns: &least_ns };
        assert_eq!(name_disagrees(&[1_024 * MS], &claim), None);
        assert_eq!(name_disagrees(&[], &claim), None);
    }
}
