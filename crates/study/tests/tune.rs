//! Parameter spaces of real profiles, and limits that runs of the bench meet or violate.

use std::collections::BTreeMap;

use airlag_kinds::registry::find;
use airlag_rig::profile::Profile;
use airlag_stats::clusters::{End, Share, share_bound};
use airlag_study::tune::limit::Limit;
use airlag_study::tune::metric::{self, Estimate};
use airlag_study::tune::space::{Kind, Knobs, Parameter, Space, Span, Value};
use airlag_study::tune::{Bench, Problem, Run, Settings, Task};

fn profile(name: &str) -> Profile {
    find(name).expect("it is listed")
}

fn settings(pairs: &[(&str, &str)]) -> Settings {
    pairs.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
}

fn over(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
}

/// The values of one parameter.
fn values(link: &str, name: &str, text: &str) -> Result<Kind, Problem> {
    let space = Space::of(
        &profile(link),
        Some(12),
        &settings(&[]),
        &over(&[(name, text)]),
        Knobs::Named,
        false,
    );
    Ok(space?.parameters.remove(0).kind)
}

fn span(link: &str, name: &str, text: &str) -> Span {
    match values(link, name, text).expect("it is a range") {
        Kind::Span(span) => span,
        Kind::Choice(choice) => panic!("{choice:?} is no range"),
    }
}

#[test]
fn the_bench_reveals_the_steps_in_which_hardware_takes_a_number() {
    let interval = span("ble-nus-notify", "connection_interval", "7.5ms..100ms");
    let expected =
        Span { low: 7.5, high: 100.0, step: Some(1.25), unit: "ms".to_owned(), own: Some(30.0) };
    assert_eq!(interval, expected);
    // The same range with its lower end in another unit.
    assert_eq!(span("ble-nus-notify", "connection_interval", "7500us..100ms"), expected);
    let delay = span("nrf24-2m", "retransmit_delay", "250us..4ms");
    assert_eq!((delay.low, delay.step, delay.unit.as_str()), (0.25, Some(0.25), "ms"));
    assert_eq!(span("nrf24-2m", "frame_loss", "0..0.1").step, None);
    assert_eq!(span("ble-nus-notify", "latency", "0..4").step, Some(1.0));
    assert_eq!(span("ble-nus-notify", "latency", "0..4/2").step, Some(2.0));
}

#[test]
fn what_saves_current_is_part_of_a_space_that_is_asked_for_it() {
    let of = |link: &str, knobs| {
        let space = Space::of(&profile(link), Some(12), &settings(&[]), &[], knobs, false);
        space.expect("a space").parameters
    };
    let named =
        |knobs, name: &str| of("ble-nus-notify", knobs).into_iter().find(|one| one.name == name);
    let Some(Kind::Choice(choice)) = named(Knobs::Sparing, "latency").map(|one| one.kind) else {
        panic!("no choice of latency")
    };
    assert!(choice.values.contains(&"15".to_owned()), "{choice:?}");
    assert!(named(Knobs::Quicker, "latency").is_none());
    let Some(Kind::Choice(choice)) =
        named(Knobs::Sparing, "connection_interval").map(|one| one.kind)
    else {
        panic!("no choice of intervals")
    };
    let mut once = choice.values.clone();
    once.dedup();
    assert!(once.len() == choice.values.len() && once.contains(&"500ms".to_owned()), "{choice:?}");
    // Another chip is no setting.
    assert!(of("thread-up", Knobs::Sparing).iter().all(|one| one.name != "aes_block"));
}

#[test]
fn values_that_cannot_be_used_are_named() {
    let refused = |name, text| values("nrf24-2m", name, text).expect_err("it cannot be used");
    for text in ["4ms..1ms", "250us..4ms/0us", "250us..4ms/5ms", "250us..4ms/1us", "1ms..", "1ms|"]
    {
        assert!(matches!(refused("retransmit_delay", text), Problem::Values(_)), "{text}");
    }
    assert!(matches!(refused("acknowledge", "1..2"), Problem::Values(_)));
    assert!(matches!(refused("retransmit_delay", "1km..2km"), Problem::Rig(_)));
    assert!(matches!(refused("no_such_name", "1..2"), Problem::Rig(_)));
    // 300 us is not a step of the hardware, and neither are the ends.
    assert!(matches!(
        refused("retransmit_delay", "300us..310us"),
        Problem::Study(_) | Problem::Rig(_)
    ));
}

