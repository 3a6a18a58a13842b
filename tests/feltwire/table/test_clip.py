"""The clip of a table's camera: rolling, on the disk as ciphertext only, opened by the director for a dispute, and
no hidden card in it."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from display.app import Picture
from feltwire.config import ConfigError
from feltwire.ledger.table_ledger import Ledger
from feltwire.runtime.clip_box import SHARE_BYTES, ClipFrame, ClipKey, public_key, sealed
from feltwire.runtime.clip_box import stored as segment_of
from feltwire.station.clips import FORGOTTEN_MS, MOST_OPEN, Clips
from feltwire.station.station_io import ClipAsked, ClipCame, CloseClip
from feltwire.table.clip import ring as clip_ring
from feltwire.table.clip.parts import parts_of
from feltwire.table.clip.recorder import ClipRecorder
from feltwire.table.clip.ring import LASTS_MS, MOST_SEGMENTS, ClipRing
from feltwire.table.recovery import runtime_folder
from table_core.messages import (
    MOST_BYTES,
    MOST_CIPHER,
    ClipPart,
    ClipSegment,
    ClipView,
    Millis,
    Noticed,
    Zone,
    encode,
)
from tests.absent import assert_absent
from tests.feltwire.hall import Hall, begun
from tests.feltwire.station.test_director_process import Listener
from tests.feltwire.table.test_peeking import (
    FELT,
    FLOP,
    ON_THE_LOOSE_CARD,
    camera_on_hidden_cards,
    cards_in,
    colours,
    felt_in,
)

KEY = ClipKey(b"k" * 32)
JPEG = b"\xff\xd8\xff\xe0"
HEADER = JPEG + b"\0\x10JFIF\0"  # of every picture that the table codes


class Eye:
    """A camera whose newest picture is another one each time, and a clock."""

    def __init__(self, folder: Path, *, boot: str = "b1", now: int = 0, bytes_: int = 1_000) -> None:
        self.folder = folder
        self.now = Millis(now)
        self.bytes = bytes_
        self.numbers = itertools.count(1)
        self.recorder = self.started(boot)

    def started(self, boot: str = "b1") -> ClipRecorder:
        """A process begins."""
        return ClipRecorder(
            "01",
            self.folder / "table-01.clip",
            self.folder / "run",
            station=public_key(KEY.public_hex),
            boot=boot,
            picture=self._picture,
            now=lambda: self.now,
        )

    def _picture(self) -> Picture:
        no = next(self.numbers)
        return Picture(no, JPEG + f"{no}".encode().ljust(self.bytes, b"x"), f"t{no}")

    def watch(self, seconds: float) -> None:
        for _ in range(int(seconds * 2)):
            self.now = Millis(self.now + 500)
            self.recorder.look()

    def seen(self, recorder: ClipRecorder | None = None) -> list[int]:
        """The numbers of the pictures that the station sees, the oldest first."""
        opened = [KEY.open(segment, share) for segment, share in (recorder or self.recorder).segments()]
        return [int(frame.wall[1:]) for frames in reversed(opened) for frame in frames or ()]

    @property
    def files(self) -> list[Path]:
        return sorted((self.folder / "table-01.clip").iterdir())

    @property
    def shares(self) -> list[Path]:
        return sorted((self.folder / "run").iterdir())


@pytest.fixture
def eye(tmp_path: Path) -> Eye:
    return Eye(tmp_path)


# -------------------------------------------------------------------------------------- three minutes


def test_the_station_sees_the_last_three_minutes_up_to_now(eye: Eye) -> None:
    eye.watch(400)
    seen = eye.seen()
    assert seen == list(range(seen[0], 801))
    assert 180 * 2 <= len(seen) <= 184 * 2


def test_it_takes_so_much_of_the_disk_and_no_more(tmp_path: Path) -> None:
    eye = Eye(tmp_path, bytes_=32 * 1024)  # as large as a picture of it may be
    eye.watch(600)
    assert len(eye.files) == len(eye.shares) <= MOST_SEGMENTS
    assert sum(path.stat().st_size for path in eye.files) < MOST_SEGMENTS * MOST_CIPHER == 19_660_800


def test_a_picture_that_stays_the_same_is_kept_once_and_goes_after_three_minutes(eye: Eye) -> None:
    same = Picture(1, JPEG, "t1")
    eye.recorder._picture = lambda: same
    eye.watch(60)
    assert eye.seen() == [1]
    eye.watch(181)
    assert eye.seen() == []
    assert (eye.files, eye.shares) == ([], [])


def test_a_camera_that_sees_nothing_adds_nothing_and_what_was_there_still_goes(eye: Eye) -> None:
    eye.watch(10)
    eye.recorder._picture = lambda: None
    eye.watch(100)
    assert eye.seen() == list(range(1, 21))
    eye.watch(100)
    assert (eye.seen(), eye.files) == ([], [])


def test_a_killed_process_finds_its_clip_and_a_rebooted_machine_destroys_it(eye: Eye) -> None:
    eye.watch(20)
    kept = eye.seen()
    assert eye.seen(eye.started()) == kept
    assert eye.seen(eye.started("b2")) == []
    assert (eye.files, eye.shares) == ([], [])


def test_a_process_that_was_away_for_long_keeps_nothing_that_is_too_old(eye: Eye) -> None:
    eye.watch(20)
    eye.now = Millis(eye.now + LASTS_MS + 1)
    assert eye.seen(eye.started()) == []
    assert (eye.files, eye.shares) == ([], [])


def test_a_process_that_ends_leaves_nothing(eye: Eye) -> None:
    eye.watch(20)
    eye.recorder.close()
    assert (eye.files, eye.shares) == ([], [])


def test_a_disk_that_is_nearly_full_is_left_to_the_ledger(
    eye: Eye, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    eye.watch(4)
    kept = eye.seen()
    monkeypatch.setattr(clip_ring, "LEAVES_BYTES", 1 << 60)
    eye.watch(10)
    assert eye.seen() == kept
    assert [record.message for record in caplog.records] == ["the clip is not kept: the disk is nearly full"]
    monkeypatch.undo()
    eye.watch(3)
    assert len(eye.seen()) > len(kept)


# ----------------------------------------------------------------------------------------- ciphertext


def test_on_the_disk_nothing_of_a_picture_can_be_read(eye: Eye) -> None:
    eye.watch(20)
    assert eye.seen()
    for path in (*eye.files, *eye.shares):
        assert_absent(b"xxxxxxxxxxxx", path.read_bytes())
        assert path.stat().st_mode & 0o077 == 0


def test_a_segment_opens_with_both_halves_of_its_key_only(eye: Eye) -> None:
    eye.watch(20)
    segments = eye.recorder.segments()
    shares = [share for _, share in segments]
    for segment, share in segments:
        assert KEY.open(segment, share)
        others = [other for other in shares if other != share]
        assert not any(KEY.open(segment, other) for other in [*others, b"", bytes(SHARE_BYTES), segment.box[:32]])
        assert ClipKey.generate().open(segment, share) is None
        with pytest.raises(CryptoError):
            SecretBox(share).decrypt(segment.cipher)


def test_what_was_forgotten_opens_with_no_key_that_is_left(eye: Eye) -> None:
    """Somebody copied every segment, and later has the station's key and all that is in the table's memory."""
    eye.watch(10)
    copied = [segment_of(path.read_bytes()) for path in eye.files]
    eye.watch(200)
    left = [path.read_bytes() for path in eye.shares]
    assert copied
    assert left
    assert not any(KEY.open(segment, share) for segment in copied for share in left)


@pytest.mark.parametrize("change", [{"table": "02"}, {"boot": "b9"}, {"began": Millis(1)}])
def test_a_segment_cannot_be_shown_as_another_tables_or_times(eye: Eye, change: dict[str, Any]) -> None:
    eye.watch(4)
    segment, share = eye.recorder.segments()[0]
    assert KEY.open(msgspec.structs.replace(segment, **change), share) is None


def test_a_share_that_is_lost_or_torn_leaves_its_segment_closed(eye: Eye) -> None:
    eye.watch(20)
    before = len(eye.recorder.segments())
    first, second, *_ = eye.shares
    first.unlink()
    os.truncate(second, 5)
    assert len(eye.recorder.segments()) == before - 2
    assert len(ClipRing(eye.folder / "table-01.clip", eye.folder / "run", "b1")) == before - 2
    assert len(eye.files) == before - 2, "what nobody can open is no use to anybody"


def test_what_is_no_key_is_refused_in_words(tmp_path: Path) -> None:
    for text in ("", "12", "z" * 64):
        with pytest.raises(ConfigError, match=r"clip_key: .* is no key"):
            public_key(text)
    file = tmp_path / "clip.key"
    with pytest.raises(ConfigError, match="cannot be read"):
        ClipKey.load(file)
    KEY.save(file)
    assert ClipKey.load(file).public_hex == KEY.public_hex
    assert repr(KEY) == "ClipKey(••)"
    file.chmod(0o644)
    with pytest.raises(ConfigError, match="others may read it"):
        ClipKey.load(file)


def test_a_part_is_within_the_longest_message(tmp_path: Path) -> None:
    eye = Eye(tmp_path, bytes_=32 * 1024)
    eye.watch(10)
    parts = list(parts_of(eye.recorder, 1, "t1/clip-1", ""))
    assert [part.no for part in parts] == list(range(1, len(parts) + 1))
    assert max(len(encode(part)) for part in parts) + 200 < MOST_BYTES


# ------------------------------------------------------------------------------------------ the station


def segment(table: str = "01", wall: str = "t1") -> tuple[ClipSegment, bytes]:
    share = os.urandom(SHARE_BYTES)
    made = sealed(
        (ClipFrame(wall, JPEG),),
        table=table,
        boot="b1",
        began=Millis(0),
        ended=Millis(1),
        station=public_key(KEY.public_hex),
        share=share,
    )
    return made, share


class Opened:
    """The station's clips, and what its pages show."""

    def __init__(self) -> None:
        self.shown: dict[str, ClipView] = {}
        self.clips = Clips(KEY, lambda table, view: self.shown.update({table: view}))

    def ask(self, table: str, opening: str, now: int = 0) -> None:
        self.clips.take(ClipAsked(table, opening, "Tess"), Millis(now))

    def come(
        self, table: str, answers: str, no: int = 1, of: int = 1, what: tuple[ClipSegment, bytes] | None = None
    ) -> None:
        made, share = what or segment(table)
        self.clips.take(ClipCame(table, ClipPart(1, answers, no, of, made, share)), Millis(0))


