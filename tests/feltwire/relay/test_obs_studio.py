"""OBS itself, in a display in memory: it imports our scenes, and its scenes follow what is on air.

Debian's build has no browser source. It keeps ours as it found them, with their settings, and draws nothing there;
what a browser source shows is tested with Chromium (`tests/display/template`)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from display.app import create_app
from display.obs_scenes import GRAPHICS, NAME, SAFE, TRANSPARENT, VIDEO, scene_collection
from display.push import Hub
from feltwire.cli import main
from feltwire.relay.obs.client import Obs, ObsError, WrongPassword
from feltwire.relay.obs.command import Switcher
from feltwire.relay.obs.moments import Moment
from feltwire.relay.obs.settings import ObsConfig
from table_core.messages import EventView, ProgrammeView, Street, encode
from tests.display.conftest import PATIENCE_S, Running
from tests.feltwire.relay.test_obs import picture, private
from tests.ports import free_port
from tests.site.commands import blocks

PROGRAMS = ("obs", "xvfb-run", "xauth")
MISSING = [name for name in PROGRAMS if shutil.which(name) is None]
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)} (obs-studio, xvfb, xauth)"),
]
PASSWORD = "in-this-test-only"
RELAY = "http://relay.test:8083"


@dataclass(frozen=True)
class Studio:
    url: str
    home: Path


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """OBS with our scenes as its collection, and its server of obs-websocket behind a password."""
    home, port = tmp_path_factory.mktemp("obs"), free_port()
    scenes = home / ".config/obs-studio/basic/scenes"
    scenes.mkdir(parents=True)
    (scenes / f"{NAME}.json").write_text(json.dumps(scene_collection(RELAY, "feature")))
    (home / ".config/obs-studio/global.ini").write_text(
        "[General]\nFirstRun=true\nLastVersion=486539266\n"
        f"[OBSWebSocket]\nFirstLoad=false\nServerEnabled=true\nServerPort={port}\nAlertsEnabled=false\n"
        f"AuthRequired=true\nServerPassword={PASSWORD}\n"
    )
    (home / "run").mkdir(mode=0o700)
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "XDG_RUNTIME_DIR": str(home / "run")}
    obs = ["obs", "--collection", NAME, "--multi", "--minimize-to-tray", "--disable-updater"]
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(
            ["xvfb-run", "-a", "-s", "-screen 0 1280x720x24", *obs],
            env={**os.environ, **own},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        url = f"ws://127.0.0.1:{port}"
        _wait_for(url, process, home / "log")
        yield Studio(url, home)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(int(PATIENCE_S * 2)):
        assert process.poll() is None, log.read_text(errors="replace")[-2_000:]
        try:
            with Obs.at(url, PASSWORD):
                return
        except ObsError:
            threading.Event().wait(0.5)
    raise AssertionError(log.read_text(errors="replace")[-2_000:])


def asked(obs: Obs, kind: str, **data: Any) -> dict[str, Any]:
    return obs._ask(kind, data)


def test_obs_has_our_scenes_and_what_is_in_them(studio: Studio) -> None:
    with Obs.at(studio.url, PASSWORD) as obs:
        there = obs.scenes()
        assert there.names == (*GRAPHICS, SAFE, VIDEO)
        assert there.current == SAFE
        for scene in GRAPHICS:
            items = asked(obs, "GetSceneItemList", sceneName=scene)["sceneItems"]
            assert VIDEO in [item["sourceName"] for item in items]
        (ground,) = asked(obs, "GetSceneItemList", sceneName=SAFE)["sceneItems"]
        assert ground["sourceName"] == "Feltwire: ground"
        size = asked(obs, "GetSceneItemTransform", sceneName=SAFE, sceneItemId=ground["sceneItemId"])
        assert (size["sceneItemTransform"]["width"], size["sceneItemTransform"]["height"]) == (1920, 1080)


def test_obs_logs_no_source_of_ours_as_broken_but_the_browsers_that_this_build_lacks(studio: Studio) -> None:
    log = (studio.home / "log").read_text(errors="replace")
    assert "scene 'Table'" in log
    for scene in GRAPHICS:
        assert f"source: 'Feltwire: {scene}' (browser_source)" in log
    faults = [line for line in log.splitlines() if line.startswith("error:") and "ource" in line]
    assert all("browser_source" in line or "Feltwire: " in line for line in faults)


def test_what_the_document_says_is_what_obs_has(studio: Studio, tmp_path: Path) -> None:
    """`feltwire obs --config obs.toml --check` with the settings of docs/graphics-systems.md."""
    (block,) = [one.text for one in blocks("docs/graphics-systems.md") if one.text.startswith("# obs.toml")]
    ours = {"ws://127.0.0.1:4455": studio.url, "/etc/feltwire/obs/password": private(tmp_path, PASSWORD)}
    for theirs, own in ours.items():
        assert theirs in block
        block = block.replace(theirs, own)
    file = tmp_path / "obs.toml"
    file.write_text(block)
    assert main(["obs", "--config", str(file), "--check"]) == 0


def test_a_wrong_password_is_told_apart_from_an_obs_that_is_away(studio: Studio) -> None:
    with pytest.raises(WrongPassword), Obs.at(studio.url, "another"):
        pass


def test_its_scenes_follow_what_is_on_air(studio: Studio, tmp_path: Path) -> None:
    hub = Hub()
    relay = Running(create_app(hub=hub, pages={"air"}, venue="hall", tables=["01"]))
    scenes = {
        Moment.ALL_IN: "Heads-up",
        Moment.FLOP: "Table",
        Moment.HAND_OVER: "Table",
        Moment.BREAK: "Break",
        Moment.CUT: SAFE,
    }
    password = private(tmp_path, PASSWORD)
    switcher = Switcher(ObsConfig(scenes=scenes, relay=relay.url, feed="01", url=studio.url, password=password))
    assert switcher.check() == 0
    thread = threading.Thread(target=switcher.follow, daemon=True)
    switcher.start()
    thread.start()
    start, all_in = encode(picture()), encode(picture(all_in=(5,)))
    steps = [
        ("Heads-up", [("overlay/01", start), ("overlay/01", all_in)]),
        ("Table", [("overlay/01", all_in), ("overlay/01", encode(picture(Street.FLOP, all_in=(5,))))]),
        ("Break", [("event", encode(EventView(30.0))), ("event", encode(EventView(30.0, on_break=True)))]),
        (SAFE, [("programme", encode(ProgrammeView(cut=True)))]),
    ]
    try:
        with Obs.at(studio.url, PASSWORD) as obs:
            obs.show("Table")
            for scene, pictures in steps:
                _follows(hub, obs, scene, pictures)
    finally:
        switcher.stop()
        relay.stop()
        thread.join(PATIENCE_S)


def _follows(hub: Hub, obs: Obs, scene: str, pictures: list[tuple[str, bytes]]) -> None:
    """The pictures are repeated until OBS shows it: a page may leave out one of two that come at once."""
    for _ in range(int(PATIENCE_S * 5)):
        for channel, raw in pictures:
            hub.publish(channel, raw)
            threading.Event().wait(0.1)
        if obs.scenes().current == scene:
            return
    raise AssertionError(f"OBS shows {obs.scenes().current}, not {scene}")


def test_the_browser_sources_that_obs_keeps_are_ours_to_the_last_setting(studio: Studio) -> None:
    """OBS writes a collection anew when it leaves it: another one is made, and ours is read from its file."""
    with Obs.at(studio.url, PASSWORD) as obs:
        asked(obs, "CreateSceneCollection", sceneCollectionName="Another")
    kept = json.loads((studio.home / f".config/obs-studio/basic/scenes/{NAME}.json").read_text())
    found = {one["name"]: one["settings"] for one in kept["sources"] if one["id"] == "browser_source"}
    for scene, query in GRAPHICS.items():
        settings = found[f"Feltwire: {scene}"]
        assert settings["url"] == f"{RELAY}/air/feature{query}"
        assert (settings["width"], settings["height"], settings["css"]) == (1920, 1080, TRANSPARENT)
