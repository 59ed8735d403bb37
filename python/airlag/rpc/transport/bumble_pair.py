"""Two virtual Bumble devices: complete host stacks on simulated controllers.

The peripheral runs the same code as on the virtual bench. There is no airtime, so the latency is
the processing time of this computer.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from typing import Protocol

# A missing Bumble was already reported by the import above.
from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData
from bumble.device import Connection, Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport.common import AsyncPipeSink

from airlag._airlag import RpcPeripheral
from airlag.rpc.connection import Encryption
from airlag.rpc.transport import CHARACTERISTIC, SERVICE
from airlag.rpc.transport.bumble import MTU, SCAN_S, Bumble
from airlag.rpc.transport.inbox import wall_ns

CENTRAL = "C0:00:00:00:00:01"
PERIPHERAL = "C0:00:00:00:00:02"
#: Shortest connection interval (Core 5.4, volume 6, part B, section 4.4.2.2.1).
ADVERTISING_MS = 20


class Answering(Protocol):
    """Peripheral end of a connection."""

    def received(self, container: bytes, now_ns: int) -> object:
        """Processes a container."""

    def outgoing(self) -> bytes | None:
        """Returns the next container to send; ``None`` if there is none."""


#: Makes the peripheral end of a new connection with an MTU.
MakeAnswering = Callable[[int], Answering]


class Served:
    """A characteristic that passes writes to a peripheral end, and notifications from this end.

    Parameters
    ----------
    device
        Device to whose GATT server the service is added.
    make
        Function that creates the peripheral end once the MTU of the connection is known.
    """

    def __init__(self, device: Device, make: MakeAnswering) -> None:
        self._device = device
        self._make = make
        self._answering: dict[Connection, Answering] = {}
        self._notifying = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._characteristic = Characteristic[bytes](
            CHARACTERISTIC,
            Characteristic.Properties.WRITE_WITHOUT_RESPONSE | Characteristic.Properties.NOTIFY,
            Characteristic.WRITEABLE,
            CharacteristicValue(write=self._written),
        )
        device.add_service(Service(SERVICE, [self._characteristic]))

    def _written(self, connection: Connection, container: bytes) -> None:
        if connection not in self._answering:
            self._answering[connection] = self._make(int(connection.att_mtu))
            connection.on(
                connection.EVENT_DISCONNECTION, lambda _: self._answering.pop(connection, None)
            )
        answering = self._answering[connection]
        answering.received(container, wall_ns())
        task = asyncio.create_task(self._notify(connection, answering))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _notify(self, connection: Connection, answering: Answering) -> None:
        # Sequential, because containers must not be reordered.
        async with self._notifying:
            while (container := answering.outgoing()) is not None:
                await self._device.notify_subscriber(connection, self._characteristic, container)

    async def close(self) -> None:
        """Stops notifications in progress."""
        for task in list(self._tasks):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def connected(
    make: MakeAnswering | None = None,
    *,
    mtu: int = MTU,
    encryption: Encryption = "require",
    address: str | None = None,
    scan_s: float = SCAN_S,
) -> Bumble:
    """Yields the connection of a virtual central to a virtual peripheral.

    ``make`` creates the peripheral end. By default, this end runs the benchmark service with the
    policy ``encryption``. The other parameters are those of :meth:`Bumble.open`.
    """
    seed = secrets.token_bytes(32)

    def benchmark(mtu: int) -> RpcPeripheral:
        entropy = secrets.token_bytes(32)
        return RpcPeripheral(mtu, entropy, identity_seed=seed, encryption=encryption)

    async with AsyncExitStack() as stack:
        link = LocalLink()  # type: ignore[no-untyped-call]
        central, peripheral = (_device(link, address) for address in (CENTRAL, PERIPHERAL))
        served = Served(peripheral, make or benchmark)
        await peripheral.power_on()
        stack.push_async_callback(peripheral.power_off)
        stack.push_async_callback(served.close)
        kind = AdvertisingData.Type.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS
        data = AdvertisingData([(kind, UUID(SERVICE).to_bytes())])
        await peripheral.start_advertising(
            advertising_data=bytes(data),
            advertising_interval_min=ADVERTISING_MS,
            advertising_interval_max=ADVERTISING_MS,
        )
        return await Bumble.over(central, stack.pop_all(), address, mtu=mtu, scan_s=scan_s)


def _device(link: LocalLink, address: str) -> Device:
    controller = Controller(address, link=link, public_address=address)
    host = Host(controller, AsyncPipeSink(controller))
    return Device(address=Address(address), host=host)
