//! Parallel parser: other cores parse while this one reads the file and feeds the sink.
//!
//! Blocks of lines are distributed to the parsers round robin and collected in the same order, so the sink
//! receives every row in file order. A fixed set of blocks circulates.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::{Columns, Parser};
use crate::error::{At, Place, Problem};
use crate::lines::{Block, Lines};
use crate::sink::{Row, Sink};

/// Blocks in circulation per parser: one being parsed, one waiting.
const BLOCKS_PER_PARSER: usize = 2;
/// Largest number of parsers. More would wait for the thread that reads and feeds the sink.
const MAX_PARSERS: usize = 3;

/// A block in circulation.
struct Job {
    block: Block,
    rows: Vec<Row>,
    parsed: Result<(), At>,
}

/// Passes the rows of `block` and of all following lines to `sink`. Returns the state of `parser`, which has
/// read the lines before, after the last line.
pub(super) fn rows<R: Read, S: Sink>(
    parsers: usize,
    mut lines: Lines<R>,
    block: Block,
    columns: &Columns,
    mut parser: Parser,
    sink: &mut S,
) -> Result<Parser, At> {
    thread::scope(|scope| {
        let parsers = parsers.min(MAX_PARSERS);
        let (to, from): (Vec<_>, Vec<_>) = (0..parsers)
            .map(|_| {
                let (to, jobs) = sync_channel::<Job>(BLOCKS_PER_PARSER);
                let (done, from) = sync_channel(BLOCKS_PER_PARSER);
                let mut parser = parser.ahead();
                scope.spawn(move || {
                    for job in jobs {
                        if done.send(parse(&mut parser, job, columns)).is_err() {
                            break;
                        }
                    }
                });
                (to, from)
            })
            .unzip();

        let new = |block| Job { block, rows: Vec::new(), parsed: Ok(()) };
        let mut spare: Vec<Job> =
            (1..parsers * BLOCKS_PER_PARSER).map(|_| new(Block::new())).collect();
        let mut next = Some(new(block));
        let (mut turn, mut waiting) = (0, VecDeque::new());
        loop {
            if let Some(job) = next.take() {
                // Receivers live as long as the scope, unless a parser has panicked. Then the scope
                // propagates its panic.
                let _ = to[turn].send(job);
                waiting.push_back(turn);
                turn = (turn + 1) % parsers;
            } else if let Some(turn) = waiting.pop_front() {
                let Ok(job) = from[turn].recv() else { return Ok(parser) };
                spare.push(feed(job, &mut parser, sink)?);
            } else {
                return Ok(parser);
            }
            if let Some(mut job) = spare.pop()
                && lines.fill(&mut job.block)?
            {
                next = Some(job);
            }
        }
    })
}

fn parse(parser: &mut Parser, mut job: Job, columns: &Columns) -> Job {
    (parser.line, parser.last_ns) = (0, i64::MIN);
    job.rows.clear();
    let rows = &mut job.rows;
    job.parsed = parser.rows(job.block.lines(), columns, |row| rows.push(row));
    job
}

/// Passes on the rows before an error, then the error with its line number in the file.
fn feed<S: Sink>(mut job: Job, parser: &mut Parser, sink: &mut S) -> Result<Job, At> {
    if let Some(first) = job.rows.first()
        && first.at_ns < parser.last_ns
    {
        let problem = Problem::NotMonotonic { previous_ns: parser.last_ns, at_ns: first.at_ns };
        return Err(problem.at(Place::Line(parser.line + 1)));
    }
    for &row in &job.rows {
        sink.row(row);
    }
    let lines_before = parser.line;
    parser.line += job.rows.len() as u64;
    parser.last_ns = job.rows.last().map_or(parser.last_ns, |row| row.at_ns);
    if let Some(refusal) = sink.refusal() {
        return Err(refusal.at(Place::Line(parser.line)));
    }
    match std::mem::replace(&mut job.parsed, Ok(())) {
        Ok(()) => Ok(job),
        Err(At { place: Place::Line(line), problem }) => {
            Err(problem.at(Place::Line(lines_before + line)))
        }
        Err(other) => Err(other),
    }
}
