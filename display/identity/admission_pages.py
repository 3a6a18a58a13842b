"""The page on which a browser asks to be let in, and its presses.

POST /admission        {"name", "role"}   the four digits; a table's keypad needs neither
POST /admission/done   {}                 where the browser goes once it is let in; empty while it waits; 409 about
                                          `admission` where the request is over
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import BaseRoute, Route

from display.actions import answering, body_of
from display.identity.access import ROLE_WORDS, Role
from display.identity.admission import ASKED_S, Admission
from display.identity.people import free_name
from display.identity.signin import SignIn, SignInRefused, address_of
from display.identity.signin_pages import EmptyForm, Render, SignInPages
from display.presses import PressRefused, in_time
from display.server.rates import who_is
from table_core.messages import Frozen, Refusal

TICKET = "-ask"  # what the cookie of a browser that asks is called, behind the session's


class Ask(Frozen, frozen=True):
    """Who asks, as what. A keypad is named by its digits."""

    name: str = ""
    role: str = ""


class AdmissionPages:
    def __init__(self, admission: Admission, signin: SignIn, doors: SignInPages, render: Render) -> None:
        self._admission = admission
        self._signin = signin
        self._doors = doors
        self._render = render

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/admission", answering(self._ask), methods=["POST"]),
            Route("/admission/done", answering(self._done), methods=["POST"]),
        ]

    def page(self, request: Request, look: str = "") -> HTMLResponse:
        """The page for a browser that is not signed in. `look` is where everybody may look on."""
        asking = self._admission.of(self._signin.cookie_in(request, TICKET))
        return self._render(
            request,
            "account/admission.html",
            page="admission",
            status=200 if look else 403,
            table=self._admission.table,
            roles=self._admission.roles,
            role_words=ROLE_WORDS,
            digits=asking.screen.code if asking is not None else "",
            minutes=ASKED_S // 60,
            secure=request.url.scheme == "https",
            look=look,
        )

    async def _ask(self, request: Request) -> JSONResponse:
        wanted = await body_of(request, Ask)
        in_time(request)
        name, role, roles = "", Role.DEALER, self._admission.roles
        if not self._admission.table:
            if wanted.role not in roles:
                raise PressRefused(409, f"choose a role among {', '.join(roles)}")
            said, role = free_name(self._signin.people(), wanted.name), Role(wanted.role)
            if isinstance(said, Refusal):
                raise PressRefused(409, said.reason)
            name = said
        secure = request.url.scheme == "https"
        try:
            asking, ticket = self._admission.ask(
                who_is(address_of(request)),
                request.headers.get("user-agent", ""),
                self._signin.cookie_in(request, TICKET),
                role=role,
                secure=secure,
                name=name,
            )
        except SignInRefused as refused:
            raise PressRefused(429, str(refused)) from refused
        answer = JSONResponse({"ok": True, "text": asking.screen.code})
        return self._doors.with_ticket(request, answer, TICKET, ticket, ASKED_S)

    async def _done(self, request: Request) -> JSONResponse:
        await body_of(request, EmptyForm)
        in_time(request)
        try:
            ticket, before = self._signin.cookie_in(request, TICKET), self._signin.cookie_in(request)
            let_in = self._admission.take(ticket, address_of(request), before)
        except SignInRefused as refused:
            raise PressRefused(409, str(refused), about="admission") from refused
        if let_in is None:
            return JSONResponse({"ok": True, "text": ""})
        person, cookie = let_in
        answer = JSONResponse({"ok": True, "text": self._doors.home_of(person)})
        answer.delete_cookie(self._signin.cookie_name(request, TICKET), secure=request.url.scheme == "https")
        return self._doors.with_cookie(request, answer, cookie, person)
