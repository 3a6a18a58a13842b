"""Deals that lie as dealers, floor and devices can make them lie, each played to the end by keys and bytes.
Whoever presses what: a card that became public lay face up, and a street is right or unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from table_core.messages import (
    UNKNOWN_CARD,
    CardText,
    Chips,
    DeviceState,
    Key,
    MakeRuling,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    Seat,
    SeatStack,
    SetHand,
    SetSeats,
    Street,
)
from tests.room.hidden_cards.test_leak_corrupted_deals import BOOKS, WITH_SHOE, Deal, begun, yes
from tests.room.leak.corrupted_table import DEVICE_SETS, LEVEL, CorruptedTable


def right_or_unknown(deal: Deal) -> None:
    """Each street on the books is the one that lies there, or unknown; and nothing else came out."""
    board = deal.table.view.board
    for first, last in ((0, 3), (3, 4), (4, 5)):
        known = {card for card in board[first:last] if card != UNKNOWN_CARD}
        assert known <= set(deal.board[first:last]), (board, deal.board)
    assert deal.table.leaked == []


def streets(deal: Deal, *sizes: int, acts: int = BOOKS) -> None:
    for count in sizes or (3, 1, 1):
        deal.street(count, read=False)
        yes(deal.table)
        deal.all_call(acts)
        right_or_unknown(deal)


def tabled(deal: Deal, *seats: int) -> None:
    """Seats turn their hands up; the hand that was dealt first is seat 2's."""
    order = [*range(2, len(deal.hands) + 1), 1]
    for seat in seats or (2, 3):
        hand = deal.hands[order.index(seat)]
        deal.table.show(*hand)
        deal.table.see(f"seat-{seat}-cards", unread=hand)
        deal.table.say(Key.TABLED, seat)
        yes(deal.table)
    assert deal.table.leaked == []


# ----------------------------------------------------------------------------------- fewer or more on the books


def away(table: CorruptedTable) -> None:
    table.say(Key.AWAY, 7)
    table.say(Key.AWAY, 8)


def out_of_hand(table: CorruptedTable) -> None:
    table.say(Key.OUT_OF_HAND, 7)
    table.say(Key.OUT_OF_HAND, 8)


def six_seats(table: CorruptedTable) -> None:
    table.command(SetSeats("six", tuple(SeatStack(Seat(seat), Chips(20_000)) for seat in range(1, BOOKS + 1))))


def counted_out(table: CorruptedTable) -> None:
    table.say(Key.COUNT, 7, 0)
    table.say(Key.COUNT, 8, 0)


@pytest.mark.parametrize("devices", WITH_SHOE)
@pytest.mark.parametrize("when", ["before the riffle", "before the deal", "in the deal", "after the deal"])
@pytest.mark.parametrize("lie", [away, out_of_hand, six_seats, counted_out])
def test_two_of_eight_are_put_off_the_books(
    tmp_path: Path, devices: str, when: str, lie: Callable[[CorruptedTable], None]
) -> None:
    table = CorruptedTable(tmp_path, BOOKS + 2, DEVICE_SETS[devices])
    deal = Deal(table)
    if when == "before the riffle":
        lie(table)
    table.say(Key.NEW_HAND)
    table.wait()
    if when == "before the deal":
        lie(table)
    deal.down(5)
    if when == "in the deal":
        lie(table)
    deal.down(11)
    if when == "after the deal":
        lie(table)
    yes(table, 2)
    table.say(Key.UNDO)
    yes(table)
    table.press("3", Key.STREET)
    deal.all_call(BOOKS + 2)
    streets(deal, acts=BOOKS + 2)


def test_two_more_hands_are_dealt_after_the_first_action_and_the_camera_sees_no_board(tmp_path: Path) -> None:
    deal = begun(tmp_path, "all")
    deal.hole_cards(BOOKS)
    deal.table.say(Key.FOLD)
    deal.down(4)
    yes(deal.table, 3)
    deal.table.say(Key.UNDO)
    yes(deal.table, 2)
    assert deal.table.leaked == []


@pytest.mark.parametrize("unread", [0, 1, 3])
def test_other_faces_lie_on_the_board_than_left_the_shoe(tmp_path: Path, unread: int) -> None:
    """Three cards of another deck are laid on the board over a deal of two hands too many."""
    deal = begun(tmp_path, "all")
    table = deal.table
    deal.hole_cards(BOOKS + 2)
    deal.all_call()
    faces = deal.deck[-3:]
    table.see("board", *faces[unread:], unread=faces[:unread])
    for _ in range(3):
        yes(table)
        table.say(Key.UNDO)
    yes(table)
    assert table.leaked == []
    assert set(table.view.board) <= {*faces, UNKNOWN_CARD}


