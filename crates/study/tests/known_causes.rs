//! No finding contradicts the known causes in a virtual run, and no latency is below the floor:
//! every profile and size, undisturbed, with 1 % frame loss, overloaded, and over 60 m in an
//! office.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use airlag_kinds::registry;
use airlag_rig::profile::Profile;
use airlag_stats::findings::Name;
use airlag_stats::findings::bench::OF_CAPTURES;
use airlag_study::answers::finding::Evidence;
use airlag_study::answers::run::VirtualRun;
use airlag_study::explain::floor;
use airlag_study::questions::bench::{Bound, Settings};
use airlag_study::questions::run::{Question, answer};

const SIZES: [usize; 3] = [12, 128, 1024];
/// The smallest number from which findings detect lattices and periods.
const COUNT: usize = 60;
/// Locations in the office, each with its own shadowing.
const LOCATIONS: usize = 2;

/// Number of messages over all locations. A piconet polls for minutes between two long messages
/// that hardly get through, so there are fewer of these.
const fn in_office(size: usize) -> usize {
    if size == SIZES[0] { 60 } else { 10 }
}

/// Words for causes that no virtual bench has.
const OF_A_CAPTURE: [&str; 8] =
    ["capture", "wire", "wiring", "channel", "file", "analyser", "noise", "receiver"];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Condition {
    Undisturbed,
    OnePercent,
    Office,
}

/// Runs `work` for every profile and size on two cores.
fn everywhere(work: impl Fn(&Profile, usize) + Sync) {
    let profiles = registry::all().expect("right files");
    let sizes = |profile: &Profile| if profile.has_message() { SIZES.len() } else { 1 };
    let all: Vec<(&Profile, usize)> = profiles
        .iter()
        .flat_map(|profile| SIZES[..sizes(profile)].iter().map(move |&size| (profile, size)))
        .collect();
    let next = AtomicUsize::new(0);
    let lane = || {
        while let Some(&(profile, size)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(profile, size);
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(lane);
        }
    });
}

/// Question for a run with exact crystals, as floors assume.
fn question(profile: &Profile, size: usize) -> Question {
    let size = profile.has_message().then_some(size);
    let known = profile.kind.parameters().iter();
    let crystals = known.filter(|known| known.unit == "ppb");
    let settings = crystals.map(|known| (known.name.to_string(), "0".to_owned())).collect();
    Question { count: COUNT, settings, ..Question::of(&profile.name, size) }
}

/// Settings of a condition. Returns `None` if the link has no such parameter.
fn under(condition: Condition, profile: &Profile) -> Option<Settings> {
    let has = |name: &str| profile.kind.parameters().iter().any(|known| known.name == name);
    let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    match condition {
        Condition::Undisturbed => {
            let losses = ["frame_loss", "disturbances"].into_iter().filter(|name| has(name));
            Some(losses.map(|name| set(name, "0")).collect())
        }
        Condition::OnePercent => {
            has("frame_loss").then(|| Settings::from([set("frame_loss", "0.01")]))
        }
        Condition::Office => (has("range") && has("environment"))
            .then(|| Settings::from([set("range", "60m"), set("environment", "office")])),
    }
}

fn ran(question: &Question) -> VirtualRun {
    let what = format!("{} {:?} B {:?}", question.link, question.size, question.settings);
    let mut answered = answer(question).unwrap_or_else(|error| panic!("{what}: {error}"));
    answered.answer.swap_remove(0)
}

fn least_ns(question: &Question) -> i64 {
    let profile = Bound::of(&question.link, &question.settings).expect("it was run").profile;
    floor(&profile, question.size.unwrap_or(0)).expect("a floor").ns() as i64
}

