"""The public promise about a card that lies face down, and what later shows that it was kept.

A commitment is the SHA-256 (hex) of `feltwire card 2` and, after a line feed, the JSON array
`[table, epoch, hand, attempt, place, to, card, salt]` without white space, salt in hex. It binds the card to its
place in the deal and to the seat, burn or board that the place was for; the 128-bit salt keeps the 52 possible
cards from being tried one by one.
"""

from __future__ import annotations

import hmac
import json
from hashlib import sha256

from table_core.messages import CardText, Frozen

SALT_BYTES = 16
_LABEL = b"feltwire card 2\n"


def commitment(
    *, table: str, epoch: int, hand: int, attempt: int, place: int, to: str, card: CardText, salt: bytes
) -> str:
    """What a `card_dealt` event publishes for this card at this place."""
    bound = [table, epoch, hand, attempt, place, to, card, salt.hex()]
    return sha256(_LABEL + json.dumps(bound, separators=(",", ":")).encode()).hexdigest()


class Opening(Frozen, frozen=True):
    """Everything a commitment binds, and whose promise it is: the inside of a box for the relay, and a line of its
    releases.

    Until it is released it holds a hidden card, so it does not print.
    """

    table: str
    epoch: int
    hand: int
    attempt: int
    place: int
    to: str  # `seat-4`, `burn`, `board`, as it was dealt; a ruling may move it later
    card: CardText
    salt: str  # hex
    key: str = ""  # with which the machine that sealed it signs its events (hex)

    def __repr__(self) -> str:
        return "Opening(••)"

    __str__ = __repr__

    def commitment(self) -> str:
        """Raise ValueError when `salt` is not hex."""
        return commitment(
            table=self.table,
            epoch=self.epoch,
            hand=self.hand,
            attempt=self.attempt,
            place=self.place,
            to=self.to,
            card=self.card,
            salt=bytes.fromhex(self.salt),
        )

    def opens(self, promised: str) -> bool:
        """Whether this is what `promised` was published for."""
        try:
            return hmac.compare_digest(self.commitment().encode(), promised.encode())
        except ValueError:
            return False
