"""What the director of a scenario tells a table: the command of a line."""

from __future__ import annotations

from collections.abc import Sequence

from feltwire.lab.scenario.file import Scenario, ScenarioLine, level_of
from table_core.messages import (
    AnyTableCommand,
    Chips,
    MakeRuling,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    Seat,
    SeatStack,
    SetHand,
    SetLevel,
    SetSeats,
    Street,
    TakeBackRuling,
)
from table_core.projections.table import TableProjection


def command_of(scenario: Scenario, line: ScenarioLine, table: TableProjection) -> AnyTableCommand:
    """`director string_bet first_motion seat 3 by Ann because camera checked`, `director seats 1=9000 2=11000
    button 2`, `director withdraw`, `level 100/200 ante 20`. Raise `ScenarioError`, or `ValueError` for words that
    are no numbers."""
    id_ = f"line-{line.no}"
    if line.verb == "level":
        level = level_of(" ".join(line.words), no=2)
        if level is None:
            raise scenario.error(line, "blinds as in `100/200 big blind ante 200`")
        return SetLevel(id_, level, table.schedule_revision)  # of the schedule that the table has
    if not line.words:
        raise scenario.error(line, "an incident, an option, and seat, amount, by, because")
    match line.words[0]:
        case "seats":
            return _seats(id_, scenario, line.words[1:])
        case "set_hand":
            return SetHand(id_, _hand(scenario, line, table))
        case "withdraw":
            return TakeBackRuling(id_)
        case incident:
            plain = [word for word in line.words[1:2] if word not in ("seat", "amount", "by", "because")]
            options = options_of(scenario, line, line.words[1 + len(plain) :])
            return _ruling(id_, incident, plain[0] if plain else "", options)


def options_of(scenario: Scenario, line: ScenarioLine, words: Sequence[str]) -> dict[str, str]:
    """`seat 3 amount 200 by Ann because camera checked`."""
    options: dict[str, str] = {}
    at = 0
    while at < len(words):
        if words[at] == "because":
            options["because"] = " ".join(words[at + 1 :])
            break
        if words[at] not in ("seat", "amount", "by") or at + 1 == len(words):
            raise scenario.error(line, "seat N, amount N, by NAME, because REASON")
        options[words[at]] = words[at + 1].replace(",", "")
        at += 2
    return options


def _ruling(id_: str, incident: str, option: str, options: dict[str, str]) -> MakeRuling:
    return MakeRuling(
        id_,
        incident,
        option,
        Seat(int(options["seat"])) if "seat" in options else None,
        Chips(int(options["amount"])) if "amount" in options else None,
        options.get("by", ""),
        options.get("because", ""),
    )


def _seats(id_: str, scenario: Scenario, words: Sequence[str]) -> SetSeats:
    """Who sits where with how much, and who has the button, from here on."""
    button = Seat(int(words[words.index("button") + 1])) if "button" in words else None
    players = {seated.seat: seated.player for seated in scenario.seats}
    stacks = [word.replace(",", "").partition("=") for word in words if "=" in word]
    seats = tuple(
        SeatStack(Seat(int(seat)), Chips(int(chips)), players.get(Seat(int(seat)), ""))
        for seat, _, chips in stacks
    )
    return SetSeats(id_, seats, button)


def _hand(scenario: Scenario, line: ScenarioLine, table: TableProjection) -> ResumeHand:
    """`director set_hand turn board Qh 9s 4c 3d seats 1=9700 2=9700 pot 600 act 2 live 1 2`."""
    names = ("street", "board", "seats", "live", "pot", "act", "button", "blinds")
    said, hand, level = _groups(("street", *line.words[1:]), names), table.hand, table.level
    if "seats" not in said or not said["street"] or level is None or table.button is None:
        raise scenario.error(line, "`set_hand STREET board … seats 1=9700 2=9700 pot 600 act 2`")
    halves = [word.partition("=") for word in said["seats"]]
    stacks = {Seat(int(seat)): Chips(int(chips)) for seat, _, chips in halves}
    live = [Seat(int(seat)) for seat in said.get("live", [str(seat) for seat in stacks])]
    blinds = [Seat(int(seat)) for seat in said.get("blinds", [])]
    small, big = blinds or (table.small_blind, table.big_blind or live[-1])
    return ResumeHand(
        hand.number if hand is not None and table.in_hand else table.hand_number + 1,
        Seat(int(said["button"][0])) if "button" in said else table.button,
        small,
        big,
        level,
        Street(said["street"][0]),
        tuple(said.get("board", ())),
        tuple([ResumedSeat(seat, stack, Chips(0), seat in live) for seat, stack in stacks.items()]),
        (ResumedPot(Chips(int(said["pot"][0])), tuple(live)),) if "pot" in said else (),
        Seat(int(said["act"][0])) if "act" in said else None,
    )


def _groups(words: Sequence[str], names: Sequence[str]) -> dict[str, list[str]]:
    """Words by the name before them."""
    found: dict[str, list[str]] = {}
    name = ""
    for word in words:
        if word in names and word not in found:
            name = word
            found[name] = []
        elif name:
            found[name].append(word.replace(",", ""))
    return found
