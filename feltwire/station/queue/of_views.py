"""What cannot be shown, as items of the queue: whose press may be missing, and where to look meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from feltwire.runtime.views import Fault
from table_core.messages import ItemKind, Primary, QueueItem, Severity

LOOK = "All else goes on. The log has the place of the fault, under its number: report it."
ASKS = "What it would ask you for is missing in this queue: look there yourself. " + LOOK


def items_of_views(faults: Iterable[Fault]) -> Iterator[QueueItem]:
    """Those of the station itself."""
    for fault in faults:
        part = fault.part
        page = part.page or (f"/station/table/{part.table}" if part.table else "")
        yield QueueItem(
            f"not-shown-{sha256(part.words.encode()).hexdigest()[:12]}",
            ItemKind.NOT_SHOWN,
            Severity.NOW if part.asks else Severity.SOON,
            f"{fault.words}.",
            part.table,
            do=ASKS if part.asks else LOOK,
            primary=Primary("Look there", open=page) if page else None,
            can_be_done=not part.asks,
        )


def item_of_another(who: str, fault: str, table: str = "") -> QueueItem:
    """A table, the relay or a wall clock cannot show something."""
    fact = f"{who} cannot show a part of its pages (fault {fault})."
    do = "It goes on. Its log says where, under the fault's number: report it."
    id_ = f"not-shown-at-{who.lower().replace(' ', '-')}"
    return QueueItem(id_, ItemKind.NOT_SHOWN, Severity.SOON, fact, table, do=do, can_be_done=True)
