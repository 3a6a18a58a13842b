"""Whatever is encoded is read again, or it is refused: each struct that is stored, sent or shown, at the bounds of
each field and beyond them. The structs are found by their base, not by a list."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import inspect
from msgspec.structs import replace

import display
import feltwire
import table_core
from table_core.messages import MOST_BYTES, Frozen, Message, Noticed, Unencodable, decode, encode
from table_core.tracker.state import Faces, TrackerState, decode_state, encode_state
from tests.messages.bounds import changed, encoded, fits, whole


def _imported() -> None:
    for package in (table_core, feltwire, display):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".lab" not in found.name and not found.name.endswith("__main__"):
                importlib.import_module(found.name)


def _below(base: type) -> Iterator[type]:
    for kind in base.__subclasses__():
        yield kind
        yield from _below(kind)


_imported()
KINDS = sorted({*_below(Frozen), *_below(Message)} - {Message}, key=lambda kind: (kind.__module__, kind.__name__))


DATA = [kind for kind in KINDS if kind.__module__ != "feltwire.config" and fits(kind)]


def test_the_kinds_that_are_stored_and_sent_are_found() -> None:
    names = {kind.__name__ for kind in DATA}
    assert {"Envelope", "Ruled", "TournamentOpened", "ClockChanged", "ClockRecord"} <= names
    assert {"Person", "AuditEntry", "EventResult", "SignedRelease", "TableView", "RoomView"} <= names
    assert len(DATA) > 400, sorted({kind.__name__ for kind in KINDS} - names)


@pytest.mark.parametrize("kind", DATA, ids=lambda kind: f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}")
def test_what_is_encoded_is_read_again_or_refused(kind: type) -> None:
    for value in changed(whole(kind), inspect.type_info(kind)):
        raw = encoded(value)
        if raw is not None:
            assert len(raw) <= MOST_BYTES
            assert decode(raw, kind) == value


def test_every_bound_refuses_what_is_beyond_it() -> None:
    """Else the test above would hold of an `encode` that refuses everything, or nothing."""
    values = [value for kind in DATA for value in changed(whole(kind), inspect.type_info(kind))]
    refused = sum(encoded(value) is None for value in values)
    assert 0.2 * len(values) < refused < 0.8 * len(values)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("text", "x" * 4_001, "text: 4,000 letters at most"),
        ("seat", 100, "seat: 99 at most"),
        ("rule", "one\nother", "rule: letters that cannot stand there"),
        ("text", "\ud800", "a number, a letter or a word that no message can hold"),
        ("seat", 2**70, "seat: 99 at most"),
    ],
)
def test_a_refusal_names_the_field_and_cites_nothing(field: str, value: Any, words: str) -> None:
    with pytest.raises(Unencodable, match=f"^{words}$"):
        encode(replace(Noticed("kind", "Ah Kd"), **{field: value}))


# -------------------------------------------------------------------------------------- the tracker's notes


def bounds_in(info: Any, of: str = "", within: tuple[type, ...] = ()) -> Iterator[tuple[str, str]]:
    """Each bound in a type: the struct and its field. `within`: the structs around it, which may hold their own
    kind."""
    if isinstance(info, inspect.StructType):
        for field in () if info.cls in within else info.fields:
            inner = bounds_in(field.type, within=(*within, info.cls))
            yield from ((info.cls.__name__ if one == "" else one, two) for one, two in inner)
        return
    parts = [getattr(info, name, None) for name in ("item_type", "key_type", "value_type")]
    for part in (*parts, *getattr(info, "item_types", ()), *getattr(info, "types", ())):
        if part is not None:
            yield from bounds_in(part, of, within)
    names = ("ge", "gt", "le", "lt", "min_length", "max_length", "pattern")
    if any(getattr(info, name, None) is not None for name in names):
        yield of, str(info)


def test_a_slice_of_the_trackers_memory_has_no_bound_but_those_of_messages() -> None:
    """Whatever is written of it is read again, in every step, and costs no check."""
    bounded = {of for of, _ in (*bounds_in(inspect.type_info(TrackerState)), *bounds_in(inspect.type_info(Faces)))}
    messages = {"Origin", "KeyPressed", "ZoneSeen", "Refused", "QuestionView", "DeskWish", "Level"}
    assert bounded == messages


def test_a_note_of_anything_that_a_slice_can_hold_is_read_again() -> None:
    for name, slice_ in TrackerState().slices().items():
        kind: Any = type(slice_)
        for value in changed(whole(kind), inspect.type_info(kind), (Frozen, Message)):
            state = TrackerState(**{name: value})
            try:
                raw = encode_state(state)
            except Unencodable:
                continue
            decode_state(raw)
