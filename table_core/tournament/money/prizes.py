"""The money: pool, purse, what each place pays, deals, payments. Everything in cents, and everything adds up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from table_core.messages import Few, Frozen, Name, Refusal, Said
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import (
    CENTS,
    CashCounted,
    CashMoved,
    Cents,
    DealMade,
    Instant,
    Payment,
    PayoutsSet,
    PrizePaid,
    in_cents,
)
from table_core.tournament.field.finishing import undecided_of
from table_core.tournament.money.fees import fees
from table_core.tournament.money.icm import MOST_PLAYERS, chip_chop, icm, to_cents, to_units
from table_core.tournament.policies import OddUnit, PrizeDeals
from table_core.tournament.state import Facts, State, Status


class MakeDeal(Frozen, frozen=True):
    """`shares` of the prizes that are left, in cents; what they leave over is played for. `consent` names
    everybody who agreed."""

    shares: Few[Payment]
    consent: Few[Name]
    method: Said = ""


class PayPrize(Frozen, frozen=True):
    """Pay what a player is owed; `to` where it goes to somebody else. An entry elsewhere is paid to its organiser
    where the book says so."""

    player: Name
    to: Said = ""


class TakeBackPrize(Frozen, frozen=True):
    """A player has given back what was paid beyond what is owed."""

    player: Name


class MoveCash(Frozen, frozen=True):
    """Money into the cash box beside entries and rebuys, below 0 out of it; no prize money comes from it."""

    player: Name
    amount: Cents
    why: Said


class SetPayouts(Frozen, frozen=True):
    """What the places of this event pay, in per cent of the purse, first place first; together 100."""

    payouts: Few[float]
    why: Said = ""


class CountCash(Frozen, frozen=True):
    amount: Cents


def rounding(state: State) -> str:
    """How sums are rounded."""
    whole, last = unit(state), state.book.tournament.payout_odd_unit_to
    to = "the last place" if last is not None and last.value is OddUnit.LAST_PLACE else "first place"
    down = "the cent" if whole == 1 else f"{whole / CENTS:g} dollars"
    over = f" {kept_over(state) / CENTS:,.2f} make no whole unit and are not paid out." if kept_over(state) else ""
    return (
        "The purse is rounded to the cent, half a cent up; the rest is the championship's. "
        f"Places are rounded down to {down}, and what is left goes to {to}.{over} A shared place is divided "
        "equally; what does not divide goes to whoever registered first."
    )


# ------------------------------------------------------------------------------------------------ what is owed


def taken_in(state: State) -> int:
    """Money that players paid, bounty games apart."""
    return sum(entrant.paid for entrant in state.field.entrants.values())


def pool(state: State) -> int:
    """What of it is for prizes, the championship's share included."""
    return sum(entrant.pool for entrant in state.field.entrants.values())


def fees_taken(state: State) -> dict[str, int]:
    """What of the entries is for something else than prizes, by what it is for."""
    entries = sum(entrant.entries for entrant in state.field.entrants.values())
    return {what: fee * entries for what, fee in fees(state).items()}


def purse(state: State) -> int:
    """What this event pays out; half a cent is rounded up, and the guarantee fills it up."""
    book = state.book.tournament
    share = round((book.purse_share.value if book.purse_share is not None else 1) * 10_000)
    found = (pool(state) * share + 5_000) // 10_000
    return max(found, in_cents(book.guarantee.value) if book.guarantee is not None else 0)


def championship(state: State) -> int:
    """What goes to the championship's prizes (ccp.payout.1)."""
    return max(0, pool(state) - purse(state))


def unit(state: State) -> int:
    """What prizes are whole multiples of, in cents."""
    rule = state.book.tournament.payout_unit
    return max(1, in_cents(rule.value)) if rule is not None else 1


def kept_over(state: State) -> int:
    """What of the purse makes no whole unit, and no place pays."""
    return purse(state) % unit(state)


