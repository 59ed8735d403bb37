//! Boards in deep sleep between messages.

use std::rc::Rc;

use airlag_models::mcu::Board;
use airlag_models::mcu::deep_sleep::{Sleeper, Start, Switch};
use airlag_sim::Duration;

use airlag_rig::parameter::{choices, parameters};

choices! {
    /// State of the sending board between messages.
    pub enum Rest {
        /// The board stays awake and waits.
        Awake = "awake",
        /// Deep sleep, with a restart for each message.
        Deep = "deep",
    }
}

const AWAKE: &str = "no effect while rest is awake";

parameters! {
    /// Deep sleep of the sending board.
    pub struct DeepSleep {
        /// state of the sending board between messages: awake, or deep sleep with a restart for
        /// each
        rest: Rest = unit("").or("awake", "as delivered"),
        /// from the wake-up edge to the program's first line
        boot: Duration = unit("ns").or("309ms", AWAKE),
        /// from the program's first line until the radio can send: driver start, and association
        /// with an access point
        association: Duration = unit("ns").or("0", AWAKE),
        /// time for an address by DHCP
        dhcp: Duration = unit("ns").or("0", AWAKE),
        /// time for the handshakes of a session: TCP, TLS
        session: Duration = unit("ns").or("0", AWAKE),
        /// time that a board stays awake after a message
        linger: Duration = unit("ns").or("10ms", AWAKE),
    }
}

impl DeepSleep {
    /// Whether the sending board uses deep sleep.
    #[must_use]
    pub fn is_deep(&self) -> bool {
        self.rest == Rest::Deep
    }

    /// Wraps the link of the sending board.
    pub fn sender<L>(&self, link: L, board: &Board, radio: Rc<dyn Switch>) -> Sleeper<L> {
        if !self.is_deep() {
            return Sleeper::awake(link);
        }
        let Self { boot, association, dhcp, session, linger, .. } = *self;
        let start = Start { boot, association, address: dhcp, session, linger };
        Sleeper::new(link, board, radio, start)
    }

    /// Wraps the link of the receiving board, which stays awake.
    pub fn receiver<L>(&self, link: L, board: &Board) -> Sleeper<L> {
        if self.is_deep() {
            board.waits_awake(true);
        }
        Sleeper::awake(link)
    }
}
