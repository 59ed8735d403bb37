//! Fade margin of a path.

use std::cell::RefCell;

use airlag_air::error_rate::Demodulator;
use airlag_air::quantity::Db;
use airlag_air::{Budget, Fading, Frame, Modulation, NodeId, signal};
use airlag_sim::Duration;

use crate::ends::Bench;

/// Frame loss at a fade margin of 0.
const LOST: f64 = 0.01;

/// Records the smallest fade margin of all frames between the two nodes `ends`, at the median
/// location. The fade margin of a frame is its received signal without fading, relative to the
/// signal at which 1 % of the frames with the same length and modulation are lost.
pub(super) fn watch(
    bench: &Bench,
    ends: [NodeId; 2],
    budget: Budget,
    demodulator: impl Demodulator + 'static,
) {
    let report = bench.shared_report();
    // Thresholds of earlier frames; there are only a few lengths and rates.
    let known: RefCell<Vec<(Modulation, Duration)>> = RefCell::default();
    bench.air().tap_one_of_each(move |frame: &Frame, _| {
        let kind = (frame.modulation, frame.end.since(frame.begin));
        if !ends.contains(&frame.from) || known.borrow().contains(&kind) {
            return;
        }
        known.borrow_mut().push(kind);
        let needed =
            signal::needed(LOST, Fading::Steady, |signal| demodulator.fails(signal, frame));
        let margin = budget.signal(frame.band.centre()).0 - needed.0;
        let mut report = report.borrow_mut();
        report.fade_margin =
            Some(report.fade_margin.map_or(Db(margin), |Db(least)| Db(least.min(margin))));
    });
}
