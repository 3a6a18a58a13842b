"""A file of this program is opened by the release before: its schema has the same mark (decision 78)."""

from __future__ import annotations

from feltwire.ledger import room_ledger, table_ledger, tournament_ledger
from feltwire.relay import relay_store
from feltwire.relay.feed import store as feed_store
from feltwire.runtime.pages import people_store
from feltwire.station import players_store, station_store
from table_core.messages import EARLIEST_WRITTEN

# The newest mark of each kind of file in the release that writes this version of the messages.
MARKS = {
    3: {
        "table": 0x101,
        "station": 0x102,
        "station.db": 3,
        "tournament": 7,
        "players": 0x208,
        "people": 0x105,
        "relay": 0x106,
        "hands": 9,
    }
}


def test_no_file_gets_another_mark_before_the_release_before_has_what_it_stands_for() -> None:
    """A change of a schema: add tables and columns beside the mark, and give it its mark a release later."""
    now = {
        "table": table_ledger.SCHEMA,
        "station": room_ledger.SCHEMA,
        "station.db": station_store.SCHEMA,
        "tournament": tournament_ledger.SCHEMA,
        "players": players_store.SCHEMA,
        "people": people_store.SCHEMA,
        "relay": relay_store.SCHEMA,
        "hands": feed_store.SCHEMA,
    }
    assert {name: schema.newest for name, schema in now.items()} == MARKS[EARLIEST_WRITTEN]
