"""What was on air goes on over a restart: the same pictures as without one, and nothing that was not released."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path

import pytest

from feltwire.relay.node import RelayNode
from feltwire.relay.on_air import past
from feltwire.relay.on_air.past import SEGMENT_MS, EventSeen, FiguresAnew, HandBegan, HandCounted, PastFiles, Seen
from feltwire.relay.relay_io import Effect, KeepPast
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived
from table_core.messages import FieldPlayer, Millis, TournamentField, encode
from table_core.statistics import Tally
from tests.display import fixtures
from tests.feltwire.dealt import SEATS
from tests.feltwire.relay.test_relay import SECOND
from tests.feltwire.relay.test_timeline import HOLE, AirRig, cards_of, played

BOOT = "b" * 16


class Kept(AirRig):
    """A relay that keeps what was on air in a folder."""

    def start(self, delay_s: str) -> None:
        self.boot = BOOT
        self.open()
        super().start(delay_s)

    def open(self) -> None:
        self.files = PastFiles(self.folder / "past", self.boot, lambda: self.now, lambda: 3_600_000)

    def perform(self, effects: Sequence[Effect]) -> None:
        super().perform(effects)
        for effect in effects:
            if isinstance(effect, KeepPast):
                self.files.write(effect.past)

    def restart(self, boot: str = BOOT) -> None:
        """The process was killed, and starts again at once."""
        self.boot = boot
        self.open()
        store = self.store
        same = store.begin_run(self.config.delay_s, self.tables)
        self.node = RelayNode(
            self.config, store.inboxes(), store.leaseholders(), sealed_upto=store.sealed_upto(), same_delay=same
        )
        self.node.go_on(self.files.read())
        self.perform(self.node.restore("01", store.events("01"), self.now))
        self.air(self.air_s)

    def air(self, air_s: str) -> None:
        self.air_s = air_s
        super().air(air_s)


def test_the_picture_goes_on_behind_a_restart_with_the_cards_that_were_released(tmp_path: Path) -> None:
    rig = Kept(tmp_path, "30", "120", release_folded=True)
    rig.look()
    start = rig.now
    played(rig)
    rig.wait(60)
    assert set(rig.cards) == {card for held in HOLE.values() for card in held}
    rig.restart()
    rig.wait(240)
    assert cards_of(rig.at(start + 122 * SECOND)) == {seat: HOLE[seat] for seat in SEATS}
    assert cards_of(rig.at(start + 129 * SECOND))[1] == (), "seat 1 folded"


def test_what_was_not_released_before_is_a_back_behind_it(tmp_path: Path) -> None:
    rig = Kept(tmp_path, "30", "120", release_folded=True)
    rig.look()
    start = rig.now
    played(rig)
    rig.wait(5)
    assert rig.cards == []
    rig.restart()
    rig.wait(12)
    assert rig.cards == []
    rig.wait(101)
    early = [view for _, view, released in rig.seen if not released]
    assert {card for view in early for held in cards_of(view).values() for card in held} <= {"??"}
    assert cards_of(rig.at(start + 122 * SECOND)), "the picture goes on"


def test_another_boot_has_other_times_and_nothing_of_before_is_on_air(tmp_path: Path) -> None:
    rig = Kept(tmp_path, "30", "120", release_folded=True)
    rig.look()
    start = rig.now
    played(rig)
    rig.wait(60)
    rig.restart(boot="c" * 16)
    before = len(rig.overlays)
    rig.wait(60)
    assert not any(view.seats for view in rig.overlays[before:] if view.hand)
    assert rig.now > start


# ------------------------------------------------------------------------------------------------------ the files


class Files:
    def __init__(self, folder: Path, boot: str = BOOT, keep_ms: int = 3_600_000) -> None:
        self.folder, self.now, self.keep_ms = folder, Millis(1_000), keep_ms
        self.open(boot)

    def open(self, boot: str = BOOT) -> None:
        self.past = PastFiles(self.folder, boot, lambda: self.now, lambda: self.keep_ms)

    @property
    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path / "past")


def seen(at: int) -> Seen:
    return Seen("01", Millis(at), None, fixtures.table_view())


def test_records_come_back_as_they_were(files: Files) -> None:
    field = EventSeen(Millis(3), Millis(4), encode(TournamentField("Friday")), is_clock=False)
    counted = HandCounted("01", (1, 7), Millis(5), {"p1": Tally(hands=1)})
    for record in (seen(2), HandBegan("01", (1, 7)), field, counted):
        files.past.write(record)
    files.open()
    assert [*files.past.read()] == [seen(2), HandBegan("01", (1, 7)), field, counted]


@pytest.mark.parametrize("cut", [1, 5, 9, 40])
def test_what_a_power_cut_left_half_written_is_left_out(files: Files, cut: int) -> None:
    files.past.write(seen(2))
    files.past.write(HandBegan("01", (1, 7)))
    path = files.folder / "1"
    path.write_bytes(path.read_bytes()[:-cut])
    files.open()
    assert seen(2) in [*files.past.read()]
    files.past.write(HandBegan("01", (1, 8)))
    files.open()
    assert [*files.past.read()][-1] == HandBegan("01", (1, 8))


def test_figures_go_on_behind_a_torn_record(files: Files) -> None:
    first, second = (HandCounted("01", (1, seq), Millis(5), {"p1": Tally(hands=1)}) for seq in (7, 8))
    files.past.write(first)
    with (files.folder / "figures").open("ab") as file:
        file.write(b"\x40\x00\x00\x00torn")
    files.open()
    files.past.write(second)
    files.open()
    assert [*files.past.read()] == [first, second]


def test_what_is_written_after_a_write_that_failed_in_its_middle_is_read(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = [HandCounted("01", (1, seq), Millis(5), {"p1": Tally(hands=1)}) for seq in range(5)]
    files.past.write(hands[0])

    def full(path: Path, records: object) -> None:
        with path.open("ab") as file:
            file.write(b"\x40\x00\x00\x00half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as planted:
        planted.setattr(past, "_write", full)
        files.past.write(hands[1])
    for hand in hands[2:]:
        files.past.write(hand)
    files.open()
    assert [*files.past.read()] == [hands[0], *hands[2:]]


def test_a_field_that_a_later_version_wrote_is_left_out(tmp_path: Path) -> None:
    rig = Kept(tmp_path, "30", "120")
    rig.node.go_on([EventSeen(Millis(1), None, b'{"event":"Friday","later":1}', is_clock=False)])


def test_figures_of_an_earlier_event_do_not_go_on_in_another(tmp_path: Path) -> None:
    rig = Kept(tmp_path, "30", "120")
    counted = HandCounted("01", (1, 7), Millis(0), {"p7": Tally(hands=9)}, "Friday")
    said = [TournamentField(name, players=(FieldPlayer("p7", "Ann Lee"),)) for name in ("Friday", "Saturday")]
    rig.node.go_on([counted])
    topic = topics.tournament(rig.config.venue, "field")
    same, _ = rig.node.step(Arrived(topic, encode(said[0])), rig.now)
    other, _ = rig.node.step(Arrived(topic, encode(said[1])), rig.now)
    anew = KeepPast(FiguresAnew())
    assert (anew in same, anew in other) == (False, True)
    rig = Kept(tmp_path / "again", "30", "120")
    rig.node.go_on([counted])
    behind_a_reboot, _ = rig.node.step(Arrived(topic, encode(said[1])), rig.now)
    assert anew in behind_a_reboot


def test_of_another_boot_only_figures_are_read(files: Files) -> None:
    files.past.write(seen(2))
    files.past.write(HandCounted("01", (1, 7), Millis(5), {"p1": Tally(hands=1)}))
    files.open(boot="c" * 16)
    assert [*files.past.read()] == [HandCounted("01", (1, 7), Millis(0), {"p1": Tally(hands=1)})]
    files.past.write(seen(3))
    assert files.names == ["2", "figures"], "the times of that boot are of no use"


def test_files_of_no_use_are_deleted(tmp_path: Path) -> None:
    files = Files(tmp_path / "past", keep_ms=2 * SEGMENT_MS)
    for _ in range(8):
        files.past.write(seen(files.now))
        files.now = Millis(files.now + SEGMENT_MS)
    assert files.names == ["6", "7", "8"]


def test_another_event_begins_with_no_figures(files: Files) -> None:
    files.past.write(HandCounted("01", (1, 7), Millis(5), {"p1": Tally(hands=1)}))
    files.past.write(FiguresAnew())
    files.open()
    assert [*files.past.read()] == []


def test_a_folder_that_takes_nothing_is_said_once_and_ends_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "past").write_text("a file")
    files = Files(tmp_path / "past")
    for at in range(3):
        files.past.write(seen(at))
    assert [*files.past.read()] == []
    assert len([one for one in caplog.messages if "not kept over a restart" in one]) == 1


def test_nobody_else_reads_them(files: Files) -> None:
    files.past.write(seen(2))
    assert (files.folder / "1").stat().st_mode & 0o077 == 0
    assert files.folder.stat().st_mode & 0o077 == 0


def test_a_record_of_another_program_ends_its_file(files: Files, caplog: pytest.LogCaptureFixture) -> None:
    files.past.write(seen(2))
    path = files.folder / "1"
    path.write_bytes(path.read_bytes().replace(path.read_bytes()[8:12], b"\x00\x00\x00\x00", 1))
    files.open()
    assert [*files.past.read()] == []
