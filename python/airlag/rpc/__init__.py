"""Calls over a link: a typed client in Python of what a peripheral serves.

>>> import airlag.rpc
>>> from airlag.rpc.transport.bleak import Bleak
>>> async with airlag.rpc.connect(await Bleak.open()) as client:
...     print(await client.echo("hello"))

The client speaks to any peripheral of bleRPC. A service of one's own is a class that derives from
:class:`Client`, with the messages that ``protoc`` makes.
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
