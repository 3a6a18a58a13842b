"""Blind schedules: levels, breaks and meals as a book has them, one that suits the field, and the night's end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from table_core.messages import Chips, Level, Millis
from table_core.rulebook import Rulebook
from table_core.tournament.clock import MINUTE_MS, ScheduleError, TournamentClock, length_ms
from table_core.tournament.local_day import DAY_MINUTES, PLAIN_DAY, LocalDay, time_of_day
from table_core.tournament.policies import Tournament

BIG_BLINDS_AT_THE_END = 20  # chips in play when the last two play, in big blinds of the last level
USUAL_MINUTES = 20.0  # of a level, where the book names none
USUAL_BREAK = (120.0, 10.0)  # every so many minutes of play, for so many
MEAL_NEAR = 15.0  # a meal within so many minutes takes the place of a break
EVENING_HOURS = 3.5  # of play, where nobody has said more
PLAYERS_A_TABLE, STACK, SMALLEST_CHIP = 8, 5_000, 25  # where the book names none
_STEPS = (1, 1.5, 2, 3, 4, 5, 6, 8)  # of the first digits of a blind
_LADDER = (1, 2, 3, 4, 6, 8, 12, 16, 20, 30, 40, 60, 80, 120, 160, 200, 300, 400, 600, 800)
TEMPLATES = {"turbo": 10.0, "standard": 20.0, "slow": 30.0, "deep": 40.0}  # minutes of a level


def minutes_of(book: Tournament, no: int) -> float:
    """Length of level `no` by the book."""
    later = book.level_minutes_from_fifth
    if no >= 5 and later is not None:
        return float(later.value)
    return float(book.level_minutes.value) if book.level_minutes is not None else USUAL_MINUTES


def ladder(rulebook: Rulebook, count: int, *, smallest_chip: int = 25) -> tuple[Level, ...]:
    """`count` levels that begin with the book's first, in steps that players know."""
    first = rulebook.tournament.first_level
    big = first.value[-1] if first is not None else 2 * smallest_chip
    small = first.value[0] if first is not None and len(first.value) > 1 else big // 2
    if not 0 < count <= len(_LADDER):
        raise ScheduleError(f"levels: {count} of them; expected 1 to {len(_LADDER)}")
    return tuple(Level(no, Chips(small * x), Chips(big * x)) for no, x in enumerate(_LADDER[:count], 1))


def doubling(rulebook: Rulebook, first: Level, count: int) -> tuple[Level, ...]:
    """`count` levels, each with twice the blinds and ante of the one before, in the book's time for that.

    Raise `ScheduleError` for a book that has no such time.
    """
    every = rulebook.tournament.blinds_double_after_minutes
    if every is None:
        raise ScheduleError(f"rulebook {rulebook.id} says nothing of blinds that double")
    return tuple(
        replace(
            first,
            no=at + 1,
            small_blind=Chips(first.small_blind << at),
            big_blind=Chips(first.big_blind << at),
            ante=Chips(first.ante << at),
            big_blind_ante=Chips(first.big_blind_ante << at),
            minutes=float(every.value),
        )
        for at in range(count)
    )


def of_lengths(book: Tournament, levels: Sequence[Level], minutes: float | None = None) -> tuple[Level, ...]:
    """The levels with the book's lengths, or each with `minutes`."""
    return tuple(replace(one, minutes=minutes or minutes_of(book, one.no)) for one in levels if not one.is_break)


