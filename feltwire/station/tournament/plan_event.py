"""The form of an event as it is filled in: values, what is wrong, what follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from feltwire.time_zone import zone_named
from table_core.messages import Few, Frozen, Level, Millis, Name, Said
from table_core.rulebook import Rulebook, RulebookError
from table_core.rulebook_check import contradictions
from table_core.rulebook_file import section_of
from table_core.setting_forms import ANY, all_settings, as_typed, form_of, read_all, typed_of
from table_core.tournament.chips.handout import Handout, OwnChips, handout
from table_core.tournament.clock import MINUTE_MS, ScheduleError
from table_core.tournament.field.entries import MONEY_SETTINGS
from table_core.tournament.local_day import time_of_day
from table_core.tournament.outlook import outlook
from table_core.tournament.schedule import SMALLEST_CHIP, suggested, with_colour_ups

Typed = Annotated[str, Meta(max_length=2_000)]


class PlanEvent(Frozen, frozen=True):
    """What an event would come to with these settings, as typed; nothing is done. The answer is a `PlannedEvent`.

    `hours` of play: a schedule is suggested; 0: the station's. `chips` of the club, of which stacks are made for
    `players` and `rebuys` more stacks. `whole`: also what the book says of every setting. While an event is
    open it is about the settings that it would have.
    """

    rulebook: Name = ""
    typed: dict[Name, Typed] = msgspec.field(default_factory=dict)
    players: Annotated[int, Meta(ge=1, le=10_000)] = 10
    rebuys: Annotated[int, Meta(ge=0, le=100_000)] = 0
    hours: Annotated[float, Meta(ge=0, le=100)] = 0
    chips: Few[OwnChips] = ()
    whole: bool = False


class TypedFault(Frozen, frozen=True):
    """What is wrong with a setting; `warns`: it may be so all the same."""

    name: Name
    text: Said
    rule: Name = ""
    warns: bool = False


class Saying(Frozen, frozen=True):
    """What a book says of a setting, as it is typed; `house`: the station's settings say it."""

    typed: str
    rule: Name
    house: bool = False


class PlannedEvent(Frozen, frozen=True):
    """`house` are the settings for `open`; `levels` for it, where a schedule was asked for."""

    house: dict[str, Any]
    faults: Few[TypedFault]
    says: tuple[str, ...]
    levels: tuple[Level, ...] = ()
    chips: Handout | None = None
    book: dict[str, Saying] | None = None
    event: dict[str, str] | None = None  # the settings of the event that is open, as they are typed


def planned(
    wanted: PlanEvent,
    book: Rulebook,
    *,
    house: Mapping[str, Any],
    levels: Sequence[Level],
    wall: Millis,
    zone: str,
    event: Mapping[str, Any] | None = None,
) -> PlannedEvent:
    """`book` as printed, `house` and `levels` those of the station, `wall` the time now; `event`: the settings
    of the one that is open."""
    values, unread = read_all(wanted.typed)
    faults = [TypedFault(name, text) for name, text in unread.items()]
    settings = {**(house if event is None else {}), **values}
    over = book
    try:
        over = book.with_house(settings, event=True)
        faults += _wrong(over, values, settings)
    except RulebookError as error:
        faults.append(TypedFault("", f"{error}."))
    says: tuple[str, ...] = ()
    plan, made = tuple(levels), None
    if all(one.warns for one in faults):
        try:
            plan = _schedule(wanted, over, plan)
            made = _chips(wanted, over, plan)
            says = (*_outlook(over, plan, wanted.players, wall, zone), *_pieces(wanted, over))
        except ScheduleError as error:
            faults.append(TypedFault("hours", f"{_sentence(str(error))}"))
    own = _book(book.with_house(house, event=True)) if wanted.whole else None
    now = typed_of(event) if event is not None and wanted.whole else None
    return PlannedEvent(values, tuple(faults[:100]), says, plan if wanted.hours else (), made, own, now)


