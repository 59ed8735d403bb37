"""Command line: one module per subcommand, each a thin front end of the library.

:func:`command_line` maps every outcome to one of the :mod:`exit codes <airlag.cli.exit_code>`. With
any code but 0, one line on standard error states the problem, its location and the valid form. This
module imports only what is always installed, so that it can report an incomplete installation.
"""

from __future__ import annotations

import os
import resource
import sys
import traceback
import warnings
from collections.abc import Sequence
from pathlib import PurePath
from typing import NoReturn

from airlag.cli import completion, exit_code, overview, signals, streams

#: Minimum address space, with room for a small question, bytes. Below it, libraries abort the
#: process.
LEAST_BYTES = 768 << 20
#: Messages of Python and Rust when the system cannot start another thread.
_NO_THREAD = ("can't start new thread", "failed to spawn thread")


def command_line(arguments: Sequence[str], *, enforcing: bool = False) -> int:
    """Runs one command line; returns its exit code.

    With ``enforcing``, a signal ends the process even if no code handles it.
    """
    signals.Interrupted.last_code = None
    try:
        if list(arguments) in overview.ASKED:
            sys.stdout.write(overview.overview())
            sys.stdout.flush()
            return exit_code.DONE
        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY and limit < LEAST_BYTES:
            streams.complain(
                f"the memory limit (ulimit -v) is {limit >> 10} KiB; allow at least "
                f"{LEAST_BYTES >> 10}"
            )
            return exit_code.UNUSABLE
        from airlag.cli.app import execute

        if enforcing:
            signals.enforce()
        code = execute(arguments)
        sys.stdout.flush()
    except signals.Interrupted as stopped:
        return stopped.code
    except KeyboardInterrupt:
        return exit_code.INTERRUPTED
    except SystemExit as end:
        # Libraries may exit with other codes, which are not in the documented list.
        code = end.code if end.code in (exit_code.DONE, exit_code.UNUSABLE) else exit_code.FAULT
    except MemoryError:
        streams.complain("not enough memory; process less at a time")
        return exit_code.UNUSABLE
    except BaseException as fault:
        # The Rust crate numpy panics if a signal interrupts the import of numpy.
        if interrupted := signals.Interrupted.last_code:
            return interrupted
        # A panic in Rust is not an Exception.
        if any(said in str(fault) for said in _NO_THREAD):
            streams.complain(
                "not enough memory for a thread, or too many are running; raise the "
                "limits (ulimit -v, ulimit -u)"
            )
            return exit_code.UNUSABLE
        return _fault(fault)
    return int(code or exit_code.DONE)


def _fault(fault: BaseException) -> int:
    """Reports an unexpected error in one line."""
    if streams.debugging():
        sys.stderr.write("".join(traceback.format_exception(fault)))
    frames = traceback.extract_tb(fault.__traceback__)
    where = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    what = f"{type(fault).__name__}: {fault}"[:300]
    if isinstance(fault, ImportError | SyntaxError):
        line = f"cannot start ({what}); install airlag again, or report it to the airlag project"
    else:
        line = f"internal error{where} ({what}); please report it to the airlag project"
    hint = "" if streams.debugging() else " with the traceback that AIRLAG_DEBUG=1 shows"
    streams.complain(line + hint)
    return exit_code.FAULT


def main() -> NoReturn:
    """Entry point of ``airlag``."""
    if completion.is_asked(os.environ):
        sys.exit(completion.answer(os.environ))
    try:
        signals.listen()
        stdout = streams.take_over()
        if not streams.debugging():
            warnings.simplefilter("ignore")
        code = command_line(sys.argv[1:], enforcing=True)
        if stdout.lost is not None and code in (exit_code.DONE, exit_code.FOUND):
            streams.complain(
                f"standard output cannot be written ({stdout.lost.strerror}); send it elsewhere"
            )
            code = exit_code.UNUSABLE
        sys.stderr.flush()
    except signals.Interrupted as stopped:
        code = stopped.code
    if code in (exit_code.INTERRUPTED, exit_code.TERMINATED):
        # Finished results are saved; the process then exits without cleanup.
        sys.stdout.flush()
    # Exiting normally would wait for other threads, without a signal handler.
    signals.end(code)
