"""Reads PokerStars text: cash games and tournaments of no-limit hold'em, as the client saves them in English.

A hand becomes the parts of an Open Hand History (`ohh_format.py`), which says the same in other words; who posted
what and who won is read from those. Lines of chat and of people who come and go are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from table_core.histories.ohh import hand_of_ohh
from table_core.histories.ohh_format import (
    SPEC_VERSION,
    UNKNOWN_START,
    BetLimit,
    Ohh,
    OhhAction,
    OhhPlayer,
    OhhPot,
    OhhRound,
    PlayerWin,
    TournamentInfo,
)
from table_core.histories.recorded import MOST_PLAYERS, HistoryError, RecordedHand

_SIGN = r"[$€£]?"
_AMOUNT = rf"{_SIGN}(\d[\d,]*(?:\.\d+)?)"
_HEAD = re.compile(
    r"PokerStars .*?(?:Hand|Game) #(\d{1,30}):\s+(?P<what>.*?)"
    rf"\((?P<cap>[^()]*cap - )?{_AMOUNT}/{_AMOUNT}(?: [A-Z]{{3}})?\)(?: - (?P<date>.*))?$"
)
_TABLE = re.compile(r"Table '(?P<name>.*)' (?:(?P<size>\d{1,3})-max )?.*?Seat #(?P<button>\d{1,3}) is the button")
_SEAT = re.compile(rf"Seat (\d{{1,3}}): (?P<name>.*) \({_AMOUNT} in chips(?:, [^)]*bounty)?\)(?P<state>.*)$")
_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d) (\d{1,2}):(\d\d):(\d\d) (UTC|GMT|ET)")
_STREET = re.compile(r"\*\*\* (?P<again>FIRST |SECOND )?(?P<street>[A-Z ]+?) \*\*\*(?P<cards>.*)$")
_CARDS = re.compile(r"\[([^\]]*)\]")
_POST = re.compile(rf"posts (?P<what>[a-z &]+?) {_AMOUNT}")
_ACT = re.compile(rf"(?P<act>folds|checks|calls|bets|raises)(?: {_AMOUNT})?(?: to {_AMOUNT})?")
_COLLECTED = re.compile(rf"collected {_AMOUNT} from (?P<pot>main pot|side pot(?:-\d+)?|pot)")
_RAKE = re.compile(rf"Total pot .*\| Rake {_AMOUNT}")
MOST_LETTERS = 1_000  # of a line
_STREETS = {"HOLE CARDS": "Preflop", "FLOP": "Flop", "TURN": "Turn", "RIVER": "River", "SHOW DOWN": "Showdown"}
_POSTS = {
    "the ante": ("Post Ante",),
    "small blind": ("Post SB",),
    "big blind": ("Post BB",),
    "small & big blinds": ("Post Dead", "Post Extra Blind"),
    "straddle": ("Straddle",),
}


def stars_hand(text: str, file: str, line: int = 1, unit: Decimal | None = None) -> RecordedHand:
    """The one hand of a text that begins in `line` of `file`. `unit` is the amount that is one chip
    (`amounts.Unit`). Raise `HistoryError` for a text that is no hand or a bad one."""
    return hand_of_ohh(_Text(text, file, line).ohh(), file, line, unit)


class _Text:
    """One hand, read line by line. What a pattern takes of a line is bounded by its length."""

    def __init__(self, text: str, file: str, line: int) -> None:
        self._lines = [found.removeprefix("\ufeff").rstrip() for found in text.split("\n")]
        self._file = file
        self._first = line
        self._at = 0
        self._players: dict[str, OhhPlayer] = {}
        self._names: list[str] = []  # the longest first
        self._in_hand: set[str] = set()
        self._rounds = [OhhRound(0, "Preflop", [], [])]
        self._bets: dict[str, Decimal] = {}  # of this street
        self._wins: dict[str, dict[str, Decimal]] = {}  # by pot
        self._rake = Decimal(0)
        self._small = Decimal(0)

    def ohh(self) -> Ohh:
        head = _HEAD.match(self._lines[0][:MOST_LETTERS])
        if head is None:
            raise self._wrong(f"{self._lines[0][:80]!r}; expected a head line of PokerStars with its blinds")
        what = " ".join(head["what"].split(" - Level ")[0].split())
        if "Hold'em No Limit" not in what or head["cap"]:
            game = what.rpartition(", ")[2] if "Tournament" in what else what
            game = " ".join(game.split()[-4:])[:40] + (" with a cap" if head["cap"] else "")
            raise self._wrong(f"{game}; expected Hold'em No Limit", f"another game: {game}")
        self._small, big = self._number(head[4]), self._number(head[5])
        table, number = self._table(), re.search(r"Tournament #(\d+)", what)
        for at, text in enumerate(self._lines[1:], 1):
            self._at = at
            if not text:
                continue
            if len(text) > MOST_LETTERS:
                raise self._wrong(f"a line of more than {MOST_LETTERS:,} letters")
            if text.startswith("*** SUMMARY"):
                break
            self._line(text)
        for line in filter(None, self._lines[self._at :]):
            text = line[:MOST_LETTERS]
            found = _RAKE.match(text)
            self._rake += self._number(found[1]) if found else 0
            if "with hand" not in text and re.search(r"FIRST Board|SECOND Board", text):
                raise self._wrong("the board was run twice; expected one board", "run it twice")
        return Ohh(
            spec_version=SPEC_VERSION,
            game_number=head[1],
            table_name=table["name"],
            game_type="Holdem",
            bet_limit=BetLimit("NL"),
            table_size=int(table["size"] or 10),
            dealer_seat=int(table["button"]),
            small_blind_amount=self._small,
            big_blind_amount=big,
            players=[*self._seated()],
            rounds=self._rounds,
            pots=[*self._pots()],
            start_date_utc=_started(head["date"] or ""),
            tournament=number is not None,
            tournament_info=TournamentInfo(name=number[1]) if number else None,
        )

    # ------------------------------------------------------------------------------------------ lines

    def _table(self) -> re.Match[str]:
        for at, text in enumerate(self._lines[:100]):
            if found := _TABLE.match(text[:MOST_LETTERS]):
                return found
            self._at = at
        raise self._wrong("no line with the table; expected \"Table '…' 9-max Seat #1 is the button\"")

    def _line(self, text: str) -> None:
        street = _STREET.match(text)
        if street:
            self._street(street)
        elif text.startswith("Seat "):
            self._seat(text)
        elif text.startswith("Dealt to "):
            self._dealt(text)
        else:
            name = self._named(text)
            if name is not None:
                self._of_player(name, text[len(name) :].removeprefix(":").strip(), said=text[len(name)] == ":")
            elif returned := re.match(rf"Uncalled bet \({_AMOUNT}\) returned to ", text):
                self._number(returned[1])  # follows from the bets

    def _seat(self, text: str) -> None:
        found = _SEAT.match(text)
        if found and "out of hand" not in found["state"]:
            player = OhhPlayer(len(self._players), int(found[1]), found["name"], self._number(found[3]))
            self._players[found["name"]] = player
            self._names = sorted(self._players, key=lambda name: -len(name))
            if len(self._players) > MOST_PLAYERS:
                raise self._wrong(f"more than {MOST_PLAYERS} players")

    def _dealt(self, text: str) -> None:
        name = next((name for name in self._names if text.startswith(f"Dealt to {name} [")), None)
        if name is not None:
            cards = _CARDS.search(text, len("Dealt to ") + len(name))
            self._add(name, "Dealt Cards", cards=cards[1].split() if cards else [])

    def _named(self, text: str) -> str | None:
        """Whose line it is: the longest name that it begins with."""
        for name in self._names:
            if text.startswith((f"{name}: ", f"{name} collected ", f"{name} cashed out ")):
                return name
        return None

    def _street(self, found: re.Match[str]) -> None:
        if found["again"]:
            raise self._wrong("the board was run twice; expected one board", "run it twice")
        street = _STREETS.get(found["street"])
        if street is None:
            raise self._wrong(f"{found['street'][:40]!r}; expected one of {', '.join(_STREETS)}")
        if street == "Preflop":
            return
        cards = _CARDS.findall(found["cards"])
        self._rounds.append(OhhRound(len(self._rounds), street, cards[-1].split() if cards else [], []))
        self._bets = {}

    def _of_player(self, name: str, text: str, *, said: bool) -> None:
        if not said:
            found = _COLLECTED.match(text)
            if found:
                pot = self._wins.setdefault(found["pot"], {})
                pot[name] = pot.get(name, Decimal(0)) + self._number(found[1])
        elif found := _POST.match(text):
            self._post(name, found["what"], self._number(found[2]))
        elif found := _ACT.match(text):
            self._act(name, found["act"], found[2], found[3])
        elif text.startswith(("shows ", "mucks ")):
            cards = _CARDS.search(text)
            self._add(name, "Shows Cards" if cards else "Mucks Cards", cards=cards[1].split() if cards else [])

    def _post(self, name: str, what: str, amount: Decimal) -> None:
        posts = _POSTS.get(what)
        if posts is None:
            raise self._wrong(f"posts {what[:40]!r}; expected {', '.join(_POSTS)}", "an unknown post")
        if len(posts) == 2:  # the small blind is dead, the big one is a bet
            self._add(name, posts[0], min(self._small, amount))
            amount -= min(self._small, amount)
        self._add(name, posts[-1], amount)
        if what != "the ante":
            self._bets[name] = self._bets.get(name, Decimal(0)) + amount

    def _act(self, name: str, act: str, amount: str | None, to: str | None) -> None:
        before = self._bets.get(name, Decimal(0))
        if (act == "raises" and to is None) or (act in ("calls", "bets") and amount is None):
            raise self._wrong(f'{act} without an amount; expected "{act} 100{" to 200" * (act == "raises")}"')
        added = self._number(to) - before if act == "raises" and to else self._number(amount or "0")
        if added < 0:
            raise self._wrong(f"raises to less than {before}", "amounts")
        word = {"folds": "Fold", "checks": "Check", "calls": "Call", "bets": "Bet", "raises": "Raise"}[act]
        if word == "Bet" and self._rounds[-1].street == "Preflop":
            word = "Raise"
        self._add(name, word, added)
        self._bets[name] = before + added

    # ------------------------------------------------------------------------------------------ parts

    def _add(self, name: str, action: str, amount: Decimal | int = 0, cards: list[str] | None = None) -> None:
        if action not in ("Dealt Cards", "Shows Cards", "Mucks Cards"):
            self._in_hand.add(name)
        actions = self._rounds[-1].actions
        actions.append(OhhAction(len(actions), self._players[name].id, action, amount, False, cards or []))

    def _seated(self) -> Iterator[OhhPlayer]:
        """Who has no part in the hand was not dealt in."""
        for name, player in self._players.items():
            won = any(name in pot for pot in self._wins.values())
            yield OhhPlayer(
                player.id, player.seat, name, player.starting_stack, not won and name not in self._in_hand
            )

    def _pots(self) -> Iterator[OhhPot]:
        for number, pot in enumerate(sorted(self._wins)):  # main pot, side pot-1, …
            wins = [PlayerWin(self._players[name].id, amount) for name, amount in self._wins[pot].items()]
            yield OhhPot(number, sum(self._wins[pot].values()), self._rake if number == 0 else 0, wins)

    def _number(self, text: str) -> Decimal:
        plain = text.replace(",", "")
        if len(plain) > 20:
            raise self._wrong(f"an amount of {len(plain)} digits", "amounts")
        return Decimal(plain)

    def _wrong(self, problem: str, kind: str = "cannot be read") -> HistoryError:
        return HistoryError(self._file, self._first + self._at, problem[:400], kind)


def _started(date: str) -> str:
    """The first time of the line that says its zone as UTC; those of the east of America are not converted."""
    found = _DATE.search(date)
    if not found or found[7] == "ET":
        return UNKNOWN_START
    year, month, day, hour, minute, second = found.groups()[:6]
    return f"{year}-{month}-{day}T{int(hour):02}:{minute}:{second}Z"
