"""A director without tables that report, who presses what the pages send, and does what the queue asks.

Busts of one hand are reported in any order, some of them late; the wrong player now and then, which is undone.
After each press the station is judged: what waits for a person must be asked for by what really happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from table_core.messages import ItemKind, QueueItem
from tests.feltwire.station_by_hand import StationByHand
from tests.nights_by_hand.evening import Bust, Evening

BOOKS = ("base", "home", "ccp", "cpp", "wfp", "rpl")
MOST_HANDS = 3_000
HAND_MS = 90_000
SOON_MS = 20 * 60_000  # before the start, where the book takes no money earlier
KNOWN = ("prizes-small", "prizes-unclaimed", "bounty-")  # what the book itself leaves to a person


@dataclass
class Findings:
    """What was wrong in a night, each with what led to it."""

    said: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        self.said.append(text)


class NightByHand:
    """One night from the opening to the close, drawn from `seed`."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed)
        self.book = random.choice(BOOKS)
        self.players = random.randint(4, 16 if self.book == "home" else 24)
        self.findings = Findings()
        self.presses = 0
        self.away: set[str] = set()
        self.late: list[list[Bust]] = []  # busts that nobody has reported yet
        self.reported: dict[int, list[Bust]] = {}  # hand -> who of it is on record
        self.level_stacks = False
        self.station = StationByHand(self.book)
        self.evening = Evening(5_000)
        self.rebuys = self.book in ("base", "rpl") and random.random() < 0.6

    # ------------------------------------------------------------------------------------- the night

    def play(self) -> list[str]:
        """What was found; empty where all was right."""
        self._open()
        for _ in range(MOST_HANDS):
            if self._state().finished is not None:
                break
            before = self.presses
            self._something()
            if self.presses > before:
                self._judge()
        else:
            self.findings.add(f"no end in {MOST_HANDS} hands")
        self._close()
        return self.findings.said

    def _open(self) -> None:
        house: dict[str, Any] = {"starting_stack": 5_000, "payouts": [60, 40]}
        if self.book != "wfp":
            house["buy_in"] = 20
        if self.rebuys:
            house |= {"rebuys_unlimited": True, "rebuy_before_level": 4}
        if self.book in ("base", "cpp"):
            house["seats_per_table"] = self.random.choice((6, 8, 9))
        opened = {"starts": self.station.wall(self.station.now) + SOON_MS} if self.book == "home" else {}
        self.do("open", name="Friday", house=house, **opened)
        for no in range(1, self.players + 1):
            self.do("register", player=f"p{no}", member=True, adult=True)
            self.do("enter", player=f"p{no}")
        self.do("draw_seats")
        for table in self._state().seats.open_tables():
            if table.button is None:
                self.do("set_button", table=table.plan.table)
        self.do("start")
        for player, entrant in self._state().field.entrants.items():
            self.evening.sits_down(player, entrant.chips - entrant.removed)
        self._judge()

    def _something(self) -> None:
        """A hand at one of the tables, and now and then what happens beside it."""
        tables = [list(table.players.values()) for table in self._state().seats.open_tables() if table.players]
        self.station.pass_at_once(HAND_MS // max(1, len(tables)))
        gone = self.evening.hand(self.random.choice(tables), self.random)
        if gone:
            self.late.append(gone)
        if self.late and (self.random.random() < 0.9 or len(self.late) > 2 or len(self.evening.stacks) < 3):
            self._report()
        if not self.late:
            self._beside()
            self._answer_queue()

    def _report(self) -> None:
        """The oldest hand of which nobody knows yet; of several of it perhaps one, and the others later."""
        hand = self.late.pop(0)
        order = self.random.sample(hand, len(hand))
        held_back = (
            order[1:] if len(order) > 1 and self.random.random() < 0.3 and len(self.evening.stacks) > 2 else []
        )
        for bust in order[: len(order) - len(held_back)]:
            self._out(bust)
        if held_back and self.late:
            self._report()
        for bust in held_back:
            self._out(bust)

    def _out(self, bust: Bust) -> None:
        if self._state().finished is not None:
            return
        if self.random.random() < 0.05:
            self._wrong_one(bust)
        with_it = self.reported.setdefault(bust.hand, [])
        wanted: dict[str, Any] = {"player": bust.player}
        if self.random.random() < 0.6:
            wanted["by"] = [bust.by]
        if self.random.random() < 0.3:
            wanted["stack"] = bust.stack
        if with_it:
            wanted["same_hand"] = with_it[0].player
            wanted["more_than"] = [one.player for one in with_it if one.stack < bust.stack]
            wanted["level_with"] = [one.player for one in with_it if one.stack == bust.stack]
            self.level_stacks |= bool(wanted["level_with"])
        self.do("put_out", **wanted)
        with_it.append(bust)
        self.away.discard(bust.player)
        if self.rebuys and self.random.random() < 0.3 and self._rebuys_open():
            with_it.remove(bust)
            self.do("buy", player=bust.player, kind="rebuy")
            self.evening.back(bust.player)
            self.evening.sits_down(bust.player, 5_000)

    def _wrong_one(self, bust: Bust) -> None:
        """Somebody else is put out, and the press is taken back: all is as before."""
        others = [player for player in self.evening.stacks if player != bust.player]
        if len(others) < 2 or len(self._state().seats.at) < 3:
            return
        before = self._picture()
        self.do("put_out", player=self.random.choice(others))
        record = self.station.event["tiles"]["outs"][0]["record"]
        said = self.do("preview", wanted="undo", arguments={"record": record})
        if "is playing, not out" not in said:
            self.findings.add(f"the question of an undo does not say what it changes: {said}")
        self.do("undo", record=record)
        if self._picture() != before:
            self.findings.add("an undo leaves something behind")

    def _beside(self) -> None:
        """Moves, swaps, who is away, a count, an undo and what is done again."""
        state, random = self._state(), self.random
        seated = [player for player in state.seats.at if player in self.evening.stacks]
        what = random.random()
        if what < 0.03 and len(seated) > 2:
            one, other = random.sample(seated, 2)
            self.do("swap_seats", one=one, other=other, why="the director's")
        elif what < 0.05 and self.away:
            player = random.choice(sorted(self.away))
            self.away.discard(player)
            self.do("return", player=player)
        elif what < 0.07 and len(seated) > 2:
            player = random.choice(seated)
            if player not in self.away:
                self.away.add(player)
                self.do("leave", player=player, notified=True, minutes=200)
        elif what < 0.1 and seated:
            player = random.choice(seated)
            self.do("count_stack", player=player, stack=self.evening.stacks[player])
        elif what < 0.13 and seated and len(self.evening.stacks) > 2:
            self._wrong_one(Bust(seated[0], 0, 0, ""))

    def _answer_queue(self) -> None:
        """Tables are broken and balanced as the queue asks; undecided places are as shown."""
        for _ in range(20):
            items = [item for item in self.station.items if self._press_of(item)]
            if not items:
                return
            command, arguments = self._press_of(items[0])
            self.do(command, **arguments)
            self._judge()
        self.findings.add(f"the queue asks again and again: {[item.fact for item in self.station.items]}")

    def _press_of(self, item: QueueItem) -> tuple[str, dict[str, Any]] | tuple[()]:
        if item.kind is ItemKind.IMBALANCE:
            move = self.station.event["proposals"]["moves"][0]
            there = self._state().seats.tables[move["start"]["table"]].players
            player = self.random.choice([one for one in there.values() if one in self.evening.stacks])
            return "confirm_move", {"player": player, "to": move["to"], "why": move["why"]}
        if item.kind in (ItemKind.BREAK_TABLE, ItemKind.PLACES, ItemKind.DECK) and item.primary is not None:
            return item.primary.command, dict(item.primary.arguments)
        if item.id.startswith("button-"):
            return "set_button", {"table": item.table}
        return ()

    def _close(self) -> None:
        state, evening = self._state(), self.evening
        if state.finished is None:
            return
        shown = {one.player: one.place for one in state.field.entrants.values()}
        wanted = (
            evening.places() | {next(iter(evening.stacks)): 1} if len(evening.stacks) == 1 else evening.places()
        )
        wrong = {player: (shown[player], place) for player, place in wanted.items() if shown[player] != place}
        if wrong and not self._decided():
            self.findings.add(f"places (shown, right): {wrong}")
        self._answer_queue()
        owed = self.station.event["money"]["owed"]
        for player in owed:
            self.do("pay_prize", player=player)
        if sum(owed.values()) + self._left_over() != self.station.event["money"]["purse"]:
            self.findings.add(f"{owed} is not the purse of {self.station.event['money']['purse']}")
        self.do("close_event")

    def _left_over(self) -> int:
        return int(self.station.event["money"]["unclaimed"])

    def _decided(self) -> bool:
        """Whether a person decided places: of level stacks each has one then."""
        return self.level_stacks or self.book in ("home", "cpp")

    # ------------------------------------------------------------------------------------- judging

    def _judge(self) -> None:
        """Nothing waits that nobody asked for, no chip is missing, and everybody sits once."""
        shown, state = self.station.event, self._state()
        if shown["chips"]["missing"]:
            self.findings.add(f"{shown['chips']['missing']} chips are missing")
        if shown["chips"]["issued"] - shown["chips"]["removed"] != self.evening.given:
            self.findings.add(f"{shown['chips']} given out, {self.evening.given} are there")
        if shown["chips"]["to_count"] or shown["chips"]["items"]:
            self.findings.add("a count is asked for")
        unknown = {one.player for hand in self.late for one in hand}
        playing = {one.player for one in state.field.entrants.values() if one.in_play}
        if not self.late and playing != self.evening.stacks.keys() | unknown:
            self.findings.add(f"plays by the records, and not: {playing ^ (self.evening.stacks.keys() | unknown)}")
        for item in self.station.items:
            if why := self._false(item):
                self.findings.add(f"false alarm ({why}): {item.kind.value}: {item.fact}")

    def _false(self, item: QueueItem) -> str:
        """Why nobody asked for it; empty where it is asked for."""
        counts = [len(table.players) for table in self._state().seats.open_tables()]
        match item.kind:
            case ItemKind.BREAK_TABLE:
                return "" if len(counts) > 1 else "one table is left"
            case ItemKind.IMBALANCE:
                return "" if max(counts) - min(counts) >= 2 else f"the tables have {counts}"
            case ItemKind.PLACES:
                return "" if self._decided() else "no stacks were level"
            case ItemKind.ABSENCE:
                return "" if item.player in self.away else "is not away"
            case ItemKind.DECK:
                return ""
            case _ if item.id.startswith(KNOWN) or item.id.startswith("button-"):
                return ""
            case _:
                return "nothing of it happened"

    # ------------------------------------------------------------------------------------- presses

    def do(self, command: str, **arguments: Any) -> str:
        """A press as the page sends it; one that is refused is found."""
        self.presses += 1
        reply = self.station.press(command, f"press-{self.presses}", **arguments)
        if reply.refused:
            self.findings.add(f"refused: {command} {arguments}: {reply.text} {reply.rule}")
        self.station.pass_at_once(150)
        return reply.text

    def _state(self) -> Any:
        return self.station.node.tournament.night.state

    def _rebuys_open(self) -> bool:
        return bool(self.station.event["tiles"]["rebuys"])

    def _picture(self) -> Any:
        """What pages show of the field and the seats."""
        shown = self.station.event
        return shown["field"], shown["tiles"], shown["money"]["owed"]


def nights(seed: int, count: int, shard: tuple[int, int]) -> Iterator[int]:
    """The seeds of a shard `(i, n)`, i from 1."""
    yield from range(seed + shard[0] - 1, seed + count, shard[1])


def findings_of(seed: int) -> Sequence[str]:
    return NightByHand(seed).play()
