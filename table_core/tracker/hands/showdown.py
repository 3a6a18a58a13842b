"""Showdown: hands are tabled, mucked and awarded. A hand counts when it is tabled; the shoe is never used for
that.

A hand is tabled when the camera reads its two cards face up, or when the dealer presses TABLED and face-up cards
are seen there. Where no camera helps, TABLED asks and a second press opens the cards of the seats that the
question names: one wrong press must never show a hand that lies face down.
"""

from __future__ import annotations

from collections.abc import Sequence

from table_core.hand.dealing import may_show_behind
from table_core.hand.hand import Hand
from table_core.hand.pots import odd_chips
from table_core.hand.snapshot import CollectedPot
from table_core.messages import (
    UNKNOWN_CARD,
    AwardPots,
    CardText,
    DeviceState,
    Key,
    Millis,
    PotAwarded,
    Refusal,
    Refused,
    Seat,
    Source,
    Street,
    TableHand,
    ZoneSeen,
)
from table_core.parameters import Presence
from table_core.projections.words import chips as in_words
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.register import Group
from table_core.tracker import waits
from table_core.tracker.asking.questions import Question, answer, ask, asked, asked_seats, busy
from table_core.tracker.dealing.deal import deal_of, not_at_places, say_once
from table_core.tracker.dealing.evidence import mislay, open_hand, open_second_card
from table_core.tracker.hands.several_boards import award_boards, boards_wanted
from table_core.tracker.memory.notices import Doubt
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def betting_over(hand: Hand) -> bool:
    """Whether there is no more betting in this hand: showdown, or all-in with streets to come."""
    if hand.ended:
        return False
    able = [seat for seat in hand.live_seats if seat not in hand.all_in]
    return hand.street is Street.SHOWDOWN or (hand.awaiting_board and len(able) <= 1)


def read_hands(unit: UnitOfWork, state: TrackerState) -> bool:
    """Table the face-up hands in front of live seats; whether something changed."""
    hand = unit.table.hand
    if hand is not None and hand.ended:
        return _read_shown_behind(unit, state, hand)
    if hand is None or not betting_over(hand):
        return False
    changed = False
    for seat in hand.live_seats:
        unread = UNKNOWN_CARD in hand.tabled.get(seat, (UNKNOWN_CARD,))  # or tabled while nothing could be read
        if unread and seat not in hand.mucked:
            changed |= _read_hand(unit, state, seat)
    return award_when_ready(unit, state) or changed


def _read_shown_behind(unit: UnitOfWork, state: TrackerState, hand: Hand) -> bool:
    """The hand of a winner to whom everyone folded, which a key says is shown."""
    shown = [seat for seat in state.showdown.tabled_keys if may_show_behind(hand.state, seat)]
    unread = [seat for seat in shown if UNKNOWN_CARD in hand.tabled.get(seat, (UNKNOWN_CARD,))]
    return any(_read_hand(unit, state, seat) for seat in unread)


def award_when_ready(unit: UnitOfWork, state: TrackerState) -> bool:
    hand = unit.table.hand
    if hand is None or hand.ended or not hand.ready_to_award or _ruling_first(state):
        return False
    if boards_wanted(unit) > 1:
        return award_boards(unit)
    refusal = unit.push(award_as_named(state.showdown.named))
    if refusal is None:
        return True
    if asked(unit) is not Question.AWARD:
        how = "Seat number, AWARD" if refusal.reason.endswith("?") else "Winner: seat number, AWARD"
        seats = _who_can_win(_undecided(hand, state))
        ask(unit, Question.AWARD, f"{refusal.reason} {how}", key=Key.AWARD, seats=seats)
    return False


def _ruling_first(state: TrackerState) -> bool:
    """What a person has raised about cards, chips or actions is ruled on before the pot is pushed."""
    raised = [one for one in state.rulings.open if one.by_person]
    return any(INCIDENTS[one.incident].group is not Group.FLOOR for one in raised)


def say_odd_chip(unit: UnitOfWork, state: TrackerState) -> None:
    """Where the book has no rule for the odd chip of a split pot, say by which practice it went."""
    hand, book = unit.table.hand, unit.table.rulebook
    rule = book.rules.odd_chip.rule
    if hand is None or not hand.ended or not book.usual_practice(rule):
        return
    for logged in unit.table.hand_log:
        if isinstance(logged.event, PotAwarded):
            for seat, odd in odd_chips(logged.event):
                text = f"Odd {in_words(odd)} to seat {seat}. {book.usual_practice(rule)}"
                say_once(unit, state, "odd_chip", text, seat, detail=str(logged.event.no), rule=rule)


