"""The board: camera readings compared with the shoe, without opening a card early.

A street is dealt on the camera's reading when every card is read and the shoe does not contradict it. Face-up
cards that are not read are filled in from the shoe when the rest is certain. Otherwise the dealer is asked, and
one press of STREET opens the street's cards. `evidence` decides what may be opened, and when.
"""

from __future__ import annotations

from collections.abc import Sequence

from table_core.hand.hand import Hand
from table_core.messages import (
    UNKNOWN_CARD,
    CardText,
    DealBoard,
    DeviceState,
    Noticed,
    ReadBoard,
    Refusal,
    Source,
    Street,
)
from table_core.record.deal import BOARD_SIZE, MOST_BURNED, NEW_CARDS, STREETS, Deal
from table_core.tracker.asking.questions import Question, ask, busy
from table_core.tracker.dealing.deal import (
    deal_of,
    next_street,
    not_at_places,
    not_passed,
    say_doubt,
    say_once,
    wrong_burns,
)
from table_core.tracker.dealing.evidence import (
    board_counted,
    flop_read,
    in_doubt,
    open_acted_on,
    open_earlier,
    open_street,
    open_unread,
)
from table_core.tracker.memory.notices import Doubt
from table_core.tracker.memory.timers import Check
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def read_board(unit: UnitOfWork, state: TrackerState) -> bool:
    """Deal the next street, or fill in unread cards, from the board's reading; whether something changed."""
    hand = unit.table.hand
    if hand is None or hand.ended or state.board.seen is None:
        return False
    if UNKNOWN_CARD in hand.board and _fill_in(unit, state, hand):
        return True
    street = next_street(hand)
    if street is None or not hand.awaiting_board:
        return False
    cards = _street_cards(unit, state, hand, street)
    if cards is None:
        return False
    names, sources = cards
    if _deal(unit, state, DealBoard(names, sources)) is not None:
        return False
    _shoe_missed(unit, state, street)
    return True


def lies_there_still(unit: UnitOfWork, state: TrackerState) -> bool:
    """A street that went with an UNDO of an action before it comes again when that betting is over again: its
    cards are public and lie there, unless a camera sees fewer. A street that nobody read may not have been out,
    unless nothing was left to bet. Whether it came."""
    hand, board = unit.table.hand, state.board.taken_back
    street = next_street(hand) if hand is not None and hand.awaiting_board and not hand.ended else None
    if hand is None or street is None or len(board) < BOARD_SIZE[street]:
        return False
    seen = state.board.seen
    cleared = seen is not None and unit.table.devices.get("camera") is DeviceState.OK
    if cleared and state.board.faces < BOARD_SIZE[street]:
        return False
    cards = board[len(hand.board) : BOARD_SIZE[street]]
    unknown = UNKNOWN_CARD in cards and len([one for one in hand.live_seats if one not in hand.all_in]) > 1
    known = tuple(hand.board) == board[: len(hand.board)]
    return known and not unknown and _deal(unit, state, DealBoard(cards, (Source.ASSUMED,))) is None


def _deal(unit: UnitOfWork, state: TrackerState, street: DealBoard) -> Refusal | None:
    """Deal the street; the cards among the burns by now were burned before it."""
    refusal = unit.push(street)
    if refusal is None:
        state.board.street_dealt()
        state.timers.stop(Check.STREET_LIES)
    return refusal


def _shoe_missed(unit: UnitOfWork, state: TrackerState, street: Street) -> None:
    """The shoe missed one card: one card fewer passed than lie on the board, and the shoe works.

    The card will not come later, because the shoe reports passages before the camera reads a zone at rest. Two or
    more missing cards are most likely messages on their way.
    """
    deal = deal_of(unit, state)
    one_short = deal.out == deal.street(street)[-1] - 1
    if one_short and unit.table.devices.get("shoe") is DeviceState.OK:
        not_passed(unit, state, 1, f"a card of the {street}")


def confirm_street(unit: UnitOfWork, state: TrackerState) -> bool:
    """The dealer says that the street lies face up: deal what the shoe read, `"??"` for cards that it did not.

    Where the shoe cannot be believed nothing is opened: the cards are the camera's, or unknown.
    """
    hand = unit.table.hand
    if hand is None or not hand.awaiting_board:
        return False
    street = next_street(hand)
    if street is None:
        return False
    fresh, last = _fresh(state, hand), deal_of(unit, state).street(street)[-1]
    cards = tuple(open_street(unit, state, street, fresh))
    if not cards:
        if state.board.seen is None or state.board.seen.unread or len(fresh) != NEW_CARDS[street]:
            return deal_unknown(unit, state)
        return _deal(unit, state, DealBoard(fresh, (Source.CAMERA, Source.KEY))) is None
    sources = (Source.KEY, Source.SHOE) if UNKNOWN_CARD not in cards else (Source.KEY,)
    dealt = _deal(unit, state, DealBoard(cards, sources)) is None
    if len(state.deal.handles) == last:
        state.deal.stands()  # known also where the STREET is taken back and more cards come first
    board = open_earlier(unit, state, street) if dealt else ()
    if board and unit.push(ReadBoard(board, (Source.KEY, Source.SHOE))) is None:
        unit.record(Noticed("board_read_later", "The board is read now"))
    return dealt


