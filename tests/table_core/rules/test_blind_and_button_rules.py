"""Blinds, antes and where the button goes, by each book. `shown` is `pytest.mark.rule(…)` with what a test shows.

Seat vectors are those of the worked examples: seats 1 to 5 clockwise, `B1 S2 BB3` in the hand before.
"""

import pytest

from table_core.cards import parse_card
from table_core.hand.button import (
    Positions,
    corrected_positions,
    first_positions,
    next_positions,
)
from table_core.hand.hand import Hand
from table_core.messages import (
    ChopBlinds,
    HandEnded,
    HandKilled,
    HandStarted,
    Level,
    Post,
    Posted,
    Refusal,
    Report,
    Reported,
    Seat,
    SeatStack,
    StartHand,
)
from table_core.tournament.policies import InitialButton
from table_core.tournament.seats.button import initial_button
from tests.table_core.rules.shown import (
    BOOKS,
    FLOP,
    book_of,
    done,
    hand_of,
    legal,
    on_flop,
    play,
    shown,
    with_tournament,
)
from tests.table_core.table import level, start

DEAD = ("ccp", "cpp", "wfp", "rpl")


def seats(*numbers: int) -> list[Seat]:
    return [Seat(number) for number in numbers]


def after(book: str, before: Positions, live: list[int]) -> Positions:
    return next_positions(before.button, before.small_blind, before.big_blind, seats(*live), book_of(book))


def at(button: int, small: int | None, big: int) -> Positions:
    return Positions(Seat(button), None if small is None else Seat(small), Seat(big))


BEFORE = at(1, 2, 3)


# --------------------------------------------------------------------------------------- posting blinds


@shown(
    ccp="ccp.deal.1 ccp.deal.2",
    wfp="wfp.button.5",
    home="home.how.1",
    rpl="rpl.button.5",
)
def test_the_two_seats_left_of_the_button_post_the_blinds(book: str) -> None:
    hand = hand_of(book, dict.fromkeys(range(1, 6), 1_000), (5, 10), button=5)
    assert (hand.button, hand.small_blind, hand.big_blind) == (5, 1, 2)
    assert (hand.bets[Seat(1)], hand.bets[Seat(2)]) == (5, 10)


@shown(ccp="ccp.deal.1", wfp="wfp.button.5", rpl="rpl.button.5")
def test_an_empty_seat_left_of_the_button_is_a_dead_small_blind(book: str) -> None:
    hand = Hand(book_of(book))
    place = after(book, BEFORE, [1, 2, 4, 5])
    stacks = tuple(SeatStack(seat, 1_000) for seat in seats(1, 2, 4, 5))
    events = done(hand.push(StartHand(2, place.button, place.small_blind, place.big_blind, level(5, 10), stacks)))
    assert [(event.seat, event.what) for event in events if isinstance(event, Posted)] == [(4, Post.BIG_BLIND)]


@pytest.mark.rule("home.how.1")
def test_home_the_big_blind_is_twice_the_small_one() -> None:
    answer = Hand(book_of("home")).push(start({1: 100, 2: 100, 3: 100}, level(5, 15)))
    assert isinstance(answer, Refusal)
    assert answer.rule == "home.how.1"


@shown(wfp="wfp.button.4", home="home.button.3", rpl="rpl.button.4")
def test_a_blind_is_part_of_the_bet(book: str) -> None:
    hand = hand_of(book)
    play(hand, "3 call")
    assert legal(hand).call == 50


@shown(home="home.button.4", rpl="rpl.button.4")
def test_dead_chips_are_not_part_of_the_bet(book: str) -> None:
    """A seat that posts both blinds has the small one dead: to call is one big blind."""
    command = start(dict.fromkeys((1, 3, 4, 5), 1_000), level(5, 10), button=1)
    both = StartHand(1, Seat(1), Seat(3), Seat(4), command.level, command.seats, extra_big_blinds=(Seat(3),))
    hand = Hand(book_of(book))
    done(hand.push(both))
    assert hand.bets == {3: 10, 4: 10, 5: 0, 1: 0}
    assert hand.stacks[Seat(3)] == 985
    assert (hand.to_act, legal(hand).call) == (5, 10)
    play(hand, "5 call", "1 call")
    assert legal(hand).call is None
    play(hand, "3 check", "4 check")
    assert hand.pots[0].amount == 45


