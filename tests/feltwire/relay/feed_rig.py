"""A relay with its feed, and a table that plays whole hands under the rules, with boxes and promises."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from display.push import Hub
from feltwire.ledger.releases import ReleasesLog
from feltwire.relay.feed.feed import Feed
from feltwire.relay.relay_io import AirDelaySeen, Effect, HandHeld, ShowHand, SignRelease
from feltwire.runtime.views import Views
from firmware_bridge.decks import CARDS
from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Action,
    AnyHandCommand,
    At,
    AwardPots,
    CardDealt,
    CardText,
    Chips,
    DealBoard,
    Envelope,
    Level,
    Millis,
    MuckHand,
    Refusal,
    Seat,
    SeatStack,
    StartHand,
    TableHand,
)
from table_core.rulebook import BASE, load_rulebook
from tests.feltwire.dealt import DECKS, DealtTable
from tests.feltwire.relay.test_relay import KEYS, Rig

LEVEL = Level(no=3, small_blind=Chips(100), big_blind=Chips(200), big_blind_ante=Chips(200))
NAMES = ("Ann", "Bo </script>", "Cleo")
HOLE = {1: (CARDS[0], CARDS[13]), 2: (CARDS[20], CARDS[21]), 3: (CARDS[30], CARDS[44])}
BOARD = (CARDS[5], CARDS[17], CARDS[33], CARDS[9], CARDS[50])
BURNS = (CARDS[3], CARDS[4], CARDS[6])
WALL = "2026-11-30T20:15:00.000000Z"


class PlayedTable(DealtTable):
    """Hands of three: seat 1 folds, seats 2 and 3 see the river; seat 2 wins, seat 3 mucks or shows."""

    def push(self, hand: Hand, *commands: AnyHandCommand) -> list[Envelope]:
        added = []
        for command in commands:
            events = hand.push(command)
            assert not isinstance(events, Refusal), events
            added += self.tell(*events)
        return added

    def card(self, place: int, to: str, card: CardText) -> list[Envelope]:
        placed = self.vault.place(self.vault.take(DECKS.tag_of("red", card)).handle, place, to)
        self.sealed += placed.sealed
        return self.tell(CardDealt(place, to, placed.commitment))

    def begins(self) -> tuple[Hand, list[Envelope]]:
        self.hand += 1
        self.vault.begin_hand(self.head.epoch, self.hand)
        self.vault.forget_hand()
        hand = Hand(load_rulebook(BASE))
        stacks = tuple(SeatStack(Seat(no), Chips(20_000), name) for no, name in enumerate(NAMES, 1))
        start = StartHand(self.hand, Seat(1), Seat(2), Seat(3), LEVEL, stacks)
        return hand, self.push(hand, start)

    def hole_cards(self) -> list[Envelope]:
        order = [(seat, no) for no in (0, 1) for seat in (2, 3, 1)]
        return [
            envelope
            for place, (seat, no) in enumerate(order, 1)
            for envelope in self.card(place, f"seat-{seat}", HOLE[seat][no])
        ]

    def street(self, hand: Hand, place: int, burn: CardText, cards: tuple[CardText, ...]) -> list[Envelope]:
        added = self.card(place, "burn", burn)
        for no, card in enumerate(cards, place + 1):
            added += self.card(no, "board", card)
        return added + self.push(hand, DealBoard(cards))

    def played(self, *, shows: bool = False) -> list[Envelope]:
        """A whole hand to its award."""
        hand, added = self.begins()
        check, raise_ = Action.CHECK, Action.RAISE
        added += self.hole_cards()
        added += self.push(hand, Act(Seat(1), Action.FOLD), Act(Seat(2), raise_, Chips(600)))
        added += self.push(hand, Act(Seat(3), Action.CALL))
        added += self.street(hand, 7, BURNS[0], BOARD[:3])
        added += self.push(hand, Act(Seat(2), check), Act(Seat(3), check))
        added += self.street(hand, 11, BURNS[1], BOARD[3:4])
        added += self.push(hand, Act(Seat(2), check), Act(Seat(3), check))
        added += self.street(hand, 13, BURNS[2], BOARD[4:])
        added += self.push(hand, Act(Seat(2), Action.BET, Chips(1_000)), Act(Seat(3), Action.CALL))
        added += self.push(hand, TableHand(Seat(2), HOLE[2]))
        added += self.push(hand, TableHand(Seat(3), HOLE[3]) if shows else MuckHand(Seat(3)))
        return added + self.push(hand, AwardPots(() if shows else (Seat(2),)))


class FeedRig(Rig):
    """A relay as its process runs it: with the releases log and the feed."""

    table: PlayedTable  # type: ignore[assignment]

    def __init__(
        self, folder: Path, delay_s: str = "30", air_s: str = "", *, release_folded: bool = False
    ) -> None:
        self.hub, self.cut = Hub(), False
        self.log = ReleasesLog(folder / "releases.jsonl", "hall", KEYS.signing)
        self.air_s = air_s
        super().__init__(folder, delay_s, release_folded=release_folded, leased=False)
        self.table = PlayedTable(folder / "run", self.relay_key)
        self.name_leaseholder()
        self.look()

    def start(self, delay_s: str) -> None:
        self.feed = Feed(self.folder, "hall", KEYS.signing, self.hub, Views())
        super().start(delay_s)
        self.node._unshown.unshown = tuple(self.feed.waiting())
        self.step(AirDelaySeen(self.air_s))  # type: ignore[arg-type]

    def perform(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case SignRelease():
                    self.log.append(effect.openings, At("b" * 16, Millis(self.now), WALL))
                    self.feed.keep(effect, self.store, self.log, self.node.players)
                case ShowHand() if self.cut:
                    self.step(HandHeld(effect.hand, effect.ended_at))  # type: ignore[arg-type]
                case ShowHand():
                    self.feed.show(effect)
            super().perform([effect])

    def next_deal(self) -> None:
        """The deal of the next hand stands."""
        self.hear(self.table.riffle())

    @property
    def hands(self) -> list[dict[str, Any]]:
        """What `/feed/hands.json` has, the newest first."""
        return [msgspec.json.decode(raw) for raw in self.feed.listed(before=None, table="", most=100)]

    def line(self, name: str = "1") -> bytes:
        line = self.feed.line("01", name)
        assert line is not None
        return line

    def hand(self, name: str = "1") -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.line(name))["page"]["hand"]
        return found
