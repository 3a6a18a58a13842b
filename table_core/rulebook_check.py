"""What a rulebook's settings say together: which cannot hold at once, and where the book leaves an event open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from table_core.parameters import ButtonMethod
from table_core.rulebook import Rulebook
from table_core.tournament.local_day import time_of_day
from table_core.tournament.policies import InitialButton

FEWEST_SEATS, MOST_SEATS = 2, 11
MOST_BOARDS = 3  # when all-in players agree to several
CARDS_OF_A_SUIT_DEALT = 9  # ace to nine, one a seat (`InitialButton.ACE`)


class Contradiction(NamedTuple):
    """Settings that cannot hold together, the one to mend first."""

    settings: tuple[str, ...]
    wrong: str
    write: str

    def __str__(self) -> str:
        return f"{' and '.join(self.settings)}: {self.wrong}; {self.write}"


class Silence(NamedTuple):
    """A setting that neither the book nor `base` has, and what holds then."""

    setting: str
    then: str


class _Values:
    """The values of a book's settings by name; None where it and `base` are silent."""

    def __init__(self, book: Rulebook) -> None:
        self.spoken = book.spoken
        self._book = book

    def __getitem__(self, name: str) -> Any:
        for section in (self._book.rules, self._book.policies, self._book.tournament):
            if name in section.__struct_fields__:
                rule = getattr(section, name)
                return rule.value if rule is not None else None
        return None


_FEES = ("entry_fee", "fee_for_food", "fee_for_extra_prizes", "fee_for_best_hand")
_OF_REBUYS = ("rebuy_before_level", "rebuy_below", "rebuy_below_at_break")
Found = Iterator[tuple[tuple[str, ...] | str, str, str]]


def contradictions(book: Rulebook) -> tuple[Contradiction, ...]:
    """Everything in `book` that cannot hold together."""
    values = _Values(book)
    found = []
    for look in _LOOKS:
        for settings, wrong, write in look(values):
            names = (settings,) if isinstance(settings, str) else settings
            found.append(Contradiction(names, wrong, write))
    return tuple(found)


def silences(book: Rulebook) -> tuple[Silence, ...]:
    """What an event needs, or what follows without it, where the book says nothing."""
    values = _Values(book)
    found = [Silence(name, then) for name, then in _SILENT.items() if values[name] is None]
    if values["payouts"] is None and values["payout_stakes"] is None:
        found.append(Silence("payouts", "no place is paid"))
    beside = [(name, then) for name, needs, then in _SILENT_BESIDE if values[needs] and values[name] is None]
    return (*found, *(Silence(name, then) for name, then in beside))


# ------------------------------------------------------------------------------------------------ contradictions


def _seats(book: _Values) -> Found:
    most = book["max_seats"]
    if not FEWEST_SEATS <= most <= MOST_SEATS:
        yield "max_seats", f"a table of {most}", f"write {FEWEST_SEATS} to {MOST_SEATS}"
    for name in ("seats_per_table", "final_table_size"):
        seats = book[name]
        if seats is not None and not FEWEST_SEATS <= seats <= most:
            yield (name, "max_seats"), f"{seats} players where {most} sit", f"write {FEWEST_SEATS} to {most}"
    final, at_others = book["final_table_size"], book["seats_per_table"]
    if final is not None and at_others is not None and final > at_others:
        wrong = f"the final table has {final}, and no table more than {at_others}"
        yield ("final_table_size", "seats_per_table"), wrong, "write a smaller final table, or more seats"
    if book["initial_button"] is InitialButton.ACE and (book["seats_per_table"] or most) > CARDS_OF_A_SUIT_DEALT:
        wrong = "cards of one suit from ace to nine are drawn, and more players sit"
        yield ("initial_button", "max_seats"), wrong, f"write max_seats = {CARDS_OF_A_SUIT_DEALT}, or another draw"
    breaks = book["table_breaks_at"] or ()
    if any(later >= earlier for earlier, later in pairwise(breaks)) or 0 in breaks:
        yield "table_breaks_at", "fewer players are left at each break", "write them from most to fewest: [16, 8]"
    for tables, players in enumerate(reversed(breaks), 1):
        if players > tables * most:
            wrong = f"{players} players are left for {tables} tables of {most}"
            yield ("table_breaks_at", "max_seats"), wrong, f"write {tables * most} or fewer"
    if breaks and book["final_table_size"] not in (None, breaks[-1]):
        wrong = f"the last break leaves {breaks[-1]}, the final table has {book['final_table_size']}"
        yield ("final_table_size", "table_breaks_at"), wrong, "write the same number twice"
    if (book["balance_at_difference"] or 2) < 2:
        wrong = "tables that differ by one player would be balanced for ever"
        yield "balance_at_difference", wrong, "write 2 or more"
    if book["max_entrants"] is not None and book["max_entrants"] < 2:
        yield "max_entrants", "nobody to play against", "write 2 or more"


