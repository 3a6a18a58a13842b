"""The count fits, and the card at the place lies face down all the same: what dealers, players and devices do for
that. Each story ends with the card unknown (`??`), and with the hand going on.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from table_core.messages import (
    UNKNOWN_CARD,
    CardText,
    Chips,
    DeviceState,
    HandTabled,
    Key,
    Noticed,
    ResumedSeat,
    ResumeHand,
    Seat,
    SetHand,
    Street,
)
from table_core.tracker.dealing.evidence import HANDS_UNCOUNTED
from tests.room.hidden_cards.test_leak_corrupted_deals import BOOKS, DECK, Deal, begun, yes
from tests.room.leak.corrupted_table import LEVEL, CorruptedTable

UNKNOWN_FLOP = (UNKNOWN_CARD,) * 3
ORDER = (2, 3, 4, 5, 6, 1)  # of the deal, with the button at seat 1


def opens_nothing(deal: Deal) -> None:
    assert deal.table.leaked == []
    assert set(deal.table.view.board) <= {UNKNOWN_CARD}


def hand_of(deal: Deal, seat: int) -> list[CardText]:
    """By the books."""
    return deal.hands[ORDER.index(seat)]


def dealt(folder: Path, devices: str = "all") -> Deal:
    """The hole cards lie there; the camera, where there is one, sees a bare board."""
    deal = begun(folder, devices)
    deal.hole_cards(BOOKS)
    return deal


def uncounted(deal: Deal) -> bool:
    """The hand is over, and the relay will release nobody's hole cards."""
    deal.table.say(Key.AWARD, 2)
    yes(deal.table)
    deal.table.wait(11_000)
    deal.table.say(Key.NEW_HAND)
    events = [envelope.data for envelope, _ in deal.table.stored]
    assert deal.table.view.hand == 2
    return any(isinstance(event, Noticed) and event.kind == HANDS_UNCOUNTED for event in events)


# ------------------------------------------------------------------------------ the camera is lost in mid-hand

LOST = (DeviceState.BLOCKED, DeviceState.CONNECTING, DeviceState.NOT_RESPONDING, DeviceState.OFF)


@pytest.mark.parametrize("lost", LOST)
@pytest.mark.parametrize("restart", [False, True])
def test_two_late_hands_are_dealt_and_somebody_unplugs_the_camera(
    tmp_path: Path, lost: DeviceState, restart: bool
) -> None:
    """The bar that a working camera sets stays for the hand."""
    deal = dealt(tmp_path)
    deal.table.say(Key.FOLD)
    deal.table.device("camera", lost)
    if restart:
        deal.table.restart()
    deal.down(4)
    deal.all_call(BOOKS - 1)
    yes(deal.table, 2)
    assert deal.table.view.board == UNKNOWN_FLOP
    opens_nothing(deal)


def test_a_camera_that_was_lost_comes_back_and_reads_the_board(tmp_path: Path) -> None:
    deal = dealt(tmp_path)
    deal.table.device("camera", DeviceState.BLOCKED)
    deal.all_call()
    deal.street(3)
    yes(deal.table)
    assert deal.table.view.board == UNKNOWN_FLOP
    deal.table.device("camera", DeviceState.OK)
    deal.look()
    assert deal.table.view.board == tuple(deal.board)
    assert deal.table.leaked == []


# --------------------------------------------------------------------------------- faces that lay there before


@pytest.mark.parametrize("how", ["said again", "restart", "the line breaks"])
def test_a_camera_that_shows_yesterday(tmp_path: Path, how: str) -> None:
    """Its picture stands still, with three faces in glare. The flop is dealt face down."""
    table = CorruptedTable(tmp_path, BOOKS)
    yesterday = DECK[:3]
    table.see("board", unread=yesterday)
    deal = Deal(table)
    table.say(Key.NEW_HAND)
    table.wait()
    deal.down(2 * BOOKS)
    deal.all_call()
    deal.down(4)
    if how == "restart":
        table.restart()
    if how == "the line breaks":
        table.device("camera", DeviceState.CONNECTING)
        table.device("camera", DeviceState.OK)
    table.see("board", unread=yesterday)
    yes(table, 2)
    assert not [card for card, _ in table.leaked if card not in yesterday]
    assert table.view.board == UNKNOWN_FLOP


