"""``airlag tunnel up``: one end of a tunnel on this computer, until stopped."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.text import Text

from airlag.cli import terminal
from airlag.cli.options import given, whole
from airlag.cli.parameters import Group
from airlag.cli.work import Until, Work
from airlag.core.quantity import count, duration, number, unit_for
from airlag.questions import tunnel as tunnels
from airlag.questions.tunnel import Interface, Radio
from airlag.views.table import Paragraph

if TYPE_CHECKING:
    from airlag.core.types import TunnelEnd


def up(
    *,
    radio: str,
    key: Path | None = None,
    plain: bool = False,
    name: str | None = None,
    address: str | None = None,
    mtu: Annotated[int | None, whole("MTU", 0, 65_535, 1400, "bytes")] = None,
    wiring: Wiring,
    receiver: str | None = None,
    json: bool = False,
) -> None:
    """Bring one end of a tunnel up, and carry packets until Ctrl-C.

    Packets that enter the network interface of one end leave the network interface of the other
    end. The tunnel uses a pair of nRF24L01+, or UDP for a trial without chips. The command needs
    root; airlag tunnel doctor lists the other requirements.
    """
    if plain == (key is not None):
        terminal.refuse("write --key FILE, or --plain for a tunnel that everyone can read")
    usual = Interface()
    interface = Interface(name or usual.name, address, usual.mtu if mtu is None else mtu)
    said = (lambda now: terminal.status(_line(now))) if sys.stderr.isatty() else None
    try:
        chosen = Radio(radio, **wiring)
        done, stopped = tunnels.up(chosen, interface, key, said, receiver)
    finally:
        terminal.status("")
    Until().stop(stopped)
    Work(force=False, json=json).show(done, lambda: map(Paragraph, _summary(done)))


def _line(now: TunnelEnd) -> str:
    """Status line."""
    state = "up" if now["up"] else "no session"
    state += "".join(f"  {wrong}" for wrong in _mtu(now))
    ways = "  ".join(
        f"{arrow} {count(way['packets'])} packets, {number(way['kbps'], 0)} kbit/s"
        for arrow, way in (("↑", now["sent"]), ("↓", now["received"]))
    )
    loss = now["burst_loss"]
    more = f"{count(now['repeated'])} repeated, {count(now['unanswered'])} unanswered"
    more += "" if loss is None else f", {loss:.0%} in the last second"
    return f"{now['interface']}  {state}  {ways}  {more}"


def _mtu(now: TunnelEnd) -> Iterator[str]:
    """Yields a warning if the MTUs differ."""
    if now["peer_mtu"] not in (None, now["mtu"]):
        yield f"MTU {now['mtu']} here, {now['peer_mtu']} at the other end: use one --mtu at both"


def _silent(done: TunnelEnd) -> Iterator[str]:
    """Yields a hint if no session was established."""
    if done["sessions"]:
        return
    if done["garbage"]:
        yield "frames were received, but none was authentic: use the same key at both ends"
    elif done["bursts"]:
        yield "no frame was received: use the same --rate and --channel at both ends"


def _dropped(done: TunnelEnd) -> int:
    why = done["dropped"]
    return why["late"] + why["full"] + why["restart"]


def _summary(done: TunnelEnd) -> Iterator[Text]:
    elapsed = duration(done["elapsed_ns"], unit_for([done["elapsed_ns"]]))
    sessions = "1 session" if done["sessions"] == 1 else f"{count(done['sessions'])} sessions"
    state = "with a session at the end" if done["up"] else "without a session at the end"
    yield Text.assemble((f"{done['interface']}  ", "bold"), f"{elapsed}, {sessions}, {state}")
    for wrong in (*_mtu(done), *_silent(done)):
        yield Text(wrong)
    for name, way in (("sent", done["sent"]), ("received", done["received"])):
        packets, size = count(way["packets"]), count(way["bytes"])
        text = f"{packets} packets, {size} B, {number(way['kbps'], 1)} kbit/s"
        if name == "sent" and (dropped := _dropped(done)):
            text += f"; {count(dropped)} dropped"
        yield Text.assemble((f"{name}  ", "bold"), text)
    frames = f"{count(done['frames'])} frames, {count(done['repeated'])} retransmitted"
    bursts = f"{count(done['bursts'])} bursts, {count(done['unanswered'])} unanswered"
    yield Text.assemble(("radio  ", "bold"), f"{frames}; {bursts}")
    if done["broken"] or done["garbage"]:
        broken = f"{count(done['broken'])} packets failed decryption"
        garbage = f"{count(done['garbage'])} frames failed authentication"
        yield Text.assemble(("damaged  ", "bold"), f"{broken}, {garbage}")


def _wiring(
    ce: str | None = None,
    irq: str | None = None,
    rate: str | None = None,
    channel: Annotated[int | None, whole("channel", 0, 125, 76)] = None,
    power: str | None = None,
    listen: str | None = None,
) -> dict[str, Any]:
    """Converts options to arguments of :class:`~airlag.questions.tunnel.Radio`."""
    return given(ce=ce, irq=irq, rate=rate, channel=channel, power=power, listen=listen)


Wiring = Annotated[dict[str, Any], Group(_wiring)]
