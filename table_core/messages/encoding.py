"""Structs to JSON bytes and back."""

from __future__ import annotations

import functools
import hashlib
from typing import Any

import msgspec
from msgspec import Struct

from table_core.messages.envelope import Envelope
from table_core.messages.observations import AnyObservation
from table_core.messages.table_commands import AnyTableCommand

_encoder = msgspec.json.Encoder()
_envelope_decoder = msgspec.json.Decoder(Envelope)
_observation_decoder = msgspec.json.Decoder(AnyObservation)
_command_decoder = msgspec.json.Decoder(AnyTableCommand)


def encode(message: Struct) -> bytes:
    """Canonical JSON bytes: fields in the order of their struct, no white space."""
    return _encoder.encode(message)


def decode_envelope(raw: bytes) -> Envelope:
    """Raise `msgspec.DecodeError` (with the path of the fault) when `raw` is not an envelope."""
    return _envelope_decoder.decode(raw)


def decode_observation(raw: bytes) -> AnyObservation:
    observation: AnyObservation = _observation_decoder.decode(raw)
    return observation


def decode_command(raw: bytes) -> AnyTableCommand:
    command: AnyTableCommand = _command_decoder.decode(raw)
    return command


@functools.cache
def schema_hash() -> str:
    """Sixteen hex digits that name this version of the messages; a birth carries them."""
    schema = msgspec.json.schema(Envelope)
    return hashlib.sha256(msgspec.json.encode(schema, order="deterministic")).hexdigest()[:16]


def to_jsonable(message: Struct) -> Any:
    return msgspec.to_builtins(message)
