"""Misdeals, absent players, dead hands and cards that nobody may see. `shown` is `pytest.mark.rule(…)`."""

import pytest

from table_core.hand.deal import deal_order
from table_core.hand.hand import Hand
from table_core.messages import (
    CallMisdeal,
    CardExposed,
    CloseDeal,
    DealBoard,
    ExposeCard,
    HandKilled,
    KillHand,
    Misdealt,
    Refusal,
    Report,
    RetrieveHand,
    Seat,
    SetAway,
    Source,
    TableHand,
)
from table_core.projections.words import describe
from tests.table_core.rules.shown import (
    FIVE,
    FLOP,
    RIVER,
    TURN,
    accepted,
    checked_down,
    done,
    hand_of,
    on_flop,
    play,
    refused,
    shown,
    with_away,
)

# ---------------------------------------------------------------------------------------- absent players


@shown(
    ccp="ccp.leaving.1 ccp.leaving.2 ccp.late.5",
    cpp="cpp.absent.1",
    rpl="rpl.tournaments.6 rpl.blindrules.7",
    home="home.procedures.5",
)
def test_an_absent_player_is_dealt_in_and_posts_what_is_due(book: str) -> None:
    hand = with_away(book, 2)
    assert 2 in hand.seats
    assert hand.stacks[Seat(2)] == 4_900
    play(hand, "3 call", "4 fold", "5 fold", "1 call")
    assert hand.folded == (2, 4, 5)
    assert hand.awaiting_board
    assert hand.pots[0].amount == 300


def dead_at_its_turn_and_back_before(book: str) -> Hand:
    """Seat 4 is away for the whole deal: its hand dies as the action comes. That is taken back, and the player is
    back before it."""
    hand = with_away(book, 4)
    done(hand.push(CloseDeal()))
    assert hand.folded == ()
    play(hand, "3 call")
    assert (hand.folded, hand.to_act) == ((4,), 5)
    hand.pop()
    done(hand.push(SetAway(Seat(4), away=False)))
    return hand


@shown(rpl="rpl.tournaments.12")
def test_the_hand_of_an_absent_player_is_folded_when_the_action_arrives(book: str) -> None:
    hand = dead_at_its_turn_and_back_before(book)
    play(hand, "3 call")
    assert (hand.folded, hand.to_act) == ((), 4)  # back before the action


@shown(ccp="ccp.leaving.1")
def test_a_hand_dealt_in_the_players_absence_is_dropped_as_the_action_or_the_player_comes(book: str) -> None:
    hand = dead_at_its_turn_and_back_before(book)
    assert (hand.folded, hand.to_act) == ((4,), 3)


@shown(wfp="wfp.procedures.8", rpl="rpl.tournaments.12", ccp="ccp.leaving.1", home="home.procedures.5")
def test_while_cards_are_dealt_the_turn_passes_over_who_is_away_and_comes_back(book: str) -> None:
    hand = with_away(book, 3)
    assert (hand.folded, hand.to_act) == ((), 4)
    done(hand.push(SetAway(Seat(3), away=False)))
    assert hand.to_act == 3
    done(hand.push(CloseDeal()))
    assert (hand.folded, hand.to_act) == ((), 3)


@shown(wfp="wfp.procedures.8", rpl="rpl.tournaments.12", ccp="ccp.leaving.1", home="home.procedures.5")
def test_the_first_act_ends_the_deal_for_whom_the_turn_has_passed_over(book: str) -> None:
    hand = with_away(book, 3)
    play(hand, "4 call")
    assert (hand.folded, hand.to_act) == ((3,), 5)
    hand.pop()
    assert (hand.folded, hand.to_act) == ((), 4)


@shown(wfp="wfp.procedures.8", ccp="ccp.leaving.1")
def test_who_has_acted_was_there_and_the_hand_waits_for_who_leaves_later(book: str) -> None:
    hand = with_away(book)
    play(hand, "3 raise 300")
    done(hand.push(SetAway(Seat(3))))
    play(hand, "4 fold", "5 fold", "1 raise 900", "2 fold")
    assert hand.to_act == 3
    assert "3 AWAY when the player is back" in refused(hand, "3 call").reason
    done(hand.push(SetAway(Seat(3), away=False)))
    play(hand, "3 call")
    assert hand.live_seats == (1, 3)


