"""Signing in: a link that works once, then a session that can be listed and ended.

There is no password to guess or to leave at its default. The first link is in a file of the process; the director
makes further ones. The cookie is a random number that is looked up with every request, so an ended session ends at
once and stays ended after a restart.
"""

from __future__ import annotations

import hashlib
import logging
import math
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

from msgspec.structs import replace
from starlette.requests import HTTPConnection, Request

from display.identity.access import Role
from display.identity.guesses import Guesses
from display.identity.people import AccountStore, AuditEntry, MemoryAccounts, NotKept, Person, Session

log = logging.getLogger(__name__)

SESSION_S = 16 * 3600  # a person's: a long tournament day
# A screen's counts from when it was last seen. It is as long as a browser keeps a cookie: the clock of a computer
# that stood in a cupboard leaps by as much, and that must not take a table's keys away in mid-hand.
SCREEN_S = 400 * 86_400
LINK_S = 24 * 3600
DIRECTOR = "director"  # the person whom the first link makes
SCREENS = frozenset({Role.DEALER, Role.DISPLAY})
_SEEN_EVERY_S = 300
_REMEMBERED = 1000  # used links that are still recognised as used
_BROWSER_CHARS = 120
_REFUSED_EVERY_S = 60
_REFUSED_KEPT = 500


class SignInRefused(Exception):
    """A link that signs nobody in; the text says why and what to do. `wait_s`: after too many wrong ones."""

    def __init__(self, text: str, wait_s: int = 0) -> None:
        super().__init__(text)
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request; a viewer where there is no session."""

    person: Person | None = None
    session: Session | None = None
    address: str = ""

    @property
    def role(self) -> Role:
        return self.person.role if self.person else Role.VIEWER

    @property
    def table(self) -> str:
        return self.person.table if self.person else ""

    @property
    def name(self) -> str:
        return self.person.name if self.person else ""

    @property
    def by(self) -> str:
        """This caller's name in the ledger."""
        return f"{self.name} ({self.role})" if self.person else ""


