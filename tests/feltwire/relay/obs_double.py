"""A program that speaks obs-websocket 5, and does it badly on command."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from feltwire.relay.obs.client import WRONG_PASSWORD, proof

SALT, CHALLENGE = "c2FsdA==", "Y2hhbGxlbmdl"


class ObsDouble:
    """Serves at `url` until `close`. `shown` holds what was put on program, `lines` how many clients signed in.

    `close_at`: the name of a request at which it closes the line, once; `closes` is called then.
    """

    def __init__(self, scenes: tuple[str, ...], password: str = "", *, greets: bool = True) -> None:
        self.scenes = list(scenes)
        self.password = password
        self.current = scenes[0]
        self.shown: list[str] = []
        self.lines = 0
        self.refused = 0
        self.close_at = ""
        self.closes: Callable[[], object] = lambda: None
        self.news = threading.Condition()
        self._greets = greets
        self._ended = threading.Event()
        self._server = serve(self._line, "127.0.0.1", 0, subprotocols=["obswebsocket.json"])  # type: ignore[list-item]
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._server.shutdown()
        self._thread.join(10)

    def wait_for(self, fact: Any, within_s: float) -> bool:
        with self.news:
            return self.news.wait_for(fact, within_s)

    def _line(self, line: ServerConnection) -> None:
        try:
            if not self._greets:
                self._ended.wait()
                return
            if self._signed_in(line):
                for raw in line:
                    self._answer(line, json.loads(raw)["d"])
        except ConnectionClosed:
            return

    def _signed_in(self, line: ServerConnection) -> bool:
        hello: dict[str, Any] = {"obsWebSocketVersion": "5.1.0", "rpcVersion": 1}
        if self.password:
            hello["authentication"] = {"challenge": CHALLENGE, "salt": SALT}
        line.send(json.dumps({"op": 0, "d": hello}))
        said = json.loads(line.recv())["d"]
        if self.password and said.get("authentication") != proof(self.password, SALT, CHALLENGE):
            with self.news:
                self.refused += 1
                self.news.notify_all()
            line.close(WRONG_PASSWORD, "Authentication failed.")
            return False
        line.send(json.dumps({"op": 2, "d": {"negotiatedRpcVersion": 1}}))
        with self.news:
            self.lines += 1
            self.news.notify_all()
        return True

    def _answer(self, line: ServerConnection, request: dict[str, Any]) -> None:
        kind = request["requestType"]
        if kind == self.close_at:
            self.close_at = ""
            self.closes()
            line.close(1011, "a fault")
            return
        data: dict[str, Any] = {}
        if kind == "GetSceneList":
            data = {
                "currentProgramSceneName": self.current,
                "scenes": [{"sceneName": name} for name in reversed(self.scenes)],
            }
        else:
            with self.news:
                self.current = request["requestData"]["sceneName"]
                self.shown.append(self.current)
                self.news.notify_all()
        status = {"result": True, "code": 100}
        answer = {"requestType": kind, "requestId": request["requestId"], "requestStatus": status}
        line.send(json.dumps({"op": 5, "d": {"eventType": "Noise", "eventIntent": 1}}))
        line.send(json.dumps({"op": 7, "d": {**answer, "responseData": data}}))
