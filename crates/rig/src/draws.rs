//! Time that each current-drawing part of a bench spent in each power state. Currents are applied
//! by `airlag-study`.

use airlag_sim::Instant;
use airlag_sim::meter::{Part, Reading, State, Stretch};

/// Number of states.
pub const STATES: usize = State::ALL.len();

/// Power-state record of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Name: a board, or a node on the air.
    pub name: String,
    /// Kind of part.
    pub part: Part,
    /// Time in each state, ns, in the order of [`State::ALL`].
    pub spent_ns: [u64; STATES],
    /// Number of wake-ups from power down or sleep.
    pub wakes: u64,
    /// State intervals, in order and without gaps; empty unless spans were recorded.
    pub stretches: Vec<Drawing>,
}

/// An interval in one state, on the trace's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Power state.
    pub state: State,
    /// Begin, ns.
    pub begin_ns: i64,
    /// End, ns.
    pub end_ns: i64,
}

/// Power-state records of all parts, from the instant at which the bench was ready to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draws {
    /// One record per part.
    pub parts: Vec<Drawn>,
    /// Number of further simulated locations included.
    pub further_places: usize,
}

impl Draws {
    /// Difference between two readings of the same bench.
    pub(crate) fn since(
        before: &[Reading],
        after: Vec<Reading>,
        stretches: &[Stretch],
        ready: Instant,
    ) -> Self {
        let mut all: Vec<Drawn> = Vec::with_capacity(after.len());
        for (nth, now) in after.into_iter().enumerate() {
            let was = before.get(nth);
            let mut spent_ns = now.spent.map(airlag_sim::Duration::as_ns);
            for (spent, was) in spent_ns.iter_mut().zip(was.iter().flat_map(|was| was.spent)) {
                *spent -= was.as_ns();
            }
            let wakes = now.wakes - was.map_or(0, |was| was.wakes);
            let (name, part) = (now.name, now.part);
            all.push(Drawn { name, part, spent_ns, wakes, stretches: Vec::new() });
        }
        for one in stretches {
            let (begin, end) = (one.begin.since(ready).as_ns(), one.end.since(ready).as_ns());
            let drawing = Drawing { state: one.state, begin_ns: begin as i64, end_ns: end as i64 };
            if let Some(part) = all.get_mut(one.reading) {
                part.stretches.push(drawing);
            }
        }
        Self { parts: all, further_places: 0 }
    }

    /// Appends the record of the next simulated location, which begins at `begin_ns`.
    pub(crate) fn append(&mut self, next: Self, begin_ns: i64) {
        self.further_places += 1 + next.further_places;
        for (all, next) in self.parts.iter_mut().zip(next.parts) {
            all.spent_ns.iter_mut().zip(next.spent_ns).for_each(|(all, next)| *all += next);
            all.wakes += next.wakes;
            let later = |one: Drawing| {
                let (begin, end) = (one.begin_ns + begin_ns, one.end_ns + begin_ns);
                Drawing { begin_ns: begin, end_ns: end, ..one }
            };
            all.stretches.extend(next.stretches.into_iter().map(later));
        }
    }

    /// Returns the parts of the board called `end`: the board itself and its nodes on the air.
    pub fn of<'a>(&'a self, end: &'a str) -> impl Iterator<Item = &'a Drawn> {
        self.parts.iter().filter(move |one| {
            // `sender`, `sender nRF24`, `sender's other nRF24`.
            one.name.strip_prefix(end).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
    }
}
