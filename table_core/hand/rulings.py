"""Rulings in the middle of a hand: absent players, dead hands, corrected bets, misdeals."""

from __future__ import annotations

from table_core.hand import absence, opening
from table_core.hand.engine import Answer, Engine
from table_core.hand.showdown import award_alone
from table_core.hand.state import NOT_YET
from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    AwaySet,
    BetCorrected,
    BoardDealt,
    CallMisdeal,
    Chips,
    CloseDeal,
    CorrectBet,
    DealClosed,
    DutiesSet,
    HandKilled,
    HandRetrieved,
    HandStarted,
    KillHand,
    Misdealt,
    Post,
    Refusal,
    RetrieveHand,
    Seat,
    SetAway,
    SetDuties,
    Share,
    Source,
    Street,
)
from table_core.parameters import CorrectUntil, MuckRetrieval
from table_core.rulebook import Rulebook


def set_away(hand: Engine, command: SetAway) -> Answer:
    if not hand.state.under_way or command.seat not in hand.seats:
        return hand.refuse(hand.gone(command.seat) or "", hand.rulebook.rules.presence.rule)
    state, index = hand.state, hand.state.ring.index[command.seat]
    events = hand.begin(AwaySet(command.seat, command.away, command.source, command.no_cards))
    leaving = hand.rulebook.policies.leaving_kills_hand
    if command.away and state.dealt and leaving is not None and absence.leaving_kills(state):
        hand.drop_absent(1 << index & state.live, events, leaving.rule)
    elif not command.away and state.dealt and absence.is_too_late(state, index):
        hand.drop_absent(1 << index & state.live, events)
    hand.go_on(events)
    return _settled(hand, events)


def close_deal(hand: Engine, command: CloseDeal) -> Answer:
    """Every hand is complete: those of absent players die now where the book says so (wfp.procedures.8)."""
    state = hand.state
    if state.dealt:
        return hand.refuse("No deal is going on.", hand.rulebook.cites.dealing)
    events = hand.begin(DealClosed())
    hand.drop_absent(absence.dies_with_deal(state), events)
    if state.closed:
        hand.drop_absent(absence.dies_without_turn(state), events)
    hand.go_on(events)
    return _settled(hand, events)


def _settled(hand: Engine, events: list[AnyEvent]) -> Answer:
    """The step's events. Between two rounds the last hand left has the pots."""
    state = hand.state
    if state.closed and state.settling and state.under_way:
        hand.finish(award_alone(state, hand.smallest_chip), events)
    return tuple(events)


def kill_hand(hand: Engine, command: KillHand) -> Answer:
    """A dead hand's chips stay in the pot, which the last hand left has also between two rounds."""
    cites, state = hand.rulebook.cites, hand.state
    gone = hand.gone(command.seat)
    if gone:
        return hand.refuse(gone, cites.dead_hand)
    if state.alone:
        return hand.refuse(f"Seat {command.seat} has the last hand and wins the pot.", cites.pot_award)
    source = Source.DIRECTOR if command.source is Source.ENGINE else command.source
    events = hand.begin(HandKilled(command.seat, command.why, command.rule or cites.dead_hand, source))
    hand.go_on(events)
    return _settled(hand, events)


def set_duties(hand: Engine, command: SetDuties) -> Answer:
    """What a ruling has the seat owe at its next turn, which may be now."""
    gone = hand.gone(command.seat)
    if gone:
        return hand.refuse(gone, hand.rulebook.cites.action_in_turn)
    return hand.step(DutiesSet(command.seat, command.duties))


def retrieve_hand(hand: Engine, command: RetrieveHand) -> Answer:
    """A mucked hand comes back only by the director, where the book allows it at all."""
    rule = hand.rulebook.rules.muck_retrieval
    wrong = not_retrievable(hand, command)
    if wrong:
        return hand.refuse(wrong, rule.rule)
    if rule.value is MuckRetrieval.NEVER:
        return hand.refuse("A mucked hand stays dead.", rule.rule)
    if command.source is not Source.DIRECTOR:
        return hand.refuse("Only the director can give a mucked hand back.", rule.rule)
    return hand.step(retrieved(hand, command))


def retrieved(hand: Engine, command: RetrieveHand, flag: str = "") -> HandRetrieved:
    """The event: the seat must act again where it owes chips, or has not acted on this street but for its fold."""
    state = hand.state
    index = state.ring.index[command.seat]
    owes = state.bets[index] < state.high or state.faced[index] == NOT_YET
    acts = not state.closed and state.plays(index) > 0 and (owes or _folded_on_this_street(hand, command.seat))
    return HandRetrieved(command.seat, command.source, flag, acts)


def _folded_on_this_street(hand: Engine, seat: Seat) -> bool:
    for event in hand.journal.newest_first():
        if isinstance(event, BoardDealt):
            return False
        if isinstance(event, Acted) and event.seat == seat:
            return event.action is Action.FOLD
    return False


def not_retrievable(hand: Engine, command: RetrieveHand) -> str | None:
    """Why there is no hand to give back, whatever the rules say."""
    if not hand.state.under_way or command.seat not in hand.seats:
        return hand.gone(command.seat) or "No hand is being played."
    if command.seat in hand.live_seats:
        return f"Seat {command.seat} has a live hand."
    return None