/// Fails if a finding contradicts the run, or if a latency is below the floor.
fn check(question: &Question) -> VirtualRun {
    let seen = ran(question);
    let period_ns = question.period_ns;
    let what =
        format!("{} {:?} B {period_ns:?} {:?}", question.link, question.size, question.settings);
    let (run, causes) = (&seen.run.transfers, &seen.facts.causes);
    assert_eq!(run.triggers, question.count, "{what}");
    assert_eq!(run.delivered + run.lost + run.censored, question.count, "{what}");
    if let Some(latency) = &run.latency_ns {
        assert!(latency.min >= least_ns(question), "{what}: {} < floor", latency.min);
    }
    let found = |name: Name| run.findings.iter().find(|one| one.name.0 == name.as_str());
    for finding in &run.findings {
        let name = Name::find(finding.name.0).expect("a known name");
        assert!(!OF_CAPTURES.contains(&name), "{what}: {finding:?}");
        let text = format!("{} {}", finding.message, finding.advice).to_lowercase();
        // Replaces the names of events, which are those of the models.
        let text = causes.events.keys().fold(text, |text, event| text.replace(event, ""));
        for word in OF_A_CAPTURE {
            let is_word = |each: &str| each.trim_matches(|c: char| !c.is_alphabetic()) == word;
            // Duplicates are dropped at the receiver of the message.
            let own = name == Name::StrayCompletion && word == "receiver";
            assert!(own || !text.split(' ').any(is_word), "{what}: {word} in {finding:?}");
        }
        match name {
            Name::RetryQuantum => assert!(causes.retries > 0, "{what}: {finding:?}"),
            Name::PowerSave => assert!(causes.sleeps_between_beacons, "{what}: {finding:?}"),
            Name::DelayedAck => assert!(causes.delays_acks, "{what}: {finding:?}"),
            // Every crystal is exact.
            Name::DriftRamp => panic!("{what}: {finding:?}"),
            _ => {}
        }
    }
    let lost = found(Name::LostTransfers);
    assert_eq!(lost.is_some(), run.lost > 0, "{what}");
    if let Some(lost) = lost {
        let apart = seen.run.transfers.apart.is_some();
        assert_eq!(lost.message.contains("Fade margin"), apart, "{what}: {}", lost.message);
        let overloaded = lost.advice.contains("the link is overloaded");
        assert_eq!(overloaded, causes.overload.is_some(), "{what}: {}", lost.advice);
    }
    assert_eq!(found(Name::CensoredEnd).is_some(), run.censored > 0, "{what}");
    assert_eq!(found(Name::StrayCompletion).is_some(), run.spurious > 0, "{what}");
    assert_eq!(found(Name::Overload).is_some(), causes.overload.is_some(), "{what}");
    if let Some(overload) = causes.overload {
        assert_eq!(run.findings[0].name.0, Name::Overload.as_str(), "{what}");
        assert!(overload.carried_per_s < overload.offered_per_s, "{what}: {overload:?}");
        let of_latencies = run.findings.iter().filter_map(|one| Name::find(one.name.0));
        let silent = of_latencies.filter(|&name| name > Name::StrayCompletion);
        assert_eq!(silent.filter(|&name| name != Name::FewSamples).count(), 0, "{what}");
    }
    seen
}

#[test]
fn no_finding_contradicts_what_a_run_knows() {
    for condition in [Condition::Undisturbed, Condition::OnePercent, Condition::Office] {
        everywhere(|profile, size| {
            let Some(settings) = under(condition, profile) else { return };
            let mut question = question(profile, size);
            question.settings.extend(settings);
            if condition == Condition::Office {
                (question.places, question.count) = (Some(LOCATIONS), in_office(size));
            }
            let seen = check(&question);
            assert!(seen.facts.causes.overload.is_none(), "{} has time", question.link);
            if condition == Condition::Undisturbed {
                let run = &seen.run.transfers;
                let lost = (run.lost, seen.facts.causes.not_taken);
                assert_eq!(lost, (0, 0), "{} {size} B", profile.name);
            }
        });
    }
}

/// Messages in four frames at 2 Mbit/s: a retry takes the retransmit delay of 250 us and the frames
/// again.
#[test]
fn frames_that_an_nrf24_sends_again_are_counted_and_make_the_quantum() {
    let asked = Question { count: 400, ..Question::of("nrf24-2m", Some(128)) };
    let seen = ran(&asked);
    let found = &seen.run.transfers.findings;
    let quantum = found.iter().find(|one| one.name.0 == Name::RetryQuantum.as_str());
    let quantum = &quantum.expect("its receiver breaks acknowledgements").evidence.0[0];
    // As on the captures of this link (1.1597 ms).
    assert!(
        matches!(quantum, ("quantum_ns", Evidence::Float(ns)) if (ns - 1.1597e6).abs() < 5e3),
        "{quantum:?}"
    );
    let share = seen.facts.causes.retries as f64 / asked.count as f64;
    assert!((0.3..1.0).contains(&share), "{share}");
}

