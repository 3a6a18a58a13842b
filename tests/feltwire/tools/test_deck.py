"""`feltwire deck`: decks enrolled, checked and shared, through the real command and a shoe on a line."""

from __future__ import annotations

import io
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.tools.deck import files
from firmware_bridge.decks import CARDS, Deck, DeckRegistry, generate
from firmware_bridge.decks.enrolment import PROOFS
from firmware_bridge.decks.order import NEW_DECK, cards_of
from firmware_bridge.decks.wear import Worn
from firmware_bridge.shoe import Uid
from firmware_bridge.sim import SimShoe
from firmware_bridge.sim.firmware_device import FirmwareDevice
from table_core.messages import CardText
from tests.feltwire.processes import PATIENCE_S
from tests.feltwire.tools.deck_desk import Told, settings

ORDER = cards_of(NEW_DECK)
ROOM = DeckRegistry.parse(generate(11, decks=4))  # the decks that lie on the desk: what truly is in which card
Cards = dict[CardText, Uid]


def cards_in(deck: str) -> Cards:
    return dict(ROOM.decks[deck].cards)


class Desk:
    """A person with a deck at a shoe."""

    def __init__(self, config: Path, shoe: SimShoe | FirmwareDevice) -> None:
        self.config = config
        self.shoe = shoe
        self.told: Told | None = None

    def begin(self, name: str, *more: str) -> Told:
        self.told = Told("enrol", "--config", self.config, "--name", name, *more)
        self.told.wait(1)
        return self.told

    def passes(self, *uids: Uid | None) -> None:
        """Each card, and what is said to it; cards that come when all is said go into the empty."""
        assert self.told is not None
        for uid in uids:
            before = len(self.told.lines)
            self.shoe.deal(None if uid is None else uid.reveal())
            self.told.wait(before + 1)

    def proves(self, cards: Cards) -> int:
        """Passes the cards that are asked for as a proof; how the command ends."""
        assert self.told is not None
        for place in PROOFS:
            if "look for the" not in self.told.lines[-1].get("says", ""):
                break
            assert f"look for the {ORDER[place]}" in self.told.says
            before = len(self.told.lines)
            self.shoe.deal(cards[ORDER[place]].reveal())
            self.told.wait(before + 2)
        return self.told.end()

    @property
    def registry(self) -> DeckRegistry:
        return DeckRegistry.load(self.config.parent / "decks.toml")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    config = settings(tmp_path / "t1")
    with SimShoe(tmp_path / "t1" / "shoe") as shoe:
        yield Desk(config, shoe)


@pytest.fixture
def firmware_desk(tmp_path: Path) -> Iterator[Desk]:
    """The shoe's own firmware, its beams and its reader."""
    config = settings(tmp_path / "t1")
    with FirmwareDevice("shoe", tmp_path / "t1" / "shoe") as shoe:
        yield Desk(config, shoe)


def test_four_decks_with_faults_end_in_the_right_registry_or_a_sentence(desk: Desk, tmp_path: Path) -> None:
    enrol_four_decks(desk, tmp_path / "t1")


@pytest.mark.slow("the firmware's shoe passes some three hundred cards, each as fast as a dealer draws it")
def test_four_decks_with_faults_through_the_firmwares_own_shoe(firmware_desk: Desk, tmp_path: Path) -> None:
    enrol_four_decks(firmware_desk, tmp_path / "t1")