def _wrong(book: Rulebook, values: Mapping[str, Any], settings: Mapping[str, Any]) -> list[TypedFault]:
    """What cannot be, each at a field that was typed."""
    free = book.tournament.play_is_free
    if free is not None and free.value:
        costs = [name for name in MONEY_SETTINGS if values.get(name)]
        return [TypedFault(name, "Play is free under this book.", free.rule) for name in costs]
    found = []
    for one in contradictions(book):
        at = next((name for name in one.settings if name in values), None)
        if at is not None:
            may_be = not (settings.keys() >= {*one.settings} or "max_seats" in one.settings)
            others = [form_of(name).title for name in one.settings if name != at and section_of(name) is not None]
            beside = f" See: {', '.join(others)}." if others else ""
            found.append(TypedFault(at, f"{_sentence(one.wrong)}{beside}", warns=may_be))
    if values.get("bounties") and book.tournament.bounty_price is None:
        found.append(TypedFault("bounty_price", "Write what the bounty on a player is."))
    return found


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _schedule(wanted: PlanEvent, book: Rulebook, levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """The schedule for so many hours of play; without hours the one that there is."""
    values = sorted({one.value for one in wanted.chips if one.count})
    if wanted.hours:
        stack = book.tournament.starting_stack
        if stack is None:
            raise ScheduleError("a schedule for these hours wants a starting stack")
        start = book.tournament.start_time
        levels = suggested(
            book,
            players=wanted.players,
            stack=stack.value,
            hours=wanted.hours,
            smallest_chip=values[0] if values else SMALLEST_CHIP,
            starts=time_of_day(start.value) if start is not None else None,
        )
        return with_colour_ups(levels, values) if values else levels
    return levels


def _chips(wanted: PlanEvent, book: Rulebook, levels: Sequence[Level]) -> Handout | None:
    stack = book.tournament.starting_stack
    if not wanted.chips or stack is None:
        return None
    made = book.tournament.starting_chips
    given = dict(made.value) if made is not None and "starting_chips" in book.house else None
    values = [one.value for one in wanted.chips if one.count]
    leaving = (
        {level.colour_up for level in with_colour_ups(levels, values) if level.colour_up} if values else set()
    )
    return handout(
        wanted.chips,
        stack=stack.value,
        players=wanted.players,
        rebuys=wanted.rebuys,
        made_of=given,
        leaving=leaving,
    )


def _pieces(wanted: PlanEvent, book: Rulebook) -> tuple[str, ...]:
    """What the stacks need, where the pieces of one are typed and nobody has said what the club owns."""
    made = book.tournament.starting_chips
    if made is None or wanted.chips or "starting_chips" not in wanted.typed:
        return ()
    need = ", ".join(f"{count * wanted.players} of {value:,}" for value, count in made.value)
    pieces, players = sum(count for _, count in made.value), wanted.players
    return (f"A stack is {pieces} chips. {players} player{'s need' if players != 1 else ' needs'} {need}.",)


def _outlook(book: Rulebook, levels: tuple[Level, ...], players: int, wall: Millis, zone: str) -> tuple[str, ...]:
    looked = outlook(book, levels, players)
    hours, minutes = divmod(looked.minutes, 60)
    start = book.tournament.start_time
    at = time_of_day(start.value) if start is not None else None
    if at is not None and start is not None:
        end = round(at + looked.minutes)
        return (*looked.says, f"Begun at {start.value}, it ends about {end // 60 % 24:02}:{end % 60:02}.")
    ends = datetime.fromtimestamp((wall + looked.minutes * MINUTE_MS) / 1_000, zone_named(zone))
    return (*looked.says, f"Begun now, it ends about {ends:%H:%M}: {hours} h {minutes:02} min with breaks.")


def _book(book: Rulebook) -> dict[str, Saying]:
    """What the book says, setting by setting; the rest is silent."""
    found: dict[str, Saying] = {}
    for name in all_settings():
        section = section_of(name)
        rule = getattr(getattr(book, section or ""), name, None)
        if rule is not None:
            value = msgspec.json.decode(msgspec.json.encode(rule.value))
            found[name] = Saying(as_typed(name, value), rule.rule, name in book.house)
    if "rebuys_unlimited" in found and "rebuys" not in found and found["rebuys_unlimited"].typed == "yes":
        found["rebuys"] = msgspec.structs.replace(found["rebuys_unlimited"], typed=ANY)
    return found
