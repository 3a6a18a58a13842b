"""The card reader: right or withheld, over faces that it has never met."""

from __future__ import annotations

import ast
import functools
import hashlib
import inspect
import json
import math
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.cards
import vision.train
from feltwire.lab.simroom.felt.lights import LIGHTS
from table_core.messages import Zone
from vision.cards import CardReader
from vision.cards.find import SearchRegion
from vision.cards.network import ModelError
from vision.cards.read import _not_contradicted
from vision.cards.seen import CardReading
from vision.cards.signs import MODEL
from vision.geometry.felt import Felt
from vision.synthetic.felt import Cover, Label, LyingCard, Renderer, Scene, SceneLight
from vision.synthetic.felt.faces import DECKS
from vision.synthetic.felt.table import bare_cloth, empty_table
from vision.watching.watched import Annotation, Kind, is_for_things
from vision.watching.watcher import MOST_VOTES, Watcher

FELT = Felt.for_seats(8)
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(FELT)


def whole(image: np.ndarray) -> SearchRegion:
    inside = np.full(image.shape[:2], 255, np.uint8)
    rim = inside.copy()
    rim[8:-8, 8:-8] = 0
    return SearchRegion.of(inside, rim)


@functools.cache
def middle() -> Renderer:
    """160 mm in the middle of the table."""
    x, y = FELT.to_px((700, 560)).astype(int)
    half = int(80 * FELT.px_per_mm)
    part = Felt(2 * half / FELT.px_per_mm, 2 * half / FELT.px_per_mm, FELT.px_per_mm, {}, FELT.seats)
    return Renderer(part, empty_table(FELT)[y - half : y + half, x - half : x + half])


def close_up(card: str | None, angle: float, light: SceneLight | None = None) -> np.ndarray:
    """A crop of 160 mm around one card in the middle of the table."""
    part = middle().felt
    lies = LyingCard(card, part.width_mm / 2, part.height_mm / 2, angle)
    return middle().render(Scene(part, (lies,), light=light or SceneLight())).image


@pytest.mark.parametrize("card", DECK)
def test_every_card_is_read_at_any_angle(reader: CardReader, card: str) -> None:
    for angle in range(0, 360, 40):
        crop = close_up(card, angle + DECK.index(card) % 7)
        seen = reader.read(crop, whole(crop), FELT.px_per_mm)
        assert [reading.card for reading in seen.cards] == [card]
        assert (seen.unread, seen.face_down) == ((), ())


@pytest.mark.parametrize(("card", "told"), [("9d", ["9d"]), ("8s", ["8s"]), ("Kd", []), ("Js", [])])
def test_where_a_camera_knows_no_colours_counted_pips_still_name_a_card(
    reader: CardReader, monkeypatch: pytest.MonkeyPatch, card: str, told: list[str]
) -> None:
    """Webcams print hearts in brown. A court has no pips to count, and stays withheld."""
    monkeypatch.setattr("vision.cards.classifiers.ink_of", lambda index: None)
    crop = close_up(card, 12)
    assert [reading.card for reading in reader.read(crop, whole(crop), FELT.px_per_mm).cards] == told


def test_a_back_is_a_back_at_any_angle(reader: CardReader) -> None:
    for angle in range(0, 180, 15):
        crop = close_up(None, angle)
        seen = reader.read(crop, whole(crop), FELT.px_per_mm)
        assert (seen.cards, seen.unread, len(seen.face_down)) == ((), (), 1)


def mid_hand(rng: random.Random) -> tuple[LyingCard, ...]:
    """A board, hands tabled and hands face down, all a little askew."""
    deck, cards = rng.sample(DECK, len(DECK)), []
    hands = [(Zone.cards(seat), 2, rng.random() < 0.6) for seat in range(1, FELT.seats + 1)]
    for zone, count, face_up in [(Zone.BOARD, 5, True), *hands]:
        for i in range(count):
            x, y, angle = FELT.spot(zone, i, count)
            at = (x + rng.uniform(-2, 2), y + rng.uniform(-4, 4))
            turn = angle + rng.gauss(0, 2.0) + rng.choice((0, 180))
            cards.append(LyingCard(deck.pop() if face_up else None, *at, turn))
    return tuple(cards)


