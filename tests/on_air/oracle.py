"""What may be known of hidden cards and when, written from docs/hidden-cards.md and not from the relay's code.

It is told what reached the relay and when, and judges each release and each picture. It states what must hold
before a card goes out; what the relay keeps back beyond that is no fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from table_core.commitment import Opening
from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    BoardDealt,
    CardDealt,
    CardText,
    DealCorrected,
    Envelope,
    HandEnded,
    HandKilled,
    HandMucked,
    HandResumed,
    HandStarted,
    HandTabled,
    Misdealt,
    Noticed,
    ResultEntered,
    Rewound,
    SeatsSet,
    Street,
)
from table_core.projections.table_state import HAND_STANDS
from table_core.tracker.dealing.evidence import HANDS_UNCOUNTED
from tests.on_air.dealt import BACK, Hand, Shown

At = tuple[int, int]
FOLLOWS_FROM_CARDS = ("share", "tie", "outs", "outs_to_tie")  # told only where every live seat's cards are


@dataclass
class Run:
    """A run of the relay, with its settings."""

    started: int
    delay_s: float | None
    folded: bool
    heard_a_state: bool = False


class Cards(NamedTuple):
    """What is out of a deal: attempt and place of each card, by the seat that has it and since which event."""

    places: dict[int, tuple[int, int]]  # by place: seat, attempt
    since: dict[int, At]
    from_deal: bool


class Heard(NamedTuple):
    envelope: Envelope
    at: int
    run: int
    knew_a_state: bool


class HandFacts(NamedTuple):
    """A deal as the relay knows it."""

    own: list[tuple[At, AnyEvent]]  # what counts of it
    ended_at: int | None
    stands: bool
    last: At
    whole: bool  # the next deal stands, or nothing of it is known to be missing


@dataclass
class Oracle:
    log: list[tuple[Envelope, Hand]] = field(default_factory=list)  # everything that the table signed
    heard: dict[At, Heard] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    acknowledged: At = (0, 0)
    known_upto: At = (0, 0)  # the newest event of which the relay heard something
    out: dict[int, Cards] = field(default_factory=dict)  # by deal
    out_numbers: set[tuple[int, int]] = field(default_factory=set)  # of hand and attempt
    states: dict[int, int] = field(default_factory=dict)  # when this run heard the state with this mark

    # ------------------------------------------------------------------------------- what it is told

    def began_run(self, now: int, delay_s: float | None, *, folded: bool) -> None:
        self.runs.append(Run(now, delay_s, folded))  # `states` stay: a restart goes on with the picture

    def signed(self, envelope: Envelope, hand: Hand) -> None:
        self.log.append((envelope, hand))

    def heard_event(self, envelope: Envelope, now: int) -> None:
        at = (envelope.epoch, envelope.seq)
        self.heard.setdefault(at, Heard(envelope, now, len(self.runs) - 1, self.runs[-1].heard_a_state))
        self.known_upto = max(self.known_upto, at)

    def heard_state(self, shown: Shown, now: int) -> None:
        at = (shown.view.epoch, shown.view.as_of)
        self.runs[-1].heard_a_state = True
        if self.states and at <= max(self._as_of.values()):
            return
        self.known_upto = max(self.known_upto, at)
        self.states[shown.mark] = now
        self._as_of[shown.mark] = at

    _as_of: dict[int, At] = field(default_factory=dict)

    # ------------------------------------------------------------------------------- a hand goes out

    def faults_of_release(self, hand: Hand, openings: Sequence[Opening], now: int) -> list[str]:
        """Why these cards may not go out now; nothing where they may, and then they are out."""
        facts = self._facts(hand)
        if facts is None:
            return ["a hand goes out that the relay did not see begin"]
        faults = [*self._too_early(hand, facts, now)]
        events = [event for _, event in facts.own]
        folded_too = self._folded_too(hand)
        allowed = self._places(facts.own, folded_too=folded_too)
        cards = Cards({}, {}, folded_too and not _uncertain(events))
        board = {card for event in events if isinstance(event, BoardDealt) for card in event.cards}
        for opening in openings:
            where = hand.by_commitment.get(opening.commitment())
            if where is None:
                faults.append("a card of another deal goes out")
            elif hand.cards[where] in board and allowed.get(where, ("", (0, 0)))[0] == "board":
                continue
            elif where not in allowed or allowed[where][0] == "board":
                faults.append(f"place {where} goes out, which stays sealed")
            else:
                to, since = allowed[where]
                cards.places[where[1]] = (int(to.removeprefix("seat-")), where[0])
                cards.since[where[1]] = since
        self.out[hand.index] = cards
        self.out_numbers.add((hand.number, _attempt(facts.own)))
        return faults

    def _facts(self, hand: Hand) -> HandFacts | None:
        first = next(no for no, (envelope, _) in enumerate(self.log) if _at(envelope) == hand.began)
        kept: dict[At, AnyEvent] = {}
        cut: dict[At, dict[At, AnyEvent]] = {}
        ended_at, time, was_ended = None, self.runs[-1].started, False
        last, whole = hand.began, True
        for envelope, _ in self.log[first:]:
            at, event = _at(envelope), envelope.data
            told = self.heard.get(at)
            if told is None:
                whole = self.known_upto < at
                break
            time = max(time, told.at)
            _count(kept, cut, at, event)
            own, behind = _split(kept, hand.began)
            is_ended = any(isinstance(one, HandEnded) for _, one in own)
            if is_ended and (not was_ended or isinstance(event, HandEnded)):
                ended_at = time
            was_ended = is_ended
            if any(not isinstance(one, HandStarted | Noticed) for _, one in behind):
                break
            if not behind or isinstance(event, Rewound):
                last = at
        own, behind = _split(kept, hand.began)
        if not own or not isinstance(own[0][1], HandStarted):
            return None
        ends = [at for at, event in own if isinstance(event, HandEnded)]
        said = [at for at, event in own if isinstance(event, Noticed) and event.kind == HAND_STANDS]
        dealt = any(not isinstance(one, HandStarted | Noticed) for _, one in behind)
        stands = dealt or bool(ends and said and said[-1] > ends[-1])
        return HandFacts(own, ended_at if was_ended else None, stands, last, whole or dealt)

    def _too_early(self, hand: Hand, facts: HandFacts, now: int) -> Iterable[str]:
        runs = self.runs[self._begun_in(hand) :]
        delays = {run.delay_s for run in runs}
        events = [event for _, event in facts.own]
        if facts.ended_at is None:
            yield "a hand goes out that has not ended"
        elif delays != {runs[0].delay_s} or runs[0].delay_s is None:
            yield f"a hand goes out whose delay was changed or is none: {delays}"
        elif now < facts.ended_at + round(runs[0].delay_s * 1_000):
            yield f"a hand goes out {(now - facts.ended_at) / 1_000:g} s after its end, the delay is {delays}"
        if not facts.stands:
            yield "a hand goes out whose end can be taken back"
        if not facts.whole:
            yield "a hand goes out of which an event is known to be missing"
        if facts.last > self.acknowledged:
            yield "a hand goes out that the station has not acknowledged"
        if any(isinstance(one, Misdealt) or (isinstance(one, SeatsSet) and one.gap) for one in events):
            yield "a void hand goes out"
        if (hand.number, _attempt(facts.own)) in self.out_numbers:
            yield "a number goes out twice"

    def _begun_in(self, hand: Hand) -> int:
        return self.heard[hand.began].run

    def _folded_too(self, hand: Hand) -> bool:
        """Whether the setting was on ever since the number was first dealt, which the relay saw."""
        same = {dealt.began: dealt for _, dealt in self.log if dealt.number == hand.number}
        heard = [self.heard[began] for began in same if began in self.heard]
        first = min(heard, key=lambda one: one.at)
        return first.knew_a_state and all(run.folded for run in self.runs[first.run :])

    def _places(
        self, own: Sequence[tuple[At, AnyEvent]], *, folded_too: bool
    ) -> dict[tuple[int, int], tuple[str, At]]:
        """Where each card that may go out lies, and since which event: by attempt and place."""
        events = [event for _, event in own]
        started = next(event for event in events if isinstance(event, HandStarted))
        attempt = _attempt(own)
        lies: dict[int, tuple[str, At]] = {}
        for at, event in own:
            if isinstance(event, CardDealt) and event.attempt == attempt:
                lies[event.place] = (event.to, at)
            elif isinstance(event, DealCorrected):
                lies |= {moved.place: (moved.to, at) for moved in event.moved if moved.place in lies}
        kept = {f"seat-{seat.seat}" for seat in started.seats} | {"board"}
        if not folded_too:
            kept -= {f"seat-{event.seat}" for event in events if _gave_up(event)}
        if _uncertain(events):
            kept &= {f"seat-{event.seat}" for event in events if isinstance(event, HandTabled)} | {"board"}
        return {(attempt, place): (to, at) for place, (to, at) in lies.items() if to in kept}

    def faults_of_page(self, number: tuple[int, int], now: int, behind_ms: int | None) -> Iterable[str]:
        """Why the page of the hand of this number and attempt may not be shown now."""
        if number not in self.out_numbers:
            yield "a page is shown of a hand that is not out"
        if behind_ms is None:
            yield "a page is shown where nothing may be on air"
            return
        dealt = [hand for _, hand in self.log if hand.number == number[0] and hand.index in self.out]
        ends = [
            self.heard[_at(envelope)].at
            for hand in dealt
            for envelope in hand.events
            if isinstance(envelope.data, HandEnded) and _at(envelope) in self.heard
        ]
        if ends and now < min(ends) + behind_ms:
            ago = (now - min(ends)) / 1_000
            yield f"a page is shown {ago:g} s behind its hand's end, {behind_ms / 1_000:g} are asked for"

    # ------------------------------------------------------------------------------ what is on air

    def faults_of_picture(
        self, seen: Mapping[str, Any], shown: Mapping[int, Shown], now: int, behind_ms: int | None
    ) -> list[str]:
        """What is wrong with a picture that goes on air now, `behind_ms` back (None: nothing is to be on air)."""
        if not seen["seats"]:
            return ["a board without seats"] if seen["board"] else []
        moment = shown[seen["seats"][0]["stack"]]
        faults = [*self._wrong_time(moment, now, behind_ms)]
        if [*moment.view.board] != seen["board"]:
            faults.append("the board is of another moment")
        for seat in seen["seats"]:
            faults += self._faults_of_seat(moment, seat)
        live = [seat for seat in seen["seats"] if seat.get("in_hand")]
        every = len(live) > 1 and all(_is_known(seat) for seat in live)
        for seat in seen["seats"]:
            told = [name for name in FOLLOWS_FROM_CARDS if seat.get(name) not in (None, [])]
            if told and not (every and _is_known(seat)):
                faults.append(f"{told} told though a live seat's cards are not")
            if (seat.get("makes") or seat.get("ahead")) and not _is_known(seat):
                faults.append("a hand in words without its cards")
        return faults

    def _wrong_time(self, moment: Shown, now: int, behind_ms: int | None) -> Iterable[str]:
        at = self.states.get(moment.mark)
        if behind_ms is None:
            yield "something is on air where nothing may be"
        elif at is None:
            yield "a moment of which nothing was heard"
        elif at + behind_ms > now:
            yield f"a moment is on air {(now - at) / 1_000:g} s after it, and {behind_ms / 1_000:g} are asked for"

    def _faults_of_seat(self, moment: Shown, seat: Mapping[str, Any]) -> Iterable[str]:
        lay = next(one for one in moment.view.seats if one.seat == seat["seat"])
        faces = [card for card in seat.get("cards", ()) if card != BACK and card not in lay.cards]
        if not faces:
            return
        cards = None if moment.hand is None else self.out.get(moment.hand.index)
        if moment.hand is None or cards is None:
            yield f"hand {moment.view.hand}: a card is on air that is not out"
            return
        at_the_end = moment.view.street in (Street.SHOWDOWN, Street.DONE)
        if not (cards.from_deal or at_the_end):
            yield f"hand {moment.view.hand}: a card shows before the showdown, and folded hands do not go out"
        if not lay.cards and moment.view.street is not Street.DONE:
            yield f"hand {moment.view.hand}: a hand shows that was given away"
        by_then = (moment.view.epoch, moment.view.as_of)
        may = {
            moment.hand.cards[attempt, place]
            for place, (of_seat, attempt) in cards.places.items()
            if of_seat == seat["seat"] and cards.since[place] <= by_then
        }
        if not {*faces} <= may:
            yield f"hand {moment.view.hand}: a card of seat {seat['seat']} is none of its own by then"

    def is_out(self, hand: Hand, attempt: int, place: int) -> bool:
        """Whether this card has gone out, or lay face up."""
        cards = self.out.get(hand.index)
        return cards is not None and cards.places.get(place, (0, 0))[1] == attempt


def public_cards(hand: Hand) -> frozenset[CardText]:
    """What lay face up in a deal at any time."""
    events = [envelope.data for envelope in hand.events]
    return frozenset(
        card for event in events if isinstance(event, BoardDealt | HandTabled) for card in event.cards
    )


def _at(envelope: Envelope) -> At:
    return envelope.epoch, envelope.seq


def _count(kept: dict[At, AnyEvent], cut: dict[At, dict[At, AnyEvent]], at: At, event: AnyEvent) -> None:
    """Add an event to those that count, or take away what it cuts; what a cut `Rewound` had cut counts again."""
    if not isinstance(event, Rewound):
        kept[at] = event
        return
    named = [(at[0], seq) for seq in event.cut]
    back = [cut.pop(one, {}) for one in named]
    cut[at] = {one: kept.pop(one) for one in named if one in kept}
    for restored in back:
        kept |= restored
    ordered = dict(sorted(kept.items()))
    kept.clear()
    kept |= ordered


def _split(kept: Mapping[At, AnyEvent], began: At) -> tuple[list[tuple[At, AnyEvent]], list[tuple[At, AnyEvent]]]:
    """What counts of the hand that began there, and of the next one."""
    next_one = min(
        [at for at, event in kept.items() if isinstance(event, HandStarted) and at > began], default=None
    )
    if next_one is None:
        return list(kept.items()), []
    own = [(at, event) for at, event in kept.items() if at < next_one]
    return own, [(at, event) for at, event in kept.items() if at >= next_one]


def _attempt(own: Sequence[tuple[At, AnyEvent]]) -> int:
    return max([event.attempt for _, event in own if isinstance(event, CardDealt)], default=1)


def _gave_up(event: AnyEvent) -> bool:
    return (isinstance(event, Acted) and event.action is Action.FOLD) or isinstance(event, HandMucked | HandKilled)


def _uncertain(events: Iterable[AnyEvent]) -> bool:
    """Whether it is unknown who folded or whose cards are whose: only tabled hands go out."""
    return any(
        isinstance(event, ResultEntered | HandResumed)
        or (isinstance(event, Noticed) and event.kind == HANDS_UNCOUNTED)
        for event in events
    )


def _is_known(seat: Mapping[str, Any]) -> bool:
    cards = seat.get("cards", ())
    return len(cards) == 2 and BACK not in cards
