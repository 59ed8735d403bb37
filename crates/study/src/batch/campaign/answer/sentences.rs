//! Results of a campaign in sentences.

use airlag_rig::sources;

use super::{Axis, QUANTILES, Series, both};
use crate::batch::campaign::{At, CampaignQuestion, Measure, Point, Published};
use crate::error::Error;
use crate::quantity::{Unit, duration_in, number, percent, share};

/// Relative difference below which values count as equal.
const ALIKE: f64 = 0.02;

/// Sentences about each line, about the differences between lines, and about published results.
pub(super) fn all(
    asked: &CampaignQuestion,
    axis: &Axis,
    unit: Unit,
    lines: &[Series<'_>],
) -> Result<Vec<String>, Error> {
    let writer = Writer { y: asked.y, axis, unit };
    let mut found: Vec<String> = lines.iter().map(|line| writer.line(line)).collect();
    if let Some((base, others)) = lines.split_first() {
        found.extend(others.iter().filter_map(|line| writer.difference(base, line)));
    }
    for published in &asked.published {
        found.push(beside(published)?);
    }
    Ok(found)
}

/// A published result with its source.
fn beside(published: &Published) -> Result<String, Error> {
    let Published { cite, at, says } = published;
    Ok(format!("Published: {says} ({}: {at}).", sources::find(cite)?.1.title))
}

/// Formats sentences on one quantity over one axis.
struct Writer<'a> {
    y: Measure,
    axis: &'a Axis,
    /// Unit of all times.
    unit: Unit,
}

