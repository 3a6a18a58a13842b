"""Admission by four digits: a browser asks, and the director lets that browser alone in, for the evening.

The browser shows digits, the director's page shows the same, a person compares them and presses. The digits open
nothing: the session goes to the browser with the ticket, and the press names the request by an id that no browser
has (docs/decisions/0073-admission-by-four-digits.md).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from display.identity.access import ROLE_WORDS, Role
from display.identity.pairing import Pairing, Waiting
from display.identity.people import NotKept, Person, Session
from display.identity.signin import Caller, SignIn, SignInRefused

ASKED_S = 300
DIGITS = 4
MOST_ASKING = 20
MOST_ADMITTED = 8


@dataclass
class Asking:
    """A browser that asks to be let in as `role`; `secure`: over TLS. `by`: who let it in; empty: it waits."""

    screen: Waiting
    name: str
    role: Role
    secure: bool
    by: str = ""
    refused: bool = False


class Admission:
    """Those who ask at one process and those who are in. `table` is the one whose keypad they become; without one
    they become floor or director. `changed` is called where either list has changed.

    `answer` and `end` may be called from any thread, everything else from the one of the pages.
    """

    def __init__(self, signin: SignIn, table: str = "", changed: Callable[[], object] = lambda: None) -> None:
        self.table = table
        self._signin = signin
        self._changed = changed
        self._pairing = Pairing(signin.ticks, digits=DIGITS, lasts_s=ASKED_S, most=MOST_ASKING)
        self._asked: dict[str, Asking] = {}  # by the id of the request
        there = {person.id for _, person in self.admitted()}
        for person in [one for one in signin.people() if one.admitted and one.id not in there]:
            signin.remove(person.id)  # the process ended before the session began

    @property
    def roles(self) -> tuple[Role, ...]:
        return (Role.DEALER,) if self.table else (Role.FLOOR, Role.TD)

    def ask(
        self, address: str, browser: str, ticket: str, *, role: Role, secure: bool, name: str = ""
    ) -> tuple[Asking, str]:
        """A request with digits that nobody else here shows or has as a name, and its ticket; an earlier one of
        `ticket` ends. Raise `SignInRefused` where too many ask."""
        taken = [person.name[-DIGITS:] for _, person in self.admitted()]
        screen, fresh = self._pairing.ask(address, browser, ticket, taken)
        there = {one.id for one in self._pairing.waiting()}
        self._asked = {id_: one for id_, one in self._asked.items() if id_ in there}
        asking = self._asked[screen.id] = Asking(screen, name or f"Phone {screen.code}", role, secure)
        self._changed()
        return asking, fresh

    def of(self, ticket: str) -> Asking | None:
        """The request with this ticket; None where it has run out."""
        screen = self._pairing.of(ticket)
        return self._asked.get(screen.id) if screen is not None else None

    def take(self, ticket: str, address: str, before: str) -> tuple[Person, str] | None:
        """Whom the browser with this ticket is from now on, and the cookie of its session, where it was let in;
        its earlier session, of the cookie `before`, ends. None while it waits. Raise `SignInRefused` for a request
        that was refused or has run out."""
        asking = self.of(ticket)
        if asking is None:
            raise SignInRefused("Nobody answered in time. Ask again.")
        if not asking.by and not asking.refused:
            return None
        self._pairing.forget(asking.screen)
        try:
            if asking.refused:
                raise SignInRefused("The director does not let this phone in.")
            person = self._let_in(asking)
            return person, self._signin.begin(person, address, asking.screen.browser, before=before)
        finally:
            self._changed()

    def _let_in(self, asking: Asking) -> Person:
        if len(self.admitted()) >= MOST_ADMITTED:
            raise SignInRefused(f"{MOST_ADMITTED} phones are let in here already. The director ends one first.")
        person = Person(secrets.token_hex(8), asking.name, asking.role, self.table, admitted=True)
        try:
            self._signin.keep(person)
        except NotKept as error:
            raise SignInRefused(f"Not let in, for it cannot be recorded: {error}") from error
        self._record(asking, f"{asking.name}, {ROLE_WORDS[asking.role]}, let in by {asking.by}")
        return person

    def answer(self, id_: str, *, admit: bool, by: str) -> None:
        """What the director `by` decided about a request; nothing where it has run out or was answered."""
        asking = self._asked.get(id_)
        if asking is None or asking.by or asking.refused or asking not in self.asking():
            return
        if admit:
            asking.by = by
        else:
            asking.refused = True
            self._record(asking, f"{asking.name} not let in by {by}")

    def end(self, session_id: str, by: str) -> None:
        """End the session of a phone that was let in; nothing where there is no such one."""
        for session, person in self.admitted():
            if session.id == session_id:
                self._signin.end(session_id)
                self._signin.record(Caller(address=session.address), "session ended", f"of {person.name}, by {by}")
                self._changed()

    def asking(self) -> list[Asking]:
        """Those who wait for an answer, the oldest first."""
        found = [self._asked.get(screen.id) for screen in self._pairing.waiting()]
        return [one for one in found if one is not None and not one.by and not one.refused]

    def admitted(self) -> list[tuple[Session, Person]]:
        """Those who were let in, the newest first."""
        people = {person.id: person for person in self._signin.people() if person.admitted}
        return [(one, people[one.person]) for one in self._signin.sessions() if one.person in people]

    def _record(self, asking: Asking, text: str) -> None:
        self._signin.record(Caller(address=asking.screen.address), "admission", text)
