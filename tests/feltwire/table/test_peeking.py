"""A viewer of a table's pages wants what is not public: cards that only the camera saw, an open accusation."""

from __future__ import annotations

import json
import time
import urllib.error
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from feltwire.ledger.table_ledger import Ledger
from feltwire.table.recovery import runtime_folder
from feltwire.table.vault import Vault
from firmware_bridge.decks import DeckRegistry
from table_core.messages import AnyObservation, Key, Seat, Zone, ZoneSeen, decode
from table_core.tracker.state import decode_state
from tests.feltwire.hall import post
from tests.feltwire.processes import PATIENCE_S, Process, signed_in, table_settings
from tests.ports import free_port
from tests.room.leak.folder import named_in
from vision.cards import CardReader
from vision.geometry.felt import Felt, Rect
from vision.synthetic.felt import LyingCard, Renderer, Scene
from vision.watching.watcher import Image, Watcher

NO_BROKER = '[broker]\nurl = "mqtt://127.0.0.1:1"\n'
FELT = Felt.for_seats(9)
FLOP = ("Ah", "Td", "2c")
LOOSE = (1300.0, 220.0, 90.0)  # on the felt between two seats: mm, degrees
ON_THE_LOOSE_CARD = replace(FELT, zones={Zone.BOARD: Rect(*LOOSE[:2], 110, 110)})  # the reader looks there


def lying(zone: Zone, *cards: str) -> tuple[LyingCard, ...]:
    of = 5 if zone == Zone.BOARD else len(cards)
    return tuple(LyingCard(card, *FELT.spot(zone, i, of)) for i, card in enumerate(cards))


HIDDEN = (
    *lying(Zone.cards(3), "Ks", "Kd"),
    *lying(Zone.bet(5), "7h"),
    *lying(Zone.MUCK, "Qs"),
    LyingCard("9c", *LOOSE),
)


class Viewer:
    """Whoever opens the pages of a table: nobody sees more there than the director, who is signed in."""

    def __init__(self, table: Process, link: str = "td-link") -> None:
        table.shows("table/01", lambda view: True)
        self.table = table
        self.url = f"http://127.0.0.1:{table.port}"
        table.screen = self.browser = signed_in(table.config.parent / "table-data" / f"table-01.{link}")

    def get(self, path: str) -> bytes:
        with self.browser.open(f"{self.url}{path}", timeout=PATIENCE_S) as answer:
            return bytes(answer.read())

    def status(self, path: str) -> int:
        try:
            self.get(path)
        except urllib.error.HTTPError as error:
            return error.code
        return 200

    def touch(self, key: Key, **said: Any) -> None:
        request = post(self.table, "/table/01/touch", {"key": key, **said})
        self.browser.open(request, timeout=PATIENCE_S).close()

    def picture(self) -> Image:
        return felt_in(self.get("/picture/01"))


def felt_in(jpeg: bytes) -> Image:
    """The picture, as large as the felt that was drawn."""
    coded = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert coded is not None
    return np.asarray(cv2.resize(coded, FELT.size_px, interpolation=cv2.INTER_CUBIC), np.uint8)


def camera_on_hidden_cards(folder: Path) -> str:
    """A camera's settings: it sees the flop, and hidden cards face up: at a seat, in a bet, mucked, loose."""
    scene = replace(Scene(FELT), cards=(*lying(Zone.BOARD, *FLOP), *HIDDEN))
    cv2.imwrite(str(folder / "felt.png"), Renderer(FELT).render(scene).image)
    return f'[camera]\nsource = "file:{folder / "felt.png"}"\n'


def cards_in(picture: Image, felt: Felt = FELT) -> set[str]:
    """Whatever the project's own reader makes of a picture."""
    watcher = Watcher(felt, CardReader())
    for _ in range(2):
        watcher.step(picture)
    while watcher.reading:
        watcher.step(picture)
    return {card for reading in watcher.readings.values() for card in reading.cards}


def colours(picture: Image, zone: Zone) -> set[str]:
    """What a card is made of, where it is in a zone of a picture: paper and red ink."""
    left, top = np.floor(FELT.to_px(FELT.zone(zone).corners).min(axis=0)).astype(int)
    right, bottom = np.ceil(FELT.to_px(FELT.zone(zone).corners).max(axis=0)).astype(int)
    blue, green, red = cv2.split(picture[top:bottom, left:right].astype(np.int16))
    paper = (np.minimum(np.minimum(blue, green), red) > 190).sum()
    ink = ((red > green + 80) & (red > blue + 80)).sum()
    return {name for name, found in (("white", paper), ("red", ink)) if found > 60}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Process]:
    """A table whose camera sees hidden cards."""
    port, camera = free_port(), camera_on_hidden_cards(tmp_path)
    with Process("table", tmp_path, port, table_settings(tmp_path, NO_BROKER, port) + camera) as process:
        yield process


def shown_to_viewers(process: Process) -> Process:
    """The same table with the page *as it is sensed* switched on."""
    process.kill()
    text = process.config.read_text()
    process.config.write_text(f"show_sensed = true\n{text}")
    return process.start()


def test_a_camera_that_sees_hole_cards_tells_no_viewer(table: Process) -> None:
    Viewer(shown_to_viewers(table))
    hidden = ("Ks", "Kd", "7h", "Qs", "9c")
    zones: dict[str, Any] = {}
    for view in table.snapshots("sensed/01"):
        assert not [card for card in hidden if f'"{card}"' in json.dumps(view)], view
        zones = {zone["zone"]: zone for zone in view["zones"] if zone["cards"] or zone["face_down"]}
        if {"board", "seat-3-cards", "seat-5-bet", "muck"} <= set(zones):
            break
    assert zones["board"]["cards"] == list(FLOP)
    assert {zone: seen["face_down"] for zone, seen in zones.items()} == {
        "board": 0,
        "seat-3-cards": 2,
        "seat-5-bet": 1,
        "muck": 1,
    }