@shown(
    wfp="wfp.procedures.15",
    home="home.suggest.13 home.allin.2 home.blindrules.4",
    rpl="rpl.blindrules.1",
    ccp="ccp.pot.8",
)
def test_who_is_short_of_the_big_blind_is_all_in_and_wins_that_much_from_each_caller(book: str) -> None:
    """Stack 6, big blind 10: all-in 6, and the main pot takes 6 from each caller."""
    hand = hand_of(book, {1: 1_000, 2: 6, 3: 1_000}, (5, 10))
    assert hand.all_in == (2,)
    play(hand, "3 call", "1 call")
    assert [(pot.amount, set(pot.eligible)) for pot in hand.pots] == [(18, {1, 2, 3}), (8, {1, 3})]


@shown(home="home.suggest.13", wfp="wfp.procedures.15")
def test_a_short_small_blind_is_all_in_and_owes_nothing_later(book: str) -> None:
    """Stack 4, small blind 5; having won, nothing is made up."""
    hand = hand_of(book, {1: 4, 2: 1_000, 3: 1_000}, (5, 10))
    assert hand.all_in == (1,)
    play(hand, "3 call", "2 check", FLOP, "2 check", "3 check", "board Ts", "2 check", "3 check")
    play(hand, "board 3d", "2 check", "3 check", "1 table 9s9d", "2 table 2d2h", "3 table KsQs", "award")
    assert hand.stacks == {1: 12, 2: 1_002, 3: 990}
    done(hand.push(start({1: 12, 2: 1_002, 3: 990}, level(5, 10), button=1, hand=2)))
    assert hand.bets == {2: 5, 3: 10, 1: 0}


@pytest.mark.rule("rpl.tournaments.19")
def test_rpl_a_player_without_a_chip_after_the_ante_is_out_and_the_chips_stay() -> None:
    """Stack 25, ante 25 (variation.md 93)."""
    hand = hand_of("rpl", {1: 1_000, 2: 1_000, 3: 25, 4: 26}, ante=25)
    assert hand.folded == (3,)
    assert sum(pot.amount for pot in hand.pots) == 100
    assert hand.to_act == 4


def test_elsewhere_a_player_all_in_for_the_ante_gets_cards() -> None:
    hand = hand_of("wfp", {1: 1_000, 2: 1_000, 3: 25, 4: 26}, ante=25)
    assert hand.folded == ()
    assert 3 in hand.all_in


@pytest.mark.rule("rpl.procedures.7")
def test_rpl_blinds_are_chopped_only_where_the_option_is_on() -> None:
    hand = hand_of("rpl")
    play(hand, "3 fold")
    answer = hand.push(ChopBlinds())
    assert isinstance(answer, Refusal)
    assert answer.rule == "rpl.procedures.7"
    hand = hand_of("rpl", house={"blind_chop": True})
    assert isinstance(hand.push(ChopBlinds()), Refusal)  # not folded to the blinds yet
    play(hand, "3 fold")
    events = done(hand.push(ChopBlinds()))
    assert isinstance(events[-1], HandEnded)
    assert hand.stacks == {1: 5_000, 2: 5_000, 3: 5_000}


@pytest.mark.rule("rpl.procedures.6")
def test_rpl_a_blind_is_charged_only_to_the_seat_that_owes_it() -> None:
    hand = hand_of("rpl", ante=10)
    assert hand.stacks == {1: 4_940, 2: 4_890, 3: 4_990}


# --------------------------------------------------------------------------------------- moving on


@pytest.mark.parametrize("book", BOOKS)
def test_the_button_moves_one_player_clockwise_after_each_hand(book: str) -> None:
    assert after(book, BEFORE, [1, 2, 3, 4, 5]) == at(2, 3, 4)
    assert after(book, at(5, 1, 2), [1, 2, 3, 4, 5]) == at(1, 2, 3)


@pytest.mark.rule("home.button.1")
def test_home_the_button_acts_last_after_the_first_round() -> None:
    hand = on_flop("home")
    play(hand, "1 check", "2 check")
    assert hand.to_act == hand.button == 3


@pytest.mark.parametrize("book", DEAD)
def test_the_big_blind_busts_and_there_is_no_small_blind(book: str) -> None:
    """variation.md 10, 29, 53"""
    assert after(book, BEFORE, [1, 2, 4, 5]) == at(2, None, 4)


@pytest.mark.parametrize("book", ["ccp", "cpp", "rpl"])
def test_then_the_button_is_at_the_vacated_seat_and_both_blinds_are_posted(book: str) -> None:
    """variation.md 11: seat 2 deals twice running."""
    assert after(book, at(2, None, 4), [1, 2, 4, 5]) == at(3, 4, 5)


