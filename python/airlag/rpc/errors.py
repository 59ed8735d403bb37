"""What can go wrong between a central and a peripheral: one family, one line each."""

from __future__ import annotations


class RpcError(Exception):
    """Calls over a link do not work as asked; the message is one line."""


class CallFailed(RpcError):  # noqa: N818
    """One call has no answer, or one that is none; the connection goes on."""


class Disconnected(RpcError):  # noqa: N818
    """The connection did not come about, or is over."""


class IdentityChanged(Disconnected):
    """The peripheral has another identity key than it had when it was first met."""


class NotTrusted(RpcError):  # noqa: N818
    """Identities cannot be remembered, or what was remembered cannot be understood."""


class NotFound(RpcError):  # noqa: N818
    """No peripheral with the service, or no adapter to find it with."""


class NotInstalled(RpcError):  # noqa: N818
    """A transport needs a package that is not there."""
