"""What the book leaves to a person once it has happened: places, money that nobody can reach, who has no seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from feltwire.runtime.views import Part
from feltwire.station.tournament.names import Names
from feltwire.station.tournament.words import named
from table_core.messages import ItemKind, Primary, QueueItem, Severity
from table_core.tournament.events import CENTS
from table_core.tournament.field.finishing import spots_of
from table_core.tournament.money.bounties import money_on
from table_core.tournament.money.prizes import payouts, unclaimed
from table_core.tournament.state import State, Status, Undecided

MOST_PAIRS = 20  # of one name, in the queue at a time
_SET = Primary("Set the prizes", open="/station/prizes?do=About+the+money")


def _undecided(state: State, names: Mapping[str, str]) -> Iterator[QueueItem]:
    for one in state.field.undecided:
        # else somebody has paid another entry since, or is not in the event any more
        if one.players and len(spots_of(state, one.players)) == len(one.players):
            yield _places(state, one, names)


def _bounties(state: State, names: Mapping[str, str]) -> Iterator[QueueItem]:
    for game, asked in state.bounties.open.items():
        who, money = named(asked.player, names), money_on(state, game) / CENTS
        fact = f"Bounty game {game}, {money:,.2f}: {who} {asked.why}."
        decide = Primary("Decide", open="/station/prizes?do=About+the+money")
        yield QueueItem(f"bounty-{game}", ItemKind.MONEY, Severity.SOON, fact, rule=asked.rule, primary=decide)


def _unclaimed(state: State, names: Mapping[str, str]) -> Iterator[QueueItem]:
    if state.started is not None and (money := unclaimed(state)):
        fact = f"{money / CENTS:,.2f} are for places that nobody can reach."
        yield QueueItem("prizes-unclaimed", ItemKind.MONEY, Severity.SOON, fact, primary=_SET)


def _smaller_than_the_book(state: State, names: Mapping[str, str]) -> Iterator[QueueItem]:
    """The book's table of prizes begins with more players than have entered (home.prizes.3)."""
    stakes = state.book.tournament.payout_stakes
    entries = sum(entrant.entries for entrant in state.field.entrants.values())
    if stakes is None or not stakes.value or state.prizes.posted is not None or state.started is None:
        return
    least = min(sum(row) for row in stakes.value)
    if 0 < entries < least:
        fact = f"{entries} have paid, and the book's prizes begin with {least} players."
        do = f"Shown is the shape of {least} in whole stakes. Leave it, or set the prizes."
        yield QueueItem("prizes-small", ItemKind.MONEY, Severity.KNOW, fact, do=do, rule=stakes.rule, primary=_SET)


def _places(state: State, one: Undecided, names: Mapping[str, str]) -> QueueItem:
    spots, called = spots_of(state, one.players), [named(player, names) for player in one.players]
    pays = payouts(state)
    money = sum(pays[place - 1] for place in spots if place <= len(pays)) / CENTS
    shown = f"{spots[0]}" if len(spots) == 1 else f"{spots[0]} to {spots[-1]}"
    fact = f"Place {shown}: {', '.join(called)}. {one.why[:1].upper()}{one.why[1:]}."
    order = "; ".join(f"{name} place {place}" for name, place in zip(called, spots, strict=True))
    shared = Primary("Shared", "decide_places", {"players": one.players, "shared": True}, f"Shared: {shown}?")
    return QueueItem(
        f"places-{'-'.join(one.players)}"[:100],
        ItemKind.PLACES,
        Severity.NOW if money else Severity.KNOW,
        fact,
        do=f"{money:,.2f} are not paid before that." if money else "",
        rule=one.rule,
        primary=Primary("As shown", "decide_places", {"players": one.players}, f"{order}?"),
        also=(shared,) if len(spots) > 1 else (),
    )


def without_a_seat(state: State, names: Mapping[str, str]) -> Iterator[QueueItem]:
    """Players who are in and sit nowhere while it is played, and are not on the way."""
    if state.started is None or state.finished is not None:
        return
    moving = {move.ordered.player for move in state.seats.moves.values()}
    for player, entrant in state.field.entrants.items():
        if entrant.status is Status.PLAYING and player not in state.seats.at and player not in moving:
            who = named(player, names)
            seat = Primary("Seat", "seat_player", {"player": player})
            fact = f"{who} is in and has no seat."
            yield QueueItem(f"seat-{player}", ItemKind.SEAT, Severity.NOW, fact, player=player, primary=seat)


def same_names(names: Names) -> Iterator[QueueItem]:
    """Players on file with one name: of an earlier night, or of a program that compared less."""
    pairs = [*names.same_names()]
    for one, other in pairs[:MOST_PAIRS]:
        who = f"{names[one]} ({one}) and {names[other]} ({other})"
        more = f" {len(pairs) - MOST_PAIRS} more pairs follow." if len(pairs) > MOST_PAIRS else ""
        yield QueueItem(
            f"same-name-{one}-{other}"[:200],
            ItemKind.OTHER,
            Severity.KNOW,
            f"{who} are one name.{more}",
            do="Ask whether they are two people.",
            primary=Primary("Two people", "tell_apart", {"one": one, "other": other}, f"{who}: two people?"),
        )


# Also when the event is over: prizes wait for them.
DECISIONS: Mapping[Part, Callable[[State, Mapping[str, str]], Iterator[QueueItem]]] = {
    Part("Places that the book leaves open", page="/station/players", asks=True): _undecided,
    Part("Bounty money that the book leaves open", page="/station/prizes", asks=True): _bounties,
    Part("Prizes that nobody can reach", page="/station/prizes", asks=True): _unclaimed,
    Part("Prizes of a small field", page="/station/prizes", asks=True): _smaller_than_the_book,
}
