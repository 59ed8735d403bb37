"""Two hosts on one computer, connected by an emulated link, as Linux network namespaces.

Each namespace has one address and one interface, which airlag created. All packets to the address
of the other namespace take this interface, because there is no other route.
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

#: Network of both hosts: a private range (RFC 1918) that is rarely in use.
_NETWORK = "10.213.{}.{}"
_BITS = 30


@dataclass(frozen=True, slots=True)
class Host:
    """One of the two hosts."""

    #: Network namespace, for ``ip netns exec NAME COMMAND``.
    namespace: str
    #: Interface.
    interface: str
    #: IPv4 address.
    address: str

    def command(self, *arguments: str) -> list[str]:
        """Returns a command line that runs on this host."""
        return ["ip", "netns", "exec", self.namespace, *arguments]


def ip(*arguments: str, check: bool = True) -> None:
    """Runs ``ip``; raises :class:`LinkError`."""
    program = shutil.which("ip")
    if program is None:
        raise LinkError("the program ip is missing; install iproute2")
    # A new session keeps Ctrl-C from interrupting setup and teardown.
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
    """Creates the namespaces ``NAME-near`` and ``NAME-far``, each with one of ``interfaces``.

    The namespaces are deleted on exit. ``mtu`` is the maximum packet size, bytes. ``third``, the
    third byte of the IP addresses, must differ between pairs of hosts. Raises :class:`LinkError`.
    """
    pair = [
        Host(f"{name}-{end}", interface, _NETWORK.format(third, nth))
        for nth, (end, interface) in enumerate(zip(("near", "far"), interfaces, strict=True), 1)
    ]
    taken = [host.namespace for host in pair if _has(host.namespace)]
    if taken:
        raise LinkError(
            f"the network namespace {taken[0]} already exists: stop its user, choose another "
            f"name, or run ip netns delete {taken[0]}"
        )
    try:
        for host in pair:
            ip("netns", "add", host.namespace)
            ip("link", "set", host.interface, "netns", host.namespace)
            within = ("-n", host.namespace)
            ip(*within, "link", "set", "lo", "up")
            # Disables IPv6, whose router solicitations would add traffic to the link.
            ip(*within, "link", "set", host.interface, "addrgenmode", "none")
            ip(*within, "addr", "add", f"{host.address}/{_BITS}", "dev", host.interface)
            ip(*within, "link", "set", host.interface, "mtu", str(mtu), "up")
        yield pair
    finally:
        for host in pair:
            if _has(host.namespace):
                ip("netns", "delete", host.namespace, check=False)
