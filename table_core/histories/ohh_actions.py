"""Reads the rounds and pots of an Open Hand History, and follows the chips as it goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import UnsetType

from table_core.cards import find_card
from table_core.histories.ohh_format import Ohh, OhhAction, OhhRound
from table_core.histories.played import HIDDEN
from table_core.histories.recorded import ActionKind, HistoryError, RecordedAction
from table_core.messages import UNKNOWN_CARD, CardText, Chips, Seat

WrongAt = Callable[..., HistoryError]  # path, problem and what kind of problem -> the error to raise
ChipsAt = Callable[[str, Any], Chips]

_BOARD = {"Preflop": 0, "Flop": 3, "Turn": 1, "River": 1, "Showdown": 0}
_POSTS = ("Post Ante", "Post SB", "Post BB", "Post Dead", "Post Extra Blind")
_PASSED_OVER = ("Sits Down", "Stands Up", "Added Chips", "Payout")
_CARD = re.compile(r"(10|[2-9TJQKAtjqka])([cdhsCDHS])")
_KINDS = {
    "Fold": ActionKind.FOLD,
    "Check": ActionKind.CHECK_OR_CALL,
    "Call": ActionKind.CHECK_OR_CALL,
    "Bet": ActionKind.BET_OR_RAISE,
    "Raise": ActionKind.BET_OR_RAISE,
    "Shows Cards": ActionKind.SHOW,
    "Mucks Cards": ActionKind.MUCK,
}


class Blinds(NamedTuple):
    """Who posts what. `small`: None where nobody has the small blind. `extra`: blinds that were missed before."""

    small: Seat | None
    big: Seat
    extra_small: tuple[Seat, ...] = ()
    extra_big: tuple[Seat, ...] = ()


DEAD = "a blind that was missed is posted dead"


class OhhReader:
    """`read` it once; then ask. `players` gives the player's number for an id of the file."""

    def __init__(
        self, ohh: Ohh, players: Mapping[int, Seat], stacks: Sequence[Chips], chips: ChipsAt, wrong: WrongAt
    ) -> None:
        self._ohh = ohh
        self._players = players
        self._stacks = dict(zip(players.values(), stacks, strict=True))
        self._chips = chips
        self._wrong = wrong
        self._posted: dict[str, dict[Seat, Chips]] = {post: {} for post in _POSTS}
        self._paid = dict.fromkeys(players.values(), 0)  # in all
        self._bets: dict[Seat, int] = {}  # on this street
        self._seen: set[CardText] = set()
        self.actions: list[RecordedAction] = []
        self.hole: dict[Seat, tuple[CardText, ...]] = dict.fromkeys(players.values(), HIDDEN)
        self.board: tuple[CardText, ...] = ()
        self.then: tuple[tuple[Seat, ...], ...] = ()
        self.notes: list[str] = []

    # --------------------------------------------------------------------------------------- reading

    def read(self) -> None:
        """Raise `HistoryError` for whatever a hand of no-limit hold'em cannot hold."""
        dealt: set[str] = set()
        for number, part in enumerate(self._ohh.rounds):
            path = f"rounds[{number}]"
            if part.street not in _BOARD:
                raise self._wrong(f"{path}.street", f"{part.street[:40]!r}; expected one of {', '.join(_BOARD)}")
            if _BOARD[part.street] and part.street in dealt:
                problem = f"{part.street} a second time: the board was run twice; expected one board"
                raise self._wrong(f"{path}.street", problem, "run it twice")
            dealt.add(part.street)
            self._return_uncalled()
            self._deal_board(part, path)
            for place, action in enumerate(part.actions):
                self._action(action, part.street, f"{path}.actions[{place}]")
        self._return_uncalled()
        self._deal_first()

    def _deal_board(self, part: OhhRound, path: str) -> None:
        due = _BOARD[part.street]
        cards = self._cards(_listed(part.cards), due, f"{path}.cards")
        if due:
            self.board += cards
            self._add(ActionKind.DEAL_BOARD, None, f"{path} {part.street}", cards)

    def _action(self, action: OhhAction, street: str, path: str) -> None:
        if action.action in _PASSED_OVER:
            self.notes.append(f"{action.action.lower()}: passed over")
            return
        seat = self._players.get(action.player_id)
        if seat is None:
            raise self._wrong(f"{path}.player_id", f"no player {action.player_id} in this hand")
        amount = self._chips(f"{path}.amount", action.amount or 0)
        text = f"{path} {action.action}"
        cards = _listed(action.cards)
        if action.action in _POSTS:
            self._post(action.action, seat, amount)
        elif action.action == "Dealt Cards":
            self._hole_cards(seat, cards, f"{path}.cards")
        elif action.action == "Straddle":
            raise self._wrong(f"{path}.action", "a straddle; expected a small and a big blind alone", "a straddle")
        elif action.action == "Bet" and street == "Preflop":
            raise self._wrong(f"{path}.action", "'Bet' preflop, where the blinds are the bet; expected 'Raise'")
        elif action.action in _KINDS:
            self._act(_KINDS[action.action], seat, amount, text, cards, path)
        else:
            expected = ", ".join([*_POSTS, *_KINDS])
            raise self._wrong(f"{path}.action", f"{action.action[:40]!r}; expected {expected}")

    def _post(self, post: str, seat: Seat, amount: Chips) -> None:
        self._posted[post][seat] = Chips(self._posted[post].get(seat, 0) + amount)
        self._paid[seat] += amount
        if post not in ("Post Ante", "Post Dead"):
            self._bets[seat] = self._bets.get(seat, 0) + amount

    def _act(
        self, kind: ActionKind, seat: Seat, amount: Chips, text: str, cards: Sequence[str], path: str
    ) -> None:
        self._paid[seat] += amount
        self._bets[seat] = self._bets.get(seat, 0) + amount
        if kind is ActionKind.BET_OR_RAISE:
            self._add(kind, seat, text, to=Chips(self._bets[seat]))
        elif kind is ActionKind.SHOW:
            self._hole_cards(seat, cards, f"{path}.cards")
            self._add(kind, seat, text, self.hole[seat])
        else:
            self._add(kind, seat, text)

    def _hole_cards(self, seat: Seat, cards: Sequence[str], path: str) -> None:
        """A showdown fills in what the deal does not know, and may say nothing new."""
        known = [card for card in self.hole[seat] if card != UNKNOWN_CARD]
        self._seen -= set(known)
        found = self._cards(cards, 2, path)
        if set(known) - set(found) and UNKNOWN_CARD not in found:
            raise self._wrong(path, f"{''.join(found)}; this player was dealt {''.join(self.hole[seat])}")
        if found.count(UNKNOWN_CARD) <= self.hole[seat].count(UNKNOWN_CARD):
            self.hole[seat] = found
        self._seen |= set(known)

    def _cards(self, cards: Sequence[str], due: int, path: str) -> tuple[CardText, ...]:
        """`due` cards, unknown ones last."""
        if len(cards) > due:
            raise self._wrong(path, f"{len(cards)} cards; expected {due}")
        for card in cards:
            if find_card(card) is None:
                raise self._wrong(path, f"{card!r} is not a card; expected cards such as 'Ah'")
            if card in self._seen:
                raise self._wrong(path, f"{card} was dealt before; expected each card once")
            self._seen.add(card)
        return (*cards, *(UNKNOWN_CARD,) * (due - len(cards)))

    def _add(
        self,
        kind: ActionKind,
        seat: Seat | None,
        text: str,
        cards: tuple[CardText, ...] = (),
        to: Chips | None = None,
    ) -> None:
        self.actions.append(RecordedAction(len(self.actions) + 1, 0, f"ohh.{text}", kind, seat, cards, to))

    def _deal_first(self) -> None:
        """The deal comes first, with every card that the file knows in the end."""
        deals = [
            RecordedAction(0, 0, "Dealt Cards", ActionKind.DEAL_HOLE, seat, cards)
            for seat, cards in self.hole.items()
        ]
        numbered = enumerate([*deals, *self.actions], 1)
        self.actions = [
            RecordedAction(number, 0, action.text, action.kind, action.seat, action.cards, action.to)
            for number, action in numbered
        ]

    def _return_uncalled(self) -> None:
        """The street is over: what nobody called goes back to its bettor."""
        if len(self._paid) > 1:
            *_, second, top = sorted({**dict.fromkeys(self._paid, 0), **self._bets}.values())
            if top > second:
                bettor = next(seat for seat, bet in self._bets.items() if bet == top)
                self._paid[bettor] -= top - second
        self._bets = {}

    # ------------------------------------------------------------------------------------- questions

    def blinds(self) -> Blinds:
        """Who owes which blind. A player without chips for it posts none: then the blinds are where the rules put
        them."""
        ours = self._ohh.ours
        if ours:
            small = None if ours.small_blind_player is None else self._players.get(ours.small_blind_player)
            big = self._players.get(ours.big_blind_player)
            if big is None:
                raise self._wrong("_feltwire.big_blind_player", f"no player {ours.big_blind_player} in this hand")
            return Blinds(small, big)
        posted_small, posted_big = self._posted["Post SB"], self._posted["Post BB"]
        if not posted_big and not posted_small and self._bomb_pot():
            raise self._wrong("rounds[0]", "antes and no blind: a bomb pot; expected blinds", "a bomb pot")
        usual_small, usual_big = (Seat(2), Seat(1)) if len(self._players) == 2 else (Seat(1), Seat(2))
        small = min(posted_small, default=None)
        behind = [seat for seat in posted_big if small is None or len(self._players) == 2 or seat > small]
        big = min(behind, default=min(posted_big, default=usual_big))
        broke = self._stacks[usual_small] <= self._posted["Post Ante"].get(usual_small, 0)
        if small is None and big == usual_big and broke and self._ohh.small_blind_amount:
            small = usual_small
        return Blinds(small, big, *self._missed(small, big))

    def _bomb_pot(self) -> bool:
        """Whether all paid antes, have chips left and were not asked before the flop."""
        antes = self._posted["Post Ante"]
        first = next((action for action in self.actions if action.kind is not ActionKind.DEAL_HOLE), None)
        asked = first is not None and first.kind is not ActionKind.DEAL_BOARD
        able = sum(amount < self._stacks[seat] for seat, amount in antes.items())
        return len(antes) == len(self._players) and able > 1 and not asked

    def _missed(self, small: Seat | None, big: Seat) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
        """Who posts a small blind, and who a big one, that was missed before and is a bet."""
        extra = self._posted["Post Extra Blind"]
        late_small = [seat for seat in self._posted["Post SB"] if seat != small]
        late_big = [seat for seat in (*self._posted["Post BB"], *extra) if seat != big]
        due = self._posted["Post BB"].get(big, 0)
        if any(amount != due and amount < self._stacks[seat] for seat, amount in extra.items()):
            problem = f"a blind of another size than the big blind of {due}; expected the same, dead chips apart"
            raise self._wrong("rounds[0]", problem, "a dead blind")
        return tuple(late_small), tuple(late_big)

    def dead(self) -> dict[Seat, Chips]:
        """Chips that were posted and are no bet."""
        if self._posted["Post Dead"] and DEAD not in self.notes:
            self.notes.append(DEAD)
        return dict(self._posted["Post Dead"])

    def posted_blinds(self, said: tuple[Chips, Chips]) -> tuple[Chips, Chips]:
        """Small and big blind as they were posted by who had chips for them, else as the file's head says."""
        if self._ohh.ours:
            return said
        blinds = self.blinds()
        big = self._full("Post BB", blinds.big, said[1])
        small = self._full("Post SB", blinds.small, said[0]) if blinds.small else Chips(min(said[0], big))
        if said[1] != big or (blinds.small and said[0] != small):
            self.notes.append("blinds as they were posted: the head of the hand has others")
        return small, big

    def _full(self, post: str, seat: Seat, said: Chips) -> Chips:
        """What a seat posted, or what is `said` where it had no more."""
        amount = self._posted[post].get(seat)
        return said if amount is None or self._paid_before_acting(seat) >= self._stacks[seat] else amount

    def _paid_before_acting(self, seat: Seat) -> int:
        return sum(posted.get(seat, 0) for posted in self._posted.values())

    def posted_antes(self, said: Chips) -> tuple[Chips, Chips]:
        """Everybody's ante, and the big blind's for the table."""
        posted = self._posted["Post Ante"]
        if not posted:
            return Chips(0), Chips(0)
        full = {amount for seat, amount in posted.items() if self._paid_before_acting(seat) < self._stacks[seat]}
        amount = max(full or posted.values())
        big = self.blinds().big
        if [*posted] == [big]:
            return Chips(0), amount if full else max(said, amount)
        without = [seat for seat in self._players.values() if seat not in posted]
        extra = {posted[seat] for seat in posted if seat != big and seat in posted} & full
        if without or len(extra) > 1:
            problem = f"an ante of {len(posted)} of {len(self._players)} players; expected the same of each"
            raise self._wrong("rounds[0]", problem, "antes of some players")
        each = max(extra, default=amount)
        return each, Chips(max(0, posted[big] - each))

    def finishing_stacks(self) -> tuple[Chips, ...] | None:
        """What everybody has when the pots are paid; None when the file does not say who won them."""
        won = self.winnings()
        if won is None:
            return None
        return tuple(
            Chips(stack - self._paid[seat] + collected)
            for (seat, stack), collected in zip(self._stacks.items(), won, strict=True)
        )

    def winnings(self) -> tuple[Chips, ...] | None:
        """What each player collected; None when the file does not say it."""
        if not self._ohh.pots and any(self._paid.values()):
            return None
        won = dict.fromkeys(self._paid, 0)
        for number, pot in enumerate(self._ohh.pots):
            for place, win in enumerate(pot.player_wins):
                path = f"pots[{number}].player_wins[{place}]"
                seat = self._players.get(win.player_id)
                if seat is None:
                    raise self._wrong(f"{path}.player_id", f"no player {win.player_id} in this hand")
                won[seat] += self._chips(f"{path}.win_amount", win.win_amount)
        return tuple(Chips(amount) for amount in won.values())

    def winners(self) -> tuple[Seat, ...]:
        """Who won the main pot, where the cards that are known cannot tell; `then` has those of the others."""
        if self._ohh.ours:
            return self._seats(self._ohh.ours.awarded)
        pots = [
            self._seats([win.player_id for win in pot.player_wins if win.win_amount])
            for pot in sorted(self._ohh.pots, key=lambda pot: pot.number)
        ]
        if self._cards_decide({seat for pot in pots for seat in pot}):
            return ()
        if len(pots) == 1 and len(pots[0]) > 1:  # who put in less first: they cannot win the side pots
            levels = sorted({self._paid[seat] for seat in pots[0]})
            pots = [tuple(seat for seat in pots[0] if self._paid[seat] == level) for level in levels]
        first, *then = pots or [()]
        self.then = tuple(pot for pot in then if pot)
        return first

    def _seats(self, ids: Sequence[int]) -> tuple[Seat, ...]:
        return tuple(sorted({self._players[one] for one in ids if one in self._players}))

    def _cards_decide(self, winners: set[Seat]) -> bool:
        """Who is left alone needs no cards; else a hand that is not shown loses to one that is."""
        gone = {action.seat for action in self.actions if action.kind in (ActionKind.FOLD, ActionKind.MUCK)}
        shown = {action.seat for action in self.actions if action.kind is ActionKind.SHOW}
        if len([seat for seat in self._players.values() if seat not in gone]) < 2:
            return True
        known = all(UNKNOWN_CARD not in self.hole[seat] and seat in shown for seat in winners)
        return known and bool(winners) and len(self.board) == 5 and UNKNOWN_CARD not in self.board


def _listed(cards: Sequence[str] | UnsetType | None) -> list[str]:
    """Cards of a list or of one text, as we write them."""
    if not cards:
        return []
    if isinstance(cards, str):
        return [_plain(*card) for card in _CARD.findall(cards)]
    found = [(_CARD.fullmatch(card.strip(", ")), card) for card in cards]
    return [_plain(match[1], match[2]) if match else card[:40] for match, card in found]


def _plain(rank: str, suit: str) -> str:
    return ("T" if rank == "10" else rank.upper()) + suit.lower()
