"""Which options of an incident are offered: those that can be carried out now, with words on what changes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from table_core.hand.hand import Hand
from table_core.messages import AnyEvent, CallMisdeal, Chips, KillHand, Refusal, Report, ResumeHand, Seat
from table_core.rulings.case import Case, Correct, NoHand, Option, Push, Record, TakeBack
from table_core.rulings.effect import UNCHANGED, VOID, effect
from table_core.rulings.register import Group, Incident

_NAMED = re.compile(r"\bseats? (\d+(?:, \d+)*(?: and \d+)?)", re.IGNORECASE)
PRACTICE = ("tda", "base")  # the fallback of every book; a rule of another book is named as such


def offered(case: Case, incident: Incident) -> tuple[tuple[Option, ...], str]:
    """The options, the default first; without one, why there is none, in words."""
    try:
        return _offered(case, incident)
    except NoHand as error:
        return (), str(error)


def _offered(case: Case, incident: Incident) -> tuple[tuple[Option, ...], str]:
    if case.table.hand is None and not (incident.before_hand or incident.after_hand):
        raise NoHand("no hand has begun")
    if incident.group is Group.ACTION and case.seat is not None and not _dealt_in(case):
        return (), f"seat {case.seat} was not dealt in"
    possible, why = [], ""
    for option in incident.options(case):
        tried = _tried(case, option)
        if isinstance(tried, Refusal):
            why = why or tried.reason
        else:
            after, events = tried
            acts = after is not None and _turn(after) != _turn(case.hand)
            option = replace(option, acts=acts, effect=_effect(case, option, after, events))
            possible.append(_whose(case, _consequences(case, option, after)))
    return _live_first(possible), "" if possible else why or "the book has no ruling for this now"


def _turn(hand: Hand) -> tuple[Seat | None, Mapping[Seat, Chips]]:
    return hand.to_act, hand.stacks


def _dealt_in(case: Case) -> bool:
    return case.table.hand is None or case.seat in case.table.hand.stacks


def _live_first(options: list[Option]) -> tuple[Option, ...]:
    """Where the book is silent, an option that hurts nobody comes before usual practice that kills a hand."""
    if options and options[0].practice and _kills(options[0]):
        harmless = [option for option in options if not option.harms and not option.asks]
        options = [*harmless[:1], *[option for option in options if option not in harmless[:1]]]
    return tuple(options)


def _tried(case: Case, option: Option) -> tuple[Hand | None, Sequence[AnyEvent]] | Refusal:
    """A copy of the hand as the option leaves it, with the engine's events, or why the engine refuses one of its
    commands; no hand where the option does nothing to it."""
    if option.asks or not case.table.hand_log or not any(isinstance(one, Push | TakeBack) for one in option.steps):
        return None, ()
    hand = case.as_of(case.table.hand_log[-1].seq)
    events: list[AnyEvent] = []
    for step in option.steps:
        if isinstance(step, TakeBack):
            hand = case.as_of(step.seq - 1)
        elif isinstance(step, Record):
            hand.apply(step.event)
        elif isinstance(step, Push) and isinstance(step.command, ResumeHand):
            return None, ()  # the option's text already names what it sets
        elif isinstance(step, Push):
            answer = hand.push(step.command)
            if isinstance(answer, Refusal):
                return answer
            events += answer
    return hand, events


def _effect(case: Case, option: Option, after: Hand | None, events: Sequence[AnyEvent]) -> str:
    """What a button says beside the option's own words; nothing where those ask for a number, or name all that
    is set."""
    if option.asks or (after is None and option.harms):
        return ""
    if _voids(option):
        return VOID
    return UNCHANGED if after is None else effect(case.hand, after, events)


def _consequences(case: Case, option: Option, after: Hand | None) -> Option:
    """What changes for seats that the words do not name, and board cards that go back."""
    if after is None or _voids(option):
        return option
    before = case.hand
    named = {int(seat) for seats in _NAMED.findall(option.text) for seat in re.findall(r"\d+", seats)}
    if before.ended:  # an award is taken back: from whom
        both = [seat for seat in before.seats if seat not in named and seat in after.stacks]
        lost = {seat: before.stacks[seat] - after.stacks[seat] for seat in both}
        back = [f"seat {seat}: {chips:,} of the award go back" for seat, chips in lost.items() if chips > 0]
        return replace(option, text="; ".join([option.text, *back]))
    alone = after.live_seats if len(after.live_seats) == 1 < len(before.live_seats) else ()
    changes = [_change(seat, before, after) for seat in before.seats if seat not in (*named, *alone)]
    changes += [f"seat {seat} is left and wins {_left_over(before, after)}" for seat in alone if seat not in named]
    gone = _board_cards_that_go(case, option, after)
    if gone:
        changes.append(f"{gone} board cards go back" if gone > 1 else "1 board card goes back")
    text = "; ".join([option.text, *[change for change in changes if change]])
    return replace(option, text=text)


def _board_cards_that_go(case: Case, option: Option, after: Hand) -> int:
    """How many board cards leave the board. Of a street that is taken back some may stay where they lie."""
    dealt = len(case.hand.board)
    corrected = [step.deal for step in option.steps if isinstance(step, Correct)]
    lie = case.deal.places("board")[:dealt] if len(after.board) < dealt else []
    if not corrected or len(lie) < dealt:
        return dealt - len(after.board)
    return len([place for place in lie if corrected[-1].to(place) != "board"])


def _left_over(before: Hand, after: Hand) -> str:
    """What the last live hand wins: not a side pot whose own last hand has died."""
    others = [seat for seat in before.seats if seat in after.stacks and seat not in after.live_seats]
    kept = {seat: after.stacks[seat] - before.stacks[seat] for seat in others if after.ended}
    sides = [
        f"{amount:,} go to seat {seat}, the last hand of its side pot"
        for seat, amount in kept.items()
        if amount > 0
    ]
    return "; ".join(["the main pot", *sides]) if sides else "the pot"


def _kills(option: Option) -> bool:
    return any(isinstance(step, Push) and isinstance(step.command, KillHand) for step in option.steps)


def _voids(option: Option) -> bool:
    """A misdeal gives everything back, and its words say so."""
    commands = [step.command for step in option.steps if isinstance(step, Push)]
    reports = [one.what if isinstance(one, Report) else one for one in commands]
    return any(isinstance(one, CallMisdeal) for one in reports)


def _change(seat: Seat, before: Hand, after: Hand) -> str:
    """In words, empty where nothing changes for a seat. Behind *Resume from here* other seats may be in the hand
    than before it."""
    if seat not in after.stacks:
        return f"seat {seat}: not in the hand"
    said = []
    if (seat in before.live_seats) != (seat in after.live_seats):
        said.append("hand live" if seat in after.live_seats else "hand dead")
    moved = after.stacks[seat] - before.stacks[seat]
    if moved:
        said.append(f"{abs(moved):,} {'back' if moved > 0 else 'more in'}")
    return f"seat {seat}: {', '.join(said)}" if said else ""


def _whose(case: Case, option: Option) -> Option:
    """A book that is silent says so before another rule is followed."""
    source, _, number = option.rule.partition(".")
    if source in (case.book.id, "house") or (case.book.id == "base" and source in PRACTICE):
        return option
    followed = f"usual practice: TDA {number}" if source == "tda" else f"another book has it so: {option.rule}"
    text = f"{option.text} (the book is silent; {followed})"
    return replace(option, text=text, practice=True)
