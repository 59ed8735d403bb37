"""Exit codes of commands. README and ``docs/exit-codes.md`` promise that the list is complete.

A reader of standard output that goes away does not change the exit code: the output is dropped and
the command finishes.
"""

from __future__ import annotations

#: Success.
DONE = 0
#: Completed, and a check requested by the user failed.
FOUND = 1
#: Invalid input: command line, file or output path.
UNUSABLE = 2
#: Internal error, or broken installation.
FAULT = 3
#: Ctrl-C and SIGTERM: 128 plus the signal number, as in shells.
INTERRUPTED = 128 + 2
TERMINATED = 128 + 15
