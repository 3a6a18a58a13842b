"""Guided rulings: an incident is opened by a device or a person, asked about, and ruled on by one press.

Publicly only *a ruling is being made* is known; the incident, the seat and the options stay on the table's own
screen until a person confirms one. Then `ruled` is public, and its consequences follow in the same commit.
"""

from __future__ import annotations

from collections.abc import Container

from msgspec.structs import replace

from table_core.hand.deal import to_seat
from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Action,
    CardText,
    Chips,
    DealCorrected,
    Millis,
    Noticed,
    OptionView,
    Refusal,
    Refused,
    ResumeHand,
    Rewound,
    Ruled,
    RulingView,
    Seat,
    Source,
)
from table_core.projections.words import chips, describe
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.case import Case, Correct, Option, Push, Record, Step, TakeBack, cited, taken_by_street
from table_core.rulings.offered import offered
from table_core.rulings.register import Incident, by_number
from table_core.tracker.asking import questions
from table_core.tracker.asking.questions import Question, ask, asked, busy
from table_core.tracker.camera.gone_cards import cards_are_gone
from table_core.tracker.dealing.deal import plan
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.notices import NoticeRecord
from table_core.tracker.memory.rulings import OpenIncident, OutOfTurn
from table_core.tracker.ruling.resuming import resume_hand
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

DISMISS = "dismiss"  # the director's way to say that there is nothing to rule
PUBLIC_TEXT = "A ruling is being made"


# ----------------------------------------------------------------------------------------------- opening


