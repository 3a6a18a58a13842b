"""Scenes of OBS follow what is on air: which moments there are, when a scene is shown, what faults of OBS do."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.sync.server import ServerConnection, serve

from display.app import create_app
from display.push import Hub
from feltwire.errors import UsageError
from feltwire.private_files import python
from feltwire.relay.obs.client import Obs, ObsError, WrongPassword
from feltwire.relay.obs.command import Switcher
from feltwire.relay.obs.moments import Moment, Watched
from feltwire.relay.obs.settings import ObsConfig
from feltwire.relay.obs.stream import Stream, StreamLost
from table_core.messages import EventView, OverlayView, ProgrammeView, Street, encode
from tests.display import fixtures
from tests.display.conftest import PATIENCE_S, Running
from tests.feltwire.relay.obs_double import ObsDouble
from tests.waiting import until

SCENES = {Moment.ALL_IN: "Heads-up", Moment.HAND_OVER: "Table", Moment.BREAK: "Break", Moment.CUT: "Cut-safe"}
THERE = ("Table", "Heads-up", "Break", "Cut-safe", "Interview")


def picture(
    street: Street = Street.PREFLOP, *, hand: int = 7, all_in: tuple[int, ...] = (), **more: Any
) -> OverlayView:
    view = fixtures.overlay_view()
    seats = tuple(replace(seat, all_in=seat.seat in all_in, in_hand=True) for seat in view.seats)
    return replace(view, seats=seats, hand=hand, street=street, run_out=False, **more)


# --------------------------------------------------------------------------------------------- moments


@pytest.mark.parametrize(
    ("after", "moments"),
    [
        (picture(), []),
        (picture(Street.FLOP), [Moment.FLOP]),
        (picture(all_in=(5,)), [Moment.ALL_IN]),
        (picture(Street.FLOP, all_in=(5,)), [Moment.ALL_IN, Moment.FLOP]),
        (replace(picture(Street.TURN, all_in=(5, 6)), run_out=True), [Moment.ALL_IN, Moment.RUN_OUT, Moment.TURN]),
        (picture(Street.SHOWDOWN), [Moment.SHOWDOWN]),
        (picture(Street.DONE), [Moment.HAND_OVER]),
        (picture(hand=8), [Moment.NEW_HAND]),
        (picture(Street.DONE, hand=8), []),
        (picture(Street.DONE, hand=6, again=True), []),
        (picture(Street.FLOP, table="02"), []),
        (replace(picture(Street.FLOP), seats=()), []),
    ],
)
def test_a_moment_is_the_difference_of_two_pictures(after: OverlayView, moments: list[Moment]) -> None:
    watched = Watched()
    assert watched.table(picture()) == []
    assert watched.table(after) == moments


def test_behind_a_gap_and_behind_black_nothing_is_a_moment() -> None:
    watched = Watched()
    watched.table(picture())
    watched.lost()
    assert watched.table(picture(Street.FLOP)) == []
    watched.table(replace(picture(), seats=()))
    assert watched.table(picture(Street.RIVER)) == []
    assert watched.table(picture(Street.DONE)) == [Moment.HAND_OVER]


def test_a_hand_that_is_shown_once_more_hides_no_moment() -> None:
    watched = Watched()
    watched.table(picture())
    watched.table(picture(Street.DONE, hand=6, again=True))
    assert watched.table(picture(Street.FLOP)) == [Moment.FLOP]


def test_a_break_and_a_cut_are_moments_a_cut_from_the_first_picture_on() -> None:
    watched = Watched()
    assert watched.event(EventView(air_s=30.0, on_break=True)) == []
    assert watched.event(EventView(air_s=30.0)) == [Moment.BREAK_OVER]
    assert watched.event(EventView(air_s=30.0, on_break=True)) == [Moment.BREAK]
    assert watched.programme(ProgrammeView(cut=True)) == [Moment.CUT]
    watched.lost()
    assert watched.programme(ProgrammeView(cut=True)) == []
    assert watched.programme(ProgrammeView()) == []


# ------------------------------------------------------------------------------------------------- OBS


@pytest.fixture
def relay() -> Iterator[Running]:
    """A relay's pages, with a table in play."""
    hub = Hub()
    hub.publish("overlay/01", encode(picture()))
    hub.publish("event", encode(EventView(air_s=30.0)))
    hub.publish("programme", encode(ProgrammeView(feature="01")))
    running = Running(create_app(hub=hub, pages={"air"}, venue="hall", tables=["01"]))
    yield running
    running.stop()


@contextmanager
def doubled(*scenes: str, password: str = "", **more: Any) -> Iterator[ObsDouble]:
    obs = ObsDouble(scenes or THERE, password, **more)
    try:
        yield obs
    finally:
        obs.close()


