"""A director's own rulebook: checked in a shell, played at a table and at the station, kept in their ledgers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.config import ConfigError, TableConfig, load, rulebook_of
from feltwire.rulebooks import rulebook_named
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, Reply
from feltwire.station.station_io import Directed
from table_core.messages import Chips, RulebookSet, Seat, SeatStack, decode_envelope
from table_core.projections.table import TableProjection
from table_core.reference import rules_in_force, sentence
from table_core.rulebook import RulebookError, load_rulebook, rulebook_ids
from table_core.rulebook_check import contradictions
from table_core.rulebook_file import choices_of, names_of, value_fault, value_like
from table_core.tournament.events import TournamentOpened
from table_core.tournament.night import Night
from tests.feltwire.night_room import NightTable
from tests.feltwire.station_room import LEVELS, VENUE, Station, config, of

FRIDAY = Path(__file__).parents[2] / "nights" / "own" / "friday.toml"
GUIDE = Path(__file__).parents[3] / "docs" / "rulebook.md"
HEAD = 'id = "friday"\nname = "Friday"\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The book of the guide, in a file that a test may change."""
    path = tmp_path / "friday.toml"
    path.write_text(FRIDAY.read_text())
    return path


def test_the_guide_shows_the_book_that_the_tests_play() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert re.sub(r"^   ", "", block, flags=re.MULTILINE).strip() == FRIDAY.read_text().strip()


def test_a_sound_book_is_told_in_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulebook", "check", str(FRIDAY)]) == 0
    said = capsys.readouterr().out
    assert "  A table has at most 9 seats. (max_seats; base: 11)\n" in said
    assert "  The places are paid, in per cent: 50, 30, 20. (payouts; base is silent)\n" in said
    assert "  add_on: there are no add-ons\n" in said
    assert rulebook_named(str(FRIDAY)).sha256() in said


WRONG = [
    ("max_seat = 9", 3, "there is no such setting; did you mean max_seats"),
    ("[policies]\nrebuys = 1", 4, "it does not belong to [policies]; write it under [tournament]"),
    ('button = "spins"', 3, '"spins" is none of its words: dead, moving'),
    ("check_raise = 1", 3, "1 is not true or false; write check_raise = true or false"),
    ("rebuys = -1", 3, "-1 is below 0"),
    ("payouts = [50, 30]", 3, "they add up to 80 per cent"),
    ("payouts = [30, 70]", 3, "a place gets no money, or more than a better one"),
    ("payouts = [100]\npayout_stakes = [[5, 2]]", 3, "it contradicts payout_stakes"),
    ("max_seats = 12", 3, "a table of 12; write 2 to 11"),
    ("max_seats = 8\nfinal_table_size = 9", 4, "9 players where 8 sit"),
    ("table_breaks_at = [20, 9]\nmax_seats = 8\nseats_per_table = 8", 3, "20 players are left for 2 tables of 8"),
    ("table_breaks_at = [20, 9]\nfinal_table_size = 10", 4, "the last break leaves 9, the final table has 10"),
    ("rebuy_before_level = 4", 3, "it contradicts rebuys: there are no rebuys"),
    ("rebuys = 1\nrebuy_before_level = 1", 4, "rebuys end before the first hand"),
    ("penalty_ladder = []", 3, "a ladder without a rung"),
    ("buy_in = 20\nentry_fee = 25", 4, "fees of 25 out of a buy-in of 20"),
    ("starting_stack = 5000\nstarting_chips = [[25, 8]]", 4, "the chips are worth 200, the stack is 5,000"),
    ("clock_seconds = 10", 3, "a warning of 10 s, a clock of 10 s"),
    ("late_stack_cap = 0.5", 3, "it is for entries after the deadline, and there is none"),
    ("first_level = [50, 25]", 3, "is not a small and a big blind"),
    ('initial_button = "ace"', 3, "cards of one suit from ace to nine are drawn, and more players sit"),
    ("balance_at_difference = 1", 3, "tables that differ by one player would be balanced for ever"),
    ("bounty_price = 5", 3, "there are no bounties"),
    ('rebuys = { value = 1, rule = "no rule" }', 3, "'no rule' is no id of a rule"),
    ('[reasons]\n"phone" = { ladder = ["flogging"] }', 4, "no entry of [reasons]"),
    ('[notices]\nweather = "rain"', 4, "no entry of [notices]: there are: revision,"),
    ("rebuys 1", 3, "not TOML"),
]


