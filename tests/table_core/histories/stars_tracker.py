"""Reads PokerStars-style text as strictly as a tracker does: every line must be one that is due where it stands,
and the chips must add up. It answers with the finishing stacks by table seat."""

from __future__ import annotations

import re
from collections.abc import Iterator

CARD = "[2-9TJQKA][cdhs]"
HEADER = re.compile(
    r"PokerStars Hand #\d{15}: Tournament #\d{10}, Freeroll  Hold'em No Limit - "
    r"Level [IVXLC]+ \((\d+)/(\d+)\) - \d{4}/\d\d/\d\d \d{1,2}:\d\d:\d\d UTC "
    r"\[\d{4}/\d\d/\d\d \d{1,2}:\d\d:\d\d ET\]"
)
TABLE = re.compile(r"Table '\d{10} [A-Za-z0-9]+' (\d+)-max Seat #(\d+) is the button")
SEAT = re.compile(r"Seat (\d+): ([^()\[\]:]+) \((\d+) in chips\)")
ANTE = re.compile(r"(.+): posts the ante (\d+)( and is all-in)?")
BLIND = re.compile(r"(.+): posts (small|big) blind (\d+)( and is all-in)?")
ACT = re.compile(r"(.+): (folds|checks|calls (\d+)|bets (\d+)|raises (\d+) to (\d+))( and is all-in)?")
UNCALLED = re.compile(r"Uncalled bet \((\d+)\) returned to (.+)")
STREET = re.compile(rf"\*\*\* (FLOP|TURN|RIVER) \*\*\*((?: \[{CARD}(?: {CARD})*\])+)")
SHOWS = re.compile(rf"(.+): (?:shows \[{CARD} {CARD}\] \(.+\)|mucks hand|doesn't show hand)")
COLLECTED = re.compile(r"(.+) collected (\d+) from (pot|main pot|side pot(?:-\d)?)")
TOTAL = re.compile(r"Total pot (\d+)( Main pot \d+\.(?: Side pot(?:-\d)? \d+\.)+)? \| Rake 0")
BOARD = re.compile(rf"Board \[({CARD}(?: {CARD}){{2,4}})\]")
FATE = re.compile(
    r"Seat (\d+): (.+?)((?: \((?:button|small blind|big blind)\))*) (?:"
    r"folded before Flop(?: \(didn't bet\))?|folded on the (?:Flop|Turn|River)|collected \((\d+)\)|mucked|"
    rf"showed \[{CARD} {CARD}\] and (?:won \((\d+)\)|lost) with .+)"
)
BOARD_SIZES = {"FLOP": [3], "TURN": [3, 1], "RIVER": [4, 1]}


class Tracker:
    """One hand's text, line by line."""

    def __init__(self, text: str) -> None:
        assert text.endswith("\n\n\n")
        self._lines: Iterator[str] = iter(text.rstrip("\n").split("\n"))
        self._line = next(self._lines)
        self.seats: dict[str, int] = {}
        self.stacks: dict[str, int] = {}
        self.in_front: dict[str, int] = {}
        self.won: dict[str, int] = {}
        self.pot = 0

    def read(self) -> dict[int, int]:
        blinds = self._due(HEADER)
        table = self._due(TABLE)
        while seat := self._may(SEAT):
            self.seats[seat[2]], self.stacks[seat[2]] = int(seat[1]), int(seat[3])
        assert len(self.seats) >= 2
        assert max(self.seats.values()) <= int(table[1])
        assert 1 <= int(table[2]) <= int(table[1])
        while ante := self._may(ANTE):
            self._pay(ante[1], int(ante[2]), bool(ante[3]))
        self.in_front = {}
        while blind := self._may(BLIND):
            assert int(blind[3]) <= int(blinds[1 if blind[2] == "small" else 2])
            self._pay(blind[1], int(blind[3]), bool(blind[4]))
        self._due(re.compile(r"\*\*\* HOLE CARDS \*\*\*"))
        self._streets(int(blinds[2]))
        self._showdown()
        self._summary()
        return {self.seats[name]: stack for name, stack in self.stacks.items()}

    def _streets(self, high: int) -> None:
        board = 0
        while True:
            if act := self._may(ACT):
                high = self._act(act, high)
            elif uncalled := self._may(UNCALLED):
                self._pay(uncalled[2], -int(uncalled[1]), False, back=True)
            elif street := self._may(STREET):
                sizes = [len(cards.split()) for cards in re.findall(r"\[(.+?)\]", street[2])]
                assert sizes == BOARD_SIZES[street[1]]
                board, high, self.in_front = sum(sizes), 0, {}
            else:
                break
        self.board = board

    def _act(self, act: re.Match[str], high: int) -> int:
        name, all_in = act[1], bool(act[7])
        if act[3]:
            self._pay(name, int(act[3]), all_in)
        elif act[4]:
            assert high == 0
            self._pay(name, int(act[4]), all_in)
        elif act[6]:
            assert int(act[6]) == high + int(act[5])
            self._pay(name, int(act[6]) - self.in_front.get(name, 0), all_in)
        return max(high, self.in_front.get(name, 0))

    def _showdown(self) -> None:
        self._may(re.compile(r"\*\*\* SHOW DOWN \*\*\*"))
        while True:
            if collected := self._may(COLLECTED):
                self.won[collected[1]] = self.won.get(collected[1], 0) + int(collected[2])
                self.stacks[collected[1]] += int(collected[2])
            elif not self._may(SHOWS):
                break

    def _summary(self) -> None:
        self._due(re.compile(r"\*\*\* SUMMARY \*\*\*"))
        total = self._due(TOTAL)
        assert int(total[1]) == self.pot == sum(self.won.values())
        if total[2]:
            assert sum(int(part) for part in re.findall(r" (\d+)\.", total[2])) == self.pot
        if self.board:
            assert len(self._due(BOARD)[1].split()) == self.board
        for name, seat in self.seats.items():
            fate = self._due(FATE)
            assert (int(fate[1]), fate[2]) == (seat, name)
            assert int(fate[4] or fate[5] or 0) == self.won.get(name, 0)
        assert self._line == ""

    def _pay(self, name: str, amount: int, all_in: bool, *, back: bool = False) -> None:
        self.stacks[name] -= amount
        self.in_front[name] = self.in_front.get(name, 0) + amount
        self.pot += amount
        assert self.stacks[name] >= 0
        assert back or (self.stacks[name] == 0) is all_in

    def _may(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.fullmatch(self._line)
        if found:
            self._line = next(self._lines, "")
        return found

    def _due(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = self._may(pattern)
        assert found, f"{self._line!r}; expected {pattern.pattern}"
        return found
