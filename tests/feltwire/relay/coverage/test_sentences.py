"""What the coverage says of a hand is what the hand's events say, and no more."""

from __future__ import annotations

import re
from functools import cache

import pytest
from msgspec.structs import replace

from feltwire.relay.coverage.hand_facts import HandFacts
from feltwire.relay.coverage.news import Cards, HandNews, Note, Out, Stack
from feltwire.relay.coverage.phrases import LANGUAGES, PHRASES
from feltwire.relay.coverage.reporter import Reporter
from feltwire.relay.coverage.wording import held, plain, shown, wording
from table_core.messages import (
    UNKNOWN_CARD,
    AnyEvent,
    BoardDealt,
    BoardRead,
    Chips,
    HandEnded,
    HandStarted,
    HandTabled,
    Number,
    PotAwarded,
    Seat,
)
from tests.feltwire.relay.coverage.told import facts
from tests.table_core.hand.random_hand import random_hand

CARD = re.compile("(?:10|[2-9JQKA])[♣♦♥♠]")
NUMBER = re.compile(r"\d[\d.,]*\d|\d")
HANDS = 300


@cache
def told(seed: int) -> tuple[tuple[AnyEvent, ...], HandFacts, HandNews]:
    events = random_hand(seed)
    hand = facts(events)
    outs = tuple(Out(one.player, one.name, one.seat) for one in hand.out)
    return events, hand, HandNews(hand, "out" if outs else "pot", outs)


def public_cards(events: tuple[AnyEvent, ...]) -> set[str]:
    cards: set[str] = set()
    for event in events:
        if isinstance(event, BoardDealt | BoardRead | HandTabled):
            cards |= {*event.cards}
    return {shown([card]) for card in cards if card != UNKNOWN_CARD}  # type: ignore[list-item]


