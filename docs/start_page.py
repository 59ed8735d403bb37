"""Generated blocks of docs/start.md: the first commands of four ways into the documentation."""

from __future__ import annotations

from collections.abc import Callable

#: Commands by block, in the folder with the captures of ``airlag demo``.
COMMANDS = {
    "start-channels": ("channels", "lost-is-not-late.csv"),
    "start-analyze": ("analyze", "frozen-tick-1.csv"),
    "start-match": ("match", "lost-is-not-late.csv", "--link", "lora-sf7-250k", "--size", "12"),
    "start-run": ("run", "espnow-woken", "--size", "128"),
    "start-recommend": (
        *("recommend", "ble-nus-notify", "espnow-woken", "nrf24-250k", "lora-sf7-250k"),
        *("--size", "128", "--deadline", "20ms", "--range", "20m", "--environment", "office"),
    ),
    "start-question": (
        *("run", "ble-nus-notify", "--size", "12"),
        *("--set", "connection_interval=7.5ms,30ms"),
    ),
    "start-explain": ("explain", "ble-nus-notify", "--size", "12"),
}


def blocks(run: Callable[..., str]) -> dict[str, str]:
    """All generated blocks of the page by name; ``run`` prints a command with its output."""
    return {name: run(*words) for name, words in COMMANDS.items()}
