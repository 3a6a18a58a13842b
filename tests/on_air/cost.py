"""`python -m tests.on_air.cost`: what a picture costs, and what an event on air holds in memory and on the disk.

python -m tests.on_air.cost --hours 12 --tables 1      a figure a line: name, value, unit
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from feltwire.relay.on_air.event_on_air import event_view
from feltwire.relay.on_air.event_timeline import EventTimeline
from feltwire.relay.on_air.overlay import overlay_of
from feltwire.relay.on_air.past import PastFiles, Seen
from feltwire.relay.on_air.players import Players
from feltwire.relay.on_air.timeline import HoleCard, ReleasedHand, Timeline
from table_core.cards import DECK, card_text
from table_core.messages import (
    Chips,
    FieldPlayer,
    Millis,
    Seat,
    Street,
    TableView,
    TournamentField,
    encode_page,
)
from tests.display import fixtures

HOUR_MS = 3_600_000
HAND_MS, ACTS = 120_000, 25  # of a hand
KEEP_MS = HOUR_MS + HOUR_MS * 3 // 4  # an hour beyond 45 minutes
TIMES = 200
LIVE = (3, 5, 6)  # seats


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.on_air.cost",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--hours", type=float, default=12)
    parser.add_argument("--tables", type=int, default=1)
    args = parser.parse_args()
    for name, value, unit in figures(args.hours, args.tables):
        print(f"{name}: {value:,.2f} {unit}", flush=True)
    return 0


def figures(hours: float, tables: int) -> Iterator[tuple[str, float, str]]:
    picture = _all_in(random.Random(7))
    overlay_of(_all_in(random.Random(8))(0), 0.0)  # the tables of the ranking are made once
    yield "a picture whose shares were computed before", _ms(lambda _: overlay_of(picture(0), 0.0)), "ms"
    yield "a picture with new cards, shares and outs", _ms(lambda no: overlay_of(picture(no), 0.0)), "ms"
    view = overlay_of(picture(0), 0.0)
    yield "the bytes of a picture", len(encode_page(view)), "B"
    timeline = EventTimeline()
    timeline.show_field(_field(100, 0), Millis(0))
    yield (
        "the tournament with 100 standings",
        _ms(lambda _: event_view(timeline.moments[0], Millis(0), 0, Players())),
        "ms",
    )
    with tempfile.TemporaryDirectory(prefix="feltwire-cost-") as folder:
        memory, disk, moments = _event(hours, tables, Path(folder))
    yield f"states kept of {tables} tables behind {hours:g} hours", moments, ""
    yield "memory of them and of the tournament", memory / 1_000_000, "MB"
    yield "files that a restart reads", disk / 1_000_000, "MB"


def _ms(do: Callable[[int], object]) -> float:
    began = time.perf_counter()
    for number in range(TIMES):
        do(number)
    return (time.perf_counter() - began) * 1_000 / TIMES


def _all_in(chance: random.Random) -> Callable[[int], object]:
    """Pictures of three hands all-in on the flop, each with other cards."""
    made = []
    for _ in range(TIMES):
        cards = [card_text(card) for card in chance.sample(DECK, 9)]
        view = replace(
            fixtures.table_view(),
            street=Street.FLOP,
            board=tuple(cards[:3]),
            legal=None,
            seats=tuple(
                [
                    replace(
                        one, in_hand=one.seat in (3, 5, 6), cards=("??", "??") if one.seat in (3, 5, 6) else ()
                    )
                    for one in fixtures.table_view().seats
                ]
            ),
        )
        timeline = Timeline()
        timeline.begin((view.epoch, 1))
        timeline.show(view, Millis(0))
        held = {
            Seat(seat): (HoleCard((view.epoch, 1), one), HoleCard((view.epoch, 1), other))
            for seat, one, other in zip(LIVE, cards[3::2], cards[4::2], strict=True)
        }
        timeline.release((view.epoch, 1), ReleasedHand(view.hand, held, from_deal=True))
        made.append(timeline.picture(timeline.moments[0]))
    return lambda number: made[number % TIMES]


def _event(hours: float, tables: int, folder: Path) -> tuple[int, int, int]:
    """Bytes in memory and on the disk, and moments, at the end of an event of so many hours."""
    clock = [Millis(0)]
    past = PastFiles(folder, "cost", lambda: clock[0], lambda: KEEP_MS)
    timelines, event = [Timeline() for _ in range(tables)], EventTimeline()
    whole, step = round(hours * HOUR_MS), HAND_MS // ACTS
    tracemalloc.start()
    try:
        for number, at in enumerate(range(0, whole, step)):
            clock[0] = now = Millis(at)
            for no, timeline in enumerate(timelines):
                timeline.show(_view(no, number), now, now)
                timeline.forget(Millis(now - KEEP_MS))
                moment = timeline.moments[-1]
                past.write(Seen(f"{no:02}", moment.at, moment.wall, moment.view))
            if number % ACTS == 0:
                event.show_field(_field(100, number), now)
                event.forget(Millis(now - KEEP_MS))
        memory, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    disk = sum(path.stat().st_size for path in folder.iterdir())
    return memory, disk, sum(len(timeline.moments) for timeline in timelines)


def _view(table: int, number: int) -> TableView:
    """A state as it comes from the bus: nothing of it is shared with the one before."""
    view = fixtures.table_view(f"{table:02}", as_of=number + 1)
    return replace(view, seats=tuple([replace(one, stack=Chips(one.stack + number)) for one in view.seats]))


def _field(players: int, number: int) -> TournamentField:
    """Nine stacks of it have changed since the number before."""
    rows = [
        FieldPlayer(
            f"p{no}", f"Player number {no}", "07", Seat(no % 9 + 1), Chips(50_000 - no + number * (no < 9))
        )
        for no in range(players)
    ]
    return TournamentField("Friday", tuple(rows), left=players)


if __name__ == "__main__":
    sys.exit(main())
