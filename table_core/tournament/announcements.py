"""What the organiser announces before the start, under the rulebook in force and with the event's own values.

`[announcements]` of the book names the topics in their order, each with the rule that asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from table_core.messages import Few, Frozen, Level, Many, Millis, Name, Text
from table_core.notices import Topic
from table_core.parameters import Blind, HeadsUpButton, ShowdownOrder, SilentChips
from table_core.rulebook import Rulebook
from table_core.tournament.clock import MINUTE_MS, length_ms
from table_core.tournament.events import CENTS
from table_core.tournament.money.prizes import payouts
from table_core.tournament.state import State

STREETS = ("before the flop", "on the flop", "on the turn", "on the river")
MEAL_MINUTES = 30  # a break without a name and at least as long is a meal


class Line(Frozen, frozen=True):
    """One sentence; `rule` is the rule behind it. `at`: the wall time that it is about."""

    text: Text
    rule: Name = ""
    at: Millis | None = None


class Announcement(Frozen, frozen=True):
    topic: Name
    heading: Text
    rule: Name
    lines: Few[Line]


class LevelLine(Frozen, frozen=True):
    """An entry of the schedule; `at` is the wall time of its start, where that is known."""

    level: Level
    at: Millis | None = None


class Announcements(Frozen, frozen=True):
    """The page before the start. `prizes` by place: cents, or per cent of the purse where it is not known yet."""

    name: Text
    book: Text
    revision: Name
    starts: Millis | None
    topics: Few[Announcement]
    levels: Many[LevelLine]
    prizes: Few[Text]
    prizes_rule: Name
    zone: Name = ""  # of times of day, `America/New_York`; empty: UTC


def announced(state: State, levels: Sequence[Level], zone: str = "") -> Announcements:
    """`levels`: the schedule of the station where no event is open; `zone`: its time zone."""
    book = state.book
    schedule = tuple(_timed(state.clock.levels if state.clock is not None else levels, state.starts))
    told = _Told(book, schedule)
    topics = tuple(
        Announcement(topic, _TOPICS[topic][0], rule, tuple(_TOPICS[topic][1](told)))
        for topic, rule in book.announcements.items()
    )
    prizes, rule = _prizes(state)
    revision = book.sha256()[:12]
    return Announcements(state.name, book.name, revision, state.starts, topics, schedule, prizes, rule, zone)


def _timed(levels: Sequence[Level], starts: Millis | None) -> Iterator[LevelLine]:
    at = starts
    for level in levels:
        yield LevelLine(level, at)
        at = Millis(at + length_ms(level)) if at is not None else None


def _prizes(state: State) -> tuple[tuple[str, ...], str]:
    book, amounts = state.book.tournament, payouts(state)
    rule, posted = book.payout_stakes or book.payouts, book.money_posted
    if rule is None or (posted is not None and not posted.value):
        return (), ""
    if any(amounts):
        return tuple(f"Place {no}: {amount / CENTS:,.2f}" for no, amount in enumerate(amounts, 1)), rule.rule
    if book.payout_stakes is not None:
        rows = book.payout_stakes.value
        return tuple(f"{sum(row)} entrants: {', '.join(map(str, row))} stakes" for row in rows), rule.rule
    shares = book.payouts.value if book.payouts is not None else ()
    return tuple(f"Place {no}: {share:g} per cent" for no, share in enumerate(shares, 1)), rule.rule


class _Told:
    """What the sentences are made of."""

    def __init__(self, book: Rulebook, schedule: Sequence[LevelLine]) -> None:
        self.book = book
        self.schedule = schedule
        self.played = [one for one in schedule if not one.level.is_break]

    def line(self, section: str, parameter: str, words: Mapping[Any, str]) -> Iterator[Line]:
        """The sentence for the value of a parameter; none where every book is silent or no words are known."""
        rule = getattr(getattr(self.book, section), parameter)
        if rule is not None and rule.value in words:
            yield Line(words[rule.value], rule.rule)


def _best_hand(told: _Told) -> Iterator[Line]:
    text = "The best five of your two cards and the five on the board are your hand; they may be the board alone."
    yield Line(text, told.book.cites.cards_speak)


def _words_bind(told: _Told) -> Iterator[Line]:
    yield Line("What you say in turn is what you do. A knock is a check; cards tossed to the dealer are a fold.")
    silent = {
        SilentChips.CALL: "Chips without words are a call: say that you bet or raise before they move.",
        SilentChips.TOTAL: "Several chips without words are a raise to their total.",
        SilentChips.RAISE_FROM_HALF: "Several chips without words are a raise from half of the smallest raise on.",
    }
    yield from told.line("rules", "silent_chips", silent)


def _string_bets(told: _Told) -> Iterator[Line]:
    yield Line("No string bets: chips move once, unless you said the amount, or that you raise, before.")


def _splashing(told: _Told) -> Iterator[Line]:
    reason = told.book.reasons.get("splashing")
    text = "Do not splash the pot: put your chips down in front of you."
    yield Line(text, reason.rule if reason is not None else "")


def _check_raise(told: _Told) -> Iterator[Line]:
    words = {True: "You may check and raise later in the same round.", False: "Who has checked may not raise."}
    yield from told.line("rules", "check_raise", words)


def _chips_and_blinds(told: _Told) -> Iterator[Line]:
    book = told.book.tournament
    if book.starting_stack is not None:
        yield Line(f"You begin with {book.starting_stack.value:,} in chips.", book.starting_stack.rule)
    if book.starting_chips is not None:
        values = ", ".join(f"{count} of {value}" for value, count in book.starting_chips.value)
        yield Line(f"By value: {values}.", book.starting_chips.rule)
    if told.played:
        yield Line(f"The blinds begin at {blinds(told.played[0].level)}.")
    for before, after in pairwise(told.played):
        yield Line(f"After {lasting(before.level.minutes)} they are {blinds(after.level)}.", "", after.at)


def _out_of_turn(told: _Told) -> Iterator[Line]:
    check = {
        "no_raise": "A check out of turn: you may not bet or raise at your turn.",
        "must_call": "A check out of turn: you must call a bet made in turn, and may neither raise nor fold.",
    }
    bet = {
        "may_bind": "A bet or raise out of turn may bind, unless somebody before you bets, calls or raises.",
        "check_if_checked_before": "A bet or raise out of turn is a check when the player before you then checks.",
        "conduct": "Acting out of turn on purpose is a matter of conduct.",
    }
    call = {
        "may_bind": "A call out of turn may bind, unless somebody before you bets, calls or raises.",
        "never_a_raise": "A call out of turn never becomes a raise.",
    }
    yield from told.line("policies", "out_of_turn_check", check)
    yield from told.line("policies", "out_of_turn_bet", bet)
    yield from told.line("policies", "out_of_turn_call", call)


def _after_the_hand(told: _Told) -> Iterator[Line]:
    yield Line("When a hand is won no further card is shown.", told.book.cites.after_the_hand)


def _breaks(told: _Told) -> Iterator[Line]:
    book, minutes = told.book.tournament, 0.0
    breaks = book.break_every_minutes or book.first_break_after_level
    for one in told.schedule:
        level = one.level
        if level.is_break:
            meal = level.what or ("Meal" if level.minutes >= MEAL_MINUTES else "Break")
            rule = book.meals if book.meals is not None and level.minutes >= MEAL_MINUTES else breaks
            text = f"{meal.capitalize()} of {lasting(level.minutes)}, {lasting(minutes)} after the start."
            yield Line(text, rule.rule if rule is not None else "", one.at)
        minutes += length_ms(level) / MINUTE_MS
    if not any(one.level.is_break for one in told.schedule):
        yield Line("There are no breaks.")


def _heads_up(told: _Told) -> Iterator[Line]:
    words = {
        HeadsUpButton.SMALL_BLIND: "With two players left the button has the small blind. It acts first before "
        "the flop and last after it.",
        HeadsUpButton.BIG_BLIND: "With two players left the button has the big blind and acts last.",
    }
    yield from told.line("rules", "heads_up_button", words)


def _rebuys(told: _Told) -> Iterator[Line]:
    book = told.book.tournament
    rule, until = book.rebuys or book.rebuys_unlimited, book.rebuy_before_level
    if rule is None or not rule.value:
        yield Line("There are no rebuys.", rule.rule if rule is not None else "")
        return
    many = "without limit" if isinstance(rule.value, bool) else f"{rule.value} for each player"
    ends = f", before the first hand of level {until.value}" if until is not None else ""
    yield Line(f"Rebuys: {many}{ends}.", rule.rule)


def _raises(told: _Told) -> Iterator[Line]:
    cap = told.book.rules.raise_cap
    many = f"At most {cap.value} bets and raises in a round." if cap.value else "Any number of raises in a round."
    yield Line(many, cap.rule)


def _short_blind(told: _Told) -> Iterator[Line]:
    yield Line("Who cannot pay a blind is all-in and can win that much from each player who calls.")


def _showdown(told: _Told) -> Iterator[Line]:
    words = {
        ShowdownOrder.LAST_AGGRESSOR: "At showdown whoever bet or raised last shows first. If nobody did, it is "
        "the first player left of the button.",
        ShowdownOrder.LEFT_OF_BUTTON: "At showdown the first player left of the button shows first.",
    }
    yield from told.line("rules", "showdown_order", words)


def _smallest_bets(told: _Told) -> Iterator[Line]:
    rule = told.book.rules.min_bet_by_street
    first = told.played[0].level if told.played else None
    for blind, streets in groupby(zip(rule.value, STREETS, strict=True), key=lambda pair: pair[0]):
        small = blind is Blind.SMALL_BLIND
        *others, last = (street for _, street in streets)
        where = f"{', '.join(others)} and {last}" if others else last
        where = "on every street" if len(others) + 1 == len(STREETS) else where
        amount = f", {first.small_blind if small else first.big_blind:,} at the start" if first is not None else ""
        yield Line(f"The smallest bet {where} is the {'small' if small else 'big'} blind{amount}.", rule.rule)


def lasting(minutes: float) -> str:
    """`20 minutes`, `7.5 minutes`; less than one: `40 seconds`."""
    if minutes < 1:
        return f"{round(minutes * 60)} seconds"
    return "1 minute" if minutes == 1 else f"{round(minutes, 1):g} minutes"


def blinds(level: Level) -> str:
    """`25/50`, `100/200 with an ante of 25`."""
    ante = level.ante or level.big_blind_ante
    return f"{level.small_blind:,}/{level.big_blind:,}" + (f" with an ante of {ante:,}" if ante else "")


_TOPICS: Mapping[Topic, tuple[str, Callable[[_Told], Iterator[Line]]]] = {
    Topic.BEST_HAND: ("The best hand", _best_hand),
    Topic.WORDS_BIND: ("Words bind", _words_bind),
    Topic.STRING_BETS: ("String bets", _string_bets),
    Topic.SPLASHING: ("Splashing", _splashing),
    Topic.CHECK_RAISE: ("Check and raise", _check_raise),
    Topic.CHIPS_AND_BLINDS: ("Chips and blinds", _chips_and_blinds),
    Topic.OUT_OF_TURN: ("Out of turn", _out_of_turn),
    Topic.AFTER_THE_HAND: ("When a hand is won", _after_the_hand),
    Topic.BREAKS: ("Breaks and meals", _breaks),
    Topic.HEADS_UP: ("The last two", _heads_up),
    Topic.REBUYS: ("Rebuys", _rebuys),
    Topic.RAISES: ("Raises", _raises),
    Topic.SHORT_BLIND: ("Short of a blind", _short_blind),
    Topic.SHOWDOWN: ("Who shows first", _showdown),
    Topic.SMALLEST_BETS: ("The smallest bet", _smallest_bets),
}
