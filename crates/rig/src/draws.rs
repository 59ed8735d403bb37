//! How long each part of a bench that draws current was in each of its states. No currents: what a
//! state costs is a question, and lives in `airlag-study`.

use airlag_sim::Instant;
use airlag_sim::meter::{Part, Reading, State, Stretch};

/// Number of states.
pub const STATES: usize = State::ALL.len();

/// What a part did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// What it is called: a board, or a node on the air.
    pub name: String,
    /// What it is.
    pub part: Part,
    /// How long it was in each state, ns, in the order of [`State::ALL`].
    pub spent_ns: [u64; STATES],
    /// How often it left power down or sleep.
    pub wakes: u64,
    /// In which state when, in order and without gaps; empty unless spans were kept.
    pub stretches: Vec<Drawing>,
}

/// A stretch of one state, on the trace's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// In which state.
    pub state: State,
    /// From when, ns.
    pub begin_ns: i64,
    /// Until when, ns.
    pub end_ns: i64,
}

/// What every part did, from when the bench was ready to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draws {
    /// Each of them.
    pub parts: Vec<Drawn>,
    /// At how many places besides the first.
    pub further_places: usize,
}

impl Draws {
    /// What parts did between two readings of the same bench.
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

    /// Puts what the same parts did at another place, from `begin_ns` on, behind.
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

    /// The parts of the board called `end`: itself, and what stands on the air under its name.
    pub fn of<'a>(&'a self, end: &'a str) -> impl Iterator<Item = &'a Drawn> {
        self.parts.iter().filter(move |one| {
            // `sender`, `sender nRF24`, `sender's other nRF24`.
            one.name.strip_prefix(end).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
    }
}
