"""What follows from the settings of an event before anybody is in it: pool, places, chips, how long it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table_core.messages import Frozen, Level, Millis, Name
from table_core.parameters import Rule
from table_core.rulebook import Rulebook
from table_core.setting_forms import dollars
from table_core.tournament.clock import MINUTE_MS, TournamentClock
from table_core.tournament.events import CENTS, Instant, Purchase
from table_core.tournament.field.entries import buy_in, pool_share
from table_core.tournament.field.rebuys import price_of
from table_core.tournament.money.bounties import bounty_price
from table_core.tournament.money.fees import fees, own_bounty_chip
from table_core.tournament.money.prizes import payouts, pool, purse, seats_won
from table_core.tournament.schedule import projected_end
from table_core.tournament.state import Entrant, State, Status

_NOW = Instant(Name("outlook"), Millis(0), Millis(0))


class Outlook(Frozen, frozen=True):
    """An event of so many players: `says` in sentences; `minutes` from the start to its likely end."""

    says: tuple[str, ...]
    minutes: int


def outlook(book: Rulebook, levels: Sequence[Level], players: int) -> Outlook:
    """What an event under `book` with its settings comes to, if `players` enter once each. `levels` can be run."""
    state = _as_if(book, players)
    chips = sum(one.chips for one in state.field.entrants.values())
    clock = TournamentClock.new(tuple(levels), boot=_NOW.boot, now=_NOW.at)
    minutes = round(projected_end(clock, _NOW.at, chips) / MINUTE_MS)
    return Outlook((*_money(state, players), *_chips(state, chips, players, levels), *_bought(state)), minutes)


def _as_if(book: Rulebook, players: int) -> State:
    """The event with so many who have entered."""
    state = State(book)
    price, stack = buy_in(state), book.tournament.starting_stack
    for no in range(1, players + 1):
        one = Entrant(f"{no}", _NOW, Status.PLAYING, entries=1, paid=price, pool=pool_share(state, price))
        one.chips = stack.value if stack is not None else 0
        state.field.entrants[one.player] = one
    state.field.playing = players
    return state


def _money(state: State, players: int) -> Iterator[str]:
    count = f"{players} player{'' if players == 1 else 's'}"
    paid = [amount for amount in payouts(state)[:players] if amount]
    whole, given = pool(state), purse(state)
    if not whole and not given:
        yield f"{count}: no money is in it."
        return
    places = f"{len(paid)} place{'' if len(paid) == 1 else 's'} paid" if paid else "no place is paid"
    if seats := seats_won(state):
        yield f"{count}: pool {_amount(whole)}, {_seats(state, seats, paid)}."
        return
    amounts = f": {', '.join(_amount(one) for one in paid[:12])}{' …' if len(paid) > 12 else ''}" if paid else ""
    yield f"{count}: pool {_amount(whole)}, {places}{amounts}."
    if given > whole:
        yield f"The guarantee adds {_amount(given - whole)}."
    elif given < whole:
        yield f"{_amount(whole - given)} of it go to the championship."
    kept = fees(state)
    if total := sum(amount for what, amount in kept.items() if what != "bounty_chip"):
        yield f"Fees: {_amount(total)} of each buy-in, {_amount(total * players)} in all."
    if own_bounty_chip(state) and bounty_price(state):
        yield f"{_amount(bounty_price(state))} of each buy-in are on the player's head."


def _seats(state: State, seats: int, paid: Sequence[int]) -> str:
    """What a satellite pays."""
    to = state.book.tournament.satellite_to
    entries = f"{seats} entr{'y' if seats == 1 else 'ies'}{f' to {to.value}' if to is not None else ''}"
    over = f", {_amount(paid[seats])} for place {seats + 1}" if len(paid) > seats else ""
    return f"{entries} worth {_amount(paid[0])}{' each' if seats > 1 else ''}{over}"


def _chips(state: State, chips: int, players: int, levels: Sequence[Level]) -> Iterator[str]:
    first = next((level for level in levels if not level.is_break), None)
    if not chips:
        yield "No book says how many chips a player starts with."
        return
    deep = (
        f", {chips // players // first.big_blind} big blinds each" if first is not None and first.big_blind else ""
    )
    yield f"Chips in play {chips:,}{deep}."


def _bought(state: State) -> Iterator[str]:
    """What a rebuy, an add-on and an entry again bring."""
    book = state.book.tournament
    stack = book.starting_stack
    chips = book.rebuy_chips or stack
    most, any_number = book.rebuys, book.rebuys_unlimited
    if most.value if most is not None else any_number is not None and any_number.value:
        yield f"Each rebuy adds {_brings(price_of(state, Purchase.REBUY), chips)}."
    if book.add_on is not None and book.add_on.value:
        more = book.add_on_chips or chips
        yield f"Each add-on adds {_brings(price_of(state, Purchase.ADD_ON), more)}."
    if book.re_entries is not None and book.re_entries.value:
        share = pool_share(state, buy_in(state))
        yield f"Each re-entry adds {_brings(share, stack)}."


def _brings(cents: int, chips: Rule[int] | None) -> str:
    parts = [_amount(cents) if cents else "", f"{chips.value:,} chips" if chips is not None else ""]
    return " and ".join(filter(None, parts)) or "nothing"


def _amount(cents: int) -> str:
    return dollars(cents // CENTS if cents % CENTS == 0 else cents / CENTS)
