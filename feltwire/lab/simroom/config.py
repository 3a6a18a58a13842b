"""The configuration of one simulated table: a TOML file, written by the demo."""

from __future__ import annotations

from table_core.messages import Chips, Frozen, Level, Seat, SeatStack


class SimroomConfig(Frozen, frozen=True):
    """`keypad`, `shoe` and `camera` (empty: there is none) are the paths that the table process opens; `screen` is
    the URL of its public snapshot. `hands` 0 deals for ever, `histories` (PHH files) take the place of the bots,
    every hand once. `speed` 1 is a live table, 0 as fast as acknowledged."""

    table: str
    seats: tuple[SeatStack, ...]
    levels: tuple[Level, ...]
    keypad: str
    shoe: str
    camera: str
    decks: str
    screen: str
    seat_count: int = 9
    button: Seat = Seat(1)
    rulebook: str = "base"
    smallest_chip: Chips = Chips(1)
    seed: int = 1
    speed: float = 1.0
    hands: int = 0
    histories: tuple[str, ...] = ()
    fps: float = 15.0
    camera_model: str = ""  # one of `vision.synthetic.felt.models`; empty: a small table seen straight from above
    cloth: str = "green"  # one of `vision.synthetic.felt.table`
    deck_style: str = "house"  # one of `vision.synthetic.felt.faces`
    light: str = (
        ""  # one of `feltwire.lab.simroom.felt.lights`; empty: a well-lit table, one picture of each scene
    )
