"""Views that hide nothing: what raises in one raises, so that a campaign finds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from feltwire.runtime.views import Fault, Part, T, Views


class StrictViews(Views):
    def show(self, part: Part, make: Callable[[], T], instead: Callable[[Fault], T]) -> T:
        return make()

    def note(self, part: Part, error: BaseException) -> NoReturn:
        raise error

    def __deepcopy__(self, _: dict[int, Any]) -> StrictViews:
        """The same: they keep nothing, and a copy of a table's memory may share them."""
        return self