@shown(cpp="cpp.dealing.4")
def test_cpp_leaving_kills_the_hand_at_once_and_the_last_one_left_has_the_pot(book: str) -> None:
    hand = with_away(book)
    play(hand, "3 raise 300", "4 call", "5 fold", "1 fold", "2 fold")
    assert hand.awaiting_board
    done(hand.push(SetAway(Seat(4))))
    assert hand.ended
    assert hand.stacks[Seat(3)] == 5_450


@shown(
    cpp="cpp.dealing.3 cpp.absent.2",
    wfp="wfp.procedures.8",
)
def test_the_hand_of_an_absent_player_is_folded_when_all_cards_are_out(book: str) -> None:
    hand = with_away(book, 4)
    events = done(hand.push(CloseDeal()))
    (killed,) = [event for event in events if isinstance(event, HandKilled)]
    assert (killed.seat, killed.rule) == (4, hand.rulebook.rules.presence.rule)
    assert hand.folded == (4,)


@shown(cpp="cpp.dealing.5")
def test_cpp_to_come_back_while_cards_are_dealt_is_too_late(book: str) -> None:
    hand = with_away(book, 4)
    done(hand.push(SetAway(Seat(4), away=False)))
    done(hand.push(CloseDeal()))
    assert hand.folded == (4,)


@shown(wfp="wfp.procedures.8")
def test_wfp_to_come_back_while_cards_are_dealt_is_in_time(book: str) -> None:
    hand = with_away(book, 4)
    done(hand.push(SetAway(Seat(4), away=False)))
    done(hand.push(CloseDeal()))
    assert hand.folded == ()


@shown(cpp="cpp.dealing.7")
def test_cpp_nobody_acts_from_away_from_the_table(book: str) -> None:
    hand = with_away(book)
    done(hand.push(SetAway(Seat(4))))
    play(hand, "3 call")
    answer = refused(hand, "4 call")
    assert answer.reason == "Seat 5 is to act, seat 4 has folded."


# --------------------------------------------------------------------------------------------- misdeals


@shown(
    ccp="ccp.misdeals.1 ccp.misdeals.2a ccp.misdeals.2b",
    wfp="wfp.misdeals.1 wfp.misdeals.2a wfp.misdeals.2b",
    rpl="rpl.misdeals.1 rpl.misdeals.2a rpl.misdeals.2b",
)
def test_a_misdeal_can_be_called_until_two_players_have_acted(book: str) -> None:
    hand = hand_of(book, FIVE, ante=5)
    before = hand.snapshot()
    for line in ("3 fold", "4 fold"):
        misdealt, _ended = done(hand.push(CallMisdeal("two cards boxed")))
        assert isinstance(misdealt, Misdealt)
        assert hand.ended
        assert hand.stacks == FIVE
        hand.pop()
        play(hand, line)
    answer = hand.push(CallMisdeal())
    assert isinstance(answer, Refusal)
    assert answer.rule == hand.rulebook.rules.misdeal_deadline_actions.rule
    done(hand.push(KillHand(Seat(5), "fouled hand")))
    assert sum(pot.amount for pot in hand.pots) + sum(hand.bets.values()) == 175  # its chips stay
    for _ in range(3):
        hand.pop()
    assert hand.snapshot() == before


@shown(home="home.misdeals.1")
def test_home_a_misdeal_can_be_called_until_one_player_has_acted(book: str) -> None:
    hand = hand_of(book, FIVE)
    assert not isinstance(hand.decide(CallMisdeal()), Refusal)
    play(hand, "3 fold")
    assert isinstance(hand.decide(CallMisdeal()), Refusal)


@pytest.mark.rule("tda.36")
def test_base_substantial_action_is_two_wagers_or_three_actions() -> None:
    hand = hand_of("base", FIVE)
    play(hand, "3 fold", "4 fold")
    assert not isinstance(hand.decide(CallMisdeal()), Refusal)
    play(hand, "5 fold")
    assert isinstance(hand.decide(CallMisdeal()), Refusal)
    hand = hand_of("base", FIVE)
    play(hand, "3 call", "4 call")
    assert isinstance(hand.decide(CallMisdeal()), Refusal)


def test_a_late_misdeal_that_the_table_took_is_recorded_with_the_rule_it_breaks() -> None:
    hand = hand_of("wfp", FIVE)
    play(hand, "3 fold", "4 fold")
    misdealt, _ = done(hand.push(Report(CallMisdeal())))
    assert isinstance(misdealt, Misdealt)
    assert misdealt.flag == "wfp.misdeals.1"
    assert hand.stacks == FIVE


# ------------------------------------------------------------------------------------ dead hands, muck


