"""The one rule by which a card is opened before its hand is released. Only this module asks the vault to open
cards.

The shoe knows which card left it and when. Where the card lies depends on people, and the plan of the deal is
right only if the count is: with one player more dealt in than recorded, the plan takes hole cards for the flop. So
a card is opened on the shoe's reading only where all of this holds:

- **Counted.** When the first effective action was recorded, exactly the recorded hole cards were out: players act
  when they have their cards. A deal of more or fewer hands than recorded fails here, whatever is keyed, ruled or
  taken back later. For the board it is as good that the camera read the whole flop at its counted places; where
  the first action came behind the flop, that exactly the turn came behind that.
- **In time.** A card that left the shoe before that action is no board card, whatever the plan says.
- **Exact.** The shoe works, and the newest card that left it is the last one of the street, or of a later one that
  waits to be confirmed: at the end of each street before it the deal stood still. No notice of this hand
  has put the places in doubt, and no ruling has moved them since that action: a person's word about places and a
  person's word about the street would be one source.
- **Seen.** Where a camera has worked in this hand it must work now and see as many faces as the board then has;
  when the newest card left the shoe it must have seen fewer, and the burn. Of a hand it must read one card.
  Covering the camera in mid-hand removes no condition.

A card that fails is unknown (`"??"`): the hand goes on, and the camera may read it later.
"""

from __future__ import annotations

from collections.abc import Sequence

from table_core.hand.deal import to_seat
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    BoardDealt,
    CardLeftShoe,
    CardText,
    DealCorrected,
    DeviceState,
    Misdealt,
    Ruled,
    Seat,
    Street,
)
from table_core.record.deal import BOARD_BEFORE, BOARD_SIZE, NEW_CARDS, STREETS, UNKNOWN_TIME, Deal
from table_core.tracker.dealing.deal import deal_of, next_street, not_at_places, say_doubt, say_once
from table_core.tracker.memory.notices import Doubt
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork, Why

HANDS_UNCOUNTED = "hands_uncounted"
_HAND = 2  # cards
_UNKNOWN_HAND = (UNKNOWN_CARD,) * _HAND


# -------------------------------------------------------------------------------------------- the count


