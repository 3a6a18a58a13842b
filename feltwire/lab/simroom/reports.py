"""A simulated table's output, one JSON object a line: the truth, for checks only."""

from __future__ import annotations

import msgspec

from feltwire.lab.simroom.dealer.performed import Performed
from table_core.messages import Frozen, Message, Millis, SetSeats


class ReportLine(Message, frozen=True):
    """Base of what is printed."""


class HandDone(ReportLine, frozen=True, tag="hand"):
    """A hand was dealt to its end. `stacks_agree`: the screen has every stack as the felt has it."""

    hand: int
    stacks_agree: bool
    misread: int
    unread: int
    presses: int
    corrections: int
    questions: int
    counts: int
    faults: tuple[str, ...]
    seconds: float


class KeysSent(ReportLine, frozen=True, tag="keys"):
    """When the last byte of each key frame had been written: boot time in ms by origin."""

    sent: dict[str, float]


class PleaseSeat(ReportLine, frozen=True, tag="please_seat"):
    """The director is asked to set the seats: new players sit down, or a hand could not be dealt to its end."""

    why: str
    command: SetSeats


class AllDone(ReportLine, frozen=True, tag="done"):
    """Every hand that was asked for has been dealt."""

    hands: int


AnyReport = HandDone | KeysSent | PleaseSeat | AllDone
_decoder: msgspec.json.Decoder[AnyReport] = msgspec.json.Decoder(AnyReport)


class Order(Frozen, frozen=True):
    """What a simulated table is told on its stdin; after `until` (boot time) it does no mischief any more."""

    mischief: str = ""
    until: Millis | None = None
    last_hand: bool = False  # after the hand that is being dealt, the dealer is done
    stop: bool = False


def decode_report(line: bytes) -> AnyReport:
    """Raise `msgspec.DecodeError` when the line is no report."""
    return _decoder.decode(line)


def hand_done(performed: Performed, seconds: float) -> HandDone:
    tally = performed.tally
    return HandDone(
        hand=performed.hand,
        stacks_agree=performed.stacks_agree,
        misread=performed.misread,
        unread=performed.unread,
        presses=tally.presses,
        corrections=tally.corrections,
        questions=tally.questions,
        counts=tally.counts,
        faults=tuple(tally.faults),
        seconds=round(seconds, 3),
    )
