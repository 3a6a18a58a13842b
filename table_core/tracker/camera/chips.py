"""Chips that the camera sees: hints of the next action, and a check of keyed actions. They raise no incident.

Only readings that count chips (`pieces`) are used: a value alone may be a guess.
"""

from __future__ import annotations

from table_core.hand.declarations import act_of, acting_seat
from table_core.messages import (
    Act,
    Acted,
    Action,
    BettingClosed,
    Chips,
    DeviceState,
    Hint,
    Legal,
    Millis,
    Refusal,
    Refused,
    Seat,
    Source,
    Street,
    ZoneSeen,
)
from table_core.parameters import SilentChips
from table_core.projections.words import chips as in_words
from table_core.rulings.cites import cited_here, speaks
from table_core.tracker import waits
from table_core.tracker.camera.seat_cards import folded_with_cards_gone
from table_core.tracker.dealing.deal import say_once
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.memory.timers import Check
from table_core.tracker.ruling.opening import notice_incident
from table_core.tracker.state import TrackerState, covered
from table_core.tracker.unit_of_work import UnitOfWork

DIFFER = "chips_differ"  # a notice
_ODD = "Seat {}: chips that are not of this tournament"
_WAGERS = (Action.BET, Action.RAISE)
_SEVERAL = 2  # motions


def seen_in_bet_zone(unit: UnitOfWork, state: TrackerState, seat: Seat, seen: ZoneSeen, now: Millis) -> None:
    """Take a reading of a seat's bet zone."""
    state.arrivals.read(seat, seen)
    if seen.pieces is None and not seen.odd:
        state.bets.uncounted(seat)
        return
    hand = unit.table.hand
    seen = covered(seen)  # cards among chips are not stored
    state.bets.read(seat, seen, max(hand.bets.values(), default=Chips(0)) if hand is not None else Chips(0))
    _say_odd(unit, state, seat, seen)
    state.timers.start(Check.BET, now + waits.CHIPS_DIFFER_MS, seat)


def seen_in_stack_zone(unit: UnitOfWork, state: TrackerState, seat: Seat, seen: ZoneSeen) -> None:
    """Take a reading of a seat's stack: an all-in leaves no tournament chips in it."""
    hand, book = unit.table.hand, unit.table.rulebook.id
    if seen.odd == "unknown":
        rule = cited_here(book, "only_tournament_chips")
        say_once(unit, state, "odd_chips", _ODD.format(seat), seat, rule=rule)
    behind = hand is not None and not hand.ended and seat in hand.all_in and bool(seen.pieces)
    if hand is not None and behind and (seen.chips is None or seen.chips > hand.stacks[seat]):
        rule = cited_here(book, "all_in_every_chip")
        text = f"Seat {seat} is all-in, but chips still lie behind"
        say_once(unit, state, "chips_behind", text, seat, rule=rule)


