"""Scripts are legal hands: the engine itself plays them, and the deck deals what they say."""

from __future__ import annotations

import random

import pytest

from feltwire.lab.simroom.dealer.keying import amount_keys, count_keys, wager_keys
from feltwire.lab.simroom.play.bots import Bots
from feltwire.lab.simroom.play.names import player_name
from feltwire.lab.simroom.play.observer import Observer
from feltwire.lab.simroom.play.script import FULL_DECK, HandScript, deal_order, stack_deck
from table_core.hand.deal import deal_order as destinations
from table_core.messages import Chips, Key, Level, Seat, SeatStack
from table_core.rulebook import load_rulebook

BASE = load_rulebook("base")
LEVEL = Level(1, Chips(100), Chips(200), big_blind_ante=Chips(200))


def bots(seed: int, players: int = 9) -> Bots:
    seats = [SeatStack(Seat(n), Chips(10_000), player_name(n)) for n in range(1, players + 1)]
    return Bots(seats=seats, button=Seat(1), rulebook=BASE, seed=seed, smallest_chip=Chips(25))


def played(seed: int, hands: int, players: int = 9) -> list[HandScript]:
    table, scripts = bots(seed, players), []
    while len(scripts) < hands and not table.over:
        scripts.append(table.next_hand(LEVEL))
        table.settle({share.seat: share.amount for share in scripts[-1].finishing})
    return scripts


def play(script: HandScript) -> dict[Seat, Chips]:
    """The stacks after the script, by an engine of its own."""
    observer = Observer(script, BASE, smallest_chip=Chips(25))
    acts = 0
    for act in observer.course():
        observer.act(act)
        acts += 1
    assert acts == len(script.acts)
    for seat in script.tables:
        observer.table_hand(seat, script.hole(seat))
    for seat in script.mucks:
        observer.muck_hand(seat)
    observer.award()
    return observer.stacks


@pytest.mark.parametrize("seed", range(5))
def test_the_engine_plays_every_script_to_the_stacks_that_it_names(seed: int) -> None:
    for script in played(seed, 80):
        assert play(script) == {share.seat: share.amount for share in script.finishing}


def test_no_chip_appears_or_vanishes_over_a_whole_table() -> None:
    for script in played(3, 200):
        assert sum(share.amount for share in script.finishing) == 9 * 10_000


def test_the_same_seed_deals_the_same_hands() -> None:
    assert played(11, 30) == played(11, 30)
    assert played(11, 5) != played(12, 5)


def test_showdowns_are_common_and_the_first_hand_is_short_and_shows() -> None:
    scripts = played(7, 60)
    assert sum(bool(script.tables) for script in scripts) > len(scripts) / 3
    assert scripts[0].tables
    assert len(scripts[0].acts) <= 2 * 9


def test_the_deck_deals_each_seat_its_cards_one_at_a_time_left_of_the_button_first() -> None:
    script = played(7, 1)[0]
    goes_to = destinations([entry.seat for entry in script.seats], script.button)
    for seat in script.dealt:
        cards = tuple(c for c, to in zip(script.deck, goes_to, strict=False) if to == f"seat-{seat}")
        assert cards == script.hole(seat)
    board = tuple(c for c, to in zip(script.deck, goes_to, strict=False) if to == "board")
    assert board == script.board()


def test_a_deck_is_stacked_around_the_cards_that_are_known() -> None:
    order = deal_order([Seat(1), Seat(2), Seat(3)], Seat(3))
    deck = stack_deck(random.Random(1), order, {Seat(2): ("Ah", "Kd")}, ("2c", "3c", "4c", "5c"))
    assert sorted(deck) == sorted(FULL_DECK)
    assert (deck[1], deck[4]) == ("Ah", "Kd")
    assert deck[7:10] + deck[11:12] == ("2c", "3c", "4c", "5c")


def test_a_card_named_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="named twice"):
        stack_deck(random.Random(1), [Seat(1), Seat(2)], {Seat(1): ("Ah", "Kd")}, ("Ah",))


def test_a_script_does_not_print_its_cards() -> None:
    script = played(7, 1)[0]
    assert not any(card in repr(script) for card in script.deck)


def test_numbers_take_few_keys() -> None:
    assert wager_keys(1200) == (Key.D1, Key.D2, Key.D00, Key.BET_RAISE)
    assert amount_keys(10_000) == (Key.D1, Key.D000, Key.D0)
    assert amount_keys(0) == (Key.D0,)
    assert count_keys(4, 12_000) == (Key.D4, Key.SEAT, Key.D1, Key.D2, Key.D000, Key.COUNT)
