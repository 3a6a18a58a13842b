"""The relay's feed: a released hand gets its page once viewers have seen its end, with what is released and no
more."""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from display.feed import hand_page
from feltwire.config import ConfigError
from feltwire.relay.feed.feed import checked_origins
from feltwire.relay.feed.rows import event_rows, seat_rows
from feltwire.relay.feed.store import HandStore, SignedPage, hand_in
from feltwire.relay.relay_io import AirDelaySeen, HandKey
from feltwire.tools.hands import checks
from table_core.commitment import Opening
from table_core.histories.ohh import ohh_hand
from table_core.histories.phh import phh_hand
from table_core.messages import (
    At,
    CardDealt,
    Chips,
    EventView,
    HandMucked,
    Level,
    Millis,
    Misdealt,
    Noticed,
    Rewound,
    Seat,
    Source,
)
from tests.display import fixtures
from tests.feltwire.relay.feed_rig import BOARD, BURNS, HOLE, FeedRig
from tests.feltwire.relay.test_relay import KEYS
from tests.room.leak.notation import cards_in

SECRET = {*HOLE[1], *HOLE[3], *BURNS}  # seat 1 folds, seat 3 mucks


def everything(rig: FeedRig) -> bytes:
    """All that the feed gives."""
    feed = rig.feed
    lines = [feed.line("01", hand["name"]) or b"" for hand in rig.hands]
    told = [feed.history("01", hand["name"], kind) or "" for hand in rig.hands for kind in ("phh", "ohh")]
    rows = [feed.rows("table", "01"), feed.rows("event"), feed.rows("standings"), feed.rows("payouts")]
    listed = feed.listed(before=None, table="", most=9)
    return b"\n".join([*lines, *[one.encode() for one in told], *rows, *listed])


def named(text: bytes, cards: set[str]) -> set[str]:
    return {card for card in cards if f'"{card}"'.encode() in text or f" {card}".encode() in text}


def released(rig: FeedRig) -> FeedRig:
    rig.hear(rig.table.played())
    rig.wait(1)
    rig.next_deal()
    rig.wait(40)
    return rig


def test_a_hand_is_there_with_its_release_and_not_before(tmp_path: Path) -> None:
    rig = FeedRig(tmp_path, "30")
    rig.hear(rig.table.played())
    rig.next_deal()
    rig.wait(29.9)
    assert rig.hands == []
    assert rig.feed.line("01", "1") is None
    rig.wait(0.2)
    (hand,) = rig.hands
    assert (hand["no"], hand["table"], hand["page"], hand["board"]) == (1, "01", "/hand/01/1", [*BOARD])
    assert [seat["cards"] for seat in hand["seats"]] == [[], [*HOLE[2]], []]


def test_what_is_not_released_is_nowhere_in_it(tmp_path: Path) -> None:
    rig = released(FeedRig(tmp_path))
    said = everything(rig)
    assert not named(said, SECRET)
    assert {*HOLE[2], *BOARD} <= {card["card"] for card in rig.hand()["cards"]}
    # Nor has it a promise of such a card, nor a salt of one.
    dealt = [one.data for one in rig.table.envelopes if isinstance(one.data, CardDealt)]
    secret = {one.commitment for one in dealt if one.to in ("burn", "seat-1", "seat-3") and one.commitment}
    assert len(secret) == 7
    assert not [one for one in secret if one.encode() in said]


def test_with_folded_hands_released_each_step_shows_every_hand_from_its_deal(tmp_path: Path) -> None:
    rig = released(FeedRig(tmp_path, release_folded=True))
    dealt = rig.hand()["steps"][0]["seats"]
    assert [seat["cards"] for seat in dealt] == [[*HOLE[1]], [*HOLE[2]], [*HOLE[3]]]
    assert not named(everything(rig), {*BURNS})


