"""The studio in a browser, served from ``studio/dist`` on loopback with its security policy."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from airlag.cli import command_line
from browsing import browser as browser
from peers import absent

ROOT = Path(__file__).parents[3]
STUDIO = ROOT / "studio"

#: As in ``studio/src/index.html``.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; font-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)


class _Handler(SimpleHTTPRequestHandler):
    """Static files with the security policy, and without a log."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Address of the studio."""
    dist = STUDIO / "dist"
    for each in ("index.html", "core/airlag_bg.wasm"):
        if not (dist / each).exists():
            absent(f"studio/dist/{each} does not exist: make studio builds it")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(dist)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def studio(browser: Any, address: str) -> Callable[..., Any]:
    """Opens the studio at a part of an address from ``#``, anew; returns the browser."""

    def show(state: str = "", search: str = "") -> Any:
        for log in ("browser", "performance"):
            browser.get_log(log)
        browser.get("about:blank")
        # A tab keeps 50 entries. Once it is full, Chromium drops entries that no gesture of a user
        # made, such as those of tests, and back leads out of the page.
        browser.execute_cdp_cmd("Page.resetNavigationHistory", {})
        browser.get(f"{address}{search}{state}")
        return browser

    return show


@pytest.fixture(scope="session")
def axe() -> str:
    """Script of the accessibility checks of axe-core."""
    script = STUDIO / "node_modules/axe-core/axe.min.js"
    if not script.exists():
        absent("no axe-core: npm ci in studio/")
    return script.read_text()


@pytest.fixture
def airlag(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs the command line; returns what it prints. Exit code 1 is an answer, too."""

    def run(*words: str) -> str:
        capsys.readouterr()
        code = command_line(list(words))
        told = capsys.readouterr()
        assert code in {0, 1}, told.err
        return told.out

    return run
