"""*Resume from here* within a hand, as a table's state takes it in and gives it back."""

from msgspec.structs import replace

from table_core.hand.hand import Hand
from table_core.hand.resume import with_side_pots
from table_core.messages import (
    MESSAGES_VERSION,
    AnyEvent,
    At,
    Chips,
    Envelope,
    Level,
    Millis,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    Rewound,
    Seat,
    SeatsSet,
    SeatStack,
    StartHand,
    Street,
)
from table_core.projections.table import TableProjection
from tests.table_core.table import BASE, command, done

LEVEL = Level(3, Chips(10), Chips(20))
STACKS = tuple(SeatStack(Seat(seat), Chips(1_000), name) for seat, name in ((2, "Ann"), (5, "Ben"), (9, "Cy")))
SET = SeatsSet(STACKS, Seat(9), hand=1, level=LEVEL)


def resumed() -> ResumeHand:
    """On the turn: Ann and Cy play for 300, Ben has folded, and Dee has sat down in seat 7 without a hand."""
    seats = (
        ResumedSeat(Seat(2), Chips(800)),
        ResumedSeat(Seat(5), Chips(900), live=False),
        ResumedSeat(Seat(7), Chips(500), live=False, player="Dee"),
        ResumedSeat(Seat(9), Chips(900)),
    )
    pots = (ResumedPot(Chips(300), (Seat(2), Seat(9))),)
    board = ("3h", "4h", "5s", "Kd")
    return ResumeHand(1, Seat(5), Seat(9), Seat(2), LEVEL, Street.TURN, board, seats, pots, Seat(9))


def folded(events: list[AnyEvent]) -> TableProjection:
    projection = TableProjection("hall", "07", BASE)
    for seq, event in enumerate(events, 1):
        projection.apply(envelope(seq, event), "")
    return projection


def envelope(seq: int, event: AnyEvent) -> Envelope:
    at = At("boot", Millis(seq), "")
    return Envelope(MESSAGES_VERSION, "hall", "07", 1, seq, at, "", event)


def test_a_hand_that_nobody_saw_begin_is_played_to_its_end_and_its_chips_are_the_seats() -> None:
    hand = Hand(BASE)
    events = [SET, *done(hand.push(resumed()))]
    for line in ("9 bet 100", "2 call", "board 9h", "9 check", "2 check", "2 table AhKh", "9 table 2c2d", "award"):
        events += done(hand.push(command(line)), line)
    projection = folded(events)
    assert (projection.hand_number, projection.hands_played, projection.in_hand) == (1, 1, False)
    assert (projection.button, projection.small_blind, projection.big_blind) == (5, 9, 2)
    assert {seat: (state.player, state.stack) for seat, state in projection.seats.items()} == {
        2: ("Ann", 1_200),
        5: ("Ben", 900),
        7: ("Dee", 500),
        9: ("Cy", 800),
    }


def test_the_hand_in_progress_is_replaced_and_comes_back_when_that_is_undone() -> None:
    hand = Hand(BASE)
    begun = done(hand.push(StartHand(1, Seat(9), Seat(2), Seat(5), LEVEL, STACKS)))
    begun += done(hand.push(command("9 raise 60")))
    gap = done(hand.push(resumed()))
    projection = folded([SET, *begun, *gap])
    assert projection.hand is not None
    assert (projection.hand.street, projection.hand.to_act, projection.hand.button) == (Street.TURN, 9, 5)
    seq = 1 + len(begun) + len(gap)
    projection.apply(envelope(seq + 1, Rewound(seq - 1, (seq,))), "")
    assert (projection.hand.street, projection.hand.to_act, projection.hand.bets[Seat(9)]) == (
        Street.PREFLOP,
        2,
        60,
    )
    assert (projection.button, projection.small_blind, projection.big_blind) == (9, 2, 5)
    assert {seat: state.stack for seat, state in projection.seats.items()} == {2: 1_000, 5: 1_000, 9: 1_000}


def all_in_for_500(*pots: ResumedPot) -> ResumeHand:
    """Seats 2 and 5 have put in 800 each, seat 9 all of its 500."""
    seats = ResumedSeat(Seat(2), Chips(200)), ResumedSeat(Seat(5), Chips(200)), ResumedSeat(Seat(9), Chips(0))
    return replace(resumed(), seats=seats, pots=pots)


def pot(amount: int, *seats: int) -> ResumedPot:
    return ResumedPot(Chips(amount), tuple([Seat(seat) for seat in seats]))


HAD = {Seat(2): Chips(1_000), Seat(5): Chips(1_000), Seat(9): Chips(500)}


def test_who_is_all_in_for_less_is_in_for_its_part_alone() -> None:
    sides = (pot(1_500, 2, 5, 9), pot(600, 2, 5))
    assert with_side_pots(all_in_for_500(pot(2_100, 2, 5, 9)), HAD) == all_in_for_500(*sides)
    assert with_side_pots(all_in_for_500(*sides), HAD) == all_in_for_500(*sides)
    about, why = with_side_pots(all_in_for_500(pot(1_500, 2, 5, 9), pot(600, 2, 9)), HAD)  # type: ignore[misc]
    assert (about, "seat 9" in why.lower(), "1,500" in why) == ("pots", True, True)


def test_pots_that_do_not_add_up_to_what_was_put_in_are_the_persons() -> None:
    for command_ in (all_in_for_500(pot(2_000, 2, 5, 9)), replace(all_in_for_500(), seats=())):
        assert with_side_pots(command_, HAD) == command_
