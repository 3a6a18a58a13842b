"""The relay's two private keys in one file: one opens sealed cards, one signs the releases."""

from __future__ import annotations

import base64
import binascii
import os
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.public import PrivateKey, SealedBox
from nacl.signing import SigningKey

from feltwire.config import ConfigError
from table_core.commitment import Opening
from table_core.messages import decode
from table_core.toml_text import read_toml


class RelayKeys:
    """The repr shows nothing. Tables seal to `public_hex` (`relay_key` in their configuration); releases are
    checked with `verify_hex`."""

    def __init__(self, box: bytes, sign: bytes) -> None:
        self._box = PrivateKey(box)
        self._opener = SealedBox(self._box)
        self.signing = SigningKey(sign)

    def __repr__(self) -> str:
        return "RelayKeys(••)"

    @classmethod
    def generate(cls) -> RelayKeys:
        return cls(bytes(PrivateKey.generate()), bytes(SigningKey.generate()))

    @classmethod
    def load(cls, path: str | Path) -> RelayKeys:
        """Raise ConfigError when the file is missing, open to others or holds no keys; its text is never
        repeated."""
        try:
            with Path(path).open("rb") as file:
                if os.fstat(file.fileno()).st_mode & 0o077:
                    raise ConfigError(f"{path}: others may read it: chmod 600, and think of who could have")
                document = read_toml(file.read().decode())
            return cls(bytes.fromhex(document["box"]), bytes.fromhex(document["sign"]))
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read ({error.strerror}); see `feltwire provision`") from error
        except (ValueError, KeyError, TypeError, CryptoError):
            raise ConfigError(f"{path}: holds no relay keys; make them with `feltwire provision`") from None

    def save(self, path: Path) -> None:
        """Write a file that only its owner reads; FileExistsError rather than overwrite keys."""
        text = f'box = "{bytes(self._box).hex()}"\nsign = "{bytes(self.signing).hex()}"\n'
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)

    @property
    def public_hex(self) -> str:
        return bytes(self._box.public_key).hex()

    @property
    def verify_hex(self) -> str:
        return bytes(self.signing.verify_key).hex()

    @property
    def public_text(self) -> str:
        """What `relay.pub` says: `box`, to which tables seal, and `sign`, with which releases are checked."""
        return f'box = "{self.public_hex}"\nsign = "{self.verify_hex}"\n'

    def open(self, box: str) -> Opening | None:
        """The content of a sealed card's `box` (base64); None for a box that is not for this relay."""
        try:
            raw = self._opener.decrypt(base64.b64decode(box, validate=True))
            opening = decode(raw, Opening)
            bytes.fromhex(opening.salt)  # a table that seals anything else does not end the relay
            return opening
        except (CryptoError, binascii.Error, ValueError):
            return None