def thrown(rng: random.Random) -> tuple[LyingCard, ...]:
    """Cards over each other in every zone for cards."""
    deck, cards = rng.sample(DECK, len(DECK)), []
    for zone, where in FELT.zones.items():
        for _ in range(0 if is_for_things(zone) else rng.randint(1, 3)):
            right, down = rng.uniform(-0.3, 0.3) * where.width, rng.uniform(-0.15, 0.15) * where.height
            card = deck.pop() if rng.random() < 0.7 else None
            cards.append(LyingCard(card, *where.at(right, down), where.angle_deg + rng.gauss(0, 25)))
    return tuple(cards)


def told(renderer: Renderer, scene: Scene, reader: CardReader) -> Counter[str]:
    """The faces of a scene, and what the watcher says of them: a name is right where that card lies."""
    watcher = Watcher(FELT, reader)
    for look in range(4 * MOST_VOTES):
        shot = renderer.render(replace(scene, seed=scene.seed + look))
        watcher.step(shot.image)
    named = [box for zone in watcher.watched.values() for box in zone.boxes if box.kind is Kind.READ]
    right = [box for box in named if any(box.text == card.card and near(box, card) for card in shot.labels)]
    faces = sum(card.face_up for card in shot.labels)
    return Counter(faces=faces, read=len(right), wrong=len(named) - len(right))


def near(box: Annotation, card: Label) -> bool:
    return math.dist(*(np.mean(quad, axis=0) for quad in (box.corners, card.corners))) < 15


@pytest.mark.parametrize("light", ["normal", "bright", "dim", "night", "lamp", "soft"])
def test_tables_in_every_light_hold_no_wrong_name(reader: CardReader, renderer: Renderer, light: str) -> None:
    rng, total = random.Random(11), Counter[str]()
    for _ in range(2):
        total += told(renderer, Scene(FELT, mid_hand(rng), button=3, light=LIGHTS[light]), reader)
    assert total["wrong"] == 0
    assert total["read"] >= 0.97 * total["faces"]


def test_piles_hands_and_cloths_never_give_a_wrong_name(reader: CardReader, renderer: Renderer) -> None:
    rng, total = random.Random(12), Counter[str]()
    for _ in range(4):
        over = tuple((zone, rng.choice(list(Cover))) for zone in rng.sample([*FELT.zones], 3))
        total += told(renderer, Scene(FELT, thrown(rng), covered=over), reader)
    assert total["wrong"] == 0
    assert total["faces"] > 40


def test_a_picture_too_bad_to_read_is_withheld(reader: CardReader) -> None:
    for card in DECK[::5]:
        crop = cv2.GaussianBlur(close_up(card, 10), (0, 0), 4.0)
        assert reader.read(crop, whole(crop), FELT.px_per_mm).cards == ()


def test_a_face_without_its_indices_is_unread_not_guessed(reader: CardReader) -> None:
    crop = close_up("9h", 0).copy()
    x, y = crop.shape[1] / 2, crop.shape[0] / 2
    paper = crop[int(y) - 20, int(x) - 20].tolist()
    mm = FELT.px_per_mm
    for sx, sy in ((-1, -1), (1, 1)):
        corner = (
            (round(x + sx * 13 * mm), round(y + sy * 2 * mm)),
            (round(x + sx * 30 * mm), round(y + sy * 43 * mm)),
        )
        cv2.rectangle(crop, *corner, paper, -1)
    seen = reader.read(crop, whole(crop), mm)
    assert seen.cards == ()
    assert [unread.why for unread in seen.unread] == ["no index that can be read"]


def test_corners_that_differ_are_unread(reader: CardReader) -> None:
    one, other = close_up("5c", 0), close_up("8c", 0)
    half = one.shape[0] // 2
    seen = reader.read(mixed := np.vstack([one[:half], other[half:]]), whole(mixed), FELT.px_per_mm)
    assert seen.cards == ()
    assert [unread.why for unread in seen.unread] == ["the corners or the classifiers disagree"]


