"""The simulated tournament director: looks at what the station shows, and presses what a director would press.

Registration, draw and start come first. Then everything that the station proposes is decided as it comes: busts
and rebuys, moves, a table that breaks, the button after a redraw, hand for hand at the bubble, a colour-up in the
break. At the end the prizes are paid. All of it goes through the station's door.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from feltwire.lab.demo.night.balance import unequal_now
from feltwire.lab.demo.night.dealer import Sign
from feltwire.lab.demo.night.door import Answer, Door
from table_core.messages import Chips, Level
from table_core.rulebook import load_rulebook

GLANCE_S = 0.1
SHOWN_S = 1.0
SETTLES_S = 120.0  # what was pressed is so at the tables after this long, on a busy machine too
SMALLEST, NEXT = Chips(25), Chips(100)  # what is coloured up in the break, and to what


class NightFailed(Exception):
    """The night does not go on: what the director waits for, and what the station says."""


@dataclass(frozen=True, kw_only=True)
class Evening:
    """What kind of night: `players` are (id, name); `late` of them come after the start; `house` are the event's
    settings. `incidents`: penalties, an absence, a second look at a bust happen too."""

    name: str
    rulebook: str
    players: Sequence[tuple[str, str]]
    late: int
    seats: int
    house: Mapping[str, Any]
    levels: Sequence[Level]
    seed: int
    incidents: bool = True


@dataclass
class Done:
    """What happened in the night, counted."""

    rebuys: int = 0
    moves: int = 0
    breaks: int = 0
    rounds: int = 0  # of hand for hand
    coloured: int = 0
    penalties: int = 0
    undone: int = 0
    presses: int = 0
    seen: int = 0  # snapshots of the station that were checked
    wrong: list[str] = field(default_factory=list)


class Director:
    """`signs` are the dealers', by table; `tell` hears every record as it comes, with the snapshot it came in,
    `on_level` what the clock shows next.
    Every snapshot of the station is checked."""

    def __init__(
        self,
        evening: Evening,
        door: Door,
        signs: Mapping[str, Sign],
        *,
        tell: Callable[[dict[str, Any], dict[str, Any]], None],
        on_level: Callable[[Level], None],
        stopping: threading.Event,
    ) -> None:
        self._evening = evening
        self._door = door
        self._signs = signs
        self._tell = tell
        self._on_level = on_level
        self._level: Level | None = None
        self._stopping = stopping
        self._rng = random.Random(f"director/{evening.seed}")
        book = load_rulebook(evening.rulebook).with_house(evening.house, event=True).tournament
        self._unequal = book.balance_at_difference.value if book.balance_at_difference is not None else None
        self._told = 0
        self._by_hand = False
        self._in_break = False
        self._coloured: set[str] = set()
        self._dealing = False
        self._late = list(evening.players[len(evening.players) - evening.late :])
        self._warned = self._away = self._looked_twice = False
        self._sent_away = ""
        self.done = Done()
        self.night: dict[str, Any] = {}

    # ------------------------------------------------------------------------------------------ the night

    def run(self) -> None:
        """From the opening to the last prize. Raise `NightFailed` where the night does not go on."""
        self.open()
        while not self._look()["finished"]:
            if not self._decide():
                self._wait()
        self._hold()
        self._pay()

    def open(self) -> None:
        """From the opening of the event to the first hands."""
        evening = self._evening
        tables = [{"table": table, "seats": evening.seats} for table in self._signs]
        self._do(
            "open", name=evening.name, rulebook=evening.rulebook, house=dict(evening.house), tables=tables,
            seed=f"night {evening.seed}",
        )  # fmt: skip
        on_time = evening.players[: len(evening.players) - evening.late]
        for player, name in on_time:
            self._do("register_new", name=name, id=player, member=True, adult=True, regular=True)
            self._do("enter", player=player)
        self._do("draw_seats", tables=list(self._signs))
        self._set_buttons()
        self._until("everybody sits at the tables", self._all_there)
        self._do("start")
        self._deal_on()

    def _set_buttons(self) -> None:
        for table in self._look()["tables"]:
            if table["seats"]:
                self._do("set_button", table=table["table"])

    def _all_there(self) -> bool:
        tables = self._look()["tables"]
        return all(
            one["there"] for table in tables for one in table["seats"] if self._has_chips(one["player"])
        ) and all(table["facts"]["button"] == table["button"] for table in tables if table["open"])

    def _cleared(self) -> bool:
        """At the tables sit those who have a seat, and nobody else."""
        return all(
            set(map(int, (table["facts"] or {}).get("stacks", {}))) == {one["seat"] for one in table["seats"]}
            for table in self._look()["tables"]
        )

    def _has_chips(self, player: str) -> bool:
        return any(one["player"] == player and one["status"] == "playing" for one in self.night["field"])

    def _pay(self) -> None:
        for one in self._look()["money"]["undecided"]:
            self._do("decide_places", players=one["players"])
        for player in self._look()["money"]["owed"]:
            self._do("pay_prize", player=player)
        self._do("count_cash", amount=self._look()["money"]["cash_expected"])
        self._until("who is out has left the tables", self._cleared)

    # ------------------------------------------------------------------------------------------ decisions

    def _decide(self) -> bool:
        """The first thing that waits for the director; whether anything was pressed."""
        return any(
            decide()
            for decide in (
                self._clock_breaks,
                self._busts,
                self._table_breaks,
                self._moves,
                self._proposed,
                self._hand_for_hand,
                self._late_comer,
                self._incident,
            )
        )

    def _busts(self) -> bool:
        pending = self.night["busts"]
        if not pending or (self._by_hand and not self._no_hands()):
            return False
        first = pending[0]
        for out in first["out"]:
            if self._rng.random() < 0.5 and self._rebuys(out["player"]):
                return True
        round_ = [one["bust"] for one in (pending if self._by_hand else [first])]
        if self._may("confirm_bust", busts=round_).refused:  # an announced rebuy, or a report that came between
            return False
        if self._evening.incidents and not self._looked_twice and self.night["players_left"] > 4:
            self._looked_twice = True
            self._do("undo", record=self._record("bust_confirmed"), why="a second look at the hand")
            self.done.undone += 1  # it waits again, and is decided as it comes
        return True

    def _rebuys(self, player: str) -> bool:
        bought = not self._may("buy", player=player, kind="rebuy").refused
        self.done.rebuys += bought
        return bought

    def _table_breaks(self) -> bool:
        proposed = self.night["proposals"]["break"]
        if proposed is None or self.night["moves"]:
            return False
        if not proposed["redraw"]:
            answer = self._may("break_table", table=proposed["table"])
            self.done.breaks += not answer.refused
            return not answer.refused
        self._hold()
        self._until("no table is in a hand", self._no_hands)
        if self.night["busts"] or self.night["proposals"]["break"] is None:
            self._go_on()
            return True  # the last hands before the redraw changed it
        self._do("break_table", table=self.night["proposals"]["break"]["table"])
        self._set_buttons()
        self._until("everybody has drawn a seat", self._all_there)
        self.done.breaks += 1
        self._go_on()
        return True

    def _moves(self) -> bool:
        proposed = self.night["proposals"]["moves"]
        if not proposed or self.night["moves"]:
            return False
        first = proposed[0]
        if first["waits_for_all"]:
            self._hold()
            self._until("no table is in a hand", self._no_hands)
        answer = self._may("confirm_move", player=first["player"])
        self.done.moves += not answer.refused
        if first["waits_for_all"]:
            self._until("the player sits", lambda: not self._look()["moves"])
            self._go_on()
        return not answer.refused

    def _proposed(self) -> bool:
        """What else the station proposes: buttons, late players' chips, the end of time-outs, forfeits."""
        proposals = self.night["proposals"]
        for table in proposals["buttons"]:
            self._do("set_button", table=table)
            return True
        for late in proposals["late_penalties"]:
            return not self._may("dock_late_players", level=int(late["mark"].split("-")[1])).refused
        for one in self.night["time_outs"]:
            if not one["left_ms"] and not one["hands"]:
                return not self._may("end_time_out", penalty=one["penalty"]).refused
        return False

    def _hand_for_hand(self) -> bool:
        """At the bubble every table deals one hand, then all wait for what it decided. The tables themselves begin
        no other before the station lets them."""
        tables = sum(table["open"] for table in self.night["tables"])
        bubble = self.night["money"]["until_the_money"] == 1 and tables > 1
        if bubble and not self._by_hand and not self._in_break:  # it stops the clock, and no break would end
            self._hold()
            self._until("no table is in a hand", self._no_hands)
            if self.night["busts"]:
                self._go_on()
                return True
            self._do("set_hand_for_hand", on=True)
            self._by_hand = True
        elif self._by_hand and not bubble and not self.night["busts"]:
            self._may("set_hand_for_hand", on=False)
            self._by_hand = False
            self._go_on()
        elif self._by_hand and not self.night["busts"] and not self.night["moves"]:
            self._round()
        else:
            return False
        return True

    def _round(self) -> None:
        for table in self.night["tables"]:
            stacks = (table["facts"] or {}).get("stacks", {})
            if table["open"] and sum(stack > 0 for stack in stacks.values()) > 1:
                self._signs[table["table"]].one_hand()
        self._until("the hands of this round are over", self._no_hands)
        self.done.rounds += 1

    def _late_comer(self) -> bool:
        if not self._late or self.done.seen < 20 or self.night["busts"]:
            return False
        player, name = self._late.pop()
        if self._may("register_new", name=name, id=player, member=True, adult=True, regular=True).refused:
            return True
        if self._may("enter", player=player).refused:
            self._may("cancel", player=player)
            return True
        if self._may("seat_player", player=player).refused:
            self._do("undo", record=self._record("entered"), why="no free seat")
            self._may("cancel", player=player)
        return True

    def _incident(self) -> bool:
        """What else happens in a night, once each."""
        if not self._evening.incidents or self._by_hand or self._in_break:
            return False
        playing = [one for one in self.night["field"] if one["status"] == "playing" and one["stack"]]
        if len(playing) < 5:
            return False
        who = self._rng.choice([one for one in playing if one["player"] != self._sent_away])["player"]
        hands = sum((table["facts"] or {}).get("hand", 0) for table in self.night["tables"])
        if not self._warned and hands > 3:
            self._warned = True
            self._may("give_penalty", player=who, reason="spoke about a hand in play", kind="warning")
            self._may("give_penalty", player=who, reason="did it again", kind="dealt_out", hands=1)
            self._sent_away = who  # the table has this one away until a hand is dealt
            self.done.penalties += 2
            return True
        if not self._away and hands > 6:
            self._away = True
            self._hold()
            self._until("no table is in a hand", self._no_hands)
            if not self._may("leave", player=who, notified=True).refused:
                self._until("the player's table has the player away", lambda: self._away_at_table(who))
                self._do("return", player=who)
                self._until("the player's table has the player back", lambda: not self._away_at_table(who))
            self._go_on()
            return True
        return False

    def _away_at_table(self, player: str) -> bool:
        """Before the table has it, no hand begins: the dealer would wait for the player."""
        at = next(one["table"] for one in self.night["field"] if one["player"] == player)
        return any(seat["away"] for seat in self._door.table(at)["seats"] if seat["player"] == player)

    # ------------------------------------------------------------------------------------------ breaks, chips

    def _clock_breaks(self) -> bool:
        """The clock shows a break: the tables stop, odd chips leave play, and it goes on with the next level."""
        level = self._door.level()
        if level != self._level:
            self._level = level
            self._on_level(level)
        if level.is_break and not self._in_break:
            self._in_break = True
            self._hold()
            self._until("no table is in a hand", self._no_hands)
            return True
        if not self._in_break or self.night["busts"] or self.night["moves"] or not self._no_hands():
            return False
        if any(self._colour_up(table) for table in self.night["tables"]):
            self._until("the tables have the new chips", self._new_chips)
            return True
        if level.is_break:
            return False
        self._in_break = False
        self._go_on()
        return True

    def _colour_up(self, table: dict[str, Any]) -> bool:
        """Once a table; whether it was."""
        if not table["seats"] or table["table"] in self._coloured:
            return False
        stacks = {int(seat): chips % NEXT // SMALLEST for seat, chips in table["facts"]["stacks"].items()}
        odd = [{"seat": seat, "stack": chips} for seat, chips in stacks.items() if chips]
        self._do("colour_up", table=table["table"], old=SMALLEST, new=NEXT, odd=odd)
        self._coloured.add(table["table"])
        self._signs[table["table"]].smallest_chip = NEXT
        self.done.coloured += 1
        return True

    def _new_chips(self) -> bool:
        night = self._look()
        chips = {table["table"]: table["smallest_chip"] for table in night["tables"]}
        return not night["chips"]["on_order"] and all(chips[table] == NEXT for table in self._coloured)

    # ------------------------------------------------------------------------------------------ dealers

    def _deal_on(self) -> None:
        self._dealing = True
        for sign in self._signs.values():
            sign.deal_on()

    def _hold(self) -> None:
        self._dealing = False
        for sign in self._signs.values():
            sign.hold()

    def _go_on(self) -> None:
        """Unless something else holds the tables."""
        if not self._by_hand and not self._in_break:
            self._deal_on()

    def _idle(self) -> bool:
        return all(sign.idle for sign in self._signs.values())

    def _no_hands(self) -> bool:
        """No dealer deals, and the station has heard of the last hand of each."""
        if not self._idle():
            return False
        facts = {table["table"]: table["facts"] or {} for table in self._look()["tables"]}
        return not any(
            facts[table].get("in_hand") or facts[table].get("hand", 0) < sign.hand
            for table, sign in self._signs.items()
        )

    # ------------------------------------------------------------------------------------------ the door

    def _look(self) -> dict[str, Any]:
        """What the station shows now; what is new is told."""
        self.night = self._door.night()
        self.done.seen += 1
        if wrong := self._wrong(self.night):  # read again: the channels may be of two moments
            self.night = self._door.night()
            still = self._wrong(self.night)
            self.done.wrong += [what for what in wrong if what in still and what not in self.done.wrong]
        for record in reversed(self.night.get("log", [])):
            if record["no"] > self._told:
                self._told = record["no"]
                self._tell(record, self.night)
        return self.night

    def _wrong(self, night: Mapping[str, Any]) -> list[str]:
        """What a snapshot must not show."""
        unequal = unequal_now(night, self._unequal) if self._unequal is not None else ()
        return [*wrong_now(night), *unequal]

    def _record(self, kind: str) -> int:
        """The number of the newest record of this kind, once the page has it."""

        def newest() -> int | None:
            return next((one["no"] for one in self._look()["log"] if one["event"]["type"] == kind), None)

        self._until(f"{kind} is on record", lambda: newest() is not None)
        return newest() or 0

    def _do(self, command: str, **arguments: Any) -> None:
        answer = self._may(command, **arguments)
        if answer.refused:
            raise NightFailed(f"{command} {arguments}: {answer.text} ({answer.rule or 'no rule'})")

    def _may(self, command: str, **arguments: Any) -> Answer:
        """What the station answers; a refusal is the book's word."""
        answer = self._door.press(command, **arguments)
        self.done.presses += 1
        known, until = self._told, time.monotonic() + SHOWN_S
        while not answer.refused and self._told == known and time.monotonic() < until:
            self._look()  # a page is drawn a moment after the answer
        return answer

    def _until(self, what: str, holds: Callable[[], bool]) -> None:
        until = time.monotonic() + SETTLES_S
        while not holds():
            if time.monotonic() > until:
                said = {name: self.night.get(name) for name in ("busts", "moves", "proposals", "tables")}
                waits = " ".join(self._door.queue())
                raise NightFailed(
                    f"in {SETTLES_S:.0f} s it did not come: {what}; the queue says: {waits or 'nothing'}; "
                    f"the station shows {said}"
                )
            self._wait()
            self._look()

    def _wait(self) -> None:
        if self._stopping.wait(GLANCE_S):
            raise NightFailed("the room closes")


def wrong_now(night: Mapping[str, Any]) -> Iterator[str]:
    """What a snapshot of the station must never show: chips that nobody has, a player in two seats or in none."""
    if not night.get("started"):
        return
    if night["chips"]["missing"]:
        yield f"{night['chips']['missing']} chips are missing after record {night['log'][0]['no']}"
    seats = Counter(one["player"] for table in night["tables"] for one in table["seats"])
    seats += Counter(move["player"] for move in night["moves"] if move["stage"] == "in_transit")
    for one in night["field"]:
        seated, in_play = seats.pop(one["player"], 0), one["status"] in ("playing", "busted")
        if seated > in_play:
            yield f"{one['player']} is {one['status']} and has {seated} seats"
        if one["status"] == "out" and one["place"] is None and one["why_out"] == "busted":
            yield f"{one['player']} is out without a place"
    if seats:
        yield f"nobody knows who these are: {sorted(seats)}"
