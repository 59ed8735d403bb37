"""Databases of searches: damaged, written by two at once, left behind by a kill."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from airlag import LinkError
from airlag.questions.tuning.choosing import tune
from airlag.questions.tuning.objective import Objective
from airlag.questions.tuning.study import Study, Trial
from airlag.questions.tuning.tuned import Tuned

ASKED = Objective(
    link="nrf24-2m",
    size=12,
    minimise=("p50",),
    over={"retransmit_count": "3..5"},
    count=5,
    trials=6,
)


@pytest.fixture(scope="module")
def whole() -> Tuned:
    return tune(ASKED)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "kept.db"


def kept(database: Path) -> Objective:
    return replace(ASKED, storage=f"sqlite:///{database}")


def tried(told: Tuned) -> list[str]:
    """Every setting with what it gave, in no order."""
    return sorted(json.dumps(one) for one in told.to_json()["tried"])


#: What stands in the place of how a trial was judged, as JSON.
FIRST = [
    "{}",
    "[]",
    "7",
    '[["a", "b"]]',
    "[[0, NaN]]",
    "[[0, true]]",
    "[[0, 1, 2]]",
    f"[[0, {10**400}]]",
]


@pytest.mark.parametrize("value", FIRST)
def test_a_trial_that_is_damaged_runs_again(value: str, whole: Tuned, database: Path) -> None:
    tune(kept(database))
    with sqlite3.connect(database) as held:
        changed = held.execute(
            "update trial_user_attributes set value_json = ? where trial_id = 3 and key = 'first'",
            (value,),
        )
        assert changed.rowcount == 1
    held.close()
    again = tune(kept(database))
    assert again.found == whole.found
    assert tried(again) == tried(whole)


def test_a_trial_of_no_setting_of_the_space_runs_again(whole: Tuned, database: Path) -> None:
    tune(kept(database))
    with sqlite3.connect(database) as held:
        held.execute(
            "update trial_params set param_value = 17"
            " where trial_id = 2 and param_name like 'retransmit_count%'"
        )
        held.execute("delete from trial_params where trial_id = 4")
    held.close()
    again = tune(kept(database))
    assert again.found == whole.found
    assert tried(again) == tried(whole)


@pytest.mark.parametrize(
    "damage",
    [
        "update trials set state = 'NONE'",
        "update study_user_attributes set value_json = '{'",
        "delete from study_user_attributes",
        "update study_directions set direction = 'MAXIMISE'",
        "delete from study_directions",
        "update trial_params set distribution_json = '[]'",
        "drop table trials; create table trials (trial_id integer)",
    ],
)
def test_a_database_that_cannot_be_continued_is_refused_and_stays(
    damage: str, database: Path
) -> None:
    tune(kept(database))
    with sqlite3.connect(database) as held:
        held.executescript(damage)
    held.close()
    before = database.read_bytes()
    with pytest.raises(LinkError) as refused:
        tune(kept(database))
    assert str(refused.value).isprintable()
    assert database.read_bytes() == before


@pytest.mark.parametrize("content", [b"no database", bytes(4096), b"SQLite format 3\0" + bytes(99)])
def test_a_file_that_is_no_database_is_refused_and_stays(content: bytes, database: Path) -> None:
    database.write_bytes(content)
    with pytest.raises(LinkError) as refused:
        tune(kept(database))
    assert str(refused.value).isprintable()
    assert database.read_bytes() == content
    assert list(database.parent.iterdir()) == [database]


def test_of_two_searches_of_one_study_the_second_is_refused(whole: Tuned, database: Path) -> None:
    refused = []

    def begin(_: int) -> None:
        with pytest.raises(LinkError) as error:
            tune(kept(database))
        refused.append(str(error.value))
        if len(refused) == 1:
            # Of another study there may be one at the same time.
            assert tune(replace(kept(database), study="other")).found == whole.found

    assert tune(kept(database), begin).found == whole.found
    assert len(refused) == ASKED.trials
    assert all("another search is writing" in each for each in refused)
    assert list(database.parent.iterdir()) == [database]


def test_where_nothing_excludes_the_second_the_first_is_refused(
    whole: Tuned, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As on a server of databases.
    monkeypatch.setattr(Study, "_hold", lambda _: None)
    tell, begun = Study.tell, False

    def told(study: Study, handle: object, trial: Trial) -> None:
        nonlocal begun
        if not begun:
            begun = True
            assert tune(kept(database)).found == whole.found
        tell(study, handle, trial)

    monkeypatch.setattr(Study, "tell", told)
    with pytest.raises(LinkError, match="another search is writing"):
        tune(kept(database))
    assert tune(kept(database)).found == whole.found


def test_a_trial_that_a_kill_left_waiting_is_no_other(whole: Tuned, database: Path) -> None:
    optuna = pytest.importorskip("optuna")
    put = Study.put

    def killed(study: Study, point: dict[str, float | str]) -> object:
        if len(study._study.trials) == 3:
            study._study.enqueue_trial({"retransmit_count": 4})
            raise InterruptedError("the plug was pulled")
        return put(study, point)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Study, "put", killed)
        with pytest.raises(InterruptedError):
            tune(kept(database))
    again = tune(kept(database))
    assert tried(again) == tried(whole)
    storage = f"sqlite:///{database}"
    (name,) = optuna.get_all_study_names(storage)
    study = optuna.load_study(study_name=name, storage=storage)
    assert all(trial.state.is_finished() for trial in study.trials)
