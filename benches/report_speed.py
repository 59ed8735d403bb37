"""A report of 100,000 transfers: size of its page, and time to write and to draw it.

The page is drawn when headless Chromium has laid out and painted every chart. The page itself
measures the time since the browser began to load it.

Run it with ``make bench``, or ``python benches/report_speed.py [TRANSFERS ...]``.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from airlag.questions.runs import NONE, Finding, Outcome, Run
from airlag.views.pages.charts import charts_for
from airlag.views.pages.page import write_report

ROUNDS = 5
FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--window-size=1280,1000",
]


def generate(transfers: int) -> Run:
    """A link with retries, a slot clock of 30 ms, a tail, and one loss in a hundred."""
    rng = np.random.default_rng(1)
    trigger = np.arange(transfers, dtype=np.int64) * 50_013_700 + 1_000
    latency = (
        2_000_000
        + (-trigger) % 30_000_000
        + rng.normal(0, 20_000, transfers).astype(np.int64)
        + 30_000_000 * (rng.random(transfers) < 0.02)
    )
    lost = rng.random(transfers) < 0.01
    arrived = latency[~lost]
    summary = {"n": len(arrived), "min": int(arrived.min()), "max": int(arrived.max())}
    for percent in (1, 5, 25, 50, 75, 90, 95, 99, 99.9):
        summary[f"p{percent:g}"] = float(np.percentile(arrived, percent))
    own_period = Finding("own-period", {"period_ns": 30e6, "r": 0.999}, "A clock.", "Keep step.")
    return Run(
        source=f"made-{transfers}.csv",
        trigger_ns=trigger,
        completion_ns=np.where(lost, NONE, trigger + latency),
        outcome=np.where(lost, Outcome.LOST, Outcome.DELIVERED).astype(np.uint8),
        spurious_ns=np.empty(0, np.int64),
        glitch_ns=np.empty(0, np.int64),
        start_ns=0,
        end_ns=int(trigger[-1]) + 50_013_700,
        latency=summary,
        findings=[own_period],
        seed=1,
    )


def drawn_ms(page: Path) -> tuple[int, int]:
    """Number of drawn charts, and ms until the last one, in a browser with an empty profile."""
    from selenium import webdriver
    from selenium.webdriver.support.ui import WebDriverWait

    options = webdriver.ChromeOptions()
    with tempfile.TemporaryDirectory() as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        service = webdriver.ChromeService(shutil.which("chromedriver"))
        browser = webdriver.Chrome(options=options, service=service)
        try:
            browser.get(page.as_uri())
            note = "return document.documentElement.dataset"
            WebDriverWait(browser, 120, 0.05).until(
                lambda ready: "ready" in ready.execute_script(note)
            )
            # Charts out of view are drawn when they come into view, or all of them for a printer.
            browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
            WebDriverWait(browser, 120, 0.05).until(
                lambda ready: ready.execute_script(f"{note}.drawn === {note[7:]}.charts")
            )
            said = browser.execute_script(note)
        finally:
            browser.quit()
    return int(said["drawn"]), int(said["drawnMs"])


def main() -> None:
    """Prints one block per size."""
    out = sys.stdout.write
    sizes = [int(argument) for argument in sys.argv[1:]] or [100_000]
    out(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            run = generate(size)
            page = Path(folder) / "report.html"
            seconds = []
            for _ in range(ROUNDS):
                begin = time.perf_counter()
                write_report([run], page)
                seconds.append(time.perf_counter() - begin)
            out(f"\nreport of {size:,} transfers\n")
            for chart in charts_for([run]):
                said = chart.lines[-1] if chart.skipped is None else f"not drawn: {chart.skipped}"
                out(f"  {chart.name:14} {said}\n")
            out(f"  page {page.stat().st_size / 1e6:.2f} MB")
            out(f", written in {statistics.median(seconds):.2f} s\n")
            if shutil.which("chromedriver") is None:
                out("  not drawn: chromedriver not found; install chromium-driver\n")
                continue
            rounds = [drawn_ms(page) for _ in range(ROUNDS)]
            taken = [ms / 1e3 for _, ms in rounds]
            out(f"  {rounds[0][0]} charts drawn in {statistics.median(taken):.2f} s")
            out(f" ({min(taken):.2f} to {max(taken):.2f}) in headless Chromium\n")


if __name__ == "__main__":
    main()
