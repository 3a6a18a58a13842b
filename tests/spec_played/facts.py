"""What people at the table know: an option that says otherwise in its words is not the one for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from tests.spec.situation import (
    Acts,
    FloorIsTold,
    HandInMuck,
    PushesPot,
    PutsChips,
    Step,
    Tables,
)
from tests.spec_played.chips import put_in

Steps = Sequence[Step]
_Kind = TypeVar("_Kind")


def is_so(incident: str, option: str, steps: Steps) -> bool:
    """Whether what the option says of chips, words and cards is what happened. Words that leave it open are so."""
    said = SAYS.get((incident, option))
    return said is None or said(steps)


def _last(kind: type[_Kind], steps: Steps) -> _Kind | None:
    return next((step for step in reversed(steps) if isinstance(step, kind)), None)


def _said(*words: str | None) -> Callable[[Steps], bool]:
    def check(steps: Steps) -> bool:
        chips = _last(PutsChips, steps)
        return chips is not None and chips.said in words

    return check


def _said_as_keyed(steps: Steps) -> bool:
    chips = _last(PutsChips, steps)
    return chips is not None and chips.said not in (None, "call and raise")


def _said_what_lies(steps: Steps) -> bool:
    chips = _last(PutsChips, steps)
    return chips is not None and chips.said in ("bet", "raise") and chips.said_to in (None, put_in(chips))


def _one_street_has_two(steps: Steps) -> bool:
    told = _last(FloorIsTold, steps)
    return told is not None and told.matter == "too many cards"


def _fourth_is_known(steps: Steps) -> bool:
    told = _last(FloorIsTold, steps)
    return told is None or ("which flop card was the extra one", "nobody knows") not in told.facts


def _stub_is_fouled(steps: Steps) -> bool:
    """Or nobody says: in an all-in a burn is put right where the stub still tells the right card."""
    told = _last(FloorIsTold, steps)
    return (
        told is None or _last(PushesPot, steps) is not None or ("stub and burns intact", "yes") not in told.facts
    )


def _motions_without_a_word(steps: Steps) -> bool:
    chips = _last(PutsChips, steps)
    return chips is not None and len(chips.motions) > 1 and chips.said is None


def _called_first(steps: Steps) -> bool:
    """With words, or with a first motion of no more than the bet."""
    chips = _last(PutsChips, steps)
    bets = [step.to for step in steps if isinstance(step, Acts) and step.act in ("bet", "raise")]
    return chips is not None and (
        chips.said == "call and raise" or (chips.said is None and put_in(chips, 1) <= (bets[-1] or 0))
    )


def _ties(steps: Steps) -> bool:
    ranks = [step.best for step in steps if isinstance(step, Tables)]
    return ranks.count(1) > 1


def _is_mingled(steps: Steps) -> bool:
    push = _last(PushesPot, steps)
    return push is not None and push.mingled


def _was_right(steps: Steps) -> bool:
    """The award: to all who are best."""
    push, best = _last(PushesPot, steps), [one.seat for one in steps if isinstance(one, Tables) and one.best == 1]
    return push is None or best == [push.seat]


def _declared(steps: Steps) -> bool:
    told = _last(FloorIsTold, steps)
    return told is not None and ("board was declared", "yes") in told.facts


def _identifiable(steps: Steps) -> bool:
    muck = _last(HandInMuck, steps)
    return muck is None or muck.identifiable


SAYS: Mapping[tuple[str, str], Callable[[Steps], bool]] = {
    ("board_premature", "both_barred"): _one_street_has_two,
    ("flop_overdeal", "burn_4"): _fourth_is_known,
    ("flop_overdeal", "redeal"): lambda steps: not _fourth_is_known(steps),
    ("burn_missing", "stands"): _stub_is_fouled,
    ("burn_double", "stands"): _stub_is_fouled,
    ("string_bet", "first_motion"): _motions_without_a_word,
    ("string_bet", "call"): _called_first,
    ("string_bet", "minimum"): _said("raise"),
    ("string_bet", "all_motions"): _said("raise"),
    ("declared", "raise"): _said_what_lies,
    ("declared", "as_keyed"): _said_as_keyed,
    ("declared", "call"): _said("call", "call and raise"),
    ("declared", "silent"): _said(None),
    ("declared", "next_raised"): lambda _: False,
    ("bet_size", "let_pass"): lambda _: False,  # the table went on all the same
    ("bet_size", "found_short"): lambda _: False,
    ("bet_size", "call_full"): _said("call"),
    ("pot_query", "moved"): lambda steps: not _ties(steps),
    ("pot_query", "rebuilt"): lambda steps: not _ties(steps) and _is_mingled(steps),
    ("pot_query", "split"): _ties,
    ("pot_query", "stands"): _was_right,
    ("pot_query", "in_time"): lambda _: False,  # nobody asked before the riffle
    ("pot_query", "in_time_split"): lambda _: False,
    ("muck_contact", "live"): _identifiable,
    ("unprotected", "live"): _identifiable,
    ("play_board", "declared"): _declared,
    ("play_board", "not_declared"): lambda steps: not _declared(steps),
}
