//! The answer of a campaign: lines, a table, and sentences, all computed from the runs.

mod axis;
mod sentences;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{At, CampaignQuestion, Measure, Point};
use crate::answers::latency::Latency;
use crate::answers::number::Number;
use crate::error::Error;
use crate::quantity::{Unit, count, number, share, time_unit};
use crate::question::Answered;
use axis::Axis;

/// Text for an unknown value.
const UNKNOWN: &str = "—";

/// Runs of a campaign to evaluate.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CampaignAnswerQuestion")]
pub struct Question {
    /// The question of the campaign.
    pub asked: CampaignQuestion,
    /// Points measured by the runs of the campaign, at least one, in the order of the file.
    pub points: Vec<Point>,
}

/// A point on a line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "CampaignPlace")]
pub struct Place {
    /// Index of the point in the list of measured points.
    pub point: usize,
    /// Position on the horizontal axis, in the unit of the axis.
    pub x: At,
    /// Position in words.
    pub position: String,
}

/// A line of the chart, with its points from left to right.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "CampaignLine")]
pub struct Line {
    /// Name that distinguishes the line from the others.
    pub name: String,
    /// Points of the line. Numbers are ascending. Categories keep the order of the file.
    pub places: Vec<Place>,
}

/// A table cell.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum Cell {
    /// A count of messages.
    Count(u64),
    /// A time, ns.
    Time(Number),
    /// Another number, or text.
    Value(At),
}

/// A column of the table, with one row per point of each line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "CampaignColumn")]
pub struct Column {
    /// Heading with the unit. Empty for the column of line names.
    pub head: String,
    /// Key in an exported file, with the unit of the values.
    pub key: String,
    /// Values. Null means unknown.
    pub values: Vec<Option<Cell>>,
    /// The values as text.
    pub texts: Vec<String>,
}

/// The answer of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "CampaignAnswer")]
pub struct Answer {
    /// Title of the horizontal axis, with its unit.
    pub across: String,
    /// Name of the quantity on the vertical axis.
    pub measure: &'static str,
    /// Unit of all times in the texts.
    pub time_unit: &'static str,
    /// Lines in the order of the file.
    pub lines: Vec<Line>,
    /// Columns of the table.
    pub columns: Vec<Column>,
    /// Whether the quantiles cover only delivered messages. Lost messages have no latency.
    pub of_delivered: bool,
    /// Results in sentences: each line, the differences between lines, and published results.
    pub sentences: Vec<String>,
}

impl At {
    fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(_) => None,
        }
    }
}

impl Measure {
    /// Name of the quantity, on an axis and in a sentence.
    const fn title(self) -> &'static str {
        match self {
            Self::Gap => "time between arrivals",
            Self::Completion => "time to the last arrival of a train",
            _ => self.name(),
        }
    }

    const fn is_time(self) -> bool {
        matches!(self, Self::Latency | Self::Gap | Self::Completion)
    }
}

impl Point {
    fn quantiles(&self, measure: Measure) -> Option<&Latency> {
        match measure {
            Measure::Latency => self.latency_ns.as_ref(),
            Measure::Gap => self.gap_ns.as_ref(),
            Measure::Completion => self.completion_ns.as_ref(),
            Measure::Goodput | Measure::Delivery => None,
        }
    }

    fn delivery(&self) -> Option<f64> {
        (self.sent > 0).then(|| (self.sent - self.lost) as f64 / self.sent as f64)
    }

    /// Loss ratio of the messages. 1 if none was sent.
    fn loss(&self) -> f64 {
        1.0 - self.delivery().unwrap_or(0.0)
    }
}

/// Evaluates the points of a campaign.
///
/// # Errors
///
/// [`Error`] for an unknown link or source, and without points.
pub fn answer(question: &Question) -> Result<Answered<Answer>, Error> {
    let Question { asked, points } = question;
    if points.is_empty() {
        return Err(Error::Question { cause: "an answer needs at least one point".to_owned() });
    }
    let axis = Axis::of(asked, points)?;
    let medians = points.iter().filter_map(|point| point.quantiles(asked.y));
    let unit = time_unit(medians.map(|of| of.quantiles.p50.0));
    let series = Series::of(points);
    let drawn = |(at, point): &(usize, &Point)| Place {
        point: *at,
        x: axis.scaled(&point.at),
        position: axis.position(&point.at),
    };
    let line = |one: &Series<'_>| Line {
        name: one.name.to_owned(),
        places: one.points.iter().map(drawn).collect(),
    };
    let lines = series.iter().map(line).collect();
    let columns = columns(asked, &axis, unit, &series);
    let of_delivered = asked.y.is_time() && points.iter().any(|point| point.lost > 0);
    let sentences = sentences::all(asked, &axis, unit, &series)?;
    Ok(Answered::plain(Answer {
        across: axis.title,
        measure: asked.y.title(),
        time_unit: unit.name,
        lines,
        columns,
        of_delivered,
        sentences,
    }))
}

