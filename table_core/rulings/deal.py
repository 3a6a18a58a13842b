"""Errors of the deal: cards exposed, boxed, too many, too few, in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.hand.deal import to_seat
from table_core.hand.rulings import acted_preflop, too_late
from table_core.messages import (
    CallMisdeal,
    Chips,
    Counted,
    ExposeCard,
    KillHand,
    Misdealt,
    Noticed,
    Report,
    Source,
    Street,
)
from table_core.rulebook import BASE, load_rulebook
from table_core.rulings.case import Case, Correct, Option, Push, Record, Step, misdeal
from table_core.rulings.register import Group, incident

COUNTED = "counted"  # a device told of it before anybody acted
_REPLACED = ("replaced", "off_table", "seen")  # the exposed card is to be the first burn


@incident("exposed", 11, "A card was exposed", Group.DEAL)
def exposed(case: Case) -> Iterator[Option]:
    """The dealer's error: a misdeal or the card is replaced. The player's: it plays. A card of a dead hand stays
    dead, and everyone may see it. Without a seat: several cards, of more than one."""
    if case.seat is None:
        yield from _several(case, "cards exposed by the dealer", "exposed_count", 11)
        return
    if case.seat not in case.hand.live_seats:
        rule, text = case.cite("burn_exposed_shown"), f"Seat {case.seat}: a dead card, everyone may see it"
        yield Option("shown", text, rule, (Record(Noticed("card_shown", text, case.seat, rule)),))
        return
    dealers = [*_exposed_by_dealer(case)]
    plays = Option("player", f"Seat {case.seat} showed it: the card plays", case.cite("exposed_by_player"))
    if case.policy("card_seen_by_neighbour") == "exposed":
        yield from _seen_counts(case, dealers, plays)
        return
    if case.cause == "player":
        yield plays
        yield from dealers
        return
    yield from dealers
    yield plays
    yield Option("late_claim", "Claimed after looking at it: the card plays", case.cite("exposed_claim_late"))


def _seen_counts(case: Case, dealers: list[Option], plays: Option) -> Iterator[Option]:
    """A card that somebody saw counts as an exposed one (cpp.misdeals.2), whoever showed it. Only the dealer's
    make a misdeal, and of a player's card behind one that is replaced already the book says nothing."""
    replaced = next((one for one in dealers if one.key == "replaced"), None)
    text, rule = f"Seat {case.seat} showed it itself, no error of the dealer", plays.rule
    seen = () if replaced is None else (Option("seen", f"{text}: replaced alike", rule, replaced.steps),)
    before = case.ruled_before("exposed", *_REPLACED)
    mine = (Option("player", f"{text}: the card plays", case.cite("fairness")),) if before else ()
    yield from (*mine, *dealers, *seen) if case.cause == "player" else (*dealers, *mine, *seen)


def _exposed_by_dealer(case: Case) -> Iterator[Option]:
    first, count = case.policy("misdeal_first_cards_exposed"), case.policy("misdeal_exposed_count")
    before = case.ruled_before("exposed", "replaced", "off_table")  # not `seen`: not the dealer's error
    why, rule, place = "", case.cite("exposed_first"), _exposed_place(case)
    if count is not None and before + 1 >= count:
        exposed_cards = "a card" if before == 0 else f"{before + 1} cards"
        why, rule = f"{exposed_cards} exposed by the dealer{_no_end(case)}", case.cite("exposed_count")
    elif _first_cards_count(case) and place is not None and place <= first:
        why = f"card {place} of the deal exposed"
    possible, unseen = case.misdeal_possible(rule), case.place is None and not case.deal.out
    kind = case.policy("exposed_card_replacement")
    # Which of its cards it was the count says, or a person: no face is compared with them (decision 58).
    doubtful = case.amount is None and not (case.place == case.deal.out or case.cause == str(case.place))
    if why and possible:
        yield Option("misdeal", f"Misdeal: {why}", rule, (misdeal(why),))
        surely = case.policy("misdeal_first_cards_otherwise") or first
        certain = before or (not doubtful and place is not None and place <= surely)
        if kind != "instead_of_misdeal" and certain:  # else it may have been a card that is replaced
            return
    flop_out = case.hand.street is not Street.PREFLOP or bool(case.deal.places("board"))
    if flop_out or not (case.place or unseen):
        return
    if kind == "instead_of_misdeal" and not possible:  # an exception to the misdeal, not a remedy after it
        return
    named = f"Seat {case.seat}: replaced after the deal, the exposed card is the first burn"
    steps = () if unseen or place is None else _replaced_after_deal(case, place)
    one_of_two = doubtful and bool(case.card) and len(case.deal.places(to_seat(case.the_seat))) > 1
    early = bool(first) and min(_deal_places(case), default=first + 1) <= first
    which = (place is None and early) or (doubtful and _had_one_of_the(first, case))
    unknown = bool(which and first and possible and not why and _first_cards_count(case))
    asks = f"Which card of seat {case.seat} was it? 1 or 2, COUNT" if unknown or one_of_two else ""
    yield Option("replaced", named, case.rule("exposed_card_replacement"), steps, asks=asks)
    if unknown:
        why = (
            f"one of the first {first} cards of the deal was exposed"
            if first > 1
            else "the first card was exposed"
        )
        yield Option("misdeal", f"Misdeal: {why}", case.cite("exposed_first"), (misdeal(why),))
    off_table = f"Seat {case.seat}: dealt off the table, so exposed; replaced after the deal, it is the first burn"
    yield Option("off_table", off_table, case.cite("exposed_off_table"), steps, asks=asks)
    if why:
        yield from _disputed(case, why)


