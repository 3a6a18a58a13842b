"""What players ask from their phones: to be let in by the desk, to be registered, and the floor to their seat.

Each is an item of the director's queue. Nothing of it is on the disk: a phone whose request is lost asks again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from feltwire.runtime.node_io import Reply
from feltwire.station.director.arguments import arguments_of
from feltwire.station.director.director import Director
from feltwire.station.queue.exception_queue import ExceptionQueue
from feltwire.station.station_io import Directed, Effect, LetPlayerIn, PlayerAsked, PlayerCalled
from feltwire.station.tournament.overlooked import apart
from feltwire.station.tournament.station_tournament import StationTournament
from feltwire.station.tournament.words import named
from table_core.messages import Frozen, ItemKind, Millis, Name, Primary, QueueItem, Refusal, Severity
from table_core.people.names import clean_name

COMMANDS = ("let_player_in", "sign_up_player", "refuse_player")
MOST_ASKING = 20
ASKED_MS = 1_800_000  # the desk has so long to answer
REGISTERED_MS = 120_000  # within which a player who is registered from here is on the list
MOST_ALIKE = 3  # players of the event who may be meant
CALL_AGAIN_MS = 120_000  # behind a call that was answered
AT_THE_DESK = "Many ask at the moment. Go to the desk."


class PlayerWanted(Frozen, frozen=True):
    """`request` is the phone's; `player` is whom it is let in as."""

    request: Name
    player: Name = ""


@dataclass(slots=True)
class Asks:
    """A phone that waits for the desk; `taken_by`: who registered its player, whom it is let in as then."""

    request: str
    name: str
    digits: str
    since: Millis
    taken_by: str = ""
    taken: Millis = field(default=Millis(0))


@dataclass(slots=True)
class Call:
    """A player who calls the floor. `coming`: somebody of the staff comes; `done`: since when it is answered."""

    since: Millis
    coming: bool = False
    done: bool = False
    done_at: Millis = field(default=Millis(0))


