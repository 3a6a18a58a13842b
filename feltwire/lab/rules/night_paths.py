"""The mutants of a tournament's code paths. The name says what is then wrong in the room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from feltwire.lab.rules.mutants import MUTANTS, Mutant, Wrap, mutant
from table_core.messages import Refusal
from table_core.notices import PenaltyKind
from table_core.tournament.policies import DeckReason

FIELD, SEATS = "table_core.tournament.field.", "table_core.tournament.seats."
MONEY, CHIPS = "table_core.tournament.money.", "table_core.tournament.chips."
_NO = Refusal("No.", "")


def _always(value: Any) -> Wrap:
    return lambda original: lambda *arguments, **options: value


def _after(change: Callable[[Any], Any]) -> Wrap:
    """The original's answer, changed; a refusal stays."""

    def wrap(original: Any) -> Any:
        def changed(*arguments: Any, **options: Any) -> Any:
            answer = original(*arguments, **options)
            return answer if isinstance(answer, Refusal) else change(answer)

        return changed

    return wrap


# what is wrong, where, how, about which topics, of which rules
_NIGHT: tuple[tuple[str, str, Wrap, str, str], ...] = (
    # ------------------------------------------------------------------------------------------- field
    ("anybody may register", f"{FIELD}registration:_not_admitted", _always(None), "registration", ""),
    ("registration never closes", f"{FIELD}registration:_closed", _always(None), "registration", ""),
    (
        "the field has no limit",
        f"{FIELD}waiting_list:places",
        _after(lambda found: replace(found, limit=None, left=None)),
        "registration seating-limit",
        "",
    ),
    (
        "nobody moves up from the list",
        f"{FIELD}waiting_list:next_waiting",
        _always(()),
        "registration",
        "",
    ),
    ("nobody is sure of a seat", f"{FIELD}waiting_list:guaranteed", _always(False), "registration", ""),
    ("nobody is locked out", f"{FIELD}waiting_list:lock_outs", _always(()), "registration late-player", ""),
    ("nobody may cancel", f"{FIELD}registration:cancel", _always(_NO), "", "ccp.membership.5"),
    ("a sign-in is not kept", f"{FIELD}registration:sign_in", _always(()), "registration", ""),
    ("nobody is ticked off", f"{FIELD}registration:check_off", _always(()), "registration seating-control", ""),
    ("nobody says that he is late", f"{FIELD}registration:announce_lateness", _always(()), "late-player", ""),
    ("late players lose no chips", f"{FIELD}entries:late_penalties", _always(()), "late-player", ""),
    (
        "who enters late pays nothing",
        f"{FIELD}entries:late_entry",
        _always((0, "")),
        "late-player new-player-entry rebuy",
        "",
    ),
    ("who comes early gets nothing", f"{FIELD}entries:early_bonus", _always(0), "starting-stack", ""),
    (
        "an entry brings one chip more",
        f"{FIELD}entries:enter",
        _after(lambda events: (replace(events[0], chips=events[0].chips + 1), *events[1:])),
        "starting-stack",
        "",
    ),
    ("play may cost something", f"{FIELD}entries:paid_play_fault", _always(None), "buy-in house-policy", ""),
    ("no entry brings a fee", f"{FIELD}entries:fees", _always({}), "buy-in house-policy", ""),
    ("no money is given back", f"{FIELD}entries:refund", _always(_NO), "buy-in", ""),
    ("anybody may buy chips at any time", f"{FIELD}rebuys:buying_fault", _always(None), "rebuy buy-in", ""),
    ("nobody may buy chips", f"{FIELD}rebuys:buy", _always(_NO), "rebuy", ""),
    ("a rebuy is not announced", f"{FIELD}rebuys:announce_rebuy", _always(()), "rebuy", ""),
    ("nobody is away too long", f"{FIELD}absences:absences", _always(()), "absent-player late-player", ""),
    (
        "a forfeited stack stays in play",
        f"{FIELD}absences:forfeit",
        _always(()),
        "absent-player penalties chip-visibility registration",
        "",
    ),
    (
        "who never came may play the next time",
        f"{FIELD}absences:forfeit",
        _after(lambda events: (replace(events[0], suspended=False), *events[1:])),
        "",
        "ccp.absent.1",
    ),
    (
        "players of one hand go out in the other order",
        f"{FIELD}eliminations:rank_busts",
        _after(
            lambda found: tuple(
                replace(one, players=other.players) for one, other in zip(found, found[::-1], strict=True)
            )
        ),
        "ranking-eliminations",
        "",
    ),
    (
        "everybody's place is one too good",
        f"{FIELD}eliminations:rank_busts",
        _after(lambda found: tuple(replace(one, place=one.place - 1) for one in found)),
        "ranking-eliminations",
        "",
    ),
    (
        "the smallest stack has the knock-out",
        f"{FIELD}eliminations:knockout_credit",
        lambda credit: lambda by, book: credit(by[::-1], book),
        "ranking-eliminations bounty",
        "",
    ),
    (
        "nobody has won",
        f"{FIELD}busts:finish_if_one_is_left",
        _always(None),
        "ranking-eliminations",
        "ccp.leaving.5",
    ),
    # ------------------------------------------------------------------------------------------- seats
    (
        "seats are drawn in the order of entry",
        "table_core.tournament.chance:shuffled",
        lambda shuffled: lambda items, seed: list(items),
        "seating-draw table-break initial-button",
        "",
    ),
    (
        "one table is filled after the other",
        f"{SEATS}draw:_chairs",
        lambda chairs: lambda state, players, tables, fixed: _filled(chairs, state, players, tables, fixed),
        "seating-draw table-break seating-limit",
        "",
    ),
    ("pairs sit together", f"{SEATS}draw:_part", _always(None), "seating-control", ""),
    ("pairs may meet", f"{SEATS}chairs:meets", _always(False), "seating-control", ""),
    (
        "a reserved seat is anybody's",
        f"{SEATS}seating:reserve_seat",
        _always(()),
        "seating-control late-player",
        "",
    ),
    ("a table has no limit", f"{SEATS}chairs:most", _always(99), "seating-limit seating-draw", ""),
    ("a table holds one player fewer", f"{SEATS}chairs:most", _after(lambda most: most - 1), "seating-limit", ""),
    ("no table is full", f"{SEATS}chairs:is_full", _always(False), "seating-limit", ""),
    (
        "a newcomer gets the lowest seat",
        f"{SEATS}seating:due_first",
        lambda due: lambda free, fact: min(free),
        "new-player-entry balancing",
        "",
    ),
    (
        "a newcomer is dealt in at once",
        f"{SEATS}seating:seat_player",
        _after(lambda events: (replace(events[0], waits=not events[0].waits), *events[1:])),
        "new-player-entry",
        "",
    ),
    (
        "the lowest seat has the first button",
        f"{SEATS}button:initial_button",
        lambda first: lambda book, drawn: min(drawn),
        "initial-button",
        "",
    ),
    (
        "the highest seat has the first button",
        f"{SEATS}button:initial_button",
        lambda first: lambda book, drawn: max(drawn),
        "initial-button",
        "",
    ),
    (
        "without cards the last seat has the first button",
        f"{SEATS}button:without_cards",
        lambda known: (
            lambda book, seats: tuple(replace(one, seat=max(seats[one.table])) for one in known(book, seats))
        ),
        "initial-button",
        "",
    ),
    ("no new draw for the button", f"{SEATS}button:buttons_to_draw", _always(()), "initial-button", ""),
    ("nobody may deal for another", f"{SEATS}button:set_dealer", _always(_NO), "dealer-assignment", ""),
    ("nobody deals", f"{SEATS}button:dealer", _always(None), "dealer-assignment", ""),
    ("tables are never balanced", f"{SEATS}balance:balance", _always(()), "balancing", ""),
    (
        "seats count from the player on the right of the button",
        f"{SEATS}balance:_position",
        _after(lambda position: -position),
        "balancing",
        "ccp.moving.5",
    ),
    (
        "who had the big blind moves",
        f"{SEATS}balance:_next_big_blind",
        lambda due: lambda table: max(table.players),
        "balancing",
        "",
    ),
    ("no table breaks", f"{SEATS}balance:table_to_break", _always(None), "table-break", ""),
    (
        "no table may be broken",
        f"{SEATS}moves:break_table",
        _always(_NO),
        "table-break ruling-authority seating-control",
        "",
    ),
    (
        "nobody may be moved",
        f"{SEATS}moves:confirm_move",
        _always(_NO),
        "balancing ruling-authority seating-control",
        "",
    ),
    (
        "chips are lost on the way",
        f"{SEATS}moves:report_left",
        _after(lambda events: (replace(events[0], rack=0), *events[1:])),
        "chip-visibility balancing",
        "",
    ),
    ("the clock runs while players move", f"{SEATS}moves:_stopped", _always(()), "balancing timer-breaks", ""),
    # ------------------------------------------------------------------------------------------- money
    ("the pool is empty", f"{MONEY}prizes:pool", _always(0), "payout buy-in", ""),
    (
        "the winner takes it all",
        f"{MONEY}prizes:payouts",
        _after(lambda amounts: (sum(amounts),)),
        "payout",
        "",
    ),
    ("nothing is kept for a championship", f"{MONEY}prizes:championship", _always(0), "payout", ""),
    ("the purse is the whole pool", f"{MONEY}prizes:purse", _after(lambda amount: amount + 1), "payout", ""),
    ("nobody is owed anything", f"{MONEY}prizes:owed", _always({}), "payout", ""),
    ("a prize goes to anybody", f"{MONEY}prizes:seat_prize", _always(""), "payout", ""),
    ("no deal may be made", f"{MONEY}prizes:make_deal", _always(_NO), "prize-deals side-agreements payout", ""),
    ("a knock-out is worth nothing", f"{MONEY}bounties:decided_by", _always(()), "bounty", ""),
    ("bounty chips are not paid", f"{MONEY}bounties:cash_bounty_chips", _always(_NO), "bounty", ""),
    ("nobody hunts", f"{MONEY}bounties:enter_bounty", _always(_NO), "bounty", ""),
    ("hunting costs nothing", f"{MONEY}bounties:bounty_price", _always(0), "bounty", ""),
    ("any hand is the best of the night", f"{MONEY}best_hand:counts_as_best_hand", _always(True), "payout", ""),
    # ------------------------------------------------------------------------------------------- chips
    (
        "a race gives nobody a chip",
        f"{CHIPS}chip_race:race",
        _always({}),
        "chip-race",
        "",
    ),
    (
        "a race gives everybody a chip",
        f"{CHIPS}chip_race:race",
        lambda race: lambda method, odd, *others: dict.fromkeys(odd, 1),
        "chip-race",
        "",
    ),
    # ------------------------------------------------------------------------------------------- penalties
    ("nobody is punished", "table_core.tournament.penalties:give_penalty", _always(()), "penalties conduct", ""),
    (
        "a warning is enough",
        "table_core.tournament.penalties:proposed_kinds",
        _always((PenaltyKind.WARNING,)),
        "penalties conduct",
        "",
    ),
    ("a time-out never runs", "table_core.tournament.penalties:time_outs", _always(()), "penalties", ""),
    (
        "who stands outside misses no merge",
        "table_core.tournament.penalties:merges_missed",
        _always(()),
        "penalties",
        "",
    ),
    # ------------------------------------------------------------------------------------------- clock
    (
        "the clock is nobody's to change",
        "table_core.tournament.opening:change_clock",
        _always(()),
        "blind-schedule timer-breaks ruling-authority",
        "home.procedures.1",
    ),
    (
        "the first level goes on for ever",
        "table_core.tournament.clock:TournamentClock.playing_level",
        lambda level: lambda clock, now: clock.levels[0],
        "blind-schedule timer-breaks",
        "",
    ),
    (
        "the clock stands",
        "table_core.tournament.clock:TournamentClock.read",
        lambda read: lambda clock, now: read(clock, clock.mark.at),
        "blind-schedule timer-breaks",
        "",
    ),
    (
        "levels have the lengths that come to mind",
        "table_core.tournament.schedule:of_lengths",
        _after(lambda levels: tuple(replace(level, minutes=7.0) for level in levels)),
        "blind-schedule timer-breaks",
        "",
    ),
    (
        "there are no breaks",
        "table_core.tournament.schedule:with_breaks",
        lambda with_breaks: lambda book, levels, **options: tuple(levels),
        "timer-breaks",
        "",
    ),
)


