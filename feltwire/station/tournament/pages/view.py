"""The tournament as JSON, cut by what pages draw: one part a channel."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import msgspec

from feltwire.runtime.views import Fault, Part, Views, not_shown
from feltwire.station.director.ruling_facts import OutThere
from feltwire.station.tournament.names import Names
from feltwire.station.tournament.pages.accounts import (
    best_hand_view,
    book_view,
    chips_view,
    money_view,
    penalties_view,
)
from feltwire.station.tournament.pages.tiles import tiles
from feltwire.station.tournament.pages.tills import paid_to
from feltwire.station.tournament.public_names import public_names
from feltwire.station.tournament.seat_orders import Seen
from feltwire.station.tournament.table_watch import TableWatch
from feltwire.station.tournament.words import move_asked, named, words
from table_core.messages import Seat
from table_core.projections.room import Field
from table_core.tournament.by_hand import stacks_known
from table_core.tournament.chips.account import chip_account
from table_core.tournament.events import (
    BustConfirmed,
    Forfeited,
    Instant,
    MoveConfirmed,
    OutByHand,
    PenaltyGiven,
    Undone,
)
from table_core.tournament.field.absences import absences
from table_core.tournament.field.entries import buy_in, late_penalties, level_now
from table_core.tournament.field.rebuys import open_rebuy
from table_core.tournament.field.waiting_list import guaranteed, lock_outs, places
from table_core.tournament.money.league import checked_for_points, too_few_for_points
from table_core.tournament.money.prizes import payouts
from table_core.tournament.night import Night, Recorded
from table_core.tournament.penalties import merges_missed, time_outs
from table_core.tournament.schedule import projected_end
from table_core.tournament.seats.apart import unkept
from table_core.tournament.seats.balance import balance, overtaken, table_to_break
from table_core.tournament.seats.button import buttons_to_draw, dealer
from table_core.tournament.state import Entrant, Facts, State, Status, TableSeats
from table_core.tournament.stops import stopped_wait

NAMED = 30  # so many at most are named where somebody is missing
MOVED_SHOWN = 9
LOG_SHOWN = 100  # records, the newest first
MINUTE_MS = 60_000
CHANNELS = (
    "book",
    "field",
    "stacks",
    "seats",
    "chips",
    "prizes",
    "penalties",
    "league",
    "log",
    "tiles",
    "kept",
    "night",
)
BY_TABLES = ("stacks", "seats", "chips", "prizes", "penalties", "night")  # what tables report changes these


_AS_IT_IS = ("status", "entries", "bought", "owes", "paid", "chips", "removed", "place", "why_out")
_YES_OR_NO = (
    *("member", "adult", "regular", "online", "applied", "offered", "unsold", "suspended"),
    *("signed_in", "checked_off", "lateness_announced", "away"),
)
BLANK: dict[str, Any] = {  # of an entrant; what does not differ from it is left out
    "status": Status.PLAYING,
    "entries": 1,
    "bought": {},
    "owes": None,
    "paid": 0,
    "chips": 0,
    "removed": 0,
    "place": None,
    "why_out": "",
    "table": None,
    "seat": None,
    "guaranteed": False,
    "credited": True,
    "out_by": None,
    "penalties": 0,
    "paid_to": "",
    "paid_at": None,
    "shown": "",
    "shows": "",
    **dict.fromkeys(_YES_OR_NO, False),
}


class Shown(NamedTuple):
    """What the channels are made of. Times are wall time in ms since 1970."""

    night: Night
    names: Mapping[str, str]
    facts: Facts
    seen: Seen
    now: Instant

    @property
    def state(self) -> State:
        return self.night.state


class Piece(NamedTuple):
    """Some keys of a channel, which are there or missing together; `empty` stands for what cannot be shown."""

    part: Part
    make: Callable[[Shown], dict[str, Any]]
    empty: Mapping[str, Any]


def night_parts(shown: Shown, wanted: Collection[str], views: Views) -> dict[str, dict[str, Any]]:
    """The channels in `wanted`, each with what its pages draw; `cannot_show` says what is missing in one.

    `night` comes last: it has the number of the newest record, and whoever reads it has read the others before.
    """
    if not shown.state.opened:
        return {"night": {"open": False, "no": len(shown.night.records)}}
    return {channel: _channel(shown, pieces, views) for channel, pieces in PIECES.items() if channel in wanted}


def _channel(shown: Shown, pieces: Iterable[Piece], views: Views) -> dict[str, Any]:
    channel: dict[str, Any] = {}
    faults: list[Fault] = []
    for part, make, empty in pieces:

        def instead(fault: Fault, empty: Mapping[str, Any] = empty) -> dict[str, Any]:
            faults.append(fault)
            return dict(empty)

        channel |= views.show(part, partial(make, shown), instead)
    return channel | not_shown(faults)


def without_ages(part: dict[str, Any]) -> dict[str, Any]:
    """`part` without what time alone changes, because pages count on by themselves."""
    if "time_outs" not in part:
        return part
    return part | {"time_outs": [one | {"left_ms": 0} for one in part["time_outs"]]}


def _event(state: State, facts: Facts, now: Instant, names: Mapping[str, str]) -> dict[str, Any]:
    """The event as a whole; `ends`: when it is expected to end, to the minute, while its clock runs."""
    clock, account = state.clock, chip_account(state, facts)
    ends = None
    if clock is not None and clock.mark.running and clock.mark.boot == now.boot:
        left = projected_end(clock, now.at, account.issued - account.removed) - now.at
        ends = round((now.wall + left) / MINUTE_MS) * MINUTE_MS
    entrants = state.field.entrants.values()
    return {
        "name": state.name,
        "by_hand": state.by_hand,
        "rulebook": state.book.id,
        "seed": state.seed,
        "starts": state.starts,
        "started": state.started and state.started.wall,
        "finished": state.finished and state.finished.wall,
        "ends": ends,
        "players_left": state.field.playing,
        "pending": sum(len(bust.out) for bust in state.field.busts.values()),
        "entered": sum(bool(one.entries) for one in entrants),
        "registered": len(entrants),
        "starting_stack": next((one.chips for one in entrants if one.chips), 0),
        "places": msgspec.to_builtins(places(state)),
        "add_on": state.book.tournament.add_on is not None and bool(state.book.tournament.add_on.value),
        "control": _control(state),
    } | ({"wants": _wants(state, names)} if state.started is None else {})


def _wants(state: State, names: Mapping[str, str]) -> dict[str, list[str]]:
    """Before the start: who is registered and not paid, who has paid and has no seat."""
    entrants = state.field.entrants.values()
    unpaid = [one.player for one in entrants if one.status is Status.REGISTERED]
    unseated = [
        one.player for one in entrants if one.status is Status.PLAYING and one.player not in state.seats.at
    ]
    return {
        "unpaid": [named(player, names) for player in unpaid[:NAMED]],
        "unseated": [named(player, names) for player in unseated[:NAMED]],
    }


def _control(state: State) -> dict[str, Any]:
    """What the clock stands for, and why no hand begins."""
    wait = stopped_wait(state)
    return {
        "cancelled": state.cancelled,
        "clock_table": state.clock_table,
        "disputes": list(state.disputes),
        "hand_for_hand": state.round_hands if state.hand_for_hand is not None else None,
        "no_hand": wait.why if wait is not None else "",
        "rule": wait.rule if wait is not None else "",
    }


def _field(night: Night, names: Mapping[str, str]) -> dict[str, Any]:
    """Everybody on the list; of each what differs from `blank`. `known` are names of others."""
    state, entrants = night.state, night.state.field.entrants
    points = state.started is None or not too_few_for_points(state)
    out_by, taken, before = (
        _out_by(night),
        paid_to(night),
        {player: len(all_) for player, all_ in penalties_view(state, {}).items()},
    )
    called = public_names(names, state) if isinstance(names, Names) else {}
    choices = names.shown if isinstance(names, Names) else {}
    public = {one: {"shown": called.get(one, one), "shows": choices.get(one, "")} for one in entrants}
    return {
        "blank": BLANK,
        "field": [
            _entrant(state, one, names, points, out_by, before, taken, public[player])
            for player, one in entrants.items()
        ],
        "known": {player: name for player, name in names.items() if player not in entrants},
        "no_points": too_few_for_points(state) if state.opened else "",
    }


def _entrant(
    state: State,
    entrant: Entrant,
    names: Mapping[str, str],
    points: bool,
    out_by: Mapping[str, int],
    before: Mapping[str, int],
    taken: Mapping[str, tuple[str, int]],
    public: Mapping[str, str],
) -> dict[str, Any]:
    """`points`: enough players are in for points; `before`: how many penalties each has; `taken`: who took the
    last money of each, and when; `public`: what everybody reads of this player, and the player's choice."""
    at = state.seats.at.get(entrant.player)
    shown = {name: getattr(entrant, name) for name in _AS_IT_IS}
    shown |= {name: bool(getattr(entrant, name)) for name in _YES_OR_NO}
    shown |= {
        "table": at.table if at is not None else None,
        "seat": at.seat if at is not None else None,
        "guaranteed": guaranteed(state, entrant),
        "credited": points and checked_for_points(state, entrant),
        "out_by": out_by.get(entrant.player),
        "penalties": before.get(entrant.player, 0),
        **public,
    }
    shown["paid_to"], shown["paid_at"] = taken.get(entrant.player, ("", None))
    differs = {name: value for name, value in shown.items() if value != BLANK[name]}
    return {"player": entrant.player, "name": named(entrant.player, names)} | differs


