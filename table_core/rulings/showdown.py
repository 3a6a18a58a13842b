"""Showing: who may ask, who must be shown, playing the board, miscalled hands."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.cards import parse_card
from table_core.messages import (
    UNKNOWN_CARD,
    AwardPots,
    BetReturned,
    CardText,
    HandsBeaten,
    KillHand,
    Noticed,
    PotAwarded,
    Report,
    ResultEntered,
    RetrieveHand,
    Seat,
    Source,
)
from table_core.ranking import rank_hand
from table_core.rulings.case import Case, Option, Push, Record, Step, TakeBack, listed
from table_core.rulings.register import Group, incident


def award_taken_back(case: Case) -> tuple[Step, ...]:
    """Cut the award of a hand that is over."""
    first = next((one for one in case.table.hand_log if isinstance(one.event, HandsBeaten | PotAwarded)), None)
    return () if first is None else (TakeBack(first.seq),)


def result_taken_back(case: Case) -> tuple[Step, ...]:
    """Cut the end of a hand that is over, however it ended: an award, a result that was entered, a chop."""
    awarded = award_taken_back(case)
    ends = [one for one in case.table.hand_log if isinstance(one.event, ResultEntered | BetReturned)]
    return awarded or ((TakeBack(ends[0].seq),) if ends else ())


@incident("show_request", 61, "Asked to see a hand", Group.SHOWDOWN, needs_seat=True, after_hand=True)
def show_request(case: Case) -> Iterator[Option]:
    """Asked by the winner a mucked hand is live again, asked by anyone else it is dead."""
    rule, by = case.cite("show_request"), case.policy("show_request_by")
    if by == "nobody_for_folded":
        yield Option("refused", f"Seat {case.seat}: a folded hand is dead and is not shown", rule)
        return
    shown = Record(Noticed("show_dead_hand", f"Seat {case.seat} shows a dead hand", case.seat, rule))
    live = (*award_taken_back(case), Push(Report(RetrieveHand(case.the_seat))))
    asked_by_other = Option("dead", f"Another player asks: seat {case.seat} shows a dead hand", rule, (shown,))
    if case.policy("show_request_by_winner_live"):
        yield Option("live", f"The winner asks: seat {case.seat} shows a live hand, the best one wins", rule, live)
    yield asked_by_other
    yield Option("abused", "Asked too often: not shown", rule)


@incident("shown_to_one", 62, "Cards were shown to one player", Group.SHOWDOWN, needs_seat=True, after_hand=True)
def shown_to_one(case: Case) -> Iterator[Option]:
    """Show one, show all; when depends on who saw them."""
    rule, kind = case.cite("shown"), case.policy("show_one_show_all")

    def option(key: str, when: str) -> Option:
        notice = Record(Noticed("show_all", f"Seat {case.seat} shows everyone {when}", case.seat, rule))
        return Option(key, f"Seat {case.seat} shows everyone {when}", rule, (notice,))

    if kind == "timed_by_viewer":
        yield option("now", "now: the viewer may still bet")
        yield option("round_end", "at the end of the round: the viewer acts later")
    elif kind == "any_time":
        yield option("now", "now")
    yield option("hand_end", "when the hand is over")


@incident("play_board", 63, "Plays the board", Group.SHOWDOWN, needs_seat=True, after_hand=True)
def play_board(case: Case) -> Iterator[Option]:
    """Said before the cards are thrown away it is a claim to the pot, afterwards it is none. Behind the award
    nothing changes by default; where the board is not known, who wins is said by the dealer."""
    live, gone = case.seat in case.hand.live_seats, case.seat in case.hand.mucked
    if not live and not gone:
        return
    rule = case.cite("play_board")
    known = _all_read(case)
    steps: tuple[Step, ...] = () if case.in_hand else award_taken_back(case)
    steps += (Push(Report(RetrieveHand(case.the_seat))),) if gone else ()
    then = ": its hand is live, AWARD or SPLIT says who wins"
    if known:
        winners = _with_board(case)
        steps += (Push(AwardPots(winners, Source.DIRECTOR)),)
        then = f": {listed(winners)} {'has' if len(winners) == 1 else 'share'} the pot"
    declared = Option("declared", f"Seat {case.seat} declared it in time{then}", rule, steps)
    out = () if gone else (Push(KillHand(case.the_seat, "thrown away without a word", rule)),)
    silent = Option("not_declared", f"Seat {case.seat} said nothing: no claim to the pot", rule, out)
    yield from (declared, silent) if case.in_hand and known else (silent, declared)


def _against(case: Case) -> dict[Seat, tuple[CardText, ...]]:
    """What every other live hand showed; `"??"` where it was not read, nothing where it was not shown."""
    return {seat: case.hand.tabled.get(seat, ()) for seat in case.hand.live_seats if seat != case.the_seat}


def _all_read(case: Case) -> bool:
    """Whether cards alone say who wins when the seat's hand is the board."""
    hands = _against(case).values()
    board = case.hand.board
    return len(board) == 5 and UNKNOWN_CARD not in board and all(map(_is_read, hands))


def _is_read(cards: tuple[CardText, ...]) -> bool:
    return len(cards) == 2 and UNKNOWN_CARD not in cards


def _with_board(case: Case) -> tuple[Seat, ...]:
    """Who wins when the seat's hand is the board; every card was read."""
    board = tuple([parse_card(card) for card in case.hand.board])
    values = {case.the_seat: rank_hand(board)}
    for seat, cards in _against(case).items():
        values[seat] = rank_hand(board + tuple([parse_card(card) for card in cards]))
    best = max(values.values())
    return tuple(sorted(seat for seat, value in values.items() if value == best))


@incident("miscall", 64, "Miscalled on purpose", Group.SHOWDOWN, needs_seat=True, after_hand=True)
def miscall(case: Case) -> Iterator[Option]:
    """Deliberate miscalling may forfeit the pot: it goes to the other hand, also where its discard ended the
    deal."""
    rule, why = case.cite("miscall"), "miscalled on purpose"
    if case.policy("miscall_may_forfeit"):
        kill = Push(KillHand(case.the_seat, why, rule))
        discarded = [seat for seat in case.hand.seats if seat in case.hand.mucked and seat != case.seat]
        back = tuple([Push(Report(RetrieveHand(seat))) for seat in discarded])
        taken_back = () if case.in_hand else award_taken_back(case)
        awards = [one.event for one in case.table.hand_log if isinstance(one.event, PotAwarded) and taken_back]
        had = sorted({share.seat for award in awards for share in award.shares})
        words = [f"the award to seat {seat} is taken back" for seat in had]
        words += [f"seat {seat}: hand live" for seat in sorted(discarded)]
        text = "; ".join([f"Seat {case.seat} forfeits the pot", *words])
        yield Option("forfeit", text, rule, (*taken_back, *back, kill))
    yield Option("cards_speak", "An honest mistake: cards speak", rule)
