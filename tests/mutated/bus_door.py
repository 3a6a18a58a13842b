"""Messages of the bus, spoilt. What its type, its signature or its place forbids may change nothing."""

from __future__ import annotations

from typing import Any, NamedTuple

from feltwire.ledger.signing import signed_by
from feltwire.runtime.broker import topics
from feltwire.runtime.certificates.expiry import CertificateExpiry
from feltwire.station.tables.station_tables import _Health, _StateSeen
from table_core.messages import (
    MOST_BYTES,
    Ack,
    AnyTableCommand,
    Beat,
    Birth,
    CameraPicture,
    ClockState,
    Envelope,
    HistoryWanted,
    LaterVersion,
    Malformed,
    OpenRuling,
    SealedCard,
    Status,
    TableHealth,
    TableLeaseholder,
    TableView,
    decode,
)
from tests.mutated import mutations
from tests.mutated.mutations import Chance
from tests.mutated.room import TABLE, VENUE, Room

KINDS: dict[str, tuple[Any, ...]] = {
    "event": (Envelope,),
    "birth": (Birth,),
    "sealed": (SealedCard,),
    "sealed/ack": (Ack,),
    "ack": (Ack,),
    "command": (AnyTableCommand,),
    "grant": (AnyTableCommand,),
    "resend": (AnyTableCommand,),
    "handover": (HistoryWanted,),
    "ruling": (OpenRuling,),
    "health": (TableHealth,),
    "picture": (CameraPicture,),
    "status": (Status,),
    "state": (_StateSeen, TableView),
}
OTHERS = ("command", "handover", "resend", "overlay", "nonsense", "event/x", "", "device/", "device/é\u0301" * 30)


class Said(NamedTuple):
    how: str
    topic: str
    payload: bytes
    retained: bool = False


class BusDoor:
    """`heard` is what a room said, in order."""

    name = "bus"

    def __init__(self, heard: list[tuple[str, bytes]]) -> None:
        self._heard = heard
        by_topic: dict[str, list[bytes]] = {}
        for topic, payload in heard:
            if "/device/bus" not in topic:
                by_topic.setdefault(topic, []).append(payload)
        commands = [EVERY_COMMAND[at % len(EVERY_COMMAND)] for at in range(3 * len(EVERY_COMMAND))]
        by_topic[topics.table(VENUE, TABLE, "command")] += commands
        by_topic[topics.table(VENUE, TABLE, "handover")] = [WANTED]
        by_topic[topics.table(VENUE, TABLE, "resend")] = [EVERY_COMMAND[-1]]
        by_topic[topics.table(VENUE, TABLE, "health")] = [HEALTH]
        by_topic[topics.expiry(VENUE, "table-01")] = [b'{"boot":"x","at":1}']
        self._by_topic = by_topic
        self._topics = sorted(by_topic)

    def make(self, chance: Chance, _: Room) -> Said:
        topic = chance.choice(self._topics)
        raw, other = chance.choice(self._by_topic[topic]), chance.choice(self._heard)[1]
        dice = chance.random()
        if dice < 0.05:
            return Said("replayed", *chance.choice(self._heard))
        if dice < 0.1:
            return Said("retained", topic, raw, True)
        if dice < 0.17:
            return Said("elsewhere", self._elsewhere(chance), raw, chance.random() < 0.3)
        how, payload = mutations.spoilt(chance, raw, other)
        return Said(how, topic, payload, chance.random() < 0.1)

    def _elsewhere(self, chance: Chance) -> str:
        if chance.random() < 0.4:
            return chance.choice(self._topics)
        table, leaf = chance.choice((TABLE, "02", "99", "+", "")), chance.choice((*KINDS, *OTHERS))
        return chance.choice(
            (topics.table(VENUE, table, leaf), f"fw/{VENUE}/tournament/{leaf}", f"fw/x/{leaf}", leaf)
        )

    def give(self, room: Room, said: Said) -> tuple[bool, list[str]]:
        """Whether it may change nothing, and what is wrong with what came of it."""
        invalid = self._invalid(room, said)
        room.wires.say(said.topic, said.payload, said.retained)
        return invalid, []

    def _invalid(self, room: Room, said: Said) -> bool:
        """Whether it may change nothing, whoever says it."""
        if said.retained and not topics.may_be_retained(said.topic):
            return True
        if not room.table.node.lease.speaks:  # an earlier message fenced it; it asks, and is granted, by itself
            return False
        return not any(_reads(said, kind, room) for kind in kinds_of(said.topic))


