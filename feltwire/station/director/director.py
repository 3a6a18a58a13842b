"""The director's commands at the station: each is carried out once and answered with a text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from feltwire.runtime.node_io import Choice, Reply, Say
from feltwire.station.clock import StationClock
from feltwire.station.director.arguments import (
    CountWanted,
    HandWanted,
    NoArguments,
    RewindWanted,
    RulingWanted,
    SeatsWanted,
    SelectLevel,
    TakeBackWanted,
    arguments_of,
)
from feltwire.station.director.outgoing import Outgoing
from feltwire.station.director.proof import Unproven
from feltwire.station.director.ruled_already import RuledAlready
from feltwire.station.station_io import Directed, Effect, SaveCommand
from table_core.hand.resume import fault_of
from table_core.messages import (
    MOST_CHIPS,
    AnyTableCommand,
    AskCount,
    Expiry,
    MakeRuling,
    Malformed,
    Millis,
    Refusal,
    Rewind,
    SeatStack,
    SetHand,
    SetSeats,
    TakeBackRuling,
    Unencodable,
    encode,
)
from table_core.rulebook import Rulebook
from table_core.rulings.all_incidents import INCIDENTS
from table_core.tournament.clock import entry_fault

ANSWERS_KEPT = 100
# What a table has not answered by then is for the director to decide again.
RULING_LIFE_MS = 60_000
SEATS_LIFE_MS = 600_000

# What going back at a table would do, in sentences, or why that cannot be.
GoingBack = Callable[[RewindWanted], "Sequence[str] | Refusal"]


class Director:
    """`rulebook` is the room's; `outgoing` takes the commands to tables."""

    def __init__(
        self,
        clock: StationClock,
        prefix: str,
        tables: Sequence[str],
        rulebook: Rulebook,
        outgoing: Outgoing,
        going_back: GoingBack,
        ruled_already: RuledAlready,
    ) -> None:
        self._clock = clock
        self._prefix = prefix
        self._tables = tables
        self._rulebook = rulebook
        self._outgoing = outgoing
        self._going_back = going_back
        self._ruled_already = ruled_already
        self._answers: dict[str, Reply] = {}
        self._commands: Mapping[str, Callable[[Directed, Millis], Iterator[Effect]]] = {
            "pause": self._pause,
            "resume": self._resume,
            "next_level": self._next_level,
            "select_level": self._select_level,
            "set_seats": self._set_seats,
            "set_hand": self._set_hand,
            "rule": self._rule,
            "take_back_ruling": self._take_back_ruling,
            "preview_rewind": self._preview_rewind,
            "rewind": self._rewind,
            "ask_count": self._ask_count,
        }

    def take(self, given: Directed, now: Millis) -> Iterator[Effect]:
        """Carry out one press, if it is a command of this class."""
        do = self._commands.get(given.command)
        if do is None:
            known = ", ".join([*self._commands, "hand_over"])
            yield from self.reply(given, f"There is no command {given.command!r}; there are: {known}.", True)
            return
        yield from self.once(given, lambda given: do(given, now))

    def once(self, given: Directed, do: Callable[[Directed], Iterator[Effect]]) -> Iterator[Effect]:
        """Carry out one press. A repeated id gets the same answer and changes nothing."""
        if given.id in self._answers:
            yield self._answers[given.id]
            return
        try:
            yield from do(given)
        except Malformed as error:
            yield from self.reply(given, f"{given.command}: {error}.", True)

    def reply(
        self,
        given: Directed,
        text: str,
        refused: bool = False,
        *,
        rule: str = "",
        about: str = "",
        choices: tuple[Choice, ...] = (),
    ) -> Iterator[Effect]:
        """A text for the director; a repeat of the press gets the same."""
        reply = Reply(given.id, text, refused, rule, about, choices=choices)
        self._answers[given.id] = reply
        while len(self._answers) > ANSWERS_KEPT:
            del self._answers[next(iter(self._answers))]
        # Names of players are in the text, and a log cannot forget them.
        yield Say(f"director: {given.command}: {rule or 'refused' if refused else 'done'}")
        yield reply

    def ask_pin(self, given: Directed, unproven: Unproven, said: str = "") -> Iterator[Effect]:
        """Nothing was done; the same press comes again with a PIN."""
        yield Reply(given.id, said or unproven.reason, unproven=unproven.effect)

    def _clock_reply(self, given: Directed, refusal: Refusal | None, text: str) -> Iterator[Effect]:
        yield from self.reply(given, refusal.reason if refusal else text, refusal is not None)

    # ------------------------------------------------------------------------------------ the clock

    def _pause(self, given: Directed, now: Millis) -> Iterator[Effect]:
        arguments_of(given, NoArguments)
        refusal = self._clock.change(self._clock.clock.pause(now))
        yield from self._clock_reply(given, refusal, "The clock is stopped.")

    def _resume(self, given: Directed, now: Millis) -> Iterator[Effect]:
        arguments_of(given, NoArguments)
        refusal = self._clock.change(self._clock.clock.resume(now))
        yield from self._clock_reply(given, refusal, "The clock runs.")

    def _next_level(self, given: Directed, now: Millis) -> Iterator[Effect]:
        arguments_of(given, NoArguments)
        refusal = self._clock.change(self._clock.clock.go_to_next(now))
        yield from self._clock_reply(given, refusal, f"{self._present(now)} has begun.")

    def _select_level(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(given, SelectLevel)
        before = self._clock.clock
        if wanted.entry is not None:
            changed = before.go_to_entry(wanted.entry, now)
        elif wanted.level is not None:
            changed = before.go_to(wanted.level, now)
        else:
            yield from self.reply(given, "Name a level or an entry of the schedule.", True)
            return
        refusal = self._clock.change(changed)
        same = self._clock.clock == before
        text = (
            f"{self._present(now)} is on already; its time runs on."
            if same
            else (f"{self._present(now)} has begun.")
        )
        yield from self._clock_reply(given, refusal, text)

    def _present(self, now: Millis) -> str:
        level = self._clock.clock.level(now)
        return "The break" if level.is_break else f"Level {level.no}"

    # ------------------------------------------------------------------------------------ the tables

    def _set_seats(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(given, SeatsWanted)
        command = SetSeats(
            self._id("seats", given), wanted.seats, wanted.button, wanted.hand, wanted.level,
            wanted.if_epoch, wanted.if_seq, self._expiry(now, SEATS_LIFE_MS), given.by,
        )  # fmt: skip
        players = sum(seat.stack > 0 for seat in wanted.seats)
        said = f": {players} players seated"
        fault = _fault_of(wanted.seats) or (entry_fault(wanted.level) if wanted.level is not None else "")
        yield from self._tell(given, wanted.table, command, said, fault=fault)

    def _set_hand(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(given, HandWanted)
        fault = fault_of(wanted.hand)  # said here at once, beside the field; the table would say it too late
        if fault is not None and wanted.table in self._tables:
            about, reason = fault
            yield from self.reply(given, reason, True, rule=self._rulebook.cites.hand_start, about=about)
            return
        expires = self._expiry(now, SEATS_LIFE_MS)
        command = SetHand(self._id("hand", given), wanted.hand, wanted.if_epoch, wanted.if_seq, expires, given.by)
        said = f": hand {wanted.hand.hand} goes on from there"
        yield from self._tell(given, wanted.table, command, said)

    def _rule(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(given, RulingWanted)
        command = MakeRuling(
            self._id("rule", given), wanted.incident, wanted.option, wanted.seat, wanted.amount, wanted.ruler,
            wanted.reason, wanted.note, wanted.if_epoch, wanted.if_seq, self._expiry(now), given.by,
        )  # fmt: skip
        incident, said, fault = INCIDENTS.get(wanted.incident), "", ""
        if incident is None:
            fault = f"There is no incident {wanted.incident!r}; there are: {', '.join(sorted(INCIDENTS))}."
        else:
            said = f": {incident.title}"
            fault = self._ruled_already.why_not(wanted, given.by, now)
        yield from self._tell(given, wanted.table, command, said, fault=fault)

    def _take_back_ruling(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(given, TakeBackWanted)
        id_ = self._id("take-back", given)
        command = TakeBackRuling(id_, wanted.ruler, wanted.if_epoch, wanted.if_seq, self._expiry(now), given.by)
        yield from self._tell(given, wanted.table, command, " to take the ruling back")

    def _preview_rewind(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(given, RewindWanted)
        does = self._does(wanted)
        if isinstance(does, Refusal):
            yield from self.reply(given, does.reason, True, rule=does.rule)
        else:
            yield from self.reply(given, "\n".join(does))

    def _rewind(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(given, RewindWanted)
        does = self._does(wanted)
        if isinstance(does, Refusal):
            yield from self.reply(given, does.reason, True, rule=does.rule)
            return
        id_, seen = self._id("rewind", given), (wanted.if_epoch, wanted.if_seq)
        command = Rewind(id_, wanted.seq, wanted.instead, *seen, self._expiry(now), given.by)
        yield from self._tell(given, wanted.table, command, f": {does[0]}")

    def _ask_count(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(given, CountWanted)
        command = AskCount(self._id("count", given), wanted.seat, self._expiry(now, SEATS_LIFE_MS), given.by)
        yield from self._tell(given, wanted.table, command, f" to count seat {wanted.seat}")

    def _does(self, wanted: RewindWanted) -> Sequence[str] | Refusal:
        known = wanted.table in self._tables
        return self._going_back(wanted) if known else Refusal(self._no_table(wanted.table), "")

    def _no_table(self, table: str) -> str:
        return f"There is no table {table!r}; there are: {', '.join(self._tables)}."

    def _tell(
        self, given: Directed, table: str, command: AnyTableCommand, said: str, *, fault: str = ""
    ) -> Iterator[Effect]:
        """Send `command` to the table, or tell the director what is wrong with the arguments."""
        if table not in self._tables:
            fault = self._no_table(table)
        try:
            encode(command)
        except Unencodable as error:
            fault = fault or f"The table could not be told: {error}."
        if fault:
            yield from self.reply(given, fault, True)
            return
        self._outgoing.add(table, command)
        yield SaveCommand(table, command)
        yield from self.reply(given, f"Table {table} is told{said.rstrip('.')}.")

    def _id(self, what: str, given: Directed) -> str:
        return f"{self._prefix}{what}-{given.id}"

    def _expiry(self, now: Millis, life_ms: int = RULING_LIFE_MS) -> Expiry:
        return Expiry(self._clock.boot, Millis(now + life_ms))


def _fault_of(stacks: Sequence[SeatStack]) -> str:
    seats = [seated.seat for seated in stacks]
    if not seats:
        return "Name at least one seat."
    if len(set(seats)) < len(seats):
        return "A seat is named twice; name each once."
    if any(seated.seat < 1 or seated.stack < 0 for seated in stacks):
        return "Seats count from 1 and stacks from 0."
    if any(seated.stack > MOST_CHIPS for seated in stacks):
        return f"A stack is {MOST_CHIPS:,} chips at most."
    return ""


def command_words(command: AnyTableCommand) -> str:
    """The director's command in words."""
    match command:
        case SetSeats():
            return "setting its seats"
        case SetHand():
            return "resuming its hand"
        case MakeRuling():
            return f"the ruling on {INCIDENTS[command.incident].title.lower()}"
        case TakeBackRuling():
            return "taking the ruling back"
        case Rewind():
            return "going back in the hand"
        case AskCount():
            return f"the count of seat {command.seat}"
        case _:
            return "the command"