def _disputed(case: Case, why: str) -> Iterator[Option]:
    """A misdeal that by another sentence of the book does not come too late."""
    if case.misdeal_disputed():
        text = f"Misdeal: {why}; not too late where only players behind the blinds count"
        void = Push(Report(CallMisdeal(why, Source.DIRECTOR)))
        yield Option("misdeal", text, case.rule("misdeal_deadline_counts"), (void,))


def _no_end(case: Case) -> str:
    """Words where so many have acted that it is too late by usual practice, and the book names no end."""
    players, wagers = acted_preflop(case.hand)
    late = too_late(load_rulebook(BASE), players, wagers) and not too_late(case.book, players, wagers)
    return f"; {players} have acted, your book sets no end to the right to call it" if late else ""


def _deal_places(case: Case) -> list[int]:
    """The places of the seat's cards in a deal that goes by the books."""
    return [place for place, to in enumerate(case.table.destinations(), 1) if to == to_seat(case.the_seat)]


def _exposed_place(case: Case) -> int | None:
    """The place of the exposed card: the count says it, or the dealer: the seat's first or second card."""
    places = _deal_places(case)
    said = case.amount is not None and 1 <= case.amount <= len(places)
    return places[int(case.amount or 0) - 1] if said else case.place


def _had_one_of_the(first: int | None, case: Case) -> bool:
    """One of the first cards of the deal went to the seat."""
    return f"seat-{case.seat}" in case.deal.lying[: first or 0]


def _first_cards_count(case: Case) -> bool:
    """A book that only says how an exposed card is replaced means every card (cpp.misdeals.2)."""
    if not case.policy("misdeal_first_cards_exposed"):
        return False
    return case.own("misdeal_first_cards_exposed") or not case.own("exposed_card_replacement")


def _replaced_after_deal(case: Case, place: int) -> tuple[Step, ...]:
    """The next card after the last hole card is for the seat; the exposed one is burned before the flop."""
    seat = to_seat(case.the_seat)
    exposed: tuple[Step, ...] = (Push(ExposeCard(seat, case.card, (Source.CAMERA,))),) if case.card else ()
    return (*exposed, Correct(case.deal.replaced_behind_the_deal(place, case.the_seat)))


def _several(case: Case, what: str, key: str, no: int) -> Iterator[Option]:
    """More than one card at once: a misdeal while it can be called, else they play."""
    why, rule, late = f"two or more {what}", case.cite(key), _no_end(case)
    possible = case.misdeal_possible(rule)
    if not possible or late:
        yield Option("stands", f"Too late for {why}: they play", case.cite("misdeal_cause"))
    if possible:
        text = f"Misdeal: {why}{late} (one alone: its seat, SEAT, {no}, FLOOR)"
        yield Option("misdeal", text, rule, (misdeal(why),))
    else:
        yield from _disputed(case, why)


def about_whom(case: Case) -> str:
    """While hole cards are dealt a scrap card is somebody's; afterwards it is a burn or a board card."""
    hand = case.hand
    out = bool(hand.board) or hand.awaiting_board or case.deal.out > case.deal.hole_cards
    return "" if case.seat is not None or out else "about which seat? Seat, SEAT, number, FLOOR"


