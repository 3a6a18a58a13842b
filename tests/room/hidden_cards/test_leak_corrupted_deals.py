"""Deals that are not what the books say: hands, burns and cards too many or too few, on tables with and without a
camera. Whoever presses what: every card that becomes public lay face up.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from table_core.messages import (
    UNKNOWN_CARD,
    CardText,
    Chips,
    DeviceState,
    Key,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    Seat,
    SetHand,
    Street,
)
from table_core.tracker.dealing import evidence
from tests.room.leak.corrupted import HANDS_A_TABLE, table_of
from tests.room.leak.corrupted_table import DEVICE_SETS, LEVEL, CorruptedTable, cards_named

DECK = tuple(rank + suit for suit in "cdhs" for rank in "23456789TJQKA")
BOOKS = 6
WITH_SHOE = ("all", "shoe and keys")
NO_CAMERA = DEVICE_SETS["shoe and keys"]


class Deal:
    """A deck in somebody's hands. `lie_down` cards lie face down somewhere; board cards face up."""

    def __init__(self, table: CorruptedTable, seed: int = 7) -> None:
        self.table = table
        self.deck = random.Random(seed).sample(DECK, 52)
        self.board: list[CardText] = []
        self.hands: list[list[CardText]] = []
        self.burns = 0
        table.riffle()

    def down(self, count: int) -> list[CardText]:
        """So many cards are dealt face down."""
        cards = [self.deck.pop(0) for _ in range(count)]
        for card in cards:
            self.table.draw(card)
        return cards

    def hole_cards(self, hands: int) -> None:
        cards = self.down(2 * hands)
        self.hands = [[cards[at], cards[at + hands]] for at in range(hands)]
        for seat in range(1, hands + 1):
            self.table.see(f"seat-{seat}-cards", backs=2)
        self.table.see("board")

    def burn(self, count: int = 1) -> None:
        self.down(count)
        self.burns += count
        self.table.see("burn", backs=self.burns, motions=self.burns)

    def street(self, count: int, *, burns: int = 1, read: bool = True) -> None:
        self.burn(burns) if burns else None
        self.board += self.down(count)
        self.look(read=read)

    def look(self, *, read: bool = True) -> None:
        self.table.see("board", *(self.board if read else ()), unread=() if read else self.board)

    def all_call(self, acts: int = BOOKS) -> None:
        for _ in range(acts):
            self.table.say(Key.CHECK_CALL)
            self.table.wait()


def begun(folder: Path, devices: str | tuple[str, ...] = NO_CAMERA, seats: int = BOOKS) -> Deal:
    table = CorruptedTable(folder, seats, DEVICE_SETS[devices] if isinstance(devices, str) else devices)
    deal = Deal(table)
    table.say(Key.NEW_HAND)
    table.wait()
    return deal


def yes(table: CorruptedTable, times: int = 1) -> None:
    """Whatever the table asks within a few seconds, the answer is STREET."""
    for _ in range(times):
        table.wait(4_000)
        table.say(Key.STREET)


# ------------------------------------------------------------------------- the finding, in its three forms


@pytest.mark.parametrize("devices", WITH_SHOE)
def test_eight_hands_are_dealt_and_six_are_on_the_books(tmp_path: Path, devices: str) -> None:
    deal = begun(tmp_path, devices)
    deal.hole_cards(BOOKS + 2)
    yes(deal.table, 3)
    assert deal.table.leaked == []


def test_a_dealer_alone_counts_two_players_out_and_deals_them_in(tmp_path: Path) -> None:
    table = CorruptedTable(tmp_path, BOOKS + 2, NO_CAMERA)
    for seat in (4, 5):
        table.say(Key.COUNT, seat, 0)
    deal = Deal(table)
    table.say(Key.NEW_HAND)
    table.wait()
    deal.hole_cards(BOOKS + 2)
    yes(table, 2)
    table.say(Key.UNDO)
    yes(table)
    assert table.leaked == []


# --------------------------------------------------------------------------------------------- the count


@pytest.mark.parametrize("undo", [0, 1, 2, 8])
@pytest.mark.parametrize("devices", WITH_SHOE)
@pytest.mark.parametrize("dealt", [2, 4, 5, 7, 8, 9])
def test_hands_dealt_and_hands_on_the_books_differ(tmp_path: Path, dealt: int, devices: str, undo: int) -> None:
    """Everything keyed as it should be; the camera, where there is one, sees every face and reads none."""
    deal = begun(tmp_path, devices)
    table = deal.table
    deal.hole_cards(dealt)
    deal.all_call()
    for count in (3, 1, 1):
        deal.street(count, read=False)
        yes(table, 2)
        for _ in range(undo):
            table.say(Key.UNDO)
        deal.all_call()
    for seat, hand in enumerate(deal.hands[:BOOKS], start=1):
        table.say(Key.TABLED, seat)
        table.see(f"seat-{seat}-cards", hand[0], unread=hand[1:])
        yes(table)
    assert table.leaked == []


