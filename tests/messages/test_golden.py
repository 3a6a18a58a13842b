"""Messages of every released version are read, and those of a later version are refused with words."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from feltwire.config import ClockConfig, RelayConfig
from feltwire.ledger import chain
from feltwire.ledger.signing import LedgerKey, signed_by
from feltwire.ledger.table_ledger import Ledger, LedgerError
from feltwire.relay.node import RelayNode
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, Say, Show
from feltwire.table.table_io import CommandCame, LaterStation
from feltwire.wall_clock.node import ClockNode
from table_core import messages
from table_core.messages import (
    ADDED,
    EARLIEST_WRITTEN,
    MESSAGES_VERSION,
    OLDEST_VERSION,
    Added,
    AskCount,
    Beat,
    ClockState,
    LaterVersion,
    Malformed,
    Millis,
    Noticed,
    Seat,
    TableBeat,
    Unencodable,
    decode,
    decode_envelope,
    encode,
    write_as,
    written,
)
from tests.feltwire.station_room import VENUE, FakeTable, Station, notices
from tests.messages import golden
from tests.messages.golden import (
    hash_of,
    is_released,
    kept,
    path_of,
    released,
    schema_path,
    schemas_of,
    schemas_text,
)
from tests.messages.golden import text as todays
from tests.messages.samples import door_of, plains, samples, shape
from tests.table_under_test import TableUnderTest

LATER = MESSAGES_VERSION + 1
WORDS = f"version {LATER} of the messages; this program reads version {MESSAGES_VERSION}"


def later(raw: bytes) -> bytes:
    """The same as a later version of the program writes it: with a field that nobody here knows."""
    said = re.sub(rb'"v":\d+', b'"v":%d' % LATER, raw)
    return said[:-1] + b',"new_in_that_version":1}'


def test_the_messages_are_those_of_their_version() -> None:
    today, said = todays().splitlines(), path_of(MESSAGES_VERSION).read_text("utf-8").splitlines()
    changed = sorted({line.partition(" ")[0] for line in {*today} ^ {*said}})
    first = f"give MESSAGES_VERSION, {MESSAGES_VERSION} is released, another number and "
    do = f"{first if is_released(MESSAGES_VERSION) else ''}run python -m tests.messages.golden"
    assert today == said, f"{', '.join(changed)}: {do}"
    assert schema_path(MESSAGES_VERSION).read_text("utf-8") == schemas_text(), do


@pytest.mark.parametrize("version", range(OLDEST_VERSION, MESSAGES_VERSION + 1))
def test_every_message_of_an_earlier_version_is_read(version: int) -> None:
    kinds = {name: kind for name, kind, _ in samples()}
    for name, raw in kept(version).items():
        message = decode(raw, kinds[name])
        assert version < MESSAGES_VERSION or encode(message) == raw, name


def test_what_was_released_stays_as_it_was() -> None:
    assert len(released()) >= 1
    assert {name: hash_of(name) for name in released()} == released()


def test_what_is_written_for_others_is_of_the_release_before() -> None:
    earlier = [version for version in range(1, MESSAGES_VERSION) if is_released(version)]
    assert max(earlier) == EARLIEST_WRITTEN
    assert schema_path(EARLIEST_WRITTEN).name in released()
    assert {added.since for added in ADDED.values()} <= {MESSAGES_VERSION}


def test_a_released_version_is_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    monkeypatch.setattr(golden, "RELEASED", tmp_path / "released.txt")
    golden.RELEASED.touch()
    assert golden.main(["--release"]) == 0
    names = [path_of(MESSAGES_VERSION).name, schema_path(MESSAGES_VERSION).name]
    assert released() == {name: hash_of(name) for name in names}
    path_of(MESSAGES_VERSION).write_text("as it was")
    assert golden.main([]) == 1
    assert "give the messages another version" in capsys.readouterr().err
    assert path_of(MESSAGES_VERSION).read_text() == "as it was"


def test_what_is_written_for_an_earlier_version_has_its_shape() -> None:
    """Every message, every event, every record of the tournament and what the station keeps beside them. What
    fails here gets a line in `table_core.messages.version.ADDED`."""
    earlier = schemas_of(EARLIEST_WRITTEN)
    reads = {
        door: Draft202012Validator({**schema, "$defs": earlier["$defs"]})
        for door, schema in earlier["messages"].items()
    }
    told = {name: (kind, decode(raw, kind)) for name, kind, raw in samples()}
    write_as(EARLIEST_WRITTEN)
    unread, refused = {}, []
    for name, (_, message) in told.items():
        door = door_of(name)
        if door not in reads:
            continue  # on a topic that no earlier program hears
        try:
            raw = encode(message)
        except Unencodable as error:
            refused.append(str(error))
            continue
        faults = [fault.message for fault in reads[door].iter_errors(msgspec.json.decode(raw))]
        unread |= {name: faults} if faults else {}
    assert unread == {}
    assert all("until the director confirms the upgrade" in words for words in refused)


def test_what_names_a_version_names_the_one_that_is_written() -> None:
    write_as(EARLIEST_WRITTEN)
    table = FakeTable()
    (event,) = table.write(*notices(1))
    said = [event, table.birth().payload, encode(Beat("b", Millis(1))), encode(TableBeat(1, "b", Millis(1)))]
    assert [msgspec.json.decode(raw)["v"] for raw in said] == [EARLIEST_WRITTEN] * 4
    write_as(MESSAGES_VERSION)
    (event,) = table.write(*notices(1))
    assert msgspec.json.decode(event)["v"] == MESSAGES_VERSION


@pytest.mark.parametrize(("asked", "gets"), [(1, EARLIEST_WRITTEN), (MESSAGES_VERSION + 1, MESSAGES_VERSION)])
def test_a_program_writes_what_it_can(asked: int, gets: int) -> None:
    write_as(asked)
    assert written() == gets


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Report(messages.Frozen, frozen=True):
    """As it was released."""

    seat: Seat
    colour: Colour | None


def changed(**fields: object) -> type:
    """`Report` with other fields."""
    return msgspec.defstruct("Report", [*fields.items()], bases=(messages.Frozen,), frozen=True)


CHANGES = {
    "a field more": changed(seat=Seat, colour=Colour | None, why=str),
    "a field less": changed(seat=Seat),
    "another name": changed(place=Seat, colour=Colour | None),
    "another order": changed(colour=Colour | None, seat=Seat),
    "another type": changed(seat=str, colour=Colour | None),
    "another bound": changed(seat=Annotated[int, msgspec.Meta(ge=1, le=9)], colour=Colour | None),
    "no longer missing": changed(seat=Seat, colour=Colour),
}


@pytest.mark.parametrize("other", CHANGES.values(), ids=CHANGES)
def test_a_change_of_a_message_changes_its_shape(other: type) -> None:
    assert shape_of(other) != shape_of(Report)


def test_another_value_changes_the_shape_and_other_words_do_not() -> None:
    (was,) = [schema for name, schema in components(Report).items() if name == "Colour"]
    assert shape(was | {"enum": [*was["enum"], "green"]}) != shape(was)
    assert shape(was | {"description": "Other words."}) == shape(was)


def test_samples_make_every_choice() -> None:
    seen = {plain["colour"] for plain in plains(Report)}
    assert seen == {"red", "blue", None}


class Mood(Enum):
    CALM = "calm"
    TENSE = "tense"


class Told(messages.Frozen, frozen=True):
    """As the next version has it: `why`, `marks` and `mood` are new, and so is a mood."""

    seat: Seat
    inner: Report
    why: str = ""
    marks: tuple[str, ...] = ()
    mood: Mood = Mood.CALM
    signature: str = ""


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the version after this one had been begun."""
    for name, only_shows in (("Told.why", True), ("Told.marks", False), ("Mood.TENSE", False)):
        monkeypatch.setitem(ADDED, name, Added(LATER, only_shows))


