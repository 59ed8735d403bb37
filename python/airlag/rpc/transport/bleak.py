"""Transport over the Bluetooth stack of the operating system, using Bleak."""

from __future__ import annotations

from typing import Any

from airlag.rpc.errors import Disconnected, NotFound, RpcError
from airlag.rpc.transport import CHARACTERISTIC, SERVICE
from airlag.rpc.transport.inbox import ATT_HEADER, Inbox, Notified, missing, why

try:
    from bleak import BleakClient, BleakScanner
    from bleak.backends.characteristic import BleakGATTCharacteristic
    from bleak.exc import BleakError
except ImportError as error:
    raise missing("bleak", error) from None

#: Scan time, s.
SCAN_S = 10.0


class Bleak(Notified):
    """A connection through the Bluetooth stack of the operating system, created by :meth:`open`."""

    def __init__(
        self, client: BleakClient, characteristic: BleakGATTCharacteristic, inbox: Inbox
    ) -> None:
        self._client = client
        self._characteristic = characteristic
        super().__init__(inbox)

    @classmethod
    async def open(
        cls,
        address: str | None = None,
        *,
        scan_s: float = SCAN_S,
        characteristic: str = CHARACTERISTIC,
    ) -> Bleak:
        """Finds a peripheral and connects to it.

        Parameters
        ----------
        address
            Address (on macOS, identifier) or name of the peripheral. ``None`` selects
            the first peripheral that advertises the service.
        scan_s
            Scan time, s.
        characteristic
            UUID of the characteristic.

        Raises
        ------
        NotFound
            There is no such peripheral, or no Bluetooth adapter.
        Disconnected
            The connection failed.
        """
        inbox = Inbox()
        device = await _find(address, scan_s)
        client = BleakClient(device, lambda _: inbox.end("the peripheral disconnected"))
        try:
            await client.connect()
        except (BleakError, OSError, TimeoutError) as error:
            raise Disconnected(f"{device.address}: connection failed ({why(error)})") from None
        try:
            found = client.services.get_characteristic(characteristic)
            if found is None:
                raise NotFound(f"{device.address} does not serve characteristic {characteristic}")
            await client.start_notify(found, lambda _, container: inbox.put(bytes(container)))
        except (BleakError, OSError, TimeoutError) as error:
            await client.disconnect()
            raise Disconnected(f"{device.address}: {why(error)}") from None
        except RpcError:
            await client.disconnect()
            raise
        return cls(client, found, inbox)

    @property
    def mtu(self) -> int:
        """ATT MTU, bytes."""
        return self._characteristic.max_write_without_response_size + ATT_HEADER

    @property
    def address(self) -> str:
        """Address of the peripheral; on macOS an identifier valid on this computer."""
        return self._client.address

    async def write(self, container: bytes) -> None:
        """Writes a container; waits until the operating system accepts the next one."""
        self._inbox.check()
        try:
            await self._client.write_gatt_char(self._characteristic, container, response=False)
        except (BleakError, OSError) as error:
            raise Disconnected(why(error)) from None

    async def close(self) -> None:
        """Disconnects."""
        self._inbox.end("the connection was closed")
        await self._client.disconnect()


async def _find(address: str | None, scan_s: float) -> Any:
    what = f"service {SERVICE}" if address is None else address
    try:
        if address is None:
            device = await BleakScanner.find_device_by_filter(
                lambda _, said: SERVICE in said.service_uuids, scan_s, service_uuids=[SERVICE]
            )
        else:
            device = await BleakScanner.find_device_by_filter(
                lambda each, said: (
                    address.lower() == each.address.lower()
                    or address in (each.name, said.local_name)
                ),
                scan_s,
            )
    except (TimeoutError, BleakError, OSError) as error:
        raise NotFound(f"no Bluetooth adapter to search for {what} ({why(error)})") from None
    if device is None:
        raise NotFound(f"no peripheral advertised {what} within {scan_s:g} s; is it switched on?")
    return device