class PhoneRequests:
    """`queue` knows what people said about the items. `version` grows with each change that phones are told."""

    def __init__(self, tournament: StationTournament, director: Director, queue: ExceptionQueue) -> None:
        self.version = 1
        self.calls: dict[str, Call] = {}  # by player
        self._tournament = tournament
        self._director = director
        self._queue = queue
        self._asking: dict[str, Asks] = {}

    # --------------------------------------------------------------------------------------- phones

    def asked(self, given: PlayerAsked, now: Millis) -> Iterator[Effect]:
        """A phone asks to be let in under a name; it is told the same whether there is such a player or not."""
        self._asking.pop(given.before, None)
        name = clean_name(given.name)
        if isinstance(name, Refusal):
            yield Reply(given.id, name.reason, refused=True)
        elif not self._tournament.records.opened or self._tournament.night.state.finished is not None:
            yield Reply(given.id, "No event is open.", refused=True)
        elif len(self._asking) >= MOST_ASKING:
            yield Reply(given.id, AT_THE_DESK, refused=True)
        else:
            self._asking[given.request] = Asks(given.request, name, given.digits, now)
            yield Reply(given.id, "The desk has your request.")

    def called(self, given: PlayerCalled, now: Millis) -> Iterator[Effect]:
        """A player calls the floor; a second press while the first call is open changes nothing."""
        at = self._tournament.night.state.seats.at.get(given.player)
        call = self.calls.get(given.player)
        if at is None:
            yield Reply(given.id, "You have no seat to call the floor to.", refused=True)
        elif call is not None and not call.done:
            yield Reply(given.id, "The floor is called already.")
        elif call is not None and now - call.done_at < CALL_AGAIN_MS:
            yield Reply(given.id, "The floor was just here. Call your dealer, or wait two minutes.", refused=True)
        else:
            self.calls[given.player] = Call(now)
            self.version += 1
            yield Reply(given.id, "The floor is called.")

    # ------------------------------------------------------------------------------------ the queue

    def items(self, now: Millis) -> Iterator[QueueItem]:
        names, at = self._tournament.names, self._tournament.night.state.seats.at
        by_hand = self._tournament.night.state.by_hand  # a table that reports nothing has no page of its own
        page = "/station/seats" if by_hand else "/station/table/{table}"
        for player, call in self.calls.items():
            if call.done or player not in at:
                continue
            seat = at[player]
            yield QueueItem(
                _call_id(player),
                ItemKind.PHONE,
                Severity.NOW,
                f"{named(player, names)} calls the floor by phone.",
                seat.table,
                seat.seat,
                ms_ago=Millis(max(0, now - call.since)),
                primary=Primary("Open the table", open=page.format(table=seat.table)),
                can_be_done=True,
            )
        for one in self._asking.values():
            yield self._asks(one, now)

    def _asks(self, one: Asks, now: Millis) -> QueueItem:
        about: dict[str, str | int | bool | list[str]] = {"request": one.request}
        refuse = Primary("Refuse", "refuse_player", about)
        register = Primary("Register", "sign_up_player", about)
        likely = self._likely(one.name)
        if not likely:
            fact = f"{one.name} asks by phone to be registered; the phone shows {one.digits}."
            do, ways = "", [register]
        else:
            fact = f"A phone asks to be let in as {one.name}: it shows {one.digits}."
            do = "Let it in where its player stands before you and it shows the same digits."
            ways = [
                Primary(
                    f"It is {named(player, self._tournament.names)}", "let_player_in", about | {"player": player}
                )
                for player in likely
            ]
            ways += [] if self._is_listed(one.name) else [replace(register, label="Register another player")]
        age = Millis(max(0, now - one.since))
        kind, primary, also = ItemKind.PHONE, ways[0], (*ways[1:], refuse)
        return QueueItem(
            f"asks-{one.request}", kind, Severity.SOON, fact, do=do, ms_ago=age, primary=primary, also=also
        )

    def _likely(self, name: str) -> list[str]:
        """Players of the event who may be meant by a name."""
        listed = self._tournament.night.state.field.entrants
        alike = (one.player for one in self._tournament.names.alike(name))
        return [player for player in alike if player in listed][:MOST_ALIKE]

    def _is_listed(self, name: str) -> bool:
        """Whether a player of the event is written exactly so."""
        return any(self._tournament.names.get(player) == name for player in self._likely(name))

    # --------------------------------------------------------------------------------------- presses

    def press(self, given: Directed, now: Millis) -> Iterator[Effect]:
        wanted = arguments_of(apart(given)[0], PlayerWanted)
        asks = self._asking.get(wanted.request)
        if asks is None:
            yield from self._director.reply(given, "That phone does not ask any more. Let it ask again.", True)
        elif given.command == "refuse_player":
            del self._asking[asks.request]
            yield LetPlayerIn(asks.request, "", given.by)
            yield from self._director.reply(given, f"The phone {asks.digits} is not let in.")
        elif given.command == "sign_up_player":
            asks.taken_by, asks.taken = given.by or "The director", now
            register = replace(given, command="register_new", arguments={"name": asks.name})
            yield from self._tournament.take(register, now)
        elif wanted.player not in self._likely(asks.name):
            text = f"{named(wanted.player, self._tournament.names)} is not whom this phone named."
            yield from self._director.reply(given, text, True)
        else:
            yield self._let_in(asks, wanted.player, given.by)
            text = f"The phone {asks.digits} is {named(wanted.player, self._tournament.names)}'s."
            yield from self._director.reply(given, text)

    def _let_in(self, asks: Asks, player: str, by: str) -> LetPlayerIn:
        del self._asking[asks.request]
        return LetPlayerIn(asks.request, player, by)

    # ----------------------------------------------------------------------------------------- time

    def go_on(self, now: Millis) -> Iterator[Effect]:
        """Calls that somebody answered, players who are registered by now, requests that nobody answered."""
        at = self._tournament.night.state.seats.at
        for player, call in [*self.calls.items()]:
            coming, done = self._queue.said_of(_call_id(player))
            if not call.done and (coming, done) != (call.coming, False):
                call.coming, call.done, call.done_at = coming, done, now
                self.version += 1
            if player not in at or (call.done and now - call.done_at > CALL_AGAIN_MS):
                del self.calls[player]
                self.version += 1
        for asks in [*self._asking.values()]:
            registering = asks.taken_by and now - asks.taken < REGISTERED_MS
            likely = self._likely(asks.name) if registering else []
            if len(likely) == 1 and self._is_listed(asks.name):
                yield self._let_in(asks, likely[0], asks.taken_by)
            elif now - asks.since > ASKED_MS:
                yield LetPlayerIn(asks.request, "", "")
                del self._asking[asks.request]

    def wake_at(self) -> Iterator[Millis]:
        yield from (Millis(one.since + ASKED_MS + 1) for one in self._asking.values())
        yield from (Millis(one.done_at + CALL_AGAIN_MS + 1) for one in self.calls.values() if one.done)


def _call_id(player: str) -> str:
    return f"call-{player}"