@pytest.mark.usefixtures("next_version")
def test_an_earlier_version_is_written_without_what_it_does_not_know() -> None:
    report = Report(Seat(3), Colour.RED)
    raw = encode(Told(Seat(3), report, "because"))
    assert raw == b'{"seat":3,"inner":{"seat":3,"colour":"red"},"mood":"calm","signature":""}'
    signed = LedgerKey(b"k" * 32).sign(Told(Seat(3), report, "because"))
    assert signed_by(signed, Told, LedgerKey(b"k" * 32).public)


@pytest.mark.usefixtures("next_version")
@pytest.mark.parametrize(
    ("told", "what"),
    [
        (Told(Seat(3), Report(Seat(3), None), marks=("m",)), "Told.marks"),
        (Told(Seat(3), Report(Seat(3), None), mood=Mood.TENSE), "Mood.TENSE"),
    ],
)
def test_what_an_earlier_version_would_lose_is_refused_in_words(told: Told, what: str) -> None:
    words = (
        f"{what} is of version {LATER} of the messages; this room writes version {MESSAGES_VERSION} until the "
        "director confirms the upgrade"
    )
    with pytest.raises(Unencodable, match=re.escape(words)):
        encode(told)


def test_a_kind_that_an_earlier_version_does_not_know_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ADDED, "Noticed", Added(LATER))
    with pytest.raises(Unencodable, match="Noticed is of version"):
        FakeTable().write(*notices(1))