#[test]
fn knobs_of_a_link_are_part_of_its_space_with_their_prices() {
    let of = |set: &[(&str, &str)], named: &[(&str, &str)], free| {
        let base = profile("nrf24-2m");
        Space::of(&base, Some(128), &settings(set), &over(named), Knobs::Quicker, free)
            .expect("a space")
    };
    let names = |space: &Space| -> Vec<String> {
        space.parameters.iter().map(|one| one.name.clone()).collect()
    };
    let space = of(&[], &[("window", "1..3"), ("frame_loss", "0|0.1")], false);
    for name in ["acknowledge", "payload", "window", "frame_loss"] {
        assert!(names(&space).contains(&name.to_owned()), "{name}");
    }
    let word = |text: &str| Value::Word(text.to_owned());
    assert!(space.price("acknowledge", &word("false")).contains("retries"));
    assert_eq!(space.price("acknowledge", &word("true")), "");
    assert!(!names(&of(&[], &[], true)).contains(&"acknowledge".to_owned()));
    assert!(!names(&of(&[("window", "2")], &[], false)).contains(&"window".to_owned()));
    // A number between the profile's value and one with a cost has that cost too.
    let named = over(&[("connection_interval", "7.5ms..100ms")]);
    let base = profile("ble-nus-notify");
    let ble =
        Space::of(&base, Some(12), &settings(&[]), &named, Knobs::Quicker, false).expect("a space");
    assert_ne!(ble.price("connection_interval", &Value::Number(10.0)), "");
    assert_eq!(ble.price("connection_interval", &Value::Number(50.0)), "");
    assert!(ble.turned(&settings(&[("connection_interval", "30ms")])).is_empty());
    let turned = ble.turned(&settings(&[("connection_interval", "10ms")]));
    assert_eq!(turned[0].profile.as_deref(), Some("30000us"));
}

/// A bench for a link that loses a tenth of its frames.
fn bench(limits: &str) -> Bench {
    let mut profile = profile("nrf24-2m");
    profile.set("frame_loss", "0.1").expect("a parameter");
    let metrics = ["p50", "loss", "mean", "max", "goodput", "charge"];
    let metrics = metrics.map(|name| metric::find(name).expect("a metric")).to_vec();
    let task = Task { profile, size: Some(32), count: 50, period: None, region: None, metrics };
    Bench::new(task, Limit::read(limits).expect("limits"))
}

#[test]
fn no_setting_runs_twice_under_one_seed_and_a_refusal_is_an_outcome() {
    let mut bench = bench("loss<50%");
    let plain = settings(&[("acknowledge", "false")]);
    let wrong = settings(&[("retransmit_delay", "1us")]);
    let asked = [(plain.clone(), vec![1, 2]), (plain.clone(), vec![2, 3]), (wrong, vec![1])];
    let found = bench.measure(&asked);
    assert_eq!(bench.runs(), 4);
    // Metrics that were not requested are NaN, which does not equal itself.
    let same = |one: &dyn std::fmt::Debug, other: &dyn std::fmt::Debug| {
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
    };
    same(&bench.measure(&asked[..1])[0].runs, &found[0].runs);
    assert_eq!(bench.runs(), 4);
    let first = found[0].runs.as_ref().expect("it runs");
    same(&first[1], &found[1].runs.as_ref().expect("it runs")[0]);
    assert_eq!(found[0].messages(), 100);
    assert!(found[2].runs.is_err() && found[2].violation(bench.limits()).is_infinite());
    // Every metric has a value, and an interval where one exists.
    for one in bench.metrics() {
        let Estimate { value, low, high } = one.estimate(first);
        assert!(value.is_some() && low <= value, "{} {low:?} {value:?}", one.name);
        assert!(high.is_none() || !one.is_unbounded(), "{}", one.name);
    }
    let loss = metric::find("loss").expect("a metric");
    let lost = first.iter().flat_map(|run| &run.fates_ns).filter(|fate| fate.is_infinite()).count();
    assert!(lost > 0, "a tenth of the frames is lost, and nothing repeats them");
    assert_eq!(loss.value(first), lost as f64 / 100.0);
}

#[test]
fn a_limit_is_kept_with_confidence_or_not() {
    let mut bench = bench("p50<1s,loss<20%,loss<10.5%");
    let found = bench.measure(&[(settings(&[("acknowledge", "false")]), (1..=20).collect())]);
    let told = found[0].uncertain(bench.limits(), 0.05).expect("10 % is too near to 10.5 %");
    assert_eq!(told.limit, 2);
    assert_eq!(told.kept, found[0].violation(bench.limits()) == 0.0);
}

