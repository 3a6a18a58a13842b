"""An absence that is asserted of random bytes: the marker is so long that it does not stand there by chance.

Two letters stand in 128 bytes of ciphertext once in five hundred times; a test that forbids them fails as often.
"""

from __future__ import annotations

MOST_ODDS = 1e-9
_HEX = frozenset(b"0123456789abcdef")
_BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=")


def odds(marker: bytes, length: int) -> float:
    """How probable it is that `marker` stands in `length` random bytes: in hex or base64 where it could be either,
    which makes it more probable, else as they are."""
    letters = set(marker)
    alphabet = 16 if letters <= _HEX else 64 if letters <= _BASE64 else 256
    return float(length) / float(alphabet) ** len(marker)


def assert_absent(marker: bytes, *places: bytes) -> None:
    """`marker` stands in none of `places`, which may be ciphertext, hashes, keys, in hex or base64. A marker that
    would stand there by chance once in a billion runs is refused."""
    chance = odds(marker, sum(map(len, places)))
    assert chance < MOST_ODDS, (
        f"a marker of {len(marker)} bytes stands there by chance once in {1 / chance:.0f} runs"
    )
    assert not [place for place in places if marker in place], "what must not be there is there"
