"""The time of a simulated board: microseconds that only pass when somebody uses them."""


class Happening:
    """Something that comes at its time; subclasses say what."""

    def happen(self, now: int) -> None:
        raise NotImplementedError


class TimeLine:
    """`now` in microseconds since the board has power. What is planned happens in its order, while time passes."""

    def __init__(self) -> None:
        self.now = 0
        self._plan: list[tuple[int, Happening]] = []  # the next one is the last

    def plan(self, at: int, happening: Happening) -> None:
        """Let `happening` come at `at`, behind what is planned for the same moment; one that is late comes as soon
        as time passes."""
        place = len(self._plan)
        while place and self._plan[place - 1][0] <= at:
            place -= 1
        self._plan.insert(place, (at, happening))

    def next_at(self) -> int | None:
        """When the next planned thing comes; None: nothing is planned."""
        return self._plan[-1][0] if self._plan else None

    def passes(self, duration: int) -> None:
        """Let `duration` microseconds pass."""
        end = self.now + duration
        if not self._plan or self._plan[-1][0] > end:  # nearly always
            self.now = end
            return
        while self._plan and self._plan[-1][0] <= end:
            at, happening = self._plan.pop()
            self.now = max(self.now, at)
            happening.happen(self.now)
        self.now = max(self.now, end)
