"""Intervals of shares, quantiles and means, against what is known of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from airlag.tuning.estimate import mean_bound, quantile, quantile_bound, share_bound
from airlag.tuning.metrics import METRICS, Seen


def test_nothing_of_a_thousand_is_bounded_as_the_formula_says() -> None:
    # Clopper and Pearson: (1 - p)^n is what is left of the probability.
    assert share_bound([0], [1000], 0.05, upper=True) == pytest.approx(1 - 0.05 ** (1 / 1000))
    assert share_bound([1000], [1000], 0.05, upper=False) == pytest.approx(0.05 ** (1 / 1000))
    assert share_bound([0], [1000], 0.05, upper=False) == 0.0
    assert share_bound([0], [0], 0.05, upper=True) == 1.0


def test_an_end_of_a_quantile_is_the_order_statistic_of_the_tables() -> None:
    # Of 100 independent ones the 59th is above the median with 95 %, as with tables of the
    # binomial: P(X <= 58) = 0.9557, P(X <= 57) = 0.9334.
    runs = [np.arange(1.0, 101.0)]
    assert quantile_bound(runs, 0.5, 0.05, upper=True) == 59.0
    assert quantile_bound(runs, 0.5, 0.05, upper=False) == 42.0
    # 100 messages cannot bound their 99 % quantile: 0.99^100 = 0.37 is no 5 %.
    assert quantile_bound(runs, 0.99, 0.05, upper=True) == math.inf


def test_runs_that_differ_say_less_than_as_many_independent_messages() -> None:
    alike, apart = [10] * 20, [0] * 18 + [100] * 2
    sizes = [1000] * 20
    same = share_bound(alike, sizes, 0.05, upper=True)
    wider = share_bound(apart, sizes, 0.05, upper=True)
    assert same < 0.0125 < wider
    low, high = np.full(100, 1.0), np.full(100, 9.0)
    steady = [np.concatenate([low, high])] * 20
    bursts = [np.concatenate([low, low])] * 10 + [np.concatenate([high, high])] * 10
    assert quantile_bound(steady, 0.6, 0.05, upper=False) == 9.0
    assert quantile_bound(bursts, 0.6, 0.05, upper=False) == 1.0


@pytest.mark.parametrize("clustered", [False, True])
def test_a_bound_misses_as_seldom_as_it_says(clustered: bool) -> None:
    random = np.random.default_rng(7)
    missed = 0
    for _ in range(400):
        # A share of 2 % on the whole; in clusters it differs from run to run.
        shares = random.beta(2, 98, 20) if clustered else np.full(20, 0.02)
        counts = random.binomial(500, shares).tolist()
        missed += share_bound(counts, [500] * 20, 0.05, upper=True) < 0.02
    # 5 % of 400 are 20; of so many draws, 35 would be a chance of one in a thousand.
    assert missed < 35


def test_a_lost_message_takes_longer_than_any() -> None:
    fates = np.array([1.0, 2.0, 3.0, math.inf])
    assert quantile(fates, 0.5) == 2.5
    assert quantile(fates, 0.99) == math.inf
    told = METRICS["p99"].estimate([Seen(fates, {})] * 20)
    assert (told.value, told.high) == (None, None)
    assert METRICS["loss"].estimate([Seen(fates, {})] * 20).value == 0.25


def test_a_mean_is_bounded_by_how_runs_differ() -> None:
    values = [1.0, 2.0, 3.0]
    # Student's t of two degrees of freedom at 97.5 %: 4.3027.
    assert mean_bound(values, 0.025, upper=True) == pytest.approx(2 + 4.3027 / math.sqrt(3), 1e-4)
    assert mean_bound([1.0, math.nan], 0.025, upper=True) == math.inf


def test_charge_is_refused_where_nothing_says_it() -> None:
    class Uncharged:
        link = "nothing"
        charge = None

    class Charged:
        charge = {"sender": {"marginal_nc": 1500.0}, "receiver": {"marginal_nc": 1.0}}  # noqa: RUF012

    figure = METRICS["charge"].figure
    assert figure is not None
    assert figure(Charged()) == 1500.0
    assert METRICS["charge"].text(1500.0) == "1.500 uC"
    with pytest.raises(Exception, match="has no charge; leave charge out"):
        figure(Uncharged())
