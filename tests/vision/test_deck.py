"""The room's own deck as a third classifier. It confirms and contradicts names and never gives one alone."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from feltwire.cli import main
from tests.vision.looks import CountingReader, look, spread
from vision.cards.classifiers import CardVerdict, with_deck
from vision.cards.deck import ALL_CARDS, PRINT_SIZE, DeckPrints, DeckPrintsError, print_of
from vision.cards.enrol import DeckEnrolment, DeckTeacher, FaceSample, name_the_rest
from vision.cards.index import FLAT_SIZE, flatten, paper_of
from vision.cards.read import CardReader
from vision.cards.seen import CardReading
from vision.geometry.felt import Felt
from vision.geometry.pixels import Image
from vision.synthetic.felt import LyingCard, Renderer, Scene, SceneLight
from vision.synthetic.felt.faces import face
from vision.synthetic.felt.table import bare_cloth

CLOTH = (62, 96, 22)
SMALL = Felt(150.0, 150.0, 0.77, {}, 2)  # at as many px/mm as a camera above a table of nine has at 1080p
BLACK_COURTS = ("Jc", "Qc", "Kc", "Js", "Qs", "Ks")
PAPER = np.full(3, 245.0, np.float32)


def drawn(card: str, deck: str = "slab") -> Image:
    """A flat card as it was printed."""
    return np.asarray(cv2.resize(face(card, deck)[..., :3], FLAT_SIZE, interpolation=cv2.INTER_AREA), np.uint8)


@pytest.fixture(scope="module")
def printed() -> DeckPrints:
    """The deck as it was printed, all 52 cards."""
    return DeckPrints({name: print_of(drawn(name), PAPER) for name in ALL_CARDS})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two pictures of the spread deck, and the deck that was taught by them."""
    folder = tmp_path_factory.mktemp("deck")
    for i, cards in enumerate((ALL_CARDS[:26], ALL_CARDS[26:])):
        cv2.imwrite(str(folder / f"{i}.png"), spread(cards, seed=i))
    assert main(["vision", "enrol", str(folder), "--deck", "--out", str(folder / "room.npz")]) == 0
    return folder


@pytest.mark.slow("its fixture reads 52 cards closely enough to teach them")
def test_a_spread_deck_teaches_all_its_cards(folder: Path, printed: DeckPrints) -> None:
    taught = DeckPrints.load(folder / "room.npz")
    assert taught.missing == ()
    said = {name: printed.fits(taught.prints[name]) for name in ALL_CARDS}
    assert all(said[name] in (name, None) for name in ALL_CARDS)
    assert sum(name is not None for name in said.values()) > 40


@functools.cache
def small_table() -> Renderer:
    return Renderer(SMALL, bare_cloth(SMALL, CLOTH))


def alone(card: str, light: SceneLight, turn: float, seed: int) -> tuple[Image, np.ndarray]:
    """A picture of one card, and its corners in it."""
    scene = Scene(SMALL, (LyingCard(card, 75.0, 75.0, turn),), light=light, seed=seed, deck="slab")
    out = small_table().render(scene)
    return out.image, np.array(out.labels[0].corners, np.float32)


def test_the_deck_confirms_what_the_classifiers_are_not_sure_of_and_nothing_is_wrong(folder: Path) -> None:
    """0.77 pixels per millimetre, half the light. Where the deck says another card the name is withheld."""
    alone_read, with_deck = CardReader(), CardReader(deck=DeckPrints.load(folder / "room.npz"))
    confirmed, contradicted = [], []
    for i, name in enumerate(ALL_CARDS[::2]):
        picture, quad = alone(name, SceneLight(level=0.5, noise=3.0, blur_px=0.9), 37.0 * i, i)
        before, after = alone_read.look(picture, quad), with_deck.look(picture, quad)
        assert all(seen.card == name for seen in (before, after) if isinstance(seen, CardReading))
        if isinstance(after, CardReading) and not isinstance(before, CardReading):
            confirmed.append(name)
        if isinstance(before, CardReading) and not isinstance(after, CardReading):
            contradicted.append(name)
    assert len(confirmed) >= max(1, len(contradicted)), f"the deck costs readings: {contradicted}"


def test_the_deck_says_a_card_either_way_up_and_in_other_light(printed: DeckPrints) -> None:
    for i, name in enumerate(ALL_CARDS[::3]):
        picture, quad = alone(name, SceneLight(level=0.6, warmth=0.8, noise=3.0), 180.0 * (i % 2), i)
        flat = flatten(picture, quad)
        assert printed.said(flat, paper_of(flat)) in (name, None)
        assert printed.said(drawn(name)[::-1, ::-1], PAPER) == (name if name not in BLACK_COURTS else None)


def test_of_clubs_and_spades_that_differ_in_the_index_alone_the_deck_says_nothing(printed: DeckPrints) -> None:
    """In few pixels it would confirm what the classifiers took for a spade: it sees the same pixels."""
    assert all(printed.said(drawn(name), PAPER) is None for name in BLACK_COURTS)
    drawings = {"Jc": np.fliplr(drawn("Kc")), "Qc": np.fliplr(drawn("Jh")), "Kc": np.fliplr(drawn("Qd"))}
    with_drawings = DeckPrints(
        {**printed.prints, **{name: print_of(face, PAPER) for name, face in drawings.items()}}
    )
    assert all(with_drawings.said(face, PAPER) == name for name, face in drawings.items())


