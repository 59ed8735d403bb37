"""Errors between a central and a peripheral, with one-line messages."""

from __future__ import annotations


class RpcError(Exception):
    """Base of errors of calls over a link; the message is one line."""


class CallFailed(RpcError):  # noqa: N818
    """A call has no answer or an invalid one; the connection remains usable."""


class Disconnected(RpcError):  # noqa: N818
    """The connection failed or has ended."""


class IdentityChanged(Disconnected):
    """The identity key of the peripheral differs from the stored one."""


class NotTrusted(RpcError):  # noqa: N818
    """The file of trusted identities cannot be read or written."""


class NotFound(RpcError):  # noqa: N818
    """No peripheral provides the service, or no adapter is available."""


class NotInstalled(RpcError):  # noqa: N818
    """A package that the transport needs is not installed."""