@pytest.mark.parametrize(("card", "body"), [("5h", "3h"), ("6d", "4d"), ("3c", "5c")])
def test_however_sure_the_corners_are_the_pips_must_be_as_many(reader: CardReader, card: str, body: str) -> None:
    honest, forged = close_up(card, 0), close_up(body, 0).copy()
    assert [reading.card for reading in reader.read(honest, whole(honest), FELT.px_per_mm).cards] == [card]
    half, mm = honest.shape[0] / 2, FELT.px_per_mm
    near, low, far = (round(half + at * mm) for at in (15.0, 8.0, 50.0))
    for index in (np.s_[low:far, near:far], np.s_[-far:-low, -far:-near]):
        forged[index] = honest[index]
    seen = reader.read(forged, whole(forged), mm)
    assert seen.cards == ()
    assert [unread.why for unread in seen.unread] == ["the corner and the whole card differ"]


def test_red_clubs_are_nobodys_card(reader: CardReader) -> None:
    crop = close_up("Kh", 0)
    black = np.repeat(crop.min(axis=2, keepdims=True), 3, axis=2)
    red_card = crop.max(axis=2, keepdims=True) > 150
    seen = reader.read(image := np.where(red_card, black, crop), whole(image), FELT.px_per_mm)
    assert seen.cards == ()


def test_an_empty_felt_holds_nothing(reader: CardReader, renderer: Renderer) -> None:
    image = renderer.render(Scene(FELT)).image[500:700, 500:800]
    seen = reader.read(image, whole(image), FELT.px_per_mm)
    assert (seen.cards, seen.unread, seen.face_down, seen.clutter) == ((), (), (), 0.0)


def test_noise_is_no_card(reader: CardReader) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        noise = cv2.resize(rng.integers(0, 256, (20, 20, 3), np.uint8), (200, 200), interpolation=cv2.INTER_CUBIC)
        assert reader.read(noise, whole(noise), 1.0).cards == ()


def test_a_missing_or_damaged_model_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"python -m vision\.train"):
        CardReader(tmp_path / "none.npz")
    (tmp_path / "bad.npz").write_bytes(b"no model")
    with pytest.raises(ModelError, match="no trained file"):
        CardReader(tmp_path / "bad.npz")


def test_the_trained_files_are_small_and_are_those_of_the_recipe() -> None:
    recipe = json.loads((MODEL.parent / "recipe.json").read_text())
    assert set(recipe["sha256"]) == {"signs.npz", "corner.onnx", "whole.npz", "joker.npz"}
    for name, digest in recipe["sha256"].items():
        trained = (MODEL.parent / name).read_bytes()
        assert len(trained) < 3_000_000
        assert hashlib.sha256(trained).hexdigest() == digest, f"{name} is not what the recipe says"


@pytest.mark.parametrize("package", [vision.cards, vision.train])
def test_reader_and_training_never_import_the_renderer(package: object) -> None:
    folder = Path(inspect.getfile(package)).parent  # type: ignore[arg-type]
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.startswith(("vision.synthetic.felt", "vision.score")) for name in names), path.name


def test_half_light_reads_as_well_as_full(reader: CardReader) -> None:
    for card in ("Ah", "8s", "Tc"):
        crop = close_up(card, 33, replace(SceneLight(), level=0.5))
        assert [r.card for r in reader.read(crop, whole(crop), FELT.px_per_mm).cards] == [card]


FINE = Felt(300.0, 220.0, 1.8, {})


def on_cloth(
    cards: tuple[LyingCard, ...], deck: str = "regular", cloth: tuple[int, int, int] = (62, 96, 22)
) -> np.ndarray:
    """A piece of bare cloth, green unless said, 300 × 220 mm at 1.8 px/mm, with cards on it."""
    return Renderer(FINE, bare_cloth(FINE, cloth)).render(Scene(FINE, cards, deck=deck)).image


@pytest.mark.parametrize("deck", DECKS)
def test_decks_of_every_kind_are_read(reader: CardReader, deck: str) -> None:
    """By one look each; of all 312 cards one is unread (the jumbo king of clubs, 21 mm tall)."""
    unread = []
    for card in ("Ah", "3s", "Qd", "Tc", "7d", "Kc"):
        crop = on_cloth((LyingCard(card, 150, 110, 17),), deck)
        named = [seen.card for seen in reader.read(crop, whole(crop), FINE.px_per_mm).cards]
        assert named in ([card], [])
        unread += [] if named else [card]
    assert len(unread) <= 1


