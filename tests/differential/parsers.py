"""Programs of others that read PokerStars text: each gives the numbers of a hand and the stacks at its end.

They are installed by whoever wants them (`needs`); PokerKit is a development dependency."""

from __future__ import annotations

import json
import re
import subprocess
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple


class Read(NamedTuple):
    """A hand as a parser has it; `stacks` at its end by name, None where it does not say them."""

    hand: str
    tournament: str
    stacks: Mapping[str, int] | None


class Refused(NamedTuple):
    """`why` is what the parser said."""

    why: str


Known = tuple[tuple[str, str], ...]  # (pattern of a hand's text, why the parser cannot have it as it was)


class Parser(NamedTuple):
    """`known`: hands that it refuses or plays otherwise, in PokerStars' own text too. `needs_hero`: it reads only
    what a player's own program wrote."""

    name: str
    needs: str
    read: Callable[[Sequence[str]], Iterator[Read | Refused]]
    known: Known = ()
    needs_hero: bool = False

    def excuse(self, text: str) -> str:
        """Why the parser cannot have this hand as it was; empty where it can."""
        return next((why for pattern, why in self.known if re.search(pattern, text, re.M)), "")


def with_hero(text: str) -> str | None:
    """The text as the program of a player wrote it who showed cards: with these dealt to the player. None where
    nobody did."""
    shown = re.search(r"^(.+): shows \[(.. ..)\]", text, re.M)
    if shown is None:
        return None
    holes = "*** HOLE CARDS ***\n"
    return text.replace(holes, f"{holes}Dealt to {shown[1]} [{shown[2]}]\n")


# ------------------------------------------------------------------------------------------------------ PokerKit

_POKERKIT = (
    (r": posts the ante", "antes: its pattern for them matches nothing"),
    (r"raises \d+ to \d+(?: and is all-in)?\n(?:.*: folds\n)*Uncalled", "it refuses a raise that nobody can call"),
    (r"posts big blind \d+ and is all-in", "after a short big blind callers owe only that"),
    (r"from side pot", "main and side pots merge once losers' hands are killed"),
    (r"posts small blind \d+ and is all-in", "a blind that faces only all-ins is asked for less"),
)


def _pokerkit(hands: Sequence[str]) -> Iterator[Read | Refused]:
    from pokerkit import PokerStarsParser

    for text in hands:
        with warnings.catch_warnings(), redirect_stderr(StringIO()):
            warnings.simplefilter("ignore")
            try:
                (history,) = PokerStarsParser()(f"{text}\n\n\n", error_status=True)
                *_, end = history
            except Exception as error:  # noqa: BLE001  (whatever another program raises)
                yield Refused(str(error).partition("\n")[0][:200])
                continue
        table = re.search(r"Tournament #(\d+)", text)
        stacks = dict(zip(history.players or (), (int(stack) for stack in end.stacks), strict=True))
        yield Read(str(history.hand), table[1] if table else "", stacks)


# ----------------------------------------------------------------------------------------------------- npm's hhp


_HHP = (
    (r"from side pot-\d", "several side pots: what is collected from one is not read"),
    (r": posts .* and is all-in", "a blind or ante that is all-in is not read"),
)


def _hhp(hands: Sequence[str]) -> Iterator[Read | Refused]:
    script = Path(__file__).with_name("hhp.cjs")
    text = "\n\n\n".join(hands)
    done = subprocess.run(["node", script], input=text, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        raise ModuleNotFoundError("hhp")
    for line in done.stdout.splitlines():
        hand = json.loads(line)
        if not hand or "error" in hand:
            yield Refused(str(hand and hand["error"]))
            continue
        yield Read(hand["info"]["handid"], hand["info"]["gameno"], dict(_stacks_of_hhp(hand)))


def _stacks_of_hhp(hand: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    stacks = {seat["player"]: seat["chips"] for seat in hand["seats"]}
    front: dict[str, int] = {}
    for post in hand["posts"]:
        stacks[post["player"]] -= post["amount"]
        if post["type"] != "ante":
            front[post["player"]] = front.get(post["player"], 0) + post["amount"]
    for street in ("preflop", "flop", "turn", "river", "showdown"):
        for act in hand[street]:
            who, amount = act.get("player"), act.get("amount") or 0
            if act["type"] == "raise":
                amount = act["raiseTo"] - front.get(who, 0)
            if act["type"] in ("call", "bet", "raise"):
                stacks[who] -= amount
                front[who] = front.get(who, 0) + amount
            elif act["type"] in ("collect", "bet-returned"):
                stacks[who] += amount
        front = {}
    yield from stacks.items()


# ------------------------------------------------------------------------------------------- PyPI's poker, pokerdf


def _poker(hands: Sequence[str]) -> Iterator[Read | Refused]:
    from poker.room.pokerstars import PokerStarsHandHistory

    for text in hands:
        try:
            hand = PokerStarsHandHistory(text)
            hand.parse()
        except Exception as error:  # noqa: BLE001
            yield Refused(f"{type(error).__name__}: {error}"[:200])
        else:
            yield Read(hand.ident, hand.tournament_ident, None)


def _pokerdf(hands: Sequence[str]) -> Iterator[Read | Refused]:
    from pokerdf.core.read_and_convert import apply_regex

    for text in hands:
        try:
            rows = apply_regex(f"{text}\n\n\n").to_dict("records")
        except Exception as error:  # noqa: BLE001
            yield Refused(f"{type(error).__name__}: {error}"[:200])
        else:
            yield Read(str(rows[0]["HandID"]), str(rows[0]["TournID"]), None)


PARSERS = (
    Parser("pokerkit", "pip install pokerkit", _pokerkit, _POKERKIT),
    Parser("hhp", "npm install hhp, and --node-modules", _hhp, _HHP),
    Parser("poker", "pip install poker, and --packages", _poker, needs_hero=True),
    Parser("pokerdf", "pip install pokerdf, and --packages", _pokerdf, needs_hero=True),
)