/// Points of one line, with their indices among the given points.
struct Series<'a> {
    name: &'a str,
    points: Vec<(usize, &'a Point)>,
}

impl<'a> Series<'a> {
    fn of(points: &'a [Point]) -> Vec<Self> {
        let mut lines: Vec<Self> = Vec::new();
        for (at, point) in points.iter().enumerate() {
            match lines.iter_mut().find(|line| line.name == point.series) {
                Some(line) => line.points.push((at, point)),
                None => lines.push(Self { name: &point.series, points: vec![(at, point)] }),
            }
        }
        for line in &mut lines {
            if line.points.iter().all(|(_, point)| point.at.number().is_some()) {
                let number = |point: &Point| point.at.number().unwrap_or(f64::NAN);
                line.points.sort_by(|(_, a), (_, b)| number(a).total_cmp(&number(b)));
            }
        }
        lines
    }
}

/// Function that returns a table cell as value and text.
type Written<'a> = &'a dyn Fn(&Series<'_>, &Point) -> (Option<Cell>, String);

fn columns(asked: &CampaignQuestion, axis: &Axis, unit: Unit, lines: &[Series<'_>]) -> Vec<Column> {
    let rows =
        || lines.iter().flat_map(|line| line.points.iter().map(move |(_, point)| (line, *point)));
    let column = |head: &str, key: &str, cell: Written<'_>| {
        let (values, texts) = rows().map(|(line, point)| cell(line, point)).unzip();
        Column { head: head.to_owned(), key: key.to_owned(), values, texts }
    };
    let value = |at: At, text: String| (Some(Cell::Value(at)), text);
    let is_time = crate::batch::duration::unit_ns(axis.unit).is_some();
    let key = format!("{}{}", asked.x, if is_time { "_ns" } else { "" });
    let mut found = vec![
        column("", "line", &|line, _| value(At::Text(line.name.to_owned()), line.name.to_owned())),
        column(&axis.title, &key, &|_, point| value(point.at.clone(), axis.digits(&point.at))),
        column("messages", "messages", &|_, point| {
            (Some(Cell::Count(point.sent)), count(point.sent))
        }),
        column("lost", "lost", &|_, point| {
            (Some(Cell::Count(point.lost)), share(point.lost, point.sent))
        }),
    ];
    let text = |value: Option<f64>, digits| {
        value.map_or_else(|| UNKNOWN.to_owned(), |value| number(value, digits))
    };
    let known = |value: Option<f64>, digits| {
        (value.map(|value| Cell::Value(At::Number(value))), text(value, digits))
    };
    if asked.y.is_time() {
        for (at, name) in QUANTILES.iter().enumerate() {
            let gap = if asked.y == Measure::Gap { "gap " } else { "" };
            found.push(column(
                &format!("{gap}{name}, {}", unit.name),
                &format!("{}_{name}_ns", asked.y.name()),
                &|_, point| {
                    let ns = point.quantiles(asked.y).map(|of| both(of)[at]);
                    let shown = text(ns.map(|ns| ns / unit.size), 4);
                    (ns.map(|ns| Cell::Time(Number(ns))), shown)
                },
            ));
        }
    }
    if rows().any(|(_, point)| point.goodput_kbps.is_some()) {
        let kbps = |_: &Series<'_>, point: &Point| known(point.goodput_kbps, 4);
        found.push(column("goodput, kbit/s", "goodput_kbps", &kbps));
    }
    if rows().any(|(_, point)| point.lost_position.is_some()) {
        let position =
            |_: &Series<'_>, point: &Point| known(point.lost_position.map(|at| 100.0 * at), 3);
        found.push(column("lost at, %", "lost_at_percent", &position));
    }
    found
}

/// Quantiles shown in the table and in sentences.
const QUANTILES: [&str; 2] = ["p50", "p99"];

fn both(of: &Latency) -> [f64; 2] {
    [of.quantiles.p50.0, of.quantiles.p99.0]
}
