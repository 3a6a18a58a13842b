"""A deck is checked: missing, foreign, unknown, silent and wrongly named cards."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.decks import CARDS, DeckRegistry, generate
from firmware_bridge.decks.check import Check
from firmware_bridge.reports import CardPassed, CardsTogether, ReportsLost
from firmware_bridge.shoe import Uid
from table_core.messages import CardText, Millis

KNOWN = DeckRegistry.parse(generate(7))
NOW = Millis(0)
STRANGER = Uid(b"\xe0\x04strang")


def passes(check: Check, *uids: Uid | None) -> None:
    for uid in uids:
        check.take(CardPassed(NOW, uid))


def tags(deck: str, *without: str) -> list[Uid]:
    return [KNOWN.tag_of(deck, card) for card in CARDS if card not in without]


def test_a_whole_deck_is_found_whole_and_by_itself() -> None:
    check = Check(KNOWN)
    passes(check, *tags("blue"), KNOWN.tag_of("blue", CardText("Ah")))
    found = check.found()
    assert (found.deck, found.right, found.words()) == ("blue", True, [])
    assert check.complete


def test_what_is_wrong_is_named_line_by_line() -> None:
    check = Check(KNOWN)
    passes(check, *tags("red", "7h", "Qs"), KNOWN.tag_of("blue", CardText("7h")), STRANGER)
    assert check.found().words() == [
        "missing: 7h, Qs. Look for them, or put the deck aside",
        "the 7h of blue is in it: take it out",
        "a card with a tag of no deck is in it: take it out, or enrol the deck again",
    ]
    assert not check.found().right


def test_where_tags_were_silent_the_cards_are_not_called_missing() -> None:
    check = Check(KNOWN, "red")
    passes(check, *tags("red", "2c"), None)
    (line,) = check.found().words()
    assert line == (
        "1 cards did not show: 2c. 1 passages had no tag that answered: pass these cards again, alone; "
        "replace those that never answer"
    )


def test_the_camera_names_strangers_and_finds_tags_that_changed_their_cards() -> None:
    check = Check(KNOWN)
    passes(check, STRANGER)
    check.see([CardText("9c")])
    passes(check, KNOWN.tag_of("red", CardText("4d")))
    check.see([CardText("5d")])
    passes(check, *tags("red"))
    assert check.found().words() == [
        "a 9c with a tag of no deck is in it: take it out, or enrol the deck again",
        "the camera names a 5d whose tag stands for the 4d: enrol the deck again",
    ]


def test_messages_that_the_shoe_lost_are_said() -> None:
    check = Check(KNOWN)
    check.take(ReportsLost(0, "it was switched off"))  # before any card
    passes(check, *tags("red"))
    assert check.found().right
    assert not check.found().lost
    check.take(ReportsLost(3, "its queue was full"))
    assert check.found().words() == ["the shoe lost messages: check again"]


@given(
    seed=st.integers(0, 1000),
    missing=st.sets(st.sampled_from(CARDS), max_size=5),
    foreign=st.sets(st.sampled_from(CARDS), max_size=5),
)
def test_what_is_missing_and_foreign_is_named_whatever_the_order(
    seed: int, missing: set[CardText], foreign: set[CardText]
) -> None:
    check = Check(KNOWN)
    cards = tags("red", *missing) + [KNOWN.tag_of("blue", card) for card in sorted(foreign)]
    random.Random(seed).shuffle(cards)
    check.take(CardsTogether(NOW, tuple(cards[:2])))
    passes(check, *cards[2:])
    found = check.found()
    assert found.deck == "red"
    assert {*found.missing} == missing
    assert {*found.foreign} == {f"the {card} of blue" for card in foreign}
