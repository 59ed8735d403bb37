"""Transport over Bumble's host stack on a real or simulated controller.

The Bluetooth stack of the operating system is not used.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from airlag.rpc.errors import Disconnected, NotFound
from airlag.rpc.transport import CHARACTERISTIC, SERVICE
from airlag.rpc.transport.inbox import Inbox, Notified, missing, why

try:
    from bumble.core import UUID, AdvertisingData, BaseBumbleError
    from bumble.device import Advertisement, Connection, Device, Peer
    from bumble.gatt_client import CharacteristicProxy
    from bumble.hci import Address
    from bumble.transport import open_transport
except ImportError as error:
    raise missing("bumble", error) from None

#: Scan time, s.
SCAN_S = 10.0
#: Requested MTU. With four bytes of L2CAP it fills a link-layer packet of 251 bytes (Core 5.4,
#: volume 6, part B, section 4.5.10).
MTU = 247

#: Errors below a connection.
ERRORS = (BaseBumbleError, OSError, asyncio.TimeoutError)


class Bumble(Notified):
    """A connection through Bumble's host stack, created by :meth:`open`."""

    def __init__(
        self,
        connection: Connection,
        characteristic: CharacteristicProxy[bytes],
        inbox: Inbox,
        stack: AsyncExitStack,
    ) -> None:
        self._connection = connection
        self._characteristic = characteristic
        super().__init__(inbox)
        self._stack = stack

    @classmethod
    async def open(
        cls, hci: str, address: str | None = None, *, mtu: int = MTU, scan_s: float = SCAN_S
    ) -> Bumble:
        """Opens a controller, finds a peripheral and connects to it.

        Parameters
        ----------
        hci
            Controller in Bumble's syntax, such as ``usb:0`` or ``tcp-client:HOST:PORT``.
        address
            Address of the peripheral. ``None``: the first peripheral that advertises the service.
        mtu
            MTU to request, bytes; the peripheral may grant less.
        scan_s
            Scan time, s.

        Raises
        ------
        NotFound
            The controller or the peripheral was not found.
        Disconnected
            The connection failed.
        """
        async with AsyncExitStack() as stack:
            try:
                source, sink = await stack.enter_async_context(await open_transport(hci))
            except ImportError as error:
                raise missing("bumble", error) from None
            except ERRORS as error:
                raise NotFound(f"no controller {hci} ({why(error)})") from None
            own = Address.generate_static_address()
            device = Device.with_hci("airlag", own, source, sink)
            return await cls.over(device, stack.pop_all(), address, mtu=mtu, scan_s=scan_s)

    @classmethod
    async def over(
        cls,
        device: Device,
        resources: AsyncExitStack,
        address: str | None = None,
        *,
        mtu: int = MTU,
        scan_s: float = SCAN_S,
    ) -> Bumble:
        """Connects like :meth:`open`, but from a Bumble device; ``stack`` is closed at the end."""
        inbox = Inbox()
        async with resources as stack:
            await _power_on(device, scan_s)
            stack.push_async_callback(device.power_off)
            try:
                found = await _find(device, address, scan_s)
                connection = await device.connect(found, timeout=scan_s)
                connection.on(
                    connection.EVENT_DISCONNECTION,
                    lambda reason: inbox.end(f"the peripheral disconnected (reason {reason:#x})"),
                )
                peer = Peer(connection)
                await peer.request_mtu(mtu)
                characteristic = await _characteristic(peer, found)
                await peer.subscribe(characteristic, inbox.put)
            except ERRORS as error:
                raise Disconnected(f"no connection to the peripheral ({why(error)})") from None
            return cls(connection, characteristic, inbox, stack.pop_all())

    @property
    def mtu(self) -> int:
        """ATT MTU, bytes."""
        return int(self._connection.att_mtu)

    @property
    def address(self) -> str:
        """Address of the peripheral."""
        return self._connection.peer_address.to_string(with_type_qualifier=False)

    async def write(self, container: bytes) -> None:
        """Queues a container in the host stack."""
        self._inbox.check()
        try:
            await self._characteristic.write_value(container)
        except ERRORS as error:
            raise Disconnected(why(error)) from None

    async def disconnect(self) -> None:
        """Ends the connection as a peripheral would, and keeps the controller open."""
        await self._connection.disconnect()

    async def close(self) -> None:
        """Disconnects, and releases the controller."""
        self._inbox.end("the connection was closed")
        await self._stack.aclose()


async def _power_on(device: Device, patience_s: float) -> None:
    try:
        async with asyncio.timeout(patience_s):
            await device.power_on()
    except TimeoutError:
        raise NotFound(f"the controller does not respond within {patience_s:g} s") from None
    except ERRORS as error:
        raise NotFound(f"the controller does not work ({why(error)})") from None


async def _find(device: Device, address: str | None, scan_s: float) -> Address:
    """Address of an advertising peripheral."""
    found: asyncio.Future[Address] = asyncio.get_running_loop().create_future()

    def look(advertisement: Advertisement) -> None:
        name = advertisement.address.to_string(with_type_qualifier=False)
        meant = _serves(advertisement.data) if address is None else name == address.upper()
        if meant and not found.done():
            found.set_result(advertisement.address)

    device.on(device.EVENT_ADVERTISEMENT, look)
    try:
        await device.start_scanning()
        async with asyncio.timeout(scan_s):
            return await found
    except TimeoutError:
        what = f"service {SERVICE}" if address is None else address
        raise NotFound(
            f"no peripheral advertised {what} within {scan_s:g} s; is it switched on?"
        ) from None
    finally:
        device.remove_listener(device.EVENT_ADVERTISEMENT, look)
        await device.stop_scanning()


def _serves(data: AdvertisingData) -> bool:
    kinds = (
        AdvertisingData.Type.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
        AdvertisingData.Type.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
    )
    lists = [each for kind in kinds for each in data.get_all(kind)]
    return any(isinstance(uuids, list) and UUID(SERVICE) in uuids for uuids in lists)


async def _characteristic(peer: Peer, address: Address) -> CharacteristicProxy[bytes]:
    for service in await peer.discover_service(SERVICE):
        for characteristic in await peer.discover_characteristics([CHARACTERISTIC], service):
            return characteristic
    name = address.to_string(with_type_qualifier=False)
    raise NotFound(f"{name} does not serve characteristic {CHARACTERISTIC}")