def _penalised(night: Night) -> dict[str, int]:
    """The record of each penalty that stands."""
    records = (one for one in night.records if isinstance(one.event, PenaltyGiven) and night.stands(one.no))
    return {one.event.penalty: one.no for one in records if isinstance(one.event, PenaltyGiven)}


def _out_by(night: Night) -> dict[str, int]:
    """The record that put each player out, where it stands."""
    found: dict[str, int] = {}
    for record in night.records:
        if isinstance(record.event, BustConfirmed | Forfeited | OutByHand) and night.stands(record.no):
            players = record.event.players if isinstance(record.event, BustConfirmed) else (record.event.player,)
            found |= dict.fromkeys(players, record.no)
    return found


def out_there(state: State, seats: Mapping[Seat, tuple[str, int]], names: Mapping[str, str]) -> Iterator[OutThere]:
    """Who is out of `seats`: the player who lost the last chips there, and in which hand."""
    for seat, (player, hand) in sorted(seats.items()):
        entrant = state.field.entrants.get(player)
        if entrant is None or entrant.status not in (Status.BUSTED, Status.OUT):
            continue
        pending = entrant.status is Status.BUSTED
        place = f", place {entrant.place}" if entrant.place else ""
        said = f"bust pending, hand {hand}" if pending else f"out since hand {hand}{place}"
        yield OutThere(seat, player, names.get(player, player), said, pending)


