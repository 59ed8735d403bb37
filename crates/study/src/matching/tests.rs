use airlag_stats::pair::pair;

use super::*;
use airlag_kinds::registry::{all, find};
use airlag_rig::run::run;
use airlag_rig::stimulus::{Aligned, Periodic, Stimulus};
use airlag_sim::Duration;

fn virtual_capture(
    profile: &Profile,
    size: usize,
    period_ms: u64,
    count: usize,
    seed: u64,
) -> Transfers {
    let triggers = Stimulus::Periodic(Periodic::new(Duration::from_ms(period_ms), count));
    let seen = run(profile, size, &triggers, run::Options { seed, ..run::Options::default() })
        .expect("it runs");
    pair(&seen.trace, PairOptions::default())
}

#[test]
fn a_run_held_against_itself_is_no_distance_away() {
    for (name, size, period_ms) in [
        ("gpio-stm32-ll-o3", 12, 1),
        ("uart-115200-irq", 12, 5),
        ("nrf24-2m", 128, 20),
        ("lora-sf7-250k", 12, 250),
    ] {
        let profile = find(name).expect("built in");
        let captured = virtual_capture(&profile, size, period_ms, 100, 1);
        let found = hold(&profile, size, &captured, &Options::default()).expect("a match");
        assert_eq!((found.ks, found.distance), (0.0, 0.0), "{name}");
        assert_eq!(found.captured, found.bench, "{name}");
        assert_eq!((found.free, found.fitted), (0, vec![]), "{name}");
    }
}

#[test]
fn the_ring_position_of_a_virtual_capture_is_found_again() {
    let mut profile = find("uart-115200-dma").expect("built in");
    profile.set("ring_start", "8").expect("a parameter");
    let captured = virtual_capture(&profile, 12, 5, 60, 1);
    let plain = find("uart-115200-dma").expect("built in");
    let found = hold(&plain, 12, &captured, &Options::default()).expect("a match");
    assert_eq!(found.fitted.len(), 1);
    // Four positions, half a ring apart, are equivalent for 12 B messages.
    assert!(matches!(found.fitted[0].value, Value::Whole(at) if at % 4 == 0), "{:?}", found.fitted);
    assert!(found.quantile_error.iter().all(|one| one.error_ns().abs() < 10_000.0));
}

#[test]
fn what_the_user_has_set_is_not_fitted() {
    let profile = find("uart-115200-dma").expect("built in");
    let captured = virtual_capture(&profile, 12, 5, 30, 1);
    let fixed = vec!["ring_start".to_owned()];
    let found = hold(&profile, 12, &captured, &Options { fixed, ..Options::default() });
    let found = found.expect("a match");
    assert_eq!((found.free, found.ks), (0, 0.0));
}

#[test]
fn a_capture_without_a_single_completion_is_one_line() {
    let captured = Transfers {
        trigger_ns: vec![0, 5_000_000],
        completion_ns: vec![airlag_stats::NONE; 2],
        outcome: vec![Outcome::Lost; 2],
        end_ns: 10_000_000,
        ..Transfers::default()
    };
    let profile = find("nrf24-2m").expect("built in");
    for count in [0, 2] {
        let options = Options { triggers: count, ..Options::default() };
        let error = hold(&profile, 12, &captured, &options).expect_err("nothing");
        let line = "no transfer completed in the capture, so there is nothing to compare";
        assert_eq!(error.to_string(), line);
        assert_eq!(rank(std::slice::from_ref(&profile), None, &captured, &options), Err(error));
    }
}

#[test]
fn the_family_of_a_virtual_capture_is_ranked_first() {
    let profiles = all().expect("right files");
    for (name, size, period_ms) in [
        ("gpio-stm32duino-o1", 12, 1),
        ("uart-460800-dma", 12, 5),
        ("nrf24-250k", 128, 50),
        ("esb-nrf52840", 128, 50),
        ("lora-sf7-250k", 128, 250),
    ] {
        let profile = find(name).expect("built in");
        let captured = virtual_capture(&profile, size, period_ms, 200, 7);
        let ranking =
            rank(profiles, Some(size), &captured, &Options::default()).expect("a ranking");
        let best = ranking.best().expect("one explains it");
        assert_eq!(best.matched.profile.name, name);
    }
}

#[test]
fn a_kind_that_exchanges_packets_with_the_best_is_no_doubt_about_the_link() {
    let find = |name| find(name).expect("built in");
    let profiles = [find("nrf24-2m"), find("esb-nrf52840-legacy"), find("tcp-stream-softap")];
    let options = Options { vary: false, ..Options::default() };
    let captured = virtual_capture(&profiles[0], 12, 50, 200, 7);
    let ranking = rank(&profiles, Some(12), &captured, &options).expect("a ranking");
    let kinds: Vec<&str> =
        ranking.candidates.iter().map(|one| one.matched.profile.kind.name()).collect();
    assert_eq!(kinds[..2], ["nrf24", "esb"], "{kinds:?}");
    let next = ranking.next_kind().map(|next| next.matched.profile.kind.name());
    assert!(next.is_none_or(|next| next == "wifi"), "{next:?}");
    assert_eq!(ranking.certainty(), Some(Certainty::Clear));
}

