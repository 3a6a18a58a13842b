"""The observer with full knowledge: an engine that gets the true actions, and moves the chips on the felt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from feltwire.lab.simroom.felt.felt import PhysicalFelt
from feltwire.lab.simroom.play.script import BOARD_CARDS, HandScript, ScriptedAct
from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Acted,
    Action,
    AnyEvent,
    AnyHandCommand,
    AwardPots,
    BetReturned,
    BettingClosed,
    CardText,
    Chips,
    DealBoard,
    MuckHand,
    Post,
    Posted,
    PotAwarded,
    Refusal,
    Seat,
    Source,
    StartHand,
    Street,
    TableHand,
)
from table_core.rulebook import Rulebook


class ScriptError(Exception):
    """A script asks for what cannot be played; which hand, and why."""


class Observer:
    """Follows one hand of `script` on `felt`, and moves its chips. Unless it `gathers`, bets and pots are left to
    whoever gathers and pushes them."""

    def __init__(
        self,
        script: HandScript,
        rulebook: Rulebook,
        *,
        smallest_chip: Chips,
        felt: PhysicalFelt | None = None,
        gathers: bool = True,
    ) -> None:
        self.hand = Hand(rulebook, smallest_chip=smallest_chip)
        self.tabled: dict[Seat, tuple[CardText, ...]] = {}
        self._script = script
        self._awards: list[PotAwarded] = []
        self._felt = felt
        self._left = () if gathers else (BettingClosed, PotAwarded)
        self._push(
            StartHand(
                hand=script.hand,
                button=script.button,
                small_blind=script.small_blind,
                big_blind=script.big_blind,
                level=script.level,
                seats=tuple(entry for entry in script.seats if entry.stack > 0),
            )
        )

    # ---------------------------------------------------------------------------------- what is the case

    @property
    def to_act(self) -> Seat | None:
        return self.hand.to_act

    @property
    def betting_over(self) -> bool:
        """Nobody will act any more: what is left is board cards and the showdown."""
        return self.hand.betting_over

    @property
    def awaiting_board(self) -> bool:
        return self.hand.awaiting_board

    @property
    def at_showdown(self) -> bool:
        return self.hand.street is Street.SHOWDOWN

    @property
    def live_seats(self) -> tuple[Seat, ...]:
        return self.hand.live_seats

    @property
    def board(self) -> tuple[CardText, ...]:
        return self.hand.board

    @property
    def next_street(self) -> Street:
        """The street to be dealt next. Raise `ScriptError` after the river."""
        dealt = 0
        for street, count in BOARD_CARDS.items():
            if len(self.hand.board) == dealt:
                return street
            dealt += count
        raise ScriptError(f"hand {self._script.hand}: no street comes after the river")

    @property
    def stacks(self) -> dict[Seat, Chips]:
        return dict(self.hand.stacks)

    def course(self) -> Iterator[ScriptedAct]:
        """The acts of the script up to the showdown, each for the caller to `act`; boards are dealt between."""
        todo = list(self._script.acts)
        while not self.at_showdown and not self.hand.ended:
            if self.awaiting_board:
                self.deal_board(self._script.street_cards(self.next_street)[1])
            else:
                yield todo.pop(0)

    # ------------------------------------------------------------------------------------ what happens

    def act(self, act: ScriptedAct) -> None:
        self._push(Act(act.seat, act.action, act.to))

    def deal_board(self, cards: tuple[CardText, ...]) -> None:
        self._push(DealBoard(cards, (Source.CAMERA,)))

    def table_hand(self, seat: Seat, cards: tuple[CardText, ...]) -> None:
        self.tabled[seat] = cards
        self._push(TableHand(seat, cards, (Source.CAMERA,)))

    def muck_hand(self, seat: Seat) -> None:
        self._push(MuckHand(seat))

    def award(self) -> None:
        """Award what cards have decided; nothing to do when the last bet ended the hand."""
        if not self.hand.ended:
            self._push(AwardPots())

    def winner_groups(self) -> list[tuple[Seat, ...]]:
        """Who won, the best hand first: the winners of the main pot, then of what these could not win."""
        groups: list[tuple[Seat, ...]] = []
        for award in sorted(self._awards, key=lambda award: award.no):
            named = {seat for group in groups for seat in group}
            if not named & set(award.eligible):
                groups.append(tuple([share.seat for share in award.shares]))
        return groups

    def passive_act(self) -> ScriptedAct:
        """The seat to act checks, or folds to a bet. Raise `ScriptError` where nobody is to act."""
        legal = self.hand.legal()
        if legal is None:
            raise ScriptError(f"hand {self._script.hand}: nobody is to act")
        return ScriptedAct(legal.seat, Action.CHECK if legal.can_check else Action.FOLD)

    def _push(self, command: AnyHandCommand) -> None:
        answer = self.hand.push(command)
        if isinstance(answer, Refusal):
            what = type(command).__name__
            raise ScriptError(f"hand {self._script.hand}: {what} cannot be played: {answer.reason}")
        self._awards += [event for event in answer if isinstance(event, PotAwarded)]
        if self._felt is not None:
            _move_chips(self._felt, [event for event in answer if not isinstance(event, self._left)])


def _move_chips(felt: PhysicalFelt, events: Iterable[AnyEvent]) -> None:
    """Do on the felt what `events` say happened to chips and folded cards."""
    for event in events:
        match event:
            case Posted(what=Post.ANTE | Post.BIG_BLIND_ANTE):
                felt.ante(event.seat, event.amount)
            case Posted():
                felt.put_in(event.seat, event.amount)
            case Acted(action=Action.FOLD):
                felt.throw_away(event.seat)
            case Acted():
                felt.put_in(event.seat, event.added)
            case BetReturned():
                felt.take_back(event.seat, event.amount)
            case BettingClosed():
                felt.gather()
            case PotAwarded():
                felt.push(event.shares)
            case _:
                pass
