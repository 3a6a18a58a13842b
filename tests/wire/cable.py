"""The cable is pulled behind every byte of a conversation of 200 events, in both directions, and plugged in again:
each event is in the ledger once, in order."""

from __future__ import annotations

from collections import Counter
from functools import cache

from firmware_bridge import payloads
from firmware_bridge.device import Device
from firmware_bridge.sim.kept import KeptReports
from tests.wire.conversation import EVENTS, Conversation
from tests.wire.proof import Counts, Finding, Proof


def _made(boot: int) -> Device:
    return Device(payloads.KEYPAD, "keypad", boot, log=KeptReports())


@cache
def whole() -> int:
    """The bytes of the conversation where nobody pulls the cable."""
    talk = Conversation(_made)
    talk.run()
    _holds(talk)
    return talk.bytes


def _holds(talk: Conversation) -> None:
    if talk.keys() != [event % 10 for event in range(EVENTS)]:
        raise Finding(f"{len(talk.keys())} of {EVENTS} events in the ledger, or not in order")
    if talk.losses():
        raise Finding("the device says that it lost something")


def run(case: int, seed: int) -> Counts:
    talk = Conversation(_made, breaks_at=case)
    talk.run()
    _holds(talk)
    again = talk.device.resent
    return Counter(pulls=1, events=EVENTS, frames_sent_again=again)


def figures(counts: Counts) -> list[str]:
    return [
        f"the cable pulled at {counts['pulls']} of the {whole()} bytes of {EVENTS} events: "
        f"{counts['events']} events, 0 lost, 0 repeated",
        f"{counts['frames_sent_again']} frames were sent again",
    ]


PROOF = Proof("the cable pulled at every byte of 200 events", whole, run, figures)
