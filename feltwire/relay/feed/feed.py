"""The relay's feed for other people's programs: released hands, and what is on air as rows (decision 94).

The node's thread keeps and shows hands; the threads of the web server read what is shown, with an opening of the
file of their own. Nothing goes from here to the node: the feed is read only."""

from __future__ import annotations

import contextlib
import logging
import os
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
from nacl.signing import SigningKey

from display.push import Hub
from display.server.security import FILES
from feltwire.config import ConfigError
from feltwire.ledger.releases import ReleasesLog
from feltwire.ledger.store import LedgerError, WrongLedger
from feltwire.relay.feed.rows import (
    event_rows,
    event_seen,
    payout_rows,
    schema,
    seat_rows,
    seen,
    standing_rows,
)
from feltwire.relay.feed.signed_hand import FeedHand, feed_hand
from feltwire.relay.feed.store import HANDS, HandStore, hand_in
from feltwire.relay.on_air.players import Players
from feltwire.relay.relay_io import HandKey, ShowHand, SignRelease
from feltwire.relay.relay_store import RelayStore
from feltwire.runtime.views import Part, Views

log = logging.getLogger(__name__)

_ORIGIN = re.compile(r"https?://([a-z0-9.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", re.ASCII)
_USUAL_PORT = re.compile(r"http://.*:80|https://.*:443")
CHANNEL = "feed"  # of the hub, that streams wake up; its snapshot is the number of the hand that was shown last


def checked_origins(origins: Sequence[str]) -> tuple[str, ...]:
    """`feed_origins` of the settings, as browsers say them. Raise `ConfigError` for one that no browser would say.

    >>> checked_origins(["https://stats.example", "http://10.0.0.5:8080"])
    ('https://stats.example', 'http://10.0.0.5:8080')
    """
    for origin in origins:
        if origin != FILES and (not _ORIGIN.fullmatch(origin) or _USUAL_PORT.fullmatch(origin)):
            raise ConfigError(
                f"feed_origins: {origin[:100]!r} is no page's origin; write https://name or http://name:port, "
                f"in small letters, without a path, a star or the usual port ({FILES} frames only)"
            )
    return tuple(origins)


def _opened(path: Path) -> HandStore:
    """The store; where the disk damaged it a new one, and the old file stays beside it: the relay releases all the
    same."""
    try:
        return HandStore.open(path)
    except WrongLedger:
        raise
    except LedgerError as error:
        aside = path.with_name(f"{path.name}.damaged")
        log.warning("%s; kept as %s, and pages begin anew (a backup has those before)", error, aside.name)
        for end in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.replace(f"{path}{end}", f"{aside}{end}")
        return HandStore.open(path)


class Feed:
    """Keeps and shows; and answers, from any thread, what `display/feed.py` asks for."""

    def __init__(self, data: Path, venue: str, signing: SigningKey, hub: Hub, views: Views) -> None:
        self._venue, self._signing, self._hub, self._views = venue, signing, hub, views
        self._kept = _opened(data / HANDS)
        self._shown = HandStore.open(data / HANDS, read_only=True)

    def waiting(self) -> list[HandKey]:
        """The hands that were released and are not shown."""
        return self._kept.waiting()

    def keep(self, release: SignRelease, store: RelayStore, releases: ReleasesLog, players: Players) -> None:
        """Keep what the page of a released hand has; its lines are in the releases log by now. A hand of which no
        page can be made has none."""
        if release.told is None:
            return
        (record, hole), venue = release.told, self._venue
        key = HandKey(release.table, release.lineage, release.hand, release.attempt)
        name, raws = self._kept.name_of(key), store.events_of(key.table, key.hand)
        lines = releases.lines_of(release.openings)

        def told() -> FeedHand | None:
            return feed_hand(record, hole, raws, lines, venue=venue, name=name, players=players)

        part = Part(f"The page of a hand of table {key.table}", key.table)
        hand = self._views.show(part, told, lambda fault: None)
        if hand is not None:
            self._kept.keep(key, hand)

    def show(self, show: ShowHand) -> None:
        """From now on the hand is there for everybody."""
        no = self._kept.show(show.hand, self._signing)
        if no is not None:
            self._hub.publish(CHANNEL, b"%d" % no)

    def close(self) -> None:
        self._shown.close()
        self._kept.close()  # last: whoever only reads leaves the write-ahead log behind

    # ------------------------------------------------------------------------------------ for the pages

    def newest(self) -> int:
        """The number of the hand that was shown last; 0 before the first."""
        return self._shown.newest()

    def listed(self, *, before: int | None, table: str, most: int) -> list[bytes]:
        """Shown hands (JSON), the newest first, below the number `before`."""
        return self._shown.listed(before=before, table=table, most=most)

    def after(self, no: int, most: int) -> list[tuple[int, bytes]]:
        """Shown hands (number, JSON) behind this number, in order."""
        return self._shown.after(no, most)

    def line(self, table: str, name: str) -> bytes | None:
        """The signed line of a shown hand."""
        return self._shown.line(table, name)

    def history(self, table: str, name: str, kind: str) -> str | None:
        """The hand as `phh` or `ohh`; empty where no history can tell it."""
        line = self._shown.line(table, name)
        if line is None:
            return None
        hand = hand_in(line)
        return hand.phh if kind == "phh" else hand.ohh

    def rows(self, name: str, feed: str = "") -> bytes:
        """What is on air as rows: of `table` FEED, or `event`, `standings`, `payouts`."""
        said = self._hub.latest(f"overlay/{feed}" if name == "table" else "event")
        raw = None if said is None else said.data
        if name == "table":
            return msgspec.json.encode(seat_rows(seen(raw)))
        view, age_ms = event_seen(raw), 0 if said is None else self._hub.age_ms(said)
        rows = {"event": event_rows(view, age_ms), "standings": standing_rows(view), "payouts": payout_rows(view)}
        return msgspec.json.encode(rows[name])

    @staticmethod
    def schema() -> bytes:
        """The JSON schema of all answers."""
        return schema()