@contextmanager
def switching(relay: Running, obs: str, password: str = "", **more: Any) -> Iterator[Switcher]:
    config = ObsConfig(scenes=SCENES, relay=relay.url, feed="01", url=obs, password=password)
    switcher = Switcher(config, **more)
    thread = threading.Thread(target=switcher.follow, daemon=True)
    switcher.start()
    thread.start()
    try:
        yield switcher
    finally:
        switcher.stop()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def reads(relay: Running) -> None:
    """Until the switcher reads the relay's pages, and has read their first pictures."""
    while not relay.hub.subscribers:
        threading.Event().wait(0.01)


def private(folder: Path, text: str = "secret") -> str:
    file = folder / "obs-password"
    file.touch(0o600)
    file.write_text(text + "\n")
    return str(file)


def shows(obs: ObsDouble, relay: Running, scene: str, *views: tuple[str, Any]) -> None:
    """The pictures on air lead to this scene. They are repeated until they do: a switcher that has just connected
    takes the first of them for its start."""
    done = len(obs.shown)
    for _ in range(int(PATIENCE_S * 5)):
        for channel, view in views:
            relay.hub.publish(channel, encode(view))
            if obs.wait_for(lambda: len(obs.shown) > done, 0.2):
                break
        if len(obs.shown) > done:
            break
    assert obs.shown[done:] == [scene]


BEFORE = ("overlay/01", picture())


def test_an_all_in_on_air_shows_its_scene_and_the_end_the_table(relay: Running, tmp_path: Path) -> None:
    with doubled(password="secret") as obs, switching(relay, obs.url, private(tmp_path)):
        shows(obs, relay, "Heads-up", BEFORE, ("overlay/01", picture(all_in=(5,))))
        shows(obs, relay, "Table", ("overlay/01", picture(Street.DONE, all_in=(5,))), BEFORE)
        shows(obs, relay, "Break", ("event", EventView(30.0)), ("event", EventView(30.0, on_break=True)))


def test_a_scene_that_somebody_chose_by_hand_stays_but_not_over_a_cut(relay: Running) -> None:
    with doubled() as obs, switching(relay, obs.url):
        assert obs.wait_for(lambda: obs.lines, PATIENCE_S)
        obs.current = "Interview"
        reads(relay)
        relay.hub.publish(*_raw(BEFORE))
        relay.hub.publish(*_raw(("overlay/01", picture(all_in=(5,)))))
        relay.hub.publish("programme", encode(ProgrammeView(cut=True)))
        assert obs.wait_for(lambda: obs.shown, PATIENCE_S)
        assert obs.shown == ["Cut-safe"]


def test_while_everything_is_cut_no_moment_shows_a_scene(relay: Running) -> None:
    relay.hub.publish("programme", encode(ProgrammeView(cut=True)))
    with doubled() as obs, switching(relay, obs.url):
        assert obs.wait_for(lambda: obs.shown == ["Cut-safe"], PATIENCE_S)
        obs.current = "Table"
        relay.hub.publish(*_raw(BEFORE))
        relay.hub.publish(*_raw(("overlay/01", picture(all_in=(5,)))))
        relay.hub.publish("programme", encode(ProgrammeView()))
        shows(obs, relay, "Break", ("event", EventView(30.0)), ("event", EventView(30.0, on_break=True)))


def _raw(told: tuple[str, Any]) -> tuple[str, bytes]:
    return told[0], encode(told[1])


def test_a_line_that_ends_within_a_request_is_opened_again_and_the_scene_is_shown(relay: Running) -> None:
    with doubled() as obs, switching(relay, obs.url):
        assert obs.wait_for(lambda: obs.lines == 1, PATIENCE_S)
        obs.close_at = "GetSceneList"
        shows(obs, relay, "Heads-up", BEFORE, ("overlay/01", picture(all_in=(5,))))
        assert obs.lines == 2


def test_a_scene_whose_moment_is_over_when_obs_is_back_is_left_out(
    relay: Running, caplog: pytest.LogCaptureFixture
) -> None:
    clock = [0.0]
    with doubled() as obs, switching(relay, obs.url, now=lambda: clock[0]):
        assert obs.wait_for(lambda: obs.lines, PATIENCE_S)
        obs.closes = lambda: clock.__setitem__(0, 100.0)
        obs.close_at = "GetSceneList"
        while not clock[0]:
            for channel, view in (BEFORE, ("overlay/01", picture(all_in=(5,)))):
                relay.hub.publish(channel, encode(view))
                obs.wait_for(lambda: clock[0], 0.2)
        assert obs.wait_for(lambda: obs.lines == 2, PATIENCE_S)
        shows(obs, relay, "Break", ("event", EventView(30.0)), ("event", EventView(30.0, on_break=True)))
    assert "all_in: Heads-up is left out" in caplog.text


