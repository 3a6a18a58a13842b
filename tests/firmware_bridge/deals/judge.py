"""Holds what a shoe reported against what happened: right, asked about, or wrong.

*Right*: the same cards, in the same order. *Asked*: the shoe says that it does not know (a card without a tag,
cards together, a passage that it could not make out). *Hidden*: two cards lay on each other, so that the beams saw
one, and one tag alone answered. *Wrong*: another card than the one that went, a card too many or too few, and
nothing that says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from firmware_bridge import payloads
from firmware_bridge.frames import CARD, CARD_BACK, CARDS, LOST, Frame
from tests.firmware_bridge.deals.dealer import Happened

NEAR_MS = 12  # between what happened and its report, by the device's clock
ON_EACH_OTHER_UM = 10_000  # cards that are no further apart may seem no longer to the beams than one


@dataclass(frozen=True)
class Said:
    """One report. `unsure`: it only says that something is not certain."""

    at_ms: int
    what: str
    uids: tuple[bytes, ...] = ()  # those that it names
    cards: int = 0  # how many it counts
    unsure: bool = False


@dataclass
class Verdict:
    right: int = 0
    asked: int = 0
    hidden: list[Happened] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    of: Counter[str] = field(default_factory=Counter)  # what was asked about


def said(frame: Frame) -> Said | None:
    """The report in a frame, None for one of another sensor."""
    if frame.kind == CARD:
        tag, at, doubtful = payloads.read_card(frame.payload)
        named = () if tag == payloads.NO_TAG else (tag,)
        return Said(at, "out", named, 1, unsure=doubtful or not named)
    if frame.kind == CARDS:
        tags, at = payloads.read_cards(frame.payload)
        return Said(at, "together", tuple(tag for tag in tags if tag != payloads.NO_TAG), len(tags), unsure=True)
    if frame.kind == CARD_BACK:
        tag, at, was_out = payloads.read_card_back(frame.payload)
        named = () if tag == payloads.NO_TAG else (tag,)
        return Said(at, "returned" if was_out else "back", named)
    if frame.kind == LOST:
        _, _, at = payloads.read_lost(frame.payload)
        return Said(at, "uncertain", unsure=True)
    return None


def judge(truth: Sequence[Happened], frames: Sequence[Frame]) -> Verdict:
    """Each report is held against what happened at its time."""
    reports = [one for one in map(said, frames) if one is not None]
    verdict, left = Verdict(), list(reports)
    for happened in truth:
        near = [one for one in left if abs(one.at_ms - happened.at // 1000) <= NEAR_MS]
        kinds = (happened.what, "uncertain", *(["out"] if happened.what == "together" else []))
        mine = [one for one in near if one.what in kinds] or near
        left = [one for one in left if one not in mine]
        _weigh(verdict, happened, mine)
    for one in left:
        if one.unsure and one.what == "uncertain":
            verdict.asked += 1
            verdict.of["uncertain, and nothing happened"] += 1
        else:
            verdict.wrong.append(f"at {one.at_ms}: {one.what} of {one.cards}, and nothing happened")
    return verdict


def _weigh(verdict: Verdict, happened: Happened, mine: list[Said]) -> None:
    uids = {uid for uid in happened.uids if uid is not None}
    named = {uid for one in mine for uid in one.uids}
    unsure = any(one.unsure for one in mine)
    if not named <= uids:
        verdict.wrong.append(f"at {happened.at // 1000}: {happened.what}, and another card was named")
    elif _is_right(happened, mine, uids == named):
        verdict.right += 1
    elif _is_hidden(happened, mine):
        verdict.hidden.append(happened)
    elif unsure:
        verdict.asked += 1
        verdict.of[f"{happened.what}: {', '.join(one.what for one in mine)}"] += 1
    else:
        what = ", ".join(f"{one.what} of {one.cards}" for one in mine) or "nothing"
        verdict.wrong.append(f"at {happened.at // 1000}: {happened.what} of {len(happened.uids)}, said: {what}")


def _is_hidden(happened: Happened, mine: list[Said]) -> bool:
    on_each_other = happened.what == "together" and happened.apart <= ON_EACH_OTHER_UM
    return on_each_other and [(one.what, one.cards, one.unsure) for one in mine] == [("out", 1, False)]


def _is_right(happened: Happened, mine: list[Said], named: bool) -> bool:
    """One report, of the right kind and number. `named`: it names every card."""
    if len(mine) != 1 or mine[0].what != happened.what:
        return False
    if happened.what == "out":
        return named and not mine[0].unsure
    return happened.what != "together" or mine[0].cards == len(happened.uids)
