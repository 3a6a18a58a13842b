"""Card keys: numbers whose sum over a hand determines its value, in any order of the cards.

The low 16 bits of a sum count the suits, four bits each. Above them is a sum of rank keys, different for every
multiset of ranks; above that a count of the cards, from five. Rank keys are found greedily: each is the smallest
that keeps all sums of seven ranks apart, none of them more than four times.
"""

from __future__ import annotations

from typing import Final

RANK_KEYS: Final = (0, 1, 5, 22, 98, 453, 2_031, 8_698, 22_854, 83_661, 262_349, 636_345, 1_479_181)

SUIT_BITS: Final = 16
# Rank keys of seven cards sum to at most 7,825,759. The cards themselves are counted above, since sums of
# different numbers of cards may be equal.
COUNT_BIT: Final = 23
ONE_CARD: Final = 1 << COUNT_BIT

# A suit's counter starts at 3, so that its top bit says "five or more"; the count of cards starts at minus five.
START: Final = sum(3 << 4 * suit for suit in range(4)) - (5 * ONE_CARD << SUIT_BITS)
FLUSH_BITS: Final = 0x8888

CARD_KEYS: Final = tuple(
    (RANK_KEYS[card >> 2] + ONE_CARD << SUIT_BITS) + (1 << 4 * (card & 3)) for card in range(52)
)

# What is left of a sum after the suits is looked up as `VALUES[ROWS[sum >> COLUMN_BITS] + (sum & COLUMN_MASK)]`.
COLUMN_BITS: Final = 8
COLUMN_MASK: Final = (1 << COLUMN_BITS) - 1
