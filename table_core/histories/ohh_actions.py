"""Reads the rounds and pots of an Open Hand History, and follows the chips as it goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from table_core.cards import find_card
from table_core.histories.ohh_format import Amount, Ohh, OhhAction, OhhRound
from table_core.histories.played import HIDDEN
from table_core.histories.recorded import ActionKind, HistoryError, RecordedAction
from table_core.messages import UNKNOWN_CARD, CardText, Chips, Seat

WrongAt = Callable[[str, str], HistoryError]  # path and problem -> the error to raise

_BOARD = {"Preflop": 0, "Flop": 3, "Turn": 1, "River": 1, "Showdown": 0}
_POSTS = ("Post Ante", "Post SB", "Post BB")
_PASSED_OVER = ("Sits Down", "Stands Up")
_KINDS = {
    "Fold": ActionKind.FOLD,
    "Check": ActionKind.CHECK_OR_CALL,
    "Call": ActionKind.CHECK_OR_CALL,
    "Bet": ActionKind.BET_OR_RAISE,
    "Raise": ActionKind.BET_OR_RAISE,
    "Shows Cards": ActionKind.SHOW,
    "Mucks Cards": ActionKind.MUCK,
}


class OhhReader:
    """`read` it once; then ask. `players` gives the player's number for an id of the file."""

    def __init__(self, ohh: Ohh, players: Mapping[int, Seat], stacks: Sequence[Chips], wrong: WrongAt) -> None:
        self._ohh = ohh
        self._players = players
        self._stacks = stacks
        self._wrong = wrong
        self._posted: dict[str, list[Seat]] = {post: [] for post in _POSTS}
        self._paid = dict.fromkeys(players.values(), 0)  # in all
        self._bets: dict[Seat, int] = {}  # on this street
        self._seen: set[CardText] = set()
        self.actions: list[RecordedAction] = []
        self.hole: dict[Seat, tuple[CardText, ...]] = dict.fromkeys(players.values(), HIDDEN)
        self.board: tuple[CardText, ...] = ()

    # --------------------------------------------------------------------------------------- reading

    def read(self) -> None:
        """Raise `HistoryError` for whatever a hand of no-limit hold'em cannot hold."""
        for number, part in enumerate(self._ohh.rounds):
            path = f"rounds[{number}]"
            if part.street not in _BOARD:
                raise self._wrong(f"{path}.street", f"{part.street!r}; expected one of {', '.join(_BOARD)}")
            self._return_uncalled()
            self._deal_board(part, path)
            for place, action in enumerate(part.actions):
                self._action(action, part.street, f"{path}.actions[{place}]")
        self._return_uncalled()
        self._deal_first()

    def _deal_board(self, part: OhhRound, path: str) -> None:
        due = _BOARD[part.street]
        cards = self._cards(part.cards or [], due, f"{path}.cards")
        if due:
            self.board += cards
            self._add(ActionKind.DEAL_BOARD, None, f"{path} {part.street}", cards)

    def _action(self, action: OhhAction, street: str, path: str) -> None:
        if action.action in _PASSED_OVER:
            return
        seat = self._players.get(action.player_id)
        if seat is None:
            raise self._wrong(f"{path}.player_id", f"no player {action.player_id} in this hand")
        amount = self._chips(action.amount or 0, f"{path}.amount")
        text = f"{path} {action.action}"
        if action.action in _POSTS:
            self._post(action.action, seat, amount)
        elif action.action == "Dealt Cards":
            self._hole_cards(seat, action.cards or [], f"{path}.cards")
        elif action.action == "Bet" and street == "Preflop":
            raise self._wrong(f"{path}.action", "'Bet' preflop, where the blinds are the bet; expected 'Raise'")
        elif action.action in _KINDS:
            self._act(_KINDS[action.action], seat, amount, text, action.cards or [], path)
        else:
            raise self._wrong(f"{path}.action", f"{action.action!r}; expected {', '.join([*_POSTS, *_KINDS])}")

    def _post(self, post: str, seat: Seat, amount: Chips) -> None:
        self._posted[post].append(seat)
        self._paid[seat] += amount
        if post != "Post Ante":
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

    def blinds(self) -> tuple[Seat | None, Seat]:
        """Who owes the small blind (None: nobody) and the big blind. A player without chips for it posts none:
        then the blinds are where the rules put them."""
        ours = self._ohh.ours
        if ours:
            small = None if ours.small_blind_player is None else self._players.get(ours.small_blind_player)
            big = self._players.get(ours.big_blind_player)
            if big is None:
                raise self._wrong("_feltwire.big_blind_player", f"no player {ours.big_blind_player} in this hand")
            return small, big
        usual_small, usual_big = (Seat(2), Seat(1)) if len(self._players) == 2 else (Seat(1), Seat(2))
        big = next(iter(self._posted["Post BB"]), usual_big)
        usual = usual_small if big == usual_big and self._ohh.small_blind_amount else None
        return next(iter(self._posted["Post SB"]), usual), big

    def big_blind_ante(self, big_blind: Seat) -> bool:
        """Whether the ante was the big blind's for the whole table."""
        return self._posted["Post Ante"] == [big_blind]

    def finishing_stacks(self) -> tuple[Chips, ...] | None:
        """What everybody has when the pots are paid; None when the file does not say who won them."""
        if not self._ohh.pots and any(self._paid.values()):
            return None
        won = dict.fromkeys(self._paid, 0)
        for number, pot in enumerate(self._ohh.pots):
            for place, win in enumerate(pot.player_wins):
                path = f"pots[{number}].player_wins[{place}]"
                seat = self._players.get(win.player_id)
                if seat is None:
                    raise self._wrong(f"{path}.player_id", f"no player {win.player_id} in this hand")
                won[seat] += self._chips(win.win_amount, f"{path}.win_amount")
        return tuple(
            Chips(stack - self._paid[seat] + won[seat])
            for seat, stack in zip(self._paid, self._stacks, strict=True)
        )

    def winners(self) -> tuple[Seat, ...]:
        """Who won, where the cards that are known cannot tell."""
        if self._ohh.ours:
            ids = self._ohh.ours.awarded
        elif self._cards_decide():
            return ()
        else:
            ids = [win.player_id for pot in self._ohh.pots for win in pot.player_wins]
        return tuple(sorted({self._players[winner] for winner in ids if winner in self._players}))

    def _cards_decide(self) -> bool:
        gone = {action.seat for action in self.actions if action.kind in (ActionKind.FOLD, ActionKind.MUCK)}
        shown = {action.seat for action in self.actions if action.kind is ActionKind.SHOW}
        live = [seat for seat in self._players.values() if seat not in gone]
        if len(live) < 2:
            return True
        known = all(UNKNOWN_CARD not in self.hole[seat] and seat in shown for seat in live)
        return known and UNKNOWN_CARD not in self.board

    def _chips(self, amount: Amount, path: str) -> Chips:
        if amount < 0 or amount != int(amount):
            raise self._wrong(path, f"{amount}; expected a whole number of chips")
        return Chips(int(amount))
