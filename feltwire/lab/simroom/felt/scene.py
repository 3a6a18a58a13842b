"""The physical felt as a scene for the renderer: only what a camera above the table could see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from feltwire.lab.simroom.felt.felt import FeltCard, PhysicalFelt
from table_core.messages import Zone
from vision.geometry.felt import Felt
from vision.synthetic.felt.scene import ChipPile, LyingCard, Scene

# The set of chips in play, the largest first: value and colour.
CHIP_SET: tuple[tuple[int, str], ...] = (
    (100_000, "pink"),
    (25_000, "grey"),
    (5_000, "orange"),
    (1_000, "yellow"),
    (500, "purple"),
    (100, "black"),
    (25, "green"),
    (5, "red"),
    (1, "white"),
)
MOST_PILES = 6  # side by side in one zone
PILE_APART_MM = 40.0


def scene_of(physical: PhysicalFelt, felt: Felt, *, covered: bool = False, seed: int = 0) -> Scene:
    """Cards and chips of `physical` at their places on `felt`; `covered` blocks the lens altogether."""
    return Scene(
        felt=felt,
        cards=tuple(_cards(physical, felt)),
        chips=tuple(_chips(physical, felt)),
        button=physical.button,
        lens_covered=covered,
        seed=seed,
    )


def _cards(physical: PhysicalFelt, felt: Felt) -> Iterator[LyingCard]:
    yield from _row(felt, Zone.BOARD, physical.board)
    yield from _row(felt, Zone.BURN, physical.burns)
    yield from _row(felt, Zone.MUCK, physical.muck)
    for seat, cards in physical.hands.items():
        yield from _row(felt, Zone.cards(seat), cards)


def _row(felt: Felt, zone: Zone, cards: Sequence[FeltCard]) -> Iterator[LyingCard]:
    for index, card in enumerate(cards):
        x, y, angle = felt.spot(zone, index, len(cards))
        yield LyingCard(card.card if card.face_up else None, x, y, angle)


def _chips(physical: PhysicalFelt, felt: Felt) -> Iterator[ChipPile]:
    zones: Mapping[Zone, Sequence[int]] = {Zone.POT: [physical.pot]} | {
        Zone.bet(seat): motions for seat, motions in physical.motions.items()
    }
    for zone, motions in zones.items():
        where = felt.zone(zone)
        piles = [pile for amount in motions for pile in chip_piles(amount)][:MOST_PILES]
        for index, (value, colour, count) in enumerate(piles):
            columns = 3 if len(piles) > 4 else min(len(piles), 2)
            row, column = divmod(index, columns)
            across = (column - (columns - 1) / 2) * PILE_APART_MM
            x, y = where.at(across, (row - (len(piles) > columns) / 2) * PILE_APART_MM)
            yield ChipPile(value, colour, count, x, y)


def chip_piles(amount: int) -> Iterator[tuple[int, str, int]]:
    """`amount` in as few chips as the set allows: value, colour and count of each pile.

    >>> list(chip_piles(1250))
    [(1000, 'yellow', 1), (100, 'black', 2), (25, 'green', 2)]
    """
    for value, colour in CHIP_SET:
        count, amount = divmod(amount, value)
        if count:
            yield value, colour, count
