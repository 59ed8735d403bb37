//! Real-time scheduling of the thread that sends.
//!
//! An ordinary thread waits while other threads use its core, so on a busy computer many requests are sent late. A
//! real-time thread (`SCHED_RR`) runs as soon as its timer expires. Linux permits real-time threads to root, and to
//! users with `RLIMIT_RTPRIO` or `CAP_SYS_NICE`. For other users, the sending thread remains an ordinary thread.

use thread_priority::{
    RealtimeThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy,
    set_thread_priority_and_policy, thread_native_id,
};

use super::near::SPIN_NS;
use super::pattern::Pattern;

/// Gives the calling thread, and those it starts later, a real-time priority, if the pattern leaves it idle most of
/// the time and the system permits it.
pub(super) fn schedule(pattern: &Pattern) {
    if leaves_idle(pattern) {
        let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::RoundRobin);
        let _ = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, policy);
    }
}

/// Whether a thread that spins before each request spins at most half of the time. Linux suspends real-time threads
/// that use more than 95 % of a second (sched(7), `sched_rt_runtime_us`), which would delay 50 ms of requests.
fn leaves_idle(pattern: &Pattern) -> bool {
    pattern.mean_interval_ns().is_some_and(|mean_ns| mean_ns >= 2 * SPIN_NS)
}

#[cfg(test)]
mod tests {
    use airlag_sim::Duration;

    use super::*;

    #[test]
    fn a_thread_that_spins_all_the_time_is_no_real_time_thread() {
        let us = Duration::from_us;
        assert!(leaves_idle(&Pattern::Periodic(us(400))));
        assert!(!leaves_idle(&Pattern::Periodic(us(399))));
        assert!(!leaves_idle(&Pattern::Poisson(us(100))));
        assert!(!leaves_idle(&Pattern::ClosedLoop));
        // Three in a row, then 2 ms: 667 us on average.
        assert!(leaves_idle(&Pattern::Schedule([0, 1, 2, 2_000].map(us).to_vec())));
        assert!(!leaves_idle(&Pattern::Schedule([0, 100, 200].map(us).to_vec())));
        assert!(!leaves_idle(&Pattern::Schedule(vec![us(5)])));
    }
}