def _buttons(book: _Values) -> Found:
    if "small_blind_bust_button" in book.spoken and book["button"] is ButtonMethod.MOVING:
        wrong = "a button that moves is never dead"
        yield ("small_blind_bust_button", "button"), wrong, 'take it out, or write button = "dead"'
    share = book["button_redraw_new_share"]
    if share is not None and not 0 < share <= 1:
        yield "button_redraw_new_share", f"{share} is no share", "write a part of 1, as 0.5"


def _late(book: _Values) -> Found:
    cap = book["late_stack_cap"]
    if cap is not None and not 0 < cap <= 1:
        yield "late_stack_cap", f"{cap} is no share of a stack", "write a part of 1, as 0.3"
    deadline = book["late_entry_until_level"], book["late_entry_until_minutes"]
    if cap is not None and deadline == (None, None):
        wrong = "it is for entries after the deadline, and there is none"
        yield "late_stack_cap", wrong, "write late_entry_until_level or late_entry_until_minutes"
    no_show = book["no_show_removed_after_minutes"], book["no_show_level_begins"]
    if book["no_show_suspended"] and no_show == (None, None):
        wrong = "nobody is ever a no-show"
        yield ("no_show_suspended", "no_show_removed_after_minutes"), wrong, "write after how many minutes"
    if book["early_bonus_until"] is not None and not book["early_bonus"]:
        wrong = "there is no bonus"
        yield ("early_bonus_until", "early_bonus"), wrong, "write its chips, or take this out"
    if book["early_bonus_until"] is not None and time_of_day(book["early_bonus_until"]) is None:
        yield "early_bonus_until", f"{book['early_bonus_until']} is no time of day", "write it as 20:30"
    for name, stated in (
        ("start_time", (book["start_time"],)),
        ("meals", [text for text, _ in book["meals"] or ()]),
    ):
        odd = next((text for text in stated if text is not None and time_of_day(text) is None), None)
        if odd is not None:
            yield name, f"{odd} is no time of day", "write it as 20:30"
    if book["late_entry_until_level"] == 0:
        yield "late_entry_until_level", "levels count from 1", "write 1 for no entry after the first hand"


def _rebuys(book: _Values) -> Found:
    if not book["rebuys"] and not book["rebuys_unlimited"]:
        for name in (*_OF_REBUYS, "rebuy_announced_binds"):
            if book[name] is not None:
                wrong = "there are no rebuys"
                yield (name, "rebuys"), wrong, "write rebuys = 1 or more, or take this out"
        if book["rebuy_chips"] is not None and not book["add_on"]:
            wrong = "there is neither a rebuy nor an add-on"
            yield ("rebuy_chips", "rebuys", "add_on"), wrong, "write rebuys = 1 or add_on = true, or take this out"
        if book["rebuy_price"] is not None and not book["add_on"]:
            wrong = "there is neither a rebuy nor an add-on"
            yield ("rebuy_price", "rebuys", "add_on"), wrong, "write rebuys = 1 or add_on = true, or take this out"
    for name in ("add_on_price", "add_on_chips"):
        if book[name] is not None and not book["add_on"]:
            yield (name, "add_on"), "there is no add-on", "write add_on = true, or take this out"
    if book["add_on_chips"] == 0:
        yield "add_on_chips", "nobody buys 0 chips", "write how many chips an add-on is"
    if book["rebuy_chips"] == 0:
        yield "rebuy_chips", "nobody buys 0 chips", "write how many chips a rebuy is"
    if book["rebuy_before_level"] is not None and book["rebuy_before_level"] < 2:
        wrong = "rebuys end before the first hand"
        yield "rebuy_before_level", wrong, "write the level whose first hand ends them, 2 or more"


