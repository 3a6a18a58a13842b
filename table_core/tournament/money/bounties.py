"""Bounties: two targets with hunters who pay (ccp), or a bounty chip of every player (rpl)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from table_core.messages import Few, Frozen, Name, Refusal, Said
from table_core.tournament.decision import ConflictError, Decision, refused
from table_core.tournament.events import (
    CENTS,
    BountyAsked,
    BountyChipsCashed,
    BountyChipsWon,
    BountyEntered,
    BountyWon,
    Cents,
    Instant,
    Out,
    Payment,
    TargetNamed,
    TournamentEvent,
    in_cents,
)
from table_core.tournament.field.eliminations import knockout_credit
from table_core.tournament.field.lookup import never_came
from table_core.tournament.money.icm import to_cents
from table_core.tournament.policies import BountyGame, BountyOfOutsider, BountyTie, BountyUnclaimed
from table_core.tournament.state import Facts, State, Status

MOST_TIED = 2  # ccp.showdown.9 divides between two


class NameTargets(Frozen, frozen=True):
    """The season's standing and the last tournament's places, best first; money carried over into each game."""

    standing: Few[Name]
    last_places: Few[Name]
    carried_a: Cents = 0
    carried_b: Cents = 0


class EnterBounty(Frozen, frozen=True):
    player: Name
    game: Name


class DecideBounty(Frozen, frozen=True):
    """Whose the money on a target is, where the book does not say it: `shares` to hunters, or the target;
    `over` goes into the same game of the next tournament. Together all that the game pays."""

    game: Name
    shares: Few[Payment] = ()
    over: Cents = 0
    why: Said = ""


class CashBountyChips(Frozen, frozen=True):
    player: Name


def name_targets(state: State, wanted: NameTargets, now: Instant, facts: Facts) -> Decision:
    """A: the highest of the standing who is present; B: the best of the last tournament who is present and is
    not A (ccp.bounty.2 to 4)."""
    bounties = state.book.tournament.bounties
    if bounties is None or bounties.value is not BountyGame.TWO_TARGETS:
        return refused(state.book, "bounties", "There is no game with two targets.")
    if state.bounties.targets:
        return Refusal(reason="The targets are named.", rule=bounties.rule)
    first = _first_present(state, wanted.standing)
    second = _first_present(state, [name for name in wanted.last_places if name != first])
    named = (("A", first, wanted.carried_a), ("B", second, wanted.carried_b))
    return tuple(TargetNamed(game, name, money, bounties.rule) for game, name, money in named if name)


def _first_present(state: State, names: Sequence[str]) -> str:
    present = (name for name in names if (e := state.field.entrants.get(name)) is not None and e.in_play)
    return next(present, "")


def enter_bounty(state: State, wanted: EnterBounty, now: Instant, facts: Facts) -> Decision:
    """Nobody takes part unasked; a late player has to say so before sitting down (ccp.bounty.8, 9)."""
    target = state.bounties.targets.get(wanted.game)
    if target is None:
        return refused(state.book, "bounties", f"There is no bounty game {wanted.game} with a target.")
    if target == wanted.player:
        return refused(state.book, "bounties", f"{wanted.player} is the target of game {wanted.game}.")
    entrant = state.field.entrants.get(wanted.player)
    if entrant is None or entrant.status not in (Status.REGISTERED, Status.PLAYING):
        return Refusal(reason=f"{wanted.player} is not in the event.", rule="")
    if wanted.player in state.bounties.hunters.get(wanted.game, ()):
        return Refusal(reason=f"{wanted.player} is in game {wanted.game}.", rule="")
    if wanted.game in state.bounties.decided:
        return refused(state.book, "bounties", f"Game {wanted.game} is decided.")
    seated = state.book.tournament.bounty_entry_until_seated
    sits = wanted.player in state.seats.at and not never_came(state, entrant)
    if state.started is not None and sits and (seated is None or seated.value):
        reason = "Bounty entries end when play begins, or when a late player sits."
        return refused(state.book, "bounty_entry_until_seated", reason)
    price = state.book.tournament.bounty_price
    if price is None:
        return refused(state.book, "bounty_price", "No book says what a target costs: set bounty_price.")
    return (BountyEntered(wanted.player, wanted.game, in_cents(price.value), price.rule),)


def bounty_price(state: State) -> int:
    """Cents of a target, or of a bounty chip."""
    price = state.book.tournament.bounty_price
    return in_cents(price.value) if price is not None else 0


def money_on(state: State, game: str) -> int:
    """What the game pays: what its hunters paid, and what came from the tournament before."""
    return len(state.bounties.hunters.get(game, ())) * bounty_price(state) + state.bounties.carried.get(game, 0)


def decided_by(state: State, outs: Sequence[Out]) -> tuple[TournamentEvent, ...]:
    """What these final eliminations, in their order, decide in the bounty games; called with the confirmation."""
    kind = state.book.tournament.bounties
    if kind is None:
        return ()
    if kind.value is BountyGame.CHIP_PER_PLAYER:
        return tuple(
            BountyChipsWon(out.player, name, kind.rule)
            for out in outs
            for name in knockout_credit(out.by, state.book)[:1]  # a chip has one owner
        )
    events: list[TournamentEvent] = []
    gone = {out.player for out in outs}
    unclaimed = state.book.tournament.bounty_unclaimed
    for game, target in state.bounties.targets.items():
        hunters = state.bounties.hunters.get(game, [])
        if game in state.bounties.decided or game in state.bounties.open or not money_on(state, game):
            continue
        left = [name for name in hunters if name not in gone and state.field.entrants[name].in_play]
        if target in gone:
            out = next(out for out in outs if out.player == target)
            events.append(_asked(state, game, out, left) or _won(state, game, out, hunters))
        elif hunters and all(name in gone or not state.field.entrants[name].in_play for name in hunters):
            money, rule = money_on(state, game), (unclaimed or kind).rule
            carried = unclaimed is not None and unclaimed.value is BountyUnclaimed.CARRIED_OVER
            shares = () if carried else (Payment(target, money),)
            events.append(BountyWon(game, shares, money if carried else 0, rule))
    return tuple(events)


def _asked(state: State, game: str, out: Out, left: Sequence[str]) -> BountyAsked | None:
    """Why a person decides whose the money is: three hands or more that tie, where the book speaks of two; a
    target who outlasted every hunter and was taken out by somebody outside the game."""
    book = state.book.tournament
    tie, outsider = book.bounty_tie, book.bounty_of_outsider
    if tie is not None and len(out.by) > MOST_TIED:
        return BountyAsked(game, out.player, f"{len(out.by)} won the hand; the book speaks of two", tie.rule)
    hunters = state.bounties.hunters.get(game, ())
    if outsider is not None and book.bounty_unclaimed is not None and not left and not set(out.by) & set(hunters):
        why = "outlasted every hunter, and somebody outside the game took the player out"
        return BountyAsked(game, out.player, why, outsider.rule)
    return None


def target_rebuys(state: State, player: str) -> tuple[BountyAsked, ...]:
    """The games whose target loses the last chips and buys in again: the book does not say whether that is taken
    out."""
    bounties = state.bounties
    rule = state.book.tournament.bounty_price
    return tuple(
        BountyAsked(game, player, "lost the last chips and bought in again", rule.rule if rule is not None else "")
        for game, target in bounties.targets.items()
        if target == player
        and game not in bounties.decided
        and game not in bounties.open
        and money_on(state, game)
    )


def decide_bounty(state: State, wanted: DecideBounty, now: Instant, facts: Facts) -> Decision:
    asked = state.bounties.open.get(wanted.game)
    if asked is None:
        return refused(state.book, "bounties", f"No money of game {wanted.game} waits for a decision.")
    named = [share.player for share in wanted.shares]
    may = {*state.bounties.hunters.get(wanted.game, ()), state.bounties.targets[wanted.game]}
    if not set(named) <= may or len(set(named)) < len(named):
        reason = f"Its hunters or its target, each once: {', '.join(sorted(may))}."
        return Refusal(reason=reason, rule=asked.rule)
    given, money = sum(share.amount for share in wanted.shares) + wanted.over, money_on(state, wanted.game)
    if given != money or min([wanted.over, *(share.amount for share in wanted.shares)]) < 0:
        reason = f"Game {wanted.game} pays {money / CENTS:,.2f}, and that is {given / CENTS:,.2f}."
        return Refusal(reason=reason, rule=asked.rule)
    shares = tuple(share for share in wanted.shares if share.amount)
    return (BountyWon(wanted.game, shares, wanted.over, asked.rule, wanted.why),)


def _won(state: State, game: str, out: Out, hunters: Sequence[str]) -> BountyWon:
    """Each of the tied winners has an equal part (ccp.showdown.9); the part of one outside the game is carried
    over, or given back to the hunters."""
    book, money = state.book.tournament, money_on(state, game)
    tie, outside = book.bounty_tie, book.bounty_of_outsider
    by = out.by if tie is None or tie.value is BountyTie.SPLIT else out.by[:1]
    won = {name: part for name, part in zip(by, _parts(money, len(by)), strict=True) if name in hunters}
    over = money - sum(won.values())
    if over and outside is not None and outside.value is BountyOfOutsider.GIVEN_BACK:
        for name, part in zip(hunters, _parts(over, len(hunters)), strict=True):
            won[name] = won.get(name, 0) + part
        over -= over if hunters else 0
    cited = outside if over else tie if len(by) > 1 else book.bounty_price
    shares = tuple(Payment(name, part) for name, part in won.items() if part)
    return BountyWon(game, shares, over, cited.rule if cited is not None else "")


def _parts(money: int, number: int) -> tuple[int, ...]:
    return to_cents([money / number] * number, money) if number else ()


def cash_bounty_chips(state: State, wanted: CashBountyChips, now: Instant, facts: Facts) -> Decision:
    """A player who is out cashes in what they collected; nothing is kept for a later game (rpl.league.4)."""
    kind, price = state.book.tournament.bounties, state.book.tournament.bounty_price
    entrant = state.field.entrants.get(wanted.player)
    if kind is None or kind.value is not BountyGame.CHIP_PER_PLAYER:
        return refused(state.book, "bounties", "There are no bounty chips.")
    if entrant is None or entrant.place is None:
        return refused(state.book, "bounties", f"{wanted.player} plays on; bounty chips are cashed at the end.")
    chips = state.bounties.chips.get(wanted.player, 0)
    if not chips:
        return refused(state.book, "bounties", f"{wanted.player} has no bounty chips.")
    if price is None:
        return refused(state.book, "bounty_price", "No book says what a bounty chip pays: set bounty_price.")
    return (BountyChipsCashed(wanted.player, chips, chips * in_cents(price.value), kind.rule),)


# ------------------------------------------------------------------------------------------------ reducers


def _target(state: State, event: TargetNamed, now: Instant) -> None:
    state.bounties.targets[event.game] = event.player
    state.bounties.carried[event.game] = event.carried


def _entered(state: State, event: BountyEntered, now: Instant) -> None:
    if event.game not in state.bounties.targets:
        raise ConflictError(f"game {event.game} has no target")
    state.bounties.hunters.setdefault(event.game, []).append(event.player)
    state.bounties.paid_in += event.paid


def _money_won(state: State, event: BountyWon, now: Instant) -> None:
    if event.game in state.bounties.decided:
        raise ConflictError(f"game {event.game} is decided")
    state.bounties.decided.add(event.game)
    state.bounties.open.pop(event.game, None)
    state.bounties.over[event.game] = event.over
    state.bounties.won_by[event.game] = {share.player: share.amount for share in event.shares}
    for share in event.shares:
        state.bounties.won[share.player] = state.bounties.won.get(share.player, 0) + share.amount


def _bounty_asked(state: State, event: BountyAsked, now: Instant) -> None:
    state.bounties.open[event.game] = event


def _chip_won(state: State, event: BountyChipsWon, now: Instant) -> None:
    state.bounties.chips[event.player] = state.bounties.chips.get(event.player, 0) + 1
    state.bounties.chip_of[event.out] = event.player


def _cashed(state: State, event: BountyChipsCashed, now: Instant) -> None:
    if state.bounties.chips.pop(event.player, 0) != event.chips:
        raise ConflictError(f"{event.player} does not hold these bounty chips")
    state.bounties.won[event.player] = state.bounties.won.get(event.player, 0) + event.amount


COMMANDS: Mapping[type, Any] = {
    NameTargets: name_targets,
    EnterBounty: enter_bounty,
    CashBountyChips: cash_bounty_chips,
    DecideBounty: decide_bounty,
}
REDUCERS: Mapping[type, Any] = {
    TargetNamed: _target,
    BountyEntered: _entered,
    BountyAsked: _bounty_asked,
    BountyWon: _money_won,
    BountyChipsWon: _chip_won,
    BountyChipsCashed: _cashed,
}