class SignIn:
    """Issues one-time links, keeps their sessions and recognises their cookies.

    `name` separates the cookies of processes on one host, because browsers ignore the port. `now` is the wall
    clock in seconds, for what outlives the process; `ticks` are monotonic seconds, for waiting times.
    """

    def __init__(
        self,
        accounts: AccountStore | None = None,
        *,
        name: str = "station",
        now: Callable[[], float] = time.time,
        ticks: Callable[[], float] | None = None,
    ) -> None:
        self.cookie = f"feltwire-{name}"  # its name over http; `cookie_name` has that over https
        self.accounts: AccountStore = MemoryAccounts() if accounts is None else accounts
        self.now = now
        self.ticks = ticks or now
        self._people = {person.id: person for person in self.accounts.people()}
        self._sessions = {session.key: session for session in self.accounts.sessions()}
        self._links: dict[str, tuple[str, float]] = {}  # digest of the token: person, until
        self._ended: set[str] = set()  # sessions whose end is not on the disk yet
        self._used: dict[str, None] = {}
        self._refused_at: dict[tuple[str, str], float] = {}
        self._wrong_links = Guesses(free=10, first_s=30, longest_s=900, now=self.ticks)

    # ------------------------------------------------------------------------------------- cookies

    def cookie_name(self, request: HTTPConnection, what: str = "") -> str:
        """The name of a cookie where it is sent. Over https no other host of the domain can set one of this
        name."""
        return f"{'__Host-' if request.url.scheme == 'https' else ''}{self.cookie}{what}"

    def cookie_in(self, request: HTTPConnection, what: str = "") -> str:
        """The cookie that `request` brings; empty for none, and for several: nobody knows which is ours."""
        name = self.cookie_name(request, what)
        parts = (part.partition("=") for line in request.headers.getlist("cookie") for part in line.split(";"))
        # Another space before a name is part of it: a browser lets any page of the domain set `\xa0__Host-…`.
        found = [value.strip(" \t") for key, _, value in parts if key.strip(" \t") == name]
        return found[0] if len(found) == 1 else ""

    # ------------------------------------------------------------------------------------- people

    def people(self) -> list[Person]:
        return list(self._people.values())

    def person(self, person_id: str) -> Person | None:
        return self._people.get(person_id)

    def keep(self, person: Person) -> Person:
        """Add or change a person; a changed role holds at once."""
        self.accounts.save_person(person)
        self._people[person.id] = person
        return person

    def known(self, person_id: str, name: str, role: Role, table: str = "") -> Person:
        """The person with this id, made when missing."""
        return self.person(person_id) or self.keep(Person(person_id, name, role, table))

    def remove(self, person_id: str) -> None:
        """Remove the person, their links and their sessions."""
        for session in self.sessions_of(person_id):
            self.end(session.id)
        self._links = {digest: link for digest, link in self._links.items() if link[0] != person_id}
        self.accounts.drop_person(person_id)
        self._people.pop(person_id, None)

    # -------------------------------------------------------------------------------------- links

    def new_link(self, person: Person | None = None, *, lasting: bool = False) -> str:
        """A path with a fresh token, `/sign-in?token=…`; put the server's address in front. Without a `person` it
        is for the director. An earlier link of the same person ends, and each after a day; not a `lasting` one."""
        person = person or self.known(DIRECTOR, "Director", Role.TD)
        ended = [
            digest for digest, (whose, until) in self._links.items() if whose == person.id and until < math.inf
        ]
        for digest in ended:
            del self._links[digest]
        token = secrets.token_hex(24)
        self._links[_digest(token)] = (person.id, math.inf if lasting else self.now() + LINK_S)
        return f"/sign-in?token={token}"

    def has_lasting_link(self, person_id: str) -> bool:
        """Whether a file of this machine holds a link for this person."""
        return any(whose == person_id and until == math.inf for whose, until in self._links.values())

    def whose(self, token: str) -> Person | None:
        """The person of a link, which stays unused."""
        person_id, until = self._links.get(_digest(token), ("", 0.0))
        return self.person(person_id) if self.now() < until else None

    def redeem(self, token: str, address: str = "", browser: str = "", *, before: str | None = None) -> str:
        """The cookie for `token`, once; the session of the cookie `before` it ends. Raise `SignInRefused` for a
        used or unknown token."""
        person = self.whose(token)
        if person is None:
            raise self._refused(token, address)
        digest = _digest(token)
        filed = self._links.pop(digest)[1] == math.inf
        self._used[digest] = None
        while len(self._used) > _REMEMBERED:
            del self._used[next(iter(self._used))]
        return self.begin(person, address, browser, before=before, filed=filed)

    def _refused(self, token: str, address: str) -> SignInRefused:
        wait = self._wrong_links.wait(address)
        if wait:
            return SignInRefused(f"Too many wrong links from here. Try again in {wait} seconds.", wait)
        self._wrong_links.wrong(address)
        used = _digest(token) in self._used
        said = "a link that has been used" if used else "an unknown link"
        self.record(Caller(address=address), "sign-in refused", said, refused=True)
        if used:
            return SignInRefused(
                "This link has been used: it signs in one browser, once, and a messenger's preview is a browser. "
                "Ask the director for a new one; the director's own lies in the file of the first."
            )
        return SignInRefused(
            "This link is not valid here. It may be mistyped, too old or replaced by a newer one."
        )

    # ----------------------------------------------------------------------------------- sessions

    def begin(
        self,
        person: Person,
        address: str = "",
        browser: str = "",
        *,
        before: str | None = None,
        filed: bool = False,
    ) -> str:
        """Begin a session of `person`; its cookie. The browser's earlier session (the cookie `before`) ends. A
        session that a full disk does not store ends with the process."""
        self.sign_out(before)
        self._drop_expired()
        cookie = secrets.token_hex(32)
        now = self.now()
        expires = now + lasts_s(person)
        session = Session(_digest(cookie), person.id, now, expires, now, address, browser[:_BROWSER_CHARS], filed)
        self._keep_session(session)
        self.record(Caller(person, session, address), "signed in", session.browser)
        return cookie

    def caller(self, cookie: str | None, address: str = "") -> Caller:
        """The sender with this cookie; a viewer for anything that is no current session."""
        session = self._sessions.get(_digest(cookie)) if cookie else None
        person = self._people.get(session.person) if session else None
        now = self.now()
        if session is None or person is None or now >= session.expires:
            return Caller(address=address)
        return Caller(person, self._saw(session, person, now, address), address)

    def lives(self, caller: Caller) -> bool:
        """Whether this caller's session and role are still valid: for streams, which outlast a request."""
        if caller.session is None or caller.person is None:
            return True
        session = self._sessions.get(caller.session.key)
        same_person = self._people.get(caller.person.id)
        now = self.now()
        if session is None or now >= session.expires or same_person is None:
            return False
        self._saw(session, same_person, now)
        return (same_person.role, same_person.table) == (caller.role, caller.table)

    def sessions(self) -> list[Session]:
        """The current sessions, newest first."""
        self._drop_expired()
        return sorted(self._sessions.values(), key=lambda session: -session.made_at)

    def sessions_of(self, person_id: str) -> list[Session]:
        return [session for session in self.sessions() if session.person == person_id]

    def end(self, session_id: str) -> Session | None:
        """End a session at once; the session that ended."""
        for session in list(self._sessions.values()):
            if session.id == session_id and self._sessions.pop(session.key, None) is not None:
                self._ended.add(session.key)
                self._drop_ended()
                self._drop_admitted(session.person)
                return session
        return None

    def _drop_admitted(self, person_id: str) -> None:
        """Whoever was let in for one session is gone with it."""
        person = self._people.get(person_id)
        if person is None or not person.admitted:
            return
        del self._people[person_id]
        try:
            self.accounts.drop_person(person_id)
        except NotKept as error:
            log.warning("that a person is gone is not recorded: %s", error)

    def _drop_ended(self) -> None:
        """Remove ended sessions in this process even on a full disk; the record is tried again."""
        for key in list(self._ended):
            try:
                self.accounts.drop_session(key)
            except NotKept as error:
                log.warning("that a session has ended is not recorded yet: %s", error)
            else:
                self._ended.discard(key)

    def sign_out(self, cookie: str | None) -> None:
        caller = self.caller(cookie)
        if caller.session is not None:
            self.end(caller.session.id)
            self.record(caller, "signed out")

    def _saw(self, session: Session, person: Person, now: float, address: str = "") -> Session:
        """Extend the session of a screen that is in use."""
        if now - session.seen_at <= _SEEN_EVERY_S:
            return session
        expires = now + SCREEN_S if _stays(person) else session.expires
        session = replace(session, seen_at=now, expires=expires, address=address or session.address)
        self._keep_session(session)
        return session

    def _keep_session(self, session: Session) -> None:
        self._sessions[session.key] = session
        try:
            self.accounts.save_session(session)
        except NotKept as error:  # a full disk signs nobody out, and keeps nobody out
            log.warning("a session is not on the disk and ends with this process: %s", error)

    def _drop_expired(self) -> None:
        self._drop_ended()
        now = self.now()
        for session in list(self._sessions.values()):
            if now >= session.expires or session.person not in self._people:
                self.end(session.id)

    # -------------------------------------------------------------------------------------- audit

    def record(self, caller: Caller, what: str, text: str = "", *, refused: bool = False) -> None:
        """Record one line of the audit. A full disk is logged and stops nobody's work."""
        entry = AuditEntry(self.now(), caller.name, caller.role, caller.address, what, text, refused)
        try:
            self.accounts.record(entry)
        except NotKept as error:
            log.warning("not in the audit (%s): %s: %s", error, caller.by or caller.address, what)

    def tried(self, caller: Caller, what: str) -> None:
        """Record a refused command of a signed-in caller, once a minute at most."""
        if caller.person is None:
            return
        now, key = self.now(), (caller.person.id, what)
        if now - self._refused_at.get(key, -math.inf) >= _REFUSED_EVERY_S:
            self._refused_at.pop(key, None)
            self._refused_at[key] = now
            self.record(caller, "not allowed", what, refused=True)
        while len(self._refused_at) > _REFUSED_KEPT:
            del self._refused_at[next(iter(self._refused_at))]


