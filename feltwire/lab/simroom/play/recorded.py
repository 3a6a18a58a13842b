"""A recorded hand as a script: its cards stacked into a deck, its betting as acts."""

from __future__ import annotations

import random

from feltwire.lab.simroom.play.script import HandScript, ScriptedAct, deal_order, stack_deck
from table_core.histories.played import play
from table_core.histories.recorded import ActionKind, HistoryError, RecordedHand
from table_core.messages import UNKNOWN_CARD, Action, Seat, Share
from table_core.rulebook import Rulebook

_ACTIONS = {
    ActionKind.FOLD: Action.FOLD,
    ActionKind.CHECK_OR_CALL: Action.CALL,
    ActionKind.BET_OR_RAISE: Action.RAISE,
}


def script_of(recorded: RecordedHand, *, hand: int, seed: int) -> HandScript:
    """`recorded` as hand number `hand`. Cards that the file does not know, burns among them, come from `seed`.

    Raise `ValueError` when the file names a card twice, or somebody posts a blind that was missed before.
    """
    if recorded.extra_small_blinds or recorded.extra_big_blinds or recorded.dead:
        raise ValueError("a seat posts a blind that it had missed; expected a small and a big blind alone")
    order = deal_order([entry.seat for entry in recorded.seats if entry.stack > 0], recorded.button)
    holes = {
        seat: tuple(card for card in cards if card != UNKNOWN_CARD) for seat, cards in recorded.hole_cards.items()
    }
    shown = {
        a.seat: a.cards for a in recorded.actions if a.kind is ActionKind.SHOW and a.seat is not None and a.cards
    }
    holes |= {seat: cards for seat, cards in shown.items() if UNKNOWN_CARD not in cards}
    acts = tuple(
        ScriptedAct(action.seat, _ACTIONS[action.kind], action.to)
        for action in recorded.actions
        if action.kind in _ACTIONS and action.seat is not None
    )
    finishing = recorded.finishing_stacks or ()
    return HandScript(
        hand=hand,
        level=recorded.level,
        button=recorded.button,
        small_blind=recorded.small_blind,
        big_blind=recorded.big_blind,
        seats=recorded.seats,
        deck=stack_deck(random.Random(f"{seed}/{recorded.file}/{hand}"), order, holes, recorded.board),
        acts=acts,
        tables=_seats_of(recorded, ActionKind.SHOW),
        mucks=_seats_of(recorded, ActionKind.MUCK),
        finishing=tuple(Share(Seat(number), stack) for number, stack in enumerate(finishing, 1)),
    )


def check_dealable(recorded: RecordedHand, rulebook: Rulebook) -> None:
    """Raise `HistoryError`, with the line and why, for a hand that cannot be dealt as it is recorded."""
    try:
        script_of(recorded, hand=1, seed=0)
    except ValueError as error:
        raise HistoryError(recorded.file, None, str(error)) from error
    if play(recorded, rulebook).recorded.notes != recorded.notes:
        raise HistoryError(recorded.file, None, "a hand is shown or mucked when a table does not allow it")


def _seats_of(recorded: RecordedHand, kind: ActionKind) -> tuple[Seat, ...]:
    seats = (action.seat for action in recorded.actions if action.kind is kind)
    return tuple(dict.fromkeys(seat for seat in seats if seat is not None))
