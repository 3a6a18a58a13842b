"""Names, passwords and rights at a broker without certificates: the two files that mosquitto reads.

`password_line` makes a line of its password file; `Rights` reads both files for the embedded broker, which then
admits and refuses as mosquitto does.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from pathlib import Path

from paho.mqtt.client import topic_matches_sub

_ROUNDS = 101  # mosquitto's own; what is hashed is drawn, so more rounds would protect nothing


def password_line(name: str, password: str) -> str:
    """The line of mosquitto's password file (2.0 or newer) with which `name` comes under `password`."""
    salt = secrets.token_bytes(12)
    salt_text, hashed = (base64.b64encode(raw).decode() for raw in (salt, _hashed(password, salt, _ROUNDS)))
    return f"{name}:$7${_ROUNDS}${salt_text}${hashed}"


def _hashed(password: str, salt: bytes, rounds: int) -> bytes:
    return hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds)


class Rights:
    """Who may come, and what each may read and write.

    >>> rights = Rights(password_line("clock", "secret"), "user clock\\ntopic read fw/hall/tournament/#")
    >>> rights.knows("clock", "secret"), rights.knows("clock", "guessed")
    (True, False)
    >>> beat = "fw/hall/tournament/beat"
    >>> rights.may("clock", "read", beat), rights.may("clock", "write", beat)
    (True, False)
    """

    def __init__(self, passwords: str, access: str) -> None:
        self._hashes = dict(line.split(":", 1) for line in passwords.splitlines() if ":" in line)
        self._rules: dict[str, list[tuple[str, str]]] = {}
        user = ""
        for line in access.splitlines():
            word, _, rest = line.partition(" ")
            if word == "user":
                user = rest
            elif word == "topic":
                way, _, topic = rest.partition(" ")
                self._rules.setdefault(user, []).append((way, topic))

    @classmethod
    def read(cls, passwords: Path, access: Path) -> Rights:
        """The files of mosquitto's `password_file` and `acl_file`."""
        return cls(passwords.read_text("utf-8"), access.read_text("utf-8"))

    def knows(self, name: str | None, password: str | None) -> bool:
        """Whether `name` has this password."""
        _, _, rounds, salt, hashed = self._hashes.get(name or "", "$7$1$$").split("$")
        offered = _hashed(password or "", base64.b64decode(salt), int(rounds))
        return bool(hashed) and hmac.compare_digest(offered, base64.b64decode(hashed))

    def may(self, name: str | None, way: str, topic: str) -> bool:
        """Whether `name` may `read` or `write` (`way`) messages on `topic`."""
        rules = self._rules.get(name or "", ())
        return any(granted in (way, "readwrite") and topic_matches_sub(rule, topic) for granted, rule in rules)
