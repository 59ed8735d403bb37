"""``airlag campaign`` of a campaign that asks a question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from told import Airlag

from airlag.core.quantity import number, share
from airlag.questions.bench import Request, emulate
from airlag.questions.campaign import Answer, load, measure_each
from airlag.questions.load import saturated
from airlag.questions.trains import Train, burst
from airlag.views.pages.question import chart

ROOT = Path(__file__).resolve().parents[3]

HEAD = 'name = "asked"\nquestion = "How?"\n'
SIZES = (
    HEAD
    + """
x = "size"
y = "latency"
[[runs]]
links = ["nrf24-2m"]
sizes = [128, 12]
count = 40
[[runs]]
label = "slow"
links = ["nrf24-2m"]
sizes = [12, 128]
count = 40
set = { spi_byte = 2000 }
"""
)
TRAINS = (
    HEAD
    + """
x = "pace"
y = "delivery"
[[runs]]
links = ["thread-up"]
sizes = [79]
traffic = "back-to-back"
count = 60
trials = 2
pace = ["0s", "20ms"]
"""
)
PUBLISHED = """
[[published]]
cite = "thread-tock"
at = "reliability"
says = "82.3 % arrive"
"""
GOODPUT = (
    HEAD
    + """
x = "receive_buffer"
y = "gap"
[[runs]]
links = ["tcp-stream-softap"]
sizes = [64]
traffic = "goodput"
count = 50
sweep = { receive_buffer = [16, 32, 64] }
"""
)


@pytest.fixture
def told(airlag: Airlag, folder: Path):
    """Runs a campaign's text, and gives what ``--json`` says."""

    def run(text: str) -> list[dict[str, object]]:
        (folder / "asked.toml").write_text(text)
        said = airlag("campaign", "asked.toml", "--json", "--force")
        assert (said.code, said.err) == (0, "airlag: wrote reports/asked.html\n")
        found: list[dict[str, object]] = json.loads(said.out)
        return found

    return run


def test_a_point_is_the_run_of_the_same_link_size_and_settings(told) -> None:
    points = told(SIZES)
    assert [(each["series"], each["at"]) for each in points] == [
        ("nrf24-2m", 128.0),
        ("nrf24-2m", 12.0),
        ("slow", 12.0),
        ("slow", 128.0),
    ]
    run = emulate(Request("nrf24-2m", 128, count=40, settings={"spi_byte": "2000"}))
    assert run.latency is not None
    assert points[3]["latency_ns"]["p50"] == run.latency["p50"]


def test_a_train_is_swept_over_its_pace(told) -> None:
    points = told(TRAINS)
    for point, pace_ns in zip(points, (None, 20_000_000), strict=True):
        train = burst("thread-up", Train(size=79, count=60, trials=2, pace_ns=pace_ns))
        assert (point["at"], point["lost"]) == (float(pace_ns or 0), train.lost)
        assert point["goodput_kbps"] == train.kbps
    assert points[0]["lost"] > points[1]["lost"] == 0


def test_a_constant_is_swept_under_messages_that_never_wait(told) -> None:
    points = told(GOODPUT)
    for point, room in zip(points, (16, 32, 64), strict=True):
        alone = saturated("tcp-stream-softap", 64, count=50, settings={"receive_buffer": str(room)})
        assert alone.gap is not None
        assert point["at"] == room
        assert point["gap_ns"]["p50"] == alone.gap["p50"]
        assert point["latency_ns"] is None


def test_gaps_between_arrivals_add_up_to_the_time_that_was_watched() -> None:
    found = saturated("tcp-stream-softap", 64, count=200)
    assert found.gap is not None
    assert found.gap["n"] == found.delivered
    assert found.gap["mean"] * found.gap["n"] == pytest.approx(found.elapsed_ns)


def test_the_payload_stands_for_itself_in_a_constant(folder: Path) -> None:
    text = SIZES.replace("spi_byte = 2000", 'spi_byte = "{size}"')
    (folder / "asked.toml").write_text(text)
    asked = load(Path("asked.toml"))
    settings = [work.request.settings for work in asked.works]
    assert settings == [{}, {}, {"spi_byte": "12"}, {"spi_byte": "128"}]


def test_sentences_and_table_have_the_numbers_of_the_runs(folder: Path) -> None:
    (folder / "asked.toml").write_text(TRAINS)
    asked = load(Path("asked.toml"))
    assert asked.question is not None
    points = [point for point in measure_each(asked.works) if not isinstance(point, Exception)]
    answer = Answer.of(asked.question, points)
    one, other = points
    before, after = (share(each.sent - each.lost, each.sent) for each in (one, other))
    (sentence,) = answer.sentences
    assert sentence == (
        f'"thread-up": with a pace of 0 ms to 20 ms, delivery rises from {before} to {after}.'
    )
    assert [column.texts[0] for column in answer.columns[1:]] == [
        "0",
        "120",
        share(one.lost, 120),
        number(one.kbps or 0.0),
        number(100 * (one.lost_position or 0.0), 3),
    ]
    # The buffers are full by the time of the later ones.
    assert one.lost_position is not None
    assert one.lost_position > 0.5


