"""What frames say: keys are keys, tags stay hidden, and nonsense is named without being repeated."""

from __future__ import annotations

import copy
import pickle

import msgspec
import pytest

from firmware_bridge import payloads
from firmware_bridge.frames import CARD, KEY, Frame
from firmware_bridge.keypad import PayloadError, parse_key
from firmware_bridge.shoe import CardPassage, Uid, parse_card
from table_core.messages import Key

TAG = bytes.fromhex("e004a1b2c3d4e5f6")


@pytest.mark.parametrize("key", Key)
def test_every_key_of_the_keypad_has_a_code_that_means_it(key: Key) -> None:
    assert parse_key(Frame(KEY, 1, 1, payloads.key(key, 123456))) == (key, 123456)


def test_a_card_frame_gives_its_tag_and_the_shoes_time() -> None:
    assert parse_card(Frame(CARD, 1, 1, payloads.card(TAG, 2**32 - 1))) == CardPassage(Uid(TAG), 2**32 - 1)


def test_a_card_whose_tag_does_not_answer_has_none() -> None:
    assert parse_card(Frame(CARD, 1, 1, payloads.card(payloads.NO_TAG, 5))) == CardPassage(None, 5)


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (Frame(KEY, 1, 1, bytes(4)), "key: 4 bytes, 5 expected"),
        (Frame(KEY, 1, 1, payloads.key(14, 0)), "no key has code 14"),
        (Frame(CARD, 1, 1, bytes(5)), "key: a frame of kind 0x11, 0x10 expected"),
    ],
)
def test_a_key_frame_that_makes_no_sense_says_why(frame: Frame, says: str) -> None:
    with pytest.raises(PayloadError, match=says):
        parse_key(frame)


@pytest.mark.parametrize("frame", [Frame(CARD, 1, 1, TAG), Frame(KEY, 1, 1, TAG + bytes(4))])
def test_a_card_frame_that_makes_no_sense_says_why_without_the_tag(frame: Frame) -> None:
    with pytest.raises(PayloadError, match=r"^card: ") as caught:
        parse_card(frame)
    assert "a1b2" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_tag_does_not_print_pickle_copy_or_encode() -> None:
    uid = Uid(TAG)
    assert {repr(uid), str(uid), f"{uid}", str([uid])} == {"Uid(••)", "[Uid(••)]"}
    assert "a1" not in repr(CardPassage(uid, 1))
    for leak in (pickle.dumps, copy.deepcopy, msgspec.json.encode, msgspec.msgpack.encode):
        with pytest.raises(TypeError):
            leak(uid)


def test_equal_tags_are_equal_and_a_tag_has_eight_bytes() -> None:
    assert {Uid(TAG): "found"}[Uid(bytes(TAG))] == "found"
    assert Uid(TAG) != Uid(TAG[::-1])
    assert Uid(TAG) != TAG
    with pytest.raises(PayloadError, match="tag: 4 bytes, 8 expected"):
        Uid(TAG[:4])


def test_health_and_hello_come_out_as_they_went_in() -> None:
    assert payloads.read_health(payloads.health(1, 2, 3, 4, 5)) == (1, 2, 3, 4, 5)
    assert payloads.read_hello(payloads.hello(payloads.SHOE, "shoe 2")) == (1, payloads.SHOE, "shoe 2")
    for broken in (b"\x01", b"\x01\x02\xff"):
        with pytest.raises(ValueError, match="hello: "):
            payloads.read_hello(broken)