def enrol_four_decks(desk: Desk, folder: Path) -> None:
    red, blue, green = (cards_in(name) for name in ("red", "blue", "green"))

    # A whole deck; interrupted at card 37, it goes on from there.
    first = desk.begin("red-1", "--back", "red")
    desk.passes(*[red[card] for card in ORDER[:37]])
    first.kill()
    second = desk.begin("red-1", "--back", "red")
    assert f"goes on with card 38, the {ORDER[37]}" in second.says
    desk.passes(*[red[card] for card in ORDER[37:51]])
    desk.passes(red[ORDER[51]])
    second.wait(17)
    assert desk.proves(red) == 0
    assert second.lines[-1] == {"deck": "red-1", "enrolled": True, "cards": 52, "why": ""}

    # A card is missing: a sentence; it is found, and does not lie in its place: a sentence; sorted, it is right.
    missing = desk.begin("blue-1", "--back", "blue")
    desk.passes(*[blue[card] for card in ORDER if card != "7h"])
    missing.enter()
    assert missing.end() == 1
    assert "51 of 52 cards have passed" in missing.lines[-1]["why"]
    shifted = desk.begin("blue-1", "--back", "blue")
    desk.passes(blue[CardText("7h")])
    shifted.wait(3)
    desk.passes(blue[CardText("Ah")])
    assert shifted.end() == 1
    assert "the deck did not lie in the order" in shifted.lines[-1]["why"]
    sorted_ = desk.begin("blue-1", "--back", "blue", "--again")
    desk.passes(*[blue[card] for card in ORDER])
    sorted_.wait(54)
    assert desk.proves(blue) == 0

    # A card of another deck lies in it, a card does not answer at first, two come together.
    mixed = desk.begin("green-1", "--back", "green")
    desk.passes(*[green[card] for card in ORDER[:9]], red[CardText("9d")])
    assert "That is the 9d of the deck red-1: take it out" in mixed.says
    desk.passes(None, *[green[card] for card in ORDER[10:52]])
    mixed.wait(55)
    assert mixed.says == f"Pass these again, in this order: {ORDER[9]}"
    before = len(mixed.lines)
    desk.passes(green[ORDER[9]])
    mixed.wait(before + 2)
    assert desk.proves(green) == 0

    # A card is doubled: one too many.
    doubled = desk.begin("black-1", "--back", "black")
    black = cards_in("black")
    desk.passes(*[black[card] for card in ORDER[:51]], Uid(b"\xe0\x04double"), black[ORDER[51]])
    assert doubled.end() == 1
    assert "of the Ah" in doubled.lines[-1]["why"]
    assert "begin again with --again, or enrol it with the camera" in doubled.lines[-1]["why"]

    registry = desk.registry
    assert {name: dict(deck.cards) for name, deck in registry.decks.items()} == {
        "red-1": red,
        "blue-1": blue,
        "green-1": green,
    }
    assert [deck.back for deck in registry.decks.values()] == ["red", "blue", "green"]
    assert stat.S_IMODE((folder / "decks.toml").stat().st_mode) == 0o600
    assert [path.name for path in folder.glob("*.draft")] == ["decks.toml.black-1.draft"]


def test_what_an_earlier_hand_left_in_the_shoe_is_passed_over(desk: Desk) -> None:
    red = cards_in("red")
    for card in ("Ah", "Kd", "2c"):
        desk.shoe.deal(red[CardText(card)].reveal())
    told = desk.begin("red-1")
    desk.passes(*[red[card] for card in ORDER])
    told.wait(54)
    assert desk.proves(red) == 0
    assert dict(desk.registry.decks["red-1"].cards) == red


def test_a_report_that_comes_again_is_the_same_card(desk: Desk) -> None:
    """A card without a tag that is told twice would shift every card behind it."""
    red = cards_in("red")
    told = desk.begin("red-1")
    told.freeze()
    desk.shoe.deal(None)
    assert isinstance(desk.shoe, SimShoe)
    while desk.shoe.resent < 2:
        time.sleep(0.02)
    told.thaw()
    told.wait(2)
    desk.passes(red[ORDER[1]])
    assert [line["says"] for line in told.lines[1:]] == [
        f"The {ORDER[0]} did not answer: keep it apart, it passes again at the end.",
        f"2 of 52: {ORDER[1]}",
    ]
    told.kill()


def enrolled(folder: Path, table: str, decks: tuple[str, ...]) -> Path:
    """A table's settings, with these decks of the room."""
    config = settings(folder, table)
    files.save(folder / "decks.toml", DeckRegistry([ROOM.decks[name] for name in decks]))
    return config


