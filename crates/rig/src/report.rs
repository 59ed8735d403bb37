//! What the programs on the boards tell the bench.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

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
    /// Why a board stopped, if one did.
    pub stopped: Option<(&'static str, String)>,
}

/// What programs write to and the bench reads.
pub type Told = Rc<RefCell<Report>>;
