"""A wall display: it counts on when no messages come."""

from __future__ import annotations

import random

import msgspec
import pytest

from feltwire.config import ClockConfig
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish, Say, Show
from feltwire.wall_clock.node import ClockNode
from table_core.messages import Beat, ClockState, FieldMoment, Millis, TournamentField, WallSound, encode
from table_core.projections.clock import clock_state
from table_core.projections.room import Field
from table_core.tournament.clock import TournamentClock
from tests.feltwire.station_room import LEVELS, MINUTE, VENUE

AHEAD = 5_000_000  # the wall's machine was started this much before the station's


class Wall:
    """The node, its page, and a station's clock whose messages arrive after a chosen delay."""

    def __init__(self) -> None:
        self.node = ClockNode(ClockConfig(venue=VENUE), boot="wall")
        self.clock = TournamentClock.new(LEVELS, boot="s1", now=Millis(0)).resume(Millis(0))
        self.at = 0  # the station's boot time
        self.ahead = AHEAD
        self.holds = Millis(0)  # the clock that beats name
        self.shown: list[ClockState] = []
        self.beats: list[Beat] = []
        self.fields: list[TournamentField] = []
        self.said: list[str] = []
        self.published: list[Publish] = []
        self.give(None)

    @property
    def now(self) -> Millis:
        return Millis(self.at + self.ahead)

    def give(self, given: Arrived | BusUp | BusDown | None) -> Wall:
        effects, self.wake_at = self.node.step(given, self.now)
        for effect in effects:
            match effect:
                case Show("clock"):
                    self.shown.append(msgspec.json.decode(effect.snapshot, type=ClockState))
                case Show("tournament"):
                    self.fields.append(msgspec.json.decode(effect.snapshot, type=TournamentField))
                case Show("beat"):
                    self.beats.append(msgspec.json.decode(effect.snapshot, type=Beat))
                case Say():
                    self.said.append(effect.text)
                case Publish():
                    self.published.append(effect)
                case _:
                    raise AssertionError(effect)
        return self

    def beat(self, *, delay: int = 0) -> Wall:
        raw = encode(Beat(self.clock.mark.boot, Millis(self.at), clock=self.holds))
        return self._arrive("beat", raw, delay)

    def state(self, *, delay: int = 0) -> Wall:
        state = clock_state(self.clock, Millis(self.at), Field(players=7, chips=7_000, entrants=9))
        return self._arrive("clock", encode(state), delay)

    def _arrive(self, leaf: str, raw: bytes, delay: int) -> Wall:
        self.at += delay
        return self.give(Arrived(topics.tournament(VENUE, leaf), raw))

    def silence(self, ms: int) -> Wall:
        """Nothing comes; the node wakes when it asked to."""
        end = self.at + ms
        while self.wake_at - self.ahead <= end:
            self.at = max(self.at, self.wake_at - self.ahead)
            self.give(None)
        self.at = end
        return self

    @property
    def left_now(self) -> int:
        """What a page shows now that counts from the last state it got."""
        last = self.shown[-1]
        return last.left_ms - (self.now - last.at if last.running else 0)


def test_the_stations_time_is_mapped_to_the_walls_own() -> None:
    wall = Wall().beat().state()
    assert wall.shown[-1].boot == "wall"
    assert wall.left_now == 20 * MINUTE
    wall.at += 3 * MINUTE
    assert wall.left_now == 17 * MINUTE


def test_it_counts_on_into_the_next_levels_when_station_broker_and_network_are_gone() -> None:
    wall = Wall().beat().state().give(BusDown("connection lost"))
    wall.silence(45 * MINUTE)
    shown = wall.shown[-1]
    assert (shown.level, wall.left_now) == (LEVELS[2], 5 * MINUTE)
    assert shown.next_level == LEVELS[3]
    wall.silence(10 * MINUTE)
    assert (wall.shown[-1].level, wall.left_now) == (LEVELS[3], 10 * MINUTE)
    wall.silence(60 * MINUTE)
    assert (wall.shown[-1].level, wall.shown[-1].left_ms) == (LEVELS[3], 0)


def test_every_level_begins_on_the_wall_in_its_instant() -> None:
    wall = Wall().beat().state()
    wall.silence(61 * MINUTE)
    begun: dict[tuple[int, bool], int] = {}
    for shown in wall.shown:
        begun.setdefault((shown.level.no, shown.level.is_break), shown.at - AHEAD)
    assert begun == {
        (1, False): 0,
        (2, False): 20 * MINUTE,
        (0, True): 40 * MINUTE,
        (3, False): 50 * MINUTE,
    }


def test_it_says_that_it_is_on_its_own_and_why_and_stops_saying_so() -> None:
    wall = Wall().give(BusUp()).beat().state()
    assert wall.shown[-1].note == ""
    wall.silence(2_500)
    assert wall.shown[-1].note == ""
    wall.silence(500)
    assert wall.shown[-1].note == "On its own, without word from the station."
    wall.give(BusDown("broker 10.0.0.2:1883: connection lost"))
    assert wall.shown[-1].note.endswith("(broker 10.0.0.2:1883: connection lost).")
    wall.give(BusUp()).beat()
    assert wall.shown[-1].note == ""


def test_a_beat_that_was_long_on_its_way_is_no_word_of_now() -> None:
    wall = Wall().give(BusUp()).beat().state().beat(delay=2_700)
    assert wall.shown[-1].note.startswith("On its own")
    wall.beat(delay=10)
    assert wall.shown[-1].note == ""


