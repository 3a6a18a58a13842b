"""Phones that ask to be let in: at the tables, which say so, and at the station itself. One press lets in one.

A request counts where the leaseholder signed it. The answer goes to the table on the topic that only the station
writes and names the request by its id; the table lets in the browser that has its ticket, and nobody else
(docs/decisions/0073-admission-by-four-digits.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from display.identity.access import ROLE_WORDS, Role
from display.identity.admission import ASKED_S, MOST_ADMITTED
from feltwire.runtime.node_io import ScreensSeen
from feltwire.station.director.arguments import ScreenWanted, arguments_of
from feltwire.station.director.director import Director
from feltwire.station.station_io import AnswerPhone, Directed, Effect
from feltwire.station.tables.station_tables import StationTables
from feltwire.station.tournament.overlooked import apart
from table_core.messages import (
    AdmittedPhone,
    AdmittedScreen,
    AskingPhone,
    AskingScreen,
    Expiry,
    ItemKind,
    Millis,
    PhonesView,
    Primary,
    QueueItem,
    ScreenAnswer,
    Severity,
)

COMMANDS = {
    "admit_phone": ScreenAnswer.ADMIT,
    "refuse_phone": ScreenAnswer.REFUSE,
    "end_phone": ScreenAnswer.END,
}
HERE = ""  # the table of those who ask at the station
ANSWER_LIFE_MS = 10_000
SHOWN = 4  # so many are an item of the queue each
READ_ALONG = (
    "This page is not encrypted: whoever is in the same Wi-Fi can read along all that this phone sends and sees, "
    "and with that do what a director can: move chips, pay prizes, stop the clock."
)


@dataclass(frozen=True, slots=True)
class _Asks:
    table: str
    screen: AskingScreen
    since: Millis  # boot time


class Phones:
    """`here` is what the station's own pages said last."""

    def __init__(self, tables: StationTables, director: Director, boot: str) -> None:
        self._tables = tables
        self._director = director
        self._boot = boot
        self._here: ScreensSeen | None = None

    def seen_here(self, seen: ScreensSeen) -> None:
        self._here = seen

    # ------------------------------------------------------------------------------------ what is shown

    def items(self, now: Millis) -> Iterator[QueueItem]:
        asking = [*self._asking(now)]
        if len(asking) > SHOWN:
            fact = f"{len(asking)} phones ask to be let in."
            see = Primary("See them", open="/people#phones")
            yield QueueItem("phones", ItemKind.ADMISSION, Severity.NOW, fact, primary=see)
            return
        for one in asking:
            who, warning = _words(one), _warning(one)
            about: dict[str, str | int | bool | list[str]] = {"table": one.table, "screen": one.screen.id}
            sure: dict[str, bool] = {"read_along": True} if warning else {}
            yield QueueItem(
                f"phone-{one.table}-{one.screen.id}",
                ItemKind.ADMISSION,
                Severity.NOW,
                f"{who} asks to be let in: it shows {one.screen.digits}.",
                one.table,
                do="Let it in where you see the same digits on the phone before you.",
                ms_ago=Millis(max(0, now - one.since)),
                primary=Primary(f"Let {one.screen.digits} in", "admit_phone", about | sure, warning),
                also=(Primary("Refuse", "refuse_phone", about),),
            )

    def view(self, now: Millis) -> PhonesView:
        """For the page of people."""
        return PhonesView(
            tuple(
                AskingPhone(
                    one.table,
                    one.screen.id,
                    one.screen.digits,
                    max(0, now - one.since),
                    one.screen.address,
                    _words(one),
                    _warning(one),
                )
                for one in self._asking(now)
            )[:100],
            tuple(
                AdmittedPhone(table, screen.id, screen.name, screen.since, screen.address)
                for table, screen in self._admitted()
            )[:100],
        )

    def _asking(self, now: Millis) -> Iterator[_Asks]:
        """Those who wait, but for what is older than a request can be: its table may be away."""
        for table, seen in self._seen():
            for screen in seen.asking:
                since = Millis(seen.at - screen.ms_ago)
                if now - since < ASKED_S * 1000:
                    yield _Asks(table, screen, since)

    def _admitted(self) -> Iterator[tuple[str, AdmittedScreen]]:
        for table, seen in self._seen():
            if table != HERE:  # the page of people has its own
                yield from ((table, screen) for screen in seen.admitted)

    def _seen(self) -> Iterator[tuple[str, ScreensSeen]]:
        if self._here is not None:
            yield HERE, self._here
        yield from self._tables.known.screens()

    # -------------------------------------------------------------------------------------- presses

    def press(self, given: Directed, now: Millis, *, bus_up: bool) -> Iterator[Effect]:
        wanted, answer = arguments_of(apart(given)[0], ScreenWanted), COMMANDS[given.command]
        asks = next((one for one in self._asking(now) if _is(one.table, one.screen.id, wanted)), None)
        let_in = next((one for table, one in self._admitted() if _is(table, one.id, wanted)), None)
        if answer is ScreenAnswer.END and let_in is None:
            yield from self._director.reply(given, "That phone is not let in any more.", refused=True)
            return
        if answer is not ScreenAnswer.END and asks is None:
            text = "Nobody asks there with these digits any more. Look at the phone, and let it ask again."
            yield from self._director.reply(given, text, refused=True)
            return
        if wanted.table != HERE and not (bus_up and self._tables.known.is_heard(wanted.table, now)):
            text = f"Table {wanted.table} is not heard: nobody can be let in there now."
            yield from self._director.reply(given, text, refused=True)
            return
        if answer is ScreenAnswer.ADMIT and asks is not None:
            if self._is_full(wanted.table):
                text = f"{MOST_ADMITTED} phones are let in there already. End one first, under People."
                yield from self._director.reply(given, text, refused=True)
                return
            if (warning := _warning(asks)) and not wanted.read_along:
                yield from self._director.reply(given, warning, refused=True)
                return
        if wanted.table == HERE:
            yield AnswerPhone(wanted.screen, answer, given.by)
        else:
            expires = Expiry(self._boot, Millis(now + ANSWER_LIFE_MS))
            yield self._tables.answer_screen(wanted.table, wanted.screen, answer, expires, given.by)
        who = _words(asks) if asks is not None else f"{let_in.name if let_in else ''} of table {wanted.table}"
        done = {ScreenAnswer.ADMIT: "let in", ScreenAnswer.REFUSE: "refused", ScreenAnswer.END: "signed out"}
        yield from self._director.reply(given, f"{who} is {done[answer]}.")

    def _is_full(self, table: str) -> bool:
        return sum(at == table for at, _ in self._admitted()) >= MOST_ADMITTED


def phones_without_ages(view: PhonesView) -> PhonesView:
    """What time alone does not change."""
    return PhonesView(tuple(replace(one, ms_ago=0) for one in view.asking), view.admitted)


def _is(table: str, screen: str, wanted: ScreenWanted) -> bool:
    return (table, screen) == (wanted.table, wanted.screen)


def _words(one: _Asks) -> str:
    """Who asks as what: `The keypad of table 01`, `Fay, as the floor,`."""
    if one.table != HERE:
        return f"A keypad of table {one.table}"
    return f"{one.screen.name}, as {ROLE_WORDS[Role(one.screen.role)]},"


def _warning(one: _Asks) -> str:
    """What is asked before a phone becomes a director over a page that is not encrypted."""
    return "" if one.screen.secure or one.screen.role != Role.TD else f"{READ_ALONG} Let it in all the same?"