def lies_unread(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether a turn or river lies face up and unread while all else is certain.

    The rest of the board is unchanged, one card came to the burns since, and the shoe read this card next and none
    after it. It may still be glare on a back, so this alone opens nothing.
    """
    hand, seen, burns = unit.table.hand, state.board.seen, state.board.burns
    street = next_street(hand) if hand is not None and hand.awaiting_board else None
    if hand is None or street not in (Street.TURN, Street.RIVER) or seen is None or burns is None:
        return False
    working = {unit.table.devices.get("shoe"), unit.table.devices.get("camera")} == {DeviceState.OK}
    seen_all_along = not state.board.camera_away and not state.board.barred
    if not (working and seen_all_along) or in_doubt(state) or not board_counted(unit, state):
        return False
    alone = seen.unread == 1 and not seen.odd and not seen.face_down and set(seen.cards) == set(hand.board)
    burned = state.board.motions_since_street == 1
    deal = deal_of(unit, state)
    newest = deal.street(street) == [deal.out] and deal.to(deal.out - 1) == "burn"
    return alone and burned and newest and deal.is_read(deal.out)


def deal_acted_on(unit: UnitOfWork, state: TrackerState) -> bool:
    """Open a turn or river that lies unread when betting on it is keyed; whether it was.

    A person who acts on the street sees its card.
    """
    hand = unit.table.hand
    street = next_street(hand) if hand is not None else None
    if street is None or not lies_unread(unit, state):
        return False
    cards = tuple(open_acted_on(unit, state, street))
    return bool(cards) and _deal(unit, state, DealBoard(cards, (Source.CAMERA, Source.SHOE, Source.KEY))) is None


def deal_unknown(unit: UnitOfWork, state: TrackerState) -> bool:
    """Deal a street that nobody read as unknown cards: the game went past it."""
    hand = unit.table.hand
    street = next_street(hand) if hand is not None and hand.awaiting_board else None
    if street is None:
        return False
    return _deal(unit, state, DealBoard((UNKNOWN_CARD,) * NEW_CARDS[street], (Source.ASSUMED,))) is None


def without_devices(unit: UnitOfWork) -> bool:
    """Whether there is neither shoe nor camera, so that only the dealer knows a street is out."""
    shoe, camera = unit.table.devices.get("shoe"), unit.table.devices.get("camera")
    return {shoe, camera} <= {None, DeviceState.OFF, DeviceState.NONE}


def run_out(unit: UnitOfWork, state: TrackerState) -> None:
    """The pot is awarded and nobody could bet: the remaining streets lie there, as if STREET were pressed
    for each. Only where no camera reads the board, and the whole of it has left the shoe."""
    hand = unit.table.hand
    while hand is not None and hand.betting_over and hand.awaiting_board:
        whole = deal_of(unit, state).is_out(Street.RIVER) and not camera_reads_board(unit, state)
        if not (deal_unknown(unit, state) if without_devices(unit) else whole and confirm_street(unit, state)):
            return


def board_is_out(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether the next street's cards are on the table as far as shoe or camera can tell."""
    hand = unit.table.hand
    street = next_street(hand) if hand is not None else None
    if hand is None or street is None:
        return False
    return state.board.faces >= BOARD_SIZE[street] or deal_of(unit, state).is_out(street)


def camera_reads_board(unit: UnitOfWork, state: TrackerState) -> bool:
    """Whether a camera works that sees the board."""
    return unit.table.devices.get("camera") is DeviceState.OK and not state.board.unseen


def ask_for_board(unit: UnitOfWork, state: TrackerState) -> None:
    hand = unit.table.hand
    if hand is None or not hand.awaiting_board or busy(unit) or state.timers.find(Check.STREET_LIES):
        return
    street = next_street(hand)
    if street is not None and board_is_out(unit, state):
        ask(unit, Question.BOARD_UNREAD, _is_it_out(street))


def asked_board_came(unit: UnitOfWork) -> bool:
    """Whether the street of the open question is dealt. In a hand without more betting the next one is awaited at
    once; a press that is under way to the question says nothing about that one."""
    hand, question = unit.table.hand, unit.table.question
    street = next_street(hand) if hand is not None and hand.awaiting_board else None
    return street is None or question is None or question.text != _is_it_out(street)


def _is_it_out(street: Street) -> str:
    return f"{street.capitalize()} not read. Is it out? STREET = yes"


def _street_cards(
    unit: UnitOfWork, state: TrackerState, hand: Hand, street: Street
) -> tuple[tuple[CardText, ...], tuple[Source, ...]] | None:
    """The cards of `street` with their sources, None while they are not certain."""
    seen, size = state.board.seen, BOARD_SIZE[street]
    if seen is None or state.board.faces < size:
        return None
    fresh, deal = _fresh(state, hand), deal_of(unit, state)
    places = deal.street(street)
    if state.board.faces > size and any(deal.is_out(later) for later in STREETS[STREETS.index(street) + 1 :]):
        fresh = tuple([card for card in fresh if not not_at_places(unit, [card], places)])  # its own among them
        return (fresh, (Source.CAMERA, Source.SHOE)) if len(fresh) == len(places) else None
    if state.board.faces > size:
        text = f"More than {size} cards lie on the board"
        say_once(unit, state, f"board_overfull_{street}", text, of_deal=True)
        return None
    if len(fresh) == len(places):
        return _checked(unit, state, deal, street, fresh)
    return _filled_up(unit, state, street, fresh)


def _fresh(state: TrackerState, hand: Hand) -> tuple[CardText, ...]:
    """Cards that the camera reads on the board and that are not dealt yet."""
    seen = state.board.seen
    if seen is None:
        return ()
    if UNKNOWN_CARD in hand.board:
        return seen.cards[len(hand.board) :] if not seen.unread else ()
    return tuple(card for card in seen.cards if card not in hand.board)


def _checked(
    unit: UnitOfWork, state: TrackerState, deal: Deal, street: Street, fresh: tuple[CardText, ...]
) -> tuple[tuple[CardText, ...], tuple[Source, ...]] | None:
    """`fresh` when the shoe agrees or does not know; None, with a notice, when it contradicts.

    Of a burn too few or too many the count tells, and the camera. Whether the face is the card at the place before
    or behind is not asked: that card may lie face down.
    """
    places, out = deal.street(street), deal.out
    others = not_at_places(unit, fresh, places)
    if not others:
        if street is Street.FLOP:
            flop_read(unit, state, fresh)
        return fresh, (Source.CAMERA, Source.SHOE)
    off, due = out - places[-1], deal.due(street)
    missing = off < 0 and (due + off > 0 or (due + off == 0 and not _may_have_burned(state, street)))
    more = off == 1 or (off > 1 and due + off <= MOST_BURNED)
    if (missing or more) and len(others) == min(abs(off), len(places)):
        wrong_burns(unit, state, street, off)
        return fresh, (Source.CAMERA,)
    unread = sum(not deal.is_read(place) for place in places)  # or its message has not come yet
    if len(others) <= unread or not board_counted(unit, state):
        return fresh, (Source.CAMERA,)  # a count that is not reliable contradicts nothing
    text = f"Camera and shoe differ on the {street}"
    say_once(unit, state, f"{Doubt.DISPUTED}_{street}", text, doubt=Doubt.DISPUTED)
    return None


def _may_have_burned(state: TrackerState, street: Street) -> bool:
    """Whether the camera allows that a card was burned before `street`.

    Before the flop it sees the card. Later burns lie on it in one pile that cannot be counted; only motion since
    the last street can be seen. Where the camera could not see that either, or never saw a burn of this hand, the
    answer is yes.
    """
    burns = state.board.burns
    if state.board.camera_away:
        return True
    if burns is None:
        return street is not Street.FLOP
    if not burns.face_down:
        return False
    return street is Street.FLOP or not burns.motions or burns.motions > state.board.burned_before


def _filled_up(
    unit: UnitOfWork, state: TrackerState, street: Street, fresh: tuple[CardText, ...]
) -> tuple[tuple[CardText, ...], tuple[Source, ...]] | None:
    """Cards that lie face up but unread, when the shoe leaves no doubt which they are."""
    opened = open_unread(unit, state, street, fresh)
    if not opened or UNKNOWN_CARD in opened:
        return None
    return (*fresh, *opened), (Source.CAMERA, Source.SHOE)


def _fill_in(unit: UnitOfWork, state: TrackerState, hand: Hand) -> bool:
    """Fill in streets that were dealt unread and are read now."""
    seen = state.board.seen
    if seen is None or seen.unread or UNKNOWN_CARD in seen.cards or len(seen.cards) != len(hand.board):
        return False
    known = {card for card in hand.board if card != UNKNOWN_CARD}
    if not known <= set(seen.cards):
        return False
    unknown = iter(card for card in seen.cards if card not in known)
    board = tuple(next(unknown) if card == UNKNOWN_CARD else card for card in hand.board)
    flop_read(unit, state, board[: BOARD_SIZE[Street.FLOP]])
    differ = any(unit.cards.is_card(place, card) is False for place, card in _placed(unit, state, board))
    if differ and board_counted(unit, state):
        say_doubt(unit, state, Doubt.DISPUTED, "Camera and shoe differ on the board")
        return False
    if unit.push(ReadBoard(board, (Source.CAMERA,))) is not None:
        return False
    unit.record(Noticed("board_read_later", "The board is read now"))
    return True


def _placed(unit: UnitOfWork, state: TrackerState, board: Sequence[CardText]) -> list[tuple[int, CardText]]:
    """Turn and river with their places; the flop's cards lie in no certain order."""
    deal = deal_of(unit, state)
    later = [street for street in (Street.TURN, Street.RIVER) if BOARD_SIZE[street] <= len(board)]
    return [(deal.street(street)[0], board[BOARD_SIZE[street] - 1]) for street in later]