def payouts(state: State) -> tuple[int, ...]:
    """What each place pays, first place first. Cents that do not divide go to first place, or to the last one that
    is paid where the book has it so."""
    book = state.book.tournament
    if book.flight_of is not None:  # they are the final day's
        return ()
    if book.satellite_seat is not None and state.prizes.posted is None:
        return _in_seats(state, in_cents(book.satellite_seat.value))
    if book.payout_stakes is not None and state.prizes.posted is None and not _shares_of_the_event(state):
        return _in_stakes(state, book.payout_stakes.value)
    shares = state.prizes.posted or (book.payouts.value if book.payouts is not None else ())
    whole, money = unit(state), purse(state) - kept_over(state)
    amounts = [int(money * round(share * 1_000) // 100_000) // whole * whole for share in shares]
    return _with_odd(state, amounts, money - sum(amounts)) if amounts else ()


def seats_won(state: State) -> int:
    """How many places win an entry elsewhere, of a satellite; 0 of another event."""
    seat = state.book.tournament.satellite_seat
    if seat is None or not seat.value:
        return 0
    return min((purse(state) - kept_over(state)) // in_cents(seat.value), _entered(state))


def _in_seats(state: State, price: int) -> tuple[int, ...]:
    """As many entries elsewhere as the money has; what is left over is one place more."""
    seats = seats_won(state)
    rest = purse(state) - kept_over(state) - seats * price
    return (price,) * seats + ((rest,) if rest and seats < _entered(state) else ())


def _shares_of_the_event(state: State) -> bool:
    """Whether the event has set per cents over stakes of its book."""
    house = state.book.house
    return "payouts" in house and "payout_stakes" not in house


def unclaimed(state: State) -> int:
    """Money of places that nobody can reach, because fewer have entered: who gets it the director decides."""
    return sum(payouts(state)[_entered(state) :])


def _entered(state: State) -> int:
    """Players who have entered."""
    return sum(entrant.entries > 0 for entrant in state.field.entrants.values())


def _with_odd(state: State, amounts: Sequence[int], odd: int) -> tuple[int, ...]:
    """`amounts` with what did not divide."""
    rule = state.book.tournament.payout_odd_unit_to
    at = len(amounts) - 1 if rule is not None and rule.value is OddUnit.LAST_PLACE else 0
    return tuple(amount + (odd if place == at else 0) for place, amount in enumerate(amounts))


def _in_stakes(state: State, rows: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Whole stakes (home.prizes.1): the row of the field, or the next smaller one, odd stakes to first place. A
    field smaller than the first row has that row's shape in whole stakes."""
    money = purse(state) - kept_over(state)
    entries = sum(entrant.entries for entrant in state.field.entrants.values())
    if not entries:
        return ()
    stake = money // entries // unit(state) * unit(state)
    odd = money - stake * entries
    fitting = [row for row in rows if sum(row) <= entries]
    if fitting:
        row = max(fitting, key=sum)
        stakes = _with_odd(state, row, entries - sum(row))
    else:
        row = min(rows, key=sum)
        stakes = to_cents([part * entries / sum(row) for part in row], entries)
    return _with_odd(state, [number * stake for number in stakes if number], odd)


def owed(state: State) -> dict[str, int]:
    """What every player with a final place gets: the money of shared places is divided, units that do not divide
    go to whoever registered first. A deal replaces what was left when it was made."""
    amounts = payouts(state)
    order = {name: at for at, name in enumerate(state.field.entrants)}
    placed = sorted(
        (entrant for entrant in state.field.entrants.values() if entrant.place is not None),
        key=lambda entrant: (entrant.place or 0, order[entrant.player]),
    )
    found: dict[str, int] = {}
    waiting = {player for one in state.field.undecided for player in one.players}
    for place, shared in groupby(placed, key=lambda entrant: entrant.place or 0):
        players = [entrant.player for entrant in shared]
        money = sum(amounts[place - 1 : place - 1 + len(players)])
        for at, part in enumerate(to_units([money / len(players)] * len(players), money, unit(state))):
            if part and players[at] not in waiting:
                found[players[at]] = part
    found |= state.prizes.agreed or {}
    if state.prizes.agreed and placed and placed[0].place == 1:
        found[placed[0].player] += state.prizes.not_shared
    return found


def left_to_play_for(state: State) -> int:
    """The money of the places that nobody has yet."""
    playing = sum(entrant.in_play for entrant in state.field.entrants.values())
    return sum(payouts(state)[:playing])


def proposed_deals(state: State, stacks: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """What is left to play for, shared by the chip model and by chips, in cents by player; empty where a deal is
    not allowed or more players are left than the model takes. `stacks` are those of everybody who plays."""
    deals, players = state.book.tournament.prize_deals, list(stacks)
    if deals is not None and deals.value is PrizeDeals.REFUSED:
        return {}
    if not 1 < len(players) <= MOST_PLAYERS or min(stacks.values()) < 1:
        return {}
    left = payouts(state)[: len(players)]
    chips = [stacks[player] for player in players]
    whole = unit(state)
    ways = {"chip model": icm(chips, left), "by chips": chip_chop(chips, left)}
    return {
        name: dict(zip(players, to_units(worth, sum(left), whole), strict=True)) for name, worth in ways.items()
    }


def bubble(state: State) -> int | None:
    """Players until the money: 0 in it; None where no place pays."""
    paid = len(payouts(state))
    playing = sum(entrant.in_play for entrant in state.field.entrants.values())
    return max(0, playing - paid) if paid else None


# ------------------------------------------------------------------------------------------------ commands


def make_deal(state: State, wanted: MakeDeal, now: Instant, facts: Facts) -> Decision:
    deals = state.book.tournament.prize_deals
    if deals is not None and deals.value is PrizeDeals.REFUSED:
        return refused(state.book, "prize_deals", "Prizes are not split: the event is played out.")
    if deals is not None and deals.value is PrizeDeals.NOTED:
        return (DealMade(wanted.shares, wanted.method, deals.rule, noted=True),)
    active = {entrant.player for entrant in state.field.entrants.values() if entrant.status is Status.PLAYING}
    if not active:
        return refused(state.book, "prize_deals", "Nobody plays for the prizes.")
    missing = sorted(active - set(wanted.consent))
    if missing:
        return refused(state.book, "prize_deals", f"Every active player has to agree: {', '.join(missing)}.")
    named = [share.player for share in wanted.shares]
    if set(named) != active or len(named) != len(active):
        return refused(state.book, "prize_deals", f"A share for each of: {', '.join(sorted(active))}.")
    left, shared = left_to_play_for(state), sum(share.amount for share in wanted.shares)
    if shared > left or min(share.amount for share in wanted.shares) < 0:
        reason = f"The shares are {shared / 100:,.2f}, and {left / 100:,.2f} is left to play for."
        return refused(state.book, "prize_deals", reason)
    stake = state.book.tournament.deal_leaves_stake
    warned = stake is not None and stake.value and shared == left
    warning = f"{stake.rule}: nothing is left to play for" if stake is not None and warned else ""
    return (DealMade(wanted.shares, wanted.method, deals.rule if deals is not None else "", warning=warning),)


def seat_prize(state: State, player: str) -> str:
    """Whose event the player's place wins an entry to; empty for a place that pays money."""
    book, entrant = state.book.tournament, state.field.entrants.get(player)
    if entrant is None:
        return ""
    if book.satellite_to is not None and 0 < (entrant.place or 0) <= seats_won(state):
        return book.satellite_to.value
    if book.seat_prizes is None:
        return ""
    return dict(book.seat_prizes.value).get(entrant.place or 0, "")


def pay_prize(state: State, wanted: PayPrize, now: Instant, facts: Facts) -> Decision:
    due = owed(state).get(wanted.player, 0) - state.prizes.paid.get(wanted.player, 0)
    open_ = undecided_of(state, wanted.player)
    if due <= 0 and open_ is not None:
        reason = f"The places of {', '.join(open_.players)} are not decided: decide them first."
        return Refusal(reason=reason, rule=open_.rule)
    if due <= 0:
        return Refusal(reason=f"Nothing is owed to {wanted.player}.", rule="")
    organiser, only = seat_prize(state, wanted.player), state.book.tournament.seat_prize_to_organiser
    if organiser and only is not None and only.value:
        if wanted.to not in ("", organiser):
            reason = f"That prize is an entry: it is paid to {organiser}, not to {wanted.to}."
            return refused(state.book, "seat_prize_to_organiser", reason)
        return (PrizePaid(wanted.player, due, organiser, only.rule),)
    rule = state.book.tournament.payouts or state.book.tournament.payout_stakes
    return (PrizePaid(wanted.player, due, wanted.to, rule.rule if rule is not None else ""),)


def take_back_prize(state: State, wanted: TakeBackPrize, now: Instant, facts: Facts) -> Decision:
    over = state.prizes.paid.get(wanted.player, 0) - owed(state).get(wanted.player, 0)
    if over <= 0:
        return Refusal(reason=f"{wanted.player} was paid nothing too much.", rule="")
    return (PrizePaid(wanted.player, -over),)


def move_cash(state: State, wanted: MoveCash, now: Instant, facts: Facts) -> Decision:
    if wanted.player not in state.field.entrants:
        return Refusal(reason=f"{wanted.player} is not on the list.", rule="")
    if not wanted.amount or not wanted.why.strip():
        return Refusal(reason="An amount, and what it is for.", rule="")
    return (CashMoved(wanted.player, wanted.amount, wanted.why),)


def set_payouts(state: State, wanted: SetPayouts, now: Instant, facts: Facts) -> Decision:
    shares = wanted.payouts
    falling = all(one >= other for one, other in pairwise(shares))
    if not shares or min(shares) <= 0 or not falling or abs(sum(shares) - 100) > 0.01:
        return Refusal(
            reason="Per cents by place, the first place's first, that fall and are 100 together.", rule=""
        )
    if state.prizes.paid or state.prizes.agreed is not None:
        return Refusal(reason="Prizes are paid, or shared by a deal: take that back first.", rule="")
    return (PayoutsSet(wanted.payouts, wanted.why),)


def count_cash(state: State, wanted: CountCash, now: Instant, facts: Facts) -> Decision:
    return (CashCounted(wanted.amount),)


def cash_expected(state: State) -> int:
    """What lies in the cash box by the records: taken in, bounty games included, less what was paid."""
    bounties = state.bounties
    best_hand = (state.prizes.best_hand or {}).values()
    paid = sum(state.prizes.paid.values()) + sum(bounties.won.values()) + sum(best_hand)
    moved = sum(state.prizes.moved.values())
    return taken_in(state) + sum(bounties.carried.values()) + bounties.paid_in + moved - paid


# ------------------------------------------------------------------------------------------------ reducers


def _deal(state: State, event: DealMade, now: Instant) -> None:
    if event.noted:
        return
    active = {entrant.player for entrant in state.field.entrants.values() if entrant.status is Status.PLAYING}
    if {share.player for share in event.shares} != active:
        raise ConflictError("the deal is not of the players who were left")
    state.prizes.agreed = {share.player: share.amount for share in event.shares}
    state.prizes.not_shared = left_to_play_for(state) - sum(share.amount for share in event.shares)


def _posted(state: State, event: PayoutsSet, now: Instant) -> None:
    state.prizes.posted = event.payouts


def _paid(state: State, event: PrizePaid, now: Instant) -> None:
    paid = state.prizes.paid.get(event.player, 0) + event.amount
    if paid > owed(state).get(event.player, 0):
        raise ConflictError(f"{event.player} was paid")
    state.prizes.paid[event.player] = paid


def _moved(state: State, event: CashMoved, now: Instant) -> None:
    state.prizes.moved[event.player] = state.prizes.moved.get(event.player, 0) + event.amount


def _cash(state: State, event: CashCounted, now: Instant) -> None:
    state.prizes.counted = event.amount


COMMANDS: Mapping[type, Any] = {
    MakeDeal: make_deal,
    PayPrize: pay_prize,
    TakeBackPrize: take_back_prize,
    MoveCash: move_cash,
    SetPayouts: set_payouts,
    CountCash: count_cash,
}
REDUCERS: Mapping[type, Any] = {
    DealMade: _deal,
    PrizePaid: _paid,
    PayoutsSet: _posted,
    CashMoved: _moved,
    CashCounted: _cash,
}
