"""Writes Open Hand History 1.4.6 (`ohh_format.py`): one JSON object a hand, a blank line between hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from table_core.histories.identifiers import ROOM, TOURNAMENT_START, game_number, tournament_number
from table_core.histories.ohh_format import (
    SPEC_VERSION,
    UNKNOWN_START,
    BetLimit,
    Ohh,
    OhhAction,
    OhhFile,
    OhhPlayer,
    OhhPot,
    OhhRound,
    OurOwn,
    PlayerWin,
    TournamentInfo,
)
from table_core.histories.played import PlayedHand
from table_core.histories.recorded import RecordedHand
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    Action,
    AnyEvent,
    BoardDealt,
    CardText,
    HandMucked,
    HandTabled,
    Post,
    Posted,
    PotAwarded,
    Seat,
    Street,
)

_POSTS = {
    Post.ANTE: "Post Ante",
    Post.BIG_BLIND_ANTE: "Post Ante",
    Post.SMALL_BLIND: "Post SB",
    Post.BIG_BLIND: "Post BB",
}


def ohh_text(hands: Iterable[PlayedHand]) -> str:
    """The hands as an `.ohh` file."""
    return "".join(msgspec.json.encode(OhhFile(to_ohh(hand))).decode() + "\n\n" for hand in hands)


def to_ohh(played: PlayedHand) -> Ohh:
    """The hand in the format's own parts. Players keep the numbers of `played.recorded` as their ids."""
    hand = played.recorded
    where, level = hand.where, hand.level
    start = where.started or UNKNOWN_START
    return Ohh(
        spec_version=SPEC_VERSION,
        game_number=game_number(hand),
        table_name=where.table,
        game_type="Holdem",
        bet_limit=BetLimit("NL"),
        table_size=where.seat_count or max(hand.table_seats),
        dealer_seat=hand.button_seat,
        small_blind_amount=level.small_blind,
        big_blind_amount=level.big_blind,
        ante_amount=level.ante or level.big_blind_ante,
        start_date_utc=start,
        tournament_info=TournamentInfo(
            tournament_number=tournament_number(hand),
            name=where.event,
            start_date_utc=hand.more.get(TOURNAMENT_START, start),
        ),
        players=_players(hand),
        rounds=list(_rounds(played)),
        pots=sorted(_pots(played), key=lambda pot: pot.number),
        flags=["Observed"],  # no player is the hero of a whole table's history
        ours=OurOwn(
            level=level.no,
            big_blind_player=hand.big_blind,
            small_blind_player=hand.small_blind,
            ante=level.ante,
            big_blind_ante=level.big_blind_ante,
            awarded=list(hand.winners),
            hand=hand.hand,
            room=hand.more.get(ROOM, ""),
        ),
    )


def _players(hand: RecordedHand) -> list[OhhPlayer]:
    """In seat order, as the format's examples list them."""
    players = zip(hand.table_seats, hand.seats, strict=True)
    listed = [OhhPlayer(entry.seat, seat, entry.player, entry.stack) for seat, entry in players]
    return sorted(listed, key=lambda player: player.seat)


def _pots(played: PlayedHand) -> Iterator[OhhPot]:
    for event in played.events:
        if isinstance(event, PotAwarded):
            wins = [PlayerWin(played.player[share.seat], share.amount) for share in event.shares]
            yield OhhPot(event.no, event.amount, 0, wins)


def _rounds(played: PlayedHand) -> Iterator[OhhRound]:
    """One for each street that was dealt, then the showdown with every hand that was shown or mucked."""
    streets = _by_street(played.events)
    board, dealt = played.recorded.board, 0
    for number, (street, events) in enumerate(streets.items()):
        cards: Sequence[CardText] = ()
        if street is not Street.PREFLOP:
            count = 3 if street is Street.FLOP else 1
            cards = board[dealt : dealt + count]
            dealt += count
        yield OhhRound(number, str(street).capitalize(), _known(cards), _actions(street, events, played))
    shown = [event for event in played.events if isinstance(event, HandTabled | HandMucked)]
    if shown:
        yield OhhRound(len(streets), "Showdown", [], _actions(Street.SHOWDOWN, shown, played))


def _by_street(events: Sequence[AnyEvent]) -> dict[Street, list[AnyEvent]]:
    """Posts and acts of each street that was dealt."""
    streets: dict[Street, list[AnyEvent]] = {Street.PREFLOP: []}
    street = Street.PREFLOP
    for event in events:
        if isinstance(event, BoardDealt):
            street = event.street
            streets[street] = []
        elif isinstance(event, Posted | Acted):
            streets[street].append(event)
    return streets


def _actions(street: Street, events: Sequence[AnyEvent], played: PlayedHand) -> list[OhhAction]:
    entries = _entries(street, events, played)
    return [msgspec.structs.replace(entry, action_number=number) for number, entry in enumerate(entries)]


def _entries(street: Street, events: Sequence[AnyEvent], played: PlayedHand) -> Iterator[OhhAction]:
    """The actions of one round: posts, the deal, acts; at the showdown each hand once."""
    player, holes = played.player, played.recorded.hole_cards
    for event in events:
        if isinstance(event, Posted):
            yield OhhAction(0, player[event.seat], _POSTS[event.what], event.amount, event.all_in)
    if street is Street.PREFLOP:
        for seat, cards in sorted(holes.items()):
            if UNKNOWN_CARD not in cards:
                yield OhhAction(0, seat, "Dealt Cards", cards=list(cards))
    shown: set[Seat] = set()
    for event in events:
        match event:
            case Acted():
                yield OhhAction(0, player[event.seat], _word(event.action, street), event.added, event.all_in)
            case HandTabled() if event.seat not in shown:
                shown.add(event.seat)
                cards = holes.get(player[event.seat], event.cards)
                yield OhhAction(0, player[event.seat], "Shows Cards", cards=_known(cards))
            case HandMucked():
                yield OhhAction(0, player[event.seat], "Mucks Cards")


def _word(action: Action, street: Street) -> str:
    """The format knows no bet preflop: the blinds are the bet."""
    return "Raise" if street is Street.PREFLOP and action is Action.BET else str(action).capitalize()


def _known(cards: Iterable[CardText]) -> list[str]:
    """The format has no card for one that nobody has read: it is left out."""
    return [card for card in cards if card != UNKNOWN_CARD]
