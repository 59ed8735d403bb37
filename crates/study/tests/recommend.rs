//! Which link to choose: deadlines that separate profiles whose latencies are known.

use airlag_kinds::registry;
use airlag_law::Region;
use airlag_rig::{Error, Options, Profile, run};
use airlag_stats::deadline::Requirement;
use airlag_stats::dist::quantiles;
use airlag_stats::pair::{PairOptions, pair};
use airlag_study::recommend::{Candidate, Lasting, Limits, TRIGGERS, Task, Verdict};
use airlag_study::{pace, recommend};

const MS: i64 = 1_000_000;

fn task(size: usize, deadline_ns: i64) -> Task {
    Task {
        size: Some(size),
        asked: Requirement { deadline_ns, share: 0.99, max_loss: 0.01 },
        range: None,
        environment: None,
        places_share: 0.9,
        neighbours: None,
        processor: None,
        period: None,
        seed: 1,
        links: Vec::new(),
        wired: false,
        trade: false,
        region: None,
        limits: Limits::default(),
    }
}

fn among(links: &[&str], task: Task) -> Task {
    Task { links: links.iter().map(|&name| name.to_owned()).collect(), ..task }
}

fn contenders(task: &Task) -> Result<Vec<Profile>, airlag_study::Error> {
    recommend::contenders(registry::all().expect("right files"), task)
}

fn recommended(task: &Task) -> Vec<Candidate> {
    recommend(&contenders(task).expect("a right task"), task, || ())
}

/// A profile as it is.
fn own<'a>(candidates: &'a [Candidate], link: &str) -> &'a Candidate {
    let found = candidates.iter().find(|one| one.link == link && one.tuned == 0);
    found.unwrap_or_else(|| panic!("no {link}"))
}

fn tuned<'a>(candidates: &'a [Candidate], link: &str) -> Option<&'a Candidate> {
    candidates.iter().find(|one| one.link == link && one.tuned > 0)
}

/// What a candidate says to set, set on its profile.
fn profile(candidate: &Candidate) -> Profile {
    let mut profile = registry::find(&candidate.link).expect("a link");
    for (name, value) in &candidate.settings {
        profile.set(name, value).expect("a right setting");
    }
    profile
}

#[test]
fn what_a_region_forbids_fails_and_is_tuned_to_what_it_allows() {
    let us = Task { region: Some(Region::Us), trade: true, ..task(12, 100 * MS) };
    let told = recommended(&among(&["lora-sf7-250k"], us));
    let as_it_is = own(&told, "lora-sf7-250k");
    assert_eq!(as_it_is.verdict, Verdict::Fails);
    assert!(as_it_is.reason.starts_with("not allowed in the US: "), "{}", as_it_is.reason);
    // Digital modulation is at least 500 kHz wide.
    let allowed = tuned(&told, "lora-sf7-250k").expect("a tuning that is allowed");
    assert_eq!(allowed.verdict, Verdict::Passes, "{}", allowed.reason);
    assert!(allowed.settings.contains(&("bandwidth".to_owned(), "500kHz".to_owned())));
}

#[test]
fn two_milliseconds_separate_a_woken_task_from_one_that_polls_a_tick() {
    let found = recommended(&task(12, 2 * MS));
    let nrf24 = own(&found, "nrf24-2m");
    assert_eq!(nrf24.verdict, Verdict::Passes, "{}", nrf24.reason);
    let polls = own(&found, "espnow");
    assert_eq!(polls.verdict, Verdict::Fails, "{}", polls.reason);
    let largest = polls.seen.as_ref().and_then(|seen| seen.largest).expect("it arrives");
    assert_eq!(largest.label.name, "tick wait");
    // It alone takes longer than there is.
    assert!((2 * MS..=10 * MS).contains(&largest.ns), "{largest:?}");
    assert!(polls.reason.ends_with("of it tick wait"), "{}", polls.reason);
    // The same radio whose trigger wakes its task has no such wait.
    let woken =
        own(&found, "espnow-woken").seen.as_ref().and_then(|seen| seen.largest).expect("arrives");
    assert_ne!(woken.label.name, "tick wait");
    let reached = |link: &str| {
        own(&found, link)
            .seen
            .as_ref()
            .and_then(|seen| seen.judgement.quantile.value_ns)
            .expect("arrives")
    };
    assert!(reached("espnow-woken") * 2.0 < reached("espnow"));
    // LoRa at 5 kbit/s takes longer on the air alone, and nothing free of charge changes that.
    let lora = own(&found, "lora-sf7-250k");
    assert!(lora.seen.is_none() && lora.floor_ns > 2_000_000);
    assert!(lora.reason.starts_with("cannot: its floor is "), "{}", lora.reason);
    assert!(tuned(&found, "lora-sf7-250k").is_none());
    // Wires were not asked for, and a pin that answers itself is no link.
    assert!(found.iter().all(|one| !one.link.starts_with("uart") && !one.link.starts_with("gpio")));
}

