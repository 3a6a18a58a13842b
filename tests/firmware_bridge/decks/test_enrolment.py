"""A deck is enrolled: the right registry, or a sentence that says what is wrong."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.decks import CARDS, Deck, DeckRegistry, generate
from firmware_bridge.decks.enrolment import ByCamera, Draft, Enrolment, InOrder, enrolment
from firmware_bridge.decks.order import NEW_DECK, cards_of
from firmware_bridge.reports import CardBack, CardPassed, CardsTogether, DeckMoved, Report, ReportsLost
from firmware_bridge.shoe import Uid
from table_core.messages import CardText, Millis

KNOWN = DeckRegistry.parse(generate(7))
NEW = DeckRegistry.parse(generate(8)).decks["red"].cards  # the deck that is taught
ORDER = cards_of(NEW_DECK)
NOW = Millis(0)


def passed(uid: Uid | None) -> Report:
    return CardPassed(NOW, uid)


class Person:
    """Who passes the cards and reads what is said."""

    def __init__(self, order: tuple[CardText, ...] = (), others: DeckRegistry = KNOWN) -> None:
        self.others = others
        self.process: Enrolment = enrolment(Draft("new", "red", order), others)
        self.heard: list[str] = self.process.start()

    def take(self, report: Report) -> list[str]:
        said = self.process.take(report)
        self.heard += said
        return said

    def passes(self, *cards: CardText) -> None:
        for card in cards:
            self.take(passed(NEW[card]))

    def lays(self, *cards: CardText) -> list[str]:
        """Lays cards down under the camera, each upon the one before."""
        said: list[str] = []
        for card in cards:
            said += self.process.see((card,), 0)
        self.heard += said
        return said

    def teaches(self, *cards: CardText) -> None:
        for card in cards:
            self.passes(card)
            self.lays(card)

    def comes_back(self) -> None:
        """The process was killed, and starts again from what it kept."""
        kept = msgspec.json.decode(msgspec.json.encode(self.process.draft), type=Draft)
        self.process = enrolment(kept, self.others)
        self.heard = self.process.start()

    def proves(self) -> None:
        """Passes what is asked for to be sure."""
        while not (self.process.done or self.process.draft.spoilt) and "look for the" in self.heard[-1]:
            self.passes(CardText(self.heard[-1].split("look for the ")[1][:2]))


def shuffled(seed: int) -> list[CardText]:
    cards = list(CARDS)
    random.Random(seed).shuffle(cards)
    return cards


# ------------------------------------------------------------------------------------- with the camera


def test_with_the_camera_a_deck_is_taught_in_any_order() -> None:
    person = Person()
    person.teaches(*shuffled(1))
    assert person.process.done
    assert person.process.draft.cards() == NEW
    assert person.heard[-1].startswith("52 of 52: ")


def test_interrupted_at_card_37_it_goes_on_from_there() -> None:
    person, cards = Person(), shuffled(2)
    person.teaches(*cards[:37])
    person.passes(cards[37])  # and its name never came
    person.comes_back()
    assert person.heard[0].startswith("37 cards are known; it goes on with any of the others.")
    person.teaches(*cards[37:])
    assert person.process.draft.cards() == NEW


def test_a_missing_card_is_named_and_put_in_later() -> None:
    person, cards = Person(), shuffled(3)
    person.teaches(*[card for card in cards if card != "7h"])
    assert not person.process.done
    assert person.process.end().startswith("51 of 52 cards are known; missing: 7h.")
    person.comes_back()
    person.teaches(CardText("7h"))
    assert person.process.draft.cards() == NEW


@pytest.mark.parametrize("right_one_first", [True, False])
def test_of_a_doubled_card_the_one_that_stays_is_enrolled(right_one_first: bool) -> None:
    nine, stranger = CardText("9c"), Uid(b"\xe0\x04double")
    person, cards = Person(), [card for card in shuffled(4) if card not in ("9c", "9d")]
    first, second = (NEW[nine], stranger) if right_one_first else (stranger, NEW[nine])
    person.take(passed(first))
    person.lays(nine)
    person.teaches(*cards)
    person.take(passed(second))
    assert person.lays(nine) == [
        "A second 9c: take out the one that is not of this deck, and pass the other again."
    ]
    assert "missing: 9c, 9d; twice: 9c" in person.process.end()
    person.process.see((), 0)
    person.teaches(nine, CardText("9d"))
    assert person.process.draft.cards() == NEW


def test_a_card_of_another_deck_is_named_and_takes_no_place() -> None:
    person = Person()
    said = person.take(passed(KNOWN.tag_of("blue", CardText("Qs"))))
    assert said == ["That is the Qs of the deck blue: take it out."]
    assert person.lays(CardText("Qs")) == []
    person.teaches(*shuffled(5))
    assert person.process.draft.cards() == NEW


def test_what_is_not_certain_is_asked_for_again() -> None:
    person, cards = Person(), shuffled(6)
    first, second, third, *rest = cards
    assert "does not answer" in person.take(passed(None))[0]
    assert person.lays(first) == [f"The tag of the {first} does not answer."]
    assert "at once" in person.take(CardsTogether(NOW, (NEW[second], NEW[third])))[0]
    person.passes(second)
    assert "has not named" in person.take(passed(NEW[third]))[0]
    assert person.lays(third) == [f"1 of 52: {third}"]
    assert person.process.see((third, first, second), 0) == [
        "The camera sees several new cards: lay them down one by one."
    ]
    person.process.see((), 0)
    person.passes(first)
    assert person.process.see((), 1) == [
        "The camera cannot read the card: lay it flat, with both its corners free."
    ]
    person.lays(first)
    assert person.take(passed(NEW[first])) == [f"The {first} has passed already."]
    person.teaches(second, *rest)
    assert person.process.draft.cards() == NEW


def test_a_card_whose_tag_never_answers_is_named_in_the_end() -> None:
    person = Person()
    person.take(passed(None))
    person.lays(CardText("Ah"))
    person.teaches(*[card for card in CARDS if card != "Ah"])
    assert "without a tag that answers: Ah" in person.process.end()


# -------------------------------------------------------------------------------------- in its order


def test_without_a_camera_a_new_deck_is_taught_in_its_order_and_proven() -> None:
    person = Person(ORDER)
    person.passes(*ORDER)
    assert not person.process.done
    assert person.heard[-1] == "To be sure, look for the Ah and pass it."
    person.proves()
    assert person.process.done
    assert person.process.draft.cards() == NEW


def test_in_its_order_it_goes_on_with_the_card_that_comes_next() -> None:
    person = Person(ORDER)
    person.passes(*ORDER[:37])
    person.comes_back()
    assert person.heard[0].startswith(f"It goes on with card 38, the {ORDER[37]}: ")
    person.passes(*ORDER[37:])
    person.comes_back()
    person.proves()
    assert person.process.draft.cards() == NEW


def test_in_its_order_a_card_that_is_missing_shifts_no_other() -> None:
    person = Person(ORDER)
    person.passes(*ORDER[:20], *ORDER[21:])
    person.take(DeckMoved(NOW, seated=False))
    assert person.heard[-1] == "51 of 52: put in the rest. Where there is no more, press Enter."
    assert "one is missing, and without a camera nobody can tell which" in person.process.end()
    person.passes(ORDER[20])  # found, and put behind the others
    person.proves()
    assert not person.process.done
    assert "the deck did not lie in the order" in person.process.end()


def test_in_its_order_a_card_too_many_spoils_the_deck() -> None:
    person = Person(ORDER)
    person.passes(*ORDER[:30])
    person.take(passed(Uid(b"\xe0\x04double")))
    person.passes(*ORDER[30:])
    assert "of the Ah the shoe" in person.process.end() or "of the Ah it is" in person.process.end()
    person.comes_back()
    assert person.heard == []
    assert "--again" in person.process.end()


def test_in_its_order_a_card_of_another_deck_is_named_with_the_one_that_comes_next() -> None:
    person = Person(ORDER)
    person.passes(*ORDER[:4])
    said = person.take(passed(KNOWN.tag_of("red", CardText("2c"))))
    assert said == ["That is the 2c of the deck red: take it out; card 5, the 5s, comes next."]
    person.passes(*ORDER[4:])
    person.proves()
    assert person.process.draft.cards() == NEW


def test_in_its_order_cards_that_were_not_certain_pass_again_at_the_end() -> None:
    person = Person(ORDER)
    person.passes(*ORDER[:10])
    person.take(passed(None))
    person.take(CardsTogether(NOW, (NEW[ORDER[12]], NEW[ORDER[11]])))
    person.passes(ORDER[13])
    person.take(CardBack(NOW, NEW[ORDER[13]], was_out=True))
    person.passes(*ORDER[13:])
    assert person.heard[-1] == f"Pass these again, in this order: {', '.join(ORDER[10:13])}"
    person.passes(*ORDER[10:13])
    person.proves()
    assert person.process.draft.cards() == NEW


@pytest.mark.parametrize(
    "report",
    [
        ReportsLost(2, "its queue was full"),
        CardBack(NOW, NEW[ORDER[3]], was_out=True),
        CardBack(NOW, None, was_out=True),
    ],
)
def test_in_its_order_what_breaks_the_order_spoils_the_deck(report: Report) -> None:
    person = Person(ORDER)
    person.passes(*ORDER[:10])
    person.take(report)
    person.passes(*ORDER[10:])
    person.proves()
    assert not person.process.done
    assert "begin again with --again" in person.process.end()


Fault = st.tuples(st.sampled_from(["unread", "together", "again", "back", "other deck"]), st.integers(0, 50))


@settings(max_examples=150)
@given(missing=st.sets(st.integers(0, 51), max_size=2), faults=st.lists(Fault, max_size=5))
def test_whatever_happens_on_the_way_what_is_enrolled_is_right(
    missing: set[int], faults: list[tuple[str, int]]
) -> None:
    person = Person(ORDER)
    cards = [card for place, card in enumerate(ORDER) if place not in missing]
    aside: list[CardText] = []
    at = 0
    while at < len(cards):
        card = cards[at]
        kind = next((kind for kind, place in faults if place == at), "")
        if kind == "unread":
            aside.append(card)
            person.take(passed(None))
        elif kind == "together" and at + 1 < len(cards):
            aside += cards[at : at + 2]
            person.take(CardsTogether(NOW, (NEW[cards[at + 1]], NEW[card])))
            at += 1
        else:
            person.passes(card)
            if kind == "again":
                person.passes(card)
            elif kind == "back":
                person.take(CardBack(NOW, NEW[card], was_out=True))
                person.passes(card)
            elif kind == "other deck":
                person.take(passed(KNOWN.tag_of("blue", card)))
        at += 1
    while person.heard[-1].startswith("Pass these again") and not person.process.draft.spoilt:
        wanted = person.process.draft.again[0]
        if wanted not in aside:
            break
        person.passes(wanted)
    person.proves()
    if person.process.done:
        assert person.process.draft.cards() == NEW
    else:
        assert missing
        assert person.process.end()


@settings(max_examples=100)
@given(st.data())
def test_with_the_camera_what_is_enrolled_is_right_whatever_happens_on_the_way(data: st.DataObject) -> None:
    person = Person()
    cards = shuffled(data.draw(st.integers(0, 1000)))
    missing = data.draw(st.sets(st.sampled_from(cards), max_size=2))
    left = [card for card in cards if card not in missing]
    for _ in range(80):
        if not left:
            break
        card = left[0]
        match data.draw(st.sampled_from(["right"] * 6 + ["unread", "unnamed", "together", "twice", "killed"])):
            case "right":
                person.teaches(card)
            case "unread":
                person.take(passed(None))
                person.lays(card)
            case "unnamed":
                person.passes(card)
            case "together":
                person.take(CardsTogether(NOW, (NEW[card], NEW[left[-1]])))
            case "twice":
                person.teaches(card, card)
            case "killed":
                person.passes(card)
                person.comes_back()
        person.process.see((), 0)
        left = [one for one in left if one not in person.process.draft.tags] if left else left
        left = left[1:] + left[:1]
    assert {card: NEW[card] for card in person.process.draft.tags} == person.process.draft.cards()
    assert person.process.done is (not missing and not left)
    assert person.process.done or all(card in person.process.end() for card in missing)


def test_a_draft_prints_no_tag() -> None:
    person = Person()
    person.teaches(CardText("Ah"))
    assert repr(person.process.draft) == "Draft('new', 1 cards)"
    assert not any(NEW[CardText("Ah")].reveal().hex() in line for line in person.heard)


def test_which_way_is_taken_follows_from_the_draft() -> None:
    ways: dict[tuple[CardText, ...], Callable[..., object]] = {(): ByCamera, ORDER: InOrder}
    for order, way in ways.items():
        assert isinstance(enrolment(Draft("x", "x", order), DeckRegistry([Deck("red", NEW)])), way)  # type: ignore[arg-type]
