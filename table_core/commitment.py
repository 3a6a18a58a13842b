"""Commitments: the public hash of a face-down card, and the opening that later proves it.

A commitment is the SHA-256 (hex) of `feltwire card 2` and, after a line feed, the JSON array `[table, epoch, hand,
attempt, place, to, card, salt]` without white space, salt in hex. It binds the card to its place in the deal and
to the seat, burn or board of that place; the 128-bit salt prevents trying the 52 possible cards.
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
    """The hash that a `card_dealt` event publishes for this card at this place."""
    bound = [table, epoch, hand, attempt, place, to, card, salt.hex()]
    return sha256(_LABEL + json.dumps(bound, separators=(",", ":")).encode()).hexdigest()


class Opening(Frozen, frozen=True):
    """Everything that a commitment binds, and its signer: the content of a box for the relay, and a line of its
    releases.

    Until it is released it holds a hidden card, so its repr does not show it.
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
        """Whether this matches the commitment `promised`."""
        try:
            return hmac.compare_digest(self.commitment().encode(), promised.encode())
        except ValueError:
            return False
