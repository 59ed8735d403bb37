"""Download, first answer, redraws over all profiles, and a large capture in the studio.

The download is that of a server which compresses with gzip. The first answer is timed from the
start of the navigation in a browser that has nothing stored.

Each profile is opened in headless Chromium with the size of its first run. Then its first knob is
turned to another value and back. The page itself measures each redraw,
from the event of the control until the frame is with the compositor (``airlag: redraw`` of the
browser's performance interface). The page is served from ``studio/dist``; ``make studio`` builds it
first, optimised unless the environment says otherwise.

A capture of a million rows is chosen as a file, and the browser reports tasks of the page's main
thread above 50 ms (``longtask``) until the answer is there.

Prints the median, the 95th percentile and the slowest five as a table in Markdown. Ends with 1
where the download exceeds 2 MB, the first answer 2 s, the median redraw 100 ms, a redraw 400 ms,
the answer about the capture 1.5 s or a task of the main thread meanwhile 100 ms.

Run it with ``python benches/studio_redraw.py [LINK…]``; it needs Chromium and chromedriver.
"""

from __future__ import annotations

import gzip
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from selenium import webdriver

import airlag

STUDIO = Path(__file__).parents[1] / "studio"
DIST = STUDIO / "dist"
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"]
#: Knobs turned per profile.
KNOBS = 1
#: Longest wait for all messages of a run, and for a redraw: some values change nothing, s.
COMPLETE_S = 20.0
REDRAW_S = 2.0
DOWNLOAD_MB = 2.0
FIRST_S = 2.0
MEDIAN_MS = 100.0
WORST_MS = 400.0
ROWS = 1_000_000
CAPTURE_S = 1.5
TASK_MS = 100.0

COMPLETE = (
    "const status = document.querySelector('.packet .status')?.textContent;"
    "return Boolean(status && !status.includes('computed')"
    " && document.querySelector('.packet .boards')?.childElementCount)"
)
#: Numbers of knobs that have another value, and that value. A checkbox is clicked.
CHOICES = """
const found = [];
for (const [index, knob] of document.querySelectorAll('.packet .knob').entries()) {
  const control = knob.querySelector('select, input[type=range], input[type=checkbox]');
  if (!control || control.disabled || knob.hidden || !knob.checkVisibility()) continue;
  const name = knob.querySelector('label').textContent;
  if (control.type === 'checkbox') found.push([index, name, '']);
  else if (control.tagName === 'SELECT') {
    const other = [...control.options].find((one) => !one.selected && one.value !== 'a number');
    if (other) found.push([index, name, other.value]);
  } else {
    const [low, high, now] = [control.min, control.max, control.value].map(Number);
    found.push([index, name, String(now === low ? high : (low + now) / 2)]);
  }
}
return found;
"""
TURN = """
performance.clearMeasures('airlag: redraw');
const knob = document.querySelectorAll('.packet .knob')[arguments[0]];
const control = knob.querySelector('select, input[type=range], input[type=checkbox]');
if (control.type === 'checkbox') { control.click(); return ''; }
const before = control.value;
control.value = arguments[1];
control.dispatchEvent(new Event(control.type === 'range' ? 'input' : 'change', {bubbles: true}));
return before;
"""
WATCH = """
window.tasks = [0];
const add = (list) => { for (const task of list.getEntries()) window.tasks.push(task.duration); };
new PerformanceObserver(add).observe({type: 'longtask'});
document.querySelector('#capture-file').addEventListener('change', () => {
  const begin = performance.now();
  const look = () => {
    const done = !document.querySelector('.capture[aria-busy]')
      && document.querySelector('.results:not([hidden])');
    if (done) window.taken = performance.now() - begin; else requestAnimationFrame(look);
  };
  requestAnimationFrame(() => requestAnimationFrame(look));
});
"""
TOOK = "return performance.getEntriesByName('airlag: redraw')[0]?.duration ?? null"


class _Quiet(SimpleHTTPRequestHandler):
    """Static files, without a log."""

    def log_message(self, *_: object) -> None:
        pass


def waited(page: Any, script: str, most_s: float) -> Any:
    """What the script returns once it is something, or None after ``most_s``."""
    until = time.monotonic() + most_s
    while time.monotonic() < until:
        found = page.execute_script(script)
        if found:
            return found
        time.sleep(0.01)
    return None


