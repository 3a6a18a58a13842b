"""Hands and tournaments as the coverage hears them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from feltwire.ledger.chain import LedgerHead
from feltwire.ledger.signing import LedgerKey
from feltwire.relay.coverage.coverage_io import DeskPressed, Effect, HandReleased, Input, ShowCoverage, WaitSeen
from feltwire.relay.coverage.desk import AUTO
from feltwire.relay.coverage.hand_facts import HandFacts, facts_of
from feltwire.relay.coverage.node import CoverageNode
from feltwire.relay.hand import HandRecord
from feltwire.runtime.node_io import Arrived, Reply
from table_core.coverage import CoverageDesk, CoverageLine, CoverageView
from table_core.messages import (
    AnyEvent,
    At,
    Chips,
    ClockState,
    Envelope,
    FieldOut,
    FieldPlayer,
    HandStarted,
    Leaseholder,
    Level,
    Millis,
    Seat,
    TableLeaseholder,
    TableState,
    TournamentField,
    encode,
)
from tests.display import fixtures

VENUE = "hall"
AT = At(boot="b" * 16, ms=Millis(1))
SECOND = 1_000
WALL = 1_790_000_000_000
LEVEL = Level(3, Chips(100), Chips(200), big_blind_ante=Chips(200))


def recorded(events: Sequence[AnyEvent], table: str = "01") -> HandRecord:
    """A hand of these events, the first of which begins it."""
    started = events[0]
    assert isinstance(started, HandStarted)
    hand = HandRecord(table, 1, started, began=(1, 1))
    for seq, event in enumerate(events, 1):
        hand.add(Envelope(4, VENUE, table, 1, seq, AT, "", event), Millis(1))
    return hand


def facts(events: Sequence[AnyEvent]) -> HandFacts:
    told = facts_of(recorded(events))
    assert told is not None
    return told


class ToldTable:
    """A table that signs what it is told to say."""

    def __init__(self, table: str = "01") -> None:
        self.table = table
        self.key = LedgerKey(f"table {table}".encode().ljust(32))
        self.head = LedgerHead()
        self.envelopes: list[Envelope] = []
        self.states = 0

    @property
    def leaseholder(self) -> TableLeaseholder:
        return TableLeaseholder(self.table, Leaseholder("1234", 1, self.key.public))

    def tell(self, *events: AnyEvent) -> list[Envelope]:
        said = []
        for event in events:
            entry = self.head.link(event, at=AT, venue=VENUE, table=self.table, key=self.key)
            self.head = entry.head
            said.append(entry.envelope)
        self.envelopes += said
        return said

    def state(self, stacks: dict[int, tuple[str, int]]) -> bytes:
        """Between two hands: by seat the player and the chips."""
        self.states += 1
        seats = tuple(
            replace(fixtures.table_view().seats[0], seat=Seat(seat), player=player, stack=Chips(chips), cards=())
            for seat, (player, chips) in stacks.items()
        )
        view = replace(
            fixtures.table_view(),
            venue=VENUE,
            table=self.table,
            epoch=1,
            as_of=self.head.seq + self.states,
            seats=seats,
            street=fixtures.Street.DONE,
            legal=None,
        )
        return self.key.sign(TableState(view))


class CoverageRig:
    """The coverage's node with a clock of its own; `kept` survives a restart."""

    def __init__(
        self, *, air_s: float | None = 0.0, grace_s: float = 0.0, mode: str = AUTO, at_once: bool = False
    ) -> None:
        self.now = Millis(1_000_000)
        self.air = None if air_s is None else Millis(round(air_s * SECOND))
        self.settings = {"mode": mode, "grace_ms": round(grace_s * SECOND), "at_once": at_once}
        self.kept: dict[str, object] = {}
        self.heard: dict[str, bytes] = {}
        self.view = CoverageView(0, "", ())
        self.desk: CoverageDesk | None = None
        self.effects: list[Effect] = []
        self.replies: list[Reply] = []
        self.shown: list[tuple[int, CoverageView]] = []
        self.table = ToldTable()
        self.start()

    def start(self, boot: str = "b1") -> None:
        """Start, or start again after a kill."""
        self.node = CoverageNode(
            VENUE,
            boot,
            air_ms=self.air,
            wall=lambda: Millis(WALL + self.now),
            **self.settings,  # type: ignore[arg-type]
        )
        self.node.resume(
            list(self.kept.values()),  # type: ignore[arg-type]
            self.now,
            field=self.heard.get("field"),
            event=self.heard.get("event", b"").decode(),
            mode=self.heard.get("mode", b"").decode(),
        )
        self.wake_at: int | None = None
        self.step(None)
        self.lease(self.table)

    def lease(self, table: ToldTable) -> None:
        topic = f"fw/{VENUE}/tournament/charge/{table.table}"
        self.step(Arrived(topic, encode(table.leaseholder)))

    def step(self, given: Input | None) -> None:
        effects, self.wake_at = self.node.step(given, self.now)
        self.effects += effects
        for effect in effects:
            match effect:
                case ShowCoverage():
                    self.desk = effect.desk
                    if effect.view is not None:
                        self.view = effect.view
                        self.shown.append((self.now, effect.view))
                case Reply():
                    self.replies.append(effect)
                case _:
                    if hasattr(effect, "line"):
                        self.kept[effect.line.id] = effect.line
                    elif hasattr(effect, "raw"):
                        self.heard[effect.what] = effect.raw

    def wait(self, seconds: float) -> None:
        end = self.now + round(seconds * SECOND)
        while self.wake_at is not None and self.wake_at <= end:
            assert self.wake_at > self.now or self.wake_at <= end
            before = self.now
            self.now = Millis(max(self.now, self.wake_at))
            self.step(None)
            if self.wake_at is not None and self.wake_at <= self.now == before:
                raise AssertionError("the node wants to be woken at once, and nothing changes")
        self.now = Millis(end)
        self.step(None)

    # ------------------------------------------------------------------------------ what it hears

    def hear(self, *events: AnyEvent, table: ToldTable | None = None) -> list[Envelope]:
        table = table or self.table
        said = table.tell(*events)
        self.send(said, table)
        return said

    def send(self, envelopes: Iterable[Envelope], table: ToldTable | None = None) -> None:
        for envelope in envelopes:
            topic = f"fw/{VENUE}/table/{(table or self.table).table}/event"
            self.step(Arrived(topic, encode(envelope)))

    def seats(self, stacks: dict[int, tuple[str, int]], table: ToldTable | None = None) -> None:
        table = table or self.table
        self.step(Arrived(f"fw/{VENUE}/table/{table.table}/state", table.state(stacks)))

    def field(self, field: TournamentField) -> None:
        self.step(Arrived(f"fw/{VENUE}/tournament/field", encode(field)))

    def clock(self, clock: ClockState) -> None:
        self.step(Arrived(f"fw/{VENUE}/tournament/clock", encode(clock)))

    def on_air(self, air_s: float | None, *, cut: bool = False) -> None:
        self.air = None if air_s is None else Millis(round(air_s * SECOND))
        self.step(WaitSeen(self.air, cut))

    def release(self, began: Envelope, cards: dict[int, tuple[str, ...]]) -> None:
        lineage = self.table.key.public
        self.step(HandReleased(self.table.table, lineage, (began.epoch, began.seq), cards))  # type: ignore[arg-type]

    def press(self, command: str, line: str = "", by: str = "Pia (producer)", **text: str) -> Reply:
        press = f"press-{len(self.replies)}"
        self.step(DeskPressed(press, Millis(self.now + 4_000), by, command, line, text))
        return self.replies[-1]

    # -------------------------------------------------------------------------------- what it says

    @property
    def lines(self) -> list[CoverageLine]:
        """The oldest first."""
        return [*reversed(self.view.lines)]

    @property
    def said(self) -> list[str]:
        return [line.text.get("en", "") for line in self.lines]

    @property
    def waiting(self) -> list[str]:
        assert self.desk is not None
        return [line.id for line in self.desk.waiting]


def field(
    left: dict[str, tuple[str, int, int]],
    out: Sequence[tuple[str, int | None, int]] = (),
    *,
    payouts: Sequence[int] = (),
    entry_open: bool = False,
    winner: str = "",
    entrants: int = 0,
    deal: bool = False,
    event: str = "Friday",
) -> TournamentField:
    """`left`: by player table, seat and chips; `out`: player, place and prize. Names are those of the players."""
    return TournamentField(
        event,
        tuple(
            FieldPlayer(player, player.title(), table, Seat(seat), Chips(chips))
            for player, (table, seat, chips) in left.items()
        ),
        tuple(FieldOut(player, player.title(), place, prize) for player, place, prize in out),
        len(left),
        entrants or len(left) + len(out),
        tuple(payouts),
        entry_open,
        deal,
        winner,
    )
