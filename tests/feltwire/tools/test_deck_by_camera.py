"""`feltwire deck enrol` with the table's camera: whole decks, each card named by the card reader."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.decks import CARDS
from firmware_bridge.shoe import Uid
from firmware_bridge.sim import SimShoe
from table_core.messages import CardText
from tests.feltwire.processes import PATIENCE_S
from tests.feltwire.tools.deck_desk import Eye, settings
from tests.feltwire.tools.test_deck import Cards, Desk, cards_in


class SeeingDesk(Desk):
    """The camera names what is laid down."""

    def __init__(self, config: Path, shoe: SimShoe, eye: Eye) -> None:
        super().__init__(config, shoe)
        self.eye = eye

    def lays(self, uid: Uid | None, face: CardText) -> str:
        """One card through the shoe, and face up onto the board's place; what is said last of it."""
        assert self.told is not None
        assert isinstance(self.shoe, SimShoe)
        before = len(self.told.lines) + (uid is None)  # of a tag that does not answer something is said at once
        self.shoe.deal(None if uid is None else uid.reveal())
        assert self.shoe.wait_acked(PATIENCE_S)
        self.eye.lay(face)
        self.told.wait(before + 1)
        return self.told.says

    def lays_all(self, cards: Cards, which: Sequence[CardText], known: int = 0) -> None:
        """These cards of a deck, of which so many have been named."""
        for number, card in enumerate(which, start=known + 1):
            assert self.lays(cards[card], card) == f"{number} of 52: {card}"

    def ends(self) -> str:
        """Nothing more comes; why the deck is not enrolled."""
        assert self.told is not None
        self.told.enter()
        assert self.told.end() == 1
        self.eye.lay(None)
        return str(self.told.lines[-1]["why"])

    def enrolled(self) -> None:
        assert self.told is not None
        assert self.told.end() == 0
        assert self.told.lines[-1]["enrolled"] is True
        self.eye.lay(None)


@pytest.fixture
def seeing_desk(tmp_path: Path) -> Iterator[SeeingDesk]:
    config = settings(tmp_path / "t1", camera=True)
    with SimShoe(tmp_path / "t1" / "shoe") as shoe, closing(Eye(tmp_path / "t1" / "eye")) as eye:
        yield SeeingDesk(config, shoe, eye)


@pytest.mark.slow("the card reader names two hundred cards, in rendered pictures of the felt")
def test_four_decks_with_faults_each_card_named_by_the_camera(seeing_desk: SeeingDesk) -> None:
    desk, chance = seeing_desk, random.Random(4)

    # Interrupted at card 37: it goes on with the others.
    red, order = cards_in("red"), chance.sample(CARDS, 52)
    first = desk.begin("red-1", "--back", "red")
    desk.lays_all(red, order[:37])
    first.kill()
    desk.eye.lay(None)
    assert desk.begin("red-1").says.startswith("37 cards are known; it goes on with any of the others.")
    desk.lays_all(red, order[37:], known=37)
    desk.enrolled()

    # A card is missing: it is named. It is found and passed.
    blue, order = cards_in("blue"), [card for card in chance.sample(CARDS, 52) if card != "7h"]
    desk.begin("blue-1", "--back", "blue")
    desk.lays_all(blue, order)
    assert desk.ends().startswith("51 of 52 cards are known; missing: 7h.")
    desk.begin("blue-1")
    desk.lays_all(blue, [CardText("7h")], known=51)
    desk.enrolled()

    # A card is doubled: the other one has a tag of no deck. It is taken out, and the right one is passed again.
    green, order = cards_in("green"), chance.sample(CARDS, 52)
    doubled, last = order[0], order[51]
    desk.begin("green-1", "--back", "green")
    desk.lays_all(green, order[:51])
    assert desk.lays(Uid(b"\xe0\x04double"), doubled).startswith(f"A second {doubled}: take out the one")
    assert desk.lays(green[last], last) == f"51 of 52: {last}"
    assert f"missing: {doubled}; twice: {doubled}" in desk.ends()
    desk.begin("green-1")
    desk.lays_all(green, [doubled], known=51)
    desk.enrolled()

    # A card of another deck is among them, and a card's tag is dead: it gets another card.
    black, order = cards_in("black"), chance.sample(CARDS, 52)
    foreign, dead = order[20], order[51]
    told = desk.begin("black-1", "--back", "black")
    desk.lays_all(black, order[:20])
    desk.passes(red[foreign])
    assert told.says == f"That is the {foreign} of the deck red-1: take it out."
    desk.lays_all(black, order[20:51], known=20)
    assert desk.lays(None, dead) == f"The tag of the {dead} does not answer."
    assert f"missing: {dead}; without a tag that answers: {dead}" in desk.ends()
    desk.begin("black-1")
    desk.lays_all(black, [dead], known=51)
    desk.enrolled()

    found = {name: (deck.back, dict(deck.cards)) for name, deck in desk.registry.decks.items()}
    names = ("red", "blue", "green", "black")
    assert found == {f"{name}-1": (name, cards_in(name)) for name in names}
