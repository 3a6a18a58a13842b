"""What the producer has on air: the cut holds whatever comes, the feature points to one table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from nacl.signing import SigningKey

from display.actions import ActionRefused
from display.broadcast_page import BroadcastPress
from display.push import Hub
from feltwire.relay.desk.audit import AUDIT, Audit
from feltwire.relay.desk.desk import ProducersDesk
from feltwire.relay.desk.programme import PROGRAMME, Programme
from feltwire.runtime.node_io import Publish, Show
from table_core.messages import At, EventView, Millis, OverlayView, ProgrammeView, encode
from tests.display import fixtures

SIGNING = SigningKey(bytes(range(32)))
TABLES = ("01", "02")
ANN = "Ann (producer)"


class Relay:
    """A programme with its desk, as the relay's process has it; `restarted` begins again with the same disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = Millis(1_000)
        self.floor: Millis | None = Millis(1_800_000)
        self.air: Millis | None = Millis(2_400_000)
        self.delays: list[str] = []
        self.start()

    def start(self) -> None:
        self.hub, self.sent = Hub(), list[Publish]()
        self.audit = Audit(self.folder / AUDIT, "hall", SIGNING, lambda: At("b" * 16, self.now))
        self.programme = Programme(
            self.folder / PROGRAMME,
            TABLES,
            self.audit,
            hub=self.hub,
            bus=self.sent.append,
            topic="fw/hall/overlay/{}".format,
            now=lambda: self.now,
        )
        self.desk = ProducersDesk(
            self.programme, self.audit, self.folder, lambda: (self.air, self.floor), self.delays.append
        )

    def press(self, do: str, by: str = ANN, **fields: Any) -> str:
        press = BroadcastPress(do, **fields)
        return self.desk.keep(by, press, self.desk.press(by, press))

    def overlays(self, *tables: str) -> None:
        for table in tables or TABLES:
            view = encode(msgspec.structs.replace(fixtures.overlay_view(), table=table, feed=table))
            self.programme.send(Publish(f"fw/hall/overlay/{table}", view, retain=True))
            self.programme.show(Show(f"overlay/{table}", view))
        self.programme.show(Show("event", encode(EventView(2400.0, players_left=17))))

    def reads(self, channel: str) -> Any:
        snapshot = self.hub.latest(channel)
        assert snapshot is not None
        return msgspec.json.decode(snapshot.data)

    @property
    def programme_view(self) -> ProgrammeView:
        return msgspec.convert(self.reads("programme"), ProgrammeView)


@pytest.fixture
def relay(tmp_path: Path) -> Relay:
    return Relay(tmp_path)


FEEDS = ("overlay/01", "overlay/02", "overlay/feature")


def test_a_cut_takes_everything_off_air_and_what_comes_afterwards_too(relay: Relay) -> None:
    relay.overlays()
    assert all(relay.reads(feed)["seats"] for feed in FEEDS)
    relay.press("cut")
    assert not any(relay.reads(feed)["seats"] for feed in FEEDS)
    relay.overlays()
    assert not any(relay.reads(feed)["seats"] for feed in FEEDS)
    assert not relay.reads("event").get("players_left")
    assert relay.programme_view.cut
    last = {sent.topic: msgspec.json.decode(sent.payload, type=OverlayView) for sent in relay.sent}
    assert {topic: view.seats for topic, view in last.items()} == {
        f"fw/hall/overlay/{table}": () for table in TABLES
    }
    assert all(sent.retain for sent in relay.sent)


def test_a_cut_is_held_over_a_restart_until_somebody_releases_it(relay: Relay) -> None:
    relay.press("cut")
    for _ in range(2):
        relay.start()
        relay.overlays()
        assert not relay.reads("overlay/01")["seats"]
    relay.press("release", by="Bo (director)")
    assert relay.reads("overlay/01")["seats"]
    relay.start()
    relay.overlays()
    assert relay.reads("overlay/feature")["seats"]
    assert [(note.who, note.what) for note in relay.audit.newest] == [("Bo (director)", "release"), (ANN, "cut")]


