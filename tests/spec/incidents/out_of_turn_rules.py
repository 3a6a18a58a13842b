"""What each book does with an act out of turn, by what the skipped seats did after it.

Two books have rules of the same family (wfp.betting.7, rpl.betting.9): a check out of turn forbids a bet or
raise at the seat's next turn; any other act "may be ruled binding" unless a bet, call or raise came in
between.  The home book is stricter with checks (they force a call) and bets (they become checks).  The other
two books have no rule: the base profile is the default and the director decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.spec.books import AUTHORITY, OUT_OF_TURN_IS_IMPROPER, SKIPPED_MAY_ACT
from tests.spec.cell import Expect, Option
from tests.spec.effects import (
    Binds,
    HandLives,
    KillsHand,
    MayNotRaise,
    MustCall,
    MustCheck,
    PenaltyFor,
    TurnGoesTo,
    Unbinds,
    Waits,
)
from tests.spec.situation import Act, Acts, Book

SILENT = "no rule but conduct: 'intentionally acting out of turn' is improper"
CPP_SILENT = "the text has no word on acts out of turn"
DEAD_OR_MAY_BIND = "dead if 'you fold or announce that you are folding' against 'may be ruled binding'"
MAY_BIND = "'may be ruled binding'"


@dataclass(frozen=True, slots=True)
class Offence:
    """An act out of turn: `facing` is the total to call when it was made, 0 when checking was open to everybody.

    `skipped`: the seats passed over, in their order of action.
    """

    book: Book
    seat: int
    act: Act
    to: int | None
    how: str
    facing: int
    skipped: tuple[int, ...]


def changes_action(acts: tuple[Acts, ...]) -> bool:
    """True when a bet, call or raise is among the acts; an all-in is one of them."""
    return any(act.act in ("bet", "call", "raise", "all-in") for act in acts)


def at_once(offence: Offence) -> Expect:
    """What holds when the act is noticed before anybody else acts."""
    book, seat = offence.book, offence.seat
    turn = TurnGoesTo(offence.skipped[0])
    improper = (PenaltyFor(seat),) if OUT_OF_TURN_IS_IMPROPER[book] else ()
    if offence.act == "fold":
        dead = _fold_options(offence, waiting=True)
        skipped = SKIPPED_MAY_ACT[book] if book != "cpp" else ()
        options = tuple(
            Option((*option.effects, turn), option.rules + skipped, option.when, option.by_default)
            for option in dead.options
        )
        return Expect(options, dead.open_words, improper)
    rules = SKIPPED_MAY_ACT[book] + OUT_OF_TURN_IS_IMPROPER[book]
    return Expect((Option((turn, Waits(seat)), rules, by_default=book == "cpp"),), (), improper)


def at_own_turn(offence: Offence, since: tuple[Acts, ...]) -> Expect:
    """What the seat may do at its turn, after these acts of the skipped seats (all of them have acted)."""
    match offence.act:
        case "fold":
            return _fold_options(offence, waiting=False, changed=changes_action(since))
        case "check":
            return _check(offence, since)
        case "call":
            return _call(offence, changes_action(since))
        case _:
            return _bet_or_raise(offence, since)


# --- Check ----------------------------------------------------------------------------------------


def _check(offence: Offence, since: tuple[Acts, ...]) -> Expect:
    book, seat = offence.book, offence.seat
    changed = changes_action(since)
    if offence.facing:
        return _check_facing_bet(offence, since)
    binds = Binds(seat, "check")
    match book:
        case "wfp" | "rpl":
            no_raise, may_bind = _check_rules(book)
            if changed:
                return Expect((Option((MayNotRaise(seat),), (no_raise,)),))
            return Expect((Option((binds,), (may_bind,)), Option((MayNotRaise(seat),), (no_raise,))), (MAY_BIND,))
        case "home":
            return _home_check(offence, since)
        case _:
            default = Option((MayNotRaise(seat),), ("wfp.betting.7a",), by_default=True)
            free = Option((Unbinds(seat),), AUTHORITY[book], "the director sees no harm", by_default=True)
            stands = (Option((binds,), ("wfp.betting.7b",), by_default=True),) if not changed else ()
            return Expect((default, *stands, free), (_silence(book),))


def _check_facing_bet(offence: Offence, since: tuple[Acts, ...]) -> Expect:
    """A player who has not seen the bet says check: no check is open to the seat, so the act itself cannot
    hold."""
    book, seat = offence.book, offence.seat
    match book:
        case "wfp" | "rpl":
            words = ("a 'pass' can also decline a wager; here the word was check",)
            return Expect((Option((MayNotRaise(seat),), (_check_rules(book)[0],)),), words)
        case "home":
            to = max([offence.facing, *(act.to or 0 for act in since)])
            words = ("'must call the actual bet that is made in turn': here it was made before the check",)
            return Expect((Option((MustCall(seat, to),), ("home.betting.9a",)),), words)
        case _:
            default = Option((MayNotRaise(seat),), ("wfp.betting.7a",), by_default=True)
            free = Option((Unbinds(seat),), AUTHORITY[book], "the director sees no harm", by_default=True)
            return Expect((default, free), (_silence(book),))


def _check_rules(book: Book) -> tuple[str, str]:
    return ("wfp.betting.7a", "wfp.betting.7b") if book == "wfp" else ("rpl.betting.9a", "rpl.betting.9b")


def _home_check(offence: Offence, since: tuple[Acts, ...]) -> Expect:
    seat = offence.seat
    wagers = [act for act in since if act.act in ("bet", "raise", "all-in")]
    if wagers:
        open_words = ("'the actual bet' when bet and raise both came",) if len(wagers) > 1 else ()
        must_call = MustCall(seat, max(act.to or 0 for act in wagers))
        return Expect((Option((must_call,), ("home.betting.9a", "home.suggest.14")),), open_words)
    if changes_action(since):
        return Expect(
            (
                Option((MayNotRaise(seat),), ("home.betting.9a",), "'cannot raise or fold' is read on its own"),
                Option((Unbinds(seat),), ("home.betting.9b",), "no bet was made, and the call frees the seat"),
            ),
            ("'must call the actual bet', but no bet was made, only a call",),
        )
    return Expect(
        (Option((Binds(seat, "check"),), ("home.betting.9b",)), Option((Unbinds(seat),), ("home.betting.9b",))),
        (MAY_BIND, "the rule on checks speaks only of a bet made in turn"),
    )


# --- Call -----------------------------------------------------------------------------------------


def _call(offence: Offence, changed: bool) -> Expect:
    book, seat = offence.book, offence.seat
    binds, free = Binds(seat, "call", offence.to), Unbinds(seat)
    match book:
        case "wfp":
            no_raise = Option((MayNotRaise(seat),), ("wfp.betting.7c",))
            if changed:
                return Expect((no_raise,))
            return Expect((Option((binds,), ("wfp.betting.7b",)), no_raise), (MAY_BIND,))
        case "home" | "rpl":
            return _may_bind(book, binds, free, changed)
        case _:
            no_raise = Option((MayNotRaise(seat),), ("wfp.betting.7c",), by_default=True)
            return _by_default(book, binds, free, changed, extra=(no_raise,))


# --- Bet, raise, all-in ---------------------------------------------------------------------------


def _bet_or_raise(offence: Offence, since: tuple[Acts, ...]) -> Expect:
    book, seat = offence.book, offence.seat
    binds, free, changed = Binds(seat, offence.act, offence.to), Unbinds(seat), changes_action(since)
    match book:
        case "wfp" | "rpl":
            return _may_bind(book, binds, free, changed)
        case "home":
            neighbour_checked = since[-1].act == "check"
            if changed or not neighbour_checked:
                expect = _may_bind(book, binds, free, changed)
                if offence.act == "all-in" and not changed:
                    word = "all-in 'providing it is their turn to act' (home.allin.1)"
                    return Expect(expect.options, (*expect.open_words, word))
                return expect
            must_check = Option((MustCheck(seat),), ("home.betting.10",))
            if len(offence.skipped) == 1:
                return Expect((must_check,))
            either = _may_bind(book, binds, free, changed)
            words = "'whose turn it is ... positioned immediately before': another seat was skipped too"
            return Expect((must_check, *either.options), (words,))
        case _:
            return _by_default(book, binds, free, changed)


def _may_bind(book: Book, binds: Binds, free: Unbinds, changed: bool) -> Expect:
    rules = {"wfp": ("wfp.betting.7b",), "home": ("home.betting.9b",), "rpl": ("rpl.betting.9b",)}[book]
    if changed:
        return Expect((Option((free,), rules),))
    return Expect((Option((binds,), rules), Option((free,), rules)), (MAY_BIND,))


def _by_default(book: Book, binds: Binds, free: Unbinds, changed: bool, extra: tuple[Option, ...] = ()) -> Expect:
    """The base profile for a book without a rule: the act falls if the action changed, else the director
    chooses."""
    falls = Option((free,), ("wfp.betting.7b", "rpl.betting.9b", *AUTHORITY[book]), by_default=True)
    if changed:
        return Expect((falls, *extra), (_silence(book),))
    stands = Option((binds,), ("wfp.betting.7b", "rpl.betting.9b", *AUTHORITY[book]), by_default=True)
    return Expect((stands, falls, *extra), (_silence(book),))


def _silence(book: Book) -> str:
    return SILENT if book == "ccp" else CPP_SILENT


# --- Fold -----------------------------------------------------------------------------------------


def _fold_options(offence: Offence, *, waiting: bool, changed: bool = False) -> Expect:
    """Rulings on a fold out of turn; `waiting`: the skipped seats have not acted yet."""
    book, seat = offence.book, offence.seat
    dead, lives = KillsHand(seat), Waits(seat) if waiting else HandLives(seat)
    facing, discard = offence.facing > 0, offence.how == "discard"
    if book == "ccp":
        rules = ("ccp.deadhands.2b",) if discard else ("ccp.deadhands.1a", "ccp.deadhands.2a")
        return Expect((Option((dead,), rules),))
    if book == "cpp" and facing:
        return Expect((Option((dead,), ("cpp.misdeals.8a",)),))
    if book == "home" and discard:
        return Expect((Option((dead,), ("home.deadhands.1b",)),))
    if book == "cpp":
        cpp_words = (CPP_SILENT, "a fold is dead 'when facing a bet or raise'; here nobody had bet")
        return _either(dead, lives, ("wfp.betting.7b",), ("wfp.betting.7b",), cpp_words, by_default=True)
    dead_rule, bind_rule, motion_rule = {
        "wfp": ("wfp.deadhands.1a", "wfp.betting.7b", "wfp.deadhands.1b"),
        "home": ("home.deadhands.1a", "home.betting.9b", "home.deadhands.1b"),
        "rpl": ("rpl.deadhands.1a", "rpl.betting.9b", "rpl.deadhands.1b"),
    }[book]
    if facing:
        return _either(dead, lives, (dead_rule,), (bind_rule,), (DEAD_OR_MAY_BIND,))
    if discard:
        motion = (MAY_BIND, "a discard is dead when it makes another player 'act behind you'")
        return _either(dead, lives, (bind_rule, motion_rule), (bind_rule,), motion)
    if changed:
        return Expect((Option((lives,), (bind_rule,)),))
    words = (
        (MAY_BIND, "whether a fold may be ruled before the skipped seats act is not said")
        if waiting
        else (MAY_BIND,)
    )
    return _either(dead, lives, (bind_rule,), (bind_rule,), words)


def _either(
    dead: KillsHand,
    lives: Waits | HandLives,
    dead_rules: tuple[str, ...],
    live_rules: tuple[str, ...],
    words: tuple[str, ...],
    by_default: bool = False,
) -> Expect:
    options = (
        Option((dead,), dead_rules, by_default=by_default),
        Option((lives,), live_rules, by_default=by_default),
    )
    return Expect(options, words)