def test_the_steps_are_the_hand_as_it_was_played(tmp_path: Path) -> None:
    steps = released(FeedRig(tmp_path)).hand()["steps"]
    assert steps[0]["text"].startswith("Hand 1, level 3: 100/200")
    assert steps[0]["pot"] == 500
    assert [step["text"] for step in steps[1:4]] == ["Seat 1: fold", "Seat 2: raise to 600", "Seat 3: call 400"]
    dealt = [len(step["board"]) for step in steps if step["text"].startswith(("Flop", "Turn", "River"))]
    assert dealt == [3, 4, 5]
    assert steps[-1]["text"].startswith("Main pot 3,400: seat 2 wins 3,400")
    assert [seat["stack"] for seat in steps[-1]["seats"]] == [20_000, 21_800, 18_200]


def test_nobody_reads_the_end_of_a_hand_before_the_stream_shows_it(tmp_path: Path) -> None:
    rig = FeedRig(tmp_path, "30", "120")
    rig.hear(rig.table.played())
    rig.next_deal()
    rig.wait(60)
    assert rig.cards
    assert rig.hands == []
    rig.wait(59)
    assert rig.hands == []
    rig.wait(1.1)
    assert len(rig.hands) == 1


@pytest.mark.parametrize("wanted", ["soon", "1e3", "-1", "120 s"])
def test_an_air_delay_that_is_no_number_shows_no_hand(tmp_path: Path, wanted: str) -> None:
    rig = released(FeedRig(tmp_path, "30", wanted))
    assert rig.cards
    assert rig.hands == []
    rig.step(AirDelaySeen("40"))  # type: ignore[arg-type]
    rig.wait(1)
    assert len(rig.hands) == 1, "its end lies 41 s back"


def test_a_cut_holds_the_hands_that_are_not_there_yet(tmp_path: Path) -> None:
    rig = FeedRig(tmp_path)
    rig.cut = True
    released(rig)
    rig.wait(3600)
    assert rig.cards
    assert rig.hands == []
    rig.cut = False
    rig.wait(1.1)
    assert len(rig.hands) == 1


def test_a_restart_keeps_what_is_shown_and_begins_the_wait_of_the_rest_again(tmp_path: Path) -> None:
    rig = released(FeedRig(tmp_path, "30", "120"))
    rig.start("30")
    rig.wait(110)
    assert rig.hands == [], "what was on air before the restart is not known"
    rig.wait(11)
    line = rig.line()
    rig.start("30")
    rig.wait(500)
    assert [hand["no"] for hand in rig.hands] == [1]
    assert rig.line() == line


def test_a_restart_between_end_and_release_tells_the_same_hand(tmp_path: Path) -> None:
    for folder in ("killed", "whole"):
        (tmp_path / folder).mkdir()
    rig = FeedRig(tmp_path / "killed")
    rig.hear(rig.table.played())
    rig.next_deal()
    rig.start("30")
    rig.answers = True
    rig.wait(100)
    whole = released(FeedRig(tmp_path / "whole"))
    assert rig.hand()["steps"] == whole.hand()["steps"]
    assert rig.hand()["phh"] == whole.hand()["phh"]


def test_a_void_hand_a_missing_end_and_one_that_is_taken_back_have_no_page(tmp_path: Path) -> None:
    for folder in ("void", "open"):
        (tmp_path / folder).mkdir()
    void = FeedRig(tmp_path / "void")
    void.hear([*void.table.played(), *void.table.tell(Misdealt(1, "fouled", (), Source.DIRECTOR))])
    void.next_deal()
    void.wait(3600)
    assert void.hands == []
    unended = FeedRig(tmp_path / "open")
    _hand, events = unended.table.begins()
    unended.hear([*events, *unended.table.hole_cards()])
    unended.next_deal()
    unended.wait(3600)
    assert unended.hands == []


def test_an_act_that_was_taken_back_is_in_no_step_and_no_history(tmp_path: Path) -> None:
    rig = FeedRig(tmp_path)
    events = rig.table.played()
    muck = next(one for one in events if isinstance(one.data, HandMucked))
    rest = [one for one in events if one.seq >= muck.seq]
    again = rig.table.tell(Rewound(muck.seq - 1, tuple(one.seq for one in rest), "MUCK"))
    again += rig.table.tell(*[one.data for one in rest if one is not muck])
    rig.hear([*events, *again])
    rig.next_deal()
    rig.wait(40)
    texts = [step["text"] for step in rig.hand()["steps"]]
    assert "Seat 3 mucks" not in texts
    assert texts.count("Seat 2 shows 9d Td") == 1


