"""Typed calls over a link to the services of a peripheral.

>>> import airlag.rpc
>>> from airlag.rpc.transport.bleak import Bleak
>>> async with airlag.rpc.connect(await Bleak.open()) as client:
...     print(await client.echo("hello"))

A client works with any bleRPC peripheral. The example uses the client of the benchmark service.
The client of another service is a subclass of :class:`Client` with messages from ``protoc``.
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
