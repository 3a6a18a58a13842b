"""How long people take, and what a camera over them sees: every number of the workload's model, in one place.

Seconds of table time. Presses: field notes put a tap at half a second, and so does every key here, digits
included. Thinking and handling times make a nine-handed hand last about a minute and a half, as rooms report.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from table_core.messages import Action

PRESS_S = 0.5  # one key, from deciding to the finger lifted
REACT_S = 0.3  # from a player's act to the dealer's first press
LOOK_S = 0.4  # reading one line on the screen
PATIENCE_S = 2.0  # the dealer waits so long for the screen before doing it by hand
ROW_STOPS_S = 3.0  # nobody acts for so long: a row of folds is keyed up to who thinks
LOOKS_UP_S = 1.0  # until a dealer sees that a press was wrong

RIFFLE_S = 12.0  # pot pushed, decks changed, cut
PITCH_S = 0.45  # a card to a seat
GATHER_S = 2.0  # bets into the pot
BURN_S = 1.0
TURN_S = 0.7  # a board card
SHOW_S = 2.5  # a hand is turned up and read
TURN_UP_S = 1.2  # of that the player's own part: the dealer's fingers are free
PUSH_S = 3.0

_MEAN_THINK_S = {
    Action.FOLD: 2.2,
    Action.CHECK: 2.5,
    Action.CALL: 5.0,
    Action.BET: 8.0,
    Action.RAISE: 8.0,
}
_LEAST_THINK_S = 0.6


@dataclass(frozen=True)
class Odds:
    """How often people and the camera fail: shares of presses, of looks at chips, of cards."""

    slip: float = 1 / 150
    chips_unsure: float = 0.03  # the camera does not say what lies in a bet zone
    card_unread: float = 0.01
    lag_s: tuple[float, float] = (0.4, 1.1)  # from the last motion in a zone to its reading


class People:
    """Draws of one workload."""

    def __init__(self, seed: str, odds: Odds) -> None:
        self._rng = random.Random(seed)
        self.odds = odds

    def think_s(self, action: Action) -> float:
        return _LEAST_THINK_S + self._rng.gammavariate(2.0, (_MEAN_THINK_S[action] - _LEAST_THINK_S) / 2.0)

    def lag_s(self) -> float:
        return self._rng.uniform(*self.odds.lag_s)

    def slips(self) -> bool:
        return self._rng.random() < self.odds.slip

    def chips_unsure(self) -> bool:
        return self._rng.random() < self.odds.chips_unsure

    def unread(self) -> bool:
        return self._rng.random() < self.odds.card_unread