# ------------------------------------------------------------------------------------ no burn, and one too soon


@pytest.mark.parametrize("read", [(), (1,), (2,), (1, 2)])
@pytest.mark.parametrize("seen", ["flop first", "burn first", "flop before the burn left"])
def test_no_burn_before_the_flop_and_the_next_burn_at_once(tmp_path: Path, read: Sequence[int], seen: str) -> None:
    """Three faces, as many cards as burn and flop, and the newest of them is the turn's burn."""
    deal = dealt(tmp_path)
    deal.all_call()
    deal.board = deal.down(3)

    def look() -> None:
        names = [deal.board[at] for at in read]
        deal.table.see("board", *names, unread=[card for card in deal.board if card not in names])

    if seen == "flop before the burn left":
        look()
    deal.down(1)
    if seen == "burn first":
        deal.table.see("burn", backs=1, motions=1)
    look()
    deal.table.see("burn", backs=1, motions=1)
    yes(deal.table, 2)
    assert set(deal.table.view.board) <= {UNKNOWN_CARD, *deal.board}
    assert deal.table.leaked == []
    deal.look()
    assert set(deal.table.view.board) == set(deal.board)


def test_no_burn_before_the_turn_and_the_next_burn_at_once(tmp_path: Path) -> None:
    """Somebody acts on the turn, which lies there unread; the card that left the shoe last is the river's burn."""
    deal = dealt(tmp_path)
    table = deal.table
    deal.all_call()
    deal.street(3)
    table.wait(2_000)
    deal.all_call()
    flop, turn = [*deal.board], deal.down(1)
    deal.down(1)
    table.see("burn", backs=2, motions=2)
    table.see("board", *flop, unread=turn)
    table.wait(1_000)
    table.say(Key.CHECK_CALL)
    yes(table)
    assert table.view.board == (*flop, UNKNOWN_CARD)
    assert table.leaked == []


def test_burn_and_turn_are_seen_in_their_order_and_the_turn_that_is_acted_on_is_known(tmp_path: Path) -> None:
    deal = dealt(tmp_path)
    table = deal.table
    deal.all_call()
    deal.street(3)
    table.wait(2_000)
    deal.all_call()
    table.wait(1_000)
    flop = [*deal.board]
    deal.burn()
    turn = deal.down(1)
    table.see("board", *flop, unread=turn)
    table.say(Key.CHECK_CALL)
    assert table.view.board == (*flop, *turn)
    assert table.leaked == []


# ---------------------------------------------------------------------------------------- the shoe was away


@pytest.mark.parametrize("how", ["line", "started anew"])
@pytest.mark.parametrize("hidden", ["burn", "hole card"])
def test_a_card_passes_while_the_shoe_is_away_and_one_too_many_makes_the_count_fit(
    tmp_path: Path, hidden: str, how: str
) -> None:
    deal = begun(tmp_path)
    table = deal.table

    def unseen() -> None:
        deal.deck.pop(0)
        if how == "line":
            table.device("shoe", DeviceState.CONNECTING)
            table.device("shoe", DeviceState.OK)
        else:
            table.restart_shoe()

    deal.down(4)
    if hidden == "hole card":
        unseen()
    deal.down(8)
    deal.all_call()
    if hidden == "burn":
        unseen()
    deal.street(3, burns=0 if hidden == "burn" else 1)
    if hidden == "burn":
        deal.down(1)
    yes(table)
    assert table.view.board == UNKNOWN_FLOP
    deal.all_call()
    assert table.view.street is not Street.PREFLOP, "keys go on"
    assert table.leaked == []


