"""`feltwire table`: the process under one table.

Serial lines, camera, MQTT, ledger and web pages around one `TableNode`: adapters only enqueue inputs and carry
out effects. Everything that a device said is acknowledged only after the ledger has it.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import logging
import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette

from display.actions import ActionRefused
from display.app import create_app
from feltwire import topics
from feltwire.boottime import at, boot_id
from feltwire.bus import Will
from feltwire.chain import hash_of
from feltwire.concealed import harden_process
from feltwire.config import TableConfig, load
from feltwire.ledger import Ledger, LedgerError
from feltwire.node_io import BusUp, Publish, Show
from feltwire.process import Process, add_config, main
from feltwire.recovery import runtime_folder
from feltwire.sensing import CameraEye, Sensed
from feltwire.table_devices import TableDevices
from feltwire.table_io import (
    AckFrame,
    BeatCame,
    Became,
    ClearOutbox,
    CommandCame,
    Commit,
    DeviceSaid,
    ForgetHand,
    LeaveBus,
    LightSeat,
    Opening,
    RelayAcked,
    SayBirth,
    SendEvents,
    SendOutbox,
    SendSealed,
    StationAcked,
    Touched,
)
from feltwire.table_node import TableNode
from feltwire.vault import Vault
from firmware_bridge.decks import DeckRegistry
from table_core.messages import (
    Ack,
    Beat,
    Birth,
    Chips,
    DeviceState,
    Key,
    Resend,
    Seat,
    Status,
    TableView,
    decode_command,
    decode_envelope,
    encode,
    schema_hash,
)

log = logging.getLogger(__name__)

HELP = "The process under one table: devices, hand engine, ledger, MQTT and the dealer screen."
EXAMPLE = "feltwire table --config /etc/feltwire/table-07.toml"

OUTBOX_PAGE = 500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser, "this table")


def run(args: argparse.Namespace) -> int:
    harden_process()
    return main(lambda: TableProcess(load(args.config, TableConfig)))


class TableProcess(Process):
    """A `TableNode` with its adapters, its devices and its disk."""

    def __init__(self, config: TableConfig) -> None:
        super().__init__()
        self.config = config
        self._stopping = threading.Event()
        self._stuck: str = ""
        self._shown = b""  # the dealer screen as of the last commit
        with self._opening():
            self._listen(config.web)
            ledger = Path(config.data) / f"table-{config.table}.ledger"
            self.ledger = self._open(Ledger.open(ledger))
            self.vault = _open_vault(config, ledger)
            boot = secrets.randbits(32)
            self._identity = self.ledger.identity()
            self.node = TableNode(
                config, self.vault, known=self.ledger.seen, stamp=at, boot=boot, ledger=self._identity
            )
            self._recover()
            self._drive(self.node, f"table-{config.table}")
            self.sensed = Sensed(self.hub, config.table)
            self.devices = TableDevices(config, self.vault, self.sensed, self.driver.put)
            self.eye = CameraEye(config, self.driver.put, self.sensed) if config.camera.source else None
            self._subscribe()

    # ------------------------------------------------------------------------------------- life

    def start(self) -> None:
        log.info("the dealer screen is at %s/table/%s", self.address, self.config.table)
        log.info("waiting for the broker at %s", self.config.broker.url)
        self._shown = encode(self.node.fold.view())
        self.hub.publish(f"table/{self.config.table}", self._shown)
        self.driver.put(Opening())
        self.driver.start()
        self.devices.start()
        if self.eye is not None:
            self.eye.start()
        else:
            self.driver.put(DeviceSaid("camera", DeviceState.OFF))
        self.bus.start()

    def _app(self) -> Starlette:
        config = self.config
        return create_app(
            hub=self.hub,
            pages={"table", "sensed"},
            venue=config.venue,
            tables=[config.table],
            actions=_Touches(self.driver.put),
            picture=self.eye.picture if self.eye is not None else None,
        )

    def stop(self) -> None:
        self._stopping.set()
        self.devices.stop()
        if self.eye is not None:
            self.eye.stop()
        super().stop()

    def _recover(self) -> None:
        rows = [(decode_envelope(raw), hash_of(raw)) for _, _, raw in self.ledger.raw_events()]
        self.node.recover(rows, self.ledger.note)
        if not self.ledger.head.epoch:
            self.ledger.begin_epoch(1)
        recovered = self.vault.recover(self.ledger.boxes())
        if rows:
            number = self.node.fold.hand_number
            log.info("hand %d taken up: %d cards known, %d unknown", number, *recovered)

    # --------------------------------------------------------------------------------- adapters

    def _subscribe(self) -> None:
        config = self.config
        status = self._topic("status")
        self._connect(
            config.broker,
            f"{config.venue}-table-{config.table}",
            [
                *(self._topic(leaf) for leaf in ("command", "ack", "resend", "sealed/ack")),
                topics.tournament(config.venue, "beat"),
            ],
            on_message=self._message,
            on_up=self._bus_up,
            will=Will(status, encode(Status(online=False))),
        )

    def _topic(self, leaf: str) -> str:
        return topics.table(self.config.venue, self.config.table, leaf)

    def _bus_up(self) -> None:
        self.bus.publish(self._topic("status"), encode(Status(online=True, boot=boot_id())), retain=True)
        self.driver.put(BusUp())

    def _say_birth(self) -> None:
        config, head = self.config, self.ledger.head
        firmware = self.devices.firmware()
        birth = Birth(
            config.venue, config.table, head.epoch, head.seq, schema_hash(), firmware, self._identity, head.hash
        )
        self.bus.publish(self._topic("birth"), encode(birth))

    def _message(self, topic: str, payload: bytes) -> None:
        if topic == self._topic("command"):
            self.driver.put(CommandCame(payload))
            return
        try:
            self._heard(topic, payload)
        except msgspec.DecodeError as error:
            log.warning("%s: cannot be read (%s)", topic, error)

    def _heard(self, topic: str, payload: bytes) -> None:
        acks = {self._topic("ack"): StationAcked, self._topic("sealed/ack"): RelayAcked}
        if topic == topics.tournament(self.config.venue, "beat"):
            self.driver.put(BeatCame(msgspec.json.decode(payload, type=Beat)))
        elif topic == self._topic("resend"):
            if isinstance(decode_command(payload), Resend):  # whoever asks here commands nothing else
                self.driver.put(CommandCame(payload))
        elif topic in acks:  # some brokers replay retained messages that nobody here subscribed to
            ack = msgspec.json.decode(payload, type=Ack)
            self.driver.put(acks[topic](ack.epoch, ack.seq))

    # ---------------------------------------------------------------------------------- effects

    def _perform(self, effect: Any) -> None:
        match effect:
            case Commit():
                self._commit(effect)
            case ForgetHand():
                self.vault.forget_hand()
            case AckFrame():
                self.devices.acknowledge(effect)
            case Publish():
                self._tell(effect)
            case SendOutbox():
                self._send(self.ledger.outbox(OUTBOX_PAGE), "event")
                self._send(self.ledger.sealed_outbox(OUTBOX_PAGE), "sealed")
            case SendSealed():
                self._send(self.ledger.sealed_newest(effect.count), "sealed")
            case SendEvents():
                rows = itertools.islice(self.ledger.raw_events(effect.from_seq, effect.epoch), OUTBOX_PAGE)
                self._send(list(rows), "event")
            case SayBirth():
                self._say_birth()
            case LeaveBus():
                log.warning("another machine is table %s: the broker is left to it", self.config.table)
                self.bus.stop()
            case ClearOutbox():
                self._clear_outbox(effect)
            case Show():
                self._shown = effect.snapshot
                self._tell(effect)
            case Became():
                self.sensed.became(effect.device, effect.text)
            case LightSeat():
                self.devices.light(effect.seat)

    def _commit(self, commit: Commit) -> None:
        """Until it is on the disk nothing else happens; a full disk is said and tried again."""
        for failed in itertools.count():
            try:
                self._record(commit)
            except LedgerError as error:
                if failed % 2 == 0:  # the ledger itself may be able to do with less
                    with contextlib.suppress(LedgerError):
                        self.ledger.make_room()
                    continue
                self._say_stuck(str(error))
                if self._stopping.wait(1.0):
                    raise
            else:
                self._say_unstuck()
                return

    def _record(self, commit: Commit) -> None:
        self.ledger.commit(
            envelopes=commit.envelopes,
            observations=commit.observations,
            sealed=commit.sealed,
            boxes=commit.boxes,
            drop_boxes=commit.drop_boxes,
            notes=commit.notes,
            new_epoch=commit.new_epoch,
        )

    def _say_stuck(self, why: str) -> None:
        if why != self._stuck:
            self._stuck = why
            log.error("nothing can be recorded: %s", why)
            self._say(f"Nothing can be recorded: {why}")

    def _say_unstuck(self) -> None:
        if self._stuck:
            self._stuck = ""
            log.warning("recording goes on")
            self.hub.publish(f"table/{self.config.table}", self._shown)

    def _say(self, text: str) -> None:
        """Words on the dealer screen that no event carries, over what was last recorded."""
        view = msgspec.structs.replace(msgspec.json.decode(self._shown, type=TableView), last=text)
        self.hub.publish(f"table/{self.config.table}", encode(view))

    def _clear_outbox(self, cleared: ClearOutbox) -> None:
        """Rows that cannot be deleted now are sent, acknowledged and deleted later."""
        try:
            (self.ledger.sealed_acked if cleared.sealed else self.ledger.acked)(cleared.epoch, cleared.seq)
        except LedgerError as error:
            log.warning("the outbox is not cleared: %s", error)

    def _send(self, rows: list[tuple[int, int, bytes]], leaf: str) -> None:
        for _, _, raw in rows:
            self.bus.publish(self._topic(leaf), raw)


def _open_vault(config: TableConfig, ledger: Path) -> Vault:
    registry = DeckRegistry.load(config.decks) if config.decks else DeckRegistry({})
    relay = bytes.fromhex(config.relay_key) if config.relay_key else None
    return Vault(registry, config.table, relay, runtime_folder(config.runtime, ledger))


class _Touches:
    """Touches on the dealer screen; a table has neither director nor mischief."""

    def __init__(self, put: Callable[[Any], None]) -> None:
        self._put = put

    async def touch(
        self, table: str, key: Key, seat: Seat | None, amount: Chips | None, question: int | None, reason: str = ""
    ) -> None:
        self._put(Touched(key, seat, amount, question, reason))

    async def director(self, command: str, arguments: dict[str, Any]) -> str:
        raise ActionRefused("the director's commands are given at the station")

    async def mischief(self, table: str, kind: str) -> str:
        raise ActionRefused("mischief is for the demo's landing page")
