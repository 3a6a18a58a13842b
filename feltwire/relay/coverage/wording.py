"""Facts as sentences, in each language of the table of phrases."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby

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
    Note,
    OnTheBubble,
    Out,
    PlaceTaken,
    Prizes,
    Stack,
    TableBreaks,
    Winner,
)
from feltwire.relay.coverage.phrases import DE, LANGUAGES, MADE, PLURALS, RANKS, STREETS, phrase
from table_core.cards import parse_card
from table_core.messages import CardText
from table_core.ranking import Category, category, rank_hand

WHOLE_BOARD = 5
HOLE_CARDS = 2
_JOINERS = "\u200c\u200d"  # letters and pictures of several parts need them
_SUITS = str.maketrans("cdhs", "♣♦♥♠")
_RANKS = "23456789TJQKA"
ISOLATED = "\u2068{}\u2069"  # what is written from right to left does not turn the rest of the sentence
_FROM_THE_RIGHT = ("R", "AL", "AN")


def wording(news: News, name: str) -> dict[str, str]:
    """What the line with this name says, by language."""
    return {language: " ".join(_Words(language, name).of(news)) for language in LANGUAGES}


def plain(name: str) -> str:
    """A name as it stands in a sentence: on one line, and read in its own direction.

    >>> plain("Ann\\u202e\\nLee")
    'Ann Lee'
    """
    kept = (
        " " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter
        for letter in name
        if letter in _JOINERS or unicodedata.category(letter) not in ("Cf", "Cs", "Co", "Cn")
    )
    text = " ".join("".join(kept).split())
    turned = any(unicodedata.bidirectional(letter) in _FROM_THE_RIGHT for letter in text)
    return ISOLATED.format(text) if turned else text or "?"


def shown(cards: Iterable[CardText]) -> str:
    """Cards as viewers read them.

    >>> shown(("Ah", "Tc"))
    'A♥ 10♣'
    """
    return " ".join(f"{card[0].replace('T', '10')}{card[1].translate(_SUITS)}" for card in cards)


def held(cards: Iterable[CardText]) -> str:
    """Hole cards, the higher one first.

    >>> held(("7d", "Ac"))
    'A♣ 7♦'
    """
    return shown(sorted(cards, key=lambda card: -_RANKS.index(card[0])))


class _Words:
    def __init__(self, language: str, name: str) -> None:
        self._language = language
        self._name = name

    def of(self, news: News) -> list[str]:
        match news:
            case HandNews():
                return self._hand(news)
            case Cards():
                hand = news.hand
                board = self._say("board", board=shown(hand.board)) if hand.board else ""
                return [self._say("cards", hand=hand.hand, hands=self._hands(_holding(hand)), board=board)]
            case PlaceTaken():
                return self._place(news.out, "", news.left, news.in_the_money)
            case LevelBegins():
                return self._level(news)
            case Break():
                return self._break(news)
            case Prizes():
                entries = self._say("entries", entrants=news.entrants, left=news.left)
                return [entries, self._say("paid", paid=news.paid, prize=self._money(news.first))]
            case FinalTable():
                said = [self._say("final table", left=news.left)]
                return [*said, self._say("counts", counts=self._counts(news.counts))] if news.counts else said
            case OnTheBubble():
                return [self._say("on the bubble", left=news.left, paid=news.paid)]
            case HeadsUp():
                counts = self._counts(news.counts)
                return [self._say("heads-up", counts=counts) if counts else self._say("two left")]
            case Winner():
                winner = plain(news.name)
                if not news.prize:
                    return [self._say("winner", w=winner)]
                return [self._say("winner and prize", w=winner, prize=self._money(news.prize))]
            case DealAgreed():
                return [self._say("deal", left=news.left)]
            case TableBreaks():
                return self._table_breaks(news)
            case Note():
                return [news.text.get(self._language) or next(iter(news.text.values()), "")]

    # ------------------------------------------------------------------------------------ a hand

    def _hand(self, news: HandNews) -> list[str]:
        hand = news.hand
        said = self._ends(news) if news.outs else [self._headline(news)]
        if hand.played:
            said += self._story(hand)
        if news.leader is not None:
            said.append(self._say("lead", w=plain(news.leader.name), n=self._chips(news.leader.stack)))
        return said

    def _ends(self, news: HandNews) -> list[str]:
        """Who is out."""
        hand, said = news.hand, []
        if len(news.outs) > 1:
            said.append(self._say("several", n=len(news.outs)))
        for out in news.outs:
            player = hand.player(out.seat)
            by = self._list([plain(hand.player(seat).name) for seat in player.by])
            if out.place is not None:
                said += self._place(out, by, news.left, news.in_the_money and out is news.outs[-1])
                continue
            words = {"o": plain(player.name), "n": self._chips(player.start)}
            # who won only a side pot did not take all of these chips
            took_all = len(player.by) == 1 and hand.player(player.by[0]).won >= player.start
            said.append(self._say("out", w=by, **words) if took_all else self._say("out alone", **words))
        return said

    def _place(self, out: Out, by: str, left: int, in_the_money: bool) -> list[str]:
        words = {"o": plain(out.name), "place": self._ordinal(out.place or 0)}
        if in_the_money:
            first = self._say("bubble", w=by, **words) if by else self._say("bubble alone", **words)
            return [first, self._say("in the money", left=left)]
        words["prize"] = self._prize(out.prize)
        return [self._say("place", w=by, **words) if by else self._say("place alone", **words)]

    def _headline(self, news: HandNews) -> str:
        hand = news.hand
        won = hand.winners
        pot, blinds = self._chips(hand.pot), self._blinds(hand)
        if hand.shared:
            sharing = self._list([plain(hand.player(seat).name) for seat in hand.shared])
            every = all(hand.player(seat).all_in for seat in hand.shared)
            return self._say("split" if every else "share", w=sharing, pot=pot, bb=blinds)
        if not won:
            took = self._list([plain(one.name) for one in hand.players if one.won])
            return self._say("pots", w=took, pot=pot, bb=blinds)
        first = won[0]
        words = {"w": plain(first.name), "n": self._chips(first.end)}
        if news.kind == "double":
            loser = _through(hand, first)
            return (
                self._say("double", l=plain(loser.name), **words)
                if loser is not None
                else self._say("survive", **words)
            )
        if news.kind == "triple":
            return self._say("triple", **words)
        if news.kind == "hand":
            made = self._made(first.cards, hand.board)
            if made:
                return self._say("hand", w=words["w"], pot=pot, made=made, made_=_capital(made))
        if len(won) > 1:
            return self._say("pots", w=self._list([plain(one.name) for one in won]), pot=pot, bb=blinds)
        return self._say("pot", w=words["w"], pot=pot, bb=blinds)

    def _story(self, hand: HandFacts) -> list[str]:
        live = [one for one in hand.players if not one.folded]
        if not hand.showdown:
            return [self._say("folded")]
        board = shown(hand.board) if len(hand.board) == WHOLE_BOARD else ""
        opener = next((one for one in live if one.seat == hand.opener and one.all_in), None)
        if opener is not None and len(live) > 1:
            others = self._list([self._held(one) for one in live if one is not opener])
            street = STREETS[opener.all_in][self._language]
            on = self._say("board", board=board) if board else ""
            said = [_capital(self._say("all-in", o=self._held(opener), street=street, others=others, board=on))]
        elif any(one.cards for one in live):
            hands = self._hands([one for one in live if one.cards])
            said = [self._say("showdown", hands=hands, board=board) if board else self._say("hands", hands=hands)]
        else:
            said = []
        return [*said, *self._won_with(hand)]

    def _won_with(self, hand: HandFacts) -> list[str]:
        won = [(one, self._made(one.cards, hand.board)) for one in hand.players if one.won]
        if len(won) == 1 and won[0][1]:
            return [self._say("with", w=plain(won[0][0].name), made=won[0][1])]
        return [
            self._say("won", w=plain(one.name), n=self._chips(one.won), made=made)
            for one, made in won
            if made and len(won) > 1
        ]

    def _hands(self, players: Iterable[Player]) -> str:
        return phrase(self._language, "against", "").join(
            f"{plain(one.name)} {held(one.cards)}" for one in players
        )

    def _held(self, player: Player) -> str:
        return f"{plain(player.name)} ({held(player.cards)})" if player.cards else plain(player.name)

    def _made(self, cards: Sequence[CardText], board: Sequence[CardText]) -> str:
        """The best hand in words; empty where a card is not known."""
        known = [*cards, *board]
        if len(cards) != HOLE_CARDS or len(board) != WHOLE_BOARD or len({*known}) < len(known):
            return ""
        value = rank_hand([parse_card(card) for card in known])
        kind, first, second = category(value), value >> 16 & 15, value >> 12 & 15
        royal = kind is Category.STRAIGHT_FLUSH and RANKS["en"][first] == "ace"
        ranks, plurals = RANKS[self._language], PLURALS[self._language]
        return MADE[self._language][kind + royal].format(r=ranks[first], p=plurals[first], q=plurals[second])

    # ------------------------------------------------------------------------------- the tournament

    def _level(self, news: LevelBegins) -> list[str]:
        level = news.level
        ante = ""
        if level.big_blind_ante:
            ante = self._say("big blind ante", ante=self._chips(level.big_blind_ante))
        elif level.ante:
            ante = self._say("ante", ante=self._chips(level.ante))
        blinds = {"sb": self._chips(level.small_blind), "bb": self._chips(level.big_blind)}
        begins = self._say("level", no=level.no, ante=ante, **blinds)
        if news.first:
            return [self._say("start", level=begins)]
        said = [begins, *self._left(news.left, news.entrants)]
        if news.average:
            tenths = news.average * 10 // level.big_blind if level.big_blind else 0
            said.append(self._say("average", n=self._chips(news.average), bb=self._tenths(tenths)))
        return said

    def _break(self, news: Break) -> list[str]:
        what = self._say("what", what=plain(news.what)) if news.what else ""
        lasts = self._say("minutes", n=round(news.minutes)) if news.minutes >= 1 else ""
        said = [
            self._say("break", what=what, minutes=lasts),
            *self._left(news.left, news.entrants),
        ]
        return [*said, self._say("most chips", counts=self._counts(news.counts))] if news.counts else said

    def _left(self, left: int, entrants: int) -> list[str]:
        return [self._say("left", left=left, entrants=entrants)] if left and entrants else []

    def _table_breaks(self, news: TableBreaks) -> list[str]:
        said = [self._say("table breaks", table=plain(news.table), left=news.left)]
        by_table = sorted(news.moves, key=lambda move: move.table)
        moves = [
            self._say("to", o=self._list([plain(one.name) for one in moved]), table=plain(table))
            for table, moved in groupby(by_table, key=lambda move: move.table)
        ]
        return [*said, self._say("moves", moves="; ".join(moves))] if moves else said

    # ------------------------------------------------------------------------------------ numbers

    def _say(self, key: str, **words: object) -> str:
        return phrase(self._language, key, self._name, **words)

    def _chips(self, chips: int) -> str:
        return self._thousands(f"{chips:,}")

    def _thousands(self, text: str) -> str:
        return text.translate(str.maketrans(",.", ".,")) if self._language == DE else text

    def _money(self, cents: int) -> str:
        return self._thousands(f"{cents // 100:,}" if cents % 100 == 0 else f"{cents / 100:,.2f}")

    def _prize(self, cents: int) -> str:
        return self._say("prize", prize=self._money(cents)) if cents else ""

    def _blinds(self, hand: HandFacts) -> str:
        return self._chips(hand.pot // hand.level.big_blind) if hand.level.big_blind else "0"

    def _tenths(self, tenths: int) -> str:
        return self._thousands(f"{tenths / 10:,.1f}" if tenths % 10 else f"{tenths // 10:,}")

    def _ordinal(self, number: int) -> str:
        if self._language == DE:
            return self._chips(number)
        ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number:,}{ending}"

    def _list(self, parts: Sequence[str]) -> str:
        if len(parts) < 2:
            return "".join(parts)
        return ", ".join(parts[:-1]) + phrase(self._language, "and", "") + parts[-1]

    def _counts(self, counts: Iterable[Stack]) -> str:
        return ", ".join(f"{plain(one.name)} {self._chips(one.stack)}" for one in counts)


def _holding(hand: HandFacts) -> list[Player]:
    return [one for one in hand.players if one.cards and not one.folded]


def _through(hand: HandFacts, winner: Player) -> Player | None:
    """The one player at the showdown whose chips went to the winner."""
    others = [one for one in hand.players if one is not winner and not one.folded and one.end < one.start]
    return others[0] if len(others) == 1 else None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
