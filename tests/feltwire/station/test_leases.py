"""Leases at the station: which machine's messages count as a table's."""

from __future__ import annotations

import pytest

from feltwire.ledger.chain import LedgerHead
from feltwire.ledger.granted import EventStatus
from feltwire.ledger.signing import LedgerKey
from feltwire.station.tables.leases import CLAIM_MS, CLAIMS, HEARD_MS, BirthAnswer, TableLease
from table_core.messages import AnyEvent, At, Birth, FloorCalled, Leaseholder, Millis, PastEpoch

NOW = Millis(1_000_000)
KEYS = {name: LedgerKey(name.encode().ljust(32)) for name in ("aaaa0000", "bbbb0000", "cccc0000")}
A, B = KEYS["aaaa0000"].public, KEYS["bbbb0000"].public
PAST = PastEpoch(1, 500, "5" * 64, "aaaa0000", A)
FIRST = Leaseholder("aaaa0000", 1, A)
SECOND = Leaseholder("bbbb0000", 2, B, (PAST,))


def birth(
    ledger: str, epoch: int = 1, last_seq: int = 0, *, key: str = "", past: int = 0, answers: str = ""
) -> Birth:
    """Of a machine in `epoch`, with `past` events in the epoch before."""
    epochs = (PastEpoch(epoch - 1, past, "", ledger, ""),) if past else ()
    key = key or (KEYS[ledger].public if ledger else "")
    return Birth("hall", "01", epoch, last_seq, "s", ledger, "", key, epochs, answers)


def word(
    table: TableLease, ledger: str, epoch: int, seq: int, event: AnyEvent | None = None
) -> EventStatus | None:
    """What the station makes of an event that the machine with `ledger` signed."""
    head = LedgerHead(epoch, seq - 1, "1" * 64)
    at = At("b", Millis(0))
    entry = head.link(event or FloorCalled(), at=at, venue="hall", table="01", key=KEYS[ledger])
    return table.judge(entry.envelope, entry.raw)


def claim(table: TableLease) -> tuple[str, str]:
    """The newest one, as the director's press names it."""
    return list(table.claims)[-1]


# ------------------------------------------------------------------------------------------ machines


def test_the_first_that_asks_is_the_table_and_the_next_one_claims_it() -> None:
    table = TableLease("01")
    assert table.asked(birth("aaaa0000"), (0, 0), NOW) is BirthAnswer.FIRST
    table.taken(FIRST)
    assert table.asked(birth("aaaa0000"), (1, 0), NOW) is BirthAnswer.LEASEHOLDER
    assert table.asked(birth("bbbb0000"), (1, 9), NOW) is BirthAnswer.CLAIM


def test_whoever_names_the_ledger_in_charge_and_signs_with_another_key_only_makes_a_claim() -> None:
    """Somebody read the ledger's name off the wire; or the machine lost its key."""
    table = TableLease("01", FIRST)
    assert table.asked(birth("aaaa0000", key=B), (1, 0), NOW) is BirthAnswer.CLAIM
    assert table.asked(birth("aaaa0000", 99, key=B), (1, 0), NOW) is BirthAnswer.CLAIM
    assert table.leaseholder == FIRST
    assert "lost its key" in table.claim_views(NOW, NOW)[0].text


def test_the_director_hands_over_to_the_key_that_was_shown_and_to_no_other() -> None:
    table = TableLease("01", FIRST)
    table.asked(birth("bbbb0000"), (1, 9), NOW)
    table.asked(birth("bbbb0000", key=A), (1, 9), NOW)
    assert table.hand_over("bbbb0000", KEYS["cccc0000"].public, (1, 9)) is None
    assert table.hand_over("bbbb0000", B, (1, 9)) == (2, None)


def test_a_flood_of_claims_pushes_out_none_and_is_said() -> None:
    """Neither the machine that asked before it, nor one that was the table before."""
    table = TableLease("01", SECOND)
    table.asked(birth("cccc0000"), (2, 9), NOW)
    for no in range(3 * CLAIMS):
        table.asked(birth("dddd0000", key=f"{no:064}"), (2, 9), NOW)
    table.asked(birth("aaaa0000"), (2, 9), NOW)
    assert len(table.claim_views(NOW, NOW)) == CLAIMS + 1
    assert table.is_crowded(NOW)
    for ledger in ("cccc0000", "aaaa0000"):
        assert table.hand_over(ledger, KEYS[ledger].public, (2, 9)) == (3, None)
        table.not_taken()


