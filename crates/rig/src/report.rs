//! Counters and events that the programs on the boards report to the bench.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use airlag_air::quantity::Db;
use airlag_app::receiver::Received;
use airlag_app::sender::Sent;

/// Named events, with counts.
pub type Incidents = BTreeMap<&'static str, u32>;

/// Report of the programs on the boards.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The sending program's counters.
    pub sent: Sent,
    /// The receiving program's counters.
    pub received: Received,
    /// Number of boards that are set up and waiting.
    pub ready: u8,
    /// Named events, with counts: `supervision timeout`, `queue full`. They are results, not
    /// errors: the run continues.
    pub incidents: Incidents,
    /// Smallest fade margin of all frames: the mean signal of a path relative to the signal at
    /// which 1 % of its frames are lost. `None` without a range.
    pub fade_margin: Option<Db>,
    /// Shadowing at this location: loss relative to the mean loss, the largest of several paths.
    /// `None` without a range.
    pub shadowing: Option<Db>,
    /// Board that stopped and the cause, if one did.
    pub stopped: Option<(&'static str, String)>,
}

impl Report {
    /// Adds the difference between two readings of a board's counters.
    pub(crate) fn add(&mut self, was: (Sent, Received), is: (Sent, Received)) {
        self.sent.messages += is.0.messages - was.0.messages;
        self.sent.lost += is.0.lost - was.0.lost;
        self.received.messages += is.1.messages - was.1.messages;
        self.received.damaged += is.1.damaged - was.1.damaged;
        self.received.orphans += is.1.orphans - was.1.orphans;
    }
}

/// The report that programs write and the bench reads.
pub type SharedReport = Rc<RefCell<Report>>;