@incident("boxed", 12, "A card was boxed", Group.DEAL)
def boxed(case: Case) -> Iterator[Option]:
    """A card face up in the deck: scrap paper, or a misdeal when there are too many. Without a seat, before the
    flop: several hole cards."""
    if about_whom(case):
        yield from _several(case, "boxed cards", "boxed_count", 12)
        return
    count, before = case.policy("misdeal_boxed_count"), case.ruled_before("boxed", "replaced", "after_round")
    found = max(before + 1, case.amount or 0)
    why = "a boxed card" if found == 1 else f"{found} boxed cards"
    void = count is not None and found >= count
    if void and case.misdeal_possible(case.cite("boxed_count")):
        yield Option("misdeal", f"Misdeal: {why}", case.cite("boxed_count"), (misdeal(why),))
    if case.seat is None:
        own = case.policy("single_boxed_card") == "replaced"
        yield scrap_of_board(case, case.rule("single_boxed_card") if own else case.cite("fairness"))
        return
    if (case.deal.out and case.place is None) or case.policy("single_boxed_card") == "misdeal":
        return
    deal, seat = case.deal.lies("scrap", *place_of(case)), to_seat(case.seat)
    at_once = Option(
        "replaced",
        f"Seat {case.seat}: scrap paper, the next card replaces it",
        case.rule("single_boxed_card"),
        (Correct(deal.comes(seat)),),
    )
    after = Option(
        "after_round",
        f"Seat {case.seat}: replaced when this round is dealt",
        case.cite("boxed_later"),
        (Correct(deal.comes(seat, after=_left_of_round(case))),),
    )
    yield from (at_once, after) if case.deal.out == case.place else (after, at_once)
    if void:
        yield from _disputed(case, why)


def scrap_of_board(case: Case, rule: str) -> Option:
    """A burn or board card that is scrap paper: the next card takes its place. Where the street behind it lies
    there by now it has been replaced already, and what looks like a second burn is the scrap."""
    deal = case.deal
    newest = deal.to(deal.out)
    burns = [place for place in deal.places("burn") if place > deal.hole_cards]
    if newest in ("burn", "board") and len(deal.places("board")) + (newest == "burn") > len(case.hand.board):
        deal = deal.lies("scrap", deal.out).comes(newest)
    elif len(burns) >= 2 and burns[-1] == burns[-2] + 1:
        deal = deal.lies("scrap", burns[-1])
    return Option("replaced", "Scrap paper: the next card takes its place", rule, (Correct(deal),))


def place_of(case: Case) -> tuple[int, ...]:
    """The place of the card that the incident is about, where it is known."""
    return () if case.place is None else (case.place,)


def _left_of_round(case: Case) -> int:
    """How many cards are dealt until everyone has theirs of this round."""
    return -case.deal.out % case.players if case.deal.out < case.deal.hole_cards else 0


def _whose_is_dead(case: Case) -> str:
    late = case.in_hand and not case.misdeal_possible(case.cite("extra_count")) and not case.misdeal_disputed()
    return "about which seat? Seat, SEAT, 13, FLOOR" if late and case.seat is None else ""


@incident("extra_card", 13, "Too many cards dealt", Group.DEAL, unfit=_whose_is_dead)
def extra_card(case: Case) -> Iterator[Option]:
    """One card more than the hands take becomes the burn; more are a misdeal, and so may one be once somebody has
    acted, or of another than the first player. Too late for that the hand with it is dead."""
    deal = case.deal
    extra = max(case.amount or 0, deal.out - deal.hole_cards, 1)
    too_many = f"{extra} {'card' if extra == 1 else 'cards'} too many"
    one_is = extra >= (case.policy("misdeal_extra_card_count") or 2)
    rule = case.cite("extra_count" if one_is else "wrong_number")
    void = Option("misdeal", f"Misdeal: {too_many}", rule, (misdeal("too many cards dealt"),))
    possible, in_time = case.misdeal_possible(void.rule), case.cause == COUNTED and extra == 1
    if not possible and not in_time:
        if case.seat is not None:
            yield _dead_hand(case, too_many)
        yield from _disputed(case, too_many)
        return
    if extra > 1 or deal.out not in (0, deal.hole_cards + 1):
        yield void
        return
    steps, text = _burned(case)
    burn = Option("burn", text, case.rule("extra_card"), steps)
    to_first = case.seat is None or to_seat(case.seat) == deal.to(1)
    if not possible:
        yield burn
    elif one_is or (case.policy("extra_card") == "burn_if_first_player" and not to_first):
        yield from (void, burn)
    else:
        yield from (burn, void) if case.table.acts() else (burn,)