def test_a_card_under_another_is_told_by_the_index_that_shows(reader: CardReader) -> None:
    crop = on_cloth((LyingCard("9s", 140, 110, 0), LyingCard("Kh", 166, 124, 6)))
    seen = reader.read(crop, whole(crop), FINE.px_per_mm)
    assert {card.card for card in seen.cards} == {"9s", "Kh"}


@pytest.mark.parametrize("cloth", [(62, 96, 22), (116, 152, 172)], ids=["green", "sand"])
def test_overlapped_cards_are_read_on_a_pale_cloth_as_on_a_dark_one(
    reader: CardReader, cloth: tuple[int, int, int]
) -> None:
    crop = on_cloth((LyingCard("9s", 140, 110, 0), LyingCard("Kh", 166, 124, 6)), cloth=cloth)
    seen = reader.read(crop, whole(crop), FINE.px_per_mm)
    assert {card.card for card in seen.cards} == {"9s", "Kh"}


def test_every_index_of_a_jumbo_fan_is_read(reader: CardReader) -> None:
    """Its ranks are 21 mm tall, and the edges of its cards lie white on white."""
    fan = (LyingCard("4h", 120, 106, -12), LyingCard("8s", 146, 104, 0), LyingCard("Qd", 172, 108, 12))
    crop = on_cloth(fan, "jumbo")
    assert {card.card for card in reader.read(crop, whole(crop), FINE.px_per_mm).cards} == {"4h", "8s", "Qd"}


def test_one_place_is_one_card() -> None:
    """A half covered diamond may look like a spade; the card's other index knows better, and neither is told."""
    card = ((0.0, 0.0), (127.0, 0.0), (127.0, 178.0), (0.0, 178.0))
    turned = (*card[2:], *card[:2])
    one, other = CardReading("4s", 0.9999, card, ((12, 26),)), CardReading("4d", 0.9997, turned, ((115, 152),))
    assert _not_contradicted([one, other], 12.0) == []
    below = tuple((x + 30.0, y + 16.0) for x, y in card)  # its own index shows beside the upper card
    apart = replace(other, corners=below, indices=((145, 168),))
    assert [told.card for told in _not_contradicted([one, apart], 12.0)] == ["4s", "4d"]


def test_of_a_card_without_a_visible_index_nothing_is_said(reader: CardReader) -> None:
    """Its right half shows, with neither index: the lower card is never named, whatever its pips look like."""
    for lower in ("5c", "8d", "Js"):
        over = (LyingCard("4h", 128, 92, 0), LyingCard("2s", 172, 140, 0))
        crop = on_cloth((LyingCard(lower, 150, 116, 0), *over))
        seen = reader.read(crop, whole(crop), FINE.px_per_mm)
        assert lower not in {card.card for card in seen.cards}


def test_a_joker_is_no_card(reader: CardReader) -> None:
    """JOKER down its corners, as on many decks, and a star below."""
    crop = on_cloth((LyingCard(None, 150, 110, 0),)).copy()
    mm = FINE.px_per_mm
    left, top = (round(float(v)) for v in FINE.to_px((150 - 31, 110 - 44)))
    right, bottom = (round(float(v)) for v in FINE.to_px((150 + 31, 110 + 44)))
    cv2.rectangle(crop, (left, top), (right, bottom), (240, 245, 246), -1)
    for _ in range(2):
        x, y = (round(float(v)) for v in FINE.to_px((150 - 27, 110 - 33)))
        for i, letter in enumerate("JOKER"):
            at = (x, y + round(9 * i * mm))
            cv2.putText(crop, letter, at, cv2.FONT_HERSHEY_DUPLEX, 0.55, (30, 30, 30), 1, cv2.LINE_AA)
        crop = np.ascontiguousarray(crop[::-1, ::-1])
    seen = reader.read(crop, whole(crop), mm)
    assert seen.cards == ()
    assert len(seen.unread) == 1


# ------------------------------------------------------------------------------ backs on each other


@pytest.fixture(scope="module")
def piece() -> Renderer:
    """A piece of bare felt."""
    felt = Felt(340.0, 260.0, FELT.px_per_mm, {}, 2)
    return Renderer(felt, bare_cloth(felt, (62, 96, 22)))


def backs_seen(reader: CardReader, piece: Renderer, *lying: LyingCard) -> int:
    crop = piece.render(Scene(piece.felt, lying)).image
    seen = reader.read(crop, whole(crop), piece.felt.px_per_mm)
    assert (seen.cards, seen.unread) == ((), ())
    return sum(back.cards for back in seen.face_down)


