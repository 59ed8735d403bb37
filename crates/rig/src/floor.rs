//! The physical floor of a link: what a message takes when processors and buses cost nothing,
//! nothing is lost and nobody else is on the air. Time on the medium, and the gaps the hardware or
//! the protocol demands; one way, for the settings of a profile, on exact crystals.

/// One thing that cannot be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is.
    pub name: String,
    /// How often.
    pub count: u64,
    /// How long each time, ns.
    pub each_ns: u64,
    /// Which document, formula or constant says so.
    pub source: &'static str,
}

impl Term {
    /// What comes `count` times, and takes `each_ns` each time.
    #[must_use]
    pub fn new(name: impl Into<String>, count: u64, each_ns: u64, source: &'static str) -> Self {
        Self { name: name.into(), count, each_ns, source }
    }
}

/// What a message takes at least, term by term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Floor {
    terms: Vec<Term>,
}

impl Floor {
    /// A floor of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { terms: Vec::new() }
    }

    /// Terms in their order; those that never come are left out.
    #[must_use]
    pub fn of(terms: impl IntoIterator<Item = Term>) -> Self {
        Self { terms: terms.into_iter().filter(|term| term.count > 0).collect() }
    }

    /// The same and then these terms.
    #[must_use]
    pub fn then(self, terms: impl IntoIterator<Item = Term>) -> Self {
        self.and(Self::of(terms))
    }

    /// The same with a term that comes `count` times; one that never comes is left out.
    #[must_use]
    pub fn with(
        self,
        name: impl Into<String>,
        count: u64,
        each_ns: u64,
        source: &'static str,
    ) -> Self {
        self.then([Term::new(name, count, each_ns, source)])
    }

    /// The same, and then another one.
    #[must_use]
    pub fn and(mut self, mut then: Self) -> Self {
        self.terms.append(&mut then.terms);
        self
    }

    /// Its terms, in the order in which a message comes to them.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// All of it, ns.
    #[must_use]
    pub fn ns(&self) -> u64 {
        self.terms.iter().map(|term| term.count * term.each_ns).sum()
    }
}

/// What some messages of an endless stream take at least, from the first of them to the first of the
/// next so many: the ceiling of what a link carries. No processor and no queue is in it, and random
/// waits are as short as they can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// How many.
    pub messages: u64,
    /// What they take.
    pub takes: Floor,
}

impl Cycle {
    /// Messages that take so long each.
    #[must_use]
    pub const fn each(takes: Floor) -> Self {
        Self { messages: 1, takes }
    }

    /// User data of messages of `size` bytes, kilobits a second; none where they take no time.
    #[must_use]
    pub fn kbps(&self, size: usize) -> Option<f64> {
        let bits = (self.messages * size as u64 * 8) as f64;
        (self.takes.ns() > 0).then(|| bits * 1e6 / self.takes.ns() as f64)
    }
}

/// How a message of `size` bytes is cut at `mtu`: full chunks, and the bytes of one more, if any.
#[must_use]
pub const fn split(size: usize, mtu: usize) -> (u64, usize) {
    let mtu = if mtu == 0 { 1 } else { mtu };
    ((size / mtu) as u64, size % mtu)
}