def _stacks(book: _Values) -> Found:
    stack, chips = book["starting_stack"], book["starting_chips"]
    if stack == 0:
        yield "starting_stack", "nobody plays without chips", "write how many chips a player starts with"
    if chips is not None:
        worth = sum(value * count for value, count in chips)
        if stack is not None and worth != stack:
            wrong = f"the chips are worth {worth:,}, the stack is {stack:,}"
            yield ("starting_chips", "starting_stack"), wrong, "change the counts, or the stack"
        if len({value for value, _ in chips}) < len(chips):
            yield "starting_chips", "a value is there twice", "write each value once: [[25, 8], [100, 8]]"
    for name in ("level_minutes", "level_minutes_from_fifth", "break_minutes", "break_every_minutes"):
        if book[name] == 0:
            yield name, "a time of 0 minutes", "write how many minutes, or take it out"
    blinds = book["first_level"]
    if blinds is not None and (len(blinds) != 2 or not 0 < blinds[0] <= blinds[1]):
        yield "first_level", f"{list(blinds)} is not a small and a big blind", "write both: [25, 50]"
    elif blinds is not None and book["big_blind_in_small_blinds"] not in (0, blinds[1] / blinds[0]):
        wrong = f"a big blind is {book['big_blind_in_small_blinds']} small blinds"
        yield ("first_level", "big_blind_in_small_blinds"), wrong, "write blinds of that proportion"
    for name in ("level_minutes_from_fifth", "break_minutes"):
        other = {"level_minutes_from_fifth": "level_minutes", "break_minutes": "break_every_minutes"}[name]
        if book[name] is not None and book[other] is None:
            yield (name, other), f"the book does not say {other}", f"write {other}"


def _money(book: _Values) -> Found:
    shares = book["payouts"]
    if shares is not None and abs(sum(shares) - 100) > 0.001:
        yield "payouts", f"they add up to {sum(shares):g} per cent", "write shares that add up to 100"
    if shares is not None and (min(shares, default=0) <= 0 or any(b > a for a, b in pairwise(shares))):
        yield "payouts", "a place gets no money, or more than a better one", "write them from most to least"
    stakes = book["payout_stakes"]
    if shares is not None and stakes is not None:
        wrong = "a place is paid by its share or in stakes, not both"
        yield ("payouts", "payout_stakes"), wrong, "take one out"
    sums = [sum(row) for row in stakes or ()]
    if stakes is not None and (len(set(sums)) < len(sums) or 0 in sums or not sums):
        yield "payout_stakes", "two rows are for one size of field", "write one row a size: [[5, 2, 1], [6, 3, 1]]"
    if book["satellite_to"] is not None and book["satellite_seat"] is None:
        wrong = "nobody knows how many entries are won"
        yield ("satellite_to", "satellite_seat"), wrong, "write what an entry is worth"
    if book["satellite_seat"] == 0:
        yield "satellite_seat", "an entry worth nothing", "write what it costs"
    if book["satellite_seat"] is not None and (shares is not None or stakes is not None):
        also = "payouts" if shares is not None else "payout_stakes"
        wrong = "places win an entry or are paid by their share, not both"
        yield (also, "satellite_seat"), wrong, "take one out"
    part = book["purse_share"]
    if part is not None and not 0 < part <= 1:
        yield "purse_share", f"{part} is no share of the pool", "write a part of 1, as 0.8"
    fees = tuple(name for name in _FEES if book[name])
    fee, price = sum(book[name] for name in fees), book["buy_in"] or 0
    if fee > price:
        wrong = f"fees of {fee} out of a buy-in of {price}"
        yield (*fees, "buy_in"), wrong, "write a buy_in that has the fees in it"
    if book["buy_in_most"] is not None and price > book["buy_in_most"]:
        wrong = f"a buy-in of {price} where {book['buy_in_most']} is the most"
        yield ("buy_in", "buy_in_most"), wrong, "write a smaller buy_in, or another most"
    for name in ("buy_in", "rebuy_price", "add_on_price", "bounty_price", *_FEES):
        if book["play_is_free"] and book[name]:
            yield (name, "play_is_free"), f"{book[name]} dollars where nothing costs", "take one of them out"
    for name in ("bounty_unclaimed", "bounty_tie", "bounty_price"):
        if book[name] is not None and book["bounties"] is None:
            yield (name, "bounties"), "there are no bounties", "write which, or take this out"