def test_when_a_flood_is_over_there_is_room_again() -> None:
    table, later = TableLease("01", FIRST), Millis(NOW + CLAIM_MS + 1)
    for no in range(3 * CLAIMS):
        table.asked(birth("dddd0000", key=f"{no:064}"), (1, 9), NOW)
    table.asked(birth("cccc0000"), (1, 9), later)
    assert [view.ledger for view in table.claim_views(later, later)] == ["cccc0000"]
    assert not table.is_crowded(later)


def test_a_machine_that_does_not_say_which_it_is_is_neither() -> None:
    assert TableLease("01").asked(birth(""), (0, 0), NOW) is BirthAnswer.UNNAMED


def test_while_somebody_is_put_in_charge_nobody_else_is() -> None:
    """What is being recorded may still fail; whoever asks meanwhile asks again."""
    table = TableLease("01")
    table.take("aaaa0000", A, 1)
    assert table.asked(birth("bbbb0000"), (0, 0), NOW) is BirthAnswer.UNNAMED
    table.not_taken()
    assert table.asked(birth("bbbb0000"), (0, 0), NOW) is BirthAnswer.FIRST


# -------------------------------------------------------------------------------------------- events


def test_only_what_the_machine_in_charge_signed_in_its_epoch_is_taken() -> None:
    table = TableLease("01", FIRST)
    assert word(table, "aaaa0000", 1, 7) is EventStatus.ACCEPTED
    assert word(table, "bbbb0000", 1, 7) is EventStatus.NOT_SIGNED
    assert word(table, "bbbb0000", 2, 1) is EventStatus.NOT_GRANTED
    assert word(table, "aaaa0000", 2, 1) is EventStatus.NOT_GRANTED, "granted to nobody, however it is signed"


def test_before_anybody_is_in_charge_nothing_is_taken() -> None:
    assert word(TableLease("01"), "aaaa0000", 1, 1) is None


def test_between_the_directors_press_and_its_record_nothing_of_the_old_epoch_is_taken() -> None:
    table = TableLease("01", FIRST)
    table.asked(birth("bbbb0000"), (1, 500), NOW)
    assert table.hand_over(*claim(table), (1, 500)) == (2, None)
    assert word(table, "aaaa0000", 1, 501) is EventStatus.AFTER_HANDOVER
    table.not_taken()
    assert word(table, "aaaa0000", 1, 501) is EventStatus.ACCEPTED, "the disk was full: nobody was handed anything"


def test_what_was_collected_before_an_epoch_began_is_no_news_and_what_lies_behind_is_over() -> None:
    table = TableLease("01", SECOND)
    assert word(table, "aaaa0000", 1, 500) is EventStatus.ACCEPTED
    assert word(table, "aaaa0000", 1, 501) is EventStatus.AFTER_HANDOVER
    assert word(table, "bbbb0000", 2, 1) is EventStatus.ACCEPTED
    assert word(table, "aaaa0000", 2, 1) is EventStatus.NOT_SIGNED
    assert word(table, "bbbb0000", 1, 500) is EventStatus.NOT_SIGNED, "each epoch has the key of its machine"


def test_the_first_machine_of_a_new_station_brings_its_past_and_the_keys_of_those_before() -> None:
    past = (PastEpoch(1, 9, "9" * 64, "aaaa0000", A),)
    table = TableLease("01", Leaseholder("bbbb0000", 2, B, past))
    assert [word(table, "aaaa0000", 1, seq) for seq in (1, 9, 10)] == [
        EventStatus.ACCEPTED,
        EventStatus.ACCEPTED,
        EventStatus.AFTER_HANDOVER,
    ]
    assert word(table, "cccc0000", 1, 5) is EventStatus.NOT_SIGNED


# ------------------------------------------------------------------------------------- lost and found


@pytest.mark.parametrize(
    ("epoch", "last_seq", "asked"),
    [(2, 80, BirthAnswer.LEASEHOLDER), (2, 79, BirthAnswer.CLAIM), (1, 500, BirthAnswer.CLAIM)],
)
def test_the_machine_in_charge_that_comes_back_with_less_than_it_had_reported_only_claims_the_table(
    epoch: int, last_seq: int, asked: BirthAnswer
) -> None:
    table = TableLease("01", SECOND)
    table.question = "q1"
    assert table.asked(birth("bbbb0000", epoch, last_seq, answers="q1"), (2, 80), NOW) is asked


