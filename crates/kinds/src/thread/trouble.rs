//! Faults injected into the border router.

use airlag_models::stack::thread::faults::{Faults, Period, Stop};
use airlag_sim::{Duration, Instant};

use airlag_rig::parameter::parameters;

parameters! {
    /// Faults of the border router, and their times.
    pub struct Trouble {
        /// time at which the border router begins to drop received frames with a security error
        security_errors_at: Duration = unit("ns").or("0", "no effect while security_errors_for is 0"),
        /// duration of the security errors; 0: none
        security_errors_for: Duration = unit("ns").or("0", "off; a published log has seconds of such errors, without a cause"),
        /// queued messages at which the radio co-processor stops responding; 0: never
        co_processor_stops_at: usize = whole(0, 100_000, "messages").or("0", "off; published reports of a stop under flooding do not state the load"),
        /// duration for which the co-processor stops; 0: permanent
        co_processor_stops_for: Duration = unit("ns").or("0", "no effect while co_processor_stops_at is 0"),
    }
}

impl Trouble {
    /// Faults of the border router.
    pub(super) fn faults(&self) -> Faults {
        let (from, lasts) = (Instant::START + self.security_errors_at, self.security_errors_for);
        let pause = Some(self.co_processor_stops_for).filter(|pause| !pause.is_zero());
        Faults {
            insecure: (!lasts.is_zero()).then_some(Period { from, lasts }),
            stop: (self.co_processor_stops_at > 0)
                .then_some(Stop { backlog: self.co_processor_stops_at, lasts: pause }),
        }
    }
}