def test_ccp_the_small_blind_busts_and_the_button_stays() -> None:
    """variation.md 12"""
    assert after("ccp", BEFORE, [1, 3, 4, 5]) == at(1, 3, 4)
    assert after("ccp", at(1, 3, 4), [1, 3, 4, 5]) == at(3, 4, 5)


@pytest.mark.parametrize("book", ["cpp", "wfp", "rpl"])
def test_the_small_blind_busts_and_the_button_goes_to_the_empty_seat(book: str) -> None:
    """variation.md 28, 53, 79. A player moved into seat 2 holds the button."""
    assert after(book, BEFORE, [1, 3, 4, 5]) == at(2, 3, 4)
    assert after(book, BEFORE, [1, 2, 3, 4, 5]) == at(2, 3, 4)


@shown(wfp="wfp.procedures.25 wfp.blindrules.2a", rpl="rpl.tournaments.27")
def test_one_player_may_have_the_last_action_twice_running(book: str) -> None:
    last = []
    place = BEFORE
    for live in ([1, 2, 3, 4, 5], [1, 3, 4, 5]):
        hand = Hand(book_of(book))
        if live != [1, 2, 3, 4, 5]:
            place = after(book, place, live)
        stacks = tuple(SeatStack(seat, 1_000) for seat in seats(*live))
        done(hand.push(StartHand(1, place.button, place.small_blind, place.big_blind, level(5, 10), stacks)))
        last.append(hand.seats[-1])
    assert last == [1, 1]


@pytest.mark.parametrize("book", DEAD)
def test_over_a_round_everyone_posts_each_blind_once_and_every_hand_has_one_big_blind(book: str) -> None:
    place, small, big = BEFORE, [], []
    for _ in range(5):
        place = after(book, place, [1, 2, 3, 4, 5])
        small.append(place.small_blind)
        big.append(place.big_blind)
        assert place.extra_big_blinds == ()
    assert sorted(big) == [1, 2, 3, 4, 5]
    assert sorted(seat or 0 for seat in small) == [1, 2, 3, 4, 5]


def test_small_and_big_blind_bust_together() -> None:
    """No book says: the big blind passes on, small blind and button follow as dead."""
    assert after("wfp", BEFORE, [1, 4, 5]) == at(2, None, 4)
    assert after("ccp", BEFORE, [1, 4, 5]) == at(1, None, 4)


# ------------------------------------------------------------------------------- the moving button (home)

COMING = at(5, 1, 2)  # so that B1 S2 BB3 are due next


def posted(place: Positions, live: list[int]) -> dict[int, list[int]]:
    """Chips that each seat posts at 5/10, in order."""
    hand = Hand(book_of("home"))
    stacks = tuple(SeatStack(seat, 1_000) for seat in seats(*live))
    events = done(
        hand.push(
            StartHand(
                1,
                place.button,
                place.small_blind,
                place.big_blind,
                level(5, 10),
                stacks,
                extra_small_blinds=place.extra_small_blinds,
                extra_big_blinds=place.extra_big_blinds,
            )
        )
    )
    found: dict[int, list[int]] = {}
    for event in events:
        if isinstance(event, Posted):
            found.setdefault(event.seat, []).append(event.amount)
    return found


@pytest.mark.rule("home.button.5a", "home.button.5")
def test_home_the_coming_small_blind_busts() -> None:
    """B1; seat 3 posts 5 and 10, seat 4 posts 10 (variation.md 74)."""
    place = after("home", COMING, [1, 3, 4, 5])
    assert place.button == 1
    assert posted(place, [1, 3, 4, 5]) == {3: [5, 10], 4: [10]}


@pytest.mark.rule("home.button.5b")
def test_home_the_coming_big_blind_busts() -> None:
    """B1, S2 5, BB4 10 (variation.md 75)."""
    place = after("home", COMING, [1, 2, 4, 5])
    assert place.button == 1
    assert posted(place, [1, 2, 4, 5]) == {2: [5], 4: [10]}


@pytest.mark.rule("home.button.5c")
def test_home_the_coming_dealer_busts() -> None:
    """B2 posts 5, seat 3 posts 5 and 10, seat 4 posts 10 (variation.md 76)."""
    place = after("home", COMING, [2, 3, 4, 5])
    assert place.button == 2
    assert posted(place, [2, 3, 4, 5]) == {2: [5], 3: [5, 10], 4: [10]}


def test_home_coming_dealer_and_small_blind_bust_together_and_nobody_is_skipped() -> None:
    place = after("home", COMING, [3, 4, 5])
    assert place.button == 3
    assert posted(place, [3, 4, 5]) == {3: [5, 10], 4: [5, 10], 5: [10]}


