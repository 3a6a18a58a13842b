"""What each table is told about its seats: the difference between the tournament's seats and the table's own.

Nothing is queued. As long as a table differs it is told so; when it has answered, it no longer differs. What has
to happen once (an entry's chips, a rebuy, the first button) has a mark, which the table's event repeats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from msgspec.structs import replace

from feltwire.station.tournament.table_watch import DRAW, LEFT, TableWatch
from table_core.messages import ChangeSeats, Chips, Seat, SeatChips, SeatStack, SetPresence, encode
from table_core.tournament.chips.account import reports_stacks
from table_core.tournament.events import (
    BustDropped,
    ButtonSet,
    ChipsBought,
    ChipsGiven,
    ColouredUp,
    Docked,
    Entered,
    EntryGiven,
    Forfeited,
    MoveConfirmed,
    RebuyAnnounced,
    Redraw,
    Reinstated,
    SeatsDrawn,
    StackBrought,
    StackCorrected,
    StackPlaced,
    StackSold,
    TournamentEvent,
    Undone,
)
from table_core.tournament.field.busts import went_in
from table_core.tournament.night import Recorded
from table_core.tournament.penalties import sent_away
from table_core.tournament.state import Entrant, Facts, Move, MoveStage, State, Status, TableSeats
from table_core.tournament.subjects import changed

MOST_MARKS = 90  # of chips in one command, which holds 100: entries, the button and who leaves have one each


@dataclass(slots=True)
class Given:
    """What the records give once: the first draw, entries, chips bought, taken off or coloured up."""

    draw: int = 0
    entries: dict[str, tuple[int, int]] = field(default_factory=dict)  # player -> record, chips
    chips: list[tuple[int, str, int]] = field(default_factory=list)  # record, player, chips
    undone: set[int] = field(default_factory=set)
    buttons: dict[str, int] = field(default_factory=dict)  # table -> record
    coloured: dict[str, list[tuple[int, Chips, Chips]]] = field(default_factory=dict)  # table -> record, old, new
    forfeits: dict[str, tuple[int, int]] = field(default_factory=dict)  # player in a hand -> record, chips
    sold: dict[str, str] = field(default_factory=dict)  # player -> the stack that the player bought
    twins: dict[str, str] = field(default_factory=dict)  # whose entry was another's, also where that was undone
    newest: dict[str, int] = field(default_factory=dict)  # player -> the last record about the player
    brought: str = ""  # the command with which tables began to report

    @classmethod
    def by(cls, records: Iterable[Recorded]) -> Given:
        given = cls()
        records = list(records)
        given.undone = {no for one in records if isinstance(one.event, Undone) for no in one.event.records}
        for record in records:
            given.take(record)
            if isinstance(record.event, Undone):
                for no in record.event.records:
                    given._note(record.no, records[no - 1].event)
        return given

    def _note(self, no: int, event: TournamentEvent) -> None:
        self.newest |= {about[1]: no for about in changed(event) if about[0] == "player"}

    def take(self, record: Recorded) -> None:
        """One more record, that undoes none."""
        self._note(record.no, record.event)
        match record.event:
            case ChipsBought(player=player, chips=chips) | RebuyAnnounced(player=player, chips=chips):
                self.chips.append((record.no, player, chips))
            case Docked(player=player, chips=chips):
                self.chips.append((record.no, player, -chips))
            case StackCorrected(player=player, by=by) | ChipsGiven(player=player, chips=by):
                self.chips.append((record.no, player, by))
            case (
                Reinstated(player=player, chips=chips, giver=giver)
                | BustDropped(player=player, chips=chips, giver=giver)
            ) if chips:
                self.chips += [(record.no, player, chips), *([(record.no, giver, -chips)] if giver else [])]
            case ColouredUp(table=table, old=old, new=new, changes=changes):
                self.chips += [(record.no, change.player, change.chips) for change in changes]
                self.coloured.setdefault(table, []).append((record.no, old, new))
            case EntryGiven(player=player, other=other):
                self.twins |= {player: other, other: player}
                if record.no not in self.undone and player in self.entries:
                    self.entries[other] = self.entries.pop(player)
            case _ if record.no in self.undone:
                pass
            case StackBrought(player=player, chips=chips):  # the tables begin with what lies there
                if record.command != self.brought:
                    self.brought, self.draw, self.chips, self.entries = record.command, record.no, [], {}
                self.entries[player] = record.no, chips
            case SeatsDrawn(why=why):
                self.draw = record.no if why is Redraw.START else self.draw
                self.buttons = {}
            case Entered(player=player, chips=chips, bonus=bonus, docked=docked):
                self.entries[player] = record.no, chips + bonus - docked
            case StackPlaced(stack=stack, chips=chips):
                self.entries[stack] = record.no, chips
            case Forfeited(player=player, chips=chips, hand=hand) if hand:
                self.forfeits[player] = record.no, chips
            case StackSold(stack=stack, player=player):
                self.sold[player] = stack
            case ButtonSet(table=table):
                self.buttons[table] = record.no

    def marks_since(self, record: int) -> tuple[str, ...]:
        """The marks of what the records behind this one give once and do not take back."""
        entries = [f"entry-{no}" for no, _ in self.entries.values() if no > record]
        chips = [f"chips-{no}-{player}" for no, player, _ in self.chips if no > record and no not in self.undone]
        buttons = [f"button-{no}" for no in self.buttons.values() if no > record]
        return (*entries, *chips, *buttons)

    def smallest_chip(self, table: str) -> Chips:
        """The smallest chip in play at a table that was coloured up; 0 at any other."""
        coloured = self.coloured.get(table, [])
        standing = [new for record, _, new in coloured if record not in self.undone]
        return standing[-1] if standing else coloured[0][1] if coloured else Chips(0)


@dataclass(slots=True)
class Seen:
    """What the tables that play under the present draw have said."""

    given: Given
    watches: Mapping[str, TableWatch]
    marks: set[str] = field(default_factory=set)
    held: dict[str, tuple[str, SeatStack]] = field(default_factory=dict)  # player -> table, seat and stack
    racks: dict[str, tuple[int, int]] = field(default_factory=dict)  # player -> the latest record, rack
    assumed: frozenset[str] = frozenset()  # marks of what tables did before the records were restored

    @classmethod
    def of(cls, given: Given, watches: Mapping[str, TableWatch], assumed: frozenset[str] = frozenset()) -> Seen:
        seen = cls(given, watches, set(assumed), assumed=assumed)
        for table, watch in watches.items():
            if watch.draw != f"{DRAW}{given.draw}":
                continue
            seen.marks |= watch.marks
            seen.held |= {held.player: (table, held) for held in watch.sits().values() if held.player}
            for player, rack in watch.left.items():
                seen.racks[player] = max(rack, seen.racks.get(player, rack))
        return seen


def chips_to_take_back(seen: Seen, player: str) -> int:
    """Chips that the player was given, that were undone since, and that the table still has."""
    given = [(record, chips) for record, owner, chips in seen.given.chips if owner == player]
    return sum(
        chips
        for record, chips in given
        if record in seen.given.undone
        and f"chips-{record}-{player}" in seen.marks
        and f"chips-{record}-{player}-back" not in seen.marks
    )


def chips_on_order(state: State, seen: Seen, facts: Facts) -> int:
    """Chips that the records gave, took or moved, and of which the tables have not answered yet; below 0 where
    more is still to be taken away. Tables that report no stacks are taken at what the records say; what lies at
    one that plays under a draw that was taken back makes way for the entries."""
    if state.by_hand:
        return 0
    other = [
        facts[table]
        for table, watch in seen.watches.items()
        if table in facts and _is_of_another_draw(seen, watch)
    ]
    found = -sum(sum(fact.stacks.values()) + fact.pot for fact in other)
    for player, (record, chips) in seen.given.entries.items():
        if f"entry-{record}" not in seen.marks and _is_awaited(state, facts, player):
            found += chips
    for record, player, chips in seen.given.chips:
        mark = f"chips-{record}-{player}"
        done, undone = mark in seen.marks, record in seen.given.undone
        if done == undone and f"{mark}-back" not in seen.marks and _is_awaited(state, facts, player):
            found += -chips if done else chips
    moving = {move.ordered.player for move in state.seats.moves.values() if move.stage is MoveStage.IN_TRANSIT}
    found += sum(
        rack
        for player, (_, rack) in seen.racks.items()
        if player in state.seats.at and player not in seen.held and player not in moving
    )
    gone = [one for one in state.field.entrants.values() if one.status is Status.OUT and one.player in seen.held]
    held = [(one, *seen.held[one.player]) for one in gone]
    return found - sum(at.stack for one, table, at in held if not has_chips_again(state, one, seen.watches[table]))


def removed_otherwise(seen: Seen) -> int:
    """How many more chips leave play than the records say, with players who were put out in the middle of a hand:
    their bets are the pot's, and until the hand is over nobody knows what they have. Below 0: fewer."""
    more = 0
    for player, (record, chips) in seen.given.forfeits.items():
        left, rack = seen.racks.get(player, (0, 0))
        if left >= record:
            more += rack - chips
        elif player in seen.held:
            more += seen.held[player][1].stack - chips
    return more