@shown(ccp="ccp.deadhands.1a ccp.deadhands.2a")
def test_a_fold_is_taken_though_a_check_would_do(book: str) -> None:
    hand = on_flop(book)
    play(hand, "1 fold")
    assert hand.folded == (1,)


@shown(
    cpp="cpp.misdeals.8a",
    wfp="wfp.deadhands.1a",
    home="home.deadhands.1a",
    rpl="rpl.deadhands.1a",
)
def test_who_folds_facing_a_bet_has_a_dead_hand(book: str) -> None:
    hand = on_flop(book)
    play(hand, "1 bet 200", "2 fold")
    assert hand.folded == (2,)
    assert refused(hand, "2 table AhAd").reason == "Seat 2 has folded."


@shown(
    cpp="cpp.misdeals.9 cpp.misdeals.11",
    home="home.deadhands.3",
)
def test_a_mucked_hand_never_comes_back(book: str) -> None:
    hand = on_flop(book)
    play(hand, "1 fold")
    answer = hand.push(RetrieveHand(Seat(1), Source.DIRECTOR))
    assert isinstance(answer, Refusal)
    assert answer.rule == hand.rulebook.rules.muck_retrieval.rule


@shown(rpl="rpl.deal.5")
def test_rpl_a_mucked_hand_comes_back_only_by_the_director(book: str) -> None:
    hand = on_flop(book)
    play(hand, "1 check", "2 bet 300", "3 call", "1 fold")
    before = hand.snapshot()
    assert isinstance(hand.push(RetrieveHand(Seat(1), Source.KEY)), Refusal)
    done(hand.push(RetrieveHand(Seat(1), Source.DIRECTOR)))
    assert hand.live_seats == (1, 2, 3)
    hand.pop()
    assert hand.snapshot() == before


@shown(cpp="cpp.misdeals.6")
def test_cards_in_the_pile_are_never_shown(book: str) -> None:
    hand = checked_down(book)
    play(hand, "1 muck", "2 table AhAd")
    answer = hand.push(TableHand(Seat(1), ("Kh", "Kd")))
    assert isinstance(answer, Refusal)
    assert set(hand.tabled) == {2}


@shown(ccp="ccp.announcements.4")
def test_which_card_was_exposed_is_announced(book: str) -> None:
    hand = hand_of(book)
    (exposed,) = done(hand.push(ExposeCard("seat-3", "Ah")))
    assert isinstance(exposed, CardExposed)
    assert describe(exposed) == "Exposed: Ah"
    assert isinstance(hand.push(ExposeCard("seat-3", "??")), Refusal)
    assert isinstance(hand.push(ExposeCard("seat-3", "Zz")), Refusal)


# ------------------------------------------------------------------------------- streets and the stub


@shown(rpl="rpl.holdem.1")
def test_the_streets_are_two_three_one_and_one_cards(book: str) -> None:
    order = deal_order([Seat(1), Seat(2)], Seat(1))
    assert [order.count(to) for to in ("seat-1", "seat-2", "board", "burn")] == [2, 2, 5, 3]
    hand = on_flop(book)
    streets = [hand.street]
    for board in (TURN, RIVER):
        play(hand, "1 check", "2 check", "3 check", board)
        streets.append(hand.street)
    play(hand, "1 check", "2 check", "3 check")
    assert [str(street) for street in (*streets, hand.street)] == ["flop", "turn", "river", "showdown"]


@shown(rpl="rpl.deal.4b rpl.deal.4d rpl.deal.4f rpl.deal.4h")
def test_no_street_before_the_round_is_closed(book: str) -> None:
    hand = hand_of(book)
    for board in (FLOP, TURN, RIVER):
        assert refused(hand, board).rule == hand.rulebook.cites.premature_board
        while hand.to_act is not None:
            play(hand, f"{hand.to_act} call")
        play(hand, board)
    assert not accepted(hand, "award")
    play(hand, "1 check", "2 check", "3 check")
    assert str(hand.street) == "showdown"


@shown(
    ccp="ccp.etiquette.2",
    wfp="wfp.infractions.4o",
    home="home.suggest.8 home.procedures.10",
    rpl="rpl.procedures.12",
)
def test_nobody_sees_what_would_have_come(book: str) -> None:
    """A pot bought on the flop gets no turn."""
    hand = on_flop(book)
    play(hand, "1 bet 200", "2 fold", "3 fold")
    answer = hand.push(DealBoard(("Ts",)))
    assert isinstance(answer, Refusal)
    assert answer.rule == hand.rulebook.cites.after_the_hand
    assert hand.board == ("2c", "7d", "9h")
