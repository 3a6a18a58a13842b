"""The card's path from the side, to scale: beams, antennas, how far they reach, and a card at three moments."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.drawings import PICTURES, svg
from hardware.drawings.bodies.shoe import Shoe, shoe

PICTURE = PICTURES / "card-path.svg"
REACH_MM = (
    16.0,
    21.0,
)  # where a tag begins to answer, from an antenna's middle: firmware/README.md
_SCALE = 1.5
_LEFT, _ROW = 8.0, 26.0


def write() -> None:
    PICTURES.mkdir(exist_ok=True)
    PICTURE.write_text(picture(shoe()), "utf-8")


def picture(body: Shoe) -> str:
    card = body.bought.card.poker[1]
    starts = (
        ("at rest in the deck", body.deck.front),
        ("its head reaches the inner beam: its tag comes within reach of the inner antenna", body.beams.at[0]),
        ("its tail leaves the outer beam: its tag leaves the reach of the outer antenna", body.beams.at[1] + card),
    )
    wide = 2 * _LEFT + _SCALE * (starts[-1][1] + 8 - body.well_rear)
    shapes = [svg.text(_LEFT, 8, "The card's path, from the side, millimetres", size=4.2, weight="bold")]
    for row, (words, head) in enumerate(starts):
        shapes += _moment(body, 26 + row * _ROW, words, head)
    shapes += _scale(body, 26 + len(starts) * _ROW)
    return svg.document(wide, 26 + len(starts) * _ROW + 22, shapes)


def _x(body: Shoe, x: float) -> float:
    return _LEFT + _SCALE * (x - body.well_rear)


def _moment(body: Shoe, y: float, words: str, head: float) -> Iterator[str]:
    yield svg.text(_LEFT, y - 9, words, size=3.2)
    yield svg.rectangle(
        _x(body, body.deck.front + body.gate.wall), y + 1.5, _SCALE * (body.path.ends + 29), 2.4, fill="#e8dcc0"
    )
    for middle in body.antennas.at:
        half = body.antennas.side / 2
        for reach, shade in zip(reversed(REACH_MM), ("#e4f0e4", "#c8e4c8"), strict=True):
            left = _x(body, middle - reach)
            yield svg.rectangle(left, y - 5, 2 * reach * _SCALE, 4.6, fill=shade, line="none")
        for side in (-1, 1):
            yield svg.rectangle(
                _x(body, middle + side * (half - 1)) - 1.5, y + 1.9, 3, 1.2, fill="#b06020", line="none"
            )
    for beam in body.beams.at:
        yield svg.path(
            [(_x(body, beam), y - 7), (_x(body, beam), y + 6)], line="#c02020", width=0.4, dashes="1.2 0.8"
        )
    card = body.bought.card.poker[1]
    yield svg.rectangle(_x(body, head - card), y - 0.6, card * _SCALE, 1.2, fill="#fff", width=0.3)
    yield svg.circle(_x(body, head - card / 2), y, 1.3, fill="#1040a0")


def _scale(body: Shoe, y: float) -> Iterator[str]:
    """Distances from the inner beam."""
    places = {
        "deck": body.deck.front, "antenna": body.antennas.at[0], "beam": body.beams.at[0],
        " beam": body.beams.at[1], " antenna": body.antennas.at[1], "mouth": body.path.ends,
    }  # fmt: skip
    yield svg.path([(_x(body, body.well_rear), y - 6), (_x(body, body.path.ends + 40), y - 6)], width=0.2)
    for at, (name, x) in enumerate(places.items()):
        yield svg.path([(_x(body, x), y - 7.5), (_x(body, x), y - 4.5)], width=0.3)
        down = 0.0 if at % 2 else 4.5
        yield svg.text(_x(body, x), y - 1 + down, f"{name.strip()} {x:+.0f}", size=2.8, anchor="middle")
    yield svg.text(
        _LEFT, y + 11, "blue: the tag. Green: where it answers an antenna; surely, and with luck.", size=2.8
    )
    yield svg.text(
        _LEFT, y + 15, "Red: the beams. Brown: the antennas' windings, 1.2 mm below the floor.", size=2.8
    )
