"""A table's node recorded: its inputs and their times. Stored as bytes, a recording replays to the same ledger.

A facility of the lab and its tests, not an option of a process. The inputs hold the tag of every card that leaves
the shoe, so a recording names all hidden cards: record simulated decks only. The sealed path stays as it is:
a tag (`firmware_bridge.shoe.Uid`) refuses to be encoded, only `encode` here asks it to reveal itself, and no
process of a venue may import this package (an import contract). A process that recorded a real deck would have to
seal every step for the relay, as its boxes are sealed.

What else decides what a node records is stored with the inputs: its configuration, its decks, its boot number, the
time of each step with the wall clock's annotation, and the seed of the salts in its commitments. In a venue salts
come from the operating system and are never stored. Boxes for the relay and for recovery have random keys: they
differ with every replay, and are no part of the hash chain.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from feltwire.config import TableConfig
from feltwire.runtime.node_io import Quarantined
from feltwire.table.node import TableNode
from feltwire.table.table_io import Commit, TableInput
from feltwire.table.vault import Vault
from firmware_bridge.decks import DeckRegistry
from firmware_bridge.shoe import Uid
from table_core.messages import At, Millis, from_text, to_text


class NodeStep(Struct, frozen=True):
    """One step of the node: its time, and its input; None where only time had passed."""

    at: At
    given: TableInput | None


class Recording(Struct, frozen=True):
    """Everything that decides what a table records. `decks` is the text of a deck registry."""

    config: TableConfig
    decks: str
    boot: int
    seed: int
    steps: tuple[NodeStep, ...]


def salts(seed: int) -> Callable[[int], bytes]:
    """The `rng` of a vault: n bytes that follow from `seed`."""
    return random.Random(seed).randbytes


def encode(recording: Recording) -> bytes:
    """MessagePack. Names every card that left the shoe."""
    return msgspec.msgpack.encode(recording, enc_hook=_to_plain)


def decode(raw: bytes) -> Recording:
    """The inverse of `encode`; raise `msgspec.DecodeError` for other bytes."""
    recording = msgspec.msgpack.decode(raw, type=Recording, dec_hook=_from_plain)
    return replace(recording, steps=tuple([replace(step, given=_whole(step.given)) for step in recording.steps]))


def replay(recording: Recording, runtime: Path) -> Iterator[Commit]:
    """The commits of a new node that gets the recorded inputs. `runtime` is an empty folder for its vault."""
    config, at = recording.config, At("", Millis(0))
    vault = Vault(DeckRegistry.parse(recording.decks), config.table, None, runtime, salts(recording.seed))
    node = TableNode(config, vault, known=lambda *_: (), stamp=lambda _: at, boot=recording.boot)
    for step in recording.steps:
        at = step.at
        effects, _ = node.step(step.given, at.ms)
        yield from [effect for effect in effects if isinstance(effect, Commit)]


def _to_plain(value: Any) -> Any:
    return value.reveal() if isinstance(value, Uid) else to_text(value)


def _from_plain(kind: type, plain: Any) -> Any:
    return Uid(plain) if kind is Uid else from_text(kind, plain)


def _whole(given: TableInput | None) -> TableInput | None:
    """The input that was quarantined is of no declared type: it is read in its turn."""
    if not isinstance(given, Quarantined):
        return given
    return replace(given, given=msgspec.convert(given.given, TableInput, dec_hook=_from_plain))
