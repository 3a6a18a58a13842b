"""Commands to the hand engine, and its refusals."""

from __future__ import annotations

from table_core.messages.base import CardText, Chips, Few, Frozen, Message, Name, Number, Seat, Text
from table_core.messages.parts import Duty, Level, ResumedPot, ResumedSeat, SeatStack, Share
from table_core.messages.vocabulary import Action, Source, Street


class HandCommand(Message, frozen=True):
    """A command to the hand engine, which answers with events or with a `Refusal`."""


class StartHand(HandCommand, frozen=True, tag="start_hand"):
    """Begin a hand: posts antes and blinds at once. `small_blind` is None when it is dead this hand.

    With the moving button more seats may owe blinds: `extra_small_blinds` and `extra_big_blinds` post besides
    the two. `away` are dealt in and fold as the rulebook says. `carried` chips of the hand before (an odd chip,
    a forfeited deal) lie in the pot; of a forfeited deal only the seats in `carried_for` may play.
    """

    hand: Number
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    level: Level
    seats: Few[SeatStack]
    source: Source = Source.KEY
    extra_small_blinds: Few[Seat] = ()
    extra_big_blinds: Few[Seat] = ()
    away: Few[Seat] = ()
    carried: Chips = Chips(0)
    carried_for: Few[Seat] = ()


class Act(HandCommand, frozen=True, tag="act"):
    """A player acts. `to` is the total in front of the seat on this street after a bet, raise or call;
    None takes the obvious amount (call: what is to call; bet or raise: all-in)."""

    seat: Seat
    action: Action
    to: Chips | None = None
    source: Source = Source.KEY


class DealBoard(HandCommand, frozen=True, tag="deal_board"):
    """The cards of the next street, `"??"` for those nobody has read."""

    cards: Few[CardText]
    sources: Few[Source] = ()


class ReadBoard(HandCommand, frozen=True, tag="read_board"):
    """The whole board so far, to fill in cards that were `"??"` when their street was dealt."""

    cards: Few[CardText]
    sources: Few[Source] = ()


class TableHand(HandCommand, frozen=True, tag="table_hand"):
    seat: Seat
    cards: Few[CardText]
    sources: Few[Source] = ()


class MuckHand(HandCommand, frozen=True, tag="muck_hand"):
    seat: Seat
    source: Source = Source.KEY


class AwardPots(HandCommand, frozen=True, tag="award_pots"):
    """Award every pot: by tabled cards, or to `winners` (in equal shares) where the dealer says so.

    `then` are the winners of pots that nobody named before can win, group by group: after an all-in player the
    winner of the side pot.
    """

    winners: Few[Seat] = ()
    source: Source = Source.ENGINE
    then: Few[Few[Seat]] = ()


class SetAway(HandCommand, frozen=True, tag="set_away"):
    """A player leaves the table or comes back in the middle of a hand."""

    seat: Seat
    away: bool = True
    source: Source = Source.KEY
    no_cards: bool = False


class CloseDeal(HandCommand, frozen=True, tag="close_deal"):
    """The last hole card is out. Hands of absent players are folded now where the rulebook says so."""


class KillHand(HandCommand, frozen=True, tag="kill_hand"):
    """A ruling: this hand is dead, whoever is to act. `rule` is the rule's id; its chips stay in the pot."""

    seat: Seat
    why: Text
    rule: Name = ""
    source: Source = Source.DIRECTOR


class SetDuties(HandCommand, frozen=True, tag="set_duties"):
    """A ruling: what the seat owes at its next turn, instead of what it owed before. What it is bound to do is
    done when its turn comes, at once where it has come."""

    seat: Seat
    duties: Few[Duty] = ()


class RetrieveHand(HandCommand, frozen=True, tag="retrieve_hand"):
    """A ruling: a mucked hand goes back to its player."""

    seat: Seat
    source: Source = Source.DIRECTOR


class CorrectBet(HandCommand, frozen=True, tag="correct_bet"):
    """Bring a bet, raise or call that was too small up to size; or, where `short` chips of a recorded call never
    went in, record it as it was."""

    seat: Seat
    source: Source = Source.KEY
    short: Chips = Chips(0)


class CallMisdeal(HandCommand, frozen=True, tag="call_misdeal"):
    """The deal is void: everyone takes their chips back."""

    why: Text = ""
    source: Source = Source.DIRECTOR


class ChangeLevel(HandCommand, frozen=True, tag="change_level"):
    """The hand that has begun is played at another level, because it was not in play when that level came."""

    level: Level
    source: Source = Source.KEY


class ChopBlinds(HandCommand, frozen=True, tag="chop_blinds"):
    """Everyone else folded, and the blinds take their chips back."""

    source: Source = Source.KEY


class ExposeCard(HandCommand, frozen=True, tag="expose_card"):
    """A card is face up that should not be: everyone is told which. `to` is `seat-4`, `burn` or `stub`."""

    to: Name
    card: CardText
    sources: Few[Source] = ()


class ResumeHand(HandCommand, frozen=True, tag="resume_hand"):
    """*Resume from here* within a hand: what happened before was not observed.

    `seats` are those dealt in, `pots` what is in the middle (main pot first). `last_raise` is the size of the
    last full bet or raise of this street, None for the minimum bet.
    """

    hand: Number
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    level: Level
    street: Street
    board: Few[CardText]
    seats: Few[ResumedSeat]
    pots: Few[ResumedPot] = ()
    to_act: Seat | None = None
    last_raise: Chips | None = None
    source: Source = Source.DIRECTOR


class ResultOnly(HandCommand, frozen=True, tag="result_only"):
    """Closes a hand that nobody keyed: counted stacks by seat, and who shares what nobody counted."""

    winners: Few[Seat] = ()
    stacks: Few[Share] = ()
    source: Source = Source.KEY


AnyProposal = (
    StartHand
    | Act
    | DealBoard
    | ReadBoard
    | TableHand
    | MuckHand
    | AwardPots
    | SetAway
    | CloseDeal
    | KillHand
    | SetDuties
    | RetrieveHand
    | CorrectBet
    | CallMisdeal
    | ChangeLevel
    | ChopBlinds
    | ExposeCard
    | ResumeHand
    | ResultOnly
)


class Report(HandCommand, frozen=True, tag="report"):
    """The table did this: it is recorded whatever the rules say, with the rule that it breaks.

    `all_in`: the chips of the action are all that the player has, whatever the recorded stack says.
    """

    what: AnyProposal
    all_in: bool = False


AnyHandCommand = AnyProposal | Report


class Legal(Frozen, frozen=True):
    """What the seat to act may do; amounts are totals in front of the seat on this street."""

    seat: Seat
    can_check: bool
    call: Chips | None  # chips to add, None when there is nothing to call
    min_to: Chips | None  # smallest bet or raise, None when betting is closed to this seat
    max_to: Chips | None  # all-in


class Refusal(Frozen, frozen=True):
    """The reason why a command is refused: text for the dealer, the rule, and what is legal instead."""

    reason: Text
    rule: Name
    legal: Legal | None = None
