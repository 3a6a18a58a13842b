"""Structs to JSON bytes and back: what is encoded here can be decoded here."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping
from enum import Enum
from threading import Lock
from typing import Any, TypeVar

import msgspec
from msgspec import NODEFAULT, Struct

from table_core.messages.devices.zone import ZONE_PATTERN, Zone
from table_core.messages.table.commands import AnyTableCommand
from table_core.messages.table.envelope import Envelope, StoredEvent, UnreadEvent
from table_core.messages.version import ADDED, MESSAGES_VERSION, written

MOST_BYTES = 256 * 1024  # longest message; the broker has the same limit
MOST_SENT_ALONG = MOST_BYTES - 1024  # of what another message carries, and what is signed
MOST_STORED = 4 * 1024 * 1024  # bytes of a record that is never sent
_MOST_WORDS = 200  # longest text of an error, since it may cite the input

_T = TypeVar("_T")


def to_text(value: Any) -> str:
    """The JSON form of what msgspec does not know: its `enc_hook`."""
    if isinstance(value, Zone):
        return str(value)
    raise NotImplementedError(type(value).__name__)


def from_text(kind: type, plain: Any) -> Any:
    """The inverse of `to_text`: msgspec's `dec_hook`. Raise `ValueError` for text that names no zone."""
    if kind is Zone and isinstance(plain, str):
        return Zone.parse(plain)
    raise NotImplementedError(kind.__name__)


def schema_of(kind: type) -> dict[str, Any]:
    """The JSON schema of what `to_text` writes: msgspec's `schema_hook`."""
    if kind is Zone:
        return {"type": "string", "pattern": f"^({ZONE_PATTERN})$"}
    raise NotImplementedError(kind.__name__)


_encoder = msgspec.json.Encoder(enc_hook=to_text)
_decoders: dict[Any, msgspec.json.Decoder[Any]] = {}
_making = Lock()  # of a decoder


class Malformed(msgspec.DecodeError):
    """What came is not what it should be: where, and what was expected. Its words are short."""


class LaterVersion(Malformed):
    """A message of a later version than this program knows."""

    def __init__(self, version: int) -> None:
        super().__init__(f"version {version} of the messages; this program reads version {MESSAGES_VERSION}")


class _Versioned(Struct):
    """What every message that names its version has, whatever else a later one may have."""

    v: int = 0


class Unencodable(ValueError):
    """A value that could not be read again: which field, and what it may hold. Its words cite nothing of it."""


def encode(message: Struct, most: int = MOST_BYTES, checked: type[Struct] | None = None) -> bytes:
    """Canonical JSON bytes: fields in the order of their struct, no white space. Raises `Unencodable` where
    `decode` would not take them as the message's type: no other bytes are stored or sent (decision 57). `checked`
    has the fields that came from elsewhere, where the caller made all others within their bounds.

    The bytes are those of the version that the room writes (`version.py`): without what an earlier one does not
    know. Raises `Unencodable` where that would be lost."""
    try:
        raw = _encoder.encode(_as_written(message))
        if len(raw) <= most:
            _decoder(checked or type(message)).decode(raw)
            return raw
    except Unencodable:
        raise
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Unencodable(field_in_words(error)) from None
    raise Unencodable(f"{len(raw):,} bytes, {most:,} at most")


def encode_view(view: Struct) -> bytes:
    """`encode` without its check, for what only shows and is soon replaced: who reads it refuses what cannot be
    read, and nothing that was recorded is taken back for it."""
    return _encoder.encode(_as_written(view))


def encode_page(view: Struct) -> bytes:
    """`encode_view` for the pages of this process. They are of this program, whatever version the room writes:
    nothing is left out."""
    return _encoder.encode(view)


def _as_written(message: Struct) -> Any:
    """`message` without what the version that is written does not know; itself where it knows everything."""
    version = written()
    known = all(added.since <= version for added in ADDED.values())
    return message if known else _without(message, version)


def _without(value: Any, version: int) -> Any:
    """The value as plain data, fields in their order. Raise `Unencodable` for what would be lost."""
    match value:
        case Struct():
            kind = type(value)
            _must_be_known(kind.__name__, version)
            tag = kind.__struct_config__
            plain = {} if tag.tag is None else {tag.tag_field: tag.tag}
            for field in msgspec.structs.fields(kind):
                held, name = getattr(value, field.name), f"{kind.__name__}.{field.name}"
                added = ADDED.get(name)
                if added is None or added.since <= version:
                    plain[field.encode_name] = _without(held, version)
                elif not added.only_shows and held != _default(field):
                    _must_be_known(name, version)
            return plain
        case Enum():
            _must_be_known(f"{type(value).__name__}.{value.name}", version)
            return value
        case tuple() | list():
            return [_without(one, version) for one in value]
        case Mapping():
            return {name: _without(one, version) for name, one in value.items()}
    return value