def correct_bet(hand: Engine, command: CorrectBet) -> Answer:
    """Bring a wager of too little up to size: a bet in its round, a call as long as the book says."""
    state, cites, seat = hand.state, hand.rulebook.cites, command.seat
    gone = hand.gone(seat)
    if gone:
        return hand.refuse(gone, cites.undersized_bet)
    index = state.ring.index[seat]
    if command.short:
        return _found_short(hand, command, index)
    if index in state.short or index in state.owed:
        return _correct_call(hand, command, index)
    of_full_size = state.high <= state.full_high
    if of_full_size or state.aggressor != index or not state.able >> index & 1 or state.closed:
        words = f"Nothing to correct for seat {seat}, what is in the pot stands."
        return hand.refuse(words, cites.undersized_bet)
    to = min(state.full_high + state.full_raise, state.bets[index] + state.plays(index))
    return hand.step(BetCorrected(seat, Chips(to - state.bets[index]), Chips(to), command.source))


def _found_short(hand: Engine, command: CorrectBet, index: int) -> Answer:
    """`command.short` chips of a call never went in: on this street, or from the main pot."""
    state, rule = hand.state, hand.rulebook.cites.undersized_bet
    bet, short = state.bets[index], command.short
    if not state.able >> index & 1 or (bet and bet > max(state.bets[:index] + state.bets[index + 1 :])):
        return hand.refuse(f"Seat {command.seat} has made no call that can be short.", rule)
    if not 0 < short <= (bet or state.paid[index] - state.owed.get(index, 0)):
        return hand.refuse(f"Seat {command.seat} has not put in {short:,}.", rule)
    return hand.step(BetCorrected(command.seat, Chips(0), Chips(max(bet - short, 0)), command.source, short))


def _correct_call(hand: Engine, command: CorrectBet, index: int) -> Answer:
    state, rule = hand.state, hand.rulebook.rules.short_call_corrected_until
    in_round = index in state.short
    if not in_round and rule.value is CorrectUntil.ROUND_ENDS:
        return hand.refuse("The round is over: the call stands as it is.", rule.rule)
    added = min(state.short[index] if in_round else state.owed[index], state.stacks[index])
    to = state.bets[index] + added if in_round else state.bets[index]  # else it goes to the main pot
    return hand.step(BetCorrected(command.seat, Chips(added), Chips(to), command.source))


def call_misdeal(hand: Engine, command: CallMisdeal) -> Answer:
    """The deal is void and chips go back, unless play has gone too far (ccp.misdeals.1)."""
    refusal = misdeal_too_late(hand)
    return refusal or misdeal(hand, command)


def misdeal(hand: Engine, command: CallMisdeal, flag: str = "") -> Answer:
    """Give everyone back what they put in and end the hand; chips carried into it are carried on."""
    state, started = hand.state, hand.state.start
    assert isinstance(started, HandStarted)
    back = {
        seat: state.stacks[index] + state.paid[index] - state.owed.get(index, 0)
        for seat, index in state.ring.index.items()
    }
    for post in opening.posts(hand.rulebook, started, state.ring.seats):
        if post.what is Post.BIG_BLIND_ANTE or post.dead:
            back[post.seat] += post.amount
    stacks = tuple([Share(seat, Chips(back[seat])) for seat in sorted(back)])
    events = hand.begin(Misdealt(hand.number, command.why, stacks, command.source, flag))
    hand.end(events, started.carried)
    return tuple(events)


def misdeal_too_late(hand: Engine) -> Refusal | None:
    """Why no misdeal can be called now; None while it can. Action is what players did, not blinds or antes."""
    state, rules = hand.state, hand.rulebook.rules
    if not state.under_way or not isinstance(state.start, HandStarted):
        return hand.refuse("No deal to call back.", hand.rulebook.cites.misdeal)
    over = state.street is not Street.PREFLOP or state.closed
    if over or too_late(hand.rulebook, *acted_preflop(hand)):
        return hand.refuse("Too late for a misdeal: the hand is played out.", rules.misdeal_deadline_actions.rule)
    return None


def too_late(rulebook: Rulebook, players: int, wagers: int) -> bool:
    """Whether so many players have acted, so many of them with chips, that the book has no misdeal any more."""
    most, most_wagers = rulebook.rules.misdeal_deadline_actions, rulebook.rules.misdeal_deadline_wagers
    return bool(most.value and players >= most.value) or bool(most_wagers.value and wagers >= most_wagers.value)


def acted_preflop(hand: Engine) -> tuple[int, int]:
    """How many players have acted before the flop, and how many of them with chips."""
    state, started = hand.state, hand.state.start
    if not isinstance(started, HandStarted):
        return 0, 0
    players = [index for index, faced in enumerate(state.faced) if faced != NOT_YET]
    posted = [0] * len(state.bets)
    for post in opening.posts(state.rulebook, started, state.ring.seats):
        if post.what is not Post.ANTE and post.what is not Post.BIG_BLIND_ANTE and not post.dead:
            posted[state.ring.index[post.seat]] += post.amount
    return len(players), sum([state.bets[index] > posted[index] for index in players])
