"""What the dealer does next, in one sentence, for every state of a table: the line of the dealer screen that is
never empty.

>>> from table_core.rulebook import load_rulebook
>>> from table_core.projections.table_state import TableState
>>> next_step(TableState("club", "01", load_rulebook("base")))
'No hand: fewer than two players have chips'
"""

from __future__ import annotations

from collections.abc import Sequence

from table_core.hand.deal import BOARD, is_to_seat
from table_core.hand.hand import Hand
from table_core.hand.snapshot import CollectedPot
from table_core.messages import DeviceState, QuestionView, Seat, Street
from table_core.projections.next_hand import able_to_play, positions
from table_core.projections.table_state import TableState
from table_core.projections.words import chips
from table_core.record.deal import BOARD_SIZE

_NEXT = {Street.PREFLOP: "flop", Street.FLOP: "turn", Street.TURN: "river"}
_CARDS_EACH = 2


def next_step(table: TableState) -> str:
    """What the dealer does next: `"Seat 4 to act: 200 to call"`. Never empty; behind the first `". "` stands what
    is known beside it, such as the blinds that are due."""
    question, hand = table.question, table.hand
    if question is not None and question.kind != "ruling":
        return _answer(table, question)
    if hand is None or not table.in_hand:
        return _between_hands(table, ruling=question is not None)
    return _in_hand(table, hand)


def still_to_show(table: TableState) -> tuple[Seat, ...]:
    """The hands that are to be shown now: all, where somebody is all-in and the board is not complete; then in the
    order that the book prescribes, none where it prescribes none, or where all are turned up at once because
    somebody is all-in. Who is in a side pot shows first even then."""
    hand, book = table.hand, table.rulebook
    if hand is not None and hand.must_table and hand.street is not Street.SHOWDOWN:
        return tuple(sorted(seat for seat in hand.live_seats if seat not in hand.tabled))
    if hand is None or hand.street is not Street.SHOWDOWN:
        return ()
    if hand.must_table and len(hand.pots) == 1:
        return ()
    if book.usual_practice(book.rules.showdown_order.rule):
        return ()
    return tuple([seat for seat in hand.show_order if seat not in hand.tabled])


def pots_in_words(pots: Sequence[CollectedPot]) -> str:
    """Each pot with the seats that can win it: `"main 9,300: 2, 5 · side 6,000: 2"`; empty without a side pot."""
    if len(pots) < 2:
        return ""
    sides = ["side"] if len(pots) == 2 else [f"side {no}" for no in range(1, len(pots))]
    named = zip(("main", *sides), pots, strict=True)
    return " · ".join(f"{name} {chips(pot.amount)}: {_listed(sorted(pot.eligible))}" for name, pot in named)


def _in_hand(table: TableState, hand: Hand) -> str:
    legal = hand.legal()
    if legal is not None:
        dealt, due = _hole_cards(table)
        if 0 < dealt < due:
            return f"Deal the cards: {dealt} of {due} are out"
        if legal.call:
            return f"Seat {legal.seat} to act: {chips(legal.call)} to call"
        return f"Seat {legal.seat} to act: may check"
    if hand.awaiting_board:
        return _street_due(table, hand)
    return _showdown(table, hand)


def _hole_cards(table: TableState) -> tuple[int, int]:
    """How many hole cards have left the shoe, and how many are dealt to a whole table."""
    return sum(map(is_to_seat, table.placed().values())), sum(map(is_to_seat, table.destinations()))


def _street_due(table: TableState, hand: Hand) -> str:
    street = _NEXT[hand.street]
    up = still_to_show(table)
    if not up:
        if _has_left_the_shoe(table, street):
            reads = f"The {street} is dealt: the camera reads it"
            return reads if _is_seen(table) else f"STREET when the {street} lies there"
        deal = f"Burn, then deal the {street}"
        return deal if _is_seen(table) else f"{deal}: STREET"
    if len(up) == len(hand.live_seats) == 2:
        return f"Turn both hands up, then STREET: the {street}"
    whose = f"the hand of seat {up[0]}" if len(up) == 1 else f"the hands of seats {_listed(up)}"
    return f"Turn up {whose}, then STREET: the {street}"


def _has_left_the_shoe(table: TableState, street: str) -> bool:
    """Whether the shoe has given every card of the board up to this street."""
    return sum(to == BOARD for to in table.placed().values()) >= BOARD_SIZE[Street(street)]


def _is_seen(table: TableState) -> bool:
    """Whether a camera reads the street without a key."""
    return table.devices.get("camera") is DeviceState.OK


def _showdown(table: TableState, hand: Hand) -> str:
    left = [seat for seat in hand.show_order if seat not in hand.tabled]
    if not left or hand.ready_to_award:
        return _award(hand)
    order = still_to_show(table)
    if not order:
        if len(left) == 1:
            return f"Showdown: seat {left[0]} shows or mucks"
        return f"Showdown: seats {_listed(sorted(left))} turn up their hands"
    begun = len(hand.tabled) + len(hand.mucked)
    if len(order) == 1:
        return f"Showdown: seat {order[0]} shows or mucks"
    return f"Showdown: seat {order[0]} {'next' if begun else 'first'}, then {_listed(order[1:])}"


def _award(hand: Hand) -> str:
    pots = pots_in_words(hand.pots)
    return f"Who wins? Seat number, AWARD{f'. {pots[0].upper()}{pots[1:]}' if pots else ''}"


def _answer(table: TableState, question: QuestionView) -> str:
    kind = question.kind.partition("-")[0]
    hand = table.hand
    if kind == "award" and hand is not None and table.in_hand:
        return _award(hand)
    if kind == "split" and hand is not None and len(hand.live_seats) == 2:
        return "Push half of the pot to each: POT PUSHED; one has all of it: seat number, AWARD"
    if kind == "split":
        return "Who else splits? Seat number, SPLIT; nobody: POT PUSHED"
    return f"Answer what is asked: {question.key.name.replace('_', ' ')} for yes"


def _between_hands(table: TableState, *, ruling: bool) -> str:
    if ruling:
        return "Rule on what is asked, then NEW HAND"
    stop = table.why_no_hand()
    if stop is not None:
        return stop[0]
    due = _due(table)
    if due is None:
        return "No hand: fewer than two players have chips"
    riffle = "riffle and deal" if _is_seen(table) else "NEW HAND with the first riffle"
    won = [f"{chips(amount)} to seat {seat}" for seat, amount in sorted(table.won().items()) if amount]
    if won and table.hand is not None and table.hand.ended:
        return f"Push {', '.join(won)}, then {riffle}. {due}"
    return f"{'No hand' if table.hand is None else 'Next'}: {riffle}. {due}"


def _due(table: TableState) -> str | None:
    """Button and blinds of the next hand: `"Button 3, small blind 4: 100, big blind 5: 200"`; None where fewer
    than two can play."""
    if len(able_to_play(table)) < 2:
        return None
    at, level = positions(table), table.next_level
    if at.small_blind is None:
        small = "no small blind (dead)"
    else:
        owed = sorted({at.small_blind, *at.extra_small_blinds})
        small = f"small blind {_listed(owed)}{_each(level.small_blind if level else 0)}"
    owed = sorted({at.big_blind, *at.extra_big_blinds})
    big = f"big blind {_listed(owed)}{_each(level.big_blind if level else 0)}"
    return f"Button {at.button}, {small}, {big}"


def _each(amount: int) -> str:
    return f": {chips(amount)}" if amount else ""


def _listed(seats: Sequence[Seat]) -> str:
    return ", ".join(map(str, seats))
