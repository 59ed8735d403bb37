"""Interactive Thread network of OpenThread nodes in virtual time.

>>> with airlag.thread(topology="chain", nodes=3) as net:
...     net.ping(3, 1)
...     net.kill(2)
...     net.run("60s")
...     net[3].command("state")
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Self

from airlag import _airlag
from airlag.core.arguments import Duration, ns_of
from airlag.core.types import Topology
from airlag.questions.settings import Setting, text_of
from airlag.questions.thread import folder


class Node:
    """A node of a network, numbered from 1."""

    def __init__(self, net: ThreadNetwork, number: int) -> None:
        self._net = net
        #: Its number.
        self.number = number

    def __repr__(self) -> str:
        return f"<node {self.number}: {self.role}>"

    def command(self, line: str) -> list[str]:
        """Runs a command of ``ot-cli``; returns the lines before ``Done``."""
        lines: list[str] = self._net.do("command", node=self.number, line=line)["lines"]
        return lines

    @property
    def role(self) -> str:
        """Role: ``disabled``, ``detached``, ``child``, ``router`` or ``leader``."""
        return self._net.roles[self.number - 1]

    def ping(self, to: Node | int, **asked: Any) -> list[float | None]:
        """Pings from this node; see :meth:`ThreadNetwork.ping`."""
        return self._net.ping(self, to, **asked)

    def move(self, x: float, y: float) -> None:
        """Moves the node to a position, m."""
        self._net.do("move", node=self.number, x=x, y=y)

    def kill(self) -> None:
        """Stops the node, as a power failure does."""
        self._net.do("kill", node=self.number)


class ThreadNetwork:
    """Network of OpenThread nodes in virtual time, one process per node.

    The processes end at the end of the ``with`` block. Methods raise :class:`LinkError` if a node
    does not exist, rejects a command, or fails.
    """

    def __init__(self, **asked: Any) -> None:
        self._core = _airlag.ThreadNetwork(json.dumps({"folder": str(folder()), **asked}))
        #: Formation of the network: ``attach_ns`` by node, ``formed_ns``, ``positions_m``.
        self.formed: Mapping[str, Any] = json.loads(self._core.formed)

    def _ask(self, request: Any) -> Any:
        return json.loads(self._core.ask(json.dumps(request)))

    def do(self, action: str, **facts: Any) -> Mapping[str, Any]:
        """Executes a script action now, and returns its outcome."""
        outcome: Mapping[str, Any] = self._ask({"do": {action: facts} if facts else action})
        return outcome

    def __getitem__(self, number: int) -> Node:
        if not 1 <= number <= len(self.roles):
            raise IndexError(f"no node {number}; expected 1 to {len(self.roles)}")
        return Node(self, number)

    def add(self, x: float, y: float) -> Node:
        """Adds a node at a position, m, and starts it."""
        return Node(self, self.do("add", x=x, y=y)["node"])

    def move(self, node: Node | int, x: float, y: float) -> None:
        """Moves a node to a position, m."""
        self.do("move", node=_number(node), x=x, y=y)

    def kill(self, node: Node | int) -> None:
        """Stops a node, as a power failure does."""
        self.do("kill", node=_number(node))

    def partition(self, *groups: Sequence[Node | int]) -> None:
        """Splits the network into groups that cannot receive each other's frames."""
        self.do("partition", groups=[[_number(node) for node in group] for group in groups])

    def heal(self) -> None:
        """Removes all partitions."""
        self.do("heal")

    def ping(
        self,
        sender: Node | int,
        to: Node | int,
        *,
        size: int = 8,
        count: int = 1,
        interval: Duration = "1s",
        timeout: Duration = "3s",
    ) -> list[float | None]:
        """Returns round-trip times of echo requests, ns; ``None`` for each timeout."""
        times = {
            "interval_ns": ns_of(interval, "interval"),
            "timeout_ns": ns_of(timeout, "timeout"),
        }
        ends = {"from": _number(sender), "to": _number(to)}
        answers: list[float | None] = self.do("ping", **ends, size=size, count=count, **times)[
            "rtt_ns"
        ]
        return answers

    def run(self, time: Duration) -> None:
        """Advances virtual time, such as by ``"60s"``."""
        self._ask({"run-for": {"ns": ns_of(time, "time")}})

    @property
    def now_ns(self) -> int:
        """Virtual time since the network formed, ns."""
        return int(self._ask("state")["now_ns"])

    @property
    def roles(self) -> list[str]:
        """Role of each node, in the order of the node numbers."""
        return list(self._ask("state")["roles"])

    def close(self) -> None:
        """Ends the processes of all nodes."""
        self._core.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _number(node: Node | int) -> int:
    return node.number if isinstance(node, Node) else node


def thread(
    positions_m: Sequence[tuple[float, float]] | None = None,
    *,
    topology: Topology | None = None,
    nodes: int = 2,
    hops: int = 2,
    reach_m: float = 100.0,
    sensed_m: float | None = None,
    boards: str | None = None,
    poll_period: Duration | None = None,
    frame_loss: float = 0.0,
    loss_burst: float = 1.0,
    seed: int = 1,
    **settings: Setting,
) -> ThreadNetwork:
    """Forms an interactive Thread network of OpenThread nodes.

    Parameters
    ----------
    positions_m
        Position of each node, x and y in metres. The first position is that of node 1.
    topology
        Topology of ``nodes`` nodes, instead of positions. A tree has ``hops`` hops.
    reach_m, sensed_m
        Reception range and carrier-sense range, m. They are ignored with the setting
        ``environment``, because path loss then determines both ranges.
    boards
        Link profile of the boards, such as ``"thread-up"``. Default: no software delay.
    poll_period
        Poll period of the end nodes, which makes them sleepy end devices. Default: not sleepy.
    frame_loss, loss_burst
        Frame loss ratio of each path once the network has formed; mean loss burst length, frames.
    seed
        Random seed.
    **settings
        Radio settings, such as ``environment="office"`` or ``tx_power=8``.

    Raises
    ------
    LinkError
        The OpenThread nodes were not built, or the network is invalid.
    """
    placed = positions_m is not None
    return ThreadNetwork(
        topology=topology or ("placed" if placed else "one-hop"),
        positions_m=[*(positions_m or ())],
        nodes=nodes,
        hops=hops,
        reach_m=reach_m,
        sensed_m=sensed_m,
        boards=boards,
        poll_period_ns=None if poll_period is None else ns_of(poll_period, "poll_period"),
        frame_loss=frame_loss,
        loss_burst=loss_burst,
        seed=seed,
        settings={name: text_of(name, value) for name, value in settings.items()},
    )
