//! Boards that sleep deeply between messages.

use std::rc::Rc;

use airlag_models::mcu::Board;
use airlag_models::mcu::deep_sleep::{Sleeper, Start, Switch};
use airlag_sim::Duration;

use airlag_rig::parameter::{choices, parameters};

choices! {
    /// What the sending board does between messages.
    pub enum Rest {
        /// It waits.
        Awake = "awake",
        /// It sleeps deeply, and starts anew for each.
        Deep = "deep",
    }
}

const AWAKE: &str = "changes nothing while rest is awake";

parameters! {
    /// How the sending board rests.
    pub struct DeepSleep {
        /// what the sending board does between messages: it waits, or sleeps deeply and starts anew for
        /// each
        rest: Rest = unit("").or("awake", "as delivered"),
        /// from the edge that wakes a board to its program's first line
        boot: Duration = unit("ns").or("309ms", AWAKE),
        /// from there to a radio that can send: its driver, and the association with an access point
        association: Duration = unit("ns").or("0", AWAKE),
        /// an address by DHCP
        dhcp: Duration = unit("ns").or("0", AWAKE),
        /// the handshakes of a session: TCP, TLS
        session: Duration = unit("ns").or("0", AWAKE),
        /// how long a board stays awake after a message
        linger: Duration = unit("ns").or("10ms", AWAKE),
    }
}

impl DeepSleep {
    /// Whether the sending board sleeps deeply.
    #[must_use]
    pub fn is_deep(&self) -> bool {
        self.rest == Rest::Deep
    }

    /// The link of the sending board.
    pub fn sender<L>(&self, link: L, board: &Board, radio: Rc<dyn Switch>) -> Sleeper<L> {
        if !self.is_deep() {
            return Sleeper::awake(link);
        }
        let Self { boot, association, dhcp, session, linger, .. } = *self;
        let start = Start { boot, association, address: dhcp, session, linger };
        Sleeper::new(link, board, radio, start)
    }

    /// The link of the receiving board, which waits for messages awake.
    pub fn receiver<L>(&self, link: L, board: &Board) -> Sleeper<L> {
        if self.is_deep() {
            board.waits_awake(true);
        }
        Sleeper::awake(link)
    }
}