def download_mb() -> float:
    """Size of what a first visit loads, compressed."""
    files = [each for each in DIST.rglob("*") if each.suffix in {".html", ".css", ".js", ".wasm"}]
    return sum(len(gzip.compress(each.read_bytes())) for each in files) / 1e6


def first_answer_s(page: Any, address: str) -> float:
    """Time until the first view of a visitor is complete."""
    page.get(address)
    if not waited(page, COMPLETE, COMPLETE_S):
        raise RuntimeError(f"no answer within {COMPLETE_S:.0f} s")
    return float(page.execute_script("return performance.now()")) / 1e3


def redraws(page: Any, address: str, link: str) -> list[tuple[float, str]]:
    """Duration of each redraw, ms, with the link and the knob."""
    page.get("about:blank")
    page.get(f"{address}#/packet?link={link}")
    if not waited(page, COMPLETE, COMPLETE_S):
        raise RuntimeError(f"{link}: no answer within {COMPLETE_S:.0f} s")
    found: list[tuple[float, str]] = []
    for index, knob, other in page.execute_script(CHOICES)[:KNOBS]:
        before = page.execute_script(TURN, index, other)
        for value in (other, before):
            took = waited(page, TOOK, REDRAW_S)
            if took is not None:
                found.append((took, f"{link} {knob}"))
            waited(page, COMPLETE, COMPLETE_S)
            if value is other:
                page.execute_script(TURN, index, before)
    return found


def large_capture(page: Any, address: str, folder: Path) -> tuple[float, float]:
    """Time until the answer about a capture, s, and the longest task of the main thread, ms."""
    file = folder / "capture.csv"
    subprocess.run(["node", STUDIO / "tests/capture-file.js", str(ROWS), file], check=True)
    page.get("about:blank")
    page.get(f"{address}#/capture")
    if not waited(page, "return document.querySelector('#capture-file')", COMPLETE_S):
        raise RuntimeError("no view of captures")
    page.execute_script(WATCH)
    page.find_element("id", "capture-file").send_keys(str(file))
    taken_ms = waited(page, "return window.taken", COMPLETE_S)
    if taken_ms is None:
        raise RuntimeError(f"no answer about {ROWS} rows within {COMPLETE_S:.0f} s")
    time.sleep(1)
    return taken_ms / 1e3, float(page.execute_script("return Math.max(...window.tasks)"))


def main() -> int:
    """Measures all profiles, or those named."""
    links = sys.argv[1:] or [each.name for each in airlag.links()]
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    for flag in FLAGS:
        options.add_argument(flag)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(DIST)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as profile:
        options.add_argument(f"--user-data-dir={profile}")
        service = webdriver.ChromeService(shutil.which("chromedriver"))
        page = webdriver.Chrome(options=options, service=service)
        address = f"http://127.0.0.1:{server.server_port}/"
        try:
            first_s = first_answer_s(page, address)
            capture_s, task_ms = large_capture(page, address, Path(profile))
            all_of = [one for link in links for one in redraws(page, address, link)]
        finally:
            page.quit()
            server.shutdown()
    ordered = sorted(all_of, reverse=True)
    times = [took for took, _ in ordered]
    median = statistics.median(times)
    size_mb = download_mb()
    sys.stdout.write(
        f"download {size_mb:.2f} MB, first answer after {first_s:.2f} s\n"
        f"capture of {ROWS} rows: {capture_s:.2f} s, longest task of the page {task_ms:.0f} ms\n"
        f"{len(times)} redraws of {len(links)} profiles: median {median:.0f} ms, "
        f"p95 {statistics.quantiles(times, n=20)[-1]:.0f} ms\n\n"
        "| knob | redraw, ms |\n|---|---:|\n"
    )
    for took, what in ordered[:5]:
        sys.stdout.write(f"| `{what}` | {took:.0f} |\n")
    held = (
        size_mb <= DOWNLOAD_MB
        and first_s <= FIRST_S
        and capture_s <= CAPTURE_S
        and task_ms <= TASK_MS
        and median <= MEDIAN_MS
        and times[0] <= WORST_MS
    )
    return int(not held)


if __name__ == "__main__":
    sys.exit(main())
