"""What frames say: keys are keys, tags stay hidden, and nonsense is named without being repeated."""

from __future__ import annotations

import copy
import pickle

import msgspec
import pytest

from firmware_bridge import frames, payloads
from firmware_bridge.frames import CARD, CARD_BACK, CARDS, CUT_CARD, DECK, KEY, LID, LOST, Frame
from firmware_bridge.payloads import KEYPAD, SHOE
from firmware_bridge.reports import (
    CardBack,
    CardPassed,
    CardsTogether,
    CutCardPassed,
    DeckMoved,
    KeyDown,
    LidMoved,
    Report,
    ReportsLost,
    Unreadable,
    read_report,
)
from firmware_bridge.shoe import Uid
from table_core.messages import Key, Millis

TAG = bytes.fromhex("e004a1b2c3d4e5f6")
OTHER = bytes.fromhex("e004a1b2c3d4e5f7")
HOST_MS = Millis(77_000)


def read(device_kind: int, kind: int, payload: bytes) -> Report:
    """At a host whose clock is always `HOST_MS` when the device's says 5."""
    return read_report(device_kind, Frame(kind, 1, 1, payload), lambda ms: Millis(HOST_MS + ms - 5))


@pytest.mark.parametrize("key", Key)
def test_every_key_of_the_keypad_has_a_code_that_means_it(key: Key) -> None:
    assert read(KEYPAD, KEY, payloads.key(key, 5)) == KeyDown(HOST_MS, key, 5)


@pytest.mark.parametrize(
    ("kind", "payload", "report"),
    [
        (CARD, payloads.card(TAG, 6), CardPassed(Millis(HOST_MS + 1), Uid(TAG))),
        (CARD, payloads.card(payloads.NO_TAG, 5), CardPassed(HOST_MS, None)),
        (CARD, payloads.card(payloads.NO_TAG, 5, doubtful=True), CardPassed(HOST_MS, None, doubtful=True)),
        (CARD, payloads.card(TAG, 5)[:12], CardPassed(HOST_MS, Uid(TAG))),  # protocol 1
        (CARD, payloads.card(TAG, 5) + b"more", CardPassed(HOST_MS, Uid(TAG))),  # a later version
        (CARDS, payloads.cards([TAG, payloads.NO_TAG], 5), CardsTogether(HOST_MS, (Uid(TAG), None))),
        (CARDS, payloads.cards([TAG, OTHER], 5), CardsTogether(HOST_MS, (Uid(TAG), Uid(OTHER)))),
        (CARD_BACK, payloads.card_back(TAG, 5, True), CardBack(HOST_MS, Uid(TAG), was_out=True)),
        (CARD_BACK, payloads.card_back(payloads.NO_TAG, 5, False), CardBack(HOST_MS, None, was_out=False)),
        (LID, payloads.switch(True, 5), LidMoved(HOST_MS, open=True)),
        (DECK, payloads.switch(False, 5), DeckMoved(HOST_MS, seated=False)),
        (CUT_CARD, payloads.moment(5), CutCardPassed(HOST_MS)),
        (LOST, payloads.lost(3, payloads.QUEUE_FULL, 5), ReportsLost(3, "its queue was full")),
        (LOST, payloads.lost(0, 99, 5), ReportsLost(0, "for a reason that this program does not know")),
    ],
)
def test_what_a_shoe_says_is_read(kind: int, payload: bytes, report: Report) -> None:
    assert read(SHOE, kind, payload) == report