def test_two_of_eight_are_at_the_bar_and_get_no_cards(tmp_path: Path) -> None:
    deal = begun(tmp_path, seats=BOOKS + 2)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call(BOOKS + 2)
    deal.street(3)
    yes(table)
    for _ in range(2):
        deal.burn()
        yes(table)
        deal.street(1, burns=0)
        yes(table)
        deal.all_call(BOOKS + 2)
    assert table.leaked == []


# ----------------------------------------------------------------------------------- the shoe loses or misreads


def two_lost(deal: Deal) -> None:
    deal.table.lose(2)
    del deal.deck[:2]


def two_without_room(deal: Deal) -> None:
    del deal.deck[:2]
    deal.table.had_no_room(2)


def two_said_to_be_lost(deal: Deal) -> None:
    del deal.deck[:2]
    deal.table.says_lost(2)


def two_together(deal: Deal) -> None:
    deal.table.draw_together(deal.deck.pop(0), deal.deck.pop(0))


def two_in_doubt(deal: Deal) -> None:
    for _ in range(2):
        deal.deck.pop(0)
        deal.table.draw_doubtful()


def two_unread(deal: Deal) -> None:
    for _ in range(2):
        deal.deck.pop(0)
        deal.table.pass_unread()


def restarted(deal: Deal) -> None:
    deal.deck.pop(0)
    deal.table.restart_shoe()


def read_twice(deal: Deal) -> None:
    deal.table.draw(deal.down(1)[0])


TROUBLES = [
    two_lost,
    two_without_room,
    two_said_to_be_lost,
    two_together,
    two_in_doubt,
    two_unread,
    restarted,
    read_twice,
]


@pytest.mark.parametrize("devices", WITH_SHOE)
@pytest.mark.parametrize("trouble", TROUBLES)
@pytest.mark.parametrize("at", ["hole cards", "burn of the flop", "burn of the turn"])
def test_cards_are_lost_or_misread(tmp_path: Path, devices: str, trouble: Callable[[Deal], None], at: str) -> None:
    deal = begun(tmp_path, devices)
    table = deal.table
    deal.down(6)
    if at == "hole cards":
        trouble(deal)
        deal.down(2 * BOOKS - 6 - (1 if trouble in (restarted, read_twice) else 2))
    else:
        deal.down(6)
    deal.all_call()
    for no, count in enumerate((3, 1, 1)):
        if (no, at) in ((0, "burn of the flop"), (1, "burn of the turn")):
            trouble(deal)
            deal.street(count, burns=0, read=False)
        else:
            deal.street(count, read=False)
        yes(table)
        deal.all_call()
        right_or_unknown(deal)


def test_two_burns_of_which_one_is_lost_on_the_line(tmp_path: Path) -> None:
    """By the count that is left the flop is one card earlier: the second burn."""
    for losing in (CorruptedTable.lose, CorruptedTable.had_no_room, lambda table: table.says_lost(1)):
        deal = begun(tmp_path)
        table = deal.table
        deal.hole_cards(BOOKS)
        deal.all_call()
        deal.down(1)
        deal.deck.pop(0)
        losing(table)
        deal.street(3, burns=0)
        yes(table, 2)
        assert table.view.board == (UNKNOWN_CARD,) * 3
        assert table.leaked == []


def test_the_shoe_sends_the_whole_deal_again(tmp_path: Path) -> None:
    deal = begun(tmp_path)
    deal.hole_cards(BOOKS)
    deal.all_call()
    for count in (3, 1, 1):
        deal.street(count)
        deal.table.send_again()
        yes(deal.table)
        deal.table.send_again()
        deal.all_call()
    assert deal.table.view.board == tuple(deal.board)
    assert deal.table.leaked == []


# ------------------------------------------------------------------------------------------- burns, extra cards


def test_no_burn_before_the_flop_and_the_burn_of_the_turn_makes_the_count_fit(tmp_path: Path) -> None:
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    deal.street(3, burns=0)
    yes(table)
    deal.burn()
    yes(table)
    deal.street(1, burns=0)
    yes(table, 2)
    right_or_unknown(deal)


def test_of_the_turn_only_the_burn_has_left(tmp_path: Path) -> None:
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    streets(deal, 3)
    deal.burn()
    yes(table)
    table.say(Key.UNDO)
    yes(table)
    deal.street(1, burns=0)
    yes(table)
    right_or_unknown(deal)


