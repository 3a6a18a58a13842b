"""What a hand was, in the facts that a sentence may name; nothing that its events do not say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from feltwire.relay.hand import HandRecord
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    Action,
    AnyEvent,
    BoardDealt,
    CardText,
    Chips,
    Few,
    Frozen,
    HandEnded,
    HandResumed,
    HandsBeaten,
    Level,
    LevelChanged,
    Name,
    Number,
    Posted,
    PotAwarded,
    ResultEntered,
    Ruled,
    Seat,
    Street,
)

LAST_STANDING = "last_standing"  # why a pot is awarded: everybody else has folded


class Player(Frozen, frozen=True):
    """One player of the hand: `player` as the table calls them, and by `name`. `cards` are known to everybody:
    tabled, or released since. `all_in` names the street on which the last chips went in, empty: they did not."""

    seat: Seat
    player: Name
    name: Name
    start: Chips
    end: Chips
    won: Chips = Chips(0)
    all_in: Name = ""
    folded: bool = False
    cards: Few[CardText] = ()
    released: bool = False  # they are known by a release
    by: Few[Seat] = ()  # of a player without chips: who won them


class HandFacts(Frozen, frozen=True):
    """A hand that has ended. `from_seq` to `seq` of `epoch` are the events that say so. `played`: every act of it
    was observed; else only its result is known. `opener` moved all-in first."""

    table: Name
    epoch: Number
    from_seq: Number
    seq: Number
    hand: Number
    level: Level
    pot: Chips
    players: Few[Player]
    board: Few[CardText] = ()
    showdown: bool = False
    played: bool = True
    opener: Seat | None = None
    shared: Few[Seat] = ()  # who shares the only pot

    def player(self, seat: Seat) -> Player:
        return next(one for one in self.players if one.seat == seat)

    @property
    def winners(self) -> tuple[Player, ...]:
        """Who won chips of others, the most first."""
        won = [one for one in self.players if one.won and one.end > one.start]
        return tuple(sorted(won, key=lambda one: (-one.won, one.seat)))

    @property
    def out(self) -> tuple[Player, ...]:
        """Who lost the last chips, the larger stack first."""
        gone = [one for one in self.players if one.start and not one.end]
        return tuple(sorted(gone, key=lambda one: (-one.start, one.seat)))


class Pot(NamedTuple):
    no: int
    eligible: tuple[Seat, ...]
    winners: tuple[Seat, ...]


def facts_of(record: HandRecord) -> HandFacts | None:
    """The facts of a hand that has ended; None for one that goes on, is void, or whose pot waits for a ruling."""
    events = record.events
    ends = [at for at, event in events.items() if isinstance(event, HandEnded)]
    if not ends or record.void or any(_is_impounded(event) for event in events.values()):
        return None
    end = events[ends[-1]]
    assert isinstance(end, HandEnded)
    awards = [event for event in events.values() if isinstance(event, PotAwarded)]
    beaten = [event for event in events.values() if isinstance(event, HandsBeaten)]
    pots = [_pot(award, beaten) for award in awards]
    won: dict[Seat, int] = {}
    for award in awards:
        for share in award.shares:
            won[share.seat] = won.get(share.seat, 0) + share.amount
    played = not any(isinstance(event, ResultEntered | HandResumed) for event in events.values())
    stacks = {share.seat: share.amount for share in end.stacks}
    all_in = _all_in(events.values())
    tabled = {seat: cards for seat, cards in record.tabled().items() if _is_whole(cards)}
    folded = record.folded()
    players = tuple(
        [
            Player(
                one.seat,
                one.player or f"table {record.table} seat {one.seat}",
                one.player or f"Seat {one.seat}",
                one.stack,
                stacks[one.seat],
                Chips(won.get(one.seat, 0)),
                all_in.get(one.seat, "") if played else "",
                one.seat in folded,
                tabled.get(one.seat, ()),
                False,
                _took(one.seat, pots) if played and not stacks[one.seat] else (),
            )
            for one in record.started.seats
            if one.seat in stacks
        ]
    )
    return HandFacts(
        table=record.table,
        epoch=ends[-1][0],
        from_seq=record.began[1],
        seq=ends[-1][1],
        hand=record.started.hand,
        level=_level(record, events.values()),
        pot=Chips(sum(award.amount for award in awards)),
        players=players,
        board=board if _is_whole(board := record.board()) else (),
        showdown=any(award.why != LAST_STANDING for award in awards),
        played=played,
        opener=next(iter(all_in), None) if played else None,
        shared=pots[0].winners if len(pots) == 1 and len(pots[0].winners) > 1 else (),
    )


def _pot(award: PotAwarded, beaten: Iterable[HandsBeaten]) -> Pot:
    """A hand that was killed because it lost this pot could have won it."""
    lost = [seat for event in beaten if event.no == award.no for seat in event.seats]
    return Pot(award.no, (*award.eligible, *lost), tuple([share.seat for share in award.shares]))


def _is_whole(cards: tuple[CardText, ...]) -> bool:
    return UNKNOWN_CARD not in cards and len({*cards}) == len(cards)


def _is_impounded(event: AnyEvent) -> bool:
    return isinstance(event, Ruled) and event.impounded > 0


def _level(record: HandRecord, events: Iterable[AnyEvent]) -> Level:
    return next((one.level for one in reversed([*events]) if isinstance(one, LevelChanged)), record.started.level)


def _all_in(events: Iterable[AnyEvent]) -> dict[Seat, str]:
    """By seat the street on which the last chips went in, in the order in which they did: of those that were not
    forced."""
    street: Street = Street.PREFLOP
    found: dict[Seat, str] = {}
    for event in events:
        match event:
            case BoardDealt():
                street = event.street
            case Posted(all_in=True):
                found[event.seat] = street.value
            case Acted(all_in=True) if event.action is not Action.FOLD:
                found[event.seat] = street.value
    return found


def _took(seat: Seat, pots: Iterable[Pot]) -> tuple[Seat, ...]:
    """Who won the last chips of this seat: the winners of the last pot that it could have won."""
    mine = [pot for pot in pots if seat in pot.eligible]
    last = max(mine, key=lambda pot: pot.no, default=None)
    return () if last is None or seat in last.winners else last.winners