def test_no_prompt_of_a_dealer_and_no_name_of_who_pressed_goes_along(tmp_path: Path) -> None:
    rig = FeedRig(tmp_path)
    _hand, events = rig.table.begins()
    events += rig.table.tell(Noticed("called_clock", "Look at seat 2's hidden ace", Seat(2)))
    rig.table.hand -= 1
    rig.hear([*events, *rig.table.tell(Rewound(events[0].seq - 1, tuple(one.seq for one in events), "NEW HAND"))])
    released(rig)
    assert b"hidden ace" not in everything(rig)
    assert b'"by":""' in rig.line().replace(b'\\"', b'"')


def test_a_number_that_a_later_event_uses_again_gets_a_name_of_its_own(tmp_path: Path) -> None:
    rig = released(FeedRig(tmp_path))
    first, hand = rig.line("1"), hand_in(rig.line("1"))
    with closing(HandStore.open(tmp_path / "hands.db")) as store:
        later = HandKey("01", "another event", 1, 1)
        assert store.name_of(later) == "1.2"
        store.keep(later, replace(hand, name="1.2"))
        assert store.name_of(later) == "1.2"
        store.show(later, KEYS.signing)
    assert rig.line("1") == first
    assert rig.hand("1.2")["name"] == "1.2"


def test_players_have_the_names_that_viewers_know(tmp_path: Path) -> None:
    rig = FeedRig(tmp_path)
    rig.node.players.names["Ann"] = "Ann Lee"  # tables of a tournament know a player by an id
    hand = released(rig).hand()
    assert [seat["player"] for seat in hand["seats"]] == ["Ann Lee", "Bo </script>", "Cleo"]
    assert "'Ann Lee'" in hand["phh"]
    assert '"Ann Lee"' in hand["ohh"]


def test_the_hands_are_linked_and_numbered_without_a_gap(tmp_path: Path) -> None:
    rig = released(FeedRig(tmp_path))
    rig.hear(rig.table.played())
    rig.next_deal()
    rig.wait(60)
    assert [hand["no"] for hand in rig.hands] == [2, 1]
    pages = [msgspec.json.decode(rig.line(hand["name"]))["page"] for hand in rig.hands]
    assert pages[0]["prev"] == hashlib.sha256(rig.line("1")).hexdigest()
    assert pages[1]["prev"] == ""
    first = rig.hand(rig.hands[0]["name"])
    assert first["before"] == hashlib.sha256(rig.hand("1")["cards"][-1]["line"].encode()).hexdigest()
    assert rig.hand("1")["before"] == ""


def test_a_page_names_no_card_of_another_hand(tmp_path: Path) -> None:
    rig = released(FeedRig(tmp_path))
    of_table_02 = Opening("02", 1, 7, 1, 1, "seat-2", "Ac", "5c" * 16, KEYS.verify_hex)
    rig.log.append([of_table_02], At("b" * 16, Millis(rig.now), ""))
    rig.hear(rig.table.played())
    rig.next_deal()
    rig.wait(60)
    line = rig.line(rig.hands[0]["name"])
    assert set(cards_in(line.decode())) == {*HOLE[2], *BOARD}
    page = hand_page(line, root="/static/", home="/", files="/feed/hand/01/2")
    assert set(cards_in(page.replace(">As the relay signed it</a>", ""))) == {*HOLE[2], *BOARD}
    assert all(holds for _, holds in checks(line, KEYS.verify_hex))


def test_a_hand_whose_link_leads_elsewhere_does_not_verify(tmp_path: Path) -> None:
    """Signed by the relay, but with a line of the log left out before it."""
    signed = msgspec.json.decode(released(FeedRig(tmp_path)).line(), type=SignedPage)
    page = replace(signed.page, hand=replace(signed.page.hand, before="0" * 64))
    signature = KEYS.signing.sign(msgspec.json.encode(page)).signature.hex()
    line = msgspec.json.encode(SignedPage(page, KEYS.verify_hex, signature))
    first = page.hand.cards[0]
    wrong = [what for what, holds in checks(line, KEYS.verify_hex) if not holds]
    assert wrong == [f"{first.card}, {first.to}: follows the line before"]


