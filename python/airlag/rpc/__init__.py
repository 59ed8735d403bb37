"""Typed calls over a link to the services of a peripheral.

>>> import airlag.rpc
>>> from airlag.rpc.transport.bleak import Bleak
>>> async with airlag.rpc.connect(await Bleak.open()) as client:
...     print(await client.echo("hello"))

The client works with any bleRPC peripheral. Clients of other services derive from
:class:`Client` and use messages made by ``protoc``.
"""

from airlag.rpc.client import Client
from airlag.rpc.connection import Encryption, connect
from airlag.rpc.errors import (
    CallFailed,
    Disconnected,
    IdentityChanged,
    NotFound,
    NotInstalled,
    NotTrusted,
    RpcError,
)
from airlag.rpc.transport import Transport
from airlag.rpc.trust import Trust

__all__ = [
    "CallFailed",
    "Client",
    "Disconnected",
    "Encryption",
    "IdentityChanged",
    "NotFound",
    "NotInstalled",
    "NotTrusted",
    "RpcError",
    "Transport",
    "Trust",
    "connect",
]
