"""What a press on `/broadcast` does: what is on air, the cut, and the air delay. Each is on record with a name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from display.actions import ActionRefused
from display.broadcast_page import BroadcastPress
from feltwire.ledger.store import LedgerError
from feltwire.private_files import replace as write_whole
from feltwire.relay.desk.audit import Audit
from feltwire.relay.desk.programme import Programme
from feltwire.relay.on_air.air_delay import AIR_DELAY, parse_delay
from table_core.messages import Millis

LONGEST_S = 4 * 3600  # what a table showed is kept for little longer
AIR = "air delay"
NEXT = "next"  # what is staged
WHAT = {
    **dict.fromkeys(("look", "element", "lower_third", "ticker"), "on air"),
    "forget": "deleted",
    "prepare": "kept for later",
    "ticker_lines": "ticker",
}  # where the audit words it other than the press


class ProducersDesk:
    """`delays()` gives the air delay and its floor, None where nothing is on air; `changed(text)` says that the
    file of the air delay has another text from now on."""

    def __init__(
        self,
        programme: Programme,
        audit: Audit,
        folder: Path,
        delays: Callable[[], tuple[Millis | None, Millis | None]],
        changed: Callable[[str], None],
        changing: AbstractContextManager[object] | None = None,
    ) -> None:
        self._programme = programme
        self._audit = audit
        self._file = folder / AIR_DELAY
        self._delays = delays
        self._changed = changed
        self._changing = changing or nullcontext()  # held while the file and what the relay knows of it differ

    def press(self, by: str, press: BroadcastPress) -> str:
        match press.do:
            case "cut":
                return self._programme.cut(True)
            case "release":
                return self._programme.cut(False)
            case "air_delay":
                return self._new_delay(press.seconds)
        return self._programme.press(press)

    def keep(self, by: str, press: BroadcastPress, text: str) -> str:
        if press.do == "air_delay":
            return self._set_delay(by, press.seconds.strip(), text)
        what = NEXT if press.staged else WHAT.get(press.do, press.do)
        unkept = self._programme.keep(by, what, text)
        return f"{what[:1].upper()}{what[1:]}: {text}. {unkept}".strip()

    def _new_delay(self, seconds: str) -> str:
        """From what to what; raise `ActionRefused` below the floor, which the relay's file sets."""
        wanted, (now, floor) = parse_delay(seconds), self._delays()
        if floor is None:
            raise ActionRefused(
                "The card delay or the floor cannot be read: mend the relay's settings file first."
            )
        if wanted is None:
            raise ActionRefused("Write the air delay in seconds, such as 2400.", about="seconds")
        if wanted * 1_000 < floor:
            raise ActionRefused(
                f"Not below the floor of {floor / 1_000:g} s, which is set in the relay's settings file.",
                about="seconds",
            )
        if wanted > LONGEST_S:
            raise ActionRefused(f"Not above {LONGEST_S:,} s: the relay keeps no more of a table.", about="seconds")
        before = "no number" if now is None else f"{now / 1_000:g} s"
        return f"{before} → {wanted:g} s"

    def _set_delay(self, by: str, seconds: str, text: str) -> str:
        """On record first: no change of the delay is without a name."""
        with self._changing:
            try:
                self._audit.note(by, AIR, text)
                write_whole(self._file, f"{seconds}\n".encode(), mode=0o600)
            except (OSError, LedgerError) as error:
                raise ActionRefused(f"The air delay stays as it is: it cannot be recorded ({error}).") from error
            self._changed(seconds)
        return f"Air delay: {text}."