@pytest.mark.parametrize(("lines", "line", "why"), WRONG, ids=[lines for lines, *_ in WRONG])
def test_what_is_wrong_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, line: int, why: str
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f"{HEAD}{lines}\n")
    assert main(["rulebook", "check", str(path)]) == 1
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{path}:{line}: ")
    assert why in first
    assert last.endswith("no table and no station takes the book before")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('name = "x"', "id: it is missing"),
        ('id = "friday"', "name: it is missing"),
        ('id = "wfp"\nname = "x"', "'wfp' is taken"),
        ('id = "Our Book"\nname = "x"', "is no id"),
    ],
)
def test_a_book_has_an_id_of_its_own_and_a_name(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(RulebookError, match=re.escape(why)):
        rulebook_named(str(path))


def test_a_process_does_not_start_under_a_book_that_contradicts_itself(tmp_path: Path) -> None:
    book, table = tmp_path / "own.toml", tmp_path / "table.toml"
    book.write_text(f"{HEAD}payouts = [50]\nmax_seats = 1\n")
    table.write_text(f'venue = "hall"\ntable = "01"\ndata = "."\nseats = []\nlevels = []\nrulebook = "{book}"\n')
    with pytest.raises(ConfigError, match=r"own.toml:3: payouts: .*; and 1 more: `feltwire rulebook check"):
        rulebook_of(load(table, TableConfig))


@pytest.mark.parametrize("book", rulebook_ids())
def test_the_books_of_the_program_hold_together_and_are_told_in_sentences(book: str) -> None:
    rulebook = load_rulebook(book)
    assert contradictions(rulebook) == ()
    for part in (rulebook.rules, rulebook.policies, rulebook.tournament):
        for name in part.__struct_fields__:
            rule = getattr(part, name)
            if rule is not None:
                told = sentence(name, rule.value)
                assert told.endswith("."), name
                assert "{" not in told, name


@pytest.mark.parametrize(
    "name", [name for section in ("rules", "policies", "tournament") for name in names_of(section)]
)
def test_every_setting_is_listed_with_a_value_that_it_can_have(name: str) -> None:
    assert value_fault(name, value_like(name)) == ""
    assert all(value_fault(name, word) == "" for word in choices_of(name) if isinstance(value_like(name), str))


def test_an_event_is_not_opened_with_settings_that_contradict_each_other() -> None:
    station = Station(config(("01",), rulebook="rpl")).up()
    wrong = Directed("1", "open", {"house": {"payouts": [60, 30]}}, by="Tess")
    (reply,) = of(station.give(wrong), Reply)
    assert reply.refused
    assert "payouts: they add up to 90 per cent; write shares that add up to 100" in reply.text
    (reply,) = of(station.give(Directed("3", "open", {"house": {"starting_stack": -5}}, by="Tess")), Reply)
    assert (reply.refused, "starting_stack: -5 is below 0" in reply.text) == (True, True)
    right = Directed("2", "open", {"house": {"payouts": [60, 40]}}, by="Tess")
    assert not of(station.give(right), Reply)[0].refused


def test_settings_are_listed_with_what_they_can_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulebook", "settings", "heads-up"]) == 0
    assert capsys.readouterr().out == (
        'heads_up_button = "small_blind" or "big_blind"\n'
        "    Heads-up the button posts: small blind. [rules; base: small blind]\n"
    )


def test_a_tables_ledger_has_the_whole_book(file: Path) -> None:
    seats = tuple(SeatStack(Seat(no), Chips(1_000), f"P{no}") for no in (1, 2, 3))
    table = NightTable("01", TableConfig(VENUE, "01", "unused", seats, LEVELS, 9, rulebook=str(file)))
    book = rulebook_named(str(file))
    file.unlink()
    read = TableProjection(VENUE, "01", load_rulebook("base"))
    for raw in table.raws:
        read.apply(decode_envelope(raw), "")
    (event,) = [e.data for e in map(decode_envelope, table.raws) if isinstance(e.data, RulebookSet)]
    assert (event.rulebook, event.sha256) == ("friday", book.sha256())
    assert read.rulebook == book
    assert read.rulebook.rules.raise_cap.rule == "friday.raise_cap"


def opened(file: Path) -> Station:
    station = Station(config(("01",), rulebook=str(file))).up()
    (reply,) = of(station.give(Directed("open-1", "open", {}, by="Tess")), Reply)
    assert not reply.refused, reply.text
    return station


def test_an_event_keeps_the_book_that_it_was_opened_with(file: Path) -> None:
    station = opened(file)
    book = rulebook_named(str(file))
    (event,) = [one.event for one in station.records if isinstance(one.event, TournamentOpened)]
    assert (event.rulebook, event.own) == ("friday", book.recorded)
    file.write_text(f"{HEAD}starting_stack = 9\n")
    again = station.killed()
    for press, arguments in (("register", {"player": "p1"}), ("enter", {"player": "p1"})):
        (reply,) = of(again.give(Directed(press, press, arguments, by="Tess")), Reply)
        assert not reply.refused, reply.text
    night = Night.replayed(again.records)
    assert night.state.book == book
    assert night.state.field.entrants["p1"].chips == 5_000


def test_a_table_with_another_version_of_the_file_is_told(file: Path) -> None:
    seats = tuple(SeatStack(Seat(no), Chips(1_000), f"P{no}") for no in (1, 2, 3))
    settings = TableConfig(VENUE, "01", "unused", seats, LEVELS, 9, rulebook=str(file))
    same = NightTable("01", settings)
    file.write_text(file.read_text().replace("raise_cap = 3", "raise_cap = 4"))
    for table, told in ((same, 1), (NightTable("01", settings), 0)):
        station = Station(config(("01",), rulebook=str(file)), leaseholders={"01": table.leaseholder}).up()
        for raw in table.raws:
            station.give(Arrived(topics.table(VENUE, "01", "event"), raw))
        alerts = [alert for alert in station.alerts if "copy the same file" in alert]
        assert len(alerts) == told, station.alerts


def test_the_rules_page_has_the_settings_of_the_book() -> None:
    rows = {row.id: row.statement for row in rules_in_force(rulebook_named(str(FRIDAY)))}
    assert rows["friday.max_seats"] == "A table has at most 9 seats."
    assert "friday.7" in rows
