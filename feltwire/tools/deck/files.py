"""The files of `feltwire deck`: a table's registry, and the drafts of decks that are being enrolled beside it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import msgspec

from feltwire.config import TableConfig
from feltwire.errors import UsageError
from feltwire.private_files import replace, say_if_wide
from firmware_bridge.decks import DeckError, DeckRegistry
from firmware_bridge.decks.enrolment import Draft
from firmware_bridge.decks.file import text_of
from table_core.messages import CardText

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,31}", re.ASCII)


def registry_path(config: TableConfig) -> Path:
    """Raise `UsageError` where the table has none."""
    if not config.decks:
        raise UsageError("this table has no decks: set decks = FILE in its configuration")
    return Path(config.decks)


def load(path: Path, *, or_none: bool = False) -> DeckRegistry:
    """Raise `UsageError` for a file that is no registry. `or_none`: an empty one where there is no file."""
    if or_none and not path.exists():
        return DeckRegistry(())
    try:
        registry = DeckRegistry.load(path)
    except DeckError as error:
        raise UsageError(str(error)) from error
    say_if_wide(str(path))
    return registry


def save(path: Path, registry: DeckRegistry) -> None:
    """For its owner only. Raise `UsageError` where it cannot be written."""
    _write(path, text_of(registry).encode())


def checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise UsageError(f"deck {name!r}: write letters, digits, blanks, - or _ (32 at most)")
    return name


def draft_path(registry: Path, name: str) -> Path:
    return registry.with_name(f"{registry.name}.{name.replace(' ', '_')}.draft")


def open_draft(path: Path, name: str, back: str, order: tuple[CardText, ...], *, again: bool) -> Draft:
    """The draft that was begun, or a new one (`again`: in any case). Raise `UsageError` where the one that was
    begun is of another kind."""
    if again or not path.exists():
        return Draft(name, back, order)
    try:
        draft = msgspec.json.decode(path.read_bytes(), type=Draft)
    except (OSError, msgspec.MsgspecError):
        raise UsageError(f"{path}: cannot be read; begin again with --again") from None
    if draft.order != order:
        begun = "in another order" if draft.order and order else "in order" if draft.order else "with the camera"
        raise UsageError(f"{path}: was begun {begun}; go on that way, or begin again with --again")
    draft.back = back or draft.back
    return draft


def save_draft(path: Path, draft: Draft) -> None:
    _write(path, msgspec.json.encode(draft))


def _write(path: Path, content: bytes) -> None:
    try:
        replace(path, content, mode=0o600)
        if os.geteuid() == 0:  # the table's own user reads it, whoever enrolled the deck
            folder = path.parent.stat()
            os.chown(path, folder.st_uid, folder.st_gid)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror}); start as a user who may") from error
