"""Players who are kept apart: what the tables allow, said as it is typed, and done in the draw."""

from __future__ import annotations

from itertools import combinations

from tests.feltwire.night_room import NightRoom


def test_a_family_of_four_at_three_tables_is_parted_as_far_as_it_goes_and_a_couple_all_the_way() -> None:
    room = NightRoom(("01", "02", "03"))
    room.do("open", rulebook="base", house={"starting_stack": 2_000}, starts=None)
    for no in range(1, 28):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    family, couple = ["p1", "p2", "p3", "p4"], ("p20", "p21")
    said = [
        room.do("preview", wanted="keep_apart", arguments={"one": one, "other": other})
        if (one, other) == ("p3", "p4")
        else room.do("keep_apart", one=one, other=other)
        for one, other in combinations(family, 2)
    ]
    assert "cannot be kept apart: there are too few tables." in said[-1]
    assert all("too few" not in one for one in said[:-1])
    room.do("keep_apart", one="p3", other="p4")
    room.do("keep_apart", one=couple[0], other=couple[1])
    assert sum(not pair["kept"] for pair in room.shown["apart"]) == 1
    room.do("draw_seats", tables=["01", "02", "03"])
    at = {player: room.entrant(player)["table"] for player in (*family, *couple)}
    assert len({at[player] for player in family}) == 3
    assert len({at[player] for player in couple}) == 2
    met = [tuple(pair["players"]) for pair in room.shown["apart"] if not pair["kept"]]
    assert [at[one] for one, _ in met] == [at[other] for _, other in met]
