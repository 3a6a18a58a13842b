"""Reports of the shoe as observations: the vault takes the tags and gives handles."""

from __future__ import annotations

from feltwire.table.unit_of_work import Taken, Vault
from firmware_bridge.reports import (
    CardBack,
    CardPassed,
    CardsTogether,
    CutCardPassed,
    DeckMoved,
    LidMoved,
    ReportsLost,
)
from table_core.messages import (
    AnyObservation,
    CardLeftShoe,
    CardsLeftTogether,
    CardWentBack,
    Origin,
    ShoeChanged,
)

ShoeReport = CardPassed | CardsTogether | CardBack | LidMoved | DeckMoved | CutCardPassed


def of_shoe(report: ShoeReport, origin: Origin, vault: Vault) -> tuple[AnyObservation, tuple[bytes, ...]]:
    """The observation, and the recovery boxes for its commit."""
    match report:
        case CardPassed():
            taken = vault.take(report.uid)
            note = "doubtful" if report.doubtful else taken.note
            seen = CardLeftShoe(origin, report.at, taken.handle, note, taken.deck, report.counted)
            return seen, taken.boxes
        case CardsTogether():
            return _together(report, origin, vault)
        case CardBack():
            handle = vault.handle_of(report.uid) if report.was_out else 0
            return CardWentBack(origin, report.at, handle, report.was_out), ()
        case LidMoved():
            return ShoeChanged(origin, report.at, "lid", report.open), ()
        case DeckMoved():
            return ShoeChanged(origin, report.at, "deck", report.seated), ()
        case CutCardPassed():
            return ShoeChanged(origin, report.at, "cut_card", True), ()


def _together(report: CardsTogether, origin: Origin, vault: Vault) -> tuple[CardsLeftTogether, tuple[bytes, ...]]:
    taken: list[Taken] = [vault.take(uid) for uid in report.uids]
    decks = {one.deck for one in taken if one.deck}
    deck = decks.pop() if len(decks) == 1 else ""
    boxes = tuple([box for one in taken for box in one.boxes])
    return CardsLeftTogether(origin, report.at, tuple([one.handle for one in taken]), deck), boxes


def words_of_loss(device: str, report: ReportsLost) -> str:
    """What the dealer screen says of reports that never came."""
    if report.count:
        return f"The {device} lost {report.count} messages: {report.why}"
    return f"The {device} may have lost messages: {report.why}"
