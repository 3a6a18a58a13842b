"""Which way of dealing stages which kind of fault."""

from __future__ import annotations

from tests.faults.kinds import Kind
from tests.faults.staged.betting import OutOfTurn, SingleChip, StringBet, WrongAmount
from tests.faults.staged.deal import (
    ButtonForgotten,
    DoubleBurn,
    DoubleRead,
    EmptySeat,
    ExposedDealing,
    ExtraCard,
    Flashed,
    ForeignCard,
    MissingBurn,
    PrematureStreet,
    ReadFailed,
    ReadSkipped,
    WrongSeat,
)
from tests.faults.staged.devices import Bounce, CameraBlocked, KeypadPulled, ShoePulled, WornKey
from tests.faults.staged.people import (
    BatchedKeys,
    ForgottenCall,
    ForgottenFold,
    ForgottenLast,
    ForgottenMuck,
    ForgottenNewHand,
    LateKeys,
    Unkeyed,
    WrongKey,
    WrongSeatKey,
)
from tests.faults.staged.staging import Staging

_ALL: tuple[type[Staging], ...] = (
    ReadFailed,
    ReadSkipped,
    DoubleRead,
    ExtraCard,
    MissingBurn,
    DoubleBurn,
    PrematureStreet,
    ExposedDealing,
    Flashed,
    ForeignCard,
    WrongSeat,
    EmptySeat,
    ButtonForgotten,
    OutOfTurn,
    WrongAmount,
    StringBet,
    SingleChip,
    Bounce,
    WornKey,
    CameraBlocked,
    ShoePulled,
    KeypadPulled,
    ForgottenFold,
    ForgottenCall,
    ForgottenLast,
    ForgottenNewHand,
    ForgottenMuck,
    LateKeys,
    BatchedKeys,
    WrongKey,
    WrongSeatKey,
    Unkeyed,
)
STAGED: dict[Kind, type[Staging]] = {staging.kind: staging for staging in _ALL}
