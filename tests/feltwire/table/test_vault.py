"""The vault: what it knows stays inside until a card is seen, confirmed or released."""

from __future__ import annotations

import base64
import copy
import json
import pickle
import random
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from nacl.public import PrivateKey, SealedBox

from feltwire.runtime.concealed import Concealed
from feltwire.table.recovery import runtime_folder
from feltwire.table.vault import Placed, Vault, Why
from firmware_bridge.decks import CARDS, DeckRegistry, generate
from firmware_bridge.shoe import Uid
from table_core.commitment import Opening
from table_core.messages import CardText
from tests.absent import assert_absent

DECKS = DeckRegistry.parse(generate(7))
RELAY = PrivateKey.generate()


def tag(card: CardText, deck: str = "red") -> Uid:
    return DECKS.tag_of(deck, card)


@pytest.fixture
def make(tmp_path: Path) -> Callable[[], Vault]:
    """Each call is the table process starting again on the same machine."""
    return lambda: Vault(DECKS, "01", bytes(RELAY.public_key), tmp_path / "run")


@pytest.fixture
def vault(make: Callable[[], Vault]) -> Vault:
    made = make()
    made.begin_hand(1, 12)
    made.forget_hand()
    return made


def deal(vault: Vault, *cards: CardText) -> list[Placed]:
    """Each card leaves the shoe and goes to the next place."""
    return [vault.place(vault.take(tag(card)).handle, at, "seat-1") for at, card in enumerate(cards, start=1)]


def opened(placed: Placed) -> Opening:
    (card,) = placed.sealed
    raw = SealedBox(RELAY).decrypt(base64.b64decode(card.box))
    return msgspec.json.decode(raw, type=Opening)


# ------------------------------------------------------------------------------------- passages


def test_handles_count_distinct_cards(vault: Vault) -> None:
    passed = [vault.take(tag(card)) for card in ("Ah", "Kd", "Ah", "2c")]
    assert [(t.handle, t.note) for t in passed] == [(1, ""), (2, ""), (1, "repeat"), (3, "")]


def test_a_passage_without_a_readable_tag_has_no_handle(vault: Vault) -> None:
    assert vault.take(None) == (0, "unread", (), "")
    assert vault.place(0, 4, "seat-1") == Placed(None)


def test_strange_tags_are_noted_without_naming_a_card(vault: Vault) -> None:
    vault.take(tag("Ah"))
    assert vault.take(tag("Kd", deck="blue")).note == "other_deck"
    assert vault.take(Uid(bytes(range(8)))).note == "unknown_tag"


def test_the_idle_deck_is_no_other_deck_when_it_comes_into_play(vault: Vault) -> None:
    vault.take(tag("Ah"))
    vault.begin_hand(1, 13)
    assert vault.take(tag("Kd", deck="blue")).note == ""


def test_cards_that_passed_before_the_hand_was_known_are_carried_into_it(vault: Vault) -> None:
    deal(vault, "2c", "3c")
    early = vault.take(tag("Ah"))
    vault.begin_hand(1, 13, carry=[early.handle])
    assert vault.take(tag("Kd")).handle == 2
    assert vault.take(tag("2c")).note == ""
    vault.place(1, 1, "seat-1")
    assert vault.is_card(1, "Ah") is True


# --------------------------------------------------------------------------------- commitments


def test_the_box_for_the_relay_opens_the_public_commitment(vault: Vault) -> None:
    (placed,) = deal(vault, "Ah")
    inside = opened(placed)
    assert (inside.card, inside.place, inside.hand, inside.epoch, inside.table) == ("Ah", 1, 12, 1, "01")
    assert placed.commitment is not None
    assert inside.opens(placed.commitment)


@pytest.mark.parametrize(
    "change",
    [{"card": "As"}, {"place": 2}, {"hand": 13}, {"attempt": 2}, {"epoch": 2}, {"table": "02"}, {"to": "board"}],
)
def test_a_commitment_binds_everything_in_it(vault: Vault, change: dict[str, str | int]) -> None:
    (placed,) = deal(vault, "Ah")
    assert placed.commitment is not None
    assert not msgspec.structs.replace(opened(placed), **change).opens(placed.commitment)


def test_every_box_is_as_long_as_every_other(vault: Vault) -> None:
    placed = deal(vault, *CARDS)
    assert len({len(card.box) for p in placed for card in p.sealed}) == 1


def test_a_card_that_moves_in_the_deal_is_committed_anew(vault: Vault) -> None:
    deal(vault, "Ah", "Kd")
    first = vault.place(2, 2, "seat-1")
    second = vault.replace(2, 3, "board")
    assert first.commitment != second.commitment
    assert (opened(first).place, opened(first).to) == (2, "seat-1")
    assert (opened(second).place, opened(second).to) == (3, "board")
    assert opened(first).salt != opened(second).salt
    assert vault.is_card(2, "Kd") is None
    assert vault.is_card(3, "Kd") is True