@dataclass(slots=True)
class _Rests:
    """When the next break is due. `clock` are minutes since the start, `played` those since the last break."""

    book: Tournament
    starts: float | None  # minutes since midnight
    day: LocalDay
    clock: float = 0.0
    played: float = 0.0
    breaks: int = 0

    def meal_in(self) -> tuple[float, float] | None:
        """Minutes until the next meal and how long it takes."""
        if self.starts is None or self.book.meals is None:
            return None
        known = [(time_of_day(text), length) for text, length in self.book.meals.value]
        found = [(self._until(at) - self.clock, length) for at, length in known if at is not None]
        return min((one for one in found if one[0] >= 0), default=None)

    def _until(self, minutes: float) -> float:
        """Minutes from the start until it is that time of day."""
        start = self.day.at(self.starts or 0.0)
        return (self.day.next_at(minutes, start - 1) - start) / MINUTE_MS

    def due_in(self, done: int, ahead: float) -> tuple[float, Level] | None:
        """Minutes of play until the next break, and the break. `done` is the last level that is over, `ahead` the
        length of the level that comes."""
        every, length = USUAL_BREAK
        if self.book.break_every_minutes is not None:
            every = float(self.book.break_every_minutes.value)
        if self.book.break_minutes is not None:
            length = float(self.book.break_minutes.value)
        first, at_end = self.book.first_break_after_level, self.book.breaks_at_level_end
        wait = every - self.played
        if first is not None and not self.breaks:
            wait = 0.0 if done >= first.value else DAY_MINUTES
        elif at_end is None or at_end.value:
            wait = 0.0 if self.played and wait < ahead / 2 else DAY_MINUTES
        meal = self.meal_in()
        if meal is not None and meal[0] <= max(0.0, wait) + MEAL_NEAR:
            return meal[0], _rest(meal[1], "meal")
        return max(0.0, wait), _rest(length, "")

    def went_by(self, minutes: float) -> None:
        self.clock, self.played = self.clock + minutes, self.played + minutes

    def left_of_day(self) -> float:
        """Minutes until midnight; 0 without meals, behind midnight, and where the start is not known."""
        if self.book.meals is None or self.starts is None:
            return 0.0
        return max(0.0, (self.day.at(DAY_MINUTES) - self.day.at(self.starts)) / MINUTE_MS - self.clock)

    def rest(self, minutes: float) -> None:
        self.clock, self.played, self.breaks = self.clock + minutes, 0.0, self.breaks + 1


def _rest(minutes: float, what: str) -> Level:
    return Level(0, Chips(0), Chips(0), minutes=minutes, is_break=True, what=what)


def with_breaks(
    book: Tournament,
    levels: Sequence[Level],
    *,
    starts: float | None = None,
    day: LocalDay = PLAIN_DAY,
    runs_on: bool = False,
) -> tuple[Level, ...]:
    """The levels with the book's breaks, and with its meals where it is known when play `starts` (minutes since
    midnight, on `day`). A break in the middle of a level leaves the rest of the level for afterwards.

    `runs_on`: where the book has meals the last level goes on, with the book's breaks and meals, until about
    midnight: a night that outlasts its levels has them too.
    """
    rests, done = _Rests(book, starts, day), 0
    entries: list[Level] = []
    for level in levels:
        left = level.minutes
        while left > 0 or (runs_on and level is levels[-1] and rests.left_of_day()):
            left = left or min(level.minutes, rests.left_of_day())
            due = rests.due_in(done, left)
            if due is not None and not due[0]:
                entries.append(due[1])
                rests.rest(due[1].minutes)
                continue
            part = left if due is None else min(left, due[0])
            before = entries.pop().minutes if entries and entries[-1].no == level.no else 0.0
            entries.append(replace(level, minutes=before + part))
            rests.went_by(part)
            left -= part
        done = level.no
    return tuple(entries)


def by_book(
    rulebook: Rulebook,
    levels: Sequence[Level],
    *,
    starts: float | None = None,
    day: LocalDay = PLAIN_DAY,
    minutes: float | None = None,
    runs_on: bool = False,
) -> tuple[Level, ...]:
    """The blinds of `levels` in the book's lengths, or `minutes`, with its breaks."""
    lengths = of_lengths(rulebook.tournament, levels, minutes)
    return with_breaks(rulebook.tournament, lengths, starts=starts, day=day, runs_on=runs_on)