@pytest.mark.parametrize("ruled", [True, False])
@pytest.mark.parametrize("devices", WITH_SHOE)
def test_one_card_too_many_becomes_the_burn(tmp_path: Path, devices: str, ruled: bool) -> None:
    """Ruled on before the first action, the flop is right without a camera too; unruled it is right or unknown."""
    table = CorruptedTable(tmp_path, BOOKS, DEVICE_SETS[devices], rulebook="wfp")
    deal = Deal(table)
    table.say(Key.NEW_HAND)
    table.wait()
    deal.hole_cards(BOOKS)
    deal.down(1)
    if ruled:
        table.say(Key.FLOOR, None, 13)
        table.wait(900)  # a key answers only what has been in front for 700 ms
        table.say(Key.STREET)
        if table.ruling is not None:
            table.say(Key.STREET)
    deal.all_call()
    deal.street(3, burns=0, read=devices == "all")
    yes(table)
    right_or_unknown(deal)
    if ruled or devices == "all":
        assert set(table.view.board) == set(deal.board)


def test_two_cards_are_pulled_back_into_the_shoe_and_drawn_again(tmp_path: Path) -> None:
    deal = begun(tmp_path)
    deal.hole_cards(BOOKS)
    extra = deal.down(2)
    deal.deck = [*extra, *deal.deck]
    deal.all_call()
    streets(deal)


# --------------------------------------------------------------------------------------- over the hand's border


@pytest.mark.parametrize("deck", [0, 1])
@pytest.mark.parametrize("devices", WITH_SHOE)
def test_the_next_hand_is_dealt_on_the_books_of_the_one_before(tmp_path: Path, devices: str, deck: int) -> None:
    deal = begun(tmp_path, devices)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    streets(deal, 3)
    after = Deal(table, seed=11)
    table.see("board")
    for card in [after.deck.pop(0) for _ in range(2 * BOOKS)]:
        table.draw(card, deck=deck)
        table.wait()
    yes(table, 3)
    table.say(Key.NEW_HAND)
    table.wait(11_000)
    table.say(Key.NEW_HAND)
    yes(table)
    after.all_call()
    for card in [after.deck.pop(0) for _ in range(4)]:
        table.draw(card, deck=deck)
    yes(table, 2)
    assert table.leaked == []


@pytest.mark.parametrize("undone", [1, 2, 4, 12])
def test_the_end_of_a_hand_is_taken_back_over_the_next_deal(tmp_path: Path, undone: int) -> None:
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    deal.street(3)
    yes(table)
    for _ in range(BOOKS - 1):
        table.say(Key.FOLD)
        table.wait()
    after = Deal(table, seed=8)
    table.say(Key.NEW_HAND)
    after.down(2 * BOOKS)
    for _ in range(undone):
        table.say(Key.UNDO)
        yes(table)
    table.press("3", Key.STREET)
    table.say(Key.CHECK_CALL)
    table.say(Key.NEW_HAND)
    table.wait(11_000)
    table.say(Key.NEW_HAND)
    yes(table)
    assert table.leaked == []


# -------------------------------------------------------------------------------------------- misdeal, set_hand


def misdeal(table: CorruptedTable) -> None:
    table.command(MakeRuling(f"misdeal-{table.now}", "out_of_sequence", "misdeal", None, ruler="Ruth"))


@pytest.mark.parametrize("devices", WITH_SHOE)
@pytest.mark.parametrize("stub", [0, 4])
def test_a_misdeal_in_mid_deal(tmp_path: Path, devices: str, stub: int) -> None:
    """The deal goes on all the same for `stub` cards, and then anew with the other deck."""
    deal = begun(tmp_path, devices)
    table = deal.table
    deal.down(8)
    misdeal(table)
    deal.down(stub)
    void = deal.deck
    deal.deck = void[:]
    again = [deal.deck.pop(0) for _ in range(2 * BOOKS + 4)]
    for card in again[: 2 * BOOKS]:
        table.draw(card, deck=1)
    deal.hands = [[again[at], again[at + BOOKS]] for at in range(BOOKS)]
    deal.all_call()
    for card in again[2 * BOOKS :]:
        table.draw(card, deck=1)
    deal.board = again[-3:]
    deal.look(read=False)
    yes(table, 2)
    right_or_unknown(deal)


