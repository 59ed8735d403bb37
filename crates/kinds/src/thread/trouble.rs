//! What goes wrong with the border router, on purpose.

use airlag_models::stack::thread::faults::{Faults, Spell, Stop};
use airlag_sim::{Duration, Instant};

use airlag_rig::parameter::parameters;

parameters! {
    /// What goes wrong with the border router, and when.
    pub struct Trouble {
        /// when the border router begins to drop what it hears with a security error
        security_errors_at: Duration = unit("ns").or("0", "changes nothing while security_errors_for is 0"),
        /// for how long; 0: it does not
        security_errors_for: Duration = unit("ns").or("0", "a published log shows seconds of them, and not why"),
        /// messages behind the one being sent at which the radio co-processor stops answering; 0: it
        /// does not stop
        co_processor_stops_at: usize = whole(0, 100_000, "messages").or("0", "published is that it stopped when flooded, and not at what"),
        /// for how long; 0: for ever
        co_processor_stops_for: Duration = unit("ns").or("0", "changes nothing while co_processor_stops_at is 0"),
    }
}

impl Trouble {
    /// What is wrong with the border router.
    pub(super) fn faults(&self) -> Faults {
        let (from, lasts) = (Instant::START + self.security_errors_at, self.security_errors_for);
        let pause = Some(self.co_processor_stops_for).filter(|pause| !pause.is_zero());
        Faults {
            insecure: (!lasts.is_zero()).then_some(Spell { from, lasts }),
            stop: (self.co_processor_stops_at > 0)
                .then_some(Stop { backlog: self.co_processor_stops_at, lasts: pause }),
        }
    }
}
