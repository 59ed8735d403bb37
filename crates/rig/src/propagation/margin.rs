//! How far the signal of a path is above what its frames need.

use std::cell::RefCell;

use airlag_air::error_rate::Demodulator;
use airlag_air::quantity::Db;
use airlag_air::{Budget, Fading, Frame, Modulation, NodeId, signal};
use airlag_sim::Duration;

use crate::ends::Bench;

/// Share of frames that are lost of a signal without a margin.
const LOST: f64 = 0.01;

/// Notes the least margin of all frames that are sent between `ends`: at a place of the mean loss,
/// what a signal that does not fade has above the one with which 1 % of frames as long and as
/// modulated as these are lost.
pub(super) fn watch(
    bench: &Bench,
    ends: [NodeId; 2],
    budget: Budget,
    demodulator: impl Demodulator + 'static,
) {
    let told = bench.told();
    // The margins of frames that came before; there are a few lengths and rates.
    let known: RefCell<Vec<(Modulation, Duration)>> = RefCell::default();
    bench.air().tap(move |frame: &Frame, _| {
        let kind = (frame.modulation, frame.end.since(frame.begin));
        if !ends.contains(&frame.from) || known.borrow().contains(&kind) {
            return;
        }
        known.borrow_mut().push(kind);
        let needed =
            signal::needed(LOST, Fading::Steady, |signal| demodulator.fails(signal, frame));
        let margin = budget.signal(frame.band.centre()).0 - needed.0;
        let mut told = told.borrow_mut();
        told.fade_margin =
            Some(told.fade_margin.map_or(Db(margin), |Db(least)| Db(least.min(margin))));
    });
}
