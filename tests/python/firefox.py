"""A headless Firefox with an empty profile, driven by WebDriver BiDi without another program.

Firefox has the server of that protocol built in (https://w3c.github.io/webdriver-bidi/), and
Debian has no geckodriver. The methods are those of Selenium's driver that tests of pages use.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websocket import WebSocket, create_connection

#: What Firefox prints once it can be driven.
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
#: Longest time for an answer, s: that of a page which loads on a busy machine.
PATIENCE_S = 120


class Firefox:
    """One tab."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._numbers = count(1)
        self._context = ""
        #: Errors of scripts and on the console since the last page was opened.
        self.errors: list[str] = []
        self._ask("session.new", capabilities={})
        (tab,) = self._ask("browsingContext.getTree")["contexts"]
        self._context = tab["context"]
        self._ask("session.subscribe", events=["log.entryAdded"])

    def _ask(self, method: str, **parameters: Any) -> Any:
        """Sends a command and returns its result; events that come before it are kept."""
        number = next(self._numbers)
        command = {"id": number, "method": method, "params": parameters}
        self._socket.send(json.dumps(command))
        while True:
            told = json.loads(self._socket.recv())
            if told.get("method") == "log.entryAdded":
                if told["params"]["level"] == "error":
                    self.errors.append(told["params"]["text"])
            elif told.get("id") == number:
                assert told["type"] == "success", told
                return told["result"]

    def get(self, address: str) -> None:
        """Opens a page."""
        self.errors.clear()
        self._ask("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def execute_script(self, script: str, *given: Any) -> Any:
        """Returns what the body of a function returns, as plain data."""
        function = f"given => JSON.stringify((function () {{ {script} }})(...JSON.parse(given)))"
        told = self._ask(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "string", "value": json.dumps(given)}],
            awaitPromise=False,
            target={"context": self._context},
        )
        assert told["type"] == "success", told
        value = told["result"].get("value")
        return None if value is None else json.loads(value)

    def choose_file(self, selector: str, path: Path) -> None:
        """Chooses a file in a field, as a person does."""
        locator = {"type": "css", "value": selector}
        found = self._ask("browsingContext.locateNodes", context=self._context, locator=locator)
        element = {"sharedId": found["nodes"][0]["sharedId"]}
        self._ask("input.setFiles", context=self._context, element=element, files=[str(path)])

    def close(self) -> None:
        """Ends Firefox."""
        self._ask("browser.close")

    def back(self) -> None:
        """One page back in the history."""
        self._ask("browsingContext.traverseHistory", context=self._context, delta=-1)


@contextmanager
def started(program: str, profile: Path) -> Iterator[Firefox]:
    """Runs Firefox until the end of the block."""
    words = [program, "--headless", "--no-remote", "--remote-debugging-port=0"]
    log = profile / "firefox.log"
    with log.open("w") as written:
        running = subprocess.Popen(
            [*words, "--profile", str(profile), "about:blank"],
            env={"HOME": str(profile), "PATH": os.environ["PATH"]},
            stdout=subprocess.DEVNULL,
            stderr=written,
        )
    try:
        address = f"{listening(running, log)}/session"
        with closing(create_connection(address, timeout=PATIENCE_S, suppress_origin=True)) as tab:
            firefox = Firefox(tab)
            yield firefox
            firefox.close()
        running.wait(PATIENCE_S)
    finally:
        running.kill()
        running.wait()


def listening(running: subprocess.Popen[bytes], log: Path) -> str:
    """Address that Firefox prints once it can be driven."""
    while running.poll() is None:
        if found := LISTENING.search(log.read_text(errors="replace")):
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"Firefox ended before it could be driven: {log.read_text()}")