def test_a_broker_that_comes_back_has_the_cut(relay: Relay) -> None:
    """What it retains may be of before."""
    relay.press("cut")
    relay.start()
    relay.programme.send_again()
    said = {sent.topic: msgspec.json.decode(sent.payload, type=OverlayView).seats for sent in relay.sent}
    assert said == {f"fw/hall/overlay/{table}": () for table in TABLES}
    relay.overlays()
    relay.press("release")
    relay.sent.clear()
    relay.programme.send_again()
    assert all(msgspec.json.decode(sent.payload, type=OverlayView).seats for sent in relay.sent)
    assert len(relay.sent) == len(TABLES)


@pytest.mark.parametrize("content", [b"", b"{", b'{"on_air":{}}', b'{"on_air":{"cut":"yes"},"staged":{}}'])
def test_a_file_that_cannot_be_read_is_a_cut(relay: Relay, content: bytes) -> None:
    (relay.folder / PROGRAMME).write_bytes(content)
    relay.start()
    relay.overlays()
    assert not relay.reads("overlay/01")["seats"]
    relay.press("release")
    assert relay.reads("overlay/01")["seats"]


def test_a_cut_needs_no_disk(relay: Relay) -> None:
    relay.overlays()
    (relay.folder / f"{PROGRAMME}.new").mkdir()  # nothing can be written beside it
    assert "a restart does not know it" in relay.press("cut")
    assert not relay.reads("overlay/01")["seats"]


def test_a_cut_leaves_no_text_of_lower_third_or_ticker(relay: Relay) -> None:
    relay.press("ticker_lines", lines=("Dinner until nine",))
    relay.press("ticker", on=True)
    relay.press("lower_third", title="Ann", line="leads")
    relay.press("cut")
    assert (relay.programme_view.lower_third, relay.programme_view.ticker) == (None, ())
    relay.press("release")
    assert relay.programme_view.ticker == ("Dinner until nine",)


def test_the_feature_is_another_table_at_once(relay: Relay) -> None:
    relay.overlays()
    assert relay.reads("overlay/feature")["table"] == "01"
    relay.press("look", feature="02")
    assert relay.reads("overlay/feature")["table"] == "02"
    relay.overlays("01")
    assert relay.reads("overlay/feature")["table"] == "02"
    relay.start()
    relay.overlays()
    assert relay.reads("overlay/feature")["table"] == "02"
    with pytest.raises(ActionRefused, match="no table"):
        relay.press("look", feature="09")


def test_a_feature_of_which_nothing_is_known_shows_nothing_of_the_table_before(relay: Relay) -> None:
    relay.overlays("01")
    assert relay.reads("overlay/feature")["seats"]
    relay.press("look", feature="02")
    assert not relay.reads("overlay/feature")["seats"]
    relay.overlays("01")
    assert not relay.reads("overlay/feature")["seats"]


def test_what_was_old_stays_old_behind_another_pointer_and_a_cut(relay: Relay) -> None:
    relay.overlays()
    before = relay.hub.latest("overlay/02")
    assert before is not None
    relay.press("look", feature="02")
    relay.press("cut")
    relay.press("release")
    for channel in ("overlay/02", "overlay/feature"):
        after = relay.hub.latest(channel)
        assert after is not None
        assert after.at == before.at


def test_what_is_staged_goes_on_air_when_it_is_taken_and_not_before(relay: Relay) -> None:
    relay.press("look", staged=True, feature="02", layout="heads-up")
    relay.press("element", staged=True, element="payouts", on=True)
    assert (relay.programme_view.feature, relay.programme_view.layout) == ("01", "")
    relay.press("take")
    assert relay.programme_view == ProgrammeView("02", layout="heads-up", elements={"payouts": True})
    with pytest.raises(ActionRefused, match="on air already"):
        relay.press("take")


def test_what_is_pressed_on_air_is_not_undone_by_a_take(relay: Relay) -> None:
    relay.press("look", staged=True, layout="six")
    relay.press("element", element="board", on=False)
    relay.press("take")
    assert relay.programme_view.elements == {"board": False}


def test_of_two_producers_the_last_press_wins_and_both_read_it(relay: Relay) -> None:
    relay.press("look", layout="six")
    relay.press("look", by="Bo (producer)", layout="nine")
    desk = relay.reads("desk")
    assert desk["on_air"]["layout"] == "nine"
    assert [(line["who"], line["text"]) for line in desk["lines"]] == [
        ("Bo (producer)", "layout six → nine"),
        (ANN, "layout as the page has it → six"),
    ]