def test_a_wrong_password_is_said_and_the_relay_is_followed_on(
    relay: Running, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with doubled(password="other") as obs, switching(relay, obs.url, private(tmp_path)):
        assert obs.wait_for(lambda: obs.refused, PATIENCE_S)
        reads(relay)
    assert obs.shown == []
    assert "password" in caplog.text
    assert "secret" not in caplog.text


def test_a_program_that_does_not_greet_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feltwire.relay.obs.client.PATIENCE_S", 0.2)
    with doubled(greets=False) as obs, pytest.raises(ObsError, match="did not answer"), Obs.at(obs.url, ""):
        pass
    with doubled(password="x") as obs, pytest.raises(WrongPassword), Obs.at(obs.url, "y"):
        pass
    with pytest.raises(ObsError, match="not there"), Obs.at("ws://127.0.0.1:9", ""):
        pass


@pytest.mark.parametrize("said", ["[]", "{", '{"op": 0}', '{"op": 0, "d": 7}', b"\xff\x00", "[" * 100_000])
def test_what_does_not_speak_the_protocol_is_an_error(said: str | bytes) -> None:
    def line(connection: ServerConnection) -> None:
        connection.send(said)
        connection.recv()

    with serve(line, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            url = f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
            with pytest.raises(ObsError), Obs.at(url, ""):
                pass
        finally:
            server.shutdown()
            thread.join()


def test_the_process_switches_and_ends_well_when_it_is_told_to(relay: Running, tmp_path: Path) -> None:
    settings, log = tmp_path / "obs.toml", tmp_path / "log"
    with doubled() as obs, log.open("w") as said:
        addresses = f'relay = "{relay.url}"\nfeed = "01"\nurl = "{obs.url}"\n'
        settings.write_text(f'{addresses}[scenes]\nall_in = "Heads-up"\nflop = "Table"\n')
        process = subprocess.Popen(python("feltwire", "obs", "--config", str(settings)), stderr=said)
        try:
            shows(obs, relay, "Heads-up", BEFORE, ("overlay/01", picture(all_in=(5,))))
            until(lambda: "all_in: Heads-up" in log.read_text(), "the switch in the log")
        finally:
            process.terminate()
            process.wait(PATIENCE_S)
    assert process.returncode == 0, log.read_text()


def test_a_relay_that_is_away_is_waited_for(relay: Running) -> None:
    port = relay.port
    with doubled() as obs, switching(relay, obs.url):
        reads(relay)
        relay.stop()
        hub = Hub()
        hub.publish("overlay/01", encode(picture()))
        again = Running(create_app(hub=hub, pages={"air"}, venue="hall", tables=["01"]), port)
        try:
            shows(obs, again, "Heads-up", BEFORE, ("overlay/01", picture(all_in=(5,))))
        finally:
            again.stop()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"scenes": {}}, "names no moment"),
        ({"relay": "relay:8083"}, "no address"),
        ({"url": "http://127.0.0.1:4455"}, "url = .*: no address; write ws://"),
        *(
            ({setting: f"{scheme}://{rest}"}, f"{setting} = .*: no address.*; write {scheme}://")
            for setting, scheme in (("relay", "http"), ("url", "ws"))
            for rest in ("relay:abc", "relay:99999", "[::1", "")
        ),
        ({"password": "/none"}, "cannot be read"),
        ({"ca": "/none"}, "cannot be read"),
    ],
)
def test_settings_that_cannot_be_used_are_said(changes: dict[str, Any], words: str) -> None:
    given: dict[str, Any] = {"scenes": SCENES, **changes}
    with pytest.raises(UsageError, match=words):
        Switcher(ObsConfig(**given))


def test_why_the_relay_is_not_there_is_said_where_the_fault_has_no_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: Stream) -> None:
        raise TimeoutError

    monkeypatch.setattr(Stream, "_connection", fail)
    with pytest.raises(StreamLost, match="TimeoutError"):
        next(Stream("http://relay:8083", ()).snapshots())


def test_a_password_that_others_may_read_is_refused(tmp_path: Path) -> None:
    file = Path(private(tmp_path))
    file.chmod(0o644)
    with pytest.raises(UsageError, match="others may read it"):
        Switcher(ObsConfig(scenes=SCENES, password=str(file)))


def test_check_says_which_scenes_are_missing(capsys: pytest.CaptureFixture[str]) -> None:
    with doubled("Table", "Break") as obs:
        assert Switcher(ObsConfig(scenes=SCENES, url=obs.url)).check() == 1
        assert "missing: Cut-safe, Heads-up" in capsys.readouterr().out
        obs.scenes += ["Cut-safe", "Heads-up"]
        assert Switcher(ObsConfig(scenes=SCENES, url=obs.url)).check() == 0