def _moves(night: Night, names: Mapping[str, str]) -> list[dict[str, Any]]:
    state = night.state
    no_longer = overtaken(state)
    records = {event.move: record.no for record, event in _confirmed(night)}
    return [
        msgspec.to_builtins(move.ordered)
        | {
            "stage": move.stage,
            "rack": move.rack,
            "name": named(move.ordered.player, names),
            "overtaken": id_ in no_longer,
            "record": records[id_],
        }
        for id_, move in state.seats.moves.items()
    ]


def _confirmed(night: Night) -> Iterator[tuple[Recorded, MoveConfirmed]]:
    for record in night.records:
        if isinstance(record.event, MoveConfirmed) and night.stands(record.no):
            yield record, record.event


def _moved(night: Night, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """The newest moves whose player sits at the new table still, the last one first."""
    at = night.state.seats.at
    arrived = [(record, event) for record, event in _confirmed(night) if at.get(event.player) == event.to]
    return [
        msgspec.to_builtins(event)
        | {"record": record.no, "at": record.at.wall, "name": named(event.player, names)}
        for record, event in reversed(arrived[-MOVED_SHOWN:])
    ]


def _apart(state: State) -> list[dict[str, Any]]:
    together = unkept(state)
    pairs = sorted(state.seats.apart, key=sorted)
    return [{"players": sorted(pair), "kept": pair not in together} for pair in pairs]


def _tables(shown: Shown) -> list[dict[str, Any]]:
    state, facts, names = shown.state, shown.facts, shown.names
    return [_table(state, table, facts, shown.seen.watches, names) for table in state.seats.tables.values()]


def _time_outs(shown: Shown) -> list[dict[str, Any]]:
    return [
        msgspec.to_builtins(one) | {"name": named(one.player, shown.names)}
        for one in time_outs(shown.state, shown.now, shown.facts)
    ]


def _proposals(state: State, facts: Facts, names: Mapping[str, str], now: Instant) -> dict[str, Any]:
    breaking = table_to_break(state, facts)
    return {
        "moves": [
            _proposed(move, state, names)
            | {"question": move_asked(move.player, move.to, names), "choose": state.by_hand}
            for move in balance(state, facts)
        ],
        "break": breaking and _proposed(breaking, state, names),
        "absences": [_proposed(one, state, names) for one in absences(state, now, facts)],
        "late_penalties": [
            _proposed(one, state, names) for one in late_penalties(state, level_now(state, now), facts)
        ],
        "merges_missed": [_proposed(one, state, names) for one in merges_missed(state, now, facts)],
        "lock_outs": lock_outs(state, now),
        "buttons": buttons_to_draw(state),
    }


def _busts(state: State, facts: Facts, names: Mapping[str, str], now: Instant) -> list[dict[str, Any]]:
    return [
        msgspec.to_builtins(bust)
        | {
            "names": [named(out.player, names) for out in bust.out],
            "may_rebuy": [out.player for out in bust.out if open_rebuy(state, out.player, now, facts)],
        }
        for bust in state.field.busts.values()
    ]


def _may_rebuy(state: State, facts: Facts, now: Instant) -> list[str]:
    """Who may buy in again now: who is out of chips, and who has as few as the book says."""
    book = state.book.tournament
    limits = [rule.value for rule in (book.rebuy_below, book.rebuy_below_at_break) if rule is not None]
    stacks = stacks_known(state, facts)
    few = {player for player, stack in stacks.items() if not limits or stack <= max(limits)}
    if state.by_hand:  # nobody says what they have
        few = {*state.seats.at} if not limits else set()
    asked = (one for one in state.field.entrants.values() if one.in_play and not one.unsold)
    busted = {out.player for bust in state.field.busts.values() for out in bust.out}
    return [
        one.player
        for one in asked
        if (one.player in few or one.player in busted) and open_rebuy(state, one.player, now, facts) is not None
    ]


def _proposed(proposal: Any, state: State, names: Mapping[str, str]) -> dict[str, Any]:
    """A proposal; `silent` says where its rule is usual practice and not the book's."""
    plain = dict(msgspec.to_builtins(proposal))
    plain["silent"] = state.book.standing_in_words(plain.get("rule", ""))
    return plain | ({"name": named(plain["player"], names)} if "player" in plain else {})


def _table(
    state: State, table: TableSeats, facts: Facts, watches: Mapping[str, TableWatch], names: Mapping[str, str]
) -> dict[str, Any]:
    name = table.plan.table
    fact, watch = facts.get(name), watches.get(name)
    sits = {seat: held.player for seat, held in watch.sits().items()} if watch is not None and watch.draw else {}
    seats = [
        {
            "seat": seat,
            "player": player,
            "name": named(player, names),
            "there": state.by_hand or sits.get(seat) == player,
            "vacated": state.field.entrants[player].status is Status.BUSTED,
        }
        for seat, player in sorted(table.players.items())
    ]
    return {
        "table": name,
        "open": table.open,
        "seats": seats,
        "free": table.free(),
        "reserved": {str(seat): player for seat, player in table.reserved.items()},
        "waits": fact.waits if fact is not None else (),
        "smallest_chip": watch.smallest_chip if watch is not None else 0,
        "coloured_to": state.chips.smallest.get(name, 0),
        "button": table.button,
        "dealer": dealer(state, table, facts),
        "facts": fact
        and {
            "hand": fact.hand,
            "in_hand": fact.in_hand,
            "level": fact.level,
            "button": fact.button,
            "stacks": {str(seat): stack for seat, stack in fact.stacks.items()},
        },
    }


def _log(night: Night, names: Mapping[str, str]) -> list[dict[str, Any]]:
    newest = night.records[: -LOG_SHOWN - 1 : -1]
    shown = {record.command for record in newest if record.command}
    together: dict[str, list[str]] = {command: [] for command in shown}  # what an undo takes back with a record
    for record in night.records:
        if record.command in shown and night.stands(record.no):
            together[record.command].append(words(record.event, names))
    return [
        {
            "no": record.no,
            "at": record.at.wall,
            "by": record.by,
            "text": words(record.event, names),
            "event": {
                field: value for field, value in msgspec.to_builtins(record.event).items() if field != "levels"
            },
            "undone": not night.stands(record.no),
            "with": together[record.command] if record.command else [words(record.event, names)],
            "can_undo": night.stands(record.no) and not isinstance(record.event, Undone),
            "can_redo": night.can_redo(record),
        }
        for record in newest
    ]


def field_of_night(night: Night) -> Field | None:
    """The field for clocks and screens; None before anybody has entered."""
    entrants = [one for one in night.state.field.entrants.values() if one.entries]
    if not entrants:
        return None
    left = [one for one in entrants if one.status in (Status.PLAYING, Status.BUSTED)]
    chips = sum(one.chips for one in entrants) - sum(one.removed for one in entrants)
    return Field(players=len(left), chips=chips, entrants=sum(one.entries for one in entrants))


def posted(night: Night, field: Field) -> Field:
    """`field` with what the clock posts of the money (ccp.buyin.1, ccp.payout.2)."""
    state = night.state
    shown = state.book.tournament.money_posted
    if not state.opened or (shown is not None and not shown.value):
        return field
    return dataclasses.replace(field, buy_in=buy_in(state), payouts=tuple(filter(None, payouts(state))))


NO_PROPOSALS: Mapping[str, Any] = {
    "break": None,
    **dict.fromkeys(("moves", "absences", "late_penalties", "merges_missed", "lock_outs", "buttons"), ()),
}
PIECES: Mapping[str, tuple[Piece, ...]] = {
    "book": (Piece(Part("The book", page="/rules"), lambda shown: book_view(shown.state.book), {}),),
    "field": (Piece(Part("The players"), lambda shown: _field(shown.night, shown.names), {}),),
    "stacks": (
        Piece(
            Part("Stacks", page="/station/chips"),
            lambda shown: {"stacks": stacks_known(shown.state, shown.facts)},
            {"stacks": {}},
        ),
        Piece(
            Part("Players out of chips", page="/station", asks=True),
            lambda shown: {"busts": _busts(shown.state, shown.facts, shown.names, shown.now)},
            {"busts": ()},
        ),
        Piece(
            Part("Who may rebuy", page="/station/players", asks=True),
            lambda shown: {"may_rebuy": _may_rebuy(shown.state, shown.facts, shown.now)},
            {"may_rebuy": ()},
        ),
    ),
    "seats": (
        Piece(Part("Tables and seats", page="/station"), lambda shown: {"tables": _tables(shown)}, {"tables": ()}),
        Piece(
            Part("Moves", page="/station", asks=True),
            lambda shown: {"moves": _moves(shown.night, shown.names)},
            {"moves": ()},
        ),
        Piece(
            Part("Who has moved", page="/station/log"),
            lambda shown: {"moved": _moved(shown.night, shown.names)},
            {"moved": ()},
        ),
        Piece(
            Part("Proposals of moves and breaks", page="/station", asks=True),
            lambda shown: {"proposals": _proposals(shown.state, shown.facts, shown.names, shown.now)},
            {"proposals": NO_PROPOSALS},
        ),
        Piece(
            Part("Who sits apart", page="/station/log"),
            lambda shown: {"apart": _apart(shown.state)},
            {"apart": ()},
        ),
    ),
    "chips": (
        Piece(
            Part("The account of the chips", page="/station", asks=True),
            lambda shown: {"chips": chips_view(shown.night, shown.facts, shown.seen, shown.names, shown.now)},
            {},
        ),
    ),
    "prizes": (
        Piece(
            Part("The money", page="/station/log", asks=True),
            lambda shown: {"money": money_view(shown.night, shown.facts)},
            {},
        ),
        Piece(
            Part("The best hand of the night", page="/station/log", asks=True),
            lambda shown: {"best_hand": best_hand_view(shown.state, shown.facts, shown.names)},
            {"best_hand": {"pool": 0, "hands": (), "unread": (), "won": None}},
        ),
    ),
    "penalties": (
        Piece(
            Part("Penalties", page="/station/log"),
            lambda shown: {"penalties": penalties_view(shown.state, _penalised(shown.night))},
            {"penalties": {}},
        ),
        Piece(
            Part("Time-outs", page="/station", asks=True),
            lambda shown: {"time_outs": _time_outs(shown)},
            {"time_outs": ()},
        ),
    ),
    "tiles": (
        Piece(
            Part("Tables of an event by hand", page="/station/seats", asks=True),
            lambda shown: {"tiles": tiles(shown.night, shown.names, shown.now)},
            {"tiles": None},
        ),
    ),
    "log": (Piece(Part("The log"), lambda shown: {"log": _log(shown.night, shown.names)}, {"log": ()}),),
    "night": (
        Piece(
            Part("The event", page="/station/log"),
            lambda shown: (
                {"open": True, "no": len(shown.night.records)}
                | _event(shown.state, shown.facts, shown.now, shown.names)
            ),
            {},
        ),
    ),
}
