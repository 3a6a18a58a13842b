"""Faults of devices: keys that chatter, a camera that sees nothing, cables that are out."""

from __future__ import annotations

from feltwire.lab.simroom.dealer.dealing import keys_of
from feltwire.lab.simroom.play.script import ScriptedAct
from tests.faults.course import Turn
from tests.faults.dealing import KEY_MS, SAY_MS
from tests.faults.kinds import Kind
from tests.faults.staged.staging import Staging


class Bounce(Staging):
    """The contact opens again within the settling time: one press."""

    kind = Kind.BOUNCE
    chatter_ms = (1, 2)

    def say_wrongly(self, act: ScriptedAct) -> None:
        keys = keys_of(act)
        self.stage(keys[-1].name)
        self.presses += 1
        for key in keys:
            chatter = self.chance.randint(*self.chatter_ms) if key is keys[-1] else 0
            self.room.press(key, chatter_ms=chatter)
            self.wait(*KEY_MS)
        self.reconcile()


class WornKey(Bounce):
    """A spring that is tired: the key comes through twice."""

    kind = Kind.WORN_KEY
    chatter_ms = (8, 20)

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        return turn.passive or turn.act.action.value == "fold"


class CameraBlocked(Staging):
    """Somebody leans over the table for some seconds, at any moment of the betting."""

    kind = Kind.CAMERA_BLOCKED

    def interrupt(self, todo: list[ScriptedAct]) -> None:
        ms = self.chance.randint(4_000, 15_000)
        self.stage(f"{ms} ms")
        self.room.cover(True)
        self.room.later(ms, lambda: self.room.cover(False))


class _Pulled(Staging):
    device = ""

    def interrupt(self, todo: list[ScriptedAct]) -> None:
        ms = self.chance.randint(2_500, 9_000)
        self.stage(f"{ms} ms")
        self.room.unplug(self.device)
        self.room.later(ms, lambda: self.room.plug(self.device))


class ShoePulled(_Pulled):
    kind = Kind.SHOE_PULLED
    device = "shoe"


class KeypadPulled(_Pulled):
    """The dealer keys on: what was pressed comes when the cable is back."""

    kind = Kind.KEYPAD_PULLED
    device = "keypad"

    def say(self, act: ScriptedAct) -> None:
        if self.room.is_plugged("keypad"):
            super().say(act)
            return
        self.wait(*SAY_MS)
        self.press(*keys_of(act))
