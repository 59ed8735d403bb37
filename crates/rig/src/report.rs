//! What the programs on the boards tell the bench.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use airlag_air::quantity::Db;
use airlag_app::receiver::Received;
use airlag_app::sender::Sent;

/// Things that happened, by name, with how often.
pub type Incidents = BTreeMap<&'static str, u32>;

/// What the programs on the boards told.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The sending program's counters.
    pub sent: Sent,
    /// The receiving program's counters.
    pub received: Received,
    /// Boards that are set up and wait.
    pub ready: u8,
    /// How often something with a name of its own happened: `supervision timeout`, `queue full`.
    /// Results, not errors: the bench goes on.
    pub incidents: Incidents,
    /// What the mean signal of a path has above the one with which 1 % of its frames are lost; of
    /// all frames the least. None without a range.
    pub fade_margin: Option<Db>,
    /// What a signal loses at this location beside the mean loss; of several paths the most. None without a range.
    pub shadowing: Option<Db>,
    /// Why a board stopped, if one did.
    pub stopped: Option<(&'static str, String)>,
}

impl Report {
    /// Adds what a board counted since it last told, of two that count together.
    pub(crate) fn add(&mut self, was: (Sent, Received), is: (Sent, Received)) {
        self.sent.messages += is.0.messages - was.0.messages;
        self.sent.lost += is.0.lost - was.0.lost;
        self.received.messages += is.1.messages - was.1.messages;
        self.received.damaged += is.1.damaged - was.1.damaged;
        self.received.orphans += is.1.orphans - was.1.orphans;
    }
}

/// What programs write to and the bench reads.
pub type Told = Rc<RefCell<Report>>;
