"""What a dealer's work at a table cost, as a table beside the aims of real-tables.md, 12."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from table_core.messages import Key
from tests.workload.shift import HandCost, Workload

_DIGITS = frozenset(Key(code) for code in range(13)) | {Key.SEAT}  # they make the number of the key after them
_ABOUT_HANDS = frozenset({Key.NEW_HAND, Key.TABLED, Key.MUCK, Key.AWARD, Key.SPLIT, Key.POT_PUSHED, Key.COUNT})
_CONFIRMS = ("tabled-", "split")  # of hands that the dealer keyed where no camera sees them; SPLIT's echo

AIMS = {
    "presses per action": "≤ 1",
    "presses for a fold": "0 where the camera sees it",
    "keys per nine-handed hand": "≤ 8 with all devices",
    "seconds added per hand": "≤ 3",
    "wrong presses mended by one UNDO": "all",
}


def figures(workload: Workload) -> dict[str, Any]:
    """The measures of one workload."""
    hands = workload.hands
    full = [cost for cost in hands if cost.seats == 9]
    acts = _sum(hands, lambda cost: cost.effort.acts)
    asked = Counter(kind for cost in hands for kind in cost.asked)
    of_own_keys = sum(count for kind, count in asked.items() if kind.startswith(_CONFIRMS))
    hours = workload.hours
    slips = _sum(hands, lambda cost: cost.effort.slips)
    return {
        "hours of table time": round(hours, 2),
        "hands": len(hands),
        "seconds per hand": _per(_sum(hands, lambda cost: cost.effort.took_s), len(hands), 1),
        "actions per hand": _per(acts, len(hands), 1),
        "keys per action": _per(_sum(hands, _keys), acts),
        "presses per action": _per(_sum(hands, _presses_for_actions), acts),
        "presses for a fold": _per(
            _sum(hands, lambda cost: cost.effort.keys_for_folds), _sum(hands, lambda cost: cost.effort.folds)
        ),
        "keys per hand": _per(_sum(hands, _keys), len(hands)),
        "keys per nine-handed hand": _per(_sum(full, _keys), len(full)),
        "presses per nine-handed hand": _per(_sum(full, _presses), len(full)),
        "seconds added per hand": _per(_sum(hands, _added), len(hands)),
        "seconds added, were every press a pause": _per(0.5 * _sum(hands, _keys), len(hands)),
        "questions per hour": _per(sum(asked.values()) - of_own_keys, hours),
        "second presses to open tabled hands, per hour": _per(_sum(hands, lambda cost: cost.effort.opened), hours),
        "notices per hour": _per(_sum(hands, lambda cost: len(cost.noticed)), hours),
        "refused presses per hour": _per(_sum(hands, lambda cost: len(cost.refused)), hours),
        "bets typed, not offered": _sum(hands, lambda cost: cost.effort.by_hand),
        "stacks counted": _sum(hands, lambda cost: cost.effort.counts),
        "wrong presses": slips,
        "wrong presses mended by one UNDO": _sum(hands, lambda cost: cost.effort.slips_mended),
        "hands fully known": sum(cost.fully_known for cost in hands),
        "hands partly unknown": sum(not cost.fully_known for cost in hands),
        "hands after which the director set the seats": workload.set_by_director,
    }


def markdown(workloads: Sequence[Workload]) -> str:
    """One column a set of devices, one row a measure, the aim beside it."""
    columns = [figures(workload) for workload in workloads]
    head = ["", *[workload.devices.name for workload in workloads], "aim"]
    rows = [[name, *[_text(column[name]) for column in columns], AIMS.get(name, "")] for name in columns[0]]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def unknown(workload: Workload) -> dict[str, int]:
    """What the table did not know, by kind, in how many hands."""
    return dict(Counter(cost.why for cost in workload.hands if cost.why).most_common())


def _keys(cost: HandCost) -> float:
    return len(cost.effort.strokes)


def _presses(cost: HandCost) -> float:
    """A number with the key that takes it is one press."""
    return sum(key not in _DIGITS for key in cost.effort.strokes)


def _presses_for_actions(cost: HandCost) -> float:
    """Without those that begin a hand, show, award and count."""
    return _presses(cost) - sum(key in _ABOUT_HANDS for key in cost.effort.strokes)


def _added(cost: HandCost) -> float:
    return cost.effort.took_s - cost.effort.base_s


def _sum(hands: Sequence[HandCost], of: Callable[[HandCost], float]) -> float:
    return sum(of(cost) for cost in hands)


def _per(count: float, whole: float, digits: int = 2) -> float:
    return round(count / whole, digits) if whole else 0.0


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else f"{value:,}"
