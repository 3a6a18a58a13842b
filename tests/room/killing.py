"""Killing processes of a room under load: when, what, and whether anything was lost by it.

When: at a moment of a hand, at a named call of the process, or at any time.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from feltwire.lab.demo.check import check_table
from feltwire.lab.demo.room import RULEBOOK
from feltwire.lab.demo.watch import Followed
from feltwire.ledger.chain import hash_of
from feltwire.ledger.signing import LedgerKey
from feltwire.relay.keys import RelayKeys
from feltwire.runtime.children import ChildSpec
from feltwire.tools.verify.checkpoints import read_stated
from feltwire.tools.verify.events import Proofs, verify_table
from feltwire.tools.verify.ledgers import read_tables
from feltwire.tools.verify.releases import check_releases
from table_core.messages import (
    UNKNOWN_CARD,
    AnyEvent,
    BoardDealt,
    BoardRead,
    CardDealt,
    Frozen,
    HandEnded,
    HandStarted,
    HandTabled,
    SeatsSet,
    Source,
)
from table_core.rulebook import load_rulebook
from tests.room.moments import MOMENTS
from tests.room.open_room import TABLE, OpenRoom
from tests.room.points import ONCE_A_HAND, POINTS, RANDOM, points_of

TARGETS = ("table", "station", "broker", "mosquitto", "relay", "clock")
MOST_SKIPPED, MOST_CALLS = 3, 25
MOST_HANDS = 20  # within which a process comes to a call that it makes in every hand
MOMENT_COMES_S = 600.0  # every hand has most of the moments; a loaded machine misses many of them


class Kill(Frozen, frozen=True):
    """One kill to come: process, moment, and how many fitting events are let pass before."""

    no: int
    target: str
    moment: str
    skip: int  # of a call: how many like it; at any time: how many tenths of a second

    @property
    def in_its_own_hand(self) -> bool:
        return self.moment in MOMENTS

    @property
    def needs_mosquitto(self) -> bool:
        return self.target == "mosquitto"


class Killed(Frozen, frozen=True):
    """One kill as it came: in which hand, behind which event, and after how long everything was back."""

    kill: Kill
    hand: int
    seq: int
    back_s: float


class Outcome(Frozen, frozen=True):
    """What came of one room. `wrong` is empty when nothing was lost. The rest is how much work it was:
    `corrections`, `questions` and `counts` are the dealer's, in the hands with a kill. `late` cards lay open while
    the camera of a killed table was starting, and the dealer confirmed their street unread."""

    killed: tuple[Killed, ...]
    wrong: tuple[str, ...]
    hands: int
    events: int
    frames: int
    snapshots: int
    released: int
    corrections: int
    questions: int
    counts: int
    late: int = 0


def plan_kills(targets: Sequence[str], each: int, seed: int) -> list[Kill]:
    """`each` kills of every target, shuffled: half of them at any time, the others shared out evenly among the
    moments of a hand and its named points."""
    rng = random.Random(f"kills/{seed}")
    kinds = [(target, moment) for target in targets for moment in _moments(rng, target, each)]
    rng.shuffle(kinds)
    return [
        Kill(no, target, when, rng.randrange(_skips(target, when))) for no, (target, when) in enumerate(kinds, 1)
    ]


def _moments(rng: random.Random, target: str, count: int) -> list[str]:
    named = sorted([*MOMENTS, *POINTS.get(target, ())])
    names: list[str] = []
    while len(names) < count:
        names += [
            name
            for pair in zip(rng.sample(named, len(named)), [RANDOM] * len(named), strict=True)
            for name in pair
        ]
    return names[:count]


def _skips(target: str, moment: str) -> int:
    return MOST_SKIPPED if moment in MOMENTS or moment in ONCE_A_HAND.get(target, ()) else MOST_CALLS


def perform(room: OpenRoom, kills: Sequence[Kill]) -> Iterator[Killed]:
    """Kill one after the other; at a moment of a hand in one of its own."""
    rng = random.Random(f"jitter/{room.plan.seed}")
    room.wait(lambda: room.ledger.look() and room.ledger.projection.hand_number, "the first hand is dealt")
    for kill in kills:
        starts = room.supervisor.starts(process_of(kill.target))
        hand, seq = _strike(room, kill, rng)
        began = time.monotonic()
        room.wait(_is_back(room, kill.target, seq, starts), f"{kill.target} is back after {kill}")
        yield Killed(kill, hand, seq, round(time.monotonic() - began, 2))
        if kill.in_its_own_hand:
            room.wait(partial(room.played_on, hand), f"hand {hand} goes on after {kill}")
    room.wait(partial(room.played_on, hand), f"hand {hand} goes on after the last kill")


def _strike(room: OpenRoom, kill: Kill, rng: random.Random) -> tuple[int, int]:
    """Kill -9; hand number and last event then."""
    if kill.in_its_own_hand:
        return _strike_in_hand(room, kill, rng)
    if kill.moment == RANDOM:
        time.sleep(kill.skip / 10 + rng.uniform(0, 0.1))
        room.wait(lambda: room.supervisor.kill(process_of(kill.target)), f"{kill.target} runs")
    else:
        _strike_at_call(room, kill)
    room.wait(room.ledger.look, "the table's ledger can be read")
    return room.ledger.projection.hand_number, room.ledger.projection.seq


def _strike_at_call(room: OpenRoom, kill: Kill) -> None:
    """Let the process kill itself at the call."""
    death = room.deaths[process_of(kill.target)]
    death.order(points_of(kill.target, room.plan.ports.broker)[kill.moment], kill.skip + 1)
    for _ in range(MOST_HANDS):  # each may take as long as anything else here, on a busy machine
        hand = room.ledger.projection.hand_number

        def further(hand: int = hand) -> bool:
            return not death.ordered or (room.ledger.look() and room.ledger.projection.hand_number > hand)

        room.wait(further, f"the process comes to {kill}, or a hand goes by")
        if not death.ordered:
            return
    raise AssertionError(f"in {MOST_HANDS} hands the process never came to {kill}\n{room.logs()}")


def _strike_in_hand(room: OpenRoom, kill: Kill, rng: random.Random) -> tuple[int, int]:
    """Wait for the moment and kill -9; hand number and last event then.

    The table stands still while its ledger is read, so that it dies with exactly what the moment asks for.
    """
    fits, name = MOMENTS[kill.moment], process_of(kill.target)
    passed: set[int] = set()
    ledger = room.ledger
    deadline = time.monotonic() + MOMENT_COMES_S
    while time.monotonic() < deadline:
        with room.frozen(f"table-{TABLE}") as stands:
            if stands and ledger.look() and fits(ledger.projection, ledger.state):
                passed.add(ledger.projection.seq)
                if len(passed) > kill.skip and room.supervisor.kill(name):
                    return ledger.projection.hand_number, ledger.projection.seq
        time.sleep(rng.uniform(0.0005, 0.006))  # the table works on meanwhile
    raise AssertionError(f"in {MOMENT_COMES_S:.0f} s the moment never came: {kill}\n{room.logs()}")


def process_of(target: str) -> str:
    return f"table-{TABLE}" if target == "table" else target


def _is_back(room: OpenRoom, target: str, seq: int, starts: int) -> Callable[[], bool]:
    """A check that `target`, once started `starts` times, was started again and is as useful as before."""
    name = process_of(target)
    if target in ("broker", "mosquitto"):
        return lambda: room.supervisor.starts(name) > starts and room.station_seq() > seq
    if target == "station":
        return lambda: room.supervisor.starts(name) > starts and room.station_seq() >= seq and room.serves(target)
    return lambda: room.supervisor.starts(name) > starts and room.serves(target)


def judge(room: OpenRoom, killed: Sequence[Killed], *, shoe_saw_all: bool = True) -> Outcome:
    """Let the hand end, and then hold ledgers, pages, devices and the perfect observer against each other.

    `shoe_saw_all`: its cable was never out, so that every card must be promised and held against its word.
    """
    room.end_dealing()
    report, lost, duplicates = check_table(room.files, TABLE, _pages(room), room.truth)
    wrong = [f"{lost} events or frames lost"] if lost else []
    wrong += [f"{duplicates} taken twice"] if duplicates else []
    wrong += report.mismatched
    wrong += [f"hand {hand.hand}: card misread" for hand in room.hands if hand.misread]
    blind = {one.hand + later for one in killed if one.kill.target == "table" for later in (0, 1)}
    wrong += [
        f"hand {hand.hand}: card never read" for hand in room.hands if hand.unread and hand.hand not in blind
    ]
    wrong += _wrong_hands(room, [one.hand for one in killed])
    wrong += _wrong_cards(room, blind) if shoe_saw_all else []
    wrong += _wrong_pages(room)
    released, broken = _verified(room)
    struck = [hand for hand in room.hands if hand.hand in {one.hand for one in killed}]
    return Outcome(
        killed=tuple(killed),
        wrong=tuple(wrong + broken),
        hands=len(room.hands),
        events=len(room.ledger.envelopes),
        frames=len(room.truth.tables[TABLE].sent),
        snapshots=len(room.shown),
        released=released,
        corrections=sum(hand.corrections for hand in struck),
        questions=sum(hand.questions for hand in struck),
        counts=sum(hand.counts for hand in struck),
        late=sum(hand.unread for hand in room.hands if hand.hand in blind),
    )


def stuck_room(room: OpenRoom, killed: Sequence[Killed], why: str) -> Outcome:
    """A room that did not go on after a kill."""
    hands, frames = len(room.hands), len(room.truth.tables[TABLE].sent)
    events, shown = len(room.ledger.envelopes), len(room.shown)
    return Outcome(tuple(killed), (f"the room got stuck: {why}",), hands, events, frames, shown, 0, 0, 0, 0)


def _pages(room: OpenRoom) -> dict[str, dict[str, Followed]]:
    return {name: page.channels for name, page in room.watchers.items()}


def _wrong_hands(room: OpenRoom, numbers: Sequence[int]) -> list[str]:
    """Hands that were killed in: begun once, never given up, ended with the right stacks, and nobody helped."""
    events = [envelope.data for envelope in room.ledger.envelopes]
    begun = Counter(event.hand for event in events if isinstance(event, HandStarted))
    wrong = [f"hand {number} was begun {begun[number]} times" for number in numbers if begun[number] != 1]
    wrong += ["a hand was left unobserved" for event in events if isinstance(event, SeatsSet) and event.gap]
    for number in numbers:
        dealt = room.hand(number)
        if dealt is None or not dealt.stacks_agree:
            wrong.append(f"hand {number} did not end with the true stacks")
        elif dealt.counts or dealt.corrections:
            wrong.append(
                f"hand {number}: the dealer put {dealt.corrections} presses and {dealt.counts} stacks right"
            )
    return wrong + _wrong_chips(events)


def _wrong_chips(events: Sequence[AnyEvent]) -> list[str]:
    """Hands that ended with other chips on the table than they began with."""
    whole, wrong = 0, []
    for event in events:
        if isinstance(event, HandStarted):
            whole = sum(seated.stack for seated in event.seats)
        elif isinstance(event, HandEnded) and sum(share.amount for share in event.stacks) != whole:
            wrong.append(f"hand {event.hand} ended with other chips than the {whole:,} it began with")
    return wrong


def _wrong_cards(room: OpenRoom, blind: Collection[int]) -> list[str]:
    """Cards that the table could not promise, or took without holding them against the shoe.

    A street that the dealer confirmed before the camera had read it has unknown cards: none was taken, and it has
    to be read later, but in the hands `blind`, in which the camera was starting.
    """
    wrong, unread = [], 0
    for envelope in room.ledger.envelopes:
        event = envelope.data
        if isinstance(event, BoardDealt) and set(event.cards) == {UNKNOWN_CARD}:
            unread = envelope.seq
            continue
        if isinstance(event, BoardRead):
            unread = 0
        if isinstance(event, HandEnded) and unread:
            wrong += [f"event {unread}: a street that was never read"] if event.hand not in blind else []
            unread = 0
        if isinstance(event, CardDealt) and event.commitment is None:
            wrong.append(f"event {envelope.seq}: card {event.place} was dealt without a commitment")
        if isinstance(event, (BoardDealt, HandTabled)) and Source.SHOE not in event.sources:
            wrong.append(f"event {envelope.seq}: cards taken without the shoe's word")
    return wrong


def _wrong_pages(room: OpenRoom) -> list[str]:
    """States that a page was shown and the ledger does not have."""
    known = {(one.epoch, one.seq): hash_of(raw) for one, raw in room.files.envelopes(TABLE)}
    strange = [shown for shown in room.shown if shown[1] and known.get(shown[:2]) != shown[2]]
    return [f"a page showed {epoch}/{seq}, which is not in the ledger" for epoch, seq, _ in strange]


def _verified(room: OpenRoom) -> tuple[int, list[str]]:
    """`feltwire verify` on both ledgers, with what the relay released: cards released, and what does not hold."""
    data = room.plan.folder / "data"
    rulebook = load_rulebook(RULEBOOK)
    released, wrong = 0, []
    keys = [LedgerKey.of_ledger(data / "station.ledger").public]
    proofs = Proofs(stated=read_stated([data / "station.ledger"], keys), keys=keys)
    for path in (data / f"table-{TABLE}.ledger", data / "station.ledger"):
        verdicts = [verify_table(table, rows, rulebook, proofs) for table, rows in read_tables(path).items()]
        unsigned = [verdict for verdict in verdicts if verdict.checkpoints < verdict.hands]
        wrong += [f"{path.name}: {one.hands} hands and {one.checkpoints} checkpoints" for one in unsigned]
        if (data / "releases.jsonl").exists():
            key = RelayKeys.load(room.plan.folder / "relay.key").verify_hex
            check_releases(data / "releases.jsonl", verdicts, key=key)
        wrong += [f"{path.name}: {verdict.first_bad} {verdict.why}" for verdict in verdicts if not verdict.ok]
        released = max(verdict.released for verdict in verdicts)
    return released, wrong


def kill_in_rooms(
    kills: Sequence[Kill],
    folder: Path,
    *,
    seed: int,
    per_room: int,
    on_kill: Callable[[Killed], None],
    child: Callable[[ChildSpec], ChildSpec] = lambda child: child,
) -> Iterator[Outcome]:
    """Open one room after the other until every kill is done; those with a mosquitto for themselves. `child(spec)`
    may change how a process is started."""
    for mosquitto in (False, True):
        todo = [kill for kill in kills if kill.needs_mosquitto is mosquitto]
        for first in range(0, len(todo), per_room):
            room_no = len(list(folder.glob("room-*"))) + 1
            part = todo[first : first + per_room]
            own = folder / f"room-{room_no}"
            with OpenRoom(own, seed=seed + room_no, mosquitto=mosquitto, child=child, mortal=True) as room:
                killed: list[Killed] = []
                try:
                    for one in perform(room, part):
                        killed.append(one)
                        on_kill(one)
                    yield judge(room, killed)
                except AssertionError as stuck:  # the other rooms are still to be played
                    yield stuck_room(room, killed, str(stuck))