#[test]
fn passing_ones_come_first_and_the_quickest_of_them_ahead() {
    let links =
        ["nrf24-2m", "nrf24-250k", "espnow", "espnow-woken", "ieee802154-ack", "hc05-57600"];
    let found = recommended(&among(&links, task(128, 16_600_000)));
    assert!(found.is_sorted_by_key(|one| one.verdict));
    let reached: Vec<f64> = found
        .iter()
        .filter(|one| one.verdict == Verdict::Passes)
        .filter_map(|one| one.seen.as_ref()?.judgement.quantile.value_ns)
        .collect();
    assert!(reached.len() > 5 && reached.is_sorted(), "{reached:?}");
    for one in &found {
        let Some(seen) = &one.seen else { continue };
        let high = seen.judgement.quantile.high_ns;
        assert_eq!(one.verdict == Verdict::Passes, high.is_some_and(|ns| ns <= 16_600_000));
    }
}

#[test]
fn what_it_recommends_is_what_a_run_with_the_settings_says() {
    let asked = among(&["nrf24-2m", "espnow-woken"], task(128, 5 * MS));
    let found = recommended(&asked);
    assert_eq!(found, recommended(&asked));
    let both = [tuned(&found, "nrf24-2m").expect("a tuned one"), own(&found, "espnow-woken")];
    for candidate in both {
        let profile = profile(candidate);
        let service = pace::service(&profile, 128, 1).expect("it runs");
        let stimulus = pace::asynchronous(service, TRIGGERS);
        let ran = run(&profile, 128, &stimulus, Options::default()).expect("it runs");
        let latencies = pair(&ran.trace, PairOptions::default()).latencies_ns();
        let judgement = candidate.seen.as_ref().expect("it was run").judgement;
        let told = [judgement.p50.value_ns, judgement.quantile.value_ns];
        assert_eq!(told.map(|ns| ns.expect("arrives")), quantiles(&latencies, &[0.5, 0.99])[..]);
    }
    // Tuned, its tail is shorter than as it is.
    let tail =
        |one: &Candidate| one.seen.as_ref().and_then(|seen| seen.judgement.quantile.value_ns);
    assert!(tail(both[0]) < tail(own(&found, "nrf24-2m")));
}

#[test]
fn a_range_is_judged_where_there_is_a_model_and_listed_apart_where_there_is_none() {
    let links = ["nrf24-2m", "espnow-woken", "ieee802154-ack", "uart-921600-irq"];
    let asked = among(&links, task(128, 16_600_000));
    let near = recommended(&asked);
    let apart = |range: &str| recommended(&Task { range: Some(range.to_owned()), ..asked.clone() });
    let (room, far) = (apart("10m"), apart("50km"));
    let verdict = |found: &[Candidate], link: &str| own(found, link).verdict;
    for found in [&near, &room] {
        assert_eq!(verdict(found, "nrf24-2m"), Verdict::Passes);
    }
    assert_eq!(verdict(&far, "nrf24-2m"), Verdict::Fails);
    assert!(own(&far, "nrf24-2m").reason.contains("0 of 60 places keep it"));
    assert!(own(&far, "nrf24-2m").reason.contains("nothing arrives"));
    assert_eq!(own(&far, "nrf24-2m").settings, [("range".to_owned(), "50km".to_owned())]);
    for candidate in &far {
        let knows = profile(candidate).parameters.contains_key("range");
        let passes = matches!(candidate.verdict, Verdict::Passes | Verdict::Close);
        assert!(knows || !passes, "{}: {}", candidate.link, candidate.reason);
        if candidate.verdict == Verdict::RangeUnknown {
            assert!(!knows && candidate.reason.starts_with("range unknown: "));
        }
    }
    // A wire.
    assert_eq!(verdict(&far, "uart-921600-irq"), Verdict::RangeUnknown);
}

#[test]
fn a_period_that_is_too_short_is_named() {
    let asked = among(&["lora-sf7-250k"], task(128, 1_000 * MS));
    let asked = Task { period: Some(airlag_sim::Duration::from_ms(100)), ..asked };
    let found = recommended(&asked);
    let lora = own(&found, "lora-sf7-250k");
    assert_eq!(lora.verdict, Verdict::Fails);
    assert!(
        lora.reason
            .contains("one takes up to 108.7 ms alone, and the next comes after 50 ms or more"),
        "{}",
        lora.reason
    );
}