def say_absent_winner(unit: UnitOfWork, state: TrackerState) -> None:
    """Where a hand is dropped when the action comes to its absent player, say that the action never came to it."""
    hand, presence = unit.table.hand, unit.table.rulebook.rules.presence
    if hand is None or not hand.ended or presence.value not in (Presence.ACTION, Presence.WHILE_DEALT):
        return
    for logged in unit.table.hand_log:
        event = logged.event
        if isinstance(event, PotAwarded) and event.why == "last_standing":
            for share in event.shares:
                if unit.table.seats[share.seat].away:
                    text = f"Seat {share.seat} is away and has the last hand. UNDO where it was dropped before"
                    say_once(unit, state, "away_wins", text, share.seat, rule=presence.rule)


def award_as_named(groups: tuple[tuple[Seat, ...], ...], source: Source = Source.ENGINE) -> AwardPots:
    """Award to the first group what it can win, to the next one the rest, and so on; without names the cards
    decide."""
    return AwardPots(groups[0], source, groups[1:]) if groups else AwardPots(source=source)


def name_winners(unit: UnitOfWork, state: TrackerState, winners: tuple[Seat, ...], source: Source) -> None:
    """The dealer names the winners. An all-in player wins only pots that it is in; where nothing decides the
    others yet, their winners are asked for."""
    hand = unit.table.hand
    assert hand is not None
    groups = (*state.showdown.named, winners)
    answer(unit, "Awarded by the dealer", source)
    decided = {seat for group in state.showdown.named for seat in group}
    if groups[1:] and not any(set(winners) & set(pot.eligible) for pot in _open_pots(hand, decided)):
        unit.record(Refused(f"{_named(winners)} cannot win what is left", "base.award"))
        _ask_for_rest(unit, state)
        return
    command = award_as_named(groups, source)
    left = _open_pots(hand, {seat for group in groups for seat in group})
    if left and hand.street is Street.SHOWDOWN and isinstance(hand.decide(command), Refusal):
        state.showdown.name(groups)
        _ask_for_rest(unit, state)
        return
    refusal = unit.push(command)
    if refusal is not None:
        unit.record(Refused(refusal.reason, refusal.rule))


def _open_pots(hand: Hand, named: set[Seat]) -> list[CollectedPot]:
    """The pots that several can win and no named winner can."""
    return [pot for pot in hand.pots if len(pot.eligible) > 1 and not named & set(pot.eligible)]


def _undecided(hand: Hand, state: TrackerState) -> list[CollectedPot]:
    """The pots whose winner nobody has named yet."""
    return _open_pots(hand, {seat for group in state.showdown.named for seat in group})


def _who_can_win(pots: Sequence[CollectedPot]) -> list[Seat]:
    return sorted({seat for pot in pots for seat in pot.eligible})


def _ask_for_rest(unit: UnitOfWork, state: TrackerState) -> None:
    hand = unit.table.hand
    assert hand is not None
    groups = state.showdown.named
    left = _undecided(hand, state)
    if not left:
        return
    amount = sum(pot.amount for pot in left)
    seats = _who_can_win(left)
    rest = f"Who wins the rest, {in_words(amount)} ({_named(seats).lower()})? Seat number, AWARD"
    ask(unit, Question.AWARD, f"{'; '.join(map(_named, groups))} named. {rest}", key=Key.AWARD, seats=seats)


def tabled_pressed(unit: UnitOfWork, state: TrackerState, seat: Seat, now: Millis) -> None:
    """TABLED for `seat`: take the camera's reading, wait for it, or ask."""
    state.showdown.tabled(seat)
    if read_hands(unit, state):
        return
    if unit.table.devices.get("camera") is DeviceState.OK and seat not in state.seat_cards.unseen:
        state.timers.start(Check.TABLED, now + waits.TABLED_UNSEEN_MS, seat)
    elif not ask_for_hand(unit, state, seat):
        unit.record(Refused(_why_not_asked(unit, seat), "base.action"))


def _why_not_asked(unit: UnitOfWork, seat: Seat) -> str:
    """Why TABLED changes nothing."""
    hand = unit.table.hand
    if seat in asked_hands(unit):
        return f"Seat {seat} is named already: STREET if its cards lie face up"
    if hand is not None and seat in hand.tabled:
        return f"Seat {seat} is tabled already"
    return "Something else is asked: answer it first" if busy(unit) else f"Seat {seat} has no hand to show"


