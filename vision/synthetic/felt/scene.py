"""What lies on a table and how it is lit: plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from table_core.messages import Zone
from vision.geometry.felt import Felt


@dataclass(frozen=True)
class LyingCard:
    """A card on the felt: centre in mm, turned clockwise by `angle_deg`.

    A card that lies face down has no name here: `card` is None, so a scene cannot leak it. A joker is one of
    `vision.synthetic.felt.jokers.JOKERS`.
    """

    card: str | None
    x_mm: float
    y_mm: float
    angle_deg: float = 0.0

    def __post_init__(self) -> None:
        if (
            self.card is not None
            and not self.card.startswith("joker")
            and (len(self.card) != 2 or self.card[0] not in "23456789TJQKA" or self.card[1] not in "cdhs")
        ):
            raise ValueError("a face-up card is a rank of 23456789TJQKA and a suit of cdhs; None lies face down")

    @property
    def face_up(self) -> bool:
        return self.card is not None


@dataclass(frozen=True)
class ChipPile:
    """`count` chips of one `value` and `colour` (of `chips.COLOURS`), stacked at x, y (mm)."""

    value: int
    colour: str
    count: int
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class Disc:
    """The dealer button: white plastic, with `text` on it, so far right and down of the middle of its place."""

    mm: float = 50.0
    thick_mm: float = 4.0
    text: str = "D"
    off_mm: tuple[float, float] = (0.0, 0.0)


class Cover(StrEnum):
    """What hides a zone from the camera."""

    CLOTH = "cloth"
    HAND = "hand"


@dataclass(frozen=True)
class SceneLight:
    """How the picture is lit and taken.

    `level` scales brightness (1 is a well-lit table), `gradient` is the fall from one side to the other as a
    fraction, `towards_deg` its direction, `warmth` shifts from blue (-1) to yellow (+1). `noise` is the sensor's
    standard deviation in grey levels, `blur_px` the lens's in pixels. `smear_px` is how far everything moved while
    the picture was taken, along `smear_deg`.
    """

    level: float = 1.0
    gradient: float = 0.18
    towards_deg: float = 35.0
    warmth: float = 0.12
    noise: float = 2.0
    blur_px: float = 0.45
    smear_px: float = 0.0
    smear_deg: float = 0.0


@dataclass(frozen=True)
class Scene:
    """Everything the camera above one table sees.

    `covered` maps zones to what lies over them; `lens_covered` blocks the camera altogether. `seed` moves the
    sensor's noise; two frames of the same scene with different seeds differ as two pictures of a still table do.
    `deck` is one of `vision.synthetic.felt.faces.DECKS`.
    """

    felt: Felt
    cards: tuple[LyingCard, ...] = ()
    chips: tuple[ChipPile, ...] = ()
    button: int | None = None
    disc: Disc = Disc()
    covered: tuple[tuple[Zone, Cover], ...] = ()
    lens_covered: bool = False
    light: SceneLight = field(default_factory=SceneLight)
    seed: int = 0
    deck: str = "house"
