"""The player's phone: `/me`, its own small stream, and the few things that a player asks for from it.

    GET  /me                       the page
    GET  /me/players               the public list: id, name as it is shown, table, seat
    GET  /me/events?player=p7      what everybody may know, and of this player the row; with the proof the own
    GET  /me/results               places, prizes, the season
    POST /me/code   {"player": "p7", "code": "7KQ-M4X"}    the code of the seat slip; sets the proof
    POST /me/ask    {"name": "Ann Lee"}    asks the desk to let this phone in, or to register; answers digits
    GET  /me/asked                 what became of that; sets the proof
    POST /me/call   {}             calls the floor to the player's seat; with the proof
    POST /me/forget {}             this phone is nobody's any more

The list is what everybody may read. What only the player may read needs the proof: a cookie that the code of the
seat slip or the desk's press gave. A wrong code is answered like one of a player whom there is not.

One task cuts the station's snapshot for all phones; a phone is sent what of it is new to it.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from display.actions import answering, body_of
from display.codes_page import PageAddress, codes_of
from display.identity.signin import Caller, SignIn, address_of
from display.player_codes import PlayerCodes
from display.presses import PressRefused
from display.push import ALIVE, BEATS_LAST_MS, Hub, Snapshot, now_event
from display.server.rates import Rate, Rates, who_is
from display.server.request_filter import PhoneStream
from table_core.messages import ClockState, Frozen, Name

FACTS, RESULTS = "phones/facts", "phones/results"  # no channel that a page can read
BEAT_S = 10.0
RETRY_MS = 4_000
TOGETHER = 32  # phones that are woken before others have their turn
DIGITS = 4
ASKED_KEPT = 64  # requests to the desk
PROOF_S = 20 * 3600  # a cookie; what it proves ends with the event
_MOST_BYTES = 512
WRONG = "This code does not fit."
MANY = "Too many tries. Wait some minutes, or go to the desk."
NOT_PROVEN = "Enter the code of your seat slip first."

# Tries of codes: of a player, of an address (a hall may be one), and in all.
OF_A_PLAYER, OF_AN_ADDRESS, IN_ALL = Rate(1 / 120, 8), Rate(0.5, 60), Rate(1.0, 120)
ASKS = Rate(0.2, 40)  # of an address
CALLS = Rate(1 / 30, 4)  # of a player


class PhoneStation(Protocol):
    """The process behind the pages. Both raise `ActionRefused`."""

    async def ask(self, request: str, name: str, digits: str, before: str) -> str:
        """A phone asks to be let in under `name`; its request `before` ends."""

    async def call(self, player: str) -> str:
        """The player calls the floor."""


class CodeTold(Frozen, frozen=True):
    player: Name
    code: Name


class NameTold(Frozen, frozen=True):
    name: Name


class Nothing(Frozen, frozen=True):
    pass


class _Facts(msgspec.Struct):
    shared: msgspec.Raw = msgspec.Raw(b"null")
    players: dict[str, msgspec.Raw] = {}
    own: dict[str, msgspec.Raw] = {}
    list: msgspec.Raw = msgspec.Raw(b"[]")


@dataclass(slots=True)
class _Asked:
    """A request to the desk. `ticket` is the digest of what its browser keeps."""

    ticket: str
    digits: str
    player: str = ""
    refused: bool = False


class PlayersPhones:
    """`reach` is this process's address as others in the network have it, empty where they have none."""

    def __init__(
        self,
        hub: Hub,
        codes: PlayerCodes,
        station: PhoneStation,
        signin: SignIn,
        *,
        reach: Callable[[], str],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._hub = hub
        self._codes = codes
        self._station = station
        self._signin = signin
        self._reach = reach
        self._now = now
        self._facts = _Facts()
        self._clock = self._schedule = b""
        self._clock_ends: tuple[Any, ...] = ()
        self._phones: dict[PhoneStream, None] = {}
        self._following: asyncio.Task[None] | None = None
        self._asked: dict[str, _Asked] = {}  # by request, the oldest first
        self._of_player, self._of_address, self._in_all = Rates(OF_A_PLAYER), Rates(OF_AN_ADDRESS), Rates(IN_ALL)
        self._asks, self._calls = Rates(ASKS), Rates(CALLS)

    # ----------------------------------------------------------------------------------------- who is it

    def player_of(self, request: HTTPConnection) -> str:
        """The player whose phone this is by code or by the desk; empty for none."""
        return self._codes.player_of(self._signin.cookie_in(request, "-player"))

    def slip(self, player: str) -> dict[str, Any]:
        """What a seat slip has for the player's phone: the page's address, its code, and both as a QR code. The
        code stands behind a `#`: browsers do not send that to anybody."""
        code = self._codes.code(player)
        page = f"{self._reach()}/me"
        return {"code": code, "url": page, "svg": codes_of([PageAddress("", f"{page}#{player}.{code}")])[0].svg}

    def answer(self, request: str, player: str, by: str) -> None:
        """What the desk decided; from any thread."""
        asked = self._asked.get(request)
        if asked is None:
            return
        asked.player, asked.refused = player, not player
        if by:
            self._signin.record(
                Caller(), "player's phone", f"{player or 'nobody'}, {asked.digits}, let in by {by}"
            )

    def begun_anew(self) -> None:
        """The desk has lost its requests: phones ask again. From any thread."""
        self._asked = {}

    # ------------------------------------------------------------------------------------------- routes

    def routes(self, render: Callable[..., Response]) -> list[BaseRoute]:
        async def page(request: Request) -> Response:
            return render(request, "phone/phone.html", page="phone", player=self.player_of(request))

        posts = {"code": self._code, "ask": self._ask, "call": self._call, "forget": self._forget}
        return [
            Route("/me", page),
            Route("/me/", lambda request: RedirectResponse("/me", 307)),
            Route("/me/players", self._players),
            Route("/me/results", self._results),
            Route("/me/events", self._events),
            Route("/me/asked", self._what_became),
            *(Route(f"/me/{name}", answering(do), methods=["POST"]) for name, do in posts.items()),
        ]

    async def _players(self, request: Request) -> Response:
        self._look()
        return Response(bytes(self._facts.list), media_type="application/json", headers=_FRESH)

    async def _results(self, request: Request) -> Response:
        told = self._hub.latest(RESULTS)
        found = told.data if told is not None else b'{"results": [], "season": []}'
        return Response(found, media_type="application/json", headers=_FRESH)

    async def _code(self, request: Request) -> JSONResponse:
        told = await body_of(request, CodeTold, _MOST_BYTES)
        who, now = address_of(request), self._now()
        granted = [
            self._in_all.grant("", now),
            self._of_address.grant(who_is(who), now),
            self._of_player.grant(told.player, now),
        ]
        right = self._codes.is_code(told.player, told.code)
        if not all(granted):
            raise PressRefused(429, MANY)
        if not right:
            raise PressRefused(403, WRONG)
        self._signin.record(Caller(address=who), "player's phone", f"{told.player}, by code")
        return self._proven(request, told.player)

    async def _ask(self, request: Request) -> JSONResponse:
        told = await body_of(request, NameTold, _MOST_BYTES)
        if not self._asks.grant(who_is(address_of(request)), self._now()):
            raise PressRefused(429, MANY)
        ticket, before = secrets.token_hex(16), self._request_of(request)
        id_, shown = secrets.token_hex(8), {one.digits for one in self._asked.values()}
        digits = next(made for made in iter(_digits, "") if made not in shown)
        await self._station.ask(id_, told.name, digits, before)
        self._asked.pop(before, None)
        while len(self._asked) >= ASKED_KEPT:
            del self._asked[next(iter(self._asked))]
        self._asked[id_] = _Asked(_digest(ticket), digits)
        answer = JSONResponse({"ok": True, "digits": digits}, headers=_FRESH)
        self._keep(answer, request, "-asked", ticket)
        return answer

    async def _what_became(self, request: Request) -> Response:
        id_ = self._request_of(request)
        asked = self._asked.get(id_)
        if asked is None:
            return JSONResponse({"state": "gone"}, headers=_FRESH)
        if asked.player:
            del self._asked[id_]
            return self._proven(request, asked.player)
        state = "refused" if asked.refused else "waiting"
        return JSONResponse({"state": state, "digits": asked.digits}, headers=_FRESH)

    async def _call(self, request: Request) -> JSONResponse:
        await body_of(request, Nothing, _MOST_BYTES)
        player = self.player_of(request)
        if not player:
            raise PressRefused(403, NOT_PROVEN)
        if not self._calls.grant(player, self._now()):
            raise PressRefused(429, MANY)
        text = await self._station.call(player)
        self._signin.record(Caller(address=address_of(request)), "floor called by phone", player)
        return JSONResponse({"ok": True, "text": text}, headers=_FRESH)

    async def _forget(self, request: Request) -> JSONResponse:
        await body_of(request, Nothing, _MOST_BYTES)
        answer = JSONResponse({"ok": True}, headers=_FRESH)
        for what in ("-player", "-asked"):
            self._keep(answer, request, what, "", 0)
        return answer

    def _proven(self, request: Request, player: str) -> JSONResponse:
        answer = JSONResponse({"ok": True, "state": "in", "player": player}, headers=_FRESH)
        self._keep(answer, request, "-player", self._codes.proof(player))
        self._keep(answer, request, "-asked", "", 0)
        return answer

    def _keep(self, answer: Response, request: Request, what: str, value: str, lasts_s: int = PROOF_S) -> None:
        answer.set_cookie(
            self._signin.cookie_name(request, what),
            value,
            max_age=lasts_s,
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",  # the address comes from a camera or a message
        )

    def _request_of(self, request: Request) -> str:
        """The request to the desk of this browser; empty for none."""
        ticket = _digest(self._signin.cookie_in(request, "-asked"))
        return next((id_ for id_, one in self._asked.items() if one.ticket == ticket), "")

    # ------------------------------------------------------------------------------------------- stream

    async def _events(self, request: Request) -> Response:
        proven = self.player_of(request)
        player = proven or request.query_params.get("player", "")[:100]
        stream = request.scope.get(PhoneStream.KEY) or PhoneStream()
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(
            self._told(stream, player, bool(proven)), media_type="text/event-stream", headers=headers
        )

    async def _told(self, stream: PhoneStream, player: str, proven: bool) -> AsyncIterator[bytes]:
        """All events of a phone, from the first on: a beat each ten seconds, and what is new to it."""
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow())
        self._look()
        told: dict[str, bytes] = {}
        self._phones[stream] = None
        try:
            yield b"retry: %d\n\n" % RETRY_MS + now_event()
            while not self._hub.closed:
                stream.news.clear()
                news = self._news(told, player, proven)
                if news:
                    yield news
                if stream.ends:
                    yield b"event: full\ndata: {}\n\n"
                    return
                if proven and not self._codes.player_of(self._codes.proof(player)):
                    return
                try:
                    async with asyncio.timeout(BEAT_S):
                        await stream.news.wait()
                except TimeoutError:
                    if self._is_alive():
                        yield now_event()
        finally:
            del self._phones[stream]

    def _news(self, told: dict[str, bytes], player: str, proven: bool) -> bytes:
        """The events of what this phone has not been told."""
        facts = self._facts
        now = {
            "schedule": self._schedule,
            "clock": self._clock,
            "shared": bytes(facts.shared),
            "me": bytes(facts.players.get(player, b"null")),
            "own": bytes(facts.own.get(player, b"{}")) if proven else b"null",
        }
        fresh = {name: data for name, data in now.items() if data and told.get(name) != data}
        told |= fresh
        return b"".join(f"event: {name}\ndata: ".encode() + data + b"\n\n" for name, data in fresh.items())

    async def _follow(self) -> None:
        """Cut each snapshot once, and wake the phones."""
        async with self._hub.subscribe(FACTS, "clock") as news:
            async for snapshot in news:
                if snapshot.channel == ALIVE or not self._took(snapshot):
                    continue
                for at, phone in enumerate([*self._phones], 1):
                    phone.news.set()
                    if at % TOGETHER == 0:
                        await asyncio.sleep(0)
        for phone in [*self._phones]:
            phone.end()

    def _look(self) -> None:
        """The newest snapshots: also where no phone has a stream yet."""
        for channel in (FACTS, "clock"):
            snapshot = self._hub.latest(channel)
            if snapshot is not None:
                self._took(snapshot)

    def _took(self, snapshot: Snapshot) -> bool:
        """Whether the snapshot says something else than the last one."""
        if snapshot.channel == FACTS:
            self._facts = msgspec.json.decode(snapshot.data, type=_Facts)
            return True
        state = msgspec.json.decode(snapshot.data, type=ClockState)
        ends = state.at + state.left_ms if state.running else state.left_ms
        told = {"boot", "running", "level", "next_level", "entry", "note"}
        same = tuple(getattr(state, name) for name in sorted(told))
        last = self._clock_ends
        if last and last[0] == same and abs(last[1] - ends) < CLOCK_MS and last[2] == state.levels:
            return False
        self._clock_ends = (same, ends, state.levels)
        self._schedule = msgspec.json.encode(state.levels)
        self._clock = msgspec.json.encode({name: getattr(state, name) for name in (*told, "at", "left_ms")})
        return True

    def _is_alive(self) -> bool:
        """Whether the process's work goes on: without it a phone is to see that it hears nothing new."""
        beat = self._hub.latest(ALIVE)
        return self._hub.must_beat() or (beat is not None and self._hub.age_ms(beat) < BEATS_LAST_MS)


CLOCK_MS = 1_500  # a clock that says the same end but for so much is the same
_FRESH = {"cache-control": "no-store"}


def _digits() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()