@pytest.mark.parametrize(
    ("swept", "told"),
    [("hops = [1, 2]", "from 1 to 2 hops,"), ("hops = [2]", "with 2 hops.")],
)
def test_sentences_name_what_is_turned(swept: str, told: str, folder: Path) -> None:
    text = TRAINS.replace('x = "pace"', 'x = "hops"').replace(
        'pace = ["0s", "20ms"]', f"sweep = {{ {swept} }}"
    )
    (folder / "asked.toml").write_text(text)
    asked = load(Path("asked.toml"))
    assert asked.question is not None
    points = [point for point in measure_each(asked.works) if not isinstance(point, Exception)]
    (sentence,) = Answer.of(asked.question, points).sentences
    assert told in sentence


def test_a_train_is_over_when_its_last_message_came(folder: Path) -> None:
    (folder / "asked.toml").write_text(TRAINS.replace('"delivery"', '"completion"'))
    asked = load(Path("asked.toml"))
    assert asked.question is not None
    for work, point in zip(asked.works, measure_each(asked.works), strict=True):
        assert not isinstance(point, Exception)
        train = Train(size=79, count=60, trials=2, pace_ns=work.pace_ns)
        told = sorted(trial["elapsed_ns"] for trial in burst("thread-up", train).trials)
        completion = point.quantiles("completion")
        assert completion is not None
        assert [completion["min"], completion["max"]] == told


def test_what_others_published_stands_beside_the_answer(folder: Path) -> None:
    (folder / "asked.toml").write_text(TRAINS + PUBLISHED)
    asked = load(Path("asked.toml"))
    assert asked.question is not None
    points = [point for point in measure_each(asked.works) if not isinstance(point, Exception)]
    *_, last = Answer.of(asked.question, points).sentences
    assert last == "Published: 82.3 % arrive (Thread on Tock performance: reliability)."


def test_losses_are_drawn_where_they_have_no_latency(folder: Path) -> None:
    text = SIZES.replace("spi_byte = 2000", "frame_loss = 0.9").replace("nrf24-2m", "espnow")
    (folder / "asked.toml").write_text(text)
    asked = load(Path("asked.toml"))
    assert asked.question is not None
    points = [point for point in measure_each(asked.works) if not isinstance(point, Exception)]
    assert any(point.lost for point in points)
    drawn = chart(Answer.of(asked.question, points))
    crosses = [layer for layer in drawn["layer"] if layer["mark"].get("stroke") == "#d55e00"]
    assert len(crosses) == 1
    assert "A cross marks lost messages" in drawn["title"]["subtitle"][-1]


def test_a_page_holds_question_answer_table_and_chart(airlag: Airlag, folder: Path) -> None:
    (folder / "asked.toml").write_text(TRAINS.replace("How?", "How <much>?"))
    said = airlag("campaign", "asked.toml")
    assert (said.code, said.err) == (0, "")
    page = (folder / "reports/asked.html").read_text()
    assert "How &lt;much&gt;?</h2>" in page
    assert "delivery rises from" in page
    assert page.split("<tbody>")[1].split("</tbody>")[0].count("<tr>") == 2
    assert 'id="spec-asked"' in page
    assert "delivery rises from" in " ".join(said.out.split())


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (("y = ", "z = "), "no key `z`; did you mean"),
        (('x = "pace"', 'x = "paces"'), "no x `paces`; did you mean `pace`?"),
        (('x = "pace"', 'x = "repeat"'), "no x `repeat`"),
        (('"delivery"', '"latency"'), "`y`: traffic `back-to-back` does not measure latency"),
        (('question = "How?"\n', ""), "`x` belongs to a question; write `question` too"),
        (("trials", "utilisation = [1]\ntrials"), "[[runs]] 1: no key `utilisation`"),
        (('"20ms"', '"20"'), "[[runs]] 1: `pace`: '20' has no unit"),
        (('"20ms"', '"2ns"'), "[[runs]] 1: `pace` cannot be '2ns'; write 0s for none"),
        (("count", "set = { pase = 3 }\ncount"), "[[runs]] 1: thread-up: no parameter `pase`"),
        (("count", "sweep = { pase = [3] }\ncount"), "[[runs]] 1: thread-up: no parameter `pase`"),
        (("count", "sweep = { pace = 3 }\ncount"), "[[runs]] 1: `sweep.pace` cannot be 3"),
        (('"back-to-back"', '"backwards"'), "[[runs]] 1: no traffic `backwards`"),
        (
            ("[[runs]]", '[[published]]\ncite = "thread-tok"\nat = "a"\nsays = "b"\n[[runs]]'),
            "[[published]] 1: no source `thread-tok` in links/sources.toml; did you mean",
        ),
        (
            ("[[runs]]", '[[published]]\ncite = "thread-tock"\n[[runs]]'),
            "[[published]] 1: no `at`; a table has cite, at, says",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    airlag: Airlag, folder: Path, change: tuple[str, str], line: str
) -> None:
    assert change[0] in TRAINS
    (folder / "asked.toml").write_text(TRAINS.replace(*change, 1))
    said = airlag("campaign", "asked.toml")
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert f"asked.toml: {line}" in said.err


def test_every_campaign_with_a_question_has_its_page_and_its_picture() -> None:
    asked = [path.stem for path in (ROOT / "campaigns").glob("*.toml") if load(path).question]
    assert "closed-loop-size" in asked
    pages = {path.stem for path in (ROOT / "docs/questions").glob("*.md")} - {"README"}
    assert pages == set(asked)
    pictures = {path.stem for path in (ROOT / "docs/pictures").glob("question-*.svg")}
    assert pictures == {f"question-{name}" for name in asked}