@pytest.mark.parametrize("out", [1, 2, 3, 4, 5, 6, 7])
def test_home_whoever_leaves_the_others_post_each_blind_once_a_round(out: int) -> None:
    """From the hand after the button until it comes back, one small and one big blind each."""
    live = [seat for seat in range(1, 8) if seat != out]
    small, big = {Seat(1): 1, Seat(7): 0}, {Seat(1): 1, Seat(2): 1}  # posted in the hand of B7 S1 BB2
    place = at(7, 1, 2)
    dealt = []
    while len(dealt) < len(live):
        place = after("home", place, live)
        dealt.append(place.button)
        assert place.button in live  # never at an empty seat
        for seat in (*place.extra_small_blinds, place.small_blind):
            assert seat is not None
            small[seat] = small.get(seat, 0) + 1
        for seat in (*place.extra_big_blinds, place.big_blind):
            big[seat] = big.get(seat, 0) + 1
    assert len(set(dealt)) == len(live)
    for seat in live[:-1]:  # until their own button; later posts are of the next round
        assert small.get(Seat(seat), 0) >= 1
        assert big.get(Seat(seat), 0) >= 1
    for seat in live:
        assert abs(small.get(Seat(seat), 0) - big.get(Seat(seat), 0)) <= 1


def test_rpl_may_be_played_with_a_moving_button_by_the_house() -> None:
    moving = book_of("rpl", {"button": "moving"})
    place = next_positions(Seat(5), Seat(1), Seat(2), seats(1, 3, 4, 5), moving)
    assert (place.button, place.extra_big_blinds) == (1, (3,))
    assert after("rpl", COMING, [1, 3, 4, 5]).extra_big_blinds == ()


# ------------------------------------------------------------------------------------------- heads-up


@shown(
    ccp="ccp.headsup.3",
    cpp="cpp.headsup.1 cpp.headsup.3 cpp.headsup.4",
    wfp="wfp.procedures.26 wfp.blindrules.4",
    home="home.headsup.1 home.headsup.2 home.blindrules.3",
    rpl="rpl.blindrules.4 rpl.tournaments.28",
)
def test_heads_up_the_button_posts_the_small_blind_acts_first_and_later_last(book: str) -> None:
    place = after(book, at(3, 3, 7), [3, 7])
    assert place == at(7, 7, 3)
    hand = hand_of(book, {3: 1_000, 7: 1_000}, (5, 10), button=7)
    assert (hand.bets, hand.to_act) == ({3: 10, 7: 5}, 7)
    play(hand, "7 call", "3 check", FLOP)
    assert hand.to_act == 3


@pytest.mark.parametrize("book", ["ccp", "rpl", "base"])
@pytest.mark.parametrize(
    ("left", "expected"),
    [([2, 3], at(3, 3, 2)), ([1, 3], at(3, 3, 1)), ([1, 2], at(2, 2, 1))],
)
def test_going_heads_up_the_big_blind_passes_on(book: str, left: list[int], expected: Positions) -> None:
    """P1 button, P2 small blind, P3 big blind; each of them leaves (variation.md 13-15)."""
    assert after(book, BEFORE, left) == expected


# ------------------------------------------------------------------------------------ the first button


@pytest.mark.parametrize("book", ["rpl"])
def test_rpl_hand_1_has_the_button_at_seat_1(book: str) -> None:
    """variation.md 78"""
    live = seats(1, 2, 3, 4)
    button = initial_button(book_of(book), {seat: parse_card(f"{seat + 1}h") for seat in live})
    assert first_positions(button, live) == at(1, 2, 3)


@pytest.mark.function_only("waits for the tournament")
@shown(wfp="wfp.ties.1", rpl="rpl.ties.1")
def test_equal_cards_in_a_draw_are_decided_by_suit(book: str) -> None:
    """K spades over K hearts (variation.md 47); clubs are lowest."""
    drawn = {Seat(1): parse_card("Kh"), Seat(2): parse_card("Ks"), Seat(3): parse_card("Kc")}
    high = with_tournament(book, initial_button=InitialButton.HIGH_CARD)
    assert initial_button(high, drawn) == 2
    assert initial_button(high, {seat: drawn[seat] for seat in seats(1, 3)}) == 1


def test_where_suits_do_not_rank_equal_cards_are_drawn_again() -> None:
    with pytest.raises(ValueError, match="seats 1, 2 drew the same rank"):
        initial_button(book_of("ccp"), {Seat(1): parse_card("Kh"), Seat(2): parse_card("Ks")})
    with pytest.raises(ValueError, match="no seats"):
        initial_button(book_of("ccp"), {})


