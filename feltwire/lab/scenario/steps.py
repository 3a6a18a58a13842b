"""The steps of a scenario: what each line presses, deals, shows or says at a table."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from feltwire.config import ConfigError
from feltwire.lab.scenario.check import wrong_in
from feltwire.lab.scenario.director import command_of, options_of
from feltwire.lab.scenario.expect import EXPECTATIONS, Mismatch, Played, said_refused
from feltwire.lab.scenario.file import DEVICES, Scenario, ScenarioLine
from feltwire.lab.scenario.table import TableInMemory
from feltwire.table.table_io import CommandCame, DeviceSaid, ZoneCame
from firmware_bridge.decks import CARDS
from firmware_bridge.reports import CardBack, CardPassed, CardsTogether, CutCardPassed, DeckMoved, LidMoved
from table_core.hand.deal import is_to_seat
from table_core.messages import (
    FOR_CHIPS,
    Chips,
    DeviceState,
    Key,
    Refused,
    Seat,
    Zone,
    ZoneReading,
    encode,
)
from table_core.rulebook import RulebookError
from table_core.rulings.all_incidents import INCIDENTS

_ALIASES = {
    "CHECK": Key.CHECK_CALL,
    "CALL": Key.CHECK_CALL,
    "BET": Key.BET_RAISE,
    "RAISE": Key.BET_RAISE,
    "YES": Key.STREET,
    "BUTTON": Key.BUTTON_HERE,
}
_DECKS = {"other": "other_deck", "joker": "joker", "unknown": "unknown_tag"}
_TIMES = {
    "ms": 1,
    "s": 1_000,
    "second": 1_000,
    "seconds": 1_000,
    "min": 60_000,
    "minute": 60_000,
    "minutes": 60_000,
}
_BEFORE = {"flop": 0, "turn": 3, "river": 4}  # cards on the board
_SHOE_SAYS = (
    "`together Ah any`, `back Ah`, `pushed back`, `doubtful`, `deck in`, `deck out`, `lid open`, `cut card`"
)
_MOTIONS = {"one": 1, "two": 2, "three": 3, "several": 3}


class TableSteps:
    """The steps of a scenario at one of its tables. `table` is that table, `played` what its steps did."""

    def __init__(self, scenario: Scenario, rulebook: str) -> None:
        self._config = scenario.config(rulebook)
        self.table = TableInMemory(self._config, scenario.devices)
        self.played = Played(self.table, rulebook)
        self._scenario = scenario
        named = {word.rstrip(",") for line in scenario.lines for word in line.words}
        self._not_named = tuple([card for card in CARDS if card not in named])
        self._spare = [*self._not_named]
        self._out: dict[str, str] = {}  # cards of this hand that a line names, and with what they came
        self._seats = {one.seat for one in scenario.seats} | set(_seated_later(scenario))
        self._handlers: dict[str, Callable[[ScenarioLine], None]] = {
            "press": self._press,
            "hand": self._hand,
            "deal": self._deal,
            "shoe": self._shoe,
            "flop": self._street,
            "turn": self._street,
            "river": self._street,
            "camera": self._camera,
            "wait": self._wait,
            "device": self._device,
            "choose": self._choose,
            "raise": self._raise,
            "director": self._director,
            "touch": self._touch,
            "level": self._director,
            "restart": self._restart,
            "power": self._restart,
            "expect": self._expect,
        }

    def check(self, line: ScenarioLine) -> None:
        """Raise `ScenarioError` for a step that is unknown, or that could never hold or never fail."""
        if line.verb not in self._handlers:
            raise self._scenario.error(line, f"a step: {', '.join(self._handlers)}")
        wrong = wrong_in(line.verb, line.words, tuple(EXPECTATIONS), self._seats)
        if wrong:
            raise self._scenario.error(line, wrong)

    def step(self, line: ScenarioLine) -> None:
        if line.verb != "expect":
            self.played.since = len(self.table.events)
        try:
            self._handlers[line.verb](line)
        except (IndexError, ValueError) as error:
            raise self._scenario.error(line, f"what docs/scenario.md says of this step ({error})") from error

    def no_other_refusal(self, later: Sequence[ScenarioLine]) -> None:
        """Raise `Mismatch` where the step was refused and the expectations that follow it do not say so."""
        expected = [
            line.words
            for line in takewhile(lambda line: line.verb == "expect", later)
            if line.table in (0, self._scenario.no)
        ]
        for refusal in self.played.events:
            if isinstance(refusal, Refused) and not any(
                said_refused(words, refusal, self.played.rulebook) for words in expected
            ):
                raise Mismatch(
                    f"refused: {refusal.reason} ({refusal.rule}); write `expect refused …` below this step, or "
                    "correct the step"
                )

    # ------------------------------------------------------------------------------------- presses

    def _press(self, line: ScenarioLine) -> None:
        """`press 3 SEAT 200 COUNT`, `press FOLD CALL CHECK`, `press seat 4 51 FLOOR`, `press blind STREET`."""
        blind = line.words[:1] == ("blind",)
        if "NEW_HAND" in line.words:
            self._out = {}
        words = iter(line.words[blind:])
        in_a_row = False
        for word in words:
            if word == "seat":
                self.table.press(next(words, ""), Key.SEAT, in_a_row=in_a_row)
            elif word.replace(",", "").isdecimal():
                self.table.press(word.replace(",", ""), in_a_row=in_a_row)
            else:
                self.table.press(self._key(line, word), blind=blind, in_a_row=in_a_row)
            in_a_row = True

    def _touch(self, line: ScenarioLine) -> None:
        """`touch 300 RAISE`, `touch seat 4 FOLD`: the same on the table's own screen, number and seat included."""
        seat: Seat | None = None
        amount: Chips | None = None
        words = iter(line.words)
        for word in words:
            if word == "seat":
                seat = Seat(int(next(words, "0")))
            elif word.replace(",", "").isdecimal():
                amount = Chips(int(word.replace(",", "")))
            else:
                self.table.touch(self._key(line, word), seat, amount)
                seat, amount = None, None

    def _key(self, line: ScenarioLine, word: str) -> Key:
        name = word.upper()
        if name in _ALIASES:
            return _ALIASES[name]
        if name not in Key.__members__:
            raise self._scenario.error(line, f"keys such as {', '.join(key.name for key in list(Key)[14:20])}")
        return Key[name]

    # --------------------------------------------------------------------------------------- cards

    def _hand(self, line: ScenarioLine) -> None:
        """NEW HAND and a whole deal, seen as backs; cards that are not named are any cards."""
        self.table.press(Key.NEW_HAND)
        self._out = dict.fromkeys([word for word in line.words if word in CARDS], "deal")
        self._spare = [*self._not_named]
        order = [to for to in self.table.node.table.destinations() if is_to_seat(to)]
        cards = [*line.words, *("any",) * (len(order) - len(line.words))]
        self._cards(line, cards)
        if "camera" in self._scenario.devices:
            for to in sorted(set(order)):
                self.table.see(f"{to}-cards", backs=2)

    def _deal(self, line: ScenarioLine) -> None:
        """`deal Ah any unread joker Kd@other`: cards leave the shoe."""
        words = line.words
        if len(words) >= 2 and words[-2] == "x" and words[-1].isdecimal():
            words = ("any",) * int(words[-1])
        self._cards(line, list(words))

    def _cards(self, line: ScenarioLine, words: list[str], *, counted: bool = False) -> None:
        if "shoe" not in self._scenario.devices:
            return
        for word in words:
            card, _, deck = word.partition("@")
            if card == "unread":
                self.table.deal("", counted=counted)
            elif card in _DECKS:
                self.table.deal(self._spare.pop(), note=_DECKS[card], counted=counted)
            else:
                known = self._spare.pop() if card == "any" else self._card(line, card)
                note = "other_deck" if deck == "other" else ""
                self.table.deal(known, note=note, deck="" if note else deck, counted=counted)

    def _shoe(self, line: ScenarioLine) -> None:
        """`shoe together Ah Kd`, `shoe back Ah`, `shoe deck in`, `shoe lid open`: what a shoe says beside single
        cards."""
        if "shoe" not in self._scenario.devices:
            return
        match line.words:
            case ("together", *cards) if len(cards) > 1:
                named = [self._spare.pop() if card == "any" else self._card(line, card) for card in cards]
                self.table.shoe_says(lambda at: CardsTogether(at, self.table.tags(*named)))
            case ("back", card):
                self.table.shoe_says(
                    lambda at: CardBack(at, self.table.tags(self._card(line, card))[0], was_out=True)
                )
            case ("pushed", "back"):
                self.table.shoe_says(lambda at: CardBack(at, None, was_out=False))
            case ("dealt", *cards) if cards:
                self._cards(line, cards, counted=True)
            case ("doubtful",):
                self.table.shoe_says(lambda at: CardPassed(at, None, doubtful=True))
            case ("deck", ("in" | "out") as where):
                self.table.shoe_says(lambda at: DeckMoved(at, where == "in"))
            case ("lid", ("open" | "closed") as how):
                self.table.shoe_says(lambda at: LidMoved(at, how == "open"))
            case ("cut", "card"):
                self.table.shoe_says(CutCardPassed)
            case _:
                raise self._scenario.error(line, _SHOE_SAYS)

    def _card(self, line: ScenarioLine, word: str) -> str:
        if word not in CARDS:
            raise self._scenario.error(line, "cards such as `Ah 9s`, `any`, `unread`, `joker`, `Kd@other`")
        return word

    def _street(self, line: ScenarioLine) -> None:
        """A burn and the street leave the shoe, and the camera reads the board with it."""
        twice = [card for card in line.words if self._out.get(card, line.verb) != line.verb]
        if twice:
            raise self._scenario.error(
                line, f"cards that are not out yet; {twice[0]} came with the {self._out[twice[0]]}"
            )
        self._out.update(dict.fromkeys(line.words, line.verb))
        lie, due = len(self.table.view.board), _BEFORE[line.verb]
        if lie != due and self.table.view.devices.get("camera") is DeviceState.OK:
            raise Mismatch(
                f"a {line.verb} comes on {due} cards, and {lie} lie there; deal the street before it first"
            )
        self._cards(line, ["any", *line.words])
        if "camera" in self._scenario.devices:
            self.table.see("board", *self.table.view.board, *[self._card(line, word) for word in line.words])

    # -------------------------------------------------------------------------------------- camera

    def _camera(self, line: ScenarioLine) -> None:
        """`camera seat-2-cards: Ah + 1 back`, `camera board: Qh 9s 4c`, `camera seat-3-bet: 500 in one chip`."""
        name, _, what = " ".join(line.words).partition(":")
        zone = self._zone(line, name.strip())
        words = what.replace("+", " ").replace(",", " ").split()
        if words == ["unseen"]:
            self.table.give(ZoneCame(ZoneReading(zone, unseen=True)))
            return
        if zone.kind in FOR_CHIPS:
            self._chips(zone, words)
            return
        cards, unread, backs = [], 0, 0
        for at, word in enumerate(words):
            if word.isdecimal():
                kind = words[at + 1] if at + 1 < len(words) else ""
                backs += int(word) if kind.startswith("back") else 0
                unread += int(word) if kind.startswith("unread") else 0
            elif word not in (
                "back",
                "backs",
                "unread",
                "nothing",
                "disc",
                "joker",
                "motion",
                "motions",
                *_MOTIONS,
            ):
                cards.append(self._card(line, word))
        motions = self._before(words, "motions", self._before(words, "motion", 0))
        here = "disc" in words
        odd = "joker" if "joker" in words else ""  # it lies there unread
        came = ZoneReading(zone, tuple(cards), unread + bool(odd), backs, motions=motions, odd=odd, button=here)
        self.table.give(ZoneCame(came))

    def _zone(self, line: ScenarioLine, name: str) -> Zone:
        try:
            return Zone.parse(name)
        except ValueError:
            raise self._scenario.error(
                line, "zones such as `board`, `burn`, `seat-2-cards`, `seat-3-bet`"
            ) from None

    def _chips(self, zone: Zone, words: list[str]) -> None:
        if words in (["nothing"], ["empty"]):
            self.table.give(ZoneCame(ZoneReading(zone, chips=Chips(0), pieces=0)))
            return
        odd = next((word for word in words if word in ("bounty", "unknown")), "")
        amount = next((int(word.replace(",", "")) for word in words if word[0].isdecimal()), 0)
        pieces = 1 if "one" in words and "chip" in words else self._before(words, "chips", 2)
        motions = self._before(words, "motions", 1)
        if words[:1] == ["some"]:
            self.table.give(ZoneCame(ZoneReading(zone, motions=motions)))
            return
        self.table.give(ZoneCame(ZoneReading(zone, chips=Chips(amount), pieces=pieces, motions=motions, odd=odd)))

    @staticmethod
    def _before(words: list[str], unit: str, default: int) -> int:
        """The number written before a word: `in 3 chips`, `two motions`."""
        if unit not in words:
            return default
        number = words[words.index(unit) - 1]
        return int(number) if number.isdecimal() else _MOTIONS.get(number, default)

    # ---------------------------------------------------------------------------- time and devices

    def _wait(self, line: ScenarioLine) -> None:
        text = "".join(line.words)
        number = "".join(char for char in text if char.isdecimal())
        unit = text.removeprefix(number)
        if not number or unit not in _TIMES:
            raise self._scenario.error(line, "a time such as `3s`, `90 seconds`, `3 minutes`")
        self.table.wait(int(number) * _TIMES[unit])

    def _device(self, line: ScenarioLine) -> None:
        known = len(line.words) == 2 and line.words[0] in DEVICES and line.words[1] in set(DeviceState)
        if not known:
            raise self._scenario.error(line, f"one of {', '.join(DEVICES)} and one of {', '.join(DeviceState)}")
        self.table.give(DeviceSaid(line.words[0], DeviceState(line.words[1])))

    def _restart(self, line: ScenarioLine) -> None:
        """`restart`, `power cut`; `restart rpl`, `restart house: raise_cap = 3`: the process begins again from its
        ledger, perhaps under another book or other settings of the house."""
        if line.verb == "power":
            if line.words != ("cut",):
                raise self._scenario.error(line, "`power cut`")
            self.table.vault.power_cut()
        book, _, house = " ".join(line.words if line.verb == "restart" else ()).partition("house:")
        try:
            self._config = self._scenario.config(book.strip() or self._config.rulebook, house or None)
        except (ConfigError, RulebookError, tomllib.TOMLDecodeError) as error:
            raise self._scenario.error(line, f"a rulebook, `house:` and settings ({error})") from error
        working = [name for name, state in self.table.node.table.devices.items() if state is DeviceState.OK]
        self.table.restart(self._config, working)

    # ------------------------------------------------------------------------ rulings and the director

    def _raise(self, line: ScenarioLine) -> None:
        """`raise string_bet seat 3 amount 200`: a person opens an incident on the screen or the keypad."""
        options = options_of(self._scenario, line, line.words[1:])
        incident = INCIDENTS.get(line.words[0]) if line.words else None
        if incident is None:
            raise self._scenario.error(line, f"an incident: {', '.join(sorted(INCIDENTS))}")
        if "seat" in options:
            self.table.press(options["seat"], Key.SEAT)
        self.table.press(str(incident.no), Key.FLOOR)
        if "amount" in options:
            self.table.press(options["amount"], Key.COUNT)

    def _choose(self, line: ScenarioLine) -> None:
        """`choose misdeal`: the number of that option and STREET; `choose default`, `choose nothing`."""
        ruling = self.played.ruling()
        if ruling is None:
            raise Mismatch("no incident is open to rule on")
        wanted = line.words[0] if line.words else "default"
        if wanted == "default":
            self.table.press(*([] if ruling.street or not ruling.options else ["1"]), Key.STREET)
            return
        if wanted == "nothing":
            self.table.press("0", Key.STREET)
            return
        option = next((option for option in ruling.options if option.option == wanted), None)
        if option is None:
            raise Mismatch(
                f"no option {wanted!r}; there are: {', '.join(option.option for option in ruling.options)}"
            )
        self.table.press(str(option.no), Key.STREET)

    def _director(self, line: ScenarioLine) -> None:
        self.table.give(CommandCame(encode(command_of(self._scenario, line, self.table.node.table))))

    # -------------------------------------------------------------------------------- expectations

    def _expect(self, line: ScenarioLine) -> None:
        kind = line.words[0] if line.words else ""
        expectation = EXPECTATIONS.get(kind)
        if expectation is None:
            raise self._scenario.error(line, f"one of {', '.join(EXPECTATIONS)} after `expect`")
        expectation(self.played, line.words[1:])


def _seated_later(scenario: Scenario) -> Iterator[int]:
    """Seats that the director fills in the course of the story."""
    for line in scenario.lines:
        if line.verb == "director" and line.table in (0, scenario.no):
            yield from [int(word.partition("=")[0]) for word in line.words if re.match(r"\d+=", word)]