def ask_for_hand(unit: UnitOfWork, state: TrackerState, seat: Seat) -> bool:
    """Ask: TABLED was pressed a while ago and the camera has not shown the hand. Whether something was said."""
    hand = unit.table.hand
    if hand is None or seat in hand.tabled or seat not in hand.live_seats:
        return False
    if hand.ended and not may_show_behind(hand.state, seat):
        return False
    if _camera_sees_backs(unit, state, seat):
        say_once(unit, state, "tabled_face_down", f"Seat {seat}: cards lie face down", seat)
        return True
    known = asked_hands(unit)
    if seat in known or (not known and busy(unit)):
        return False
    _ask(unit, state, (*known, seat))
    return True


def asked_hands(unit: UnitOfWork) -> tuple[Seat, ...]:
    """The seats that the question about face-up hands names."""
    return asked_seats(unit) if asked(unit) is Question.TABLED else ()


def _ask(unit: UnitOfWork, state: TrackerState, seats: tuple[Seat, ...]) -> None:
    opens = unit.table.devices.get("shoe") is DeviceState.OK
    shows = f", and shows the cards of {_named(seats).lower()}" if opens else ""
    text = f"{_named(seats)} tabled, cards not seen. Face up? STREET = yes{shows}"
    ask(unit, Question.TABLED, text, seats=seats)


def _named(seats: Sequence[Seat]) -> str:
    """`Seat 4`, `Seats 3, 4 and 7`."""
    *others, last = map(str, seats)
    return f"Seats {', '.join(others)} and {last}" if others else f"Seat {last}"


def confirm_hands(unit: UnitOfWork, state: TrackerState) -> None:
    """The second press: the hands that the question names lie face up."""
    seats = asked_hands(unit)
    answer(unit, f"{_named(seats)} {'is' if len(seats) == 1 else 'are'} tabled")
    for seat in seats:
        cards = tuple(open_hand(unit, state, seat))
        sources = (Source.KEY,) if UNKNOWN_CARD in cards else (Source.KEY, Source.SHOE)
        unit.push(TableHand(seat, cards, sources))
    award_when_ready(unit, state)


def _camera_sees_backs(unit: UnitOfWork, state: TrackerState, seat: Seat) -> bool:
    return unit.table.devices.get("camera") is DeviceState.OK and state.seat_cards.has_backs(seat)


def _read_hand(unit: UnitOfWork, state: TrackerState, seat: Seat) -> bool:
    seen = state.seat_cards.readings.get(seat)
    if seen is None or not state.seat_cards.has_faces(seat):
        return False
    cards = seen.cards if len(seen.cards) == 2 else _completed(unit, state, seat, seen)
    if cards is None or len(cards) != 2:
        return False
    sources = _agreed(unit, state, seat, cards)
    if sources is None:
        return False
    refusal = unit.push(TableHand(seat, cards, sources))
    if refusal is None:
        state.timers.stop(Check.TABLED, seat)
    return refusal is None


def _completed(unit: UnitOfWork, state: TrackerState, seat: Seat, seen: ZoneSeen) -> tuple[CardText, ...] | None:
    """One of two face-up cards is read: with the key pressed, the shoe fills in the other."""
    opened = open_second_card(unit, state, seat) if seat in state.showdown.tabled_keys else ()
    return None if not opened or UNKNOWN_CARD in opened else (*seen.cards, *opened)


def _agreed(
    unit: UnitOfWork, state: TrackerState, seat: Seat, cards: tuple[CardText, ...]
) -> tuple[Source, ...] | None:
    """The sources that agree on `cards`; None, with a notice, when the shoe contradicts the camera and nobody has
    pressed TABLED. A face that is none of the seat's cards may have been dealt to another seat, or never. Which of
    the two is not asked: a person says that it counts."""
    key = (Source.KEY,) if seat in state.showdown.tabled_keys else ()
    places = deal_of(unit, state).seat(seat)
    others = not_at_places(unit, cards, places)
    if not others:
        return (Source.CAMERA, Source.SHOE, *key)
    unread = [place for place in places if unit.cards.is_card(place, cards[0]) is None]
    if len(others) == len(cards) or len(others) > len(unread):
        mislay(state)  # whose hands are whose is unknown
    if state.notices.doubts(Doubt.NOT_READ) or len(others) <= len(unread):
        return (Source.CAMERA, *key)  # the missed card is unknown, and hands may be shifted by one seat
    text = f"Camera and shoe differ on the hand of seat {seat}. {seat} TABLED = as it lies"
    say_once(unit, state, "tabled_disputed", text, seat)
    return (Source.CAMERA, *key) if key else None
