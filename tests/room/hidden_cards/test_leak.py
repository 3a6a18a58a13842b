"""No card that was not tabled or on the board, and no tag, in anything that anybody can read.

Four hands here; two hundred with `python -m tests.room.leak --hands 200`.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from collections.abc import Iterator

import pytest
from nacl.public import PrivateKey, SealedBox

from feltwire.table.recovery import RecoveryBox, destroy_keys
from firmware_bridge.decks import DeckRegistry
from table_core.messages import encode
from tests.room.leak.capture import Capture
from tests.room.leak.examine import Examined, examine, key_files
from tests.room.leak.notation import ORDERS
from tests.room.leak.room import Attack, attack
from tests.room.leak.truth import TrueHand, Truth

pytestmark = [
    pytest.mark.room,
    pytest.mark.mosquitto,
    pytest.mark.slow("two tables deal four hands while everything is read; then all of it is searched"),
]

HANDS = 4
TABLES = 2


@pytest.fixture(scope="module")
def got(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attack]:
    """What spies brought home from a room that dealt `HANDS` hands and lost a table to kill -9."""
    folder = tmp_path_factory.mktemp("leak")
    brought = attack(folder, hands=HANDS, seed=7, tables=TABLES, kills=1)
    yield brought
    destroy_keys(brought.plan.folder / "data")


@pytest.fixture(scope="module")
def result(got: Attack) -> Examined:
    return examine(got)


def test_the_search_had_something_to_find_and_everything_to_look_at(got: Attack, result: Examined) -> None:
    assert not got.stuck, got.stuck
    assert got.kills == 1
    assert result.hands >= HANDS
    assert result.hidden_cards > HANDS * 8
    assert result.cards_named > 100
    assert 0 < result.boxes == result.boxes_checked
    assert 0 < result.recovery_boxes_opened < result.recovery_boxes
    names = {f"table-{table}" for table in got.plan.table_ids} | {
        "station",
        "clock",
        "overlay",
        "display",
        "thief",
    }
    assert names == got.let_in
    for who in ("station", "display", "table-01"):
        assert got.capture.streams_of(f"mqtt {who}"), who
    for who in ("table-01", "table-02", "station", "clock", "relay"):
        for page in ("/metrics", "/healthz"):
            assert any(stream.startswith(f"GET {who} {page}") for stream in got.capture.streams), (who, page)
    for kind in ("mqtt", "SSE", "GET", "POST", "file", "environment", "cmdline", "memory"):
        assert any(stream.startswith(kind) for stream in got.capture.streams), kind


def test_nothing_hidden_is_found_anywhere(result: Examined) -> None:
    assert not result.findings, json.dumps(result.samples, indent=1)


def test_a_broker_lets_nobody_in_without_a_certificate_of_the_venue(got: Attack) -> None:
    assert set(got.refused) == {"anonymous", "forged relay"}


# ---------------------------------------------------------------------------------------- the test's test


def planted(got: Attack) -> Iterator[tuple[str, bytes, int]]:
    """Leaks as a careless engineer would make them: stream, content, when."""
    truth = Truth.read(got.truth_files.values())
    hand = truth.hands["01"][1]
    at = hand.ended - 1
    card = next(card for card in hand.drawn if card not in hand.face_up | truth.hands["01"][0].face_up)
    about = {"table": "01", "hand": hand.number}
    registry = DeckRegistry.load(got.plan.folder / "decks-01.toml")
    tag = registry.tag_of(registry.deck_names[0], card).reveal()
    yield "mqtt planted/card", json.dumps(about | {"cards": [card]}).encode(), at
    yield "mqtt planted/turned", json.dumps(about | {"seat": {"4": card[::-1].upper()}}).encode(), at
    yield "mqtt planted/pair", json.dumps(about | {"c": {"rank": card[0], "suit": card[1]}}).encode(), at
    yield "file log/table-01.log", f"INFO table: seat 3 holds {card}, and plays".encode(), at
    yield "mqtt planted/tag", b'{"uid": "' + base64.b64encode(tag) + b'"}', at
    yield "environment planted", b"UID=" + tag.hex(":").upper().encode(), at
    yield "SSE planted sensed/01", json.dumps({"bytes": b"\x11".hex() + " " + tag.hex(" ")}).encode(), at
    yield "row table-01.ledger note tracker", json.dumps({"seats": {"3": {"cards": [card]}}}).encode(), at
    yield "mqtt planted/early", _early(about, hand)
    yield "mqtt planted/index", *_indices(about, hand, at)
    yield "GET planted /picture/01", b"\xff\xd8\xff\xfe\x00\x06card\xff\xda", at


def _early(about: dict[str, object], hand: TrueHand) -> tuple[bytes, int]:
    """A card that was public, a millisecond before it was."""
    card, since = max(hand.face_up.items(), key=lambda item: item[1])
    return json.dumps(about | {"board": [card]}).encode(), since - 1


def _indices(about: dict[str, object], hand: TrueHand, at: int) -> tuple[bytes, int]:
    cards = ORDERS["rank by rank"]
    dealt = [{"place": place, "x": cards.index(card)} for place, card in enumerate(hand.drawn, start=1)]
    return json.dumps(about | {"dealt": dealt}).encode(), at


def test_every_planted_leak_is_caught(got: Attack) -> None:
    capture = Capture()
    plants = [(stream, *rest) if len(rest) == 2 else (stream, *rest[0]) for stream, *rest in planted(got)]
    for stream, content, at in plants:
        capture.add("traitor", stream, content, at)
    capture.add("mqtt display", "mqtt fw/demo/table/01/sealed", b"{}")
    key = SealedBox(PrivateKey(key_files(got)[0].read_bytes()).public_key)
    copied = encode(RecoveryBox(1, 1, 1, 1, 1, key.encrypt(b"{}")))
    traitor = dataclasses.replace(got, capture=capture, recovery_boxes={copied}, let_in={"anonymous"})
    findings = examine(traitor).findings
    for stream, _, _ in plants:
        where = stream.split("/")[0] if stream.endswith("index") else stream
        assert any(found.startswith(where) for found in findings), (stream, findings)
    assert any("numbers cards (rank by rank)" in found for found in findings)
    for text in ("the broker lets in: anonymous", "mqtt display reads", "a recovery key that is left"):
        assert any(found.startswith(text) for found in findings), text
