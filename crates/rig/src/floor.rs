//! Physical lower bound of a link's latency: the one-way time of a message if processors and buses
//! take no time, nothing is lost and nothing else uses the medium. The lower bound consists of the
//! time on the medium and the gaps that the hardware or the protocol requires. The lower bound is
//! computed for the settings of a profile and for crystals without frequency error.

/// One unavoidable contribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Name of the contribution.
    pub name: String,
    /// Number of occurrences.
    pub count: u64,
    /// Duration of each occurrence, ns.
    pub each_ns: u64,
    /// Document, formula or constant from which the duration follows.
    pub source: &'static str,
}

impl Term {
    /// Creates a term that occurs `count` times and lasts `each_ns` each time.
    #[must_use]
    pub fn new(name: impl Into<String>, count: u64, each_ns: u64, source: &'static str) -> Self {
        Self { name: name.into(), count, each_ns, source }
    }
}

/// Lower bound of the latency of a message, term by term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Floor {
    terms: Vec<Term>,
}

impl Floor {
    /// Creates an empty floor.
    #[must_use]
    pub const fn new() -> Self {
        Self { terms: Vec::new() }
    }

    /// Collects terms in order and drops those with a count of 0.
    #[must_use]
    pub fn of(terms: impl IntoIterator<Item = Term>) -> Self {
        Self { terms: terms.into_iter().filter(|term| term.count > 0).collect() }
    }

    /// Appends terms.
    #[must_use]
    pub fn then(self, terms: impl IntoIterator<Item = Term>) -> Self {
        self.and(Self::of(terms))
    }

    /// Appends a term that occurs `count` times; a count of 0 is dropped.
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

    /// Appends another floor.
    #[must_use]
    pub fn and(mut self, mut then: Self) -> Self {
        self.terms.append(&mut then.terms);
        self
    }

    /// Terms, in the order in which they occur in a message.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Sum of all terms, ns.
    #[must_use]
    pub fn ns(&self) -> u64 {
        self.terms.iter().map(|term| term.count * term.each_ns).sum()
    }
}

/// Lower bound of the period of an endless stream of messages, from which the upper bound of the
/// goodput follows. In each period, a group of messages is sent. The period lasts from the first
/// message of a group to the first message of the next group. For the lower bound, processors and
/// queues take no time, and random waits have their minimum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Number of messages in the period.
    pub messages: u64,
    /// Lower bound of the period.
    pub takes: Floor,
}

impl Cycle {
    /// A period of one message.
    #[must_use]
    pub const fn each(takes: Floor) -> Self {
        Self { messages: 1, takes }
    }

    /// Goodput of messages of `size` bytes, kbit/s. `None` if the messages take no time.
    #[must_use]
    pub fn kbps(&self, size: usize) -> Option<f64> {
        let bits = (self.messages * size as u64 * 8) as f64;
        (self.takes.ns() > 0).then(|| bits * 1e6 / self.takes.ns() as f64)
    }
}

/// Splits a message of `size` bytes at `mtu`: full chunks, and the bytes of a shorter last one, if
/// any.
#[must_use]
pub const fn split(size: usize, mtu: usize) -> (u64, usize) {
    let mtu = if mtu == 0 { 1 } else { mtu };
    ((size / mtu) as u64, size % mtu)
}
