"""Writes a hand as PokerStars-style tournament text.

Trackers are strict about it: the wording of the header, antes before blinds, uncalled bets before the street's
end, `Total pot` equal to what was collected, a line for every seat in the summary. Nothing but betting fits in:
no burns, rulings, counts. A card that nobody read has no form, so a hand with one on its board is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from table_core.cards import parse_card
from table_core.histories.identifiers import counted, table_letters
from table_core.histories.ohh_format import UNKNOWN_START
from table_core.histories.played import PlayedHand
from table_core.histories.recorded import ActionKind, HistoryError
from table_core.histories.stars_words import hand_words, header_time, player_names, roman
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    Action,
    BetReturned,
    BoardDealt,
    CardText,
    Chips,
    HandMucked,
    Post,
    Posted,
    PotAwarded,
    Seat,
    Street,
)
from table_core.ranking import describe

_POSTS = {
    Post.ANTE: "the ante",
    Post.BIG_BLIND_ANTE: "the ante",
    Post.SMALL_BLIND: "small blind",
    Post.BIG_BLIND: "big blind",
}
_ANTES = (Post.ANTE, Post.BIG_BLIND_ANTE)


def stars_text(hands: Iterable[PlayedHand]) -> str:
    """The hands as one text, three line ends between them. Raise `HistoryError` for one that has no such form."""
    return "".join("\n".join([*_Text(hand).lines(), "", "", ""]) for hand in hands)


class _Text:
    """One hand."""

    def __init__(self, played: PlayedHand) -> None:
        self._played = played
        self._hand = hand = played.recorded
        if UNKNOWN_CARD in hand.board:
            raise HistoryError(hand.file, None, f"hand {hand.hand}: a board card was not read; use PHH or OHH")
        self._name = dict(zip((entry.seat for entry in hand.seats), player_names(hand.players), strict=True))
        awards = (event for event in played.events if isinstance(event, PotAwarded))
        self._awards = sorted(awards, key=lambda award: award.no)  # main pot first
        self._showdown = any(event.why != "last_standing" for event in self._awards) or self._contested()

    def lines(self) -> Iterator[str]:
        yield from self._header()
        yield from self._posts()
        yield "*** HOLE CARDS ***"
        yield from self._play()
        if self._showdown:
            yield "*** SHOW DOWN ***"
            yield from self._shown()
            yield from self._collected_by_pot()
        else:
            yield from self._collected_unseen()
        yield from self._summary()

    # --------------------------------------------------------------------------------- before the cards

    def _header(self) -> Iterator[str]:
        hand, level, where = self._hand, self._hand.level, self._hand.where
        hand_id, tournament = counted(hand)
        yield (
            f"PokerStars Hand #{hand_id}: Tournament #{tournament}, Freeroll  Hold'em No Limit - "
            f"Level {roman(level.no)} ({level.small_blind}/{level.big_blind}) - "
            f"{header_time(where.started or UNKNOWN_START)}"
        )
        seats = where.seat_count or max(hand.table_seats)
        table = table_letters(where.table) or "1"
        yield f"Table '{tournament} {table}' {seats}-max Seat #{hand.button_seat} is the button"
        for seat, entry in self._by_seat():
            yield f"Seat {seat}: {self._name[entry]} ({hand.starting_stacks[entry - 1]} in chips)"

    def _posts(self) -> Iterator[str]:
        """One ante a player, then the blinds, whatever was paid first at the table."""
        posts = [event for event in self._played.events if isinstance(event, Posted)]
        broke = {event.seat for event in posts if event.all_in}
        paid: dict[tuple[str, Seat], int] = {}
        for event in sorted(posts, key=lambda event: event.what not in _ANTES):
            post = (_POSTS[event.what], event.seat)
            paid[post] = paid.get(post, 0) + event.amount
        last = {seat: what for what, seat in paid}
        for (what, seat), amount in paid.items():
            all_in = seat in broke and last[seat] == what
            yield f"{self._of(seat)}: posts {what} {amount}{_all_in(all_in)}"

    # ------------------------------------------------------------------------------------------- play

    def _play(self) -> Iterator[str]:
        board, dealt = self._hand.board, 0
        high = self._hand.level.big_blind
        for event in self._played.events:
            match event:
                case Acted():
                    yield f"{self._of(event.seat)}: {_did(event, high)}{_all_in(event.all_in)}"
                    high = max(high, event.to)
                case BetReturned():
                    yield f"Uncalled bet ({event.amount}) returned to {self._of(event.seat)}"
                case BoardDealt():
                    before, dealt = dealt, dealt + len(event.cards)
                    yield _street(event.street, board[:before], board[before:dealt])
                    high = Chips(0)

    def _shown(self) -> Iterator[str]:
        """Every hand that was live at the end of betting: shown with its words, or mucked."""
        won = {share.seat for award in self._awards for share in award.shares}
        for seat in self._at_showdown():
            cards = self._cards(seat)
            if cards:
                yield f"{self._of(seat)}: shows [{' '.join(cards)}] ({self._words(cards)})"
            elif seat not in won:
                yield f"{self._of(seat)}: mucks hand"

    def _collected_by_pot(self) -> Iterator[str]:
        """Side pots first, as they are settled."""
        for award in reversed(self._awards):
            for share in award.shares:
                yield f"{self._of(share.seat)} collected {share.amount} from {self._pot(award)}"

    def _collected_unseen(self) -> Iterator[str]:
        """Everybody else folded: one pot, and no cards. Nothing is won where nobody had put in a chip."""
        winner = next((share.seat for award in self._awards for share in award.shares), None)
        if winner is None:
            return
        yield f"{self._of(winner)} collected {self._total()} from pot"
        yield f"{self._of(winner)}: doesn't show hand"

    # ---------------------------------------------------------------------------------------- summary

    def _summary(self) -> Iterator[str]:
        yield "*** SUMMARY ***"
        pots = ""
        if self._showdown and len(self._awards) > 1:
            named = (f"{self._pot(award).capitalize()} {award.amount}." for award in self._awards)
            pots = f" {' '.join(named)}"
        yield f"Total pot {self._total()}{pots} | Rake 0"
        if self._hand.board:
            yield f"Board [{' '.join(self._hand.board)}]"
        in_events = {player: seat for seat, player in self._played.player.items()}
        for seat, entry in self._by_seat():
            yield f"Seat {seat}: {self._name[entry]}{self._position(entry)} {self._fate(in_events[entry])}"

    def _position(self, entry: Seat) -> str:
        hand = self._hand
        places = (
            (hand.button if hand.where.button is None else None, "button"),
            (hand.small_blind, "small blind"),
        )
        return "".join(f" ({name})" for who, name in (*places, (hand.big_blind, "big blind")) if who == entry)

    def _fate(self, seat: Seat) -> str:
        """How the hand ended for a seat."""
        won = sum(share.amount for award in self._awards for share in award.shares if share.seat == seat)
        folded = self._folded(seat)
        if folded:
            return folded
        cards = self._cards(seat)
        if not self._showdown or (won and not cards):
            return f"collected ({won})"
        if not cards:
            return "mucked"
        result = f"won ({won})" if won else "lost"
        return f"showed [{' '.join(cards)}] and {result} with {self._words(cards)}"

    def _folded(self, seat: Seat) -> str:
        """`"folded on the Turn"`; "" for who did not fold."""
        street, bet = Street.PREFLOP, False
        for event in self._played.events:
            if isinstance(event, BoardDealt):
                street = event.street
            elif isinstance(event, Posted) and event.seat == seat:
                bet = bet or event.what not in _ANTES
            elif isinstance(event, Acted) and event.seat == seat:
                bet = bet or event.added > 0
                if event.action is Action.FOLD and street is not Street.PREFLOP:
                    return f"folded on the {street.title()}"
                if event.action is Action.FOLD:
                    return "folded before Flop" if bet else "folded before Flop (didn't bet)"
        return ""

    # ---------------------------------------------------------------------------------------- helpers

    def _of(self, seat: Seat) -> str:
        """The name of who sits in a seat of the events."""
        return self._name[self._played.player[seat]]

    def _by_seat(self) -> list[tuple[Seat, Seat]]:
        """(the table's seat, player) in seat order."""
        return sorted(zip(self._hand.table_seats, (entry.seat for entry in self._hand.seats), strict=True))

    def _at_showdown(self) -> list[Seat]:
        return [seat for seat in self._played.player if not self._folded(seat)]

    def _contested(self) -> bool:
        """A hand was mucked at the showdown, which left one."""
        return any(isinstance(event, HandMucked) for event in self._played.events)

    def _cards(self, seat: Seat) -> tuple[CardText, ...]:
        """The cards that a seat tabled, () unless both are known."""
        player = self._played.player[seat]
        shown = any(
            action.seat == player and action.cards
            for action in self._hand.actions
            if action.kind is ActionKind.SHOW
        )
        cards = self._hand.hole_cards.get(player, ())
        return cards if shown and UNKNOWN_CARD not in cards else ()

    def _words(self, cards: tuple[CardText, ...]) -> str:
        board, hand = self._hand.board, self._hand
        if len(board) + len(cards) < 5:
            why = f"hand {hand.hand}: the board of the showdown is not on record; use PHH or OHH"
            raise HistoryError(hand.file, None, why)
        return hand_words(describe([parse_card(card) for card in (*board, *cards)]))

    def _total(self) -> int:
        return sum(award.amount for award in self._awards)

    def _pot(self, award: PotAwarded) -> str:
        if len(self._awards) == 1:
            return "pot"
        if award.no == 0:
            return "main pot"
        return "side pot" if len(self._awards) == 2 else f"side pot-{award.no}"


def _did(event: Acted, high: Chips) -> str:
    """`high` is the bet to match before this action."""
    match event.action:
        case Action.FOLD:
            return "folds"
        case Action.CHECK:
            return "checks"
        case Action.CALL:
            return f"calls {event.added}"
        case Action.BET:
            return f"bets {event.added}"
        case Action.RAISE:
            return f"raises {event.to - high} to {event.to}"


def _all_in(all_in: bool) -> str:
    return " and is all-in" if all_in else ""


def _street(street: Street, before: tuple[CardText, ...], new: tuple[CardText, ...]) -> str:
    """`"*** TURN *** [Ah Kd 2c] [9s]"`."""
    shown = [f"[{' '.join(cards)}]" for cards in (before, new) if cards]
    return f"*** {street.upper()} *** {' '.join(shown)}"
