"""Signatures: each ledger has an Ed25519 key, and its machine signs its messages with it.

A signed message is a struct whose last field is `signature` (hex): over a label with the struct's name and the
message's bytes before that field. So the stored, sent and signed bytes are the same, and each message has exactly
one signed form. The private key is a file beside the ledger, not in it: ledgers are handed out.
"""

from __future__ import annotations

import functools
import logging
import os
from pathlib import Path
from typing import Protocol

import msgspec
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from feltwire.ledger.store import LedgerError
from feltwire.private_files import replace
from table_core.messages import MOST_SENT_ALONG, Envelope, Frozen, encode, encode_view

log = logging.getLogger(__name__)

_SEED_BYTES, _SIGNATURE_BYTES = 32, 64
_FIELD = b',"signature":"'
_END = b'"}'
_TAIL = len(_FIELD) + 2 * _SIGNATURE_BYTES + len(_END)

# Envelope, Birth, SealedCard, TableState, Checkpoint
Signed = Frozen


class Signer(Protocol):
    """What the table signs with."""

    @property
    def public(self) -> str: ...
    def sign(
        self, message: Signed, *, view: bool = False, checked: type[msgspec.Struct] | None = None
    ) -> bytes: ...


class LedgerKey:
    """The private key of one ledger; its repr shows nothing. `public` (hex) is what the station pins."""

    def __init__(self, seed: bytes) -> None:
        self._key = SigningKey(seed)
        self.public = bytes(self._key.verify_key).hex()

    def __repr__(self) -> str:
        return f"LedgerKey({self.public[:8]}…)"

    @classmethod
    def of_ledger(cls, ledger: Path) -> LedgerKey:
        """The key in the file beside `ledger`, made where there is none. Raise `LedgerError` for a file that holds
        no key. A machine whose key was lost signs with another one and must ask for its table again."""
        path = ledger.with_name(f"{ledger.name}.key")
        try:
            if not path.exists():
                replace(path, os.urandom(_SEED_BYTES), mode=0o600)
            seed = path.read_bytes()
        except OSError as error:
            raise LedgerError(f"{path}: cannot be read or written ({error.strerror})") from error
        if len(seed) != _SEED_BYTES:
            raise LedgerError(f"{path}: holds no signing key; move it away, and the director hands the table over")
        return cls(seed)

    def sign(self, message: Signed, *, view: bool = False, checked: type[msgspec.Struct] | None = None) -> bytes:
        """The bytes of `message` with its signature. Raise `Unencodable`, but not for a `view`; `checked` as in
        `encode`."""
        bare = msgspec.structs.replace(message, signature="")
        whole = encode_view(bare) if view else encode(bare, MOST_SENT_ALONG - 2 * _SIGNATURE_BYTES, checked)
        part = whole[: -len(_FIELD) - len(_END)]
        signature = self._key.sign(_label(type(message)) + part).signature
        return part + _FIELD + signature.hex().encode() + _END


def with_signature(envelope: Envelope, raw: bytes) -> Envelope:
    """`envelope` as it is in `raw`, its signed bytes."""
    return msgspec.structs.replace(envelope, signature=raw[len(_FIELD) - _TAIL : -len(_END)].decode("ascii"))


def signed_by(raw: bytes, kind: type[Signed], key: str) -> bool:
    """Whether these bytes are a message of `kind` signed with `key` (hex)."""
    part, tail = raw[:-_TAIL], raw[-_TAIL:]
    text = tail[len(_FIELD) : -len(_END)]
    if not (tail.startswith(_FIELD) and tail.endswith(_END)):
        return False
    try:
        signature = bytes.fromhex(text.decode("ascii"))
        # Capital letters would be a second form of the same signature, with another hash.
        if signature.hex().encode() != text:
            return False
        _verify_key(key).verify(_label(kind) + part, signature)
    except (BadSignatureError, ValueError, TypeError):
        return False
    return True


def _label(kind: type[Signed]) -> bytes:
    return f"feltwire {kind.__name__} 1\n".encode()


@functools.lru_cache(maxsize=256)
def _verify_key(key: str) -> VerifyKey:
    return VerifyKey(bytes.fromhex(key))
