"""How a command can end. The list is closed: README and ``docs/exit-codes.md`` promise it.

A reader of standard output that goes away is no end of its own: what nobody reads is dropped, the
command does the rest of its work and ends as it would have.
"""

from __future__ import annotations

#: It did what was asked.
DONE = 0
#: It ran, and found a failure the user asked it to check.
FOUND = 1
#: What it was given cannot be used: a command line, a file, a place to write to.
UNUSABLE = 2
#: A fault of airlag or of its installation.
FAULT = 3
#: Ctrl-C, and an order to end: 128 and the signal's number, as shells count.
INTERRUPTED = 128 + 2
TERMINATED = 128 + 15
