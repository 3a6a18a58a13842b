"""What happens in a tournament, from the first registration to the last prize, as events.

The station records them; the tournament's state follows from them alone (`night.py`). A player is an id: names are
kept apart from the events, so that a person's data can be deleted. Money is in cents, chips are whole numbers.

Each module holds the events of one subject; all of them are imported from here. What a module defines is public,
but for what it imports and for names with `_`.
"""

from table_core.tournament.events.base import *
from table_core.tournament.events.busts import *
from table_core.tournament.events.by_hand import *
from table_core.tournament.events.chips import *
from table_core.tournament.events.clock import *
from table_core.tournament.events.entries import *
from table_core.tournament.events.field import *
from table_core.tournament.events.flights import *
from table_core.tournament.events.money import *
from table_core.tournament.events.moves import *
from table_core.tournament.events.penalties import *
from table_core.tournament.events.seats import *
from table_core.tournament.events.tables import *
from table_core.tournament.events.tournament import *
