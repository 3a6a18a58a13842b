"""A table's hundred hands: scripts that give each fault its chance, dealt one after the other and written down."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

from feltwire.config import TableConfig
from feltwire.lab.simroom.dealer.dealing import TableStuck
from feltwire.lab.simroom.dealer.glance import in_hand
from feltwire.lab.simroom.play.bots import Bots
from feltwire.lab.simroom.play.names import player_name
from feltwire.lab.simroom.play.script import HandScript
from table_core.messages import Chips, Level, Seat, SeatStack, SetSeats
from table_core.rulebook import load_rulebook
from tests.faults.camera import DrawnEye, Eye, Rates, RenderedEye
from tests.faults.dealing import CleanDealing
from tests.faults.done import Done, append
from tests.faults.kinds import FAULTS, Kind
from tests.faults.plan import PlannedHand, PlannedTable
from tests.faults.room import Room
from tests.faults.staged import STAGED

LEVEL = Level(1, Chips(100), Chips(200), big_blind_ante=Chips(200))
STACK = Chips(20_000)
CHIP = Chips(25)
BOOK = load_rulebook("base")
FEWEST = 4  # players left before new ones sit down
TRIES = 60  # scripts looked at for one in which the fault can happen


class Table(Bots):
    """Bots that think a hand over until it fits."""

    def scripts(self, level: Level) -> Iterator[HandScript]:
        """Ways in which the next hand may go, thought of one after the other."""
        return (self._script(level, attempt) for attempt in range(TRIES))


class Shift:
    """Deals what is planned for one table in `folder`; `deal` gives what was done, hand by hand."""

    def __init__(self, planned: PlannedTable, folder: Path, rates: Rates) -> None:
        self._planned = planned
        self._folder = folder
        self._seats = tuple(SeatStack(Seat(no), STACK, player_name(no)) for no in range(1, planned.seats + 1))
        self._bots = Table(seats=self._seats, button=Seat(1), rulebook=BOOK, seed=planned.seed, smallest_chip=CHIP)
        self._eye: Eye = (
            RenderedEye(9, planned.seed)
            if planned.rendered
            else DrawnEye(rates, random.Random(f"camera/{planned.seed}"))
        )

    def deal(self, done: Path) -> None:
        """Deal every hand; what was done goes to `done`, the ledger stays in the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)
        done.unlink(missing_ok=True)
        config = TableConfig(
            venue="faults",
            table=f"{self._planned.no:02}",
            data="",
            seats=self._seats,
            levels=(LEVEL,),
            button=Seat(1),
            smallest_chip=CHIP,
        )
        with Room(
            self._folder, config, self._eye, pictures=self._planned.rendered, seed=self._planned.seed
        ) as room:
            hands = list(self._planned.hands)
            while hands:
                several = FAULTS[hands[0].kind].hands
                append(done, self._hands(room, hands[:several]))
                del hands[:several]

    def _hands(self, room: Room, planned: list[PlannedHand]) -> Done:
        """One fault: a hand, or several that belong together."""
        bots = self._bots
        if len(bots.seats) < min(FEWEST, self._planned.seats):
            bots.sit_down_again(self._seats, Seat(1))
            self._seat(room)
        from_seq, began = room.view.as_of, room.now
        unread = self._eye.unread
        out = dict.fromkeys((entry.seat for entry in bots.seats), Chips(0))
        for hand in planned:
            dealing = self._dealing(room, hand)
            stuck = ""
            try:
                dealing.play()
            except TableStuck as why:
                stuck = str(why)
            room.mend()
            stacks = dict(room.felt.stacks)
            if stuck:
                stacks = {share.seat: share.amount for share in dealing.script.finishing}
            bots.settle(stacks)
            if hand is not planned[-1]:
                self._collect(room)
        if dealing.counts and not bots.over:
            self._collect(room)
            bots.sit_down_again(bots.seats, bots.button)
            stacks = out | stacks  # who lost everything on the way is counted too
            dealing.set_right(bots.button, stacks)
        record = Done(
            no=planned[0].no,
            kind=planned[0].kind,
            hands=len(planned),
            staged=dealing.staged or planned[0].kind is Kind.CLEAN,
            from_seq=from_seq,
            to_seq=room.view.as_of,
            stacks=stacks,
            board=dealing.observer.board,
            tabled=dict(dealing.observer.tabled),
            presses=dealing.presses,
            counted=dealing.counted,
            seen=dealing.seen,
            unread=self._eye.unread - unread,
            took_ms=room.now - began,
            what=dealing.what,
            stuck=stuck,
        )
        self._collect(room)
        if stuck or not (dealing.leaves_open or self._agrees(room, stacks)):
            self._seat(room)
        return record

    def _collect(self, room: Room) -> None:
        room.felt.collect_cards()
        room.look()
        room.pass_time(3_000)

    def _dealing(self, room: Room, planned: PlannedHand) -> CleanDealing:
        kind = STAGED.get(planned.kind)
        scripts = self._bots.scripts(LEVEL)
        first = next(scripts)
        if kind is None:
            return CleanDealing(room, first, BOOK, CHIP, planned.seed)
        fitting = (script for script in (first, *scripts) if kind.fits(script, BOOK, CHIP))
        return kind(room, next(fitting, first), BOOK, CHIP, planned.seed)

    def _agrees(self, room: Room, stacks: dict[Seat, Chips]) -> bool:
        """The screen has every stack and no hand open."""
        view = room.view
        shown = {seat.seat: seat.stack for seat in view.seats}
        return not in_hand(view) and all(shown.get(seat) == stack for seat, stack in stacks.items())

    def _seat(self, room: Room) -> None:
        """The director sets the seats to what lies on the felt, and the bots' button with them."""
        bots = self._bots
        if not bots.over:
            bots.sit_down_again(bots.seats, bots.button)
        room.felt.collect_cards()
        room.director_seats(SetSeats("", bots.seats, bots.button))
        room.pass_time(500)