def test_shifting_every_card_by_one_place_loses_none(vault: Vault) -> None:
    deal(vault, "Ah", "Kd", "2c")
    for handle in (1, 2, 3):
        vault.replace(handle, handle + 1, "seat-1")
    assert vault.open_places([1, 2, 3, 4], Why.STREET_CONFIRMED) == ("??", "Ah", "Kd", "2c")


def test_without_the_relays_key_cards_are_sealed_to_nobody(tmp_path: Path) -> None:
    vault = Vault(DECKS, "01", None, tmp_path)
    vault.begin_hand(1, 1)
    (placed,) = deal(vault, "Ah")
    assert placed.commitment
    assert placed.sealed == ()


# ----------------------------------------------------------------------------------- questions


def test_it_compares_what_was_read_face_up_with_what_was_dealt(vault: Vault) -> None:
    deal(vault, "Ah", "Kd")
    assert vault.is_card(1, "Ah") is True
    assert vault.is_card(1, "Kd") is False
    assert vault.is_card(9, "Kd") is None


def test_a_street_is_opened_with_placeholders_for_what_was_not_read(vault: Vault) -> None:
    deal(vault, "Ah")
    vault.place(vault.take(Uid(bytes(range(8)))).handle, 2, "seat-1")
    assert vault.open_places([1, 2, 3], Why.STREET_CONFIRMED) == ("Ah", "??", "??")


def test_opening_needs_a_reason(vault: Vault) -> None:
    with pytest.raises(TypeError, match="say why"):
        vault.open_places([1], "because")  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------- restarts


def test_a_killed_process_gets_the_hand_back(make: Callable[[], Vault]) -> None:
    before = make()
    boxes = [*before.begin_hand(3, 12, 2)]
    for place, card in enumerate(("Ah", "Kd", "2c"), start=1):
        taken = before.take(tag(card))
        boxes += [*taken.boxes, *before.place(taken.handle, place, "seat-1").boxes]
    boxes += before.take(tag("7s")).boxes
    after = make()
    assert after.recover(boxes) == (4, 0)
    assert after.open_places([1, 2, 3], Why.STREET_CONFIRMED) == ("Ah", "Kd", "2c")
    assert after.take(tag("Kd")).note == "repeat"
    placed = after.place(4, 4, "seat-1")
    assert (opened(placed).card, opened(placed).hand, opened(placed).attempt) == ("7s", 12, 2)
    assert after.take(tag("8s")).handle == 5


def test_after_a_power_cut_cards_are_unknown_and_the_hand_goes_on(
    make: Callable[[], Vault], tmp_path: Path
) -> None:
    before = make()
    boxes = [*before.begin_hand(1, 12)]
    boxes += before.take(tag("Ah")).boxes
    boxes += before.place(1, 1, "seat-1").boxes
    for key in (tmp_path / "run").glob("*.key"):
        key.unlink()
    after = make()
    assert after.recover(boxes) == (0, 1)
    assert after.is_card(1, "Ah") is None
    assert after.open_places([1], Why.TABLED) == ("??",)
    again = after.place(1, 2, "seat-1")
    assert again[:2] == Placed(None)[:2]
    assert [len(box) for box in again.boxes] == [len(boxes[-1])]
    assert after.take(tag("Kd")).handle == 2


def test_damaged_boxes_raise_nothing(vault: Vault) -> None:
    torn = b'{"epoch":1,"hand":2,"attempt":1,"handle":1,"box":"AAAA"}'
    assert vault.recover([b"", b"{}", b"\xff", torn]) == (0, 1)


def test_faces_at_the_seats_come_back_after_a_kill_and_never_after_the_hand(
    make: Callable[[], Vault], tmp_path: Path
) -> None:
    vault = make()
    vault.begin_hand(1, 12)
    box = vault.cover(b'{"seats":{"3":["Ks","Kd"]}}')
    assert_absent(b'["Ks","Kd"]', box)
    known = make().uncover(box)
    assert known is not None
    assert json.loads(known) == {"seats": {"3": ["Ks", "Kd"]}}
    vault.begin_hand(1, 13)
    vault.forget_hand()
    assert vault.uncover(box) is make().uncover(box) is None
    newer = vault.cover(b"{}")
    for key in (tmp_path / "run").glob("*.key"):  # a power cut
        key.unlink()
    assert make().uncover(newer) is None


def test_a_hand_is_open_until_the_deal_behind_it_stands(make: Callable[[], Vault]) -> None:
    """NEW HAND, a kill behind it, and UNDO, a kill behind that: the cards are where they were."""
    vault = make()
    boxes = [*vault.begin_hand(1, 12)]
    for card in ("Ah", "Kd"):
        handle = vault.take(tag(card)).handle
        boxes += vault.place(handle, handle, "seat-1").boxes
    boxes += vault.begin_hand(1, 13)
    assert vault.is_card(1, "Ah") is None
    again = make()
    assert again.recover(boxes) == (0, 0)
    for one in (vault, again):
        boxes = [*one.take_back_deal()]
        one.forget_hand()
        assert [one.is_card(place, card) for place, card in ((1, "Ah"), (2, "Kd"))] == [True, True]
        after = make()
        assert after.recover(boxes) == (2, 0)
        assert [after.is_card(place, card) for place, card in ((1, "Ah"), (2, "Kd"))] == [True, True]
        assert after.take(tag("7c")).handle == 3