def test_a_lower_third_leaves_when_its_time_is_over_also_behind_a_restart(relay: Relay) -> None:
    relay.press("lower_third", title="Ann", line="leads", for_s=10)
    relay.now = Millis(relay.now + 9_999)
    relay.programme.look()
    assert relay.programme_view.lower_third is not None
    relay.now = Millis(relay.now + 1)
    relay.programme.look()
    assert relay.programme_view.lower_third is None
    relay.press("lower_third", title="Bo", for_s=10)
    relay.start()
    assert relay.programme_view.lower_third is None


def test_a_lower_third_leaves_in_time_whatever_else_is_pressed(relay: Relay) -> None:
    relay.press("lower_third", title="Ann", for_s=10)
    relay.now = Millis(6_000)
    relay.press("element", element="payouts", on=True)
    assert relay.audit.newest[0].text == "payouts on"
    relay.now = Millis(11_000)
    relay.programme.look()
    assert relay.programme_view.lower_third is None
    relay.press("lower_third", title="Ann", for_s=10)
    relay.now = Millis(16_000)
    relay.press("lower_third", title="Ann", for_s=10)
    relay.now = Millis(21_000)
    relay.programme.look()
    assert relay.programme_view.lower_third is not None


def test_a_take_does_not_begin_the_time_of_a_lower_third_again(relay: Relay) -> None:
    relay.press("lower_third", title="Ann", for_s=10, staged=True)
    relay.press("take")
    relay.now = Millis(10_000)
    relay.press("look", staged=True, skin="neon")
    relay.press("take")
    relay.now = Millis(11_000)
    relay.programme.look()
    assert relay.programme_view.lower_third is None


def test_a_lower_third_with_no_end_in_sight_is_refused_and_the_next_cut_is_kept(relay: Relay) -> None:
    for do in ("lower_third", "prepare"):
        with pytest.raises(ActionRefused, match=r"86,400 s at most"):
            relay.press(do, title="Ann", for_s=9_000_000_000_000_000)
    relay.press("cut")
    relay.start()
    assert relay.programme_view.cut


def test_the_element_of_a_lower_third_that_ended_meanwhile_is_off(relay: Relay) -> None:
    relay.press("lower_third", title="Ann", for_s=10)
    relay.start()
    assert relay.programme_view.elements["lower-third"] is False


def test_lower_thirds_are_prepared_and_deleted(relay: Relay) -> None:
    relay.press("prepare", title="Ann", line="leads")
    relay.start()
    assert [one["title"] for one in relay.reads("desk")["prepared"]] == ["Ann"]
    with pytest.raises(ActionRefused, match="already"):
        relay.press("prepare", title="Ann", line="leads")
    relay.press("forget", title="Ann", line="leads")
    assert not relay.reads("desk")["prepared"]


def test_the_air_delay_is_set_at_the_floor_or_above_it_and_is_on_record(relay: Relay) -> None:
    assert "2400 s → 3000 s" in relay.press("air_delay", seconds="3000")
    assert (relay.folder / "air-delay").read_text() == "3000\n"
    assert relay.delays == ["3000"]
    for seconds in ("1799", "-1", "", "1e9", "half an hour", "99999"):
        with pytest.raises(ActionRefused):
            relay.press("air_delay", seconds=seconds)
    relay.floor = None
    with pytest.raises(ActionRefused, match="settings file"):
        relay.press("air_delay", seconds="3000")
    assert [(note.who, note.what) for note in relay.audit.newest] == [(ANN, "air delay")]


def test_no_delay_is_changed_that_cannot_be_recorded(relay: Relay) -> None:
    relay.audit.path.unlink()
    relay.audit.path.mkdir()
    with pytest.raises(ActionRefused, match="stays as it is"):
        relay.press("air_delay", seconds="3000")
    assert not (relay.folder / "air-delay").exists()


def test_what_there_is_not_is_refused(relay: Relay) -> None:
    for press in ({"do": "dance"}, {"do": "element"}, {"do": "lower_third"}, {"do": "ticker"}, {"do": "release"}):
        with pytest.raises(ActionRefused):
            relay.press(**press)
    relay.press("cut")
    with pytest.raises(ActionRefused, match="cut already"):
        relay.press("cut")
