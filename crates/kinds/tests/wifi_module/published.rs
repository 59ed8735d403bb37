//! Round trips of the published program: scripts/radio/radio_latency.py of the team's firmware.
//!
//! It sends a datagram when one is due, and then waits for a response, for up to 100 ms. Without a
//! response it counts the datagrams older than this as lost; a response that comes later counts as
//! a response, too. After a response it sends the next datagram that is due. If none is due, it
//! waits for another response, although none is outstanding, and then sends up to ten overdue
//! datagrams one after the other. So the module has pauses of 100 ms, which a stream of 100 Hz does
//! not have.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::pin;
use std::rc::Rc;

use airlag_link::Link;
use airlag_rig::ends::{Bench, BoxedEnd};
use airlag_rig::programs::{Program, opened};
use airlag_rig::session::Wiring;
use airlag_sim::{Duration, Instant, Sim};
use embassy_futures::select::{Either, select};

use crate::bench;

const PERIOD: Duration = Duration::from_ms(10);
const PATIENCE: Duration = Duration::from_ms(100);
const SIZE: usize = 512;

/// Results of the program.
#[derive(Default)]
struct Seen {
    sent: u64,
    round_trips_ms: Vec<f64>,
    lost: u64,
    /// Losses since the last response, and the most.
    row: u64,
    longest_row: u64,
}

impl Seen {
    fn lose(&mut self) {
        self.lost += 1;
        self.row += 1;
        self.longest_row = self.longest_row.max(self.row);
    }

    fn quantile(&self, share: f64) -> f64 {
        let mut all = self.round_trips_ms.clone();
        all.sort_by(f64::total_cmp);
        all[((all.len() - 1) as f64 * share).round() as usize]
    }

    fn loss(&self) -> f64 {
        self.lost as f64 / self.sent as f64
    }
}

struct Probe {
    lasts: Duration,
    seen: Rc<RefCell<Seen>>,
}

async fn measure(mut link: impl Link, sim: Sim, lasts: Duration, seen: Rc<RefCell<Seen>>) {
    let (begin, mut due) = (sim.now(), sim.now());
    let mut pending: BTreeMap<u32, Instant> = BTreeMap::new();
    let (mut number, mut buffer) = (0_u32, vec![0; 2_048]);
    while sim.now().since(begin) < lasts {
        if sim.now() >= due {
            let mut datagram = vec![0; SIZE];
            datagram[..4].copy_from_slice(&number.to_le_bytes());
            datagram[4..12].copy_from_slice(&sim.now().as_ns().to_le_bytes());
            pending.insert(number, sim.now());
            if link.send(&datagram).await.is_err() {
                return;
            }
            seen.borrow_mut().sent += 1;
            (number, due) = (number + 1, due + PERIOD);
        }
        let got = {
            let answer = pin!(link.receive(&mut buffer));
            match select(answer, sim.sleep(PATIENCE)).await {
                Either::First(Ok(got)) => Some(got),
                Either::First(Err(_)) => return,
                Either::Second(()) => None,
            }
        };
        let (now, mut seen) = (sim.now(), seen.borrow_mut());
        match got {
            Some(got) if got >= 12 => {
                let number = u32::from_le_bytes(buffer[..4].try_into().expect("four"));
                let at = u64::from_le_bytes(buffer[4..12].try_into().expect("eight"));
                seen.round_trips_ms.push((now.as_ns() - at) as f64 / 1e6);
                seen.row = 0;
                pending.remove(&number);
            }
            Some(_) => {}
            None => pending.retain(|_, &mut at| {
                let waits = now.since(at) < PATIENCE;
                if !waits {
                    seen.lose();
                }
                waits
            }),
        }
    }
}

impl Program for Probe {
    fn needs_both_ways(&self) -> bool {
        true
    }

    fn start(&self, near: BoxedEnd, far: BoxedEnd, bench: &Bench) {
        let (sim, lasts, seen) = (bench.sim().clone(), self.lasts, Rc::clone(&self.seen));
        let report = bench.shared_report();
        bench.sim().spawn("computer", async move {
            let Some(link) = opened("computer", near.link, &report).await else { return };
            measure(link, sim, lasts, seen).await;
        });
        let report = bench.shared_report();
        bench.sim().spawn("board", async move {
            let Some(mut link) = opened("board", far.link, &report).await else { return };
            let mut buffer = vec![0; 2_048];
            while let Ok(got) = link.receive(&mut buffer).await {
                if link.send(&buffer[..got]).await.is_err() {
                    return;
                }
            }
        });
    }
}

/// Measures a link for `seconds`, as the published program does.
fn probe(link: &str, changes: &[(&str, &str)], seconds: u64) -> Rc<RefCell<Seen>> {
    let mut all = vec![("direction", "down")];
    all.extend(changes);
    let profile = bench::profile(link, &all);
    let seen: Rc<RefCell<Seen>> = Rc::default();
    let lasts = Duration::from_secs(seconds);
    let program = Probe { lasts, seen: Rc::clone(&seen) };
    let session = Wiring::new(1).open(&profile, SIZE, &program, None).expect("it is set up");
    let end = session.ready() + lasts + Duration::from_ms(200);
    session.time().run_until(end).expect("it runs");
    seen
}