def hands_counted(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether exactly the recorded hole cards were out when the first action was recorded, and when the first
    effective one was. Undoing and keying again later does not mend a wrong count."""
    return _counted(unit, state, deal_of(unit, state))


def _counted(unit: UnitOfWork, state: TrackerState, deal: Deal) -> bool:
    out = _out_at_first_action(unit, deal)
    if out is None or state.deal.more_before or state.deal.first_out not in (None, out):
        return False
    return out == _hole_cards(deal, out)


def remember(unit: UnitOfWork, state: TrackerState) -> None:
    """Keep what is needed later and may be lost by then: the first action, and that a camera worked in this
    hand."""
    state.deal.first_action(_out_at_first_action(unit, deal_of(unit, state)))
    if unit.table.in_hand and _works(unit, "camera"):
        state.witness.camera_works()


def board_counted(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether the board's places in the deal are known."""
    deal = deal_of(unit, state)
    return state.deal.flop_counted or _counted(unit, state, deal) or _counted_behind(unit, state, deal)


def _counted_behind(unit: UnitOfWork, state: TrackerState, deal: Deal) -> bool:
    """Whether nobody keyed before the flop was out, and the turn came behind it as the plan has it. With two hands
    more than recorded the first action would come at the same count, but no turn one card behind its burn."""
    hand, out = unit.table.hand, _out_at_first_action(unit, deal)
    if hand is None or len(hand.board) < BOARD_SIZE[Street.FLOP] or state.deal.more_before:
        return False
    flop, turn = [deal.street(street)[-1] for street in (Street.FLOP, Street.TURN)]
    at_flop = out == flop and flop in state.deal.stood and state.deal.first_out in (None, out)
    return at_flop and (deal.out == turn or turn in state.deal.stood)


def flop_read(unit: UnitOfWork, state: TrackerState, cards: Sequence[CardText]) -> None:
    """The camera read these cards as the flop. Where all are at their places the plan is right for every later
    card, also after an undo."""
    deal = deal_of(unit, state)
    if not not_at_places(unit, cards, deal.street(Street.FLOP)):
        corrected = any(correction.after > deal.last_hole_card for correction in unit.table.corrections())
        state.deal.flop_found(burns=not corrected)


def in_doubt(state: TrackerState) -> bool:
    """Whether places may be wrong: the count was off, a card passed unread at an unknown place, or camera and
    shoe disagreed in this hand."""
    return state.notices.doubts()


def mislay(state: TrackerState) -> None:
    """Mark the places of this hand's cards as lost for the whole hand, whatever is ruled."""
    state.notices.note_doubt(Doubt.MISLAID)


def frames_lost(unit: UnitOfWork, state: TrackerState, device: str) -> None:
    """Messages of `device` are lost. Of a shoe they may be cards: places are then unknown, and in a deal whose
    start nobody keyed their number too."""
    if device == "shoe":
        state.loose.forget()
        mislay(state)
        if unit.table.in_hand:
            say_once(unit, state, "cards_lost", "The shoe lost cards: it is not used in this hand")


def passed(unit: UnitOfWork, state: TrackerState, seen: CardLeftShoe, before: int) -> None:
    """Check the count for a card that passed the reader; before it, `before` cards had places."""
    if not unit.table.in_hand:
        return
    if state.witness.boot_changed(seen.origin.boot):
        mislay(state)
    if len(state.deal.handles) > before:
        _note_what_is_seen(unit, state)
        if not before and state.loose.continued_by(seen):
            state.deal.began_before()  # the deal had begun before the hand did
        return
    again = seen.note == "repeat"
    if again:
        _passed_again(unit, state, seen.handle)
    hand = unit.table.hand
    if again or (hand is not None and len(hand.board) == BOARD_SIZE[Street.RIVER]):
        state.deal.passed_beside()


def shoe_away(unit: UnitOfWork, state: TrackerState) -> None:
    """The line to the shoe broke: a card may have passed, and the next one takes its place in the count."""
    if unit.table.in_hand:
        mislay(state)


def _note_what_is_seen(unit: UnitOfWork, state: TrackerState) -> None:
    """Keep what the camera saw when the newest card left the shoe: what lay there before it."""
    hand, board = unit.table.hand, state.board
    backs = 0 if board.burns is None else board.burns.face_down
    first = hand is not None and not hand.board  # before the flop any back among the burns is its burn
    burned = backs > 0 and (first or (board.motions_since_street or 0) > 0)
    state.witness.card_left(None if board.seen is None else board.faces, burned=burned)


def _passed_again(unit: UnitOfWork, state: TrackerState, handle: int) -> None:
    """A card of this deal passes the reader again. Cards of finished streets and hands are mucked and shuffled;
    one whose place still counts was pulled back, and the card at its place is unknown."""
    if handle not in state.deal.handles:
        return
    if handle == state.deal.handles[-1]:
        say_once(unit, state, "double_read", "A card passed the shoe's reader twice; counted once")
        return
    deal = deal_of(unit, state)
    place = deal.out - deal.handles[::-1].index(handle)
    if place > _settled(unit, deal) or _of_live_hand(unit, deal.to(place)):
        mislay(state)
        say_once(
            unit, state, "card_again", "A card of the deal passed the shoe again: it is not used in this hand"
        )


def _of_live_hand(unit: UnitOfWork, to: str) -> bool:
    hand = unit.table.hand
    return hand is not None and not hand.ended and any(to == to_seat(seat) for seat in hand.live_seats)


def keyed_too_early(unit: UnitOfWork, state: TrackerState) -> None:
    """A person says that a street is out of which only a part has left the shoe, and no camera works: a burn is
    missing, or the count is off. Where nothing of it has left, the key is too early, or the shoe is not used."""
    hand = unit.table.hand
    deal = deal_of(unit, state)
    if hand is not None and deal.out > (_settled(unit, deal) or deal.last_hole_card):
        never_came(unit, state)


def street_keyed(unit: UnitOfWork, state: TrackerState) -> None:
    """Somebody acts on the street that is awaited: its cards lie there as they are out by now."""
    hand = unit.table.hand
    street = next_street(hand) if hand is not None and hand.awaiting_board else None
    if street is not None and len(state.deal.handles) == deal_of(unit, state).street(street)[-1]:
        state.deal.stands()


def never_came(unit: UnitOfWork, state: TrackerState) -> None:
    """A street is said to be out that by count is not: where no camera works the person is right."""
    hand = unit.table.hand
    street = next_street(hand) if hand is not None and state.deal.handles else None
    if street is None or _works(unit, "camera"):
        return
    if not deal_of(unit, state).is_out(street):
        say_doubt(
            unit,
            state,
            Doubt.MISCOUNTED,
            f"By count the shoe has dealt no {street}: it is not used in this hand. Too early? UNDO",
        )


def close_deal(unit: UnitOfWork, state: TrackerState) -> None:
    """The hand is over: where the owners of hole cards are unknown, record it, and no hand is released. A void
    deal is never released."""
    void = any(isinstance(logged.event, Misdealt) for logged in unit.table.hand_log)
    known = hands_counted(unit, state) and not _short_at_flop(unit, state)
    known = known or (state.deal.flop_counted and state.deal.burns_counted)
    lost = not known or state.notices.doubts(Doubt.NOT_READ, Doubt.MISLAID) or state.deal.more_before
    if lost and any(state.deal.handles) and not void:
        say_once(
            unit, state, HANDS_UNCOUNTED, "The deal was not counted: the broadcast gets no hole cards of this hand"
        )


def _short_at_flop(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether by count the flop was not out when it was dealt, and a card is missing to the end of the hand. It
    may be a burn that was forgotten, or a hole card: the last one and the burn behind it passed as one, and the
    count at the first action was right."""
    streets = {
        logged.event.street: logged.seq for logged in unit.table.hand_log if isinstance(logged.event, BoardDealt)
    }
    flop = streets.get(Street.FLOP)
    if flop is None:
        return False
    deal = deal_of(unit, state)
    out = sum(seq < flop for seq in deal.left_at)
    return out < deal.street(Street.FLOP)[-1] and deal.out < _settled(unit, deal)


def _ruled_since(unit: UnitOfWork) -> bool:
    """Whether a ruling moved cards of the deal after an action."""
    log = unit.table.hand_log
    first = next((logged.seq for logged in log if isinstance(logged.event, Acted)), None)
    ruled = {logged.cause for logged in log if isinstance(logged.event, Ruled)}
    moved = [logged.seq for logged in log if isinstance(logged.event, DealCorrected) and logged.cause in ruled]
    return any(first is None or seq > first for seq in moved)


def _out_at_first_action(unit: UnitOfWork, deal: Deal) -> int | None:
    """How many cards had left the shoe when the first effective action was recorded."""
    first = next((logged.seq for logged in unit.table.hand_log if isinstance(logged.event, Acted)), None)
    return None if first is None else deal.out_before(first)


def _hole_cards(deal: Deal, out: int) -> int:
    """How many cards the hands take by the plan, with one card more that a ruling made the burn."""
    count = deal.last_hole_card
    while count < out and count + 1 in deal.named and deal.to(count + 1) == "burn":
        count += 1
    return count


def _settled(unit: UnitOfWork, deal: Deal) -> int:
    """The last place that later streets do not depend on: the hole cards after the first action, then the dealt
    board."""
    hand, out = unit.table.hand, _out_at_first_action(unit, deal)
    if hand is None or out is None:
        return 0
    dealt = [street for street in STREETS if len(hand.board) >= BOARD_SIZE[street]]
    return deal.street(dealt[-1])[-1] if dealt else _hole_cards(deal, out)


# ---------------------------------------------------------------------------------------------- the board


def shoe_knows(unit: UnitOfWork, state: TrackerState, street: Street, read: Sequence[CardText]) -> bool:
    """Whether the shoe's reading of `street` may be used; `read` are its cards that the camera reads."""
    deal = deal_of(unit, state)
    places = deal.street(street)
    if _miscounted(unit, state, deal, street) or not board_counted(unit, state) or _ruled_since(unit):
        return False
    if _forgotten(unit, deal):
        return False
    exact = _works(unit, "shoe") and deal.out in _ends(unit, state, deal, street)
    return exact and _in_time(unit, state, deal, street) and not _contradicted(unit, state, places, read)


def open_street(
    unit: UnitOfWork, state: TrackerState, street: Street, read: Sequence[CardText]
) -> Sequence[CardText]:
    """The cards of `street`, which the dealer says lies face up; none where the shoe cannot be believed."""
    if not shoe_knows(unit, state, street, read) or not _faces_lie(unit, state, BOARD_SIZE[street]):
        return ()
    return unit.cards.open_places(deal_of(unit, state).street(street), Why.STREET_CONFIRMED)


def open_earlier(unit: UnitOfWork, state: TrackerState, confirmed: Street) -> tuple[CardText, ...]:
    """The board behind a street that the shoe knew and the dealer confirmed: a street before it that was dealt
    unread is known with it, where the deal stood still at its end. Without a camera: one that works reads it."""
    hand = unit.table.hand
    if hand is None or UNKNOWN_CARD not in hand.board or state.witness.watched:
        return ()
    board, deal = list(hand.board), deal_of(unit, state)
    for street in STREETS[: STREETS.index(confirmed)]:
        places, there = deal.street(street), slice(BOARD_BEFORE[street], BOARD_SIZE[street])
        stood = places[-1] in state.deal.stood and _in_time(unit, state, deal, street)
        if stood and set(board[there]) == {UNKNOWN_CARD}:
            board[there] = unit.cards.open_places(places, Why.STREET_CONFIRMED)
    return tuple(board) if tuple(board) != tuple(hand.board) else ()


def open_unread(
    unit: UnitOfWork, state: TrackerState, street: Street, read: Sequence[CardText]
) -> Sequence[CardText]:
    """The cards of `street` beside those that the camera reads, where it sees as many unread faces. The camera
    must read at least one: glare on a back must not open a card."""
    if not shoe_knows(unit, state, street, read) or not read or not _works(unit, "camera"):
        return ()
    places = deal_of(unit, state).street(street)
    rest = [place for place in places if not any(unit.cards.is_card(place, card) for card in read)]
    unread = 0 if state.board.seen is None else state.board.seen.unread
    if not_at_places(unit, read, places) or len(rest) > unread or not _faces_lie(unit, state, BOARD_SIZE[street]):
        return ()
    return unit.cards.open_places(rest, Why.SEEN_FACE_UP)


def open_acted_on(unit: UnitOfWork, state: TrackerState, street: Street) -> Sequence[CardText]:
    """The turn or river on which betting is keyed while it lies unread (`board.lies_unread`)."""
    if not shoe_knows(unit, state, street, ()) or not _faces_lie(unit, state, BOARD_SIZE[street]):
        return ()
    return unit.cards.open_places(deal_of(unit, state).street(street), Why.ACTED_ON)


def may_have_burned_two(state: TrackerState) -> bool:
    """Whether two motions came to the burns since the last street: the newest card may lie there, and no board
    card be missing."""
    return (state.board.motions_since_street or 0) > 1 and not state.board.camera_away


def two_before_four(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether by the count two cards were burned before a flop of four. In a hand without more betting the fourth
    may be the turn."""
    hand, deal = unit.table.hand, deal_of(unit, state)
    if hand is None or hand.board or state.board.faces != NEW_CARDS[Street.FLOP] + 1:
        return False
    bets = [seat for seat in hand.live_seats if seat not in hand.all_in]
    return len(bets) > 1 and deal.out == deal.street(Street.FLOP)[-1] + 2


def _miscounted(unit: UnitOfWork, state: TrackerState, deal: Deal, street: Street) -> bool:
    """Whether more cards left the shoe than the deal up to `street` has, now or earlier in this hand. Not too
    many are whole streets that wait to be confirmed, and the burn of the next."""
    out = deal.out
    burned = out - 1 in state.deal.stood and deal.to(out) == "burn"
    more = range(deal.street(street)[-1] + 1, out + 1)
    if {out, out - burned} & _ends(unit, state, deal, street):
        pass
    elif more and deal.named.issuperset(more):
        state.notices.note_doubt(Doubt.MISCOUNTED)  # a person has said where they belong: no notice
    elif more:
        say_doubt(
            unit, state, Doubt.MISCOUNTED, f"More cards are out than the {street} needs: the shoe is not used"
        )
    return state.notices.doubts(Doubt.MISCOUNTED, Doubt.MISLAID)


def _ends(unit: UnitOfWork, state: TrackerState, deal: Deal, street: Street) -> set[int]:
    """Numbers of cards out at which `street` is out, alone or with whole streets behind it: at the end of each but
    the last the deal stood still. Cards that came at once may be burns too many."""
    ends: set[int] = set()
    for later in STREETS[STREETS.index(street) :]:
        ends.add(deal.street(later)[-1])
        if not ends <= set(state.deal.stood) or not _counted(unit, state, deal):
            break
    return ends


def _contradicted(unit: UnitOfWork, state: TrackerState, places: Sequence[int], read: Sequence[CardText]) -> bool:
    """Whether the camera contradicts the plan for this street: none of the read cards is of the street, or two
    cards were burned. A card beside one that is of the street is most likely misread, unless another deck is in
    play."""
    if _works(unit, "camera") and may_have_burned_two(state):
        return True
    others = not_at_places(unit, read, places)
    return bool(others) and (len(others) == len(read) or bool(state.decks.foreign))


def _in_time(unit: UnitOfWork, state: TrackerState, deal: Deal, street: Street) -> bool:
    """Whether each card of the street left the shoe after the first action, or after a flop that the camera
    read."""
    counted = state.deal.flop_counted or _counted_behind(unit, state, deal)
    out = 0 if counted else _out_at_first_action(unit, deal)
    places = deal.street(street)
    known = UNKNOWN_TIME not in [deal.left(place) for place in places]
    return known and out is not None and places[0] > max(out, deal.last_hole_card)


def _faces_lie(unit: UnitOfWork, state: TrackerState, size: int) -> bool:
    """Whether so many faces lie on the board, where a camera has worked in this hand. At least one came after
    the street's last card left the shoe, and a burn before it: earlier faces are no street, and without its
    burn the newest card may be the next burn."""
    if not state.witness.watched:
        return True
    if not _works(unit, "camera") or state.board.seen is None or not state.witness.burned:
        return False
    before = state.witness.faces
    return before is not None and before < size == state.board.faces


def _forgotten(unit: UnitOfWork, deal: Deal) -> bool:
    """Whether a power cut lost cards of this hand: one that passes again is not recognised."""
    last = {handle: place for place, handle in enumerate(deal.handles, start=1) if handle}
    known = [place for place in last.values() if unit.table.places[place].commitment is not None]
    return any(unit.cards.is_card(place, UNKNOWN_CARD) is None for place in known)


def _works(unit: UnitOfWork, device: str) -> bool:
    return unit.table.devices.get(device) is DeviceState.OK


# ---------------------------------------------------------------------------------------------- hands


def open_hand(unit: UnitOfWork, state: TrackerState, seat: Seat) -> Sequence[CardText]:
    """The hand of `seat`, confirmed by key and second press; unknown where the count is off. A camera that
    worked in this hand must read one card of it: faces alone do not prove that the deal began at the recorded
    seat."""
    places = deal_of(unit, state).seat(seat)
    if state.witness.watched or len(places) != _HAND or not _hands_known(unit, state):
        return _UNKNOWN_HAND
    return unit.cards.open_places(places, Why.TABLED)


def open_second_card(unit: UnitOfWork, state: TrackerState, seat: Seat) -> Sequence[CardText]:
    """Of two face-up cards at `seat` the camera reads one: the other, where the first is the seat's."""
    there, places = state.seat_cards.readings.get(seat), deal_of(unit, state).seat(seat)
    if there is None or len(there.cards) != 1 or there.unread != 1 or not _hands_known(unit, state):
        return ()
    if not_at_places(unit, there.cards, places):
        mislay(state)  # whose hands are whose is unknown
        return ()
    rest = [place for place in places if unit.cards.is_card(place, there.cards[0]) is not True]
    if len(rest) != 1 or not _works(unit, "camera"):
        return ()
    return unit.cards.open_places(rest, Why.TABLED)


def _hands_known(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether the owners of hole cards are known, and no other deal has passed since."""
    deal = deal_of(unit, state)
    next_deal = state.deal.passed_since >= deal.last_hole_card
    return _counted(unit, state, deal) and not next_deal and not in_doubt(state)