def test_a_hand_is_tabled_of_which_one_card_is_read(tmp_path: Path) -> None:
    """Seven hands dealt: by the plan of six the second card of every hand is its neighbour's."""
    deal = begun(tmp_path, "all")
    table = deal.table
    deal.hole_cards(BOOKS + 1)
    deal.all_call()
    table.device("camera", DeviceState.BLOCKED)
    for count in (3, 1, 1):
        deal.street(count)
        yes(table)
        deal.all_call()
    table.device("camera", DeviceState.OK)
    table.say(Key.TABLED, 2)
    table.see("seat-2-cards", deal.hands[0][0], unread=deal.hands[0][1:])
    table.wait(4_000)
    assert table.leaked == []


def streets_keyed_twice(deal: Deal) -> None:
    """The board street by street, STREET pressed twice for each, and everybody calls."""
    for count in (3, 1, 1):
        deal.street(count)
        yes(deal.table, 2)
        deal.all_call()


@pytest.mark.parametrize("extra", [1, 2, 3, 4])
def test_cards_too_many_are_dealt_to_the_hands(tmp_path: Path, extra: int) -> None:
    deal = begun(tmp_path)
    deal.hole_cards(BOOKS)
    deal.down(extra)
    deal.all_call()
    streets_keyed_twice(deal)
    assert deal.table.leaked == []


@pytest.mark.parametrize("street", range(3))
@pytest.mark.parametrize("burns", [0, 2, 3])
@pytest.mark.parametrize("devices", WITH_SHOE)
def test_burns_too_many_or_too_few(tmp_path: Path, devices: str, burns: int, street: int) -> None:
    deal = begun(tmp_path, devices)
    deal.hole_cards(BOOKS)
    deal.all_call()
    for no, count in enumerate((3, 1, 1)):
        deal.street(count, burns=burns if no == street else 1, read=False)
        yes(deal.table)
        deal.all_call()
        yes(deal.table)
    assert deal.table.leaked == []


@pytest.mark.parametrize("size", [2, 4, 5])
def test_a_flop_of_another_size(tmp_path: Path, size: int) -> None:
    deal = begun(tmp_path)
    deal.hole_cards(BOOKS)
    deal.all_call()
    for count in (size, 1, 1):
        deal.street(count)
        yes(deal.table)
        deal.all_call()
    assert deal.table.leaked == []


def run_out(deal: Deal, burns: Sequence[int], waits: Sequence[int] = (2_000, 2_000, 2_000)) -> None:
    """Everybody is all-in: three streets without a key, each behind so many burns, with a pause behind it."""
    for _ in range(BOOKS):
        deal.table.say(Key.ALL_IN)
        deal.table.wait()
    for count, burned, ms in zip((3, 1, 1), burns, waits, strict=True):
        deal.street(count, burns=burned)
        deal.table.wait(ms)


@pytest.mark.parametrize(
    "burns", [(0, 1, 1), (2, 1, 1), (3, 1, 1), (2, 0, 1), (1, 2, 0), (1, 3, 1), (3, 0, 0), (0, 2, 1)]
)
@pytest.mark.parametrize("last", [Key.AWARD, Key.STREET])
def test_burns_too_many_or_too_few_in_a_run_out_without_a_key(
    tmp_path: Path, burns: Sequence[int], last: Key
) -> None:
    deal = begun(tmp_path)
    deal.hole_cards(BOOKS)
    run_out(deal, burns)
    if last is Key.AWARD:
        deal.table.say(Key.AWARD, 2)
    yes(deal.table, 4)
    assert deal.table.leaked == []


def test_a_run_out_without_a_pause_may_be_burns_and_opens_nothing(tmp_path: Path) -> None:
    """Three burns and a flop are as many cards as a flop and a turn."""
    deal = begun(tmp_path)
    deal.hole_cards(BOOKS)
    run_out(deal, (1, 1, 1), (0, 0, 0))
    yes(deal.table, 3)
    assert set(deal.table.view.board) == {UNKNOWN_CARD}
    assert deal.table.leaked == []


def test_a_run_out_that_is_keyed_behind_the_river(tmp_path: Path) -> None:
    deal = begun(tmp_path)
    deal.hole_cards(BOOKS)
    run_out(deal, (1, 1, 1))
    for out in (3, 4, 5):
        yes(deal.table)
        assert deal.table.view.board == tuple(deal.board[:out])
    assert deal.table.leaked == []