def test_in_the_picture_the_board_can_be_read_and_no_hidden_card(table: Process) -> None:
    viewer = Viewer(shown_to_viewers(table))
    truth = np.asarray(cv2.imread(str(table.config.parent / "felt.png")), np.uint8)
    assert cards_in(truth) == {*FLOP, "Ks", "Kd", "7h", "Qs"}, "the reader can read them all"
    assert cards_in(truth, ON_THE_LOOSE_CARD) == {"9c"}
    table.shows("sensed/01", lambda view: any(zone["cards"] for zone in view["zones"]))
    numbers = {view["picture_no"] for view, _ in zip(table.snapshots("sensed/01"), range(3), strict=False)}
    picture = viewer.picture()
    assert len(numbers) > 1, "pictures go on"
    assert colours(picture, Zone.BOARD) == colours(truth, Zone.BOARD) == {"red", "white"}
    assert [zone for zone in FELT.zones if colours(picture, zone) & {"red", "white"}] == [Zone.BOARD]
    assert not cards_in(picture) - set(FLOP)
    assert cards_in(picture, ON_THE_LOOSE_CARD) == set()


def test_no_file_of_a_table_names_a_card_that_its_player_only_lifted(table: Process) -> None:
    hidden = {"Ks", "Kd", "7h", "Qs", "9c"}
    folder = table.config.parent
    data, path = folder / "table-data", folder / "table-data" / "table-01.ledger"
    run = runtime_folder(str(folder / "run"), path)
    viewer = Viewer(table, "kiosk-link")
    viewer.touch(Key.NEW_HAND)
    viewer.touch(Key.CHECK_CALL)  # a hand in which nobody acted takes NEW HAND for a second press (decision 17)
    for _ in ("a hand", "the same hand after a kill"):
        table.kill()
        before = len(_camera_rows(path))
        table.start()  # its camera reads everything anew
        wait_for_zones(path, {"board", "seat-3-cards", "seat-5-bet", "muck"}, before)
        assert named_in(data, hidden) == {}
        assert set(FLOP) in named_in(data, set(FLOP)).values()
    table.kill()
    with closing(Ledger.open(path, read_only=True)) as ledger:
        tracker, faces = ledger.note("tracker"), ledger.note("faces")
    vault = Vault(DeckRegistry(()), "01", None, run)
    assert tracker
    assert faces
    assert decode_state(tracker, vault.uncover(faces)).seat_cards.readings[Seat(3)].cards == ("Ks", "Kd"), (
        "the hand goes on with them"
    )
    unknown = decode_state(tracker).seat_cards.readings[Seat(3)]
    assert (unknown.cards, unknown.unread) == ((), 2), "after a power cut the camera has to look again"
    table.start()
    viewer = Viewer(table, "kiosk-link")
    hand = table.shows("table/01", lambda view: view["hand"] == 1)["hand"]
    viewer.touch(Key.NEW_HAND)  # over an open hand it is asked for twice
    viewer.touch(Key.NEW_HAND)
    table.shows("table/01", lambda view: view["hand"] == hand + 1)
    viewer.touch(Key.FOLD)  # until somebody acts NEW HAND can be taken back, and the hand before goes on
    table.shows("table/01", lambda view: any(seat["folded"] for seat in view["seats"]))
    assert named_in(data, hidden) == {}
    assert named_in(table.log, hidden) == {}
    assert Vault(DeckRegistry(()), "01", None, run).uncover(faces) is None


def _camera_rows(path: Path) -> list[AnyObservation]:
    with closing(Ledger.open(path, read_only=True)) as ledger:
        return [decode(row.body, AnyObservation) for row in ledger.observations() if row.device == "camera"]


def wait_for_zones(path: Path, zones: set[str], before: int) -> None:
    """Until the ledger has a reading of each of `zones` behind the first `before`."""
    deadline = time.monotonic() + PATIENCE_S
    while not zones <= {str(seen.zone) for seen in _camera_rows(path)[before:] if isinstance(seen, ZoneSeen)}:
        assert time.monotonic() < deadline, f"not read: {zones}"
        time.sleep(0.2)


def test_in_a_venue_nobody_sees_the_camera_unless_that_was_switched_on(table: Process) -> None:
    viewer = Viewer(table)
    for path in ("/sensed/01", "/api/sensed/01", "/picture/01", "/events?channel=sensed/01"):
        assert viewer.status(path) == 404, path


def test_an_accusation_that_nobody_has_ruled_on_is_not_in_the_tables_public_view(table: Process) -> None:
    viewer = Viewer(table, "kiosk-link")
    viewer.touch(Key.NEW_HAND)
    viewer.touch(Key.BET_RAISE, amount=600)
    viewer.touch(Key.FLOOR, seat=1, amount=43)
    view = table.shows("table/01", lambda view: view["question"] is not None)
    assert view["question"]["text"] == "A ruling is being made"
    assert "string" not in json.dumps(view).lower()
    (ruling,) = [one["ruling"] for one in [table.shows("ruling/01", lambda one: one["ruling"] is not None)]]
    assert (ruling["incident"], ruling["seat"]) == ("string_bet", 1)
