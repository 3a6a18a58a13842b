"""Who speaks for a table, as the station judges it."""

from __future__ import annotations

import pytest

from feltwire.station_charge import CLAIM_MS, HEARD_MS, Asked, Authority, InCharge
from table_core.messages import Birth, Millis

NOW = Millis(1_000_000)
FIRST = InCharge("aaaa0000", 1, 1)
SECOND = InCharge("bbbb0000", 2, 1, 500, "5" * 64)


def birth(ledger: str, epoch: int = 1, last_seq: int = 0) -> Birth:
    return Birth("hall", "01", epoch, last_seq, "s", {}, ledger)


def test_the_first_that_asks_is_the_table_and_the_next_one_claims_it() -> None:
    table = Authority("01")
    assert table.asked(birth("aaaa0000"), (0, 0), NOW) is Asked.FIRST
    table.taken(FIRST)
    assert table.asked(birth("aaaa0000"), (1, 0), NOW) is Asked.IN_CHARGE
    assert table.asked(birth("bbbb0000"), (1, 9), NOW) is Asked.CLAIM


def test_a_machine_that_does_not_say_which_it_is_is_neither() -> None:
    assert Authority("01").asked(birth(""), (0, 0), NOW) is Asked.UNNAMED


def test_while_somebody_is_put_in_charge_nobody_else_is() -> None:
    """What is being recorded may still fail; whoever asks meanwhile asks again."""
    table = Authority("01")
    table.take("aaaa0000", 1)
    assert table.asked(birth("bbbb0000"), (0, 0), NOW) is Asked.UNNAMED
    table.not_taken()
    assert table.asked(birth("bbbb0000"), (0, 0), NOW) is Asked.FIRST


def test_between_the_directors_press_and_its_record_nothing_of_the_old_epoch_is_taken() -> None:
    table = Authority("01", FIRST)
    table.asked(birth("bbbb0000"), (1, 500), NOW)
    assert table.hand_over((1, 500)) == ("bbbb0000", 2)
    assert table.over(1, 501)
    table.not_taken()
    assert not table.over(1, 501), "the disk was full: nobody was handed anything"


def test_what_was_collected_before_an_epoch_began_is_no_news_and_what_lies_behind_is_over() -> None:
    table = Authority("01", SECOND)
    assert [table.over(1, 500), table.over(1, 501), table.over(2, 1)] == [False, True, False]


def test_the_first_machine_of_a_new_station_brings_its_past() -> None:
    table = Authority("01", InCharge("bbbb0000", 2, 2))
    assert not table.over(1, 1)
    assert not table.over(1, 9_999)


@pytest.mark.parametrize(
    ("epoch", "last_seq", "asked"), [(2, 80, Asked.IN_CHARGE), (2, 79, Asked.CLAIM), (1, 500, Asked.CLAIM)]
)
def test_the_machine_in_charge_that_comes_back_with_less_than_it_had_reported_only_claims_the_table(
    epoch: int, last_seq: int, asked: Asked
) -> None:
    assert Authority("01", SECOND).asked(birth("bbbb0000", epoch, last_seq), (2, 80), NOW) is asked


def test_a_machine_that_was_granted_an_epoch_and_has_not_begun_it_is_told_again() -> None:
    assert Authority("01", SECOND).asked(birth("bbbb0000", 1, 3), (1, 500), NOW) is Asked.IN_CHARGE


def test_a_station_whose_disk_was_restored_takes_the_epoch_of_the_machine_in_charge() -> None:
    """It had granted epoch 2 since; the machine knows."""
    assert Authority("01", FIRST).asked(birth("aaaa0000", 2, 4), (1, 500), NOW) is Asked.FIRST


def test_an_epoch_that_somebody_has_used_is_never_granted_again() -> None:
    table = Authority("01", FIRST)
    table.asked(birth("bbbb0000", 6), (4, 2), NOW)
    assert table.hand_over((4, 2)) == ("bbbb0000", 7)


def test_a_claim_that_is_not_made_again_is_forgotten() -> None:
    table = Authority("01", FIRST)
    table.asked(birth("bbbb0000"), (1, 9), NOW)
    assert table.claim_view(NOW, Millis(NOW + CLAIM_MS)) is not None
    assert table.claim_view(NOW, Millis(NOW + CLAIM_MS + 1)) is None
    assert table.hand_over((1, 9)) is None


def test_others_leave_the_broker_only_to_a_machine_that_was_just_heard() -> None:
    table = Authority("01", FIRST)
    grants = []
    for at in (NOW, Millis(NOW + HEARD_MS - 1), Millis(NOW + HEARD_MS)):
        table.heard(NOW)
        grants.append(table.grant(lambda: "g", at))
    assert [grant.leave for grant in grants if grant is not None] == [True, True, False]
