"""What happens in one hand of practice, one thing after the other, and what the record must hold behind each.

A table without devices knows only what is keyed, so each of these has a key. `course` writes it from a script of
the simulated players; what is true is followed by an engine of its own. What is planted: `planting.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from feltwire.lab.simroom.play.observer import Observer
from feltwire.lab.simroom.play.script import HandScript, ScriptedAct
from table_core.messages import Action, Chips, Key, Legal, Seat
from table_core.projections.words import chips
from table_core.rulebook import Rulebook

WAGERS = (Action.BET, Action.RAISE)


class Did(NamedTuple):
    """An action as far as a dealer keys it: `to` is the total of a bet or raise, 0 of the others."""

    seat: Seat
    action: Action
    to: int = 0

    def __str__(self) -> str:
        amount = f" {'to ' if self.action is Action.RAISE else ''}{chips(self.to)}" if self.to else ""
        return f"seat {self.seat} {self.action}s{amount}"


class Press(NamedTuple):
    key: Key
    seat: Seat | None = None


class Happening(NamedTuple):
    """`words` are what the dealer sees, `keys` what says it, `key` is its key. Behind it the record has the first
    `acts` of the hand's actions and `board` cards, and the players `away`; `over`: the hand has ended. An
    `incident` is to be raised, about `seat`; a count is of `seat`. `slip`: the practice presses this before the
    dealer does.
    `least`: the raise is the smallest that is allowed. `losers` showed a hand that does not win."""

    words: str
    keys: str
    key: Key
    acts: int
    board: int = 0
    over: bool = False
    incident: str = ""
    seat: Seat | None = None
    away: frozenset[Seat] = frozenset()
    slip: Press | None = None
    least: bool = False
    losers: tuple[Seat, ...] = ()

    @property
    def scored(self) -> Key:
        """The key that the score counts: UNDO for a slip that is to be put right."""
        return Key.UNDO if self.slip else self.key


class Course(NamedTuple):
    script: HandScript
    acts: tuple[Did, ...]
    happenings: tuple[Happening, ...]


def course(script: HandScript, rulebook: Rulebook, smallest_chip: Chips) -> Course:
    """The hand from the riffle to the pot."""
    observer = Observer(script, rulebook, smallest_chip=smallest_chip)
    names = {entry.seat: entry.player for entry in script.seats}
    first = "You have shuffled. You pitch two cards to each player."
    happenings, did = [Happening(first, "New hand", Key.NEW_HAND, 0)], list[Did]()
    todo = list(script.acts)
    while not observer.at_showdown and not observer.hand.ended:
        if observer.awaiting_board:
            street, before = observer.next_street, len(observer.board)
            cards = script.street_cards(street)[1]
            why = "Nobody can bet any more." if observer.betting_over else "The betting is over."
            observer.deal_board(cards)
            words = f"{why} You burn a card and turn the {street}: {' '.join(cards)}."
            happenings.append(Happening(words, "Street", Key.STREET, len(did), before + len(cards)))
            continue
        act, legal = todo.pop(0), observer.hand.legal()
        assert legal is not None
        words, keys, key = _said(act, legal, names[act.seat], observer.stacks[act.seat])
        least = key is Key.BET_RAISE and act.action is Action.RAISE and act.to == legal.min_to
        observer.act(act)
        did.append(Did(act.seat, act.action, int(act.to or 0) if act.action in WAGERS else 0))
        ended = len(observer.live_seats) == 1
        if ended:
            words += f" All others have folded: seat {observer.live_seats[0]} gets the pot."
        behind = len(did), len(observer.board), ended
        happenings.append(Happening(words, keys, key, *behind, seat=act.seat, least=least))
    if not happenings[-1].over:
        happenings.append(_shown(script, observer, len(did)))
    return Course(script, tuple(did), tuple(happenings))


def _said(act: ScriptedAct, legal: Legal, name: str, behind: Chips) -> tuple[str, str, Key]:
    """In words, as it is keyed, and by which key; the player has `behind` left."""
    who = f"Seat {act.seat}, {name},"
    match act.action:
        case Action.FOLD:
            return f"{who} throws the cards to you.", "Fold", Key.FOLD
        case Action.CHECK:
            return f"{who} taps the table.", "Check / Call", Key.CHECK_CALL
        case Action.CALL if legal.call == behind:
            return f"{who} calls with all that is left, {chips(behind)}.", "Check / Call", Key.CHECK_CALL
        case Action.CALL:
            return f"{who} puts in {chips(legal.call or 0)} to call.", "Check / Call", Key.CHECK_CALL
        case _ if act.to == legal.max_to:
            return f"{who} says all-in and pushes everything forward.", "All-in", Key.ALL_IN
    verb = "raises to" if act.action is Action.RAISE else "bets"
    return f"{who} {verb} {chips(act.to or 0)}.", f"{act.to}, Bet / Raise", Key.BET_RAISE


def _shown(script: HandScript, observer: Observer, acts: int) -> Happening:
    """The showdown: who shows, who wins, and how that is said where no device reads hands."""
    for seat in script.tables:
        observer.table_hand(seat, script.hole(seat))
    for seat in script.mucks:
        observer.muck_hand(seat)
    observer.award()
    groups = observer.winner_groups()
    shown = "; ".join(f"seat {seat} shows {' '.join(script.hole(seat))}" for seat in script.tables)
    hidden = "".join(f" Seat {seat} throws its cards away." for seat in script.mucks)
    parts = [""] if len(groups) == 1 else [" the main pot", *[" the side pot"] * (len(groups) - 1)]
    told = " ".join(_wins(group, part) for group, part in zip(groups, parts, strict=True))
    keys = "; then ".join(_award(group) for group in groups)
    words = f"{shown[:1].upper()}{shown[1:]}.{hidden} {told}"
    winners = {seat for group in groups for seat in group}
    losers = tuple([seat for seat in script.tables if seat not in winners])
    key = Key.SPLIT if any(len(group) > 1 for group in groups) else Key.AWARD
    return Happening(words, keys, key, acts, len(observer.board), over=True, losers=losers)


def _wins(seats: Sequence[Seat], part: str) -> str:
    if len(seats) == 1:
        return f"Seat {seats[0]} wins{part}."
    return f"Seats {' and '.join(map(str, seats))} split{part or ' the pot'}."


def _award(seats: Sequence[Seat]) -> str:
    if len(seats) == 1:
        return f"{seats[0]}, Award"
    return ", ".join(f"{seat}, Split" for seat in seats) + ", Pot pushed"
