"""The pages and presses of signing in and out.

GET  /sign-in?token=…    signs this browser in, once; without a token: who it is, and the way out
POST /sign-in            {"token": …}   after the question, in a browser that somebody else is signed in with
POST /sign-out           {}
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from display.actions import answering, body_of
from display.identity.access import Role
from display.identity.people import Person
from display.identity.signin import SignIn, SignInRefused, address_of, caller_of, lasts_s
from display.presses import PressRefused, in_time
from table_core.messages import Frozen

R = TypeVar("R", bound=Response)


class Render(Protocol):
    def __call__(
        self, request: Request, template: str, *, page: str = "", status: int = 200, **more: object
    ) -> HTMLResponse: ...


class Home(Protocol):
    def __call__(self, role: Role, table: str) -> str:
        """The path of the page that somebody in this role opens first."""


class Link(Frozen, frozen=True):
    token: str


class EmptyForm(Frozen, frozen=True):
    """A press without arguments."""


class SignInPages:
    def __init__(self, signin: SignIn, render: Render, home: Home) -> None:
        self._signin = signin
        self._render = render
        self._home = home

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/sign-in", self.sign_in),
            Route("/sign-in", answering(self.sign_in_after_all), methods=["POST"]),
            Route("/sign-out", answering(self.sign_out), methods=["POST"]),
        ]

    async def sign_in(self, request: Request) -> Response:
        # A browser that looks ahead must not use the link up before a person opens it.
        if request.method == "HEAD" or "prefetch" in request.headers.get("sec-purpose", ""):
            return Response(status_code=204)
        token = request.query_params.get("token", "")
        if not token:
            return self._page(request)
        person, caller = self._signin.whose(token), caller_of(request, self._signin)
        if person is not None and caller.person is not None and caller.person.id != person.id:
            return self._page(request, token=token, other=person)
        try:
            cookie = self._redeem(request, token)
        except SignInRefused as refused:
            return self._render(
                request,
                "shared/message.html",
                status=429 if refused.wait_s else 403,
                heading="Not signed in",
                text=str(refused),
            )
        assert person is not None  # it was redeemed
        return self.with_cookie(request, RedirectResponse(self.home_of(person), 303), cookie, person)

    async def sign_in_after_all(self, request: Request) -> JSONResponse:
        """Sign in with the link in the body. Raise `PressRefused`: 403 for a bad link, 429 for too many tries."""
        token = (await body_of(request, Link)).token
        in_time(request)
        person = self._signin.whose(token)
        try:
            cookie = self._redeem(request, token)
        except SignInRefused as refused:
            raise PressRefused(429 if refused.wait_s else 403, str(refused)) from refused
        assert person is not None
        return self.with_cookie(request, JSONResponse({"ok": True, "text": self.home_of(person)}), cookie, person)

    async def sign_out(self, request: Request) -> JSONResponse:
        await body_of(request, EmptyForm)
        in_time(request)
        self._signin.sign_out(self._signin.cookie_in(request))
        answer = JSONResponse({"ok": True, "text": "Signed out."})
        secure = request.url.scheme == "https"
        answer.delete_cookie(self._signin.cookie_name(request), secure=secure)
        return answer

    def with_cookie(self, request: Request, answer: R, cookie: str, person: Person) -> R:
        answer.set_cookie(
            self._signin.cookie_name(request),
            cookie,
            max_age=lasts_s(person),
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return answer

    def with_ticket(self, request: Request, answer: R, name: str, ticket: str, seconds: int) -> R:
        """The `answer` with the ticket of a browser that waits to be let in or paired, in a cookie called `name`
        behind the session's."""
        answer.set_cookie(
            self._signin.cookie_name(request, name),
            ticket,
            max_age=seconds,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return answer

    def _redeem(self, request: Request, token: str) -> str:
        before = self._signin.cookie_in(request)
        browser = request.headers.get("user-agent", "")
        return self._signin.redeem(token, address_of(request), browser, before=before)

    def home_of(self, person: Person) -> str:
        return self._home(person.role, person.table) or "/sign-in"

    def _page(self, request: Request, token: str = "", other: Person | None = None) -> HTMLResponse:
        caller = caller_of(request, self._signin)
        home = self._home(caller.role, caller.table)
        return self._render(request, "account/signin.html", page="signin", token=token, other=other, home=home)
