"""What the attacker's readers make of what they read: values tried as salts, sizes, times, the wear of decks."""

from __future__ import annotations

import base64
import json
import random
from pathlib import Path

import pytest

from firmware_bridge.decks import CARDS
from table_core.commitment import commitment
from tests.room.leak.copies import misworn
from tests.room.leak.measures import Dealt, sizes, suspicious_times
from tests.room.leak.openings import Promise, opened, values_in
from tests.room.leak.truth import TrueHand, Truth

SALT = bytes.fromhex("00112233445566778899aabbccddeeff")
BOUND = ("01", 3, 7, 1, 5, "seat-4")
DECK = [str(card) for card in CARDS]


def promise(card: str, salt: bytes) -> Promise:
    table, epoch, hand, attempt, place, to = BOUND
    made = commitment(
        table=table, epoch=epoch, hand=hand, attempt=attempt, place=place, to=to, card=card, salt=salt
    )  # type: ignore[arg-type]
    return Promise(made, BOUND)


@pytest.mark.parametrize(
    "written",
    [
        SALT.hex(),
        SALT.hex().upper(),
        f"begins{'-'}{SALT.hex()}{'0' * 32}",
        base64.b64encode(SALT).decode(),
        base64.urlsafe_b64encode(SALT).decode().rstrip("="),
        "00112233-4455-6677-8899-aabbccddeeff",
    ],
)
def test_a_salt_opens_its_commitment_however_it_is_written(written: str) -> None:
    values = set(values_in(f'{{"x": "{written}"}}'.encode()))
    (what,) = opened([promise("7h", SALT), promise("7h", SALT[::-1])], DECK, values)
    assert what.startswith("7h with the value 0011")


def test_a_cell_that_is_a_salt_opens_and_nothing_else_does() -> None:
    assert list(opened([promise("Ac", SALT)], DECK, values_in(SALT, cell=True)))
    assert not list(opened([promise("Ac", SALT)], DECK, values_in(SALT[1:] + b"\1", cell=True)))
    assert list(opened([promise("04a1b2c3d4e5f6", SALT)], [*DECK, "04a1b2c3d4e5f6"], [SALT.hex().encode()]))


def test_a_longer_message_about_some_cards_is_found() -> None:
    dealt = [Dealt(card, "seat- shoe", 256 + (card[0] == "A"), 10) for card in DECK]
    assert sizes(dealt) == {"seat- shoe": {256, 257}}


def test_a_table_that_is_slower_for_some_cards_is_found_and_one_that_scatters_is_not() -> None:
    chance = random.Random(5)
    drawn = [(card, round(chance.lognormvariate(4, 1))) for card in DECK * 10]
    dealt = [Dealt(card, "seat- shoe", 256, ms) for card, ms in drawn]
    assert suspicious_times(dealt)[1] == []
    slower = [one._replace(after_ms=one.after_ms + 60 * (one.card[1] == "s")) for one in dealt]
    assert suspicious_times(slower)[1] == ["suit"]


def note(hand: int, *cards: str) -> bytes:
    counts = [int(card in cards) for card in DECK]
    kept = {"hands": hand, "passed": 20, "seen": counts, "silent": [0] * len(DECK)}
    return json.dumps({"hand": hand, "decks": {"red": kept}}).encode()


def test_wear_that_counts_a_hidden_card_is_found(tmp_path: Path) -> None:
    truth = Truth([])
    truth.hands["01"] = [TrueHand(1, 0, face_up={"Ah": 5}), TrueHand(2, 100, face_up={"Kd": 105})]
    assert list(misworn([note(1, "Ah"), note(2, "Ah", "Kd")], "01", truth)) == []
    assert list(misworn([note(1, "Ah", "Kd")], "01", truth)) == [
        "table-01: the wear of hand 1 counts cards that were hidden"
    ]