def test_more_hands_than_on_the_books_and_every_key_behind_the_deal(tmp_path: Path) -> None:
    """The first action comes at a count that a flop could have; no street behind it is right."""
    for dealt in (7, 8, 9):
        deal = begun(tmp_path / str(dealt))
        deal.hole_cards(dealt)
        deal.table.wait(2_000)
        deal.all_call()
        yes(deal.table)
        deal.all_call()
        streets_keyed_twice(deal)
        assert deal.table.leaked == []


# ------------------------------------------------------------------------------ cards that come twice, two decks


def test_a_hole_card_is_pulled_back_and_comes_again_later(tmp_path: Path) -> None:
    """Twelve cards were counted as on the books, and behind the pulled one every hand is one place off."""
    deal = begun(tmp_path)
    table = deal.table
    pulled = deal.down(4)[3]
    deal.deck.insert(4, pulled)
    deal.down(9)
    assert pulled not in deal.deck
    deal.all_call()
    for count in (3, 1, 1):
        deal.street(count)
        yes(table)
        deal.all_call()
    for seat in (2, 3, 4):
        table.say(Key.TABLED, seat)
        yes(table)
    assert not [card for card, _ in table.leaked if card not in deal.board]


def test_burn_and_turn_are_pulled_back_and_come_the_other_way_round(tmp_path: Path) -> None:
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    deal.street(3)
    yes(table)
    burn, turn = deal.down(2)
    deal.all_call()
    table.draw(turn)
    table.draw(burn)
    table.show(burn)
    yes(table)
    assert table.leaked == []


def test_the_turn_is_of_the_other_deck_behind_two_burns(tmp_path: Path) -> None:
    deal = begun(tmp_path, "all")
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    deal.street(3)
    table.wait(4_000)
    deal.all_call()
    deal.down(2)
    turn = deal.deck.pop(-1)
    table.draw(turn, deck=1)
    table.see("board", *deal.board, turn)
    yes(table, 2)
    assert table.leaked == []


# ------------------------------------------------------------------------------------- what a person says


@pytest.mark.parametrize("street", [Street.FLOP, Street.TURN, Street.RIVER, Street.SHOWDOWN])
def test_a_hand_is_resumed_where_the_count_of_another_deal_fits(tmp_path: Path, street: Street) -> None:
    """Eight hands are as many cards as six and a flop. The director says that the hand goes on from there."""
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS + 2)
    size = {Street.FLOP: 3, Street.TURN: 4}.get(street, 5)
    seats = tuple(ResumedSeat(Seat(seat), Chips(19_000), Chips(0), True) for seat in range(1, BOOKS + 1))
    live = tuple(seat.seat for seat in seats)
    hand = ResumeHand(
        hand=1,
        button=Seat(1),
        small_blind=Seat(2),
        big_blind=Seat(3),
        level=LEVEL,
        street=street,
        board=(UNKNOWN_CARD,) * size,
        seats=seats,
        pots=(ResumedPot(Chips(6_000), live),),
        to_act=None if street is Street.SHOWDOWN else Seat(2),
    )
    table.command(SetHand("resume", hand))
    for _ in range(3):
        deal.all_call()
        yes(table)
    for seat in live:
        table.say(Key.TABLED, seat)
        yes(table)
    assert table.leaked == []


@pytest.mark.parametrize("key", [True, False])
@pytest.mark.parametrize("when", range(4))
def test_the_process_dies_between(tmp_path: Path, when: int, key: bool) -> None:
    """What was out before anybody acted is known to whoever starts again from the ledger."""
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS + 2)
    steps = [lambda: yes(table), lambda: table.say(Key.UNDO), deal.all_call, lambda: yes(table, 2)]
    for no, step in enumerate(steps):
        if no == when:
            table.restart(key=key)
        step()
    assert table.leaked == []


def test_cards_of_the_next_deal_are_out_when_the_end_of_a_hand_is_taken_back(tmp_path: Path) -> None:
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS)
    for _ in range(5):
        table.say(Key.FOLD)
        table.wait()
    assert table.view.street is Street.DONE
    Deal(table, seed=8).down(4)
    table.say(Key.UNDO)
    deal.all_call()
    yes(table, 2)
    assert table.leaked == []


def test_new_hand_is_touched_when_the_deal_is_out(tmp_path: Path) -> None:
    table = CorruptedTable(tmp_path, BOOKS, NO_CAMERA)
    deal = Deal(table)
    deal.hole_cards(BOOKS + 2)
    table.touch(Key.NEW_HAND)
    yes(table, 3)
    assert table.leaked == []


def test_a_hand_is_said_to_be_tabled_that_the_camera_sees_nowhere(tmp_path: Path) -> None:
    """Whoever holds his cards in the hand has not shown them, whatever is pressed."""
    deal = begun(tmp_path, "all")
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    for count in (3, 1, 1):
        deal.street(count)
        table.wait(2_000)
        deal.all_call()
    table.see("seat-2-cards")
    table.say(Key.TABLED, 2)
    yes(table, 2)
    assert table.leaked == []


