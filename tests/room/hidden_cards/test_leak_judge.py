"""How what is on air is judged: a board that is too new, a card before its time, a page that tells of a hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from display.feed import hand_page
from feltwire.lab.demo.room import RoomPlan
from feltwire.relay.feed.rows import schema
from tests.feltwire.relay.feed_rig import BOARD as RIG_BOARD
from tests.feltwire.relay.feed_rig import HOLE, FeedRig
from tests.feltwire.relay.test_feed import released
from tests.room.leak.capture import Capture, Captured
from tests.room.leak.examine import Examined, _compare_guessed, _judge, _Names, _Pages
from tests.room.leak.on_air import NEVER_DEALT, OnAir
from tests.room.leak.room import Attack
from tests.room.leak.truth import TrueHand, Truth

DEALT, FLOP, THROWN, NEXT = 1_000, 2_000, 3_000, 60_000
ENDED, DELAY = 10_000, 20_000
HELD, FOLDED, BOARD, BURNT = "Ah", "7d", "Kc", "2s"


def truth_of(*, folded: bool) -> Truth:
    said = [
        {"at": DEALT, "what": "hand", "hand": 4},
        {"at": DEALT, "what": "dealt", "seat": 1, "card": HELD},
        {"at": DEALT, "what": "dealt", "seat": 2, "card": FOLDED},
        {"at": FLOP, "what": "drawn", "card": BURNT},
        {"at": FLOP, "what": "face_up", "cards": [BOARD]},
        {"at": THROWN, "what": "thrown_away", "seat": 2},
        {"at": NEXT, "what": "hand", "hand": 5},
    ]
    truth = Truth([json.dumps(line | {"table": "01"}) for line in said])
    truth.release({("01", 4): ENDED}, DELAY, folded=folded)
    return truth


def judged(card: str, at: int, *, folded: bool = False, stream: str = "SSE relay overlay/01") -> bool:
    """Whether it is found that `card` is there at that time."""
    result = Examined()
    names = _Names(truth_of(folded=folded), {}, result, behind_ms=5_000)
    message = json.dumps({"table": "01", "hand": 4, "seats": [{"cards": [card]}]})
    names.judge(Captured(stream, at, message.encode()))
    return bool(result.findings)


def test_a_board_is_on_air_the_floor_behind_it_and_at_once_for_the_producer() -> None:
    assert judged(BOARD, FLOP + 4_999)
    assert not judged(BOARD, FLOP + 5_000)
    assert not judged(BOARD, FLOP, stream="SSE relay as producer preview/01")
    assert not judged(BOARD, FLOP, stream="mqtt fw/demo/table/01/state")


def test_a_card_is_on_air_when_its_hand_may_be_out() -> None:
    assert judged(HELD, NEXT - 1), "the next deal has not begun"
    assert not judged(HELD, NEXT)
    assert judged(HELD, NEXT, stream="SSE station table/01"), "elsewhere never"
    assert judged(FOLDED, NEXT)
    assert not judged(FOLDED, NEXT, folded=True)
    assert judged(BURNT, NEXT, folded=True)


def test_nor_before_the_delay_is_over() -> None:
    truth = truth_of(folded=True)
    truth.release({("01", 4): NEXT}, DELAY, folded=True)
    hand = truth.numbered("01", 4)[0]
    assert HELD not in hand.released(NEXT + DELAY - 1)
    assert HELD in hand.released(NEXT + DELAY)


def test_a_hand_that_the_table_says_to_stand_is_out_without_a_next_deal() -> None:
    stood, truth = NEXT - 20_000, truth_of(folded=False)
    truth.release({("01", 4): ENDED}, DELAY, folded=False, stood={("01", 4): stood})
    hand = truth.numbered("01", 4)[0]
    assert HELD in hand.released(stood)
    assert HELD not in hand.released(stood - 1)


def test_the_page_of_a_hand_that_is_not_out_tells_nothing(tmp_path: Path) -> None:
    capture, none = Capture(), NEVER_DEALT[0]
    plan = RoomPlan(folder=tmp_path, tables=1, seed=1, speed=0.0)
    got = Attack(plan, tmp_path, {}, capture, on_air=OnAir())
    capture.add("http", f"GET relay /hand/01/{none}", f"there is no hand {none}".encode(), DEALT)
    capture.add("http", "GET relay /hand/01/4", b"there is no hand 4", DEALT)
    result = Examined()
    _compare_guessed(got, truth_of(folded=False), result)
    assert (result.guessed, result.findings.total()) == (1, 0)
    capture.add("http", "GET relay /hand/01/4", b"hand 4 is not out yet", FLOP)
    capture.add("http", "GET relay /hand/01/4", b"hand 4: Ah", NEXT)
    _compare_guessed(got, truth_of(folded=False), result)
    assert result.findings.total() == 1


# --------------------------------------------------------------------- whole answers, as a room gives them

ADDRESS, SCHEMA = "GET relay /hand/01/1", "GET relay /feed/schema.json"


def read(tmp_path: Path, stream: str, text: str, at: int, *, truth: Truth) -> list[str]:
    """What is found in an answer that is the same each of five times."""
    capture = Capture()
    for _ in range(5):
        capture.add("http", stream, text.encode(), at)
    plan = RoomPlan(folder=tmp_path, tables=1, seed=1, speed=0.0)
    got, result = Attack(plan, tmp_path, {}, capture, on_air=OnAir()), Examined()
    for captured in capture.kept:
        _judge(captured, _Names(truth, {}, result, behind_ms=5_000), _Pages(got), result)
    return [*result.samples.values()]


def page_and_truth(folder: Path) -> tuple[str, Truth]:
    """The page of a hand that a relay released, and what truly was dealt there."""
    page = hand_page(released(FeedRig(folder)).line(), root="/static/", home="/", files="/feed/hand/01/1")
    said = [
        {"at": DEALT, "what": "hand", "hand": 1},
        *({"at": DEALT, "what": "dealt", "seat": seat, "card": card} for seat in HOLE for card in HOLE[seat]),
        {"at": FLOP, "what": "face_up", "cards": [*RIG_BOARD]},
        *({"at": THROWN, "what": "thrown_away", "seat": seat} for seat in (1, 3)),
        {"at": NEXT, "what": "hand", "hand": 2},
    ]
    truth = Truth([json.dumps(line | {"table": "01"}) for line in said])
    truth.release({("01", 1): ENDED}, DELAY, folded=False)
    return page, truth


def test_the_words_of_a_hands_page_are_no_cards_and_each_card_on_it_is_judged(tmp_path: Path) -> None:
    page, truth = page_and_truth(tmp_path)
    assert read(tmp_path, ADDRESS, page, NEXT, truth=truth) == []
    assert read(tmp_path, ADDRESS, page, NEXT - 1, truth=truth), "it is read before it may be out"
    for hidden in ("As", HOLE[1][0], "Ac"):
        for place in ("</h1>", '\\"cards\\":[', "<main>"):
            assert place in page
            told = page.replace(place, f'{place}\\"{hidden}\\",' if "[" in place else f"{place} {hidden} ", 1)
            assert read(tmp_path, ADDRESS, told, NEXT, truth=truth) == [hidden]
    link = page.replace(">As the relay", "> As the relay")
    assert read(tmp_path, ADDRESS, link, NEXT, truth=truth) == ["As"], "only the link as it stands there"


def test_the_feeds_schema_names_its_example_and_no_other_card(tmp_path: Path) -> None:
    truth, said = truth_of(folded=False), schema().decode()
    assert read(tmp_path, SCHEMA, said, DEALT, truth=truth) == []
    for told in (said.replace("`Ah`", "`Kh`", 1), said[:-1] + ',"x":"7d"}'):
        assert read(tmp_path, SCHEMA, told, DEALT, truth=truth)


# ------------------------------------------------------------------------------------- live coverage

WEB = """<!doctype html><p>Live coverage</p>
<li class="line out" id="line-3"><p>The board: {}.</p><a href="/hand/01/4">Hand 4</a></li>"""
RSS = """<?xml version='1.0'?><rss><item><description>The board: {}.</description>
<guid>urn:feltwire:coverage:01/0dbbeea9/1.99</guid></item></rss>"""
FEED = '{{"items":[{{"id":"urn:feltwire:coverage:01/0dbbeea9/1.99","content_text":"The board: {}."}}]}}'


@pytest.mark.parametrize("form", [WEB, RSS, FEED])
def test_a_line_of_live_coverage_may_name_what_was_public_in_its_hand_hours_ago(form: str) -> None:
    truth = truth_of(folded=False)
    for later in range(5, 60):
        truth.hands["01"].append(TrueHand(later, NEXT * later, NEXT * (later + 1)))
    at, began = NEXT * 58, {("01", 1, 99): 4}

    def found(card: str) -> list[str]:
        result = Examined()
        captured = Captured("GET relay /coverage", at, form.format(card).encode())
        _judge(captured, _Names(truth, began, result, behind_ms=5_000), _Pages(nobody()), result)
        return [*result.samples.values()]

    assert not found(BOARD)
    assert not found(HELD), "its hand is out"
    assert found(FOLDED)
    assert found(BURNT)


def nobody() -> Attack:
    return Attack(RoomPlan(folder=Path(), tables=1, seed=1, speed=0.0), Path(), {})
