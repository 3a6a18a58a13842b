"""Mutants of what pages show and who may press there. The name says what is then wrong in the room."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from feltwire.lab.rules.mutants import mutant
from table_core.messages import Chips

_TABLE = "feltwire.station.tournament.pages.view:_table"


@mutant("display.identity.access:commanders", rules=["ccp.commissioner.1"])
def _the_floor_does_what_the_director_may(commanders: Any) -> Any:
    from display.identity.access import RULERS

    return lambda command: commanders(command) | RULERS


@mutant("jinja2.environment:Template.render", rules=["ccp.actions.1"])
def _a_check_is_called_a_pass(render: Any) -> Any:
    return lambda *arguments, **options: render(*arguments, **options).replace("Check / Call", "Pass / Call")


@mutant(
    "table_core.projections.table_view:_seat_view",
    rules=["wfp.procedures.31", "home.procedures.7", "rpl.procedures.10"],
)
def _the_table_shows_no_stacks(seat_view: Any) -> Any:
    return lambda *arguments: replace(seat_view(*arguments), stack=Chips(0))


@mutant(_TABLE, rules=["wfp.procedures.16", "rpl.tournaments.20"])
def _who_has_no_chips_sits_as_the_others_do(table: Any) -> Any:
    def sits(*arguments: Any) -> Any:
        shown = table(*arguments)
        return {**shown, "seats": [{**seat, "vacated": False} for seat in shown["seats"]]}

    return sits


@mutant(_TABLE, rules=["rpl.procedures.14"])
def _who_only_watches_has_a_chair(table: Any) -> Any:
    def with_watchers(state: Any, *others: Any) -> Any:
        shown = table(state, *others)
        watch = [{**shown["seats"][0], "player": who} for who in state.field.entrants if who not in state.seats.at]
        return {**shown, "seats": [*shown["seats"], *watch]}

    return with_watchers


@mutant("table_core.tournament.penalties:_length", rules=["tda.71"])
def _a_round_is_one_hand(length: Any) -> Any:
    def one_hand(state: Any, wanted: Any, kind: Any, facts: Any) -> Any:
        return length(state, replace(wanted, hands=wanted.hands + wanted.rounds, rounds=0), kind, facts)

    return one_hand
