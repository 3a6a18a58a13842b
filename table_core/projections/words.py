"""Events as text, one short line each, in the words of a poker table."""

from __future__ import annotations

from collections.abc import Sequence

from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    ActedOutOfTurn,
    Action,
    Answered,
    AnyEvent,
    Asked,
    AwaySet,
    BetCorrected,
    BetReturned,
    BettingClosed,
    BoardDealt,
    BoardRead,
    CardDealt,
    CardExposed,
    ClockAsked,
    ClockFollowed,
    Counted,
    DeskAsked,
    DeskWish,
    HandEnded,
    HandKilled,
    HandMucked,
    HandResumed,
    HandRetrieved,
    HandStarted,
    HandTabled,
    Key,
    Level,
    LevelBegan,
    LevelChanged,
    Misdealt,
    Noticed,
    Post,
    Posted,
    PotAwarded,
    Refused,
    ResultEntered,
    Rewound,
    RulebookSet,
    Ruled,
    SeatsChanged,
    SeatsSet,
    Share,
    Wish,
)

WISHES = {Wish.REBUY: "a rebuy", Wish.SEAT_CHANGE: "another seat", Wish.LATE_ENTRY: "a seat for a late entry"}
_POSTS = {
    Post.ANTE: "ante",
    Post.BIG_BLIND_ANTE: "big blind ante",
    Post.SMALL_BLIND: "small blind",
    Post.BIG_BLIND: "big blind",
}


def chips(amount: int) -> str:
    return f"{amount:,}"


def cards(names: Sequence[str]) -> str:
    if set(names) == {UNKNOWN_CARD}:
        return "unread"
    return " ".join("unread" if name == UNKNOWN_CARD else name for name in names)


def level_words(level: Level) -> str:
    """`"level 3: 100/200, ante 200"`."""
    words = f"level {level.no}: {chips(level.small_blind)}/{chips(level.big_blind)}"
    if level.big_blind_ante:
        return f"{words}, big blind ante {chips(level.big_blind_ante)}"
    return f"{words}, ante {chips(level.ante)}" if level.ante else words


def on_the_key(key: Key) -> str:
    """What stands on a key: `"BET/RAISE"`, `"4 SEAT"`, `"NEW HAND"`, `"7"`."""
    if key in (Key.CHECK_CALL, Key.BET_RAISE):
        return key.name.replace("_", "/")
    if key is Key.ALL_IN:
        return "ALL-IN"
    if key.seat is not None:
        return f"{key.seat} SEAT"
    return key.name.removeprefix("D") if key < Key.CLEAR else key.name.replace("_", " ")


def acted(event: Acted) -> str:
    """What the player did, without the seat: `"raise to 1,200, all-in"`."""
    words = {
        Action.FOLD: "fold",
        Action.CHECK: "check",
        Action.CALL: f"call {chips(event.added)}",
        Action.BET: f"bet {chips(event.to)}",
        Action.RAISE: f"raise to {chips(event.to)}",
    }[event.action]
    return f"{words}, all-in" if event.all_in else words


def out_of_turn(event: ActedOutOfTurn) -> str:
    """As `acted`, for an action before its turn."""
    amount = "" if event.to is None else f"{' to' if event.action is Action.RAISE else ''} {chips(event.to)}"
    return f"{event.action}{amount}"


def describe(event: AnyEvent) -> str:
    """One line for `event`, empty for events that nobody needs to read."""
    match event:
        case HandStarted():
            return f"Hand {event.hand}, {level_words(event.level)}"
        case Posted():
            return f"Seat {event.seat} posts {_POSTS[event.what]} {chips(event.amount)}"
        case Acted():
            return f"Seat {event.seat}: {acted(event)}"
        case BetReturned():
            return f"{chips(event.amount)} back to seat {event.seat}"
        case BettingClosed():
            return f"Betting closed, pot {chips(sum(event.pots))}"
        case CardDealt():
            return _dealt(event)
        case BoardDealt():
            return f"{event.street.capitalize()}: {cards(event.cards)}"
        case BoardRead():
            return f"Board: {cards(event.cards)}"
        case HandTabled():
            return f"Seat {event.seat} shows {cards(event.cards)}"
        case HandMucked():
            return f"Seat {event.seat} mucks"
        case PotAwarded():
            return _awarded(event)
        case HandEnded():
            return f"Hand {event.hand} over" + _out(event)
    return _ruled(event) or _about_the_table(event)


