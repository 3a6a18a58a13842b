"""A zone is a value; its text is the same in felt files, scenarios and messages."""

from __future__ import annotations

import copy
import pickle

import pytest

from table_core.messages import (
    AnyObservation,
    Malformed,
    Millis,
    Origin,
    SensedZone,
    Zone,
    ZoneKind,
    ZoneSeen,
    decode,
    encode,
)

OF_THE_MIDDLE = ["board", "board-2", "board-3", "burn", "muck", "pot"]
OF_SEATS = [
    text for seat in (0, 1, 11) for text in (f"seat-{seat}-cards", f"seat-{seat}-bet", f"seat-{seat}-stack")
]
TEXTS = [*OF_THE_MIDDLE, *OF_SEATS, "button-1", "button-11"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_zone_and_its_text_are_each_others_inverse(text: str) -> None:
    zone = Zone.parse(text)
    assert str(zone) == text
    assert Zone(zone.kind, zone.seat, zone.run) == zone
    assert len({zone, Zone.parse(text), copy.deepcopy(zone), pickle.loads(pickle.dumps(zone))}) == 1
    seen = ZoneSeen(zone, unread=1, origin=Origin("camera", 1, 1), at=Millis(5))
    assert f'"zone":"{text}"'.encode() in encode(seen)
    assert decode(encode(seen), AnyObservation) == seen
    assert decode(encode(SensedZone(zone)), SensedZone) == SensedZone(zone)


def test_zones_of_other_kinds_and_seats_differ() -> None:
    assert len({Zone.parse(text) for text in TEXTS}) == len(TEXTS)
    assert Zone.parse("seat-4-bet") == Zone.bet(4) != Zone.stack(4)
    assert (Zone.bet(4).seat, Zone.POT.seat, Zone.parse("board-2").run) == (4, None, 2)
    assert str(Zone.bet(4)) == "seat-4-bet"
    assert Zone.bet(4) != "seat-4-bet"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "table",
        "seat-4",
        "seat-04-bet",
        "seat-100-bet",
        "seat-4-pot",
        "button",
        "board-1",
        "pot\n",
        "bet",
    ],
)
def test_other_text_names_no_zone(text: str) -> None:
    with pytest.raises(ValueError, match="no zone"):
        Zone.parse(text)
    with pytest.raises(Malformed):
        decode(b'{"zone":"' + text.encode("unicode_escape") + b'"}', SensedZone)


def test_a_zone_has_a_seat_where_its_kind_has_one() -> None:
    for kind, seat in ((ZoneKind.BET, None), (ZoneKind.POT, 4)):
        with pytest.raises(ValueError, match="no zone"):
            Zone(kind, seat)
    with pytest.raises(AttributeError):
        Zone.BOARD.run = 2