@pytest.mark.parametrize("run", [1490, 5522], ids=["a queen", "a jack"])
def test_the_deck_confirms_no_spade_that_is_a_club_in_few_pixels(run: int, folder: Path) -> None:
    """Courts of clubs that the classifiers lean to call spades, too few pixels to be certain."""
    reader = CountingReader(deck=DeckPrints.load(folder / "room.npz"))
    told = look(run, 21, reader)
    assert (told["card"][1], told["deck"], told["names"]) == ("c", "slab", [])


def test_of_what_is_not_in_it_the_deck_says_nothing(printed: DeckPrints) -> None:
    chance = np.random.default_rng(5)
    back = np.full((*FLAT_SIZE[::-1], 3), (52, 30, 142), np.uint8)
    noise = chance.integers(0, 255, back.shape, dtype=np.uint8)
    bare = np.full_like(back, 244)
    for flat in (back, noise, bare):
        assert printed.said(flat, paper_of(flat)) is None


# ---------------------------------------------------------------------------- one classifier among three


def test_the_deck_contradicts_confirms_and_never_names_a_card_alone() -> None:
    sure, unsure = CardVerdict("9h", 0.9999, (0, 1)), CardVerdict(None, 0.0, (0,), "not sure enough", "9h")
    assert with_deck(sure, "9h") == sure
    assert with_deck(sure, None) == sure
    assert with_deck(sure, "6h").card is None
    assert with_deck(unsure, "9h").card == "9h"
    assert with_deck(unsure, "6h").card is None
    assert with_deck(unsure, None) == unsure
    silent = CardVerdict(None, why="no index that can be read")
    assert with_deck(silent, "9h") == silent


def test_a_name_that_the_deck_contradicts_is_withheld(printed: DeckPrints) -> None:
    """A deck that was taught with two cards exchanged costs readings and never names the wrong one."""
    swapped = DeckPrints({**printed.prints, "9h": printed.prints["Kd"], "Kd": printed.prints["9h"]})
    reader = CardReader(deck=swapped)
    for name in ("9h", "Kd", "2c"):
        picture, quad = alone(name, SceneLight(), 0.0, 3)
        seen = reader.look(picture, quad)
        named = seen.card if isinstance(seen, CardReading) else None
        assert named == (name if name == "2c" else None)


# ------------------------------------------------------------------------------------ what is refused


def test_a_deck_that_is_not_whole_is_refused_and_says_which_cards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "some.png"), spread(ALL_CARDS[:6]))
    code = main(["vision", "enrol", str(tmp_path / "some.png"), "--deck", "--out", str(tmp_path / "room.npz")])
    said = capsys.readouterr().err
    assert code == 2
    assert "6 of 52 cards are known" in said
    assert "Ks" in said
    assert not (tmp_path / "room.npz").exists()


def test_the_last_card_left_is_the_one_that_is_missing(printed: DeckPrints) -> None:
    """Nothing is read of it and nothing else is missing; were two left, neither would be named."""

    def taught(hidden: tuple[str, ...]) -> DeckEnrolment:
        known = DeckEnrolment({n: FaceSample(p, 2.0) for n, p in printed.prints.items() if n not in hidden})
        known.unnamed = [[FaceSample(printed.prints[name], 2.0)] for name in hidden]
        name_the_rest(known)
        return known

    one = taught(("7s",))
    assert (one.missing, one.by_leaning) == ((), ["7s"])
    assert taught(("7s", "7c")).missing == ("7c", "7s")


def test_two_decks_in_the_pictures_are_noticed() -> None:
    with pytest.raises(DeckPrintsError, match="one deck only"):
        DeckTeacher().enrol([spread(["Kh", "Qs"], "slab"), spread(["Kh", "Qs"], "jumbo")])


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be opened"),
        (b"", "is no enrolled deck"),
        (b"PK\x03\x04 no archive", "is no enrolled deck"),
        (b"\x93NUMPY\x01\x00", "is no enrolled deck"),
    ],
)
def test_a_file_that_is_no_deck_is_named(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "room.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DeckPrintsError, match=says):
        DeckPrints.load(path)


def test_a_deck_damaged_on_its_card_is_named(printed: DeckPrints, tmp_path: Path) -> None:
    path = tmp_path / "room.npz"
    printed.save(path)
    whole = path.read_bytes()
    print_at = whole.index(b".npy") + 30
    path.write_bytes(whole[:print_at] + b"\xff" * 200 + whole[print_at + 200 :])  # what is no deflated data
    with pytest.raises(DeckPrintsError, match=r"room\.npz: is no enrolled deck"):
        DeckPrints.load(path)


def test_a_deck_of_other_cards_or_sizes_is_none(tmp_path: Path, printed: DeckPrints) -> None:
    one = printed.prints["Ah"]
    for wrong in ({"Ah": one}, {"1x": one, "Ah": one}, {"Ah": one[1:], "Kd": one}):
        with pytest.raises(DeckPrintsError):
            DeckPrints(wrong)
    np.savez(tmp_path / "half.npz", Ah=one, Kd=one)
    with pytest.raises(DeckPrintsError, match="enrol the whole deck"):
        DeckPrints.load(tmp_path / "half.npz")
    assert one.shape == (*PRINT_SIZE[::-1], 3)


def test_cards_reads_with_the_enrolled_deck(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = folder / "hand.png"
    cv2.imwrite(str(picture), spread(["Ah", "Td"], seed=9))
    assert main(["vision", "cards", str(picture), "--deck", str(folder / "room.npz"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {card["card"] for card in told["cards"]} == {"Ah", "Td"}
    assert main(["vision", "cards", str(picture), "--deck", str(picture)]) == 2
    assert "is no enrolled deck" in capsys.readouterr().err