@pytest.mark.parametrize(
    ("device", "kind", "payload", "says"),
    [
        (KEYPAD, KEY, bytes(4), "key: 4 bytes, 5 expected"),
        (KEYPAD, KEY, payloads.key(14, 0), "key: no key has code 14; is the keypad's firmware newer?"),
        (KEYPAD, CARD, payloads.card(TAG, 5), "kind 0x11 is none of a keypad's; is its firmware newer?"),
        (SHOE, KEY, TAG + bytes(4), "kind 0x10 is none of a shoe's; is its firmware newer?"),
        (SHOE, CARD, TAG, "card: 8 bytes, 12 expected"),
        (SHOE, CARDS, bytes(4) + b"\x01" + TAG, "cards: 1 of them, 2 to 8 expected"),
        (SHOE, CARDS, bytes(4) + b"\x02" + TAG, "cards: 13 bytes, 21 expected"),
        (SHOE, CARD_BACK, TAG, "card back: 8 bytes, 13 expected"),
    ],
)
def test_what_makes_no_sense_is_named_without_the_tag(device: int, kind: int, payload: bytes, says: str) -> None:
    assert read(device, kind, payload) == Unreadable(says)


def test_a_tag_does_not_print_pickle_copy_or_encode() -> None:
    uid = Uid(TAG)
    assert {repr(uid), str(uid), f"{uid}", str([uid])} == {"Uid(••)", "[Uid(••)]"}
    assert "a1" not in repr(CardPassed(HOST_MS, uid))
    assert "a1" not in repr(CardsTogether(HOST_MS, (uid, None)))
    for leak in (pickle.dumps, copy.deepcopy, msgspec.json.encode, msgspec.msgpack.encode):
        with pytest.raises(TypeError):
            leak(uid)


def test_equal_tags_are_equal_and_a_tag_has_eight_bytes() -> None:
    assert {Uid(TAG): "found"}[Uid(bytes(TAG))] == "found"
    assert Uid(TAG) != Uid(TAG[::-1])
    assert Uid(TAG) != TAG
    with pytest.raises(ValueError, match="tag: 4 bytes, 8 expected"):
        Uid(TAG[:4])


def test_hello_comes_out_as_it_went_in() -> None:
    can = payloads.KEEPS_REPORTS | payloads.HAS_LID
    hello = payloads.read_hello(payloads.hello(SHOE, "shoe 2", can, b"\x3f" * 8))
    assert (hello.protocol, hello.device_kind, hello.capabilities) == (2, SHOE, can)
    assert (hello.source, hello.firmware) == (b"\x3f" * 8, "shoe 2")


def test_a_hello_of_the_first_protocol_has_no_capabilities() -> None:
    hello = payloads.read_hello(bytes((1, KEYPAD)) + b"keypad 1.0")
    assert (hello.protocol, hello.device_kind, hello.capabilities, hello.source) == (1, KEYPAD, 0, b"")
    assert hello.firmware == "keypad 1.0"


def test_of_a_later_protocol_only_its_number_and_the_kind_of_device_are_read() -> None:
    hello = payloads.read_hello(bytes((9, SHOE)) + b"\xff\xff")
    assert (hello.protocol, hello.device_kind) == (9, SHOE)


@pytest.mark.parametrize("broken", [b"\x01", b"\x01\x02\xff", bytes((2, 1)), payloads.hello(1, "")[:-1]])
def test_a_hello_that_cannot_be_read_says_so(broken: bytes) -> None:
    with pytest.raises(ValueError, match="hello: "):
        payloads.read_hello(broken)


def test_health_comes_out_as_it_went_in_and_the_first_protocols_is_shorter() -> None:
    how = payloads.Health(1)
    how.waiting, how.resent, how.bad, how.lost = 2, 3, 4, 5
    how.started, how.supply_mv, how.celsius, how.faults = payloads.WATCHDOG, 4_870, -12, payloads.LOW_SUPPLY
    how.passages, how.unread, how.bounces = 6, 7, 8
    assert vars(payloads.read_health(payloads.health(how))) == vars(how)
    first = payloads.read_health(payloads.health(how)[:20])
    assert (first.device_ms, first.waiting, first.resent, first.bad, first.lost) == (1, 2, 3, 4, 5)
    assert (first.started, first.supply_mv, first.celsius) == (0, 0, 0)


def test_every_kind_of_report_is_read_of_some_device() -> None:
    read_of = {
        kind
        for device in (KEYPAD, SHOE)
        for kind in frames.REPORTS
        if "is none of" not in getattr(read(device, kind, b""), "why", "")
    }
    assert read_of == set(frames.REPORTS)
