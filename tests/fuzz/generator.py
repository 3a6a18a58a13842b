"""Generates the steps of a session: mostly the next right thing at the table as it is, now and then anything.

There is no plan of a hand and nothing that truly happens: a hand goes on after any ruling, restart or resumption,
and a step is a value, so that a session can be repeated and made shorter (decision 31).
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator

from feltwire.config import TableConfig
from table_core.cards import DECK, card_text
from table_core.messages import (
    Action,
    CardText,
    Chips,
    DeviceState,
    Key,
    MakeRuling,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    Seat,
    SeatStack,
    SetHand,
    SetLevel,
    SetSchedule,
    SetSeats,
    Street,
    TakeBackRuling,
)
from table_core.projections.next_hand import able_to_play
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.register import REASONS
from tests.fuzz.steps import Card, Command, Device, Press, See, Step, Touch, Wait
from tests.fuzz.table import FuzzedTable

NUMBERS = sorted(
    [incident.no for incident in INCIDENTS.values()]
)  # not as they were imported: a seed is one session
FUNCTION_KEYS = [key for key in Key if key > Key.SEAT and key.seat is None]
BOARDS = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5, Street.SHOWDOWN: 5}


class StepGenerator:
    """`wildness`: how often something other than the next right thing is done; `keys`: how often a key is pressed
    that should be."""

    def __init__(self, config: TableConfig, devices: tuple[str, ...], chance: random.Random) -> None:
        self.config = config
        self.devices = devices
        self.chance = chance
        self.wildness = chance.choice([0.02, 0.05, 0.1, 0.25, 0.5])
        self.keys = chance.choice([1.0, 1.0, 0.97, 0.9, 0.5, 0.1])
        self._plan: deque[Step] = deque()
        self._deck: list[CardText] = []
        self._lies: dict[str, list[CardText]] = {}
        self._dealt = 0
        self._hand = 0
        self._commands = 0

    def next(self, table: FuzzedTable) -> Step:
        chance = self.chance
        if chance.random() < self.wildness:
            return self._anything(table)
        while not self._plan:
            self._plan.extend(self._right(table))
        step = self._plan.popleft()
        if chance.random() < self.wildness / 4:  # never done, or twice
            self._plan.appendleft(step) if chance.random() < 0.5 else None
            return Wait(chance.choice([20, 400, 1_600]))
        if isinstance(step, Press) and chance.random() > self.keys:
            return Wait(500)
        return step

    # ------------------------------------------------------------------------------ as it should be

    def _right(self, table: FuzzedTable) -> Iterator[Step]:
        projection, chance = table.node.table, self.chance
        hand = projection.hand
        if projection.question is not None and chance.random() < 0.7:
            yield self._answer(table)
        elif hand is None or hand.ended:
            yield from self._between(table)
        elif self._hand != projection.hand_number:
            yield from self._deal(table)
        elif (legal := hand.legal()) is not None:
            yield from self._act(table, legal.seat)
        elif hand.awaiting_board or (len(hand.board) < 5 and len(hand.live_seats) > 1):
            yield from self._street(len(hand.board))
        else:
            yield from self._show(table)

    def _answer(self, table: FuzzedTable) -> Step:
        chance, question = self.chance, table.node.table.question
        assert question is not None
        key = question.key
        if question.kind == "ruling":
            keys = (str(chance.choice([0, 1, 1, 2, 3])), key) if chance.random() < 0.6 else (key,)
            return Press(keys)
        return Press((key,)) if chance.random() < 0.8 else Touch(key, question=question.question)

    def _between(self, table: FuzzedTable) -> Iterator[Step]:
        projection = table.node.table
        for zone in sorted(self._lies):
            if "camera" in self.devices:
                yield See(zone)
        self._lies = {}
        self._deck = [card_text(card) for card in self.chance.sample(DECK, len(DECK))]
        self._dealt, self._hand = 0, 0
        if len(able_to_play(projection)) < 2:
            yield self._seats()
        yield Wait(self.chance.choice([100, 2_000, 20_000]))
        yield Press((Key.NEW_HAND,))

    def _deal(self, table: FuzzedTable) -> Iterator[Step]:
        projection = table.node.table
        self._hand = projection.hand_number
        places = [to for to in projection.destinations() if to.startswith("seat-")]
        for to in places[self._dealt :]:
            yield self._card(to)
        if "camera" in self.devices:
            for zone in dict.fromkeys(places):
                yield See(f"{zone}-cards", backs=2)
        yield Wait(300)

    def _card(self, to: str) -> Step:
        """The next card of the deck goes where it should."""
        if not self._deck:
            self._deck = [card_text(card) for card in self.chance.sample(DECK, len(DECK))]
        card = self._deck.pop()
        self._dealt += 1
        self._lies.setdefault("burn" if to == "burn" else "board" if to == "board" else f"{to}-cards", []).append(
            card
        )
        if "shoe" not in self.devices:
            return Wait(100)
        return Card("" if self.chance.random() < 0.01 else card)

    def _act(self, table: FuzzedTable, seat: Seat) -> Iterator[Step]:
        chance, hand = self.chance, table.node.table.hand
        legal = hand.legal() if hand is not None else None
        assert legal is not None
        action = chance.choice([Action.CALL, Action.CALL, Action.CALL, Action.FOLD, Action.RAISE])
        camera = "camera" in self.devices
        if action is Action.FOLD:
            zone = f"seat-{seat}-cards"
            gone = [See(zone)] if camera and chance.random() < 0.8 else []
            press: Step = Press((Key.FOLD,)) if chance.random() < 0.8 else Press((str(seat), Key.FOLD))
            yield from [*gone, press] if chance.random() < 0.5 else [press, *gone]
            self._lies.pop(zone, None)
        elif action is Action.RAISE and legal.max_to:
            if chance.random() < 0.2:
                yield Press((Key.ALL_IN,))
            else:
                to = chance.choice([legal.min_to or legal.max_to, legal.max_to])
                if camera and chance.random() < 0.5:
                    yield See(f"seat-{seat}-bet", chips=to, pieces=chance.randint(1, 4), motions=1)
                yield Press((str(to), Key.BET_RAISE))
        else:
            yield Press((Key.CHECK_CALL,)) if chance.random() < 0.8 else Touch(Key.CHECK_CALL, seat)
        yield Wait(chance.choice([100, 700, 3_000]))

    def _street(self, out: int) -> Iterator[Step]:
        board = self._lies.setdefault("board", [])
        target = 3 if out == 0 else min(5, out + 1)
        if len(board) >= target:
            if "camera" in self.devices:
                yield See("board", tuple(board[:5]))
            yield Wait(3_000)
            yield Press((Key.STREET,))
            return
        yield self._card("burn")
        if "camera" in self.devices:
            yield See("burn", backs=len(self._lies["burn"]), motions=len(self._lies["burn"]))
        for _ in range(target - len(board)):
            yield self._card("board")
        if "camera" in self.devices:
            unread = self.chance.choice([0, 0, 0, 0, 1])
            yield See("board", tuple(board[: len(board) - unread]), unread)
        yield Wait(self.chance.choice([200, 1_000, 3_000]))
        if self.chance.random() < 0.5:
            yield Press((Key.STREET,))

    def _show(self, table: FuzzedTable) -> Iterator[Step]:
        chance, hand = self.chance, table.node.table.hand
        assert hand is not None
        for seat in [seat for seat in hand.live_seats if seat not in (*hand.tabled, *hand.mucked)]:
            if chance.random() < 0.2 and len(hand.live_seats) > 1:
                yield Press((str(seat), Key.MUCK))
                continue
            yield Press((str(seat), Key.TABLED))
            if "camera" in self.devices:
                cards = tuple(self._lies.get(f"seat-{seat}-cards", [])[:2])
                unread = chance.choice([0, 0, 0, 1])
                yield See(f"seat-{seat}-cards", cards[: 2 - unread], unread)
        yield Wait(2_000)
        live = [seat for seat in hand.live_seats if seat not in hand.mucked]
        if live and chance.random() < 0.5:
            yield Press((str(chance.choice(live)), Key.AWARD))
        elif live and chance.random() < 0.3:
            yield Press((str(live[0]), Key.SPLIT, str(live[-1]), Key.SPLIT, Key.POT_PUSHED))
        else:
            yield Press((Key.POT_PUSHED,))

    # ------------------------------------------------------------------------------------- anything

    def _anything(self, table: FuzzedTable) -> Step:
        chance = self.chance
        pick = chance.random()
        if pick < 0.45:
            return self._any_key(table)
        if pick < 0.53:
            return self._any_touch(table)
        if pick < 0.63 and "shoe" in self.devices:
            return self._any_card()
        if pick < 0.80 and "camera" in self.devices:
            return self._any_sight()
        if pick < 0.86:
            return Device(chance.choice(self.devices), chance.choice(list(DeviceState)))
        if pick < 0.89:
            return Wait(chance.choice([10, 60, 600, 1_600, 2_600, 6_000, 31_000, 75_000]))
        return self._any_command(table)

    def _any_key(self, table: FuzzedTable) -> Step:
        chance = self.chance
        pick = chance.random()
        if pick < 0.2:
            return Press((Key.UNDO,) * chance.choice([1, 1, 2, 3, 12]))
        if pick < 0.4:
            return self._any_incident()
        if pick < 0.45:
            return Press((str(self._any_seat()), Key.SEAT, str(self._any_amount(table)), Key.COUNT))
        if pick < 0.5:
            return Press((str(chance.choice([0, 1, 2, 3, 9])), Key.STREET))
        keys: list[Key | str] = []
        if chance.random() < 0.3:
            keys += [str(self._any_seat()), Key.SEAT]
        if chance.random() < 0.4:
            keys.append(str(self._any_seat() if chance.random() < 0.6 else self._any_amount(table)))
        return Press((*keys, chance.choice(FUNCTION_KEYS)))

    def _any_incident(self) -> Press:
        """`4 SEAT 51 FLOOR`, mostly ruled on at once."""
        chance = self.chance
        seat = (str(self._any_seat()), Key.SEAT) if chance.random() < 0.7 else ()
        option = (str(chance.choice([1, 1, 2, 3])), Key.STREET) if chance.random() < 0.6 else ()
        return Press((*seat, str(chance.choice(NUMBERS)), Key.FLOOR, *option))

    def _any_touch(self, table: FuzzedTable) -> Step:
        chance, question = self.chance, table.node.table.question
        asked = question.question if question is not None and chance.random() < 0.7 else None
        seat = self._any_seat() if chance.random() < 0.5 else None
        amount = self._any_amount(table) if chance.random() < 0.4 else None
        if chance.random() < 0.3:
            return Touch(Key.FLOOR, seat, chance.choice(NUMBERS))
        reason = chance.choice(["", "", *REASONS])
        return Touch(chance.choice(FUNCTION_KEYS), seat, amount, asked, reason)

    def _any_card(self) -> Step:
        chance = self.chance
        if not self._deck or chance.random() < 0.3:
            passed = [card for cards in self._lies.values() for card in cards]
            note = chance.choice(["", "unread", "unknown_tag", "other_deck", "joker", "repeat"])
            if note in ("", "repeat") and passed:
                return Card(chance.choice(passed))
            return Card("", note, chance.choice(["", "red", "blue"]))
        return Card(self._deck.pop(), deck=chance.choice(["", "", "red", "blue"]))

    def _any_sight(self) -> Step:
        chance = self.chance
        seat = self._any_seat()
        zone = chance.choice([f"seat-{seat}-cards"] * 4 + ["board", "board", "burn", "muck", "pot", "disc", "bet"])
        if zone == "disc":
            return See(f"button-{seat}", button=chance.random() < 0.8)
        if zone in ("pot", "bet"):
            chips = chance.choice([None, 0, chance.randint(1, 3_000)])
            odd = chance.choice(["", "", "", "bounty", "unknown"])
            name = "pot" if zone == "pot" else f"seat-{seat}-bet"
            return See(name, chips=chips, pieces=chance.randint(0, 5), motions=chance.randint(0, 3), odd=odd)
        lying = self._lies.get(zone, [])
        if chance.random() < 0.3:  # anything, also of another place
            lying = [card_text(card) for card in chance.sample(DECK, chance.choice([0, 1, 2, 3, 5]))]
        shown = lying[: chance.choice([0, 0, 1, 2, 5])]
        unread, backs = chance.choice([0, 0, 0, 1, 2]), chance.choice([0, 0, 0, 1, 2, 3])
        return See(zone, tuple(shown), unread, backs, odd=chance.choice(["", "", "", "", "joker"]))

    def _any_command(self, table: FuzzedTable) -> Step:
        chance = self.chance
        self._commands += 1
        name = f"c-{self._commands}"
        pick = chance.random()
        if pick < 0.4:
            return self._any_ruling(table, name)
        if pick < 0.55:
            return Command(TakeBackRuling(name, "Ruth"))
        if pick < 0.65:
            return self._seats()
        if pick < 0.8:
            return Command(SetHand(name, self._any_hand(table)))
        if pick < 0.9:
            level = chance.choice(self.config.levels)
            return Command(
                SetLevel(name, level, max(0, table.node.table.schedule_revision + chance.choice([0, 0, 1, -1])))
            )
        revision = table.node.table.schedule_revision + chance.choice([0, 1])
        return Command(SetSchedule(name, revision, self.config.levels))

    def _any_ruling(self, table: FuzzedTable, name: str) -> Step:
        """About the open incident with one of its ways, or about any."""
        chance = self.chance
        ruling = table.open_ruling
        if ruling is not None and ruling.options and chance.random() < 0.8:
            option = chance.choice([*[option.option for option in ruling.options], "dismiss"])
            return Command(MakeRuling(name, ruling.incident, option, ruling.seat, ruler="Ruth"))
        amount = Chips(self._any_amount(table)) if chance.random() < 0.4 else None
        seat = Seat(self._any_seat()) if chance.random() < 0.7 else None
        return Command(
            MakeRuling(name, chance.choice(list(INCIDENTS)), chance.choice(["", "", "stands"]), seat, amount)
        )

    def _seats(self) -> Step:
        """*Resume from here* between hands; anybody may have been moved away."""
        chance = self.chance
        self._commands += 1
        stayed = [seated.seat for seated in self.config.seats if chance.random() < 0.9]
        stayed = stayed if len(stayed) > 1 else [seated.seat for seated in self.config.seats]
        seats = tuple(SeatStack(seat, Chips(chance.choice([500, 2_000, 10_000]))) for seat in stayed)
        button = chance.choice([None, *stayed])
        return Command(SetSeats(f"s-{self._commands}", seats, button, level=self.config.levels[0]))

    def _any_hand(self, table: FuzzedTable) -> ResumeHand:
        """*Resume from here* within a hand: mostly as a director would say it, seldom quite right."""
        chance, projection = self.chance, table.node.table
        seats = sorted(projection.seats)
        street = chance.choice(list(BOARDS))
        board = tuple(card_text(card) for card in chance.sample(DECK, BOARDS[street]))
        resumed = tuple(
            ResumedSeat(seat, Chips(chance.choice([0, 500, 3_000])), Chips(0), chance.random() < 0.8)
            for seat in seats
        )
        live = tuple(one.seat for one in resumed if one.live)
        return ResumeHand(
            hand=projection.hand_number + chance.choice([0, 1]),
            button=chance.choice(seats),
            small_blind=chance.choice([None, *seats]),
            big_blind=chance.choice(seats),
            level=self.config.levels[0],
            street=street,
            board=board,
            seats=resumed,
            pots=(ResumedPot(Chips(600), live),) if street is not Street.PREFLOP else (),
            to_act=chance.choice([None, *live]),
        )

    def _any_seat(self) -> int:
        numbers = [seated.seat for seated in self.config.seats]
        return self.chance.choice([*numbers, *numbers, *numbers, 0, 12])

    def _any_amount(self, table: FuzzedTable) -> int:
        amounts: list[int] = [0, 1, 50, 75, 100, 200, 300, 99_999, self.chance.randint(0, 5_000)]
        amounts += [seat.stack for seat in table.view.seats]
        return self.chance.choice(amounts)
