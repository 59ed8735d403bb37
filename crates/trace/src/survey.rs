//! Activity on each channel of a capture, without storing its edges.

use crate::sink::{Header, Row, Sink};

/// Activity on one channel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wire {
    /// Name of the channel.
    pub name: String,
    /// Level when first observed. `None` if it was never observed.
    pub initial: Option<bool>,
    /// Number of rising edges.
    pub rises: u64,
    /// Number of falling edges.
    pub falls: u64,
    /// Duration of the observation, ns.
    pub observed_ns: i64,
    /// Time high during the observation, ns.
    pub high_ns: i64,
    /// Shortest high time between a rising and a falling edge, ns.
    pub shortest_high_ns: Option<i64>,
    /// Shortest low time between a falling and a rising edge, ns.
    pub shortest_low_ns: Option<i64>,
    /// Time of the last change of level, and whether it was an edge.
    since: Option<(i64, bool)>,
}

/// Activity on every channel of a capture, with its duration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// Channels in the order of the file.
    pub wires: Vec<Wire>,
    /// First instant, ns.
    pub begin_ns: Option<i64>,
    /// Last instant, ns.
    pub end_ns: i64,
    /// Sample rate, Hz, where recorded.
    pub sample_rate_hz: Option<f64>,
    levels: u64,
    known: u64,
}

impl Wire {
    /// Ends the current level at `at_ns`, at an edge or at the end of the observation.
    fn left(&mut self, level: bool, at_ns: i64, at_an_edge: bool) {
        let Some((since_ns, by_an_edge)) = self.since.take() else { return };
        let took = at_ns - since_ns;
        self.observed_ns += took;
        self.high_ns += if level { took } else { 0 };
        if at_an_edge && by_an_edge {
            let shortest =
                if level { &mut self.shortest_high_ns } else { &mut self.shortest_low_ns };
            *shortest = Some(shortest.map_or(took, |before| before.min(took)));
        }
    }
}

impl Sink for Survey {
    fn header(&mut self, header: Header) {
        let named = |name| Wire { name, ..Wire::default() };
        let wires = header.names.into_iter().map(named).collect();
        *self = Self { wires, sample_rate_hz: header.sample_rate_hz, ..Self::default() };
    }

    fn row(&mut self, Row { at_ns, levels, known }: Row) {
        self.begin_ns.get_or_insert(at_ns);
        let mut changed = (levels ^ self.levels) | (known ^ self.known);
        while changed != 0 {
            let nth = changed.trailing_zeros();
            let bit = 1_u64 << nth;
            changed &= changed - 1;
            let (was_known, is_known) = (self.known & bit != 0, known & bit != 0);
            let (was_high, is_high) = (self.levels & bit != 0, levels & bit != 0);
            let Some(wire) = self.wires.get_mut(nth as usize) else { continue };
            let edge = was_known && is_known;
            if was_known {
                wire.left(was_high, at_ns, edge);
            }
            if is_known {
                wire.since = Some((at_ns, edge));
                wire.initial.get_or_insert(is_high);
            }
            if edge {
                *(if is_high { &mut wire.rises } else { &mut wire.falls }) += 1;
            }
        }
        (self.levels, self.known) = (levels & known, known);
    }

    fn end(&mut self, at_ns: i64) {
        self.end_ns = at_ns;
        for (nth, wire) in self.wires.iter_mut().enumerate() {
            wire.left(self.levels >> nth & 1 == 1, at_ns, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Channel, Segment, Trace, replay};

    fn channel(name: &str, segments: &[(i64, i64, bool, &[i64])]) -> Channel {
        let segment = |&(begin_ns, end_ns, initial, edges): &(i64, i64, bool, &[i64])| Segment {
            begin_ns,
            end_ns,
            initial,
            edges_ns: edges.to_vec(),
        };
        Channel { name: name.to_owned(), segments: segments.iter().map(segment).collect() }
    }

    #[test]
    fn edges_levels_and_the_shortest_pulses_are_counted_by_wire() {
        let trace = Trace {
            sample_rate_hz: Some(1e6),
            channels: vec![
                channel("pulses", &[(0, 100, false, &[10, 30, 40, 45])]),
                // High from before the capture on, with a gap from 50 to 70.
                channel("gap", &[(0, 50, true, &[20]), (70, 100, false, &[90])]),
                channel("idle", &[(0, 100, true, &[])]),
            ],
            ..Trace::default()
        };
        let mut survey = Survey::default();
        replay(&trace, &mut survey);
        assert_eq!((survey.begin_ns, survey.end_ns), (Some(0), 100));
        assert_eq!(survey.sample_rate_hz, Some(1e6));
        let [pulses, gap, idle] = &survey.wires[..] else { panic!("{survey:?}") };
        assert_eq!((pulses.initial, pulses.rises, pulses.falls), (Some(false), 2, 2));
        assert_eq!((pulses.high_ns, pulses.observed_ns), (25, 100));
        assert_eq!((pulses.shortest_high_ns, pulses.shortest_low_ns), (Some(5), Some(10)));
        assert_eq!((gap.initial, gap.rises, gap.falls), (Some(true), 1, 1));
        assert_eq!((gap.high_ns, gap.observed_ns), (30, 80));
        assert_eq!((gap.shortest_high_ns, gap.shortest_low_ns), (None, None));
        assert_eq!((idle.rises, idle.falls, idle.high_ns), (0, 0, 100));
    }
}
