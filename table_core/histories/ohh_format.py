"""The parts of an Open Hand History, version 1.4.6, in the order in which they are written.

The format is documented at https://hh-specs.handhistory.org. Amounts are decimals, of which `amounts.py` makes
chips. What it has no field for is under `_feltwire`, which other programs pass over.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

SPEC_VERSION = "1.4.6"
UNKNOWN_START = "1970-01-01T00:00:00Z"  # the format requires a start; this value means unknown

Amount = Any  # an int or a Decimal, and whatever else a foreign file has there


class BetLimit(Struct, frozen=True):
    bet_type: str = ""
    bet_cap: Amount = 0


class Speed(Struct, frozen=True):
    type: str = "Normal"
    round_time: Amount = 0


class TournamentInfo(Struct, frozen=True):
    tournament_number: str = "0"
    name: str = ""
    start_date_utc: str = UNKNOWN_START
    currency: str = "XPM"  # chips that are not money
    buyin_amount: Amount = 0
    fee_amount: Amount = 0
    bounty_fee_amount: Amount = 0
    initial_stack: Amount = 0
    type: str = "MTT"
    flags: list[str] = []
    speed: Speed = Speed()


class OhhPlayer(Struct, frozen=True):
    id: int
    seat: int
    name: str
    starting_stack: Amount
    is_sitting_out: bool = False


class OhhAction(Struct, frozen=True):
    """`amount` is what the player put in with this action, for a raise too; there is no "Bet" preflop."""

    action_number: int
    player_id: int
    action: str
    amount: Amount | None = 0
    is_allin: bool = False
    cards: list[str] | str | UnsetType | None = UNSET


class OhhRound(Struct, frozen=True):
    id: int
    street: str
    cards: list[str] | str | None = []
    actions: list[OhhAction] = []


class PlayerWin(Struct, frozen=True):
    player_id: int
    win_amount: Amount
    contributed_rake: Amount = 0


class OhhPot(Struct, frozen=True):
    number: int
    amount: Amount
    rake: Amount | None = 0
    player_wins: list[PlayerWin] = []


class OurOwn(Struct, frozen=True):
    """`awarded` are the players to whom the dealer awarded pots; empty when the cards decided. `hand` counts the
    hands of the table, 0: not said; `room` is the name of the venue."""

    level: int
    big_blind_player: int
    small_blind_player: int | None
    ante: int = 0
    big_blind_ante: int = 0
    awarded: list[int] = []
    hand: int = 0
    room: str = ""


class Ohh(Struct, frozen=True):
    spec_version: str
    game_number: str | int
    table_name: str
    game_type: str
    bet_limit: BetLimit
    table_size: int
    dealer_seat: int
    small_blind_amount: Amount
    big_blind_amount: Amount
    players: list[OhhPlayer]
    rounds: list[OhhRound]
    pots: list[OhhPot] = []
    ante_amount: Amount | None = 0
    start_date_utc: str = UNKNOWN_START
    site_name: str = "Feltwire"
    network_name: str = "Feltwire"
    internal_version: str = "1.0.0"
    currency: str = "XPM"
    tournament: bool = True
    tournament_info: TournamentInfo | None = None
    flags: list[str] | None = None
    hero_player_id: int | None = None
    ours: OurOwn | UnsetType = field(name="_feltwire", default=UNSET)


class OhhFile(Struct, frozen=True):
    ohh: Ohh