def _stays(person: Person) -> bool:
    """Whether it is a screen of the room, which is signed in for as long as it is in use."""
    return person.role in SCREENS and not person.admitted


def lasts_s(person: Person) -> int:
    """How long a session of `person` lasts, in seconds; a screen's from its last use."""
    return SCREEN_S if _stays(person) else SESSION_S


_pressing: ContextVar[tuple[str, str | None]] = ContextVar("pressing", default=("", ""))


def presses(caller: Caller, proven: str | None = "") -> None:
    """From here on this request's press is made by `caller`, who has given the PIN for the effect `proven`: empty
    for none, None where the caller is asked for no PIN."""
    _pressing.set((caller.by, proven))


def pressed_by() -> str:
    """Who made the current press, `Ann (floor)`; for the process behind the pages."""
    return _pressing.get()[0]


def proven_effect() -> str | None:
    """What the PIN was given for with the current press, as in `presses`."""
    return _pressing.get()[1]


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


def caller_of(request: Request, signin: SignIn | None) -> Caller:
    """The sender of `request`; a viewer where nobody can sign in."""
    address = address_of(request)
    return signin.caller(signin.cookie_in(request), address) if signin else Caller(address=address)


def whose_press(caller: Caller | None) -> str:
    """Who may read what became of a press of `caller`: the same person or screen; empty for nobody's."""
    return caller.person.id if caller is not None and caller.person is not None else ""


def session_of(signin: SignIn | None) -> Callable[[HTTPConnection], str]:
    """The session of a request; empty where nobody is signed in."""

    def of(request: HTTPConnection) -> str:
        cookie = signin.cookie_in(request) if signin else ""
        session = signin.caller(cookie).session if signin and cookie else None
        return session.key if session else ""

    return of


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