def amounts(events: tuple[AnyEvent, ...]) -> set[int]:
    """Every number that the record of the hand has, and the sums and quotients that a sentence may make."""
    start, end = events[0], events[-1]
    assert isinstance(start, HandStarted)
    assert isinstance(end, HandEnded)
    pot = sum(one.amount for one in events if isinstance(one, PotAwarded))
    stacks = {one.stack for one in start.seats} | {one.amount for one in end.stacks}
    shares = [share for one in events if isinstance(one, PotAwarded) for share in one.shares]
    won = {sum(share.amount for share in shares if share.seat == seat) for seat in {one.seat for one in shares}}
    gone = sum(1 for one in end.stacks if not one.amount)
    return {*stacks, *won, pot, pot // start.level.big_blind, gone, *range(1, 12)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_and_number_stands_in_the_record(language: str) -> None:
    for seed in range(HANDS):
        events, hand, news = told(seed)
        words = wording(news, f"hand {seed}")[language]
        assert {*CARD.findall(words)} <= public_cards(events), (seed, words)
        for one in {plain(player.name) for player in hand.players}:
            words = words.replace(one, " ")
        found = {int(re.sub(r"\D", "", number)) for number in NUMBER.findall(CARD.sub(" ", words))}
        assert found <= amounts(events), (seed, words, found - amounts(events))


def test_who_is_out_is_who_had_chips_and_has_none() -> None:
    for seed in range(HANDS):
        events, hand, _ = told(seed)
        start, end = events[0], events[-1]
        assert isinstance(start, HandStarted)
        assert isinstance(end, HandEnded)
        had = {one.seat for one in start.seats if one.stack}
        assert {one.seat for one in hand.out} == {one.seat for one in end.stacks if not one.amount} & had


def test_who_took_the_last_chips_won_a_pot_that_the_loser_was_in() -> None:
    several = 0
    for seed in range(HANDS):
        events, hand, _ = told(seed)
        pots = [event for event in events if isinstance(event, PotAwarded)]
        for player in hand.out:
            several += len(player.by) > 1
            won = {share.seat for pot in pots for share in pot.shares}
            assert {*player.by} <= won - {player.seat}, (seed, player)
            lost = player.start - player.end + player.won
            assert lost >= player.start or not player.by
    assert several, "pots are shared, too"


def test_who_won_a_side_pot_alone_did_not_take_all_of_the_last_chips() -> None:
    side_pots = 0
    for seed in range(HANDS):
        _, hand, news = told(seed)
        words = wording(news, f"hand {seed}")["en"]
        for player in hand.out:
            by = [hand.player(seat) for seat in player.by]
            if len(by) == 1 and by[0].won < player.start:
                side_pots += 1
                last = f"the last {player.start:,} chips"
                assert f"{last} of {plain(player.name)}" not in words, seed
                assert f"{plain(player.name)} loses {last}" not in words, seed
    assert side_pots


def test_a_player_who_doubles_has_twice_the_chips() -> None:
    kinds = set()
    for seed in range(HANDS):
        _, hand, _ = told(seed)
        for change in Reporter().hand("line", hand):
            assert change.news is None or isinstance(change.news, HandNews)
            kind = change.news.kind if change.news is not None else ""
            kinds.add(kind)
            if kind in ("double", "triple"):
                first = hand.winners[0]
                assert first.end >= (3 if kind == "triple" else 2) * first.start
                assert first.all_in, "every chip was in the pot"
    assert {"out", "double", "triple", "pot", ""} <= kinds


@pytest.mark.parametrize("seed", range(40))
def test_the_same_hand_reads_the_same_and_two_hands_differ(seed: int) -> None:
    _, _, news = told(seed)
    assert wording(news, "a") == wording(news, "a")
    assert {*wording(news, "a")} == {*LANGUAGES}


def test_each_phrase_has_the_same_words_in_every_language() -> None:
    field = re.compile(r"\{(\w+)\}")
    for key, ways in PHRASES.items():
        wanted = {name for way in ways["en"] for name in field.findall(way)}
        for language in LANGUAGES:
            assert ways[language], (key, language)
            for way in ways[language]:
                assert {*field.findall(way)} <= wanted, (key, language)


def test_a_place_and_a_prize_are_those_of_the_tournament() -> None:
    hand = next(hand for hand in (told(seed)[1] for seed in range(HANDS)) if [len(o.by) for o in hand.out] == [1])
    loser = hand.out[0]
    out = Out(loser.player, loser.name, loser.seat, Number(12), 24_000)  # type: ignore[operator]
    words = wording(HandNews(hand, "out", (out,)), "x")
    assert "12th place" in words["en"]
    assert "240" in words["en"]
    assert "Platz 12" in words["de"]
    bubble = wording(HandNews(hand, "out", (replace(out, prize=0),), left=11, in_the_money=True), "x")
    assert "bubble" in bubble["en"]
    assert "11 players" in bubble["en"]


@pytest.mark.parametrize(
    "name",
    [
        "<b>Ann</b>",
        "]]>",
        "Ann\u2028Lee",
        "\u202eMary",
        "a{w}b",
        "%s",
        "שלום",
        "مريم",
        "Zoë",
        "\u200f",
        "👩‍👩‍👧 Fam",
    ],
)
def test_whatever_a_player_is_called(name: str) -> None:
    hand = next(hand for hand in (told(seed)[1] for seed in range(HANDS)) if hand.out)
    named = replace(hand, players=tuple(replace(one, name=name) for one in hand.players))
    outs = tuple(Out(one.player, one.name, one.seat) for one in named.out)
    for words in wording(HandNews(named, "out", outs, Stack("p", name, Chips(5))), "x").values():
        assert plain(name) in words
        assert not {*words} & {*"\n\r\u2028\u2029\u202a\u202b\u202d\u202e\u200e\u200f"}
        assert words.count("\u2068") == words.count("\u2069")


def test_cards_that_are_not_known_are_not_named() -> None:
    hand = next(hand for hand in (told(seed)[1] for seed in range(HANDS)) if hand.showdown and hand.winners)
    hidden = replace(hand, players=tuple(replace(one, cards=()) for one in hand.players), board=())
    for words in wording(HandNews(hidden, "pot"), "x").values():
        assert not CARD.findall(words)
    assert wording(Cards(hand), "x")["en"].count("public") == 1


def test_hole_cards_are_named_higher_first() -> None:
    assert held(("2c", "Td")) == "10♦ 2♣"


def test_a_persons_own_line_is_said_as_it_is() -> None:
    assert wording(Note({"en": "Welcome.", "de": "Willkommen."}), "x") == {"en": "Welcome.", "de": "Willkommen."}


def test_a_seat_without_a_name_is_named_by_its_number() -> None:
    events = next(
        events
        for events in map(random_hand, range(HANDS))
        if isinstance(events[0], HandStarted) and any(not one.player for one in events[0].seats)
    )
    start = events[0]
    assert isinstance(start, HandStarted)
    seat = next(one.seat for one in start.seats if not one.player)
    assert facts(events).player(Seat(seat)).name == f"Seat {seat}"
