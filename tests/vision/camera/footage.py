"""A real camera over a black cloth, from its video to named hands: `python -m tests.vision.camera.footage VIDEO`.

The video is 61 s of three tabled hands and a board, 1280 x 720, seen aslant through a lens that bends. No markers
lie on that table: its camera was placed by the seven cards that lie whole in the first picture, each
63.5 x 88.9 mm (they fit to 0.8 pixels). All pictures go through the watcher, or with `--table` through the
camera's socket into a table process that plays the hand: three players are all-in, the board is confirmed, the
camera reads. With `--hands` a drawn arm reaches over each zone in turn, two seconds of every four. Exit status:
0 every hand was named once and nothing else was, with no block; 1 not so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from table_core.messages import Key, Zone
from tests.feltwire.processes import PATIENCE_S, Process, table_settings
from tests.feltwire.table.test_peeking import NO_BROKER, Viewer
from tests.ports import free_port
from vision.camera.frame_server import FrameServer
from vision.cards import CardReader
from vision.geometry.felt import Felt, Rect
from vision.geometry.hanging import Calibration, Lens
from vision.watching.watcher import Watcher
from vision.watching.zone_region import cloths

Image = NDArray[np.uint8]

SIZE = (1280, 720)
LENS = Lens(SIZE, (743.25, 743.25), (639.5, 359.5), (-0.2147, 0.0, 0.0, 0.0, 0.0))
TURN, MIDDLE, SHIFT = (-0.26634, 0.01868, 0.0), (420.0, 310.0), (0.0, 0.0, 452.26)  # rotation vector, mm
ZONES = {
    Zone.cards(1): Rect(170.0, 138.0, 190.0, 135.0, -4.0),
    Zone.cards(2): Rect(390.0, 125.0, 170.0, 130.0, -3.0),
    Zone.cards(3): Rect(605.0, 128.0, 160.0, 125.0, -3.0),
    Zone.BOARD: Rect(340.0, 304.0, 560.0, 115.0, -1.0),
}
TRUTH = {
    Zone.cards(1): {"6c", "3h"},
    Zone.cards(2): {"4s", "6h"},
    Zone.cards(3): {"2s", "4h"},
    Zone.BOARD: {"Qd", "4d", "Jc", "Js", "3s"},
}
FPS, PX_PER_MM = 24.0, 1.5
REACH, EVERY = 48, 96  # pictures with an arm, of so many
STREETS = (200, 300, 400)  # pictures at which the dealer confirms flop, turn and river
SKIN = (112, 146, 196)  # BGR


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.vision.camera.footage")
    parser.add_argument("video", type=Path)
    parser.add_argument("--hands", action="store_true", help="a drawn arm reaches over each zone in turn")
    parser.add_argument("--table", action="store_true", help="through a table process that plays the hand")
    parser.add_argument("--limit", type=int, default=739, metavar="PICTURES")
    args = parser.parse_args(argv)
    shown = pictures(args.video, args.limit, hands=args.hands)
    return through_table(shown) if args.table else watched(shown)


def camera() -> Calibration:
    turn, _ = cv2.Rodrigues(np.array(TURN))
    shift = np.array(SHIFT) - turn @ np.array([*MIDDLE, 0.0])
    return Calibration(LENS, TURN, (float(shift[0]), float(shift[1]), float(shift[2])))


def felt_in(picture: Image) -> Felt:
    """As `feltwire vision calibrate` writes it: with the colour of the cloth around each zone."""
    return cloths(Felt(840.0, 460.0, PX_PER_MM, ZONES, 3), [(camera(), picture)])


def pictures(video: Path, limit: int, *, hands: bool) -> Iterator[Image]:
    opened, noise = cv2.VideoCapture(str(video)), np.random.default_rng(1)
    for number in range(limit):
        read, picture = opened.read()
        if not read:
            return
        if hands and number % EVERY >= EVERY - REACH:
            zone = list(ZONES)[number // EVERY % len(ZONES)]
            arm(picture, zone, (number % EVERY - (EVERY - REACH)) / REACH, noise)
        yield np.asarray(picture, np.uint8)


def arm(picture: Image, zone: Zone, part: float, noise: np.random.Generator) -> None:
    """A forearm from the picture's upper or lower edge: in, still, and out again."""
    reach = min(1.0, 3 * part, 3 * (1 - part))
    where = ZONES[zone]
    at = camera().to_picture(np.array([[where.x, where.y]]))[0]
    edge = np.array([at[0] + 60, SIZE[1] + 80.0 if zone == Zone.BOARD else -80.0])
    tip = edge + (at - edge) * reach
    shape = np.zeros(picture.shape[:2], np.uint8)
    cv2.line(shape, tuple(int(v) for v in edge), tuple(int(v) for v in tip), 255, 70, cv2.LINE_AA)
    cv2.circle(shape, tuple(int(v) for v in tip), 48, 255, -1, cv2.LINE_AA)
    skin = np.clip(np.array(SKIN) + noise.normal(0, 4, picture.shape), 0, 255)
    part_of = shape[..., None] / 255
    picture[:] = (picture * (1 - part_of) + skin * part_of).astype(np.uint8)


