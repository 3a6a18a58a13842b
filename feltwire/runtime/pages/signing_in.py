"""Signing in at a process with a disk: sessions survive a restart, and the first links are in files.

Each link signs in one browser; then the file holds the next one. Read access to the file decides who may use it.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from display.identity.access import Role
from display.identity.people import Person
from display.identity.signin import DIRECTOR, SignIn
from feltwire.runtime.boottime import boot_millis
from feltwire.runtime.pages.people_store import PeopleStore

log = logging.getLogger(__name__)

KIOSK = "kiosk"  # the screen at a table, as a person
PRODUCER = "producer"  # whom the relay's first link makes


def at_station(store: PeopleStore, folder: Path, address: str) -> FiledSignIn:
    """`td-link` makes a browser the director's."""
    signin = FiledSignIn(store, "station", address)
    signin.keep_link(signin.known(DIRECTOR, "Director", Role.TD), folder / "td-link")
    return signin


def at_table(store: PeopleStore, folder: Path, address: str, table: str) -> FiledSignIn:
    """`table-NN.kiosk-link` makes a browser this table's screen, `table-NN.td-link` one the director's."""
    signin = FiledSignIn(store, f"table-{table}", address)
    screen = signin.known(KIOSK, f"Screen of table {table}", Role.DEALER, table)
    signin.keep_link(screen, folder / f"table-{table}.kiosk-link")
    signin.keep_link(signin.known(DIRECTOR, "Director", Role.TD), folder / f"table-{table}.td-link")
    return signin


def at_relay(store: PeopleStore, folder: Path, address: str) -> FiledSignIn:
    """`producer-link` makes a browser the producer's, `relay.td-link` one the director's."""
    signin = FiledSignIn(store, "relay", address)
    signin.keep_link(signin.known(PRODUCER, "Producer", Role.PRODUCER), folder / "producer-link")
    signin.keep_link(signin.known(DIRECTOR, "Director", Role.TD), folder / "relay.td-link")
    return signin


class FiledSignIn(SignIn):
    """A `SignIn` that keeps an unused link in a file that only the process's user can read."""

    def __init__(self, store: PeopleStore, name: str, address: str) -> None:
        super().__init__(store, name=name, ticks=lambda: boot_millis() / 1000)
        self._address = address
        self._files: dict[Path, tuple[Person, str]] = {}

    def keep_link(self, person: Person, path: Path) -> None:
        self._files[path] = (person, "")
        self._renew()

    def redeem(self, token: str, address: str = "", browser: str = "", *, before: str | None = None) -> str:
        try:
            return super().redeem(token, address, browser, before=before)
        finally:
            self._renew()

    def _renew(self) -> None:
        """A fresh link where the last one was used. A disk that is full gets it when somebody tries again."""
        for path, (person, link) in self._files.items():
            if not link or self.whose(link.partition("=")[2]) is None:
                link = self.new_link(person, lasting=True)
                try:
                    _write_private(path, f"{self._address}{link}\n")
                except OSError as error:
                    log.warning("%s: no new link (%s); make room, then open the old one again", path, error)
                    continue
                self._files[path] = (person, link)


def _write_private(path: Path, text: str) -> None:
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    fresh.replace(path)