/// As long as the publication.
const HALF_AN_HOUR: u64 = 1_800;

fn is_near(value: f64, published: f64, share: f64) -> bool {
    (value - published).abs() <= share * published
}

/// Row of the table on the link's page: quantiles, largest round trip, losses.
fn row(seen: &Seen) -> String {
    let [p50, p95, p99] = [0.5, 0.95, 0.99].map(|share| format!("{:.3}", seen.quantile(share)));
    let (most, lost) = (seen.quantile(1.0), 100.0 * seen.loss());
    format!(
        "| | bench | {p50} (fitted) | {p95} | {p99} | {most:.1} | {lost:.2} % (fitted) | {} |",
        seen.longest_row
    )
}

const PAGE: &str = include_str!("../../../../docs/links/wifi-module.md");

#[test]
fn an_odin_w2_sleeps_in_the_pauses_of_the_program() {
    let seen = probe("wifi-module-odin-w2", &[], HALF_AN_HOUR);
    let seen = seen.borrow();
    // Published: p50 5.676, p95 15.577, p99 108.909 ms, and 1.86 % lost. The median and the loss
    // are fitted. The tail is predicted: a quarter too short, with fewer responses in it.
    assert!(is_near(seen.quantile(0.5), 5.676, 0.02));
    assert!((6.0..15.577).contains(&seen.quantile(0.95)), "{}", seen.quantile(0.95));
    assert!(is_near(seen.quantile(0.99), 108.909, 0.3), "{}", seen.quantile(0.99));
    assert!(is_near(seen.loss(), 0.0186, 0.15), "{}", seen.loss());
    // Not reproduced: a row of 86 losses, and the longest round trip of 1.8 s.
    assert!(seen.longest_row < 10 && seen.quantile(1.0) < 400.0);
    assert!(PAGE.contains(&row(&seen)), "docs/links/wifi-module.md: {}", row(&seen));
}

#[test]
fn without_power_save_or_without_pauses_it_has_no_such_tail() {
    let seen = probe("wifi-module-odin-w2", &[("power_save", "false")], 300);
    assert!(seen.borrow().quantile(0.99) < 8.0);
    let seen = probe("wifi-module-odin-w2", &[("active", "150ms"), ("datagram_loss", "0")], 300);
    assert!(seen.borrow().quantile(0.99) < 8.0);
    assert_eq!(seen.borrow().lost, 0);
}

#[test]
fn a_round_trip_of_a_nora_w36_is_longer_by_a_whole_poll() {
    let seen = probe("wifi-module-nora-w36", &[], HALF_AN_HOUR);
    let seen = seen.borrow();
    // Published: p50 7.195, p95 8.236, p99 9.738 ms, 1.41 % lost, up to 4 in a row. The median and
    // the loss are fitted. The published p95 is one poll above the median; here fewer responses are
    // delayed until the next poll.
    assert!(is_near(seen.quantile(0.5), 7.195, 0.01), "{}", seen.quantile(0.5));
    assert!((7.1..8.3).contains(&seen.quantile(0.95)), "{}", seen.quantile(0.95));
    assert!((7.2..9.8).contains(&seen.quantile(0.99)), "{}", seen.quantile(0.99));
    assert!(is_near(seen.loss(), 0.0141, 0.1), "{}", seen.loss());
    assert!((2..=5).contains(&seen.longest_row), "{}", seen.longest_row);
    assert!(PAGE.contains(&row(&seen)), "docs/links/wifi-module.md: {}", row(&seen));
    // A board that is later finds its event one poll later.
    let late = probe("wifi-module-nora-w36", &[("encode", "2100us"), ("datagram_loss", "0")], 100);
    assert!(is_near(late.borrow().quantile(0.5), seen.quantile(0.5) + 1.0, 0.02));
}

#[test]
fn tails_follow_what_is_not_published() {
    // A station that sleeps through every other beacon waits twice as long. The published p99 of
    // 108.909 ms is between the two.
    let tail = |dtim| {
        let seen = probe("wifi-module-odin-w2", &[("dtim_period", dtim)], 300);
        Seen::quantile(&seen.borrow(), 0.99)
    };
    let [every, other] = ["1", "2"].map(tail);
    assert!(every < 108.909 && 108.909 < other, "{every} {other}");
    // Nearer to the next poll, more responses are delayed until that poll. The published p95 is one
    // poll above the median.
    let seen = probe("wifi-module-nora-w36", &[("encode", "1820us")], 300);
    assert!(is_near(seen.borrow().quantile(0.5), 7.195, 0.01));
    assert!(seen.borrow().quantile(0.95) > 7.8, "{}", seen.borrow().quantile(0.95));
}