# ------------------------------------------------------------------------------------------ honest tables


@pytest.mark.parametrize("restart", [False, True])
def test_without_a_camera_an_honest_deal_fills_the_board_and_the_hands(tmp_path: Path, restart: bool) -> None:
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    for count in (3, 1, 1):
        deal.street(count)
        if restart:
            table.restart()
        yes(table)
        assert table.view.board == tuple(deal.board)
        deal.all_call()
    for seat, hand in zip((2, 3, 4, 5, 6, 1), deal.hands, strict=True):
        table.show(*hand)
        table.say(Key.TABLED, seat)
        yes(table)
        assert next(one.cards for one in table.view.seats if one.seat == seat) == tuple(hand)
    assert table.leaked == []


def test_a_camera_that_is_blocked_before_the_riffle_leaves_the_board_to_the_shoe(tmp_path: Path) -> None:
    deal = Deal(CorruptedTable(tmp_path, BOOKS, DEVICE_SETS["all"]))
    deal.table.device("camera", DeviceState.BLOCKED)
    deal.table.say(Key.NEW_HAND)
    deal.hole_cards(BOOKS)
    deal.all_call()
    deal.street(3)
    yes(deal.table)
    assert deal.table.view.board == tuple(deal.board)
    assert deal.table.leaked == []


def test_keys_come_late_and_the_camera_reads_the_board(tmp_path: Path) -> None:
    """Nobody keyed anything before the flop: the camera reads it; the turn that it cannot read the shoe knows."""
    deal = begun(tmp_path, "all")
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.street(3)
    yes(table)
    assert table.view.board == tuple(deal.board)
    deal.all_call()
    deal.burn()
    turn = deal.down(1)
    table.see("board", *deal.board, unread=turn)
    yes(table)
    assert table.view.board == (*deal.board, *turn)
    assert table.leaked == []


def test_the_camera_sees_a_flop_that_it_cannot_read(tmp_path: Path) -> None:
    deal = begun(tmp_path, "all")
    deal.hole_cards(BOOKS)
    deal.all_call()
    deal.street(3, read=False)
    yes(deal.table)
    assert deal.table.view.board == tuple(deal.board)
    assert deal.table.leaked == []


def test_the_flop_that_nobody_could_count_is_read_later(tmp_path: Path) -> None:
    deal = begun(tmp_path, "all")
    table = deal.table
    deal.hole_cards(BOOKS + 1)
    deal.all_call()
    deal.street(3, read=False)
    yes(table)
    assert table.view.board == (UNKNOWN_CARD,) * 3
    deal.look()
    assert table.view.board == tuple(deal.board)
    assert table.leaked == []


# -------------------------------------------------------------------------- a share of the long run, the one door


@pytest.mark.parametrize("counting", [False, True])
@pytest.mark.parametrize("no", range(4))
def test_a_share_of_the_deals_that_lie(no: int, counting: bool) -> None:
    """As `python -m tests.room.leak --corrupted` deals them by the thousand, with either kind of shoe."""
    assert table_of("7", no, 3, counting=counting).leaks == ()


# Tables at which the shoe's word once opened what lay face down.
@pytest.mark.parametrize(
    ("seed", "no"),
    [("3", 98), ("4", 19), ("4", 75), ("5", 51), ("5", 83), ("6", 2), ("9", 4), ("11", 9), ("11", 18), ("11", 26)],
)
def test_tables_at_which_a_card_was_opened_once(seed: str, no: int) -> None:
    assert table_of(seed, no, HANDS_A_TABLE, counting=False).leaks == ()


def test_a_rule_is_no_card() -> None:
    said = '"text":"it stands: wfp.betting.7c","rule":"wfp.betting.7c","cards":["7d"],"tabled":"8s9h. Td"'
    assert cards_named(said) == {"7d", "8s", "9h", "Td"}


def test_the_run_finds_a_card_that_is_opened_without_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "shoe_knows", lambda *_: True)
    monkeypatch.setattr(evidence, "_faces_lie", lambda *_: True)
    assert any(table_of("7", no, 4, counting=False).leaks for no in range(6))
    assert any(table_of("7", no, 4, counting=True).leaks for no in range(6))


def test_one_module_alone_asks_the_vault_to_open_cards() -> None:
    tracker = Path(evidence.__file__).parents[1]
    asks = [path.name for path in tracker.rglob("*.py") if ".open_places(" in path.read_text()]
    rulings = tracker.parent / "rulings"
    assert asks == ["evidence.py"]
    assert not [path for path in rulings.glob("*.py") if "open_places" in path.read_text()]
