"""What is news: of a hand that has ended, of the clock, and of the tournament's field.

Everything here follows from what the tables signed and what the station says in public. A line has a name that
follows from its source, so that the same source never makes two, and a source that says something else changes
its line.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from msgspec.structs import replace

from feltwire.relay.coverage.field import Field, Finish, largest
from feltwire.relay.coverage.hand_facts import HandFacts, Player
from feltwire.relay.coverage.news import (
    Break,
    Cards,
    DealAgreed,
    FinalTable,
    HandNews,
    HeadsUp,
    LevelBegins,
    News,
    OnTheBubble,
    Out,
    PlaceTaken,
    Prizes,
    Stack,
    TableBreaks,
    Winner,
)
from table_core.cards import parse_card
from table_core.messages import CardText, Chips, ClockState, Seat
from table_core.ranking import Category, category, rank_hand

BIG_POT_BLINDS = 40  # a pot of so many big blinds is worth a line where it is large for the field, too
SMALLEST_POT_BLINDS = 12  # no smaller pot is, but where somebody is out or doubles
BIG_HAND_BLINDS = 15
MANY_TABLES = 2  # with more of them, fewer pots are
NAMED_IN_BREAKS = 5
JUST_BEGUN_MS = 120_000  # a level that began longer ago is not told as one that begins
HOLE_CARDS = 2
MOST_HANDS = 400  # of a table are kept until their cards are released


class Change(NamedTuple):
    """A line is as its source says now; None: its source does not say it any more."""

    line: str
    news: News | None


@dataclass(slots=True)
class Reporter:
    """`told` gives what a line says now, and whether it is out already; None for a line that is none."""

    tournament: Field = field(default_factory=Field)
    clock: ClockState | None = None
    stacks: dict[str, Stack] = field(default_factory=dict)  # by player, as they were known last
    leader: str = ""
    known: bool = False  # a field came before: what is new in the next one is news
    _hands: dict[str, dict[str, HandFacts]] = field(default_factory=dict)  # by table, then by line
    _bust: dict[str, str] = field(default_factory=dict)  # the line of the hand that took a player's last chips
    _placed: dict[str, str] = field(default_factory=dict)  # the line that tells a player's place
    _played_at: dict[str, str] = field(default_factory=dict)  # the table of a player's last hand
    _entry: int | None = None  # of the schedule, on the clock
    _was_open: set[str] = field(default_factory=set)  # tables that had players
    _out_lines: set[str] = field(default_factory=set)  # lines that are out
    _told: set[str] = field(default_factory=set)  # lines that are there
    _led: dict[str, Stack] = field(default_factory=dict)  # the hands that changed who leads
    _silent: set[str] = field(default_factory=set)  # who was out before places were final
    _most_tables: int = 0
    _last: Field = field(default_factory=Field)  # that named a tournament
    _names: dict[str, str] = field(default_factory=dict)
    event: str = ""  # names the tournament apart from every other one

    # ---------------------------------------------------------------------------------- the lines

    def resume(self, line: str, news: News, *, is_out: bool) -> None:
        """A line of an earlier run."""
        self._told.add(line)
        if is_out:
            self.went_out(line)
        match news:
            case HandNews():
                self._keep(line, news.hand)
                for out in news.outs:
                    self._bust[out.player] = line
                    if out.place is not None:
                        self._placed[out.player] = line
            case PlaceTaken():
                self._placed[news.out.player] = line

    def went_out(self, line: str) -> None:
        self._out_lines.add(line)

    # ------------------------------------------------------------------------------------- hands

    def know(self, tournament: Field) -> None:
        """The field as it is now."""
        self.tournament, self.known = tournament, True
        self._last = tournament if tournament.event else self._last
        self._names |= {player: one.name for player, one in tournament.left.items()}
        self._names |= {player: one.name for player, one in tournament.out.items()}

    def seats(self, table: str, seats: Iterable[tuple[str, Chips, Seat]]) -> None:
        """Between two hands these players sit at the table with these chips."""
        sit = {
            player: Stack(player, self._names.get(player, player), stack, table, seat)
            for player, stack, seat in seats
        }
        if not self.tournament.left:  # nobody says who moves and who is out: who left the table is out
            self.stacks = {who: one for who, one in self.stacks.items() if one.table != table}
        self.stacks |= sit

    def hand(self, line: str, hand: HandFacts) -> Iterator[Change]:
        """A hand has ended, or its end is another one than before."""
        hand = self._named(hand)
        before = self._hands.get(hand.table, {}).get(line)
        if before is not None:
            hand = _with_cards_of(before, hand)
        if before == hand:
            return
        self._keep(line, hand)
        for one in hand.players:
            self._played_at[one.player] = hand.table
            self.stacks[one.player] = Stack(one.player, one.name, one.end, hand.table, one.seat)
        news = self._news_of(line, hand)
        for out in () if news is None else news.outs:
            self._bust[out.player] = line
        yield Change(line, news)

    def no_hand(self, table: str, line: str, at: tuple[int, int]) -> Iterator[Change]:
        """The hand goes on, or is void, as of this event. Behind a restart its events come once more: what they
        say before the end that is known says nothing of it."""
        hand = self._hands.get(table, {}).get(line)
        if hand is None or at < (hand.epoch, hand.seq):
            return
        del self._hands[table][line]
        for one in hand.players:
            for lines in (self._bust, self._placed):
                if lines.get(one.player) == line:
                    del lines[one.player]
        yield Change(line, None)

    def released(self, line: str, table: str, cards: Mapping[Seat, tuple[CardText, ...]]) -> Iterator[Change]:
        """These hole cards are public from now on."""
        before = self._hands.get(table, {}).get(line)
        if before is None:
            return
        hand = _with_released(before, cards)
        if hand == before:
            return
        self._keep(line, hand)
        if line in self._out_lines:
            more = [one for one in hand.players if one.cards and not one.folded]
            if more != [one for one in before.players if one.cards and not one.folded]:
                yield Change(f"{line}/cards", Cards(hand))
        else:
            yield Change(line, self._news_of(line, hand))

    def _keep(self, line: str, hand: HandFacts) -> None:
        hands = self._hands.setdefault(hand.table, {})
        hands[line] = hand
        if len(hands) > MOST_HANDS:
            del hands[next(iter(hands))]

    def _news_of(self, line: str, hand: HandFacts) -> HandNews | None:
        kind, leader = self._kind(hand), self._led_since(line, hand)
        if not kind and leader is not None and self._in_blinds(hand) >= SMALLEST_POT_BLINDS:
            kind = "pot"
        if not kind:
            return None
        if leader is not None:
            self.leader = leader.player
            self._led[line] = leader
        outs = tuple([self._out(line, one) for one in hand.out])
        return self._with_places(HandNews(hand, kind, outs, leader))

    def _out(self, line: str, player: Player) -> Out:
        finish = self._finish(player.player) if self._placed.get(player.player, line) == line else None
        if finish is None:
            return Out(player.player, player.name, player.seat)
        self._placed[player.player] = line
        return Out(player.player, player.name, player.seat, finish.place, finish.prize)

    def _named(self, hand: HandFacts) -> HandFacts:
        """Tables know players by their ids; the station says their names."""
        players = [replace(one, name=self._names.get(one.player, one.name)) for one in hand.players]
        return replace(hand, players=tuple(players))

    def _with_places(self, news: HandNews) -> HandNews:
        """The best place last, and what it means for those who are left."""
        outs = tuple(sorted(news.outs, key=lambda one: -(one.place or 0)))
        last = min((one.place for one in outs if one.place is not None), default=0)
        left = last - 1 if last else 0
        bubble = bool(last) and self._is_bubble(last)
        return replace(news, outs=outs, left=left, in_the_money=bubble)

    def _is_bubble(self, place: int) -> bool:
        paid = self.tournament.paid
        return bool(paid) and not self.tournament.open and place == paid + 1

    def _kind(self, hand: HandFacts) -> str:
        if hand.out:
            return "out"
        if not hand.winners and not hand.shared:
            return ""
        blinds = self._in_blinds(hand)
        if hand.played and hand.showdown and len(hand.winners) == 1:
            won = hand.winners[0]
            if won.all_in and won.won == won.end and blinds >= SMALLEST_POT_BLINDS / 2:
                return (
                    "triple" if won.end >= 3 * won.start else "double" if won.end >= 2 * won.start else "survive"
                )
        if hand.shared and all(hand.player(seat).all_in for seat in hand.shared) and self._is_big(hand):
            return "split"
        if _made(hand) >= Category.FULL_HOUSE and blinds >= BIG_HAND_BLINDS:
            return "hand"
        if _made(hand) >= Category.FOUR_OF_A_KIND:
            return "hand"
        return "pot" if self._is_big(hand) else ""

    def _in_blinds(self, hand: HandFacts) -> float:
        return hand.pot / hand.level.big_blind if hand.level.big_blind else 0.0

    def _is_big(self, hand: HandFacts) -> bool:
        """By big blinds and by its share of the chips in play: with few tables smaller pots are worth a line."""
        blinds, average = self._in_blinds(hand), self._average()
        if blinds < SMALLEST_POT_BLINDS:
            return False
        if len({one.table for one in self.stacks.values()}) > MANY_TABLES:
            return blinds >= BIG_POT_BLINDS and hand.pot * 2 >= average * 3
        return hand.pot >= average or blinds >= BIG_POT_BLINDS

    def _average(self) -> float:
        if self.clock is not None and self.clock.average_stack:
            return self.clock.average_stack
        stacks = self._all_stacks()
        return sum(one.stack for one in stacks) / len(stacks) if stacks else 0.0

    def all_stacks(self) -> tuple[Stack, ...]:
        """The chips of everybody who is left, the largest stack first, as far as they are known."""
        return largest(self._all_stacks())

    def _all_stacks(self) -> list[Stack]:
        """Of everybody who is left, as of each table's last hand; a player who moves is known at the new seat."""
        known = self.stacks
        if not self.tournament.left:
            return [*known.values()]
        return [
            replace(known[player], name=one.name, table=one.table, seat=one.seat)
            for player, one in self.tournament.left.items()
            if player in known
        ]

    def _counts(self) -> tuple[Stack, ...]:
        """The stacks of everybody, the largest first; nothing where one is not known, or together they are not the
        chips in play."""
        stacks = self._all_stacks()
        if self.tournament.left and len(stacks) != self.tournament.number:
            return ()
        chips = self.clock.chips if self.clock is not None else 0
        return largest(stacks) if not chips or sum(one.stack for one in stacks) == chips else ()

    def _led_since(self, line: str, hand: HandFacts) -> Stack | None:
        """As it was said of this hand before, where its end is the same."""
        led = self._led.pop(line, None)
        if led is not None and any(one.player == led.player and one.end == led.stack for one in hand.players):
            return led
        if led is not None and self.leader == led.player:
            self.leader = ""
        return self._new_leader(hand)

    def _new_leader(self, hand: HandFacts) -> Stack | None:
        """Who took the lead with this hand."""
        counts = self._counts()
        if len(counts) < 2 or counts[0].stack == counts[1].stack or counts[0].player == self.leader:
            return None
        return counts[0] if counts[0].player in {one.player for one in hand.winners} else None

    # --------------------------------------------------------------------------------- the clock

    def follow_clock(self, clock: ClockState) -> Iterator[Change]:
        """The station's clock."""
        self.clock = clock
        entry = clock.entry if clock.entry is not None else clock.level.no
        if entry == self._entry or not clock.running:
            return
        first_look, self._entry = self._entry is None, entry
        level, left = clock.level, 0 if self._somebody_is_going() else clock.players_left
        gone_ms = round(level.minutes * 60_000) - clock.left_ms
        if first_look and gone_ms > JUST_BEGUN_MS:
            return
        yield from self._prizes()
        if level.is_break:
            counts = self._counts()[:NAMED_IN_BREAKS]
            news: News = Break(level.minutes, level.what, left, clock.entrants, counts)
        else:
            first = level.no == 1 and entry in (0, 1)
            average = clock.average_stack if left else Chips(0)
            news = LevelBegins(level, left, clock.entrants, average, first)
        yield from self._once(f"entry-{entry}", news)

    def _somebody_is_going(self) -> bool:
        """Whether a player who is counted as left has lost the last chips."""
        return any(player in self.stacks and not self.stacks[player].stack for player in self.tournament.left)

    def _once(self, what: str, news: News) -> Iterator[Change]:
        """What is told once, however often it comes about."""
        line = self._name(what)
        if line not in self._told and f"/{what}" not in self._told:
            self._told.add(line)
            yield Change(line, news)

    # --------------------------------------------------------------------------------- the field

    def follow_field(self, now: Field, wall: int) -> Iterator[Change]:
        """The station's field. What was so when this run, and no earlier one, first heard of it is no news."""
        before, first = self.tournament, not self.known
        if self._is_another(now):
            first = first or bool(self.event)
            if self.event:
                for memory in (self._bust, self._placed, self._was_open, self._silent, self._played_at):
                    memory.clear()
                self.leader, self._entry, self._most_tables = "", None, 0
                self._told.clear()
            named = sha256(now.event.encode()).hexdigest()[:12]  # a name may be longer than what names a line
            self.event = f"{named}/{wall // 60_000:x}"
        gone = {} if first else {who: one for who, one in before.out.items() if who not in now.left}
        now = dataclasses.replace(now, out=gone | {**now.out})  # of a large field the last ones are told
        self.know(now)
        self._most_tables = max(self._most_tables, len(now.tables))
        self._silent = {player for player in self._silent if player in now.out}
        if before.open and not now.open and not first:
            self._silent |= {
                player for player in now.out if player not in self._bust or self._bust[player] in self._out_lines
            }
        self._was_open |= now.tables
        if not first:
            yield from self._places(before)
            yield from self._closed_tables()
            yield from self._stages(before)

    def _is_another(self, now: Field) -> bool:
        """Whether the field is that of another tournament: of another name, or of one that begins anew."""
        if not now.event:
            return False
        anew = bool(self._last.winner) and not (now.winner or now.out)
        is_another = now.event != self._last.event or anew or not self.event
        self._last = now
        return is_another

    def _prizes(self) -> Iterator[Change]:
        """What is played for, once places are final: how many entries there are, and what they pay."""
        now = self.tournament
        if now.open or not now.paid or not now.number:
            return
        news = Prizes(now.entrants, now.number, now.paid, now.payouts[0])
        yield from self._once(f"prizes-{now.entrants}-{now.paid}-{now.payouts[0]}", news)

    def _finish(self, player: str) -> Finish | None:
        """None while somebody may still come in: the place is not final. The first place is the winner's."""
        finish = None if player in self._silent else self.tournament.out.get(player)
        return None if self.tournament.open or finish is None or finish.place in (None, 1) else finish

    def _places(self, before: Field) -> Iterator[Change]:
        for player in dict.fromkeys([*before.out, *self.tournament.out]):
            if self.tournament.out.get(player) != before.out.get(player) or before.open != self.tournament.open:
                yield from self._place(player)

    def _place(self, player: str) -> Iterator[Change]:
        """The place of a player became known, changed, or is none any more."""
        line, finish = self._placed.get(player), self._finish(player)
        if line is None and finish is None:
            return
        hand_line = self._bust.get(player)
        if line is None and finish is not None and hand_line is not None and hand_line not in self._out_lines:
            line = self._placed[player] = hand_line
        if line is not None and line == hand_line:
            if finish is None:
                self._placed.pop(player, None)
            hand = self._hand(line)
            if hand is not None:
                yield Change(line, self._news_of(line, hand))
            return
        line = line or self._name(f"out/{player}")
        if finish is None:
            self._placed.pop(player, None)
            yield Change(line, None)
            return
        self._placed[player] = line
        place = finish.place or 0
        out = Out(player, finish.name, Seat(0), place, finish.prize)
        yield Change(line, PlaceTaken(out, place - 1, self._is_bubble(place)))

    def _hand(self, line: str) -> HandFacts | None:
        return next((hands[line] for hands in self._hands.values() if line in hands), None)

    def _stages(self, before: Field) -> Iterator[Change]:
        now, counts = self.tournament, self._counts()
        left, was = now.number, before.number
        all_sit = all(one.table for one in now.left.values())
        if len(now.tables) == 1 < self._most_tables and all_sit and left > 2:
            yield from self._once("final-table", FinalTable(left, counts))
        if not now.open and now.paid and left == now.paid + 1 and (left < was or before.open):
            yield from self._once(f"bubble-{left}", OnTheBubble(left, now.paid))
        if left == 2 < was:
            yield from self._once("heads-up", HeadsUp(counts))
        if now.deal != before.deal:
            yield Change(self._name("deal"), DealAgreed(left) if now.deal else None)
        if now.winner != before.winner:
            prize = next((gone.prize for gone in now.out.values() if gone.place == 1), 0)
            prize = prize or (now.payouts[0] if now.payouts and not now.deal else 0)
            yield Change(self._name("winner"), Winner(now.winner, prize) if now.winner else None)

    def _closed_tables(self) -> Iterator[Change]:
        """A table at which nobody sits any more, once all who sat there have a seat again or are out."""
        if self.tournament.number < 2:
            return
        for table in sorted(self._was_open - self.tournament.tables):
            left = self.tournament.left
            sat = [player for player, last in self._played_at.items() if last == table and player in left]
            if not sat:
                self._was_open.discard(table)
            elif all(left[player].table for player in sat):
                self._was_open.discard(table)
                moves = tuple([left[player] for player in sat])
                yield from self._once(f"table-{table}", TableBreaks(table, self.tournament.number, moves))

    def _name(self, what: str) -> str:
        return f"{self.event}/{what}"


def _with_cards_of(before: HandFacts, hand: HandFacts) -> HandFacts:
    """Cards that were released stay so, whatever else of the hand is put right."""
    return _with_released(hand, {one.seat: one.cards for one in before.players if one.released})


def _with_released(hand: HandFacts, cards: Mapping[Seat, tuple[CardText, ...]]) -> HandFacts:
    players = [
        one
        if one.cards or len(cards.get(one.seat, ())) != HOLE_CARDS
        else replace(one, cards=tuple(cards[one.seat]), released=True)
        for one in hand.players
    ]
    return replace(hand, players=tuple(players))


def _made(hand: HandFacts) -> int:
    """The category of the best hand of who won the most, where its cards and the whole board are known."""
    won = next(iter(hand.winners), None)
    known = [] if won is None else [*won.cards, *hand.board]
    if won is None or len(won.cards) != 2 or len(hand.board) != 5 or len({*known}) != 7:
        return Category.HIGH_CARD
    return category(rank_hand([parse_card(card) for card in known]))
