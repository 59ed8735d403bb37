"""``airlag studio``: serves what ``make studio`` built, and a wheel carries, to a browser tab."""

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
        """Adds the policy that the page states itself, and what only a server can state."""
        self.send_header("Content-Security-Policy", "frame-ancestors 'self'")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Reports no requests."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Reports no tab that was closed while it loaded, and no file that Ctrl-C cut short."""


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