def test_the_newest_part_is_shown_at_once_and_older_ones_before_it() -> None:
    opened = Opened()
    opened.ask("01", "o1")
    for no, wall in ((1, "newest"), (3, "oldest"), (2, "middle")):
        opened.come("01", "o1", no, 3, segment(wall=wall))
        assert opened.shown["01"].parts <= 3
    view = opened.shown["01"]
    assert [shot.wall for shot in view.shots] == ["oldest", "middle", "newest"]
    assert opened.clips.picture("01", "o1", view.shots[0].id) == JPEG
    for strange in ("4-0", "1-9", "x", "", "1-", "-1", "1-0-0", "²-0"):
        assert opened.clips.picture("01", "o1", strange) is None


def test_what_nobody_asked_for_or_is_of_another_table_is_not_shown() -> None:
    opened = Opened()
    opened.come("01", "o1")
    assert opened.shown["01"] == ClipView()
    opened.ask("01", "o1")
    opened.come("01", "o2")
    opened.come("01", "o1", what=segment("02"))
    assert opened.shown["01"].shots == ()
    assert "sealed for another station" in opened.shown["01"].why


def test_few_clips_are_open_and_none_for_long() -> None:
    opened = Opened()
    for no in range(MOST_OPEN + 1):
        opened.ask(f"{no}", f"o{no}", now=no)
        opened.come(f"{no}", f"o{no}", what=segment(f"{no}"))
    assert opened.shown["0"] == ClipView()
    assert opened.clips.picture("0", "o0", "1-0") is None
    opened.clips.forget_old(Millis(FORGOTTEN_MS + 1))
    assert [table for table, view in opened.shown.items() if view.opening] == [f"{MOST_OPEN}"]
    opened.clips.take(CloseClip(f"{MOST_OPEN}"), Millis(0))
    assert not any(view.opening for view in opened.shown.values())
    assert repr(opened.clips) == "Clips(••)"


