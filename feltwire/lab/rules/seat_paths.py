"""Mutants of registration and seating: what a night does without one of its rules."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from feltwire.lab.rules.mutants import mutant

# ------------------------------------------------------------------------------------------- registration


@mutant("table_core.tournament.field.waiting_list:places", rules=["ccp.membership.3", "ccp.membership.4"])
def _the_list_is_never_full(places: Any) -> Any:
    return lambda state: replace(places(state), left=99)


@mutant("table_core.tournament.players_text:read_players", rules=["ccp.membership.2"])
def _nobody_is_on_the_list_that_comes_from_outside(read_players: Any) -> Any:
    return lambda text: ([], read_players(text)[1])


@mutant("table_core.tournament.field.waiting_list:places", rules=["ccp.membership.9"])
def _the_list_is_always_full(places: Any) -> Any:
    return lambda state: replace(places(state), left=0)


@mutant("table_core.tournament.field.waiting_list:next_waiting", rules=["ccp.membership.5"])
def _one_who_cancels_frees_two_places(next_waiting: Any) -> Any:
    return lambda state, freed=1, without=(): next_waiting(state, 2 * freed, without)


@mutant("table_core.tournament.field.absences:absences", rules=["ccp.late.1"])
def _nobody_is_expected_later(absences: Any) -> Any:
    def without(state: Any, now: Any, facts: Any) -> Any:
        for entrant in state.field.entrants.values():
            entrant.lateness_announced = False
        return absences(state, now, facts)

    return without


# ------------------------------------------------------------------------------------------- draws


@mutant("table_core.tournament.seats.draw:_chairs", rules=["ccp.seating.2"])
def _one_table_has_more(chairs: Any) -> Any:
    def uneven(state: Any, players: Any, tables: Any, fixed: Any) -> Any:
        found = chairs(state, players, tables, fixed)
        first, *_, last = found
        if first != last:
            free = next(seat for seat in range(1, 12) if seat not in found[first])
            found[first], found[last] = sorted([*found[first], free]), found[last][:-1]
        return found

    return uneven


@mutant("table_core.tournament.seats.draw:_card_of", rules=["ccp.seating.4"])
def _every_card_is_a_spade(card_of: Any) -> Any:
    return lambda chairs, at: f"{card_of(chairs, at)[0]}s"


@mutant("table_core.tournament.seats.draw:_drawn", rules=["ccp.seating.10"])
def _dealers_draw_with_the_others(drawn: Any) -> Any:
    return lambda state, players, chairs, fixed, seed, dealers: drawn(state, players, chairs, fixed, seed, ())


@mutant(
    "feltwire.station.tournament.seat_orders:_Wanted._brought", rules=["wfp.procedures.2", "rpl.tournaments.3"]
)
def _half_a_stack_comes_to_the_table(brought: Any) -> Any:
    def half(self: Any, player: str) -> int | None:
        stack = brought(self, player)
        return stack if stack is None else stack // 2

    return half


# ------------------------------------------------------------------------------------------- moves


@mutant("table_core.tournament.seats.balance:_position", rules=["ccp.moving.5"])
def _the_farthest_seat_is_filled_first(position: Any) -> Any:
    return lambda table, seat: -position(table, seat)


@mutant("table_core.tournament.seats.balance:_low_card", rules=["ccp.moving.8"])
def _the_other_table_gives_a_player(low_card: Any) -> Any:
    return lambda state, tables, turn: (low_card(state, tables, turn) + 1) % len(tables)


@mutant("table_core.tournament.seats.moves:_left", rules=["ccp.leaving.4"])
def _who_is_moved_is_there_again(left: Any) -> Any:
    def returned(state: Any, event: Any, now: Any) -> None:
        state.field.entrants[state.seats.moves[event.move].ordered.player].away = None
        left(state, event, now)

    return returned


@mutant("table_core.tournament.seats.moves:_deal_order", rules=["wfp.ties.2"])
def _cards_for_a_move_begin_left_of_seat_five(deal_order: Any) -> Any:
    return lambda table, dealer: deal_order(table, 5)


@mutant("table_core.tournament.chips.counts:count_items", rules=["cpp.intentions.5"])
def _no_count_differs(count_items: Any) -> Any:
    return lambda state, facts: ()


# ------------------------------------------------------------------------------------------- chips off the table


@mutant(
    "table_core.tournament.penalties:give_penalty",
    rules=["wfp.decisions.13", "wfp.procedures.22", "rpl.tournaments.24"],
)
def _a_reason_is_free_words(give_penalty: Any) -> Any:
    def free(state: Any, wanted: Any, now: Any, facts: Any) -> Any:
        return give_penalty(state, replace(wanted, reason=f"said: {wanted.reason}"), now, facts)

    return free