def test_what_it_said_long_ago_is_no_claim_when_somebody_says_it_again() -> None:
    """Only the answer to the station's own question is, once."""
    table = TableLease("01", SECOND)
    old = birth("bbbb0000", 2, 9)
    assert table.asked(old, (2, 80), NOW) is BirthAnswer.AGAIN
    table.question = "q1"
    assert table.asked(old, (2, 80), NOW) is BirthAnswer.AGAIN
    assert table.asked(birth("bbbb0000", 2, 9, answers="q0"), (2, 80), NOW) is BirthAnswer.AGAIN
    answered = birth("bbbb0000", 2, 9, answers="q1")
    assert table.asked(answered, (2, 80), NOW) is BirthAnswer.CLAIM
    assert table.asked(answered, (2, 90), NOW) is BirthAnswer.AGAIN


def test_a_machine_that_was_granted_an_epoch_and_has_not_begun_it_is_told_again() -> None:
    assert TableLease("01", SECOND).asked(birth("bbbb0000", 1, 3), (1, 500), NOW) is BirthAnswer.LEASEHOLDER


def test_a_station_whose_disk_was_restored_takes_the_epoch_of_the_machine_in_charge() -> None:
    """It had granted epoch 2 since; the machine knows."""
    assert TableLease("01", FIRST).asked(birth("aaaa0000", 2, 4, past=500), (1, 500), NOW) is BirthAnswer.FIRST


def test_a_machine_whose_past_lacks_what_was_collected_only_claims_the_table() -> None:
    assert TableLease("01", FIRST).asked(birth("aaaa0000", 2, 4, past=499), (1, 500), NOW) is BirthAnswer.CLAIM
    assert TableLease("01").asked(birth("aaaa0000", 2, 4), (1, 500), NOW) is BirthAnswer.CLAIM


def test_an_epoch_that_somebody_has_used_is_never_granted_again() -> None:
    table = TableLease("01", FIRST)
    table.asked(birth("bbbb0000", 6), (4, 2), NOW)
    assert table.hand_over(*claim(table), (4, 2)) == (7, None)


def test_a_claim_that_is_not_made_again_is_forgotten() -> None:
    table = TableLease("01", FIRST)
    table.asked(birth("bbbb0000"), (1, 9), NOW)
    asked = claim(table)
    assert table.claim_views(NOW, Millis(NOW + CLAIM_MS))
    assert not table.claim_views(NOW, Millis(NOW + CLAIM_MS + 1))
    assert table.hand_over(*asked, (1, 9)) is None


def test_others_leave_the_broker_only_to_a_machine_that_was_just_heard() -> None:
    table = TableLease("01", FIRST)
    grants = []
    for at in (NOW, Millis(NOW + HEARD_MS - 1), Millis(NOW + HEARD_MS)):
        table.heard(NOW)
        grants.append(table.grant(lambda: "g", at))
    assert [grant.leave for grant in grants if grant is not None] == [True, True, False]


def follower(past: PastEpoch) -> Birth:
    """Of a machine that says it was handed the table in epoch 2, behind `past`."""
    return Birth("hall", "01", 2, 30, "s", "bbbb0000", "", B, (past,))


def test_a_machine_that_followed_while_the_stations_record_was_lost_keeps_its_epoch() -> None:
    """The station was restored from a backup of epoch 1; the machine was handed the table in epoch 2."""
    table, born = TableLease("01", FIRST), follower(PAST)
    assert table.asked(born, (1, 7), NOW) is BirthAnswer.CLAIM
    assert "followed another one of which this station has no record" in table.claim_views(NOW, NOW)[0].text
    assert table.hand_over("bbbb0000", B, (1, 7)) == (2, born.past)


@pytest.mark.parametrize(
    "past", [PastEpoch(1, 5, "5" * 64, "aaaa0000", A), PastEpoch(1, 500, "5" * 64, "aaaa0000", B)]
)
def test_a_machine_that_lacks_what_was_collected_or_names_another_past_gets_a_new_epoch(past: PastEpoch) -> None:
    table = TableLease("01", FIRST)
    assert table.asked(follower(past), (1, 7), NOW) is BirthAnswer.CLAIM
    assert table.hand_over("bbbb0000", B, (1, 7)) == (3, None)
