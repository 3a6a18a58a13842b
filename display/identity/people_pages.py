"""Who may do what here, for the director: people and screens, their sessions, pairing, and the audit.

GET  /people, /audit, /audit.csv                                              the director
POST /people          {"do": "add", "name", "role", "table"}                  the director
                      {"do": "link" | "remove" | "forget_pin", "person"}, {"do": "end", "session"}
                      {"do": "pair", "code", "name", "role", "table"}         a table's screen: its own table
                      {"do": "name", "name"}                                  a person: their own name
GET  /pair, POST /pair, /pair/done                                            a screen that wants to be paired
POST /pin             {"pin", "press"}, {"pin", "old", "set": true}           whoever is signed in
"""

from __future__ import annotations

import csv
import datetime
import io
import secrets
from collections.abc import Awaitable, Callable

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from display.actions import answer_of, answering, body_of, done_by
from display.identity.access import ROLE_WORDS, Role
from display.identity.guesses import Guesses
from display.identity.pairing import CODE_S, Pairing
from display.identity.people import Person, free_name
from display.identity.pins import Pins
from display.identity.signin import SESSION_S, Caller, SignIn, SignInRefused, address_of, caller_of, whose_press
from display.identity.signin_pages import EmptyForm, Render, SignInPages
from display.presses import PressLog, PressRefused, TimedPress, in_time
from display.server.rates import who_is
from table_core.messages import Frozen, Refusal

AUDIT_LINES_SHOWN = 300
AUDIT_LINES_IN_FILE = 50_000
# With these somebody without a PIN could be made who then moves chips.
MAKES_PEOPLE = frozenset({"add", "link", "pair", "forget_pin"})


TICKET = "-pair"  # what the cookie of a screen that waits to be paired is called, behind the session's


class PeoplePress(Frozen, frozen=True):
    do: str
    name: str = ""
    role: str = ""
    table: str = ""
    person: str = ""
    session: str = ""
    code: str = ""


class PinPress(Frozen, frozen=True):
    pin: str
    press: str = ""  # the id of the press that waits for it
    old: str = ""
    set: bool = False


