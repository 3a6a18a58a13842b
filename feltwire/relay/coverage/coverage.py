"""The coverage within the relay's process: its node on a thread of its own, its store, and what its pages read."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from display.coverage_page import DeskPress
from display.presses import TimedPress
from display.push import Hub
from feltwire.config import ConfigError, RelayConfig
from feltwire.ledger.store import LedgerError
from feltwire.relay.coverage.coverage_io import (
    DeskPressed,
    Effect,
    HandReleased,
    KeepHeard,
    KeepLine,
    NoteAct,
    ShowCoverage,
    WaitSeen,
)
from feltwire.relay.coverage.coverage_store import DATABASE, CoverageStore
from feltwire.relay.coverage.desk import MODES
from feltwire.relay.coverage.node import CoverageNode
from feltwire.relay.hand import HandRecord
from feltwire.relay.on_air.timeline import ReleasedHand
from feltwire.runtime.broker import topics
from feltwire.runtime.host import Host
from feltwire.runtime.node_io import Arrived, Publish, Reply, Say
from feltwire.runtime.pages.answers import Answers
from feltwire.runtime.parts import Parts
from feltwire.runtime.quarantine import Quarantine
from feltwire.runtime.throttled_log import ThrottledLog
from table_core.coverage import CoverageView
from table_core.messages import Leaseholder, Millis, TableLeaseholder, encode, encode_page

log = logging.getLogger(__name__)

OFF, AT_ONCE, AS_ON_AIR = "off", "at once", "air"
LOOK_S = 1.0
CHANNEL, DESK_CHANNEL = "coverage", "coverage_desk"


class Coverage:
    """`air` gives how far what is on air lies back, and whether the producer has cut everything; `note` puts a
    line into the audit, `publish` sends to the bus."""

    def __init__(
        self,
        config: RelayConfig,
        host: Host,
        hub: Hub,
        *,
        air: Callable[[], tuple[Millis | None, bool]],
        note: Callable[[str, str, str], object],
        publish: Callable[[Publish], None],
    ) -> None:
        check(config)
        self._config, self._host, self._hub = config, host, hub
        self._air, self._note, self._publish = air, note, publish
        self._throttled = ThrottledLog(log)
        self._seen = air()
        self.view = CoverageView(0, "", ())
        data = Path(config.data)
        self._store = CoverageStore.open(data / DATABASE)
        self._made = self._node()
        self._led: dict[str, Leaseholder] = {}
        self._driver = host.driver(
            self._made,
            self._perform,
            name="coverage",
            rebuild=self._rebuilt,
            quarantine=Quarantine(data / "quarantine"),
            parts=Parts(),
            now=host.now,
        )
        self._answers = Answers(self._driver.put)
        self._look = host.regularly(self._look_at_air, "coverage", LOOK_S)

    def _node(self) -> CoverageNode:
        config = self._config
        node = CoverageNode(
            config.venue,
            self._host.boot,
            mode=config.coverage,
            grace_ms=round(config.coverage_grace_s * 1_000),
            at_once=config.coverage_wait == AT_ONCE,
            air_ms=self._seen[0],
            cut=self._seen[1],
            wall=self._host.wall,
        )
        heard = {what: self._store.heard(what) for what in ("field", "event", "mode")}
        node.resume(
            self._store.lines(),
            self._host.now(),
            field=heard["field"],
            event=(heard["event"] or b"").decode(),
            mode=(heard["mode"] or b"").decode(),
        )
        return node

    def _rebuilt(self) -> tuple[CoverageNode, list[Arrived]]:
        """A new node, which hears first who leads each table: that comes once, with a subscription."""
        self._led |= self._made.leaseholders
        self._made = self._node()
        return self._made, [self._lease(table, who) for table, who in self._led.items()]

    def _lease(self, table: str, who: Leaseholder) -> Arrived:
        topic = topics.tournament(self._config.venue, f"charge/{table}")
        return Arrived(topic, encode(TableLeaseholder(table, who)))

    def start(self, leaseholders: Mapping[str, Leaseholder], events: Mapping[str, Sequence[bytes]]) -> None:
        """`leaseholders` and `events` of hands that are not released, by table: what the relay has on its disk."""
        self._driver.start()
        for table, who in leaseholders.items():
            self._driver.put(self._lease(table, who))
            for raw in events.get(table, ()):
                self.hear(topics.table(self._config.venue, table, "event"), raw)

    def hear(self, topic: str, payload: bytes) -> None:
        """A message of the bus."""
        self._driver.put(Arrived(topic, payload))

    def released(self, table: str, lineage: str, hand: HandRecord, hole: ReleasedHand) -> None:
        """The relay has released these hole cards: its record of it is on the disk."""
        cards = {seat: tuple([one.card for one in held]) for seat, held in hole.cards.items()}
        self._driver.put(HandReleased(table, lineage, hand.began, cards))

    def _look_at_air(self) -> None:
        seen = self._air()
        if seen != self._seen:
            self._seen = seen
            self._driver.put(WaitSeen(*seen))

    async def press(self, press: DeskPress, by: str, timed: TimedPress) -> str:
        """What somebody at the desk wants; raise `ActionRefused` where it cannot be."""
        given = DeskPressed(timed.id, timed.until, by, press.do, press.line, dict(press.text))
        return await self._answers.to(timed.id, given)

    def _perform(self, effect: Effect) -> None:
        match effect:
            case KeepLine() | KeepHeard():
                try:
                    self._keep(effect)
                except LedgerError as error:
                    self._throttled.warn("coverage", f"a line of the coverage is not on the disk: {error}")
            case ShowCoverage():
                if effect.view is not None:
                    self.view = effect.view
                    self._hub.publish(CHANNEL, b'{"version":%d}' % effect.view.version)
                self._hub.publish(DESK_CHANNEL, encode_page(effect.desk))
            case NoteAct():
                self._note(effect.by, effect.what, effect.text)
            case Publish():
                self._publish(effect)
            case Reply():
                self._answers.give(effect)
            case Say():
                self._throttled.warn(effect.kind, effect.text)

    def _keep(self, effect: KeepLine | KeepHeard) -> None:
        if isinstance(effect, KeepLine):
            self._store.keep(effect.line)
        else:
            self._store.keep_heard(effect.what, effect.raw)

    def close(self) -> None:
        self._look.close()
        self._driver.stop()
        self._store.close()


def check(config: RelayConfig) -> None:
    """Raise `ConfigError` for a setting of the coverage that is none."""
    if config.coverage not in (*MODES, OFF):
        raise ConfigError(f"coverage = {config.coverage!r}: write {', '.join((*MODES, OFF))}")
    if config.coverage_wait not in (AS_ON_AIR, AT_ONCE):
        raise ConfigError(f"coverage_wait = {config.coverage_wait!r}: write {AS_ON_AIR!r} or {AT_ONCE!r}")
    if not 0 <= config.coverage_grace_s <= 3_600:
        raise ConfigError(f"coverage_grace_s = {config.coverage_grace_s:g}: write seconds from 0 to 3600")
