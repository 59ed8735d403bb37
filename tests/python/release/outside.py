"""An environment with only an installer and a folder of wheels."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Outside:
    """A home without anything in it, and a path with nothing but an installer."""

    home: Path
    environment: dict[str, str]

    def run(self, *words: str | Path, **more: str) -> str:
        """Standard output of a program, which has to succeed."""
        run = subprocess.run(
            [str(word) for word in words],
            cwd=self.home,
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            timeout=500,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout
