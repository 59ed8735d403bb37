use proptest::prelude::*;

use super::*;

fn transfer(parts: &[(&'static str, i64)]) -> Timeline<&'static str> {
    let latency = parts.iter().map(|part| part.1).sum();
    let parts = parts.iter().map(|&(name, ns)| Part { name, ns }).collect();
    Timeline::new(latency, parts).expect("a sum")
}

#[test]
fn parts_that_do_not_add_up_are_no_transfer() {
    let parts = || vec![Part { name: "air", ns: 5 }, Part { name: "bus", ns: 6 }];
    assert!(Timeline::new(11, parts()).is_ok());
    assert_eq!(Timeline::new(12, parts()), Err(Uneven { latency_ns: 12, sum_ns: 11 }));
    let negative = vec![Part { name: "air", ns: 5 }, Part { name: "bus", ns: -1 }];
    let error = Timeline::new(4, negative).expect_err("time does not run backwards");
    assert!(error.to_string().contains("4 ns") && !error.to_string().contains('\n'));
}

#[test]
fn the_chosen_transfers_are_real_ones() {
    let run: Vec<_> = (1..=200).map(|ns| transfer(&[("bus", 10), ("air", ns)])).collect();
    let budget = Budget::of(&run).expect("transfers");
    assert_eq!((budget.median.index, budget.p99.index), (99, 197));
    assert_eq!(budget.median.timeline.latency_ns(), 110);
    assert_eq!(budget.p99.timeline.spent(|name| name == "air"), 198);
}

#[test]
fn items_stand_in_the_order_transfers_come_to_them() {
    let usual = transfer(&[("tick", 3), ("bus", 10), ("air", 50), ("bus", 10)]);
    let late = transfer(&[("tick", 3), ("bus", 10), ("air", 50), ("retry", 100), ("bus", 10)]);
    let budget = Budget::of(&[usual.clone(), usual, late]).expect("transfers");
    let items: Vec<_> = budget.items.iter().map(|item| (item.name, item.total_ns)).collect();
    assert_eq!(items, [("tick", 9), ("bus", 60), ("air", 150), ("retry", 100)]);
    // A transfer without a retry counts as one with a retry of 0.
    assert_eq!(budget.items[3].p50_ns, 0.0);
    assert_eq!(budget.mean_of(|name| name == "retry"), 100.0 / 3.0);
}

#[test]
fn nothing_has_no_budget() {
    assert_eq!(Budget::<u8>::of(&[]), None);
}

proptest! {
    #[test]
    fn what_is_spent_is_what_it_took(
        run in prop::collection::vec(
            prop::collection::vec((0_u8..6, 0_i64..1_000_000_000_000), 0..20),
            1..60,
        )
    ) {
        let run: Vec<Timeline<u8>> = run
            .into_iter()
            .map(|parts| {
                let latency = parts.iter().map(|part| part.1).sum();
                let parts = parts.into_iter().map(|(name, ns)| Part { name, ns }).collect();
                Timeline::new(latency, parts).expect("a sum")
            })
            .collect();
        let budget = Budget::of(&run).expect("transfers");
        let items: i128 = budget.items.iter().map(|item| item.total_ns).sum();
        prop_assert_eq!(items, budget.total_ns);
        let latencies: Vec<i64> = run.iter().map(Timeline::latency_ns).collect();
        prop_assert_eq!(latencies.iter().map(|&ns| i128::from(ns)).sum::<i128>(), budget.total_ns);
        for (chosen, percent) in [(&budget.median, 50), (&budget.p99, 99)] {
            let latency = chosen.timeline.latency_ns();
            prop_assert_eq!(&run[chosen.index], &chosen.timeline);
            let at_most = latencies.iter().filter(|&&ns| ns <= latency).count();
            let below = latencies.iter().filter(|&&ns| ns < latency).count();
            prop_assert!(at_most * 100 >= percent * run.len());
            prop_assert!(below * 100 < percent * run.len());
        }
        for item in &budget.items {
            prop_assert!(item.p50_ns <= item.p99_ns && item.mean_ns >= 0.0);
        }
        // The order of the transfers only determines which of several equal ones is selected.
        let mut turned = run.clone();
        turned.reverse();
        let other = Budget::of(&turned).expect("transfers");
        let by_name = |budget: &Budget<u8>| {
            let mut items: Vec<_> = budget.items.iter().map(|i| (i.name, i.total_ns)).collect();
            items.sort_unstable();
            items
        };
        prop_assert_eq!(by_name(&budget), by_name(&other));
        prop_assert_eq!(
            budget.p99.timeline.latency_ns(),
            other.p99.timeline.latency_ns()
        );
    }
}
