//! Pareto fronts of cost vectors.

/// Whether `one` is at most `other` in every component, and less in at least one.
#[must_use]
pub fn dominates(one: &[f64], other: &[f64]) -> bool {
    let pairs = || one.iter().zip(other);
    pairs().all(|(a, b)| a <= b) && pairs().any(|(a, b)| a < b)
}

/// Indices of the vectors that no other dominates, ascending. Of several equal vectors, only the
/// first is included.
#[must_use]
pub fn front(costs: &[Vec<f64>]) -> Vec<usize> {
    let is_on = |at: &usize| {
        let mine = &costs[*at];
        !costs[..*at].contains(mine) && !costs.iter().any(|other| dominates(other, mine))
    };
    (0..costs.len()).filter(is_on).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_costs_dominate_neither_way() {
        assert!(dominates(&[1.0, 2.0], &[1.0, 3.0]));
        assert!(!dominates(&[1.0, 2.0], &[1.0, 2.0]));
        assert!(!dominates(&[1.0, 2.0], &[0.0, 3.0]));
        assert_eq!(
            front(&[vec![1.0, 2.0], vec![2.0, 1.0], vec![1.0, 2.0], vec![2.0, 2.0]]),
            [0, 1]
        );
        assert_eq!(front(&[]), [0; 0]);
    }

    proptest! {
        #[test]
        fn whatever_is_left_out_is_dominated_or_a_repeat(
            costs in prop::collection::vec(prop::collection::vec((0..6i8).prop_map(f64::from), 3), 0..40),
        ) {
            let found = front(&costs);
            for (at, mine) in costs.iter().enumerate() {
                let covered = found.iter().any(|&on| on != at && (dominates(&costs[on], mine) || costs[on] == *mine));
                prop_assert_eq!(found.contains(&at), !covered);
            }
        }
    }
}