def kinds_of(topic: str) -> tuple[Any, ...]:
    """What may be read on a topic."""
    if topics.device_of_expiry(topic) is not None:
        return (CertificateExpiry,)
    if topics.table_of_leaseholder(topic) is not None:
        return (TableLeaseholder,)
    where = topics.split_table(topic)
    if where is not None:
        return (_Health,) if where[1].startswith("device/") else KINDS.get(where[1], ())
    leaf = topic.rpartition("/")[2]
    return {"clock": (ClockState,), "beat": (Beat,)}.get(leaf, ())


def _reads(said: Said, kind: Any, room: Room) -> bool:
    if len(said.payload) > MOST_BYTES:
        return False
    try:
        read = decode(said.payload, kind)
    except LaterVersion:
        return True  # a table records once that the station is a later one (decision 42)
    except Malformed:
        return False
    if isinstance(read, Envelope):  # what station and relay have is no news to them
        followed = room.relay.node._tables[TABLE].head
        known = min(
            room.station.node._tables._links[TABLE].collected_head,
            (followed.epoch, followed.seq) if followed else (0, 0),
        )
        # Said again it is acknowledged again, and the table clears what it had kept until then.
        news = (read.epoch, read.seq) > known or bool(room.table.ledger.outbox(1))
        return news and signed_by(said.payload, Envelope, room.table.ledger.key.public)
    if isinstance(read, SealedCard):
        return signed_by(said.payload, SealedCard, room.table.ledger.key.public)
    return not isinstance(read, Birth) or signed_by(said.payload, Birth, read.key)


HEALTH = (
    b'{"epoch":1,"machine":{"celsius":50,"disk_free_mb":900},"devices":[{"device":"shoe","heard_ms_ago":9,"passages":52,'
    b'"unread":9,"faults":["low_supply"]}]}'
)
WANTED = b'{"ledger":"0123456789012345","epoch":1,"after_epoch":0,"after_seq":0}'
_STAMP = b'"if_epoch":1,"if_seq":20,"expires":{"boot":"b","at":1},"by":"Ann (floor)"'
EVERY_COMMAND = (
    b'{"type":"set_seats","id":"m-1","seats":[{"seat":1,"stack":500,"player":"A"},{"seat":2,"stack":7}],"button":1,'
    b'"hand":9,"level":{"no":1,"small_blind":1,"big_blind":2},' + _STAMP + b"}",
    b'{"type":"set_seats","id":"m-1b","seats":[{"seat":1,"stack":500,"player":"A"},{"seat":2,"stack":7}]}',
    b'{"type":"set_hand","id":"m-2","hand":{"hand":7,"button":1,"seats":[{"seat":1,"stack":9,"bet":1},{"seat":2,'
    b'"stack":9,"bet":2}],"street":"flop","board":["Ah","Kd","2c"],"to_act":1}}',
    b'{"type":"set_schedule","id":"m-3","revision":5,"levels":[{"no":1,"small_blind":50,"big_blind":100,"ante":5,'
    b'"big_blind_ante":0,"minutes":20,"is_break":false},{"no":2,"small_blind":75,"big_blind":150}]}',
    b'{"type":"set_level","id":"m-4","level":{"no":2,"small_blind":100,"big_blind":200},"revision":1}',
    b'{"type":"rule","id":"m-5","incident":"string_bet","option":"call","seat":2,"amount":400,"ruler":"Ann",'
    b'"reason":"seen","note":"x",' + _STAMP + b"}",
    b'{"type":"rule","id":"m-5b","incident":"string_bet","seat":2}',
    b'{"type":"take_back_ruling","id":"m-6","ruler":"Ann"}',
    b'{"type":"rewind","id":"m-6b","seq":9,"instead":{"type":"act","seat":2,"action":"raise","to":400},"by":"Ann"}',
    b'{"type":"rewind","id":"m-6c","seq":9,"instead":{"type":"award_pots","winners":[1,2]}}',
    b'{"type":"take_picture","id":"m-6e"}',
    b'{"type":"open_clip","id":"m-6f","by":"Tess"}',
    b'{"type":"ask_count","id":"m-6d","seat":2,"by":"Ann"}',
    b'{"type":"grant","id":"m-7","ledger":"1","epoch":2,"after_epoch":1,"after_seq":30,"head":"ab","leave":true,"key":"cd"}',
    b'{"type":"history","id":"m-8","ledger":"1","events":[{"a":1}]}',
    b'{"type":"resend","id":"m-9","epoch":1,"from_seq":1,"birth":true}',
)
