"""All kinds of error that pairs are made of, in a fixed order, and what their rulings rest on."""

from __future__ import annotations

from tests.spec import pair_deal_kinds as deal_kinds
from tests.spec import pair_play_kinds as play_kinds
from tests.spec.incidents import absent, amounts, burns, chips, flop_cards, new_hand, premature
from tests.spec.incidents import single_deal_errors as deals
from tests.spec.pair_base import Kind, Point

FLOP_AND_LATER: tuple[Point, ...] = ("flop", "turn", "river")

KINDS: tuple[Kind, ...] = (
    Kind("two cards exposed", ("deal",), deal_kinds.deal_two_exposed),
    Kind("card exposed", ("deal",), deal_kinds.deal_exposed),
    Kind("extra card", ("deal",), deal_kinds.deal_extra),
    Kind("short hand", ("deal",), deal_kinds.deal_short),
    Kind("no burn", FLOP_AND_LATER, deal_kinds.no_burn),
    Kind("two burns", FLOP_AND_LATER, deal_kinds.two_burns),
    Kind("burn shown", ("flop", "turn"), deal_kinds.burn_shown),
    Kind("four-card flop", ("flop",), deal_kinds.four_cards),
    Kind("premature flop", ("flop",), deal_kinds.dealt_too_soon),
    Kind("premature turn", ("turn",), deal_kinds.dealt_too_soon),
    Kind("premature river", ("river",), deal_kinds.dealt_too_soon),
    Kind("check out of turn", FLOP_AND_LATER, play_kinds.out_of_turn_check),
    Kind("bet out of turn", FLOP_AND_LATER, play_kinds.out_of_turn_bet),
    Kind("fold out of turn", FLOP_AND_LATER, play_kinds.out_of_turn_fold),
    Kind("string bet", FLOP_AND_LATER, play_kinds.string_bet),
    Kind("raise too low", FLOP_AND_LATER, play_kinds.low_raise),
    Kind("short call", FLOP_AND_LATER, play_kinds.short_call),
    Kind("own hand mucked", FLOP_AND_LATER, play_kinds.holder_mucks),
    Kind("hand mucked by the dealer", FLOP_AND_LATER, play_kinds.dealer_mucks),
    Kind("card dropped", FLOP_AND_LATER, play_kinds.shows_card),
    Kind("forward discard", FLOP_AND_LATER, play_kinds.discards),
    Kind("player leaves", FLOP_AND_LATER, play_kinds.leaves),
    Kind("stub mixed too soon", ("flop", "turn"), play_kinds.drops_deck),
    Kind("pot to the loser", ("showdown",), play_kinds.wrong_push),
    Kind("tie not split", ("showdown",), play_kinds.tie_not_split),
    Kind("winner mucked", ("showdown",), play_kinds.winner_mucks),
)

DEALING: frozenset[str] = frozenset(
    {"no burn", "two burns", "burn shown", "four-card flop", "premature flop", "premature turn", "premature river"}
)
"""Kinds that happen while the street is dealt, so that the hand must not deal it before."""

_ORDER = ("acts and their order", "act out of turn was made", "act was deliberate")
_MUCK = ("cards touched the muck", "cards are identifiable")
FACTS_OF: dict[str, tuple[str, ...]] = {
    "two cards exposed": deals.SEEN,
    "card exposed": deals.SEEN,
    "extra card": deals.COUNTED,
    "short hand": deals.COUNTED,
    "no burn": burns.FACTS,
    "two burns": burns.FACTS,
    "burn shown": (*burns.FACTS, "burn was shown"),
    "four-card flop": flop_cards.FACTS,
    "premature flop": premature.FACTS,
    "premature turn": premature.FACTS,
    "premature river": premature.FACTS,
    "check out of turn": _ORDER,
    "bet out of turn": _ORDER,
    "fold out of turn": _ORDER,
    "string bet": chips.FACTS,
    "raise too low": amounts.FACTS,
    "short call": amounts.FACTS,
    "own hand mucked": (*_MUCK, "holder was misinformed"),
    "hand mucked by the dealer": (*_MUCK, "hand was protected"),
    "card dropped": ("card was exposed",),
    "forward discard": ("forward discard",),
    "player leaves": absent.FACTS,
    "stub mixed too soon": new_hand.FACTS,
    "pot to the loser": ("tabled hands", "acts and their order"),
    "tie not split": ("tabled hands", "acts and their order"),
    "winner mucked": _MUCK,
}
"""What the ruling on each kind rests on."""
