"""Trust on first use: a peripheral must keep the identity key of its first connection.

The key exchange proves that a peripheral owns its identity key, but not that the peripheral is the
intended device. Keys are therefore stored in a file. Each line contains the address of a peripheral
and its public Ed25519 key in hexadecimal digits.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from platformdirs import user_data_path

from airlag.core.atomic import replacing
from airlag.rpc.errors import IdentityChanged, NotTrusted

#: First line of the file.
HEADER = "# Bluetooth peripherals and their identity keys; remove the line of a changed key.\n"


class Trust:
    """Stored identities of peripherals.

    Parameters
    ----------
    path
        The file, which may not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def of_user(cls) -> Trust:
        """Returns the identities shared by all connections of this user."""
        return cls(user_data_path("airlag", appauthor=False) / "rpc-peripherals.txt")

    def known(self, address: str) -> bytes | None:
        """Stored identity key of a peripheral; ``None`` if there is none.

        Raises :class:`NotTrusted` if the file cannot be read or its line is invalid.
        """
        line = self._find(address)
        if line is None:
            return None
        number, text = line
        key = text.split()[1:]
        try:
            (digits,) = key
            identity = bytes.fromhex(digits)
        except ValueError:
            identity = b""
        if len(identity) != 32:
            raise NotTrusted(
                f"{self.path}:{number}: no identity key; expected the address and 64 hexadecimal "
                "digits, or remove the line"
            )
        return identity

    def meet(self, address: str, identity: bytes | None) -> None:
        """Stores the identity of a new peripheral, or checks the identity of a known peripheral.

        Raises :class:`IdentityChanged` if a known peripheral has another identity key or none, and
        :class:`NotTrusted` if the file cannot be read or written.
        """
        known = self.known(address)
        if known is None and identity is not None:
            known = self._pin(address, identity)
        if known is not None and known != identity:
            shown = "no identity key" if identity is None else f"identity key {identity.hex()}"
            raise self.changed(address, f"the peripheral presents {shown}, not {known.hex()}")

    def changed(self, address: str, how: object) -> IdentityChanged:
        """Error for a changed identity. It names the remedy if the change is legitimate."""
        line = self._find(address)
        number = 0 if line is None else line[0]
        return IdentityChanged(
            f"{address}: {how}; if the change is legitimate, remove line {number} of {self.path}"
        )

    def _find(self, address: str) -> tuple[int, str] | None:
        """Returns the line of a peripheral, and its number."""
        for number, line in enumerate(self._text().splitlines(), 1):
            if line.split()[:1] == [address.upper()]:
                return number, line
        return None

    def _text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or "not valid UTF-8"
            raise NotTrusted(f"{self.path}: cannot be read ({reason})") from None

    def _pin(self, address: str, identity: bytes) -> bytes:
        """Stores an identity; returns it, or the identity that another process stored first."""
        folder = self.path.parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # The file is replaced, so the folder is locked instead.
            lock = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                known = self.known(address)
                if known is None:
                    self._append(f"{address.upper()} {identity.hex()}\n")
            finally:
                os.close(lock)
        except OSError as error:
            raise NotTrusted(
                f"{self.path}: cannot be written ({error.strerror or error})"
            ) from None
        return identity if known is None else known

    def _append(self, line: str) -> None:
        text = self._text() or HEADER
        text += "" if text.endswith("\n") else "\n"
        with replacing(self.path, force=True) as file:
            file.write((text + line).encode())
