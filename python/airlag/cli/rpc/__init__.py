"""``airlag rpc``: calls over a link; one module per command."""

from __future__ import annotations

from airlag.cli.app import group
from airlag.cli.overview import SUMMARIES
from airlag.cli.rpc.bench import bench
from airlag.cli.rpc.functional import test

app = group("rpc", SUMMARIES["rpc"], test, bench)
