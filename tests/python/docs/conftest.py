"""The built site, and the modules that build it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from browsing import browser as browser
from peers import absent

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "site"))


class _Handler(SimpleHTTPRequestHandler):
    """Static files without a log."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="session")
def site() -> Path:
    """Folder of the site."""
    dist = ROOT / "site" / "dist"
    if not (dist / "index.html").exists():
        absent("site/dist/index.html does not exist: make site builds it")
    return dist


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serves folders on loopback until the end of all tests; returns the address of each."""
    servers = []

    def start(folder: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def address(site: Path, serve: Callable[[Path], str]) -> str:
    """Address of the site on loopback."""
    return serve(site)


@pytest.fixture(scope="session")
def axe() -> str:
    """Script of the accessibility checks of axe-core."""
    script = ROOT / "studio/node_modules/axe-core/axe.min.js"
    if not script.exists():
        absent("no axe-core: npm ci in studio/")
    return script.read_text()
