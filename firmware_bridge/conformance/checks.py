"""The checks, each of a sentence of docs/wire.md. The first ones need nobody; `TOUCHED` need a report that is
made."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple

from firmware_bridge import handshake, payloads
from firmware_bridge.conformance.probe import Came, Probe, is_report
from firmware_bridge.frames import (
    ACK,
    HEALTH,
    HELLO,
    LAMP,
    MAX_PAYLOAD,
    SOUND,
    TIME,
    TIME_REQUEST,
    Frame,
    encode,
    u32,
)
from firmware_bridge.handshake import Hello
from firmware_bridge.reports import Unreadable, read_report
from table_core.messages import Millis

ANSWER_S = 1.5  # within which a device answers
GAPS_MS = (100, 200, 400, 800)  # between repetitions
_SHARE = 0.6  # a gap may be so much of what is written, or
_LATE_MS = 80.0  # so much longer and half as long again


class Fails(Exception):
    """What the device did instead."""


class Skips(Exception):
    """Why the check does not apply."""


class Trial:
    """A device on its line. `touch(words)` asks somebody to make a report, and gives None where nobody does."""

    def __init__(self, probe: Probe, touch: Callable[[str], Came | None]) -> None:
        self.probe = probe
        self.touch = touch
        self.hello: Hello | None = None

    def known(self) -> Hello:
        if self.hello is None:
            raise Skips("it has not introduced itself")
        return self.hello

    def still_there(self, behind: str) -> None:
        """It answers, and has not restarted."""
        before = self.known()
        self.probe.ask()
        came = self.probe.first(ANSWER_S, HELLO)
        if came is None:
            raise Fails(f"no HELLO any more behind {behind}")
        if came.frame.boot != before.boot:
            raise Fails(f"it restarted behind {behind}: another boot number")


class Check(NamedTuple):
    says: str  # what docs/wire.md asks for
    run: Callable[[Trial], None]


# ------------------------------------------------------------------------------------------- by itself


def introduces_itself(trial: Trial) -> None:
    trial.probe.ask()
    came = trial.probe.first(ANSWER_S, HELLO)
    if came is None:
        raise Fails("no HELLO came; is this the port, and the speed?")
    try:
        hello = handshake.read(came.frame.payload, came.frame.boot)
    except ValueError as error:
        raise Fails(str(error)) from None
    refusal = handshake.refusal(hello, None, "")
    if refusal:
        raise Fails(refusal)
    if hello.device_kind not in payloads.DEVICE_NAMES:
        raise Fails(f"device kind {hello.device_kind} is none")
    if "?" in hello.firmware or not hello.firmware:
        raise Fails("its name is empty or holds control characters")
    trial.hello = hello


def health_follows(trial: Trial) -> None:
    hello = trial.known()
    trial.probe.ask()
    came = trial.probe.first(ANSWER_S, HEALTH)
    if came is None:
        raise Fails("no HEALTH came behind HELLO")
    try:
        payloads.read_health(came.frame.payload)
    except ValueError as error:
        raise Fails(str(error)) from None
    if hello.protocol >= payloads.PROTOCOL and len(came.frame.payload) < len(payloads.health(payloads.Health(0))):
        raise Fails(f"HEALTH has {len(came.frame.payload)} bytes")


def answers_each_request(trial: Trial) -> None:
    for _ in range(3):
        trial.still_there("a HELLO_REQUEST")


def status_has_no_number(trial: Trial) -> None:
    trial.known()
    wrong = [came.frame for came in trial.probe.came if came.frame.kind < 0x10 and came.frame.seq]
    if wrong:
        raise Fails(f"kind 0x{wrong[0].kind:02x} has the number {wrong[0].seq}")


def takes_no_damage_from_noise(trial: Trial) -> None:
    trial.known()
    whole = encode(LAMP, 0, 0, payloads.lamp(0, 0, 0, 0, False))
    for noise in (bytes(range(256)), whole[:7], b"\x00" * 40, b"\x55" * 1_000, whole[1:], b"\x01" * 300 + b"\x00"):
        trial.probe.say(noise)
        trial.probe.listen(0.05)
        trial.still_there("noise")


def ignores_kinds_that_it_does_not_know(trial: Trial) -> None:
    trial.known()
    for kind in (0x8F, 0xC0, 0xFF, HELLO, 0x10):
        trial.probe.say(encode(kind, 0, 0, bytes(MAX_PAYLOAD)))
    trial.still_there("kinds that it does not know")


def reads_what_it_knows_of_longer_payloads(trial: Trial) -> None:
    hello = trial.known()
    trial.probe.say(encode(LAMP, 0, 0, payloads.lamp(0, 0, 0, 0, False) + b"more"))
    trial.probe.say(encode(SOUND, 0, 0, payloads.sound(1_000, 1, 0, 0) + b"more"))
    if hello.can(payloads.TELLS_TIME):
        trial.probe.say(encode(TIME_REQUEST, 0, 0, u32(7) + b"more"))
        if trial.probe.first(ANSWER_S, TIME) is None:
            raise Fails("a TIME_REQUEST with bytes behind its number was not answered")
    trial.still_there("longer payloads")


def ignores_orders_that_cannot_be_read(trial: Trial) -> None:
    trial.known()
    for kind in (LAMP, SOUND, TIME_REQUEST):
        trial.probe.say(encode(kind, 0, 0, b"\x01"))
    trial.still_there("orders that are too short")


def ignores_an_acknowledgement_of_nothing(trial: Trial) -> None:
    hello = trial.known()
    for boot, seq in ((hello.boot, 0xFFFFFF00), (hello.boot ^ 1, 1), (0, 0)):
        trial.probe.say(encode(ACK, boot, seq))
    trial.still_there("acknowledgements of nothing")


def tells_the_time(trial: Trial) -> None:
    if not trial.known().can(payloads.TELLS_TIME):
        raise Skips("it does not say that it can")
    samples = []
    for token in (1, 0xFFFFFFFF):
        asked = trial.probe.clock()
        trial.probe.say(encode(TIME_REQUEST, 0, 0, u32(token)))
        came = trial.probe.first(ANSWER_S, TIME)
        if came is None:
            raise Fails("TIME_REQUEST was not answered")
        told, device_ms = payloads.read_time(came.frame.payload)
        if told != token:
            raise Fails("the answer names another request")
        samples.append((asked, device_ms, came.at))
        trial.probe.listen(1.0)
    (asked, first_ms, _), (_, last_ms, heard) = samples
    between, most = (last_ms - first_ms) % 2**32, (heard - asked) * 1_000
    if not most - 1_000 * (samples[0][2] - asked + heard - samples[1][0]) - 50 <= between <= most + 50:
        raise Fails(f"its clock went {between} ms while {most:.0f} ms passed")


ALONE = (
    Check("HELLO names a protocol, a kind of device and the firmware", introduces_itself),
    Check("HEALTH follows HELLO", health_follows),
    Check("HELLO answers each HELLO_REQUEST, with the same boot", answers_each_request),
    Check("TIME answers TIME_REQUEST, and its clock runs in milliseconds", tells_the_time),
    Check("noise and half frames on the line have no effect", takes_no_damage_from_noise),
    Check("kinds that it does not know are ignored", ignores_kinds_that_it_does_not_know),
    Check("bytes behind a known payload are ignored", reads_what_it_knows_of_longer_payloads),
    Check("orders that cannot be read are ignored", ignores_orders_that_cannot_be_read),
    Check("an ACK of nothing is ignored", ignores_an_acknowledgement_of_nothing),
    Check("status frames have seq 0", status_has_no_number),
)

# ------------------------------------------------------------------------------------- with somebody there


def _made(trial: Trial, words: str) -> Came:
    trial.known()
    came = trial.touch(words)
    if came is None:
        raise Skips("nobody made a report")
    return came


def _same(first: Frame, other: Frame) -> bool:
    return (first.boot, first.seq) == (other.boot, other.seq)


def report_can_be_read(trial: Trial) -> None:
    hello = trial.known()
    frame = _made(trial, "press a key, or draw a card").frame
    if frame.seq < 1:
        raise Fails("a report without a number")
    trial.probe.acknowledge(frame)
    read = read_report(hello.device_kind, frame, Millis)
    if isinstance(read, Unreadable):
        raise Fails(read.why)


def repeats_until_it_is_acknowledged(trial: Trial) -> None:
    first = _made(trial, "press a key, or draw a card")
    came = [first, *(one for one in trial.probe.listen(1.9) if is_report(one))]
    for one in came[1:]:
        if not _same(first.frame, one.frame):
            raise Fails("another report came before the first was acknowledged")
        if one.frame.payload != first.frame.payload:
            raise Fails("the repetition differs from the report")
    gaps = [(after.at - before.at) * 1_000 for before, after in itertools.pairwise(came)]
    if len(gaps) < len(GAPS_MS):
        raise Fails(f"{len(gaps)} repetitions within 1.9 s, 4 expected")
    for gap, wanted in zip(gaps, GAPS_MS, strict=False):
        if not wanted * _SHARE <= gap <= wanted * 1.5 + _LATE_MS:
            raise Fails(f"repetitions after {', '.join(f'{one:.0f}' for one in gaps)} ms; 100, 200, 400, 800")


def only_its_own_acknowledgement_counts(trial: Trial) -> None:
    frame = _made(trial, "press a key, or draw a card").frame
    damaged = bytearray(encode(ACK, frame.boot, frame.seq))
    damaged[-2] ^= 0x40
    others = [encode(ACK, frame.boot, frame.seq + 1), encode(ACK, frame.boot ^ 1, frame.seq), bytes(damaged)]
    trial.probe.say(b"".join(others))
    if trial.probe.report(1.5) is None:
        raise Fails("an ACK of another report, or a damaged one, was taken for its own")


def repeats_when_it_is_asked_who_it_is(trial: Trial) -> None:
    frame = _made(trial, "press a key, or draw a card").frame
    trial.probe.listen(1.0)  # the next repetition is far away
    asked = trial.probe.clock()
    trial.probe.ask()
    came = trial.probe.report(ANSWER_S)
    if came is None or not _same(came.frame, frame):
        raise Fails("no repetition behind HELLO_REQUEST")
    if came.at - asked > 0.5:
        raise Fails(f"the repetition came {came.at - asked:.1f} s behind HELLO_REQUEST")


def one_at_a_time_and_in_order(trial: Trial) -> None:
    first = _made(trial, "press a key, or draw a card").frame
    second = trial.touch("and another; nothing is acknowledged yet")
    if second is None:
        raise Skips("nobody made a second report")
    meanwhile = [second, *(came for came in trial.probe.listen(1.0) if is_report(came))]
    if not all(_same(first, came.frame) for came in meanwhile):
        raise Fails("the second report came before the first was acknowledged")
    trial.probe.acknowledge(first)
    found = trial.probe.listen(ANSWER_S, lambda came: is_report(came) and not _same(first, came.frame))
    next_one = next((came.frame for came in found if is_report(came) and not _same(first, came.frame)), None)
    if next_one is None:
        raise Fails("the second report did not come behind the ACK of the first")
    if (next_one.boot, next_one.seq) != (first.boot, first.seq + 1):
        raise Fails(f"it is number {next_one.seq}, behind {first.seq}")


def says_no_more_when_all_is_acknowledged(trial: Trial) -> None:
    trial.known()
    trial.probe.ask()
    for _ in range(200):
        came = trial.probe.report(1.4)
        if came is None:
            return
        trial.probe.acknowledge(came.frame)
    raise Fails("reports come without end")


TOUCHED = (
    Check("a report is numbered and can be read", report_can_be_read),
    Check("it is repeated after 100, 200, 400, 800 ms, the same", repeats_until_it_is_acknowledged),
    Check("only the ACK of the report itself counts", only_its_own_acknowledgement_counts),
    Check("HELLO_REQUEST brings the report again at once", repeats_when_it_is_asked_who_it_is),
    Check("the next report waits for the ACK of the one before", one_at_a_time_and_in_order),
    Check("what is acknowledged is not sent again", says_no_more_when_all_is_acknowledged),
)
