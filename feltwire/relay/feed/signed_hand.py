"""What a released hand has on its page, for other programs and for its replay: made once, signed, never changed.

It is told from the hand's own events, not from what was on air: a relay that starts again tells the same. Each
step is a picture of the timeline (decision 90), made by the code that makes those on air. Beside what the table
showed there are the cards that were released, each with its line of the releases log and the table's own promise
of it, so that a viewer can check them (decision 94).

Nothing else of the events goes along: no prompt to a dealer, no ruling, no name of a person who pressed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from feltwire.ledger.releases import SignedRelease
from feltwire.relay.hand import HandRecord
from feltwire.relay.on_air.overlay import HOLE_CARDS, overlay_of
from feltwire.relay.on_air.players import Players
from feltwire.relay.on_air.timeline import At, ReleasedHand, Timeline
from table_core.histories.ohh_write import ohh_text
from table_core.histories.phh_write import action_text, phh_text
from table_core.histories.played import PlayedHand, from_events
from table_core.histories.recorded import ActionKind, HistoryError, Where
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    AnyEvent,
    BoardDealt,
    BoardRead,
    CardDealt,
    CardText,
    Chips,
    Envelope,
    Frozen,
    HandEnded,
    HandMucked,
    HandStarted,
    HandTabled,
    Level,
    Millis,
    OverlayPot,
    OverlayView,
    PotAwarded,
    Seat,
    Street,
    decode,
    decode_envelope,
    decode_stored,
)
from table_core.projections import words
from table_core.projections.table import TableProjection
from table_core.rulebook import BASE, load_rulebook

VERSION = 1
# What a step is named after; blinds and antes belong to the beginning, what is given back to the act before it.
STEPS = (HandStarted, Acted, BoardDealt, BoardRead, HandTabled, HandMucked, PotAwarded)


class FeedSeat(Frozen, frozen=True):
    """A player of the hand: `stack` when it began, `left` when it was over, `cards` as they are public."""

    seat: Seat
    player: str
    stack: Chips
    left: Chips
    won: Chips
    cards: tuple[CardText, ...]
    folded: bool


class FeedCard(Frozen, frozen=True):
    """A released card and what proves it: `line` of the releases log, signed by the relay, and `dealt`, the event
    with which the table promised the card before anybody saw it, signed by the table. `to` is where it lay in the
    end (`seat-4`, `board`), `place` its number in the deal."""

    place: int
    to: str
    card: CardText
    line: str
    dealt: str


class StepSeat(Frozen, frozen=True, omit_defaults=True):
    """A seat at one step. `share` of the pot is in thousandths."""

    seat: Seat
    stack: Chips
    bet: Chips = Chips(0)
    cards: tuple[CardText, ...] = ()
    folded: bool = False
    all_in: bool = False
    won: Chips = Chips(0)
    share: int | None = None
    makes: str = ""
    last: str = ""


class FeedStep(Frozen, frozen=True):
    """The table `ms` after the hand began; `text` says what happened."""

    ms: int
    text: str
    street: Street
    board: tuple[CardText, ...]
    pot: Chips
    to_act: Seat | None
    pots: tuple[OverlayPot, ...]
    seats: tuple[StepSeat, ...]


class FeedHand(Frozen, frozen=True):
    """A released hand. `name` is its number at its table, `12`, or `12.2` where a later event used the number
    again. `began` and `ended` are wall times. `before` is the SHA-256 (hex) of the line of the releases log before
    the first of this hand, empty where that is the first of all: the line itself names a card of another hand.
    Where no hand history can tell the hand, `phh` and `ohh` are empty and `untold` says why."""

    v: int
    venue: str
    table: str
    hand: int
    name: str
    began: str
    ended: str
    level: Level
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    pot: Chips
    board: tuple[CardText, ...]
    seats: tuple[FeedSeat, ...]
    cards: tuple[FeedCard, ...]
    before: str
    steps: tuple[FeedStep, ...]
    phh: str
    ohh: str
    untold: str


def feed_hand(
    record: HandRecord,
    hole: ReleasedHand,
    raws: Iterable[bytes],
    lines: Sequence[bytes],
    *,
    venue: str,
    name: str,
    players: Players,
) -> FeedHand:
    """`hole`: the hole cards that were released; `raws`: the events of the hand as they came; `lines`: of the
    releases log, those of this hand; `players`: whom the table knows by ids."""
    dealt = {(envelope.epoch, envelope.seq): (envelope, raw) for envelope, raw in _read(raws)}
    envelopes = [dealt[at][0] for at in record.events if at in dealt]
    started, public = record.started, _public(record, hole)
    ended = next(event for event in reversed(record.events.values()) if isinstance(event, HandEnded))
    awards = [event for event in record.events.values() if isinstance(event, PotAwarded)]
    left = {share.seat: share.amount for share in ended.stacks}
    phh, ohh, untold = _histories(envelopes, public, record.table, players)
    return FeedHand(
        v=VERSION,
        venue=venue,
        table=record.table,
        hand=started.hand,
        name=name,
        began=_wall(envelopes[:1]),
        ended=_wall(envelopes[-1:]),
        level=started.level,
        button=started.button,
        small_blind=started.small_blind,
        big_blind=started.big_blind,
        pot=Chips(sum(award.amount for award in awards)),
        board=record.board(),
        seats=tuple(
            FeedSeat(
                seat=one.seat,
                player=players.of(one.player).name,
                stack=one.stack,
                left=left.get(one.seat, one.stack),
                won=Chips(sum(s.amount for award in awards for s in award.shares if s.seat == one.seat)),
                cards=public.get(one.seat, ()),
                folded=one.seat in record.folded(),
            )
            for one in started.seats
        ),
        cards=tuple(_proven(record, {at: raw for at, (_, raw) in dealt.items()}, lines)),
        before=decode(lines[0], SignedRelease).release.prev if lines else "",
        steps=tuple(_steps(record, hole, envelopes)),
        phh=phh,
        ohh=ohh,
        untold=untold,
    )


def _read(raws: Iterable[bytes]) -> Iterator[tuple[Envelope, bytes]]:
    for raw in raws:
        stored = decode_stored(raw)
        if isinstance(stored, Envelope):
            yield stored, raw


def _wall(envelopes: Sequence[Envelope]) -> str:
    return envelopes[0].at.wall if envelopes else ""


def _public(record: HandRecord, hole: ReleasedHand) -> dict[Seat, tuple[CardText, ...]]:
    """What is known of each seat: its released cards, or those that it tabled where more of them are known."""
    released = {seat: tuple([one.card for one in held]) for seat, held in hole.cards.items()}
    for seat, tabled in record.tabled().items():
        if sum(card != UNKNOWN_CARD for card in tabled) >= len(released.get(seat, ())):
            released[seat] = tabled
    return {seat: (*cards, *[UNKNOWN_CARD] * (HOLE_CARDS - len(cards))) for seat, cards in released.items()}


def _proven(record: HandRecord, raws: Mapping[At, bytes], lines: Sequence[bytes]) -> Iterator[FeedCard]:
    """Each released card with its proofs. An event that names who pressed does not go along."""
    promised = {
        event.commitment: (at, event) for at, event in record.events.items() if isinstance(event, CardDealt)
    }
    moved = {place.dealt.place: place.now.to for place in record.places(folded=True).values()}
    for line in lines:
        card = decode(line, SignedRelease).release.card
        at, event = promised.get(card.commitment(), (None, None))
        raw = b"" if at is None else raws.get(at, b"")
        named = bool(raw) and decode_envelope(raw).by
        to = card.to if event is None else moved.get(event.place, event.to)
        yield FeedCard(card.place, to, card.card, line.decode(), "" if named else raw.decode())


# --------------------------------------------------------------------------------------------- its replay


def _steps(record: HandRecord, hole: ReleasedHand, envelopes: Sequence[Envelope]) -> Iterator[FeedStep]:
    """The table behind each act, card and award, as the timeline shows it. Empty from where on the events do not
    fit each other."""
    projection = TableProjection(venue="", table=record.table, rulebook=load_rulebook(BASE))
    projection.passed_over = True  # who sits there is as the hand says that begins
    timeline = Timeline()
    texts: list[tuple[str, int]] = []  # of each step, with its last moment
    for envelope in envelopes:
        if not projection.take(envelope, ""):
            break
        timeline.show(projection.view(), _since(envelopes[0], envelope))
        text = words.describe(envelope.data) if isinstance(envelope.data, STEPS) else ""
        if text:
            texts.append((text, 0))
        if texts:
            texts[-1] = (texts[-1][0], len(timeline.moments) - 1)
    if not timeline.moments:
        return
    timeline.release(record.began, hole._replace(from_deal=not record.only_tabled))
    for text, last in texts:
        moment = timeline.moments[last]
        yield _step(text, moment.at, overlay_of(timeline.picture(moment), None))


def _since(first: Envelope, envelope: Envelope) -> Millis:
    """By the table's boot time; behind a restart the timeline keeps its order."""
    return Millis(max(envelope.at.ms - first.at.ms, 0) if envelope.at.boot == first.at.boot else 0)


