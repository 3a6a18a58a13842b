"""Mutants of what people see to at the table, for rules without a choice in them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from feltwire.lab.rules.mutants import mutant
from table_core.messages import Action, Refusal

_NO = Refusal("No.", "")


@mutant("table_core.record.deal:Deal.to", rules=["ccp.deal.14", "cpp.misdeals.3"])
def _burns_are_put_aside_with_what_was_thrown_away(to: Any) -> Any:
    return lambda deal, place: "aside" if to(deal, place) == "burn" else to(deal, place)


@mutant("table_core.tracker.memory.dealing.board:Board.read", rules=["ccp.community.1"])
def _the_board_has_four_cards(read: Any) -> Any:
    return lambda board, seen: read(board, replace(seen, cards=seen.cards[:4]))


@mutant("table_core.hand.hand:Hand.push", rules=["cpp.intentions.1"])
def _a_raise_that_is_said_is_refused(push: Any) -> Any:
    return lambda self, command: _NO if getattr(command, "action", None) is Action.RAISE else push(self, command)


@mutant("table_core.tournament.announcements:announced", rules=["home.suggest.g"])
def _the_organiser_says_nothing_before_the_start(announced: Any) -> Any:
    return lambda *arguments: replace(announced(*arguments), topics=())