def test_a_damaged_file_is_kept_aside_and_the_relay_goes_on(tmp_path: Path) -> None:
    rig = released(FeedRig(tmp_path))
    rig.feed.close()
    content = (tmp_path / "hands.db").read_bytes()
    (tmp_path / "hands.db").write_bytes(content[:4096] + b"\xff" * 4096 + content[8192:])
    (tmp_path / "hands.db-wal").unlink(missing_ok=True)
    rig.start("30")
    assert rig.hands == []
    assert (tmp_path / "hands.db.damaged").exists()
    rig.hear(rig.table.played())
    rig.next_deal()
    rig.wait(60)
    assert [hand["no"] for hand in rig.hands] == [1]


def test_its_histories_can_be_read_again(tmp_path: Path) -> None:
    hand = released(FeedRig(tmp_path)).hand()
    read = phh_hand(hand["phh"], "hand.phh")
    assert read.hole_cards[Seat(1)] == HOLE[2]
    assert set(read.hole_cards.values()) == {HOLE[2], ("??", "??")}
    told = ohh_hand(hand["ohh"].encode(), "hand.ohh")
    assert told.actions
    assert set(told.hole_cards.values()) == set(read.hole_cards.values())


def test_the_command_verifies_it_and_finds_each_field_that_is_changed(tmp_path: Path) -> None:
    line = released(FeedRig(tmp_path)).line()
    assert all(holds for _, holds in checks(line, KEYS.verify_hex))
    assert not all(holds for _, holds in checks(line, "00" * 32))
    document = msgspec.json.decode(line)
    for where, changed in flipped(document):
        assert not all(holds for _, holds in checks(msgspec.json.encode(changed), KEYS.verify_hex)), where


def flipped(document: Any, path: str = "") -> list[tuple[str, Any]]:
    """The document with each of its values changed, one at a time, and where: `page.hand.seats.stack`."""
    match document:
        case dict():
            parts = [(name, one) for name, value in document.items() for one in flipped(value, f"{path}.{name}")]
            return [(where, document | {name: new}) for name, (where, new) in parts]
        case list():
            changed = [(no, one) for no, value in enumerate(document) for one in flipped(value, path)]
            return [(where, [*document[:no], new, *document[no + 1 :]]) for no, (where, new) in changed]
        case bool():
            return [(path, not document)]
        case int():
            return [(path, document + 1)]
        case str():
            return [(path, document[:-1] + ("0" if document[-1:] != "0" else "1"))]
    return [(path, "x")]


def test_rows_are_as_many_whatever_there_is_to_show() -> None:
    view = fixtures.overlay_view()
    there, black = seat_rows(view), seat_rows(None)
    assert len(there) == len(black) == 10
    assert [row.seat for row in there] == [*range(1, 11)]
    row = next(row for row in there if row.seat == view.seats[0].seat)
    assert (row.player, row.stack, row.pot) == (view.seats[0].player, view.seats[0].stack, view.pot)
    assert {row.player for row in black} == {""}
    assert {row.pot for row in black} == {None}


def test_the_clock_of_the_event_counts_to_the_request() -> None:
    level = Level(no=3, small_blind=Chips(100), big_blind=Chips(200))
    view = EventView(0.0, level=level, left_ms=65_000, running=True, players_left=9)
    assert [event_rows(view, age)[0].left for age in (0, 5_000, 90_000)] == ["1:05", "1:00", "0:00"]
    assert event_rows(replace(view, running=False), 5_000)[0].left == "1:05"


@pytest.mark.parametrize(
    "origin",
    [
        "*",
        "null",
        "https://a.example/",
        "https://a.example/path",
        "https://A.example",
        "a.example",
        "ftp://a.example",
        "https://a.example:443",
        "http://a.example:80",
        "https://*.example",
        "https://u:p@a.example",
        "",
    ],
)
def test_an_origin_that_no_browser_says_is_refused(origin: str) -> None:
    with pytest.raises(ConfigError, match="feed_origins"):
        checked_origins([origin])
