//! Findings about a sniffer recording, including packets that the sniffer missed.

use super::{Finding, Name, Value};
use super::{
    few_samples::few_samples, lost_transfers::lost_transfers, trend::trend, warm_up::warm_up,
};
use crate::pair::Outcome;
use crate::sniff::Stream;

/// Returns the findings about one stream of frames in a sniffer recording, in the order of [`Name::ALL`].
/// Findings about the wiring, the trigger and the sampling of a logic analyser are omitted, because they do
/// not apply to a sniffer. Findings about the clock of a link are also omitted, because the connection
/// interval is reported in their place.
#[must_use]
pub fn of_stream(stream: &Stream, percentile: f64) -> Vec<Finding> {
    let transfers = &stream.transfers;
    [
        lost_transfers(transfers, None),
        sniffer_loss(stream),
        warm_up(transfers),
        trend(transfers, false),
        few_samples(transfers.latencies_ns().len(), percentile),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the finding for any packet or acknowledgement that the sniffer missed. There is no threshold.
#[must_use]
pub fn sniffer_loss(stream: &Stream) -> Option<Finding> {
    let counts = stream.counts;
    if counts.missed + counts.acks_missed == 0 {
        return None;
    }
    let censored = stream.transfers.count(Outcome::Censored);
    let of = stream.transfers.outcome.len();
    Some(Finding {
        name: Name::SnifferLoss,
        evidence: vec![
            ("missed", Value::Int(counts.missed as i64)),
            ("acks_missed", Value::Int(counts.acks_missed as i64)),
            ("damaged", Value::Int(counts.damaged as i64)),
            ("censored", Value::Int(censored as i64)),
        ],
        message: format!(
            "The sniffer missed at least {} packets and {} acknowledgements of this stream. {censored} of {of} \
             transfers have an unknown latency or outcome, and count neither as delivered nor as lost.",
            counts.missed, counts.acks_missed
        ),
        advice: "Place the sniffer between the two ends, and record again. Losses of the sniffer are not \
                 losses of the link, and are not counted as retransmissions."
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use airlag_trace::frames::Radio;

    use super::*;
    use crate::noise::run;
    use crate::sniff::Counts;

    #[test]
    fn a_missed_packet_is_a_loss_of_the_sniffer_and_not_of_the_link() {
        let mut stream = Stream {
            name: "a→b".to_owned(),
            radio: Radio::Ieee802154,
            first_ns: 0,
            counts: Counts::default(),
            transfers: run(1_000_000, &[10; 400]),
            acknowledged_ns: Vec::new(),
        };
        assert_eq!(of_stream(&stream, 0.99), []);
        stream.counts.acks_missed = 1;
        stream.transfers.outcome[7] = Outcome::Censored;
        let found = sniffer_loss(&stream).expect("a loss");
        assert_eq!(found.evidence[1], ("acks_missed", Value::Int(1)));
        assert_eq!(found.evidence[3], ("censored", Value::Int(1)));
        let names: Vec<_> = of_stream(&stream, 0.99).iter().map(|one| one.name).collect();
        assert_eq!(names, [Name::SnifferLoss]);
    }
}