#[test]
fn packets_that_ble_sends_again_are_counted_and_those_sent_once_are_not() {
    let retries = |loss: &str| {
        let settings = Settings::from([("frame_loss".to_owned(), loss.to_owned())]);
        let asked = Question { count: 200, settings, ..Question::of("ble-nus-notify", Some(12)) };
        ran(&asked).facts.causes.retries
    };
    assert_eq!(retries("0"), 0);
    // One frame per message. A tenth of the frames is retransmitted, because the frame or its
    // acknowledgement was lost.
    let some = retries("0.1");
    assert!((20..90).contains(&some), "{some}");
}

#[test]
fn an_overloaded_link_has_true_latencies_and_says_that_it_is_overloaded() {
    let overloaded = AtomicUsize::new(0);
    everywhere(|profile, size| {
        let alone = Question { count: 1, findings: false, ..question(profile, size) };
        let service_ns = ran(&alone).run.transfers.stimulus.and_then(|one| one.service_ns);
        let service_ns = service_ns.expect("something arrives");
        // The trigger pulse takes 50 us.
        let period_ns = (service_ns / 5).max(50_000);
        let question = Question { period_ns: Some(period_ns), ..question(profile, size) };
        let seen = check(&question);
        let (run, causes) = (&seen.run.transfers, &seen.facts.causes);
        if causes.not_taken * 10 > COUNT && period_ns <= service_ns {
            assert!(causes.overload.is_some(), "{} {size} B misses triggers", profile.name);
        }
        if causes.overload.is_some() {
            overloaded.fetch_add(1, Ordering::Relaxed);
            assert!(run.delivered > 0, "{} {size} B", profile.name);
        }
    });
    let overloaded = overloaded.into_inner();
    assert!(overloaded > 100, "most links do one message after the other: {overloaded}");
}

#[test]
fn lora_at_twenty_times_its_rate_is_not_quicker_than_its_floor() {
    let asked = Question {
        period_ns: Some(250_000_000),
        region: Some(airlag_study::answers::law::Region::Eu),
        settings: Settings::from([("frequency".to_owned(), "868.1MHz".to_owned())]),
        ..Question::of("lora-sf11-62k5", Some(128))
    };
    let seen = ran(&asked);
    let (run, causes) = (&seen.run.transfers, &seen.facts.causes);
    let latency = run.latency_ns.as_ref().expect("some arrive");
    assert!(latency.min > 5_441_000_000, "{}", latency.min);
    let overload = causes.overload.expect("4 messages a second take 5.4 s each");
    assert_eq!(overload.offered_per_s, 4.0);
    // One message after the other; the next trigger starts the next message.
    assert!((0.17..0.184).contains(&overload.carried_per_s), "{overload:?}");
    let sender =
        seen.run.charge.iter().flatten().next().and_then(|charge| charge.ends.sender.as_ref());
    let millicoulombs = sender.and_then(|end| end.marginal_nc).expect("a charge") / 1e6;
    assert!((400.0..440.0).contains(&millicoulombs), "{millicoulombs} mC");
    // 165.25 symbols of 32.768 ms each 0.25 s, against 1 %.
    let law = seen.facts.law.as_ref().and_then(Option::as_ref).expect("a region is asked for");
    let divisor = law.radios[0].verdicts[0].kindest.checks.iter().find_map(|check| check.rarer);
    let divisor = divisor.expect("its duty cycle is too large");
    assert!((divisor - 165.25 * 0.032_768 / 0.25 / 0.01).abs() < 1.0, "{divisor}");
}

#[test]
fn a_period_shorter_than_the_trigger_is_refused_in_one_line() {
    let asked = Question { period_ns: Some(20_000), ..Question::of("nrf24-2m", Some(12)) };
    let error = answer(&asked).map(|_| ()).expect_err("the pulse takes 50 us").to_string();
    let line =
        "nrf24-2m: a period of 20 us is shorter than the trigger pulse; choose 50 us or more";
    assert_eq!(error, line);
}