@pytest.mark.parametrize("camera", [True, False])
def test_hands_are_pulled_back_and_their_cards_pass_again(tmp_path: Path, camera: bool) -> None:
    """Seats 5 and 6 were not there, the dealer says. Then all is dealt on as if nothing had been."""
    deal = dealt(tmp_path, "all" if camera else "shoe and keys")
    table = deal.table
    deal.all_call(1)
    for card in (*hand_of(deal, 5), *hand_of(deal, 6)):
        table.draw(card)
    deal.all_call(BOOKS - 1)
    yes(table)
    if camera:
        table.device("camera", DeviceState.BLOCKED)
        yes(table)
    opens_nothing(deal)
    deal.street(3, read=False)
    yes(table, 2)
    opens_nothing(deal)
    assert uncounted(deal)


@pytest.mark.parametrize("devices", ["all", "shoe and keys"])
def test_hole_cards_pass_the_shoe_again_after_a_power_cut(tmp_path: Path, devices: str) -> None:
    """The table does not know them any more: by count they are the burn and the turn."""
    deal = dealt(tmp_path, devices)
    table = deal.table
    deal.all_call()
    deal.street(3)
    yes(table)
    flop = table.view.board
    assert flop == tuple(deal.board)
    table.restart(key=False)
    table.see("board", *deal.board)
    deal.all_call()
    for card in hand_of(deal, 5):
        table.draw(card)
    yes(table, 2)
    assert table.view.board == (*flop, UNKNOWN_CARD)
    deal.all_call()
    assert table.leaked == []


# -------------------------------------------------------------------------------------- whose hand is whose


def one_seat_too_far(folder: Path, devices: str = "all") -> Deal:
    """The first card went to seat 3: by the books every hand is the right neighbour's. A showdown of 3 and 5."""
    deal = dealt(folder, devices)
    table = deal.table
    for _ in range(BOOKS):
        legal = table.view.legal
        assert legal is not None
        keeps = legal.seat in (3, 5)
        table.say(Key.CHECK_CALL if keeps else Key.FOLD)
        table.see(f"seat-{legal.seat}-cards", backs=2 if keeps else 0)
    for count in (3, 1, 1):
        deal.street(count)
        yes(table)
        deal.all_call(2)
    return deal


def lies_at(deal: Deal, seat: int) -> list[CardText]:
    return hand_of(deal, ORDER[ORDER.index(seat) - 1])


@pytest.mark.parametrize("read", [(), (0,), (1,)])
@pytest.mark.parametrize("button", [False, True])
def test_the_deal_began_one_seat_too_far(tmp_path: Path, read: Sequence[int], button: bool) -> None:
    """By the books seat 3 turns up what lies face down at seat 4."""
    deal = one_seat_too_far(tmp_path)
    table, shown = deal.table, lies_at(deal, 3)
    if button:
        table.say(Key.BUTTON_HERE, 6)
        yes(table)
    names = [shown[at] for at in read]
    table.see("seat-3-cards", *names, unread=[card for card in shown if card not in names])
    for _ in range(2):
        table.say(Key.TABLED, 3)
        yes(table)
    table.see("seat-5-cards", unread=lies_at(deal, 5))
    table.say(Key.TABLED, 5)
    yes(table)
    assert table.leaked == []


def test_hands_that_are_read_one_seat_too_far_are_nobody_elses(tmp_path: Path) -> None:
    """They are taken as read when TABLED says so, and the relay releases nobody's hole cards: by the books they
    are others'."""
    deal = one_seat_too_far(tmp_path)

    def tabled() -> dict[Seat, set[str]]:
        events = [envelope.data for envelope, _ in deal.table.stored]
        return {event.seat: set(event.cards) for event in events if isinstance(event, HandTabled)}

    for seat in (3, 5):
        deal.table.see(f"seat-{seat}-cards", *lies_at(deal, seat))
    assert tabled() == {}
    for seat in (3, 5):
        deal.table.say(Key.TABLED, seat)
    assert tabled() == {seat: set(lies_at(deal, seat)) for seat in (3, 5)}
    assert deal.table.leaked == []
    assert uncounted(deal)