def open_incident(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> str | None:
    """Queue an incident for its question; the reason where it cannot be raised now."""
    incident = INCIDENTS[opened.incident]
    why = _not_now(unit, incident, opened)
    if why is not None:
        return why
    if state.rulings.like(opened) is not None:
        return None
    opened = _at_this_moment(unit, state, opened)
    why = incident.unfit(case_of(unit, state, opened))
    if why:
        return f"{incident.title}: {why}"
    options, why_none = offered(case_of(unit, state, opened), incident)
    if not options:
        return f"{incident.title}: {why_none}"
    state.rulings.raise_incident(opened)
    return None


def _at_this_moment(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> OpenIncident:
    """Add the action that the incident is about: the game goes on while it is open."""
    if not unit.table.in_hand:
        return opened
    case = case_of(unit, state, opened)
    last = None if opened.seat is None else case.last_act(opened.seat)
    return replace(opened, act=None if last is None else last[0].seq, on_board=len(case.hand.board))


def notice_incident(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> None:
    """Open what a device saw, once a hand; nothing where the book offers no option."""
    detail = f"{opened.incident} {opened.cause}"
    said = NoticeRecord("incident", opened.seat, detail, of_deal=opened.incident == "flop_overdeal")
    if state.notices.first_time(said):
        open_incident(unit, state, opened)


def pressed(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """`4 SEAT 51 FLOOR`: incident 51, about seat 4."""
    incident = by_number(press.number or 0)
    if incident is None:
        unit.record(Refused(f"No incident has the number {press.number}", "base.ruling"))
        return
    opened = OpenIncident(incident.key, press.seat, opened_at=now, by_person=True)
    refuse(unit, open_incident(unit, state, _with_what_was_seen(state, opened)), opened)


def refuse(unit: UnitOfWork, why: str | None, opened: OpenIncident) -> None:
    if why is not None:
        book = unit.table.rulebook.id
        rule = cited(book, "fairness")
        unit.record(Refused(why, rule if rule.startswith(f"{book}.") else "base.ruling"))
    elif busy(unit):
        questions.answer(unit, "A ruling first", Source.ENGINE)


def _with_what_was_seen(state: TrackerState, opened: OpenIncident) -> OpenIncident:
    """Add the card that lies face up at the seat, or the amount that was keyed for it out of turn."""
    out = state.rulings.last_out_of_turn(opened.seat)
    if opened.incident == "out_of_turn" and out is not None and out.number is not None:
        return replace(opened, amount=out.number)
    if opened.incident == "bet_size" and opened.amount is None:
        opened = replace(opened, amount=state.rulings.refused_to(opened.seat))
    seen = None if opened.seat is None else state.seat_cards.readings.get(opened.seat)
    if seen is not None and len(seen.cards) == 1 and not opened.card:
        return replace(opened, card=seen.cards[0])
    return opened


def _not_now(unit: UnitOfWork, incident: Incident, opened: OpenIncident) -> str | None:
    table = unit.table
    if incident.needs_seat and opened.seat is None:
        return f"{incident.title}: about which seat? Seat, SEAT, {incident.no}, FLOOR"
    if opened.seat is not None and opened.seat not in table.seats:
        return f"Nobody sits at seat {opened.seat}"
    if table.hand is None:
        return None if incident.before_hand else f"{incident.title}: no hand has begun"
    if table.in_hand or incident.after_hand or incident.before_hand:
        return None
    return f"{incident.title}: the hand is over"


# ---------------------------------------------------------------------------------------------- the case


def case_of(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> Case:
    """The facts that a ruling on `opened` may use."""
    seat = opened.seat
    motions = () if seat is None or seat in state.bets.stale else state.bets.motions.get(seat, ())
    there = None if seat is None else state.bets.readings.get(seat)
    out = state.rulings.last_out_of_turn(opened.seat)
    hand = unit.table.hand
    in_play = hand is not None and bool(unit.table.hand_log)
    gone = tuple([one for one in hand.seats if cards_are_gone(unit, state, one)]) if hand is not None else ()
    order = tuple(plan(unit, state)) if in_play else ()
    lying = state.board.seen.cards if state.board.seen is not None else ()
    return Case(
        unit.table,
        opened.incident,
        opened.cause,
        opened.seat,
        opened.amount,
        opened.place or _last_card_of(order[: len(state.deal.handles)], opened.seat),
        opened.card,
        order,
        len(state.deal.handles),
        lying,
        motions[0] if motions else None,
        motions[-1] if motions else None,
        out.did if out is not None else "",
        out.number if out is not None else None,
        sum(1 for one in state.rulings.out_of_turn if one.seat != opened.seat),
        len(set(state.loose.handles) - {0}),
        opened.opened_at,
        0 if seat is None else state.arrivals.motions_of(seat),
        there is not None and there.pieces == 1,
        gone,
        0 if seat is None else state.arrivals.motions_to_come(seat),
        opened.act,
        opened.on_board,
        tuple([unit.cards.place_of(card) for card in lying]) if in_play else (),
        tuple([_keyed(hand, one) for one in state.rulings.out_of_turn if one.seat != seat])
        if hand is not None
        else (),
    )


def _keyed(hand: Hand, out: OutOfTurn) -> Act:
    """The action that a key out of turn stands for."""
    wager = Action.RAISE if any(hand.bets.values()) else Action.BET
    action = wager if out.did == "bet" else Action(out.did)
    return Act(out.seat, action, None if out.number is None else Chips(out.number))


def _last_card_of(dealt: tuple[str, ...], seat: Seat | None) -> int | None:
    """The place of the newest card of a seat."""
    places = [place for place, to in enumerate(dealt, 1) if seat is not None and to == to_seat(seat)]
    return places[-1] if places else None


def options_of(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> tuple[Option, ...]:
    """The options that the book allows and that can be carried out now, the default first."""
    return offered(case_of(unit, state, opened), INCIDENTS[opened.incident])[0]


def view_of(unit: UnitOfWork, state: TrackerState) -> RulingView | None:
    """The open question for the table's own screen."""
    question = unit.table.question
    opened = state.rulings.open[0] if state.rulings.open else None
    if opened is None or question is None or asked(unit) is not Question.RULING:
        return None
    incident = INCIDENTS[opened.incident]
    allowed = options_of(unit, state, opened)
    options = tuple(OptionView(no, option.key, option.text, option.rule) for no, option in enumerate(allowed, 1))
    history = tuple(
        [f"{ruled.text} ({ruled.rule})" for ruled in unit.table.seat_rulings if ruled.seat == opened.seat][-5:]
        if opened.seat is not None
        else ()
    )
    deadline = "until the next first riffle" if incident.after_hand else "in this hand"
    seen = seen_of(case_of(unit, state, opened))
    return RulingView(
        question.question,
        opened.incident,
        incident.title,
        opened.seat,
        options,
        deadline,
        history,
        seen,
        1 if taken_by_street(allowed) is not None else 0,
        "director" if opened.by_director else "table",
    )


def seen_of(case: Case) -> tuple[str, ...]:
    """Text of what devices and keys show about an incident: evidence for the person who rules, no judgement."""
    said = []
    if case.first_motion is not None:
        said.append(f"Camera: the first motion brought {chips(case.first_motion)}")
    if case.put_in is not None and case.put_in != case.first_motion:
        said.append(f"Camera: {chips(case.put_in)} lie there now")
    if case.came_in > 1 and case.put_in == case.first_motion:  # else the amounts say it
        said.append(f"Camera: the chips came in {case.came_in} motions")
    if case.one_chip:
        said.append("Camera: one chip lies there")
    if case.pressed:
        to = "" if case.pressed_amount is None else f" {chips(case.pressed_amount)}"
        said.append(f"Keyed before its turn: {case.pressed}{to}")
    if case.behind:
        said.append(f"Players who acted behind: {case.behind}")
    if case.card:
        said.append("A card lies face up there")
    if case.amount is not None and case.incident not in ("button_wrong", "into_other_hand"):  # there it is a seat
        said.append(f"Amount said: {chips(case.amount)}")
    return tuple(said)


# ------------------------------------------------------------------------------------------------ asking


def ask_next(unit: UnitOfWork, state: TrackerState) -> None:
    """Ask about the first open incident when nothing else is asked."""
    table = unit.table
    over = table.hand is not None and not table.in_hand
    if over:
        state.rulings.keep(lambda one: INCIDENTS[one.incident].after_hand or INCIDENTS[one.incident].before_hand)
    first = state.rulings.open[0] if state.rulings.open else None
    if asked(unit) is Question.RULING and not _about(state, first):
        questions.answer(unit, "Nothing to rule" if first is None else "Another ruling first", Source.ENGINE)
    if first is not None and table.question is None:
        ask(unit, Question.RULING, PUBLIC_TEXT)
        state.rulings.is_asked(first)


def _about(state: TrackerState, first: OpenIncident | None) -> bool:
    """Whether the question in front is about this incident."""
    return first is not None and state.rulings.asked is not None and first.same(state.rulings.asked)


def is_directors(state: TrackerState) -> bool:
    """Whether the incident in front is for the director: keys of the table do not answer it."""
    return bool(state.rulings.open) and state.rulings.open[0].by_director


def close_declared(unit: UnitOfWork, state: TrackerState) -> None:
    """Close the question what was said, because a key has said it (home.betting.5) or the street is over."""
    for opened in state.rulings.open:
        if opened.incident == "declared" and not opened.by_person and _is_declared(unit, state, opened):
            _close(unit, state, opened, "Declared by the key", Source.ENGINE)


def _is_declared(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> bool:
    if not unit.table.in_hand or opened.seat is None:
        return True
    case = case_of(unit, state, opened)
    last = case.last_act(opened.seat)
    said = last is not None and last[0].seq != opened.act and last[1].source in (Source.KEY, Source.SCREEN)
    return said or case.street_over


def answer(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """STREET takes the default, `2 STREET` the second option, `0 STREET` dismisses."""
    if not state.rulings.open or unit.table.question is None:
        return
    opened = state.rulings.open[0]
    options = options_of(unit, state, opened)
    refused = _not_ruled(state, opened, options, press, now)
    if refused is not None:
        unit.record(refused)
        return
    opened = state.rulings.take_first()
    if press.number == 0 or not options:
        questions.answer(unit, "Nothing to rule", press.source)
        return
    option = options[(press.number or 1) - 1]
    questions.answer(unit, "Ruled", press.source)
    decide(unit, state, opened, option, now, in_line=True, reason=press.reason)


def _not_ruled(
    state: TrackerState, opened: OpenIncident, options: tuple[Option, ...], press: Press, now: Millis
) -> Refused | None:
    """Why this press rules on nothing: it came too soon to have read the question, the ruling is the
    director's, or the press names no option."""
    number = press.number
    if not state.presses.looked_at(now):
        return Refused("A ruling is asked for now: read it, then press again", "base.ruling")
    if opened.by_director:
        return Refused("The director makes this ruling", "base.ruling")
    if number == 0 or not options:
        return None
    if number is None and taken_by_street(options) is None and not options[0].asks:
        return Refused(f"Say which way: 1 STREET: {options[0].text}", options[0].rule)
    if (number or 1) > len(options):
        return Refused(f"There are {len(options)} options; 0 for none", options[0].rule)
    asks = options[(number or 1) - 1].asks
    return Refused(asks, options[(number or 1) - 1].rule) if asks else None


def brought_back(unit: UnitOfWork, state: TrackerState, cut: Container[int]) -> None:
    """Rulings are taken back: reopen their incidents."""
    for opened in state.rulings.taken_back(cut):
        if state.rulings.like(opened) is None:
            state.rulings.raise_incident(_with_what_was_seen(state, opened))


def give_amount(unit: UnitOfWork, state: TrackerState, press: Press) -> bool:
    """`500 COUNT` sets the amount of the open incident (chips, or the other seat); whether it did."""
    if not state.rulings.open or asked(unit) is not Question.RULING or press.seat is not None:
        return False
    state.rulings.give_amount(press.number)
    return True


def decide(
    unit: UnitOfWork,
    state: TrackerState,
    opened: OpenIncident,
    option: Option,
    now: Millis,
    *,
    in_line: bool,
    by: str = "table",
    ruler: str = "",
    reason: str = "",
    note: str = "",
) -> None:
    """Record the ruling and carry out everything that it does; all of it or nothing. Where it is taken back, a
    incident that was `in_line` is open again."""
    ruled = Ruled(
        opened.incident,
        option.key,
        option.text,
        option.rule,
        opened.seat,
        opened.amount,  # type: ignore[arg-type]
        by,
        ruler,
        reason,
        note,
        option.replaced or _replaced(unit, option),
        opened.opened_at,
        now,
        option.impounded,
        option.carried,
    )
    unit.record(ruled)
    if in_line:
        state.rulings.was_ruled_on(opened, unit.table.seq)
    for step in option.steps:
        refusal = _carry_out(unit, state, step)
        if refusal is not None:
            _cut_group(unit, f"{option.text}: not possible")
            state.notices.unsettle_deal()
            unit.record(Refused(refusal.reason, refusal.rule))
            return


def _replaced(unit: UnitOfWork, option: Option) -> str:
    """The first event that the ruling takes back, as text."""
    back = next((step for step in option.steps if isinstance(step, TakeBack)), None)
    if back is None:
        return ""
    return next((describe(logged.event) for logged in unit.table.hand_log if logged.seq == back.seq), "")


def _carry_out(unit: UnitOfWork, state: TrackerState, step: Step) -> Refusal | None:
    match step:
        case Push(command=ResumeHand() as command):
            return resume_hand(unit, state, command)
        case Push():
            return unit.push(step.command)
        case Record():
            unit.record(step.event)
        case TakeBack():
            cut = tuple(
                [log.seq for log in unit.table.hand_log if log.seq >= step.seq and log.cause != unit.cause]
            )
            if cut:
                unit.record(Rewound(step.seq - 1, cut, "By a ruling"))
        case Correct():
            _correct(unit, state, step)
    return None


def _correct(unit: UnitOfWork, state: TrackerState, step: Correct) -> None:
    if state.deal.handles:  # a table whose shoe says nothing has no deal to correct
        unit.record(DealCorrected(len(state.deal.handles), step.rest, step.moved, step.reshuffled))
    state.board.lay_there(())
    if state.board.seen is not None and (step.moved or step.reshuffled):
        state.board.bar(tuple([card for card in state.board.seen.cards if _leaves_the_board(unit, card, step)]))
    state.notices.settle_deal()


def _leaves_the_board(unit: UnitOfWork, card: CardText, step: Correct) -> bool:
    """A card that lies on the board and that the ruling puts elsewhere; one that the shoe does not know stays out
    of the way until it is taken up and laid down again."""
    hand = unit.table.hand
    if hand is not None and card in hand.board:
        return False
    place = unit.cards.place_of(card)
    return place is None or unit.table.destination(place) != "board"


def _cut_group(unit: UnitOfWork, why: str) -> None:
    """Take back what this press has recorded so far, and restore what it had cut."""
    cut = tuple([logged.seq for logged in unit.table.hand_log if logged.cause == unit.cause])
    removed = list(unit.table.removed.get(unit.cause, []))
    if cut:
        unit.record(Rewound(cut[0] - 1, cut, why))
    for event in removed:
        unit.record(event)


# --------------------------------------------------------------------------------------- by the director


def directed(
    unit: UnitOfWork,
    state: TrackerState,
    opened: OpenIncident,
    option: str,
    now: Millis,
    ruler: str,
    reason: str,
    note: str,
) -> None:
    """The director's ruling from the station: opened and decided at once, or opened only."""
    refusal = (
        _director_in_it(unit, ruler)
        or _unknown(opened.incident)
        or _not_now(unit, INCIDENTS[opened.incident], opened)
    )
    if refusal is not None:
        unit.record(Refused(refusal, cited(unit.table.rulebook.id, "third_party")))
        return
    if not option:
        opened = replace(_with_what_was_seen(state, opened), by_person=True, by_director=True)
        state.rulings.take_over(opened)
        refuse(unit, open_incident(unit, state, opened), opened)
        return
    if option == DISMISS:
        _dismiss(unit, state, opened)
        return
    opened = _as_opened(unit, state, opened)
    unfit = INCIDENTS[opened.incident].unfit(case_of(unit, state, opened))
    chosen = next((one for one in options_of(unit, state, opened) if one.key == option), None)
    if chosen is None and unfit:
        text = f"{INCIDENTS[opened.incident].title}: {unfit}"
        unit.record(Refused(text, cited(unit.table.rulebook.id, "fairness")))
        return
    if chosen is not None and chosen.asks:
        unit.record(Refused(chosen.asks, chosen.rule))
        return
    if chosen is None:
        allowed = ", ".join(one.key for one in options_of(unit, state, opened)) or "nothing"
        text = f"{INCIDENTS[opened.incident].title}: {option!r} is not allowed now; there is {allowed}"
        unit.record(Refused(text, cited(unit.table.rulebook.id, "fairness")))
        return
    in_line = state.rulings.like(opened) is not None
    _close(unit, state, opened, "Ruled by the director")
    decide(unit, state, opened, chosen, now, in_line=in_line, by="director", ruler=ruler, reason=reason, note=note)


def _as_opened(unit: UnitOfWork, state: TrackerState, wanted: OpenIncident) -> OpenIncident:
    """The open incident that the director rules on, with what was seen of it; else as the director names it."""
    known = state.rulings.like(wanted) or _at_this_moment(unit, state, wanted)
    return known if wanted.amount is None else replace(known, amount=wanted.amount)


def _dismiss(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> None:
    before = unit.table.seq
    _close(unit, state, opened, "Nothing to rule")
    if unit.table.seq == before:
        unit.record(Noticed("matter_closed", "An incident was closed without a ruling"))


def _close(
    unit: UnitOfWork, state: TrackerState, opened: OpenIncident, words: str, source: Source = Source.DIRECTOR
) -> None:
    """Remove the incident; if it was in front, answer its question."""
    in_front = bool(state.rulings.open) and state.rulings.open[0].same(opened)
    state.rulings.close(opened)
    if asked(unit) is Question.RULING and in_front:
        questions.answer(unit, words, source)


def _unknown(incident: str) -> str | None:
    return (
        None if incident in INCIDENTS else f"No incident {incident!r}; there are: {', '.join(sorted(INCIDENTS))}"
    )


def _director_in_it(unit: UnitOfWork, ruler: str) -> str | None:
    """Why a player of the hand may not rule on it, where the book appoints a third party (ccp.commissioner.4)."""
    policy = unit.table.rulebook.policies.director_conflict_of_interest
    hand = unit.table.hand
    if policy is None or hand is None or not ruler:
        return None
    if any(unit.table.seats[seat].player == ruler for seat in hand.seats if seat in unit.table.seats):
        return f"{ruler} plays in this hand: somebody else rules"
    return None


def locked(unit: UnitOfWork, ruled: Ruled) -> Refused | None:
    """Whether UNDO at the table stops here: a director's ruling is final."""
    if ruled.by != "director":
        return None
    return Refused("The director ruled: only the director takes it back", cited(unit.table.rulebook.id, "final"))


def forget_late(unit: UnitOfWork, state: TrackerState) -> None:
    """Close the open incidents at the next first riffle: the hand stands as it was played."""
    if state.rulings.open:
        unit.record(Noticed("not_ruled", f"{len(state.rulings.open)} open question(s) closed by the riffle"))
    state.rulings.keep(lambda _: False)