def _filled(chairs: Any, state: Any, players: Any, tables: Any, fixed: Any) -> Any:
    """As many players at each table as it holds, as long as there are players."""
    found, left = chairs(state, players, tables, fixed), len(players)
    for table in tables:
        seats = list(range(1, table.plan.seats + 1))[:left]
        found[table.plan.table] = seats
        left -= len(seats)
    return found


for _name, _target, _wrap, _topics, _rules in _NIGHT:
    MUTANTS[_name] = Mutant(
        _name, _target, _wrap, frozenset(_topics.split()), frozenset(), frozenset(_rules.split())
    )


@mutant(f"{SEATS}moves:_left", rules=["ccp.leaving.4"])
def _a_move_ends_an_absence(left: Any) -> Any:
    def back(state: Any, event: Any, now: Any) -> None:
        player = state.seats.moves[event.move].ordered.player
        left(state, event, now)
        state.field.entrants[player].away = None

    return back


@mutant(
    "feltwire.station.tournament.seat_orders:_Wanted._brought", rules=["rpl.tournaments.3", "rpl.tournaments.5"]
)
def _nobody_has_chips_before_he_comes(brought: Any) -> Any:
    def without(wanted: Any, player: str) -> Any:
        away = wanted.state.field.entrants[player].away
        return None if away is not None else brought(wanted, player)

    return without


@mutant(f"{FIELD}registration:refuse_entry", rules=["wfp.infractions.0", "home.conduct.0", "rpl.conduct.0"])
def _nobody_is_turned_away(refuse_entry: Any) -> Any:
    return lambda *arguments: ()


@mutant(f"{FIELD}entries:enter", rules=["rpl.tournaments.5"])
def _who_enters_late_has_a_whole_stack(enter: Any) -> Any:
    return lambda state, wanted, now, facts: enter(state, replace(wanted, chips=None), now, facts)


@mutant("table_core.tournament.control:change_deck", rules=["wfp.procedures.24", "rpl.tournaments.26"])
def _a_deck_is_changed_for_anybody_who_asks(change_deck: Any) -> Any:
    def for_anybody(state: Any, wanted: Any, now: Any, facts: Any) -> Any:
        return change_deck(state, replace(wanted, reason=DeckReason.DAMAGED_CARD), now, facts)

    return for_anybody
