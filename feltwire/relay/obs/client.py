"""A client of obs-websocket 5 for the little that is needed here: sign in, which scenes there are, show one.

The protocol is a few JSON messages (github.com/obsproject/obs-websocket, docs/generated/protocol.md). Of the
libraries for it `obsws-python` is GPL; `simpleobsws` wants an event loop and MessagePack for three requests.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

HELLO, IDENTIFY, IDENTIFIED, REQUEST, RESPONSE = 0, 1, 2, 6, 7
RPC_VERSION = 1
WRONG_PASSWORD = 4009  # the code with which OBS closes
PATIENCE_S = 5.0  # for the line, and for each answer
LARGEST = 1 << 20


class ObsError(Exception):
    """OBS is not there, or did not do it; the text says why."""


class WrongPassword(ObsError):
    pass


class Scenes(NamedTuple):
    current: str  # on program
    names: tuple[str, ...]


class Obs:
    """One line to OBS. Every method raises `ObsError` and waits for `PATIENCE_S` at most."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._last = 0

    @classmethod
    @contextmanager
    def at(cls, url: str, password: str) -> Iterator[Obs]:
        """Connected and signed in: `with Obs.at("ws://127.0.0.1:4455", "secret") as obs: obs.show("Break")`"""
        with _said():
            line = connect(
                url,
                open_timeout=PATIENCE_S,
                close_timeout=1,
                max_size=LARGEST,
                compression=None,
                proxy=None,
                subprotocols=["obswebsocket.json"],  # type: ignore[list-item]  # a NewType of str
            )
        with line:
            obs = cls(line)
            obs._sign_in(password)
            yield obs

    def scenes(self) -> Scenes:
        answer = self._ask("GetSceneList")
        names = [str(one.get("sceneName", "")) for one in answer.get("scenes", ()) if isinstance(one, dict)]
        return Scenes(str(answer.get("currentProgramSceneName", "")), tuple(reversed(names)))

    def show(self, scene: str) -> None:
        """Put `scene` on program."""
        self._ask("SetCurrentProgramScene", {"sceneName": scene})

    def look(self) -> None:
        """Raise `ObsError` when the line is gone."""
        with _said():
            try:
                while True:
                    self._line.recv(timeout=0)
            except TimeoutError:
                return

    def _sign_in(self, password: str) -> None:
        hello = self._heard(HELLO)
        answer: dict[str, Any] = {"rpcVersion": RPC_VERSION, "eventSubscriptions": 0}
        wanted = hello.get("authentication")
        if isinstance(wanted, dict):
            answer["authentication"] = proof(password, str(wanted.get("salt")), str(wanted.get("challenge")))
        self._say(IDENTIFY, answer)
        self._heard(IDENTIFIED)

    def _ask(self, kind: str, data: dict[str, Any] | None = None) -> dict[str, Any]:
        self._last += 1
        self._say(REQUEST, {"requestType": kind, "requestId": str(self._last), "requestData": data or {}})
        while True:
            answer = self._heard(RESPONSE)
            if answer.get("requestId") == str(self._last):
                break
        status = answer.get("requestStatus")
        if not (isinstance(status, dict) and status.get("result")):
            comment = status.get("comment") if isinstance(status, dict) else None
            raise ObsError(f"{kind}: {comment or 'OBS refuses it'}")
        found = answer.get("responseData")
        return found if isinstance(found, dict) else {}

    def _say(self, op: int, data: dict[str, Any]) -> None:
        with _said():
            self._line.send(json.dumps({"op": op, "d": data}))

    def _heard(self, op: int) -> dict[str, Any]:
        """The next message of this kind; others are left out."""
        while True:
            with _said():
                raw = self._line.recv(timeout=PATIENCE_S)
            try:
                message = json.loads(raw)
                if message["op"] == op and isinstance(message["d"], dict):
                    return dict(message["d"])
            except (ValueError, KeyError, TypeError, RecursionError):
                raise ObsError("what answers there does not speak obs-websocket 5") from None


def proof(password: str, salt: str, challenge: str) -> str:
    """What shows that one knows the password.

    >>> proof("supersecretpassword", "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI=",
    ...       "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY=")
    '1Ct943GAT+6YQUUX47Ia/ncufilbe6+oD6lY+5kaCu4='
    """
    secret = _digest(password + salt)
    return _digest(secret + challenge)


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@contextmanager
def _said() -> Iterator[None]:
    """Every way in which a line fails, as an `ObsError`."""
    try:
        yield
    except ConnectionClosed as error:
        if error.rcvd is not None and error.rcvd.code == WRONG_PASSWORD:
            raise WrongPassword("OBS does not take the password: Tools, WebSocket Server Settings") from None
        raise ObsError(f"OBS closed the line ({error})") from None
    except TimeoutError:
        raise ObsError(f"OBS did not answer within {PATIENCE_S:g} s") from None
    except (OSError, WebSocketException) as error:
        raise ObsError(f"OBS is not there ({error})") from None