impl Writer<'_> {
    /// Values of a point by name: quantiles in ns, kbit/s, or a share. Empty if there are none.
    fn values(&self, point: &Point) -> Vec<(&'static str, f64)> {
        let single = match self.y {
            Measure::Delivery => point.delivery(),
            Measure::Goodput => point.goodput_kbps,
            time => {
                let both = point.quantiles(time).map(both);
                return both.into_iter().flat_map(|both| QUANTILES.into_iter().zip(both)).collect();
            }
        };
        single.map(|value| (self.y.title(), value)).into_iter().collect()
    }

    fn text(&self, value: Option<f64>) -> String {
        match (value, self.y) {
            (None, _) => "nothing".to_owned(),
            (Some(share), Measure::Delivery) => percent(share),
            (Some(kbps), Measure::Goodput) => format!("{} kbit/s", number(kbps, 4)),
            (Some(ns), _) => duration_in(ns, self.unit),
        }
    }

    fn figures(&self, point: &Point) -> String {
        let values = self.values(point);
        if !self.y.is_time() {
            let value = values.first().map(|(_, value)| *value);
            return format!("{} {}", self.text(value), self.y.title());
        }
        let each = values.iter().map(|(name, ns)| format!("{name} {}", self.text(Some(*ns))));
        let text = each.collect::<Vec<_>>().join(" and ");
        if text.is_empty() { "nothing".to_owned() } else { text }
    }

    fn line(&self, line: &Series<'_>) -> String {
        let [(_, first), .., (_, last)] = line.points[..] else {
            let (_, only) = line.points[0];
            let place = self.axis.clause(&only.at);
            let sentence = format!("\"{}\": {} {place}.", line.name, self.figures(only));
            return self.with_losses(line, sentence);
        };
        let ends = self.axis.span(&first.at, &last.at);
        let (change, between) = (self.change(line, first, last), self.extremes(line));
        self.with_losses(line, format!("\"{}\": {ends}, {change}{between}.", line.name))
    }

    fn with_losses(&self, line: &Series<'_>, sentence: String) -> String {
        match self.y {
            Measure::Delivery => sentence,
            _ => format!("{sentence} {}", self.losses(line)),
        }
    }

    /// Change of the values from the first point of a line to its last.
    fn change(&self, line: &Series<'_>, first: &Point, last: &Point) -> String {
        let (before, after) = (self.values(first), self.values(last));
        let is_time = self.y.is_time();
        if is_time && (before.is_empty() || after.is_empty()) {
            return format!("{} becomes {}", self.figures(first), self.figures(last));
        }
        let names = if is_time { &QUANTILES[..] } else { &[self.y.title()] };
        let part = |name: &&'static str| {
            let (low, high) = (named(&before, name), named(&after, name));
            let (one, other) = (self.text(low), self.text(high));
            if one == other {
                let same = |point: &Point| self.text(named(&self.values(point), name)) == one;
                let throughout = line.points.iter().all(|(_, point)| same(point));
                return match throughout {
                    true => format!("{name} is always {one}"),
                    false => format!("{name} is {one} at both ends"),
                };
            }
            let verb = if high > low { "rises" } else { "falls" };
            let ratio = low.zip(high).filter(|(low, _)| is_time && *low != 0.0);
            let ratio = ratio.map(|(low, high)| high / low).filter(|of| (of - 1.0).abs() >= ALIKE);
            let times = ratio.map(|of| format!(" ({})", self.ratio(of)));
            format!("{name} {verb} from {one} to {other}{}", times.unwrap_or_default())
        };
        names.iter().map(part).collect::<Vec<_>>().join(" and ")
    }

    /// Positions of the maximum and of the minimum of a line, or of its median, if the extremes lie
    /// between its ends and differ from both ends.
    fn extremes(&self, line: &Series<'_>) -> String {
        let value = |point: &Point| self.values(point).first().map(|(_, value)| *value);
        let known = line.points.iter().filter_map(|(_, point)| Some((value(point)?, *point)));
        let known: Vec<(f64, &Point)> = known.collect();
        let [(first, _), .., (last, _)] = known[..] else { return String::new() };
        // The first of several equal extremes.
        let extreme = |better: fn(f64, f64) -> bool| {
            known
                .iter()
                .copied()
                .reduce(|one, other| if better(other.0, one.0) { other } else { one })
        };
        let top = extreme(|a, b| a > b)
            .filter(|(top, _)| *top > first.max(last) * (1.0 + ALIKE))
            .map(|found| (if self.y.is_time() { "the longest p50" } else { "the maximum" }, found));
        let bottom = extreme(|a, b| a < b)
            .filter(|(bottom, _)| *bottom < first.min(last) * (1.0 - ALIKE))
            .map(|found| {
                (if self.y.is_time() { "the shortest p50" } else { "the minimum" }, found)
            });
        let text = |(what, (value, point)): (&str, (f64, &Point))| {
            format!("; {what} is {}, {}", self.text(Some(value)), self.axis.clause(&point.at))
        };
        top.into_iter().chain(bottom).map(text).collect()
    }

    fn losses(&self, line: &Series<'_>) -> String {
        let points = &line.points;
        let more = |worst: usize, at: usize| {
            if points[at].1.loss() > points[worst].1.loss() { at } else { worst }
        };
        let worst = points[(1..points.len()).fold(0, more)].1;
        let lossy = points.iter().rposition(|(_, point)| point.lost > 0);
        let Some(lossy) = lossy.filter(|_| worst.lost > 0) else {
            return "No messages are lost.".to_owned();
        };
        let place = self.axis.clause(&worst.at);
        let until = points
            .get(lossy + 1)
            .filter(|_| points.last().is_some_and(|(_, point)| matches!(point.at, At::Number(_))));
        let until = until.map(|(_, point)| {
            format!(" No messages are lost at {} or above.", self.axis.position(&point.at))
        });
        let part = share(worst.lost, worst.sent);
        format!("The largest loss is {part} of the messages, {place}.{}", until.unwrap_or_default())
    }

    /// Compares a line with the first line, where their difference is largest.
    fn difference(&self, base: &Series<'_>, line: &Series<'_>) -> Option<String> {
        let beside = |other: &Point| base.points.iter().find(|(_, one)| one.at == other.at);
        let pairs: Vec<(&Point, &Point)> =
            line.points.iter().filter_map(|(_, other)| Some((beside(other)?.1, *other))).collect();
        let apart = |at: usize| self.apart(pairs[at].0, pairs[at].1);
        let most =
            (0..pairs.len()).reduce(|most, at| if apart(at) > apart(most) { at } else { most })?;
        if apart(most) < ALIKE {
            let limit = 100.0 * ALIKE;
            // Delivery ratios are compared by their difference, all other values by their ratio.
            let unit = if self.y == Measure::Delivery { "percentage points" } else { "%" };
            return Some(format!(
                "\"{}\" and \"{}\" never differ by more than {limit} {unit}.",
                line.name, base.name
            ));
        }
        let (one, other) = pairs[most];
        let difference = self.against(one, other);
        let place = self.axis.clause(&other.at);
        let found = match pairs.len() {
            1 => format!("{place}, {difference}"),
            _ => format!("the difference is largest {place}, where {difference}"),
        };
        let sentence = format!("\"{}\" compared with \"{}\": {found}.", line.name, base.name);
        (!difference.is_empty()).then_some(sentence)
    }

    /// Difference of two points: absolute logarithm of a ratio, or difference of the delivery ratios.
    fn apart(&self, one: &Point, other: &Point) -> f64 {
        if self.y == Measure::Delivery {
            let [one, other] = [one, other].map(|of| of.delivery().unwrap_or(0.0));
            return (other - one).abs();
        }
        let (before, after) = (self.values(one), self.values(other));
        let ratio = |(name, low): &(&'static str, f64)| {
            let high = named(&after, name).filter(|high| *low > 0.0 && *high > 0.0)?;
            Some(libm::log(high / low).abs())
        };
        before.iter().filter_map(ratio).fold(0.0, f64::max)
    }

    fn against(&self, one: &Point, other: &Point) -> String {
        let (before, after) = (self.values(one), self.values(other));
        if self.y == Measure::Delivery {
            let [after, before] = [after, before].map(|of| self.text(of.first().map(|one| one.1)));
            return format!("{after} of the messages are delivered instead of {before}");
        }
        let part = |(name, low): &(&'static str, f64)| {
            let high = named(&after, name).filter(|high| *high != 0.0 || self.y.is_time())?;
            (*low > 0.0).then(|| format!("{name} is {}", self.ratio(high / low)))
        };
        before.iter().filter_map(part).collect::<Vec<_>>().join(" and ")
    }

    /// Formats the ratio of two values.
    fn ratio(&self, ratio: f64) -> String {
        if (ratio - 1.0).abs() < ALIKE {
            return "the same".to_owned();
        }
        let how = if self.y.is_time() { "long" } else { "high" };
        format!("{} times as {how}", number(ratio, 3))
    }
}