def _step(text: str, ms: int, view: OverlayView) -> FeedStep:
    seats = tuple(
        StepSeat(
            seat=one.seat,
            stack=one.stack,
            bet=one.bet,
            cards=one.cards,
            folded=one.folded,
            all_in=one.all_in,
            won=one.won,
            share=one.share,
            makes=one.makes,
            last=one.last,
        )
        for one in view.seats
    )
    return FeedStep(ms, text, view.street, view.board, view.pot, view.to_act, view.pots, seats)


# ------------------------------------------------------------------------------------------ for other programs


def _histories(
    envelopes: Sequence[Envelope], public: Mapping[Seat, tuple[CardText, ...]], table: str, players: Players
) -> tuple[str, str, str]:
    """PHH and OHH of the hand with the cards that are public; or why none can tell it."""
    events = [envelope.data for envelope in envelopes]
    wall = _wall(envelopes[:1])
    where = Where(table=table, started=f"{wall[:19]}Z" if wall else "", seat_count=_highest(events))
    try:
        played = from_events(events, file=f"table {table}", where=where)
    except HistoryError as error:
        return "", "", error.problem
    except ValueError:
        return "", "", "its beginning or its end was not seen"
    whole = _as_public(played, public, players)
    return phh_text(whole.recorded), ohh_text([whole]), ""


def _highest(events: Iterable[AnyEvent]) -> int:
    started = next((event for event in events if isinstance(event, HandStarted)), None)
    return 0 if started is None else max(started.button, *[one.seat for one in started.seats])


def _as_public(played: PlayedHand, public: Mapping[Seat, tuple[CardText, ...]], players: Players) -> PlayedHand:
    """The hand with the cards that are public, and with the players' names in place of their ids."""
    cards = {played.player[seat]: held for seat, held in public.items() if seat in played.player}
    recorded = played.recorded
    actions = []
    for action in recorded.actions:
        if action.kind is ActionKind.DEAL_HOLE and action.seat in cards:
            action = replace(action, cards=cards[action.seat])
            action = replace(action, text=action_text(action))
        actions.append(action)
    names = tuple(players.of(one).name for one in recorded.players)
    told = replace(recorded, players=names, hole_cards=recorded.hole_cards | cards, actions=tuple(actions))
    return replace(played, recorded=told)
