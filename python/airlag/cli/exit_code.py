"""All exit codes of airlag's commands, as listed in README and ``docs/exit-codes.md``.

If the reader of standard output closes the pipe, the rest of the output is dropped. The command
still finishes, and the exit code of the command does not change.
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
