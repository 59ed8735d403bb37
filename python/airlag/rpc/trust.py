"""Trust on first use: who a peripheral was when it was first met, it has to be ever after.

The key exchange proves that a peripheral has the identity key it shows, not that it is the right
one. So the key is kept in a file, one line a peripheral: its address, and its public Ed25519 key
in hexadecimal digits.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from platformdirs import user_data_path

from airlag.core.atomic import replacing
from airlag.rpc.errors import IdentityChanged, NotTrusted

#: What the file begins with.
HEADER = (
    "# Bluetooth peripherals and their identity keys; remove the line of one that got another.\n"
)


class Trust:
    """Identities of peripherals, kept in a file.

    Parameters
    ----------
    path
        The file; it need not be there yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def of_user(cls) -> Trust:
        """The one that all connections of this user share."""
        return cls(user_data_path("airlag", appauthor=False) / "rpc-peripherals.txt")

    def known(self, address: str) -> bytes | None:
        """The identity key that a peripheral had; ``None``: it has not been met.

        Raises
        ------
        NotTrusted
            When the file cannot be read, or its line of this peripheral is none.
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
                f"{self.path}:{number}: no identity key; write the address and 64 hexadecimal "
                "digits, or remove the line"
            )
        return identity

    def meet(self, address: str, identity: bytes | None) -> None:
        """Takes note of who a peripheral is.

        Raises
        ------
        IdentityChanged
            When it was another, or now shows no key at all.
        NotTrusted
            When the file cannot be written.
        """
        known = self.known(address)
        if known is None and identity is not None:
            known = self._pin(address, identity)
        if known is not None and known != identity:
            shown = "no identity key" if identity is None else f"identity key {identity.hex()}"
            raise self.changed(address, f"the peripheral shows {shown}, not {known.hex()}")

    def changed(self, address: str, how: object) -> IdentityChanged:
        """The error of a peripheral that is another one, with what to do if that is meant."""
        line = self._find(address)
        number = 0 if line is None else line[0]
        return IdentityChanged(
            f"{address}: {how}; if it is meant to have another, remove line {number} of {self.path}"
        )

    def _find(self, address: str) -> tuple[int, str] | None:
        """The line of a peripheral, and its number."""
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
            reason = getattr(error, "strerror", None) or "it is no text"
            raise NotTrusted(f"{self.path}: cannot be read ({reason})") from None

    def _pin(self, address: str, identity: bytes) -> bytes:
        """Who a peripheral is from now on: this, or whom another process met first."""
        folder = self.path.parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # The file is replaced by another, so the lock is the folder's.
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