def with_colour_ups(levels: Sequence[Level], chips: Sequence[int]) -> tuple[Level, ...]:
    """The schedule with what leaves play in its breaks: the smallest chips (values, any order), one kind a break,
    once every later blind and ante can be paid with larger ones."""
    values, found = sorted(set(chips)), list(levels)
    for at, entry in enumerate(found):
        if not entry.is_break or len(values) < 2:
            continue
        later = [level for level in found[at:] if not level.is_break]
        amounts = [
            amount
            for level in later
            for amount in (level.small_blind, level.big_blind, level.ante, level.big_blind_ante)
        ]
        if later and all(amount % values[1] == 0 for amount in amounts):
            found[at] = replace(entry, colour_up=Chips(values.pop(0)))
    return tuple(found)


def for_an_evening(rulebook: Rulebook, tables: int) -> tuple[tuple[Level, ...], Chips]:
    """A schedule for full tables and an evening, and the smallest chip that it needs: what a room begins with
    before anybody has planned its event."""
    book = rulebook.tournament
    stack = book.starting_stack.value if book.starting_stack is not None else STACK
    chip = book.first_level.value[0] if book.first_level is not None else SMALLEST_CHIP
    players = PLAYERS_A_TABLE * tables
    levels = suggested(rulebook, players=players, stack=stack, hours=EVENING_HOURS, smallest_chip=chip)
    return levels, Chips(chip)


def suggested(
    rulebook: Rulebook,
    *,
    players: int,
    stack: int,
    hours: float,
    smallest_chip: int,
    minutes: float | None = None,
    starts: float | None = None,
    day: LocalDay = PLAIN_DAY,
) -> tuple[Level, ...]:
    """A schedule after which about 20 big blinds of chips are in play, in levels of the book's length and with
    its breaks. `smallest_chip` is the least chip in the stacks.

    Raise `ScheduleError` where that many players with that stack do not fit into the hours.
    """
    book = rulebook.tournament
    lengths: list[float] = []
    while sum(lengths) < hours * 60 - 1e-9 and len(lengths) < 1_000:
        lengths.append(minutes or minutes_of(book, len(lengths) + 1))
    if lengths and sum(lengths) - hours * 60 > lengths[-1] / 2:
        lengths.pop()
    first = book.first_level.value[-1] if book.first_level is not None else max(2 * smallest_chip, 2)
    last = players * stack / BIG_BLINDS_AT_THE_END
    if len(lengths) < 2 or players < 2 or last <= first:
        raise ScheduleError(
            f"{players} players with {stack:,} chips each and {hours:g} h of play give no schedule: "
            "give more chips or more time"
        )
    growth = (last / first) ** (1 / (len(lengths) - 1))
    blinds = [max(2 * smallest_chip, first)]
    while len(blinds) < len(lengths):
        wanted = _rounded(first * growth ** len(blinds), smallest_chip)
        blinds.append(max(wanted, blinds[-1] + 2 * smallest_chip))
    levels = [Level(no, Chips(big // 2), Chips(big)) for no, big in enumerate(blinds, 1)]
    return by_book(rulebook, levels, starts=starts, day=day, minutes=minutes)


def _rounded(amount: float, chip: int) -> int:
    """A big blind near `amount` that reads well and whose half is a whole number of chips."""
    magnitude = 10 ** (len(str(int(amount))) - 1)
    best = min((step * magnitude for step in (*_STEPS, 10)), key=lambda candidate: abs(candidate - amount))
    return int(max(2 * chip, round(best / (2 * chip)) * 2 * chip))


def projected_end(clock: TournamentClock, now: Millis, chips: int) -> Millis:
    """When the tournament is likely to be over, the clock running on: at the end of the first level at which all
    `chips` in play are no more than 20 big blinds, the last level at the latest."""
    reading = clock.read(now)
    at = now + reading.left_ms
    for index in range(reading.index, len(clock.levels)):
        level = clock.levels[index]
        if index > reading.index:
            at += length_ms(level)
        if not level.is_break and 0 < chips <= BIG_BLINDS_AT_THE_END * level.big_blind:
            break
    return Millis(at)