def test_a_hand_of_which_the_camera_reads_one_card_is_known_whole(tmp_path: Path) -> None:
    deal = dealt(tmp_path)
    deal.all_call()
    for count in (3, 1, 1):
        deal.street(count)
        deal.table.wait(2_000)
        deal.all_call()
    hand = hand_of(deal, 3)
    deal.table.see("seat-3-cards", hand[0], unread=hand[1:])
    deal.table.say(Key.TABLED, 3)
    assert next(one.cards for one in deal.table.view.seats if one.seat == 3) == tuple(hand)
    assert deal.table.leaked == []


# ---------------------------------------------------------------------------------------- keys and questions


@pytest.mark.parametrize("exposed", ["before the turn left", "after it", "nowhere"])
@pytest.mark.parametrize("seat", [1, None])
def test_a_forgotten_check_and_a_double_tap_while_the_turn_is_held_face_down(
    tmp_path: Path, exposed: str, seat: int | None
) -> None:
    """Somebody's hole card lies face up among the board's. The taps are for the flop."""
    deal = begun(tmp_path, ("shoe", "camera"))
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    deal.street(3)
    table.wait(3_000)
    deal.all_call(BOOKS - 2)
    flop, hole = tuple(deal.board), hand_of(deal, 5)[:1]
    if exposed == "before the turn left":
        table.see("board", *flop, unread=hole)
    deal.burn()
    deal.down(1)
    if exposed == "after it":
        table.see("board", *flop, unread=hole)
    table.wait(3_000)
    asked = table.view.question
    assert asked is not None
    assert asked.kind == "missed_actions"
    assert table.ruling is None
    table.touch(Key.CHECK_CALL, 6)
    table.now += 300
    for _ in range(2):
        table.touch(Key.CHECK_CALL, seat)
        table.now += 120
    assert table.view.board == flop
    assert table.leaked == []


@pytest.mark.parametrize("hands", [4, 5])
def test_fewer_hands_were_dealt_and_the_dealer_says_twice_that_the_flop_is_out(tmp_path: Path, hands: int) -> None:
    """By count it is not. Nobody waits for cards that never come."""
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(hands)
    deal.all_call()
    deal.street(3)
    table.say(Key.STREET)
    assert table.view.board == ()
    yes(table)
    assert table.view.board == UNKNOWN_FLOP
    assert table.view.legal is not None
    for count in (1, 1):
        deal.all_call()
        deal.street(count)
        yes(table, 2)
    opens_nothing(deal)


def test_the_dealer_resumes_with_four_of_six_in_the_hand(tmp_path: Path) -> None:
    deal = dealt(tmp_path, "shoe and keys")
    table = deal.table
    table.restart()
    blinds = {2: 100, 3: 200}
    seats = tuple(ResumedSeat(Seat(n), Chips(19_000), Chips(blinds.get(n, 0)), True) for n in (1, 2, 3, 4))
    hand = ResumeHand(
        hand=1,
        button=Seat(1),
        small_blind=Seat(2),
        big_blind=Seat(3),
        level=LEVEL,
        street=Street.PREFLOP,
        board=(),
        seats=seats,
        pots=(),
        to_act=Seat(4),
    )
    table.command(SetHand("resume", hand))
    deal.all_call(4)
    deal.street(3)
    yes(table, 2)
    assert table.view.board == UNKNOWN_FLOP
    opens_nothing(deal)


def test_cards_of_the_idle_deck_pass_first_and_the_camera_alone_makes_the_board(tmp_path: Path) -> None:
    """Four hole cards passed unread. The count is known to be off, so it contradicts no reading."""
    deal = begun(tmp_path, "all")
    table = deal.table
    deal.down(8)
    for card in DECK[-4:]:
        table.draw(card, deck=1)
    del deal.deck[:4]
    deal.all_call()
    deal.street(3)
    table.wait(1_000)
    assert set(table.view.board) == set(deal.board)
    assert table.ruling is None
    assert table.leaked == []
