"""Random hands played by the engine and by PokerKit side by side.

    python -m tests.differential.pokerkit --hands 20000 --shard 1/4 --seed 7

Antes, short stacks, side pots and splits, two to nine players. At every decision what is legal is compared, and
the stacks at the end. A disagreement must belong to one of `EXPLAINED`, each with the rule that decides it and a
test that keeps it (`tests/table_core/hand/test_differential.py`); any other makes the exit status 1.
"""

from __future__ import annotations

import argparse
import random
import warnings
from collections import Counter
from dataclasses import dataclass, field

from pokerkit import Automation, NoLimitTexasHoldem, State

from table_core.cards import DECK, card_text
from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Action,
    AnyHandCommand,
    AwardPots,
    Chips,
    DealBoard,
    Level,
    PotAwarded,
    Refusal,
    Seat,
    SeatStack,
    StartHand,
    TableHand,
)
from table_core.rulebook import load_rulebook

EXPLAINED = {
    "a short big blind": "wfp.nolimit.2a: callers owe the full big blind; PokerKit asks for the short one",
    "an all-in nobody can call": "home.allin.1: all-in is open on every turn; PokerKit refuses the raise",
    "raising again after short all-ins": "tda.47: who faces a full raise in all may raise, and no one else",
    "the smallest raise over a short all-in": "tda.47, wfp.nolimit.2b: the all-in plus the last full bet or raise",
    "nobody left to bet into": "tda.16: betting is over; PokerKit asks a blind who faces only all-ins for less",
    "pots split separately": "tda.21: side pots stay apart when losers' hands are killed; PokerKit merges them",
    "the odd chip": "tda.20: to the first seat left of the button",
}

_AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


@dataclass(slots=True)
class Deal:
    """One hand before anybody acts. Player 1 is left of the button, the last one has it."""

    stacks: list[int]
    small: int
    big: int
    ante: int
    cards: list[str]

    @property
    def players(self) -> int:
        return len(self.stacks)

    def hole(self, player: int) -> tuple[str, str]:
        return self.cards[2 * player], self.cards[2 * player + 1]

    def board(self, street: int) -> tuple[str, ...]:
        first = 2 * self.players
        return tuple(self.cards[first + (0, 3, 4)[street] : first + (3, 4, 5)[street]])


@dataclass(slots=True)
class Verdict:
    """What a hand showed: classes of disagreement, and those that nothing explains."""

    disagreements: list[str] = field(default_factory=list)
    unexplained: str = ""
    compared: bool = False  # to the last chip