def test_a_clock_that_was_lost_is_said_to_be_missing_while_beats_come() -> None:
    """A queue that is full loses the message that says *pause*, and no connection ends."""
    wall = Wall().give(BusUp()).beat().state()
    wall.clock = wall.clock.pause(Millis(1_000))
    wall.holds = Millis(1_000)
    for _ in range(3):
        assert wall.shown[-1].note == ""
        wall.silence(1_000).beat()
    assert wall.shown[-1].note == "The station has another clock by now, which has not come yet."
    wall.state()
    assert (wall.shown[-1].running, wall.shown[-1].note) == (False, "")


def test_the_page_hears_a_beat_only_when_the_station_beats() -> None:
    wall = Wall().beat().state().silence(30_000)
    assert wall.beats == [Beat("wall", Millis(AHEAD))]


@pytest.mark.parametrize("seed", range(5))
def test_delays_make_the_wall_late_by_the_smallest_of_them_and_never_early(seed: int) -> None:
    chance = random.Random(seed)
    wall = Wall()
    delays = [chance.randint(3, 900) for _ in range(40)]
    for delay in delays:
        wall.beat(delay=delay)
        wall.at += 1_000 - delay
    wall.state(delay=chance.randint(3, 5_000))
    truth = wall.clock.read(Millis(wall.at)).left_ms
    assert wall.left_now - truth == min(delays)


def test_a_beat_held_up_for_seconds_changes_nothing() -> None:
    wall = Wall().beat(delay=2).state(delay=2)
    before = wall.left_now - wall.clock.read(Millis(wall.at)).left_ms
    wall.beat(delay=4_000)
    assert wall.left_now - wall.clock.read(Millis(wall.at)).left_ms == before == 2


@pytest.mark.parametrize("drift", [-500, 500])
def test_boot_clocks_that_drift_apart_are_followed_within_a_minute(drift: int) -> None:
    wall = Wall().beat().state()
    for _ in range(180):
        wall.at += 1_000
        wall.beat()
    wall.ahead += drift
    for _ in range(61):
        wall.at += 1_000
        wall.beat()
    assert wall.left_now == wall.clock.read(Millis(wall.at)).left_ms


def test_a_retained_state_without_a_beat_is_shown_standing_and_says_why() -> None:
    wall = Wall().state()
    assert (wall.shown[-1].running, wall.shown[-1].left_ms) == (False, 20 * MINUTE)
    assert wall.shown[-1].note == "Waiting for the station; this is the clock as last heard."
    wall.at += 2 * MINUTE
    wall.beat()
    assert (wall.shown[-1].running, wall.left_now, wall.shown[-1].note) == (True, 18 * MINUTE, "")


def test_nothing_heard_shows_nothing_and_waits() -> None:
    wall = Wall().give(BusDown("broker 10.0.0.2:1883: connection refused")).silence(60_000)
    assert wall.shown == []
    assert wall.said == ["broker 10.0.0.2:1883: connection refused"]


def test_a_paused_clock_stands_on_the_wall_too() -> None:
    wall = Wall().beat()
    wall.clock = wall.clock.pause(Millis(5 * MINUTE))
    wall.at = 5 * MINUTE
    wall.beat().state().silence(90 * MINUTE)
    assert (wall.shown[-1].running, wall.shown[-1].left_ms) == (False, 15 * MINUTE)


def test_an_older_state_does_not_undo_a_newer_one() -> None:
    wall = Wall().beat()
    old = clock_state(wall.clock, Millis(0), Field())
    wall.clock = wall.clock.pause(Millis(1_000))
    wall.at = 1_000
    wall.state()
    wall.give(Arrived(topics.tournament(VENUE, "clock"), encode(old)))
    assert not wall.shown[-1].running


def test_after_the_stations_reboot_the_wall_runs_on_until_it_knows_the_new_boots_time() -> None:
    wall = Wall().beat().state()
    wall.at += 4 * MINUTE
    wall.clock, _ = TournamentClock.restored(LEVELS, wall.clock.mark, boot="s2", now=Millis(900))
    wall.ahead, wall.at = wall.ahead + wall.at - 900, 900
    wall.state()
    assert wall.left_now == 16 * MINUTE  # not the new clock yet: whose time is unknown
    wall.beat()
    assert wall.left_now == 20 * MINUTE  # what the station now says


def test_what_cannot_be_read_is_named_and_nothing_changes() -> None:
    wall = Wall().beat().state()
    wall.give(Arrived(topics.tournament(VENUE, "clock"), b'{"boot": 3}'))
    assert "cannot be read (Expected `str`, got `int` - at `$.boot`)" in wall.said[-1]
    assert wall.left_now == 20 * MINUTE


def test_it_says_each_beat_of_the_station_back_under_its_own_name() -> None:
    wall = Wall().give(BusUp()).beat()
    wall.silence(1_000).beat()
    status, *beats = wall.published
    assert (status.topic, status.retain) == (f"fw/{VENUE}/process/wall/status", True)
    assert [(beat.topic, beat.qos, beat.retain) for beat in beats] == [
        (f"fw/{VENUE}/process/wall/beat", 0, False)
    ] * 2
    assert [msgspec.json.decode(beat.payload, type=Beat).at for beat in beats] == [0, 1_000]


def test_the_wall_sounds_what_happened_at_the_stations_instant() -> None:
    """Moments of a boot of the station that has not been heard are over; the field is shown all the same."""
    wall = Wall()
    moment = FieldMoment(1, WallSound.BUST, "s1", Millis(9_000))
    wall._arrive("field", encode(TournamentField("Friday", moments=(moment,))), 0)
    assert wall.fields[-1].event == "Friday"
    assert wall.fields[-1].moments == ()
    wall.beat()
    wall._arrive("field", encode(TournamentField("Friday", moments=(moment,))), 0)
    (own,) = wall.fields[-1].moments
    assert (own.boot, own.at) == ("wall", 9_000 + AHEAD)
