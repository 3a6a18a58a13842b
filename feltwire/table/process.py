"""`feltwire table`: the process under one table.

Serial lines, camera, MQTT, ledger and web pages around one `TableNode`. Adapters only enqueue inputs and carry out
effects. A frame is acknowledged only after the ledger holds it.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import logging
import secrets
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.applications import Starlette

from display.actions import ActionRefused, RulingsWanted, Touch
from display.app import create_app
from display.identity.signin import pressed_by
from display.presses import TimedPress
from feltwire.config import TableConfig, load
from feltwire.errors import UsageError
from feltwire.ledger.table_ledger import Ledger, LedgerError
from feltwire.ledger.unread import Unread
from feltwire.private_files import say_if_wide
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus_port import Will
from feltwire.runtime.clip_box import public_key
from feltwire.runtime.concealed import harden_process
from feltwire.runtime.host import Host
from feltwire.runtime.node_io import BusUp, Publish, Reply, Say, Show
from feltwire.runtime.pages.answers import Answers
from feltwire.runtime.pages.faults import PageFaults
from feltwire.runtime.pages.figures import Figure, of_table
from feltwire.runtime.pages.people_store import PeopleStore
from feltwire.runtime.pages.phones import Phones
from feltwire.runtime.pages.signing_in import at_table
from feltwire.runtime.process import Process, add_config, main
from feltwire.runtime.starts import Starts
from feltwire.table.clip.parts import parts_of
from feltwire.table.clip.recorder import ClipRecorder
from feltwire.table.devices.health import HealthWatch
from feltwire.table.devices.keypad_and_shoe import TableDevices
from feltwire.table.devices.sensed import Sensed
from feltwire.table.node import TableNode
from feltwire.table.publisher import HEALTH
from feltwire.table.recovery import runtime_folder
from feltwire.table.screen import public_view
from feltwire.table.table_io import (
    EVENTS_PAGE,
    OUTBOX_PAGE,
    RELAY,
    AckFrame,
    BeatCame,
    ClearOutbox,
    CommandCame,
    Commit,
    DeviceSaid,
    ForgetHand,
    Interpretation,
    LaterStation,
    LeaveBus,
    PageSent,
    ProcessStarted,
    RelayAcked,
    RelayHasAll,
    RulingsAsked,
    SayBirth,
    ScreenAnswered,
    SendClip,
    SendEvents,
    SendOutbox,
    SendPicture,
    SendSealed,
    SendSealedAgain,
    ShowLights,
    StationAcked,
    Touched,
)
from feltwire.table.vault import Vault
from firmware_bridge.decks import DeckError, DeckRegistry
from table_core.messages import (
    Ack,
    Beat,
    Birth,
    CameraPicture,
    DeviceState,
    LaterVersion,
    Malformed,
    Millis,
    OpenRuling,
    Resend,
    Status,
    TableView,
    decode,
    decode_command,
    encode,
    encode_page,
    schema_hash,
)

if TYPE_CHECKING:
    from feltwire.table.camera.eyes import TableEyes

from supervised.thread import SupervisedThread, where

log = logging.getLogger(__name__)

HELP = "The process under one table: devices, hand engine, ledger, MQTT and the dealer screen."
EXAMPLE = "feltwire table --config /etc/feltwire/table-07/table.toml"

CLIP_PAUSE_S = 0.015  # between two segments of 60 kB
BOXES_AGAIN = 52  # while no relay is there they go out again and again


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser, "this table")


def run(args: argparse.Namespace) -> int:
    harden_process()
    return main(lambda host: TableProcess(load(args.config, TableConfig), host), args.log)


class TableProcess(Process):
    """A `TableNode` with its adapters, its devices and its disk."""

    holds_cards = True

    def __init__(self, config: TableConfig, host: Host | None = None) -> None:
        super().__init__(host)
        self.config = config
        self._shown = b""  # the dealer screen as of the last commit
        self._last_event = time.monotonic()
        self._waiting = 0  # for the station's acknowledgement
        self._devices_said: dict[str, DeviceSaid] = {}  # what each said last
        with self._opening():
            self._disk = self.recording = self._open(self.host.disk(self._say_stuck, self._say_unstuck))
            self._listen(config.web)
            folder, name = Path(config.data), f"table-{config.table}"
            ledger = folder / f"{name}.ledger"
            self.ledger = self._open(Ledger.open(ledger))
            self.vault = _open_vault(config, ledger, self.ledger.key.public)
            self.starts = Starts(folder / f"{name}.starts")
            with self.starts.doing("the notes beside the events") as left_out:
                self.node = self._recovered(without_notes=left_out)
            self._drive(self.node, name, folder)
            self._answers = Answers(self.driver.put)
            people = self._open(PeopleStore.open(folder / f"{name}.people"))
            self.signin = at_table(people, folder, self.address, config.table)
            put = self.driver.put
            self.phones = Phones(self.signin, config.table, put, self.host.now) if config.admission else None
            self.sensed = Sensed(self.hub, config.table, self.views)
            self.devices = TableDevices(config, self.sensed, self._device_put)
            self.eye = self._camera() if config.camera.source else None
            self._clip = self._open(self._recorder()) if self.eye is not None and config.clip_key else None
            self._subscribe()

    def _camera(self) -> TableEyes:
        # Loaded here: networks and picture libraries take as long to load as all the rest of a table.
        from feltwire.table.camera.eyes import TableEyes

        return TableEyes(self.config, self._device_put, self.sensed)

    def _recorder(self) -> ClipRecorder:
        assert self.eye is not None
        config, folder = self.config, Path(self.config.data)
        name = f"table-{config.table}"
        return ClipRecorder(
            config.table,
            folder / f"{name}.clip",
            runtime_folder(config.runtime, folder / f"{name}.ledger") / "clip",
            station=public_key(config.clip_key),
            boot=self.host.boot,
            picture=self.eye.clip_picture,
            now=self.host.now,
        )

    # ------------------------------------------------------------------------------------- life

    def start(self) -> None:
        table = self.config.table
        link = Path(self.config.data) / f"table-{table}.kiosk-link"
        log.info(
            "the dealer screen is at %s/table/%s; a browser gets its keys with the link in %s",
            self.address,
            table,
            link,
        )
        log.info("waiting for the broker at %s", self.config.broker.url)
        projection = self.node.table
        self._show(Show(f"table/{projection.table}", encode_page(public_view(projection, self.views))))
        self._show(Show(f"ruling/{projection.table}", encode(OpenRuling(projection.epoch, projection.seq, None))))
        self.driver.put(ProcessStarted())
        if self.phones is not None:
            self.driver.put(self.phones.seen)  # what an earlier life of this process said is over
        self.starts.started()
        self.driver.start()
        self.devices.start()
        if self.eye is not None:
            self.eye.start()
            if self._clip is not None:
                self._clip.start()
        else:
            self._device_put(DeviceSaid("camera", DeviceState.NONE))
        self.bus.start()
        health = HealthWatch(self.config.data, self.devices.counts, self._cameras_heard, self.host.now)
        self._open(self.host.regularly(lambda: self._look_at(health), "health"))

    def _look_at(self, health: HealthWatch) -> None:
        if self.phones is not None:
            self.phones.look()
        for seen in self.views.all(HEALTH, lambda: [health.look()]):
            self.driver.put(seen)

    def _app(self) -> Starlette:
        config = self.config
        return create_app(
            hub=self.hub,
            pages={"table", "sensed"} if config.show_sensed else {"table"},
            venue=config.venue,
            language=config.language,
            tables=[config.table],
            actions=_Touches(self._answers),
            signin=self.signin,
            faults=PageFaults(self.views),
            admission=self.phones.admission if self.phones is not None else None,
            reach=self.reach,
            picture=self.eye.picture if self.eye is not None and config.show_sensed else None,
            look=self.look,
        )

    def stop(self) -> None:
        self._disk.close()
        self.devices.stop()
        if self.eye is not None:
            self.eye.stop()
        super().stop()

    def _cameras_heard(self) -> dict[str, Millis]:
        return self.eye.heard() if self.eye is not None else {}

    def _device_put(self, given: Any) -> None:
        if isinstance(given, DeviceSaid):
            self._devices_said[given.device] = given
        self.driver.put(given)

    def _rebuilt(self) -> tuple[TableNode, list[Any]]:
        self.node = self._recovered()
        phones = [self.phones.seen] if self.phones is not None else []
        return self.node, [ProcessStarted(), *self._devices_said.values(), *phones, *self._bus_state()]

    def _recovered(self, *, without_notes: bool = False) -> TableNode:
        """The table as the ledger has it; without the notes beside its events a hand in progress is not known."""
        node = TableNode(
            self.config,
            self.vault,
            known=self.ledger.seen,
            stamp=self.host.at,
            boot=secrets.randbits(32),
            ledger=self.ledger.identity(),
            key=self.ledger.key,
            views=self.views,
            parts=self.parts,
        )
        rows = self.ledger.hashed_events()
        if not self.ledger.head.epoch:
            self.ledger.begin_epoch(1)
        unread = Unread(Path(self.config.data) / f"table-{self.config.table}.ledger")
        stored = self._no_note if without_notes else self.ledger.note
        for key in node.recover(rows, stored, self.ledger.head.epoch):
            unread.met(f"the note {key}", self.ledger.note(key) or b"", "")
        recovered = self.vault.recover(self.ledger.boxes())
        if rows:
            log.info("hand %d taken up: %d cards known, %d unknown", node.table.hand_number, *recovered)
        return node

    def _no_note(self, key: str) -> bytes | None:
        """In the place of each note that there is one that cannot be read; but not of the lease."""
        raw = self.ledger.note(key)
        return raw if key == "charge" or raw is None else b""

    # --------------------------------------------------------------------------------- adapters

    def _subscribe(self) -> None:
        config = self.config
        status = self._topic("status")
        self._connect(
            config.broker,
            f"{config.venue}-table-{config.table}",
            [
                *(self._topic(leaf) for leaf in ("command", "grant", "ack", "resend", "sealed/ack")),
                topics.tournament(config.venue, "beat"),
            ],
            venue=config.venue,
            data=Path(config.data),
            on_message=self._message,
            on_up=self._bus_up,
            will=Will(status, encode(Status(online=False))),
            program=self._topic("program"),
            machine=f"table-{config.table}",
        )

    def _says_program_in(self) -> int | None:
        return self.node.table.epoch if self.node.lease.speaks else None

    def _between_hands(self) -> bool:
        return not self.node.table.in_hand

    def _topic(self, leaf: str) -> str:
        return topics.table(self.config.venue, self.config.table, leaf)

    def _bus_up(self) -> None:
        self.bus.publish(self._topic("status"), encode(Status(online=True, boot=self.host.boot)), retain=True)
        log.info("connected to the broker at %s", self.config.broker.url)
        self.driver.put(BusUp())

    def _say_birth(self, said: SayBirth) -> None:
        birth = birth_of(self.ledger, self.config, said)
        self.bus.publish(self._topic("birth"), birth)

    def _message(self, topic: str, payload: bytes) -> None:
        if topic in (self._topic("command"), self._topic("grant")):
            self.driver.put(CommandCame(payload, lease=topic == self._topic("grant")))
            return
        try:
            self._heard(topic, payload)
        except LaterVersion as error:
            self.driver.put(LaterStation(str(error)))
        except Malformed as error:
            self._throttled.warn(topic, f"{topic}: cannot be read ({error})")

    def _heard(self, topic: str, payload: bytes) -> None:
        acks = {self._topic("ack"): StationAcked, self._topic("sealed/ack"): RelayAcked}
        if topic == topics.tournament(self.config.venue, "beat"):
            self.driver.put(BeatCame(decode(payload, Beat)))
        elif topic == self._topic("resend"):
            if isinstance(decode_command(payload), Resend):  # whoever asks here commands nothing else
                self.driver.put(CommandCame(payload, source=RELAY))
        elif topic in acks:  # some brokers replay retained messages that nobody here subscribed to
            ack = decode(payload, Ack)
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
            case Publish() | Say():
                self._tell(effect)
            case SendOutbox():
                self._send_outbox()
            case SendSealed():
                self._send(self.ledger.sealed_newest(effect.count), "sealed")
            case SendSealedAgain():
                self._send_sealed_again(effect)
            case SendEvents():
                self._send_events(effect)
            case SayBirth():
                self._say_birth(effect)
            case LeaveBus():
                log.warning("another machine is table %s: the broker is left to it", self.config.table)
                self.bus.stop()
            case ClearOutbox():
                self._clear_outbox(effect)
            case Show():
                self._show(effect)
            case Interpretation():
                self.sensed.became(effect.device, effect.text)
            case SendPicture():
                # Not here: to code a large picture takes longer than a key may wait.
                SupervisedThread(partial(self._send_picture, effect.answers), "picture").start()
            case SendClip():
                SupervisedThread(partial(self._send_clip, effect), "clip").start()
            case ScreenAnswered():
                if self.phones is not None:
                    self.phones.answer(effect.answer.screen, effect.answer.answer, effect.answer.by)
            case ShowLights():
                self.devices.show(effect.lights)
            case Reply():
                self._answers.give(effect)

    def _beat(self) -> None:
        super()._beat()
        with contextlib.suppress(LedgerError):  # the disk: that is said elsewhere
            self._waiting = self.ledger.waiting()

    def _figures(self) -> Iterator[Figure]:
        yield from super()._figures()
        yield from self._shown_as(f"table/{self.config.table}", TableView, of_table)
        yield Figure("feltwire_outbox_events", self._waiting)
        yield Figure("feltwire_last_event_age_seconds", round(time.monotonic() - self._last_event))

    def _send_picture(self, answers: str) -> None:
        picture, why = None, "This table has no camera"
        if self.eye is not None:
            why = self.eye.trouble
            try:
                picture = self.eye.picture(self.config.table)
            except Exception as error:  # noqa: BLE001  (a picture's fault is said, and nothing of the picture)
                log.error("the camera's picture failed: %s", where(error))
                why = "The picture could not be made; the table's log says where"
        wall, jpeg = (picture.wall, picture.jpeg) if picture is not None else ("", b"")
        answer = CameraPicture(self.node.table.epoch, answers, wall, jpeg, why)
        self.bus.publish(self._topic("picture"), encode(answer), qos=0)

    def _send_clip(self, wanted: SendClip) -> None:
        recorder = None if wanted.why else self._clip
        trouble = self.eye.trouble if self.eye is not None else "This table has no camera"
        epoch = self.node.table.epoch
        for part in parts_of(recorder, epoch, wanted.answers, wanted.why or trouble):
            self.bus.publish(self._topic("clip"), self.ledger.key.sign(part), qos=0)
            time.sleep(CLIP_PAUSE_S)  # the table's events go the same way

    def _show(self, effect: Show) -> None:
        if effect.channel == f"table/{self.config.table}":
            self._shown = effect.snapshot
            self.sensed.table(effect.snapshot)
        self._tell(effect)

    def _commit(self, commit: Commit) -> None:
        """Commit, blocking. While the disk refuses it, say so and try again."""
        self._disk.must(lambda: self._record(commit), self.ledger.make_room)

    def _record(self, commit: Commit) -> None:
        self.ledger.commit(
            entries=commit.entries,
            observations=commit.observations,
            sealed=commit.sealed,
            boxes=commit.boxes,
            drop_boxes=commit.drop_boxes,
            notes=commit.notes,
            new_epoch=commit.new_epoch,
        )
        if commit.entries:
            self._last_event = time.monotonic()

    def _say_stuck(self, why: str) -> None:
        """Show a text on the dealer screen that no event carries, with the last recorded view. The thread that
        beats waits for the disk; what is shown is true all the same."""
        self.hub.beats_by_itself()
        view = msgspec.structs.replace(decode(self._shown, TableView), last=f"Nothing can be recorded: {why}")
        self.hub.publish(f"table/{self.config.table}", encode_page(view))

    def _say_unstuck(self) -> None:
        self.hub.publish(f"table/{self.config.table}", self._shown)

    def _clear_outbox(self, cleared: ClearOutbox) -> None:
        """Rows that cannot be deleted now stay: they are sent, acknowledged and deleted later."""
        clear = self.ledger.sealed_acked if cleared.sealed else self.ledger.acked
        try:
            with self._disk.watched():
                clear(cleared.epoch, cleared.seq)
        except LedgerError as error:
            log.warning("the outbox is not cleared: %s", error)

    def _send_outbox(self) -> None:
        self._send_page(self.ledger.outbox(OUTBOX_PAGE))
        self._send(self.ledger.sealed_outbox(OUTBOX_PAGE), "sealed")

    def _send_events(self, wanted: SendEvents) -> None:
        rows = self.ledger.raw_events(wanted.from_seq, wanted.epoch)
        if wanted.to_relay:
            self._send(list(itertools.islice(rows, EVENTS_PAGE)), "event")
        else:
            self._send_page(list(itertools.islice(rows, OUTBOX_PAGE)))

    def _send_page(self, rows: list[tuple[int, int, bytes]]) -> None:
        self._send(rows, "event")
        if len(rows) == OUTBOX_PAGE:
            self.driver.put(PageSent(*rows[-1][:2]))

    def _send_sealed_again(self, wanted: SendSealedAgain) -> None:
        rows = self.ledger.sealed_outbox(BOXES_AGAIN)
        if rows:
            self._send(rows, "sealed")
        else:
            self.driver.put(RelayHasAll(wanted.upto))

    def _send(self, rows: list[tuple[int, int, bytes]], leaf: str) -> None:
        for _, _, raw in rows:
            self.bus.publish(self._topic(leaf), raw)


def _open_vault(config: TableConfig, ledger: Path, key: str) -> Vault:
    try:
        registry = DeckRegistry.load(config.decks) if config.decks else DeckRegistry(())
    except DeckError as error:
        raise UsageError(str(error)) from error
    say_if_wide(config.decks)
    relay = _relay_key(config.relay_key) if config.relay_key else None
    return Vault(registry, config.table, relay, runtime_folder(config.runtime, ledger), key=key)


def _relay_key(text: str) -> bytes:
    try:
        return bytes(public_key(text))
    except UsageError:
        raise UsageError("relay_key: is no key; copy `box` of relay.pub") from None


def birth_of(ledger: Ledger, config: TableConfig, said: SayBirth) -> bytes:
    """The signed `Birth` of this machine: its identity and the end of its ledger."""
    head, key = ledger.head, ledger.key
    birth = Birth(
        venue=config.venue,
        table=config.table,
        epoch=head.epoch,
        last_seq=head.seq,
        schema=schema_hash(),
        ledger=ledger.identity(),
        head=head.hash,
        key=key.public,
        past=ledger.past(),
        answers=said.answers,
        question=said.question,
    )
    return key.sign(birth)


class _Touches:
    """Presses on the dealer screen. A table offers no director commands and no mischief."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    async def touch(self, table: str, touch: Touch, press: TimedPress) -> str:
        said = (touch.key, touch.seat, touch.amount, touch.question, touch.reason)
        given = Touched(*said, by=pressed_by(), id=press.id, until=press.until)
        return await self._answers.to(press.id, given)

    async def rulings(self, table: str, wanted: RulingsWanted, press: TimedPress) -> str:
        return await self._answers.to(press.id, RulingsAsked(wanted.seat, wanted.words, id=press.id))

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        raise ActionRefused("the director's commands are given at the station")

    async def mischief(self, table: str, kind: str, press: TimedPress) -> str:
        raise ActionRefused("mischief is for the demo's landing page")
