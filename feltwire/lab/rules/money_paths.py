"""Mutants of the tournament's money, places and league, for rules without a choice in them."""

from __future__ import annotations

from typing import Any

from feltwire.lab.rules.mutants import mutant


@mutant("table_core.tournament.field.busts:_confirmed", rules=["ccp.winning.1", "cpp.chips.3"])
def _who_has_every_chip_has_not_won(confirmed: Any) -> Any:
    def go_on(state: Any, event: Any, now: Any) -> None:
        confirmed(state, event, now)
        if state.finished is not None:
            state.finished = None
            for entrant in state.field.entrants.values():
                entrant.place = None if entrant.place == 1 else entrant.place

    return go_on


@mutant("table_core.tournament.field.eliminations:rank_busts", rules=["ccp.winning.2"])
def _whoever_goes_out_is_first(rank_busts: Any) -> Any:
    return lambda busts, left, rulebook: rank_busts(busts, 0, rulebook)


@mutant("table_core.tournament.field.entries:price_fault", rules=["rpl.nolimit.15", "home.fees.1", "home.fees.2"])
def _any_price_is_taken(price_fault: Any) -> Any:
    return lambda state, paid: None


@mutant("table_core.tournament.money.league:wins", rules=["rpl.league.2", "rpl.toc.1", "rpl.toc.4"])
def _a_win_gives_no_seat(wins: Any) -> Any:
    return lambda season: {}


@mutant("table_core.tournament.money.league:qualified", rules=["rpl.toc.3"])
def _nobody_may_decline(qualified: Any) -> Any:
    return lambda season, declined=(): qualified(season)


@mutant(
    "table_core.tournament.money.bounties:_first_present", rules=["ccp.bounty.2", "ccp.bounty.3", "ccp.bounty.4"]
)
def _the_worst_who_is_present_is_the_target(first_present: Any) -> Any:
    return lambda state, names: first_present(state, list(names)[::-1])


@mutant("table_core.tournament.money.bounties:_won", rules=["ccp.bounty.8"])
def _everybody_is_presumed_to_hunt(won: Any) -> Any:
    return lambda state, game, out, hunters: won(state, game, out, [*hunters, *out.by])


@mutant("table_core.tournament.money.prizes:pool", rules=["ccp.payout.4"])
def _rebuys_are_no_part_of_the_purse(pool: Any) -> Any:
    def without(state: Any) -> int:
        price = state.book.tournament.buy_in
        return sum(100 * price.value * entrant.entries for entrant in state.field.entrants.values())

    return without
