"""Puts the built site beside those of other versions, in a folder that a web server publishes.

    python site/publish.py FOLDER

The site goes to ``FOLDER/VERSION`` and replaces one of the same version. ``versions.json`` in each
of these folders lists all versions, newest first, and ``FOLDER/index.html`` leads to the newest
release.
"""

from __future__ import annotations

import html
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from packaging.version import InvalidVersion, Version

from airlag import __version__

DIST = Path(__file__).resolve().parent / "dist"
#: Names in the folder of a version. The list of a site that is not published is empty.
LIST, START = "versions.json", "index.html"


def main(words: Sequence[str]) -> int:
    """Publishes the site; returns 2 for wrong arguments and 1 if there is no site."""
    if len(words) != 1:
        sys.stderr.write("site: publish.py needs one folder\n")
        return 2
    if not (DIST / START).exists():
        sys.stderr.write(f"site: no {START} in {DIST}; run make site\n")
        return 1
    publish(DIST, Path(words[0]), __version__)
    return 0


def publish(dist: Path, folder: Path, version: str) -> None:
    """Copies the site to the folder of its version, and lists all versions in each of them."""
    target = folder / version
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(dist, target)
    versions = found(folder)
    for each in versions:
        (folder / each / LIST).write_text(json.dumps(versions) + "\n", "utf-8")
    (folder / START).write_text(redirect(newest(versions)), "utf-8")


def found(folder: Path) -> list[str]:
    """Versions with a site in the folder, newest first. Other folders are left alone."""
    versions = []
    for start in folder.glob(f"*/{START}"):
        try:
            versions.append(Version(start.parent.name))
        except InvalidVersion:
            continue
    return [str(version) for version in sorted(versions, reverse=True)]


def newest(versions: Sequence[str]) -> str:
    """Newest release, or the newest version if none is released."""
    released = [each for each in versions if not Version(each).is_prerelease]
    return next(iter(released), versions[0])


def redirect(version: str) -> str:
    """Page that leads to a version, also for a reader whose browser does not follow by itself."""
    address = f"{html.escape(version, quote=True)}/{START}"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>airlag</title>'
        f'<meta http-equiv="refresh" content="0; url={address}"></head>'
        f'<body><p><a href="{address}">airlag {html.escape(version)}</a></p></body></html>\n'
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