def is_written(name: str) -> bool:
    """Whether the version that this room writes knows what is named as in `ADDED`, `Key.CARD` for one."""
    added = ADDED.get(name)
    return added is None or added.since <= written()


def _must_be_known(name: str, version: int) -> None:
    added = ADDED.get(name)
    if added is not None and added.since > version:
        raise Unencodable(
            f"{name} is of version {added.since} of the messages; this room writes version {version} until the "
            "director confirms the upgrade"
        )


def _default(field: Any) -> Any:
    if field.default_factory is not NODEFAULT:
        return field.default_factory()
    return field.default


_EXPECTED = re.compile(r"Expected `(\w+)(?: \| null)?`(.*?)(?: - at `(.+)`)?")
_FIELD = re.compile(r"\.(\w+)")


def field_in_words(error: Exception) -> str:
    """`why: 4,000 letters at most`, of what msgspec says of a bound."""
    found = _EXPECTED.fullmatch(str(error))
    if found is None:
        return "a number, a letter or a word that no message can hold"
    kind, bound, path = found.groups()
    fields = _FIELD.findall(path or "")
    most = re.fullmatch(r"(?: of length)? ([<>]=) (-?\d+)", bound)
    if most is None:
        expected = "letters that cannot stand there" if kind == "str" else f"not a value of the kind {kind}"
    else:
        end = "at most" if most[1] == "<=" else "at least"
        what = {"str": " letters", "array": " entries"}.get(kind, "")
        expected = f"{int(most[2]):,}{what} {end}"
    return f"{fields[-1]}: {expected}" if fields else expected


def decode(raw: bytes, kind: type[_T], most: int = MOST_BYTES) -> _T:
    """`raw` as a `kind`. Raises `Malformed` and nothing else, whatever the bytes are: `LaterVersion` for a message
    that a later version of the program wrote, also where this one could read it."""
    if len(raw) > most:
        raise Malformed(f"{len(raw)} bytes, {most} at most")
    decoder = _decoder(kind)
    try:
        message = decoder.decode(raw)
    except UnicodeError:
        raise Malformed("text that is not UTF-8") from None
    except RecursionError:
        raise Malformed("nested too deep") from None
    except Exception as error:  # noqa: BLE001  (whatever a parser raises over foreign bytes, it is their fault)
        raise _why(raw, error) from None
    if getattr(message, "v", 0) > MESSAGES_VERSION:
        raise _why(raw, None)
    return message


def decode_any(raw: bytes, kind: type[_T]) -> _T:
    """The parts of a message that are the same in every version, later ones too. Raise `Malformed`."""
    if len(raw) > MOST_BYTES:
        raise Malformed(f"{len(raw)} bytes, {MOST_BYTES} at most")
    try:
        return _decoder(kind).decode(raw)
    except (ValueError, RecursionError) as error:
        raise Malformed(_short(error)) from None


def _why(raw: bytes, error: Exception | None) -> Malformed:
    try:
        version = _decoder(_Versioned).decode(raw).v
    except (ValueError, RecursionError):
        version = 0
    if version > MESSAGES_VERSION:
        return LaterVersion(version)
    return Malformed("" if error is None else _short(error))


def convert(plain: Any, kind: type[_T]) -> _T:
    """Parsed JSON as a `kind`. Raises `Malformed` and nothing else."""
    try:
        return msgspec.convert(plain, kind, dec_hook=from_text)
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise Malformed(_short(error)) from None


def decode_envelope(raw: bytes) -> Envelope:
    """Raise `Malformed` (with the path of the fault) when `raw` is not an envelope."""
    return decode(raw, Envelope)


def decode_stored(raw: bytes) -> StoredEvent:
    """An event of a chain, as far as it can be read. Raise `LaterVersion`, and `Malformed` where not even its
    place in the chain can be."""
    try:
        return decode_envelope(raw)
    except LaterVersion:
        raise
    except Malformed:
        return decode(raw, UnreadEvent)


def decode_command(raw: bytes) -> AnyTableCommand:
    command: AnyTableCommand = decode(raw, AnyTableCommand)  # type: ignore[arg-type]
    return command


def _decoder(kind: type[_T]) -> msgspec.json.Decoder[_T]:
    decoder = _decoders.get(kind)
    if decoder is None:
        # msgspec crashes where a thread uses a struct whose fields another one is just about to look up.
        with _making:
            decoder = _decoders[kind] = msgspec.json.Decoder(kind, dec_hook=from_text)
    return decoder


def _short(error: Exception) -> str:
    words = str(error).encode("ascii", "backslashreplace").decode()
    words = "".join(letter if letter.isprintable() else " " for letter in words)
    return words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS]} …"


@functools.cache
def schema_hash() -> str:
    """Sixteen hex digits that name this version of the messages; a birth carries them."""
    schema = msgspec.json.schema(Envelope, schema_hook=schema_of)
    return hashlib.sha256(msgspec.json.encode(schema, order="deterministic")).hexdigest()[:16]