def watched(shown: Iterator[Image]) -> int:
    first = next(shown)
    watcher = Watcher(felt_in(first), CardReader(), camera())
    named: Counter[tuple[Zone, tuple[str, ...]]] = Counter()
    blocked = number = 0
    for number, picture in enumerate([first, *shown], start=1):
        for one in watcher.step(picture):
            reading = one.reading
            print(f"{number:4} {reading.zone} {' '.join(reading.cards)}, {reading.face_down} backs, "
                  f"{reading.unread} unread")  # fmt: skip
            if reading.cards:
                named[reading.zone, reading.cards] += 1
        blocked += bool(watcher.blocked)
    once = {zone: [cards for at, cards in named if at == zone] for zone in ZONES}
    right = all(len(all_) == 1 and set(all_[0]) == TRUTH[zone] for zone, all_ in once.items())
    print(f"{number} pictures, blocked in {blocked}; {'every hand named' if right else f'NOT right: {once}'}")
    return 0 if right and not blocked else 1


def through_table(shown: Iterator[Image]) -> int:
    """The dealer confirms flop, turn and river while the video runs, and then who wins."""
    with tempfile.TemporaryDirectory() as name:
        folder, port, first = Path(name), free_port(), next(shown)
        felt_in(first).save(folder / "felt.toml", camera=camera().as_toml())
        section = f'[camera]\nsource = "socket:{folder / "camera"}"\nfelt = "{folder / "felt.toml"}"\n'
        settings = table_settings(folder, NO_BROKER, port) + section
        with FrameServer(folder / "camera", fps=FPS) as server, Process("table", folder, port, settings) as table:
            dealer = Viewer(table)
            for key in (Key.NEW_HAND, Key.ALL_IN, Key.ALL_IN, Key.ALL_IN):
                dealer.touch(key)
            for number, picture in enumerate([first, *shown]):
                server.wait_delivered(server.show(picture), PATIENCE_S)
                if number in STREETS:
                    dealer.touch(Key.STREET)
            dealer.touch(Key.STREET)
            view = next(table.snapshots("table/01"))
    return judged(view)


def judged(view: dict[str, Any]) -> int:
    """Sixes do not play: two pairs of jacks and fours with the queen share three stacks of 10,000."""
    named = {Zone.cards(seat["seat"]): set(seat["cards"]) for seat in view["seats"]} | {
        Zone.BOARD: {*view["board"]}
    }
    stacks = [seat["stack"] for seat in view["seats"]]
    blocked = [said["text"] for said in view["notices"] if said["kind"] == "camera_blocked"]
    for zone, cards in named.items():
        print(f"{zone}: {' '.join(sorted(cards))}{'' if cards == TRUTH[zone] else ', NOT right'}")
    print(f"stacks {stacks}, blocked {len(blocked)} times; {view['last']}")
    return 0 if named == TRUTH and stacks == [0, 15_000, 15_000] and not blocked else 1


if __name__ == "__main__":
    sys.exit(main())