def _dead_hand(case: Case, why: str) -> Option:
    rule = case.cite("dead_wrong_number")
    steps = (Push(KillHand(case.the_seat, why, rule)),) if case.seat in case.hand.live_seats else ()
    return Option("dead", f"Seat {case.seat}: dead hand, {why}", rule, steps)


def _burned(case: Case) -> tuple[tuple[Step, ...], str]:
    """The extra card is the first burn; where an exposed card is that already, the two are the burns of flop and
    turn."""
    deal, text = case.deal, "The extra card goes back and is the first burn"
    if not deal.out:
        return (), text
    if any(place <= deal.hole_cards for place in deal.places("burn")):
        text = "The extra card goes back: it and the exposed card are the burns before flop and turn"
    return (Correct(deal.is_burn(deal.out)),), text


@incident("wrong_number", 14, "A hand with too few or too many cards", Group.DEAL, needs_seat=True)
def wrong_number(case: Case) -> Iterator[Option]:
    """The top card completes it in proper sequence, else a misdeal; later the hand is dead."""
    void = Option(
        "misdeal",
        f"Misdeal: seat {case.seat} has the wrong number of cards",
        case.cite("wrong_number"),
        (misdeal("wrong number of cards"),),
    )
    possible = case.misdeal_possible(void.rule)
    if possible and _in_sequence(case):
        steps = (Correct(case.deal if _due(case) else case.deal.comes(to_seat(case.the_seat))),)
        text = f"Seat {case.seat} gets the top card, in proper sequence"
        yield Option("completed", text, case.cite("wrong_number"), steps)
    if possible:
        yield void
    else:
        yield _dead_hand(case, "wrong number of cards")
        yield from _disputed(case, "wrong number of cards")


def _due(case: Case) -> bool:
    return bool(case.deal.out) and case.deal.to(case.deal.out + 1) == to_seat(case.the_seat)


def _in_sequence(case: Case) -> bool:
    """The next card of the deck is the one that this seat should have had: only the last hand is short. Away from
    the table the order of the deal is not known."""
    deal = case.deal
    return _due(case) or (deal.to(deal.hole_cards) == to_seat(case.the_seat) and deal.out <= deal.hole_cards)


_WRONG_PLACES = {
    "out_of_sequence": "a card was dealt out of sequence",
    "first_card_wrong": "the first card went to the wrong place",
    "no_right_to_cards": "cards went to a seat without a right to them",
    "left_out": "a player was left out of the deal",
    "button_wrong": "the button was out of position",
}


def _wrong_place(case: Case, cause: str) -> Iterator[Option]:
    why = _WRONG_PLACES[cause]
    rule = case.cite(cause)
    if case.misdeal_possible(rule) and (cause != "button_wrong" or case.policy("misdeal_button_wrong")):
        yield Option("misdeal", f"Misdeal: {why}", rule, (misdeal(why),))
        corrected = cause == "button_wrong" and case.own("button_corrected")
        if case.own("misdeal_button_wrong") or not corrected:
            return
    if cause == "button_wrong":
        at = f"has the button at seat {case.amount}" if case.amount else "puts it right: BUTTON says where"
        text = f"The hand stands; the next one {at}"
        yield Option("stands", text, case.cite("button_corrected"))
    else:
        yield Option("stands", "The hand stands as it was dealt", case.cite("misdeal_cause"))
    if cause != "button_wrong" or case.policy("misdeal_button_wrong"):
        yield from _disputed(case, why)


@incident("out_of_sequence", 15, "Dealt out of sequence", Group.DEAL)
def out_of_sequence(case: Case) -> Iterator[Option]:
    yield from _wrong_place(case, "out_of_sequence")


@incident("first_card_wrong", 16, "First card to the wrong place", Group.DEAL)
def first_card_wrong(case: Case) -> Iterator[Option]:
    yield from _wrong_place(case, "first_card_wrong")


@incident("no_right_to_cards", 17, "Cards to an empty seat", Group.DEAL)
def no_right_to_cards(case: Case) -> Iterator[Option]:
    yield from _wrong_place(case, "no_right_to_cards")


