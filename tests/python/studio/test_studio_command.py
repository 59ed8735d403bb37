"""``airlag studio``: the page is served to this computer, and kept for when the command ended."""

from __future__ import annotations

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from airlag.cli.studio import FOLDER
from peers import absent

#: What a service worker has kept, by path.
KEPT = """
const done = arguments[0];
caches.open("airlag-studio").then((kept) => kept.keys())
  .then((keys) => done(keys.map((key) => new URL(key.url).pathname)));
"""


def test_the_page_outlives_its_server(browser: Any) -> None:
    from selenium.webdriver.support.wait import WebDriverWait

    if not FOLDER.is_dir():
        absent("no studio: make studio")
    command = [Path(sys.executable).with_name("airlag"), "studio", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as served:
        try:
            assert served.stdout
            address = served.stdout.readline().split()[-1]
            assert address.startswith("http://127.0.0.1:")
            with urllib.request.urlopen(f"{address}core/airlag_bg.wasm") as reply:
                assert reply.headers["Content-Type"] == "application/wasm"
                assert reply.headers["Content-Security-Policy"] == "frame-ancestors 'self'"
            browser.get(f"{address}#/packet?link=nrf24-2m&size=12")
            wanted = {"/", "/app.js", "/worker.js", "/core/airlag.js", "/core/airlag_bg.wasm"}
            WebDriverWait(browser, 60).until(
                lambda shown: wanted <= set(shown.execute_async_script(KEPT))
            )
        finally:
            served.send_signal(signal.SIGINT)
    assert served.returncode == 128 + signal.SIGINT
    browser.get("about:blank")
    browser.get(f"{address}#/packet?link=nrf24-2m&size=12")
    WebDriverWait(browser, 60).until(lambda shown: "delivered of" in shown.page_source)


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_a_wrong_port_is_one_line(port: str) -> None:
    command = [Path(sys.executable).with_name("airlag"), "studio", "--port", port]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.returncode == 2
    assert told.stderr.startswith("airlag: ")
    assert len(told.stderr.splitlines()) == 1
