"""Two hosts on one computer, with a link between them: network namespaces of Linux.

Each has one interface that a program of ours made, an address, and nothing else: what one sends to
the other's address can take no other way.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from airlag._airlag import LinkError

__all__ = ["Host", "hosts", "ip"]

#: Network that both are in: of those for private use (RFC 1918), one that few have taken.
_NETWORK = "10.213.{}.{}"
_BITS = 30


@dataclass(frozen=True, slots=True)
class Host:
    """One of the two."""

    #: Name of its network namespace; ``ip netns exec NAME COMMAND`` runs a command there.
    namespace: str
    #: Name of its interface.
    interface: str
    #: Its IPv4 address.
    address: str

    def command(self, *arguments: str) -> list[str]:
        """A command line that runs on this host."""
        return ["ip", "netns", "exec", self.namespace, *arguments]


def ip(*arguments: str, check: bool = True) -> None:
    """Runs the program ``ip``; raises :class:`LinkError`."""
    program = shutil.which("ip")
    if program is None:
        raise LinkError("the program ip is missing; install iproute2")
    # Ctrl-C is ours: what is being set up is also taken down.
    done = subprocess.run(
        [program, *arguments], capture_output=True, text=True, start_new_session=True, check=False
    )
    if check and done.returncode:
        said = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0]
        hint = "" if os.geteuid() == 0 else "; run this as root"
        raise LinkError(f"ip {' '.join(arguments)}: {said[:200]}{hint}")


def _has(namespace: str) -> bool:
    return os.path.lexists(f"/run/netns/{namespace}") or os.path.lexists(
        f"/var/run/netns/{namespace}"
    )


@contextmanager
def hosts(name: str, interfaces: Sequence[str], mtu: int, third: int = 0) -> Iterator[list[Host]]:
    """Puts two interfaces into namespaces ``NAME-near`` and ``NAME-far``, and takes these down.

    ``mtu`` is their longest packet, bytes; ``third`` the third byte of the addresses, so that
    several pairs differ. Raises :class:`LinkError`.
    """
    pair = [
        Host(f"{name}-{end}", interface, _NETWORK.format(third, nth))
        for nth, (end, interface) in enumerate(zip(("near", "far"), interfaces, strict=True), 1)
    ]
    taken = [host.namespace for host in pair if _has(host.namespace)]
    if taken:
        raise LinkError(
            f"there is a network namespace {taken[0]} already: end what uses it, choose another "
            f"name, or write ip netns delete {taken[0]}"
        )
    try:
        for host in pair:
            ip("netns", "add", host.namespace)
            ip("link", "set", host.interface, "netns", host.namespace)
            within = ("-n", host.namespace)
            ip(*within, "link", "set", "lo", "up")
            # The kernel would look for routers over the link, of which there are none.
            ip(*within, "link", "set", host.interface, "addrgenmode", "none")
            ip(*within, "addr", "add", f"{host.address}/{_BITS}", "dev", host.interface)
            ip(*within, "link", "set", host.interface, "mtu", str(mtu), "up")
        yield pair
    finally:
        for host in pair:
            if _has(host.namespace):
                ip("netns", "delete", host.namespace, check=False)
