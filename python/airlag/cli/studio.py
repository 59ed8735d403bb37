"""``airlag studio``: serves the studio, which ``make studio`` builds and wheels contain."""

from __future__ import annotations

import sys
import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated

from airlag.cli import signals, terminal
from airlag.cli.options import whole

FOLDER = Path(__file__).parents[1] / "studio"


class _Files(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".wasm": "application/wasm"}

    def end_headers(self) -> None:
        """Adds security headers, one of which a page cannot set itself, and disables caching."""
        self.send_header("Content-Security-Policy", "frame-ancestors 'self'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Discards messages about requests."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Ignores errors of tabs closed while loading and of transfers stopped by Ctrl-C."""


def studio(
    port: Annotated[int | None, whole("port", 0, 65_535, 0)] = None,
    no_open: bool = False,
) -> None:
    """Open the bench in a browser tab, until Ctrl-C. Nothing leaves this computer."""
    if not (FOLDER / "index.html").exists():
        terminal.refuse("this installation has no studio; `make studio` builds it, with Node")
    files = partial(_Files, directory=str(FOLDER))
    with terminal.refusing(OSError):
        server = _Server(("127.0.0.1", port or 0), files)
    address = f"http://127.0.0.1:{server.server_port}/"
    sys.stdout.write(f"the studio is at {address}\n")
    sys.stdout.flush()
    with server, signals.answered():
        if not no_open:
            webbrowser.open(address)
        server.serve_forever()