@pytest.mark.parametrize("turn", [0.0, 24.0, 90.0])
def test_two_backs_over_each_other_are_two(reader: CardReader, piece: Renderer, turn: float) -> None:
    two = LyingCard(None, 160.0, 130.0, turn), LyingCard(None, 180.0, 134.0, turn + 12)
    assert backs_seen(reader, piece, *two) == 2


def test_of_a_pile_of_backs_at_least_as_many_are_told_as_show_sides(reader: CardReader, piece: Renderer) -> None:
    three = LyingCard(None, 120, 120, 90), LyingCard(None, 165, 125, 10), LyingCard(None, 215, 130, 80)
    assert backs_seen(reader, piece, *three) == 3


@pytest.mark.parametrize("turn", [0.0, 10.0, 77.0])
def test_a_back_between_others_in_a_row_is_one_though_no_corner_of_it_shows(
    reader: CardReader, piece: Renderer, turn: float
) -> None:
    right, down = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    for apart in (40.0, 50.0):  # nearer together two could show the same outline
        row = [LyingCard(None, 170 + at * apart * right, 130 + at * apart * down, turn) for at in (-1, 0, 1)]
        assert backs_seen(reader, piece, *row) == 3


def test_never_more_backs_are_told_than_lie_there(reader: CardReader, piece: Renderer) -> None:
    chance = np.random.default_rng(11)
    for count in (1, 2, 3, 4) * 5:
        at = chance.normal((170, 130), (22, 18), (count, 2))
        lying = [LyingCard(None, float(x), float(y), float(chance.uniform(0, 180))) for x, y in at]
        assert backs_seen(reader, piece, *lying) <= count


@pytest.mark.parametrize("pitch_mm", [3.0, 5.0, 7.0])
@pytest.mark.parametrize("px_per_mm", [1.0, 1.6])
def test_a_pale_pattern_with_a_white_border_is_a_back(
    reader: CardReader, pitch_mm: float, px_per_mm: float
) -> None:
    """Half of it is as bare as a face."""
    image = patterned_back(pitch_mm, px_per_mm)
    seen = reader.read(image, whole(image), px_per_mm)
    assert (len(seen.face_down), seen.cards, seen.unread, seen.jokers) == (1, (), (), ())


def patterned_back(pitch_mm: float, px_per_mm: float) -> np.ndarray:
    """A chequered card of 63.5 x 88.9 mm on green cloth, turned a little, with 3 mm of white around."""
    fine = 8 * px_per_mm
    card = np.full((round(88.9 * fine), round(63.5 * fine), 3), 235, np.uint8)
    edge, pitch = round(3 * fine), pitch_mm * fine
    y, x = np.mgrid[: card.shape[0] - 2 * edge, : card.shape[1] - 2 * edge]
    dark = ((x // (pitch / 2)).astype(int) + (y // (pitch / 2)).astype(int)) % 2 == 0
    card[edge:-edge, edge:-edge][dark] = (150, 90, 60)
    small = cv2.resize(card, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA)
    side = round(130 * px_per_mm)
    turned = cv2.getRotationMatrix2D((small.shape[1] / 2, small.shape[0] / 2), 12, 1.0)
    turned[:, 2] += (side - small.shape[1]) / 2, (side - small.shape[0]) / 2
    cloth = np.full((side, side, 3), (62, 96, 22), np.uint8)
    placed = cv2.warpAffine(small, turned, (side, side), dst=cloth, borderMode=cv2.BORDER_TRANSPARENT)
    noise = np.random.default_rng(1).normal(0, 2, placed.shape)
    return np.clip(placed + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("deck", DECKS)
def test_a_face_too_coarse_to_be_read_is_no_back(reader: CardReader, deck: str) -> None:
    felt = Felt(130.0, 130.0, 0.5, {}, 2)
    renderer = Renderer(felt, bare_cloth(felt, (62, 96, 22)))
    for card in ("2c", "8d", "Th", "As", "Jc", "Qd", "Kh", "Ks"):
        image = renderer.render(Scene(felt, (LyingCard(card, 65, 65, 12),), deck=deck)).image
        assert not reader.read(image, whole(image), 0.5).face_down
