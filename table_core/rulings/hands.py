"""Hands that die, live, or come back: discards, the muck, cards into another hand, dropped cards."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from table_core.hand import absence
from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    BoardDealt,
    CallMisdeal,
    HandKilled,
    HandMucked,
    HandRetrieved,
    HandTabled,
    KillHand,
    Report,
    RetrieveHand,
    Seat,
    SetAway,
    Source,
)
from table_core.parameters import MuckRetrieval, Presence
from table_core.projections.table_state import Logged
from table_core.projections.words import acted
from table_core.rulings.acts_again import acts_again, in_its_place, put_back, without
from table_core.rulings.case import Case, Option, Push, Step, TakeBack
from table_core.rulings.register import Group, incident
from table_core.rulings.showdown import award_taken_back


def _dead(case: Case, why: str, rule: str, seat: Seat | None = None) -> tuple[Step, ...]:
    return (Push(KillHand(seat or case.the_seat, why, rule)),)


def _killed(case: Case, why: str, key: str) -> Option:
    """The hand is dead and its chips stay in the pot; where a fold was keyed for it, it is dead already."""
    rule = case.cite(key)
    if case.in_hand and case.seat not in case.hand.live_seats and _fold(case) is not None:
        return Option("dead", f"Seat {case.seat}: dead hand, {why}; its fold stands", rule)
    return Option("dead", f"Seat {case.seat}: dead hand, {why}", rule, _dead(case, why, rule))


def _stands(case: Case, why: str, rule: str) -> Option:
    """The hand is live; a fold of this street that was keyed for it goes back."""
    text, folded = f"Seat {case.seat} keeps its hand: {why}", _fold(case)
    if not case.in_hand or case.seat in case.hand.live_seats:
        return Option("live", text, rule)
    if folded is None:
        return Option("live", text, rule, (Push(RetrieveHand(case.the_seat)),))
    return Option("live", f"{text}; its fold goes back", rule, without(case, folded))


def _fold(case: Case) -> Logged | None:
    """The fold of the seat on this street, while no later street is out."""
    last = case.last_act(case.the_seat)
    return last[0] if last is not None and last[1].action is Action.FOLD and not case.street_over else None


@incident("forward_discard", 51, "Thrown forward", Group.HANDS, needs_seat=True)
def forward_discard(case: Case) -> Iterator[Option]:
    """A discard forward is a fold; in some books only when it made another player act. Facing a bet a throw that
    was keyed as a fold is one."""
    needs = case.policy("forward_discard_needs_next_action")
    why = "thrown forward, and another player acted" if needs else "thrown forward"
    dead = _killed(case, why, "forward_discard")
    live = _stands(case, "nobody acted on it", case.rule("forward_discard_needs_next_action"))
    folded = _fold(case)
    then = case.hand if folded is None else case.as_of(folded.seq - 1)
    faced = then.to_call(case.the_seat)
    never = case.book.rules.muck_retrieval.value is MuckRetrieval.NEVER
    last = case.last_act(case.the_seat)
    acted_on = last is not None and case.acted_since(last[0])
    if needs is False or (folded is not None and faced and never):
        yield dead
    else:
        yield from (dead, live) if faced or acted_on or not needs else (live, dead)


@incident("muck_contact", 52, "Touched the muck", Group.HANDS, needs_seat=True)
def muck_contact(case: Case) -> Iterator[Option]:
    """Always dead in some books; in others a clearly identifiable hand may be ruled live."""
    yield _killed(case, "the cards touched the muck", "muck_contact")
    if not case.policy("muck_contact_kills"):
        yield _stands(case, "clearly identifiable", case.rule("muck_contact_kills"))


@incident("retrieve", 53, "Give a mucked hand back", Group.HANDS, needs_seat=True, after_hand=True)
def retrieve(case: Case) -> Iterator[Option]:
    """A mucked hand is dead. Where the book lets anyone give it back it is the director (and most readily after
    wrong information), so a bare press never does. Where giving it up ended the deal, the award goes back with it,
    until the next first riffle."""
    rule = case.rule("muck_retrieval")
    yield Option("dead", f"Seat {case.seat}: the mucked hand stays dead", rule)
    if case.book.rules.muck_retrieval.value is not MuckRetrieval.NEVER:
        text = f"The director gives seat {case.seat} its hand back"
        yield Option("live", text, rule, _given_back(case))


def _given_back(case: Case) -> tuple[Step, ...]:
    """The hand is live again, and the seat acts where it owes an action. Where the betting is over and no card has
    come since, it is as before the act that ended it, and that act is put back."""
    retrieve, ending = RetrieveHand(case.the_seat), _act_that_ended_the_betting(case)
    if ending is not None and _kills(ending.event, case.the_seat):
        return (TakeBack(ending.seq),)
    if ending is not None:
        answer = case.as_of(ending.seq - 1).push(retrieve)
        if isinstance(answer, tuple) and isinstance(answer[0], HandRetrieved) and answer[0].acts:
            return (TakeBack(ending.seq), Push(retrieve), *put_back(case, ending.seq))
    return (*(() if case.in_hand else award_taken_back(case)), Push(retrieve))


def _act_that_ended_the_betting(case: Case) -> Logged | None:
    """None while somebody is to act, and where the hand has gone on since."""
    for logged in reversed(() if case.betting_open else case.table.hand_log):
        event = logged.event
        if isinstance(event, BoardDealt | HandTabled | HandMucked | HandRetrieved):
            return None
        if isinstance(event, Acted) or (isinstance(event, HandKilled) and event.source is not Source.ENGINE):
            return logged
    return None


def _kills(event: AnyEvent, seat: Seat) -> bool:
    if isinstance(event, Acted):
        return event.seat == seat and event.action is Action.FOLD
    return isinstance(event, HandKilled) and event.seat == seat


@incident("into_other_hand", 54, "Thrown into another hand", Group.HANDS, needs_seat=True, number_is_seat=True)
def into_other_hand(case: Case) -> Iterator[Option]:
    """`seat` threw; `amount` is the seat whose hand was hit."""
    rule, why = case.cite("into_other_hand"), "thrown into another hand"
    thrown = case.seat in case.hand.live_seats  # else keyed as a fold already
    steps = _dead(case, why, rule) if thrown else ()
    if not case.policy("cards_into_other_hand_kill_both"):
        yield Option("dead", f"Seat {case.seat}: dead hand; the other hand lives", rule, steps)
        return
    hit = Seat(case.amount) if case.amount else None
    if hit is None or hit == case.seat or hit not in case.hand.seats:
        asks = "Whose hand was hit? Its seat, COUNT"
        yield Option("both_dead", f"Seat {case.seat} and the hand it hit: both hands are dead", rule, asks=asks)
        return
    words = f"Seats {case.seat} and {hit}: both hands are dead"
    if set(case.hand.live_seats) <= {case.seat, hit}:
        yield from _nobody_left(case, hit, words, rule, steps)
    else:
        steps += _dead(case, "fouled by another hand", rule, hit)
        yield Option("both_dead", words, rule, steps)


def _nobody_left(case: Case, hit: Seat, words: str, rule: str, steps: tuple[Step, ...]) -> Iterator[Option]:
    """The last two hands are dead, and the book does not say whose the pot is."""
    yield Option("both_dead", f"{words}; the pot goes to seat {hit}, whose hand was hit", rule, steps)
    back = Push(Report(CallMisdeal("both hands are dead", Source.DIRECTOR)))
    yield Option("chips_back", f"{words}; everyone takes their chips back", case.cite("fairness"), (back,))


@incident("flipped", 55, "Turned over by another player", Group.HANDS, needs_seat=True, after_hand=True)
def flipped(case: Case) -> Iterator[Option]:
    """On purpose it kills the hand in some books: until the next first riffle also one that was paid already."""
    if case.policy("flipped_by_other_kills"):
        dead = _killed(case, "turned over by another player on purpose", "flipped")
        if not case.in_hand:
            dead = replace(dead, steps=(*award_taken_back(case), *dead.steps))
        yield dead
        yield _stands(case, "not on purpose, or by the dealer", case.cite("flipped"))
    else:
        yield _stands(case, "turned over by another player", case.cite("fairness"))


@incident("unprotected", 56, "Killed by accident", Group.HANDS, needs_seat=True)
def unprotected(case: Case) -> Iterator[Option]:
    """Players protect their own hands: no redress, no refund. Where no mucked hand comes back, only one that was
    protected can live, and not where the book has no word on protection (cpp.misdeals.11)."""
    never = case.book.rules.muck_retrieval.value is MuckRetrieval.NEVER
    yield _killed(case, "not protected", "unprotected")
    if not never or case.own("unprotected"):
        why = "protected, and identifiable" if never else "identifiable"
        yield _stands(case, why, case.cite("unprotected"))


@incident("dropped", 57, "A card was dropped", Group.HANDS, needs_seat=True)
def dropped(case: Case) -> Iterator[Option]:
    """A dropped card plays, also where the book is silent: every book that speaks says so."""
    if case.policy("dropped_card_plays") is False:
        yield _killed(case, "a card was dropped", "dropped")
    else:
        yield _stands(case, "a dropped card plays", case.cite("dropped"))


def _not_dealt_in(case: Case) -> str:
    return "" if case.seat in case.hand.seats else f"seat {case.seat} was not dealt in"


@incident("left_table", 58, "Left the table", Group.HANDS, needs_seat=True, unfit=_not_dealt_in)
def left_table(case: Case) -> Iterator[Option]:
    """Leaving kills the hand at once in some books; in others it depends on who was there when
    (`table_core.hand.absence`), and where the book leaves it open a person decides."""
    if _not_dealt_in(case):
        return
    log = case.table.hand_log
    killed = next((one for one in log if isinstance(one.event, HandKilled) and one.event.seat == case.seat), None)
    if case.policy("leaving_kills_hand") and killed is not None:
        yield Option("dead", f"Seat {case.seat}: dead hand already", case.cite("left_table"))
        return
    if case.policy("leaving_kills_hand"):
        yield _killed(case, "the player left", "left_table")
        last = case.last_act(case.the_seat)
        if last is not None and last[1].added and not case.street_over:
            yield _acted_away(case, *last)
        return
    why, rule = "the player was absent", case.rule("presence")
    back = () if killed is None else _as_if_there(case, killed)
    live = Option("live", f"Seat {case.seat} keeps its hand: until the action comes to it", rule, back)
    steps = _dead(case, why, rule) if case.seat in case.hand.live_seats else ()
    dead = Option("dead", f"Seat {case.seat}: dead hand, {why}", rule, steps)
    hand = case.hand
    if absence.is_too_late(hand.state, hand.state.ring.index[case.the_seat]):
        yield dead
    elif case.seat in hand.all_in or not _was_absent(case):
        yield live
    elif case.seat in hand.live_seats:
        yield from (live, dead)
    elif case.book.rules.presence.value is Presence.ACTION and not case.has_acted(case.the_seat):
        yield dead
    else:
        yield from (dead, live)


def _as_if_there(case: Case, killed: Logged) -> tuple[Step, ...]:
    """The hand lives; where nobody has done anything since it died, it is the seat's turn again."""
    since = [one.event for one in case.table.hand_log if one.seq > killed.seq]
    if any(isinstance(event, Acted | BoardDealt | HandTabled | HandMucked) for event in since):
        return (Push(Report(RetrieveHand(case.the_seat))),)
    return TakeBack(killed.seq), Push(SetAway(case.the_seat, away=False))


def _was_absent(case: Case) -> bool:
    """Whether absence may have cost the hand: the player is away, or by some books was away for a part of the
    deal."""
    part = case.book.rules.presence.value in (Presence.WHILE_DEALT, Presence.OWN_TURN)
    return case.table.seats[case.the_seat].away or (
        part and case.seat in getattr(case.hand.state.start, "away", ())
    )


def _acted_away(case: Case, logged: Logged, act: Acted) -> Option:
    """The seat's last action was made from outside: it is none, and the hand is dead."""
    rule, why = case.cite("acted_away"), "acted from outside"
    steps = in_its_place(case, logged, KillHand(case.the_seat, why, rule))
    text = f"Seat {case.seat} {why}: its {acted(act)} goes back, dead hand{acts_again(case, logged, steps)}"
    return Option("acted_away", text, rule, steps)
