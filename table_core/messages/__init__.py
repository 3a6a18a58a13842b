"""The one definition of the wire: observations, commands, events and the views that pages show.

Everything here is a frozen struct. `msgspec` encodes them as JSON for MQTT, the ledger and the browser;
`docs/messages.schema.json` is generated from them.

Cards are written as text: rank `23456789TJQKA` and suit `cdhs` (`"Ah"`), or `"??"` for a card that lies there
but is not known. Chips are integers in the smallest unit in play. Seats count from 1. Times are milliseconds
of boot time (`CLOCK_BOOTTIME`) of the machine named by the boot id beside them.

A message lies with what it is about: `hand`, `table`, `room`, `devices` (of a table), `machines`. All of them are
imported from here: `from table_core.messages import Acted`. What a module defines is public, but for what it
imports and for names with `_`.
"""

from table_core.messages.base import *
from table_core.messages.devices.clip import *
from table_core.messages.devices.health import *
from table_core.messages.devices.keys import *
from table_core.messages.devices.observations import *
from table_core.messages.devices.sensed import *
from table_core.messages.devices.zone import *
from table_core.messages.encoding import *
from table_core.messages.hand.commands import *
from table_core.messages.hand.events import *
from table_core.messages.machines import *
from table_core.messages.parts import *
from table_core.messages.room.clock import *
from table_core.messages.room.look import *
from table_core.messages.room.on_air import *
from table_core.messages.room.programme import *
from table_core.messages.room.queue import *
from table_core.messages.room.view import *
from table_core.messages.table.commands import *
from table_core.messages.table.envelope import *
from table_core.messages.table.events import *
from table_core.messages.table.history import *
from table_core.messages.table.overlay import *
from table_core.messages.table.presses import *
from table_core.messages.table.rulings import *
from table_core.messages.table.screens import *
from table_core.messages.table.view import *
from table_core.messages.version import *
from table_core.messages.vocabulary import *
