"""The codes of players for their phones: derived from a key of the station, so that none is stored or sent about.

A code stands on the player's seat slip and at the desk. It is of one player and one event.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O, U: they are read as others
_READ_AS = str.maketrans("ILO", "110")
DIGITS = 6  # of 32 letters each: one in 10^9
_PROOF_CHARS = 32
_MOST_READ = 24


class PlayerCodes:
    """`key` is the station's, `event` names the one that is open.

    >>> codes = PlayerCodes(b"0" * 32, lambda: "event-1")
    >>> codes.is_code("p7", codes.code("p7").lower()), codes.is_code("p8", codes.code("p7"))
    (True, False)
    >>> codes.player_of(codes.proof("p7"))
    'p7'
    """

    def __init__(self, key: bytes, event: Callable[[], str]) -> None:
        self._key = key
        self._event = event

    def code(self, player: str) -> str:
        """`7KQ-M4X`, as it is printed."""
        number = int.from_bytes(self._digest("code", player), "big")
        letters = "".join(LETTERS[number >> 5 * place & 31] for place in range(DIGITS))
        return f"{letters[:3]}-{letters[3:]}"

    def is_code(self, player: str, said: str) -> bool:
        """Whether `said` is the player's code, however it is spaced; as long for any player, known or not."""
        plain = "".join(one for one in said[:_MOST_READ].upper() if one.isascii() and one.isalnum())
        wanted = self.code(player).replace("-", "")
        return hmac.compare_digest(plain.translate(_READ_AS), wanted.translate(_READ_AS))

    def proof(self, player: str) -> str:
        """What the browser of this player keeps once the code was right, or the desk has let it in."""
        return f"{player}.{self._digest('phone', player).hex()[:_PROOF_CHARS]}"

    def player_of(self, proof: str) -> str:
        """The player whose proof this is; empty for anything else."""
        player = proof.rpartition(".")[0]
        right = player and hmac.compare_digest(proof.encode(errors="replace"), self.proof(player).encode())
        return player if right else ""

    def _digest(self, what: str, player: str) -> bytes:
        said = "\0".join((what, self._event(), player)).encode(errors="replace")
        return hmac.digest(self._key, said, "sha256")
