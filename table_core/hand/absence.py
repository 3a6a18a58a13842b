"""Absent players: by when a player has to be at the table, and when the hand of one who was not dies.

The book's `presence` says both, `leaving_kills_hand` what leaving does. Nothing dies before the deal is complete:
until then the turn only passes over who is away, and comes back to who is back. The last hole card completes it
(`CloseDeal`); where nothing counts the cards, the first act.

| `presence` | has no hand | it dies |
|---|---|---|
| `first_card` | who is away when the deal begins | with the deal |
| `deal_complete` | who is away when the deal is complete | with the deal |
| `while_dealt` | the same | when the action comes, or the player |
| `action`, `own_turn` | who is away when the action comes | then |

In the books of the deal whoever has acted was there: away later, the hand is live and waits. Of who has not acted
nobody knows; the hand of who is away as its first turn comes was dealt in the player's absence. Where the first
act ends the deal, only who was away from the riffle on has missed it.
"""

from __future__ import annotations

from typing import Final

from table_core.hand.seats import members
from table_core.hand.state import NOT_YET, HandState
from table_core.messages import Street
from table_core.parameters import Presence

_WITH_THE_DEAL: Final = (Presence.FIRST_CARD, Presence.DEAL_COMPLETE)
_BY_THE_ACTION: Final = (Presence.ACTION, Presence.OWN_TURN)
_BLINDS_HAVE_A_TURN: Final = (Presence.ACTION, Presence.WHILE_DEALT)


def is_too_late(state: HandState, index: int) -> bool:
    """Whether coming back does not help any more."""
    return bool(state.missed >> index & 1) and state.rulebook.rules.presence.value not in _BY_THE_ACTION


def leaving_kills(state: HandState) -> bool:
    """Whether a hand is dead as its player leaves (cpp.dealing.4)."""
    rule = state.rulebook.policies.leaving_kills_hand
    return rule is not None and rule.value and state.street is not Street.SHOWDOWN


def dies_with_deal(state: HandState) -> int:
    """Seat indices whose hands die now that the deal is complete."""
    return state.missed & state.live if state.rulebook.rules.presence.value in _WITH_THE_DEAL else 0


def passed_over(state: HandState) -> int:
    """Seat indices of absent players over whom the turn has passed."""
    return sum([1 << index for index in members(state.pending & state.away) if state.has_passed(index)])


def dies_at_turn(state: HandState) -> bool:
    """Whether the hand of the player to act, who is away, dies now."""
    index = state.to_act
    if not state.dealt or not state.away >> index & 1:
        return False
    if state.missed >> index & 1 or state.rulebook.rules.presence.value in _BY_THE_ACTION:
        return True
    return state.street is Street.PREFLOP and state.faced[index] == NOT_YET


def dies_without_turn(state: HandState) -> int:
    """Seat indices that a blind put all-in: they have no turn, and are dropped all the same (ccp.leaving.1)."""
    if state.street is not Street.PREFLOP or state.rulebook.rules.presence.value not in _BLINDS_HAVE_A_TURN:
        return 0
    waiting = sum([1 << index for index, faced in enumerate(state.faced) if faced == NOT_YET])
    return state.away & state.live & ~state.able & waiting
