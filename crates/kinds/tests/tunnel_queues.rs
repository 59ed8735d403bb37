//! A sparse flow beside a saturating one: one packet of 64 bytes each 100 ms, at twice and ten
//! times the link's capacity.

use std::cell::RefCell;
use std::rc::Rc;

use airlag_kinds::registry;
use airlag_kinds::tunnel::{Parameters, TunnelSocket, stations};
use airlag_rig::Profile;
use airlag_rig::carry::{self, Extent, Load};
use airlag_rig::ends::Bench;
use airlag_sim::{Duration, Instant, Sim, Simulation};

/// Payload sizes of datagrams that give packets of 1400 and of 64 bytes.
const FULL: usize = 1_372;
const SPARSE: usize = 36;
const PERIOD: Duration = Duration::from_ms(100);
const SECONDS: u64 = 20;

fn profile(link: &str) -> Profile {
    registry::find(link).expect("it comes with airlag")
}

fn limit(link: &str) -> f64 {
    let carried =
        carry::saturate(&profile(link), FULL, 1, Extent::of(200)).expect("it runs").carried;
    (carried.delivered * FULL as u64) as f64 * 8e6
        / carried.last.since(carried.first).as_ns() as f64
}

/// Offers datagrams of `size` bytes to a port, one each `period`, until the end.
async fn offer(
    sim: Sim,
    socket: TunnelSocket,
    port: u16,
    size: usize,
    period: Duration,
    from: Instant,
) {
    let count = SECONDS * 1_000_000_000 / period.as_ns();
    for nth in 0..count {
        sim.sleep_until(from + period * nth).await;
        let mut payload = vec![0; size];
        payload[..8].copy_from_slice(&sim.now().as_ns().to_le_bytes());
        socket.offer(port, &payload);
    }
}

/// Result: bytes of the saturating flow received in time, and latencies of the sparse flow in ns,
/// in order.
#[derive(Default)]
struct Came {
    full: u64,
    sparse: Vec<u64>,
}

fn beside(kbps: f64) -> Came {
    let profile = profile("tunnel");
    let time = Simulation::new(1);
    let bench = Bench::new(&time);
    let parameters = profile.read::<Parameters>().expect("parameters");
    let (near, far) = stations(&parameters, &bench).expect("two stations");
    let (sim, came) = (time.sim(), Rc::new(RefCell::new(Came::default())));
    let begin = Instant::START + Duration::from_secs(1);
    let end = begin + Duration::from_secs(SECONDS);
    let (mine, result) = (sim.clone(), Rc::clone(&came));
    sim.spawn("receiver", async move {
        let socket = far.open().await.expect("a radio");
        loop {
            let (port, payload) = socket.next().await.expect("a packet");
            let mut result = result.borrow_mut();
            if port == 1 {
                result.full += if mine.now() < end { payload.len() as u64 } else { 0 };
            } else {
                let offered = u64::from_le_bytes(*payload.first_chunk().expect("an instant"));
                result.sparse.push(mine.now().as_ns() - offered);
            }
        }
    });
    let mine = sim.clone();
    let period = Duration::from_ns((FULL as f64 * 8e6 / kbps) as u64);
    sim.spawn("sender", async move {
        let socket = near.open().await.expect("a radio");
        let sparse = offer(mine.clone(), socket.another_handle(), 2, SPARSE, PERIOD, begin);
        mine.spawn("sparse", sparse);
        offer(mine, socket, 1, FULL, period, begin).await;
    });
    time.run_until(end + Duration::from_secs(2)).expect("it runs");
    let mut came = came.take();
    came.sparse.sort_unstable();
    came
}

/// The 95th percentile, in ms.
fn p95_ms(sorted: &[u64]) -> f64 {
    sorted[(sorted.len() - 1) * 95 / 100] as f64 / 1e6
}

#[test]
fn a_sparse_flow_does_not_wait_behind_a_full_one_which_loses_nothing_by_it() {
    let limit = limit("tunnel");
    for times in [2.0, 10.0] {
        let came = beside(times * limit);
        assert_eq!(came.sparse.len() as u64, SECONDS * 10, "every sparse packet comes");
        let p95 = p95_ms(&came.sparse);
        let kbps = came.full as f64 * 8e-3 / SECONDS as f64;
        assert!(p95 < 60.0, "{times} times the limit: {p95:.1} ms");
        assert!(kbps > 0.95 * limit, "{times} times the limit: {kbps:.0} of {limit:.0} kbit/s");
    }
}

#[test]
fn without_queues_by_flow_everything_waits_for_seconds() {
    let limit = limit("tunnel-naive");
    for times in [2.0, 10.0] {
        let period = FULL as f64 * 8e6 / (times * limit);
        let count = (SECONDS as f64 * 1e9 / period) as u64;
        let arrivals = (0..count).map(|nth| Duration::from_ns((nth as f64 * period) as u64));
        let load = Load {
            exchange: None,
            size: FULL,
            room: 1,
            ahead: 0,
            arrivals: arrivals.collect(),
            watch: (Duration::ZERO, Duration::from_secs(SECONDS)),
            patience: Duration::from_secs(60),
        };
        let outcome = carry::offer(&profile("tunnel-naive"), &load, 1).expect("it runs");
        let mut waited: Vec<u64> = outcome
            .messages
            .iter()
            .filter_map(|message| Some(message.since_offered(message.delivered?)))
            .collect();
        waited.sort_unstable();
        let p95 = p95_ms(&waited);
        assert!(p95 > 1_000.0, "{times} times the limit: {p95:.0} ms");
    }
}