def _deal(book: _Values) -> Found:
    for name in ("misdeal_exposed_count", "misdeal_boxed_count", "misdeal_extra_card_count"):
        if book[name] == 0:
            yield name, "a deal without a fault would be a misdeal", "write 1 or more, or take it out"
    boards = book["run_it_times"]
    if boards is not None and not 1 <= boards <= MOST_BOARDS:
        yield "run_it_times", f"{boards} boards", f"write 1 to {MOST_BOARDS}"


def _league(book: _Values) -> Found:
    for name in ("min_events", "tie_at_cut_both_in", "last_chance_seat", "seating"):
        setting = f"final_event_{name}"
        if book[setting] is not None and book["final_event_provisional_seats"] is None:
            wrong = "there is no final event"
            yield (setting, "final_event_provisional_seats"), wrong, "write its seats by score, or take this out"
    chart = book["final_event_seating"] or ()
    if len(set(chart)) < len(chart):
        yield "final_event_seating", "a seat is there twice", "write each seat once"
    points = book["points_by_place"]
    if points is not None and (not points or any(b > a for a, b in pairwise(points))):
        yield "points_by_place", "a place gets more than a better one", "write them from most to least"


def _penalties(book: _Values) -> Found:
    for name in ("penalty_ladder", "major_penalties", "penalties"):
        if book[name] == ():
            yield name, "a ladder without a rung", 'write the mildest first: ["warning", …], or take it out'
    if book["penalties_by_steps"] and book["penalties"] is None:
        yield ("penalties_by_steps", "penalties"), "there are no steps", "write penalties, the mildest first"
    if book["clock_warning_seconds"] >= book["clock_seconds"]:
        wrong = f"a warning of {book['clock_warning_seconds']} s, a clock of {book['clock_seconds']} s"
        yield ("clock_warning_seconds", "clock_seconds"), wrong, "write a warning shorter than the clock"
    share = book["misunderstanding_share"]
    if not 0 < share <= 1:
        yield "misunderstanding_share", f"{share} is no share of a bet", "write a part of 1, as 0.8"
    if book["single_boxed_card"] == "misdeal" and (book["misdeal_boxed_count"] or 1) > 1:
        wrong = f"one boxed card is a misdeal, and {book['misdeal_boxed_count']} are"
        yield ("single_boxed_card", "misdeal_boxed_count"), wrong, "write misdeal_boxed_count = 1"


_LOOKS: tuple[Callable[[_Values], Found], ...] = (
    *(_seats, _buttons, _late, _rebuys, _stacks, _money, _deal, _league, _penalties),
)

# ------------------------------------------------------------------------------------------------------ silences

_SILENT = {
    "starting_stack": "each entry names its chips",
    "buy_in": "an entry is free and there is no pool",
    "rebuys": "there are no rebuys",
    "add_on": "there are no add-ons",
    "max_entrants": "everybody who comes is taken",
    "late_entry_until_level": "nobody is too late by the level",
    "late_entry_until_minutes": "nobody is too late by the clock",
    "absence_forfeit_minutes": "an absent player's stack stays in play",
    "table_break_reseat": "the director says who sits where when a table breaks",
    "level_minutes": "the schedule of the event says how long levels are",
    "points_by_place": "`feltwire season` asks for the points",
}
# what is missing, beside which setting, and what holds then
_SILENT_BESIDE = (
    ("first_break_after_level", "rebuy_below_at_break", "every break is the break for rebuys"),
    ("bounty_price", "bounties", "nobody can enter a bounty game: an event sets the price"),
    ("time_out_minutes", "penalty_ladder", "the director names how long a time-out is"),
    ("overbooked", "max_entrants", "who comes too late is refused"),
)