@incident("left_out", 18, "A player got no cards", Group.DEAL)
def left_out(case: Case) -> Iterator[Option]:
    """A misdeal until so many others have acted, on the books or by keys out of turn: whoever has no cards does
    not act, whatever the books filled in. After that the hand is played without the player, and so it is where the
    player has no right to a hand: neither at the table nor in for a blind or an ante (ccp.misdeals.1j)."""
    if case.seat is None:
        yield from _wrong_place(case, "left_out")
        return
    seat, why = case.the_seat, _WRONG_PLACES["left_out"]
    rule = case.cite("dead_wrong_number")
    steps = _dealt_without(case)
    if seat in case.hand.live_seats:
        steps += (Push(KillHand(seat, "no cards", rule)),)
    no_right = _no_right(case)
    if no_right:
        text = f"Seat {seat} {no_right}: no misdeal, the hand is played without it"
        yield Option("stands", text, case.cite("left_out"), steps)
        return
    acts = [act for act in case.table.acts() if act.seat != seat]
    actions = len({act.seat for act in acts}) + len(case.early_behind)
    wagers = len({act.seat for act in acts if act.added})
    rule = case.cite("left_out")
    in_time = not too_late(case.misdeal_deadline(rule), actions, wagers)
    if in_time and case.hand.street is Street.PREFLOP:
        void = Push(Report(CallMisdeal(why, Source.DIRECTOR)))
        yield Option("misdeal", f"Misdeal: {why}", rule, (void,))
        return
    text = f"Too late: the hand is played out without seat {seat}"
    yield Option("stands", text, case.cite("misdeal_cause"), steps)


def _no_right(case: Case) -> str:
    """Why the seat had no right to a hand; empty where it had one."""
    held = case.table.seats[case.the_seat]
    if case.seat in case.hand.seats:
        absent = case.seat in case.hand.missed_deal and not case.contributed(case.the_seat)
        return "was away and has posted nothing" if absent else ""
    return "is dealt out" if held.no_cards else "waits for the button" if held.waits else ""


def _dealt_without(case: Case) -> tuple[Step, ...]:
    """Where the cards went that left the deck, when none went to the seat."""
    deal = case.deal.without(case.the_seat)
    return (Correct(deal),) if 0 < deal.out <= deal.hole_cards < case.deal.hole_cards else ()


@incident("button_wrong", 19, "Button in the wrong place", Group.DEAL, number_is_seat=True)
def button_wrong(case: Case) -> Iterator[Option]:
    yield from _wrong_place(case, "button_wrong")


@incident("missed_blind", 20, "Dealt in without posting", Group.DEAL, needs_seat=True)
def missed_blind(case: Case) -> Iterator[Option]:
    """Who owes a blind and looks has a dead hand; who has bet plays on and posts next deal (wfp.blindrules.7).
    A book without that rule kills no hand by it: the hand is dead there only where somebody rules so."""
    rule, why = case.cite("missed_blind"), "looked before posting"
    live = Option("live", f"Seat {case.seat} plays on and posts next deal", rule)
    dead = Option(
        "dead", f"Seat {case.seat} looked first: dead hand", rule, (Push(KillHand(case.the_seat, why, rule)),)
    )
    if case.has_acted(case.the_seat):
        yield live
    else:
        yield from (dead, live) if case.own("missed_blind") else (live, dead)


def _not_void(case: Case) -> str:
    """Why no refund can be withheld: chips go back only from a deal that is void."""
    void = not case.in_hand and any(isinstance(logged.event, Misdealt) for logged in case.table.hand_log)
    return "" if void else "first rule that the deal is void (22, 23 FLOOR)"


@incident(
    "freeroll", 26, "Knew of a bad deck and bet", Group.DEAL, needs_seat=True, after_hand=True, unfit=_not_void
)
def freeroll(case: Case) -> Iterator[Option]:
    """The refund of a void deal is withheld: the chips stay for the next deal."""
    given = min(case.contributed(case.the_seat), case.stack(case.the_seat))
    left = Chips(case.stack(case.the_seat) - given)
    steps = (Record(Counted(case.the_seat, left, Chips(case.stack(case.the_seat)), Source.DIRECTOR)),)
    text = f"Seat {case.seat} loses its refund: {given:,} stay for the next deal"
    yield Option("withheld", text, case.cite("freeroll"), steps, carried=given)