#[test]
fn an_answer_is_told_with_the_nearest_of_another_kind_or_a_reason() {
    let (known, other) = (find("nrf24-250k").expect("built in"), find("gpio-stm32-ll-o3"));
    let profiles = [known.clone(), other.expect("built in")];
    let captured = virtual_capture(&known, 128, 50, 200, 7);
    let options = Options { vary: false, ..Options::default() };
    let answered = rank(&profiles, Some(128), &captured, &options).expect("a ranking");
    // A GPIO pin answers in half a microsecond, so it is not a candidate.
    assert_eq!(answered.reason(), None);
    assert!(answered.odds().is_some_and(|odds| odds > 0.9), "{:?}", answered.odds());
    assert!(answered.certainty().is_some_and(|sure| sure != Certainty::Ambiguous));
    assert!(answered.next_kind().is_none());
    let refused = rank(&profiles[1..], Some(128), &captured, &options).expect("a ranking");
    assert_eq!(
        (refused.certainty(), refused.reason()),
        (None, Some(Reason::Impossible { looked: 1, few: None }))
    );
    // Messages of 12 B take a third of the time.
    let lone = rank(&profiles[..1], Some(12), &captured, &options).expect("a ranking");
    assert_eq!(lone.certainty(), None);
    assert!(lone.reason().is_some_and(|why| why.to_string().contains("of 1 profiles")));
}

/// A wire and a radio whose latencies differ by less than a hundredth, with less variation than that.
#[test]
fn of_two_links_that_never_vary_only_the_one_that_is_exactly_there_explains_a_capture() {
    let (wire, radio) = ("uart-460800-poll", "nrf24-2m-raw");
    let profiles = [wire, radio].map(|name| find(name).expect("built in"));
    for (nth, name) in [wire, radio].into_iter().enumerate() {
        let captured = virtual_capture(&profiles[nth], 12, 50, 200, 7);
        let held =
            |profile: &Profile| hold(profile, 12, &captured, &Options::default()).expect("a match");
        assert!(held(&profiles[nth]).explains(), "{name}");
        let other = held(&profiles[1 - nth]);
        assert!(!other.explains() && other.evidence.apart < 0.01, "{name}: {:?}", other.evidence);
    }
}

/// The triggers have the period of the link's own cycle. A short run has to sample the whole cycle
/// nevertheless.
#[test]
fn a_capture_triggered_once_a_hop_is_not_impossible_for_the_radio_that_hops() {
    let radio = find("sik-64k").expect("built in");
    let hop = Duration::from_us(115_648);
    let triggers = Stimulus::Periodic(Periodic::new(hop, 60));
    let own = run::Options { seed: 3, ..run::Options::default() };
    let seen = run(&radio, 12, &triggers, own).expect("it runs");
    let captured = pair(&seen.trace, PairOptions::default());
    let options = Options { vary: false, ..Options::default() };
    let found = rank(std::slice::from_ref(&radio), Some(12), &captured, &options);
    assert_eq!(found.expect("a ranking").impossible, 0);
}

/// A capture whose triggers come `offset` after transmissions of the link.
fn following(name: &str, offset: Duration, period_ms: u64, count: usize) -> (Profile, Transfers) {
    let profile = find(name).expect("built in");
    let period = Duration::from_ms(period_ms);
    let triggers = Stimulus::Aligned(Aligned { offset, period, count, skipped: 0 });
    let own = run::Options { seed: 7, ..run::Options::default() };
    let seen = run(&profile, 12, &triggers, own).expect("it runs");
    (profile, pair(&seen.trace, PairOptions::default()))
}

#[test]
fn a_capture_whose_triggers_follow_the_link_is_explained_with_its_offset() {
    let (profile, captured) = following("sik-64k", Duration::from_ms(113), 100, 300);
    let options = Options { seed: 3, ..Options::default() };
    let found = hold(&profile, 12, &captured, &options).expect("a match");
    assert!(found.explains(), "{:?}", found.evidence);
    assert!(found.ks < 2.0 * found.ks_chance, "{}", found.ks);
    let [Fitted { name: OFFSET, value: Value::Real(ms), unit: "ms" }] = found.fitted[..] else {
        panic!("{:?}", found.fitted);
    };
    assert!((ms - 113.0).abs() < 0.1, "{ms}");
}

#[test]
fn triggers_of_a_generator_and_those_at_random_times_follow_no_link() {
    let profile = find("sik-64k").expect("built in");
    let follows = |captured: &Transfers| {
        let replay = Replay::new(captured, usize::MAX, PairOptions::default()).expect("triggers");
        replay.gap().is_some_and(|gap| replay.is_no_generator(gap))
    };
    assert!(!follows(&virtual_capture(&profile, 12, 250, 100, 1)));
    let random = crate::pace::uniform(Duration::from_ms(250), 100);
    let seen = run(&profile, 12, &random, run::Options::default()).expect("it runs");
    assert!(!follows(&pair(&seen.trace, PairOptions::default())));
    assert!(follows(&following("sik-64k", Duration::from_ms(113), 100, 100).1));
}