/// Runs that lose messages independently, with one probability.
fn lossy(seeds: std::ops::Range<u64>, share: f64) -> Vec<Run> {
    let run = |seed: u64| {
        let mut stream = airlag_sim::Stream::new(seed, "lost");
        let fate = |_| if stream.chance(share) { f64::INFINITY } else { 1e6 };
        Run { fates_ns: (0..1000).map(fate).collect(), figures: [f64::NAN; 6] }
    };
    seeds.map(run).collect()
}

#[test]
fn a_setting_at_its_limit_is_passed_in_fewer_than_one_of_a_hundred() {
    let limit = Limit::read("loss<1%").expect("a limit")[0];
    let passed = (0..300).filter(|nth| limit.holds(&lossy(20 * nth..20 * nth + 20, 0.01), 0.01));
    // 1 % of 300 is 3; more than 10 has a probability of 1/1000.
    assert!(passed.count() <= 10);
    assert!(limit.holds(&lossy(0..20, 0.005), 0.01));
    assert!(!limit.holds(&lossy(0..20, 0.02), 0.01));
    let all = [Share { count: 0, of: 20_000 }];
    assert!(share_bound(&all, 0.01, End::Upper) < 0.01);
}

#[test]
fn a_link_without_current_data_has_no_charge() {
    let task = |name: &str, size, metric: &str| Task {
        profile: profile(name),
        size,
        count: 5,
        period: None,
        region: None,
        metrics: vec![metric::find(metric).expect("a metric")],
    };
    let shown = |task: &Task| -> Vec<&str> {
        task.shown().expect("it runs").iter().map(|one| one.name).collect()
    };
    let with = task("nrf24-2m", Some(32), "charge");
    assert_eq!(shown(&with), ["p50", "p99", "loss", "charge"]);
    assert!(with.run(1).expect("it runs").figures[3] > 0.0);
    let without = task("gpio-stm32-ll-o3", None, "charge");
    assert_eq!(shown(&without), ["p50", "p99", "loss"]);
    assert!(matches!(without.run(1), Err(Problem::NoCharge { .. })));
    let silent = task("gpio-stm32-ll-o3", None, "goodput");
    assert!(matches!(silent.check(), Err(Problem::NoGoodput { .. })));
    let endless = Task {
        count: 10_000_000,
        period: Some(airlag_sim::Duration::from_secs(1000)),
        ..task("nrf24-2m", Some(32), "p50")
    };
    assert!(matches!(endless.run(1), Err(Problem::TooLong { .. })));
}

#[test]
fn a_region_forbids_a_setting() {
    let mut profile = profile("lora-sf7-250k");
    profile.set("frequency", "868.1MHz").expect("a parameter");
    let period = Some(airlag_sim::Duration::from_ms(100));
    let region = airlag_law::Region::find("eu");
    let metrics = vec![metric::find("p50").expect("a metric")];
    let task = Task { profile, size: Some(12), count: 20, period, region, metrics };
    assert!(matches!(task.run(1), Err(Problem::NotAllowed { region: "eu", .. })));
    assert!(Task { region: None, ..task }.run(1).is_ok());
}

#[test]
fn a_choice_begins_where_the_profile_is() {
    let Kind::Choice(choice) =
        values("nrf24-2m", "retransmit_delay", "500us|1ms|0.5ms").expect("words")
    else {
        panic!("not a choice")
    };
    assert_eq!(choice.home, "1ms");
    let one = Parameter { name: "a".to_owned(), kind: Kind::Choice(choice) };
    assert_eq!(one.home(), Value::Word("1ms".to_owned()));
    assert_eq!(BTreeMap::from([(one.key(), one.many())]), BTreeMap::from([("a".to_owned(), 3.0)]));
}

#[test]
fn current_and_lifetime_count_what_is_drawn_between_messages() {
    let of = |interval: &str, metric: &str| {
        let mut profile = profile("ble-nus-notify");
        profile.set("connection_interval", interval).expect("a parameter");
        let task = Task {
            profile,
            size: Some(12),
            count: 20,
            period: Some(airlag_sim::Duration::from_secs(1)),
            region: None,
            metrics: vec![metric::find(metric).expect("a metric")],
        };
        let metric = task.metrics[0];
        metric.value(&[task.run(1).expect("it runs")])
    };
    // An event needs a few uC, so at 33 events per second the current is tens of uA.
    let (short, long) = (of("30ms", "current"), of("480ms", "current"));
    assert!((20e3..400e3).contains(&short) && long < short / 3.0, "{short} {long}");
    let (short, long) = (of("30ms", "lifetime"), of("480ms", "lifetime"));
    assert!(long > 3.0 * short && long < 5.0, "{short} {long}");
}
