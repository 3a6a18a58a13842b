"""The simulated dealer's devices: keys, shoe, the felt under the camera, and the screen."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Protocol

from feltwire.lab.simroom.dealer.mischief import BLOCKED_S, PULLED_S, Mischief
from feltwire.lab.simroom.dealer.pace import CARD_S, PRESS_S, Pace
from feltwire.lab.simroom.dealer.screen import Screen, wait_until
from feltwire.lab.simroom.felt.felt import PhysicalFelt
from table_core.messages import CardText, Key, TableView

log = logging.getLogger(__name__)

ACK_GLANCE_S = 0.5  # how long to wait for an acknowledgement before looking whether the room is closing


class KeypadKeys(Protocol):
    def press(self, key: int) -> tuple[int, int]: ...
    def wait_acked(self, timeout: float | None = None) -> bool: ...


class Shoe(Protocol):
    def deal(self, uid: bytes | None) -> tuple[int, int]: ...
    def wait_acked(self, timeout: float | None = None) -> bool: ...
    def unplug(self) -> None: ...
    def plug(self) -> None: ...


class Eye(Protocol):
    """The camera over the felt."""

    def show(self, felt: PhysicalFelt, *, covered: bool = False) -> None:
        """Let the camera see the felt as it lies now (or an arm over it)."""
        ...

    def wait_seen(self, check: Callable[[], None]) -> None:
        """Wait until enough still pictures of it were fetched to be read; call `check` now and then meanwhile."""
        ...


class Hands:
    """What a dealer can do at one table.

    Between two presses, and between two cards, it waits for the device's acknowledgement and never for a fixed
    time, except for the human pauses of `pace`. Two decks alternate: `tag(deck, card)` is a card's tag. `eye` is
    None at a table without a camera.
    """

    def __init__(
        self,
        *,
        felt: PhysicalFelt,
        keypad: KeypadKeys,
        shoe: Shoe,
        eye: Eye | None,
        screen: Screen,
        pace: Pace,
        decks: tuple[str, ...],
        tag: Callable[[str, CardText], bytes],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.felt = felt
        self.screen = screen
        self.pace = pace
        self._keypad = keypad
        self._shoe = shoe
        self._eye = eye
        self._decks = decks
        self._tag = tag
        self._now = now  # seconds
        self._deck_no = -1
        self._troubles: dict[Mischief, float] = {}  # until when each lasts

    @property
    def has_camera(self) -> bool:
        return self._eye is not None

    # ----------------------------------------------------------------------------------------- doing

    def press(self, *keys: Key) -> None:
        """Press `keys` one after another; back when the table has them safe."""
        for key in keys:
            self._keypad.press(key)
        self._wait(self._keypad.wait_acked)
        self.pace.pause(PRESS_S)

    def next_deck(self) -> None:
        self._deck_no = (self._deck_no + 1) % len(self._decks)

    def pass_shoe(self, card: CardText) -> None:
        """`card` leaves the shoe past its reader."""
        self._mend()
        self._shoe.deal(self._tag(self._decks[self._deck_no], card))
        self.pace.pause(CARD_S)

    def settle_shoe(self) -> None:
        """Wait until every card that left the shoe is safe at the table; not while its cable is out."""
        self._wait(lambda timeout: Mischief.PULL_SHOE in self._troubles or self._shoe.wait_acked(timeout))

    # ---------------------------------------------------------------------------------------- looking

    @property
    def view(self) -> TableView:
        """The screen as it is now."""
        return self.watch(lambda _: True, 0.0)[0]

    def watch(self, shows: Callable[[TableView], bool], patience_s: float) -> tuple[TableView, bool]:
        """Look at the screen until `shows(view)` or patience ends; the last view and whether it shows it."""
        return wait_until(self.screen, shows, patience_s=patience_s, check=self._mend, now=self._now)

    def watch_camera(self, shows: Callable[[TableView], bool], patience_s: float) -> tuple[TableView, bool]:
        """As `watch`, for what the camera tells the table: patience begins when it has looked at the felt."""
        self._wait_seen()
        return self.watch(shows, patience_s)

    def look(self) -> None:
        """The felt has changed; a camera that looks will see it."""
        self._mend()
        if self.pace.speed:
            self._show()

    def show(self) -> None:
        """The felt lies still now and is worth reading, with every card of it past the shoe's reader."""
        self.settle_shoe()
        self._show()

    def show_and_wait(self) -> None:
        """As `show`; back when the camera has had its pictures."""
        self.show()
        self._wait_seen()

    # ----------------------------------------------------------------------------------------- trouble

    def trouble(self, kind: Mischief) -> None:
        """Block the camera or pull the shoe's cable; put right after some seconds of real time."""
        if kind is Mischief.BLOCK_CAMERA:
            self._troubles[kind] = self._now() + BLOCKED_S
            self._show()
        elif kind is Mischief.PULL_SHOE:
            self._troubles[kind] = self._now() + PULLED_S
            self._shoe.unplug()

    def mend_all(self) -> None:
        """Sit troubles out, so that a hand does not end in the middle of one."""
        while self._troubles:
            self.pace.hold(0.05)
            self._mend()

    def _mend(self) -> None:
        """End troubles that have lasted long enough; raise `Stopped` when the room closes."""
        self.pace.check()
        for kind in [kind for kind, until in self._troubles.items() if self._now() >= until]:
            del self._troubles[kind]
            if kind is Mischief.PULL_SHOE:
                self._shoe.plug()
            else:
                self._show()

    def _show(self) -> None:
        if self._eye is not None:
            self._eye.show(self.felt, covered=Mischief.BLOCK_CAMERA in self._troubles)

    def _wait_seen(self) -> None:
        if self._eye is not None and Mischief.BLOCK_CAMERA not in self._troubles:
            self._eye.wait_seen(self._mend)

    def _wait(self, acked: Callable[[float], bool]) -> None:
        self._mend()
        while not acked(ACK_GLANCE_S):
            self._mend()
