"""Builds the site into ``site/dist``: pages, notebooks with outputs, the studio if it was built.

    python site/build.py

Any warning of Sphinx, any link without a target, and any file of another host fails the build.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import checking
import finishing
import publish
from notebooks import write_pages
from sphinx.cmd.build import main as sphinx
from staging import BrokenLinkError, navigate, stage

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "site"
DIST = HERE / "dist"
STUDIO = ROOT / "studio" / "dist"


def main() -> int:
    """Builds the site; returns 1 and prints one line per fault if there are any."""
    studio = (STUDIO / "index.html").exists()
    with TemporaryDirectory() as name:
        # Links are compared with resolved paths.
        source, built = Path(name).resolve() / "source", Path(name).resolve() / "built"
        source.mkdir()
        write_pages(sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")), ROOT, source)
        try:
            navigate(source, stage(ROOT, source), studio)
        except BrokenLinkError as error:
            sys.stderr.write(f"site: {error}\n")
            return 1
        jobs = str(os.cpu_count() or 1)
        options = ["-W", "--keep-going", "-q", "-b", "html", "-j", jobs, "-c", str(HERE)]
        if status := sphinx([*options, "-d", f"{name}/doctrees", str(source), str(built)]):
            return status
        for page in built.rglob("*.html"):
            finishing.finish(page)
        if studio:
            shutil.copytree(STUDIO, built / checking.STUDIO)
        for leftover in (".buildinfo", "objects.inv"):
            (built / leftover).unlink(missing_ok=True)
        shutil.rmtree(built / "_sources", ignore_errors=True)
        (built / publish.LIST).write_text("[]\n", "utf-8")
        if faults := checking.faults(built):
            sys.stderr.write("".join(f"site: {fault}\n" for fault in faults))
            return 1
        shutil.rmtree(DIST, ignore_errors=True)
        shutil.copytree(built, DIST)
    return 0


if __name__ == "__main__":
    sys.exit(main())