# ---------------------------------------------------------------------------- newcomers, wrong buttons


def test_ccp_a_moved_player_takes_on_the_duties_of_the_seat() -> None:
    assert after("ccp", BEFORE, [1, 2, 3, 5]).big_blind == 5
    assert after("ccp", BEFORE, [1, 2, 3, 4, 5]).big_blind == 4  # moved into the seat of the big blind


@pytest.mark.parametrize("book", ["ccp", "wfp", "home", "rpl"])
def test_after_a_wrong_button_everyone_still_gets_each_position_once(book: str) -> None:
    """Due were B2 S3 BB4 but seats 4 and 5 posted. Now seat 4 has its small blind behind it, 5 its big one."""
    proper = after(book, at(2, 3, 4), [1, 2, 3, 4, 5])
    assert proper == at(3, 4, 5)
    met = {Seat(4): [Post.SMALL_BLIND], Seat(5): [Post.BIG_BLIND]}
    assert corrected_positions(proper, met, seats(1, 2, 3, 4, 5)) == at(3, None, 1)
    assert corrected_positions(proper, {}, seats(1, 2, 3, 4, 5)) == proper
    # The next player who owes the big blind is the one whose small blind is due: no seat posts both.
    owed = {Seat(5): [Post.BIG_BLIND], Seat(1): [Post.BIG_BLIND]}
    assert corrected_positions(at(3, 4, 5), owed, seats(1, 4, 5)) == at(3, None, 4)
    with pytest.raises(ValueError, match="everyone has posted"):
        corrected_positions(proper, {Seat(1): [Post.BIG_BLIND]}, seats(1))


# -------------------------------------------------------------------------- when a hand begins, carried pots


@shown(ccp="ccp.hand.1 ccp.timer.3 ccp.moving.6")
def test_a_hand_begins_with_the_riffle_and_its_blinds_and_keeps_its_level(book: str) -> None:
    hand = Hand(book_of(book))
    assert hand.number == 0
    events = done(hand.push(start({1: 900, 2: 900, 3: 900}, level(5, 10), hand=7)))
    assert isinstance(events[0], HandStarted)
    assert [event.what for event in events if isinstance(event, Posted)] == [Post.SMALL_BLIND, Post.BIG_BLIND]
    assert (hand.number, hand.level.big_blind, hand.button) == (7, 10, 3)
    play(hand, "3 fold", "1 fold")
    assert (hand.number, hand.level.big_blind, hand.button) == (7, 10, 3)  # until the next riffle
    done(hand.push(start({1: 895, 2: 905, 3: 900}, Level(2, 10, 20), button=1, hand=8)))
    assert (hand.number, hand.level.big_blind, hand.button) == (8, 20, 1)


@shown(ccp="ccp.irregularities.7", rpl="rpl.irregularities.6")
def test_money_of_a_forfeited_deal_is_for_the_players_of_that_deal(book: str) -> None:
    command = start(dict.fromkeys((1, 2, 3, 4), 1_000), level(50, 100))
    forfeited = StartHand(
        2,
        command.button,
        command.small_blind,
        command.big_blind,
        command.level,
        command.seats,
        carried=300,
        carried_for=(Seat(1), Seat(2), Seat(4)),
    )
    hand = Hand(book_of(book))
    answer = hand.push(forfeited)
    assert isinstance(answer, Refusal)
    assert (answer.reason, answer.rule) == (
        "Seat 3 was not in the forfeited deal: it gets no hand.",
        hand.rulebook.rules.forfeited_pot_closed.rule,
    )
    without = StartHand(
        2,
        Seat(4),
        Seat(1),
        Seat(2),
        command.level,
        (*command.seats[:2], command.seats[3]),
        carried=300,
        carried_for=(Seat(1), Seat(2), Seat(4)),
    )
    done(hand.push(without))
    play(hand, "4 fold", "1 fold")
    assert hand.stacks[Seat(2)] == 1_350


@pytest.mark.parametrize("book", BOOKS)
def test_what_cannot_be_a_hand_is_refused_and_as_a_report_written_down(book: str) -> None:
    nobody = StartHand(1, Seat(1), None, Seat(1), level(5, 10), (SeatStack(Seat(1), 10),))
    hand = Hand(book_of(book))
    assert isinstance(hand.push(nobody), Refusal)
    (written,) = done(hand.push(Report(nobody)))
    assert isinstance(written, Reported)
    assert not [event for event in (written,) if isinstance(event, HandKilled)]