def _ruled(event: AnyEvent) -> str:
    """Rulings and reports in the middle of a hand."""
    match event:
        case ActedOutOfTurn():
            return f"Seat {event.seat} before its turn: {out_of_turn(event)}"
        case HandKilled():
            return f"Seat {event.seat}: dead hand, {event.why}"
        case HandRetrieved():
            return f"Seat {event.seat} has its hand back"
        case BetCorrected() if event.returned:
            return f"Seat {event.seat}: its call was {chips(event.returned)} short"
        case BetCorrected():
            return f"Seat {event.seat} adds {chips(event.added)}: bet brought up to size"
        case LevelChanged():
            level = event.level
            return f"This hand is played at {level.small_blind:,}/{level.big_blind:,}"
        case CardExposed():
            return f"Exposed: {cards([event.card])}"
        case Ruled():
            return f"Ruling: {event.text}"
        case Misdealt():
            return f"Misdeal: {event.why}; chips go back" if event.why else "Misdeal: chips go back"
        case HandResumed():
            return "Resumed here; what came before was not observed"
        case ResultEntered():
            won = f"seat {event.winners[0]} won it, " if len(event.winners) == 1 else ""
            return f"Hand {event.hand}: {won}only its result is known"
    return ""


def _about_the_table(event: AnyEvent) -> str:
    match event:
        case Noticed():
            return event.text
        case Asked():
            return event.text
        case Answered():
            return event.answer
        case Refused():
            return event.reason
        case Rewound():
            return "Taken back" + (f": {event.why}" if event.why else "")
        case SeatsSet():
            return "Resumed here; what came before was not observed" if event.gap else "Seats set"
        case SeatsChanged():
            return _seats_changed(event)
        case Counted():
            if event.was < 0:
                return f"Seat {event.seat} put in {-event.was:,} more than the books had"
            books = f", the books had {chips(event.was)}" if event.stack != event.was else ""
            return f"Seat {event.seat} counted: {chips(event.stack)}{books}"
        case AwaySet():
            meanwhile = ": no cards" if event.no_cards else ""
            return f"Seat {event.seat} is {'away' if event.away else 'back'}{meanwhile}"
        case RulebookSet():
            return f"Rulebook: {event.rulebook}" + (" with settings of the house" if event.house != "{}" else "")
        case ClockFollowed():
            return event.wait
        case ClockAsked():
            return f"The blind clock {'goes on' if event.running else 'stops'}"
        case DeskAsked():
            return f"{wished(event.wish)}{'' if event.on else ': no more'}"
        case LevelBegan():
            return f"From the next hand, {level_words(event.level)}"
    return ""


def wished(wish: DeskWish) -> str:
    """What the desk is asked for: `"Asked of the desk: a rebuy, seat 4"`."""
    where = "" if wish.seat is None else f", seat {wish.seat}"
    return f"Asked of the desk: {WISHES[wish.what]}{where}"


def _dealt(event: CardDealt) -> str:
    """Where a card went; the card itself is hidden."""
    where = {"burn": "Burn", "board": "A card to the board", "stub": "A card back to the deck"}
    return where.get(event.to, f"A card to {event.to.replace('-', ' ')}")


def _awarded(event: PotAwarded) -> str:
    if not event.amount:
        return ""  # everybody folded to the only blind, which went back
    pot = "Main pot" if event.no == 0 else f"Side pot {event.no}"
    winners = ", ".join(_share(share) for share in event.shares) or event.why
    return f"{pot} {chips(event.amount)}: {winners}" + (f" with {event.hand}" if event.hand else "")


def hand_ended(event: HandEnded, awards: Sequence[PotAwarded]) -> str:
    """Who got what, for as long as one UNDO takes it back: `"Seat 6 wins 250: all others folded. Wrong? UNDO"`."""
    won = [_pot_won(one) for one in awards if one.amount]
    if not won:
        return describe(event)
    said = "; ".join(won)
    return f"{said[:1].upper()}{said[1:]}{_out(event)}. Wrong? UNDO"


def _pot_won(event: PotAwarded) -> str:
    shares = sorted(event.shares, key=lambda share: share.seat)
    names = [str(share.seat) for share in shares]
    amounts = {int(share.amount) for share in shares}
    if len(names) > 1 and len(amounts) == 1:
        who = f"seats {', '.join(names[:-1])} and {names[-1]} win {chips(amounts.pop())} each"
    else:
        who = ", ".join(_share(share) for share in shares) or event.why
    pot = f" (side pot {event.no})" if event.no else ""
    why = ": all others folded" if event.why == "last_standing" else f" with {event.hand}" if event.hand else ""
    return f"{who}{pot}{why}"


def _seats_changed(event: SeatsChanged) -> str:
    words = [f"seat {one.seat} leaves with {chips(one.stack)}" for one in event.left]
    words += [f"seat {one.seat} is taken with {chips(one.stack)}" for one in event.taken]
    words += [
        f"seat {one.seat} {'gets' if one.chips > 0 else 'gives'} {chips(abs(one.chips))}" for one in event.added
    ]
    words += [f"the button is at seat {event.button}"] if event.button is not None else []
    said = "; ".join(words)
    return said[:1].upper() + said[1:]


def _share(share: Share) -> str:
    return f"seat {share.seat} wins {chips(share.amount)}"


def _out(event: HandEnded) -> str:
    *others, last = (*map(str, event.out),) or ("",)
    if others:
        return f"; seats {', '.join(others)} and {last} are out of chips"
    return f"; seat {last} is out of chips" if last else ""