def components(kind: type) -> dict[str, Any]:
    return msgspec.json.schema_components([kind])[1]


def shape_of(kind: type) -> str:
    return shape(components(kind)["Report"])


def test_a_message_of_a_later_version_is_told_from_one_that_is_broken() -> None:
    (event,) = FakeTable().write(*notices(1))
    with pytest.raises(LaterVersion, match=WORDS):
        decode_envelope(later(event))
    with pytest.raises(LaterVersion, match=WORDS):
        decode_envelope(
            event.replace(b'"v":%d' % MESSAGES_VERSION, b'"v":%d' % LATER)
        )  # which this one could read
    with pytest.raises(Malformed) as broken:
        decode_envelope(event[:-1] + b',"new_in_that_version":1}')
    assert not isinstance(broken.value, LaterVersion)


def test_the_station_tells_the_director_of_a_table_with_a_later_version_until_its_events_can_be_read() -> None:
    station, table = Station().up(), FakeTable()
    (event,) = table.write(*notices(1))
    station.hear(table, later(event))
    (alert,) = station.alerts
    assert alert.startswith(f"Table 01 has a later version than this station ({WORDS}): update the station.")
    assert station.ledger.rows == {}
    station.hear(table, event)
    assert station.alerts == ()


def test_a_table_says_once_on_its_screen_that_the_station_has_a_later_version() -> None:
    table = TableUnderTest()
    table.give(LaterStation(WORDS))
    table.give(LaterStation(WORDS))
    command = encode(AskCount("c1", Seat(1)))
    table.give(CommandCame(later(command.replace(b"{", b'{"v":%d,' % LATER, 1))))
    (notice,) = [event for event in table.of(Noticed) if event.kind == "later_version"]
    assert notice.text == f"The station has a later version ({WORDS}): update this table. It plays on by itself"
    assert table.shown.last == notice.text


def test_a_wall_clock_says_that_it_cannot_read_the_station() -> None:
    clock = ClockNode(ClockConfig(VENUE), boot="b")
    beat, state = topics.tournament(VENUE, "beat"), topics.tournament(VENUE, "clock")
    station = Station().up()
    clock.step(Arrived(state, station.pages["clock"]), Millis(0))
    clock.step(Arrived(beat, encode(Beat("b1", Millis(0)))), Millis(1))
    effects, _ = clock.step(Arrived(beat, later(encode(Beat("b1", Millis(1_000))))), Millis(1_000))
    (shown,) = [effect for effect in effects if isinstance(effect, Show) and effect.channel == "clock"]
    note = msgspec.json.decode(shown.snapshot, type=ClockState).note
    assert note == f"The station has a later version than this display ({WORDS}): update it."
    effects, _ = clock.step(Arrived(beat, encode(Beat("b1", Millis(2_000)))), Millis(2_000))
    (shown,) = [effect for effect in effects if isinstance(effect, Show) and effect.channel == "clock"]
    assert msgspec.json.decode(shown.snapshot, type=ClockState).note == ""


def test_the_relay_follows_nothing_of_a_table_with_a_later_version_and_says_so() -> None:
    relay, table = RelayNode(RelayConfig(VENUE, "unused", "unused", ("01",), delay_s="1")), FakeTable()
    (event,) = table.write(*notices(1))
    effects, _ = relay.step(Arrived(table.topic("event"), later(event)), Millis(0))
    assert effects == [
        Say(
            f"table 01 has a later version ({WORDS}): update the relay, it follows nothing of it",
            "warning",
            "later 01",
        )
    ]


def test_a_ledger_that_a_later_version_wrote_is_not_opened(tmp_path: Path) -> None:
    ledger = Ledger.open(tmp_path / "table.ledger")
    (event,) = FakeTable().write(*notices(1))
    raw = later(event)
    ledger._store.connection.execute("INSERT INTO events VALUES (1, 1, ?, ?)", (raw, chain.hash_of(raw)))
    ledger.close()
    with pytest.raises(LedgerError, match=f"written by a later {WORDS}. Update this program"):
        Ledger.open(tmp_path / "table.ledger")
