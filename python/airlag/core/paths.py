"""Path predicates that do not raise.

They return ``False`` for names that are too long or invalid on the file system, where ``pathlib``
raises.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec

P = ParamSpec("P")


def _false_on_error(look: Callable[P, bool]) -> Callable[P, bool]:
    @wraps(look)
    def looked(*where: P.args, **options: P.kwargs) -> bool:
        try:
            return look(*where, **options)
        except OSError:
            return False

    return looked


is_file = _false_on_error(Path.is_file)
is_folder = _false_on_error(Path.is_dir)
is_same = _false_on_error(Path.samefile)
exists = _false_on_error(Path.exists)
