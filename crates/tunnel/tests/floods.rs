//! Effect of junk on the goodput of a saturated end, while an attacker sends a thousand frames per
//! second, all of which arrive.

use airlag_tunnel::{Instant, Protection};

use crate::attackers::{Flood, Junk};
use crate::world::{Faults, World};

const KEY: Protection = Protection::Sealed([3; 32]);
const SECONDS: u64 = 10;

/// Number of packets of each end that arrived in ten seconds.
fn goodput(flood: Option<Flood>, from: &[usize]) -> usize {
    let mut world = World::new(5, KEY, 1_500, Faults::default());
    world.attacker = flood.map(|flood| Box::new(flood) as _);
    let end = Instant::from_ns(SECONDS * 1_000_000_000);
    while world.now < end {
        for &from in from {
            while world.ends[from].endpoint.waiting() < 6_000 {
                world.offer(from, 1_400);
            }
        }
        world.step();
    }
    let counts = world.ends.each_ref().map(|end| end.endpoint.counts());
    assert!(counts.iter().all(|counts| counts.sessions == 1), "{counts:?}");
    world.ends.iter().map(|end| end.came.len()).sum()
}

#[test]
fn nine_tenths_of_the_goodput_are_left_of_a_thousand_junk_frames_a_second() {
    use Junk::{Changed, Data, Greeting, OldGreeting, Random, Report};
    for from in [&[0][..], &[0, 1]] {
        let whole = goodput(None, from);
        let mut told = format!("{} way: {whole}", from.len());
        let mut least = whole;
        for junk in [Random, Data, Changed, Report, Greeting, OldGreeting] {
            let left = goodput(Some(Flood::new(junk, 1_000, 9)), from);
            told += &format!(", {junk:?} {:.1} %", left as f64 * 100.0 / whole as f64);
            least = least.min(left);
        }
        std::io::Write::write_all(&mut std::io::stdout(), format!("{told}\n").as_bytes())
            .expect("told");
        assert!(least * 10 >= whole * 9, "{told}");
    }
}
