"""The search itself: a secret or a card is found however it is written, and nothing else is."""

from __future__ import annotations

import base64
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.frames import CARD, CARD_BACK, CARDS, LOST, encode
from firmware_bridge.tap import MaskedTap
from tests.room.leak.needles import BATCH, Needles, batches
from tests.room.leak.notation import cards_in

UID = bytes.fromhex("e004a1b2c3d40f5e")
NEEDLES = Needles({"a tag": [UID[2:]]})


WRITTEN = (
    UID,
    UID[::-1],
    b"uid=" + UID.hex().encode(),
    UID.hex().upper().encode(),
    UID[::-1].hex().encode(),
    UID.hex("-").upper().encode(),
    UID.hex(" ").encode(),
    b"a" + UID.hex().encode(),
    b", ".join(b"0x%02x" % octet for octet in UID),
    base64.b64encode(UID),
    base64.b64encode(b"x" + UID + b"yz"),
    base64.urlsafe_b64encode(b'{"uid":"' + UID),
    str(list(UID)).encode(),
    str(int.from_bytes(UID, "big")).encode(),
    str(int.from_bytes(UID, "little")).encode(),
    repr(UID).encode(),
    repr(b"frame " + UID).encode(),
)


@pytest.mark.parametrize("written", WRITTEN)
def test_a_tag_is_found_however_it_is_written(written: bytes) -> None:
    assert NEEDLES.find(b'{"note": "' + written + b'"}')


def test_what_is_no_tag_is_not_found() -> None:
    other = bytes.fromhex("e004ffeeddccbbaa")
    for written in (other, other.hex().encode(), base64.b64encode(other), repr(other).encode(), b"", b"e0"):
        assert not NEEDLES.find(written)


def test_a_salt_is_found_by_eight_of_its_bytes_and_not_by_what_stands_in_ciphertext_by_chance() -> None:
    salt = bytes(range(100, 116))
    needles = Needles({"a salt": [salt], "a tag": [UID[2:]]})
    for written in (salt[5:13], salt[::-1].hex().encode(), base64.b64encode(b"x" + salt), b"...." + salt[-8:]):
        assert {kind for kind, _ in needles.find(written)} == {"a salt"}
    assert not needles.find(b"...." + salt[3:10] + b"....")


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("seat 4 has Ah", ["Ah"]),
        ("AH", ["Ah"]),
        ("A♥ and 10♠", ["Ah", "Ts"]),
        ("hA", ["Ah"]),
        ("AhKd folded", ["Ah", "Kd"]),
        ("the ace of hearts", ["Ah"]),
        ("Ten-of-Clubs, HEART_QUEEN", ["Tc", "Qh"]),
        ("🂱", ["Ah"]),
        ("<h2>Seats</h2> ask the TD", []),
        ("nothing here: 4 all-in, raise 1,200, level 2, boot 7d2ce", []),
    ],
)
def test_a_card_is_read_in_any_notation(text: str, cards: list[str]) -> None:
    assert list(cards_in(text)) == cards


def test_a_small_letter_counts_where_it_is_a_whole_value_and_a_dump_of_bytes_names_no_card() -> None:
    assert list(cards_in("ah", whole_value=True)) == ["Ah"]
    assert list(cards_in("as it is", whole_value=True)) == []
    assert list(cards_in("06 2d 4c ••", whole_value=True)) == []


# Kinds that may hold a tag. Which of them are drawn depends on what other tests import, too.
@given(
    st.binary(min_size=8, max_size=8),
    st.binary(min_size=8, max_size=8),
    st.sampled_from([CARD, CARDS, CARD_BACK]) | st.integers(LOST + 1, 0x7F),
)
def test_bytes_shown_as_they_arrive_are_the_same_for_every_tag(one: bytes, other: bytes, kind: int) -> None:
    def shown(tag: bytes) -> list[str]:
        return MaskedTap().feed(encode(kind, 5, 9, tag + bytes(4)))

    assert shown(one) == shown(other)
    assert kind != CARD or "••" in shown(one)[0]


def test_what_is_in_one_content_of_many_is_found_in_all_of_them_together() -> None:
    others = [b'{"no":%d,"hash":"%s"}' % (no, sha256(b"%d" % no).hexdigest().encode()) for no in range(500)]
    for text in WRITTEN:
        (whole, parts), *rest = batches([*others[:250], text, *others[250:]])
        assert NEEDLES.find(whole), text
        assert [part for part in parts if NEEDLES.find(part)] == [text]
        assert not rest
    assert not any(NEEDLES.find(whole) for whole, _ in batches(others))
    assert [part for _, parts in batches([bytes(BATCH), b"1", b"2"]) for part in parts] == [
        bytes(BATCH),
        b"1",
        b"2",
    ]
