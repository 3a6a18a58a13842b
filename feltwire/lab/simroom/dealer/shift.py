"""A dealer's shift at one simulated table: hand after hand, with new players when one has won everything."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from feltwire.lab.simroom.config import SimroomConfig
from feltwire.lab.simroom.dealer.dealing import TableStuck
from feltwire.lab.simroom.dealer.glance import in_hand
from feltwire.lab.simroom.dealer.mischief import Fault
from feltwire.lab.simroom.dealer.performed import Performed
from feltwire.lab.simroom.dealer.robot import Plan, RobotDealing
from feltwire.lab.simroom.devices import SimDevices
from feltwire.lab.simroom.play.bots import Bots
from feltwire.lab.simroom.play.recorded import script_of
from feltwire.lab.simroom.play.script import HandScript
from feltwire.lab.simroom.reports import AllDone, AnyReport, HandDone, KeysSent, PleaseSeat, hand_done
from feltwire.tools.hand_files import read_all
from table_core.messages import Chips, Level, SetSeats, TableView
from table_core.rulebook import load_rulebook

log = logging.getLogger(__name__)

SEATED_S = 3.0  # until the director is asked again


class Dealer:
    """Deals at the devices of one table; `report` hears everything that was done."""

    def __init__(
        self, config: SimroomConfig, devices: SimDevices, *, fault: Fault, report: Callable[[AnyReport], None]
    ) -> None:
        self._config = config
        self._devices = devices
        self._hands = devices.hands
        self._fault = fault
        self._report = report
        self._rulebook = load_rulebook(config.rulebook)
        self._seated = 0

    def work(self) -> None:
        """Deal what the configuration asks for; raise `Stopped` when the room closes before."""
        view = self._first_look()
        dealt = self._deal_recorded() if self._config.histories else self._deal_bots(view)
        self._report(AllDone(dealt))

    def _first_look(self) -> TableView:
        """Wait until the table is up and shows its seats."""
        while True:
            view, up = self._hands.watch(lambda v: bool(v.seats), 60.0)
            if up:
                return view

    # ---------------------------------------------------------------------------------- generated hands

    def _deal_bots(self, view: TableView) -> int:
        config = self._config
        bots = Bots(
            seats=config.seats,
            button=config.button,
            rulebook=self._rulebook,
            seed=config.seed,
            smallest_chip=config.smallest_chip,
        )
        if view.hands_played or in_hand(view):  # this dealer takes over a table that was played at
            bots.hand = view.hand + 1
            self._seat(self._fresh_seats(bots, view.next_hand_level), "the table is taken over")
        dealt = 0
        while self._deals_on(dealt):
            if bots.over:
                bots.sit_down_again(config.seats, config.button)
                self._seat(self._fresh_seats(bots, None), "one player has won everything; new players sit down")
            performed = self._deal(bots.next_hand)
            dealt += 1
            if performed is None:
                script = bots.next_hand(config.levels[0])
                bots.settle({share.seat: share.amount for share in script.finishing})
                self._seat(self._as_felt(bots), "the table is set to what lies on the felt")
            else:
                bots.settle(performed.stacks)
        return dealt

    def _deals_on(self, dealt: int) -> bool:
        return self._hands.pace.deals_on and (not self._config.hands or dealt < self._config.hands)

    def _fresh_seats(self, bots: Bots, level: Level | None) -> SetSeats:
        return SetSeats(self._next_id(), self._config.seats, self._config.button, bots.hand, level)

    def _as_felt(self, bots: Bots) -> SetSeats:
        return SetSeats(self._next_id(), bots.seats, bots.button, bots.hand)

    # ----------------------------------------------------------------------------------- recorded hands

    def _deal_recorded(self) -> int:
        dealt = 0
        for script in self._recorded():
            if not self._deals_on(dealt):
                break
            seats = tuple(sorted(script.seats, key=lambda entry: entry.seat))
            self._seat(SetSeats(self._next_id(), seats, script.button, script.hand, script.level), "next hand")
            self._deal(lambda _, planned=script: planned)  # type: ignore[misc]
            dealt += 1
        return dealt

    def _recorded(self) -> Iterator[HandScript]:
        number = 0
        for path in self._config.histories:
            for recorded in read_all(Path(path)):
                number += 1
                yield script_of(recorded, hand=number, seed=self._config.seed)

    # -------------------------------------------------------------------------------------------- a hand

    def _deal(self, plan: Plan) -> Performed | None:
        """Deal one hand and report it; None when the table would not go on."""
        began = time.monotonic()
        dealing = RobotDealing(
            self._hands,
            self._rulebook,
            plan=plan,
            level=self._level(),
            fault=self._fault,
            smallest_chip=self._config.smallest_chip,
        )
        try:
            performed = dealing.play()
        except TableStuck as stuck:
            log.warning("%s", stuck)
            self._hands.felt.collect_cards()
            self._report(HandDone(dealing.hand, False, 0, 0, 0, 0, 0, 0, (), 0.0))
            return None
        self._report(KeysSent(self._devices.sent()))
        self._report(hand_done(performed, time.monotonic() - began))
        return performed

    def _level(self) -> Level:
        view, _ = self._hands.watch(lambda v: v.next_hand_level is not None, 10.0)
        return view.next_hand_level or self._config.levels[0]

    # ------------------------------------------------------------------------------------- the director

    def _seat(self, command: SetSeats, why: str) -> None:
        """Have the director set the seats, until the screen shows them."""
        wanted = {entry.seat: entry.stack for entry in command.seats if entry.stack}

        def seated(view: TableView) -> bool:
            shown: dict[int, Chips] = {entry.seat: entry.stack for entry in view.seats if entry.stack}
            return shown == wanted and not in_hand(view) and view.button == command.button

        while True:
            self._report(PleaseSeat(why, command))
            if self._hands.watch(seated, SEATED_S)[1]:
                return

    def _next_id(self) -> str:
        self._seated += 1
        return f"simroom-{self._config.table}-{time.time_ns():x}-{self._seated}"
