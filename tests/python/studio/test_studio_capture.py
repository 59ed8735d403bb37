"""Dropping a capture in the studio: answers of the command line, charts, files of any kind."""

from __future__ import annotations

import json
import random
import shlex
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys
from studio_page import severe, text_of, until

from browsing import seen_at

Studio = Callable[..., Any]

STUDIO = Path(__file__).parents[3] / "studio"

#: Files that airlag reads.
READ = {".csv", ".sal", ".sr", ".vcd"}


@pytest.fixture(scope="session")
def thousand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated capture with losses and a slow tail."""
    path = tmp_path_factory.mktemp("captures") / "bench-12B.csv"
    words = ["node", str(STUDIO / "tests/capture-file.js"), "8000", str(path)]
    subprocess.run(words, check=True)
    return path


def drop(page: Any, path: Path) -> None:
    """Chooses a file, and waits for its answer or for its message."""
    page.execute_script("document.querySelector('.capture .status').textContent = ''")
    page.find_element("id", "capture-file").send_keys(str(path))
    until(
        page,
        "return !document.querySelector('.capture[aria-busy]') && (document.querySelector("
        "'.results:not([hidden])') || document.querySelector('.capture .lost.status')"
        " || document.querySelector('#messages p')) ? true : null",
    )


def dropped(studio: Studio, path: Path, state: str = "#/capture") -> Any:
    page = studio(state)
    until(page, "return document.querySelector('#capture-file') !== null")
    drop(page, path)
    return page


def saved(page: Any) -> str:
    """The JSON that the page saves."""
    page.execute_script(
        "const make = URL.createObjectURL.bind(URL);"
        "URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text; });"
        " return make(blob); }"
    )
    page.execute_script("window.saved = undefined")
    for each in page.find_elements("css selector", ".capture button"):
        if each.text.startswith("Save the answer"):
            each.click()
    return str(until(page, "return window.saved ?? null"))


def messages(page: Any) -> str:
    return text_of(page, "#messages") + text_of(page, ".capture .lost.status")


def test_a_newcomer_reads_a_capture(
    studio: Studio, thousand: Path, airlag: Callable[..., str]
) -> None:
    page = studio("#/capture")
    assert "nothing is sent anywhere" in text_of(page, ".drop")
    drop(page, thousand)
    summary = text_of(page, ".outcomes")
    assert "Channel 0 → Channel 1" in summary
    assert "lost" in summary
    assert "lost-transfers" in text_of(page, ".findings")
    assert saved(page) == airlag("analyze", str(thousand), "--json")
    # Levels of the channels come last; then one transfer has its edges and its latency.
    canvas = page.find_element("css selector", ".explorer canvas")
    until(page, "return document.querySelector('.explorer canvas').clientHeight > 350")
    whole = text_of(page, ".range")
    canvas.send_keys("n")
    until(page, "return /: 1 transfers?/.test(document.querySelector('.range').textContent)")
    assert "latency" in text_of(page, ".pointed")
    canvas.send_keys("l")
    assert "no completion" in text_of(page, ".pointed")
    page.execute_script("document.querySelector('.findings button').click()")
    assert "Show place 2" in text_of(page, ".findings button")
    page.execute_script("document.querySelector('.explorer .row button').click()")
    text = "document.querySelector('.range').textContent.replaceAll('\\u00a0', ' ')"
    until(page, f"return {text} === {json.dumps(whole)}")
    assert messages(page) == ""
    assert severe(page) == []


def test_files_can_be_dropped_anywhere_on_the_page(studio: Studio) -> None:
    page = studio("#/capture")
    until(page, "return document.querySelector('#capture-file') !== null")
    page.execute_script(
        "const text = 'Time [s],A,B\\n0,0,0\\n' + Array.from({length: 50}, (_, n) =>"
        "  `${n + 1},1,0\\n${n + 1.001},0,1\\n${n + 1.002},0,0`).join('\\n');"
        "const transfer = new DataTransfer();"
        "for (const name of ['one.csv', 'two.csv']) transfer.items.add(new File([text], name));"
        "for (const kind of ['dragover', 'drop']) document.querySelector('footer').dispatchEvent("
        "  new DragEvent(kind, {dataTransfer: transfer, bubbles: true, cancelable: true}))"
    )
    until(page, "return document.querySelector('.results:not([hidden])') !== null")
    assert "A → B: 50 triggers, 50 delivered" in text_of(page, ".outcomes")
    assert "2 files were dropped; one.csv is shown" in text_of(page, "#messages")
    assert severe(page) == []


def test_options_are_those_of_the_command_line(
    studio: Studio, thousand: Path, airlag: Callable[..., str]
) -> None:
    page = dropped(
        studio,
        thousand,
        "#/capture?trigger=Channel+1&completion=0&invert=Channel+0&minlow=2us&overlap=20ms&deadline=8ms",
    )
    line = shlex.split(
        page.execute_script(
            "return [...document.querySelectorAll('.capture code')].map(one => one.textContent)"
            ".find(one => one.startsWith('airlag analyze'))"
        )
    )
    line[2] = str(thousand)
    assert saved(page) == airlag(*line[1:])
    assert "Deadline 8.000 ms" in text_of(page, ".results")
    # Back to the default channels in the form.
    page.execute_script("document.querySelector('.capture details').open = true")
    for name in ("trigger", "completion"):
        page.execute_script(
            f"const list = document.querySelector('#capture-{name}'); list.value = '';"
            "list.dispatchEvent(new Event('change'))"
        )
    until(page, "return document.querySelector('.outcomes').textContent.startsWith('Channel 0 →')")
    assert "trigger=" not in page.current_url
    page.back()
    until(page, "return location.hash.includes('completion=0')")
    assert severe(page) == []


def test_a_table_of_latencies_has_no_channels(studio: Studio, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    values = random.Random(1)
    rows = [f"{values.gauss(3, 0.2):.4f}" for _ in range(500)]
    table.write_text("\n".join(["latency_ms", *rows]))
    page = dropped(studio, table)
    assert "500 latencies of a table" in text_of(page, ".outcomes")
    assert (
        page.execute_script("return document.querySelector('#capture-trigger').checkVisibility()")
        is False
    )
    assert "Row" in text_of(page, ".range") or until(
        page, "return document.querySelector('.range').textContent.startsWith('Row')"
    )
    assert severe(page) == []


def hostile(folder: Path) -> list[Path]:
    """Files that are no captures, or broken ones."""
    noise = random.Random(2)
    made = {
        "empty.csv": b"",
        "noise.sal": noise.randbytes(50_000),
        "noise": noise.randbytes(3),
        "zip.sr": b"PK\x03\x04" + noise.randbytes(2000),
        "header.csv": b"Time [s],Channel 0,Channel 1\n",
        "text.csv": b"Time [s],Channel 0,Channel 1\n0,0,0\nx,y,z\n",
        "huge-time.csv": b"Time [s],A,B\n0,0,0\n1e300,1,0\n",
        "one-channel.csv": b"Time [s],A\n0,0\n1,1\n2,0\n",
        "<img src=x onerror=alert(1)>.csv": b"\xff\xfe\x00\x01",
        "wide.csv": b"Time [s]," + b",".join(b"C%d" % n for n in range(5000)) + b"\n",
        "vcd.vcd": (
            b"$timescale 1ns $end\n$var wire 1 ! a $end\n$enddefinitions $end\n"
            b"#0\n0!\n#99999999999999999999\n1!\n"
        ),
        "binary.bin": b"<SALEAE>" + b"\xff" * 64,
        "parquet.parquet": b"PAR1" + noise.randbytes(100) + b"PAR1",
        "nul.csv": b"\x00" * 100_000,
    }
    for name, content in made.items():
        (folder / name).write_bytes(content)
    archive = folder / "cut.sr"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("version", "2")
        packed.writestr("metadata", "[device 1]\nsamplerate=1 MHz\ntotal probes=2\n")
        packed.writestr("logic-1-1", noise.randbytes(4000))
    archive.write_bytes(archive.read_bytes()[:-700])
    return sorted(folder.iterdir())


def test_files_of_any_kind_end_in_a_message(studio: Studio, thousand: Path, tmp_path: Path) -> None:
    page = studio("#/capture")
    for path in hostile(tmp_path):
        drop(page, path)
        line = messages(page)
        assert line, path.name
        assert len(line) < 400, line
        assert "\n" not in line
    # A file of 3 GB without content on the disk.
    large = tmp_path / "large.csv"
    with large.open("wb") as file:
        file.truncate(3 * 1024**3)
    drop(page, large)
    assert "this page reads up to" in messages(page)
    # The page still answers.
    drop(page, thousand)
    until(page, "return document.querySelector('.results:not([hidden])') !== null")
    assert messages(page) == ""
    assert severe(page) == []


@pytest.mark.parametrize(
    "state",
    [
        "#/capture?trigger=nowhere",
        "#/capture?trigger=1&completion=1",
        "#/capture?invert=%00&minlow=x&overlap=-1ms&unit=h&scale=none&column=%F0%9F%98%80",
        "#/capture?column=zzz&unit=ms&deadline=1ns&minlow=86400s",
    ],
)
def test_any_state_ends_in_an_answer_or_a_message(
    studio: Studio, thousand: Path, state: str
) -> None:
    page = dropped(studio, thousand, state)
    assert messages(page) or text_of(page, ".outcomes")
    # Channels can be chosen even if the analysis failed.
    until(page, "return document.querySelectorAll('#capture-trigger option').length >= 3")
    assert severe(page) == []


@pytest.mark.parametrize(
    ("width", "scheme"), [(360, "light"), (1280, "dark"), (1280, "light"), (2560, "dark")]
)
def test_it_is_accessible_and_fits(
    studio: Studio, thousand: Path, axe: str, width: int, scheme: str
) -> None:
    page = studio("#/capture")
    with seen_at(page, width, scheme):
        drop(page, thousand)
        page.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
        until(page, "return document.querySelector('.spread svg') !== null")
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
        page.execute_script(axe)
        found = page.execute_async_script(
            "const done = arguments[0]; axe.run().then(all => done(all.violations))"
        )
    bad = [one for one in found if one["impact"] in {"serious", "critical"}]
    assert [(one["id"], [node["html"][:120] for node in one["nodes"][:3]]) for one in bad] == []


@pytest.mark.peers
@pytest.mark.timeout(900)
def test_the_answer_is_that_of_the_command_line(
    studio: Studio, captures: Path, airlag: Callable[..., str]
) -> None:
    page = studio("#/capture")
    files = [path for path in sorted(captures.rglob("*")) if path.suffix in READ]
    assert files
    different = []
    for path in files:
        drop(page, path)
        assert messages(page) == "", path
        if saved(page) != airlag("analyze", str(path), "--json"):
            different.append(path.name)
    assert different == []
    assert severe(page) == []


def test_the_visible_part_is_in_the_address(studio: Studio, thousand: Path) -> None:
    page = dropped(studio, thousand)
    whole = until(page, "return document.querySelector('#capture-range').textContent || null")
    page.find_element("css selector", ".explorer canvas").send_keys("+++n")
    until(page, "return location.hash.includes('from=') && location.hash.includes('to=')")
    part = text_of(page, "#capture-range")
    assert part != whole
    state = page.execute_script("return location.hash")
    again = dropped(studio, thousand, state)
    until(again, "return document.querySelector('#capture-range').textContent || null")
    assert text_of(again, "#capture-range") == part
    again.find_element("css selector", ".explorer canvas").send_keys(Keys.HOME)
    until(again, "return !location.hash.includes('from=')")
    assert severe(again) == []
