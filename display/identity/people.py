"""People and screens that sign in, their sessions, and what is kept of both.

An `AccountStore` keeps them: on disk where a process has one (`feltwire/runtime/pages/people_store.py`), else in
memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

from msgspec.structs import replace

from display.identity.access import Role
from table_core.messages import Frozen, Refusal
from table_core.people.names import Likeness, clean_name, same_person

NAME_CHARS = 40


class Person(Frozen, frozen=True):
    """A person by name, or a screen by its location. `table` is a dealer screen's."""

    id: str
    name: str
    role: Role
    table: str = ""
    pin: str = ""  # argon2 hash; empty: none set
    admitted: bool = False  # let in by four digits: one session, for the evening; then the person is gone


def free_name(people: Iterable[Person], given: str, *, but: str = "") -> str | Refusal:
    """A name that none of `people` has, except the person `but`; or why it cannot be had."""
    name = clean_name(given)
    if isinstance(name, Refusal):
        return name
    if len(name) > NAME_CHARS:
        return Refusal(f"a name has 1 to {NAME_CHARS} letters", "")
    others = (one.name for one in people if one.id != but)
    there = next((one for one in others if same_person(one, name) is not Likeness.DIFFERENT), None)
    if there is not None:
        return Refusal(f"there is a {there} already; another name keeps the audit clear", "")
    return name


class Session(Frozen, frozen=True):
    """A signed-in browser. `key` is the SHA-256 of the cookie, so the file holds no cookie.

    Times are seconds of the wall clock. `filed`: signed in with a link from a file of the machine.
    """

    key: str
    person: str
    made_at: float
    expires: float
    seen_at: float
    address: str = ""
    browser: str = ""
    filed: bool = False

    @property
    def id(self) -> str:
        """Names the session on pages."""
        return self.key[:12]


class AuditEntry(Frozen, frozen=True):
    """One line of the audit: who did what, from where, with which result. No secrets and no cards."""

    at: float
    who: str
    role: str
    address: str
    what: str
    text: str = ""
    refused: bool = False


def without(entry: AuditEntry, name: str, instead: str) -> AuditEntry:
    """The entry with `instead` for each whole `name` in its text."""
    text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _: instead, entry.text, flags=re.IGNORECASE)
    return entry if text == entry.text else replace(entry, text=text)


class NotKept(Exception):
    """The disk refused the record; the text says why."""


class AccountStore(Protocol):
    """Stores people, sessions and the audit. When a method returns, its record is stored; otherwise it raises
    `NotKept`."""

    def people(self) -> list[Person]: ...

    def save_person(self, person: Person) -> None: ...

    def drop_person(self, person_id: str) -> None: ...

    def sessions(self) -> list[Session]: ...

    def save_session(self, session: Session) -> None: ...

    def drop_session(self, key: str) -> None: ...

    def record(self, entry: AuditEntry) -> None: ...

    def audit(self, most: int) -> list[AuditEntry]:
        """The newest first."""

    def forget(self, name: str, instead: str) -> None:
        """Put `instead` in the place of a player's name wherever the audit has it."""


class MemoryAccounts:
    """An `AccountStore` that ends with its process."""

    def __init__(self) -> None:
        self._people: dict[str, Person] = {}
        self._sessions: dict[str, Session] = {}
        self._audit: list[AuditEntry] = []

    def people(self) -> list[Person]:
        return list(self._people.values())

    def save_person(self, person: Person) -> None:
        self._people[person.id] = person

    def drop_person(self, person_id: str) -> None:
        self._people.pop(person_id, None)

    def sessions(self) -> list[Session]:
        return list(self._sessions.values())

    def save_session(self, session: Session) -> None:
        self._sessions[session.key] = session

    def drop_session(self, key: str) -> None:
        self._sessions.pop(key, None)

    def record(self, entry: AuditEntry) -> None:
        self._audit.append(entry)

    def audit(self, most: int) -> list[AuditEntry]:
        return self._audit[: -most - 1 : -1]

    def forget(self, name: str, instead: str) -> None:
        self._audit = [without(entry, name, instead) for entry in self._audit]