def test_a_deck_is_checked(tmp_path: Path) -> None:
    config = enrolled(tmp_path / "t1", "01", ("red", "blue"))
    red, blue = cards_in("red"), cards_in("blue")
    with SimShoe(tmp_path / "t1" / "shoe") as shoe:
        for uids, status, says in (
            ([red[card] for card in CARDS], 0, ["red: all 52 cards are there"]),
            (
                [red[card] for card in CARDS if card != "Qs"] + [blue[CardText("Qs")]],
                1,
                [
                    "red: missing: Qs. Look for them, or put the deck aside",
                    "red: the Qs of blue is in it: take it out",
                ],
            ),
        ):
            told = Told("check", "--config", config)
            told.wait(1)
            for uid in uids:
                shoe.deal(uid.reveal())
            assert shoe.wait_acked(PATIENCE_S)
            if status:
                told.enter()
            assert told.end() == status
            assert told.lines[-1]["says"] == says


def test_decks_are_put_in_use_rotated_and_shared_between_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = enrolled(tmp_path / "t1", "01", ("red", "blue"))
    second = enrolled(tmp_path / "t2", "02", ("green",))
    packed = tmp_path / "packed.toml"
    assert main(["deck", "export", "--config", str(second), "--to", str(packed)]) == 0
    assert stat.S_IMODE(packed.stat().st_mode) == 0o600
    assert main(["deck", "merge", "--config", str(first), str(packed)]) == 0
    registry = DeckRegistry.load(tmp_path / "t1" / "decks.toml")
    assert (registry.deck_names, registry.in_use) == (("red", "blue", "green"), ("red", "blue"))
    assert main(["deck", "use", "--config", str(first), "green", "blue"]) == 0
    out = capsys.readouterr().out
    assert out.endswith("take out red (red backs)\nput in green (green backs)\nstays blue (blue backs)\n")
    assert main(["deck", "list", "--config", str(first)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "red: red backs, put aside, 0 hands",
        "blue: blue backs, in use, 0 hands",
        "green: green backs, in use, 0 hands",
    ]


def test_of_each_colour_the_deck_that_has_dealt_least_comes_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = settings(tmp_path / "t1")
    dealt = {"red": ("red", 812), "blue": ("blue", 40), "green": ("red", 9), "black": ("red", 300)}
    decks = [
        Deck(name, ROOM.decks[name].cards, back, {"07": Worn(hands=hands)})
        for name, (back, hands) in dealt.items()
    ]
    files.save(tmp_path / "t1" / "decks.toml", DeckRegistry(decks, ("red", "blue")))
    assert main(["deck", "rotate", "--config", str(config)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "take out red (red backs)",
        "put in green (red backs)",
        "stays blue (blue backs)",
    ]


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("enrol", "--name", "a/b"), "deck 'a/b': write letters, digits"),
        (("enrol", "--name", "red"), "deck 'red' is enrolled already; `feltwire deck check`, or --again"),
        (("enrol", "--name", "x", "--order", "As-Ks"), "--order: order 'As-Ks' lacks 2c, 3c, 4c"),
        (("check", "--name", "pink"), "there is no deck 'pink'; there are red"),
        (("check", "--camera"), "this table has no camera"),
        (("use", "pink"), "there is no deck 'pink'; there are red"),
        (("merge", "none.toml"), "none.toml: cannot be read"),
        (("export", "pink", "--to", "out.toml"), "there is no deck 'pink'"),
    ],
)
def test_what_will_not_do_is_one_line(
    command: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = enrolled(tmp_path / "t1", "01", ("red",))
    assert main(["deck", command[0], "--config", str(config), *command[1:]]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_a_shoe_that_does_not_answer_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("feltwire.tools.deck.enrol.SHOE_S", 0.5)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    config = settings(tmp_path / "t1")
    assert main(["deck", "enrol", "--config", str(config), "--name", "red"]) == 2
    assert "the shoe does not answer: " in (error := capsys.readouterr().err)
    assert "not there; plug it in" in error


def test_the_table_reads_what_root_has_enrolled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, int, int]] = []
    monkeypatch.setattr(files.os, "geteuid", lambda: 0)
    monkeypatch.setattr(files.os, "chown", lambda path, user, group: given.append((Path(path).name, user, group)))
    enrolled(tmp_path / "t1", "01", ("red",))
    owner = (tmp_path / "t1").stat()
    assert given == [("decks.toml", owner.st_uid, owner.st_gid)]
