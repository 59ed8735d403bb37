"""What is at a path, whatever the path.

A name that is too long, or that the file system cannot hold, is one where nothing is: ``pathlib``
raises instead.
"""

from __future__ import annotations

from pathlib import Path


def is_file(path: Path) -> bool:
    """Whether a regular file is there."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether a folder is there."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_same(path: Path, other: Path) -> bool:
    """Whether both are one file that is there."""
    try:
        return path.samefile(other)
    except OSError:
        return False


def exists(path: Path) -> bool:
    """Whether anything is there."""
    try:
        return path.exists()
    except OSError:
        return False