def test_once_it_stands_nothing_opens_the_hand_before(make: Callable[[], Vault]) -> None:
    vault = make()
    boxes = [*vault.begin_hand(1, 12), *vault.take(tag("Ah")).boxes]
    vault.begin_hand(1, 13)
    vault.take(tag("Kd"))
    kept = [*vault.deal_stands()]
    vault.forget_hand()
    assert make().recover(boxes) == (0, 1)
    assert make().recover(kept) == (1, 0)
    vault.take_back_deal()
    assert vault.handle_of(tag("Ah")) == 0
    assert vault.handle_of(tag("Kd")) == 1


def test_a_lost_card_stays_one_when_its_hand_goes_on(make: Callable[[], Vault], tmp_path: Path) -> None:
    vault = make()
    boxes = [*vault.begin_hand(1, 12), *vault.take(tag("Ah")).boxes, *vault.begin_hand(1, 13)]
    for key in (tmp_path / "run").glob("*.key"):  # a power cut
        key.unlink()
    after = make()
    after.recover(boxes)
    again = make()
    assert again.recover(after.take_back_deal()) == (0, 1)
    assert again.take(tag("Kd")).handle == 2


def test_a_hand_that_is_over_stays_closed(make: Callable[[], Vault], tmp_path: Path) -> None:
    vault = make()
    boxes = [*vault.begin_hand(1, 12), *vault.take(tag("Ah")).boxes]
    vault.begin_hand(1, 13)
    assert make().recover(boxes) == (1, 0), "between begin_hand and forget_hand a kill loses nothing"
    vault.forget_hand()
    assert make().recover(boxes) == (0, 1)
    (key,) = (tmp_path / "run").glob("*.key")
    assert key.stat().st_mode & 0o077 == 0


# -------------------------------------------------------------------------------------- leaks


def hidden(cards: list[CardText]) -> list[str]:
    """Every way in which these cards or their tags might be written."""
    return [text for card in cards for text in (f"'{card}'", f'"{card}"', tag(card).reveal().hex())]


def test_nothing_the_vault_gives_or_prints_names_a_card(vault: Vault) -> None:
    chance = random.Random(1)
    cards = chance.sample(CARDS, 25)
    given: list[object] = [vault, vars(vault)]
    for place, card in enumerate(cards, start=1):
        taken = vault.take(tag(card))
        given += [taken, vault.place(taken.handle, place, "seat-1")]
    text = repr(given)
    assert not [word for word in hidden(cards) if word in text]
    assert not [card for card in cards if tag(card).reveal() in text.encode("latin-1", "replace")]


def test_tracebacks_with_locals_name_no_card(vault: Vault) -> None:
    def fail(_: int) -> bytes:
        raise RuntimeError("no randomness")

    deal(vault, "Ah")
    vault.take(tag("Kd"))
    vault._rng = fail
    with pytest.raises(RuntimeError) as failed:
        vault.place(2, 2, "seat-1")
    trace = traceback.TracebackException.from_exception(failed.value, capture_locals=True)
    text = "".join(trace.format())
    assert "no randomness" in text
    assert not [word for word in hidden(["Ah", "Kd"]) if word in text]


def test_a_hardened_process_leaves_no_core_and_cannot_be_read() -> None:
    script = (
        "import ctypes, resource; from feltwire.runtime.concealed import harden_process; harden_process();"
        "print(resource.getrlimit(resource.RLIMIT_CORE), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "(0, 0) 0\n"


@pytest.mark.parametrize("run", ["fell()", "threading.Thread(target=fell).start()"])
def test_what_ends_a_process_or_a_thread_does_not_print_what_it_fell_over(run: str) -> None:
    script = (
        "import threading; from feltwire.runtime.concealed import harden_process; harden_process()\n"
        "def fell(): {'Ah': 1}.pop('K' + 's')\n"
        f"{run}"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "KeyError" in done.stderr
    assert "in fell" in done.stderr
    assert "Ks" not in done.stderr


@pytest.mark.parametrize(
    "spill", [pickle.dumps, copy.copy, copy.deepcopy, json.dumps, msgspec.json.encode, msgspec.msgpack.encode]
)
def test_a_concealed_value_cannot_be_spilled(spill: Callable[[object], object]) -> None:
    with pytest.raises(TypeError):
        spill(Concealed("Ah"))


def test_a_concealed_value_does_not_print() -> None:
    held = Concealed("Ah")
    assert "Ah" not in f"{held} {held!r} {held!s:>20} {[held]} {held!s}"
    assert held.reveal() == "Ah"


def test_two_tables_with_one_data_folder_have_key_folders_of_their_own(tmp_path: Path) -> None:
    """A riffle at one table must not destroy the other's recovery key."""
    ledgers = [tmp_path / f"table-{table}.ledger" for table in ("01", "02")]
    assert runtime_folder("", ledgers[0]) != runtime_folder("", ledgers[1])
