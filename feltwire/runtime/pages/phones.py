"""The admission of a process: what its node is told of those who ask and of those who were let in."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from display.identity.admission import Admission
from display.identity.signin import SignIn
from feltwire.runtime.node_io import ScreensSeen
from table_core.messages import AdmittedScreen, AskingScreen, Millis, ScreenAnswer


class Phones:
    """`put` enqueues an input of the node; `table`: whose keypad phones become, empty at the station. Usable from
    several threads."""

    def __init__(
        self, signin: SignIn, table: str, put: Callable[[ScreensSeen], object], now: Callable[[], Millis]
    ) -> None:
        self._put = put
        self._now = now
        self._ticks = signin.ticks
        self.admission = Admission(signin, table, self.look)
        self.seen = ScreensSeen(now())

    def look(self) -> None:
        """Tell the node where a list has changed: also where a request ran out, or a session."""
        seen = self._lists()
        if _lasting(seen) != _lasting(self.seen):
            self.seen = seen
            self._put(seen)

    def answer(self, screen: str, answer: ScreenAnswer, by: str) -> None:
        if answer is ScreenAnswer.END:
            self.admission.end(screen, by)
        else:
            self.admission.answer(screen, admit=answer is ScreenAnswer.ADMIT, by=by)
        self.look()

    def _lists(self) -> ScreensSeen:
        ticks = self._ticks()
        asking = tuple(
            AskingScreen(
                one.screen.id,
                one.screen.code,
                max(0, int((ticks - one.screen.asked) * 1000)),
                one.screen.address,
                one.secure,
                one.name,
                one.role,
            )
            for one in self.admission.asking()
        )
        admitted = tuple(
            AdmittedScreen(session.id, person.name, Millis(int(session.made_at * 1000)), session.address)
            for session, person in self.admission.admitted()
        )
        return ScreensSeen(self._now(), asking, admitted)


def _lasting(seen: ScreensSeen) -> ScreensSeen:
    """Without what time alone changes."""
    asking = tuple(replace(one, ms_ago=0) for one in seen.asking)
    return ScreensSeen(Millis(0), asking, seen.admitted)
