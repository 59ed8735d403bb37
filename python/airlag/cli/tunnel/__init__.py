"""``airlag tunnel``: IP over a packet radio; one module per command."""

from __future__ import annotations

from airlag.cli.app import group
from airlag.cli.overview import SUMMARIES
from airlag.cli.tunnel.bench import bench
from airlag.cli.tunnel.doctor import doctor
from airlag.cli.tunnel.key import key
from airlag.cli.tunnel.up import up

app = group("tunnel", SUMMARIES["tunnel"], up, key, doctor, bench)
