"""The steps of a night's story as commands of the director: one pattern for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from feltwire.lab.night.clock_steps import CLOCK_STEPS, Said
from table_core.messages import Chips, Seat, SeatStack
from table_core.notices import PenaltyKind
from table_core.tournament.chips.bank import GiveChips
from table_core.tournament.chips.colour_up import ColourUp
from table_core.tournament.chips.counts import CorrectStack, CountStack
from table_core.tournament.events import Payment, Purchase, Redraw, SeatAt, Seated
from table_core.tournament.field.absences import Forfeit, Leave, LiftSuspension, Return
from table_core.tournament.field.busts import ConfirmBust, DropBust
from table_core.tournament.field.corrections import CorrectPlaces
from table_core.tournament.field.entries import DockLatePlayers, Enter, Refund
from table_core.tournament.field.finishing import DecidePlaces
from table_core.tournament.field.rebuys import AnnounceRebuy, Buy
from table_core.tournament.field.registration import (
    AnnounceLateness,
    Bar,
    Cancel,
    CheckOff,
    ConfirmMember,
    RefuseEntry,
    SignIn,
)
from table_core.tournament.field.reinstated import Reinstate
from table_core.tournament.field.unsold import PlaceStack, SellStack
from table_core.tournament.field.waiting_list import DrawLots, LockOut, PassOver
from table_core.tournament.money.bounties import CashBountyChips, DecideBounty, EnterBounty, NameTargets
from table_core.tournament.money.prizes import CountCash, MakeDeal, PayPrize, SetPayouts
from table_core.tournament.penalties import EndTimeOut, GivePenalty
from table_core.tournament.seats.button import SetButton, SetDealer
from table_core.tournament.seats.draw import AssignSeats, DrawSeats, SeatCard
from table_core.tournament.seats.moves import (
    BreakTable,
    ConfirmMove,
    DealForMove,
    ReportLeft,
    ReportSeated,
    WithdrawMove,
)
from table_core.tournament.seats.seating import KeepApart, ReserveSeat, SeatPlayer
from table_core.tournament.seats.standing import SeatByStanding


def seat_at(text: str) -> SeatAt:
    """`2/5`: table 2, seat 5."""
    table, _, seat = text.partition("/")
    return SeatAt(table, Seat(int(seat)))


def numbers(text: str | None) -> dict[Seat, Chips]:
    """`1=500 3=200`: by seat."""
    pairs = (pair.split("=") for pair in (text or "").split())
    return {Seat(int(seat)): Chips(int(value)) for seat, value in pairs}


def _seated(text: str) -> tuple[Seated, ...]:
    pairs = (pair.split("=") for pair in text.split())
    return tuple(Seated(name, seat_at(at)) for name, at in pairs)


def _chips(said: Said, name: str) -> Chips:
    return Chips(int(said[name] or 0))


def _cents(text: str) -> int:
    return round(float(text) * 100)


def _payments(text: str) -> tuple[Payment, ...]:
    pairs = (pair.split("=") for pair in text.split())
    return tuple(Payment(name, _cents(amount)) for name, amount in pairs)


_PLAYER = r"(?P<player>\S+)"
_ANYWAY = r"(?: anyway (?P<anyway>.+))?"
_PAYING = r"(?: paying (?P<paid>[\d.]+))?"
_BIG_BLIND = r"(?: big blind (?P<big_blind>\d+))?"
_AT = r"\d+/\d+"

_STEPS: Mapping[str, Callable[[Said], Any]] = {
    rf"cancel {_PLAYER}{_ANYWAY}": lambda s: Cancel(s["player"], s["anyway"] or ""),
    rf"place stack at (?P<at>{_AT})": lambda s: PlaceStack(seat_at(s["at"])),
    rf"sell (?P<stack>stack-\d+) to {_PLAYER}": lambda s: SellStack(s["stack"], s["player"]),
    rf"confirm member {_PLAYER}": lambda s: ConfirmMember(s["player"]),
    rf"refuse {_PLAYER} (?P<why>.+)": lambda s: RefuseEntry(s["player"], s["why"]),
    rf"bar {_PLAYER} (?P<why>.+)": lambda s: Bar(s["player"], s["why"]),
    rf"pass over {_PLAYER}": lambda s: PassOver(s["player"]),
    r"draw lots (?P<players>\S+(?: \S+)*)": lambda s: DrawLots(tuple(s["players"].split())),
    r"lock out": lambda s: LockOut(),
    rf"sign in {_PLAYER}": lambda s: SignIn(s["player"]),
    rf"check off {_PLAYER}": lambda s: CheckOff(s["player"]),
    rf"late {_PLAYER}": lambda s: AnnounceLateness(s["player"]),
    rf"enter {_PLAYER}(?: with (?P<chips>\d+))?{_PAYING}{_BIG_BLIND}{_ANYWAY}": lambda s: Enter(
        s["player"],
        _chips(s, "chips") or None,
        _cents(s["paid"]) if s["paid"] else None,
        s["anyway"] or "",
        big_blind=_chips(s, "big_blind") or None,
    ),
    rf"enter {_PLAYER}(?: with (?P<chips>\d+))? exception (?P<why>.+)": lambda s: Enter(
        s["player"], _chips(s, "chips") or None, exception=s["why"]
    ),
    rf"refund {_PLAYER}{_ANYWAY}": lambda s: Refund(s["player"], s["anyway"] or ""),
    rf"announce rebuy {_PLAYER}{_ANYWAY}": lambda s: AnnounceRebuy(s["player"], s["anyway"] or ""),
    rf"(?P<kind>rebuy|break rebuy|add on) {_PLAYER}(?: has (?P<stack>\d+))?{_PAYING}{_ANYWAY}": lambda s: Buy(
        s["player"],
        {"rebuy": Purchase.REBUY, "break rebuy": Purchase.BREAK, "add on": Purchase.ADD_ON}[s["kind"]],
        _chips(s, "stack"),
        _cents(s["paid"]) if s["paid"] else None,
        s["anyway"] or "",
    ),
    rf"away {_PLAYER}(?P<notified> notified)?(?: for (?P<minutes>\d+) min)?": lambda s: Leave(
        s["player"], bool(s["notified"]), minutes=int(s["minutes"]) if s["minutes"] else None
    ),
    rf"back {_PLAYER}{_BIG_BLIND}": lambda s: Return(s["player"], big_blind=_chips(s, "big_blind") or None),
    r"dock level (?P<level>\d+)": lambda s: DockLatePlayers(int(s["level"])),
    rf"forfeit {_PLAYER} (?P<chips>\d+) (?P<why>.+?){_ANYWAY}": lambda s: Forfeit(
        s["player"], _chips(s, "chips"), s["why"], anyway=s["anyway"] or ""
    ),
    rf"disqualify {_PLAYER} (?P<chips>\d+) (?P<why>.+)": lambda s: Forfeit(
        s["player"], _chips(s, "chips"), s["why"], disqualified=True
    ),
    r"draw(?: tables (?P<tables>\d+(?: \d+)*))?(?: dealers (?P<dealers>\S+(?: \S+)*?))?"
    r"(?: cards (?P<cards>\S+=\S+(?: \S+=\S+)*))?": lambda s: DrawSeats(
        tables=tuple((s["tables"] or "").split()),
        dealers=tuple((s["dealers"] or "").split()),
        drawn=tuple(SeatCard(*pair.split("=")) for pair in (s["cards"] or "").split()),
    ),
    r"seats by standing (?P<players>\S+(?: \S+)*)": lambda s: SeatByStanding(tuple(s["players"].split())),
    r"dealer table (?P<table>\S+)(?: seat (?P<seat>\d+)| standing)": lambda s: SetDealer(
        s["table"], Seat(int(s["seat"])) if s["seat"] else None
    ),
    rf"assign (?P<seats>\S+={_AT}(?: \S+={_AT})*)": lambda s: AssignSeats(_seated(s["seats"])),
    r"redraw(?: tables (?P<tables>\d+(?: \d+)*))?": lambda s: DrawSeats(
        why=Redraw.TABLES_MERGED, tables=tuple((s["tables"] or "").split())
    ),
    rf"button table (?P<table>\S+)(?: cards (?P<cards>\d+=\S+(?: \d+=\S+)*))?{_ANYWAY}": lambda s: SetButton(
        s["table"],
        seats=tuple(Seat(int(pair.split("=")[0])) for pair in (s["cards"] or "").split()),
        cards=tuple(pair.split("=")[1] for pair in (s["cards"] or "").split()),
        anyway=s["anyway"] or "",
    ),
    rf"seat {_PLAYER}(?: at (?P<at>{_AT}){_ANYWAY})?": lambda s: SeatPlayer(
        s["player"], seat_at(s["at"]) if s["at"] else None, s["anyway"] or ""
    ),
    rf"reserve (?P<at>{_AT}) for {_PLAYER}(?: (?P<why>.+))?": lambda s: ReserveSeat(
        s["player"], seat_at(s["at"]), s["why"] or ""
    ),
    rf"apart {_PLAYER} (?P<other>\S+)": lambda s: KeepApart(s["player"], s["other"]),
    rf"move {_PLAYER}(?: to (?P<at>{_AT})(?: (?P<why>.+?))??{_ANYWAY})?": lambda s: ConfirmMove(
        s["player"], seat_at(s["at"]) if s["at"] else None, s["why"] or "", s["anyway"] or ""
    ),
    rf"break table (?P<table>\S+){_ANYWAY}": lambda s: BreakTable(s["table"], s["anyway"] or ""),
    r"left (?P<move>move-\d+) (?P<rack>\d+)": lambda s: ReportLeft(s["move"], _chips(s, "rack")),
    r"seated (?P<move>move-\d+) (?P<rack>\d+)": lambda s: ReportSeated(s["move"], _chips(s, "rack")),
    r"cards for move (?P<cards>\d+=\S+(?: \d+=\S+)*)": lambda s: DealForMove(
        tuple(pair.split("=")[0] for pair in s["cards"].split()),
        tuple(pair.split("=")[1] for pair in s["cards"].split()),
    ),
    r"cards for move at table (?P<table>\d+) (?P<cards>\S+(?: \S+)*)": lambda s: DealForMove(
        (s["table"],), tuple(s["cards"].split())
    ),
    r"withdraw (?P<move>move-\d+)(?: (?P<why>.+))?": lambda s: WithdrawMove(s["move"], s["why"] or ""),
    r"confirm (?P<busts>\S+-\d+(?: \S+-\d+)*)": lambda s: ConfirmBust(tuple(s["busts"].split())),
    rf"still in {_PLAYER} of (?P<bust>\S+-\d+)"
    rf"(?: with (?P<chips>\d+)(?: from (?P<giver>\S+))?)? (?P<why>.+?){_ANYWAY}": (
        lambda s: DropBust(
            s["bust"], s["player"], s["why"], s["anyway"] or "", _chips(s, "chips"), s["giver"] or ""
        )
    ),
    r"targets standing (?P<standing>\S+(?: \S+)*?) last (?P<last>\S+(?: \S+)*?)"
    r"(?: carried A (?P<a>[\d.]+) B (?P<b>[\d.]+))?": lambda s: NameTargets(
        tuple(s["standing"].split()), tuple(s["last"].split()), _cents(s["a"] or "0"), _cents(s["b"] or "0")
    ),
    rf"hunt {_PLAYER} (?P<game>[AB])": lambda s: EnterBounty(s["player"], s["game"]),
    rf"cash bounties {_PLAYER}": lambda s: CashBountyChips(s["player"]),
    r"deal (?P<shares>\S+=\S+(?: \S+=\S+)*?) agreed by (?P<consent>\S+(?: \S+)*)": lambda s: MakeDeal(
        _payments(s["shares"]), tuple(s["consent"].split())
    ),
    rf"pay {_PLAYER}(?: to (?P<to>.+))?": lambda s: PayPrize(s["player"], s["to"] or ""),
    r"cash box (?P<amount>[\d.]+)": lambda s: CountCash(_cents(s["amount"])),
    rf"reinstate {_PLAYER} (?P<chips>\d+)(?: from (?P<giver>\S+))? (?P<why>.+?){_ANYWAY}": lambda s: Reinstate(
        s["player"], _chips(s, "chips"), s["why"], s["giver"] or "", s["anyway"] or ""
    ),
    r"decide places(?P<shared> shared)? (?P<players>\S+(?: \S+)*?)(?: for (?P<why>.+))?": lambda s: DecidePlaces(
        tuple(s["players"].split()), bool(s["shared"]), s["why"] or ""
    ),
    r"correct places (?P<players>\S+(?: \S+)+?) for (?P<why>.+)": lambda s: CorrectPlaces(
        tuple(s["players"].split()), s["why"]
    ),
    r"decide bounty (?P<game>[AB])(?P<shares>(?: \S+=[\d.]+)*)(?: over (?P<over>[\d.]+))?(?: for (?P<why>.+))?": (
        lambda s: DecideBounty(s["game"], _payments(s["shares"] or ""), _cents(s["over"] or "0"), s["why"] or "")
    ),
    r"payouts (?P<shares>[\d.]+(?: [\d.]+)*)(?: for (?P<why>.+))?": lambda s: SetPayouts(
        tuple(map(float, s["shares"].split())), s["why"] or ""
    ),
    rf"give {_PLAYER} (?P<chips>-?\d+) for (?P<why>.+)": lambda s: GiveChips(
        s["player"], int(s["chips"]), s["why"]
    ),
    rf"lift {_PLAYER} (?P<why>.+)": lambda s: LiftSuspension(s["player"], s["why"]),
    rf"count {_PLAYER} (?P<stack>\d+)": lambda s: CountStack(s["player"], _chips(s, "stack")),
    rf"correct {_PLAYER} (?P<stack>\d+)": lambda s: CorrectStack(s["player"], _chips(s, "stack")),
    r"colour up table (?P<table>\S+) (?P<old>\d+) to (?P<new>\d+) odd (?P<odd>\d+=\d+(?: \d+=\d+)*)"
    r"(?: cards (?P<cards>.+?))?(?P<nightly> nightly)?": lambda s: ColourUp(
        s["table"],
        _chips(s, "old"),
        _chips(s, "new"),
        tuple(SeatStack(seat, count) for seat, count in numbers(s["odd"]).items()),
        tuple((s["cards"] or "").split()),
        bool(s["nightly"]),
    ),
    rf"penalty {_PLAYER}(?: (?P<kind>{'|'.join(PenaltyKind)}))?"
    r"(?: (?P<minutes>\d+) min)?(?: (?P<hands>\d+) hands)?(?: (?P<rounds>\d+) rounds)?"
    r"(?: stack (?P<chips>\d+))?(?: removed (?P<removed>\d+))?"
    rf" for (?P<why>.+?)(?P<major> major)?{_ANYWAY}": lambda s: GivePenalty(
        s["player"],
        s["why"],
        PenaltyKind(s["kind"]) if s["kind"] else None,
        major=bool(s["major"]),
        minutes=int(s["minutes"]) if s["minutes"] else None,
        hands=int(s["hands"] or 0),
        rounds=int(s["rounds"] or 0),
        chips=_chips(s, "chips") if s["chips"] else None,
        removed=_chips(s, "removed"),
        anyway=s["anyway"] or "",
    ),
    r"served (?P<penalty>penalty-\d+)": lambda s: EndTimeOut(s["penalty"]),
}
_COMPILED = [(re.compile(pattern), make) for pattern, make in (*CLOCK_STEPS.items(), *_STEPS.items())]


def command_of(text: str) -> Any | None:
    """The director's command that a line says; None for a line that is none."""
    for pattern, make in _COMPILED:
        if (found := pattern.fullmatch(text)) is not None:
            return make(found.groupdict())
    return None


def first_words() -> str:
    """How lines may begin, for the text of an error."""
    return ", ".join(
        sorted({re.sub(r"[\\(].*", "", pattern).strip() or "rebuy" for pattern in (*CLOCK_STEPS, *_STEPS)})
    )
