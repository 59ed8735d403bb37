//! The answer of a campaign's runs to its question: lines, a table, and sentences with their numbers.
//!
//! Nothing here is written by hand for one campaign: every number is of the runs.

mod axis;
mod sentences;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Asked, At, Measure, Point};
use crate::answers::latency::Latency;
use crate::answers::number::Number;
use crate::error::Error;
use crate::quantity::{Unit, count, number, share, time_unit};
use crate::question::Answered;
use axis::Axis;

/// Text where a value is unknown.
const UNKNOWN: &str = "—";

/// What the runs of a campaign answer to its question.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CampaignAnswerQuestion")]
pub struct Question {
    /// The question.
    pub asked: Asked,
    /// The points that its runs made, at least one, in the order of the file.
    pub points: Vec<Point>,
}

/// A point on its line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "CampaignPlace")]
pub struct Place {
    /// Index among the points given.
    pub point: usize,
    /// Position in the unit of the axis.
    pub x: At,
    /// The same in words.
    pub position: String,
}

/// Points of one line, from left to right.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "CampaignLine")]
pub struct Line {
    /// What distinguishes it from the others.
    pub name: String,
    /// Its points. Numbers rise, categories stay in the order of the file.
    pub places: Vec<Place>,
}

/// A value of the table.
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

/// A column of the table, with a row for each point of each line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "CampaignColumn")]
pub struct Column {
    /// Heading, with the unit of the texts; empty above the names of the lines.
    pub head: String,
    /// Key in a file, with the unit of the values.
    pub key: String,
    /// Values; null where unknown.
    pub values: Vec<Option<Cell>>,
    /// The same as text.
    pub texts: Vec<String>,
}

/// The answer of a campaign to its question.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "CampaignAnswer")]
pub struct Answer {
    /// Title of the horizontal axis: its quantity and unit.
    pub across: String,
    /// Quantity of the vertical axis.
    pub measure: &'static str,
    /// Unit of all times in the texts.
    pub time_unit: &'static str,
    /// The lines, in the order of the file.
    pub lines: Vec<Line>,
    /// The table.
    pub columns: Vec<Column>,
    /// Whether its quantiles leave out lost messages, which have no latency.
    pub of_delivered: bool,
    /// What the runs show, a sentence or two a line, how lines differ, and what was published.
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
    /// What it is called on an axis and in a sentence.
    const fn title(self) -> &'static str {
        match self {
            Self::Gap => "time from one arrival to the next",
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

    /// The share of its messages that were lost; all of them where none was sent.
    fn loss(&self) -> f64 {
        1.0 - self.delivery().unwrap_or(0.0)
    }
}

/// Answers the question of a campaign from its points.
///
/// # Errors
///
/// A link or a source that is not known; no points.
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

/// Points of one line with their places among the points given.
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

/// A cell of a column: its value and its text.
type Written<'a> = &'a dyn Fn(&Series<'_>, &Point) -> (Option<Cell>, String);

fn columns(asked: &Asked, axis: &Axis, unit: Unit, lines: &[Series<'_>]) -> Vec<Column> {
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

/// Quantiles in the table and in sentences.
const QUANTILES: [&str; 2] = ["p50", "p99"];

fn both(of: &Latency) -> [f64; 2] {
    [of.quantiles.p50.0, of.quantiles.p99.0]
}