def random_deal(chance: random.Random) -> Deal:
    players = chance.randint(2, 9)
    big = chance.choice((2, 10, 100))
    depth = chance.choice((3, 8, 40))
    stacks = [chance.randint(1, depth * big) for _ in range(players)]
    ante = chance.choice((0, 0, 1, big // 4))
    cards = [card_text(card) for card in chance.sample(DECK, 2 * players + 5)]
    if chance.random() < 0.3:  # boards that everybody plays, for splits
        royal = ["As", "Ks", "Qs", "Js", "Ts"]
        others = [text for card in DECK if (text := card_text(card)) not in royal]
        cards = [*chance.sample(others, 2 * players), *royal]
    return Deal(stacks, big // 2, big, ante, cards)


def begin(deal: Deal) -> tuple[Hand, State]:
    """The same hand on both sides, cards dealt."""
    players = deal.players
    seats = tuple(SeatStack(Seat(number), Chips(stack)) for number, stack in enumerate(deal.stacks, 1))
    small, big = (Seat(1), Seat(2)) if players > 2 else (Seat(2), Seat(1))
    level = Level(1, Chips(deal.small), Chips(deal.big), Chips(deal.ante))
    hand = Hand(load_rulebook("base"))
    assert not isinstance(hand.push(StartHand(1, Seat(players), small, big, level, seats)), Refusal)
    blinds = (deal.small, deal.big)
    other = NoLimitTexasHoldem.create_state(
        _AUTOMATIONS, True, deal.ante, blinds, deal.big, tuple(deal.stacks), players
    )
    for player in range(players):
        if other.can_deal_hole():
            other.deal_hole("".join(deal.hole(player)))
    return hand, other


def play(deal: Deal, chance: random.Random) -> Verdict:
    """One hand on both sides, to its end or to the first disagreement that changes it."""
    verdict = Verdict()
    hand, other = begin(deal)
    street = short_raises = 0
    splits: list[int] = []
    if deal.stacks[hand.big_blind - 1] < deal.big + deal.ante:
        verdict.disagreements.append("a short big blind")
        return verdict
    while not hand.ended:
        now = hand.legal()
        if now is not None:
            if other.actor_index is None or other.actor_index + 1 != now.seat:
                verdict.unexplained = f"seat {now.seat} is to act here, player {other.actor_index} there"
                return verdict
            found = compare(hand, other, short_raises)
            if found:
                verdict.disagreements.append(found)
                if found not in EXPLAINED:
                    verdict.unexplained = found
                    return verdict
            act = choose(hand, other, chance)
            before = hand.snapshot()
            _push(hand, act)
            short_raises += int(hand.state.high > max(before.bet_to_match, hand.state.full_high))
            _mirror(other, act)
        elif hand.awaiting_board:
            if other.actor_index is not None:
                verdict.disagreements.append("nobody left to bet into")
                other.check_or_call()
            _push(hand, DealBoard(deal.board(street)))
            if other.can_burn_card():
                other.burn_card("??")
            other.deal_board("".join(deal.board(street)))
            street, short_raises = street + 1, 0
        else:
            for seat in hand.live_seats:
                _push(hand, TableHand(seat, deal.hole(seat - 1)))
            answer = hand.push(AwardPots())
            assert not isinstance(answer, Refusal), answer
            splits = [len(event.shares) for event in answer if isinstance(event, PotAwarded)]
    return _compare_stacks(deal, hand, other, splits, verdict)


def compare(hand: Hand, other: State, short_raises: int) -> str:
    """How what is legal differs; empty when it does not."""
    now = hand.legal()
    assert now is not None
    low, high = (
        other.min_completion_betting_or_raising_to_amount,
        other.max_completion_betting_or_raising_to_amount,
    )
    there = (low, high) if other.can_complete_bet_or_raise_to() else (None, None)
    owed = other.checking_or_calling_amount or 0
    if (now.call or 0) != owed:
        return f"to call {now.call} here, {owed} there"
    if (now.min_to, now.max_to) == there:
        return ""
    others = [hand.bets[seat] + hand.stacks[seat] for seat in hand.live_seats if seat != now.seat]
    if there[0] is None and now.min_to is not None and max(others) <= hand.state.high:
        return "an all-in nobody can call"
    if hand.state.high > hand.state.full_high or short_raises:
        if (now.min_to is None) != (there[0] is None):
            return "raising again after short all-ins"
        return "the smallest raise over a short all-in"
    return f"raise from {now.min_to} to {now.max_to} here, {there} there"


def choose(hand: Hand, other: State, chance: random.Random) -> Act:
    """Something that both sides call legal."""
    now = hand.legal()
    assert now is not None
    kind = chance.random()
    if kind < 0.15 and now.call is not None:
        return Act(now.seat, Action.FOLD)
    if kind > 0.6 and now.min_to is not None and now.max_to is not None:
        low = other.min_completion_betting_or_raising_to_amount
        if low is not None and other.can_complete_bet_or_raise_to():
            least = max(low, now.min_to)
            to = now.max_to if chance.random() < 0.4 or least > now.max_to else chance.randint(least, now.max_to)
            if other.can_complete_bet_or_raise_to(to):
                return Act(now.seat, Action.RAISE, Chips(to))
    return Act(now.seat, Action.CALL)


def _compare_stacks(deal: Deal, hand: Hand, other: State, splits: list[int], verdict: Verdict) -> Verdict:
    """`splits` is how many hands shared each pot: only odd chips of split pots may lie elsewhere."""
    verdict.compared = True
    here = [hand.stacks[Seat(number)] for number in range(1, deal.players + 1)]
    there = [int(stack) for stack in other.stacks]
    if here == there:
        return verdict
    off = max(abs(ours - theirs) for ours, theirs in zip(here, there, strict=True))
    odd = sum(sharing - 1 for sharing in splits)
    if sum(here) != sum(there) or off > odd:
        verdict.unexplained = f"stacks {here} here, {there} there"
        return verdict
    verdict.disagreements.append("pots split separately" if len(splits) > 1 else "the odd chip")
    return verdict


def _mirror(other: State, act: Act) -> None:
    if act.action is Action.FOLD:
        other.fold()
    elif act.action is Action.CALL:
        other.check_or_call()
    else:
        other.complete_bet_or_raise_to(act.to)


def _push(hand: Hand, command: AnyHandCommand) -> None:
    answer = hand.push(command)
    assert not isinstance(answer, Refusal), answer


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument(
        "--shard", default="1/1", metavar="I/N", help="play every Nth hand, beginning with the Ith"
    )
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    shard, shards = (int(part) for part in args.shard.split("/"))
    warnings.simplefilter("ignore")
    found: Counter[str] = Counter()
    compared = unexplained = 0
    for number in range(shard - 1, args.hands, shards):
        chance = random.Random(f"{args.seed}/{number}")
        deal = random_deal(chance)
        verdict = play(deal, chance)
        compared += verdict.compared
        found.update(set(verdict.disagreements))
        if verdict.unexplained:
            unexplained += 1
            print(f"hand {number}: {verdict.unexplained}; {deal}")
    print(f"{len(range(shard - 1, args.hands, shards))} hands, {compared} compared to the last chip")
    for name, times in found.most_common():
        print(f"  {times:6} {name}: {EXPLAINED.get(name, 'NOT EXPLAINED')}")
    print(f"{unexplained} unexplained")
    return 1 if unexplained else 0


if __name__ == "__main__":
    raise SystemExit(main())
