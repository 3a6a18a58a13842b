"""A release on its way to this machine: fetched from the station, and left where the installer finds it.

The installer is another program, and root's: it takes nothing but this file, and judges it by its signature and
its version (docs/decisions/0077-one-file-a-release.md). So what comes here has to be whole, and no more. It is
left there between two hands only: the installer ends the process.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import shutil
import ssl
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from feltwire.install.places import UPGRADES
from feltwire.install.program_file import MOST_BYTES
from feltwire.private_files import sync_folder
from supervised.thread import SupervisedThread
from table_core.messages import UpgradeOrder

FILE, BACK = "feltwire.pyz", "back"
_CHUNK = 1 << 20
_PATIENCE_S = 30.0  # without a byte
_LOOKS_S = 1.0  # whether the hand is over
_MOST_LAST = 64 * 1024  # of what the installer says
_MOST_WORDS = 150


class NotSent(Exception):
    """Why the release is not here, in words."""


class SentRelease:
    """`folder` is where the installer looks. `ca` is the venue's authority, whose certificate the station's pages
    have. `between_hands` says whether this process may end now."""

    def __init__(self, folder: Path, ca: str, between_hands: Callable[[], bool]) -> None:
        self._folder = folder
        self._ca = ca
        self._between_hands = between_hands
        self._order = ""
        self._words = ""
        self._closed = threading.Event()
        self._lock = threading.Lock()

    @property
    def words(self) -> str:
        """How far it is; what became of the last upgrade of this machine where none is on its way. Empty where
        that one went well."""
        return self._words or last_upgrade()

    def ordered(self, order: UpgradeOrder) -> None:
        """The station sends a release, or asks for the one before. An order that comes twice counts once."""
        with self._lock:
            if order.id == self._order:
                return
            self._order = order.id
        SupervisedThread(partial(self._carry_out, order), "release").start()

    def close(self) -> None:
        self._closed.set()

    def _carry_out(self, order: UpgradeOrder) -> None:
        try:
            if not self._folder.is_dir():
                raise NotSent("this machine has no installer: type feltwire upgrade there")
            if order.back:
                self._when_it_may(order, self._ask_back)
            else:
                part = self._folder / f"{FILE}.part"
                self._fetch(order, part)
                self._when_it_may(order, lambda: os.replace(part, self._folder / FILE))
        except NotSent as why:
            self._say(order, f"not upgraded: {why}")
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._say(order, f"not upgraded: {_short(error)}")

    def _say(self, order: UpgradeOrder, words: str) -> None:
        if order.id == self._order:
            self._words = words

    def _fetch(self, order: UpgradeOrder, part: Path) -> None:
        if not 0 < order.size <= MOST_BYTES:
            raise NotSent("the station names no size that a release has")
        if shutil.disk_usage(self._folder).free < 3 * order.size:
            raise NotSent(f"its disk has no {3 * order.size // 1_000_000:,} MB free")
        part.unlink(missing_ok=True)
        digest, had = hashlib.sha256(), 0
        try:
            with open(part, "xb", opener=_private) as file:
                for chunk in self._chunks(order):
                    had += len(chunk)
                    if had > order.size:
                        raise NotSent("more came than the station said")
                    digest.update(chunk)
                    file.write(chunk)
                    self._say(order, f"fetches {order.version}: {had * 100 // order.size} %")
                _keep(file)
            if (had, digest.hexdigest()) != (order.size, order.sha256):
                raise NotSent("what came is not what the station sent: press again")
        except BaseException:
            part.unlink(missing_ok=True)
            raise

    def _chunks(self, order: UpgradeOrder) -> Iterator[bytes]:
        where = urlsplit(order.url)
        if where.scheme == "https":
            context = ssl.create_default_context(cafile=self._ca or None)
            line: http.client.HTTPConnection = http.client.HTTPSConnection(
                where.netloc, timeout=_PATIENCE_S, context=context
            )
        elif where.scheme == "http":
            line = http.client.HTTPConnection(where.netloc, timeout=_PATIENCE_S)
        else:
            raise NotSent("the station names no address")
        try:
            line.request("GET", where.path)
            answer = line.getresponse()
            if answer.status != 200:
                raise NotSent(f"the station's page answers {answer.status}")
            while not self._closed.is_set() and (chunk := answer.read(_CHUNK)):
                yield chunk
        finally:
            line.close()

    def _when_it_may(self, order: UpgradeOrder, do: Callable[[], object]) -> None:
        """Between two hands; not at all where another order came, or the process ends."""
        while not self._between_hands():
            self._say(order, "waits for the end of the hand")
            if self._closed.wait(_LOOKS_S):
                return
        with self._lock:
            if order.id != self._order or self._closed.is_set():
                return
            do()
            sync_folder(self._folder)
            self._words = "is given to the installer" if not order.back else "asks for the version before"

    def _ask_back(self) -> None:
        with open(self._folder / BACK, "ab", opener=_private) as file:
            _keep(file)


def last_upgrade() -> str:
    """What the installer of this machine says: a step that it does, or why it did not upgrade. Empty where its
    last upgrade went well, and where there was none."""
    try:
        with (UPGRADES / "last.jsonl").open("rb") as file:
            lines = file.read(_MOST_LAST).splitlines()
        said = json.loads(lines[-1]) if lines else {}
        if "done" not in said:
            return _clean(said.get("step", ""))
        return "" if said["done"] else f"not upgraded: {_clean(said.get('why', ''))}"
    except (OSError, ValueError, TypeError, AttributeError):
        return ""


def _keep(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _short(error: Exception) -> str:
    return _clean(error.strerror if isinstance(error, OSError) and error.strerror else str(error))


def _clean(words: object) -> str:
    """As a message may hold it."""
    return "".join(letter if letter.isprintable() else " " for letter in str(words))[:_MOST_WORDS]