class PeoplePages:
    """`roles` are those that mean something in this process, `tables` those whose keys it has."""

    def __init__(
        self,
        signin: SignIn,
        pages: SignInPages,
        render: Render,
        pins: Pins,
        seen: PressLog,
        *,
        roles: tuple[Role, ...],
        tables: tuple[str, ...],
    ) -> None:
        self._signin = signin
        self._pages = pages
        self._render = render
        self._pins = pins
        self._seen = seen
        self._roles = roles
        self._tables = tables
        self._pairing = Pairing(signin.ticks)
        self._wrong_codes = Guesses(free=5, first_s=30, longest_s=900, now=signin.ticks)
        self._presses: dict[str, Callable[[Caller, PeoplePress], str]] = {
            "add": self._add,
            "link": self._link,
            "remove": self._remove,
            "forget_pin": self._forget_pin,
            "end": self._end,
            "pair": self._pair,
            "name": self._name,
        }

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/people", self._people),
            Route("/people", answering(self._press), methods=["POST"]),
            Route("/audit", self._audit),
            Route("/audit.csv", self._csv),
            Route("/pair", self._show_pair),
            Route("/pair", answering(self._ask), methods=["POST"]),
            Route("/pair/done", answering(self._done), methods=["POST"]),
            Route("/pin", answering(self._pin), methods=["POST"]),
        ]

    # ------------------------------------------------------------------------------------- pages

    async def _people(self, request: Request) -> Response:
        if caller_of(request, self._signin).role is not Role.TD:
            return self._not_for_you(request)
        people = {person.id: person for person in self._signin.people()}
        sessions = [(session, people[session.person]) for session in self._signin.sessions()]
        return self._render(
            request,
            "account/people.html",
            page="people",
            people=people.values(),
            sessions=sessions,
            roles=self._roles,
            pair_tables=self._tables,
            hours=SESSION_S // 3600,
            when=_when,
        )

    async def _audit(self, request: Request) -> Response:
        if caller_of(request, self._signin).role is not Role.TD:
            return self._not_for_you(request)
        asked = request.query_params.get("q", "")[:100]
        entries = [
            entry
            for entry in self._signin.accounts.audit(AUDIT_LINES_IN_FILE if asked else AUDIT_LINES_SHOWN)
            if asked.lower() in f"{entry.who} {entry.what} {entry.text} {entry.address}".lower()
        ]
        return self._render(
            request,
            "account/audit.html",
            page="audit",
            entries=entries[:AUDIT_LINES_SHOWN],
            asked=asked,
            when=_when,
        )

    async def _csv(self, request: Request) -> Response:
        if caller_of(request, self._signin).role is not Role.TD:
            return self._not_for_you(request)
        text = io.StringIO()
        rows = csv.writer(text)
        rows.writerow(["at", "who", "role", "address", "what", "text", "refused"])
        for entry in self._signin.accounts.audit(AUDIT_LINES_IN_FILE):
            words = (entry.who, entry.role, entry.address, entry.what, entry.text)
            rows.writerow([_when(entry.at), *map(_no_formula, words), "refused" if entry.refused else ""])
        headers = {"content-disposition": 'attachment; filename="audit.csv"', "cache-control": "no-store"}
        return Response(text.getvalue(), media_type="text/csv", headers=headers)

    def _not_for_you(self, request: Request) -> HTMLResponse:
        text = "Only the tournament director may see this page."
        return self._render(request, "shared/message.html", status=403, heading="Not for viewers", text=text)

    # ----------------------------------------------------------------------------------- presses

    async def _press(self, request: Request) -> JSONResponse:
        caller = caller_of(request, self._signin)
        if caller.role is Role.VIEWER:
            raise PressRefused(403, "only the tournament director may do this")
        press = await body_of(request, PeoplePress)
        own = {Role.DEALER: "pair", Role.FLOOR: "name"}  # what others than the director may do here
        if caller.person is not None and caller.person.admitted and caller.role is Role.DEALER:
            raise PressRefused(403, "this phone is let in for the evening; whoever else asks, asks the director")
        if caller.role is not Role.TD and own.get(caller.role) != press.do:
            self._signin.tried(caller, request.url.path)
            raise PressRefused(403, "only the tournament director may do this")
        do = self._presses.get(press.do)
        if do is None:
            raise PressRefused(400, f"there is no press {press.do[:40]!r}; there are: {', '.join(self._presses)}")
        said = caller.by, press

        async def done(timed: TimedPress) -> str:
            if caller.role is Role.TD and press.do in MAKES_PEOPLE:
                proven = self._pins.effect_proven(caller, timed.id, said)
                if proven is not None and proven != press.do:
                    raise PressRefused(401, self._pins.ask(caller, timed.id, said, press.do), about="pin")
            return do(caller, press)

        return await self._once(request, said, done, caller)

    async def _once(
        self, request: Request, said: object, do: Callable[[TimedPress], Awaitable[str]], caller: Caller
    ) -> JSONResponse:
        whose = whose_press(caller)
        return await self._seen.once(request, said, lambda timed: answer_of(done_by(do(timed))), whose)

    def _add(self, caller: Caller, press: PeoplePress) -> str:
        person = self._signin.keep(self._new_person(press))
        self._signin.record(caller, "person added", _named(person))
        return self._link(caller, PeoplePress("link", person=person.id))

    def _link(self, caller: Caller, press: PeoplePress) -> str:
        person = self._known(press.person)
        self._signin.record(caller, "link made", f"for {_named(person)}")
        return self._signin.new_link(person)

    def _remove(self, caller: Caller, press: PeoplePress) -> str:
        person = self._known(press.person)
        if caller.person is not None and person.id == caller.person.id:
            raise PressRefused(409, "you cannot remove yourself; sign out")
        if self._signin.has_lasting_link(person.id):
            raise PressRefused(
                409, f"{person.name} signs in with a link in a file of this machine; end the sessions"
            )
        self._signin.remove(person.id)
        self._signin.record(caller, "person removed", _named(person))
        return f"{person.name} is removed and signed out everywhere."

    def _forget_pin(self, caller: Caller, press: PeoplePress) -> str:
        person = self._known(press.person)
        if caller.person is not None and person.id == caller.person.id:
            raise PressRefused(409, "your own PIN is changed on your own page")
        self._signin.keep(replace(person, pin=""))
        self._signin.record(caller, "PIN", f"of {_named(person)} taken away")
        return f"{person.name} has no PIN now."

    def _end(self, caller: Caller, press: PeoplePress) -> str:
        session = self._signin.end(press.session)
        if session is None:
            raise PressRefused(409, "that session has ended already")
        person = self._signin.person(session.person)
        name = person.name if person else "somebody"
        self._signin.record(caller, "session ended", f"of {name}, at {session.address}")
        return f"{name} is signed out there."

    def _pair(self, caller: Caller, press: PeoplePress) -> str:
        assert caller.session is not None
        wait = self._wrong_codes.wait(caller.session.key)
        if wait:
            raise PressRefused(429, f"too many wrong codes; try again in {wait} seconds")
        waiting = self._pairing.shown(press.code)
        if waiting is None:
            self._wrong_codes.wrong(caller.session.key)
            self._signin.record(caller, "pairing", "a code that no screen shows", refused=True)
            raise PressRefused(409, f"no screen shows that code; a code lasts {CODE_S} seconds")
        if caller.role is Role.DEALER:  # a dealer is a player: another screen of this table, and nothing more
            press = replace(press, role=Role.DEALER, table=caller.table)
        person = self._signin.keep(self._new_person(press))
        self._wrong_codes.right(caller.session.key)
        waiting.person = person.id
        self._signin.record(caller, "pairing", f"{_named(person)}, at {waiting.address}")
        return f"Paired as {_named(person)}: the screen at {waiting.address}."

    def _name(self, caller: Caller, press: PeoplePress) -> str:
        assert caller.person is not None
        name = self._free_name(press.name, but=caller.person.id)
        self._signin.record(caller, "name", f"{caller.person.name} is {name} from now on")
        self._signin.keep(replace(caller.person, name=name))
        return f"You are {name}. What is done stands under that name."

    def _free_name(self, given: str, *, but: str = "") -> str:
        """A name that nobody has, except the person `but`."""
        name = free_name(self._signin.people(), given, but=but)
        if isinstance(name, Refusal):
            raise PressRefused(409, name.reason)
        return name

    def _new_person(self, press: PeoplePress) -> Person:
        name = self._free_name(press.name)
        if press.role not in self._roles:
            raise PressRefused(409, f"choose a role among {', '.join(self._roles)}")
        role = Role(press.role)
        table = press.table if role is Role.DEALER else ""
        if role is Role.DEALER and table not in self._tables:
            raise PressRefused(409, f"there is no table {table[:20]!r} here; there are: {', '.join(self._tables)}")
        return Person(secrets.token_hex(8), name, role, table)

    def _known(self, person_id: str) -> Person:
        person = self._signin.person(person_id)
        if person is None:
            raise PressRefused(409, "that person is not here any more")
        return person

    # ----------------------------------------------------------------------------------- pairing

    async def _show_pair(self, request: Request) -> Response:
        return self._render(request, "account/pair.html", page="pair", may_pair_here=bool(self._tables))

    async def _ask(self, request: Request) -> JSONResponse:
        await body_of(request, EmptyForm)
        in_time(request)
        browser = request.headers.get("user-agent", "")
        try:
            waiting, ticket = self._pairing.ask(
                who_is(address_of(request)), browser, self._signin.cookie_in(request, TICKET)
            )
        except SignInRefused as refused:
            raise PressRefused(429, str(refused)) from refused
        answer = JSONResponse({"ok": True, "text": waiting.code})
        return self._pages.with_ticket(request, answer, TICKET, ticket, CODE_S)

    async def _done(self, request: Request) -> JSONResponse:
        """Where the screen goes once it is paired; empty while it waits."""
        await body_of(request, EmptyForm)
        in_time(request)
        waiting = self._pairing.take(self._signin.cookie_in(request, TICKET))
        if waiting is None:
            raise PressRefused(409, "this code has run out")
        person = self._signin.person(waiting.person)
        if person is None:
            return JSONResponse({"ok": True, "text": ""})
        before = self._signin.cookie_in(request)
        cookie = self._signin.begin(person, address_of(request), waiting.browser, before=before)
        answer = JSONResponse({"ok": True, "text": self._pages.home_of(person)})
        answer.delete_cookie(self._signin.cookie_name(request, TICKET), secure=request.url.scheme == "https")
        return self._pages.with_cookie(request, answer, cookie, person)

    # --------------------------------------------------------------------------------------- PIN

    async def _pin(self, request: Request) -> JSONResponse:
        caller = caller_of(request, self._signin)
        if caller.person is None:
            raise PressRefused(403, "nobody is signed in here")
        press = await body_of(request, PinPress)

        async def done(_: TimedPress) -> str:
            try:
                if press.set:
                    await self._pins.set(caller, press.pin, press.old)
                else:
                    await self._pins.prove(caller, press.pin, press.press)
            except SignInRefused as refused:
                raise PressRefused(429 if refused.wait_s else 403, str(refused)) from refused
            return "The PIN is set." if press.set else "Thank you."

        return await self._once(request, caller.by, done, caller)


def _named(person: Person) -> str:
    return f"{person.name}, {ROLE_WORDS[person.role]}{f' of table {person.table}' if person.table else ''}"


def _when(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds).astimezone().isoformat(sep=" ", timespec="seconds")


def _no_formula(text: str) -> str:
    """A spreadsheet carries out what begins like this."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
