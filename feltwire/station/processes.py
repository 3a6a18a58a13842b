"""The relay, the wall clocks and the delay box: which of them answer the station's beats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from feltwire.station.queue.of_views import item_of_another
from feltwire.station.tables.cells import STALE_MS
from feltwire.station.tables.link import ProgramSeen
from table_core.messages import (
    Beat,
    ItemKind,
    Malformed,
    Millis,
    Program,
    QueueItem,
    Severity,
    Status,
    decode,
    decode_any,
)

RELAY, DELAY = "relay", "delay"
MOST = 200  # names that are remembered
LOOK = "Look at its machine and its network."


@dataclass(slots=True)
class _Process:
    heard: Millis  # the time of the last beat that it answered; of the first word of it before
    online: bool = True
    cannot_show: str = ""  # the id of what it cannot show
    program: ProgramSeen | None = None


class Processes:
    """Those that were ever heard, from the broker's memory too. `boot` is this machine's, whose beats count."""

    def __init__(self, boot: str) -> None:
        self._boot = boot
        self._known: dict[str, _Process] = {}

    def arrived(self, name: str, leaf: str, payload: bytes, now: Millis) -> None:
        """What cannot be read is no sign of life."""
        try:
            if leaf == "status":
                self._one(name, now).online = decode(payload, Status).online
            elif leaf == "beat":
                answers = decode(payload, Beat)
                if answers.boot == self._boot and answers.at <= now:
                    one = self._one(name, now)
                    one.heard, one.online = max(one.heard, answers.at), True
                    one.cannot_show = answers.cannot_show
            elif leaf == "program":
                self._one(name, now).program = ProgramSeen(decode_any(payload, Program), now)
        except Malformed:
            return

    def bus_up(self, now: Millis) -> None:
        """While there was no broker nobody could be heard."""
        for one in self._known.values():
            one.heard = now

    def goes_quiet_at(self, now: Millis) -> Millis | None:
        """When the next one will be silent, if it is not heard before."""
        dues = (Millis(one.heard + STALE_MS) for one in self._known.values() if one.online)
        return min((due for due in dues if due > now), default=None)

    def items(self, now: Millis) -> Iterator[QueueItem]:
        for name, one in self._known.items():
            quiet = now - one.heard
            if one.online and quiet < STALE_MS:
                if one.cannot_show:
                    yield item_of_another(_who(name), one.cannot_show)
                continue
            fact, do = _words(name)
            yield QueueItem(
                f"process-{name}",
                ItemKind.DEVICE,
                Severity.SOON,
                fact,
                do=do,
                ms_ago=Millis(quiet),
                can_be_done=True,
            )

    def programs(self, now: Millis) -> Iterator[tuple[str, ProgramSeen | None]]:
        """Each one that is heard, with the program that it said."""
        for name, one in self._known.items():
            if one.online and now - one.heard < STALE_MS:
                yield name, one.program

    def _one(self, name: str, now: Millis) -> _Process:
        if name not in self._known and len(self._known) >= MOST:
            del self._known[next(iter(self._known))]
        return self._known.setdefault(name, _Process(now))


def who_is(name: str) -> str:
    """`the broadcast relay`, `the wall clock`, and of `clock-bar`, `the wall clock bar`."""
    if name == RELAY:
        return "the broadcast relay"
    if name.partition("-")[0] == DELAY:
        return f"the delay box {name.removeprefix(DELAY).removeprefix('-')}".rstrip()
    return f"the wall clock {name.removeprefix('clock').removeprefix('-')}".rstrip()


def _who(name: str) -> str:
    return f"T{who_is(name)[1:]}"


def _words(name: str) -> tuple[str, str]:
    if name == RELAY:
        meanwhile = "overlays show nothing new"
    else:
        meanwhile = "the stream may be black" if name.partition("-")[0] == DELAY else "it counts on by itself"
    return f"{_who(name)} is not heard: {meanwhile}.", LOOK