# -------------------------------------------------------------------------- through the real processes


class Dispute:
    """A hall whose table 01 keeps a clip of a camera that sees hidden cards."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.table = hall.machine("first")
        self.folder = self.table.config.parent
        public = (hall.venue / "clip.pub").read_text()
        self.table.config.write_text(public + self.table.config.read_text() + camera_on_hidden_cards(self.folder))

    def begin(self) -> None:
        begun(self.hall, self.table)
        self.wait(lambda: len(list((self.folder / "table-data" / "table-01.clip").glob("*.sealed"))) >= 2)

    def wait(self, fits: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 240
        while not fits():
            assert time.monotonic() < deadline, self.table.log.read_text()
            time.sleep(0.05)

    def open(self) -> ClipView:
        """The director opens it; the answer is there when its newest pictures are."""
        self.wait(self._is_asked)
        shown = self.hall.station.shows("clip/01", lambda view: view["shots"] and view["parts"] == view["of"])
        return ClipView(shown["opening"], shown["by"], shots=tuple(shown["shots"]))

    def _is_asked(self) -> bool:
        """A table that was killed is not heard for a while."""
        with contextlib.suppress(AssertionError):
            return bool(self.hall.director("open_clip", table="01"))
        return False

    def picture(self, view: ClipView, no: int, browser: urllib.request.OpenerDirector | None = None) -> bytes:
        shot: Any = view.shots[no]
        url = f"http://127.0.0.1:{self.hall.station.port}/clip/01/{shot['id']}?opening={view.opening}"
        with (browser or self.hall.browser).open(url) as answer:
            return bytes(answer.read())


@pytest.fixture
def dispute(tmp_path: Path) -> Iterator[Dispute]:
    hall = Hall(tmp_path)
    key = hall.venue / "station" / "clip.key"
    hall.station.config.write_text(f'clip_key = "{key}"\n{hall.station.config.read_text()}')
    with hall:
        yield Dispute(hall)


@pytest.mark.mosquitto
def test_the_director_opens_it_and_reads_the_board_and_no_hidden_card(dispute: Dispute) -> None:
    dispute.begin()
    listener = Listener(dispute.hall.venue)
    view = dispute.open()
    for no in (0, -1):
        picture = felt_in(dispute.picture(view, no))
        assert [zone for zone in FELT.zones if colours(picture, zone) & {"red", "white"}] in ([], [Zone.BOARD])
        assert cards_in(picture) <= set(FLOP)
        assert cards_in(picture, ON_THE_LOOSE_CARD) == set()
    listener.bus.stop()
    assert not [heard for heard in listener.heard if b'"cipher":' in heard], "no screen of the room hears of it"

    with closing(Ledger.open(dispute.folder / "table-data" / "table-01.ledger", read_only=True)) as ledger:
        (opened,) = [e for e in ledger.events() if isinstance(e.data, Noticed) and e.data.kind == "clip_opened"]
    assert opened.by == view.by != ""
    assert opened.cause == f"command/{view.opening}"
    anybody = urllib.request.build_opener()
    with pytest.raises(urllib.error.HTTPError, match="403"):
        dispute.picture(view, 0, anybody)
    dispute.hall.director("close_clip", table="01")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        dispute.picture(view, 0)


@pytest.mark.mosquitto
def test_no_file_of_the_hall_shows_a_picture_and_a_killed_table_still_has_its_clip(dispute: Dispute) -> None:
    dispute.begin()
    dispute.open()
    for root in (dispute.folder / "table-data", dispute.hall.folder / "station-data"):
        for path in root.rglob("*"):
            assert_absent(HEADER, b"" if path.is_dir() else path.read_bytes())
    dispute.table.kill()
    segments = sorted((dispute.folder / "table-data" / "table-01.clip").glob("*.sealed"))
    kept = [segment_of(path.read_bytes()) for path in segments]
    run = runtime_folder(str(dispute.folder / "run"), dispute.folder / "table-data" / "table-01.ledger")
    key = ClipKey.load(dispute.hall.venue / "station" / "clip.key")
    shares = [path.read_bytes() for path in (run / "clip").glob("*.share")]
    before = [frames for one in kept for share in shares if (frames := key.open(one, share))]
    assert all(frame.jpeg.startswith(HEADER) for frames in before for frame in frames)
    dispute.table.start()
    view = dispute.open()
    shots: list[Any] = list(view.shots)
    assert before[0][0].wall in {shot["wall"] for shot in shots}, "all of it is there"


@pytest.mark.mosquitto
def test_a_table_without_a_clip_says_so(tmp_path: Path) -> None:
    hall = Hall(tmp_path)
    key = hall.venue / "station" / "clip.key"
    hall.station.config.write_text(f'clip_key = "{key}"\n{hall.station.config.read_text()}')
    with hall:
        begun(hall, hall.machine("first"))
        hall.director("open_clip", table="01")
        shown = hall.station.shows("clip/01", lambda view: bool(view["why"]))
        assert shown["why"] == "This table keeps no clip of its camera"
        assert json.dumps(shown["shots"]) == "[]"
