"""*Resume from here*, within a hand: the table goes on from what a person enters (real-tables.md, 10).

Keys, chips and folded cards of the play before are dropped. Cards that left the deck meanwhile take their places
unread; where their count is off the shoe opens none of them.
"""

from __future__ import annotations

from table_core.hand.deal import is_to_seat
from table_core.hand.resume import with_side_pots
from table_core.messages import Noticed, Refusal, ResumeHand, Street
from table_core.tracker.dealing.deal import deal_of, place_card
from table_core.tracker.dealing.evidence import close_deal, mislay
from table_core.tracker.memory.notices import Doubt
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def resume_hand(unit: UnitOfWork, state: TrackerState, command: ResumeHand) -> Refusal | None:
    """Resume the hand; the reason where the engine refuses it."""
    table, began_unseen = unit.table, not unit.table.in_hand
    began = table.stacks_all() if began_unseen else table.stacks_at_start()
    checked = with_side_pots(command, {one.seat: one.stack for one in began})
    if isinstance(checked, tuple):
        return Refusal(checked[1], table.rulebook.cites.hand_start)
    command = checked
    if began_unseen:
        close_deal(unit, state)
    refusal = unit.push(command)
    if refusal is not None:
        return refusal
    if began_unseen:
        state.end_hand()
        unit.begin_deal(command.hand)
    unit.record(
        Noticed("hand_resumed", f"Hand {command.hand} goes on from here; what came before was not observed")
    )
    state.forget_play()
    _place_cards_out(unit, state, command.street)
    return None


def _place_cards_out(unit: UnitOfWork, state: TrackerState, street: Street) -> None:
    """Give every card of the deal up to `street` its place, read by the shoe or not."""
    deal = deal_of(unit, state)
    if street is Street.PREFLOP:
        out = sum(map(is_to_seat, deal.order))
    else:
        out = deal.street(Street.RIVER if street is Street.SHOWDOWN else street)[-1]
    mislay(state)  # the cards were not observed: the shoe opens none
    if len(state.deal.handles) != out:
        state.notices.note_doubt(Doubt.NOT_READ)
    while len(state.deal.handles) < out:
        place_card(unit, state, 0)