def follow_street(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """Ignore chips of the last street until they have been gathered."""
    hand = unit.table.hand
    street = "" if hand is None or hand.ended else f"{hand.number}/{hand.street}"
    if state.bets.follow_street(street, now, first=hand is not None and hand.street is Street.PREFLOP):
        state.arrivals.new_street()


def predicted(unit: UnitOfWork, state: TrackerState) -> tuple[Act, str] | None:
    """The actions that the chips show from the seat to act on: the first one, and all of them as text. None for
    none."""
    acts = line(unit, state)
    if not acts:
        return None
    first, *rest = acts
    words = "; ".join([first[1], *(f"seat {act.seat}: {text}" for act, text in rest)])
    return first[0], words + _hint(unit, state, acts[-1][0])


def _hint(unit: UnitOfWork, state: TrackerState, last: Act) -> str:
    """A hint how the chips of the last of these actions came, where the table shows such hints.

    It is on the dealer screen only and raises no incident; a person may.
    """
    steps = state.bets.motions.get(last.seat, ())[-state.arrivals.motions_to_come(last.seat) :]
    if state.arrivals.motions_to_come(last.seat) < _SEVERAL or len(steps) < _SEVERAL:
        return ""
    came = f", {len(steps)} motions ({in_words(steps[0])}, then {in_words(steps[-1])})"
    if Hint.STRING_BETS in unit.table.hints and last.action in _WAGERS:
        return f"{came}, a string bet"
    return came if Hint.MOTIONS in unit.table.hints else ""


def line(unit: UnitOfWork, state: TrackerState) -> list[tuple[Act, str]]:
    """The actions that cards and chips show, in order, up to the first bet or raise.

    With chips in front of a later seat, seats before it that could check have checked.
    """
    hand = unit.table.hand
    if hand is None or unit.table.devices.get("camera") is not DeviceState.OK:
        return []
    acts: list[tuple[Act, str]] = []
    street = hand.street
    with hand.trial():
        while (legal := hand.legal()) is not None and hand.street is street:
            guess = of_seat(unit, state, legal.seat) or _passed(unit, state, legal)
            if guess is None or isinstance(hand.push(guess[0]), Refusal):
                break
            acts.append(guess)
            if guess[0].action in _WAGERS:
                break
    while acts and acts[-1][0].action in (Action.CHECK, Action.FOLD):
        acts.pop()  # no later evidence confirms them
    return acts


def _passed(unit: UnitOfWork, state: TrackerState, legal: Legal) -> tuple[Act, str] | None:
    """The seat to act put nothing in, and a later seat did: it folded if its cards are gone, else it checked."""
    if folded_with_cards_gone(unit, state, legal.seat):
        return Act(legal.seat, Action.FOLD, source=Source.CAMERA), "fold"
    hand = unit.table.hand
    assert hand is not None
    if legal.can_check and _not_on_the_books(unit, state):
        return Act(legal.seat, Action.CHECK, source=Source.CAMERA), "check"
    return None


def of_seat(unit: UnitOfWork, state: TrackerState, seat: Seat) -> tuple[Act, str] | None:
    """The action of the seat to act that its chips show, as text; None for none."""
    hand = unit.table.hand
    legal = hand.legal() if hand is not None else None
    if hand is None or legal is None or legal.seat != seat:
        return None
    if unit.table.devices.get("camera") is not DeviceState.OK:
        return None
    came, book = _not_on_the_books(unit, state), unit.table.rulebook
    seen = next((one for one in came if one.zone.seat == seat), None)
    if seen is None or (legal.can_check and came[0].zone.seat != seat):
        return None  # chips that came after another player's are for a later turn
    bounty = book.policies.bounty_chip_is_all_in
    if seen.odd == "bounty" and bounty is not None and bounty.value:
        action = Action.RAISE if any(hand.bets.values()) else Action.BET
        return Act(seat, action if legal.max_to else Action.CALL, source=Source.CAMERA), "all-in"
    added = int(seen.chips or 0) - hand.bets[seat]
    if added <= 0:
        return None
    single = seen.pieces == 1 or (seen.pieces == 2 and hand.bets[seat] > 0 and seen.motions <= 1)
    act = act_of(acting_seat(hand), book, [added] if single else [added - 1, 1])
    return Act(act.seat, act.action, act.to, Source.CAMERA), _words(act, legal.call or Chips(0), added)


def came_behind(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether a later seat's chips lie there without a recorded action: earlier seats have acted."""
    return unit.table.devices.get("camera") is DeviceState.OK and bool(_not_on_the_books(unit, state))


def _not_on_the_books(unit: UnitOfWork, state: TrackerState) -> list[ZoneSeen]:
    """Chips of live seats that came on this street without a recorded action, in order."""
    hand = unit.table.hand
    if hand is None:
        return []
    live = [one for one in state.bets.came if one.zone.seat in hand.live_seats and (one.pieces or one.odd)]
    return [one for one in live if (one.chips or 0) > hand.bets[one.zone.of_seat] or one.odd == "bounty"]


def ask_for_declaration(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """Where only declarations count (home.suggest.2), ask what a player said whose chips came without a key."""
    book = unit.table.rulebook
    guess = predicted(unit, state)
    if guess is None or guess[0].action not in (Action.CALL, Action.BET, Action.RAISE):
        return
    words_only = book.rules.silent_chips.value is SilentChips.CALL
    if words_only and speaks(book.id, "declaration"):
        incident = OpenIncident("declared", guess[0].seat, cause=state.thinking.decision, opened_at=now)
        notice_incident(unit, state, incident)


def check_chips(unit: UnitOfWork, state: TrackerState, seat: Seat) -> None:
    """Compare chips with the keyed actions, some seconds after either."""
    hand, seen = unit.table.hand, state.bets.readings.get(seat)
    if hand is None or hand.ended or seen is None or seen.chips is None or seat not in hand.bets:
        return
    if seat in state.bets.stale:
        return
    legal, keyed = hand.legal(), hand.bets[seat]
    _say_swept(unit, state, seat)
    if not _was_keyed(unit, seat) or any(one.seat == seat for one in state.rulings.open):
        return  # or it is to be ruled on already
    waiting = legal is not None and legal.seat == seat
    if not keyed or seen.chips == keyed or waiting or hand.awaiting_board or not seen.chips:
        return
    if seat in hand.all_in and 0 < seen.chips - keyed <= hand.stacks[seat]:
        return  # chips that do not play were pushed in with the others
    later = seen.at - state.arrivals.acted_at.get(seat, seen.at) > waits.CHIPS_DIFFER_MS
    if seen.chips > keyed and (later or _acts_again(unit, seat) or line(unit, state)):
        return  # an action that nobody has keyed or confirmed yet
    _say_differ(unit, state, seat, seen.chips, keyed)


def check_closing_call(unit: UnitOfWork, state: TrackerState, now: Millis) -> None:
    """The betting has just closed with a keyed call, and fewer chips have lain there for a while: nobody compares
    them later."""
    log = unit.table.hand_log
    closed = bool(log) and isinstance(log[-1].event, BettingClosed) and log[-1].cause == unit.cause
    act = next((one.event for one in reversed(log) if isinstance(one.event, Acted)), None) if closed else None
    if act is None or act.action is not Action.CALL or act.all_in or not _was_keyed(unit, act.seat):
        return
    seen = state.bets.readings.get(act.seat)
    if seen is None or not seen.chips or act.seat in state.bets.stale or now - seen.at < waits.CHIPS_DIFFER_MS:
        return
    if not act.to - act.added < seen.chips < act.to:
        return  # or nothing of this call has come yet
    _say_differ(unit, state, act.seat, seen.chips, act.to)


def _say_differ(unit: UnitOfWork, state: TrackerState, seat: Seat, seen: Chips, keyed: Chips) -> None:
    text = f"Seat {seat}: {in_words(seen)} lie there, {in_words(keyed)} were keyed"
    rule = cited_here(unit.table.rulebook.id, "chips_checked")
    say_once(unit, state, DIFFER, text, seat, detail=str(keyed), rule=rule)


def _was_keyed(unit: UnitOfWork, seat: Seat) -> bool:
    """Whether a person keyed the seat's last action; a filled-in one is nobody's."""
    acts = unit.table.acts()
    last = next((act for act in reversed(acts) if act.seat == seat), None)
    return last is not None and last.source in (Source.KEY, Source.SCREEN)


def _acts_again(unit: UnitOfWork, seat: Seat) -> bool:
    """Whether the seat is still to act again on this street."""
    hand = unit.table.hand
    return hand is not None and bool(hand.state.pending >> hand.state.ring.index[seat] & 1)


def check_blinds(unit: UnitOfWork, state: TrackerState) -> None:
    """Report blinds that the camera sees short or missing, after a delay for the last ones to come."""
    hand = unit.table.hand
    if hand is None or hand.street is not Street.PREFLOP or unit.table.devices.get("camera") is not DeviceState.OK:
        return
    rule = cited_here(unit.table.rulebook.id, "blinds_checked")
    # At other seats no reading means that the camera has not looked yet.
    own = speaks(unit.table.rulebook.id, "blinds_checked")
    acted = {act.seat for act in unit.table.acts()}
    for seat, due in hand.bets.items():
        seen = state.bets.readings.get(seat)
        if not due or seat in acted or seen is None or seen.at < state.bets.street_since:
            continue  # chips from before this hand are no evidence of its blinds
        if (seen.chips or 0) < due and (seen.chips or own):
            text = f"Seat {seat}: blind of {in_words(due)} due, {in_words(seen.chips or 0)} lie there"
            say_once(unit, state, "blind_short", text, seat, rule=rule)


def _words(act: Act, call: Chips, added: int) -> str:
    if act.action in (Action.BET, Action.RAISE):
        return f"{act.action} {'to ' if act.action is Action.RAISE else ''}{in_words(act.to or 0)}"
    change = f", change {in_words(added - call)}" if added > call else ""
    return f"{act.action} {in_words(call)}{change}" if call else str(act.action)


def _say_odd(unit: UnitOfWork, state: TrackerState, seat: Seat, seen: ZoneSeen) -> None:
    if seen.odd == "unknown":
        rule = cited_here(unit.table.rulebook.id, "only_tournament_chips")
        say_once(unit, state, "odd_chips", _ODD.format(seat), seat, rule=rule)


def _say_swept(unit: UnitOfWork, state: TrackerState, seat: Seat) -> None:
    """Report bets that were gathered. Bets stay in front until the round is over; where every bet has been
    gathered, keys are missing."""
    hand = unit.table.hand
    there = state.bets.readings.get(seat)
    swept = there is not None and not there.chips and any(one.zone.seat == seat for one in state.bets.came)
    if hand is None or hand.legal() is None or not hand.bets.get(seat) or not swept:
        return
    others = [other for other in hand.live_seats if other != seat]
    others_lie = any(lies.chips for other in others if (lies := state.bets.readings.get(other)) is not None)
    others_lie = others_lie or any(state.arrivals.something_lies(other) for other in others)
    alone = all(other not in state.bets.readings for other in others)  # the camera sees chips of nobody else
    if others_lie or alone:
        text = f"Bet of seat {seat} swept before the round is over; {in_words(hand.bets[seat])} stand"
        say_once(unit, state, "bet_swept", text, seat, rule=cited_here(unit.table.rulebook.id, "bets_stay"))


def take_prediction(unit: UnitOfWork, state: TrackerState) -> bool:
    """Take, by one press, the actions that the chips show; whether there were any."""
    acts = line(unit, state)
    for act, _ in acts:
        refusal = unit.push(act)
        if refusal is not None:
            unit.record(Refused(refusal.reason, refusal.rule))
            break
    return bool(acts)