@pytest.mark.parametrize(
    ("street", "board"),
    [(Street.PREFLOP, ()), (Street.FLOP, ("??",) * 3), (Street.TURN, ("2c", "3d", "4h", "5s"))],
)
@pytest.mark.parametrize("hands", [BOOKS, BOOKS + 2])
def test_the_director_says_how_a_hand_stands(
    tmp_path: Path, street: Street, board: tuple[CardText, ...], hands: int
) -> None:
    deal = begun(tmp_path)
    table = deal.table
    table.show(*board[:4])
    deal.hole_cards(hands)
    seats = tuple(ResumedSeat(Seat(seat), Chips(19_000), Chips(0), True) for seat in range(1, 5))
    hand = ResumeHand(
        hand=1,
        button=Seat(1),
        small_blind=Seat(2),
        big_blind=Seat(3),
        level=LEVEL,
        street=street,
        board=board,
        seats=seats,
        pots=(ResumedPot(Chips(6_000), tuple(one.seat for one in seats)),),
        to_act=Seat(4) if street is Street.PREFLOP else Seat(2),
    )
    table.command(SetHand("resume", hand))
    for _ in range(3):
        deal.all_call()
        deal.street(3)
        yes(table, 2)
    assert not [card for card, _ in table.leaked if card not in deal.board]


@pytest.mark.parametrize("key", [True, False])
def test_the_table_dies_while_it_asks_for_the_flop(tmp_path: Path, key: bool) -> None:
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS + 2)
    table.say(Key.CHECK_CALL)
    table.wait(4_000)
    table.restart(key=key)
    yes(table, 3)
    assert table.leaked == []


def test_power_is_cut_between_the_burn_and_the_flop_and_late_hands_are_dealt(tmp_path: Path) -> None:
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    deal.burn()
    table.restart(key=False)
    deal.down(4)
    yes(table, 2)
    assert table.leaked == []


# ------------------------------------------------------------------------------------------------- the showdown


def at_showdown(folder: Path, devices: str) -> Deal:
    deal = begun(folder, devices)
    deal.hole_cards(BOOKS)
    deal.all_call()
    streets(deal)
    return deal


@pytest.mark.parametrize("devices", WITH_SHOE)
@pytest.mark.parametrize("seat", [0, 2, 3, 4, 12])
def test_a_hand_is_said_to_be_tabled_before_its_time(tmp_path: Path, devices: str, seat: int) -> None:
    """Seat 4 folded; 0 and 12 are nobody's; 2 and 3 hold their cards, with betting open on every street."""
    deal = begun(tmp_path, devices)
    table = deal.table
    deal.hole_cards(BOOKS)
    table.say(Key.FOLD)
    table.say(Key.TABLED, seat)
    yes(table)
    deal.all_call()
    for count in (3, 1, 1):
        table.say(Key.TABLED, seat)
        yes(table)
        deal.street(count)
        table.say(Key.TABLED, seat)
        yes(table)
        if count == 1 and len(deal.board) == 5:
            break
        deal.all_call()
    assert not [leak for leak in table.leaked if leak[0] in deal.hands[0] + deal.hands[1] + deal.hands[2]]


def test_a_mucked_hand_is_said_to_be_tabled(tmp_path: Path) -> None:
    deal = at_showdown(tmp_path, "shoe and keys")
    deal.table.say(Key.MUCK, 2)
    deal.table.say(Key.TABLED, 2)
    yes(deal.table)
    assert deal.table.leaked == []


@pytest.mark.parametrize("option", ["key", "ruling"])
@pytest.mark.parametrize("devices", WITH_SHOE)
def test_the_button_is_moved_under_the_deal_and_another_hand_is_tabled(
    tmp_path: Path, devices: str, option: str
) -> None:
    deal = at_showdown(tmp_path, devices)
    table = deal.table
    if option == "key":
        table.say(Key.BUTTON_HERE, 3)
        yes(table)
    else:
        table.command(MakeRuling("button", "button_wrong", "stands", None, ruler="Ruth"))
    hand = deal.hands[4]
    table.show(*hand)
    table.see("seat-6-cards", unread=hand)
    table.say(Key.TABLED, 6)
    yes(table)
    assert table.leaked == []


@pytest.mark.parametrize("out", [0, 8])
def test_pots_are_awarded_and_all_are_in_before_their_time(tmp_path: Path, out: int) -> None:
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS)
    table.press("4", Key.SPLIT, "5", Key.SPLIT, Key.POT_PUSHED)
    table.say(Key.UNDO)
    for _ in range(BOOKS):
        table.say(Key.ALL_IN)
        table.wait()
    deal.burn()
    deal.down(out)
    yes(table, 5)
    table.say(Key.POT_PUSHED)
    assert table.leaked == []


# ------------------------------------------------------------------------------- the other deck, after the hand