#[test]
fn what_a_trade_gives_up_is_said() {
    let asked = among(&["lora-sf7-250k"], task(128, 300 * MS));
    let free = recommended(&asked);
    let traded = recommended(&Task { trade: true, ..asked });
    assert!(free.iter().all(|one| one.gives_up.is_empty()));
    let lora = tuned(&traded, "lora-sf7-250k").expect("it can be tuned");
    assert!(lora.settings.iter().any(|(name, _)| name == "bandwidth"), "{:?}", lora.settings);
    assert!(lora.gives_up.iter().any(|what| what.starts_with("range")), "{:?}", lora.gives_up);
    let tail =
        |one: &Candidate| one.seen.as_ref().and_then(|seen| seen.judgement.quantile.value_ns);
    assert!(tail(lora) < tail(own(&free, "lora-sf7-250k")));
}

#[test]
fn what_is_tuned_to_the_same_is_told_once() {
    let links = ["espnow", "espnow-woken", "ble-bluedroid-notify", "ble-bluedroid-notify-woken"];
    let found = recommended(&among(&links, task(128, 50 * MS)));
    let made: Vec<_> = found
        .iter()
        .map(|one| {
            let made = profile(one);
            (made.kind, made.constants().map(|of| of.value.clone()).collect::<Vec<_>>())
        })
        .collect();
    for (nth, one) in made.iter().enumerate() {
        assert!(!made[..nth].contains(one), "{:?}", found[nth]);
    }
    for name in links {
        assert_eq!(found.iter().filter(|one| one.link == name && one.tuned == 0).count(), 1);
    }
}

#[test]
fn something_rare_is_shown_by_more_messages() {
    let mut asked = among(&["nrf24-2m", "espnow"], task(12, 5 * MS));
    asked.asked.share = 0.999;
    let found = recommended(&asked);
    let sent = |link: &str| own(&found, link).seen.as_ref().map(|seen| seen.triggers);
    assert_eq!(sent("nrf24-2m"), Some(10_000));
    // What fails a thousand messages is not sent more.
    assert_eq!(sent("espnow"), Some(TRIGGERS));
}

#[test]
fn what_nobody_can_be_asked_is_an_error_of_one_line() {
    let error = |task: &Task| match contenders(task) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("a right task"),
    };
    assert_eq!(error(&task(5_000, MS)), "every link: a message has 7 to 2048 bytes, not 5000");
    let misspelt = among(&["nrf24-2n"], task(12, MS));
    assert_eq!(error(&misspelt), "no link `nrf24-2n`; did you mean `nrf24-2m`?");
    let hall = Task {
        range: Some("30m".to_owned()),
        environment: Some("hall".to_owned()),
        ..task(12, MS)
    };
    assert!(error(&hall).contains("`environment` cannot be \"hall\"; it is free-space | "));
    let beyond = Task { range: Some("1000000km".to_owned()), ..task(12, MS) };
    assert!(matches!(
        contenders(&beyond),
        Err(airlag_study::Error::Rig(Error::OutOfRange { name: "range", .. }))
    ));
}

#[test]
fn what_costs_too_much_is_not_recommended_and_says_by_how_much() {
    let within = |limits: Limits| {
        let task = Task { limits, ..among(&["ble-nus-notify", "espnow"], task(12, 100 * MS)) };
        let all = airlag_kinds::registry::all().expect("profiles");
        let contenders = recommend::contenders(all, &task).expect("contenders");
        let told = airlag_study::recommend(&contenders, &task, || {});
        let as_it_is = |link: &str| {
            let one = told.iter().find(|one| one.link == link && one.tuned == 0).expect("judged");
            (one.verdict, one.reason.clone())
        };
        [as_it_is("ble-nus-notify"), as_it_is("espnow")]
    };
    let [ble, espnow] = within(Limits { charge_nc: Some(50e3), life: None });
    assert_eq!(ble.0, Verdict::Passes, "{}", ble.1);
    // A frame of 12 B at 1 Mbit/s and 19.5 dBm alone takes more.
    assert_eq!(espnow.0, Verdict::Fails, "{}", espnow.1);
    assert!(espnow.1.starts_with("costs too much: a message takes"), "{}", espnow.1);

    let battery = airlag_rig::batteries::Battery::find("2xAA").expect("listed");
    let life = Some(Lasting { battery, years: 1.0, per_second: 1.0 / 60.0 });
    let [ble, espnow] = within(Limits { charge_nc: None, life });
    assert_eq!(ble.0, Verdict::Passes, "{}", ble.1);
    assert_eq!(espnow.0, Verdict::Fails);
    assert!(espnow.1.contains("the battery lasts"), "{}", espnow.1);
}