def has_chips_again(state: State, entrant: Entrant, watch: TableWatch) -> bool:
    """Whether the player went out by an award that the dealer took back."""
    return went_in(state, entrant.player, watch.table, watch.back.get(entrant.player))


def _is_of_another_draw(seen: Seen, watch: TableWatch) -> bool:
    return bool(watch.draw) and watch.draw != f"{DRAW}{seen.given.draw}"


def _is_awaited(state: State, facts: Facts, player: str) -> bool:
    """Whether a table is to get chips of this player, and counts its stacks itself."""
    entrant, at = state.field.entrants.get(player), state.seats.at.get(player)
    return entrant is not None and entrant.in_play and (at is None or reports_stacks(facts, at.table))


class SeatOrders:
    """`prefix` begins the ids of the commands."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._sent: set[str] = set()  # whom a penalty keeps away: back with a new hand

    def of(self, table: str, state: State, seen: Seen, after: tuple[int, int]) -> ChangeSeats | None:
        """What `table` is to be told; None where its seats are as they should be. `after`: the last event with
        which its seats changed."""
        seats, watch, draw = state.seats.tables.get(table), seen.watches.get(table), seen.given.draw
        if seats is None or watch is None or not draw:
            return None
        new = watch.draw != f"{DRAW}{draw}"
        if new and not (seats.open or seats.players):
            return None
        wanted = _Wanted(state, seen, seats, watch)
        return self._command(table, after, wanted.first() if new else wanted.changes())

    def presence(self, table: str, state: State, seen: Seen) -> list[SetPresence]:
        """Who is to be away at `table`, or back there, by the records, where the table has it otherwise."""
        watch, draw = seen.watches.get(table), seen.given.draw
        if watch is None or not draw or watch.draw != f"{DRAW}{draw}":
            return []
        epoch, seq = watch.presence_at
        found = []
        for seat, (player, *has) in watch.presence().items():
            entrant = state.field.entrants.get(player)
            if entrant is None or entrant.status is not Status.PLAYING or entrant.unsold:
                continue
            sent, no_cards = sent_away(state, player)
            away = sent or entrant.away is not None
            if has != [away, no_cards]:
                id_ = f"{self._prefix}presence-{table}-{seat}-{epoch}-{seq}-{away:d}{no_cards:d}"
                later = sent or player in self._sent
                found.append(SetPresence(id_, seat, player, away, no_cards, next_hand=later))
            elif sent:
                self._sent.add(player)
            else:
                self._sent.discard(player)
        return found

    def _command(self, table: str, after: tuple[int, int], wanted: ChangeSeats | None) -> ChangeSeats | None:
        """`wanted` with an id that stays until something changes at this table, or about whoever leaves it."""
        if wanted is None:
            return None
        command = replace(wanted, after_epoch=after[0], after_seq=after[1])
        return replace(command, id=f"{self._prefix}seats-{table}-{_digest(command)}")


def _digest(command: ChangeSeats) -> str:
    """Of what the command changes. Chips that change hands in the hand under way are none of it: with them the id
    would be another one at the moment at which the table carries the command out."""
    goes = {one.player for one in command.leave}
    bare = replace(
        command,
        leave=tuple(replace(one, stack=Chips(0)) for one in command.leave),
        take=tuple(replace(one, stack=Chips(0)) if one.player in goes else one for one in command.take),
    )
    return sha256(encode(bare)).hexdigest()[:16]


@dataclass(slots=True)
class _Wanted:
    """One table's seats as they should be, against those that it has."""

    state: State
    seen: Seen
    seats: TableSeats
    watch: TableWatch
    marks: list[str] = field(default_factory=list)

    def players(self) -> dict[Seat, str]:
        """Who is to sit where when the hand is over."""
        leaving = {
            move.ordered.player
            for move in self.state.seats.moves.values()
            if move.stage is MoveStage.CONFIRMED and not (move.ordered.waits_for_all and self._plays_anywhere())
        }
        seated = {
            seat: player
            for seat, player in self.seats.players.items()
            if player not in leaving and self.state.field.entrants[player].status is Status.PLAYING
        }
        for move in self._arriving():
            seated[move.ordered.to.seat] = move.ordered.player
        return seated

    def _plays_anywhere(self) -> bool:
        return any(watch.in_hand for watch in self.seen.watches.values())

    def first(self) -> ChangeSeats:
        """The first seats of the tournament at this table."""
        self.marks.append(f"{DRAW}{self.seen.given.draw}")
        take = self._taken(self.players(), {})
        button, away, no_cards = self._button(), self._away(take), self._dealt_out(take)
        said = ChangeSeats("", take=take, everybody=True, button=button, hand=1, marks=tuple(self.marks))
        return replace(said, away=away, no_cards=no_cards)

    def changes(self) -> ChangeSeats | None:
        sits, players = self.watch.sits(), self.players()
        leave = tuple(
            held
            for seat, held in sorted(sits.items())
            if players.get(seat) != held.player and (seat in players or self._is_to_go(seat, held.player))
        )
        staying = {seat: held for seat, held in sits.items() if held not in leave}
        take = self._taken(players, staying)
        add = self._chips(players, {**staying, **{one.seat: one for one in take}})
        button, chip = self._button(), self._smallest_chip()
        if not (leave or take or add or chip) and button is None:
            return None
        if leave:
            self.marks.append(f"{LEFT}{max(self.seen.given.newest.get(held.player, 0) for held in leave)}")
        marks, waits, away = tuple(self.marks), self._waiting(take), self._away(take)
        said = ChangeSeats("", leave, take, add, button=button, marks=marks, waits=waits, away=away)
        return replace(said, smallest_chip=chip, no_cards=self._dealt_out(take))

    def _smallest_chip(self) -> Chips:
        """0 where the table has it."""
        chip = self.seen.given.smallest_chip(self.seats.plan.table)
        return chip if chip != self.watch.smallest_chip else Chips(0)

    def _away(self, take: Sequence[SeatStack]) -> tuple[Seat, ...]:
        """Players who are away where they come from, never came (ccp.leaving.4), or are kept away by a penalty."""
        entrants = self.state.field.entrants
        return tuple(
            one.seat
            for one in take
            if one.player in entrants
            and (entrants[one.player].away is not None or sent_away(self.state, one.player)[0])
        )

    def _dealt_out(self, take: Sequence[SeatStack]) -> tuple[Seat, ...]:
        """Those of them whom the penalty keeps from the cards too."""
        entrants = self.state.field.entrants
        return tuple(one.seat for one in take if one.player in entrants and sent_away(self.state, one.player)[1])

    def _waiting(self, take: Sequence[SeatStack]) -> tuple[Seat, ...]:
        """Who may not be dealt in between button and small blind: newcomers and who was moved, where the book has
        it so; nobody after a draw for everybody."""
        if self.state.book.tournament.newcomer_between_button_and_blind.value:
            return ()
        moved = {move.ordered.player for move in self._arriving()}
        held = self.seen.held.keys() | self.seen.racks.keys()
        return tuple(one.seat for one in take if one.player in moved or one.player not in held)

    def _is_to_go(self, seat: Seat, player: str) -> bool:
        """Not who is out of chips and may still rebuy, nor a stranger whose seat nobody needs; nor who went out
        by an award that was taken back."""
        entrant = self.state.field.entrants.get(player)
        if entrant is None or has_chips_again(self.state, entrant, self.watch):
            return False
        pending = entrant.status is Status.BUSTED
        return not (pending and self.seats.players.get(seat) == player)

    def _taken(self, players: Mapping[Seat, str], sits: Mapping[Seat, SeatStack]) -> tuple[SeatStack, ...]:
        taken, sits_now = [], self.watch.sits()
        for seat, player in sorted(players.items()):
            if seat in sits and sits[seat].player == player:
                continue
            held = sits_now.get(seat)
            same = held is not None and self.seen.given.twins.get(player) == held.player
            stack = held.stack if held is not None and same else self._brought(player)
            if stack is not None:
                taken.append(SeatStack(seat, Chips(stack), player))
        return tuple(taken)

    def _brought(self, player: str) -> int | None:
        """The chips that a player sits down with; None while another table has the player."""
        record, chips = self.seen.given.entries.get(player, (0, 0))
        mark = f"entry-{record}"
        if record and mark not in self.seen.marks:
            self.marks.append(mark)
            return chips
        move = next((move for move in self._arriving() if move.ordered.player == player), None)
        if move is not None:
            return move.rack or 0
        if player not in self.seen.held and player not in self.seen.racks:
            player = self.seen.given.sold.get(player, player)
        if player in self.seen.held:  # at this table the table itself says what the player takes along
            table, held = self.seen.held[player]
            return held.stack if table == self.seats.plan.table else None
        return self.seen.racks[player][1] if player in self.seen.racks else None

    def _chips(self, players: Mapping[Seat, str], sits: Mapping[Seat, SeatStack]) -> tuple[SeatChips, ...]:
        """What was bought, taken off or coloured up since, for players of this table; where that is more than one
        command holds, the rest follows behind it."""
        at = {held.player: held for held in sits.values() if held.player}
        changes: dict[str, int] = {}
        for record, player, chips in self.seen.given.chips:
            mark = f"chips-{record}-{player}"
            back = f"{mark}-back"
            done = mark in self.seen.marks
            if player not in at or (done and back in self.seen.marks):
                continue
            if chips and done == (record in self.seen.given.undone) and len(self.marks) < MOST_MARKS:
                changes[player] = changes.get(player, 0) + (-chips if done else chips)
                self.marks.append(back if done else mark)
        return tuple(
            SeatChips(at[player].seat, max(chips, -at[player].stack), player) for player, chips in changes.items()
        )

    def _button(self) -> Seat | None:
        table = self.seats.plan.table
        record = self.seen.given.buttons.get(table, 0)
        mark = f"button-{record}"
        if not record or mark in self.watch.marks or mark in self.seen.assumed:
            return None
        self.marks.append(mark)
        return self.seats.button

    def _arriving(self) -> Sequence[Move]:
        table = self.seats.plan.table
        return [
            move
            for move in self.state.seats.moves.values()
            if move.stage is MoveStage.IN_TRANSIT and move.ordered.to.table == table
        ]


def left_with(move: MoveConfirmed, watches: Mapping[str, TableWatch]) -> int | None:
    """The rack of a player who has left the table that a move starts from; None before."""
    watch = watches.get(move.start.table)
    if watch is None or not watch.draw or move.player not in watch.left:
        return None
    if any(held.player == move.player for held in watch.sits().values()):
        return None
    return watch.left[move.player][1]


def seated_with(move: MoveConfirmed, watches: Mapping[str, TableWatch]) -> int | None:
    """The stack of a player whom the new table has seated; None before."""
    watch = watches.get(move.to.table)
    held = watch.sits().get(move.to.seat) if watch is not None and watch.draw else None
    return held.stack if held is not None and held.player == move.player else None