def test_what_a_card_of_the_other_deck_says_tells_nothing_of_the_cards_that_were_dealt(tmp_path: Path) -> None:
    """It says the same as a hole card, or as a card in the stub: all that is told is alike."""

    def outputs(folder: str, hidden: bool) -> list[str]:
        deal = begun(tmp_path / folder)
        deal.hole_cards(BOOKS)
        deal.all_call()
        before = len(deal.table.said)
        deal.table.draw(deal.hands[1][0] if hidden else deal.deck[30], deck=1)
        deal.table.wait(4_000)
        yes(deal.table)
        streets(deal)
        said = [text for text in deal.table.said[before:] if '"type":"card_dealt"' not in text]
        return [text.split('"data":')[-1].split('"cause"')[0] for text in said if text.startswith('{"v"')]

    assert outputs("hidden", True) == outputs("stub", False)


@pytest.mark.parametrize("devices", WITH_SHOE)
def test_a_rabbit_hunt_and_the_whole_deck_through_the_shoe(tmp_path: Path, devices: str) -> None:
    deal = begun(tmp_path, devices)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    deal.street(3)
    yes(table)
    for _ in range(BOOKS - 1):
        table.say(Key.FOLD)
        table.wait()
    table.say(Key.POT_PUSHED)
    everything = {*deal.deck, *deal.board, *(card for hand in deal.hands for card in hand)}
    deal.down(4)
    for card in sorted(everything):
        table.draw(card)
    yes(table, 2)
    assert table.leaked == []
    after = Deal(table, seed=21)
    table.see("board")
    table.see("burn")
    table.wait(11_000)
    table.say(Key.NEW_HAND)
    after.hole_cards(BOOKS)
    after.all_call()
    after.street(3)
    yes(table)
    assert set(table.view.board) == set(after.board)
    assert table.leaked == []


# ----------------------------------------------------------------------------- a premature street, honest deals


@pytest.mark.parametrize("devices", WITH_SHOE)
def test_a_premature_flop_and_its_redeal(tmp_path: Path, devices: str) -> None:
    deal = begun(tmp_path, devices)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call(3)
    deal.street(3)
    table.command(MakeRuling("open", "board_premature", "", None, ruler="Ruth"))
    table.wait()
    incident = table.ruling
    if incident is not None:
        table.command(
            MakeRuling("way", incident.incident, incident.options[0].option, incident.seat, ruler="Ruth")
        )
    deal.all_call(3)
    stub = [*deal.board, *deal.deck]
    deal.board = []
    table.see("board")
    deal.deck = stub[5:] + stub[:5]
    deal.street(3, burns=0)
    yes(table, 2)
    assert table.leaked == []


@pytest.mark.parametrize("devices", WITH_SHOE)
@pytest.mark.parametrize("seats", [2, 6, 9])
def test_an_honest_hand(tmp_path: Path, devices: str, seats: int) -> None:
    deal = begun(tmp_path, devices, seats)
    table = deal.table
    deal.hole_cards(seats)
    deal.all_call(seats)
    for count in (3, 1, 1):
        deal.street(count)
        yes(table)
        assert set(table.view.board) == set(deal.board)
        deal.all_call(seats)
    for seat in range(1, seats + 1):
        at = (seat - 2) % seats if seats > 2 else (seat - 1 if table.view.button != 1 else 2 - seat)
        table.show(*deal.hands[at])
        table.see(f"seat-{seat}-cards", *deal.hands[at])
        if table.view.street is not Street.DONE:
            table.say(Key.TABLED, seat)
            yes(table)
    shown = {one.seat: set(one.cards) for one in table.view.seats if one.cards}
    assert len(shown) == seats
    assert table.leaked == []


def test_keys_behind_the_flop_without_a_camera(tmp_path: Path) -> None:
    """With one action keyed before the burn the flop is right; with none it is unknown, and the hand goes on."""
    for first in (1, 0):
        deal = begun(tmp_path)
        table = deal.table
        deal.hole_cards(BOOKS)
        deal.all_call(first)
        deal.street(3)
        deal.all_call(BOOKS - first)
        yes(table)
        assert table.view.board == (tuple(deal.board) if first else (UNKNOWN_CARD,) * 3)
        assert table.view.legal is not None
        assert table.leaked == []


def test_no_burn_by_mistake_and_the_camera_reads_the_flop(tmp_path: Path) -> None:
    deal = begun(tmp_path, "all")
    deal.hole_cards(BOOKS)
    deal.all_call()
    deal.table.see("burn")
    deal.street(3, burns=0)
    deal.table.wait(4_000)
    assert set(deal.table.view.board) == set(deal.board)
    assert any("burn_missing" in text for text in deal.table.said)
    assert deal.table.state_of("camera") is DeviceState.OK
