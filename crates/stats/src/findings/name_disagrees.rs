//! Finding of a payload in the name that is too large for the measured latency.

use super::{Finding, Name, Value};
use crate::dist::quantiles;
use crate::duration::nice;

/// Relative rate error that a UART tolerates: about 5 % for 8N1 (half a bit in ten), shared by both ends.
const RATE_TOLERANCE: f64 = 0.05;

/// Bits on the wire for one byte, 8N1: start, eight data, stop.
const UART_BITS: f64 = 10.0;

/// Payload that a name states, and its lower bound of the latency.
pub struct Claim<'a> {
    /// Bytes in the name.
    pub bytes: u64,
    /// Lower bound of the time for a number of bytes, ns: serial time or airtime without overhead. Must not
    /// decrease with the number of bytes.
    pub least_ns: &'a dyn Fn(u64) -> f64,
}

/// Serial time of `bytes` at `baud`, 8N1, ns.
#[must_use]
pub fn uart_ns(bytes: u64, baud: f64) -> f64 {
    bytes as f64 * UART_BITS / baud * 1e9
}

/// Returns the finding if the median latency is shorter than the stated bytes take on the wire, which is not
/// possible. A longer latency proves nothing and is not reported.
///
/// The threshold is the wire time with [`RATE_TOLERANCE`]. The median is compared, so that a spurious early
/// completion has no effect.
#[must_use]
pub fn name_disagrees(latencies_ns: &[i64], claim: &Claim<'_>) -> Option<Finding> {
    let measured_ns = *quantiles(latencies_ns, &[0.5]).first()?;
    let fits = |bytes: u64| (claim.least_ns)(bytes) * (1.0 - RATE_TOLERANCE) <= measured_ns;
    let expected_ns = (claim.least_ns)(claim.bytes);
    if fits(claim.bytes) || !expected_ns.is_finite() {
        return None;
    }
    // Bisection finds the largest size that fits. 0 bytes always fit.
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
            "The file name indicates {} bytes, which take {} on the wire alone, but the median latency is {}. \
             At most {fitting} bytes fit into this latency.",
            claim.bytes,
            nice(expected_ns),
            nice(measured_ns)
        ),
        advice: "Check the payload of this capture, and the given baud rate or modulation."
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
        // 167 ms at 9600 baud corresponds to 160 bytes, or to 168 with the tolerance of the rate.
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
        // A fast clock at the limit of what its peer accepts is still plausible.
        let claim = Claim { bytes: 1_024, least_ns: &least_ns };
        assert_eq!(name_disagrees(&[1_024 * MS], &claim), None);
        assert_eq!(name_disagrees(&[], &claim), None);
    }
}