fn named(values: &[(&'static str, f64)], name: &str) -> Option<f64> {
    values.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Question, answer};

    /// A point of the line `series` at `pace_ns`, with 100 messages.
    fn point(series: &str, pace_ns: f64, lost: u64) -> serde_json::Value {
        json!({
            "link": "nrf24-250k", "size": 12, "seed": 1, "settings": {}, "traffic": "trigger",
            "series": series, "x": "pace", "at": pace_ns, "sent": 100, "lost": lost,
            "latency_ns": null, "gap_ns": null, "completion_ns": null, "lost_position": null,
            "goodput_kbps": null, "incidents": {},
        })
    }

    #[test]
    fn an_extreme_between_equal_ends_is_named() {
        let asked = json!({
            "title": "Paces", "text": "How many arrive?", "x": "pace", "y": "delivery",
            "published": [],
        });
        let lines = [("one", [0, 99, 0]), ("two", [0, 0, 0])];
        let paces = [0.0, 10e6, 20e6];
        let points: Vec<_> = lines
            .iter()
            .flat_map(|(name, lost)| {
                paces.iter().zip(lost).map(|(at, lost)| point(name, *at, *lost))
            })
            .collect();
        let question: Question =
            serde_json::from_value(json!({ "asked": asked, "points": points }))
                .expect("a question");
        let sentences = answer(&question).expect("an answer").answer.sentences;
        assert_eq!(
            sentences,
            [
                "\"one\": with a pace of 0 ms to 20 ms, delivery is 100 % at both ends; \
                 the minimum is 1.0 %, with a pace of 10 ms.",
                "\"two\": with a pace of 0 ms to 20 ms, delivery is always 100 %.",
                "\"two\" compared with \"one\": the difference is largest with a pace of 10 ms, \
                 where 100 % of the messages are delivered instead of 1.0 %.",
            ]
        );
    }
}
